//! Means over the seeds: of our fits, and of the reference beside them.

use super::cell::{Cell, INSTRUCTIONS, SEEDS};
use super::truth::Errors;

#[derive(Clone, Copy, Debug, Default)]
pub struct Means {
    /// E_C and E_R.
    pub curve: f64,
    pub rate: f64,
    /// Share of the traces that were given segments.
    pub segments: f64,
    /// Share of the grid at which a rate is negative.
    pub negative: f64,
}

impl Means {
    fn of(rows: impl Iterator<Item = (Errors, f64, f64)>) -> Means {
        let mut sum = Means::default();
        let mut count = 0.0;
        for (errors, segments, negative) in rows {
            let one = Means { curve: errors.curve, rate: errors.rate, segments, negative };
            sum = sum.plus(one);
            count += 1.0;
        }
        sum.times(1.0 / count)
    }

    /// Of two sets of as many traces.
    pub fn and(self, other: Means) -> Means {
        self.plus(other).times(0.5)
    }

    fn plus(self, other: Means) -> Means {
        Means {
            curve: self.curve + other.curve,
            rate: self.rate + other.rate,
            segments: self.segments + other.segments,
            negative: self.negative + other.negative,
        }
    }

    fn times(self, factor: f64) -> Means {
        Means {
            curve: self.curve * factor,
            rate: self.rate * factor,
            segments: self.segments * factor,
            negative: self.negative * factor,
        }
    }
}

/// Of the instructions of a cell, folded alone; settings that `choices` leave out are the defaults.
pub fn ours(cell: &Cell, choices: &[(&str, &str)]) -> Means {
    ours_of(cell, INSTRUCTIONS, choices)
}

pub fn ours_of(cell: &Cell, counter: &str, choices: &[(&str, &str)]) -> Means {
    Means::of(SEEDS.map(|seed| {
        let shown = cell.shown(seed, counter, choices);
        (shown.errors(), f64::from(u8::from(shown.segments())), shown.negative())
    }))
}

/// Of the reference, emulated.
pub fn reference(
    cell: &Cell,
    fit: impl Fn(&super::cell::Samples) -> super::truth::Fitted,
) -> Means {
    Means::of(SEEDS.map(|seed| {
        let (samples, truth) = cell.samples(seed, INSTRUCTIONS);
        (super::truth::errors(&fit(&samples), &truth), 0.0, 0.0)
    }))
}
