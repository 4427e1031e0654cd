//! Parts in two passes: the first keeps how long instances are, the second the samples that a fold shows.
//!
//! Which instances give their samples to a fold depends on all of them: how they are grouped, and how many samples
//! a group has. Parts without samples ([`Keep::None`]) tell that, as little as they are: a [`Plan`] is made of them,
//! and parts that keep what it says have samples in memory that does not grow with the trace.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Refusal;
use super::thin::thin_to;
use crate::instance::Instance;
use crate::partial::Partial;
use crate::pipeline::{self, FoldError};
use crate::settings::Settings;
use crate::trace::Builder;

/// Which instances keep their samples; of the others what they counted in all stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Keep {
    #[default]
    All,
    None,
    Planned(Plan),
}

/// Which instances of a region give their samples to a fold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    version: u32,
    pub trace: String,
    pub size_bytes: u64,
    pub region: String,
    /// Those that no group takes give none.
    pub groups: Vec<OfGroup>,
}

/// The instances of a group: from the shortest to the longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfGroup {
    pub shortest_ns: u64,
    pub longest_ns: u64,
    pub instances: u64,
    /// Those give whose key ends in so many bits 0 ([`crate::instance::Giving`]).
    pub level: u32,
}

/// Why there is no plan, or none of this trace.
#[derive(Clone, Debug, PartialEq)]
pub enum NoPlan {
    /// Which parts are missing, in words.
    Missing(String),
    Refused(Refusal),
    Fold(FoldError),
    /// What was written is none, in words.
    NotAPlan(String),
}

impl fmt::Display for NoPlan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(words) => write!(out, "{words} A plan is made of all parts"),
            Self::Refused(refusal) => refusal.fmt(out),
            Self::Fold(error) => error.fmt(out),
            Self::NotAPlan(words) => write!(out, "found no plan of parts: {words}"),
        }
    }
}

impl std::error::Error for NoPlan {}

/// Written first, so that a later version knows it.
const VERSION: u32 = 1;

impl Plan {
    /// The plan of a fold as `settings` say, of a part of all of a trace.
    ///
    /// # Errors
    ///
    /// If anything of the trace is missing, or its instances cannot be grouped as `settings` say.
    pub fn of(part: Partial, settings: &Settings) -> Result<Self, NoPlan> {
        if let Some(missing) = part.missing_words() {
            return Err(NoPlan::Missing(missing));
        }
        let region = part.region.clone();
        let trace = part.trace().map_err(|error| NoPlan::Refused(Refusal::Read(error)))?;
        let grouped = pipeline::grouped(&trace, settings).map_err(NoPlan::Fold)?;
        let of_group = |(instances, level): (Vec<Instance>, u32)| {
            let durations = || instances.iter().map(|of| of.duration_ns);
            Some(OfGroup {
                shortest_ns: durations().min()?,
                longest_ns: durations().max()?,
                instances: instances.len() as u64,
                level,
            })
        };
        let groups = grouped.into_iter().filter_map(of_group).collect();
        let (trace, size_bytes) = (trace.name, trace.size_bytes);
        Ok(Self { version: VERSION, trace, size_bytes, region, groups })
    }

    /// As text.
    pub fn write(&self) -> String {
        // Numbers and names: nothing that cannot be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// # Errors
    ///
    /// If it is not what [`Plan::write`] wrote.
    pub fn read(text: &[u8]) -> Result<Self, NoPlan> {
        let wrong = |words: String| NoPlan::NotAPlan(words);
        let plan: Self = serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
        match plan.version {
            VERSION => Ok(plan),
            other => Err(wrong(format!("version {other}, expected {VERSION}"))),
        }
    }

    /// In how many bits 0 the key of an instance ends at least that keeps its samples, by how long it is: as many as
    /// every group asks for that it may be of.
    fn level(&self, duration_ns: u64) -> u32 {
        let is_in = |of: &&OfGroup| (of.shortest_ns..=of.longest_ns).contains(&duration_ns);
        let levels = self.groups.iter().filter(is_in).map(|of| of.level);
        levels.min().unwrap_or(NEVER)
    }

    /// Why it is of another part than this region of this trace, in words.
    pub fn unlike(&self, part: &Partial) -> Option<String> {
        let Builder { name, size_bytes, .. } = &part.common;
        let of =
            |trace: &str, bytes: u64, region: &str| format!("{region} of {trace} of {bytes} bytes");
        let planned = of(&self.trace, self.size_bytes, &self.region);
        let own = of(name, *size_bytes, &part.region);
        (planned != own).then(|| format!("the plan is for {planned}, the part is of {own}"))
    }
}

/// More bits than a key has.
const NEVER: u32 = u32::MAX;

impl Keep {
    /// Sums up the samples of instances of `region`, by the code of its type and its value, that are not kept.
    /// O(events).
    pub(super) fn thin(&self, part: &mut Builder, region: (u32, Option<u64>)) {
        match self {
            Self::All => {}
            Self::None => thin_to(|_| NEVER, part, region),
            Self::Planned(plan) => thin_to(|duration_ns| plan.level(duration_ns), part, region),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_group(shortest_ns: u64, longest_ns: u64, level: u32) -> OfGroup {
        OfGroup { shortest_ns, longest_ns, instances: 9, level }
    }

    fn plan() -> Plan {
        let groups = vec![of_group(10, 20, 3), of_group(18, 40, 1)];
        let (trace, region) = ("a.prv".to_owned(), "loop".to_owned());
        Plan { version: VERSION, trace, size_bytes: 100, region, groups }
    }

    #[test]
    fn an_instance_that_may_be_of_two_groups_keeps_what_either_shows() {
        let levels = [9, 10, 17, 18, 20, 21, 40, 41].map(|duration_ns| plan().level(duration_ns));
        assert_eq!(levels, [NEVER, 3, 3, 1, 1, 1, 1, NEVER]);
    }

    #[test]
    fn a_plan_is_read_as_it_was_written_and_nothing_else_is_one() {
        assert_eq!(Plan::read(plan().write().as_bytes()), Ok(plan()));
        let later = plan().write().replace("\"version\": 1", "\"version\": 2");
        let wrong = |text: &str| Plan::read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(wrong(&later), "found no plan of parts: version 2, expected 1");
        assert!(wrong("{}").starts_with("found no plan of parts: missing field `version`"));
        assert!(wrong("TFPART").starts_with("found no plan of parts: expected value"));
    }
}
