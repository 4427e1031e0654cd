//! Runs as a whole beside one another.

use serde::{Deserialize, Serialize};

use super::clusters::{Clustered, clusters};
use super::comparison::{Comparison, Wanted};
use super::parts::{Spent, parts};
use super::regions::{RegionSpent, waterfall};

/// What is compared of a run as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WholeRun {
    /// What its time went into; `None` where that is not known, and why.
    pub spent: Option<Spent>,
    pub not_spent: String,
    pub clusters: Vec<Clustered>,
    /// Empty where it was not asked.
    pub regions: Vec<RegionSpent>,
}

impl Comparison {
    /// Adds what changed of the runs as a whole, as far as all runs tell it; clusters are those of the first of each
    /// side.
    #[inline(never)]
    pub fn add_whole_runs(&mut self, sides: [&[WholeRun]; 2], wanted: &Wanted) {
        let of_side =
            |runs: &[WholeRun]| runs.iter().map(|run| run.spent).collect::<Option<Vec<_>>>();
        if let [Some(a), Some(b)] = sides.map(of_side) {
            self.parts = parts([&a, &b], wanted);
        }
        let why = |run: &WholeRun| run.spent.is_none().then(|| run.not_spent.clone());
        let is_told = |why: &String| !why.is_empty();
        self.not_spent = sides.map(|runs| runs.iter().filter_map(why).find(is_told));
        if let [Some(a), Some(b)] = sides.map(<[WholeRun]>::first) {
            self.clusters = clusters(&a.clusters, &b.clusters, wanted);
        }
        let regions =
            sides.map(|runs| runs.iter().map(|run| run.regions.clone()).collect::<Vec<_>>());
        if regions.iter().flatten().any(|regions| !regions.is_empty()) {
            self.regions = waterfall([&regions[0], &regions[1]], wanted);
        }
    }
}
