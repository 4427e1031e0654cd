use nalgebra::{RowVector2, Vector2};

use super::filter::{Filter, Innovation, State};

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
    Some(smoothed(&steps, &predicted, filter.start()?))
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

/// The backward pass: from predicted to smoothed states. `start` is the mean of the first.
fn smoothed(steps: &[Step], predicted: &[State], start: Vector2<f64>) -> Curve {
    let mut curve = Curve::default();
    let mut later = Later::default();
    let mut next = steps.last().map_or(0.0, |step| step.x);
    for (step, state) in steps.iter().zip(predicted).rev() {
        later.back(next - step.x);
        next = step.x;
        match step.observed() {
            Some(point) => later.learn(&state.innovation(&point)),
            None => {
                let [value, slope] = later.estimate(state, start);
                curve.values.push(value);
                curve.slopes.push(slope);
            }
        }
    }
    curve.values.reverse();
    curve.slopes.reverse();
    curve
}

/// What later points say of the state: of the mean, and of its response to the two components of the
/// start, for value and slope.
#[derive(Default)]
struct Later([[f64; 3]; 2]);

impl Later {
    /// Goes back by `h`.
    fn back(&mut self, h: f64) {
        let Self([value, slope]) = self;
        slope.iter_mut().zip(value).for_each(|(slope, value)| *slope += h * *value);
    }

    /// Takes a point in.
    fn learn(&mut self, seen: &Innovation) {
        let [k1, k2] = seen.gain;
        let Self([value, slope]) = self;
        let told = [seen.mean, seen.response[0], seen.response[1]];
        for (told, (value, slope)) in told.into_iter().zip(value.iter_mut().zip(slope)) {
            *value += told / seen.variance - (k1 * *value + k2 * *slope);
        }
    }

    /// Value and slope where the state was predicted.
    fn estimate(&self, state: &State, start: Vector2<f64>) -> [f64; 2] {
        let State { mean, response, p11, p12, p22 } = state;
        let Self(r) = self;
        let of = |i: usize, p: f64, q: f64| {
            let towards = |column: usize| p * r[0][column] + q * r[1][column];
            let response =
                RowVector2::new(response[i][0] - towards(1), response[i][1] - towards(2));
            mean[i] + towards(0) + (response * start)[0]
        };
        [of(0, *p11, *p12), of(1, *p12, *p22)]
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};
    use tracefold_generate::Random;

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

    fn made_up(n: usize, rounded: bool) -> Vec<Observation> {
        let mut random = Random::new(7);
        let mut xs = (0..n).map(|_| random.uniform()).collect::<Vec<_>>();
        if rounded {
            xs.iter_mut().for_each(|x| *x = (*x * 50.0).round() / 50.0);
        }
        xs.extend([0.0, 1.0]);
        xs.sort_by(f64::total_cmp);
        let y = |x: f64| x * x * (3.0 - 2.0 * x);
        let observe =
            |x: f64| Observation { x, y: y(x) + 0.01 * (random.uniform() - 0.5), weight: 1.0 };
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
        let mut random = Random::new(1);
        let mut xs = (0..n).map(|_| random.uniform()).collect::<Vec<_>>();
        xs.sort_by(f64::total_cmp);
        let points = xs.iter().map(|&x| Observation { x, y: x, weight: 1.0 }).collect::<Vec<_>>();
        let grid = grid(1000);
        let curve = smooth(&points, 1e-4 / 12.0, &grid).unwrap();
        assert!(furthest(&curve.values, &grid) < 1e-9);
        assert!(furthest(&curve.slopes, &vec![1.0; 1000]) < 1e-6);
    }
}
