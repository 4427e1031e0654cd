use super::super::Coefficients;
use super::Samples;

/// Nowhere is the variance taken for less than this share of the mean.
const LEAST_SHARE: f64 = 0.01;
/// An instance is late by less than this many deviations.
const REACH: f64 = 2.5;
/// Places at which slopes are compared.
const PLACES: usize = 2048;
/// Steps of the reweighted line; the second changes little.
const STEPS: usize = 3;

/// What each sample weighs, on average about 1: the inverse of its variance.
///
/// An instance that is late by a little errs by that times the rate, so the variance is a constant
/// and a share of the squared slope of `curve`: the line that squared residuals lie on, each
/// weighted by what is expected of it. O(samples).
pub fn weights(samples: &Samples<'_>, curve: &Coefficients) -> Vec<f64> {
    let places = samples.x.iter().zip(samples.y);
    let of_sample = |(&x, &y): (&f64, &f64)| {
        let [value, slope] = curve.value_and_slope(x);
        let apart = y - value;
        [slope * slope, apart * apart]
    };
    let pairs = places.map(of_sample).collect::<Vec<_>>();
    let count = pairs.len().max(1) as f64;
    let mean = |of: usize| pairs.iter().map(|pair| pair[of]).sum::<f64>() / count;
    let (mean_slope, mean_square) = (mean(0), mean(1));
    if mean_square <= 0.0 {
        return vec![1.0; pairs.len()];
    }
    let least = LEAST_SHARE * mean_square;
    let (mut constant, mut share) = (mean_square, 0.0);
    for _ in 0..STEPS {
        let [mut n, mut s, mut r, mut ss, mut sr] = [0.0; 5];
        for [slope, square] in &pairs {
            let expected = (constant + share * slope).max(least);
            let weight = 1.0 / (expected * expected);
            n += weight;
            s += weight * slope;
            r += weight * square;
            ss += weight * slope * slope;
            sr += weight * slope * square;
        }
        let determinant = n * ss - s * s;
        if determinant <= 1e-9 * n * ss {
            break;
        }
        (constant, share) = ((ss * r - s * sr) / determinant, (n * sr - s * r) / determinant);
        if share < 0.0 {
            (constant, share) = (mean_square, 0.0);
        }
        if constant < 0.0 {
            (constant, share) = (0.0, mean_square / mean_slope);
        }
    }
    let steepest = steepest(curve, REACH * share.sqrt());
    let weight = |steepest: f64| mean_square / (constant + share * steepest).max(least);
    let weights = steepest.into_iter().map(weight).collect::<Vec<_>>();
    let place = |x: &f64| ((x * PLACES as f64).round() as usize).min(PLACES);
    samples.x.iter().map(|x| weights[place(x)]).collect()
}

/// The largest squared slope within `reach` of each place.
fn steepest(curve: &Coefficients, reach: f64) -> Vec<f64> {
    let squares = (0..=PLACES).map(|at| {
        let slope = curve.slope(at as f64 / PLACES as f64);
        slope * slope
    });
    let squares = squares.collect::<Vec<_>>();
    let beside = (reach * PLACES as f64).ceil() as usize;
    let within = |at: usize| &squares[at.saturating_sub(beside)..(at + beside + 1).min(PLACES + 1)];
    (0..=PLACES).map(|at| within(at).iter().copied().fold(0.0, f64::max)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tracefold_generate::Random;

    use super::*;
    use crate::fit::{Ends, GroupedStatistics, Mesh, PenalisedSpline};

    /// Slope 0.4 up to a half and 1.6 after, and what samples weigh on either side if they err by so
    /// much in the value and so much in time.
    fn sides(in_value: f64, in_time: f64) -> [f64; 2] {
        let curve = |x: f64| if x < 0.5 { 0.4 * x } else { 0.2 + 1.6 * (x - 0.5) };
        let mut random = Random::new(5);
        let x = (0..8000).map(|at| (f64::from(at) + 0.5) / 8000.0).collect::<Vec<_>>();
        let y = x.iter().map(|x| curve(x + in_time * random.normal()) + in_value * random.normal());
        let y = y.collect::<Vec<_>>();
        let mut sums = GroupedStatistics::on(&Arc::new(Mesh::with_breaks(64, &[0.5])), 1);
        x.iter().for_each(|x| sums.add(0, *x, curve(*x)));
        let fitted = PenalisedSpline::new(sums, Ends::Exact).fit(1e-6);
        let none = vec![0; x.len()];
        let samples = Samples { x: &x, y: &y, group: &none, instance: &none };
        let weights = weights(&samples, &fitted);
        [weights[2000], weights[6000]]
    }

    #[test]
    fn errors_of_time_weigh_by_the_inverse_square_of_the_rate_and_those_of_value_alike() {
        let [slow, fast] = sides(0.0, 0.002);
        assert!((slow / fast / 16.0 - 1.0).abs() < 0.1, "{slow} {fast}");
        let [slow, fast] = sides(0.002, 0.0);
        assert!((slow / fast - 1.0).abs() < 0.1, "{slow} {fast}");
        assert_eq!(sides(0.0, 0.0).map(f64::is_finite), [true; 2]);
    }
}
