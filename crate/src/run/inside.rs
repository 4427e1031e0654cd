//! The calls that every one of some instances makes, in one order.

use super::Call;
use super::sites::{ALPHABETS, Sites, sites};
use crate::instance::Instance;
use crate::order;
use crate::trace::Trace;

/// A moment that every instance has: a call is entered or left.
#[derive(Clone, Debug, PartialEq)]
pub struct Common {
    /// `MPI_Wait · 12 (halo.c)`, with `after` where it is left.
    pub name: String,
    /// By instance, nanoseconds since its begin.
    pub since_begin_ns: Vec<u64>,
}

/// Moments of calls that every one of `instances` has, in the order that they have in all of them.
///
/// Of the first alphabet of calls of which there are any. O(calls).
#[inline(never)]
pub fn common(trace: &Trace, instances: &[&Instance]) -> Vec<Common> {
    let mut of_alphabets = ALPHABETS.into_iter().map(|alphabet| sites(trace, alphabet));
    let of_alphabet = |sites: Sites| Some(of(&sites, instances)).filter(|all| !all.is_empty());
    of_alphabets.find_map(of_alphabet).unwrap_or_default()
}

/// Label, how often it was called before in the instance, and whether it is left.
type Key = (u32, u32, bool);

fn of(sites: &Sites, instances: &[&Instance]) -> Vec<Common> {
    let mut all: Option<Vec<(Key, Vec<u64>)>> = None;
    for instance in instances {
        let mut own = moments(sites, instance);
        order::by(&mut own, |(a, _), (b, _)| a.cmp(b));
        all = Some(match all {
            None => own.into_iter().map(|(key, ns)| (key, vec![ns])).collect(),
            Some(all) => in_both(all, own),
        });
    }
    let mut all = all.unwrap_or_default();
    order::by(&mut all, |(_, a), (_, b)| sum(a).cmp(&sum(b)));
    let mut last_ns = vec![0; instances.len()];
    all.retain(|(_, ns)| {
        let is_in_order = ns.iter().zip(&last_ns).all(|(own, last)| own >= last);
        if is_in_order {
            last_ns.clone_from(ns);
        }
        is_in_order
    });
    let name = |&(label, _, left): &Key| {
        let name = sites.names.get(label as usize).map_or("", String::as_str);
        if left { format!("after {name}") } else { name.to_owned() }
    };
    all.into_iter().map(|(key, ns)| Common { name: name(&key), since_begin_ns: ns }).collect()
}

fn sum(ns: &[u64]) -> u128 {
    ns.iter().map(|ns| u128::from(*ns)).sum()
}

/// Those that an instance has, too.
fn in_both(all: Vec<(Key, Vec<u64>)>, own: Vec<(Key, u64)>) -> Vec<(Key, Vec<u64>)> {
    let mut own = own.into_iter().peekable();
    let with = |(key, mut of_others): (Key, Vec<u64>)| {
        while own.next_if(|(other, _)| *other < key).is_some() {}
        let (_, ns) = own.next_if(|(other, _)| *other == key)?;
        of_others.push(ns);
        Some((key, of_others))
    };
    all.into_iter().filter_map(with).collect()
}

/// The moments of calls that begin inside an instance, in nanoseconds since its begin.
fn moments(sites: &Sites, instance: &Instance) -> Vec<(Key, u64)> {
    let of_thread = sites.calls.iter().find(|(thread, _)| *thread == instance.thread);
    let Some((_, calls)) = of_thread else { return Vec::new() };
    let end_ns = instance.start_ns + instance.duration_ns;
    let begin = calls.partition_point(|call| call.begin_ns < instance.start_ns);
    let inside = calls[begin..].iter().take_while(|call| call.begin_ns < end_ns);
    let mut moments = Vec::new();
    let mut counts = order::Numbers::default();
    let mut so_far: Vec<u32> = Vec::new();
    for Call { site, begin_ns, exit_ns } in inside.copied() {
        let Some(&label) = sites.labels.get(site as usize) else { continue };
        let at = counts.of([u64::from(label), 0, 0]);
        so_far.resize(counts.len(), 0);
        let before = so_far[at];
        so_far[at] += 1;
        moments.push(((label, before, false), begin_ns - instance.start_ns));
        if exit_ns <= end_ns {
            let exit_ns = exit_ns.max(begin_ns);
            moments.push(((label, before, true), exit_ns - instance.start_ns));
        }
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Counting;

    /// One thread that calls sites at these times, each for 10 ns.
    fn sites(calls: &[(u32, u64)]) -> Sites {
        let call = |&(site, begin_ns)| Call { site, begin_ns, exit_ns: begin_ns + 10 };
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let calls = vec![(0, calls.iter().map(call).collect())];
        // The first two sites are one place.
        Sites { labels: vec![0, 0, 1, 2], names, are_routines: vec![false; 3], calls }
    }

    fn instance(start_ns: u64, duration_ns: u64) -> Instance {
        let counting = Counting::Every;
        Instance { thread: 0, first: 0, last: 0, number: 0, start_ns, duration_ns, counting }
    }

    fn common_of(calls: &[(u32, u64)], instances: &[(u64, u64)]) -> Vec<(String, Vec<u64>)> {
        let instances = instances.iter().map(|(start, ns)| instance(*start, *ns));
        let instances = instances.collect::<Vec<_>>();
        let common = of(&sites(calls), &instances.iter().collect::<Vec<_>>());
        common.into_iter().map(|of| (of.name, of.since_begin_ns)).collect()
    }

    #[test]
    fn what_every_instance_calls_is_common_by_place_and_by_how_often_it_was_called_before() {
        let calls = [(0, 100), (2, 130), (1, 160), (1, 200), (2, 240), (0, 270), (3, 285)];
        let common = common_of(&calls, &[(100, 100), (200, 100)]);
        let expected = [
            ("a", [0, 0]),
            ("after a", [10, 10]),
            ("b", [30, 40]),
            ("after b", [40, 50]),
            ("a", [60, 70]),
            ("after a", [70, 80]),
        ];
        assert_eq!(common, expected.map(|(name, ns)| (name.to_owned(), ns.to_vec())));
    }

    #[test]
    fn calls_that_come_in_another_order_in_one_instance_are_left_out() {
        let calls = [(0, 100), (2, 150), (3, 180), (0, 200), (3, 220), (2, 260)];
        let common = common_of(&calls, &[(100, 100), (200, 100)]);
        let names = common.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        // On average c is called at 50 and b at 55.
        assert_eq!(names, ["a", "after a", "c", "after c"]);
    }

    #[test]
    fn a_call_that_goes_on_at_the_end_is_not_left_and_without_instances_nothing_is_common() {
        let calls = [(0, 100), (2, 195), (0, 200), (2, 290)];
        let common = common_of(&calls, &[(100, 100), (200, 100)]);
        assert_eq!(common.last().map(|(name, _)| name.as_str()), Some("b"));
        assert_eq!(common_of(&calls, &[]), []);
    }
}
