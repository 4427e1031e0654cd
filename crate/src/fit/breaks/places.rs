use super::super::penalised::{PenalisedSpline, dot};
use super::super::segments::Upper;
use super::super::{prior, student};
use super::jumps::places;
use super::model::{Counter, Model};

/// Steps over all places, and attempts at each with shorter and shorter moves.
const STEPS: usize = 6;
const ATTEMPTS: usize = 5;
/// How far a break moves in one step, as a share of the shorter stretch beside it and of the region.
const FURTHEST_MOVE: f64 = 0.4;
const FURTHEST: f64 = 0.01;
/// A gain below this, in units of twice the log likelihood, ends the steps.
const TOO_LITTLE_GAIN: f64 = 0.01;
/// Share of its diagonal added to the curvature: where no counter bends, a place is unknown, but stays
/// a number.
const RIDGE: f64 = 1e-9;
/// Breaks are no closer than this.
const CLOSEST: f64 = 2e-3;

/// How what a counter's curve leaves changes with the places of its breaks.
struct Along {
    /// Half the derivative of the penalised squares.
    uphill: Vec<f64>,
    /// Half the second derivative, the curve being at its best everywhere; row by row.
    curvature: Vec<Vec<f64>>,
}

impl Along {
    /// A break that moves a little to the right takes its jump off every sample after it.
    fn of(spline: &PenalisedSpline, lambda: f64) -> Self {
        let (factor, fitted) = spline.solved(lambda);
        let jumps = prior::jumps(spline.mesh(), &fitted).collect::<Vec<_>>();
        let after = spline.after_breaks();
        let answers = after.iter().map(|after| factor.solve(after.splines.clone()));
        let answers = answers.collect::<Vec<_>>();
        let uphill = after.iter().zip(&jumps);
        let uphill = uphill.map(|(after, jump)| jump * (after.z - dot(&after.splines, &fitted)));
        let entry = |i: usize, j: usize| {
            let own = after[i.max(j)].weight - dot(&after[i].splines, &answers[j]);
            jumps[i] * jumps[j] * own
        };
        let row = |i: usize| (0..jumps.len()).map(|j| entry(i, j)).collect();
        Self { uphill: uphill.collect(), curvature: (0..jumps.len()).map(row).collect() }
    }
}

/// Moves the breaks of all counters so that together they leave least, each at its λ; never worse
/// than before.
///
/// Source: Muggeo 2003; values eliminated as in Golub and Pereyra 1973.
pub fn refine(counters: &[Counter<'_>], lambdas: &[f64], breaks: &mut Vec<Vec<f64>>) {
    let splines = |breaks: &[Vec<f64>]| {
        let each = counters.iter().zip(breaks);
        each.map(|(counter, breaks)| counter.spline(breaks, Vec::new())).collect::<Vec<_>>()
    };
    let mut now = splines(breaks);
    let variances = now.iter().zip(lambdas).map(|(spline, lambda)| spline.variance(*lambda));
    let variances = variances.collect::<Vec<_>>();
    let cost = |splines: &[PenalisedSpline]| {
        let each = splines.iter().zip(lambdas).zip(&variances);
        let each = each.map(|((spline, lambda), variance)| {
            let (_, fitted) = spline.solved(*lambda);
            spline.penalised_squares(*lambda, &fitted) / variance
        });
        each.sum::<f64>()
    };
    let mut least = cost(&now);
    let mut damping = 1e-3;
    for _ in 0..STEPS {
        let at = places(breaks);
        let (uphill, curvature) = together(&now, lambdas, &variances, &at);
        let mut gain = 0.0;
        for _ in 0..ATTEMPTS {
            let Some(to) = moved(&at, &uphill, &curvature, damping) else { break };
            let there = breaks.iter().map(|own| own.iter().map(|b| to[index(&at, *b)]).collect());
            let there = there.collect::<Vec<_>>();
            let splines = splines(&there);
            let found = cost(&splines);
            if found < least {
                gain = least - found;
                (least, now, *breaks) = (found, splines, there);
                damping *= 0.2;
                break;
            }
            damping = f64::max(damping, 1e-6) * 10.0;
        }
        if gain < TOO_LITTLE_GAIN {
            break;
        }
    }
}

/// Which of the rising places `at` is `place`.
fn index(at: &[f64], place: f64) -> usize {
    at.partition_point(|other| *other < place)
}

/// Derivatives of all counters, each over its variance.
fn together(
    splines: &[PenalisedSpline],
    lambdas: &[f64],
    variances: &[f64],
    at: &[f64],
) -> (Vec<f64>, Upper) {
    let mut uphill = vec![0.0; at.len()];
    let mut curvature = Upper::zero(at.len());
    for ((spline, lambda), variance) in splines.iter().zip(lambdas).zip(variances) {
        let own = spline.mesh().breaks().iter().map(|place| index(at, *place)).collect::<Vec<_>>();
        if own.is_empty() {
            continue;
        }
        let along = Along::of(spline, *lambda);
        for (i, &row) in own.iter().enumerate() {
            uphill[row] += along.uphill[i] / variance;
            for (&column, entry) in own[i..].iter().zip(&along.curvature[i][i..]) {
                curvature.row(row)[column - row] += entry / variance;
            }
        }
    }
    (uphill, curvature)
}

/// The places after a damped step; `None` if breaks would meet.
fn moved(at: &[f64], uphill: &[f64], curvature: &Upper, damping: f64) -> Option<Vec<f64>> {
    let mut step = uphill.to_vec();
    curvature.with_ridge(damping).cholesky()?.solve(&mut step);
    let mut to = at.to_vec();
    for (i, place) in to.iter_mut().enumerate() {
        let left = i.checked_sub(1).map_or(0.0, |before| at[before]);
        let right = at.get(i + 1).copied().unwrap_or(1.0);
        let furthest = (FURTHEST_MOVE * f64::min(at[i] - left, right - at[i])).min(FURTHEST);
        *place -= step[i].clamp(-furthest, furthest);
    }
    let inside = to.iter().all(|place| (0.5 * CLOSEST..=1.0 - 0.5 * CLOSEST).contains(place));
    (inside && to.windows(2).all(|pair| pair[1] - pair[0] >= 0.5 * CLOSEST)).then_some(to)
}

/// By how much each place moves if a group of instances is left out: a row for each place, a column
/// for each group. To first order, from what the group pulls at them.
///
/// Source: Liang and Zeger 1986 (by instance).
pub fn moves(
    counters: &[Counter<'_>],
    models: &[Model],
    breaks: &[Vec<f64>],
    groups: u32,
) -> Vec<Vec<f64>> {
    let at = places(breaks);
    let lambdas = models.iter().map(|model| model.lambda).collect::<Vec<_>>();
    let splines = counters.iter().zip(breaks).map(|(c, b)| c.spline(b, Vec::new()));
    let splines = splines.collect::<Vec<_>>();
    let variances = splines.iter().zip(&lambdas).map(|(s, l)| s.variance(*l)).collect::<Vec<_>>();
    let (_, curvature) = together(&splines, &lambdas, &variances, &at);
    let mut pulls = vec![vec![0.0; at.len()]; groups as usize];
    let each = counters.iter().zip(&splines).zip(lambdas.iter().zip(&variances));
    for ((counter, spline), (lambda, variance)) in each {
        counter.pulls(spline, *lambda, |place, group, pull| {
            if let Some(pulls) = pulls.get_mut(group as usize) {
                pulls[index(&at, place)] += pull / variance;
            }
        });
    }
    let Some(factor) = curvature.with_ridge(RIDGE).cholesky() else {
        // Where no counter bends, nothing moves.
        return vec![vec![0.0; groups as usize]; at.len()];
    };
    pulls.iter_mut().for_each(|pulls| factor.solve(pulls));
    (0..at.len()).map(|place| pulls.iter().map(|moves| moves[place]).collect()).collect()
}

/// Half widths of the 95 % intervals of all places, at most 1, from how they move without each
/// group.
pub fn half_widths(moves: &[Vec<f64>]) -> Vec<f64> {
    let width = |moves: &Vec<f64>| {
        let others = moves.len().saturating_sub(1).max(1);
        let few = moves.len() as f64 / others as f64;
        let squares = moves.iter().map(|by| by * by).sum::<f64>();
        (student::quantile(others) * (few * squares).sqrt()).min(1.0)
    };
    moves.iter().map(width).collect()
}
