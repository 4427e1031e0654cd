//! Loops inside the passes of another.

use super::calls::CallsBySite;
use super::cycles::are_alike;
use super::rotation::{Boundary, Edge, Passes};
use super::stretch::{Stretch, regular_ns};
use crate::order;

/// Which of `outer`, which come one after the other, a time is in.
fn holder(outer: &[Stretch], time_ns: u64) -> Option<usize> {
    let at = outer.partition_point(|(begin, _)| *begin <= time_ns).checked_sub(1)?;
    outer.get(at).filter(|(_, end)| time_ns < *end).map(|_| at)
}

/// Whether at least half of a loop's passes begin inside those of another.
pub(super) fn lies_inside(passes: &Passes, outer: &Passes) -> bool {
    let is_inside = |(begin, _): &&Stretch| holder(&outer.instances_ns, *begin).is_some();
    let inside = passes.instances_ns.iter().filter(is_inside).count();
    2 * inside >= passes.instances_ns.len()
}

/// The passes from boundary to boundary that one of `outer` holds.
pub(super) fn held(mut passes: Passes, outer: &Passes) -> Passes {
    if std::mem::take(&mut passes.last_is_estimated) {
        passes.instances_ns.pop();
    }
    let is_held = |&(begin, end): &Stretch| {
        let holder = holder(&outer.instances_ns, begin).and_then(|at| outer.instances_ns.get(at));
        holder.is_some_and(|(_, last)| end <= *last)
    };
    passes.instances_ns.retain(is_held);
    passes
}

/// Sites called at least twice in at least half of the outer passes, if what is between two of
/// their calls in one pass is nearly always the same. Of sites called equally often the one whose
/// passes take most time; `counts`, rising, are of loops that are there already. O(calls), and
/// sorting.
pub(super) fn inner_sites(calls: &CallsBySite<'_>, outer: &Passes, counts: &[u32]) -> Vec<Passes> {
    let mut best: Vec<(u32, (u64, Passes))> = Vec::new();
    for number in 0..calls.sites() {
        let count = calls.of_site(number).len() as u32;
        if (count as usize) < outer.instances_ns.len() || counts.binary_search(&count).is_ok() {
            continue;
        }
        let Some(passes) = inner_site(calls, outer, number) else { continue };
        let (regular, _) = regular_ns(&passes.instances_ns);
        best.push((count, (regular, passes)));
    }
    // The first of those that take most time stands first of its count.
    order::by(&mut best, |(a, (most, _)), (b, (more, _))| (a, more).cmp(&(b, most)));
    best.dedup_by_key(|(count, _)| *count);
    best.into_iter().map(|(_, (_, passes))| passes).collect()
}

fn inner_site(calls: &CallsBySite<'_>, outer: &Passes, number: u32) -> Option<Passes> {
    let indices = calls.of_site(number);
    let begin = |index: u32| calls.time_ns(index, Edge::Begin);
    let held = indices.iter().map(|&index| (index, holder(&outer.instances_ns, begin(index))));
    let held = held.collect::<Vec<_>>();
    let recurs = held.chunk_by(|(_, a), (_, b)| a == b);
    let recurs = recurs.filter(|calls| calls.len() > 1 && calls[0].1.is_some()).count();
    if 2 * recurs < outer.instances_ns.len() {
        return None;
    }
    let neighbours = held.iter().zip(held.iter().skip(1));
    let within = neighbours.filter(|((_, a), (_, b))| a == b && a.is_some());
    let within = within.map(|((a, _), (b, _))| (*a, *b)).collect::<Vec<_>>();
    if !are_alike(calls, within.iter().copied()) {
        return None;
    }
    let instances = within.iter().map(|&(a, b)| (begin(a), begin(b)));
    let site = calls.site(number);
    Some(Passes {
        rank: outer.rank,
        count: indices.len() as u32,
        sites: vec![site],
        boundary: Boundary { site, edge: Edge::Begin },
        instances_ns: instances.filter(|(begin, end)| begin < end).collect(),
        last_is_estimated: false,
        ln_p: 0.0,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Level;
    use super::super::made_up::{CALL_NS, Thread, repeats};
    use super::*;

    /// An outer loop of six sites that holds an inner one, passed `inner` times.
    fn nested(outer: usize, inner: usize, inner_sites: &[u32]) -> Thread {
        let mut thread = Thread::new();
        thread.work(10_000);
        for _ in 0..outer {
            thread.pass(0..3, 1000);
            (0..inner).for_each(|_| thread.pass(inner_sites.iter().copied(), 100));
            thread.pass(3..6, 1000);
        }
        thread.work(10_000);
        thread
    }

    fn inner(levels: &[Level]) -> Vec<(u32, &[Stretch])> {
        let inner = levels.iter().filter(|level| level.inner);
        inner.map(|level| (level.count, &level.ranks[0].instances_ns[..])).collect()
    }

    #[test]
    fn an_inner_loop_of_one_site_is_passed_once_less_in_each_outer_pass() {
        for often in [2, 3, 5, 9] {
            let levels = repeats(&[nested(20, often, &[9])]).unwrap();
            assert_eq!((levels[0].count, levels[0].inner), (20, false));
            let inner = inner(&levels);
            assert_eq!(inner.len(), 1);
            let (count, passes) = inner[0];
            assert_eq!((count as usize, passes.len()), (20 * often, 20 * (often - 1)));
            assert!(passes.iter().all(|(begin, end)| end - begin == 100 + CALL_NS));
        }
    }

    #[test]
    fn an_inner_loop_of_several_sites_has_no_pass_from_one_outer_pass_to_the_next() {
        let levels = repeats(&[nested(20, 4, &[7, 8, 9])]).unwrap();
        let inner = inner(&levels);
        assert_eq!((inner.len(), inner[0].0), (1, 80));
        assert_eq!(inner[0].1.len(), 20 * 3);
        assert!(inner[0].1.iter().all(|(begin, end)| end - begin == 3 * (100 + CALL_NS)));
        let share = 60.0 * 3.0 * 110.0 / (20.0 * (6.0 * 1010.0 + 12.0 * 110.0) + 20_000.0);
        assert!((levels[1].share - share).abs() < 1e-12, "{}", levels[1].share);
    }

    #[test]
    fn of_sites_called_equally_often_inside_the_one_whose_passes_take_most_time_is_offered() {
        // Which of the two comes first changes, so that they are in no order; the last call of
        // the second waits in every second pass.
        let mut thread = Thread::new();
        for pass in 0..6 {
            thread.pass(0..6, 1000);
            let sites = if pass % 2 == 0 { [7, 8] } else { [8, 7] };
            (0..3).for_each(|_| thread.pass(sites, 100));
            if pass % 2 == 0 {
                thread.calls.pop();
                thread.pass([8], 40);
            }
            thread.pass([6], 1000);
        }
        let levels = repeats(&[thread]).unwrap();
        assert_eq!((levels[0].count, levels[0].sites), (6, 7));
        let inner = levels.iter().filter(|level| level.inner).collect::<Vec<_>>();
        assert_eq!((inner.len(), inner[0].count), (1, 18));
        assert_eq!(inner[0].ranks[0].sites, [8]);
    }

    #[test]
    fn a_site_that_recurs_in_half_of_the_outer_passes_is_an_inner_loop() {
        for (recurs, levels) in [(3, 2), (2, 1)] {
            let mut thread = Thread::new();
            for pass in 0..6 {
                thread.pass(0..6, 1000);
                (0..if pass < recurs { 6 } else { 1 }).for_each(|_| thread.pass([7], 100));
                thread.pass([8], 1000);
            }
            assert_eq!(repeats(&[thread]).unwrap().len(), levels, "{recurs}");
        }
    }

    #[test]
    fn a_loop_passed_as_often_as_the_outer_one_is_not_inside_it() {
        let mut thread = Thread::new();
        for pass in 0..12 {
            thread.pass(if pass % 2 == 0 { 0..5 } else { 5..10 }, 100);
            thread.pass(if pass % 2 == 0 { 5..10 } else { 0..5 }, 100);
        }
        let levels = repeats(&[thread]).unwrap();
        let levels = levels.iter().map(|level| (level.count, level.inner)).collect::<Vec<_>>();
        assert_eq!(levels, [(12, false), (12, false)]);
    }

    #[test]
    fn a_loop_beside_the_outer_one_is_not_inside_it() {
        let mut thread = Thread::new();
        (0..20).for_each(|_| thread.pass(0..10, 1000));
        (0..50).for_each(|_| thread.pass(10..13, 500));
        let levels = repeats(&[thread]).unwrap();
        let levels = levels.iter().map(|level| (level.count, level.inner)).collect::<Vec<_>>();
        assert_eq!(levels, [(20, false), (50, false)]);
    }

    #[test]
    fn a_time_is_in_the_pass_that_begins_with_it() {
        let outer = [(10, 20), (20, 30), (40, 50)];
        let holders = [9, 10, 19, 20, 30, 39, 49, 50].map(|time| holder(&outer, time));
        let expected = [None, Some(0), Some(0), Some(1), None, None, Some(2), None];
        assert_eq!(holders, expected);
    }
}
