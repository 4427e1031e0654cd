//! The types of a run at a glance: what its threads do when, what repeats, how well threads are used.
//!
//! `run` makes it of a trace; pictures and reports are made of it. All times are nanoseconds from the
//! begin of the trace, all shares lie within 0 and 1.

mod efficiency;
mod thread_use;
mod factors;
mod core_parts;
mod run_use;
mod raster;

pub use core_parts::{CorePart, core_parts};
pub use efficiency::{CoreTime, Efficiency, Factor, Measure};
pub use factors::{FACTORS, NamedFactor, Of, of_iterations};
pub use raster::Raster;
pub use run_use::{Column, RunUse, ScalingAsked, columns, has_ranks};
pub use thread_use::{OpenMp, Scales, Scaling, ThreadUse, Total};

use serde::{Deserialize, Serialize};

/// The whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Glance {
    /// Name of the trace.
    pub name: String,
    /// From the begin of the trace to its end.
    pub runtime_ns: f64,
    pub tasks: u32,
    /// In the order of the trace.
    pub lifelines: Vec<Lifeline>,
    /// How many there are, and their time as a share of the time of the lifelines.
    pub bursts: f64,
    pub computing: f64,
    /// Completed in bursts; `None` where that is not known.
    pub instructions: Option<f64>,
    pub ipc: Option<f64>,
    pub frequency_ghz: Option<f64>,
    /// What was read, by name; at how many moments, and how many moments carry a sample.
    pub counters: Vec<String>,
    pub readings: f64,
    pub samples: f64,
    /// The outermost loop; `None`: [`Glance::remarks`] tells why.
    pub loops: Option<Loop>,
    pub points: Points,
    pub distances: Distances,
    /// The region that is best folded; empty where nothing can be.
    pub best: String,
    pub rows: Vec<Row>,
    pub efficiency: Efficiency,
    /// What is missing but efficiencies, and why; and how clusters were made: sentences.
    pub remarks: Vec<String>,
}

/// One thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Lifeline {
    /// `rank 3`, `thread 3`, or `2.1.3` of application, task and thread.
    pub name: String,
    /// Share of the run time that it computes.
    pub computing: f64,
}

/// A loop that ranks have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Loop {
    /// Where passes can begin, as texts of the setting `boundary`.
    pub boundaries: Vec<String>,
    /// Where the passes of the rank that has most begin, and where its last one ends.
    pub begins_ns: Vec<f64>,
    pub end_ns: f64,
    /// How long a pass takes: the median over all, and the standard deviation.
    pub median_ns: f64,
    pub deviation_ns: f64,
    /// Its passes, of the time of all ranks.
    pub share: f64,
    /// Share of the ranks that have it × (1 − variation of the duration).
    pub score: f64,
    /// How much of the passes each cluster takes, the largest: its number and share.
    pub largest: Option<(u32, f64)>,
}

/// The longest bursts, each a place in four columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Points {
    /// Number of the cluster; 0 of none.
    pub clusters: Vec<u32>,
    pub durations_ns: Vec<f64>,
    /// NaN where they are not known; empty where they are known of none.
    pub instructions: Vec<f64>,
    pub ipc: Vec<f64>,
    /// Index into [`Glance::lifelines`].
    pub lifelines: Vec<u32>,
    /// Share of the time of all bursts that these take.
    pub share: f64,
}

/// How near bursts that make clusters lie to their neighbours.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Distances {
    /// Of evenly many bursts, the distance within which so many lie, itself counted: rising, the least
    /// and the largest of all among them. 0.1 is a tenth more work, or a tenth slower.
    pub to_neighbour: Vec<f64>,
    pub min_points: u32,
    /// Where they bend upwards; `None` of fewer than two.
    pub knee: Option<f64>,
    /// How far apart bursts of one cluster are.
    pub eps: f64,
}

/// What a counter counts between its readings, over time: in events per microsecond.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Rates {
    pub counter: String,
    /// Whether it counts completed instructions, and what a count of energy is.
    pub instructions: bool,
    pub joules: Option<f64>,
    /// What the columns show, as shares of the run time.
    pub from: f64,
    pub to: f64,
    /// Of each column what all threads count together, over the time in which they do; and what the
    /// slowest and the fastest one counts. NaN where nothing was read.
    pub mean: Vec<f64>,
    pub least: Vec<f64>,
    pub most: Vec<f64>,
    /// Of all that is in view together.
    pub average: f64,
    /// How many threads read it in view, and between how many readings.
    pub threads: u32,
    pub steps: f64,
}

/// Bursts that are brushed as points: those within these values and, of a lasso, inside its outline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Brush {
    /// Instructions per cycle; the number of the thread from 1 where they are known of none.
    pub across: [f64; 2],
    /// Instructions, or nanoseconds.
    pub up: [f64; 2],
    pub durations: bool,
    /// Corners of a lasso, the last one joined to the first: across, and the logarithm of up to the
    /// base 10, as the plane has it. Empty: all within the values.
    #[serde(default)]
    pub outline: Vec<[f64; 2]>,
}

impl Brush {
    /// Whether a place of the plane is brushed; no number is not. Where a lasso crosses itself, what
    /// an even number of its edges lies to the right of is outside. O(corners).
    pub fn holds(&self, across: f64, up: f64) -> bool {
        let within = |[low, high]: [f64; 2], value: f64| low <= value && value <= high;
        let is_within = within(self.across, across) && within(self.up, up);
        is_within && (self.outline.is_empty() || self.encloses([across, libm::log10(up)]))
    }

    fn encloses(&self, [x, y]: [f64; 2]) -> bool {
        let next = self.outline.iter().cycle().skip(1);
        let is_right = |&([x0, y0], [x1, y1]): &(&[f64; 2], &[f64; 2])| {
            (*y0 > y) != (*y1 > y) && x < x0 + (x1 - x0) * ((y - y0) / (y1 - y0))
        };
        self.outline.iter().zip(next).filter(is_right).count() % 2 == 1
    }
}

/// What there is to be folded, or what is left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub name: String,
    pub kind: RowKind,
    /// What is folded, by the shortest name it has; empty where nothing can be.
    pub region: String,
    /// Number of a cluster; 0 of what is none.
    pub cluster: u32,
    /// Of the time of all threads.
    pub share: f64,
    /// Instances.
    pub times: f64,
    pub median_ns: Option<f64>,
    /// Readings and samples inside an instance, in the mean; `None`: at its ends only.
    pub readings: Option<f64>,
    pub ipc: Option<f64>,
    /// Mean over largest time of a thread.
    pub balance: Option<f64>,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub enum RowKind {
    Iteration,
    Cluster,
    /// All clusters that have no row.
    Smaller,
    /// Bursts in no cluster.
    Apart,
    /// Marked by events: routines, and calls of a runtime.
    #[default]
    Events,
}

/// A look at a stretch of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// Shares of the run time.
    pub from: f64,
    pub to: f64,
    pub columns: u32,
    /// At most; each is one thread, or several.
    pub rows: u32,
    pub by: Colour,
    /// All other bursts have a class of their own: [`Raster::not_brushed`].
    pub brush: Option<Brush>,
}

/// What the colour of a burst tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub enum Colour {
    #[default]
    Cluster,
    Duration,
    Ipc,
    /// What threads do: computing, or waiting in which kind of call.
    Activity,
}
