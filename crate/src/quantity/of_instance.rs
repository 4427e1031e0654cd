//! What each instance of a group is asked for, over the run: its name, its unit and how it is written.

use super::{
    Quantity, THIN, count, duration, number, printable, short, significant, thousands, time_unit,
};
use crate::folding::{Asked, Course};

/// The values of a [`Course`].
#[derive(Clone, Debug, PartialEq)]
pub struct OfInstance {
    /// `Duration`, `L2 misses`.
    pub name: String,
    /// On an axis: `ms`, `M`, `MIPS`; empty for events one by one.
    pub unit: String,
    /// From a value as held to one of that unit.
    pub factor: f64,
    /// What is compared: `longer` or `shorter`.
    pub more: &'static str,
    pub less: &'static str,
    rate: Option<Quantity>,
    is_time: bool,
}

impl OfInstance {
    pub fn of(course: &Course) -> Self {
        let middle = course.range.map_or(course.axis[1], |[_, middle, _]| middle);
        match course.asked.parse::<Asked>().unwrap_or_default() {
            Asked::Duration => {
                let (unit, per_unit) = time_unit(middle);
                Self {
                    name: "Duration".to_owned(),
                    unit: unit.to_owned(),
                    factor: 1.0 / per_unit,
                    more: "longer",
                    less: "shorter",
                    rate: None,
                    is_time: true,
                }
            }
            Asked::Total(counter) => {
                let (size, letter) = thousands(course.axis[1]);
                Self {
                    name: printable(short(&counter)),
                    unit: letter.to_owned(),
                    factor: 1.0 / size,
                    more: "more",
                    less: "less",
                    rate: None,
                    is_time: false,
                }
            }
            Asked::Rate(counter) => {
                let rate = Quantity::of_reading(&counter, course.instructions, course.joules);
                let rate = rate.clone().sized(middle * rate.scale);
                Self {
                    name: rate.name.clone(),
                    unit: rate.unit.clone(),
                    factor: rate.scale * rate.factor,
                    more: "higher",
                    less: "lower",
                    rate: Some(rate),
                    is_time: false,
                }
            }
        }
    }

    /// A value with its unit.
    pub fn text(&self, value: f64) -> String {
        match &self.rate {
            Some(rate) => rate.text(value),
            None if self.is_time => duration(value),
            None => count(value),
        }
    }

    /// Values that are told beside each other, in the unit of the axis: a difference and its interval,
    /// with three figures of the largest.
    pub fn together<const N: usize>(&self, values: [f64; N]) -> [String; N] {
        let largest = values.iter().map(|value| (value * self.factor).abs()).fold(0.0, f64::max);
        let digits = match largest {
            v if v >= 100.0 || v == 0.0 => 0,
            v => (2 - libm::floor(libm::log10(v)) as i32).clamp(0, 12) as usize,
        };
        values.map(|value| number(value * self.factor, digits))
    }

    /// The unit behind a number; empty without one.
    pub fn behind(&self) -> String {
        if self.unit.is_empty() { String::new() } else { format!("{THIN}{}", self.unit) }
    }
}

/// A share as per cent: whole ones from ten on, else in two figures.
pub fn per_cent(share: f64) -> String {
    let percent = 100.0 * share.abs();
    let text = if percent >= 10.0 { number(percent, 0) } else { significant(percent, 2) };
    format!("{text}{THIN}%")
}
