//! Curves when instances are not alike: each is warped a little in time, as in real programs.
//!
//! Ten shapes of rates, some of which are steps, some smooth and some both. The curve that is chosen
//! is held to either kind alone, steps to what smooth curves err, and bands to the truth. `make bench`
//! looks at more of it, beside the reference.

use std::f64::consts::PI;

use tracefold::folding::{FoldedCounter, FoldedSample};
use tracefold::performance::{Ends, Fit, Fitted, How, Measured, Nugget, fit_group, grid};
use tracefold_generate::Random;

/// A rate over folded time, not yet of mean 1.
struct Shape {
    name: &'static str,
    rate: fn(f64) -> f64,
    /// Whether it has both steps and smooth stretches.
    is_mixed: bool,
}

const fn shape(name: &'static str, is_mixed: bool, rate: fn(f64) -> f64) -> Shape {
    Shape { name, rate, is_mixed }
}

const STEPS: [f64; 9] = [1.0, 2.0, 0.5, 1.5, 3.0, 1.0, 0.7, 2.2, 1.2];

const SHAPES: [Shape; 10] = [
    shape("ramp", false, |x| 1.0 + 3.0 * x),
    shape("saw4", true, |x| 1.0 + 3.0 * (4.0 * x).fract()),
    shape("steps_ramp", true, |x| match x {
        ..0.25 => 1.0,
        ..0.5 => 3.0,
        _ => 0.5 + 4.0 * (x - 0.5),
    }),
    shape("spike1pct", false, |x| if (0.6..0.61).contains(&x) { 10.0 } else { 1.0 }),
    shape("sine", false, |x| 1.0 + 0.6 * libm::sin(4.0 * PI * x)),
    shape("steps9", false, |x| STEPS[((9.0 * x) as usize).min(8)]),
    shape("idlegap", false, |x| if (0.4..0.55).contains(&x) { 0.0 } else { 2.0 }),
    shape("jump2", false, |x| if x < 0.5 { 1.0 } else { 2.0 }),
    shape("bump", false, |x| {
        let apart = (x - 0.5) / 0.05;
        1.0 + 3.0 * libm::exp(-0.5 * apart * apart)
    }),
    shape("jumpsine", true, |x| match x {
        ..0.3 => 1.5,
        ..0.5 => 0.5,
        _ => 1.5 + 0.8 * libm::sin(8.0 * PI * (x - 0.5)),
    }),
];

/// The counter beside it, which never breaks.
const SMOOTH: Shape = shape("smooth", false, |x| 1.0 + 0.8 * libm::sin(6.0 * x));

/// Points at which rates are compared, off the places where shapes break.
const POINTS: u32 = 2000;

/// What is true of a shape: its rate of mean 1, and the curve that it is the slope of.
struct Truth {
    rate: Vec<f64>,
    curve: Vec<f64>,
}

impl Truth {
    fn of(shape: &Shape) -> Truth {
        let middle = |cell: usize| (cell as f64 + 0.5) / FINE as f64;
        let rates = (0..FINE).map(|cell| (shape.rate)(middle(cell))).collect::<Vec<_>>();
        let mean = rates.iter().sum::<f64>() / FINE as f64;
        let mut curve = vec![0.0];
        for rate in &rates {
            curve.push(curve[curve.len() - 1] + rate / mean / FINE as f64);
        }
        Truth { rate: rates.into_iter().map(|rate| rate / mean).collect(), curve }
    }

    fn curve(&self, x: f64) -> f64 {
        let at = x.clamp(0.0, 1.0) * FINE as f64;
        let cell = (at as usize).min(FINE - 1);
        self.curve[cell] + (self.curve[cell + 1] - self.curve[cell]) * (at - cell as f64)
    }

    fn rate(&self, x: f64) -> f64 {
        self.rate[((x * FINE as f64) as usize).min(FINE - 1)]
    }
}

/// Cells in which the truth is summed up: none of its breaks lies inside of one.
const FINE: usize = 18_000;

/// One way of sampling: so many instances, each warped by so much, and a sample every so many of
/// their lengths.
#[derive(Clone, Copy, Debug)]
struct Run {
    instances: u32,
    period: f64,
    warp: f64,
}

impl Run {
    /// The samples of each truth. An instance is read `x + w₁ sin πx + w₂ sin 2πx` into the truth.
    fn counters(self, truths: &[Truth], seed: u64) -> Vec<FoldedCounter> {
        let mut random = Random::new(seed);
        let mut counters = truths.iter().map(|_| FoldedCounter::default()).collect::<Vec<_>>();
        let mut next = self.period * random.uniform();
        for instance in 0..self.instances {
            let length = 1.0 + 0.02 * random.normal();
            let [once, twice] = [self.warp, self.warp].map(|warp| warp * random.normal());
            for counter in &mut counters {
                counter.total += 1e7;
                counter.length += 5e4 * length;
                counter.instances += 1;
            }
            while next < length {
                let x = next / length;
                let warped = x + once * libm::sin(PI * x) + twice * libm::sin(2.0 * PI * x);
                for (counter, truth) in counters.iter_mut().zip(truths) {
                    // Counts are whole.
                    let y = (truth.curve(warped) * 1e7).floor() / 1e7;
                    counter.samples.push(FoldedSample { instance, x, y, kept: true });
                }
                next += self.period * (1.0 + 0.05 * random.normal());
            }
            next -= length;
        }
        counters
    }
}

fn fitted(counters: &[FoldedCounter], fit: Fit) -> Fitted {
    let how = How {
        fit,
        nugget: Nugget::Auto,
        resolution: None,
        ends: Ends::Exact,
        monotone: true,
        phases_of: None,
        borders: None,
    };
    let measured = |folded| Measured { folded, used: vec![true; folded.samples.len()] };
    let measured = counters.iter().map(measured).collect::<Vec<_>>();
    fit_group(&measured, &how, &grid(2 * POINTS + 1))
}

/// Of one counter: the mean error of its rate in percent of its mean, and the shares of the curve
/// and of the rate that their bands cover.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    error: f64,
    curve: f64,
    rate: f64,
}

fn found(fitted: &Fitted, counters: &[FoldedCounter], truths: &[Truth]) -> Vec<Found> {
    let each = fitted.curves.iter().zip(counters).zip(truths);
    let each = each.map(|((curve, counter), truth)| {
        let mut sum = Found::default();
        for point in 0..POINTS as usize {
            let (place, x) = (2 * point + 1, (point as f64 + 0.5) / f64::from(POINTS));
            let rate = curve.rate[place] / counter.mean_rate();
            let apart =
                [(curve.fitted[place] - truth.curve(x)).abs(), (rate - truth.rate(x)).abs()];
            let widths = [&curve.fitted_band, &curve.rate_band]
                .map(|band| band.get(place).copied().unwrap_or(0.0));
            sum.error += 100.0 * apart[1];
            // What whole counts cannot tell is none of a band's business.
            sum.curve += f64::from(u8::from(apart[0] <= widths[0] + 1e-6));
            sum.rate += f64::from(u8::from(apart[1] <= widths[1] / counter.mean_rate() + 1e-4));
        }
        let points = f64::from(POINTS);
        Found { error: sum.error / points, curve: sum.curve / points, rate: sum.rate / points }
    });
    each.collect()
}

/// Means over some seeds of a shape, and of the smooth counter beside it.
fn means(shape: &Shape, run: Run, seeds: std::ops::Range<u64>, fit: Fit) -> [Found; 2] {
    let truths = [Truth::of(shape), Truth::of(&SMOOTH)];
    let count = (seeds.end - seeds.start) as f64;
    let mut sums = [Found::default(); 2];
    for seed in seeds {
        let counters = run.counters(&truths, seed);
        let fitted = fitted(&counters, fit);
        for (sum, one) in sums.iter_mut().zip(found(&fitted, &counters, &truths)) {
            sum.error += one.error / count;
            sum.curve += one.curve / count;
            sum.rate += one.rate / count;
        }
    }
    sums
}

/// The coarse half of the table: the fine half is in `make bench`.
const RUNS: [(u32, f64); 2] = [(200, 0.4), (600, 0.2)];
const WARPS: [f64; 2] = [0.0005, 0.002];
const SEEDS: std::ops::Range<u64> = 0..4;

/// At most so much of the error of the better of the two kinds, of shapes that are both and of others.
const MIXED: f64 = 0.6;
const ALIKE: f64 = 1.1;
/// Shares that the bands of the curve and of the rate cover.
const CURVE: f64 = 0.9;
const RATE: f64 = 0.85;

/// Cells that are not reached (shape, instances, warp), and what limits them.
///
/// A spike of 1 % of the region is blurred by instances that are late by a tenth of its width or more,
/// and the likeliest breaks are those of the blurred one. 500 samples are too few to tell a bump from
/// five steps, or a wave from a step beside it. The band of a ramp at .2 % is that of the spline.
const NOT_REACHED: [(&str, u32, f64); 5] = [
    ("spike1pct", 600, 0.002),
    ("bump", 200, 0.002),
    ("jumpsine", 200, 0.002),
    ("jumpsine", 600, 0.002),
    ("ramp", 600, 0.002),
];

/// What is asked of every cell of a shape.
fn is_held_to(shape: &Shape) {
    let mut missed = Vec::new();
    for (instances, period) in RUNS {
        for warp in WARPS {
            let run = Run { instances, period, warp };
            if NOT_REACHED.contains(&(shape.name, instances, warp)) {
                continue;
            }
            let [auto, kriging, segments] =
                [Fit::Auto, Fit::Kriging, Fit::Segments].map(|fit| means(shape, run, SEEDS, fit));
            for (counter, name) in [shape.name, SMOOTH.name].into_iter().enumerate() {
                let either = kriging[counter].error.min(segments[counter].error);
                let auto = auto[counter];
                let at_most = if shape.is_mixed && counter == 0 { MIXED } else { ALIKE };
                let told = format!("{name} {run:?}: {auto:.3?}, the better kind {either:.3}");
                println!("{told}");
                if auto.error > at_most * either || auto.curve < CURVE || auto.rate < RATE {
                    missed.push(told);
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn ramp() {
    is_held_to(&SHAPES[0]);
}

#[test]
fn saw4() {
    is_held_to(&SHAPES[1]);
}

#[test]
fn steps_ramp() {
    is_held_to(&SHAPES[2]);
}

#[test]
fn spike1pct() {
    is_held_to(&SHAPES[3]);
}

#[test]
fn sine() {
    is_held_to(&SHAPES[4]);
}

#[test]
fn steps9() {
    is_held_to(&SHAPES[5]);
}

#[test]
fn idlegap() {
    is_held_to(&SHAPES[6]);
}

#[test]
fn jump2() {
    is_held_to(&SHAPES[7]);
}

#[test]
fn bump() {
    is_held_to(&SHAPES[8]);
}

#[test]
fn jumpsine() {
    is_held_to(&SHAPES[9]);
}
