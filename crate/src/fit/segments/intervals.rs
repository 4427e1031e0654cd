use super::Samples;
use super::jackknife::Jackknife;
use super::refine::refine;
use super::sandwich::sandwich;
use super::solution::Solution;
use super::sums::Sums;
use super::values::Knots;

/// With fewer groups of instances nothing is said about how sure a fit is.
const FEWEST_GROUPS: usize = 4;

/// Steps over the places where a group is left out, from those of all samples.
const STEPS: usize = 8;

/// Where the breaks of a fit come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// From the samples: they would be elsewhere with others.
    Fitted,
    /// From a person: they stay, and are exact.
    Given,
}

/// Half widths of intervals in which truth lies 19 times out of 20.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    /// Of each counter the slope of each segment, in shares of its total per instance.
    pub slopes: Vec<Vec<f64>>,
    /// The place of each break, at most 1; 0 if the breaks are given.
    pub breaks: Vec<f64>,
    /// Of each counter the curve at each place of the grid, in shares of its total.
    pub curves: Vec<Vec<f64>>,
}

/// How sure the segments between `knots` are. `grid` rises from 0 to 1; `t` is the 97.5 %
/// quantile of Student's distribution with the degrees of freedom that it is given.
///
/// Of slopes and breaks the wider of two intervals is taken, as either alone covers too little now
/// and then: leaving each group out in turn and moving the breaks anew (jackknife), and linear
/// response to the residuals, summed up by instance (sandwich), so that samples of one instance do
/// not count as independent. Curves have that of the jackknife alone.
///
/// `None` with samples of fewer than four groups. O(groups × (n + counters × grid)).
///
/// Sources: Efron and Tibshirani 1993, *An Introduction to the Bootstrap*, §11.5 (jackknife);
/// Zeileis 2006, *Object-oriented computation of sandwich estimators*, Journal of Statistical
/// Software 16, and Liang and Zeger 1986, *Longitudinal data analysis using generalized linear
/// models*, Biometrika 73 (by instance).
pub fn intervals(
    counters: &[Samples],
    groups: u32,
    knots: &Knots,
    breaks: Breaks,
    grid: &[f64],
    t: &dyn Fn(f64) -> f64,
) -> Option<Intervals> {
    let all = counters.iter().map(|samples| Sums::new(samples.iter())).collect::<Vec<_>>();
    let full = Solution::at(&all, knots.places().to_vec());
    let mut jackknife = Jackknife::new(&full, grid);
    for group in 0..groups {
        let without = counters.iter().zip(&all).map(|(samples, all)| {
            let kept = samples.iter().filter(|sample| sample.group != group);
            let mut sums = Sums::new(kept);
            sums.precision = all.precision;
            sums
        });
        let without = without.collect::<Vec<_>>();
        if without.iter().zip(&all).all(|(without, all)| without.len() == all.len()) {
            continue;
        }
        let start = Solution::at(&without, full.knots.clone());
        jackknife.add(match breaks {
            Breaks::Fitted => refine(&without, start, STEPS),
            Breaks::Given => start,
        });
    }
    if jackknife.len() < FEWEST_GROUPS {
        return None;
    }
    let quantile = t((jackknife.len() - 1) as f64);
    let mut found = jackknife.half_widths(quantile);
    if let Some(linear) = sandwich(counters, &all, &full, breaks) {
        let quantile = t(linear.degrees);
        widen(&mut found.breaks, &linear.breaks, quantile);
        for (slopes, linear) in found.slopes.iter_mut().zip(&linear.slopes) {
            widen(slopes, linear, quantile);
        }
    }
    found.breaks.iter_mut().for_each(|width| *width = width.min(1.0));
    Some(found)
}

fn widen(widths: &mut [f64], deviations: &[f64], quantile: f64) {
    for (width, deviation) in widths.iter_mut().zip(deviations) {
        *width = width.max(quantile * deviation);
    }
}
