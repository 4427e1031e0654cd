//! The calls of a trace, told apart by where they are made from.

use std::collections::HashMap;

use super::{Call, Edge};
use crate::instance::PassBegin;
use crate::trace::{Event, Kind, Moment, Nesting, Origin, Paradigm, Thread, Trace};

/// Which calls loops are looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// Of a runtime.
    Calls(Paradigm),
    /// Of OpenMP and of the program's own routines, parallel regions among them.
    Routines,
}

/// The first of these in which something repeats counts.
pub const ALPHABETS: [Alphabet; 4] = [
    Alphabet::Calls(Paradigm::Mpi),
    Alphabet::Routines,
    Alphabet::Calls(Paradigm::Accelerator),
    Alphabet::Calls(Paradigm::Pthread),
];

impl Alphabet {
    fn has(self, kind: Kind) -> Option<Nesting> {
        match (self, kind) {
            (Self::Calls(asked), Kind::Region(nesting, Origin::Runtime(own))) => {
                (asked == own).then_some(nesting)
            }
            (
                Self::Routines,
                Kind::Region(nesting, Origin::Runtime(Paradigm::OpenMp | Paradigm::OpenMpWork))
                | Kind::Region(nesting @ Nesting::Stack, Origin::Code | Origin::Outlined),
            ) => Some(nesting),
            _ => None,
        }
    }
}

/// The sites of a run, and the calls of the master thread of each task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sites {
    /// By site: the index of its label.
    pub labels: Vec<u32>,
    /// `MPI_Sendrecv · 251 (boundary.F90)`, each once: sites of different tasks with one label are
    /// the same place.
    pub names: Vec<String>,
    /// By label: whether it is a routine of the program, which delimits a region by itself.
    pub are_routines: Vec<bool>,
    /// The master thread of each task (index into [`Trace::threads`]), and its calls by begin.
    pub calls: Vec<(u32, Vec<Call>)>,
}

impl Sites {
    /// The label and the edge of the call that are meant; `None` if nothing of the name is called.
    pub(super) fn place(&self, begin: &PassBegin) -> Option<(u32, Edge)> {
        let label = self.names.iter().position(|name| *name == begin.site)?;
        Some((label as u32, if begin.is_after { Edge::Exit } else { Edge::Begin }))
    }
}

/// The calls of one alphabet. A site is a call with the path that the trace gives: two addresses on
/// one line are two sites. O(events of the master threads).
///
/// A call that never ends lasts until the next one of its type; the last one until its thread's end.
pub fn sites(trace: &Trace, alphabet: Alphabet) -> Sites {
    let nestings = trace.types.iter().map(|known| alphabet.has(known.kind)).collect::<Vec<_>>();
    let mut naming = Naming::of(trace);
    for (index, thread) in (0..).zip(&trace.threads) {
        if thread.object.thread == 1 {
            let calls = naming.calls(thread, &nestings);
            naming.found.calls.push((index, calls));
        }
    }
    naming.found
}

/// Numbers sites as calls are made from them.
pub(super) struct Naming<'trace> {
    trace: &'trace Trace,
    /// By type, value and callers.
    sites: HashMap<Vec<u64>, u32>,
    /// Those of the call at hand, in memory that is used again.
    path: Vec<u64>,
    names: HashMap<String, u32>,
    pub found: Sites,
}

impl<'trace> Naming<'trace> {
    pub fn of(trace: &'trace Trace) -> Self {
        let (sites, names) = (HashMap::new(), HashMap::new());
        Self { trace, sites, path: vec![], names, found: Sites::default() }
    }

    /// The calls of a thread by begin: of each type for which there is one in `nestings`. O(events
    /// of the thread).
    pub fn calls(&mut self, thread: &Thread, nestings: &[Option<Nesting>]) -> Vec<Call> {
        let is_call = |event: &Event| nestings[event.event_type as usize].is_some();
        let shapes =
            self.trace.shapes_with(|event_type, _| nestings[event_type as usize].is_some());
        let mut calls: Vec<Call> = Vec::new();
        // Of each type the calls that have not returned, the outermost first.
        let mut open: Vec<Vec<u32>> = vec![Vec::new(); nestings.len()];
        for (_, moment) in thread.moments_of(&shapes) {
            for event in moment.events().filter(is_call) {
                let open = &mut open[event.event_type as usize];
                let nests = nestings[event.event_type as usize] == Some(Nesting::Stack);
                let ends = event.value == 0 || !nests;
                if let Some(last) = open.pop_if(|_| ends) {
                    calls[last as usize].exit_ns = moment.time;
                }
                if event.value > 0 {
                    open.push(calls.len() as u32);
                    let site = self.site(event, &moment);
                    calls.push(Call { site, begin_ns: moment.time, exit_ns: u64::MAX });
                }
            }
        }
        let end_ns = thread.end_ns();
        calls.iter_mut().for_each(|call| call.exit_ns = call.exit_ns.min(end_ns));
        calls
    }

    /// The site of a call that begins in a moment.
    pub fn site(&mut self, call: Event, moment: &Moment<'_>) -> u32 {
        let path = &mut self.path;
        path.clear();
        path.extend([u64::from(call.event_type), call.value]);
        let callers = moment.events().filter(|event| {
            matches!(self.trace.kind(event.event_type), Kind::Caller(_) | Kind::CallerLine(_))
        });
        path.extend(callers.flat_map(|event| [u64::from(event.event_type), event.value]));
        if let Some(site) = self.sites.get(&self.path) {
            return *site;
        }
        let name = self.name(call, moment);
        let Sites { names, are_routines, .. } = &mut self.found;
        let kind = self.trace.kind(call.event_type);
        let label = *self.names.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            are_routines.push(matches!(kind, Kind::Region(_, Origin::Code)));
            names.len() as u32 - 1
        });
        let site = self.found.labels.len() as u32;
        self.found.labels.push(label);
        self.sites.insert(self.path.clone(), site);
        site
    }

    /// What is called, at the nearest line that is resolved.
    fn name(&self, call: Event, moment: &Moment<'_>) -> String {
        let known = self.trace.types.get(call.event_type as usize);
        let label = known.and_then(|known| self.trace.labels.of_value(known.code, call.value));
        let what = match (label, known) {
            (Some(label), _) => label.to_owned(),
            (None, Some(known)) => format!("{} {}", known.name, call.value),
            (None, None) => call.value.to_string(),
        };
        let line = |event: Event| match self.trace.kind(event.event_type) {
            Kind::CallerLine(level) => Some((level, self.resolved(event)?)),
            _ => None,
        };
        match moment.events().filter_map(line).min_by_key(|(level, _)| *level) {
            Some((_, line)) => format!("{what} · {line}"),
            None => what,
        }
    }

    fn resolved(&self, event: Event) -> Option<String> {
        let code = self.trace.types.get(event.event_type as usize)?.code;
        let label = self.trace.labels.of_value(code, event.value)?.trim();
        let says_nothing = ["", "Unresolved", "_NOT_Found", "Not found", "End"].contains(&label)
            || label.starts_with("0 (");
        (!says_nothing).then(|| label.to_owned())
    }
}
