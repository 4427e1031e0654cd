//! The performance lane: the rate of instructions and every other counter per instruction, in
//! strips; or one counter alone, its rate; or a model.

use plotters::style::RGBColor;

use super::model::model;
use super::parts::asked;
use super::shown::Shown;
use super::strips::strips;
use crate::folding::Folding;
use crate::paint::View;
use crate::paint::mark::{Label, Mark, Plotted, Room, Track, on_break};
use crate::paint::picked::FAINT;
use crate::paint::scale::number;
use crate::paint::scene::{Anchor, Face, Frame, Lane, Layout, Pen, Strip, Stroke};
use crate::paint::source::tints;
use crate::paint::time::{TICK, break_places, breaks, grid, ticks};

/// Px of the rate's line.
pub const RATE: f64 = 2.0;

/// Px of the lines of all others.
pub const OTHER: f64 = 1.5;

/// Opacity of the hatching over too few samples.
const SPARSE: f64 = 0.75;

/// The line of a mean: lengths of dash and gap.
const MEAN: &[f64] = &[4.0, 3.0];

/// The label of a mean: how far its letters reach above and below their base line, px that curves
/// leave free round it, px to the right edge, from one place that is tried to the next and how many
/// there are, and px from the line to base lines below and above it.
const MEAN_ROWS: (f64, f64) = (9.0, 3.0);
const MEAN_CLEAR: f64 = 3.0;
const MEAN_EDGE: f64 = 6.0;
const MEAN_STEP: f64 = 8.0;
const MEAN_PLACES: u32 = 500;
const MEAN_BASES: [f64; 2] = [14.0, -5.0];

/// The mark of an axis that does not begin at 0: px right of its end, and up.
const ZIGZAG: [(f64, f64); 6] =
    [(0.0, 0.0), (0.0, -3.0), (4.0, -5.0), (-4.0, -9.0), (0.0, -11.0), (0.0, -14.0)];

/// Paints the strips, with `view.counter` its rate, or with `view.model` its components.
pub fn performance(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let mut layout = Frame::of(view).layout();
    let Some(lane) = Lane::of(pen, folding, view) else { return layout };
    if let Some(modelled) = asked(folding, view) {
        layout.strips = model(&lane, modelled);
    } else {
        let shown = Shown::of(lane.group, view);
        layout.strips = strips(&lane.frame, &shown);
        for strips in layout.strips.chunk_by(|a, b| a.top == b.top) {
            panel(&lane, &shown, strips);
        }
    }
    layout
}

/// Hatching where there are too few samples.
pub fn hatching(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    for (left, right) in lane.group.sparse.iter().filter_map(|&[from, to]| lane.span(from, to)) {
        sparse(lane.tokens.ink3).draw(lane.pen, &[(left, top), (right, bottom)]);
    }
}

/// The mark of too few samples.
pub fn sparse(colour: RGBColor) -> Mark {
    Mark::Hatch { colour, opacity: SPARSE }
}

/// The axes that share a rectangle, with their curves.
fn panel(lane: &Lane<'_>, shown: &Shown<'_>, strips: &[Strip]) {
    let Some(first) = strips.first() else { return };
    let &Lane { pen, frame, tokens, .. } = lane;
    let rows = (first.top, first.bottom);
    tints(lane, rows);
    hatching(lane, rows);
    breaks(lane, rows);
    grid(lane, first);
    pen.frame((frame.left, first.top), (frame.right, first.bottom), tokens.line);
    for strip in strips {
        ticks(lane, strip, false);
    }
    if shown.alone {
        return alone(lane, shown, first);
    }
    let mut curves = Vec::new();
    for strip in strips {
        let series = strip.curves.iter().filter_map(|counter| shown.series(counter));
        curves.extend(series.map(|series| (strip, series, series.on(&frame, strip))));
    }
    for (_, series, plotted) in &curves {
        plotted.band(pen, series.colour, tokens);
    }
    // The rate is drawn last, over the others, and named first.
    for (strip, series, plotted) in &curves {
        plotted.line(pen, series.mark(if strip.right { RATE } else { OTHER }));
    }
    dim(lane, rows);
    let named = curves.iter().rev().map(|(_, series, plotted)| {
        let face = Face::bold(TICK, tokens.readable(series.colour));
        (series.quantity.name.to_string(), face, plotted.track())
    });
    names(lane, rows, named.collect());
}

/// What was picked was not sampled everywhere: elsewhere the curves are faint.
fn dim(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    for [from, to] in lane.view.matched.iter().flat_map(|matched| matched.absent()) {
        if let Some((left, right)) = lane.span(from, to) {
            lane.pen.fill((left, top), (right, bottom), lane.tokens.surface, 1.0 - FAINT);
        }
    }
}

/// Writes the names of curves beside them, those that find a place; gives where they stand, and the
/// curves.
pub fn names(
    lane: &Lane<'_>,
    rows: (f64, f64),
    named: Vec<(String, Face, Track)>,
) -> (Vec<Label>, Vec<Track>) {
    let breaks = break_places(&lane.frame, lane.group);
    let room = Room { frame: &lane.frame, rows, breaks: &breaks };
    let (texts, curves): (Vec<_>, Vec<_>) = named
        .into_iter()
        .map(|(name, face, track)| {
            let wide = face.width(&name);
            ((name, face), (track, wide))
        })
        .unzip();
    let mut labels = Vec::new();
    for ((name, face), label) in texts.iter().zip(room.place(&curves)) {
        labels.extend(label.inspect(|label| write(lane, label, name, *face)));
    }
    (labels, curves.into_iter().map(|(track, _)| track).collect())
}

/// Writes a name where it stands.
pub fn write(lane: &Lane<'_>, label: &Label, name: &str, face: Face) {
    let at = (label.x, label.base());
    lane.pen.text_on(at, Anchor::Start, name, face, lane.tokens.surface);
}

/// One counter's rate, with its mean dashed and a mark where the axis leaves out values.
fn alone(lane: &Lane<'_>, shown: &Shown<'_>, strip: &Strip) {
    let &Lane { pen, frame, tokens, .. } = lane;
    let Some(series) = &shown.rate else { return };
    let plotted = series.on(&frame, strip);
    let mean = series.mean();
    let on_axis = (strip.min..=strip.max).contains(&(mean * strip.factor));
    let stroke = Stroke::solid(tokens.axis, 1.0);
    if on_axis {
        let y = libm::round(strip.y(mean)) + 0.5;
        pen.dashed(&[(frame.left, y), (frame.right, y)], stroke, MEAN);
    }
    if strip.min > 0.0 {
        pen.line(&ZIGZAG.map(|(dx, dy)| (frame.right - 0.5 + dx, strip.bottom + dy)), stroke);
    }
    plotted.band(pen, series.colour, tokens);
    plotted.line(pen, series.mark(RATE));
    if on_axis {
        mean_label(lane, strip, mean, &plotted);
    }
}

/// `mean 4 102` below or above its line, as far right as the curve leaves room.
fn mean_label(lane: &Lane<'_>, strip: &Strip, mean: f64, plotted: &Plotted<'_>) {
    let frame = &lane.frame;
    let shown = mean * strip.factor;
    let places = if strip.step < 1.0 { 3 } else { usize::from(shown < 100.0) };
    let text = format!("mean {}", number(shown, places));
    let face = Face::plain(TICK, lane.tokens.ink3);
    let wide = face.width(&text);
    let (track, y) = (plotted.track(), strip.y(mean));
    let breaks = break_places(frame, lane.group);
    let free = |&(x, base): &(f64, f64)| {
        let (top, bottom) = (base - MEAN_ROWS.0, base + MEAN_ROWS.1);
        let inside = top > strip.top && bottom < strip.bottom && x > frame.left;
        let clear = !breaks.iter().any(|&at| on_break(x, wide, at));
        inside && clear && track.clear(frame, (x, wide), (top, bottom)) >= MEAN_CLEAR
    };
    let last = frame.right - MEAN_EDGE - wide;
    let from_right = (0..MEAN_PLACES).map(|k| last - MEAN_STEP * f64::from(k));
    let mut places = from_right.flat_map(|x| MEAN_BASES.map(|down| (x, y + down)));
    if let Some(at) = places.find(free) {
        lane.pen.text(at, Anchor::Start, &text, face);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::{self, polylines};
    use crate::paint::scene::Svg;

    fn check_curves(view: &View) {
        let folding = example::namd();
        let group = folding.group(1).unwrap();
        let shown = Shown::of(group, view);
        let svg = Svg::default();
        let layout = performance(&svg, &folding, view);
        let svg = svg.elements();
        let frame = Frame::of(view);
        for strip in &layout.strips {
            for counter in &strip.curves {
                let series = shown.all().find(|s| s.curve.counter == *counter).unwrap();
                let drawn = polylines(&svg, &crate::paint::scene::css(series.colour)).concat();
                assert!(drawn.len() > 50, "{counter}: {}", drawn.len());
                for (x, y) in drawn {
                    // Places are rounded to 1/100 px.
                    let near = [-0.005, 0.0, 0.005].map(|dx| {
                        let value = series.at(frame.time(x + dx)).unwrap() * strip.factor;
                        strip.bottom
                            - (value - strip.min) / (strip.max - strip.min)
                                * (strip.bottom - strip.top)
                    });
                    let least = near.into_iter().fold(f64::INFINITY, f64::min) - 0.1;
                    let most = near.into_iter().fold(0.0, f64::max) + 0.1;
                    assert!((least..most).contains(&y), "{counter} at {x}: {y}, expected {near:?}");
                }
            }
        }
    }

    #[test]
    fn every_curve_lies_where_its_numbers_say() {
        let view = example::view(976.0, 414.0);
        check_curves(&view);
        check_curves(&View { from: 0.31, to: 0.47, ..view.clone() });
        check_curves(&View { left: 32.0, right: 50.0, ..example::view(400.0, 250.0) });
        check_curves(&View { counter: Some("PAPI_TOT_INS".into()), ..view });
    }

    #[test]
    fn no_tick_or_unit_meets_another() {
        for folding in [example::namd(), example::odd().swap_remove(4)] {
            for height in (10..450).step_by(7) {
                let view = example::view(976.0, f64::from(height));
                let svg = Svg::default();
                performance(&svg, &folding, &view);
                let svg = svg.elements();
                for anchor in ["end", "start"] {
                    let texts = example::texts(&svg, anchor);
                    let mut rows: Vec<f64> =
                        texts.iter().filter(|t| t.0 < 112.0 || t.0 > 908.0).map(|t| t.1).collect();
                    rows.sort_by(f64::total_cmp);
                    assert!(
                        rows.windows(2).all(|w| w[1] - w[0] >= 11.5),
                        "{height} {anchor} {rows:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_hidden_counter_is_not_drawn() {
        let (folding, view) = (example::namd(), example::view(976.0, 414.0));
        let colour = crate::paint::legend(&folding, &view)[0].colour.clone();
        let hidden = View { hidden: vec!["PAPI_TOT_CYC".into()], ..view.clone() };
        for (view, drawn) in [(view, true), (hidden, false)] {
            let svg = Svg::default();
            performance(&svg, &folding, &view);
            assert_eq!(!polylines(&svg.elements(), &colour).is_empty(), drawn);
        }
    }

    #[test]
    fn odd_foldings_are_painted_without_a_number_that_is_none() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let svg = Svg::default();
                let layout = performance(&svg, &folding, &view);
                let svg = svg.elements();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{view:?}");
                for strip in layout.strips {
                    assert!(strip.max > strip.min && strip.bottom > strip.top, "{strip:?}");
                    assert!(strip.max.is_finite() && strip.step > 0.0, "{strip:?}");
                }
            }
        }
    }
}
