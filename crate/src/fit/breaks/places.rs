use nalgebra::{DMatrix, DVector};

use super::super::penalised::{PenalisedSpline, dot};
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
/// Breaks are no closer than this.
const CLOSEST: f64 = 2e-3;

/// How what a counter's curve leaves changes with the places of its breaks.
struct Along {
    /// Half the derivative of the penalised squares.
    uphill: DVector<f64>,
    /// Half the second derivative, the curve being at its best everywhere.
    curvature: DMatrix<f64>,
}

/// What comes after each break: `Σ w B` of every spline, `Σ w z` and `Σ w`.
pub fn after(spline: &PenalisedSpline) -> Vec<(Vec<f64>, f64, f64)> {
    let mesh = spline.mesh();
    let cells = &spline.total.cells;
    let of_break = |at: &f64| {
        let (mut splines, mut z, mut weight) = (vec![0.0; mesh.order()], 0.0, 0.0);
        for (number, cell) in cells.iter().enumerate().skip(mesh.cell(*at)) {
            let first = mesh.first_of(number);
            splines[first..].iter_mut().zip(cell.splines).for_each(|(sum, own)| *sum += own);
            z += cell.z;
            weight += cell.weight;
        }
        (splines, z, weight)
    };
    mesh.breaks().iter().map(of_break).collect()
}

impl Along {
    /// A break that moves a little to the right takes its jump off every sample after it.
    fn of(spline: &PenalisedSpline, lambda: f64) -> Self {
        let (factor, fitted) = spline.solved(lambda);
        let jumps = prior::jumps(spline.mesh(), &fitted).collect::<Vec<_>>();
        let after = after(spline);
        let answers = after.iter().map(|(splines, ..)| factor.solve(splines.clone()));
        let answers = answers.collect::<Vec<_>>();
        let uphill = after.iter().zip(&jumps);
        let uphill = uphill.map(|((splines, z, _), jump)| jump * (z - dot(splines, &fitted)));
        let entry = |i: usize, j: usize| {
            let own = after[i.max(j)].2 - dot(&after[i].0, &answers[j]);
            jumps[i] * jumps[j] * own
        };
        Self {
            uphill: DVector::from_iterator(jumps.len(), uphill),
            curvature: DMatrix::from_fn(jumps.len(), jumps.len(), entry),
        }
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
) -> (DVector<f64>, DMatrix<f64>) {
    let mut uphill = DVector::zeros(at.len());
    let mut curvature = DMatrix::zeros(at.len(), at.len());
    for ((spline, lambda), variance) in splines.iter().zip(lambdas).zip(variances) {
        let own = spline.mesh().breaks().iter().map(|place| index(at, *place)).collect::<Vec<_>>();
        if own.is_empty() {
            continue;
        }
        let along = Along::of(spline, *lambda);
        for (i, &row) in own.iter().enumerate() {
            uphill[row] += along.uphill[i] / variance;
            for (j, &column) in own.iter().enumerate() {
                curvature[(row, column)] += along.curvature[(i, j)] / variance;
            }
        }
    }
    (uphill, curvature)
}

/// The places after a damped step; `None` if breaks would meet.
fn moved(
    at: &[f64],
    uphill: &DVector<f64>,
    curvature: &DMatrix<f64>,
    damping: f64,
) -> Option<Vec<f64>> {
    let mut ridged = curvature.clone();
    for i in 0..at.len() {
        ridged[(i, i)] += damping * curvature[(i, i)].abs() + 1e-9;
    }
    let step = ridged.cholesky()?.solve(uphill);
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
) -> DMatrix<f64> {
    let at = places(breaks);
    let lambdas = models.iter().map(|model| model.lambda).collect::<Vec<_>>();
    let splines = counters.iter().zip(breaks).map(|(c, b)| c.spline(b, Vec::new()));
    let splines = splines.collect::<Vec<_>>();
    let variances = splines.iter().zip(&lambdas).map(|(s, l)| s.variance(*l)).collect::<Vec<_>>();
    let (_, curvature) = together(&splines, &lambdas, &variances, &at);
    let mut pulls = DMatrix::zeros(at.len(), groups as usize);
    for (((counter, spline), lambda), variance) in
        counters.iter().zip(&splines).zip(&lambdas).zip(&variances)
    {
        counter.pulls(spline, *lambda, |place, group, pull| {
            pulls[(index(&at, place), group as usize % groups as usize)] += pull / variance;
        });
    }
    let ridge = DMatrix::from_diagonal(&curvature.diagonal().map(|d| 1e-9 * d.abs() + 1e-12));
    // Where no counter bends, nothing moves.
    (curvature + ridge).cholesky().map_or(pulls.clone() * 0.0, |factor| factor.solve(&pulls))
}

/// Half widths of the 95 % intervals of all places, at most 1, from how they move without each
/// group.
pub fn half_widths(moves: &DMatrix<f64>) -> Vec<f64> {
    let groups = moves.ncols();
    let few = groups as f64 / groups.saturating_sub(1).max(1) as f64;
    let quantile = student::quantile(groups.saturating_sub(1));
    let width = |row: usize| quantile * (few * moves.row(row).norm_squared()).sqrt();
    (0..moves.nrows()).map(|row| width(row).min(1.0)).collect()
}
