//! The hybrid profile: where the time of a run went, as probes and samples say it together.
//!
//! Probes (begin and end of regions) make a stack on each thread; its path is the *context* of what
//! is sampled meanwhile. A [`Profile`] is threads × nodes × metrics: the nodes are one tree that all
//! threads share, and each thread has columns for those that it met. Below the node of a probe lie the
//! probes that began inside it and, if it was sampled, one `context` with what the samples show:
//! call sites (`unwind`), at their end routines (`sample`, `unresolved`).
//!
//! Probes and samples tell the same time twice, so they never add up: the inclusive value of a probe
//! is its own and that of the probes inside it, that of a context the sum of its samples. Where a
//! context's weights are clipped, it is never more than what the probe has exclusively.
//!
//! Source: Malony, Huck 2014, *General hybrid parallel profiling*, §III.

mod advice;
mod beside;
mod bytes;
mod column;
mod doubt;
mod intervals;
mod measure;
mod overview;
mod quality;
mod shown;
mod stacks;
mod summary;
mod tree;
mod user_events;

use serde::{Deserialize, Serialize};

pub use advice::Costly;
pub use beside::{Beside, BesideError, OverThreads};
pub use column::Columns;
pub use doubt::{correlation, share_between};
pub use intervals::Interval;
pub use measure::{Measure, MeasureError, Share};
pub use overview::{Asked, Overview, Spread};
pub use quality::{Quality, Weights};
pub use shown::Shown;
pub use tree::{Nodes, Words};
pub use user_events::UserEvents;

use crate::trace::Object;

/// Of [`Profile::version`].
pub const VERSION: u32 = 1;
/// Most regions that lie inside one another: in the tree of a profile that many are seen already as one
/// line each, and begins that never end would make a path as long as the trace.
pub const MAX_DEPTH: usize = 1000;
/// The name of the first metric, and its unit.
pub const TIME: (&str, &str) = ("TIME", "ns");

/// Threads × nodes × metrics, as columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    pub version: u32,
    /// Of the trace that it was made of, or of the trial.
    pub name: String,
    /// Time is the first, if it was measured.
    pub metrics: Vec<Metric>,
    /// Each after its parent; the first is the root of all.
    pub nodes: Vec<Node>,
    /// In the order of the trace.
    pub threads: Vec<ThreadProfile>,
    /// Names of values that the program told where it liked: sizes of messages, of the heap.
    pub user_events: Vec<String>,
    /// What the measurement says of itself and its machine, the same for all threads: key, value.
    pub metadata: Vec<(String, String)>,
    pub quality: Quality,
    /// The same from moment to moment, in their order; none where the measurement tells the end alone.
    pub intervals: Vec<Interval>,
}

/// What is measured of each node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metric {
    /// `TIME`, `PAPI_TOT_INS`.
    pub name: String,
    /// `ns`; empty for what a counter counts.
    pub unit: String,
}

/// A place in the tree that probes and samples span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Index of a node before it; `None` of the root.
    pub parent: Option<u32>,
    pub kind: NodeKind,
    /// A region, a routine; of a context the region that it is the context of.
    pub name: String,
    /// As far as it is told; empty if nothing tells.
    pub file: String,
    /// From 1; 0 if nothing tells.
    pub line: u32,
    /// Of a probe: what it belongs to, parted by `|`: `MPI`, `TAU_PHASE`. Empty if nothing tells.
    pub group: String,
}

/// What a node stands for, and with it which evidence its numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// A region that was begun and ended here.
    Probe,
    /// Of its parent's calls those with one value of a parameter, or from one call site: part of it, told
    /// once more.
    Part,
    /// What was sampled while that region was innermost.
    Context,
    /// A call on the way from the context to what was sampled.
    Unwind,
    /// The sampled lines of a routine below one caller; derived, never counted.
    Summary,
    /// A sampled routine and line.
    Sample,
    /// A sample of which the routine is not known.
    Unresolved,
}

impl NodeKind {
    /// As files and people have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Probe => "probe",
            Self::Part => "part",
            Self::Context => "context",
            Self::Unwind => "unwind",
            Self::Summary => "summary",
            Self::Sample => "sample",
            Self::Unresolved => "unresolved",
        }
    }

    /// Whether samples and not probes say its numbers.
    pub fn is_sampled(self) -> bool {
        !matches!(self, Self::Probe | Self::Part)
    }

    /// Whether it tells again what its parent has, so that it adds nothing to it.
    pub fn tells_again(self) -> bool {
        matches!(self, Self::Context | Self::Part)
    }

    /// Whether it is the end of a sampled path.
    pub fn is_leaf(self) -> bool {
        matches!(self, Self::Sample | Self::Unresolved)
    }
}

/// What one thread did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadProfile {
    /// `1.2.3` of the trace, or as TAU numbers them.
    pub thread: String,
    /// Of the same, from 0: what TAU calls node, context and thread.
    pub node_context_thread: [u32; 3],
    pub columns: Columns,
    pub user_events: UserEvents,
}

impl ThreadProfile {
    pub fn new(object: Object, columns: Columns) -> Self {
        let [task, thread] = [object.task, object.thread].map(|number| number.saturating_sub(1));
        Self {
            thread: object.to_string(),
            node_context_thread: [task, object.application.saturating_sub(1), thread],
            columns,
            user_events: UserEvents::default(),
        }
    }
}

impl Profile {
    /// What all threads did together, of every node. O(threads × nodes).
    pub fn total(&self) -> Columns {
        Columns::sum(
            self.nodes.len(),
            self.metrics.len(),
            self.threads.iter().map(|of| &of.columns),
        )
    }

    /// The number of the metric that is time; `None` where it was not measured.
    pub fn time(&self) -> Option<usize> {
        self.metrics.iter().position(|metric| metric.unit == TIME.1)
    }

    /// The number of a metric by its name, in any case of letters.
    pub fn metric(&self, name: &str) -> Option<usize> {
        self.metrics.iter().position(|metric| metric.name.eq_ignore_ascii_case(name))
    }

    /// How far each node is from the root.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = Vec::<u32>::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let parent = node.parent.and_then(|parent| depths.get(parent as usize));
            depths.push(parent.map_or(0, |depth| depth + 1));
        }
        depths
    }

    /// The nodes as the tree is read: each before those below it, which have the order that `rank`
    /// gives them, largest first, and of equal ones that in which they were met.
    pub fn in_order(&self, rank: impl Fn(usize) -> f64) -> Vec<u32> {
        let mut children = vec![vec![]; self.nodes.len()];
        let mut open = vec![];
        for (at, node) in (0u32..).zip(&self.nodes) {
            match node.parent {
                Some(parent) => children[parent as usize].push(at),
                None => open.push(at),
            }
        }
        // The last one is taken first.
        for list in &mut children {
            list.reverse();
            list.sort_by(|a, b| rank(*a as usize).total_cmp(&rank(*b as usize)));
        }
        open.reverse();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(at) = open.pop() {
            order.push(at);
            open.append(&mut children[at as usize]);
        }
        order
    }
}
