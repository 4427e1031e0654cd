use std::sync::Arc;

use super::super::cells::Weighed;
use super::super::grouped::GroupedStatistics;
use super::super::mesh::CELLS;
use super::super::prior::Prior;
use super::super::{Coefficients, segments};
use super::noise::weights;
use super::windows::stiffness;
use super::{Ends, Mesh, PenalisedSpline, Samples};

/// Variance of a sample, in shares of the total, that is not told apart from none: a
/// millionth of the total is less than most counters are read to.
const LEAST_VARIANCE: f64 = 1e-9;

/// The noise of a counter is nowhere taken for less than rounding.
const ROUNDING: f64 = 1e-14;

/// Places at which the largest rate of a curve is looked for.
const PLACES: usize = 512;

/// A counter whose breaks are looked for.
#[derive(Clone)]
pub struct Counter<'a> {
    pub samples: Samples<'a>,
    weighed: Weighed<'a>,
    ends: Ends,
    /// Deviation of jumps of the rate that is expected before looking, in units of the mean rate: as
    /// large as the largest rate of the smooth curve, as a short spike jumps by far more than 1.
    expected_jump: f64,
    /// What a jump weighs: the variance of the noise over that of jumps.
    jump_weight: f64,
}

/// A counter's curve with certain breaks.
pub struct Model {
    pub spline: PenalisedSpline,
    pub lambda: f64,
    pub expected_jump: f64,
    /// −2 log of the likelihood.
    pub cost: f64,
}

/// The curve of a counter that breaks: what has to be known besides its samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub breaks: Vec<f64>,
    pub lambda: f64,
    /// Relative λ of each cell; empty if all are alike.
    pub stiffness: Vec<f64>,
    /// What each sample counts for.
    pub weights: Arc<Vec<f64>>,
    pub jump_weight: f64,
}

impl Shape {
    /// The spline of these samples with these breaks, their groups held apart.
    pub fn spline(&self, samples: &Samples<'_>, groups: u32, ends: Ends) -> PenalisedSpline {
        let mesh = Arc::new(Mesh::with_breaks(CELLS, &self.breaks));
        let mut sums = GroupedStatistics::on(&mesh, groups as usize);
        let places = samples.x.iter().zip(samples.y).zip(samples.group.iter().zip(&*self.weights));
        places.for_each(|((x, y), (group, w))| sums.add_weighted(*group as usize, *x, *y, *w));
        let prior = Prior::new(&mesh, self.stiffness.clone(), self.jump_weight);
        let weighed = Weighed::new(samples.x, samples.y, Arc::clone(&self.weights));
        PenalisedSpline::held_by(prior, weighed.on(&mesh), sums.into_groups(), ends)
    }
}

impl<'a> Counter<'a> {
    /// Samples weighted by the smooth curve through them.
    pub fn new(samples: Samples<'a>, ends: Ends) -> Self {
        let z = samples.x.iter().zip(samples.y).map(|(x, y)| y - x).collect::<Vec<_>>();
        let variance = segments::noise_variance(samples.x, &z).unwrap_or(LEAST_VARIANCE);
        let alike = Arc::new(vec![1.0; samples.x.len()]);
        let weighed = Weighed::new(samples.x, samples.y, alike);
        let mut counter = Self {
            samples,
            weighed,
            ends,
            expected_jump: 1.0,
            jump_weight: variance.max(ROUNDING),
        };
        counter.expect_jumps_of(&counter.smooth().rising(), variance);
        counter
    }

    /// The same with weights, noise and the size of jumps as a better curve has them.
    pub fn learnt_from(&self, model: &Model) -> Self {
        let mut learnt = self.clone();
        let solved = model.spline.solved(model.lambda);
        learnt.expect_jumps_of(&model.rising(), model.spline.variance_of(&solved));
        learnt
    }

    fn expect_jumps_of(&mut self, curve: &Coefficients, variance: f64) {
        let rates = (0..=PLACES).map(|at| curve.slope(at as f64 / PLACES as f64));
        self.expected_jump = rates.fold(1.0, f64::max);
        self.jump_weight = variance.max(ROUNDING) / (self.expected_jump * self.expected_jump);
        let weights = Arc::new(weights(&self.samples, curve));
        self.weighed = Weighed::new(self.samples.x, self.samples.y, weights);
    }

    pub fn len(&self) -> usize {
        self.weighed.len()
    }

    pub fn spline(&self, breaks: &[f64], stiffness: Vec<f64>) -> PenalisedSpline {
        let mesh = Arc::new(Mesh::with_breaks(CELLS, breaks));
        let prior = Prior::new(&mesh, stiffness, self.jump_weight);
        let mut spline =
            PenalisedSpline::held_by(prior, self.weighed.on(&mesh), Vec::new(), self.ends);
        spline.least_variance = LEAST_VARIANCE;
        spline
    }

    /// Without breaks.
    pub fn smooth(&self) -> Model {
        self.model_from_scratch(&[])
    }

    pub fn model_from_scratch(&self, breaks: &[f64]) -> Model {
        let spline = self.spline(breaks, Vec::new());
        let lambda = spline.lambda_by_reml();
        let cost = spline.minus_two_reml(lambda);
        self.drawn(spline, (lambda, cost))
    }

    /// λ being looked for near one.
    pub fn model(&self, breaks: &[f64], near: f64) -> Model {
        let spline = self.spline(breaks, Vec::new());
        let likeliest = spline.lambda_near(near);
        self.drawn(spline, likeliest)
    }

    pub fn at(&self, breaks: &[f64], lambda: f64) -> Model {
        let spline = self.spline(breaks, Vec::new());
        let cost = spline.minus_two_reml(lambda);
        self.drawn(spline, (lambda, cost))
    }

    fn drawn(&self, spline: PenalisedSpline, (lambda, cost): (f64, f64)) -> Model {
        Model { spline, lambda, expected_jump: self.expected_jump, cost }
    }

    /// Time, share, weight and group of each.
    pub fn weighted_samples(&self) -> impl Iterator<Item = (f64, f64, f64, u32)> {
        let places = self.samples.x.iter().zip(self.samples.y);
        let weighted = places.zip(self.weighed.weights().iter().zip(self.samples.group));
        weighted.map(|((x, y), (weight, group))| (*x, *y, *weight, *group))
    }

    pub fn shape(&self, model: &Model) -> Shape {
        Shape {
            breaks: model.spline.mesh().breaks().to_vec(),
            lambda: model.lambda,
            stiffness: model.locally().0,
            weights: Arc::clone(self.weighed.weights()),
            jump_weight: self.jump_weight,
        }
    }
}

impl Model {
    pub fn rising(&self) -> Coefficients {
        self.spline.monotone(self.lambda)
    }

    /// The relative λ of each cell if it is stiffer in some windows than in others, as far as that is
    /// worth it; and −2 log of the likelihood then.
    pub fn locally(&self) -> (Vec<f64>, f64) {
        let (stiffness, cost) = stiffness(&self.spline, self.lambda);
        if cost < self.cost { (stiffness, cost) } else { (Vec::new(), self.cost) }
    }
}
