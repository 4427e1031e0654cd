//! What the curve of a counter says at a moment, as it is written.

use super::{NONE, THIN, is_clock, number, printable, short, significant};
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

/// What a value of a curve is of: its name and unit, and how many times larger it is written than
/// held.
///
/// Held are rates in events per microsecond (along a counter, in events per event of it), and
/// ratios in events per instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// `MIPS`, `L2 misses`, `Package power`.
    pub name: String,
    /// `MIPS`, `M/s`, `W`, `per 1000 ins`, `per cycle`.
    pub unit: String,
    /// From a value as held to one that can stand on an axis with others of the kind: joules, where
    /// counts of energy are held.
    pub scale: f64,
    /// From there to what is written in the unit.
    pub factor: f64,
    dimension: Dimension,
}

/// What a value counts, per what.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Dimension {
    /// Instructions per microsecond.
    Mips,
    /// Nanoseconds that threads ran, per microsecond.
    Clock,
    Watts,
    /// Events per microsecond.
    Rate,
    EventsPer(Events),
    NanosecondsPer(Events),
    JoulesPer(Events),
    /// What a model says, in its own unit.
    Stated,
}

impl Quantity {
    /// What a value of `curve` is of, in the unit for values of 1.
    pub fn of(group: &Group, curve: &Curve, kind: Kind) -> Self {
        let dimension = Dimension::of(group, curve, kind);
        let is_mips = dimension == Dimension::Mips;
        let name = if is_mips { "MIPS" } else { short(&curve.counter) };
        let joules = curve.joules.unwrap_or(1.0);
        let scale = match dimension {
            Dimension::Watts => joules * 1e6,
            Dimension::JoulesPer(_) => joules,
            _ => 1.0,
        };
        let quantity =
            Self { name: printable(name), unit: String::new(), scale, factor: 1.0, dimension };
        quantity.sized(1.0)
    }

    /// What is counted per time as it was read: of completed instructions, of energy whose count is
    /// so many joules, or of anything else.
    pub fn of_reading(counter: &str, instructions: bool, joules: Option<f64>) -> Self {
        let counter = counter.to_owned();
        let curve = Curve { counter, instructions, joules, ..Curve::default() };
        Self::of(&Group::default(), &curve, Kind::Rate)
    }

    /// What is written as it is held, in that unit alone.
    pub fn stated(name: String, unit: String) -> Self {
        Self { name, unit, scale: 1.0, factor: 1.0, dimension: Dimension::Stated }
    }

    /// The same in the unit in which `largest`, a value times its scale, reads well.
    pub fn sized(self, largest: f64) -> Self {
        if self.dimension == Dimension::Stated {
            return self;
        }
        let (factor, unit) = self.dimension.unit(largest);
        Self { factor, unit, ..self }
    }

    /// The unit as it stands behind a name: ` / 1000 ins` where the name is divided, else ` (W)`.
    pub fn behind_name(&self) -> String {
        match self.unit.strip_prefix(PER) {
            Some(divisor) => format!(" / {divisor}"),
            None => format!(" ({})", self.unit),
        }
    }

    /// Whether the unit does nothing but divide.
    pub fn is_divisor(&self) -> bool {
        self.unit.starts_with(PER)
    }

    /// Whether values of both, times their scales, can stand on one axis.
    pub fn shares_axis(&self, other: &Self) -> bool {
        self.dimension == other.dimension
    }

    /// Whether it is power: what energy is spent per time.
    pub fn is_power(&self) -> bool {
        self.dimension == Dimension::Watts
    }

    /// `value`, as held, in the unit and without it.
    pub fn number(&self, value: f64) -> String {
        let value = value * self.scale * self.factor;
        let whole = self.dimension == Dimension::Mips || value.abs() >= 100.0;
        match () {
            () if !value.is_finite() => NONE.to_owned(),
            () if whole => number(value, 0),
            () => significant(value, if value.abs() < 0.01 { 2 } else { 3 }),
        }
    }

    /// `value`, as held, with its unit: `2 345 MIPS`.
    pub fn text(&self, value: f64) -> String {
        format!("{}{THIN}{}", self.number(value), self.unit)
    }

    /// From the lowest to the highest of some values, as held: `3 718–4 563`; empty where they are
    /// written alike.
    pub fn range(&self, [lowest, highest]: [f64; 2]) -> String {
        let [lowest, highest] = [lowest, highest].map(|value| self.number(value));
        if lowest == highest { String::new() } else { format!("{lowest}–{highest}") }
    }

    /// Between what a value lies that may be off by so much, as held: `[3 271, 3 325]`, of which none is
    /// negative, in one digit more where the value's do not tell the two apart; empty where nothing tells.
    pub fn interval(&self, value: f64, half_width: f64) -> String {
        match half_width > 0.0 && half_width.is_finite() && value.is_finite() {
            false => String::new(),
            true => {
                let ends = [(value - half_width).max(0.0), value + half_width];
                let of_value =
                    self.number(value).split_once('.').map_or(0, |(_, digits)| digits.len());
                let half = half_width * self.scale * self.factor;
                let of_half = libm::ceil(-libm::log10(half)).max(0.0) as usize;
                let written = |end: f64| {
                    number(end * self.scale * self.factor, of_half.clamp(of_value, of_value + 1))
                };
                format!("[{}]", ends.map(written).join(", "))
            }
        }
    }

    /// How far a value may be off, as held: `± 12`; empty where nothing tells.
    pub fn within(&self, half_width: f64) -> String {
        let half = half_width * self.scale * self.factor;
        match half > 0.0 && half.is_finite() {
            false => String::new(),
            true if half >= 10.0 => format!("± {}", number(half, 0)),
            true => format!("± {}", significant(half, if half < 1.0 { 1 } else { 2 })),
        }
    }
}

/// How units begin that only divide.
const PER: &str = "per ";

/// What is counted in the denominator: one of them, and several.
type Events = [&'static str; 2];

const INSTRUCTIONS: Events = ["ins", "ins"];
const CYCLES: Events = ["cycle", "cycles"];
const OTHERS: Events = ["event", "events"];

impl Dimension {
    fn of(group: &Group, curve: &Curve, kind: Kind) -> Self {
        let per = match curve.joules {
            Some(_) => Self::JoulesPer,
            None if is_clock(&curve.counter) => Self::NanosecondsPer,
            None => Self::EventsPer,
        };
        match (&group.axis, kind) {
            (Axis::Time, _) if curve.joules.is_some() => Self::Watts,
            (_, Kind::Ratio) => per(INSTRUCTIONS),
            (Axis::Counter { name, .. }, Kind::Rate) => per(events(group, name)),
            (Axis::Time, Kind::Rate) if is_clock(&curve.counter) => Self::Clock,
            (Axis::Time, Kind::Rate) if curve.instructions => Self::Mips,
            (Axis::Time, Kind::Rate) => Self::Rate,
        }
    }

    /// The factor and the unit in which `largest` reads as 0.1 or more; nothing at all reads as well
    /// in the largest unit.
    fn unit(self, largest: f64) -> (f64, String) {
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let (factor, unit) = match self {
            Self::Mips => (1.0, "MIPS"),
            Self::Clock => (1e-3, "CPUs"),
            Self::Stated => (1.0, ""),
            Self::Watts => first(largest, &[(0.1, 1.0, "W"), (0.0, 1e3, "mW")]),
            Self::Rate => {
                first(largest, &[(0.1, 1.0, "M/s"), (1e-3, 1e3, "k/s"), (0.0, 1e6, "per s")])
            }
            Self::NanosecondsPer([one, _]) => return (1.0, format!("ns per {one}")),
            Self::JoulesPer([one, _]) => {
                let units =
                    [(0.1, 1.0, "J"), (1e-4, 1e3, "mJ"), (1e-7, 1e6, "µJ"), (0.0, 1e9, "nJ")];
                let (factor, unit) = first(largest, &units);
                return (factor, format!("{unit} per {one}"));
            }
            Self::EventsPer([one, several]) => {
                let units = [(0.1, 1.0, ""), (1e-3, 1e3, "1000"), (0.0, 1e6, "10⁶")];
                let (factor, many) = first(largest, &units);
                let per =
                    if many.is_empty() { one.to_owned() } else { format!("{many} {several}") };
                return (factor, format!("{PER}{per}"));
            }
        };
        (factor, unit.to_owned())
    }
}

/// Factor and name of the first of `units` for which `largest` is large enough; they come as the
/// least value, the factor and the name, the largest unit first.
fn first(largest: f64, units: &[(f64, f64, &'static str)]) -> (f64, &'static str) {
    let fits = units.iter().find(|(least, ..)| largest >= *least).or(units.last());
    fits.map_or((1.0, ""), |(_, factor, unit)| (*factor, *unit))
}

/// What the axis counts, if it counts events of the counter of this name.
fn events(group: &Group, counter: &str) -> Events {
    match group.curve(counter) {
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
        let quantity = Quantity::of(group, curve, kind);
        let quantity = quantity.clone().sized(value * quantity.scale);
        assert_eq!(quantity.text(value).replace(THIN, " "), expected);
    }

    #[test]
    fn an_interval_has_one_digit_more_where_that_tells_its_ends_apart() {
        let interval = |counter: &str, kind, value: f64, half: f64| {
            let quantity = Quantity::of(&Group::default(), &curve(counter), kind);
            quantity.sized(value).interval(value, half).replace(THIN, " ")
        };
        assert_eq!(interval("PAPI_TOT_INS", Kind::Rate, 3298.0, 27.0), "[3 271, 3 325]");
        assert_eq!(interval("PAPI_TOT_INS", Kind::Rate, 3298.0, 0.4), "[3 297.6, 3 298.4]");
        assert_eq!(interval("PAPI_L2_TCM", Kind::Ratio, 0.0455, 0.0021), "[43.4, 47.6]");
        assert_eq!(interval("PAPI_TOT_CYC", Kind::Ratio, 0.619, 0.0003), "[0.6187, 0.6193]");
        assert_eq!(interval("PAPI_L2_TCM", Kind::Ratio, 0.001, 0.004), "[0.00, 5.00]");
        assert_eq!(interval("PAPI_TOT_CYC", Kind::Ratio, 0.619, 1e-7), "[0.6190, 0.6190]");
        for nothing in [0.0, f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(interval("PAPI_TOT_INS", Kind::Rate, 3298.0, nothing), "");
        }
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
        let rate = |counter| Quantity::of(&Group::default(), &curve(counter), Kind::Rate);
        let (mips, misses) = (rate("PAPI_TOT_INS"), rate("PAPI_L2_TCM"));
        assert_eq!(mips.within(12.6), "± 13");
        assert_eq!(misses.within(0.123), "± 0.1");
        assert_eq!((misses.within(0.0), misses.within(f64::NAN)), (String::new(), String::new()));
        assert_eq!(misses.number(f64::NAN), NONE);
    }
}
