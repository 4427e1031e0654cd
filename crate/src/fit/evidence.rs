//! How likely samples are, given how smooth a curve is and where it may break.

use super::banded::Factor;
use super::penalised::PenalisedSpline;
use super::smoothing::golden_section;

/// Steps of the coarse search for λ, and of the fine one between the neighbours of its best.
const COARSE_STEPS: u32 = 12;
const FINE_STEPS: u32 = 20;
/// What is left by a fit is rounding where it is less than this share of the squares.
const ROUNDING: f64 = 1e-13;
/// Samples that lie closer to the diagonal than this have no noise to judge a curve by.
const ON_THE_DIAGONAL: f64 = 1e-9;
/// A gain of likelihood below this is none: the smoother curve stays.
const TOO_LITTLE_GAIN: f64 = 1e-6;

/// How far apart, in the logarithm of λ, it is looked for first near a λ.
const NEAR: f64 = 2.0;
/// Parabolas that lead to the best λ, and how near to it is near enough. At .05 a bump without noise
/// errs ten times as much.
const PARABOLAS: usize = 5;
const NEAR_ENOUGH: f64 = 0.01;

/// The curve of a λ, which is held in the range that the grid can show.
pub(super) struct Solved {
    pub lambda: f64,
    /// Of the system.
    pub factor: Factor,
    /// The coefficients of `f(x) − x`.
    pub fitted: Vec<f64>,
    /// What it leaves, with the prior.
    pub squares: f64,
}

/// A λ and what it costs.
#[derive(Clone, Copy)]
struct Tried {
    log_lambda: f64,
    cost: f64,
}

impl Tried {
    fn is_better_than(self, other: Self) -> bool {
        self.cost < other.cost - TOO_LITTLE_GAIN
    }
}

/// Where the parabola through three places is lowest, the middle one being lower than the others;
/// the middle of the wider side where they make none.
fn lowest(low: Tried, best: Tried, high: Tried) -> f64 {
    let [left, right] = [low, high].map(|side| side.log_lambda - best.log_lambda);
    let [rise_left, rise_right] = [low, high].map(|side| side.cost - best.cost);
    let across = rise_left * right - rise_right * left;
    let lowest = 0.5 * (rise_left * right * right - rise_right * left * left) / across;
    let is_inside = left < lowest && lowest < right;
    let wider = if -left > right { left } else { right };
    best.log_lambda + if is_inside { lowest } else { 0.5 * wider }
}

impl PenalisedSpline {
    /// The λ that restricted maximum likelihood finds. Its bandwidth is looked for between half a cell
    /// and 0.3, and a little beyond where it is best at a border.
    ///
    /// Samples without noise do not make it small: those of a straight line, exact or rounded, have
    /// the largest. 35 fits.
    ///
    /// Source: Wahba 1985, A comparison of GCV and GML; Speed 1991 (REML).
    pub fn lambda_by_reml(&self) -> f64 {
        let [finest, widest] = self.sought();
        let floor = self.total.count() * ON_THE_DIAGONAL * ON_THE_DIAGONAL;
        if self.total.squares <= floor {
            return libm::exp(widest);
        }
        let cost = |log_lambda: f64| self.minus_two_reml(libm::exp(log_lambda));
        let step = (widest - finest) / f64::from(COARSE_STEPS);
        let (mut best, mut least) = (widest, cost(widest));
        for number in (0..COARSE_STEPS).rev() {
            let log_lambda = finest + step * f64::from(number);
            let found = cost(log_lambda);
            if found < least - TOO_LITTLE_GAIN {
                (best, least) = (log_lambda, found);
            }
        }
        let fine = golden_section(best - step, best + step, FINE_STEPS, cost);
        libm::exp(if cost(fine) < least - TOO_LITTLE_GAIN { fine } else { best })
    }

    /// −2 log of the restricted likelihood of λ, the noise variance profiled out, up to a constant;
    /// infinite where the curve leaves nothing but rounding.
    ///
    /// The two ends are observations and the two terms of the drift are none, so the degrees of
    /// freedom are the samples.
    pub fn minus_two_reml(&self, lambda: f64) -> f64 {
        self.minus_two_reml_of(&self.solved(lambda))
    }

    /// The same where it is solved already.
    pub(super) fn minus_two_reml_of(&self, solved: &Solved) -> f64 {
        let samples = self.samples();
        let left = samples * self.variance_of(solved);
        let is_lost = solved.factor.is_lost() && !self.mesh().breaks().is_empty();
        if left <= ROUNDING * self.total.squares || is_lost {
            return f64::INFINITY;
        }
        samples * libm::log(left / samples) - self.total.log_weights
            + solved.factor.log_determinant()
            - self.prior.log_determinant(solved.lambda)
    }

    /// The λ by fewer fits, where it is likely to be near `lambda`, or the widest if that is better;
    /// and its −2 log likelihood. Some eight fits.
    ///
    /// The likelihood is smooth in the logarithm of λ: once its best is held between two places, the
    /// parabola through them leads there.
    pub(super) fn lambda_near(&self, lambda: f64) -> (f64, f64) {
        let [finest, widest] = self.sought();
        let at =
            |log_lambda| Tried { log_lambda, cost: self.minus_two_reml(libm::exp(log_lambda)) };
        let beside = |of: Tried, step: f64| match (of.log_lambda + step).clamp(finest, widest) {
            same if same == of.log_lambda => of,
            other => at(other),
        };
        let mut best = at(libm::log(lambda).clamp(finest, widest));
        let straight = at(widest);
        if straight.cost < best.cost {
            best = straight;
        }
        let [mut low, mut high] = [-NEAR, NEAR].map(|step| beside(best, step));
        while low.is_better_than(best) {
            [low, best, high] = [beside(low, -NEAR), low, best];
        }
        while high.is_better_than(best) {
            [low, best, high] = [best, high, beside(high, NEAR)];
        }
        for _ in 0..PARABOLAS {
            let lowest = lowest(low, best, high);
            if (lowest - best.log_lambda).abs() < NEAR_ENOUGH {
                break;
            }
            let next = at(lowest);
            [low, best, high] = match (next.is_better_than(best), lowest < best.log_lambda) {
                (true, true) => [low, next, best],
                (true, false) => [best, next, high],
                (false, true) => [next, best, high],
                (false, false) => [low, best, next],
            };
        }
        (libm::exp(best.log_lambda), best.cost)
    }

    pub(super) fn solved(&self, lambda: f64) -> Solved {
        let lambda = self.held(lambda);
        let factor = self.system(lambda).factor();
        let fitted = factor.solve(self.total.right.clone());
        let squares = self.penalised_squares(lambda, &fitted).max(0.0);
        Solved { lambda, factor, fitted, squares }
    }

    /// Variance of a sample round a curve, the prior's share included.
    pub(super) fn variance_of(&self, solved: &Solved) -> f64 {
        solved.squares / self.samples() + self.least_variance
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::{DMatrix, DVector};
    use tracefold_generate::Random;

    use crate::fit::banded::Banded;
    use crate::fit::mesh::Mesh;
    use crate::fit::prior::Prior;
    use crate::fit::statistics::Statistics;
    use crate::fit::{Ends, PenalisedSpline};

    fn dense(banded: &Banded) -> DMatrix<f64> {
        let order = banded.0.len();
        DMatrix::from_fn(order, order, |i, j| {
            banded.0[i.min(j)].get(i.abs_diff(j)).copied().unwrap_or(0.0)
        })
    }

    #[test]
    fn the_evidence_is_the_likelihood_of_the_samples_under_all_curves() {
        let mut random = Random::new(21);
        let x = (0..40).map(|_| random.uniform()).collect::<Vec<_>>();
        let z = x.iter().map(|x| x * (1.0 - x) + 0.1 * random.normal()).collect::<Vec<_>>();
        for breaks in [&[][..], &[0.37], &[0.2, 0.63]] {
            let mesh = Arc::new(Mesh::with_breaks(12, breaks));
            let (lambda, jump_weight) = (0.003, 0.02);
            let mut sums = Statistics::new(&mesh);
            x.iter().zip(&z).for_each(|(x, z)| sums.add(*x, x + z));
            let prior = Prior::new(&mesh, Vec::new(), jump_weight);
            let mut ends = Statistics::new(&mesh);
            [0.0, 1.0].into_iter().for_each(|x| ends.weigh(x, 0.0, 1.0));
            // z is normal: what curves there may be, seen at the samples, and noise.
            let precision = dense(&prior.added_to(&ends.normal, lambda));
            let mut splines = DMatrix::zeros(x.len(), mesh.order());
            for (row, x) in x.iter().enumerate() {
                let (first, weights) = mesh.weights(*x);
                (0..4).for_each(|at| splines[(row, first + at)] = weights[at]);
            }
            let curves = &splines * precision.try_inverse().unwrap() * splines.transpose();
            let variance = curves + DMatrix::identity(x.len(), x.len());
            let z = DVector::from_column_slice(&z);
            let n = x.len() as f64;
            let left = z.dot(&(variance.clone().try_inverse().unwrap() * &z));
            let expected = n * libm::log(left / n) + libm::log(variance.determinant());
            let spline = PenalisedSpline::held_by(prior, sums, Vec::new(), Ends::Soft);
            let found = spline.minus_two_reml(lambda);
            assert!((found - expected).abs() < 1e-6, "{breaks:?}: {found} {expected}");
        }
    }
}
