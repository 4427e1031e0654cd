//! Instances whose samples lie unlike those of the others.
//!
//! Every counter judges all instances that the choice of outliers keeps, with the K of that choice;
//! without one, K is 2.

use super::{Ends, Nugget};
use crate::fit::{self, Observation};
use crate::folding::{FoldedCounter, FoldedSample};
use crate::instance::{Select, select};
use crate::order;

/// So many samples, evenly spread, make the curve by which instances are judged.
const SAMPLES: u32 = 1000;

/// Nugget of a counter whose samples show no noise to choose by: the reference's.
const REFERENCE_NUGGET: f64 = 1e-4;

/// Weight of an end that must be passed through: the variance of a millionth of a sample's noise.
const EXACT: f64 = 1e12;

/// The kept instances of a counter, as indices into [`crate::instance::Group::instances`], whose
/// samples lie on average further from the curve of all of them than `k` standard deviations above
/// the mean of all instances, or nearer than as many below it.
///
/// Distances are those to the nearest of the curve's points over `grid`, in the plane of folded time
/// and share of events, the j-th of n points taken to lie at j/n, as the reference has it: where
/// instances are much alike, this shift decides. Instances without a sample of the counter are not
/// judged. O(samples log samples).
///
/// Source: Folding 1.4.2, the prefilter of "kriger", which it offers for energy.
pub fn prefilter(
    folded: &FoldedCounter,
    nugget: Nugget,
    ends: Ends,
    grid: &[f64],
    k: f64,
) -> Vec<u32> {
    let kept = folded.samples.iter().filter(|sample| sample.kept).collect::<Vec<_>>();
    let Some(curve) = first_fit(&kept, nugget, ends, grid) else { return vec![] };
    // Samples come by instance.
    let places = (0..grid.len()).map(|j| j as f64 / grid.len() as f64).collect::<Vec<_>>();
    let instances = kept.chunk_by(|a, b| a.instance == b.instance);
    let distance = |samples: &[&FoldedSample]| {
        let all = samples.iter().map(|sample| to_nearest(sample, &places, &curve));
        all.sum::<f64>() / samples.len() as f64
    };
    let distances = instances.clone().map(distance).collect::<Vec<_>>();
    let Some((mean, deviation)) = fit::mean_and_deviation(&distances) else { return vec![] };
    let unlike = |distance: f64| !(mean - k * deviation..=mean + k * deviation).contains(&distance);
    let judged = instances.zip(&distances).filter(|(_, distance)| unlike(**distance));
    judged.map(|(samples, _)| samples[0].instance).collect()
}

/// The curve of all kept samples, or of 1000 of them; `None` if there is none.
fn first_fit(kept: &[&FoldedSample], nugget: Nugget, ends: Ends, grid: &[f64]) -> Option<Vec<f64>> {
    let x = kept.iter().map(|sample| sample.x).collect::<Vec<_>>();
    let selected = select(&x, Select::Distance(SAMPLES));
    let selected = kept.iter().zip(selected).filter(|(_, selected)| *selected);
    let weight = if ends == Ends::Exact { EXACT } else { 1.0 };
    let end = |at| Observation { x: at, y: at, weight };
    let mut observations = vec![end(0.0), end(1.0)];
    observations.extend(selected.map(|(s, _)| Observation { x: s.x, y: s.y, weight: 1.0 }));
    order::by_number(&mut observations, |observation| order::of_float(observation.x));
    let lambda = match nugget {
        Nugget::Auto => fit::lambda_by_reml(&observations).unwrap_or(REFERENCE_NUGGET / 12.0),
        Nugget::Fixed(nugget) => nugget / 12.0,
    };
    fit::smooth(&observations, lambda, grid).map(|curve| curve.values)
}

/// How far a sample is from the nearest point of a curve over increasing `places`.
fn to_nearest(sample: &FoldedSample, places: &[f64], curve: &[f64]) -> f64 {
    let split = places.partition_point(|x| *x < sample.x);
    let mut nearest = f64::INFINITY;
    // Away from the sample until time alone is further than the best.
    let mut look = |at: usize| {
        let (x, y) = (places[at] - sample.x, curve[at] - sample.y);
        nearest = nearest.min((x * x + y * y).sqrt());
        x.abs() < nearest
    };
    let _ = (split..places.len()).all(&mut look);
    let _ = (0..split).rev().all(&mut look);
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instances of five samples each, `apart` off the line.
    fn folded(apart: &[f64]) -> FoldedCounter {
        let samples = (0..).zip(apart).flat_map(|(instance, apart)| {
            (1..6).map(move |sixth| {
                let x = f64::from(sixth) / 6.0;
                FoldedSample { instance, x, y: x + apart, kept: true }
            })
        });
        FoldedCounter { samples: samples.collect(), ..FoldedCounter::default() }
    }

    fn left_out(folded: &FoldedCounter, k: f64) -> Vec<u32> {
        let grid = (0..101).map(|hundredth| f64::from(hundredth) / 100.0).collect::<Vec<_>>();
        prefilter(folded, Nugget::Fixed(1.0), Ends::Soft, &grid, k)
    }

    #[test]
    fn an_instance_that_lies_apart_is_left_out() {
        let mut apart = vec![0.01, -0.01, 0.01, -0.01, 0.01, -0.01, 0.2, -0.01];
        assert_eq!(left_out(&folded(&apart), 2.0), [6]);
        assert_eq!(left_out(&folded(&apart), 3.0), [0u32; 0]);
        apart.truncate(6);
        assert_eq!(left_out(&folded(&apart), 3.0), [0u32; 0]);
    }

    #[test]
    fn an_instance_without_samples_or_already_left_out_is_not_judged() {
        assert_eq!(left_out(&FoldedCounter::default(), 1.0), [0u32; 0]);
        let mut one = folded(&[0.0, 0.0, 0.0, 0.3]);
        one.samples.retain(|sample| sample.instance != 1);
        for sample in &mut one.samples {
            sample.kept = sample.instance != 3;
        }
        assert_eq!(left_out(&one, 1.0), [0u32; 0]);
    }

    #[test]
    fn the_nearest_point_of_the_curve_may_lie_at_another_time() {
        let grid = [0.0, 0.25, 0.5, 0.75, 1.0];
        let curve = [0.0, 0.0, 0.0, 1.0, 1.0];
        let sample = |x, y| FoldedSample { instance: 0, x, y, kept: true };
        assert_eq!(to_nearest(&sample(0.5, 1.0), &grid, &curve), 0.25);
        assert_eq!(to_nearest(&sample(0.5, 0.0), &grid, &curve), 0.0);
        for (x, y) in [(0.1, 0.9), (0.6, 0.5), (0.99, 0.0), (0.4, 0.4)] {
            let point = |(u, v): (&f64, &f64)| ((u - x) * (u - x) + (v - y) * (v - y)).sqrt();
            let all = grid.iter().zip(&curve).map(point).fold(f64::INFINITY, f64::min);
            assert_eq!(to_nearest(&sample(x, y), &grid, &curve), all);
        }
    }
}
