use super::{is_numbered, number, printable, short, significant};
use crate::folding::Gauge;

/// Figures of a value, and of a half width.
const FIGURES: i32 = 4;
const OF_HALF_WIDTH: i32 = 2;

/// The name of a gauge and its unit: that in brackets at the end of its name, `Power (W)`; of one that
/// counts, events per microsecond. A type without a name keeps its number.
pub fn gauge_name(gauge: &Gauge) -> (String, String) {
    let name = printable(&gauge.name);
    if gauge.is_rate {
        return (short(&name).to_owned(), "/µs".to_owned());
    }
    if is_numbered(&name) {
        return (name, String::new());
    }
    let parts = name.strip_suffix([')', ']']).and_then(|name| name.rsplit_once(['(', '[']));
    match parts.map(|(name, unit)| (name.trim_end(), unit.trim())) {
        Some((name, unit)) if !name.is_empty() => (name.to_owned(), unit.to_owned()),
        _ => (name, String::new()),
    }
}

/// A value of the lane of gauges, with its unit: of memory controllers with one decimal, of others in four
/// figures.
pub fn gauge_value(value: f64, code: Option<u32>, unit: &str) -> String {
    let text = match code {
        None => number(value, 1),
        Some(_) => significant(value, FIGURES),
    };
    if unit.is_empty() { text } else { format!("{text}\u{202f}{unit}") }
}

/// Half the width of its interval, without the unit.
pub fn gauge_half_width(value: f64, code: Option<u32>) -> String {
    match code {
        None => number(value, 1),
        Some(_) => significant(value, OF_HALF_WIDTH),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_in_brackets_is_no_part_of_the_name() {
        for (name, is_rate, expected) in [
            ("Power (W)", false, ("Power", "W")),
            ("Bandwidth [GB/s]", false, ("Bandwidth", "GB/s")),
            ("queue", false, ("queue", "")),
            ("(W)", false, ("(W)", "")),
            ("f(x) of it", false, ("f(x) of it", "")),
            ("", false, ("", "")),
            ("UNC_C_TOR (all)", true, ("UNC_C_TOR (all)", "/µs")),
        ] {
            let gauge = Gauge { name: name.to_owned(), is_rate, ..Gauge::default() };
            let (name, unit) = gauge_name(&gauge);
            assert_eq!((name.as_str(), unit.as_str()), expected);
        }
    }

    #[test]
    fn values_have_the_figures_and_the_unit_of_what_they_are_of() {
        assert_eq!(gauge_value(25.04, None, "GB/s"), "25.0\u{202f}GB/s");
        assert_eq!(gauge_value(305.25, Some(7), "K"), "305.2\u{202f}K");
        assert_eq!(gauge_value(0.012_34, Some(7), ""), "0.01234");
        assert_eq!(gauge_half_width(1.804, Some(7)), "1.8");
        assert_eq!(gauge_half_width(1.804, None), "1.8");
        assert_eq!(gauge_value(-3.0, Some(7), ""), "\u{2212}3.000");
    }
}
