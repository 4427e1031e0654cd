//! Where regions begin and end.
//!
//! A code type that never closes is flat. The zeros that a cutter leaves at a thread's last moment
//! are no ends.

use crate::trace::{Event, Kind, Moment, Nesting, Thread, Trace};

/// One execution of a region, from one moment of a thread to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Index into [`Trace::threads`].
    pub thread: u32,
    /// Index of the moment at which it begins.
    pub first: u32,
    /// Index of the moment at which it ends; not before `first`.
    pub last: u32,
    pub value: u64,
    /// Whether no execution of the same value is open around it.
    pub outermost: bool,
    /// Whether no execution of its type is open around it.
    pub topmost: bool,
}

/// All executions of every type of event for which `wanted`, by type, then thread, then end.
///
/// Ends that nothing opened and beginnings that nothing closes are left out. In one moment ends
/// come before starts; an end that finds nothing open closes a start of its own moment written
/// before it. O(events of the trace).
pub fn executions(trace: &Trace, wanted: impl Fn(u32) -> bool) -> Vec<Vec<Execution>> {
    let counts = ends_and_starts(trace);
    let nesting = |event_type: u32| match trace.kind(event_type) {
        Kind::Region(nesting, _) if wanted(event_type) => Some(match nesting {
            // Entries without a single exit tell only where the next one begins.
            Nesting::Stack if counts[event_type as usize].0 == 0 => Nesting::Flat,
            nesting => nesting,
        }),
        _ => None,
    };
    let nestings = (0..trace.types.len() as u32).map(nesting).collect::<Vec<_>>();
    let borders = borders(trace);
    // No region is more often than it starts: nothing has to grow, and of many millions nothing is
    // copied.
    let room = nestings.iter().zip(counts).map(|(known, (_, starts))| (known.is_some(), starts));
    let mut found = room
        .map(|(is_region, starts)| Vec::with_capacity(if is_region { starts } else { 0 }))
        .collect::<Vec<_>>();
    for (index, thread) in trace.threads.iter().enumerate() {
        let walk =
            Walk { trace, thread, index: index as u32, nestings: &nestings, borders: &borders };
        walk.collect(&mut found);
    }
    found
}

/// Shapes of moments at which regions begin or end.
fn borders(trace: &Trace) -> Vec<bool> {
    trace.shapes_with(|_, kind| matches!(kind, Kind::Region(..)))
}

/// For each type of region, whether any event of it is zero; what a cutter closed does not count.
pub fn types_that_close(trace: &Trace) -> Vec<bool> {
    ends_and_starts(trace).into_iter().map(|(ends, _)| ends > 0).collect()
}

/// Whether no event of a type of regions is zero, as in [`types_that_close`].
pub(super) fn closes_no_region(trace: &Trace, event_type: u32) -> bool {
    ends_and_starts(trace).get(event_type as usize).is_none_or(|(ends, _)| *ends == 0)
}

/// How many events of each type of region are zero, and how many are not; those that a cutter wrote
/// left aside.
fn ends_and_starts(trace: &Trace) -> Vec<(usize, usize)> {
    let mut counts = vec![(0, 0); trace.types.len()];
    let borders = borders(trace);
    for thread in &trace.threads {
        let closing_cut = closing_cut(trace, thread);
        for (at, moment) in thread.moments_of(&borders) {
            for event in moment.events().filter(|_| Some(at) != closing_cut) {
                let (ends, starts) = &mut counts[event.event_type as usize];
                *(if event.value == 0 { ends } else { starts }) += 1;
            }
        }
    }
    counts
}

/// The moment that a cutter wrote to close what the cut left open: the thread's last, all zeros,
/// in a trace that was cut or with sampled callers among them, which only a cutter writes as zero.
/// These are no ends.
pub fn closing_cut(trace: &Trace, thread: &Thread) -> Option<u32> {
    let last = thread.len().checked_sub(1)?;
    let moment = thread.moment(last);
    let caller = |event: Event| matches!(trace.kind(event.event_type), Kind::Routine(_));
    let closes = thread.ends_in_zeros() && moment.time == thread.end_ns();
    (closes && (trace.cut || moment.events().any(caller))).then_some(last as u32)
}

struct Walk<'a> {
    trace: &'a Trace,
    thread: &'a Thread,
    index: u32,
    nestings: &'a [Option<Nesting>],
    borders: &'a [bool],
}

/// What is open of one type: value and the moment of its begin, outermost first.
type Open = Vec<(u64, u32)>;

impl Walk<'_> {
    fn collect(&self, found: &mut [Vec<Execution>]) {
        let mut open: Vec<Open> = vec![Vec::new(); found.len()];
        let closing_cut = closing_cut(self.trace, self.thread);
        let mut breaks = self.thread.known().breaks_ns.iter().peekable();
        let mut is_known_below = true;
        for (at, moment) in self.thread.moments_of(self.borders) {
            if Some(at) == closing_cut {
                return;
            }
            // What was open where something is missing nobody knows.
            while breaks.next_if(|break_ns| **break_ns <= moment.time).is_some() {
                open.iter_mut().for_each(Open::clear);
                is_known_below = false;
            }
            self.moment(at, &moment, is_known_below, &mut open, found);
        }
    }

    fn moment(
        &self,
        at: u32,
        moment: &Moment<'_>,
        is_known_below: bool,
        open: &mut [Open],
        found: &mut [Vec<Execution>],
    ) {
        let delimits = |event: &Event| self.nestings[event.event_type as usize].is_some();
        if !moment.events().any(|event| delimits(&event)) {
            return;
        }
        // Ends first, as far as something is open; what is left of them waits for the starts.
        let mut surplus = Vec::new();
        for (position, event) in moment.events().enumerate() {
            if delimits(&event) && event.value == 0 {
                let of_type = event.event_type as usize;
                match open[of_type].pop() {
                    Some(ended) => found[of_type].push(self.execution(ended, at, &open[of_type])),
                    None => surplus.push(position),
                }
            }
        }
        for (position, event) in moment.events().enumerate().filter(|(_, e)| delimits(e)) {
            let of_type = event.event_type as usize;
            let mut close = |open: &mut Open| {
                if let Some(ended) = open.pop() {
                    found[of_type].push(self.execution(ended, at, open));
                }
            };
            let open = &mut open[of_type];
            if event.value != 0 {
                if self.nestings[of_type] == Some(Nesting::Flat) {
                    close(open);
                }
                open.push((event.value, at));
            } else if is_known_below && surplus.contains(&position) {
                close(open);
            }
        }
    }

    fn execution(&self, (value, first): (u64, u32), last: u32, around: &Open) -> Execution {
        Execution {
            thread: self.index,
            first,
            last,
            value,
            outermost: !around.iter().any(|(outer, _)| *outer == value),
            topmost: around.is_empty(),
        }
    }
}
