//! The difference of both rates, with how sure it is.

use plotters::style::RGBColor;

use super::curves::shown;
use super::{Compared, ComparedView, borders, breaks_inside, ground};
use crate::compare::{Difference, Differing};
use crate::folding::CurveKind;
use crate::order;
use crate::paint::performance::Series;
use crate::paint::scale::{STEPS, steps_from};
use crate::paint::scene::{Frame, Lane, Layout, Pen, Place, Strip, Stroke, Tokens};
use crate::paint::time::{grid, ticks};

/// Px of the line, and from one place that is looked at to the next.
const THICK: f64 = 1.5;
const LOOK: f64 = 1.0;

/// Opacity of what is surely higher or lower, of what is not, and of the bands: of these runs, and of the
/// program.
const SURE: f64 = 0.55;
const UNSURE: f64 = 0.28;
const BANDS: [f64; 2] = [0.2, 0.1];

/// Splines have so many independent places in a region of their resolution.
const PLACES: f64 = 2.83;

/// The axis holds this share of the bands.
const USUAL: f64 = 0.95;

/// Room that a step of the axis needs.
const STEP_PX: f64 = 22.0;

/// The difference at a place.
#[derive(Clone, Copy, Debug)]
struct At {
    x: f64,
    of: Difference,
}

impl At {
    /// Of these runs, and of the program.
    fn half_widths(&self) -> [f64; 2] {
        [self.of.within, self.of.half_width]
    }
}

/// What lies between two borders, in order.
type Run = Vec<At>;

/// Paints B less A of the rate of instructions, else of the first counter: coloured where it is surely other
/// than zero, and by more than matters.
pub fn difference(pen: &dyn Pen, compared: &Compared, view: &ComparedView) -> Layout {
    let (frame, plain, tokens) = (view.frame(), view.plain(), view.tokens());
    ground(pen, compared, view, &[0, 1]);
    let mut layout = frame.layout();
    if let Some((runs, unit, factor)) = runs(compared, &frame) {
        let strip = Strip { unit, ..strip(&runs, factor, frame.height) };
        let whole = Lane { pen, frame, group: &compared.groups[0], view: &plain, tokens };
        grid(&whole, &strip);
        ticks(&whole, &strip, true);
        runs.iter().for_each(|run| paint(pen, &strip, tokens, run));
        let zero = strip.y(0.0);
        pen.hair((frame.left, zero), (frame.right, zero), tokens.axis, 1.0);
        layout.strips.push(strip);
    }
    breaks_inside(pen, compared, view);
    borders(pen, compared, view);
    layout
}

/// The difference where both runs are, its unit and factor.
fn runs(compared: &Compared, frame: &Frame) -> Option<(Vec<Run>, String, f64)> {
    let (curves, kind) = shown(compared, None)?;
    let of = [0, 1].map(|side| Series::of(&compared.groups[side], curves[side], kind));
    let quantity = of[0].quantity.clone().sized(of[0].largest.max(of[1].largest));
    // At one moment of many: as many as there are phases, or places that a spline can tell apart.
    let places = match compared.groups[0].fit.kind {
        CurveKind::Spline => 1.0 / (PLACES * curves[0].resolution.max(0.01)),
        _ => compared.comparison.phases.len() as f64,
    };
    let mean = (of[0].mean + of[1].mean) / 2.0;
    let by = Differing { places, least: compared.least * mean };
    let look = |x: f64, times: [Option<f64>; 2]| {
        let [a, b] = [0, 1].map(|side| of[side].sampled.point(times[side]?));
        let [a, b] = [a?, b?].map(|at| [at.value, at.half_width]);
        Some(At { x, of: compared.comparison.difference(a, b, by) })
    };
    let mut runs = Vec::new();
    for (piece, at) in compared.visible(*frame).filter(|(piece, _)| !piece.of.contains(&None)) {
        let [left, right] = at.map(|at| frame.x(at));
        let count = libm::ceil((right - left) / LOOK).max(1.0) as usize;
        // A little inside: at a border the next phase begins.
        let inside = |k: usize| {
            let share = (k as f64 / count as f64).clamp(1e-6, 1.0 - 1e-6);
            at[0] + (at[1] - at[0]) * share
        };
        let x = |k: usize| left + (right - left) * k as f64 / count as f64;
        runs.push((0..=count).filter_map(|k| look(x(k), piece.times(inside(k)))).collect());
    }
    Some((runs, quantity.unit, quantity.factor))
}

/// An axis that holds the difference, and most of the bands of the program: near a border nothing is sure.
fn strip(runs: &[Run], factor: f64, height: f64) -> Strip {
    let ends = |sign: f64| {
        let all = runs.iter().flatten();
        let mut ends = all.map(|at| sign * at.of.value + at.of.half_width).collect::<Vec<_>>();
        order::floats(&mut ends);
        let usual = ends.get((ends.len() as f64 * USUAL) as usize).copied().unwrap_or(0.0);
        let most = runs.iter().flatten().map(|at| sign * at.of.value).fold(0.0, f64::max);
        usual.max(most) * factor
    };
    let (low, high) = (ends(-1.0), ends(1.0));
    let span = if low + high > 0.0 { low + high } else { 1.0 };
    let most = (height / STEP_PX).clamp(2.0, 8.0);
    let step = steps_from(span / most, STEPS).next().unwrap_or(span);
    let (below, above) = (libm::ceil(low * 1.05 / step), libm::ceil(high * 1.05 / step));
    let (min, max) = (-below * step, above.max(if below > 0.0 { 0.0 } else { 1.0 }) * step);
    Strip {
        top: 0.0,
        bottom: height,
        unit: String::new(),
        min,
        max,
        step,
        factor,
        curves: vec![],
        right: true,
    }
}

fn paint(pen: &dyn Pen, strip: &Strip, tokens: &Tokens, run: &Run) {
    let zero = strip.y(0.0);
    for (at, opacity) in BANDS.into_iter().enumerate().rev() {
        let edge = |sign: f64| {
            run.iter().map(move |of| (of.x, strip.y(of.of.value + sign * of.half_widths()[at])))
        };
        let mut corners = edge(1.0).collect::<Vec<_>>();
        corners.extend(edge(-1.0).rev());
        pen.shape(&corners, tokens.ink, opacity);
    }
    let colour = |at: &At| -> (RGBColor, f64) {
        match (at.of.is_sure, at.of.value > 0.0) {
            (true, true) => (tokens.accent, SURE),
            (true, false) => (tokens.slower, SURE),
            _ => (tokens.ink3, UNSURE),
        }
    };
    let place = |at: &At| -> Place { (at.x, strip.y(at.of.value)) };
    let mut rest = &run[..];
    while let Some(first) = rest.first() {
        let look = colour(first);
        let same = rest.iter().take_while(|at| colour(at) == look).count();
        // Up to where the next begins.
        let part = &rest[..(same + 1).min(rest.len())];
        let mut corners = part.iter().map(place).collect::<Vec<_>>();
        if let (Some(&(first, _)), Some(&(last, _))) = (corners.first(), corners.last()) {
            corners.extend([(last, zero), (first, zero)]);
            pen.shape(&corners, look.0, look.1);
        }
        rest = &rest[same..];
    }
    pen.line(&run.iter().map(place).collect::<Vec<_>>(), Stroke::solid(tokens.ink, THICK));
}
