//! The answer for one region: [`Folding`], what every view needs, and [`Points`], the clouds of
//! samples, which travel apart.
//!
//! This is the vocabulary: the analyses return these types, and whatever shows, exports or links an
//! answer reads them. They are plain columns, versioned, and know nothing of pixels. What a link or
//! a file holds is their JSON: a field added later has a default, so that an older version is
//! always readable.

mod group;
mod activity;
mod gauge;
mod code_times;
mod curve;
mod source;
mod memory;
mod stride;
mod usage;
mod points;
pub(crate) mod json;
mod callers;
mod carried;
mod undecided;
mod course;
#[cfg(test)]
pub mod example;

pub use activity::{Activity, ActivityPart, Doing, Lowest};
pub use callers::Callers;
pub use code_times::{CodeTimes, OtherPlaces, PlaceTime};
pub use course::{Asked, Course, CourseStretch, Trend};
pub use curve::{
    BandWidth, Break, Curve, CurveKind, Family, FitReport, Phase, PhaseRate, Tabled, WithWaiting,
    is_cycles,
};
pub use gauge::{Bandwidth, CellMeans, Gauge};
pub use group::{Axis, Durations, Fate, Group, InstanceRow, LeftOut};
pub use memory::{DataObject, Direction, MemoryLevel, ObjectKind, OtherObjects, Stream};
pub use points::{Cloud, FoldedCounter, FoldedSample, Points, References, Sampled, Use};
pub use source::{Alignment, Band, Context, Lines, Method, Place, Stretch};
pub use undecided::Undecided;
pub use usage::{Part, Touch, Usage};

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::trace::Provenance;

/// Everything that is known of one region: its groups, their curves and their code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Folding {
    /// Version of this encoding; see [`Folding::VERSION`].
    pub version: u32,
    /// The trace that was folded.
    pub trace: TraceSummary,
    /// The region as `TYPE:VALUE`, in the words of the trace, e.g. `User function:main`.
    pub region: String,
    /// What its instances are.
    #[serde(skip_serializing_if = "RegionKind::is_of_events")]
    pub kind: RegionKind,
    /// Every group with at least one instance, by increasing duration or total of a counter.
    pub groups: Vec<Group>,
    /// Groups that a link had no room for.
    #[serde(skip_serializing_if = "is_zero")]
    pub groups_left_out: u32,
    /// Instances that no group takes; empty in a folding that came from a link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<InstanceRow>,
    /// How many these are, by the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// Number of the group shown first: the most populated one, the longer of two alike.
    pub shown: u32,
    /// What was odd but harmless, in the trace and in the folding: what makes numbers wrong first,
    /// what makes them less sure, what is merely odd.
    pub notices: Vec<FoldingNotice>,
    /// Formulas that the counters allow: models and a person's expressions.
    pub models: Vec<Model>,
    /// Models that they do not allow.
    pub missing_models: Vec<MissingModel>,
    /// Whether the curves came from a link, in 12-bit steps and without sample clouds.
    pub quantised: bool,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// What delimits the instances of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RegionKind {
    /// None: they are passes of a loop that was found.
    Iteration,
    /// None: they are bursts that are alike.
    Cluster,
    /// None: they are all bursts.
    Burst,
    /// Events of the trace. What a newer version calls otherwise is taken as this.
    #[default]
    #[serde(other)]
    Events,
}

impl RegionKind {
    pub fn is_of_events(&self) -> bool {
        *self == Self::Events
    }
}

/// What a reader wants to know of a trace before its regions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceSummary {
    /// Name of the file, e.g. `444.namd.prv`.
    pub name: String,
    /// Size of the file in bytes, as it lay on disk.
    pub size_bytes: u64,
    /// Nanoseconds from the start of the trace to its last record.
    pub duration_ns: u64,
    /// Threads that carry at least one event.
    pub threads: u32,
    /// Whether the trace says of itself that a generator made it.
    pub generated: bool,
    /// How sure its numbers are; the older versions do not tell.
    pub provenance: Provenance,
    /// Which part of it was read, in a sentence, if not the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
}

/// Something odd but harmless: counted, its first place kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FoldingNotice {
    /// What was met and what was done about it, one sentence.
    pub text: String,
    /// How often.
    pub count: u64,
    /// Where first, as `file:line`; empty where a place makes no sense.
    pub first: String,
    /// Numbers of the groups that it is about, rising; empty if it is about all or none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<u32>,
}

/// A model that the counters do not allow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MissingModel {
    pub title: String,
    /// The counters that it needs and the trace does not have.
    pub counters: Vec<String>,
}

impl Folding {
    /// Version that this code writes. It reads every version up to it.
    ///
    /// 1: `used` in place of `fate`. 2: no models. 3: `ratio` and `breaks_held_out` of the fit in
    /// place of what cross-validation says.
    pub const VERSION: u32 = 4;

    /// The group with this number, else the one shown first.
    pub fn group(&self, number: u32) -> Option<&Group> {
        let find = |n| self.groups.iter().find(|group| group.number == n);
        find(number).or_else(|| find(self.shown))
    }
}
