//! The samples of one counter: every sample against the fitted curve, as share of events minus
//! share of time, which shows what the rising curve itself hides.

use super::axis::{grid, ticks};
use super::layout::{Frame, Layout, Strip};
use super::pen::{Pen, Stroke};
use super::scale::{multiples, tame};
use super::source::tints;
use super::surface::Surface;
use super::{Painted, View};
use crate::order;
use crate::result::{Cloud, Curve, Folding, Use};

/// Room above and below the values, as a share of their span.
const ROOM: f64 = 0.2;

/// Px from one tick to the next, at least.
const STEP_PX: f64 = 48.0;

/// Paints axes, grid and the fitted curve of `view.counter`. The cloud is drawn by the caller
/// before, by [`cloud_image`](super::cloud_image): it lies under the curve. Given here it decides
/// how far the axis reaches.
pub fn samples(
    surface: &mut dyn Surface,
    folding: &Folding,
    view: &View,
    cloud: Option<&Cloud>,
) -> Painted<Layout> {
    let frame = Frame::of(view);
    let tokens = view.theme.tokens();
    let pen = Pen::new(surface, &frame);
    let mut layout = Layout { plot: frame.plot(), strips: Vec::new() };
    let found = alone(folding, view);
    if let (Some(group), Some(curve)) = (folding.group(view.group), found) {
        let strip = strip(&frame, curve, cloud);
        tints(&pen, &frame, group, tokens, (0.0, frame.height))?;
        grid(&pen, &frame, &strip, tokens)?;
        let zero = libm::round(strip.y(0.0));
        pen.hair((frame.left, zero), (frame.right, zero), tokens.axis, 1.0)?;
        ticks(&pen, &frame, &strip, tokens, true)?;
        let points: Vec<_> =
            visible(&frame, curve).into_iter().map(|(t, d)| (frame.x(t), strip.y(d))).collect();
        if !points.is_empty() {
            pen.line(&points, Stroke::solid(tokens.accent, 1.5))?;
        }
        layout.strips.push(strip);
    }
    pen.frame((frame.left, 0.0), (frame.right, frame.height), tokens.line)?;
    pen.done()?;
    Ok(layout)
}

/// The curve that the view shows alone.
pub fn alone<'a>(folding: &'a Folding, view: &View) -> Option<&'a Curve> {
    let counter = view.counter.as_ref()?;
    folding.group(view.group)?.curves.iter().find(|curve| curve.counter == *counter)
}

/// The axis of shares ahead, in percent: round the fitted curve and, if it is known, the middle
/// 98 % of the samples that it was fitted to.
pub fn strip(frame: &Frame, curve: &Curve, cloud: Option<&Cloud>) -> Strip {
    let (mut low, mut high) = (0.0_f64, 0.0_f64);
    for (_, ahead) in grid_points(curve) {
        (low, high) = (low.min(ahead), high.max(ahead));
    }
    if let Some(cloud) = cloud {
        let used = cloud.x.iter().zip(&cloud.y).zip(&cloud.used).filter(|(_, u)| **u == Use::Used);
        let mut ahead: Vec<f64> = used.map(|((x, y), _)| tame(y - x)).collect();
        order::floats(&mut ahead);
        let edge = ahead.len() / 100;
        let least = ahead.get(edge).copied().unwrap_or(0.0);
        let most = ahead.get(ahead.len().saturating_sub(1 + edge)).copied().unwrap_or(0.0);
        (low, high) = (low.min(least), high.max(most));
    }
    let (low, high) = (low * 100.0, high * 100.0);
    let span = if high - low > 1e-9 { high - low } else { 1.0 };
    let (min, max) = (low - ROOM * span, high + ROOM * span);
    let least = (max - min) / (frame.height / STEP_PX).max(2.0);
    let (step, _) = multiples(min, max, least);
    let curves = vec![curve.counter.clone()];
    let (top, bottom) = (0.0, frame.height);
    Strip { top, bottom, unit: "% ahead", min, max, step, factor: 100.0, curves, right: false }
}

/// Folded time and how far the events are ahead of it, at each grid point.
fn grid_points(curve: &Curve) -> impl Iterator<Item = (f64, f64)> {
    let steps = curve.fitted.len().saturating_sub(1).max(1) as f64;
    curve.fitted.iter().enumerate().map(move |(j, &share)| {
        let time = j as f64 / steps;
        (time, tame(share - time))
    })
}

/// The curve in view: grid points, and at both ends the point between two of them.
fn visible(frame: &Frame, curve: &Curve) -> Vec<(f64, f64)> {
    let points: Vec<_> = grid_points(curve).collect();
    let crossing = |at: f64| {
        let pair = points.windows(2).find(|pair| matches!(pair, [a, b] if a.0 < at && at < b.0))?;
        let [a, b] = pair else { return None };
        Some((at, a.1 + (b.1 - a.1) * (at - a.0) / (b.0 - a.0)))
    };
    let inside = points.iter().copied().filter(|(time, _)| (frame.from..=frame.to).contains(time));
    crossing(frame.from).into_iter().chain(inside).chain(crossing(frame.to)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::{self, Drawing};

    fn view() -> View {
        View { counter: Some("PAPI_TOT_INS".into()), ..example::view(976.0, 312.0) }
    }

    #[test]
    fn the_curve_is_the_share_of_events_minus_the_share_of_time() {
        let (folding, view) = (example::namd(), view());
        let mut svg = Drawing::new(&view);
        let layout = samples(&mut svg.backend(), &folding, &view, None).unwrap();
        let strip = &layout.strips[0];
        let curve = alone(&folding, &view).unwrap();
        let svg = svg.text();
        let line = svg.lines().find(|line| line.contains("<polyline")).unwrap();
        let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let drawn: Vec<Vec<f64>> = points
            .split_whitespace()
            .map(|pair| pair.split(',').map(|n| n.parse::<f64>().unwrap() / 8.0).collect())
            .collect();
        assert_eq!(drawn.len(), curve.fitted.len());
        for (j, (point, fitted)) in drawn.iter().zip(&curve.fitted).enumerate() {
            let ahead = 100.0 * (fitted - j as f64 / (curve.fitted.len() - 1) as f64);
            let y = strip.bottom - (ahead - strip.min) / (strip.max - strip.min) * 312.0;
            assert!((point[1] - y).abs() < 0.1, "{j}: {} {y}", point[1]);
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
                let mut svg = Drawing::new(&view);
                samples(&mut svg.backend(), &folding, &view, Some(&example::cloud())).unwrap();
                assert!(!svg.text().contains("NaN"));
            }
        }
    }
}
