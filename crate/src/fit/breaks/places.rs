use super::super::abreast::abreast;
use super::super::banded::Solutions;
use super::super::cells::After;
use super::super::evidence::Solved;
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
    breaks: Vec<f64>,
    /// Half the derivative of the penalised squares.
    uphill: Vec<f64>,
    /// Half the second derivative, the curve being at its best everywhere; of each row what is on the
    /// diagonal and right of it.
    curvature: Vec<Vec<f64>>,
}

/// A counter's curve with its breaks somewhere.
struct Placed {
    spline: PenalisedSpline,
    solved: Solved,
}

impl Placed {
    fn new(spline: PenalisedSpline, lambda: f64) -> Self {
        let solved = spline.solved(lambda);
        Self { spline, solved }
    }

    /// A break that moves a little to the right takes its jump off every sample after it.
    fn along(&self) -> Along {
        let jumps = prior::jumps(self.spline.mesh(), &self.solved.fitted).collect::<Vec<_>>();
        let after = self.spline.after_breaks();
        let answers = self.answers(&after);
        let fitted = &self.solved.fitted;
        let uphill = after.iter().zip(&jumps).map(|(After { splines, first, z, .. }, jump)| {
            jump * (z - dot(&splines[*first..], &fitted[*first..]))
        });
        let row = |i: usize| {
            let answered = answers.products(i, &after[i].splines, after[i].first);
            let entries = jumps.iter().zip(&after).skip(i).zip(answered);
            entries
                .map(|((jump, after), answer)| jumps[i] * jump * (after.weight - answer))
                .collect()
        };
        Along {
            breaks: self.spline.mesh().breaks().to_vec(),
            uphill: uphill.collect(),
            curvature: (0..jumps.len()).map(row).collect(),
        }
    }

    /// The curve's answers to what comes after each break.
    fn answers(&self, after: &[After]) -> Solutions {
        let of_breaks = after.iter().map(|after| after.splines.as_slice());
        self.solved.factor.solve_all(&of_breaks.collect::<Vec<_>>())
    }

    /// How the residuals of each sample pull at each break: its place, the group, half the slope.
    fn pulls(&self, counter: &Counter<'_>, mut take: impl FnMut(f64, u32, f64)) {
        let mesh = self.spline.mesh();
        let jumps = prior::jumps(mesh, &self.solved.fitted).collect::<Vec<_>>();
        let answers = self.answers(&self.spline.after_breaks());
        for (x, y, weight, group) in counter.weighted_samples() {
            let (first, weights) = mesh.weights(x);
            let own =
                self.solved.fitted[first..].iter().zip(weights).map(|(c, w)| c * w).sum::<f64>();
            let residual = weight * (y - x - own);
            for (number, (&place, jump)) in mesh.breaks().iter().zip(&jumps).enumerate() {
                let direct = f64::from(u8::from(x >= place));
                let answer = (first..).zip(weights).map(|(row, w)| answers.at(number, row) * w);
                take(place, group, jump * residual * (direct - answer.sum::<f64>()));
            }
        }
    }
}

/// Each counter that breaks with its breaks there.
fn placed(counters: &[Counter<'_>], lambdas: &[f64], breaks: &[Vec<f64>]) -> Vec<Option<Placed>> {
    abreast(counters.len(), |at| {
        let spline = || counters[at].spline(&breaks[at], Vec::new());
        (!breaks[at].is_empty()).then(|| Placed::new(spline(), lambdas[at]))
    })
}

/// Of a sample of each counter; 1 where it does not break.
fn variances(placed: &[Option<Placed>]) -> Vec<f64> {
    let variance = |of: &Placed| of.spline.variance_of(&of.solved);
    placed.iter().map(|of| of.as_ref().map_or(1.0, variance)).collect()
}

/// Moves the breaks of all counters so that together they leave least, each at its λ; never worse
/// than before.
///
/// Source: Muggeo 2003; values eliminated as in Golub and Pereyra 1973.
pub fn refine(counters: &[Counter<'_>], lambdas: &[f64], breaks: &mut Vec<Vec<f64>>) {
    let mut now = placed(counters, lambdas, breaks);
    let variances = variances(&now);
    let cost = |of: &[Option<Placed>]| {
        let each = of.iter().zip(&variances);
        each.filter_map(|(of, variance)| Some(of.as_ref()?.solved.squares / variance)).sum::<f64>()
    };
    let mut least = cost(&now);
    let mut damping = 1e-3;
    for _ in 0..STEPS {
        let at = places(breaks);
        let (uphill, curvature) = together(&now, &variances, &at);
        let mut gain = 0.0;
        for _ in 0..ATTEMPTS {
            let Some(to) = moved(&at, &uphill, &curvature, damping) else { break };
            let there = breaks.iter().map(|own| own.iter().map(|b| to[index(&at, *b)]).collect());
            let there = there.collect::<Vec<_>>();
            let next = placed(counters, lambdas, &there);
            let found = cost(&next);
            if found < least {
                gain = least - found;
                (least, now, *breaks) = (found, next, there);
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
fn together(placed: &[Option<Placed>], variances: &[f64], at: &[f64]) -> (Vec<f64>, Upper) {
    let along = abreast(placed.len(), |of| placed[of].as_ref().map(Placed::along));
    let mut uphill = vec![0.0; at.len()];
    let mut curvature = Upper::zero(at.len());
    for (along, variance) in along.iter().zip(variances) {
        let Some(along) = along else { continue };
        let own = along.breaks.iter().map(|place| index(at, *place)).collect::<Vec<_>>();
        for (i, &row) in own.iter().enumerate() {
            uphill[row] += along.uphill[i] / variance;
            for (&column, entry) in own[i..].iter().zip(&along.curvature[i]) {
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
    let placed = placed(counters, &lambdas, breaks);
    let variances = variances(&placed);
    let (_, curvature) = together(&placed, &variances, &at);
    let mut pulls = vec![vec![0.0; at.len()]; groups as usize];
    for ((counter, placed), variance) in counters.iter().zip(&placed).zip(&variances) {
        let Some(placed) = placed else { continue };
        placed.pulls(counter, |place, group, pull| {
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
