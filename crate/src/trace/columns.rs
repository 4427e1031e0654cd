use std::fmt;

use super::{Kind, Labels, Notices, Provenance};

/// A whole trace; nothing in it changes.
#[derive(Clone, Debug)]
pub struct Trace {
    pub name: String,
    /// Size of its files' main part in bytes, as it lay on disk.
    pub size_bytes: u64,
    /// The later of what the header promises and the last record, in nanoseconds.
    pub duration_ns: u64,
    /// Whether it was cut out of a longer trace: it may begin and end inside regions.
    pub cut: bool,
    /// Whether it says of itself that a generator made it.
    pub generated: bool,
    /// Every type of event met, by code.
    pub types: Vec<EventType>,
    pub labels: Labels,
    /// Threads that carry events, by application, task and thread.
    pub threads: Vec<Thread>,
    pub notices: Notices,
    /// How sure its numbers are.
    pub provenance: Provenance,
}

/// A type of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventType {
    pub code: u32,
    pub kind: Kind,
    /// As people know it: `PAPI_TOT_INS`, `User function`.
    pub name: String,
    /// The long name; may be empty.
    pub description: String,
}

/// Application, task and thread, each from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    pub application: u32,
    pub task: u32,
    pub thread: u32,
}

impl fmt::Display for Object {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.application, self.task, self.thread)
    }
}

/// One thread: its moments by increasing time, as columns.
///
/// ```text
/// times  543924        1304845     16856899        one per moment
/// first  0             4           7        …      where its events begin; one more at the end
/// types  3 0 1 2       0 1 2       5 6 0 1 2       one per event: index into Trace::types
/// values 2 0 0 0       0 0 0       2 2 …
/// ```
#[derive(Clone, Debug)]
pub struct Thread {
    pub object: Object,
    pub(super) times: Vec<u64>,
    pub(super) first: Vec<u32>,
    pub(super) types: Vec<u32>,
    pub(super) values: Vec<u64>,
}

/// All that happened to a thread at one instant, in the order written.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'thread> {
    /// Nanoseconds since the start of the trace.
    pub time: u64,
    types: &'thread [u32],
    values: &'thread [u64],
}

/// A (type, value) pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Index into [`Trace::types`].
    pub event_type: u32,
    pub value: u64,
}

impl Thread {
    pub(super) fn empty(object: Object) -> Self {
        Self { object, times: vec![], first: vec![], types: vec![], values: vec![] }
    }

    /// Nanoseconds since the start of the trace, one per moment, increasing.
    pub fn times(&self) -> &[u64] {
        &self.times
    }

    /// The moment with this index; empty at time 0 beyond the last.
    pub fn moment(&self, index: usize) -> Moment<'_> {
        let at = |i: usize| self.first.get(i).map_or(0, |&first| first as usize);
        let events = at(index)..at(index + 1);
        Moment {
            time: self.times.get(index).copied().unwrap_or_default(),
            types: self.types.get(events.clone()).unwrap_or_default(),
            values: self.values.get(events).unwrap_or_default(),
        }
    }

    pub fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        (0..self.times.len()).map(|index| self.moment(index))
    }

    /// Nanoseconds from its first moment to its last.
    pub fn span_ns(&self) -> u64 {
        match (self.times.first(), self.times.last()) {
            (Some(first), Some(last)) => last - first,
            _ => 0,
        }
    }
}

impl<'thread> Moment<'thread> {
    pub fn events(&self) -> impl Iterator<Item = Event> + use<'thread> {
        let pairs = self.types.iter().zip(self.values);
        pairs.map(|(&event_type, &value)| Event { event_type, value })
    }
}

impl Trace {
    /// What the events of this type mean.
    pub fn kind(&self, event_type: u32) -> Kind {
        self.types.get(event_type as usize).map_or(Kind::Other, |known| known.kind)
    }

    /// The label of a value, or its number where the trace has none.
    pub fn value_name(&self, event_type: u32, value: u64) -> String {
        let code = self.types.get(event_type as usize).map_or(0, |known| known.code);
        self.labels.of_value(code, value).map_or_else(|| value.to_string(), str::to_owned)
    }
}
