//! What our own fits make of a cell.

use tracefold::folding::{Curve, CurveKind, Group};

use super::cell::{Cell, fold};
use super::truth::{Errors, Fitted, MIDDLES, Truth, errors};

/// One counter of one trace as the pipeline shows it, with what it should have been.
pub struct Shown {
    pub group: Group,
    /// Place of the counter in the group.
    pub place: usize,
    pub truth: Truth,
}

impl Cell {
    /// Folds one counter; settings that `choices` leave out are a person's defaults.
    pub fn shown(&self, seed: u64, counter: &str, choices: &[(&str, &str)]) -> Shown {
        self.shown_of(seed, counter, &[choices, &[("counters", counter)]].concat())
    }

    /// Folds every counter, and shows one.
    pub fn shown_of(&self, seed: u64, counter: &str, choices: &[(&str, &str)]) -> Shown {
        let (trace, truth) = self.trace(seed);
        // Every second point of the grid is a middle.
        let points = (2 * MIDDLES + 1).to_string();
        let choices = [choices, &[("points", points.as_str())]].concat();
        let group = fold(&trace, &choices).0.groups.swap_remove(0);
        let place = group.curves.iter().position(|curve| curve.counter == counter).unwrap();
        Shown { group, place, truth: Truth::of(&truth, counter) }
    }
}

impl Shown {
    pub fn curve(&self) -> &Curve {
        &self.group.curves[self.place]
    }

    pub fn segments(&self) -> bool {
        self.group.fit.kind == CurveKind::Segments
    }

    pub fn breaks(&self) -> Vec<f64> {
        self.group.breaks.iter().map(|one| one.at).collect()
    }

    pub fn errors(&self) -> Errors {
        let curve = self.curve();
        let middles = |values: &[f64]| values.iter().skip(1).step_by(2).copied().collect();
        let mut fitted = Fitted { curve: middles(&curve.fitted), rate: middles(&curve.rate) };
        fitted.rate.iter_mut().for_each(|rate| *rate /= curve.mean_rate);
        errors(&fitted, &self.truth)
    }

    /// Share of the grid at which the rate is negative.
    pub fn negative(&self) -> f64 {
        let rates = &self.curve().rate;
        rates.iter().filter(|rate| **rate < 0.0).count() as f64 / rates.len() as f64
    }
}
