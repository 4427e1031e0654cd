//! The smooth curve of one counter.

use super::samples::Samples;
use super::{Ends, How, Nugget};
use crate::fit::breaks::Broken;
use crate::fit::segments::MOST_FOLDS;
use crate::fit::{
    self, Coefficients, GroupedStatistics, Observation, PenalisedSpline, Replicate, Replicates,
};
use crate::folding::Curve;
use crate::order;

/// Weight of an end that must be passed through: the variance of a millionth of a sample's noise.
const EXACT: f64 = 1e12;

/// The spline of one counter, and how sure it is.
pub struct Spline {
    pub lambda: f64,
    /// Finest detail that it shows, as a share of the region.
    pub resolution: f64,
    shape: Shape,
    replicates: Replicates,
    ends: Ends,
    jumps: Vec<Jump>,
}

/// A break of the slope, and where else it may lie.
struct Jump {
    at: f64,
    half_width: f64,
    height: f64,
}

enum Shape {
    Grid(Coefficients),
    /// The exact form, of these observations.
    Exact(Vec<Observation>),
}

impl Spline {
    /// `groups`: how many groups of instances the samples were dealt to.
    ///
    /// With a nugget given and falling rates allowed it is the exact smoothing spline, so that it
    /// can be compared with kriging; otherwise the spline on a fixed grid.
    pub fn of(samples: &Samples, groups: u32, how: &How<'_>) -> Self {
        let penalised = PenalisedSpline::new(statistics(samples, groups), how.kernel_ends());
        let given = match (how.resolution, how.nugget) {
            (Some(resolution), _) => Some(penalised.lambda_of_bandwidth(resolution)),
            (None, Nugget::Fixed(nugget)) => Some(nugget / 12.0),
            (None, Nugget::Auto) => None,
        };
        // A smoother curve is no surer: the band keeps to the likelihood.
        let of_band = given.unwrap_or_else(|| {
            penalised.above_rounding(penalised.lambda_by_reml(), samples.rounding)
        });
        let lambda = given.unwrap_or_else(|| penalised.smoother(of_band));
        let exact = how.resolution.is_none() && how.nugget != Nugget::Auto;
        let shape = match how.monotone {
            true => Shape::Grid(penalised.monotone(lambda)),
            false if exact => Shape::Exact(observations(samples, how.ends)),
            false => Shape::Grid(penalised.fit(lambda)),
        };
        Self {
            lambda,
            resolution: penalised.bandwidth(lambda),
            shape,
            replicates: penalised.replicates(of_band),
            ends: how.ends,
            jumps: Vec::new(),
        }
    }

    /// The spline that breaks where its `shape` says, which is one of those of `broken`.
    pub fn broken(
        samples: &Samples,
        groups: u32,
        how: &How<'_>,
        shape: &fit::breaks::Shape,
        broken: &Broken,
    ) -> Self {
        let penalised = shape.spline(&samples.slices(), groups, how.kernel_ends());
        let of_band = shape.lambda;
        let lambda = penalised.smoother(of_band);
        let curve = match how.monotone {
            true => penalised.monotone(lambda),
            false => penalised.fit(lambda),
        };
        let own = (0..broken.breaks.len()).filter(|at| shape.breaks.contains(&broken.breaks[*at]));
        let own = own.collect::<Vec<_>>();
        let jump = |&number: &usize| {
            let (at, half_width) = (broken.breaks[number], broken.half_widths[number]);
            Jump { at, half_width, height: curve.slope(at) - curve.slope(at.next_down()) }
        };
        let of_group = |group: u64| own.iter().map(|n| broken.moves[*n][group as usize]).collect();
        let groups = order::distinct(samples.group.iter().map(|group| u64::from(*group)));
        let moves = groups.into_iter().map(of_group).collect::<Vec<_>>();
        Self {
            lambda,
            resolution: penalised.bandwidth(lambda),
            jumps: own.iter().map(jump).collect(),
            shape: Shape::Grid(curve),
            replicates: penalised.replicates_moved(of_band, &moves),
            ends: how.ends,
        }
    }

    /// Sum of the squared errors in each fold of instances, left out in turn, that has samples; of
    /// the samples and groups that it was made of.
    pub fn held_out(&self, samples: &Samples, groups: u32, how: &How<'_>) -> Vec<f64> {
        let folds = statistics(samples, groups).regrouped(groups.min(MOST_FOLDS) as usize);
        PenalisedSpline::new(folds, how.kernel_ends()).held_out_by_group(self.lambda)
    }

    /// Values and slopes at the points of `grid`.
    pub fn curve(&self, grid: &[f64]) -> fit::Curve {
        let mut curve = match &self.shape {
            Shape::Grid(coefficients) => coefficients.curve(grid),
            Shape::Exact(observations) => fit::smooth(observations, self.lambda, grid)
                .unwrap_or_else(|| fit::Curve {
                    values: grid.to_vec(),
                    slopes: vec![1.0; grid.len()],
                }),
        };
        if let ([first, .., last], Ends::Exact) = (curve.values.as_mut_slice(), self.ends) {
            // What the arithmetic leaves of an exact end.
            (*first, *last) = (0.0, 1.0);
        }
        curve
    }

    /// Half widths of the 95 % bands round values and slopes; `None` with few instances.
    pub fn band(&self, grid: &[f64]) -> Option<fit::Curve> {
        let mut band = self.replicates.band(grid)?;
        for (x, half_width) in grid.iter().zip(&mut band.slopes) {
            // So near to a break the slope may be that of the other side.
            let near = self.jumps.iter().filter(|jump| (x - jump.at).abs() <= jump.half_width);
            *half_width += near.map(|jump| jump.height.abs()).sum::<f64>();
        }
        Some(band)
    }

    /// Whether it is straight between its breaks: nowhere does its slope leave the mean slope
    /// between two of them by more than both are unsure of. `curve` is its own on `grid`, not yet
    /// scaled.
    pub fn is_straight(&self, curve: &Curve, grid: &[f64]) -> bool {
        if curve.rate_band.is_empty() {
            return false;
        }
        let breaks = self.jumps.iter().map(|jump| jump.at);
        let knots = [0.0].into_iter().chain(breaks).chain([1.0]).collect::<Vec<_>>();
        let means = self.slopes_between(&knots);
        grid.iter().zip(curve.rate.iter().zip(&curve.rate_band)).all(|(x, (slope, half_width))| {
            let (mean, of_mean) = means[knots[1..knots.len() - 1].partition_point(|k| k <= x)];
            (slope - mean).abs() <= half_width + of_mean
        })
    }

    /// Mean slope between each two of `knots`, which run from 0 to 1, and half the width of its
    /// 95 % interval (0 where nothing tells).
    pub fn slopes_between(&self, knots: &[f64]) -> Vec<(f64, f64)> {
        let values = self.curve(knots).values;
        let segments = knots.windows(2).zip(values.windows(2));
        let slope = |(knots, values): (&[f64], &[f64])| {
            let width = knots[1] - knots[0];
            let of = |curve: &Replicate| (curve.value(knots[1]) - curve.value(knots[0])) / width;
            let half_width = self.replicates.half_width_of_slope(of).unwrap_or(0.0);
            ((values[1] - values[0]) / width, half_width)
        };
        segments.map(slope).collect()
    }
}

fn statistics(samples: &Samples, groups: u32) -> GroupedStatistics {
    let mut statistics = GroupedStatistics::new(groups as usize);
    for ((x, y), group) in samples.x.iter().zip(&samples.y).zip(&samples.group) {
        statistics.add(*group as usize, *x, *y);
    }
    statistics
}

/// The samples by time, and the two ends of every curve.
fn observations(samples: &Samples, ends: Ends) -> Vec<Observation> {
    let weight = if ends == Ends::Exact { EXACT } else { 1.0 };
    let end = |at| Observation { x: at, y: at, weight };
    let mut observations = Vec::with_capacity(samples.len() + 2);
    observations.push(end(0.0));
    let places = samples.x.iter().zip(&samples.y);
    observations.extend(places.map(|(&x, &y)| Observation { x, y, weight: 1.0 }));
    observations.push(end(1.0));
    order::by_number(&mut observations, |observation| order::of_float(observation.x));
    observations
}
