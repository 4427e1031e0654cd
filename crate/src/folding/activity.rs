use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::json;

/// What the threads of a group's instances do over folded time: an instance of a master thread tells
/// of all threads of its task, each instance with the weight of its duration.
///
/// With *U* the time that a thread computes inside of instances and *D* the time of these, Σ *U* /
/// Σ *D* is the parallel efficiency: load balance, mean *U* / max *U*, times communication
/// efficiency, max *U* / mean *D*.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Activity {
    /// How many threads it tells of.
    pub threads: u32,
    /// The mean share that computes.
    #[serde(deserialize_with = "json::number")]
    pub efficiency: f64,
    #[serde(deserialize_with = "json::number")]
    pub load_balance: f64,
    #[serde(deserialize_with = "json::number")]
    pub communication: f64,
    /// What is done at any time, each once, in the order of [`Doing`].
    pub parts: Vec<ActivityPart>,
    /// Where the smallest share computes.
    pub lowest: Option<Lowest>,
    /// What computes in each phase, where the shares above are rounded: in a link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of_phases: Vec<f64>,
}

/// One thing that threads do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActivityPart {
    pub doing: Doing,
    /// Its share of the time of all threads in each of as many equal cells of folded time: an
    /// integral, not a sample. Those of all parts add up to 1.
    #[serde(deserialize_with = "json::numbers")]
    pub shares: Vec<f64>,
}

/// What a thread does at a moment, the first of these that is true.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
pub enum Doing {
    #[strum(serialize = "computing")]
    Computing,
    #[strum(serialize = "MPI point-to-point")]
    PointToPoint,
    #[strum(serialize = "MPI collective")]
    Collective,
    #[strum(serialize = "other MPI")]
    OtherMpi,
    /// In a call of OpenMP or pthread, waiting for a lock, or without work in a parallel region.
    #[strum(serialize = "OpenMP or pthread")]
    OpenMp,
    #[strum(serialize = "I/O")]
    Io,
    /// The rest; and what a newer version calls otherwise.
    #[default]
    #[serde(other)]
    #[strum(serialize = "other")]
    Other,
}

/// Where the smallest share of the threads computes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lowest {
    /// The middle of its cell.
    #[serde(deserialize_with = "json::number")]
    pub at: f64,
    #[serde(deserialize_with = "json::number")]
    pub computing: f64,
    /// The call that most of the others are in there: `MPI_Allreduce · 214 (lulesh.cc)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

impl Doing {
    /// In the order in which one gives way to the other.
    pub const ALL: [Self; 7] = [
        Self::Computing,
        Self::PointToPoint,
        Self::Collective,
        Self::OtherMpi,
        Self::OpenMp,
        Self::Io,
        Self::Other,
    ];

    /// As people call it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Its class in a raster ([`crate::glance::Raster`]).
    pub fn class(self) -> u8 {
        self as u8 + 1
    }
}

impl Activity {
    /// Of how many cells it has shares.
    pub fn cells(&self) -> usize {
        self.parts.iter().map(|part| part.shares.len()).min().unwrap_or(0)
    }

    /// The share of what is done in a cell; 0 beyond the last.
    pub fn share(&self, doing: Doing, cell: usize) -> f64 {
        let parts = self.parts.iter().filter(|part| part.doing == doing);
        // An empty sum of floats is −0, which prints so.
        parts.filter_map(|part| part.shares.get(cell)).fold(0.0, |sum, share| sum + share)
    }

    /// The mean share of what is done between two moments of folded time, the first before the second.
    pub fn between(&self, doing: Doing, from: f64, to: f64) -> f64 {
        let cells = self.cells() as f64;
        let overlap = |cell: usize| {
            let [begin, end] = [cell, cell + 1].map(|cell| cell as f64 / cells);
            (end.min(to) - begin.max(from)).max(0.0)
        };
        let sum =
            (0..self.cells()).map(|cell| self.share(doing, cell) * overlap(cell)).sum::<f64>();
        if to > from { sum / (to - from) } else { 0.0 }
    }

    /// What is done at folded time `x`, with its share.
    pub fn at(&self, x: f64) -> impl Iterator<Item = (Doing, f64)> {
        let cell = ((x * self.cells() as f64) as usize).min(self.cells().saturating_sub(1));
        let share = move |doing| (doing, self.share(doing, cell));
        Doing::ALL.into_iter().map(share).filter(|(_, share)| *share > 0.0)
    }

    /// The mean of neighbouring cells, so that no more than `most` are left.
    pub fn coarser(mut self, most: usize) -> Self {
        let together = self.cells().div_ceil(most.max(1)).max(1);
        for part in &mut self.parts {
            let mean = |cells: &[f64]| cells.iter().sum::<f64>() / cells.len() as f64;
            part.shares = part.shares.chunks(together).map(mean).collect();
        }
        self
    }
}
