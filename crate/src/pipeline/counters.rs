//! The counters that settings name, in a trace.

use super::FoldError;
use crate::instance::Grouping;
use crate::order;
use crate::performance::PhasesOf;
use crate::settings::{Settings, nearest};
use crate::trace::{EventType, Kind, Trace};

/// Counters as indices into [`Trace::types`].
pub struct Counters {
    /// Those that are folded: the ones asked for, else all by code.
    pub folded: Vec<u32>,
    /// The one whose events take the place of time.
    pub axis: Option<u32>,
    /// The one that alone decides on phases.
    pub of_phases: Option<u32>,
    /// The one whose totals tell groups.
    pub of_groups: Option<u32>,
}

impl Counters {
    /// An error for a name that no counter has.
    pub fn named(trace: &Trace, settings: &Settings) -> Result<Self, FoldError> {
        let all = by_code(trace);
        let named = |name: &String| find(&all, name);
        let folded = match &settings.counters {
            Some(names) => names.iter().map(named).collect::<Result<_, _>>()?,
            None => all.iter().map(|(index, _)| *index).collect(),
        };
        let of_phases = match &settings.phases {
            PhasesOf::Joint => None,
            PhasesOf::Counter(name) => Some(named(name)?),
        };
        let of_groups = match &settings.group {
            Grouping::By(name) => Some(named(name)?),
            _ => None,
        };
        let axis = settings.x.as_ref().map(|along| named(&along.counter)).transpose()?;
        Ok(Self { folded, axis, of_phases, of_groups })
    }
}

/// The counters of the trace by code, with their indices.
fn by_code(trace: &Trace) -> Vec<(u32, &EventType)> {
    let counters = (0u32..).zip(&trace.types).filter(|(_, t)| t.kind == Kind::Counter);
    let mut counters = counters.collect::<Vec<_>>();
    order::by_number(&mut counters, |(_, counter)| counter.code.into());
    counters
}

fn find(counters: &[(u32, &EventType)], name: &str) -> Result<u32, FoldError> {
    let found = counters.iter().find(|(_, counter)| counter.name == *name);
    found.map(|(index, _)| *index).ok_or_else(|| FoldError::NoSuchCounter {
        asked: name.to_owned(),
        nearest: nearest(name, counters.iter().map(|(_, counter)| counter.name.as_str())),
    })
}
