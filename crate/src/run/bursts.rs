use super::computing::Calls;
use crate::instance::ABSURD;
use crate::trace::{Kind, Moment, Thread, Trace};

/// A stretch of useful computation of a thread between calls of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// Index into [`Trace::threads`].
    pub thread: u32,
    pub begin_ns: u64,
    pub end_ns: u64,
    /// Index of the first moment after its begin.
    pub first: u32,
    /// Index of the first moment after its end: what is read in between, at its end too, is read of
    /// it.
    pub beyond: u32,
}

/// All bursts of a trace, by thread, then begin: the stretches in which threads run, as states tell;
/// of a task without states, those between the calls of each thread. O(events).
pub fn bursts(trace: &Trace) -> Vec<Burst> {
    let calls = Calls::of(trace);
    let mut bursts = Vec::new();
    let mut number = 0;
    let task = |thread: &Thread| (thread.object.application, thread.object.task);
    for threads in trace.threads.chunk_by(|a, b| task(a) == task(b)) {
        let has_states = threads.iter().any(|thread| !thread.running_ns().is_empty());
        let between_calls = if has_states { vec![] } else { calls.computing(threads) };
        for (at, thread) in threads.iter().enumerate() {
            let stretches = between_calls.get(at).map_or(thread.running_ns(), Vec::as_slice);
            bursts.extend(of_thread(number, thread, stretches));
            number += 1;
        }
    }
    bursts
}

fn of_thread(number: u32, thread: &Thread, stretches: &[[u64; 2]]) -> Vec<Burst> {
    let mut times = thread.moments().map(|moment| moment.time).peekable();
    let mut passed = 0;
    let mut after = |time_ns: u64| {
        while times.next_if(|time| *time <= time_ns).is_some() {
            passed += 1;
        }
        passed
    };
    let burst = stretches.iter().map(|&[begin_ns, end_ns]| {
        let (first, beyond) = (after(begin_ns), after(end_ns));
        Burst { thread: number, begin_ns, end_ns, first, beyond }
    });
    burst.collect()
}

impl Burst {
    pub fn duration_ns(&self) -> u64 {
        self.end_ns - self.begin_ns
    }

    /// What counters counted in it: index into [`Trace::types`] and the events, as often as one was
    /// read.
    ///
    /// Of several readings of a counter in one moment the first is of the burst that ends there: the
    /// others are of calls that began and ended in it.
    pub fn counted(&self, trace: &Trace) -> impl Iterator<Item = (u32, u64)> {
        let thread = trace.threads.get(self.thread as usize);
        let moments =
            thread.into_iter().flat_map(|thread| thread.moments_from(self.first as usize));
        let inside = moments.take(self.beyond.saturating_sub(self.first) as usize);
        inside.flat_map(|moment| first_readings(trace, &moment))
    }
}

/// Of each counter that is read in a moment the first reading.
fn first_readings(trace: &Trace, moment: &Moment<'_>) -> Vec<(u32, u64)> {
    let mut readings: Vec<(u32, u64)> = Vec::new();
    let counters = moment.events().filter(|event| trace.kind(event.event_type) == Kind::Counter);
    for event in counters {
        if readings.iter().all(|(counter, _)| *counter != event.event_type) {
            readings.push((event.event_type, event.value));
        }
    }
    readings.retain(|(_, events)| *events < ABSURD);
    readings
}
