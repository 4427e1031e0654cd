//! Where the passes of a loop begin and end.

use std::ops::RangeInclusive;

use super::calls::CallsBySite;
use super::cycles::Cycle;
use super::stretch::{Stretch, between, duration_ns, median};
use crate::order;

/// Which end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edge {
    Begin,
    Exit,
}

/// Where one pass ends and the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundary {
    pub site: u32,
    pub edge: Edge,
}

/// The passes of a loop on one rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Passes {
    /// Index of the rank.
    pub rank: u32,
    /// How often the rank calls the sites of the loop; some once less, where the trace begins or
    /// ends in a pass.
    pub count: u32,
    /// The sites of the loop in the order in which they are first called.
    pub sites: Vec<u32>,
    pub boundary: Boundary,
    /// Begin and end of the complete passes, in nanoseconds; none is empty, and none begins before
    /// the one before it ends.
    pub instances_ns: Vec<(u64, u64)>,
    /// Whether the last of them ends at no boundary, but as long after its last call as the others.
    pub last_is_estimated: bool,
    /// Of the chance that so much order is an accident, a bound; 0 of one site.
    pub ln_p: f64,
}

/// A pass of which only one end is a call counts as complete if it is this much of the median.
const COMPLETE: RangeInclusive<f64> = 0.8..=1.25;

/// The passes that begin where most of them are complete: at the begin of a call rather than at its
/// exit, then at the earliest site. `None` if no pass takes time. O(calls of the sites).
pub(super) fn rotation(
    calls: &CallsBySite<'_>,
    rank: u32,
    span_ns: Stretch,
    cycle: &Cycle,
) -> Option<Passes> {
    let run = Loop::of(calls, span_ns, cycle)?;
    let mut best: Option<(u32, Edge, Vec<Stretch>)> = None;
    for edge in [Edge::Begin, Edge::Exit] {
        for &member in &cycle.members {
            let instances = run.instances(member, edge);
            if best.as_ref().is_none_or(|(.., most)| instances.len() > most.len()) {
                best = Some((member, edge, instances));
            }
        }
    }
    let (member, edge, instances_ns) = best.filter(|(.., most)| !most.is_empty())?;
    let boundaries = calls.times_ns(member, edge);
    let ends_at = |time_ns: u64| boundaries.last() == Some(&time_ns);
    Some(Passes {
        rank,
        count: cycle.count,
        sites: cycle.members.iter().map(|&number| calls.site(number)).collect(),
        boundary: Boundary { site: calls.site(member), edge },
        last_is_estimated: instances_ns.last().is_some_and(|last| !ends_at(last.1)),
        instances_ns,
        ln_p: cycle.ln_p,
    })
}

/// The same passes, begun at another boundary of the loop; `None` if none is complete then.
pub(super) fn begun_at(
    calls: &CallsBySite<'_>,
    span_ns: Stretch,
    passes: &Passes,
    boundary: Boundary,
) -> Option<Passes> {
    let mut sites = passes.sites.clone();
    order::by_number(&mut sites, |site| u64::from(*site));
    let is_member = |number: &u32| sites.binary_search(&calls.site(*number)).is_ok();
    let members = (0..calls.sites()).filter(is_member).collect::<Vec<_>>();
    let member = members.iter().copied().find(|member| calls.site(*member) == boundary.site)?;
    let cycle = Cycle { members, count: passes.count, ln_p: passes.ln_p };
    let instances_ns = Loop::of(calls, span_ns, &cycle)?.instances(member, boundary.edge);
    let boundaries = calls.times_ns(member, boundary.edge);
    let last = instances_ns.last()?;
    let last_is_estimated = boundaries.last() != Some(&last.1);
    Some(Passes { boundary, last_is_estimated, instances_ns, ..passes.clone() })
}

struct Loop<'run> {
    calls: &'run CallsBySite<'run>,
    span_ns: Stretch,
    /// The member whose last call is the latest: with it the last pass ends.
    closing: u32,
    /// The earliest of the members' last calls: a boundary there has all of them behind it.
    opens_last: u32,
    /// The latest of the members' first calls: a boundary there has all of them before it.
    closes_first: u32,
}

impl<'run> Loop<'run> {
    fn of(calls: &'run CallsBySite<'run>, span_ns: Stretch, cycle: &Cycle) -> Option<Self> {
        let members = cycle.members.iter().copied();
        let last = |member: u32| calls.of_site(member).last().copied();
        Some(Self {
            calls,
            span_ns,
            closing: members.clone().max_by_key(|&member| last(member))?,
            opens_last: members.clone().filter_map(last).min()?,
            closes_first: members.filter_map(|m| calls.of_site(m).first().copied()).max()?,
        })
    }

    /// Complete passes, if they begin at one edge of the calls of a site.
    fn instances(&self, member: u32, edge: Edge) -> Vec<Stretch> {
        let indices = self.calls.of_site(member);
        let boundaries = self.calls.times_ns(member, edge);
        let mut instances = between(&boundaries);
        match edge {
            Edge::Begin if indices.last() == Some(&self.opens_last) => {
                let tail =
                    self.tail(indices, &boundaries).filter(|tail| is_complete(&instances, *tail));
                instances.extend(tail);
            }
            Edge::Exit if indices.first() == Some(&self.closes_first) => {
                let first = boundaries.first().copied().unwrap_or_default();
                let head = Some((self.span_ns.0, first));
                let head = head.filter(|head| is_complete(&instances, *head));
                instances.splice(..0, head);
            }
            _ => {}
        }
        instances
    }

    /// From the last boundary to the exit of the last call of the pass and as much further as the
    /// other passes usually go on, but neither into a call of a site that the loop never calls nor
    /// beyond the thread's end.
    fn tail(&self, indices: &[u32], boundaries: &[u64]) -> Option<Stretch> {
        let closing = self.calls.of_site(self.closing);
        let exit = |index: u32| self.calls.time_ns(index, Edge::Exit);
        let others = boundaries.iter().rev().zip(closing.iter().rev().skip(1));
        let rests = others.map(|(&end, &index)| end.saturating_sub(exit(index))).collect();
        let (&begin, &last) = (boundaries.last()?, closing.last()?);
        let inside = *indices.first()?..=last;
        let closed = exit(last);
        let end = closed.saturating_add(median(rests).unwrap_or(0)).min(self.span_ns.1);
        let end = self.leaves(inside, end).map_or(end, |left| left.min(end));
        Some((begin, end.max(closed)))
    }

    /// When a site is called that the loop never calls: after a call, which `inside` ends with, and
    /// before a time.
    fn leaves(&self, inside: RangeInclusive<u32>, before_ns: u64) -> Option<u64> {
        let next = inside.end().saturating_add(1)..;
        let next = next.map_while(|index| Some((index, self.calls.call(index)?.begin_ns)));
        let mut next = next.take_while(|(_, begin_ns)| *begin_ns < before_ns);
        let is_foreign = |(index, _): &(u32, u64)| !self.has_called(*index, &inside);
        next.find(is_foreign).map(|(_, begin_ns)| begin_ns)
    }

    /// Whether the site of a call is also called inside.
    fn has_called(&self, index: u32, inside: &RangeInclusive<u32>) -> bool {
        let Some(number) = self.calls.number(index) else { return false };
        let indices = self.calls.of_site(number);
        let at = indices.partition_point(|index| index < inside.start());
        indices.get(at).is_some_and(|index| index <= inside.end())
    }
}

/// Whether a stretch is as long as the others usually are.
fn is_complete(others: &[Stretch], stretch: Stretch) -> bool {
    let usual = median(others.iter().copied().map(duration_ns).collect());
    usual.is_some_and(|usual| COMPLETE.contains(&(duration_ns(stretch) as f64 / usual as f64)))
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{CALL_NS, Thread, repeats};
    use super::*;

    /// Passes of the only loop of the only thread.
    fn passes(thread: Thread) -> Passes {
        let levels = repeats(&[thread]).unwrap();
        assert_eq!((levels.len(), levels[0].ranks.len()), (1, 1));
        levels[0].ranks[0].clone()
    }

    /// Begins and ends of passes that follow one another.
    fn in_a_row(first_ns: u64, duration_ns: u64, count: u64) -> Vec<(u64, u64)> {
        let begin = |pass| first_ns + pass * duration_ns;
        (0..count).map(|pass| (begin(pass), begin(pass + 1))).collect()
    }

    /// Five sites, each after 90 ns of work and in 10 ns.
    const PASS_NS: u64 = 5 * (90 + CALL_NS);

    fn looping(passes: usize) -> Thread {
        let mut thread = Thread::new();
        thread.work(10_000);
        (0..passes).for_each(|_| thread.pass(0..5, 90));
        thread
    }

    #[test]
    fn a_pass_begins_with_the_first_call_of_the_loop() {
        let mut thread = looping(10);
        thread.work(10_000);
        let passes = passes(thread);
        assert_eq!(passes.boundary, Boundary { site: 0, edge: Edge::Begin });
        assert_eq!(passes.sites, [0, 1, 2, 3, 4]);
        // The last one ends as long after its last call as the others do.
        assert_eq!(passes.instances_ns, in_a_row(10_090, PASS_NS, 10));
    }

    #[test]
    fn the_last_pass_ends_where_the_loop_is_left() {
        let mut thread = looping(10);
        thread.work(40);
        thread.call(77);
        thread.work(10_000);
        let mut expected = in_a_row(10_090, PASS_NS, 10);
        expected[9].1 -= 50;
        assert_eq!(passes(thread).instances_ns, expected);
    }

    #[test]
    fn a_call_that_the_loop_makes_too_does_not_end_its_last_pass() {
        let mut thread = Thread::new();
        thread.work(10_000);
        for pass in 0..10 {
            thread.pass(0..5, 90);
            if pass == 3 {
                thread.call(77);
            }
        }
        thread.work(40);
        thread.call(77);
        thread.work(10_000);
        let passes = passes(thread).instances_ns;
        assert_eq!(passes[9], (passes[8].1, passes[8].1 + PASS_NS));
    }

    #[test]
    fn the_last_pass_ends_with_the_thread_at_the_latest() {
        let mut expected = in_a_row(10_090, PASS_NS, 10);
        expected[9].1 -= 90;
        assert_eq!(passes(looping(10)).instances_ns, expected);
    }

    #[test]
    fn a_last_pass_of_three_quarters_is_not_complete() {
        // After its last call the loop works for as long as a quarter of the pass.
        let mut thread = Thread::new();
        thread.work(10_000);
        for _ in 0..10 {
            thread.pass(0..5, 90);
            thread.work(170);
        }
        let whole = passes(thread.clone()).instances_ns;
        thread.call(99);
        assert_eq!(whole.len(), 10);
        thread.now_ns -= 170 + CALL_NS;
        thread.calls.pop();
        let cut = passes(thread).instances_ns;
        assert_eq!(cut, whole[..9]);
    }

    #[test]
    fn a_trace_cut_before_the_first_call_of_a_pass_is_whole_by_exits() {
        // Each pass works for long, then calls: the cut is where the work begins.
        let mut thread = Thread::new();
        for _ in 0..9 {
            thread.work(1000);
            thread.pass(0..4, 0);
        }
        let passes = passes(thread.cut(1040, 7 * 1040));
        assert_eq!(passes.boundary, Boundary { site: 3, edge: Edge::Exit });
        assert_eq!(passes.instances_ns, in_a_row(1040, 1040, 6));
    }

    #[test]
    fn a_trace_cut_in_two_calls_of_the_loop_keeps_the_passes_between() {
        let thread = looping(12);
        let passes = passes(thread.cut(10_000 + 2 * PASS_NS + 250, 10_000 + 10 * PASS_NS + 350));
        let first = 10_000 + 2 * PASS_NS + 290;
        assert_eq!(passes.boundary, Boundary { site: 2, edge: Edge::Begin });
        assert_eq!(passes.instances_ns, in_a_row(first, PASS_NS, 8));
    }

    #[test]
    fn passes_never_overlap_though_calls_do() {
        let mut thread = looping(10);
        for call in thread.calls.iter_mut().skip(3).step_by(7) {
            call.exit_ns += 3 * PASS_NS;
        }
        let passes = passes(thread).instances_ns;
        assert!(passes.iter().all(|(begin, end)| begin < end));
        assert!(passes.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    }
}
