//! The performance lane: the rate of instructions and every other counter per instruction, in
//! strips; or one counter alone, its rate; or a model.

use super::confidence::band;
use super::model::model;
use super::parts::asked;
use super::series::Series;
use super::shown::Shown;
use super::strips::strips;
use crate::paint::View;
use crate::paint::mark::{Point, Track, on_break, place};
use crate::paint::picked::{FAINT, Matched};
use crate::paint::scale::number;
use crate::paint::scene::{Anchor, Face, Frame, Layout, Pen, Strip, Stroke, Tokens};
use crate::paint::source::tints;
use crate::paint::time::{TICK, break_places, breaks, grid, ticks};
use crate::result::{Folding, Group};

/// Px of the rate's line and of the others'.
const RATE: f64 = 2.0;
const OTHER: f64 = 1.5;

/// Opacity of the hatching over too few samples.
pub const SPARSE: f64 = 0.75;

/// Paints the strips, with `view.counter` its rate, or with `view.model` its components.
pub fn performance(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let frame = Frame::of(view);
    let mut layout = Layout { plot: frame.plot(), strips: Vec::new() };
    if let Some(asked) = asked(folding, view) {
        layout.strips = model(pen, &frame, asked, view);
    } else if let Some(group) = folding.group(view.group) {
        let shown = Shown::of(group, view);
        layout.strips = strips(&frame, &shown);
        let (tokens, matched) = (view.theme.tokens(), view.matched.as_deref());
        let lane = Lane { pen, frame, group, shown: &shown, tokens, matched };
        for strips in layout.strips.chunk_by(|a, b| a.top == b.top) {
            lane.panel(strips);
        }
    }
    layout
}

/// What every part of the lane needs.
struct Lane<'a> {
    pen: &'a dyn Pen,
    frame: Frame,
    group: &'a Group,
    shown: &'a Shown<'a>,
    tokens: &'a Tokens,
    matched: Option<&'a Matched>,
}

impl Lane<'_> {
    /// The axes that share a rectangle, with their curves.
    fn panel(&self, strips: &[Strip]) {
        let Some(first) = strips.first() else { return };
        let (pen, frame, tokens) = (self.pen, &self.frame, self.tokens);
        let rows = (first.top, first.bottom);
        tints(pen, frame, self.group, tokens, rows);
        for &[from, to] in &self.group.sparse {
            let (left, right) = (frame.x(from), frame.x(to));
            pen.hatch((left, rows.0), (right, rows.1), tokens.ink3, SPARSE);
        }
        breaks(pen, frame, self.group, tokens, rows);
        grid(pen, frame, first, tokens);
        pen.frame((frame.left, first.top), (frame.right, first.bottom), tokens.line);
        for strip in strips {
            ticks(pen, frame, strip, tokens, false);
        }
        if self.shown.alone {
            return self.alone(first);
        }
        // The rate is drawn last, over the others, and named first.
        let mut curves = Vec::new();
        for strip in strips {
            let series = strip.curves.iter().filter_map(|counter| self.series(counter));
            curves.extend(series.map(|series| (strip, series)));
        }
        for (strip, series) in &curves {
            band(pen, frame, strip, (&series.sampled, series.colour), tokens);
        }
        for (strip, series) in &curves {
            self.curve(strip, series, if strip.right { RATE } else { OTHER });
        }
        curves.reverse();
        self.dim(rows);
        self.labels(first, &curves)
    }

    /// What was picked was not sampled everywhere: elsewhere the curves are faint.
    fn dim(&self, (top, bottom): (f64, f64)) {
        for [from, to] in self.matched.iter().flat_map(|matched| matched.absent()) {
            let (left, right) = (self.frame.x(from), self.frame.x(to));
            if right > left {
                self.pen.fill((left, top), (right, bottom), self.tokens.surface, 1.0 - FAINT);
            }
        }
    }

    fn series(&self, counter: &str) -> Option<&Series<'_>> {
        self.shown.all().find(|series| series.curve.counter == counter)
    }

    fn curve(&self, strip: &Strip, series: &Series, width: f64) {
        for run in series.sampled.runs(self.frame.from, self.frame.to) {
            let points: Vec<_> =
                run.iter().map(|at: &Point| (self.frame.x(at.time), strip.y(at.value))).collect();
            self.pen.dashed(&points, Stroke::solid(series.colour, width), series.dash);
        }
    }

    fn labels(&self, first: &Strip, curves: &[(&Strip, &Series)]) {
        let tokens = self.tokens;
        let named: Vec<_> = curves
            .iter()
            .map(|&(strip, series)| {
                let name = &*series.quantity.name;
                let face = Face::bold(TICK, tokens.readable(series.colour));
                let track = Track::new(&self.frame, |t| series.at(t).map(|v| strip.y(v)));
                (name, face, (track, face.width(name)))
            })
            .collect();
        let (texts, tracks): (Vec<_>, Vec<_>) =
            named.into_iter().map(|(n, f, t)| ((n, f), t)).unzip();
        let breaks = break_places(&self.frame, self.group);
        let places = place(&self.frame, (first.top, first.bottom), &tracks, &breaks);
        for ((name, face), place) in texts.into_iter().zip(places) {
            if let Some(at) = place {
                self.pen.text_on(at, Anchor::Start, name, face, tokens.surface);
            }
        }
    }

    /// One counter's rate, with its mean dashed and a mark where the axis leaves out values.
    fn alone(&self, strip: &Strip) {
        let (pen, frame, tokens) = (self.pen, &self.frame, self.tokens);
        let Some(series) = &self.shown.rate else { return };
        let mean = series.mean();
        let shown = mean * strip.factor;
        let stroke = Stroke::solid(tokens.axis, 1.0);
        if shown >= strip.min && shown <= strip.max {
            let y = libm::round(strip.y(mean)) + 0.5;
            pen.dashed(&[(frame.left, y), (frame.right, y)], stroke, &[4.0, 3.0]);
        }
        if strip.min > 0.0 {
            let (x, y) = (frame.right - 0.5, strip.bottom);
            let zigzag =
                [(0.0, 0.0), (0.0, -3.0), (4.0, -5.0), (-4.0, -9.0), (0.0, -11.0), (0.0, -14.0)];
            pen.line(&zigzag.map(|(dx, dy)| (x + dx, y + dy)), stroke);
        }
        band(pen, frame, strip, (&series.sampled, series.colour), tokens);
        self.curve(strip, series, RATE);
        self.mean_label(strip, series, shown)
    }

    /// `mean 4 102` below or above its line, as far right as the curve leaves room.
    fn mean_label(&self, strip: &Strip, series: &Series, shown: f64) {
        let (frame, tokens) = (&self.frame, self.tokens);
        if !(shown >= strip.min && shown <= strip.max) {
            return;
        }
        let places = if strip.step < 1.0 { 3 } else { usize::from(shown < 100.0) };
        let text = format!("mean {}", number(shown, places));
        let face = Face::plain(TICK, tokens.ink3);
        let wide = face.width(&text);
        let track = Track::new(frame, |t| series.at(t).map(|v| strip.y(v)));
        let y = strip.y(series.mean());
        let breaks = break_places(frame, self.group);
        let free = |&(x, base): &(f64, f64)| {
            let (top, bottom) = (base - 9.0, base + 3.0);
            let inside = top > strip.top && bottom < strip.bottom && x > frame.left;
            let clear = !breaks.iter().any(|&at| on_break(x, wide, at));
            inside && clear && track.distance(frame, x, wide, top, bottom) >= 3.0
        };
        let from_right = (0..500).map(|k| frame.right - 6.0 - wide - 8.0 * f64::from(k));
        let mut places = from_right.flat_map(|x| [(x, y + 14.0), (x, y - 5.0)]);
        if let Some(at) = places.find(free) {
            self.pen.text(at, Anchor::Start, &text, face);
        }
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
