//! What a profile tells of a node: how values of a metric are written.

use super::{THIN, number, significant, thousands};

/// Nanoseconds of each unit of time, the largest first.
const TIMES: [(f64, &str); 4] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];

/// Significant figures of the largest value.
const FIGURES: i32 = 4;

/// How values of one metric are written: all in the unit that the largest asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct OfMetric {
    /// `s`, `ms`, `M`; empty for what is counted one by one, and for formulas.
    pub unit: &'static str,
    /// From a value as held to one of that unit.
    pub factor: f64,
    /// `None`: as many as each value asks for, as values of a formula may be of any size.
    decimals: Option<usize>,
}

impl OfMetric {
    /// Of a metric in `unit`, as profiles have it: `ns`, or none.
    pub fn of(unit: &str, largest: f64) -> Self {
        let (size, unit) = match unit {
            "ns" => {
                let reached = |(size, _): &&(f64, &str)| largest.abs() >= *size;
                *TIMES.iter().find(reached).unwrap_or(&TIMES[3])
            }
            _ => thousands(largest),
        };
        let largest = (largest / size).abs();
        let whole = if largest >= 1.0 { libm::floor(libm::log10(largest)) as i32 + 1 } else { 1 };
        let decimals = FIGURES.saturating_sub(whole).clamp(0, 3) as usize;
        Self { unit, factor: 1.0 / size, decimals: Some(decimals) }
    }

    /// Of what a formula says.
    pub fn of_formula() -> Self {
        Self { unit: "", factor: 1.0, decimals: None }
    }

    /// Without its unit. What its digits would tell as nothing has one figure.
    pub fn number(&self, value: f64) -> String {
        let value = value * self.factor;
        let Some(decimals) = self.decimals else { return significant(value, 3) };
        let text = number(value, decimals);
        let is_nothing = value != 0.0 && !text.contains(|digit: char| ('1'..='9').contains(&digit));
        if is_nothing { significant(value, 1) } else { text }
    }

    pub fn text(&self, value: f64) -> String {
        let unit =
            if self.unit.is_empty() { String::new() } else { format!("{THIN}{}", self.unit) };
        self.number(value) + &unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_unit_of_the_largest_and_none_that_is_something_is_told_as_nothing() {
        for (unit, largest, value, expected) in [
            ("ns", 61.42e9, 61.42e9, "61.42 s"),
            ("ns", 61.42e9, 0.86e9, "0.86 s"),
            ("ns", 61.42e9, 1e5, "0.0001 s"),
            ("ns", 61.42e9, 0.0, "0.00 s"),
            ("ns", 5e6, 1.25e6, "1.250 ms"),
            ("ns", 0.0, 0.0, "0.000 ns"),
            ("", 64.0, 64.0, "64.00"),
            ("", 1.234e9, 1e6, "0.001 G"),
            ("", 4000.0, 123.0, "0.123 k"),
        ] {
            let text = OfMetric::of(unit, largest).text(value);
            assert_eq!(text.replace(THIN, " "), expected);
        }
        assert_eq!(OfMetric::of_formula().text(0.012345), "0.0123");
    }
}
