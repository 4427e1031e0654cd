//! From many knots to none.

use super::refine::refine;
use super::solution::Solution;
use super::sums::Sums;

/// Most breaks that a fit is kept for.
pub const MOST_BREAKS: usize = 64;

/// From this number of samples on the path starts from more cells.
const MANY_SAMPLES: usize = 20_000;

/// Steps over the places after each removal.
const STEPS: usize = 6;

/// The joint fits for 0, 1, 2 … breaks, at most [`MOST_BREAKS`].
///
/// Starts at the borders of uniform cells and removes the knot that costs least, again and again;
/// from [`MOST_BREAKS`] on all knots are moved to better places after each removal. O(n) for the
/// sums, and about as much as 200 solutions.
pub fn path(counters: &[Sums]) -> Vec<Solution> {
    let mut found = Vec::new();
    let mut solution = Solution::at(counters, start(counters));
    loop {
        let is_kept = solution.breaks() <= MOST_BREAKS;
        if is_kept {
            solution = refine(counters, solution, STEPS);
        }
        let mut knots = solution.knots.clone();
        let cheapest = least(&solution.removal_costs(counters));
        if is_kept {
            found.push(solution);
        }
        let Some(cheapest) = cheapest else { break };
        knots.remove(cheapest + 1);
        solution = Solution::at(counters, knots);
    }
    found.reverse();
    found
}

/// Index of the least number, the first of several; what is no number is never it.
pub fn least(numbers: &[f64]) -> Option<usize> {
    let mut best = None;
    for (at, &number) in numbers.iter().enumerate() {
        if best.is_none_or(|best: usize| number < numbers[best] || numbers[best].is_nan()) {
            best = Some(at);
        }
    }
    best
}

/// Borders of uniform cells; each segment has at least three samples of all counters together,
/// unless there are fewer in all.
pub fn start(counters: &[Sums]) -> Vec<f64> {
    let count = counters.iter().map(Sums::len).sum::<usize>();
    let inner = if count > MANY_SAMPLES { 128 } else { (count / 4).clamp(4, 96) };
    let before = |place: f64| counters.iter().map(|sums| sums.before(place)).sum::<usize>();
    let mut knots = vec![0.0];
    let mut taken = vec![0];
    for border in 1..=inner {
        let place = border as f64 / (inner + 1) as f64;
        let here = before(place);
        if here >= taken[taken.len() - 1] + 3 {
            knots.push(place);
            taken.push(here);
        }
    }
    while taken.len() > 1 && count < taken[taken.len() - 1] + 3 {
        knots.pop();
        taken.pop();
    }
    knots.push(1.0);
    knots
}
