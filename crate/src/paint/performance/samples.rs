//! The samples of one counter: every sample against the fitted curve, as share of events minus
//! share of time, which shows what the rising curve itself hides.

use super::cloud::dots;
use crate::folding::{Cloud, Curve, Folding, Use};
use crate::order;
use crate::paint::View;
use crate::paint::mark::{Mark, Plotted, Sampled};
use crate::paint::scale::{Steps, multiples, tame};
use crate::paint::scene::{Frame, Lane, Layout, Pen, Strip};
use crate::paint::source::tints;
use crate::paint::time::{breaks, grid, ticks};

/// Room above and below the values, as a share of their span.
const ROOM: f64 = 0.2;

/// Px from one tick to the next, at least.
const STEP_PX: f64 = 48.0;

/// Shares are read in percent.
const PERCENT: f64 = 100.0;

/// The axis leaves out this share of the samples on either side, in parts.
const LEFT_OUT: usize = 100;

/// Px of the fitted curve's line.
pub const FITTED: f64 = 1.5;

/// Paints samples, axes, grid and the fitted curve of `view.counter`. With `over_image` a
/// [`cloud_image`](super::cloud_image) has painted the samples already; they still decide how far
/// the axis reaches.
pub fn samples(
    pen: &dyn Pen,
    folding: &Folding,
    view: &View,
    cloud: Option<&Cloud>,
    over_image: bool,
) -> Layout {
    let frame = Frame::of(view);
    let tokens = view.theme.tokens();
    let mut layout = frame.layout();
    if let Some((lane, curve)) = Lane::of(pen, folding, view).zip(alone(folding, view)) {
        let strip = strip(&frame, curve, cloud);
        if let Some(cloud) = cloud.filter(|_| !over_image) {
            dots(&lane, &strip, cloud);
        }
        tints(&lane, lane.rows());
        breaks(&lane, lane.rows());
        grid(&lane, &strip);
        let zero = libm::round(strip.y(0.0));
        pen.hair((frame.left, zero), (frame.right, zero), tokens.axis, 1.0);
        ticks(&lane, &strip, true);
        let fitted = Plotted { frame: &frame, strip: &strip, sampled: &ahead(curve) };
        fitted.band(pen, tokens.accent, tokens);
        fitted.line(pen, Mark::line(tokens.accent, FITTED));
        layout.strips.push(strip);
    }
    pen.frame((frame.left, 0.0), (frame.right, frame.height), tokens.line);
    layout
}

/// The curve that the view shows alone.
pub fn alone<'a>(folding: &'a Folding, view: &View) -> Option<&'a Curve> {
    folding.group(view.group)?.curve(view.counter.as_ref()?)
}

/// The axis of shares ahead, in percent: round the fitted curve and, if it is known, the middle
/// 98 % of the samples that it was fitted to.
pub fn strip(frame: &Frame, curve: &Curve, cloud: Option<&Cloud>) -> Strip {
    let (low, high) = ahead(curve).extremes();
    let (mut low, mut high) = (low.min(0.0), high.max(0.0));
    if let Some(cloud) = cloud {
        let used = cloud.x.iter().zip(&cloud.y).zip(&cloud.used).filter(|(_, u)| **u == Use::Used);
        let mut ahead: Vec<f64> = used.map(|((x, y), _)| tame(y - x)).collect();
        order::floats(&mut ahead);
        let edge = ahead.len() / LEFT_OUT;
        let least = ahead.get(edge).copied().unwrap_or(0.0);
        let most = ahead.get(ahead.len().saturating_sub(1 + edge)).copied().unwrap_or(0.0);
        (low, high) = (low.min(least), high.max(most));
    }
    let (low, high) = (low * PERCENT, high * PERCENT);
    let span = if high - low > 1e-9 { high - low } else { 1.0 };
    let (min, max) = (low - ROOM * span, high + ROOM * span);
    let least = (max - min) / (frame.height / STEP_PX).max(2.0);
    let (step, _) = multiples(min, max, least);
    let steps = Steps { min, step, count: 0 };
    Strip {
        unit: "% ahead".into(),
        max,
        factor: PERCENT,
        curves: vec![curve.counter.clone()],
        ..Strip::of((0.0, frame.height), steps, false)
    }
}

/// How far the events of a fitted curve are ahead of time, and how far that may be off.
fn ahead(curve: &Curve) -> Sampled<'static> {
    let steps = curve.fitted.len().saturating_sub(1).max(1) as f64;
    let ahead = |(j, share): (usize, &f64)| Some(share - j as f64 / steps);
    let values = curve.fitted.iter().enumerate().map(ahead).collect();
    Sampled { values, band: curve.fitted_band.clone(), jumps: &[] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;
    use crate::paint::scene::Svg;

    fn view() -> View {
        View { counter: Some("PAPI_TOT_INS".into()), ..example::view(976.0, 312.0) }
    }

    #[test]
    fn the_curve_is_the_share_of_events_minus_the_share_of_time() {
        let (folding, view) = (example::namd(), view());
        let svg = Svg::default();
        let layout = samples(&svg, &folding, &view, None, false);
        let strip = &layout.strips[0];
        let curve = alone(&folding, &view).unwrap();
        let svg = svg.elements();
        let line = svg.lines().find(|line| line.contains("<polyline")).unwrap();
        let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let drawn: Vec<Vec<f64>> = points
            .split_whitespace()
            .map(|pair| pair.split(',').map(|n| n.parse::<f64>().unwrap()).collect())
            .collect();
        assert_eq!(drawn.len(), curve.fitted.len());
        for (j, (point, fitted)) in drawn.iter().zip(&curve.fitted).enumerate() {
            let ahead = 100.0 * (fitted - j as f64 / (curve.fitted.len() - 1) as f64);
            let y = strip.bottom - (ahead - strip.min) / (strip.max - strip.min) * 312.0;
            assert!((point[1] - y).abs() < 0.1, "{j}: {} {y}", point[1]);
        }
    }

    #[test]
    fn the_band_lies_round_the_fitted_curve() {
        let (folding, view) = (example::namd(), view());
        let svg = Svg::default();
        let layout = samples(&svg, &folding, &view, None, false);
        let strip = &layout.strips[0];
        let curve = alone(&folding, &view).unwrap();
        let accent = crate::paint::scene::css(view.theme.tokens().accent);
        let corners = example::polygons(&svg.elements(), &accent).concat();
        for (j, (fitted, half_width)) in curve.fitted.iter().zip(&curve.fitted_band).enumerate() {
            let time = j as f64 / (curve.fitted.len() - 1) as f64;
            let x = Frame::of(&view).x(time);
            for share in [fitted - half_width, fitted + half_width] {
                let ahead = 100.0 * (share - time);
                let y = strip.bottom - (ahead - strip.min) / (strip.max - strip.min) * 312.0;
                let near = |c: &(f64, f64)| (c.0 - x).abs() < 0.01 && (c.1 - y).abs() < 0.01;
                assert!(corners.iter().any(near), "{j}: {x} {y}");
            }
        }
    }

    #[test]
    fn the_axis_holds_the_samples_that_the_curve_was_fitted_to() {
        let (folding, view) = (example::namd(), view());
        let curve = alone(&folding, &view).unwrap();
        let cloud = example::cloud();
        let strip = strip(&Frame::of(&view), curve, Some(&cloud));
        assert!(cloud.x.iter().zip(&cloud.y).all(|(x, y)| 100.0 * (y - x) < strip.max));
        assert_eq!(strip.factor, 100.0);
    }

    #[test]
    fn odd_foldings_are_painted() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let svg = Svg::default();
                samples(&svg, &folding, &view, Some(&example::cloud()), false);
                assert!(!svg.elements().contains("NaN"));
            }
        }
    }
}
