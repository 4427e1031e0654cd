//! Places and lengths along the horizontal axis.

use super::{THIN, count, number, short, significant};
use crate::folding::{Axis, Group};

/// The unit in which times of a region of `mean_ns` are written, and its nanoseconds.
pub fn time_unit(mean_ns: f64) -> (&'static str, f64) {
    match mean_ns {
        ns if ns > 0.0 && ns < 1e6 => ("µs", 1e3),
        ns if ns > 100e9 => ("s", 1e9),
        _ => ("ms", 1e6),
    }
}

/// What lengths along the axis of `group` are counted in: `ms`, or the name of a counter.
pub fn length_unit(group: &Group) -> &str {
    match &group.axis {
        Axis::Time => time_unit(group.mean_duration_ns).0,
        Axis::Counter { name, .. } => short(name),
    }
}

/// A share of the region's length, as long as it is: `8 057 ms`, or `4.03 G` events.
pub fn extent(group: &Group, share: f64) -> String {
    match &group.axis {
        Axis::Time => {
            let (unit, per_unit) = time_unit(group.mean_duration_ns);
            let text = match share * group.mean_duration_ns / per_unit {
                v if v >= 100.0 => number(v, 0),
                v if v >= 10.0 => number(v, 1),
                v if v >= 1.0 || v == 0.0 => number(v, 2),
                v => significant(v, 3),
            };
            format!("{text}{THIN}{unit}")
        }
        Axis::Counter { total, .. } => count(share * total),
    }
}

/// The unit for times of all threads up to this one, and how many nanoseconds it has.
pub fn core_time_unit(most_ns: f64) -> (&'static str, f64) {
    match most_ns {
        most if most >= 1e9 => ("s", 1e9),
        most if most >= 1e6 => ("ms", 1e6),
        _ => ("\u{b5}s", 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(axis: Axis, mean_ns: f64, share: f64, expected: &str) {
        let group = Group { axis, mean_duration_ns: mean_ns, ..Group::default() };
        assert_eq!(extent(&group, share).replace(THIN, " "), expected);
    }

    #[test]
    fn lengths_of_a_region_have_the_unit_of_the_region() {
        check(Axis::Time, 14_647.683e6, 0.5, "7 324 ms");
        check(Axis::Time, 64e6, 0.5, "32.0 ms");
        check(Axis::Time, 64e6, 0.002, "0.128 ms");
        check(Axis::Time, 64e6, 0.0, "0.00 ms");
        check(Axis::Time, 300e3, 0.5, "150 µs");
        check(Axis::Time, 200e9, 0.25, "50.0 s");
        let cycles = Axis::Counter { name: "PAPI_TOT_CYC".to_owned(), total: 60.2e9 };
        check(cycles, 64e6, 0.25, "15.05 G");
    }

    #[test]
    fn lengths_are_told_in_what_the_axis_counts() {
        let axis = Axis::Counter { name: "PAPI_TOT_CYC".to_owned(), total: 1.0 };
        assert_eq!(length_unit(&Group { axis, ..Group::default() }), "Cycles");
        assert_eq!(length_unit(&Group { mean_duration_ns: 2e9, ..Group::default() }), "ms");
    }
}
