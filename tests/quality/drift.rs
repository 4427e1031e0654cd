//! How near curves are when instances are not alike.

use tracefold::folding::{FoldedCounter, FoldedSample};
use tracefold::performance::{Fit, Fitted, How, Measured, fit_group, grid};
use tracefold_generate::drift::{EVENTS, Run, SMOOTH, Sample, Shape, Truth};

use super::truth::{MIDDLES, middles};

/// Of one counter: the mean error of its rate in percent of its mean, and the shares of the curve
/// and of the rate that their bands cover.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    pub error: f64,
    pub curve: f64,
    pub rate: f64,
}

/// What whole counts cannot tell is none of a band's business: of the curve, and of a rate between two
/// samples in ten thousand.
const ROUNDED: [f64; 2] = [1e-6, 1e-4];

/// Means over some seeds of a shape, and of the smooth counter beside it.
pub fn means(shape: &Shape, run: Run, seeds: std::ops::Range<u64>, fit: Fit) -> [Score; 2] {
    let truths = [Truth::of(shape), Truth::of(&SMOOTH)];
    let count = (seeds.end - seeds.start) as f64;
    let mut sums = [Score::default(); 2];
    for seed in seeds {
        let counters = counters(&run.samples(&truths, seed), run, truths.len());
        let fitted = fitted(&counters, fit);
        for (at, sum) in sums.iter_mut().enumerate() {
            let one = score(&fitted, at, &counters[at], &truths[at]);
            sum.error += one.error / count;
            sum.curve += one.curve / count;
            sum.rate += one.rate / count;
        }
    }
    sums
}

/// All of them carry `count` counters, which are those of [`Run::samples`].
pub fn counters(samples: &[Sample], run: Run, count: usize) -> Vec<FoldedCounter> {
    let of_counter = |at: usize| {
        let folded = samples.iter().map(|Sample { instance, x, y }| FoldedSample {
            instance: *instance,
            x: *x,
            y: y[at],
            kept: true,
        });
        FoldedCounter {
            samples: folded.collect(),
            instances: run.instances,
            total: EVENTS * f64::from(run.instances),
            length: 5e4 * f64::from(run.instances),
            ..FoldedCounter::default()
        }
    };
    (0..count).map(of_counter).collect()
}

pub fn fitted(counters: &[FoldedCounter], fit: Fit) -> Fitted {
    let how = How { fit, ..How::AUTO };
    let measured = |folded| Measured { folded, used: vec![true; folded.samples.len()] };
    let measured = counters.iter().map(measured).collect::<Vec<_>>();
    // Every second point of the grid is a middle, where no shape breaks.
    fit_group(&measured, &how, &grid(2 * MIDDLES + 1))
}

fn score(fitted: &Fitted, at: usize, counter: &FoldedCounter, truth: &Truth) -> Score {
    let (curve, mean_rate) = (&fitted.curves[at], counter.mean_rate());
    let mut sum = Score::default();
    for (place, x) in (1..).step_by(2).zip(middles()) {
        let apart = [
            (curve.fitted[place] - truth.curve(x)).abs(),
            (curve.rate[place] / mean_rate - truth.rate(x)).abs(),
        ];
        let half = |band: &[f64]| band.get(place).copied().unwrap_or(0.0);
        sum.error += 100.0 * apart[1];
        sum.curve += f64::from(apart[0] <= half(&curve.fitted_band) + ROUNDED[0]);
        sum.rate += f64::from(apart[1] <= half(&curve.rate_band) / mean_rate + ROUNDED[1]);
    }
    let points = f64::from(MIDDLES);
    Score { error: sum.error / points, curve: sum.curve / points, rate: sum.rate / points }
}
