use nalgebra::{Matrix2, Vector2};

use super::Observation;

/// What is known of `(f, f')` before a step: the mean from a zero start, the response to the two
/// unknown components of the start, and the covariance.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) mean: [f64; 2],
    pub(super) response: [[f64; 2]; 2],
    pub(super) p11: f64,
    pub(super) p12: f64,
    pub(super) p22: f64,
}

/// What an observation told: its innovation, the innovation's response to the start, its
/// variance, and the gains.
pub(super) struct Innovation {
    pub(super) mean: f64,
    pub(super) response: [f64; 2],
    pub(super) variance: f64,
    pub(super) gain: [f64; 2],
}

impl State {
    pub(super) fn innovation(&self, point: &Observation) -> Innovation {
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
    pub(super) state: State,
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

    /// `(f, f')` at the first point, estimated from all; `None` if they do not determine it.
    pub(super) fn start(&self) -> Option<Vector2<f64>> {
        let mean = self.information.try_inverse()? * self.score;
        mean.iter().all(|value| value.is_finite()).then_some(mean)
    }

    /// `(residual sum of squares, log determinant)` of the generalised least squares fit.
    pub(super) fn likelihood(&self) -> Option<(f64, f64)> {
        let explained = self.score.dot(&self.start()?);
        let determinant = self.information.determinant();
        let logs = self.log_determinant + libm::log(self.factors) + libm::log(determinant);
        Some((self.squares - explained, logs))
    }
}
