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

/// Units that take a prefix, and those of them of which there are parts.
const WITH_PREFIX: [&str; 8] = ["W", "J", "V", "A", "Hz", "B", "B/s", "/s"];
const WITH_PARTS: usize = 5;
const LARGE: [&str; 5] = ["k", "M", "G", "T", "P"];
const SMALL: [&str; 3] = ["m", "µ", "n"];
/// From here on a value reads better with a prefix, and below here.
const MANY: f64 = 1e4;
const FEW: f64 = 0.1;

/// The unit in which values up to `largest` are told, and what they are divided by: `B/s` as `TB/s`.
pub fn gauge_unit(unit: &str, largest: f64) -> (String, f64) {
    let place = WITH_PREFIX.iter().position(|known| *known == unit);
    let thousands = |value: f64| libm::floor(libm::log10(value) / 3.0) as i32;
    let power = match place {
        Some(_) if largest >= MANY && largest.is_finite() => thousands(largest),
        Some(place) if place < WITH_PARTS && largest > 0.0 && largest < FEW => thousands(largest),
        _ => 0,
    };
    let power = power.clamp(-(SMALL.len() as i32), LARGE.len() as i32);
    let prefix = match power {
        0 => "",
        more if more > 0 => LARGE[more as usize - 1],
        less => SMALL[less.unsigned_abs() as usize - 1],
    };
    (format!("{prefix}{unit}"), libm::pow(1000.0, f64::from(power)))
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
    fn large_values_and_small_ones_take_the_prefix_that_leaves_three_digits() {
        for (unit, largest, expected, by) in [
            ("B/s", 1.2e12, "TB/s", 1e12),
            ("W", 9999.0, "W", 1.0),
            ("W", 10_000.0, "kW", 1e3),
            ("W", 0.05, "mW", 1e-3),
            ("J", 2e-7, "nJ", 1e-9),
            ("J", 2e-14, "nJ", 1e-9),
            ("/s", 3e21, "P/s", 1e15),
            ("B", 0.05, "B", 1.0),
            ("mC", 1e9, "mC", 1.0),
            ("", 1e9, "", 1.0),
            ("W", 0.0, "W", 1.0),
            ("W", f64::INFINITY, "W", 1.0),
        ] {
            let (unit, divisor) = gauge_unit(unit, largest);
            assert_eq!(unit, expected);
            assert!((divisor / by - 1.0).abs() < 1e-12, "{unit}: {divisor}");
        }
    }

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
