use std::borrow::Cow;

use super::computing::Calls;
use crate::instance::{ABSURD, BurstsFrom};
use crate::trace::{Kind, Moment, Thread, Trace, TracingPart};

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

/// What a run computes, and what of it the tracing spoilt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bursts {
    /// By thread, then begin.
    pub bursts: Vec<Burst>,
    /// How many are left out because the tracing wrote its buffer to disk inside.
    pub flushed: usize,
}

/// All bursts of a trace, by thread, then begin: the stretches in which threads run, as states tell;
/// of a task without states, those between the calls of each thread. O(events).
pub fn bursts(trace: &Trace) -> Vec<Burst> {
    bursts_from(trace, BurstsFrom::Auto).bursts
}

/// The same by what `from` says. O(events).
pub fn bursts_from(trace: &Trace, from: BurstsFrom) -> Bursts {
    let mut bursts = with_flushed(trace, from);
    let flushes = trace.shapes_with(|_, kind| kind == Kind::Tracing(TracingPart::Flush));
    let all = bursts.len();
    bursts.retain(|burst| !burst.has_inside(trace, &flushes));
    Bursts { flushed: all - bursts.len(), bursts }
}

/// Those in which the tracing wrote to disk among them. O(events).
pub(super) fn with_flushed(trace: &Trace, from: BurstsFrom) -> Vec<Burst> {
    let calls = Calls::of(trace, from);
    let mut bursts = Vec::new();
    let mut number = 0;
    for task in tasks(trace) {
        for (thread, stretches) in task.iter().zip(stretches(&calls, task, from)) {
            bursts.extend(of_thread(number, thread, &stretches));
            number += 1;
        }
    }
    bursts
}

/// The threads of each task.
pub(super) fn tasks(trace: &Trace) -> impl Iterator<Item = &[Thread]> {
    let task = |thread: &Thread| (thread.object.application, thread.object.task);
    trace.threads.chunk_by(move |a, b| task(a) == task(b))
}

/// When each thread of a task computes, by what `from` says: stretches, rising and apart.
pub(super) fn stretches<'task>(
    calls: &Calls<'_>,
    task: &'task [Thread],
    from: BurstsFrom,
) -> Vec<Cow<'task, [[u64; 2]]>> {
    let by_states = match from {
        BurstsFrom::Auto => task.iter().any(|thread| !thread.running_ns().is_empty()),
        BurstsFrom::States => true,
        BurstsFrom::Calls | BurstsFrom::CallsAndIo => false,
    };
    match by_states {
        true => task.iter().map(|thread| Cow::Borrowed(thread.running_ns())).collect(),
        false => calls.computing(task).into_iter().map(Cow::Owned).collect(),
    }
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

    /// Whether a moment of one of these shapes lies strictly inside. O(moments inside).
    fn has_inside(&self, trace: &Trace, shapes: &[bool]) -> bool {
        let inside = self.moments(trace).take_while(|moment| moment.time < self.end_ns);
        inside.into_iter().any(|moment| moment.is_of(shapes))
    }

    /// Those after its begin up to its end.
    pub(super) fn moments<'trace>(
        &self,
        trace: &'trace Trace,
    ) -> impl Iterator<Item = Moment<'trace>> {
        let thread = trace.threads.get(self.thread as usize);
        let mut moments = thread.map(|thread| thread.moments_from(self.first as usize));
        let moments = std::iter::from_fn(move || moments.as_mut()?.next());
        moments.take(self.beyond.saturating_sub(self.first) as usize)
    }

    /// What counters counted in it: index into [`Trace::types`] and the events, as often as one was
    /// read.
    ///
    /// Of several readings of a counter in one moment the first is of the burst that ends there: the
    /// others are of calls that began and ended in it.
    pub fn counted(&self, trace: &Trace) -> impl Iterator<Item = (u32, u64)> {
        self.moments(trace).flat_map(|moment| first_readings(trace, &moment))
    }
}

/// What of a counter that is read in a moment is of the burst that ends there: see
/// [`Burst::counted`]. `None` if it is not read there, or what is read is no count.
pub(super) fn first_reading(moment: &Moment<'_>, counter: u32) -> Option<u64> {
    let first = moment.events().find(|event| event.event_type == counter);
    first.map(|event| event.value).filter(|events| *events < ABSURD)
}

impl Bursts {
    /// What is left out, in words; `None` if nothing is.
    pub fn sentence(&self) -> Option<String> {
        let is_left_out = "the tracing wrote its buffer to disk inside";
        match self.flushed {
            0 => None,
            1 => Some(format!("1 burst is left out: {is_left_out}.")),
            many => Some(format!("{many} bursts are left out: {is_left_out}.")),
        }
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
