//! Where rates change, and the rates between.

use super::samples::Samples;
use super::spline::Spline;
use crate::fit;
use crate::fit::segments::{Breaks, Choice, Knots};
use crate::folding::{Break, Curve, PhaseRate};

/// What is shown of a group: shares per share of the region, not yet rates.
pub struct Shown {
    pub curves: Vec<Curve>,
    pub breaks: Vec<Break>,
}

/// Breaks of a smooth region are a summary: as few as leave at most this share of what a constant
/// rate misses, on average over the counters.
const SUMMARY_LEAVES: f64 = 0.1;

/// More phases than this summarise nothing.
const MOST_IN_SUMMARY: usize = 24;

/// The knots between the phases of a region whose curves are splines: a summary of them. `samples`
/// of a counter there are.
pub fn summary_knots(choice: &Choice, samples: f64) -> Knots {
    let most = most_phases(samples).min(MOST_IN_SUMMARY + 1);
    let breaks = summary(choice).filter(|breaks| *breaks < most);
    let fit = breaks.and_then(|breaks| choice.fits.get(breaks));
    fit.map_or_else(Knots::none, |fit| fit.knots.clone())
}

/// A phase of fewer samples than this, per counter, is none.
const FEWEST_SAMPLES: f64 = 20.0;

/// How many phases so many samples of a counter can tell apart, at least 1.
pub fn most_phases(samples: f64) -> usize {
    (samples / FEWEST_SAMPLES).max(1.0) as usize
}

fn summary(choice: &Choice) -> Option<usize> {
    let straight = &choice.fits.first()?.residual_squares;
    let left = |squares: &[f64]| {
        let shares = squares.iter().zip(straight).filter(|(_, all)| **all > 0.0);
        let (sum, count) =
            shares.fold((0.0, 0.0), |(sum, n), (own, all)| (sum + own / all, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    // What no number of breaks explains is noise, not shape.
    let noise = choice.fits.iter().map(|fit| left(&fit.residual_squares)).fold(1.0, f64::min);
    let enough = |squares: &[f64]| left(squares) - noise <= SUMMARY_LEAVES * (1.0 - noise);
    let few = choice.fits.iter().position(|fit| enough(&fit.residual_squares));
    few.map(|few| few.min(choice.by_likelihood))
}

/// Splines, and their mean rates between `knots`, whose breaks are so sure.
pub fn of_splines(
    splines: &[Spline],
    (knots, half_widths): (&Knots, &[f64]),
    grid: &[f64],
) -> Shown {
    let curve = |of: usize| {
        let spline = &splines[of];
        let fit::Curve { values, slopes } = spline.curve(grid);
        let band = spline.band(grid).unwrap_or_default();
        Curve {
            fitted: values,
            rate: slopes,
            fitted_band: band.values,
            rate_band: band.slopes,
            phases: spline.slopes_between(knots.places()).into_iter().map(phase_rate).collect(),
            ..Curve::default()
        }
    };
    let curves = fit::abreast(splines.len(), curve);
    let breaks = breaks(knots, half_widths, &curves);
    Shown { curves, breaks }
}

/// Straight segments between `knots`: those that were found may have lain elsewhere, and say by how
/// much; those that a person put lie where they are.
pub fn of_segments(
    samples: &[Samples],
    groups: u32,
    (knots, put): (&Knots, Breaks),
    grid: &[f64],
) -> Shown {
    let slices = samples.iter().map(Samples::slices).collect::<Vec<_>>();
    let quantile = |degrees: f64| fit::student_quantile(degrees as usize);
    let sure = fit::segments::intervals(&slices, groups, knots, put, grid, &quantile);
    let mut curves = Vec::with_capacity(samples.len());
    for (index, samples) in slices.iter().enumerate() {
        let values = knots.values(samples);
        let slopes = slopes(knots, &values);
        let half_widths = match &sure {
            Some(sure) => sure.slopes[index].clone(),
            None => vec![0.0; slopes.len()],
        };
        let segment = |x: &f64| knots.breaks().partition_point(|at| at <= x);
        let of_segment = |of: &[f64]| grid.iter().map(|x| of[segment(x)]).collect::<Vec<_>>();
        curves.push(Curve {
            fitted: knots.line(&values, grid),
            rate: of_segment(&slopes),
            fitted_band: sure.as_ref().map_or_else(Vec::new, |sure| sure.curves[index].clone()),
            rate_band: sure.as_ref().map_or_else(Vec::new, |_| of_segment(&half_widths)),
            phases: slopes.into_iter().zip(half_widths).map(phase_rate).collect(),
            ..Curve::default()
        });
    }
    let half_widths = match sure {
        Some(found) => found.breaks,
        None => vec![0.0; knots.breaks().len()],
    };
    let breaks = breaks(knots, &half_widths, &curves);
    Shown { curves, breaks }
}

fn phase_rate((rate, half_width): (f64, f64)) -> PhaseRate {
    PhaseRate { rate, half_width }
}

fn slopes(knots: &Knots, values: &[f64]) -> Vec<f64> {
    let segments = knots.places().windows(2).zip(values.windows(2));
    segments.map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0])).collect()
}

/// The breaks, and which counters change there by more than both intervals allow.
fn breaks(knots: &Knots, half_widths: &[f64], curves: &[Curve]) -> Vec<Break> {
    let changes = |curve: &Curve, place: usize| match curve.phases.get(place..place + 2) {
        Some([before, after]) => {
            let (e, f) = (before.half_width, after.half_width);
            (after.rate - before.rate).abs() > (e * e + f * f).sqrt()
        }
        _ => false,
    };
    let found = knots.breaks().iter().zip(half_widths).enumerate();
    let found = found.map(|(place, (&at, &half_width))| Break {
        at,
        half_width,
        changed: (0..).zip(curves).filter(|(_, c)| changes(c, place)).map(|(at, _)| at).collect(),
        by_hand: false,
        site: String::new(),
    });
    found.collect()
}
