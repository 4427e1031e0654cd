use super::{Ends, Nugget};
use crate::fit::{self, Observation};
use crate::instance::FoldedCounter;
use crate::order;

/// Nugget of a counter whose samples show no noise to choose by: the reference's.
const REFERENCE_NUGGET: f64 = 1e-4;

/// Weight of an end that must be passed through: the variance of a millionth of a sample's noise.
const EXACT: f64 = 1e12;

/// The curve of one counter over the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterCurve {
    pub nugget: f64,
    /// Share of the events that have happened, per grid point.
    pub fitted: Vec<f64>,
    /// Events per microsecond, per grid point.
    pub rate: Vec<f64>,
}

/// The grid `x_j = j/(points − 1)`; `points` is at least 2.
pub fn grid(points: u32) -> Vec<f64> {
    (0..points).map(|j| f64::from(j) / f64::from(points - 1)).collect()
}

/// Fits the selected samples (`x`, `y` pairs in any order) of a folded counter.
///
/// The rate is the analytic derivative × (Σ totals / Σ durations) of the instances that carry the
/// counter. A counter that never counted has the zero curve.
///
/// Source: Servat 2015, §4.3.1.
pub fn curve(
    folded: &FoldedCounter,
    selected: &[(f64, f64)],
    nugget: Nugget,
    ends: Ends,
    grid: &[f64],
) -> CounterCurve {
    let zero = |nugget| CounterCurve {
        nugget,
        fitted: vec![0.0; grid.len()],
        rate: vec![0.0; grid.len()],
    };
    let fixed = match nugget {
        Nugget::Auto => REFERENCE_NUGGET,
        Nugget::Fixed(nugget) => nugget,
    };
    if folded.total == 0.0 {
        return zero(fixed);
    }
    let observations = observations(selected, ends);
    let lambda = match nugget {
        Nugget::Auto => fit::lambda_by_reml(&observations),
        Nugget::Fixed(_) => None,
    };
    let lambda = lambda.unwrap_or(fixed / 12.0);
    let Some(fit) = fit::smooth(&observations, lambda, grid) else { return zero(fixed) };
    let mut fitted = fit.values;
    if let ([first, .., last], Ends::Exact) = (fitted.as_mut_slice(), ends) {
        // What the arithmetic leaves of an exact end, some 1e-16.
        (*first, *last) = (0.0, 1.0);
    }
    // Events per microsecond: durations are in nanoseconds.
    let mean_rate = folded.total / (folded.duration_ns / 1e3);
    let rate = fit.slopes.iter().map(|slope| slope * mean_rate).collect();
    CounterCurve { nugget: 12.0 * lambda, fitted, rate }
}

/// The samples by time, and the two ends of every curve.
fn observations(selected: &[(f64, f64)], ends: Ends) -> Vec<Observation> {
    let weight = if ends == Ends::Exact { EXACT } else { 1.0 };
    let end = |at| Observation { x: at, y: at, weight };
    let mut observations = Vec::with_capacity(selected.len() + 2);
    observations.push(end(0.0));
    observations.extend(selected.iter().map(|&(x, y)| Observation { x, y, weight: 1.0 }));
    observations.push(end(1.0));
    order::by_number(&mut observations, |observation| order::of_float(observation.x));
    observations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(total: f64) -> FoldedCounter {
        FoldedCounter { total, duration_ns: 2e6, instances: 1, ..FoldedCounter::default() }
    }

    #[test]
    fn a_constant_rate_is_the_total_over_the_duration() {
        let samples = [(0.5, 0.5), (0.25, 0.25), (0.8, 0.8)];
        let found = curve(&folded(4000.0), &samples, Nugget::Auto, Ends::Exact, &grid(5));
        for (rate, (fitted, x)) in found.rate.iter().zip(found.fitted.iter().zip(grid(5))) {
            assert!((rate - 2.0).abs() < 1e-6 && (fitted - x).abs() < 1e-9);
        }
    }

    #[test]
    fn a_counter_that_never_counted_is_zero_and_one_without_samples_a_line() {
        let never = curve(&folded(0.0), &[], Nugget::Auto, Ends::Exact, &grid(3));
        assert_eq!((never.fitted, never.rate), (vec![0.0; 3], vec![0.0; 3]));
        let line = curve(&folded(4000.0), &[], Nugget::Auto, Ends::Exact, &grid(3));
        assert!((line.rate[1] - 2.0).abs() < 1e-9);
    }

    #[test]
    fn numbers_of_any_size_stay_finite() {
        let samples = [(1e-300, 1e-300), (0.5, 1.0), (0.5, 0.0), (1.0 - 1e-16, 1.0)];
        for nugget in [Nugget::Auto, Nugget::Fixed(1e-12), Nugget::Fixed(1e6)] {
            let found = curve(&folded(1e300), &samples, nugget, Ends::Exact, &grid(1000));
            assert!(found.rate.iter().chain(&found.fitted).all(|v| v.is_finite()), "{nugget}");
        }
    }
}
