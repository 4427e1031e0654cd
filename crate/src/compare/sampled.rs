//! How long the samples of both sides say that something takes.

use std::iter::Sum;

use super::comparison::Comparison;
use super::decision::Change;
use super::run::{Place, Run};
use crate::fit;

/// What all samples of the runs of both sides tell of those that lie somewhere.
pub struct Sampled {
    samples: [f64; 2],
    ms: [f64; 2],
    /// Of the logarithm of the duration: no line varies more from instance to instance, as long as none makes up
    /// for another.
    variances: [f64; 2],
    /// By how much runs differ, and its degrees of freedom.
    between: [f64; 2],
}

/// Samples of a line, or of several, in all runs of a side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted {
    pub samples: u32,
    /// Of each its dispersion, added up.
    dispersed: f64,
}

impl Counted {
    /// Adds samples of a place of a run.
    pub fn add(&mut self, run: &Run, place: &Place, samples: u32) {
        self.samples = self.samples.saturating_add(samples);
        let permille = run.dispersions_permille.get(place).copied().unwrap_or(1000);
        self.dispersed += f64::from(samples) * f64::from(permille) / 1000.0;
    }

    /// Of several lines together the mean over their samples: how much these vary together is not known.
    fn dispersion(&self) -> f64 {
        (self.dispersed / f64::from(self.samples.max(1))).max(1.0)
    }
}

impl Sum for Counted {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, of| Self {
            samples: sum.samples.saturating_add(of.samples),
            dispersed: sum.dispersed + of.dispersed,
        })
    }
}

/// Time of an instance by the samples of it, of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampledTime {
    pub samples: [u32; 2],
    pub ms: [f64; 2],
    /// Half the width of the 95 % interval of their difference, for these runs and those like them.
    pub half_width_ms: f64,
}

impl SampledTime {
    pub fn change_ms(&self) -> f64 {
        self.ms[1] - self.ms[0]
    }
}

impl Sampled {
    /// `None` where samples of a run stayed behind.
    pub fn of(sides: [&[Run]; 2], comparison: &Comparison) -> Option<Self> {
        if sides.iter().any(|runs| runs.is_empty() || runs.iter().any(|run| run.instances == 0)) {
            return None;
        }
        let samples = |run: &Run| {
            run.places.iter().flat_map(|of| of.values()).copied().map(f64::from).sum::<f64>()
        };
        let mean = |runs: &[Run], of: &dyn Fn(&Run) -> f64| {
            runs.iter().map(of).sum::<f64>() / runs.len() as f64
        };
        Some(Self {
            samples: sides.map(|runs| runs.iter().map(samples).sum()),
            ms: sides.map(|runs| mean(runs, &|run| run.duration_ms)),
            variances: sides
                .map(|runs| mean(runs, &|run| run.duration_variance) / runs.len() as f64),
            between: comparison.between,
        })
    }

    /// Of what was counted on each side, with their change as a share of the longer instance.
    pub fn time(&self, counted: [Counted; 2]) -> (SampledTime, Change) {
        let [of_a, of_b] = [0, 1].map(|side| self.of_side(side, counted[side]));
        let ms = [of_a[0], of_b[0]];
        // What samples do not tell, and by how much runs differ.
        let of_samples = of_a[1] + of_b[1];
        let [between, degrees_between] = self.between;
        let of_runs = between * (ms[0] + ms[1]) / 2.0;
        let of_runs = of_runs * of_runs;
        let variance = of_samples + of_runs;
        let degrees = match of_runs > 0.0 {
            true => degrees_between * (variance / of_runs) * (variance / of_runs),
            false => f64::INFINITY,
        };
        let all_ms = f64::max(self.ms[0], self.ms[1]).max(f64::MIN_POSITIVE);
        let change = Change {
            log: (ms[1] - ms[0]) / all_ms,
            variance: variance / (all_ms * all_ms),
            degrees,
        };
        let half_width_ms = fit::student_exceeded(0.025, degrees) * variance.sqrt();
        let samples = counted.map(|of| of.samples);
        (SampledTime { samples, ms, half_width_ms }, change)
    }

    /// Time of so many samples, and the variance of that: one sample more on each side of the line, so that none
    /// is not sure to be none.
    ///
    /// Source: Agresti and Caffo 2000, The American Statistician 54, on differences of shares.
    fn of_side(&self, side: usize, counted: Counted) -> [f64; 2] {
        let count = f64::from(counted.samples);
        let likely = (count + 1.0) / (self.samples[side] + 2.0);
        let independent = likely * (1.0 - likely) / (self.samples[side] + 2.0);
        // Samples of one instance are not (comparison of foldings, §6).
        let variance = counted.dispersion() * independent + self.variances[side];
        let share = count / self.samples[side].max(1.0);
        let ms = self.ms[side];
        [share * ms, variance * ms * ms]
    }
}
