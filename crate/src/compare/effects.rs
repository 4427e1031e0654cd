//! How much runs of one program differ from one another, and so by how much two sides do.

use super::decision::Change;

/// What is assumed to differ between runs of one program, as standard deviations of logarithms, and what weighs
/// as much as one degree of freedom that is measured (comparison of foldings, §4: with 1 % each, 2 of 100
/// unchanged pairs of single runs are flagged; by what a single run knows of itself, 90).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// Of all phases together, as the clock does; of each phase, as placement does; of a ratio of counters.
    pub clock: f64,
    pub phase: f64,
    pub ratio: f64,
}

impl Default for Between {
    fn default() -> Self {
        Self { clock: 0.01, phase: 0.01, ratio: 0.02 }
    }
}

impl Between {
    /// These runs alone, or parts of one: no other is spoken of.
    pub const NONE: Self = Self { clock: 0.0, phase: 0.0, ratio: 0.0 };

    /// Of how fast a phase counts.
    pub fn of_rate(&self) -> f64 {
        libm::hypot(self.clock, self.phase)
    }
}

/// Degrees of freedom that the assumption weighs as.
pub const ASSUMED: f64 = 1.0;

/// Degrees of freedom of what a run of enough instances tells of itself.
pub const WITHIN: f64 = 19.0;

/// Of each run of each side, a logarithm and the variance of it that the run itself tells.
pub type Sides<T> = [Vec<T>; 2];

/// Changes of all phases together and of each.
#[derive(Clone, Debug)]
pub struct Effects {
    pub clock_variance: f64,
    pub phase_variance: f64,
    pub phases: Vec<Change>,
    /// The part of the variance of each phase that the runs tell of themselves.
    pub within: Vec<f64>,
    counts: [f64; 2],
    /// Degrees of freedom of what all runs tell of themselves.
    own_degrees: f64,
}

/// The change of each phase: logarithm of its time and own variance by side, run and phase. Of n runs of P phases
/// the residuals tell what differs between runs, all phases together and each by itself; that is mixed with what
/// is assumed, by degrees of freedom, those of the sum by Satterthwaite (1946); `own_degrees` are those of what all
/// runs tell of themselves. Each side has at least one run.
pub fn effects(runs: &Sides<Vec<[f64; 2]>>, between: Between, own_degrees: f64) -> Effects {
    let counts = [0, 1].map(|side| runs[side].len() as f64);
    let count = counts[0] + counts[1];
    let of_phases = runs[0].first().map_or(0, Vec::len);
    let phases = of_phases as f64;
    let degrees = count - 2.0;
    let mean = |side: usize, phase: usize| {
        runs[side].iter().map(|run| run[phase][0]).sum::<f64>() / counts[side]
    };
    let means = [0, 1].map(|side| (0..of_phases).map(|p| mean(side, p)).collect::<Vec<_>>());
    let mut clock_variance = between.clock * between.clock;
    let mut phase_variance = between.phase * between.phase;
    if degrees > 0.0 && of_phases > 0 {
        let (mut of_clock, mut of_phase, mut within) = (0.0, 0.0, 0.0);
        for (runs, means) in runs.iter().zip(&means) {
            for run in runs {
                let residuals = run.iter().zip(means).map(|([y, _], mean)| y - mean);
                let residuals = residuals.collect::<Vec<_>>();
                let common = residuals.iter().sum::<f64>() / phases;
                of_clock += common * common;
                of_phase += residuals.iter().map(|r| (r - common) * (r - common)).sum::<f64>();
                within += run.iter().map(|[_, variance]| variance).sum::<f64>() / phases;
            }
        }
        let free = degrees * (phases - 1.0);
        let each = if free > 0.0 { of_phase / free } else { 0.0 };
        let together = (of_clock / degrees - each / phases).max(0.0);
        let each = (each - within / count).max(0.0);
        phase_variance = (ASSUMED * phase_variance + free * each) / (ASSUMED + free);
        clock_variance = (ASSUMED * clock_variance + degrees * together) / (ASSUMED + degrees);
    }
    let (phases_told, within) = (vec![], vec![]);
    let mut all = Effects {
        clock_variance,
        phase_variance,
        phases: phases_told,
        within,
        counts,
        own_degrees,
    };
    for phase in 0..of_phases {
        let within = within_of(runs, |run| run[phase][1]);
        let log = means[1][phase] - means[0][phase];
        all.phases.push(all.change(log, 1.0, within, phases));
        all.within.push(within);
    }
    all
}

/// The geometric mean of values, of their logarithms.
pub fn geometric_mean(logs: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = logs.len() as f64;
    libm::exp(logs.sum::<f64>() / count)
}

/// The part of a variance of a difference of means that runs tell of themselves.
pub fn within_of<T>(runs: &Sides<T>, variance: impl Fn(&T) -> f64) -> f64 {
    let of_side =
        |runs: &Vec<T>| runs.iter().map(&variance).sum::<f64>() / (runs.len() * runs.len()) as f64;
    runs.iter().map(of_side).sum()
}

impl Effects {
    fn per_run(&self) -> f64 {
        1.0 / self.counts[0] + 1.0 / self.counts[1]
    }

    /// The standard deviation of the change of a phase that is between runs, and its degrees of freedom.
    pub fn between(&self) -> [f64; 2] {
        let change = self.change(0.0, 1.0, 0.0, self.phases.len() as f64);
        [change.variance.sqrt(), change.degrees]
    }

    /// What the change of a phase would be known by of so many runs on each side, each of which tells this
    /// variance of itself.
    pub fn phase_of(&self, own: f64, each: u32) -> Change {
        self.with_runs(each).change(0.0, 1.0, 2.0 * own / f64::from(each), self.phases.len() as f64)
    }

    /// The same of all of the region.
    pub fn total_of(&self, shares: &[f64], own: f64, each: u32) -> Change {
        let of_phase = shares.iter().map(|share| share * share).sum::<f64>();
        let phases = self.phases.len() as f64;
        self.with_runs(each).change(0.0, of_phase, 2.0 * own / f64::from(each), phases)
    }

    fn with_runs(&self, each: u32) -> Self {
        let own_degrees =
            self.own_degrees * 2.0 * f64::from(each) / (self.counts[0] + self.counts[1]);
        Self { counts: [f64::from(each); 2], own_degrees, ..self.clone() }
    }

    /// A change in which phases have so much of the variance of a phase, with this of its own; `phases` are those
    /// that are matched.
    fn change(&self, log: f64, of_phase: f64, within: f64, phases: f64) -> Change {
        let count = self.counts[0] + self.counts[1];
        let free = count - 2.0;
        let clock = self.clock_variance * self.per_run();
        let phase = of_phase * self.phase_variance * self.per_run();
        let variance = clock + phase + within;
        // What is assumed is taken for known.
        let squares = within * within / self.own_degrees
            + match free > 0.0 {
                true => {
                    clock * clock / (ASSUMED + free)
                        + phase * phase / (ASSUMED + free * (phases - 1.0).max(1.0))
                }
                false => 0.0,
            };
        Change { log, variance, degrees: degrees(variance, squares) }
    }

    /// The change of all of the region, of which phases have these shares; logarithm of its duration and own
    /// variance by side and run.
    pub fn total(&self, runs: &Sides<[f64; 2]>, shares: &[f64]) -> (Change, f64) {
        let mean = |side: usize| runs[side].iter().map(|[y, _]| y).sum::<f64>() / self.counts[side];
        let within = within_of(runs, |[_, variance]| *variance);
        let of_phase = shares.iter().map(|share| share * share).sum::<f64>();
        let phases = self.phases.len() as f64;
        (self.change(mean(1) - mean(0), of_phase, within, phases), within)
    }
}

/// Degrees of freedom of a variance (Satterthwaite 1946), of `squares` of its parts over theirs; of none that is
/// not known.
fn degrees(variance: f64, squares: f64) -> f64 {
    if squares > 0.0 { variance * variance / squares } else { f64::INFINITY }
}

/// The change of one quantity of which runs of one program differ by `deviation` (of logarithms): as
/// [`effects`] of one phase that no clock is known of.
pub fn change_of(runs: &Sides<[f64; 2]>, deviation: f64, own_degrees: f64) -> (Change, f64) {
    let counts = [0, 1].map(|side| runs[side].len() as f64);
    let count = counts[0] + counts[1];
    let free = count - 2.0;
    let means = [0, 1].map(|side| runs[side].iter().map(|[y, _]| y).sum::<f64>() / counts[side]);
    let mut variance = deviation * deviation;
    if free > 0.0 {
        let residuals = runs
            .iter()
            .zip(means)
            .flat_map(|(runs, mean)| runs.iter().map(move |[y, _]| (y - mean) * (y - mean)));
        let own = runs.iter().flatten().map(|[_, variance]| variance).sum::<f64>() / count;
        let measured = (residuals.sum::<f64>() / free - own).max(0.0);
        variance = (ASSUMED * variance + free * measured) / (ASSUMED + free);
    }
    let within = within_of(runs, |[_, variance]| *variance);
    let between = variance * (1.0 / counts[0] + 1.0 / counts[1]);
    let variance = between + within;
    let of_between = if free > 0.0 { between * between / (ASSUMED + free) } else { 0.0 };
    let degrees = degrees(variance, of_between + within * within / own_degrees);
    (Change { log: means[1] - means[0], variance, degrees }, within)
}
