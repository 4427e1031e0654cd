//! A profile: its tree as an icicle, one node of it over all threads, contexts against routines.

mod bars;
mod heat;
mod icicle;
mod over_time;
mod points;

pub use bars::{Bars, Order, bars};
pub use heat::{Heat, heat};
pub use icicle::{icicle, icicle_height, node_at};
pub use over_time::{OverTime, Piece, interval_at, is_time as is_time_looked_at, over_time};
pub use points::{Axis, AxisOf, nearest_thread, points};

use plotters::style::RGBColor;
use serde::Deserialize;

use super::View;
use super::scene::{Frame, Theme, Tokens, mix};
use crate::order::{self, Texts};
use crate::profile::{Measure, MeasureError, NodeKind, Overview, Share, Shown};
use crate::quantity::OfMetric;

/// The hue of calls of MPI, as where they are told as waiting; routines have the others.
const MPI: usize = 9;

/// How much of the ink what has no colour of its own has.
const GREY: f64 = 0.45;

/// Opacity of a cell.
const CELL: f64 = 0.25;

/// An overview with what all its pictures and tables need.
pub struct Pictured {
    pub overview: Overview,
    pub shown: Shown,
    pub measure: Measure,
    /// The metric whose shares cells are wide by: that which is looked at, or the first if that is a
    /// formula, whose values do not add up.
    pub metric: usize,
    /// All that stand in the tree.
    pub samples: f64,
    /// By node, what colours are by: names with most first. `None` of probes that only contain.
    hues: Vec<Option<usize>>,
}

/// All that a picture of a profile depends on beside it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default, rename_all = "camelCase")]
pub struct ProfileView {
    pub theme: Theme,
    /// Size of the canvas, and its gutters, in CSS px.
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    /// Whether threads are told by what they have exclusively.
    pub exclusive: bool,
    /// The node that fills the icicle; none: the roots.
    pub root: Option<u32>,
    pub picked: Option<u32>,
    /// In which order threads stand, or that they are counted.
    pub order: Order,
    /// The thread that is told alone, by place.
    pub thread: Option<u32>,
}

impl ProfileView {
    pub fn share(&self) -> Share {
        if self.exclusive { Share::Exclusive } else { Share::Inclusive }
    }

    fn frame(&self) -> Frame {
        let &Self { theme, width, height, left, right, .. } = self;
        Frame::of(&View { theme, width, height, left, right, to: 1.0, ..View::default() })
    }

    fn tokens(&self) -> &'static Tokens {
        self.theme.tokens()
    }
}

impl Pictured {
    pub fn of(overview: Overview) -> Result<Self, MeasureError> {
        let measure = overview.whole.measure_or_first(&overview.measure)?;
        let metric = if let Measure::Metric(metric) = measure { metric } else { 0 };
        let shown = Shown::of(&overview.whole);
        let leaves = overview.whole.nodes.iter().zip(&overview.total().counts);
        let samples = leaves.filter(|(node, _)| node.kind.is_leaf()).map(|(_, count)| count).sum();
        let mut pictured = Self { hues: vec![], overview, shown, measure, metric, samples };
        pictured.hues = hues(&pictured);
        Ok(pictured)
    }

    /// What a node has of [`Self::metric`] with all below it, of all threads together.
    pub fn inclusive(&self, node: u32) -> f64 {
        let column = self.overview.total().inclusive.get(self.metric);
        column.and_then(|column| column.get(node as usize)).copied().unwrap_or(0.0)
    }

    pub fn exclusive(&self, node: u32) -> f64 {
        let column = self.overview.total().exclusive.get(self.metric);
        column.and_then(|column| column.get(node as usize)).copied().unwrap_or(0.0)
    }

    /// What all have together.
    pub fn whole(&self) -> f64 {
        self.shown.roots.iter().map(|root| self.inclusive(*root)).sum()
    }

    /// How values of the measure are written: as a mean over the threads.
    pub fn written(&self) -> OfMetric {
        let threads = self.overview.threads_meant().max(1) as f64;
        match self.measure {
            Measure::Metric(metric) => {
                OfMetric::of(&self.overview.whole.metrics[metric].unit, self.whole() / threads)
            }
            Measure::Formula { .. } => OfMetric::of_formula(),
        }
    }

    pub fn is_mpi(&self, node: u32) -> bool {
        let node = &self.overview.whole.nodes[node as usize];
        node.name.starts_with("MPI_") || node.group.split('|').any(|group| group == "MPI")
    }

    /// The colour of a node: grey where it only contains others.
    pub fn colour(&self, node: u32, tokens: &Tokens) -> RGBColor {
        match self.hues.get(node as usize).copied().flatten() {
            Some(hue) if hue < tokens.palette.len() => tokens.routine(hue),
            _ => mix(tokens.surface, tokens.ink3, GREY),
        }
    }
}

/// Names with most of their own first: samples, and probes with nothing inside.
fn hues(pictured: &Pictured) -> Vec<Option<usize>> {
    let nodes = &pictured.overview.whole.nodes;
    let is_coloured = |at: u32| {
        let node = &nodes[at as usize];
        let is_end = node.kind.is_sampled() || pictured.shown.children[at as usize].is_empty();
        is_end && node.kind != NodeKind::Unresolved
    };
    let (mut names, mut own) = (Texts::default(), Vec::<f64>::new());
    for at in (0..nodes.len() as u32).filter(|at| is_coloured(*at) && !pictured.is_mpi(*at)) {
        let name = names.of(&nodes[at as usize].name) as usize;
        own.resize(names.texts.len(), 0.0);
        own[name] += pictured.exclusive(at);
    }
    let by_own = order::indices(own.iter().map(|own| order::of_float(-own)));
    let mut places = vec![0; own.len()];
    for (place, name) in by_own.into_iter().enumerate() {
        // The hue of MPI is left to it.
        places[name as usize] = place + usize::from(place >= MPI);
    }
    let hue = |at: u32| match (is_coloured(at), pictured.is_mpi(at)) {
        (false, _) => None,
        (true, true) => Some(MPI),
        (true, false) => names.get(&nodes[at as usize].name).map(|name| places[name as usize]),
    };
    (0..nodes.len() as u32).map(hue).collect()
}
