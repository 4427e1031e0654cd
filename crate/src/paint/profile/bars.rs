//! One node over all threads: a bar for each, or how many threads have how much.

use serde::Deserialize;

use super::{Pictured, ProfileView};
use crate::order;
use crate::paint::scale::{Steps, decimals};
use crate::paint::scene::{Anchor, Face, Frame, Layout, Pen, Stroke};
use crate::paint::time::{MIDDLE, TICK};
use crate::profile::Measure;
use crate::quantity::{OfMetric, number};

/// Px above the plot and below it.
const ABOVE: f64 = 8.0;
const BELOW: f64 = 20.0;

/// Bars have gaps where each has this many px, and are no wider than that many.
const APART_FROM: f64 = 4.0;
const GAP: f64 = 0.2;
const WIDEST: f64 = 48.0;

/// Px from the name of one thread to the next.
const NAME_STEP: f64 = 64.0;

/// Of the line of the mean.
const DASH: [f64; 2] = [4.0, 3.0];

const OPACITY: f64 = 0.6;

/// In which order threads stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub enum Order {
    #[default]
    Thread,
    /// The largest first.
    Value,
    /// Not one by one: how many have how much.
    Histogram,
}

/// Threads as they stand in the picture.
pub struct Bars {
    left: f64,
    pitch: f64,
    gap: f64,
    count: usize,
    /// Places of threads, from the left.
    threads: Vec<u32>,
}

impl Bars {
    pub fn of(view: &ProfileView, values: &[f64]) -> Self {
        let frame = view.frame();
        let wide = (frame.right - frame.left).max(1.0);
        let mut threads = (0..values.len() as u32).collect::<Vec<_>>();
        if view.order == Order::Value {
            // What has no value stands last.
            let value = |at: &u32| values[*at as usize];
            order::by_number(&mut threads, |at| {
                order::of_float(if value(at).is_nan() { f64::INFINITY } else { -value(at) })
            });
        }
        let count = threads.len().min(wide as usize).max(1);
        let pitch = wide / count as f64;
        let gap = if pitch >= APART_FROM { (GAP * pitch).max(pitch - WIDEST) } else { 0.0 };
        Self { left: frame.left, pitch, gap, count, threads }
    }

    /// The threads of which a place of the picture tells: of very many each px shows some.
    pub fn at(&self, x: f64) -> &[u32] {
        let at = (x - self.left) / self.pitch;
        let is_inside = (0.0..self.count as f64).contains(&at);
        if is_inside { self.threads_of(at as usize) } else { &[] }
    }

    fn threads_of(&self, at: usize) -> &[u32] {
        let threads = self.threads.len();
        self.threads.get(at * threads / self.count..(at + 1) * threads / self.count).unwrap_or(&[])
    }

    fn ends(&self, at: usize) -> (f64, f64) {
        let left = self.left + at as f64 * self.pitch;
        (left + self.gap / 2.0, left + self.pitch - self.gap / 2.0)
    }
}

/// Paints a bar for each thread: of more than there are px each shows the mean of some.
#[inline(never)]
pub fn bars(pen: &dyn Pen, pictured: &Pictured, view: &ProfileView, values: &[f64]) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let largest = finite().fold(0.0, f64::max);
    if view.order == Order::Histogram {
        return histogram(pen, pictured, view, values);
    }
    let (top, bottom) = (ABOVE, frame.height - BELOW);
    let written = written(pictured, largest);
    let steps = Steps::from_zero(largest * written.factor, 3);
    let up = |value: f64| {
        bottom - (value * written.factor / steps.max()).clamp(0.0, 1.0) * (bottom - top)
    };
    axis(pen, &frame, view, steps, written.unit, |value| {
        bottom - value / steps.max() * (bottom - top)
    });
    let bars = Bars::of(view, values);
    let colour = view.picked.map_or(tokens.axis, |node| pictured.colour(node, tokens));
    for at in 0..bars.count {
        let threads = bars.threads_of(at);
        let of =
            threads.iter().map(|thread| values[*thread as usize]).filter(|value| value.is_finite());
        let (sum, count) = of.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
        if count > 0.0 {
            let (left, right) = bars.ends(at);
            let is_meant = view.thread.is_some_and(|thread| threads.contains(&thread));
            let opacity = if is_meant { 1.0 } else { OPACITY };
            let colour = if is_meant { tokens.accent } else { colour };
            pen.fill((left, up(sum / count)), (right, bottom), colour, opacity);
        }
    }
    pen.frame((frame.left, top), (frame.right, bottom), tokens.line);
    let count = finite().count();
    if count > 0 {
        let mean = finite().sum::<f64>() / count as f64;
        let level = [(frame.left, up(mean)), (frame.right, up(mean))];
        pen.dashed(&level, Stroke::solid(tokens.ink, 1.0), &DASH);
        let inset = frame.inset(frame.width - frame.right);
        let text = if frame.narrow() { written.number(mean) } else { written.text(mean) };
        pen.text(
            (frame.right + inset, up(mean) + MIDDLE),
            Anchor::Start,
            &text,
            Face::bold(TICK, tokens.ink2),
        );
    }
    names(pen, pictured, view, &frame, &bars);
    Layout { plot: crate::paint::scene::Plot { top, bottom, ..frame.plot() }, strips: vec![] }
}

fn written(pictured: &Pictured, largest: f64) -> OfMetric {
    match &pictured.measure {
        Measure::Metric(metric) => {
            OfMetric::of(&pictured.overview.whole.metrics[*metric].unit, largest)
        }
        Measure::Formula { .. } => OfMetric::of_formula(),
    }
}

/// Numbers beside a plot, the unit in place of the largest.
pub fn axis(
    pen: &dyn Pen,
    frame: &Frame,
    view: &ProfileView,
    steps: Steps,
    unit: &str,
    up: impl Fn(f64) -> f64,
) {
    let tokens = view.tokens();
    let inset = frame.inset(frame.left);
    for at in 0..=steps.count {
        let value = steps.min + steps.step * f64::from(at);
        let y = up(value);
        pen.hair((frame.left, y), (frame.right, y), tokens.ink, tokens.grid);
        let text = if at == steps.count && !unit.is_empty() {
            unit.to_owned()
        } else {
            number(value, if value == 0.0 { 0 } else { decimals(steps.step) })
        };
        pen.text(
            (frame.left - inset, y + MIDDLE),
            Anchor::End,
            &text,
            Face::plain(TICK, tokens.ink3),
        );
    }
}

/// Names of threads, as many as there is room for.
fn names(pen: &dyn Pen, pictured: &Pictured, view: &ProfileView, frame: &Frame, bars: &Bars) {
    let face = Face::plain(TICK, view.tokens().ink3);
    let room = (frame.right - frame.left) / NAME_STEP;
    let step = libm::ceil(bars.count as f64 / room.max(1.0)).max(1.0) as usize;
    for at in (0..bars.count).step_by(step) {
        let thread =
            bars.threads_of(at).first().and_then(|at| pictured.overview.threads.get(*at as usize));
        let (from, to) = bars.ends(at);
        let words = thread.map_or("", |name| name.as_str());
        let middle = f64::midpoint(from, to).max(frame.left + face.width(words) / 2.0);
        pen.text((middle, frame.height - 6.0), Anchor::Middle, words, face);
    }
}

/// Least number of bins, and their number for so many threads: Sturges 1926, *The choice of a class
/// interval*, ⌈log₂ n⌉ + 1, twice as many as the tails of imbalance are what is looked for.
fn bins(threads: usize) -> usize {
    2 * (usize::BITS - threads.max(1).leading_zeros()) as usize + 2
}

/// How many threads have how much.
fn histogram(pen: &dyn Pen, pictured: &Pictured, view: &ProfileView, values: &[f64]) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let (top, bottom) = (ABOVE, frame.height - BELOW);
    let finite = values.iter().copied().filter(|value| value.is_finite()).collect::<Vec<_>>();
    let low = finite.iter().copied().fold(f64::INFINITY, f64::min);
    let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let plot =
        Layout { plot: crate::paint::scene::Plot { top, bottom, ..frame.plot() }, strips: vec![] };
    if finite.is_empty() {
        return plot;
    }
    let count = bins(finite.len());
    let wide = (high - low).max(f64::MIN_POSITIVE);
    let mut held = vec![0u32; count];
    for value in &finite {
        let at = ((value - low) / wide * count as f64) as usize;
        held[at.min(count - 1)] += 1;
    }
    let most = f64::from(held.iter().copied().max().unwrap_or(1));
    let steps = Steps::from_zero(most, 3);
    let up = |value: f64| bottom - value / steps.max() * (bottom - top);
    axis(pen, &frame, view, steps, "", up);
    let colour = view.picked.map_or(tokens.axis, |node| pictured.colour(node, tokens));
    let pitch = (frame.right - frame.left) / count as f64;
    for (at, held) in held.iter().enumerate().filter(|(_, held)| **held > 0) {
        let left = frame.left + at as f64 * pitch;
        pen.fill((left + 1.0, up(f64::from(*held))), (left + pitch - 1.0, bottom), colour, OPACITY);
    }
    pen.frame((frame.left, top), (frame.right, bottom), tokens.line);
    let written = written(pictured, high);
    let face = Face::plain(TICK, tokens.ink3);
    for (share, anchor) in [(0.0, Anchor::Start), (0.5, Anchor::Middle), (1.0, Anchor::End)] {
        let x = frame.left + share * (frame.right - frame.left);
        pen.text((x, frame.height - 6.0), anchor, &written.text(low + share * (high - low)), face);
    }
    plot
}
