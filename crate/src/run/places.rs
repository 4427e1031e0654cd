use super::bursts::Burst;
use super::rotation::Edge;
use super::sites::Naming;
use super::{Call, Sites};
use crate::order;
use crate::trace::{Kind, Origin, Paradigm, Trace};

/// Where in the program bursts are: the call that each follows, or precedes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// What is called, and from where: `MPI_Waitall · 843 (lulesh-comm.cc)`, each once. The same
    /// place has one name on all tasks, whatever the numbers of its labels.
    pub names: Vec<String>,
    /// Of each burst.
    pub of_bursts: Vec<Option<Place>>,
}

/// A call beside a burst: an index into [`Places::names`], and which edge of the call touches the
/// burst. A burst follows the exit of a call, and precedes the begin of one.
pub type Place = (u32, Edge);

/// The places of `bursts`, which come by thread, then begin. O(events of the trace).
///
/// A burst follows the call that returned last before it, if no other burst lies between; else it
/// precedes the next call, if again no burst lies between; else nothing is known.
pub fn places(trace: &Trace, bursts: &[Burst]) -> Places {
    let nesting = |kind| match kind {
        Kind::Region(_, Origin::Runtime(Paradigm::OpenMpWork | Paradigm::Critical)) => None,
        Kind::Region(nesting, Origin::Runtime(_)) => Some(nesting),
        _ => None,
    };
    let nestings = trace.types.iter().map(|known| nesting(known.kind)).collect::<Vec<_>>();
    let mut naming = Naming::of(trace);
    let mut of_bursts = Vec::with_capacity(bursts.len());
    for of_thread in bursts.chunk_by(|a, b| a.thread == b.thread) {
        let thread = of_thread.first().and_then(|burst| trace.threads.get(burst.thread as usize));
        let calls = thread.map(|thread| naming.calls(thread, &nestings)).unwrap_or_default();
        let labels = &naming.found.labels;
        let places = beside(&calls, of_thread).into_iter();
        let label = |(site, edge): (u32, Edge)| Some((*labels.get(site as usize)?, edge));
        of_bursts.extend(places.map(|place| place.and_then(label)));
    }
    let Sites { names, .. } = naming.found;
    Places { names, of_bursts }
}

/// Of each burst of a thread the site of the call beside it. `calls` and `bursts` are by begin.
fn beside(calls: &[Call], bursts: &[Burst]) -> Vec<Option<(u32, Edge)>> {
    // As good as in order: only what is called inside another call returns before it.
    let by_exit = order::indices(calls.iter().map(|call| call.exit_ns));
    let mut returned = by_exit.iter().filter_map(|index| calls.get(*index as usize)).peekable();
    let mut called = calls.iter().peekable();
    let mut last_return = None;
    let mut places = Vec::with_capacity(bursts.len());
    let mut free_from_ns = 0;
    for (at, burst) in bursts.iter().enumerate() {
        while let Some(call) = returned.next_if(|call| call.exit_ns <= burst.begin_ns) {
            last_return = Some(call);
        }
        while called.next_if(|call| call.begin_ns < burst.end_ns).is_some() {}
        let free_to_ns = bursts.get(at + 1).map_or(u64::MAX, |next| next.begin_ns);
        let after = last_return.filter(|call| call.exit_ns >= free_from_ns);
        let before = called.peek().filter(|call| call.begin_ns <= free_to_ns);
        places.push(match (after, before) {
            (Some(call), _) => Some((call.site, Edge::Exit)),
            (None, Some(call)) => Some((call.site, Edge::Begin)),
            (None, None) => None,
        });
        free_from_ns = burst.end_ns;
    }
    places
}

impl Places {
    /// `after MPI_Waitall · 843 (lulesh-comm.cc)`, or `before …`; `None` of a name that there is not.
    pub fn name(&self, (name, edge): Place) -> Option<String> {
        let word = if edge == Edge::Exit { "after" } else { "before" };
        self.names.get(name as usize).map(|name| format!("{word} {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call((site, begin_ns, exit_ns): (u32, u64, u64)) -> Call {
        Call { site, begin_ns, exit_ns }
    }

    fn burst((begin_ns, end_ns): (u64, u64)) -> Burst {
        Burst { thread: 0, begin_ns, end_ns, first: 0, beyond: 0 }
    }

    #[test]
    fn a_burst_follows_the_last_call_before_it_else_precedes_the_next_if_no_burst_lies_between() {
        let after = |site| Some((site, Edge::Exit));
        let before = |site| Some((site, Edge::Begin));
        type Case<'a> = (&'a [(u32, u64, u64)], &'a [(u64, u64)], &'a [Option<(u32, Edge)>]);
        let cases: [Case<'_>; 7] = [
            (&[(7, 10, 20)], &[(0, 10), (20, 30)], &[before(7), after(7)]),
            (&[], &[(0, 10)], &[None]),
            // Between the second and the third burst nothing is called.
            (&[(7, 10, 20)], &[(0, 10), (20, 30), (40, 50)], &[before(7), after(7), None]),
            // The state ends a little before the call begins, and begins after it.
            (&[(7, 12, 20)], &[(0, 10), (25, 30)], &[before(7), after(7)]),
            // A call inside another, which returns last.
            (&[(7, 10, 40), (8, 20, 30)], &[(0, 10), (40, 50)], &[before(7), after(7)]),
            // A call in the moment in which the first burst ends.
            (&[(7, 10, 10)], &[(0, 10), (10, 20)], &[before(7), after(7)]),
            // A call that returns before it begins is in no burst's way.
            (&[(7, 10, 5), (8, 12, 20)], &[(0, 10), (20, 30)], &[before(7), after(8)]),
        ];
        for (calls, bursts, expected) in cases {
            let calls = calls.iter().copied().map(call).collect::<Vec<_>>();
            let bursts = bursts.iter().copied().map(burst).collect::<Vec<_>>();
            assert_eq!(beside(&calls, &bursts), expected, "{calls:?}");
        }
    }
}
