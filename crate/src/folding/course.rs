//! What is asked of each instance, over the run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Fate;

/// What each instance of a group is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asked {
    #[default]
    Duration,
    /// What it counted of a counter.
    Total(String),
    /// The same per time that it lasts.
    Rate(String),
}

impl Asked {
    pub fn counter(&self) -> Option<&str> {
        match self {
            Self::Duration => None,
            Self::Total(counter) | Self::Rate(counter) => Some(counter),
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration => write!(out, "duration"),
            Self::Total(counter) => write!(out, "total:{counter}"),
            Self::Rate(counter) => write!(out, "rate:{counter}"),
        }
    }
}

impl FromStr for Asked {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.split_once(':') {
            None if text == "duration" => Ok(Self::Duration),
            Some(("total", counter)) if !counter.is_empty() => Ok(Self::Total(counter.to_owned())),
            Some(("rate", counter)) if !counter.is_empty() => Ok(Self::Rate(counter.to_owned())),
            _ => Err(()),
        }
    }
}

/// The instances of a group over the run, each as a point, or many of nearly one place as one.
///
/// Values are nanoseconds, events, or events per microsecond.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Course {
    pub group: u32,
    /// As [`Asked`] is written.
    pub asked: String,
    /// Whether the counter counts completed instructions, and joules per count if it is energy.
    pub instructions: bool,
    pub joules: Option<f64>,
    /// From the first start of an instance to the last: nanoseconds from the begin of the trace.
    pub from_ns: f64,
    pub to_ns: f64,
    /// Where points lie: when it starts, its value, which kind it is ([`Course::KINDS`]), its thread
    /// (index into `threads`), and how many instances it stands for.
    pub starts_ns: Vec<f64>,
    pub values: Vec<f64>,
    pub kinds: Vec<u8>,
    pub threads_of: Vec<u32>,
    pub counts: Vec<u32>,
    /// Application, task and thread: `1.2.1`.
    pub threads: Vec<String>,
    /// Durations between which instances were folded.
    pub limits_ns: Option<[f64; 2]>,
    /// Instances of each kind that have a value, and those of the group that have none.
    pub of_kind: Vec<u32>,
    pub unknown: u32,
    /// Whether a point stands for several instances.
    pub thinned: bool,
    /// What an axis of values reaches over; what lies beyond is on its edge.
    pub axis: [f64; 2],
    /// Least, middle and largest value of the instances that were folded; `None` of none.
    pub range: Option<[f64; 3]>,
    /// Equal stretches of the run, of the instances that start in them.
    pub stretches: Vec<CourseStretch>,
    pub trend: Option<Trend>,
}

impl Course {
    /// Of points: those that were folded, those that each reason left out, and those that start outside
    /// of the chosen part of the run.
    pub const KINDS: [Option<Fate>; 4] =
        [Some(Fate::Used), Some(Fate::Outlier), Some(Fate::Prefiltered), None];
    pub const USED: u8 = 0;
    pub const OUTSIDE: u8 = 3;

    /// How many were folded.
    pub fn used(&self) -> u32 {
        self.of_kind.first().copied().unwrap_or(0)
    }

    /// How many of the group were left out.
    pub fn left_out(&self) -> u32 {
        self.of_kind
            .iter()
            .zip(Self::KINDS)
            .skip(1)
            .filter_map(|(count, why)| why.map(|_| count))
            .sum()
    }
}

/// A part of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CourseStretch {
    pub from_ns: f64,
    pub to_ns: f64,
    /// Folded ones, and those left out.
    pub used: u32,
    pub left: u32,
    /// Of the folded ones; `None` of none.
    pub median: Option<f64>,
}

/// How the values of folded instances change over the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Trend {
    /// Per nanosecond, with the ends of its 95 % interval.
    pub slope: [f64; 3],
    /// Median of the value, at the median of the starts: a place on the line.
    pub at_ns: f64,
    pub middle: f64,
    /// By how much the later half of the instances lies above the earlier, with its interval.
    pub shift: [f64; 3],
    /// The median of the earlier half.
    pub first: f64,
}
