//! Which data were referenced: objects, and how they are walked through.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::json;

/// A piece of memory that the program knows by a name, with what was sampled of it in the kept
/// instances. The same object of several tasks is one: references lie in it by their offset.
///
/// Source: Servat 2015, §4.6.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DataObject {
    /// A variable's name, or where it was allocated, e.g. `stream.c:181`; of a range that no object
    /// is known for, its first address.
    pub name: String,
    pub kind: ObjectKind,
    /// Address of its first byte, in the first task that referenced it.
    #[serde(with = "json::hexadecimal")]
    pub address: u64,
    /// Bytes from the first to the last that it covers; of a range without a name, that was seen.
    pub bytes: u64,
    pub loads: u32,
    pub stores: u32,
    /// Distinct bytes seen, in cache lines of 64 bytes: at least so many were touched.
    pub bytes_touched: u64,
    /// Cycles of a sampled load, on average and of all but the dearest 5 %; `None` where no cost was
    /// sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_cost: Option<f64>,
    /// Standard error of the mean, in cycles, as if each load were by itself; `None` of fewer than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_error: Option<f64>,
    /// References served by each memory level, as [`MemoryLevel`] counts them.
    pub levels: Vec<u32>,
    /// The line that most of its references with a call-stack are from, the first of such: index into
    /// [`Group::places`](super::Group::places).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
}

/// Objects of which only sums are here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OtherObjects {
    pub objects: u32,
    /// Sampled loads and stores.
    pub references: u64,
    /// Cycles that their sampled loads took.
    pub cycles: f64,
}

/// Where an object's memory comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ObjectKind {
    /// A variable of the program.
    Static,
    /// Allocated while the program ran.
    Dynamic,
    /// The stack of a thread.
    Stack,
    /// Addresses of which nothing is known.
    #[default]
    #[serde(other)]
    Unknown,
}

/// Where a reference was served.
///
/// Source: event type 32000002 of Extrae.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum MemoryLevel {
    #[default]
    Unknown = 0,
    L1 = 1,
    LineFillBuffer = 2,
    L2 = 3,
    L3 = 4,
    RemoteCache = 5,
    RemoteCacheFar = 6,
    Dram = 7,
    RemoteDram = 8,
    RemoteDramFar = 9,
}

/// How an object is walked through in a phase or by a routine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stream {
    /// Index into [`Group::objects`](super::Group::objects).
    pub object: u32,
    /// The phase it is of: index into [`Group::phases`](super::Group::phases); or else the
    /// routine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<u32>,
    /// Index into [`Group::routines`](super::Group::routines).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routine: Option<u32>,
    pub loads: u32,
    pub stores: u32,
    pub direction: Direction,
    /// Bytes per microsecond from one reference to the next of a sweep, negative downwards; 0 where
    /// there is no direction, or where the axis counts events in place of time.
    pub bytes_per_us: f64,
    /// Bytes of which every step is a multiple; 0 where too few were seen.
    pub step_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_cost: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Direction {
    Ascending,
    Descending,
    /// All at one place.
    Still,
    Random,
    /// Too few references to tell.
    #[default]
    #[serde(other)]
    Unknown,
}

impl ObjectKind {
    /// As files have it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Direction {
    /// As files have it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl MemoryLevel {
    pub const ALL: [(Self, &str); 10] = [
        (Self::Unknown, "unknown"),
        (Self::L1, "L1"),
        (Self::LineFillBuffer, "line-fill buffer"),
        (Self::L2, "L2"),
        (Self::L3, "L3"),
        (Self::RemoteCache, "remote cache"),
        (Self::RemoteCacheFar, "remote cache, 2 hops"),
        (Self::Dram, "DRAM"),
        (Self::RemoteDram, "remote DRAM"),
        (Self::RemoteDramFar, "remote DRAM, 2 hops"),
    ];

    /// Whatever is not among them is unknown.
    pub fn of(number: u64) -> Self {
        let found = usize::try_from(number).ok().and_then(|number| Self::ALL.get(number));
        found.map_or(Self::Unknown, |(level, _)| *level)
    }

    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}
