//! A counter of both runs in one plot: the rate of instructions, or what there is of another per instruction.

use plotters::style::RGBColor;

use super::{Compared, ComparedView, borders, breaks_inside, ground, in_both};
use crate::compare::CounterRow;
use crate::folding::Curve;
use crate::paint::mark::{Mark, Plotted};
use crate::paint::performance::Series;
use crate::paint::scale::Steps;
use crate::paint::scene::{Lane, Layout, Pen, Strip, Tokens};
use crate::paint::source::tints;
use crate::paint::time::{grid, ticks};
use crate::quantity::{Kind, Quantity};

/// Px of a curve.
const THICK: f64 = 2.0;

/// Room that a step of an axis needs, and the most steps.
const STEP_PX: f64 = 26.0;
const MOST_STEPS: f64 = 6.0;

/// Names of counters that can have the third lane: those that both runs count, without instructions. First the one whose
/// ratio changes most beyond doubt.
pub fn counters(compared: &Compared) -> Vec<String> {
    let [a, _] = &compared.groups;
    let curves = in_both(compared).into_iter().filter_map(|[at, _]| a.curves.get(at));
    let mut names =
        curves.filter(|curve| !curve.instructions).map(|of| of.counter.clone()).collect::<Vec<_>>();
    let far = |row: &CounterRow| libm::log(1.0 + row.change).abs();
    let changes = compared.comparison.sure_ratios();
    let most = changes.max_by(|(_, a), (_, b)| far(a).total_cmp(&far(b)));
    if let Some((_, most)) = most
        && let Some(at) = names.iter().position(|name| *name == most.counter)
    {
        names[..=at].rotate_right(1);
    }
    names
}

/// The curve of both that a lane shows, and what of it: instructions, or the counter asked for.
pub fn shown<'a>(compared: &'a Compared, counter: Option<&str>) -> Option<([&'a Curve; 2], Kind)> {
    let both = in_both(compared);
    let [a, b] = &compared.groups;
    let named = |[at, _]: &&[usize; 2]| counter.is_some_and(|name| a.curves[*at].counter == name);
    let [of_a, of_b] = match counter {
        Some(_) => *both.iter().find(named)?,
        None => *both.first()?,
    };
    let has_instructions = [a, b].iter().all(|group| group.instructions().is_some());
    let curves = [a.curves.get(of_a)?, b.curves.get(of_b)?];
    let is_ratio = has_instructions && !curves[0].instructions;
    Some((curves, if is_ratio { Kind::Ratio } else { Kind::Rate }))
}

/// The colours of A and B.
pub fn colours(tokens: &Tokens) -> [RGBColor; 2] {
    [tokens.ink, tokens.accent]
}

/// Paints a counter of both with the bands of what each run knows of itself: instructions, or `counter`.
pub fn curves(
    pen: &dyn Pen,
    compared: &Compared,
    view: &ComparedView,
    counter: Option<&str>,
) -> Layout {
    let (frame, plain, tokens) = (view.frame(), view.plain(), view.tokens());
    ground(pen, compared, view, &[0, 1]);
    let shown = shown(compared, counter);
    let mut layout = frame.layout();
    if let Some((curves, kind)) = shown {
        let series = [0, 1].map(|side| Series::of(&compared.groups[side], curves[side], kind));
        let largest = series[0].largest.max(series[1].largest);
        let quantity = series[0].quantity.clone().sized(largest);
        let strip = strip(quantity, largest, frame.height, counter.is_none());
        for lane in compared.lanes(0, pen, (&plain, frame)) {
            tints(&lane, (0.0, frame.height));
        }
        let whole = Lane { pen, frame, group: &compared.groups[0], view: &plain, tokens };
        grid(&whole, &strip);
        ticks(&whole, &strip, false);
        let colours = colours(tokens);
        for side in [0, 1] {
            for lane in compared.lanes(side, pen, (&plain, frame)) {
                let sampled = &series[side].sampled;
                let plotted = Plotted { frame: &lane.frame, strip: &strip, sampled };
                plotted.band(pen, colours[side], tokens);
                plotted.line(pen, Mark::line(colours[side], THICK));
            }
        }
        layout.strips.push(strip);
    }
    breaks_inside(pen, compared, view);
    borders(pen, compared, view);
    layout
}

/// An axis from 0 to the largest value; that of the rate is at the right, as everywhere.
fn strip(quantity: Quantity, largest: f64, height: f64, right: bool) -> Strip {
    let most = libm::round(height / STEP_PX).clamp(1.0, MOST_STEPS) as u32;
    let steps = Steps::from_zero(largest * quantity.factor, most);
    let (unit, factor) = (quantity.unit, quantity.factor);
    Strip { unit, factor, ..Strip::of((0.0, height), steps, right) }
}
