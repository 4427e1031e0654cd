//! Marks: the begin and end of a region, where two recordings can meet.

use crate::order;
use crate::trace::{Kind, Moment, Nesting, Thread, Trace};

/// An outermost instance of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub begin_ns: u64,
    pub end_ns: u64,
}

/// A region: type and value.
pub type Region = (u32, u64);

/// How often each region is entered, over all threads. O(moments).
pub fn regions(trace: &Trace) -> Vec<(Region, u64)> {
    let mut entered = Vec::new();
    let with_region = trace.shapes_with(|_, kind| matches!(kind, Kind::Region(..)));
    for thread in &trace.threads {
        for moment in thread.moments().filter(|moment| moment.is_of(&with_region)) {
            for event in moment.events().filter(|event| event.value > 0) {
                if matches!(trace.kind(event.event_type), Kind::Region(..)) {
                    *order::entry(&mut entered, (event.event_type, event.value)) += 1;
                }
            }
        }
    }
    entered
}

/// The marks of a region on a thread, in order of time. O(moments).
pub fn marks(trace: &Trace, thread: &Thread, (event_type, value): Region) -> Vec<Mark> {
    let with_type = trace.shapes_with(|of_type, _| of_type == event_type);
    let moments = thread.moments().filter(|moment| moment.is_of(&with_type));
    let of_moment = |moment: Moment<'_>| {
        let values = moment.events().filter(|event| event.event_type == event_type);
        values.map(|event| (moment.time, event.value)).collect::<Vec<_>>()
    };
    let events = moments.flat_map(of_moment).collect::<Vec<_>>();
    // A marker without a second half ends where the next one begins.
    let never_closes = events.iter().all(|(_, value)| *value > 0);
    let flat = never_closes || matches!(trace.kind(event_type), Kind::Region(Nesting::Flat, _));
    let (mut marks, mut open, mut begin_ns) = (Vec::new(), Vec::new(), 0);
    for (time_ns, of_event) in events {
        let closed = if flat || of_event == 0 { open.pop() } else { None };
        let depth = open.iter().filter(|open| **open == value).count();
        if closed == Some(value) && depth == 0 {
            marks.push(Mark { begin_ns, end_ns: time_ns });
        }
        if of_event > 0 {
            if of_event == value && depth == 0 {
                begin_ns = time_ns;
            }
            open.push(of_event);
        }
    }
    marks
}

/// What a region is called without what tracers add, as a probe can be called: `probe_app:step` and
/// `step_ [app.f90]` are both `step`.
pub fn bare_name(trace: &Trace, (event_type, value): Region) -> String {
    let of_type = trace.types.get(event_type as usize);
    let code = of_type.map_or(0, |known| known.code);
    let of_value = trace.labels.of_value(code, value).filter(|name| !name.is_empty());
    // A value without a name of its own goes by its type, if it is the only one.
    let name = of_value.or(of_type.map(|known| known.name.as_str())).unwrap_or_default();
    let end = name.find(['(', '[', '<']).unwrap_or(name.len());
    let name = name.get(..end).unwrap_or_default().trim_end();
    let name = name.rsplit(':').next().unwrap_or_default().to_ascii_lowercase();
    // As a probe can be called: by letters and digits of ASCII. The tables of all letters would be ten
    // kilobytes of what the page loads.
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let name = name.trim_matches('_').to_owned();
    if name.chars().all(|c| c.is_ascii_digit()) { String::new() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Builder, Labels, Meaning, Object, Origin};

    fn meaning(code: u32, labels: &Labels) -> Meaning {
        let nesting = if code == 2 { Nesting::Flat } else { Nesting::Stack };
        let name = labels.of_type(code).unwrap_or_default().to_owned();
        Meaning { kind: Kind::Region(nesting, Origin::Code), name, description: String::new() }
    }

    fn found(code: u32, events: &[(u64, u64)], value: u64) -> Vec<(u64, u64)> {
        let mut builder = Builder::new("a", meaning);
        let thread = builder.thread(Object { application: 1, task: 1, thread: 1 });
        for &(time, value) in events {
            builder.event(thread, time, code, value);
        }
        let trace = builder.finish();
        let marks = marks(&trace, &trace.threads[0], (0, value));
        marks.iter().map(|mark| (mark.begin_ns, mark.end_ns)).collect()
    }

    #[test]
    fn marks_are_the_outermost_instances() {
        let nested = [(1, 7), (2, 8), (3, 7), (4, 0), (5, 0), (6, 0), (8, 7), (9, 0), (10, 7)];
        assert_eq!(found(1, &nested, 7), [(1, 6), (8, 9)]);
        assert_eq!(found(1, &nested, 8), [(2, 5)]);
        assert_eq!(found(2, &[(1, 7), (2, 8), (3, 7), (4, 0)], 7), [(1, 2), (3, 4)]);
        assert_eq!(found(1, &[(1, 7), (3, 7), (4, 7)], 7), [(1, 3), (3, 4)]);
        assert_eq!(found(1, &[(1, 7), (3, 0)], 9), []);
    }

    #[test]
    fn names_are_compared_without_what_tracers_add() {
        let mut builder = Builder::new("a", meaning);
        let labels = [(1, "probe_app:Main_Step"), (2, "User function"), (3, "Iteration")];
        let names = ["", "a::main step_<int>(b::c) [app.cc]", "42"];
        let thread = builder.thread(Object { application: 1, task: 1, thread: 1 });
        for ((code, label), name) in labels.into_iter().zip(names) {
            builder.labels.add_types(&[(code, label.to_owned())], vec![(1, name.to_owned())]);
            builder.event(thread, 1, code, 1);
        }
        let trace = builder.finish();
        let bare = [0, 1, 2].map(|event_type| bare_name(&trace, (event_type, 1)));
        assert_eq!(bare, ["main_step", "main_step", ""]);
        assert_eq!(bare_name(&trace, (2, 5)), "iteration");
    }
}
