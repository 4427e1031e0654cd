//! The time axis under the lanes, and the ticks of value axes in the gutters.

use crate::folding::{Axis, Folding, Group};
use crate::paint::View;
use crate::paint::scale::{THIN, decimals, multiples, number, tame, thousands};
use crate::paint::scene::{
    Anchor, Face, Frame, Lane, Layout, Pen, Strip, Tokens, elide_end, printable, short,
};
use crate::quantity::time_unit;

/// Size of ticks and units.
pub const TICK: f64 = 11.0;

/// Least px from one tick of the time axis to the next.
const TIME_STEP: f64 = 72.0;
const TIME_STEP_NARROW: f64 = 44.0;

/// Height of a tick's mark on the time axis, and the base line of its text.
const MARK: f64 = 4.0;
const BASE: f64 = 17.0;

/// Px left free between texts of the time axis: where steps are chosen, where they stand, and before
/// the last one.
const BESIDE: f64 = 16.0;
const APART: f64 = 4.0;
const BEFORE_LAST: f64 = 10.0;

/// Most digits after the point of a tick.
const MOST_DIGITS: usize = 6;

/// Longest name of a counter that the axis counts.
const LONGEST_NAME: f64 = 140.0;

/// Least px from the base line of a tick to that of the next.
const ROW: f64 = 12.0;

/// Px from a place down to the base line of a text of which it is the middle.
pub const MIDDLE: f64 = 4.0;

/// Px from the top of an axis down to its unit's base line, and by which a tick may reach over its
/// gutter.
const UNIT: f64 = 10.0;
const OVER: f64 = 2.0;

/// Paints the time axis: a line, ticks, the first with the unit, the last at the end of what is
/// visible.
pub fn axis(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let frame = Frame::of(view);
    let whole = folding.group(view.group).map_or_else(Whole::nothing, Whole::of);
    line(pen, &frame, view.theme.tokens(), &whole);
    frame.layout()
}

/// The same of a time that is no mean instance's.
pub fn ticks_of_time(pen: &dyn Pen, frame: &Frame, tokens: &Tokens, whole_ns: f64) {
    line(pen, frame, tokens, &Whole::of_time(whole_ns));
}

/// The same of shares, in per cent of the whole.
pub fn ticks_of_share(pen: &dyn Pen, frame: &Frame, tokens: &Tokens) {
    line(pen, frame, tokens, &Whole { total: 100.0, unit: "%".to_owned() });
}

fn line(pen: &dyn Pen, frame: &Frame, tokens: &Tokens, whole: &Whole) {
    pen.hair((frame.left, 0.0), (frame.right, 0.0), tokens.axis, 1.0);
    for Tick { x, text, anchor } in whole.ticks(frame) {
        let mark = libm::floor(x);
        if anchor != Anchor::End {
            pen.fill((mark, 0.0), (mark + 1.0, MARK), tokens.axis, 1.0);
        }
        pen.text((x, BASE), anchor, &text, Face::plain(TICK, tokens.ink3));
    }
}

struct Tick {
    x: f64,
    text: String,
    /// The last one, which ends where the plot ends, has no mark.
    anchor: Anchor,
}

/// What the axis counts over a mean instance.
struct Whole {
    /// How much of it, in units.
    total: f64,
    unit: String,
}

impl Whole {
    fn of(group: &Group) -> Whole {
        match &group.axis {
            Axis::Time => Whole::of_time(group.mean_duration_ns),
            Axis::Counter { name, total } => {
                let (size, letter) = thousands(*total);
                let name = elide_end(&printable(short(name)), LONGEST_NAME, TICK, false);
                let space = if letter.is_empty() { "" } else { " " };
                Whole { total: tame(total / size).max(0.0), unit: format!("{letter}{space}{name}") }
            }
        }
    }

    fn of_time(mean_ns: f64) -> Whole {
        let mean_ns = if mean_ns.is_finite() && mean_ns > 0.0 { mean_ns } else { 0.0 };
        let (unit, per_unit) = time_unit(mean_ns);
        Whole { total: mean_ns / per_unit, unit: unit.to_owned() }
    }

    fn nothing() -> Whole {
        Whole::of_time(0.0)
    }

    fn ticks(&self, frame: &Frame) -> Vec<Tick> {
        ticks_of(frame, self.total, &self.unit)
    }
}

/// Ticks of `total` units, those left out whose text would meet the one before or the last.
fn ticks_of(frame: &Frame, total: f64, unit: &str) -> Vec<Tick> {
    let (from, to) = (frame.from * total, frame.to * total);
    let face = Face::plain(TICK, plotters::style::RGBColor(0, 0, 0));
    let wide = frame.right - frame.left;
    if to <= from {
        return vec![Tick { x: frame.left, text: format!("0{THIN}{unit}"), anchor: Anchor::Start }];
    }
    let least = if frame.narrow() { TIME_STEP_NARROW } else { TIME_STEP };
    let least = least.max(face.width(&number(to, 0)) + BESIDE);
    let (step, values) = multiples(from, to, (to - from) * least / wide);
    let places = decimals(step);
    let x = |value: f64| frame.left + (value - from) / (to - from) * wide;

    let last = number(to, digits_at(to, places, (to - from) / wide));
    let last_wide = face.width(&last);
    let mut ticks = Vec::new();
    let mut reached = 0.0;
    for value in values {
        let first = ticks.is_empty();
        let at = x(value);
        let text = number(value, if value == 0.0 { 0 } else { places });
        let text = if first { format!("{text}{THIN}{unit}") } else { text };
        let half = face.width(&text) / 2.0;
        let at_edge = at - frame.left < half;
        let (start, end) = if at_edge { (at, at + 2.0 * half) } else { (at - half, at + half) };
        if frame.right - end > last_wide + BEFORE_LAST && start >= reached {
            reached = end + APART;
            let anchor = if at_edge { Anchor::Start } else { Anchor::Middle };
            ticks.push(Tick { x: at, text, anchor });
        }
    }
    let text = if ticks.is_empty() { format!("{last}{THIN}{unit}") } else { last };
    ticks.push(Tick { x: frame.right, text, anchor: Anchor::End });
    ticks
}

/// Digits after the point, at least so many, with which a number says where it stands to so much.
fn digits_at(value: f64, least: usize, exact: f64) -> usize {
    let says = |&digits: &usize| {
        let size = libm::pow(10.0, digits as f64);
        (libm::round(value * size) / size - value).abs() <= exact
    };
    (least..MOST_DIGITS).find(says).unwrap_or(MOST_DIGITS)
}

/// Grid lines of `strip`, over the whole plot.
pub fn grid(Lane { pen, frame, tokens, .. }: &Lane<'_>, strip: &Strip) {
    for value in values(strip) {
        let y = strip.y(value / strip.factor);
        if y < strip.bottom - 1.0 && y > strip.top + 1.0 {
            let y = libm::round(y);
            pen.hair((frame.left, y), (frame.right, y), tokens.ink, tokens.grid);
        }
    }
}

/// Ticks and unit of `strip` in its gutter, as far as they fit; `signed` shows a plus.
pub fn ticks(Lane { pen, frame, tokens, .. }: &Lane<'_>, strip: &Strip, signed: bool) {
    let gutter = if strip.right { frame.width - frame.right } else { frame.left };
    let inset = frame.inset(gutter);
    let room = gutter - inset;
    let (x, anchor) = match strip.right {
        true => (frame.right + inset, Anchor::Start),
        false => (frame.left - inset, Anchor::End),
    };
    let (face, unit_face) = match strip.right {
        true => (Face::plain(TICK, tokens.ink2), Face::bold(TICK, tokens.ink)),
        false => (Face::plain(TICK, tokens.ink3), Face::plain(TICK, tokens.ink3)),
    };
    if strip.bottom - strip.top < ROW {
        return;
    }
    let with_unit = unit_face.width(&strip.unit) <= room;
    if with_unit {
        pen.text((x, strip.top + UNIT), anchor, &strip.unit, unit_face);
    }
    let highest = strip.top + if with_unit { UNIT + ROW } else { ROW };
    let mut below = strip.bottom + ROW + 1.0;
    for value in values(strip) {
        let base = (strip.y(value / strip.factor) + MIDDLE).min(strip.bottom);
        let plus = if signed && value > 0.0 { "+" } else { "" };
        let zero = signed && value.abs() < strip.step * 1e-6;
        let text = format!("{plus}{}", number(value, if zero { 0 } else { decimals(strip.step) }));
        if base >= highest && below - base >= ROW && face.width(&text) <= room + OVER {
            pen.text((x, base), anchor, &text, face);
            below = base;
        }
    }
}

/// Multiples of the strip's step within it, from the lowest on.
fn values(strip: &Strip) -> impl Iterator<Item = f64> + use<> {
    let Strip { min, max, step, .. } = *strip;
    let first = libm::ceil(min / step - 1e-6);
    let count = libm::floor((max / step - first) + 1e-6).clamp(0.0, 50.0) as u32;
    (0..=count).map(move |k| (first + f64::from(k)) * step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    fn check(view: &View, mean_ms: f64, expected: &str) {
        let ticks = Whole::of_time(mean_ms * 1e6).ticks(&Frame::of(view));
        let texts: Vec<_> = ticks.iter().map(|tick| tick.text.replace(THIN, "_")).collect();
        assert_eq!(texts.join(" "), expected);
        for pair in ticks.windows(2) {
            assert!(pair[0].x < pair[1].x);
        }
    }

    #[test]
    fn an_axis_of_a_counter_tells_events() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        group.axis = Axis::Counter { name: "PAPI_TOT_INS".to_owned(), total: 60.2e9 };
        let ticks = Whole::of(group).ticks(&Frame::of(&example::view(976.0, 28.0)));
        let texts: Vec<_> = ticks.iter().map(|tick| tick.text.replace(THIN, "_")).collect();
        assert_eq!(texts.join(" "), "0_G Instructions 10 20 30 40 50 60.2");
        for total in [0.0, f64::NAN, f64::INFINITY, -1.0, 1e-300] {
            group.axis = Axis::Counter { name: "<\u{1b}".repeat(900), total };
            for tick in Whole::of(group).ticks(&Frame::of(&example::view(976.0, 28.0))) {
                assert!(tick.x.is_finite() && !tick.text.contains('\u{1b}'), "{}", tick.text);
            }
        }
    }

    #[test]
    fn the_first_tick_carries_the_unit_and_the_last_is_the_duration() {
        let wide = example::view(976.0, 28.0);
        check(&wide, 14647.68, "0_ms 2_000 4_000 6_000 8_000 10_000 12_000 14_648");
        check(&wide, 64.0, "0_ms 10 20 30 40 50 60 64");
        check(&wide, 0.0, "0_ms");
        check(&wide, 0.25, "0_µs 25 50 75 100 125 150 175 200 225 250");
        check(&wide, 250_000.0, "0_s 25 50 75 100 125 150 175 200 225 250");
        check(
            &View { from: 0.5, to: 0.502, ..wide.clone() },
            14647.68,
            "7_325_ms 7_330 7_335 7_340 7_345 7_350 7_353.1",
        );
        // The last number is true to a pixel, of 0.04 ms here.
        let phase = |to: f64| View { from: 0.25, to, ..wide.clone() };
        check(&phase(0.765625), 64.0, "20_ms 25 30 35 40 45 49");
        check(&phase(0.7734375), 64.0, "20_ms 25 30 35 40 45 49.5");
        let narrow = View { left: 32.0, right: 50.0, ..example::view(400.0, 28.0) };
        check(&narrow, 64.0, "0_ms 10 20 30 40 50 64");
        check(&narrow, 1.54, "0_ms 0.25 0.50 0.75 1.00 1.25 1.54");
        check(&View { from: 0.125, to: 0.98, ..narrow }, 2.0, "0.25_ms 0.75 1.00 1.25 1.50 1.96");
    }
}
