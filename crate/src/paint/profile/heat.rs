//! Contexts against routines: how many of the samples of each context hit each routine. PerfExplorer of
//! TAU has it as CONTEXT × SAMPLE.

use plotters::style::RGBColor;

use super::{Pictured, ProfileView};
use crate::order::{self, Numbers, Texts};
use crate::paint::scene::{
    Anchor, Face, Layout, Pen, Place, Plot, elide_end, elide_front, printable, rgb,
};
use crate::paint::time::{MIDDLE, TICK};
use crate::profile::NodeKind;
use crate::quantity::percent;

/// Most contexts, and most routines: those with most samples.
const MOST: usize = 12;

/// Height of a row, and of what stands below all.
const ROW: f64 = 20.0;
const BELOW: f64 = 64.0;

/// Px of the names at the left, as a share of the width, and at most.
const NAMES: f64 = 0.3;
const NAMES_PX: f64 = 220.0;

/// Samples of a context that hit a routine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    /// Nodes of probes, those with most samples first.
    pub contexts: Vec<u32>,
    /// Names of routines, the same.
    pub routines: Vec<String>,
    /// By context, then by routine: samples.
    pub samples: Vec<Vec<f64>>,
    /// Of each context all its samples, those of routines that are not shown too.
    pub of_context: Vec<f64>,
}

impl Heat {
    /// What contexts and routines have most samples.
    pub fn of(pictured: &Pictured) -> Self {
        let nodes = &pictured.overview.whole.nodes;
        let counts = &pictured.overview.total().counts;
        let (mut contexts, mut routines) = (Numbers::default(), Texts::default());
        // Of each cell its context and its routine, by number, and samples; the same of each row and column.
        let (mut cells, mut met) = (Vec::<(usize, usize, f64)>::new(), Numbers::default());
        let (mut nodes_of, mut of_context, mut of_routine) = (vec![], vec![], vec![]);
        for (at, node) in (0u32..).zip(nodes).filter(|(_, node)| node.kind.is_leaf()) {
            let is_probe = |at: &u32| !nodes[*at as usize].kind.is_sampled();
            let Some(probe) = pictured.shown.upwards(at).find(is_probe) else { continue };
            let name = if node.kind == NodeKind::Unresolved { "unresolved" } else { &node.name };
            let context = contexts.of([probe.into(), 0, 0]);
            let routine = routines.of(name) as usize;
            if context == nodes_of.len() {
                nodes_of.push(probe);
                of_context.push(0.0);
            }
            of_routine.resize(routines.texts.len(), 0.0);
            let cell = met.of([context as u64, routine as u64, 0]);
            if cell == cells.len() {
                cells.push((context, routine, 0.0));
            }
            let count = counts[at as usize];
            cells[cell].2 += count;
            of_context[context] += count;
            of_routine[routine] += count;
        }
        let (rows, columns) = (most(&of_context), most(&of_routine));
        let mut samples = vec![vec![0.0; columns.len()]; rows.len()];
        for (context, routine, count) in cells {
            let row = rows.iter().position(|row| *row as usize == context);
            let column = columns.iter().position(|column| *column as usize == routine);
            if let Some((row, column)) = row.zip(column) {
                samples[row][column] = count;
            }
        }
        Self {
            samples,
            of_context: rows.iter().map(|row| of_context[*row as usize]).collect(),
            contexts: rows.iter().map(|row| nodes_of[*row as usize]).collect(),
            routines: columns.iter().map(|at| routines.texts[*at as usize].clone()).collect(),
        }
    }

    pub fn height(&self) -> f64 {
        self.contexts.len() as f64 * ROW + BELOW
    }

    fn plot(&self, view: &ProfileView) -> Plot {
        let frame = view.frame();
        let left = (NAMES * frame.width).min(NAMES_PX).max(frame.left);
        Plot { left, top: 0.0, right: frame.right, bottom: self.contexts.len() as f64 * ROW }
    }

    /// The context and the routine at a place of the picture.
    pub fn at(&self, view: &ProfileView, (x, y): Place) -> Option<(usize, usize)> {
        let plot = self.plot(view);
        let across = (x - plot.left) / (plot.right - plot.left) * self.routines.len() as f64;
        let (row, column) = ((y / ROW) as usize, across as usize);
        let is_inside =
            y >= 0.0 && across >= 0.0 && row < self.contexts.len() && column < self.routines.len();
        is_inside.then_some((row, column))
    }
}

/// The places of the largest, that first; of what has some.
fn most(counts: &[f64]) -> Vec<u32> {
    let mut places = order::indices(counts.iter().map(|count| order::of_float(-count)));
    places.retain(|at| counts[*at as usize] > 0.0);
    places.truncate(MOST);
    places
}

/// Paints a cell for each pair, as dark as its share of the context's samples.
#[inline(never)]
pub fn heat(pen: &dyn Pen, pictured: &Pictured, view: &ProfileView, heat: &Heat) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let plot = heat.plot(view);
    let wide = (plot.right - plot.left) / heat.routines.len().max(1) as f64;
    let face = Face::plain(TICK, tokens.ink2);
    for (row, context) in heat.contexts.iter().enumerate() {
        let top = row as f64 * ROW;
        let name = printable(&pictured.overview.whole.nodes[*context as usize].name);
        let name = elide_front(&name, plot.left - 16.0, TICK).unwrap_or_default();
        pen.text((plot.left - 8.0, top + ROW / 2.0 + MIDDLE), Anchor::End, &name, face);
        for (column, samples) in
            heat.samples[row].iter().enumerate().filter(|(_, samples)| **samples > 0.0)
        {
            let share = samples / heat.of_context[row].max(1.0);
            let steps = tokens.latency.len();
            let hex = tokens.latency[((share * steps as f64) as usize).min(steps - 1)];
            let left = plot.left + column as f64 * wide;
            pen.fill((left, top), (left + wide - 1.0, top + ROW - 1.0), rgb(hex), 0.85);
            let text = percent(share, 0);
            if share >= 0.005 && Face::bold(TICK, tokens.surface).width(&text) < wide - 4.0 {
                let ink = if is_bright(rgb(hex)) { rgb(0) } else { rgb(0xFF_FF_FF) };
                pen.text(
                    (left + wide / 2.0, top + ROW / 2.0 + MIDDLE),
                    Anchor::Middle,
                    &text,
                    Face::plain(TICK, ink),
                );
            }
        }
    }
    // Names of routines below, on as many lines as keep them apart.
    for (column, name) in heat.routines.iter().enumerate() {
        let x = plot.left + (column as f64 + 0.5) * wide;
        let base = plot.bottom + 14.0 + (column % 3) as f64 * 14.0;
        let room = 3.0 * wide - 8.0;
        let text = elide_end(&printable(name), room, TICK, false);
        let half = face.width(&text) / 2.0;
        let x = x.max(half + 2.0).min(frame.width - half - 2.0);
        pen.text((x, base), Anchor::Middle, &text, face);
    }
    pen.frame((plot.left, plot.top), (plot.right, plot.bottom), tokens.line);
    Layout { plot, strips: vec![] }
}

/// Whether black is read better on a colour than white.
fn is_bright(RGBColor(r, g, b): RGBColor) -> bool {
    0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b) > 150.0
}
