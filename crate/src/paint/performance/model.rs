//! A model in the performance lane: its components as areas on one another or as lines, and a rate
//! in ink against the right axis.

use super::lane::{OTHER, RATE, hatching, names, write};
use super::parts::{Part, parts};
use super::strips::most_steps;
use crate::paint::mark::{Mark, Plotted, Room, Track};
use crate::paint::scale::{FINE_STEPS, Steps, steps_from};
use crate::paint::scene::{Face, Frame, Lane, Strip, elide_end};
use crate::paint::source::tints;
use crate::paint::time::{TICK, break_places, breaks, grid, ticks};
use crate::result::Modelled;

/// Opacity of an area, and px of its upper edge.
pub const AREA: f64 = 0.55;
const EDGE: f64 = 1.0;

/// Px left free beside an axis title in its gutter.
const GUTTER: f64 = 4.0;

/// Paints the lane and gives its axes.
pub fn model(lane: &Lane<'_>, modelled: Modelled<'_>) -> Vec<Strip> {
    let &Lane { pen, frame, group, tokens, .. } = lane;
    let parts = parts(group, &modelled, tokens);
    let strips = strips(&frame, &parts, &modelled);
    let plotted: Vec<(&Part, Plotted)> = parts
        .iter()
        .filter_map(|part| {
            let strip = strips.iter().find(|strip| strip.right == part.right)?;
            Some((part, Plotted { frame: &lane.frame, strip, sampled: &part.sampled }))
        })
        .collect();
    let areas = || plotted.iter().filter(|(part, _)| part.area);

    tints(lane, lane.rows());
    if let Some(strip) = strips.first() {
        grid(lane, strip);
    }
    let mut below = None;
    for &(part, curve) in areas() {
        curve.area(pen, below, Mark::Area { colour: part.colour, opacity: AREA });
        below = Some(curve);
    }
    hatching(lane, lane.rows());
    breaks(lane, lane.rows());
    pen.frame((frame.left, 0.0), (frame.right, frame.height), tokens.line);
    for strip in &strips {
        ticks(lane, strip, false);
    }
    for (part, curve) in &plotted {
        let width = match (part.area, part.colour == tokens.ink) {
            (true, _) => EDGE,
            (false, true) => RATE,
            (false, false) => OTHER,
        };
        curve.band(pen, part.colour, tokens);
        curve.line(pen, Mark::line(part.colour, width));
    }
    labels(lane, &plotted);
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
        let least = Steps::beside(&right, largest(false));
        let step = steps_from(least.step, FINE_STEPS).next().unwrap_or(least.step);
        Steps { step, ..least }
    });
    let strip = |(steps, is_right): (Steps, bool)| {
        let room = if is_right { frame.width - frame.right } else { frame.left };
        let unit = of(is_right).next().map(|part| part.per(modelled.model)).unwrap_or_default();
        let unit = unit.replace("instructions", "ins").replace("instruction", "ins");
        let unit = elide_end(&unit, room - frame.inset(room) - GUTTER, TICK, is_right);
        let curves = of(is_right).map(|part| part.name().to_owned()).collect();
        Strip { unit, curves, ..Strip::of((0.0, frame.height), steps, is_right) }
    };
    let axes = [(left, false), (right, true)];
    axes.into_iter().filter_map(|(steps, is_right)| Some(strip((steps?, is_right)))).collect()
}

/// Names on lines first, then in the areas that have room.
fn labels(lane: &Lane<'_>, plotted: &[(&Part<'_>, Plotted<'_>)]) {
    let named = |part: &Part| (part.title(), Face::bold(TICK, lane.tokens.readable(part.colour)));
    let lines = plotted.iter().filter(|(part, _)| !part.area).map(|(part, curve)| {
        let (name, face) = named(part);
        (name, face, curve.track())
    });
    let (mut taken, lines) = names(lane, lane.rows(), lines.collect());
    let lines: Vec<&Track> = lines.iter().collect();
    let breaks = break_places(&lane.frame, lane.group);
    let room = Room { frame: &lane.frame, rows: lane.rows(), breaks: &breaks };
    let mut below = Track::new(&lane.frame, |_| Some(lane.frame.height));
    for (part, curve) in plotted.iter().filter(|(part, _)| part.area) {
        let (upper, (name, face)) = (curve.track(), named(part));
        let label = room.place_inside((&upper, &below), face.width(&name), &lines, &taken);
        taken.extend(label.inspect(|label| write(lane, label, &name, face)));
        below = upper;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Folding;
    use crate::paint::View;
    use crate::paint::example::{self, polygons};
    use crate::paint::performance::{model_legend, performance};
    use crate::paint::scene::Svg;

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
