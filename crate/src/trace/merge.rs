//! The memory references of another recording, put among the moments of a trace.

use super::shape::Shapes;
use super::weaving::Weaving;
use super::{Event, EventType, Kind, Labels, Moment, Only, ReferencePart, Trace};
use crate::order;

/// What became of the references of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    pub loads: u64,
    pub stores: u64,
    /// Left out, as their thread or their time is none of the trace's.
    pub of_other_threads: u64,
    pub of_other_times: u64,
}

/// Where the moments of a thread of a recording belong.
pub struct Home<'a> {
    /// Index of the thread in the trace.
    pub thread: usize,
    /// A time of the recording as a time of the trace; never falls.
    pub time: &'a dyn Fn(u64) -> Option<u64>,
}

impl Trace {
    /// Adds the references of `recording` with their call-stacks, and nothing else of it; `homes`
    /// says where each of its threads belongs, and may name a thread once only.
    ///
    /// A reference is a moment of its own: where the thread has one at that time, it comes a
    /// nanosecond later. What lies outside of the thread's time, or of the part that was read, is
    /// left out. O(moments of the threads named and of the recording).
    pub fn add_references(&mut self, recording: &Self, homes: &[Option<Home<'_>>]) -> Merged {
        let here = Renumbered::of(self, recording);
        let is_reference = |_: u32, kind: Kind| is_address(kind).is_some();
        let with_reference = recording.shapes_with(is_reference);
        let mut shapes = Shapes::clone(&self.shapes);
        let only = self.partial.as_ref().map_or_else(Only::default, |part| part.only.clone());
        let mut merged = Merged::default();
        let mut grown = Vec::new();
        for (index, thread) in recording.threads.iter().enumerate() {
            let moments = || thread.moments().filter(|moment| moment.is_of(&with_reference));
            let home = homes.get(index).and_then(Option::as_ref);
            let known = home.and_then(|home| self.threads.get(home.thread).zip(Some(home)));
            let Some((known, home)) = known else {
                merged.of_other_threads += moments().count() as u64;
                continue;
            };
            let mut weaving = Weaving::of(known.object, known.moments(), &mut shapes);
            for moment in moments() {
                let time_ns = (home.time)(moment.time)
                    .filter(|&time_ns| time_ns < known.end_ns() && only.has_time(time_ns));
                let Some(time_ns) = time_ns else {
                    merged.of_other_times += 1;
                    continue;
                };
                weaving.add(time_ns, here.events(&moment));
                let addresses = moment
                    .events()
                    .filter_map(|event| is_address(recording.kind(event.event_type)));
                for is_store in addresses {
                    *(if is_store { &mut merged.stores } else { &mut merged.loads }) += 1;
                }
            }
            grown.push((home.thread, weaving.finish()));
        }
        self.take(grown, shapes);
        merged
    }
}

/// Whether a part of a reference is its address, and then whether of a store.
fn is_address(kind: Kind) -> Option<bool> {
    match kind {
        Kind::Reference(ReferencePart::LoadAddress) => Some(false),
        Kind::Reference(ReferencePart::StoreAddress) => Some(true),
        _ => None,
    }
}

/// The types and values of a recording as those of a trace.
struct Renumbered {
    /// By type there: the type here, if its events are taken.
    types: Vec<Option<u32>>,
    kinds: Vec<Kind>,
    /// Numbers of routines and of code lines, there and here.
    routines: Vec<(u64, u64)>,
    code_lines: Vec<(u64, u64)>,
}

impl Renumbered {
    fn of(trace: &mut Trace, recording: &Trace) -> Self {
        let mut types = Vec::new();
        for known in &recording.types {
            let is_taken =
                matches!(known.kind, Kind::Reference(_) | Kind::Routine(_) | Kind::CodeLine(_));
            types.push(is_taken.then(|| type_of(trace, known)));
        }
        let is_routine = |kind: Kind| matches!(kind, Kind::Routine(_));
        let is_code_line = |kind: Kind| matches!(kind, Kind::CodeLine(_));
        Self {
            types,
            kinds: recording.types.iter().map(|known| known.kind).collect(),
            routines: adopted(trace, recording, &is_routine),
            code_lines: adopted(trace, recording, &is_code_line),
        }
    }

    fn events<'a>(&'a self, moment: &Moment<'a>) -> impl Iterator<Item = Event> + use<'a> {
        moment.events().filter_map(|Event { event_type, value }| {
            let here = self.types.get(event_type as usize).copied().flatten()?;
            let number = |numbers: &[(u64, u64)]| order::get(numbers, &value).copied();
            let value = match self.kinds.get(event_type as usize)? {
                Kind::Routine(_) => number(&self.routines)?,
                Kind::CodeLine(_) => number(&self.code_lines)?,
                _ => value,
            };
            Some(Event { event_type: here, value })
        })
    }
}

/// The type of the same meaning in `trace`, added if there is none.
fn type_of(trace: &mut Trace, wanted: &EventType) -> u32 {
    let same = trace.types.iter().position(|known| known.kind == wanted.kind);
    let at = same.unwrap_or_else(|| {
        trace.types.push(wanted.clone());
        trace.types.len() - 1
    });
    at as u32
}

/// Numbers of a recording's routines, or code lines, in `trace`, which is given their names.
fn adopted(trace: &mut Trace, recording: &Trace, wanted: &dyn Fn(Kind) -> bool) -> Vec<(u64, u64)> {
    let there = recording.types.iter().find(|known| wanted(known.kind));
    let Some(there) = there else { return vec![] };
    let types = trace.types.iter().filter(|known| wanted(known.kind));
    let label = |labels: &Labels, code| labels.of_type(code).map(str::to_owned);
    let labelled = types.map(|known| {
        let label = label(&trace.labels, known.code).or(label(&recording.labels, there.code));
        (known.code, label.unwrap_or_default())
    });
    let types = labelled.collect::<Vec<_>>();
    trace.labels.adopt(&types, recording.labels.values_of(there.code))
}
