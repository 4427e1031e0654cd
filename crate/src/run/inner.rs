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

/// The passes that one of `outer` holds from begin to end.
pub(super) fn held(mut passes: Passes, outer: &Passes) -> Passes {
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
        ln_p: 0.0,
    })
}
