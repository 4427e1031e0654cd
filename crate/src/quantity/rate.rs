//! What the curve of a counter says at a moment, as it is written.

use super::{NONE, THIN, is_clock, number, short, significant};
use crate::folding::{Axis, Curve, Group};

/// What is asked of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its events per time; the power if it counts energy. Along a counter, per event of that.
    Rate,
    /// Its events per instruction; of a counter of energy the same as its rate, as power is shown
    /// by itself.
    Ratio,
}

/// What a value of a curve is of: name and unit, and how many times larger it is written than held.
///
/// Held are rates in events per microsecond (along a counter, in events per event of it), and
/// ratios in events per instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// `MIPS`, `L2 misses`, `Package power`.
    pub name: String,
    /// `MIPS`, `M/s`, `W`, `per 1000 ins`, `per cycle`.
    pub unit: String,
    /// Times a value is larger in this unit.
    pub factor: f64,
    /// Rates of instructions are whole numbers; of others three figures count.
    whole: bool,
}

impl Quantity {
    /// What a value of `curve` is of, in the unit in which `largest` reads well.
    pub fn of(group: &Group, curve: &Curve, kind: Kind, largest: f64) -> Self {
        let held = Held::of(group, curve, kind);
        let (factor, unit) = held.unit(largest);
        let is_mips = held == Held::Mips;
        let name = if is_mips { "MIPS" } else { short(&curve.counter) };
        Self { name: name.to_owned(), unit, factor, whole: is_mips }
    }

    /// `value` in the unit, without it.
    pub fn number(&self, value: f64) -> String {
        let value = value * self.factor;
        match () {
            () if !value.is_finite() => NONE.to_owned(),
            () if self.whole || value.abs() >= 100.0 => number(value, 0),
            () => significant(value, if value.abs() < 0.01 { 2 } else { 3 }),
        }
    }

    /// `value` with its unit: `2 345 MIPS`.
    pub fn text(&self, value: f64) -> String {
        format!("{}{THIN}{}", self.number(value), self.unit)
    }

    /// How far a value may be off: `± 12`; empty where nothing tells.
    pub fn within(&self, half_width: f64) -> String {
        let half = half_width * self.factor;
        match half > 0.0 && half.is_finite() {
            false => String::new(),
            true if half >= 10.0 => format!("± {}", number(half, 0)),
            true => format!("± {}", significant(half, if half < 1.0 { 1 } else { 2 })),
        }
    }
}

/// What a curve holds.
#[derive(Clone, Debug, PartialEq)]
enum Held {
    /// Instructions per microsecond.
    Mips,
    /// Nanoseconds that threads ran, per microsecond.
    Clock,
    /// Energy per microsecond, with its watts.
    Power(f64),
    /// Events per microsecond.
    Rate,
    /// Events, or joules, or nanoseconds, per event of something.
    Per { of: Of, events: Events },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Of {
    Events,
    Nanoseconds,
    Energy(f64),
}

/// What is counted in the denominator: one of them, and several.
type Events = [&'static str; 2];

const INSTRUCTIONS: Events = ["ins", "ins"];
const CYCLES: Events = ["cycle", "cycles"];
const OTHERS: Events = ["event", "events"];

impl Held {
    fn of(group: &Group, curve: &Curve, kind: Kind) -> Self {
        let clock = is_clock(&curve.counter);
        let of = match curve.joules {
            Some(joules) => Of::Energy(joules),
            None if clock => Of::Nanoseconds,
            None => Of::Events,
        };
        match (&group.axis, kind, of) {
            (Axis::Counter { name, .. }, Kind::Rate, of) => {
                Self::Per { of, events: events(group, name) }
            }
            (Axis::Counter { .. }, Kind::Ratio, of) => Self::Per { of, events: INSTRUCTIONS },
            (Axis::Time, _, Of::Energy(joules)) => Self::Power(joules * 1e6),
            (Axis::Time, Kind::Ratio, of) => Self::Per { of, events: INSTRUCTIONS },
            (Axis::Time, Kind::Rate, Of::Nanoseconds) => Self::Clock,
            (Axis::Time, Kind::Rate, _) if curve.instructions => Self::Mips,
            (Axis::Time, Kind::Rate, _) => Self::Rate,
        }
    }

    /// The factor and the unit in which `largest` reads as 0.1 or more.
    fn unit(&self, largest: f64) -> (f64, String) {
        let plain = |(factor, unit): (f64, &str)| (factor, unit.to_owned());
        // Nothing at all reads as well in the largest unit.
        let size = |scale: f64| match largest * scale {
            v if v > 0.0 => v,
            _ => 1.0,
        };
        match self {
            Self::Mips => plain((1.0, "MIPS")),
            Self::Clock => plain((1e-3, "CPUs")),
            Self::Power(watts) => plain(match size(*watts) {
                v if v >= 0.1 => (*watts, "W"),
                _ => (watts * 1e3, "mW"),
            }),
            Self::Rate => plain(match size(1.0) {
                v if v >= 0.1 => (1.0, "M/s"),
                v if v >= 1e-3 => (1e3, "k/s"),
                _ => (1e6, "per s"),
            }),
            Self::Per { of: Of::Nanoseconds, events: [one, _] } => (1.0, format!("ns per {one}")),
            Self::Per { of: Of::Energy(joules), events: [one, _] } => {
                let (factor, unit) = match size(*joules) {
                    v if v >= 0.1 => (1.0, "J"),
                    v if v >= 1e-4 => (1e3, "mJ"),
                    v if v >= 1e-7 => (1e6, "µJ"),
                    _ => (1e9, "nJ"),
                };
                (joules * factor, format!("{unit} per {one}"))
            }
            Self::Per { of: Of::Events, events: [one, several] } => match size(1.0) {
                v if v >= 0.1 => (1.0, format!("per {one}")),
                v if v >= 1e-3 => (1e3, format!("per 1000 {several}")),
                _ => (1e6, format!("per 10⁶ {several}")),
            },
        }
    }
}

/// What the axis counts, if it counts events of the counter of this name.
fn events(group: &Group, counter: &str) -> Events {
    let is_axis = |curve: &&Curve| curve.counter == counter;
    match group.curves.iter().find(is_axis) {
        Some(curve) if curve.instructions => INSTRUCTIONS,
        _ if short(counter) == "Cycles" => CYCLES,
        _ => OTHERS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(counter: &str) -> Curve {
        let instructions = counter == "PAPI_TOT_INS";
        Curve { counter: counter.to_owned(), instructions, ..Curve::default() }
    }

    fn along(counter: &str) -> Group {
        let axis = Axis::Counter { name: counter.to_owned(), total: 1e9 };
        let curves = ["PAPI_TOT_INS", "PAPI_TOT_CYC"].map(curve).to_vec();
        Group { axis, curves, ..Group::default() }
    }

    fn check(group: &Group, curve: &Curve, kind: Kind, value: f64, expected: &str) {
        let quantity = Quantity::of(group, curve, kind, value);
        assert_eq!(quantity.text(value).replace(THIN, " "), expected);
    }

    #[test]
    fn over_time_each_counter_has_the_unit_of_its_kind() {
        let time = Group::default();
        check(&time, &curve("PAPI_TOT_INS"), Kind::Rate, 4102.4, "4 102 MIPS");
        check(&time, &curve("PAPI_TOT_INS"), Kind::Rate, 0.4, "0 MIPS");
        check(&time, &curve("PAPI_L2_TCM"), Kind::Rate, 12.345, "12.3 M/s");
        check(&time, &curve("PAPI_L2_TCM"), Kind::Rate, 0.0123, "12.3 k/s");
        check(&time, &curve("PAPI_L2_TCM"), Kind::Rate, 1.23e-5, "12.3 per s");
        check(&time, &curve("PAPI_L2_TCM"), Kind::Ratio, 0.0123, "12.3 per 1000 ins");
        check(&time, &curve("PAPI_L2_TCM"), Kind::Ratio, 0.0, "0 per ins");
        check(&time, &curve("task-clock"), Kind::Rate, 1000.0, "1.00 CPUs");
        check(&time, &curve("task-clock"), Kind::Ratio, 0.25, "0.250 ns per ins");
        let energy = Curve { joules: Some(61e-6), ..curve("PACKAGE_ENERGY") };
        check(&time, &energy, Kind::Rate, 0.02, "1.22 W");
        check(&time, &energy, Kind::Ratio, 0.02, "1.22 W");
        check(&time, &energy, Kind::Rate, 0.0002, "12.2 mW");
    }

    #[test]
    fn along_a_counter_nothing_is_per_time() {
        let cycles = along("PAPI_TOT_CYC");
        check(&cycles, &curve("PAPI_TOT_INS"), Kind::Rate, 1.5, "1.50 per cycle");
        check(&cycles, &curve("PAPI_L2_TCM"), Kind::Rate, 0.0123, "12.3 per 1000 cycles");
        check(&cycles, &curve("PAPI_L2_TCM"), Kind::Ratio, 0.0123, "12.3 per 1000 ins");
        let instructions = along("PAPI_TOT_INS");
        check(&instructions, &curve("PAPI_TOT_CYC"), Kind::Rate, 0.667, "0.667 per ins");
        let misses = along("PAPI_L2_TCM");
        check(&misses, &curve("PAPI_TOT_CYC"), Kind::Rate, 81.0, "81.0 per event");
        let energy = Curve { joules: Some(1e-9), ..curve("PACKAGE_ENERGY") };
        check(&cycles, &energy, Kind::Rate, 20.0, "20.0 nJ per cycle");
        check(&cycles, &curve("task-clock"), Kind::Rate, 0.5, "0.500 ns per cycle");
    }

    #[test]
    fn how_far_a_value_may_be_off_has_fewer_figures_than_the_value() {
        let mips = Quantity::of(&Group::default(), &curve("PAPI_TOT_INS"), Kind::Rate, 4e3);
        let misses = Quantity::of(&Group::default(), &curve("PAPI_L2_TCM"), Kind::Rate, 12.0);
        assert_eq!(mips.within(12.6), "± 13");
        assert_eq!(misses.within(0.123), "± 0.1");
        assert_eq!((misses.within(0.0), misses.within(f64::NAN)), (String::new(), String::new()));
        assert_eq!(misses.number(f64::NAN), NONE);
    }
}
