//! Where it went from moment to moment, of measurements that tell more than the end.

use std::collections::BTreeMap;

use super::bars::axis;
use super::{Pictured, ProfileView};
use crate::order;
use crate::paint::scale::{Steps, decimals};
use crate::paint::scene::{Anchor, Face, Layout, Pen, Place, Plot, Stroke, mix};
use crate::paint::time::TICK;
use crate::profile::NodeKind;
use crate::quantity::{OfMetric, number};

/// Px above the plot and below it.
const ABOVE: f64 = 8.0;
const BELOW: f64 = 20.0;

/// Names that have a piece of their own, the largest: as many as hues that are told apart. The rest is one.
const MOST: usize = 8;

/// Intervals of at least so many px have gaps between them.
const APART_FROM: f64 = 4.0;

const OPACITY: f64 = 0.6;

/// Ticks below the plot have at least so many px.
const TICK_STEP: f64 = 90.0;

/// What of each interval is painted over one another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverTime {
    /// Where intervals begin and end: nanoseconds, or their numbers where no time was measured.
    pub edges: Vec<f64>,
    pub in_time: bool,
    /// The largest first, what is left at the end.
    pub pieces: Vec<Piece>,
    /// How many threads tell of the intervals.
    pub threads: u32,
}

/// What a routine, or a probe with nothing inside, has of each interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// The first node of that name; `None` of the rest.
    pub node: Option<u32>,
    /// By interval, of all threads together, of the metric that is looked at.
    pub values: Vec<f64>,
}

impl OverTime {
    /// Empty where nothing is told of intervals. O(intervals × nodes).
    pub fn of(pictured: &Pictured) -> Self {
        let whole = &pictured.overview.whole;
        let intervals = &whole.intervals;
        if intervals.is_empty() {
            return Self::default();
        }
        let ends = whole.ends_ns();
        let in_time = ends.is_some();
        let ends = ends.unwrap_or_else(|| (1..=intervals.len()).map(|at| at as f64).collect());
        let mut pieces = BTreeMap::<usize, Piece>::new();
        let mut rest = Piece { node: None, values: vec![0.0; intervals.len()] };
        for (at, interval) in intervals.iter().enumerate() {
            let columns = &interval.columns;
            let column = |of: &[Vec<f64>], place: usize| of[pictured.metric][place];
            // What samples tell of a probe is told by them.
            let mut sampled = BTreeMap::<u32, f64>::new();
            for (place, node) in columns.nodes.iter().enumerate() {
                let of = &whole.nodes[*node as usize];
                if let (NodeKind::Context, Some(probe)) = (of.kind, of.parent) {
                    *sampled.entry(probe).or_default() += column(&columns.inclusive, place);
                }
            }
            for (place, node) in columns.nodes.iter().enumerate() {
                let kind = whole.nodes[*node as usize].kind;
                if !(kind.is_leaf() || kind == NodeKind::Probe) {
                    continue;
                }
                let told = sampled.get(node).copied().unwrap_or(0.0);
                let value = (column(&columns.exclusive, place) - told).max(0.0);
                let hue = pictured.hues.get(*node as usize).copied().flatten();
                let piece = match hue {
                    Some(hue) => pieces.entry(hue).or_insert_with(|| Piece {
                        node: Some(*node),
                        values: vec![0.0; intervals.len()],
                    }),
                    None => &mut rest,
                };
                piece.values[at] += value;
            }
        }
        let mut pieces = pieces.into_values().collect::<Vec<_>>();
        let total = |piece: &Piece| piece.values.iter().sum::<f64>();
        order::by_number(&mut pieces, |piece| order::of_float(-total(piece)));
        for small in pieces.split_off(pieces.len().min(MOST)) {
            rest.values.iter_mut().zip(small.values).for_each(|(rest, small)| *rest += small);
        }
        pieces.retain(|piece| total(piece) > 0.0);
        if total(&rest) > 0.0 {
            pieces.push(rest);
        }
        let threads = intervals.iter().map(|of| of.threads).max().unwrap_or(0);
        let edges = std::iter::once(0.0).chain(ends).collect();
        Self { edges, in_time, pieces, threads }
    }

    pub fn intervals(&self) -> usize {
        self.edges.len().saturating_sub(1)
    }

    /// Of a thread: a share of the interval if the metric is time, events per microsecond of others, or what
    /// it has of the interval where no time was measured.
    pub fn rate(&self, interval: usize, value: f64, is_time: bool) -> f64 {
        let threads = f64::from(self.threads.max(1));
        let long_ns = self.edges[interval + 1] - self.edges[interval];
        match (self.in_time, is_time) {
            (false, _) => value / threads,
            (_, true) => value / threads / long_ns.max(1.0),
            (_, false) => value / threads / long_ns.max(1.0) * 1e3,
        }
    }
}

/// Paints what each interval is made of, and over it what the picked node has of it with all below.
#[inline(never)]
pub fn over_time(pen: &dyn Pen, pictured: &Pictured, view: &ProfileView, of: &OverTime) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let (top, bottom) = (ABOVE, frame.height - BELOW);
    let plot = Layout { plot: Plot { top, bottom, ..frame.plot() }, strips: vec![] };
    let Some(end) = of.edges.last().copied().filter(|end| *end > 0.0) else { return plot };
    let scale = Scale::of(pictured, of);
    let up = |value: f64| bottom - scale.height(value) * (bottom - top);
    axis(pen, &frame, view, scale.steps, &scale.unit, |value| {
        bottom - value / scale.steps.max() * (bottom - top)
    });
    let across = |at: f64| frame.left + at / end * (frame.right - frame.left);
    for at in 0..of.intervals() {
        let (left, right) = (across(of.edges[at]), across(of.edges[at + 1]));
        let gap = if right - left >= APART_FROM { 1.0 } else { 0.0 };
        let mut below = 0.0;
        for piece in &of.pieces {
            let above = below + of.rate(at, piece.values[at], scale.is_time);
            let grey = || mix(tokens.surface, tokens.ink3, super::GREY);
            let colour = piece.node.map_or_else(grey, |node| pictured.colour(node, tokens));
            pen.fill((left, up(above)), (right - gap, up(below)), colour, OPACITY);
            below = above;
        }
    }
    if let Some(picked) = view.picked {
        let mut line = vec![];
        for at in 0..of.intervals() {
            let columns = &pictured.overview.whole.intervals[at].columns;
            let value =
                columns.place(picked).map(|place| columns.inclusive[pictured.metric][place]);
            let y = up(of.rate(at, value.unwrap_or(0.0), scale.is_time));
            line.extend([(across(of.edges[at]), y), (across(of.edges[at + 1]), y)]);
        }
        pen.line(&line, Stroke::solid(tokens.ink, 1.5));
    }
    pen.frame((frame.left, top), (frame.right, bottom), tokens.line);
    ticks(pen, view, of, across);
    plot
}

/// Times below the plot, or numbers of intervals.
fn ticks(pen: &dyn Pen, view: &ProfileView, of: &OverTime, across: impl Fn(f64) -> f64) {
    let frame = view.frame();
    let end = of.edges.last().copied().unwrap_or(1.0);
    let written = OfMetric::of(if of.in_time { "ns" } else { "" }, end);
    let room = ((frame.right - frame.left) / TICK_STEP).max(2.0) as u32;
    let steps = Steps::from_zero(end * written.factor / 1.1, room);
    let face = Face::plain(TICK, view.tokens().ink3);
    for at in 0..=steps.count {
        let value = f64::from(at) * steps.step;
        let x = across(value / written.factor);
        if x > frame.right + 0.5 {
            break;
        }
        let digits = number(value, if value == 0.0 { 0 } else { decimals(steps.step) });
        let is_first = at == 0;
        let text = match is_first && of.in_time {
            true => format!("0 {}", written.unit),
            false => digits,
        };
        let anchor = if is_first { Anchor::Start } else { Anchor::Middle };
        let half = face.width(&text) / 2.0;
        let x = if is_first { x } else { x.min(frame.right - half) };
        pen.text((x, frame.height - 6.0), anchor, &text, face);
    }
}

/// The interval at a place of the picture, and the piece of it that is there, by their numbers.
pub fn interval_at(
    pictured: &Pictured,
    view: &ProfileView,
    of: &OverTime,
    (x, y): Place,
) -> Option<(usize, Option<usize>)> {
    let frame = view.frame();
    let end = of.edges.last().copied().filter(|end| *end > 0.0)?;
    let at = (x - frame.left) / (frame.right - frame.left) * end;
    let mut intervals = 0..of.intervals();
    let interval = intervals.find(|each| (of.edges[*each]..of.edges[*each + 1]).contains(&at))?;
    let scale = Scale::of(pictured, of);
    let (top, bottom) = (ABOVE, frame.height - BELOW);
    let mut left = (bottom - y) / (bottom - top);
    let piece = of.pieces.iter().position(|piece| {
        left -= scale.height(of.rate(interval, piece.values[interval], scale.is_time));
        left < 0.0
    });
    Some((interval, piece.filter(|_| y <= bottom)))
}

/// How high rates are painted.
struct Scale {
    steps: Steps,
    /// From a rate to what the axis tells.
    factor: f64,
    unit: String,
    is_time: bool,
}

impl Scale {
    fn of(pictured: &Pictured, of: &OverTime) -> Self {
        let is_time = is_time(pictured);
        if is_time && of.in_time {
            let steps = Steps { min: 0.0, step: 50.0, count: 2 };
            return Self { steps, factor: 100.0, unit: "%".to_owned(), is_time };
        }
        let sum = |at: usize| of.pieces.iter().map(|piece| piece.values[at]).sum::<f64>();
        let rates = (0..of.intervals()).map(|at| of.rate(at, sum(at), is_time));
        let largest = rates.fold(0.0, f64::max);
        let written = OfMetric::of(if is_time { "ns" } else { "" }, largest);
        let per = if of.in_time { "/µs" } else { "" };
        Self {
            steps: Steps::from_zero(largest * written.factor, 3),
            factor: written.factor,
            unit: format!("{}{per}", written.unit),
            is_time,
        }
    }

    /// As a share of the plot.
    fn height(&self, rate: f64) -> f64 {
        (rate * self.factor / self.steps.max()).clamp(0.0, 1.0)
    }
}

/// Whether the metric that is looked at is time.
pub fn is_time(pictured: &Pictured) -> bool {
    pictured.overview.whole.time() == Some(pictured.metric)
}
