//! By how much the rates of both sides differ at a moment.

use super::comparison::Comparison;
use super::decision::Change;
use crate::fit;

/// B less A at a moment, in the unit of the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub value: f64,
    /// Half widths of 95 % intervals: of these runs, and of the program, of which single runs differ.
    pub within: f64,
    pub half_width: f64,
    /// Whether it is surely other than zero, and by more than matters.
    pub is_sure: bool,
}

/// What decides at every moment of a region whether there is a difference.
#[derive(Clone, Copy, Debug)]
pub struct Differing {
    /// So many moments are told apart: phases, or what a spline resolves.
    pub places: f64,
    /// The least difference that matters, in the unit of the values.
    pub least: f64,
}

impl Comparison {
    /// The difference of two values, each with the half width of the 95 % interval that its run tells of itself.
    /// That single runs of one program differ is a part of it: what is coloured is not what a row calls
    /// unchanged.
    pub fn difference(&self, a: [f64; 2], b: [f64; 2], by: Differing) -> Difference {
        let ([a, half_a], [b, half_b]) = (a, b);
        let [between, degrees] = self.between;
        let errors = fit::student_exceeded(0.025, self.degrees);
        let square = |x: f64| x * x;
        let own = square(half_a / errors) + square(half_b / errors);
        let other = square(between * (a + b) / 2.0);
        let squares = own * own / (2.0 * self.degrees) + other * other / degrees;
        let variance = own + other;
        // What is assumed of other runs is taken for known.
        let degrees = if squares > 0.0 { variance * variance / squares } else { f64::INFINITY };
        let change = Change { log: b - a, variance, degrees };
        let [low, high] = change.interval();
        let surely = fit::student_exceeded(0.025 / by.places.max(1.0), degrees) * variance.sqrt();
        let is_sure = change.log.abs() > surely && change.log.abs() > by.least;
        let within = errors * own.sqrt();
        Difference { value: change.log, within, half_width: (high - low) / 2.0, is_sure }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY: Differing = Differing { places: 4.0, least: 10.0 };

    fn between(deviation: f64) -> Comparison {
        let between = [deviation, f64::INFINITY];
        Comparison { between, degrees: 19.0, ..Comparison::default() }
    }

    #[test]
    fn what_single_runs_differ_by_is_no_difference() {
        let (a, b) = ([1000.0, 2.0], [1030.0, 2.0]);
        let of_these = between(0.0).difference(a, b, BY);
        assert!(of_these.is_sure && (of_these.within - of_these.half_width).abs() < 0.1);
        let of_program = between(0.02).difference(a, b, BY);
        assert!(!of_program.is_sure && of_program.half_width > 30.0 && of_program.within < 4.0);
        assert_eq!(of_program.value, 30.0);
    }

    #[test]
    fn what_does_not_matter_is_not_told_however_sure() {
        let of = between(0.0).difference([1000.0, 0.01], [1009.0, 0.01], BY);
        assert!(!of.is_sure && of.within < 1.0);
    }

    #[test]
    fn of_many_places_one_must_be_more_sure() {
        let of = |places| {
            between(0.0).difference(
                [1000.0, 10.0],
                [1018.0, 10.0],
                Differing { places, least: 10.0 },
            )
        };
        assert!(of(1.0).is_sure && !of(50.0).is_sure);
    }

    #[test]
    fn without_any_error_a_difference_is_itself() {
        let of = between(0.0).difference([5.0, 0.0], [20.5, 0.0], BY);
        assert_eq!((of.value, of.within, of.half_width, of.is_sure), (15.5, 0.0, 0.0, true));
    }
}
