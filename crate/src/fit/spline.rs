use nalgebra::{RowVector2, Vector2};

use super::filter::{Filter, Innovation, Start, State};

/// A point that a curve is fitted to. Points come by increasing `x`; ties are allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    pub x: f64,
    pub y: f64,
    /// Inverse of the variance, in units of the noise; above 0.
    pub weight: f64,
}

/// A curve on a grid: its values and its slopes, as many as the grid has points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    pub values: Vec<f64>,
    pub slopes: Vec<f64>,
}

/// The natural cubic smoothing spline: the `f` that minimises
/// `Σ weight (y − f(x))² + lambda ∫ f''²`, and its derivative, at the points of `grid`.
///
/// Universal kriging with covariance `|h|³`, linear drift and nugget `ν` is this spline with
/// `lambda = ν/12`. Computed as the state `(f, f')` of an integrated Wiener process by an
/// augmented Kalman filter and a fixed-interval smoother: it never divides by a spacing, so ties
/// and a million points do no harm, where banded systems lose all digits.
///
/// `None` with fewer than two distinct `x`, where no line is determined. `grid` increases.
/// O(points + grid) time and memory.
///
/// Source: Servat 2015, §4.3.1 (kriging); Durbin and Koopman 2012, §4.4 and §5.2 (recursions).
pub fn smooth(points: &[Observation], lambda: f64, grid: &[f64]) -> Option<Curve> {
    both_ways::<false>(points, lambda, grid).map(|smoothed| smoothed.curve)
}

/// A smoothing spline and how sure it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothed {
    pub curve: Curve,
    /// Variances of values and slopes, in units of the noise variance.
    pub variances: Curve,
    /// By how much each fitted value follows its own point, from 0 to 1; their sum is the degrees of
    /// freedom of the curve.
    pub leverages: Vec<f64>,
    /// By how much each point is above its fitted value.
    pub residuals: Vec<f64>,
    /// Of a point of weight 1, as restricted likelihood estimates it; `None` for two points.
    pub noise_variance: Option<f64>,
}

/// [`smooth`], with the errors of the curve if the points err independently.
///
/// Source: Wahba 1983, Bayesian confidence intervals for the smoothing spline; de Jong 1989
/// (smoothed variances).
pub fn smooth_with_errors(points: &[Observation], lambda: f64, grid: &[f64]) -> Option<Smoothed> {
    both_ways::<true>(points, lambda, grid)
}

/// Forward and back. Without `ERRORS`, which cost a third more, what is said of them means nothing.
fn both_ways<const ERRORS: bool>(
    points: &[Observation],
    lambda: f64,
    grid: &[f64],
) -> Option<Smoothed> {
    if points.first()?.x >= points.last()?.x {
        return None;
    }
    let steps = interleave(points, grid);
    let mut filter = Filter::new(lambda);
    let mut predicted = Vec::with_capacity(steps.len());
    let mut last = steps.first()?.x;
    for step in &steps {
        filter.predict(step.x - last);
        last = step.x;
        predicted.push(filter.state);
        if let Some(observed) = step.observed() {
            filter.update(&observed);
        }
    }
    let mut smoothed = smoothed::<ERRORS>(&steps, &predicted, filter.start()?);
    let (squares, _) = filter.likelihood()?;
    let freedom = points.len() as f64 - 2.0;
    smoothed.noise_variance = (freedom > 0.0).then(|| (squares / freedom).max(0.0));
    Some(smoothed)
}

/// A point to take in, or (weight 0) a grid point at which the curve is asked for.
struct Step {
    x: f64,
    y: f64,
    weight: f64,
}

impl Step {
    fn observed(&self) -> Option<Observation> {
        let &Step { x, y, weight } = self;
        (weight > 0.0).then_some(Observation { x, y, weight })
    }
}

/// Points and grid in one order; a grid point before the points at the same place.
fn interleave(points: &[Observation], grid: &[f64]) -> Vec<Step> {
    let mut steps = Vec::with_capacity(points.len() + grid.len());
    let mut points = points.iter().peekable();
    for &x in grid {
        while let Some(point) = points.next_if(|point| point.x < x) {
            steps.push(Step { x: point.x, y: point.y, weight: point.weight });
        }
        steps.push(Step { x, y: 0.0, weight: 0.0 });
    }
    steps.extend(points.map(|point| Step { x: point.x, y: point.y, weight: point.weight }));
    steps
}

/// The backward pass: from predicted to smoothed states.
fn smoothed<const ERRORS: bool>(steps: &[Step], predicted: &[State], start: Start) -> Smoothed {
    let mut smoothed = Smoothed {
        curve: Curve::default(),
        variances: Curve::default(),
        leverages: Vec::new(),
        residuals: Vec::new(),
        noise_variance: None,
    };
    let mut later = Later::default();
    let mut next = steps.last().map_or(0.0, |step| step.x);
    for (step, state) in steps.iter().zip(predicted).rev() {
        later.back(next - step.x);
        next = step.x;
        match step.observed() {
            Some(point) => {
                let seen = state.innovation(&point);
                let told = later.learn(&seen);
                if ERRORS {
                    let (leverage, residual) = later.errors(&seen, told, point.weight, &start);
                    smoothed.leverages.push(leverage);
                    smoothed.residuals.push(residual);
                }
            }
            None => {
                let [(value, of_value), (slope, of_slope)] = later.estimate(state, &start);
                smoothed.curve.values.push(value);
                smoothed.curve.slopes.push(slope);
                smoothed.variances.values.push(of_value);
                smoothed.variances.slopes.push(of_slope);
            }
        }
    }
    let Smoothed { curve, variances, leverages, residuals, .. } = &mut smoothed;
    for backward in [curve, variances] {
        backward.values.reverse();
        backward.slopes.reverse();
    }
    leverages.reverse();
    residuals.reverse();
    smoothed
}

/// What later points say of the state.
#[derive(Default)]
struct Later {
    /// Of the mean, and of its response to the two components of the start.
    r: [[f64; 3]; 2],
    /// The precision that they add.
    n11: f64,
    n12: f64,
    n22: f64,
}

impl Later {
    /// Goes back by `h`.
    fn back(&mut self, h: f64) {
        let Self { r: [value, slope], n11, n12, n22 } = self;
        slope.iter_mut().zip(value).for_each(|(slope, value)| *slope += h * *value);
        *n22 += h * (2.0 * *n12 + h * *n11);
        *n12 += h * *n11;
    }

    /// Takes a point in, and gives what it told beyond the later ones.
    fn learn(&mut self, seen: &Innovation) -> [f64; 3] {
        let [k1, k2] = seen.gain;
        let [value, slope] = &mut self.r;
        let mut told = [seen.mean, seen.response[0], seen.response[1]];
        for (told, (value, slope)) in told.iter_mut().zip(value.iter_mut().zip(slope)) {
            *told = *told / seen.variance - (k1 * *value + k2 * *slope);
            *value += *told;
        }
        told
    }

    /// Leverage and residual of a point of which is known what it told; its precision is added.
    fn errors(
        &mut self,
        seen: &Innovation,
        [of_mean, of_start @ ..]: [f64; 3],
        weight: f64,
        start: &Start,
    ) -> (f64, f64) {
        let [k1, k2] = seen.gain;
        let Self { n11, n12, n22, .. } = self;
        let precision =
            1.0 / seen.variance + k1 * k1 * *n11 + 2.0 * k1 * k2 * *n12 + k2 * k2 * *n22;
        let of_start = Vector2::from(of_start);
        let of_start_variance = (start.covariance * of_start).dot(&of_start);
        let leverage = 1.0 - (precision - of_start_variance) / weight;
        let residual = (of_mean - of_start.dot(&start.mean)) / weight;

        // `1 - k1`, without the cancellation.
        let kept = 1.0 / (weight * seen.variance);
        *n11 = kept * kept * *n11 - 2.0 * kept * k2 * *n12 + k2 * k2 * *n22 + 1.0 / seen.variance;
        *n12 = kept * *n12 - k2 * *n22;
        (leverage, residual)
    }

    /// Value and slope where the state was predicted, each with its variance.
    fn estimate(&self, state: &State, start: &Start) -> [(f64, f64); 2] {
        let State { mean, response, p11, p12, p22 } = state;
        let Self { r, n11, n12, n22 } = self;
        let of = |i: usize, p: f64, q: f64, variance: f64| {
            let towards = |column: usize| p * r[0][column] + q * r[1][column];
            let response =
                RowVector2::new(response[i][0] - towards(1), response[i][1] - towards(2));
            let value = mean[i] + towards(0) + (response * start.mean)[0];
            let told = p * p * n11 + 2.0 * p * q * n12 + q * q * n22;
            let of_start = (response * start.covariance * response.transpose())[0];
            (value, variance - told + of_start)
        };
        [of(0, *p11, *p12, *p11), of(1, *p12, *p22, *p22)]
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// The definition: the dual kriging system, solved densely.
    fn smooth_by_definition(points: &[Observation], lambda: f64, grid: &[f64]) -> Curve {
        let n = points.len();
        let nugget = 12.0 * lambda;
        let system = DMatrix::from_fn(n + 2, n + 2, |i, j| match (points.get(i), points.get(j)) {
            (Some(p), Some(q)) => {
                let distance = (p.x - q.x).abs();
                distance * distance * distance + if i == j { nugget / p.weight } else { 0.0 }
            }
            (Some(p), None) | (None, Some(p)) => [1.0, p.x][i.max(j) - n],
            (None, None) => 0.0,
        });
        let right = DVector::from_fn(n + 2, |i, _| points.get(i).map_or(0.0, |p| p.y));
        let solved = system.lu().solve(&right).unwrap();
        let mut curve = Curve::default();
        for &x in grid {
            let (mut value, mut slope) = (solved[n] + solved[n + 1] * x, solved[n + 1]);
            for (point, a) in points.iter().zip(solved.iter()) {
                let d = x - point.x;
                value += a * d.abs() * d * d;
                slope += a * 3.0 * d * d.abs();
            }
            curve.values.push(value);
            curve.slopes.push(slope);
        }
        curve
    }

    fn noise(seed: &mut u64) -> f64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    fn made_up(n: usize, rounded: bool) -> Vec<Observation> {
        let mut seed = 7;
        let mut xs = (0..n).map(|_| noise(&mut seed)).collect::<Vec<_>>();
        if rounded {
            xs.iter_mut().for_each(|x| *x = (*x * 50.0).round() / 50.0);
        }
        xs.extend([0.0, 1.0]);
        xs.sort_by(f64::total_cmp);
        let y = |x: f64| x * x * (3.0 - 2.0 * x);
        let observe =
            |x: f64| Observation { x, y: y(x) + 0.01 * (noise(&mut seed) - 0.5), weight: 1.0 };
        xs.into_iter().map(observe).collect()
    }

    fn grid(n: usize) -> Vec<f64> {
        (0..n).map(|j| j as f64 / (n - 1) as f64).collect()
    }

    fn furthest(a: &[f64], b: &[f64]) -> f64 {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn equals_the_dense_kriging_system_within_1e_9() {
        for (n, rounded) in [(3, false), (50, false), (300, true), (498, false)] {
            for nugget in [1e-4, 1e-2, 1.0] {
                let (points, grid) = (made_up(n, rounded), grid(101));
                let fast = smooth(&points, nugget / 12.0, &grid).unwrap();
                let dense = smooth_by_definition(&points, nugget / 12.0, &grid);
                let values = furthest(&fast.values, &dense.values);
                let slopes = furthest(&fast.slopes, &dense.slopes);
                assert!(values <= 1e-9 && slopes <= 1e-7, "{n} {nugget}: {values:e} {slopes:e}");
            }
        }
    }

    #[test]
    fn weights_are_inverse_variances() {
        let mut points = made_up(60, false);
        points.iter_mut().step_by(3).for_each(|point| point.weight = 5.0);
        let grid = grid(50);
        let fast = smooth(&points, 1e-5, &grid).unwrap();
        let dense = smooth_by_definition(&points, 1e-5, &grid);
        assert!(furthest(&fast.values, &dense.values) <= 1e-9);
    }

    #[test]
    fn a_heavy_point_is_passed_through() {
        let mut points = made_up(200, false);
        points[0] = Observation { x: 0.0, y: 0.0, weight: 1e12 };
        let last = points.len() - 1;
        points[last] = Observation { x: 1.0, y: 1.0, weight: 1e12 };
        let curve = smooth(&points, 1e-5, &[0.0, 0.5, 1.0]).unwrap();
        assert!(curve.values[0].abs() < 1e-11 && (curve.values[2] - 1.0).abs() < 1e-11);
    }

    #[test]
    fn a_line_is_its_own_curve_and_less_than_a_line_is_none() {
        let line = |x: f64| Observation { x, y: 2.0 * x - 1.0, weight: 1.0 };
        let curve = smooth(&[line(0.2), line(0.2), line(0.7)], 1e-3, &[0.0, 0.5, 1.0]).unwrap();
        assert!(furthest(&curve.values, &[-1.0, 0.0, 1.0]) < 1e-12);
        assert!(furthest(&curve.slopes, &[2.0; 3]) < 1e-12);
        assert_eq!(smooth(&[], 1e-3, &[0.0, 1.0]), None);
        assert_eq!(smooth(&[line(0.3), line(0.3)], 1e-3, &[0.0, 1.0]), None);
    }

    #[test]
    fn a_million_points_stay_accurate() {
        // y = x exactly: whatever the smoothing, the curve is the line.
        let n = 1_000_000;
        let mut seed = 1;
        let mut xs = (0..n).map(|_| noise(&mut seed)).collect::<Vec<_>>();
        xs.sort_by(f64::total_cmp);
        let points = xs.iter().map(|&x| Observation { x, y: x, weight: 1.0 }).collect::<Vec<_>>();
        let grid = grid(1000);
        let curve = smooth(&points, 1e-4 / 12.0, &grid).unwrap();
        assert!(furthest(&curve.values, &grid) < 1e-9);
        assert!(furthest(&curve.slopes, &vec![1.0; 1000]) < 1e-6);
    }
}
