use serde::{Deserialize, Serialize};

use super::json;

/// How much memory controllers read and write while the instances of a group run, as another process
/// read them: a mean of each of some equal cells of folded time, none shorter than a reading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bandwidth {
    /// How many threads read them.
    pub readers: u32,
    /// On how many nodes; values are means over these.
    pub nodes: u32,
    /// Median time from one reading to the next, in nanoseconds.
    pub period_ns: u64,
    /// Bytes per nanosecond (GB/s), by cell.
    pub read: CellMeans,
    pub written: CellMeans,
    pub both: CellMeans,
}

/// A level, or the rate of a counter of a socket, while the instances of a group run: a mean of each of some
/// equal cells of folded time, none shorter than the time between readings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gauge {
    /// As the trace calls it, with its unit in brackets if it has one there.
    pub name: String,
    /// Its event type in the trace.
    pub code: u32,
    /// Whether it counts events, and values are events per microsecond; else a level as it was read.
    pub is_rate: bool,
    /// How many threads read it.
    pub readers: u32,
    /// Whether these are the threads of the instances themselves; else others of the same nodes.
    pub is_own: bool,
    /// Median time from one reading to the next, in nanoseconds.
    pub period_ns: u64,
    pub values: CellMeans,
}

/// A mean of each of some equal cells of folded time, in the unit of what it is of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CellMeans {
    /// Over all of the time.
    #[serde(deserialize_with = "json::number")]
    pub mean: f64,
    /// In each cell; empty where none of it was read.
    #[serde(deserialize_with = "json::numbers")]
    pub cells: Vec<f64>,
    /// Half widths of their 95 % intervals; empty where nothing tells.
    #[serde(deserialize_with = "json::numbers")]
    pub half_widths: Vec<f64>,
}

impl Bandwidth {
    /// Of how many cells it has values.
    pub fn cells(&self) -> usize {
        self.both.cells.len()
    }

    /// What is shown, with its name: both together, and what is written if that was told apart.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &CellMeans)> {
        let parts = [("read and written", &self.both), ("written", &self.written)];
        let only = if self.written.cells.is_empty() { "read" } else { "written" };
        let is_apart = !self.read.cells.is_empty() && !self.written.cells.is_empty();
        let shown = if is_apart { parts.to_vec() } else { vec![(only, &self.both)] };
        shown.into_iter().filter(|(_, traffic)| !traffic.cells.is_empty())
    }
}

impl CellMeans {
    /// In a unit that is so many times as large.
    pub fn over(&self, divisor: f64) -> Self {
        let all = |values: &[f64]| values.iter().map(|value| value / divisor).collect();
        Self {
            mean: self.mean / divisor,
            cells: all(&self.cells),
            half_widths: all(&self.half_widths),
        }
    }

    /// The value at folded time `x`, from 0 to 1, and its half width if that is known.
    pub fn at(&self, x: f64) -> Option<(f64, Option<f64>)> {
        let last = self.cells.len().checked_sub(1)?;
        let cell = ((x * self.cells.len() as f64) as usize).min(last);
        Some((self.cells[cell], self.half_widths.get(cell).copied()))
    }
}
