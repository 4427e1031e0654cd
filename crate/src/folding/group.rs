use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{
    Activity, Alignment, Bandwidth, Break, Callers, CodeTimes, Context, Curve, DataObject,
    FitReport, Gauge, Lines, OtherObjects, Part, Phase, Place, Stream, Stretch, json,
};

/// One group of instances of a region, folded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Group {
    /// From 1, by increasing duration.
    pub number: u32,
    /// Instances in the group, kept or not.
    pub instances: u32,
    /// Instances that were folded: those within the limits of `outliers`.
    pub kept: u32,
    /// How many of the others were left out, by the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// About one in so many instances gives its samples, all count for the totals; 0 where it is not known.
    #[serde(skip_serializing_if = "is_all")]
    pub one_in: u32,
    /// Mean duration of the kept instances in nanoseconds.
    #[serde(deserialize_with = "json::number")]
    pub mean_duration_ns: f64,
    /// Half width of its 95 % interval, in nanoseconds; `None` of too few instances, and where an older
    /// version folded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_half_width_ns: Option<f64>,
    /// Samples inside the kept instances.
    pub samples: u32,
    /// Each instance; empty in a folding that came from a link.
    pub rows: Vec<InstanceRow>,
    /// Durations in nanoseconds between which instances were folded; `None` if all were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits_ns: Option<[f64; 2]>,
    /// How long its instances last.
    pub durations: Durations,
    /// Whether those of the first half of the run last otherwise than those of the second.
    pub drifting: bool,
    /// What `x` counts.
    #[serde(skip_serializing_if = "Axis::is_time")]
    pub axis: Axis,
    /// One curve per counter, in the order of the trace's counters.
    pub curves: Vec<Curve>,
    /// Which kind of curve was taken, and why.
    pub fit: FitReport,
    /// Where rates change, by `at`.
    pub breaks: Vec<Break>,
    /// What lies between the breaks, in order, without a gap; empty if there is no break.
    pub phases: Vec<Phase>,
    /// What threads do while instances run; `None` where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<Activity>,
    /// How much memory controllers read and write meanwhile; `None` where nobody read them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bandwidth: Option<Bandwidth>,
    /// Levels and counters of sockets that are read meanwhile, in the order of the trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gauges: Vec<Gauge>,
    /// How many more there were, which a link had no room for.
    #[serde(skip_serializing_if = "super::is_zero")]
    pub other_gauges: u32,
    /// Stretches in which hardly any thread computes: `[start, end]`, disjoint. Curves that have
    /// rates of those that do ([`Curve::with_waiting`]) have none there: their numbers are NaN.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "json::spans")]
    pub idle: Vec<[f64; 2]>,
    /// Samples of the kept instances in each of as many equal cells of the axis.
    pub density: Vec<u32>,
    /// Stretches with too few samples for the detail that is shown: `[start, end]`, disjoint.
    #[serde(with = "json::spans")]
    pub sparse: Vec<[f64; 2]>,
    /// By how much the phases of an instance lie beside those of the curve, as a share of the
    /// region (root mean square); `None` where nothing tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displacement: Option<f64>,
    /// Whether instructions as the axis, shown in time, would draw the phases sharper.
    pub better_over_instructions: bool,
    /// Whether samples were taken always at the same few places of the region.
    pub locked: bool,
    /// Routine names, the most sampled first.
    pub routines: Vec<String>,
    /// The place of each among the colours of the trace, the same in every group and region; empty where
    /// each has the colour of its place above, as in older links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hues: Vec<u32>,
    /// Distinct code lines of all frames, by file and line; those that only an outer frame was at
    /// have no samples.
    pub places: Vec<Place>,
    /// Of each place: by how much more its samples vary from instance to instance than independent ones, as a
    /// multiple of their variance, at least 1. Empty in a link, and in foldings of older versions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dispersions: Vec<f64>,
    /// Calling contexts, parents before their children.
    pub contexts: Vec<Context>,
    /// How well call-stacks could be joined.
    pub alignment: Alignment,
    /// Which place and context ran when.
    pub lines: Lines,
    /// What all samples add up to, where only some of them are here: in a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_times: Option<CodeTimes>,
    /// What samples add up to in the range that was dragged, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Stretches of folded time in which a routine is on the call-stack: by start, then by level.
    pub stretches: Vec<Stretch>,
    /// Where calls of a runtime are made from; `None` where code was sampled, or it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<Callers>,
    /// Data objects that were referenced, by the place of their band from the bottom: by address.
    pub objects: Vec<DataObject>,
    /// What the objects add up to that are not among [`Group::objects`]: in a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_objects: Option<OtherObjects>,
    /// How objects are walked through, by object, then by phase or routine.
    pub streams: Vec<Stream>,
}

impl Group {
    /// Whether it is known where in the code threads are, if only at their calls.
    pub fn has_source(&self) -> bool {
        !self.lines.x.is_empty() || self.callers.is_some()
    }
}

fn is_all(one_in: &u32) -> bool {
    *one_in <= 1
}

/// Instances that were left out for the same reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub why: Fate,
    pub instances: u32,
}

impl LeftOut {
    /// Counts these fates, each in the order in which it is first met; those of what was folded are none.
    pub fn count(fates: impl IntoIterator<Item = Fate>) -> Vec<Self> {
        let mut left_out: Vec<Self> = vec![];
        for why in fates.into_iter().filter(|fate| !fate.is_used()) {
            match left_out.iter_mut().find(|of| of.why == why) {
                Some(of) => of.instances += 1,
                None => left_out.push(Self { why, instances: 1 }),
            }
        }
        left_out
    }
}

/// One instance of a region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "json::RowOfAnyVersion")]
pub struct InstanceRow {
    /// Application, task and thread, each from 1.
    pub object: [u32; 3],
    pub start_ns: u64,
    pub duration_ns: u64,
    pub fate: Fate,
}

/// What became of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Fate {
    /// Its duration is beyond the limits of `outliers`.
    Outlier,
    /// Its samples lie too far from the curve, or too near: left out by `prefilter`.
    Prefiltered,
    /// It lasts as too few others do: no group takes it.
    Apart,
    /// It counted what too few others did of the counter that groups are by: no group takes it.
    ApartByTotal,
    /// What it counted of the counter that groups are by is not known: no group takes it.
    Uncounted,
    /// It was folded. What a newer version calls otherwise is taken as folded.
    #[serde(other)]
    Used,
}

impl Fate {
    pub fn is_used(self) -> bool {
        self == Self::Used
    }
}

/// How many instances of a group last how long.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Durations {
    /// Shortest and longest, in nanoseconds.
    pub least_ns: u64,
    pub most_ns: u64,
    /// Instances in each of as many equal steps from the shortest to the longest.
    pub kept: Vec<u32>,
    /// Those that were left out.
    pub rejected: Vec<u32>,
}

/// What the horizontal axis counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Axis {
    /// Events of a counter; `total` in a mean instance.
    Counter {
        #[serde(rename = "counter")]
        name: String,
        total: f64,
    },
    /// Time: the mean duration of the kept instances is the whole.
    #[default]
    Time,
}

impl Axis {
    pub fn is_time(&self) -> bool {
        *self == Self::Time
    }
}

impl Fate {
    /// As files have it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Places travelled in links as millionths of the region.
const PLACE: f64 = 2e-6;

impl Group {
    /// Takes the rates of those that compute away where hardly any thread does.
    pub fn without_idle(&mut self) {
        let is_idle = |from: f64, to: f64| {
            self.idle.iter().any(|idle| idle[0] - PLACE <= from && to <= idle[1] + PLACE)
        };
        for curve in self.curves.iter_mut().filter(|curve| curve.with_waiting.is_some()) {
            let last = (curve.rate.len().max(2) - 1) as f64;
            for (j, rate) in curve.rate.iter_mut().enumerate() {
                let x = j as f64 / last;
                *rate = if is_idle(x, x) { f64::NAN } else { *rate };
            }
            for (phase, of) in self.phases.iter().zip(&mut curve.phases) {
                of.rate = if is_idle(phase.start, phase.end) { f64::NAN } else { of.rate };
            }
        }
    }

    /// The curve of completed instructions, if the trace has one.
    pub fn instructions(&self) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.instructions)
    }

    /// The curve of the counter of this name.
    pub fn curve(&self, counter: &str) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.counter == counter)
    }

    /// Whether the axis counts the events of `curve`, of which there is one at each.
    pub fn is_axis(&self, curve: &Curve) -> bool {
        matches!(&self.axis, Axis::Counter { name, .. } if *name == curve.counter)
    }
}
