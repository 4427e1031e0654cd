//! Axes: steps of 1, 2, 2.5 and 5 times a power of ten, and numbers as people read them.
//!
//! plotters' own ticks use `powf`, which may differ between native and wasm.

mod linear;

pub use crate::quantity::{THIN, count, number, tame, thousands};
pub use linear::Linear;

/// Steps of an axis that stands alone.
pub const STEPS: &[f64] = &[1.0, 2.0, 2.5, 5.0];

/// Steps of an axis whose number of steps another one decides.
pub const FINE_STEPS: &[f64] = &[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5];

/// Room above the largest value, and above that of an axis beside another one.
const HEADROOM: f64 = 1.1;
const CLOSE: f64 = 1.05;

/// Largest and smallest size of a number that is drawn; beyond it axes would overflow.
const HUGE: f64 = 1e300;
const TINY: f64 = 1e-300;

/// An axis of `count` equal steps that starts at `min`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    pub min: f64,
    pub step: f64,
    pub count: u32,
}

impl Steps {
    pub fn max(&self) -> f64 {
        self.min + self.step * f64::from(self.count)
    }

    /// The axis from 0 to the next step above 1.1 × `largest`, of the finest step that makes at
    /// most `most` of them.
    pub fn from_zero(largest: f64, most: u32) -> Steps {
        let most = most.max(1);
        let top = if largest > 0.0 { tame(largest) * HEADROOM } else { 1.0 };
        let enough = |step: f64| libm::floor(top / step) + 1.0;
        let fits = |&step: &f64| enough(step) <= f64::from(most);
        let step = steps_from(top / f64::from(most), STEPS).find(fits).unwrap_or(top);
        Steps { min: 0.0, step, count: enough(step) as u32 }
    }

    /// The axis from 0 to just above `largest`, with as many steps as the one it stands beside.
    pub fn beside(other: &Steps, largest: f64) -> Steps {
        let count = other.count.max(1);
        let top = if largest > 0.0 { tame(largest) * CLOSE } else { CLOSE };
        Steps { min: 0.0, step: top / f64::from(count), count }
    }

    /// The axis round `low` to `high` with some room on both sides, of the finest step that makes
    /// at most `most` of them. It starts at 0 unless the values lie in their upper half alone.
    pub fn around(low: f64, high: f64, most: u32) -> Steps {
        let (low, high) = (tame(low), tame(high));
        let span = high - low;
        if low < 0.5 * high || span <= high * 1e-9 {
            return Steps::from_zero(high, most);
        }
        let (low, high) = ((low - 0.4 * span).max(0.0), high + 0.4 * span);
        let ends = |step: f64| (libm::floor(low / step), libm::ceil(high / step));
        let fits = |&step: &f64| {
            let (first, last) = ends(step);
            last - first <= f64::from(most.max(2))
        };
        let step = steps_from((high - low) / f64::from(most.max(2)), STEPS).find(fits);
        let step = step.unwrap_or(high - low);
        let (first, last) = ends(step);
        Steps { min: first * step, step, count: (last - first).max(1.0) as u32 }
    }
}

/// Rising steps, from just below `least` on; at most three decades of them.
pub fn steps_from(least: f64, kinds: &[f64]) -> impl Iterator<Item = f64> {
    let least = if least.is_finite() { least.clamp(TINY, HUGE) } else { HUGE };
    let decade = libm::floor(libm::log10(least)) - 1.0;
    let powers = (0..4).map(move |k| libm::pow(10.0, decade + f64::from(k)));
    let steps = powers.flat_map(move |power| kinds.iter().map(move |kind| kind * power));
    steps.filter(move |&step| step >= least * (1.0 - 1e-9))
}

/// Multiples of a step of `STEPS` within `low..=high`, the step at least `least`.
pub fn multiples(low: f64, high: f64, least: f64) -> (f64, Vec<f64>) {
    let least = least.max((high - low) * 1e-3);
    let step = steps_from(least, STEPS).next().unwrap_or(least);
    let first = libm::ceil(low / step - 1e-9);
    let last = libm::floor(high / step + 1e-9);
    if !(first.is_finite() && last.is_finite() && last - first < 2000.0) {
        return (step, Vec::new());
    }
    let count = (last - first).max(-1.0) as i64;
    (step, (0..=count).map(|k| (first + k as f64) * step).collect())
}

/// Digits after the point that tell multiples of `step` apart.
pub fn decimals(step: f64) -> usize {
    let exact = |&d: &usize| {
        let scaled = step * libm::pow(10.0, d as f64);
        (scaled - libm::round(scaled)).abs() < 1e-6 * scaled.abs()
    };
    (0..6).find(exact).unwrap_or(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(largest: f64, most: u32, expected: &str) {
        let steps = Steps::from_zero(largest, most);
        let places = decimals(steps.step);
        let values =
            (0..=steps.count).map(|k| number(steps.min + steps.step * f64::from(k), places));
        let values: Vec<_> = values.collect();
        assert_eq!(values.join(" "), expected.replace('_', "\u{202f}"), "{largest} in {most}");
    }

    #[test]
    fn an_axis_from_zero_ends_at_the_next_step_above_its_largest_value() {
        check(4460.0, 6, "0 1_000 2_000 3_000 4_000 5_000");
        check(4600.0, 6, "0 1_000 2_000 3_000 4_000 5_000 6_000");
        check(63.0, 4, "0 20 40 60 80");
        check(200.0, 3, "0 100 200 300");
        check(10.4, 3, "0 5 10 15");
        check(0.67, 4, "0.0 0.2 0.4 0.6 0.8");
        check(2.2, 3, "0.0 1.0 2.0 3.0".replace(".0", "").as_str());
        check(0.0, 4, "0.0 0.5 1.0 1.5");
        check(1e300, 3, "0 5×10²⁹⁹ 1×10³⁰⁰ 1.5×10³⁰⁰");
    }

    #[test]
    fn an_axis_beside_another_ends_a_twentieth_above_its_largest_value_in_as_many_steps() {
        let other = Steps { min: 0.0, step: 300.0, count: 5 };
        assert_eq!(Steps::beside(&other, 100.0), Steps { min: 0.0, step: 21.0, count: 5 });
    }

    #[test]
    fn an_axis_far_above_zero_starts_above_it() {
        let steps = Steps::around(3610.0, 4460.0, 5);
        assert_eq!((steps.min, steps.step, steps.count), (3000.0, 500.0, 4));
        assert_eq!(Steps::around(10.0, 4460.0, 5).min, 0.0);
        assert_eq!(Steps::around(7.0, 7.0, 5).min, 0.0);
    }

    #[test]
    fn any_values_make_a_finite_axis_that_holds_them() {
        for low in [0.0, 1e-320, 1e-300, 1e-7, 3.3, 9.99e8, 1e300, f64::INFINITY, f64::NAN] {
            for factor in [1.0, 1.0000001, 1.3, 17.0] {
                for most in [0, 1, 2, 5, 9] {
                    let steps = Steps::around(low, low * factor, most);
                    assert!(steps.min.is_finite() && steps.max().is_finite(), "{low} {factor}");
                    assert!(steps.max() > steps.min && steps.count <= 10, "{low} {steps:?}");
                    assert!(steps.max() >= tame(low * factor).min(1e299), "{low} {steps:?}");
                }
            }
        }
    }

    #[test]
    fn multiples_stay_within_their_ends() {
        assert_eq!(
            multiples(0.0, 64.0, 8.0),
            (10.0, vec![0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0])
        );
        assert_eq!(multiples(-0.75, 1.5, 0.4), (0.5, vec![-0.5, 0.0, 0.5, 1.0, 1.5]));
        assert!(multiples(0.3, 0.3, 0.0).1.len() <= 1);
    }
}
