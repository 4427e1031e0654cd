use nalgebra::{Matrix2, Vector2};

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
    let start = filter.start()?;
    Some(smoothed(&steps, &predicted, start, grid.len()))
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

/// What is known of `(f, f')` before a step: the mean from a zero start, the response to the two
/// unknown components of the start, and the covariance.
#[derive(Clone, Copy)]
struct State {
    mean: [f64; 2],
    response: [[f64; 2]; 2],
    p11: f64,
    p12: f64,
    p22: f64,
}

/// What an observation told: its innovation, the innovation's response to the start, its
/// variance, and the gains.
struct Innovation {
    mean: f64,
    response: [f64; 2],
    variance: f64,
    gain: [f64; 2],
}

impl State {
    fn innovation(&self, point: &Observation) -> Innovation {
        let variance = self.p11 + 1.0 / point.weight;
        Innovation {
            mean: point.y - self.mean[0],
            response: self.response[0],
            variance,
            gain: [self.p11 / variance, self.p12 / variance],
        }
    }
}

/// The forward pass; the initial state is diffuse, which is handled exactly by carrying the
/// responses to it along and solving for it at the end.
pub(super) struct Filter {
    state: State,
    /// Intensity of the process, `1/lambda`.
    intensity: f64,
    information: Matrix2<f64>,
    score: Vector2<f64>,
    squares: f64,
    /// The determinant is a product of many factors above 1: its logarithm so far, and the
    /// factors since, so that few logarithms are taken.
    log_determinant: f64,
    factors: f64,
}

/// Factors are gathered up to here; the next is at most some 1e30.
const MANY: f64 = 1e250;

impl Filter {
    pub(super) fn new(lambda: f64) -> Self {
        let state = State {
            mean: [0.0; 2],
            response: [[1.0, 0.0], [0.0, 1.0]],
            p11: 0.0,
            p12: 0.0,
            p22: 0.0,
        };
        Self {
            state,
            intensity: 1.0 / lambda,
            information: Matrix2::zeros(),
            score: Vector2::zeros(),
            squares: 0.0,
            log_determinant: 0.0,
            factors: 1.0,
        }
    }

    pub(super) fn predict(&mut self, h: f64) {
        if h <= 0.0 {
            return;
        }
        let State { mean, response, p11, p12, p22 } = &mut self.state;
        let q = self.intensity;
        mean[0] += h * mean[1];
        response[0][0] += h * response[1][0];
        response[0][1] += h * response[1][1];
        *p11 += h * (2.0 * *p12 + h * *p22) + q * h * h * h / 3.0;
        *p12 += h * *p22 + q * h * h / 2.0;
        *p22 += q * h;
    }

    pub(super) fn update(&mut self, point: &Observation) {
        let seen = self.state.innovation(point);
        let [v0, v1] = seen.response;
        let precision = 1.0 / seen.variance;
        self.information += Matrix2::new(v0 * v0, v0 * v1, v0 * v1, v1 * v1) * precision;
        self.score += Vector2::new(v0, v1) * (seen.mean * precision);
        self.squares += seen.mean * seen.mean * precision;
        let scaled = seen.variance * point.weight;
        self.factors *= scaled;
        if self.factors > MANY {
            self.log_determinant += libm::log(self.factors);
            self.factors = 1.0;
        }

        let State { mean, response, p11, p12, p22 } = &mut self.state;
        for (i, gain) in seen.gain.into_iter().enumerate() {
            mean[i] += gain * seen.mean;
            response[i][0] -= gain * v0;
            response[i][1] -= gain * v1;
        }
        // `1 - gain[0]` is `1/scaled`, without the cancellation.
        *p22 -= seen.gain[1] * *p12;
        *p12 /= scaled;
        *p11 /= scaled;
    }

    /// The initial state, estimated from all points; `None` if they do not determine it.
    fn start(&self) -> Option<Start> {
        let inverse = self.information.try_inverse()?;
        let beta = inverse * self.score;
        beta.iter().all(|value| value.is_finite()).then_some(Start { beta: [beta[0], beta[1]] })
    }

    /// `(residual sum of squares, log determinant)` of the generalised least squares fit.
    pub(super) fn likelihood(&self) -> Option<(f64, f64)> {
        let Start { beta } = self.start()?;
        let explained = self.score[0] * beta[0] + self.score[1] * beta[1];
        let determinant = self.information.determinant();
        let logs = self.log_determinant + libm::log(self.factors) + libm::log(determinant);
        Some((self.squares - explained, logs))
    }
}

#[derive(Clone, Copy)]
struct Start {
    beta: [f64; 2],
}

/// The backward pass: from predicted to smoothed states, of which the grid's are kept.
fn smoothed(steps: &[Step], predicted: &[State], start: Start, grid: usize) -> Curve {
    let [b1, b2] = start.beta;
    let mut curve = Curve { values: vec![0.0; grid], slopes: vec![0.0; grid] };
    let mut left = grid;
    // What later points say: of the mean, and of the response to the start.
    let mut r = [[0.0; 3]; 2];
    let mut next = steps.last().map_or(0.0, |step| step.x);
    for (step, state) in steps.iter().zip(predicted).rev() {
        let h = next - step.x;
        next = step.x;
        if h > 0.0 {
            let [value, slope] = &mut r;
            slope.iter_mut().zip(value).for_each(|(slope, value)| *slope += h * *value);
        }
        match step.observed() {
            Some(point) => {
                let seen = state.innovation(&point);
                let told = [seen.mean, seen.response[0], seen.response[1]];
                for (column, told) in told.into_iter().enumerate() {
                    let later = seen.gain[0] * r[0][column] + seen.gain[1] * r[1][column];
                    r[0][column] += told / seen.variance - later;
                }
            }
            None => {
                left -= 1;
                let State { mean, response, p11, p12, p22 } = state;
                let at = |i: usize, p: f64, q: f64| {
                    let towards = |column: usize| p * r[0][column] + q * r[1][column];
                    mean[i]
                        + towards(0)
                        + (response[i][0] - towards(1)) * b1
                        + (response[i][1] - towards(2)) * b2
                };
                curve.values[left] = at(0, *p11, *p12);
                curve.slopes[left] = at(1, *p12, *p22);
            }
        }
    }
    curve
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
