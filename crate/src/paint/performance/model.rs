//! A model in the performance lane: its components as areas on one another or as lines, and a rate
//! in ink against the right axis.

use super::confidence::band;
use super::lane::SPARSE;
use super::parts::{Part, parts};
use super::strips::most_steps;
use crate::paint::View;
use crate::paint::mark::{Label, Point, Track, place, place_inside};
use crate::paint::scale::{FINE_STEPS, Steps, steps_from, tame};
use crate::paint::scene::{Anchor, Face, Frame, Pen, Strip, Stroke, Tokens, elide_end};
use crate::paint::source::tints;
use crate::paint::time::{TICK, break_places, breaks, grid, ticks};
use crate::result::{Group, Modelled};

/// Opacity of an area, and px of its upper edge and of lines.
const AREA: f64 = 0.55;
const EDGE: f64 = 1.0;
const LINE: f64 = 1.5;
const RATE: f64 = 2.0;

/// Px left free beside an axis title in its gutter.
const GUTTER: f64 = 4.0;

/// Paints the lane and gives its axes.
pub fn model(
    pen: &dyn Pen,
    frame: &Frame,
    (group, modelled): (&Group, Modelled<'_>),
    view: &View,
) -> Vec<Strip> {
    let tokens = view.theme.tokens();
    let parts = parts(group, &modelled, tokens);
    let strips = strips(frame, &parts, &modelled);
    let rows = (0.0, frame.height);
    let lane = Lane { pen, frame, tokens, strips: &strips };

    tints(pen, frame, group, tokens, rows);
    if let Some(strip) = strips.first() {
        grid(pen, frame, strip, tokens);
    }
    lane.areas(&parts);
    for &[from, to] in &group.sparse {
        pen.hatch((frame.x(from), rows.0), (frame.x(to), rows.1), tokens.ink3, SPARSE);
    }
    breaks(pen, frame, group, tokens, rows);
    pen.frame((frame.left, 0.0), (frame.right, frame.height), tokens.line);
    for strip in &strips {
        ticks(pen, frame, strip, tokens, false);
    }
    for part in &parts {
        lane.line(part);
    }
    lane.labels(group, &parts);
    strips
}

/// The left axis, if there is something on it, and the right one with as many steps.
fn strips(frame: &Frame, parts: &[Part<'_>], modelled: &Modelled<'_>) -> Vec<Strip> {
    let of = |right| parts.iter().filter(move |part: &&Part| part.right == right);
    let largest = |right| of(right).map(|part| part.sampled.extremes().1).fold(0.0, f64::max);
    let most = most_steps(frame.height);
    let right = of(true).next().map(|_| Steps::from_zero(largest(true), most));
    let left = of(false).next().map(|_| {
        let Some(right) = right else { return Steps::from_zero(largest(false), most) };
        let count = right.count.max(1);
        let top = if largest(false) > 0.0 { tame(largest(false)) * 1.05 } else { 1.0 };
        let step = steps_from(top / f64::from(count), FINE_STEPS).next().unwrap_or(top);
        Steps { min: 0.0, step, count }
    });
    let strip = |(steps, is_right): (Steps, bool)| {
        let room = if is_right { frame.width - frame.right } else { frame.left };
        let unit = of(is_right).next().map(|part| part.per(modelled.model)).unwrap_or_default();
        let unit = unit.replace("instructions", "ins").replace("instruction", "ins");
        let unit = elide_end(&unit, room - 8.0 - GUTTER, TICK, is_right);
        let curves = of(is_right).map(|part| part.name().to_owned()).collect();
        Strip {
            top: 0.0,
            bottom: frame.height,
            unit: unit.into(),
            min: steps.min,
            max: steps.max(),
            step: steps.step,
            factor: 1.0,
            curves,
            right: is_right,
        }
    };
    let axes = [(left, false), (right, true)];
    axes.into_iter().filter_map(|(steps, is_right)| Some(strip((steps?, is_right)))).collect()
}

/// What every part of the lane needs.
struct Lane<'a> {
    pen: &'a dyn Pen,
    frame: &'a Frame,
    tokens: &'a Tokens,
    strips: &'a [Strip],
}

impl Lane<'_> {
    fn strip(&self, part: &Part<'_>) -> Option<&Strip> {
        self.strips.iter().find(|strip| strip.right == part.right)
    }

    fn points(&self, strip: &Strip, run: &[Point]) -> Vec<(f64, f64)> {
        run.iter().map(|at| (self.frame.x(at.time), strip.y(at.value))).collect()
    }

    /// The areas, each from the upper edge of the one below it to its own.
    fn areas(&self, parts: &[Part<'_>]) {
        let (from, to) = (self.frame.from, self.frame.to);
        let mut below: Option<&Part> = None;
        for part in parts.iter().filter(|part| part.area) {
            let Some(strip) = self.strip(part) else { continue };
            let lower = below.map(|part| part.sampled.runs(from, to)).unwrap_or_default();
            for (index, run) in part.sampled.runs(from, to).iter().enumerate() {
                let mut outline = self.points(strip, run);
                let ground: Vec<Point> = run.iter().map(|at| Point { value: 0.0, ..*at }).collect();
                let mut back = self.points(strip, lower.get(index).unwrap_or(&ground));
                back.reverse();
                outline.extend(back);
                self.pen.shape(&outline, part.colour, AREA);
            }
            below = Some(part);
        }
    }

    /// A line, or the upper edge of an area, in its band.
    fn line(&self, part: &Part<'_>) {
        let Some(strip) = self.strip(part) else { return };
        let width = match (part.area, part.colour == self.tokens.ink) {
            (true, _) => EDGE,
            (false, true) => RATE,
            (false, false) => LINE,
        };
        band(self.pen, self.frame, strip, (&part.sampled, part.colour), self.tokens);
        for run in part.sampled.runs(self.frame.from, self.frame.to) {
            self.pen.line(&self.points(strip, &run), Stroke::solid(part.colour, width));
        }
    }

    /// Names on lines first, then in the areas that have room.
    fn labels(&self, group: &Group, parts: &[Part<'_>]) {
        let rows = (0.0, self.frame.height);
        let breaks = break_places(self.frame, group);
        let track = |part: &Part<'_>| {
            let strip = self.strip(part);
            Track::new(self.frame, |t| part.sampled.at(t).and_then(|value| Some(strip?.y(value))))
        };
        let named = |part: &Part<'_>| {
            let face = Face::bold(TICK, self.tokens.readable(part.colour));
            (part.title(), face)
        };
        let lines: Vec<&Part> = parts.iter().filter(|part| !part.area).collect();
        let tracks: Vec<_> = lines
            .iter()
            .map(|part| {
                let (name, face) = named(part);
                (track(part), face.width(&name))
            })
            .collect();
        let mut taken = Vec::new();
        for ((part, at), (_, wide)) in
            lines.iter().zip(place(self.frame, rows, &tracks, &breaks)).zip(&tracks)
        {
            let Some((x, base)) = at else { continue };
            let (name, face) = named(part);
            taken.push(Label { x, wide: *wide, base });
            self.pen.text_on((x, base), Anchor::Start, &name, face, self.tokens.surface);
        }
        let ground = Track::new(self.frame, |_| Some(self.frame.height));
        let mut below = ground;
        for part in parts.iter().filter(|part| part.area) {
            let upper = track(part);
            let (name, face) = named(part);
            let wide = face.width(&name);
            let others: Vec<&Track> = tracks.iter().map(|(track, _)| track).collect();
            let at = place_inside(self.frame, (&upper, &below), wide, &others, &taken, &breaks);
            if let Some((x, base)) = at {
                taken.push(Label { x, wide, base });
                self.pen.text_on((x, base), Anchor::Start, &name, face, self.tokens.surface);
            }
            below = upper;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::{self, polygons};
    use crate::paint::performance::{model_legend, performance};
    use crate::paint::scene::Svg;
    use crate::result::Folding;

    fn of(name: &str) -> View {
        View { model: Some(name.to_owned()), ..example::view(976.0, 300.0) }
    }

    #[test]
    fn the_topmost_edge_of_a_stack_is_the_sum_of_its_values() {
        let (folding, view) = (example::modelled(), of("stack"));
        let group = folding.group(1).unwrap();
        let svg = Svg::default();
        let layout = performance(&svg, &folding, &view);
        let svg = svg.elements();
        let strip = &layout.strips[0];
        assert_eq!((&*strip.unit, strip.curves.join(" ")), ("Share of cycles", "a b c".to_owned()));
        let frame = Frame::of(&view);
        let rate = |counter: &str, j: usize| {
            group.curves.iter().find(|curve| curve.counter == counter).unwrap().rate[j]
        };
        let mut sum = vec![0.0; 1000];
        for (colour, counter) in
            [("#2E8B57", "PAPI_BR_INS"), ("#CD5C5C", "PAPI_L1_DCM"), ("#DAA520", "PAPI_TOT_INS")]
        {
            // The area is drawn before the bands.
            let area = &polygons(&svg, colour)[0];
            for (j, sum) in sum.iter_mut().enumerate() {
                let lower = *sum;
                *sum += rate(counter, j) / rate("PAPI_TOT_CYC", j);
                let x = frame.x(j as f64 / 999.0);
                for value in [lower, *sum] {
                    let y = strip.bottom - value / strip.max * (strip.bottom - strip.top);
                    let near = |c: &(f64, f64)| (c.0 - x).abs() < 0.01 && (c.1 - y).abs() < 0.01;
                    assert!(area.iter().any(near), "{counter} {j}: {x} {y}");
                }
            }
        }
        let right = &layout.strips[1];
        assert_eq!((&*right.unit, right.right, right.step), ("MIPS", true, 1000.0));
        assert_eq!(strip.max / strip.step, right.max / right.step, "one grid for both");
    }

    #[test]
    fn a_gap_interrupts_the_whole_stack() {
        let (mut folding, view) = (example::modelled(), of("stack"));
        let cycles = &mut folding.groups[0].curves[3];
        assert_eq!(cycles.counter, "PAPI_TOT_CYC");
        cycles.rate[400..600].fill(0.0);
        let svg = Svg::default();
        performance(&svg, &folding, &view);
        let svg = svg.elements();
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let frame = Frame::of(&view);
        let (from, to) = (frame.x(400.0 / 999.0), frame.x(599.0 / 999.0));
        for colour in ["#2E8B57", "#CD5C5C", "#DAA520"] {
            let corners = polygons(&svg, colour).concat();
            assert!(corners.len() > 1000);
            assert!(corners.iter().all(|&(x, _)| x < from || x > to), "{colour}");
        }
    }

    #[test]
    fn components_that_are_not_stacked_are_lines() {
        let (folding, view) = (example::modelled(), of("lines"));
        let svg = Svg::default();
        let layout = performance(&svg, &folding, &view);
        let units: Vec<_> = layout.strips.iter().map(|strip| &*strip.unit).collect();
        assert_eq!(units, ["Share of cycles", "Rate"]);
        let legend = model_legend(&folding, &view);
        let names: Vec<_> = legend.iter().map(|e| (&e.name[..], e.area, e.right)).collect();
        assert_eq!(
            names,
            [("a of all", false, false), ("b of all", false, false), ("rate", false, true)]
        );
        let svg = svg.elements();
        let largest = layout.strips[0].max;
        let values = |y: f64| (1.0 - y / 300.0) * largest;
        for entry in &legend[..2] {
            let lines = example::polylines(&svg, &entry.colour);
            let highest = lines.concat().iter().map(|at| values(at.1)).fold(0.0, f64::max);
            let counter = if entry.component == "a" { "PAPI_BR_INS" } else { "PAPI_L1_DCM" };
            let curve = |name: &str| {
                &folding.groups[0].curves.iter().find(|c| c.counter == name).unwrap().rate
            };
            let ratios = curve(counter).iter().zip(curve("PAPI_TOT_CYC")).map(|(a, b)| a / b);
            let expected = ratios.fold(0.0, f64::max);
            assert!((highest - expected).abs() < 0.01 * largest, "{highest} {expected}");
        }
    }

    #[test]
    fn a_model_that_is_not_there_or_lacks_counters_leaves_the_counters() {
        let mut folding = example::modelled();
        let counters = performance(&Svg::default(), &folding, &View { model: None, ..of("stack") });
        let painted = |folding: &Folding, view: &View| performance(&Svg::default(), folding, view);
        assert_eq!(painted(&folding, &of("no such")), counters);
        folding.groups[0].curves.retain(|curve| curve.counter != "PAPI_BR_INS");
        assert!(model_legend(&folding, &of("stack")).is_empty());
        assert!(!painted(&folding, &of("stack")).strips[0].curves.contains(&"a".to_owned()));
    }

    #[test]
    fn odd_foldings_are_painted() {
        let models = example::modelled().models;
        for mut folding in example::odd() {
            folding.models = models.clone();
            for view in example::odd_views() {
                let view = View { model: Some("stack".to_owned()), ..view };
                let svg = Svg::default();
                performance(&svg, &folding, &view);
                let svg = svg.elements();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{view:?}");
            }
        }
    }
}
