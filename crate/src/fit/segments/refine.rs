//! Moves breaks to better places.

use super::solution::{Solution, Values};
use super::sums::Sums;
use super::tridiagonal::{Tridiagonal, Upper};

/// Shortest segment that a break is moved to, as a share of the instance.
pub const SHORTEST_SEGMENT: f64 = 2e-3;

/// How far a break moves in one step, as a share of the shorter segment beside it.
const FURTHEST_MOVE: f64 = 0.4;

/// The solution after at most `steps` steps of Levenberg and Marquardt over the places of all
/// inner knots, the values being at their best for any places; never worse than `start`.
///
/// Where a knot passes a sample the objective bends, and of such a bend the matrices know one side: a
/// knot that lies within rounding of a sample can make every step of all knots a step up, which
/// ends the refinement before its best.
///
/// O(steps × (breaks² × counters + breaks³)), whatever the number of samples but for its logarithm.
///
/// Source: Muggeo 2003; values eliminated as in Golub and Pereyra 1973, *The differentiation of
/// pseudo-inverses and nonlinear least squares problems whose variables separate*, SIAM Journal on
/// Numerical Analysis 10.
pub fn refine(counters: &[Sums], start: Solution, steps: usize) -> Solution {
    let mut best = start;
    let mut damping = 1e-3;
    for _ in 0..steps {
        if best.breaks() == 0 || !best.objective.is_finite() {
            break;
        }
        let (normal, downhill) = of_places(counters, &best);
        let mut improved = None;
        for _ in 0..8 {
            improved = step(counters, &best, &normal, &downhill, damping);
            if improved.is_some() {
                break;
            }
            damping = 6.0 * f64::max(damping, 1e-6);
        }
        let Some(found) = improved else { break };
        let gained = best.objective - found.objective;
        let converged = gained < 1e-7 * best.objective;
        best = found;
        damping *= 0.2;
        if converged {
            break;
        }
    }
    best
}

/// The solution one damped step further, if that is better.
fn step(
    counters: &[Sums],
    from: &Solution,
    normal: &Upper,
    downhill: &[f64],
    damping: f64,
) -> Option<Solution> {
    let mut moves = downhill.to_vec();
    normal.with_ridge(damping).cholesky()?.solve(&mut moves);
    let mut knots = from.knots.clone();
    for (j, by) in moves.into_iter().enumerate() {
        let (left, here, right) = (from.knots[j], from.knots[j + 1], from.knots[j + 2]);
        let furthest = FURTHEST_MOVE * f64::min(here - left, right - here);
        knots[j + 1] = here + by.clamp(-furthest, furthest);
    }
    if knots.windows(2).any(|pair| pair[1] - pair[0] < SHORTEST_SEGMENT) {
        return None;
    }
    let there = Solution::at(counters, knots);
    (there.objective < from.objective).then_some(there)
}

/// Normal matrix and right-hand side of a Gauss-Newton step over the places, the values
/// eliminated: `M = Σ (B − C V⁻¹ C) / s²` over the counters.
pub fn of_places(counters: &[Sums], at: &Solution) -> (Upper, Vec<f64>) {
    let mut normal = Upper::zero(at.breaks());
    let mut downhill = vec![0.0; at.breaks()];
    for (sums, values) in counters.iter().zip(&at.counters) {
        let Derivatives { places, mixed, downhill: of_counter } =
            Derivatives::of(values, &at.knots);
        normal.add(&places, sums.precision);
        values.factored.subtract_sandwiched(&mixed, sums.precision, &mut normal);
        downhill.iter_mut().zip(of_counter).for_each(|(sum, g)| *sum += sums.precision * g);
    }
    (normal, downhill)
}

/// Sums over one counter's samples of products of the curve's derivatives.
///
/// To a knot's value the curve responds with `t` in the segment left of it and with `u` in the one
/// to the right; to its place with `−slope × t` and `−slope × u`.
pub struct Derivatives {
    /// Place with place: `B`.
    pub places: Tridiagonal,
    /// Value with place: `C`, which is symmetric.
    pub mixed: Tridiagonal,
    /// Place with residual.
    pub downhill: Vec<f64>,
}

impl Derivatives {
    pub fn of(values: &Values, knots: &[f64]) -> Derivatives {
        let slopes = values.slopes(knots);
        let inner = values.matrix.len();
        let (mut places, mut mixed) =
            (Tridiagonal::with_capacity(inner), Tridiagonal::with_capacity(inner));
        let mut downhill = Vec::with_capacity(inner);
        let sides = values.segments.windows(2).zip(slopes.windows(2)).zip(values.z.windows(3));
        for ((segments, slopes), z) in sides {
            let ([left, right], [left_slope, right_slope]) =
                ([segments[0], segments[1]], [slopes[0], slopes[1]]);
            let is_last = places.len() + 1 == inner;
            let shared = if is_last { 0.0 } else { right.tu };
            places
                .diagonal
                .push(left_slope * left_slope * left.tt + right_slope * right_slope * right.uu);
            places.off.push(right_slope * right_slope * shared);
            mixed.diagonal.push(-left_slope * left.tt - right_slope * right.uu);
            mixed.off.push(-right_slope * shared);
            let left_residual = left.tz - z[0] * left.tu - z[1] * left.tt;
            let right_residual = right.uz - z[1] * right.uu - z[2] * right.tu;
            downhill.push(-left_slope * left_residual - right_slope * right_residual);
        }
        Derivatives { places, mixed, downhill }
    }
}
