//! Runs beside a reference: their efficiencies over the number of threads, and where the time of all threads
//! goes.

use plotters::style::RGBColor;

use super::RunView;
use super::threads::{COMPUTING, HUES};
use crate::glance::{
    CorePart, FACTORS, RunUse, ScalingAsked, ThreadUse, columns, core_parts, has_ranks,
};
use crate::paint::scale::{STEPS, Steps, decimals, steps_from};
use crate::paint::scene::{Anchor, Face, Frame, Pen, Strip, Stroke, Tokens};
use crate::paint::time::{MIDDLE, TICK};
use crate::quantity::{core_time_unit, number, significant};

/// Px above a plot and below it.
const ABOVE: f64 = 18.0;
const BELOW: f64 = 22.0;

/// Px free at either end of a plot; radius of a point; width of a line, and of that of all.
const FREE: f64 = 16.0;
const POINT: f64 = 2.5;
const THICK: f64 = 1.5;
const THICKEST: f64 = 2.0;

/// Px that a step of an axis needs, and a name.
const STEP_PX: f64 = 36.0;
const NAME_PX: f64 = 14.0;

/// Of the room of a bar it takes so much, at most so many px.
const BAR: f64 = 0.7;
const WIDEST: f64 = 40.0;

/// What takes less of the axis than this has no number beside it: it would be less than a px high.
const LEAST_TOLD: f64 = 0.004;

/// An efficiency that is drawn: its key and name, and its hue among the routines' (`None`: ink) and dashes.
struct Drawn(&'static str, &'static str, Option<usize>, &'static [f64]);

const DASHED: &[f64] = &[6.0, 3.0];
const DOTTED: &[f64] = &[2.0, 3.0];
const DRAWN: [Drawn; 8] = [
    Drawn("load_balance", "Load balance", Some(7), DASHED),
    Drawn("communication_efficiency", "Communication", Some(9), DASHED),
    Drawn("instruction_scalability", "Instructions", Some(6), DOTTED),
    Drawn("ipc_scalability", "IPC", Some(11), DOTTED),
    Drawn("frequency_scalability", "Frequency", Some(2), DOTTED),
    Drawn("parallel_efficiency", "Parallel", Some(4), &[]),
    Drawn("computation_scalability", "Computation", Some(5), &[]),
    Drawn("global_efficiency", "Global", None, &[]),
];

/// The hue among the routines' of a part of the time of all threads; `None` of what is computed anyway.
pub fn hue_of_part(part: CorePart) -> Option<usize> {
    match part {
        CorePart::Work => None,
        CorePart::Computing => Some(8),
        CorePart::Instructions => Some(6),
        CorePart::Ipc => Some(4),
        CorePart::Frequency => Some(5),
        CorePart::Imbalance => Some(HUES[0] as usize),
        CorePart::Communication => Some(HUES[1] as usize),
    }
}

/// Paints the efficiencies of runs over the logarithm of their threads, in the order of columns.
#[inline(never)]
pub fn scaling(pen: &dyn Pen, runs: &[RunUse], asked: &ScalingAsked, view: &RunView) {
    let (frame, tokens) = (view.frame(), view.tokens());
    let columns = columns(runs, asked);
    let value = |key: &str, at: usize| {
        let (own, beside) = columns[at].as_ref()?;
        FACTORS.iter().find(|factor| factor.key == key)?.value(own, Some(beside))
    };
    let of = |key: &'static str| (0..columns.len()).filter_map(move |at| value(key, at));
    let all = DRAWN.iter().flat_map(|Drawn(key, ..)| of(key)).collect::<Vec<_>>();
    let low = all.iter().copied().fold(1.0, f64::min);
    let high = all.iter().copied().fold(1.0, f64::max);
    let (top, bottom) = (ABOVE, frame.height - BELOW);
    let strip = Strip {
        factor: 100.0,
        ..Strip::of((top, bottom), per_cent(low, high, bottom - top), false)
    };
    grid(pen, &frame, tokens, &strip, " %");
    let places = places(&frame, runs, asked);
    labels(pen, &frame, tokens, &places, runs, asked);
    let mut ends = Vec::new();
    for Drawn(key, name, hue, dashes) in DRAWN {
        let colour = hue.map_or(tokens.ink, |hue| tokens.routine(hue));
        let points =
            places.iter().enumerate().filter_map(|(at, x)| Some((*x, strip.y(value(key, at)?))));
        let points = points.collect::<Vec<_>>();
        let Some(&(_, last)) = points.last() else { continue };
        let width = if hue.is_none() { THICKEST } else { THICK };
        match dashes {
            [] => pen.line(&points, Stroke::solid(colour, width)),
            dashes => pen.dashed(&points, Stroke::solid(colour, width), dashes),
        }
        points.iter().for_each(|at| pen.dot(*at, POINT, colour, 1.0));
        ends.push((last, name.to_owned(), colour));
    }
    beside(pen, &frame, ends, (top, bottom));
}

/// Steps of an axis in per cent, as few as have room.
fn per_cent(low: f64, high: f64, px: f64) -> Steps {
    let (low, high) = (100.0 * low, 100.0 * high);
    let most = (px / STEP_PX).max(2.0);
    let least = ((high - low) / most).max(0.1);
    let ends = |step: f64| (libm::floor(low / step), libm::ceil(high / step - 1e-9));
    let fits = |step: &f64| ends(*step).1 - ends(*step).0 <= most;
    let step = steps_from(least, STEPS).find(fits).unwrap_or(least);
    let (first, last) = ends(step);
    Steps { min: first * step, step, count: (last - first).max(1.0) as u32 }
}

/// Lines across at the steps of an axis, its frame, and their values at the left, the topmost with the unit.
fn grid(pen: &dyn Pen, frame: &Frame, tokens: &Tokens, strip: &Strip, unit: &str) {
    let steps = libm::round((strip.max - strip.min) / strip.step) as u32;
    for at in 0..=steps {
        let value = strip.min + f64::from(at) * strip.step;
        let y = strip.y(value / strip.factor);
        pen.hair((frame.left, y), (frame.right, y), tokens.ink, tokens.grid);
        let text = number(value, decimals(strip.step));
        let text = if at == steps { text + unit } else { text };
        let left = frame.left - frame.inset(frame.left);
        pen.text((left, y + MIDDLE), Anchor::End, &text, Face::plain(TICK, tokens.ink3));
    }
    pen.frame((frame.left, strip.top), (frame.right, strip.bottom), tokens.line);
}

/// Where each run lies across: by the logarithm of its threads, or, where all have as many, one after the other.
fn places(frame: &Frame, runs: &[RunUse], asked: &ScalingAsked) -> Vec<f64> {
    let threads = runs.iter().map(|run| {
        asked.looked_at(run).map_or(1.0, |own| libm::log2(f64::from(own.threads.max(1))))
    });
    let mut at = threads.collect::<Vec<_>>();
    let low = at.iter().copied().fold(f64::INFINITY, f64::min);
    let span = at.iter().copied().fold(0.0, f64::max) - low;
    if span <= 0.0 {
        at = (0..runs.len()).map(|at| low + at as f64).collect();
    }
    let span = if span > 0.0 { span } else { runs.len().saturating_sub(1).max(1) as f64 };
    let (left, right) = (frame.left + FREE, frame.right - FREE);
    at.into_iter().map(|of| left + (of - low) / span * (right - left)).collect()
}

/// How many threads each run has, under its place, as far as there is room. The first says what they are.
fn labels(
    pen: &dyn Pen,
    frame: &Frame,
    tokens: &Tokens,
    places: &[f64],
    runs: &[RunUse],
    asked: &ScalingAsked,
) {
    let is_of_ranks = has_ranks(runs);
    let mut reached = f64::NEG_INFINITY;
    for (at, (x, run)) in places.iter().zip(runs).enumerate() {
        let Some(own) = asked.looked_at(run) else { continue };
        let text = if reached.is_finite() { short_width(own) } else { own.width(is_of_ranks) };
        let is_picked = at == asked.picked as usize;
        let face = match is_picked {
            true => Face::bold(TICK, tokens.ink2),
            false => Face::plain(TICK, tokens.ink3),
        };
        let half = face.width(&text) / 2.0;
        if x - half > reached {
            pen.text((*x, frame.height - 7.0), Anchor::Middle, &text, face);
            reached = x + half + MIDDLE;
        }
    }
}

fn short_width(own: &ThreadUse) -> String {
    match (own.tasks, own.threads) {
        (tasks, threads) if tasks <= 1 || tasks == threads => threads.to_string(),
        (tasks, threads) if threads % tasks == 0 => format!("{tasks} × {}", threads / tasks),
        (_, threads) => threads.to_string(),
    }
}

/// Words at the right of a plot, each as near to its height as it can be, none over another.
fn beside(
    pen: &dyn Pen,
    frame: &Frame,
    mut words: Vec<(f64, String, RGBColor)>,
    (top, bottom): (f64, f64),
) {
    words.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut after = top;
    for (y, ..) in &mut words {
        *y = y.max(after);
        after = *y + NAME_PX;
    }
    let mut before = bottom;
    for (y, ..) in words.iter_mut().rev() {
        *y = y.min(before);
        before = *y - NAME_PX;
    }
    let right = frame.right + frame.inset(frame.width - frame.right);
    for (y, text, colour) in words {
        pen.text((right, y + MIDDLE), Anchor::Start, &text, Face::bold(TICK, colour));
    }
}

/// Paints the time of all threads of each run as a bar of its parts; what a run does better than the reference lies
/// under zero. Numbers beside them are those of the run that is picked.
#[inline(never)]
pub fn core_time(pen: &dyn Pen, runs: &[RunUse], asked: &ScalingAsked, view: &RunView) {
    let (frame, tokens) = (view.frame(), view.tokens());
    let Some(reference) = asked.reference_of(runs) else { return };
    let own = runs.iter().filter_map(|run| asked.looked_at(run));
    let (unit, unit_ns) = core_time_unit(own.map(ThreadUse::all_ns).fold(0.0, f64::max));
    let bars = runs.iter().map(|run| {
        let parts = core_parts(asked.looked_at(run)?, reference, asked.scales);
        Some(parts.into_iter().map(|(part, ns)| (part, ns / unit_ns)).collect::<Vec<_>>())
    });
    let bars = bars.collect::<Vec<_>>();
    let sum = |sign: f64| {
        let of = |bar: &Vec<(CorePart, f64)>| bar.iter().map(|(_, of)| (sign * of).max(0.0)).sum();
        bars.iter().flatten().map(of).fold(0.0, f64::max)
    };
    let (above, below): (f64, f64) = (sum(1.0), sum(-1.0));
    let (top, bottom) = (ABOVE, frame.height - BELOW);
    let most = ((bottom - top) / STEP_PX).clamp(1.0, 8.0) as u32;
    let steps = Steps::from_zero(above, most);
    let under = libm::ceil(below / steps.step - 1e-9).max(0.0);
    let steps = Steps { min: -under * steps.step, count: steps.count + under as u32, ..steps };
    let strip = Strip::of((top, bottom), steps, false);
    grid(pen, &frame, tokens, &strip, &format!(" {unit}"));
    let pitch = (frame.right - frame.left) / bars.len().max(1) as f64;
    let half = (BAR * pitch).min(WIDEST) / 2.0;
    let middles = (0..bars.len()).map(|at| frame.left + (at as f64 + 0.5) * pitch);
    let middles = middles.collect::<Vec<_>>();
    let picked = asked.picked as usize;
    let mut values = Vec::new();
    for (at, (bar, x)) in bars.iter().zip(&middles).enumerate() {
        let Some(bar) = bar else { continue };
        let (mut up, mut down) = (0.0, 0.0);
        for (part, value) in bar {
            let end = if *value >= 0.0 { &mut up } else { &mut down };
            let from = *end;
            *end += value;
            let (high, low) = (strip.y(from.max(*end)), strip.y(from.min(*end)));
            let (colour, opacity) = match hue_of_part(*part) {
                Some(hue) => (tokens.routine(hue), 1.0),
                None => (tokens.axis, COMPUTING),
            };
            if high < low {
                pen.fill((x - half, high), (x + half, low), colour, opacity);
            }
            if at == picked && value.abs() >= LEAST_TOLD * strip.max {
                let ink = if hue_of_part(*part).is_some() { colour } else { tokens.ink2 };
                values.push((f64::midpoint(high, low), significant(*value, 3), ink));
            }
        }
        let all = significant(bar.iter().map(|(_, value)| value).sum(), 3);
        let face = Face::plain(TICK, tokens.ink3);
        if face.width(&all) < pitch {
            pen.text((*x, strip.y(up) - MIDDLE), Anchor::Middle, &all, face);
        }
    }
    labels(pen, &frame, tokens, &middles, runs, asked);
    beside(pen, &frame, values, (top, bottom));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::Total;
    use crate::paint::example::rectangles;
    use crate::paint::scene::{Svg, css};

    /// As many threads as its number, which compute alike 90 of 100 µs, at 1 GHz and an IPC of 1.
    fn run(threads: u32) -> RunUse {
        let useful_ns = 90_000 * u64::from(threads);
        let total = Total { events: useful_ns, read_ns: useful_ns };
        let of_run = ThreadUse {
            runtime_ns: 100_000,
            tasks: threads,
            threads,
            useful_ns,
            longest_ns: 90_000,
            of_threads_ns: vec![],
            instructions: total,
            cycles: total,
            openmp: None,
            others: 0,
        };
        RunUse { name: format!("run-{threads}"), of_run: Some(of_run), ..RunUse::default() }
    }

    fn view() -> RunView {
        RunView {
            to: 1.0,
            width: 400.0,
            height: 240.0,
            left: 60.0,
            right: 100.0,
            ..RunView::default()
        }
    }

    #[test]
    fn runs_stand_by_the_logarithm_of_their_threads_else_one_after_the_other() {
        let frame = view().frame();
        let asked = ScalingAsked::default();
        let at = places(&frame, &[run(1), run(4), run(16)], &asked);
        assert_eq!(at, [60.0 + FREE, 180.0, 300.0 - FREE]);
        assert_eq!(places(&frame, &[run(4), run(4), run(4)], &asked), at);
        assert_eq!(places(&frame, &[run(4)], &asked), [60.0 + FREE]);
    }

    #[test]
    fn parts_of_a_bar_are_as_high_as_the_core_seconds_they_are() {
        let pen = Svg::default();
        let asked = ScalingAsked { picked: 1, ..ScalingAsked::default() };
        core_time(&pen, &[run(1), run(4)], &asked, &view());
        let (text, tokens) = (pen.elements(), view().tokens());
        let high = |colour| {
            let bars = rectangles(&text, &css(colour)).into_iter();
            bars.map(|[_, top, _, bottom]| bottom - top).collect::<Vec<_>>()
        };
        // The axis has 440 ns on 200 px, to the next step.
        let strip = Steps::from_zero(400.0, 5);
        let px = (240.0 - ABOVE - BELOW) / strip.max();
        let is = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len(), "{found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - px * expected).abs() < 0.02, "{found} {expected}");
            }
        };
        is(high(tokens.axis), &[90.0, 90.0]);
        is(high(tokens.routine(6)), &[270.0]);
        is(high(tokens.routine(HUES[1] as usize)), &[10.0, 40.0]);
        assert!(text.contains(">400<") && text.contains(">270<"), "{text}");
    }

    #[test]
    fn names_of_lines_that_end_together_lie_one_below_the_other_inside_the_picture() {
        let pen = Svg::default();
        scaling(&pen, &[run(1), run(2)], &ScalingAsked::default(), &view());
        let text = pen.elements();
        for Drawn(_, name, ..) in DRAWN {
            assert_eq!(text.matches(&format!(">{name}<")).count(), 1, "{name}: {text}");
        }
        let frame = view().frame();
        let svg = Svg::default();
        let ends = (0..8).map(|at| (200.0, at.to_string(), view().tokens().ink)).collect();
        beside(&svg, &frame, ends, (ABOVE, 240.0 - BELOW));
        let text = svg.elements();
        let heights = (0..8).map(|at| {
            let line = text.lines().find(|line| line.contains(&format!(">{at}<"))).unwrap();
            let y = line.split(" y=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            y.parse::<f64>().unwrap()
        });
        let heights = heights.collect::<Vec<_>>();
        assert!(heights.windows(2).all(|two| two[1] - two[0] >= NAME_PX - 0.01), "{heights:?}");
        assert!(heights[7] <= 240.0 - BELOW + MIDDLE && heights[0] >= ABOVE, "{heights:?}");
    }

    #[test]
    fn what_is_not_known_of_a_run_leaves_its_place_free() {
        let none = RunUse { name: "none".to_owned(), ..RunUse::default() };
        let pen = Svg::default();
        let asked = ScalingAsked { reference: 1, ..ScalingAsked::default() };
        core_time(&pen, &[run(1), none.clone()], &asked, &view());
        assert_eq!(pen.elements(), "");
        let of_loop = ScalingAsked { of_loop: true, ..ScalingAsked::default() };
        let pen = Svg::default();
        scaling(&pen, &[run(1), none], &of_loop, &view());
        assert!(!pen.elements().contains("Global"));
    }
}
