//! Samples of counters whose instances are not alike: each is late in some places and early in
//! others, by a little and smoothly, as those of real programs are.

use std::f64::consts::PI;

use crate::random::Random;

/// A rate over folded time, of any mean.
pub struct Shape {
    pub name: &'static str,
    rate: fn(f64) -> f64,
    /// Whether it has both steps and stretches that bend.
    pub is_mixed: bool,
}

const fn shape(name: &'static str, is_mixed: bool, rate: fn(f64) -> f64) -> Shape {
    Shape { name, rate, is_mixed }
}

const STEPS: [f64; 9] = [1.0, 2.0, 0.5, 1.5, 3.0, 1.0, 0.7, 2.2, 1.2];

/// Steps, smooth rates, and both in one.
pub const SHAPES: [Shape; 10] = [
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

/// A rate that nowhere jumps, for a counter beside the one that is looked at.
pub const SMOOTH: Shape = shape("smooth", false, |x| 1.0 + 0.8 * libm::sin(6.0 * x));

/// What is true of a shape: its rate of mean 1, and the curve that it is the slope of.
pub struct Truth {
    rate: Vec<f64>,
    curve: Vec<f64>,
}

/// Cells in which the truth is summed up: no shape breaks inside of one.
const CELLS: usize = 18_000;

impl Truth {
    pub fn of(shape: &Shape) -> Truth {
        let middle = |cell: usize| (cell as f64 + 0.5) / CELLS as f64;
        let rates = (0..CELLS).map(|cell| (shape.rate)(middle(cell))).collect::<Vec<_>>();
        let mean = rates.iter().sum::<f64>() / CELLS as f64;
        let mut curve = vec![0.0];
        for rate in &rates {
            curve.push(curve[curve.len() - 1] + rate / mean / CELLS as f64);
        }
        Truth { rate: rates.into_iter().map(|rate| rate / mean).collect(), curve }
    }

    /// Share of the events up to `x`.
    pub fn curve(&self, x: f64) -> f64 {
        let at = x.clamp(0.0, 1.0) * CELLS as f64;
        let cell = (at as usize).min(CELLS - 1);
        self.curve[cell] + (self.curve[cell + 1] - self.curve[cell]) * (at - cell as f64)
    }

    /// Over the mean rate.
    pub fn rate(&self, x: f64) -> f64 {
        self.rate[((x * CELLS as f64) as usize).min(CELLS - 1)]
    }
}

/// One way of sampling.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub instances: u32,
    /// From one sample to the next, in lengths of an instance.
    pub period: f64,
    /// By how much of the region instances are late, σ.
    pub warp: f64,
}

/// Events of a counter in an instance: what is read is whole.
pub const EVENTS: f64 = 1e7;

/// What was read at a sample.
pub struct Sample {
    pub instance: u32,
    /// Folded time.
    pub x: f64,
    /// Of each counter, the share of its events so far.
    pub y: Vec<f64>,
}

impl Run {
    /// An instance is read at `x + w₁ sin πx + w₂ sin 2πx` of each truth.
    pub fn samples(self, truths: &[Truth], seed: u64) -> Vec<Sample> {
        let mut random = Random::new(seed);
        let mut samples = Vec::new();
        let mut next = self.period * random.uniform();
        for instance in 0..self.instances {
            let length = 1.0 + 0.02 * random.normal();
            let [once, twice] = [self.warp, self.warp].map(|warp| warp * random.normal());
            while next < length {
                let x = next / length;
                let warped = x + once * libm::sin(PI * x) + twice * libm::sin(2.0 * PI * x);
                let read = |truth: &Truth| (truth.curve(warped) * EVENTS).floor() / EVENTS;
                samples.push(Sample { instance, x, y: truths.iter().map(read).collect() });
                next += self.period * (1.0 + 0.05 * random.normal());
            }
            next -= length;
        }
        samples
    }
}
