//! A trace to its hybrid [`Profile`](crate::profile::Profile): who spends time and counts, by probes
//! and by samples.
//!
//! The begins and ends of all regions of a thread make one stack ([`EventStack`](stack::EventStack)):
//! routines, calls of runtimes, phases of the programmer. An end whose region is not the innermost ends
//! what is open inside it too; one without a begin is passed over; what is open at the end of its thread
//! ends there. Each is counted. At one instant ends come before begins, but for an end that finds nothing
//! open and a begin of its type written before it.
//!
//! Time belongs to the innermost region. A counter's reading says what was counted since the one before,
//! and belongs to the region that was innermost until then; one that is no count
//! ([`is_absurd`](crate::instance::is_absurd)) is left out.
//!
//! A sample belongs to the context that is open when it is taken. If a region begins at the same
//! instant it is that region's where its call-stack shows the routine, else that of the context before.
//! It stands for what was counted since the sample before, clipped to the time since the stack changed
//! last: so a context never has more than its region has exclusively. TAU does not clip
//! ([`Weights::Whole`]). Samples of memory references have a period of their own and stand for no time.
//!
//! Sources: Malony, Huck 2014, §II and §III; its common ancestor is where frames are trimmed.

mod stack;
mod tree;
mod walk;

use crate::instance::types_that_close;
use crate::profile::{Metric, Profile, Quality, TIME, ThreadProfile, VERSION, Weights};
use crate::trace::{EventType, Kind, Nesting, Origin, Paradigm, Trace};
use tree::Tree;
use walk::Walk;

/// How a profile is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    pub weights: Weights,
    pub unwind: Unwind,
    /// Most call sites between a context and a sample; those nearest to the sample stay.
    pub depth: Option<u32>,
    /// Whether frames that the context has already are left out: from the innermost frame outwards
    /// whose routine is an open region.
    pub trimmed: bool,
    /// Whether calls of a region are told once more by the place they come from, where the trace says that:
    /// as TAU does with `TAU_CALLSITE`.
    pub call_sites: bool,
}

/// What is told of the calls between a context and a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unwind {
    /// The routine and the line from which it calls.
    #[default]
    Sites,
    /// The routine.
    Routines,
    /// Nothing.
    Flat,
}

impl Default for Choices {
    fn default() -> Self {
        let (weights, unwind) = (Weights::default(), Unwind::default());
        Self { weights, unwind, depth: None, trimmed: true, call_sites: false }
    }
}

/// The hybrid profile of all threads of a trace of which anything is known.
///
/// O(events · log nodes).
pub fn profile(trace: &Trace, choices: Choices) -> Profile {
    let probes = probes(trace);
    let mut metrics = vec![Metric { name: TIME.0.to_owned(), unit: TIME.1.to_owned() }];
    let mut metric_of = vec![None; trace.types.len()];
    for (at, known) in trace.types.iter().enumerate().filter(|(_, of)| of.kind == Kind::Counter) {
        metric_of[at] = Some(metrics.len());
        metrics.push(Metric { name: known.name.clone(), unit: String::new() });
    }
    let mut tree = Tree::new(trace);
    let mut quality = Quality { weights: choices.weights, ..Quality::default() };
    let mut threads = vec![];
    let mut walk = Walk::new(trace, &probes, &metric_of, choices, &mut tree, &mut quality);
    for thread in trace.threads.iter().filter(|thread| thread.is_known()) {
        threads.push(ThreadProfile::new(thread.object, walk.thread(thread, metrics.len())));
    }
    let nodes = tree.nodes.nodes;
    for ThreadProfile { columns, .. } in &mut threads {
        columns.include(&nodes);
        quality.measure(&nodes, columns);
    }
    let (user_events, metadata) = (vec![], vec![]);
    let name = trace.name.clone();
    Profile {
        version: VERSION,
        name,
        metrics,
        nodes,
        threads,
        user_events,
        metadata,
        quality,
        intervals: vec![],
    }
}

/// By type of event, how its regions lie inside one another; `None` of what makes no region of the
/// stack.
///
/// Which critical section a lock is of is no region. A type of the programmer's own, of which nothing
/// says what it is, is one only if it ever ends: others are values. Calls that never end tell only
/// where the next one begins.
fn probes(trace: &Trace) -> Vec<Option<Nesting>> {
    let closes = types_that_close(trace);
    let nesting = |(known, closes): (&EventType, bool)| match known.kind {
        Kind::Region(_, Origin::Runtime(Paradigm::Critical)) => None,
        Kind::Region(_, Origin::Unknown) if !closes => None,
        Kind::Region(Nesting::Stack, _) if !closes => Some(Nesting::Flat),
        Kind::Region(nesting, _) => Some(nesting),
        _ => None,
    };
    trace.types.iter().zip(closes).map(nesting).collect()
}
