use super::super::abreast::abreast;
use super::path::{MOST_BREAKS, least, path};
use super::sums::Sums;
use super::values::{Knots, rising, squared_distance};
use super::{EXACT, Samples};

/// Most folds, which are held out one after the other; of more groups, those whose numbers are alike
/// modulo this are one fold.
pub const MOST_FOLDS: u32 = 10;

/// With fewer groups than this nothing is held out.
const FEWEST_GROUPS: u32 = 4;

/// At this many breaks by likelihood the search has reached its cap, and the curve is better shown
/// smooth.
const CAP: usize = MOST_BREAKS - 2;

/// The joint fits of a region for every number of breaks, and how many breaks it wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The fit with `m` breaks at index `m`; never empty, at most 65.
    pub fits: Vec<Fit>,
    /// The number of breaks chosen: the smaller of the following two.
    pub breaks: usize,
    /// The least `Σ n_c ln(RSS_c / n_c) + (C + 2) m ln n` over the C counters.
    pub by_likelihood: usize,
    /// The least `Σ n_c E_c(m) / min E_c`, E being the held-out error; `None` with fewer than four
    /// groups of instances.
    pub by_held_out: Option<usize>,
    /// Whether the likelihood wants more breaks than are tried: the rates are no steps.
    pub at_cap: bool,
}

/// A joint fit with a certain number of breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub knots: Knots,
    /// Residual sum of squares of each counter.
    pub residual_squares: Vec<f64>,
    /// For each counter, the sum of squared errors in each fold, where the fold is left out and the
    /// whole path, not only this fit, is searched without it; empty if nothing was held out.
    pub held_out: Vec<Vec<f64>>,
}

/// Finds the breaks that counters share, and how many there are.
///
/// The criterion counts for each break one value per counter and two for its place, as places are
/// searched for; of one counter it is `n ln RSS + 3 m ln n`. `groups` is the number of groups of
/// instances; a sample of a later group is never held out.
///
/// Without samples there are no breaks. O(n × folds) for the sums and some hundred solutions for
/// each fold: half a second for eleven counters with 28 000 samples in all.
///
/// Sources: Bai and Perron 2003 (criterion); Stone 1974, *Cross-validatory choice and assessment
/// of statistical predictions*, Journal of the Royal Statistical Society B 36.
pub fn choose(counters: &[Samples], groups: u32) -> Choice {
    let all = abreast(counters.len(), |of| Sums::new(counters[of].iter()));
    let fits = path(&all).into_iter().map(|solution| Fit {
        residual_squares: solution.counters.iter().map(|of| of.residual_squares).collect(),
        knots: Knots::found(solution.knots),
        held_out: Vec::new(),
    });
    let mut fits = fits.collect::<Vec<_>>();
    let counts = all.iter().map(|sums| sums.len() as f64).collect::<Vec<_>>();
    drop(all);
    let by_likelihood = by_likelihood(&fits, &counts);
    let by_held_out = (groups >= FEWEST_GROUPS).then(|| {
        hold_out(counters, groups, &mut fits);
        by_held_out(&fits, &counts)
    });
    let breaks = by_held_out.map_or(by_likelihood, |other| other.min(by_likelihood));
    Choice { fits, breaks, by_likelihood, by_held_out, at_cap: by_likelihood >= CAP }
}

fn by_likelihood(fits: &[Fit], counts: &[f64]) -> usize {
    let total = counts.iter().sum::<f64>().max(1.0);
    let per_break = (counts.len() + 2) as f64 * libm::log(total);
    let criterion = fits.iter().enumerate().map(|(breaks, fit)| {
        let counters = fit.residual_squares.iter().zip(counts).filter(|(_, n)| **n > 0.0);
        let likelihood = counters.map(|(rss, n)| n * libm::log(rss / n)).sum::<f64>();
        likelihood + per_break * breaks as f64
    });
    least(&criterion.collect::<Vec<_>>()).unwrap_or(0)
}

fn by_held_out(fits: &[Fit], counts: &[f64]) -> usize {
    let mut score = vec![0.0; fits.len()];
    for (counter, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0.0) {
        // Below that the difference between two fits is rounding.
        let error = |fit: &Fit| {
            let folds = fit.held_out.get(counter);
            folds.map_or(0.0, |folds| folds.iter().sum::<f64>().max(EXACT * n))
        };
        let best = fits.iter().map(error).fold(f64::INFINITY, f64::min);
        score.iter_mut().zip(fits).for_each(|(score, fit)| *score += n * error(fit) / best);
    }
    least(&score).unwrap_or(0)
}

/// Finds the held-out errors of every fit.
fn hold_out(counters: &[Samples], groups: u32, fits: &mut [Fit]) {
    for fit in fits.iter_mut() {
        fit.held_out = vec![Vec::new(); counters.len()];
    }
    for fold in 0..groups.min(MOST_FOLDS) {
        let is_held_out = |group: u32| group < groups && group % MOST_FOLDS == fold;
        let kept = counters
            .iter()
            .map(|samples| Sums::new(samples.iter().filter(|sample| !is_held_out(sample.group))));
        let without = path(&kept.collect::<Vec<_>>());
        let held_out = counters.iter().map(|samples| {
            samples.iter().filter(|sample| is_held_out(sample.group)).collect::<Vec<_>>()
        });
        let held_out = held_out.collect::<Vec<_>>();
        for (breaks, fit) in fits.iter_mut().enumerate() {
            let Some(solution) = without.get(breaks).or(without.last()) else { continue };
            let of_counters = held_out.iter().zip(&solution.counters);
            for ((held_out, of), errors) in of_counters.zip(&mut fit.held_out) {
                let values = rising(&solution.knots, &of.z);
                errors.push(squared_distance(held_out, &solution.knots, &values));
            }
        }
    }
}
