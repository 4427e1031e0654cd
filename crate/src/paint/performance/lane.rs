//! The performance lane: the rate of instructions and every other counter per instruction, in
//! strips; or one counter alone, its rate; or a model.

use plotters::style::RGBColor;

use super::model::{asked, components};
use super::series::Series;
use super::shown::{About, Shown};
use super::strips::{height_of, held, strips};
use crate::folding::Folding;
use crate::paint::View;
use crate::paint::mark::{Label, Mark, Plotted, Room, Track, on_break};
use crate::paint::picked::FAINT;
use crate::paint::scale::number;
use crate::paint::scene::{
    Anchor, Face, Frame, Lane, Layout, Pen, Strip, Stroke, elide_end, printable,
};
use crate::paint::source::tints;
use crate::paint::time::{TICK, break_places, breaks, grid, ticks};

/// Px of the rate's line.
pub const RATE: f64 = 2.0;

/// Px of the lines of all others.
pub const OTHER: f64 = 1.5;

/// What a curve of all threads is called where another is of those that compute, px of its line, and
/// lengths of its dash and gap.
const WITH_WAITING: &str = "with waiting";
const WAITING: f64 = 1.0;
const WAITING_DASH: &[f64] = &[3.0, 3.0];

/// Opacity of an area, and px of its upper edge.
pub const AREA: f64 = 0.55;
const EDGE: f64 = 1.0;

/// What stands in a strip that is held, and px to it from the left and down to its base line.
const AWAITED: &str = "Deciding which counters move with cycles per instruction…";
const HELD: (f64, f64) = (8.0, 16.0);

/// Longest name of a curve beside it, in px and as a share of the plot.
const NAME: (f64, f64) = (160.0, 0.3);

/// Opacity of the hatching over too few samples.
const SPARSE: f64 = 0.75;

/// The mark of a curve that leaves the axis: half its width and its height in px.
const CLIP: (f64, f64) = (4.0, 6.0);

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
    let shown = match asked(folding, view) {
        Some(modelled) => components(lane.group, &modelled, lane.tokens),
        None => Shown::of(lane.group, view),
    };
    layout.strips = strips(&lane.frame, &shown);
    if let Some(rows) = held(&lane.frame, &shown) {
        place_held(&lane, rows);
    }
    for strips in layout.strips.chunk_by(|a, b| a.top == b.top) {
        panel(&lane, &shown, strips);
    }
    layout
}

/// Height in px at which all that `view` asks for can be read, however much it is; of the view's own height
/// it is nothing.
pub fn comfortable(folding: &Folding, view: &View) -> f64 {
    let view = &View { height: f64::MAX, ..view.clone() };
    let Some(group) = folding.group(view.group) else { return height_of(1, 1) };
    let shown = match asked(folding, view) {
        Some(modelled) => components(group, &modelled, view.theme.tokens()),
        None => Shown::of(group, view),
    };
    let all = shown.series.iter().map(|(strip, _)| strip + 1).max().unwrap_or(1);
    height_of(shown.visible_strips().len(), all)
}

/// The frame of a strip whose curves are not decided yet, and what is waited for.
fn place_held(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    let &Lane { pen, frame, tokens, .. } = lane;
    tints(lane, (top, bottom));
    pen.frame((frame.left, top), (frame.right, bottom), tokens.line);
    let at = (frame.left + HELD.0, top + HELD.1);
    let words = elide_end(AWAITED, frame.right - frame.left - 2.0 * HELD.0, TICK, false);
    pen.text(at, Anchor::Start, &words, Face::plain(TICK, tokens.ink3));
}

/// Hatching where there are too few samples.
fn hatching(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    for (left, right) in lane.group.sparse.iter().filter_map(|&[from, to]| lane.span(from, to)) {
        sparse(lane.tokens.ink3).draw(lane.pen, &[(left, top), (right, bottom)]);
    }
}

/// The mark of too few samples.
pub fn sparse(colour: RGBColor) -> Mark {
    Mark::Hatch { colour, opacity: SPARSE }
}

/// A curve where it lies.
type Drawn<'a> = (&'a Series<'a>, Plotted<'a>);

/// The axes that share a rectangle, with their curves.
fn panel(lane: &Lane<'_>, shown: &Shown<'_>, strips: &[Strip]) {
    let Some(first) = strips.first() else { return };
    let &Lane { pen, frame, tokens, .. } = lane;
    let rows = (first.top, first.bottom);
    let curves: Vec<Drawn> = shown
        .all()
        .filter_map(|series| {
            let mut strips = strips.iter().filter(|strip| strip.right == series.right);
            let strip = strips.find(|strip| strip.has(series.key))?;
            Some((series, series.on(&lane.frame, strip)))
        })
        .collect();
    let is_model = shown.about == About::Model;
    let line = |(series, plotted): &Drawn| {
        let width = match (series.area, series.colour == tokens.ink) {
            (true, _) => EDGE,
            (false, true) => RATE,
            (false, false) => OTHER,
        };
        plotted.line(pen, series.mark(width));
    };
    let band = |(series, plotted): &Drawn| plotted.band(pen, series.colour, tokens);
    let waiting = curves.iter().filter_map(|(series, plotted)| {
        let sampled = series.with_waiting.as_ref()?;
        Some(Plotted { sampled, ..*plotted })
    });
    let waiting = waiting.collect::<Vec<_>>();

    tints(lane, rows);
    if is_model {
        grid(lane, first);
        areas(lane, &curves);
    }
    hatching(lane, rows);
    breaks(lane, rows);
    if !is_model {
        grid(lane, first);
    }
    pen.frame((frame.left, first.top), (frame.right, first.bottom), tokens.line);
    for strip in strips {
        ticks(lane, strip, false);
    }
    clips(lane, &curves);
    let stroke = Stroke::solid(tokens.ink3, WAITING);
    let of_all = Mark::Line { stroke, dash: WAITING_DASH };
    waiting.iter().for_each(|plotted| plotted.line(pen, of_all));
    match shown.about {
        About::Alone => return alone(lane, &curves, first),
        About::Model => curves.iter().for_each(|curve| {
            band(curve);
            line(curve);
        }),
        About::Counters => {
            curves.iter().for_each(band);
            // The rate is drawn last, over the others, and named first.
            curves.iter().for_each(line);
            dim(lane, rows);
        }
    }
    names(lane, rows, &curves, &waiting, is_model);
}

/// A small triangle under the edge of the axis where a curve leaves it.
fn clips(lane: &Lane<'_>, curves: &[Drawn<'_>]) {
    for (series, plotted) in curves {
        let mark = Mark::Area { colour: series.colour, opacity: 1.0 };
        for (x, top) in plotted.clipped() {
            let base = top + CLIP.1;
            mark.draw(lane.pen, &[(x - CLIP.0, base), (x, top), (x + CLIP.0, base)]);
        }
    }
}

/// The areas of a stack, from the bottom.
fn areas(lane: &Lane<'_>, curves: &[Drawn<'_>]) {
    let mut below = None;
    for &(series, plotted) in curves.iter().filter(|(series, _)| series.area) {
        plotted.area(lane.pen, below, Mark::Area { colour: series.colour, opacity: AREA });
        below = Some(plotted);
    }
}

/// What was picked was not sampled everywhere: elsewhere the curves are faint.
fn dim(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    for [from, to] in lane.view.matched.iter().flat_map(|matched| matched.absent()) {
        if let Some((left, right)) = lane.span(from, to) {
            lane.pen.fill((left, top), (right, bottom), lane.tokens.surface, 1.0 - FAINT);
        }
    }
}

/// Writes the names of lines beside them, the last first if not `in_order`, then what those of all
/// threads are, then the names of areas inside: of each that finds a place.
fn names(
    lane: &Lane<'_>,
    rows: (f64, f64),
    curves: &[Drawn<'_>],
    waiting: &[Plotted<'_>],
    in_order: bool,
) {
    let breaks = break_places(&lane.frame, lane.group);
    let room = Room { frame: &lane.frame, rows, breaks: &breaks };
    let face = |series: &Series| Face::bold(TICK, lane.tokens.readable(series.colour));
    let (areas, mut lines): (Vec<Drawn>, Vec<Drawn>) =
        curves.iter().partition(|(series, _)| series.area);
    if !in_order {
        lines.reverse();
    }
    let longest = NAME.0.min(NAME.1 * (lane.frame.right - lane.frame.left));
    let name = |series: &Series| elide_end(&printable(&series.quantity.name), longest, TICK, true);
    let wide = |series: &Series| face(series).width(&name(series));
    let of_all = Face::plain(TICK, lane.tokens.ink3);
    let tracks = lines.iter().map(|(series, plotted)| (plotted.track(), wide(series)));
    let waits = waiting.iter().map(|plotted| (plotted.track(), of_all.width(WITH_WAITING)));
    let tracks = tracks.chain(waits).collect::<Vec<_>>();
    let write = |series: &Series, label: &Label| {
        let (at, name) = ((label.x, label.base()), name(series));
        lane.pen.text_on(at, Anchor::Start, &name, face(series), lane.tokens.surface);
    };
    let mut taken: Vec<Label> = Vec::new();
    let mut labels = room.place_each(&tracks).into_iter();
    for ((series, _), label) in lines.iter().zip(labels.by_ref()) {
        taken.extend(label.inspect(|label| write(series, label)));
    }
    for label in labels.flatten() {
        let (at, on) = ((label.x, label.base()), lane.tokens.surface);
        lane.pen.text_on(at, Anchor::Start, WITH_WAITING, of_all, on);
        taken.push(label);
    }
    let lines = tracks.iter().map(|(track, _)| track).collect::<Vec<_>>();
    let mut below = Track::new(&lane.frame, |_| Some(lane.frame.height));
    for (series, plotted) in areas {
        let upper = plotted.track();
        let label = room.place_inside((&upper, &below), wide(series), &lines, &taken);
        taken.extend(label.inspect(|label| write(series, label)));
        below = upper;
    }
}

/// One counter's rate, with its mean dashed and a mark where the axis leaves out values.
fn alone(lane: &Lane<'_>, curves: &[Drawn<'_>], strip: &Strip) {
    let &Lane { pen, frame, tokens, .. } = lane;
    let Some(&(series, plotted)) = curves.first() else { return };
    let mean = series.mean;
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
                let series = shown.all().find(|s| s.key == counter).unwrap();
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
