//! A trace without what the fold of one region does not look at.

use crate::instance::{Ends, is_sample, looked_at};
use crate::run::is_read_beside;
use crate::source::Innermost;
use crate::trace::{self, Builder, EventType, Kind, Reduced, Thread, Trace};

/// Keeps what the fold of `region`, by the code of its type and its value, looks at of what was read: a part
/// that begins and ends as `ends` say. What comes out does not depend on how often it was made smaller before.
/// O(events).
pub fn reduce(part: &mut Builder, region: (u32, Option<u64>), ends: Ends) {
    part.settle();
    let trace = part.so_far();
    let (code, value) = region;
    let event_type = trace.types.iter().position(|of| of.code == code);
    let kept = looked_at(&trace, (event_type.map(|at| at as u32), value), ends);
    let dropped = trace.types.iter().map(is_dropped).collect::<Vec<_>>();
    let mut reduced = Reduced { region, ..Reduced::default() };
    let is_left_out = |thread: usize, at: u32| kept[thread].whole.get(at as usize) != Some(&true);
    reduced.innermost = left_out(&trace, is_left_out);
    part.reduce(trace, &dropped, kept, reduced);
}

/// What a sample tells; but not what one thread reads for all of a socket.
pub fn is_dropped(of: &EventType) -> bool {
    match of.kind {
        Kind::Counter => !is_read_beside(&of.name),
        Kind::Routine(_)
        | Kind::CodeLine(_)
        | Kind::Reference(_)
        | Kind::Caller(_)
        | Kind::CallerLine(_) => true,
        _ => false,
    }
}

/// The innermost routines of the moments that are left out, by the indices of their threads and their own.
pub fn left_out(trace: &Trace, is_left_out: impl Fn(usize, u32) -> bool) -> trace::Innermost {
    let mut innermost = Innermost::of(trace);
    let shapes = innermost.shapes.clone();
    for (thread, of) in trace.threads.iter().enumerate() {
        let left_out = of.moments_of(&shapes).filter(|(at, _)| is_left_out(thread, *at));
        left_out.for_each(|(_, moment)| innermost.add(trace, &moment));
    }
    innermost.counts(trace)
}

/// How many samples are kept.
pub fn samples(part: &Builder) -> u64 {
    let trace = part.so_far();
    let of_thread = |thread: &Thread| {
        thread.moments().filter(|moment| is_sample(&trace, moment)).count() as u64
    };
    trace.threads.iter().map(of_thread).sum()
}
