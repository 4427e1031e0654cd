use serde::{Deserialize, Serialize};

use super::{Scales, Scaling, ThreadUse};

/// How a run and the passes of its loop use threads, as it is laid beside other runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunUse {
    /// Name of the trace.
    pub name: String,
    /// `None`: [`RunUse::remarks`] tell why.
    pub of_run: Option<ThreadUse>,
    /// `None` where nothing repeats.
    pub of_loop: Option<ThreadUse>,
    /// What is missing, and why: sentences.
    pub remarks: Vec<String>,
}

impl RunUse {
    /// How many compute; `None` where that is not known.
    pub fn threads(&self) -> Option<u32> {
        Some(self.of_run.as_ref().or(self.of_loop.as_ref())?.threads)
    }

    /// As it crosses from the module that reads to the one that paints.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// `None` of what [`RunUse::to_bytes`] did not write.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

/// How runs are laid beside one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(default, rename_all = "camelCase")]
pub struct ScalingAsked {
    /// Places, in the order of columns, of the run that others are laid beside, and of the one that is told.
    pub reference: u32,
    pub picked: u32,
    pub scales: Scales,
    /// Whether of each run only the passes of its loop are looked at.
    pub of_loop: bool,
}

impl ScalingAsked {
    /// What of a run is looked at.
    pub fn looked_at<'a>(&self, run: &'a RunUse) -> Option<&'a ThreadUse> {
        if self.of_loop { run.of_loop.as_ref() } else { run.of_run.as_ref() }
    }

    /// `None` where nothing is known of the one that is asked for.
    pub fn reference_of<'a>(&self, runs: &'a [RunUse]) -> Option<&'a ThreadUse> {
        self.looked_at(runs.get(self.reference as usize)?)
    }
}

/// Whether tasks of a run are ranks: of some of them there are several.
pub fn has_ranks(runs: &[RunUse]) -> bool {
    runs.iter().any(|run| run.of_run.as_ref().is_some_and(|own| own.tasks > 1))
}

/// A run and what it is beside the reference; `None` where one of them is not known.
pub type Column<'a> = Option<(&'a ThreadUse, Scaling)>;

/// One of each run.
pub fn columns<'a>(runs: &'a [RunUse], asked: &ScalingAsked) -> Vec<Column<'a>> {
    let reference = asked.reference_of(runs);
    let column = |run| {
        let own = asked.looked_at(run)?;
        Some((own, own.scaling(reference?, asked.scales)))
    };
    runs.iter().map(column).collect()
}
