//! Levels and counters of a socket, folded into the instances that run meanwhile.
//!
//! A *level* has a value at any time, of which a reading tells ([`Holds`]): a temperature, a bandwidth that
//! somebody else worked out, the length of a queue. What comes over time and is no counter of the program, such
//! as the energy of a node, is the level of what came by the second. A counter of a socket (*uncore*) counts for all that run
//! on it, like memory controllers, which have a lane of their own ([`super::bandwidth()`]).
//!
//! An instance takes the level that its own thread reads. Where no thread of an instance reads it, it
//! takes what is read for its task alone; where that is not so of all of them, the mean of those that read on
//! its node: what the socket, the node or another process tells.

use std::collections::BTreeMap;

use super::readings::{Held, Says, false_sums, readings};
use super::{
    Grown, OfNodes, Sums, Turns, bandwidth, cell_means, cells_of, growth, period_ns, read,
};
use crate::folding::Gauge;
use crate::instance::{Holds, Instance, levels};
use crate::order;
use crate::trace::{Beside, Kind, Trace};

/// Counters of a socket, in the names of PAPI (`skx_unc_imc0::…`), Intel (`UNC_…`) and the Linux kernel
/// (`uncore_imc_0/…`).
pub(super) const OF_SOCKET: [&str; 2] = ["UNC_", "UNCORE"];

/// Events per nanosecond to events per microsecond.
const NS_PER_US: f64 = 1e3;

/// Every level and every counter of a socket that is read while `instances`, by thread and begin, run, by
/// its place in the trace; without those that never change.
///
/// O(events of levels) beside the readings × log and the instances × cells of each.
#[inline(never)]
pub fn gauges(trace: &Trace, instances: &[&Instance], holds: Holds) -> Vec<Gauge> {
    let false_sums = false_sums(trace);
    let is_level = levels(trace);
    let gauge = |(event_type, is_level): (u32, bool)| {
        let says = Says::of(trace.kind(event_type), holds).filter(|_| is_level);
        let is_false_sum = false_sums[event_type as usize];
        match says {
            Some(_) if is_false_sum => level(trace, event_type, instances, Says::Level(holds)),
            Some(says) => level(trace, event_type, instances, says),
            None => of_socket(trace, event_type, instances),
        }
    };
    (0u32..).zip(is_level).filter_map(gauge).collect()
}

/// Whose levels an instance takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// Those of its thread.
    Thread,
    /// Those that are read for its task alone.
    Task,
    /// Those of all that read on its node.
    Node,
}

impl Whose {
    /// The number of the thread, task or node of an instance.
    fn of(self, trace: &Trace, instance: &Instance) -> u32 {
        let object = trace.threads[instance.thread as usize].object;
        match self {
            Self::Thread => instance.thread,
            // Readers read for tasks of application 1.
            Self::Task if object.application == 1 => object.task,
            Self::Task => u32::MAX,
            Self::Node => trace.node(object),
        }
    }
}

fn level(trace: &Trace, event_type: u32, instances: &[&Instance], says: Says) -> Option<Gauge> {
    let threads = order::distinct(instances.iter().map(|of| u64::from(of.thread)));
    let mut by_thread = OfAll::default();
    let mut by_task = OfAll::default();
    let mut by_node = OfAll::default();
    let readers = (0u32..).zip(trace.threads.iter().chain(&trace.readers));
    for (at, thread) in readers {
        let readings = readings(trace, thread, event_type);
        if readings.is_empty() {
            continue;
        }
        let held = says.held(&readings, thread.end_ns());
        if threads.binary_search(&u64::from(at)).is_ok() {
            by_thread.add(at, &readings, held, says);
            continue;
        }
        if let Some(Beside::Task(task)) = thread.object.beside() {
            by_task.add(task, &readings, held.clone(), says);
        }
        by_node.add(trace.node(thread.object), &readings, held, says);
    }
    let has_task = |of: &&Instance| by_task.held.contains_key(&Whose::Task.of(trace, of));
    let (whose, all) = match () {
        () if !by_thread.held.is_empty() => (Whose::Thread, by_thread),
        () if instances.iter().all(has_task) => (Whose::Task, by_task),
        () => (Whose::Node, by_node),
    };
    if !all.changes {
        return None;
    }
    let period_ns = period_ns(all.gaps_ns)?;
    let levels = all.held.into_iter().map(|(whose, held)| (whose, Level::of(&held)));
    let levels = levels.collect::<BTreeMap<_, _>>();
    let cells = cells_of(instances, period_ns);
    let turns = Turns::of(instances);
    let mut sums = vec![Sums::new(cells); turns.groups];
    for (at, instance) in instances.iter().enumerate() {
        let level = levels.get(&whose.of(trace, instance));
        if let Some(amounts) = level.and_then(|level| level.in_cells(instance, cells)) {
            sums[turns.of_instance(at)].add(instance, amounts.into_iter());
        }
    }
    if sums.iter().all(|of_group| of_group.ns <= 0.0) {
        return None;
    }
    // Instances of all nodes together: a level of a node with many weighs as much as they do.
    let values = cell_means(&OfNodes::from([(0, sums)]), cells, turns.groups);
    let of_type = &trace.types[event_type as usize];
    let name = of_type.name.clone();
    Some(Gauge {
        name: if says.is_rate() { by_the_second(&name) } else { name },
        code: of_type.code,
        is_rate: false,
        readers: all.count,
        is_own: whose == Whose::Thread,
        period_ns,
        values,
    })
}

/// The name of what comes by the second: joules are watts then, `energy (J)` to `energy (W)`.
fn by_the_second(name: &str) -> String {
    match name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")) {
        Some((name, "J")) => format!("{name} (W)"),
        Some((name, unit)) => format!("{name} ({unit}/s)"),
        None => format!("{name} (/s)"),
    }
}

/// What is read of all threads, tasks or nodes: by their numbers, when which level holds; and how it is read.
#[derive(Default)]
struct OfAll {
    held: BTreeMap<u32, Held>,
    count: u32,
    gaps_ns: Vec<u64>,
    changes: bool,
}

impl OfAll {
    fn add(&mut self, whose: u32, readings: &[(u64, f64)], held: Held, says: Says) {
        self.count += 1;
        self.gaps_ns.extend(readings.windows(2).map(|of| of[1].0 - of[0].0));
        self.changes |= match says.is_rate() {
            // What comes evenly comes all the same.
            true => held.iter().any(|(_, _, rate)| *rate != 0.0),
            false => readings.windows(2).any(|of| of[0].1 != of[1].1),
        };
        self.held.entry(whose).or_default().extend(held);
    }
}

/// The levels that some threads read, and how many of them there are, both summed over time.
struct Level {
    levels: Grown,
    readers: Grown,
}

impl Level {
    fn of(held: &Held) -> Self {
        let readers = held.iter().map(|(from, to, _)| (*from, *to, 1.0));
        Self { levels: Grown::of(held.iter().copied()), readers: Grown::of(readers) }
    }

    /// Level × nanoseconds in each cell of an instance; `None` if in one of them it is not known: a part of
    /// an instance would tell of that part alone.
    fn in_cells(&self, instance: &Instance, cells: usize) -> Option<Vec<f64>> {
        let cell_ns = instance.duration_ns as f64 / cells as f64;
        let levels = growth(&self.levels, instance, cells);
        let both = levels.zip(growth(&self.readers, instance, cells));
        let mean =
            |(level, readers): (f64, f64)| (readers > 0.0).then(|| level / readers * cell_ns);
        both.map(mean).collect()
    }
}

/// A counter of a socket, read by threads of applications that have none of the instances: the sum of all
/// that are read on a node, as the mean over nodes.
fn of_socket(trace: &Trace, event_type: u32, instances: &[&Instance]) -> Option<Gauge> {
    let of_type = &trace.types[event_type as usize];
    let name = of_type.name.to_ascii_uppercase();
    let begins = |at: usize| !name[..at].ends_with(|letter: char| letter.is_ascii_alphanumeric());
    let is_named = OF_SOCKET.iter().any(|word| name.match_indices(word).any(|(at, _)| begins(at)));
    let is_it = of_type.kind == Kind::Counter && is_named;
    if !is_it || bandwidth::is_traffic(&of_type.name) {
        return None;
    }
    let (mut readers, mut gaps_ns) = (0, vec![]);
    let mut of_nodes: BTreeMap<u32, Held> = BTreeMap::new();
    for thread in bandwidth::others(trace, instances) {
        let steps = read(trace, thread, &[event_type]);
        if steps.is_empty() {
            continue;
        }
        readers += 1;
        gaps_ns.extend(steps.iter().map(|(from, to, _)| to - from));
        let slope = |(from, to, count)| (from, to, count as f64 * NS_PER_US / (to - from) as f64);
        let node = of_nodes.entry(trace.node(thread.object)).or_default();
        node.extend(steps.into_iter().map(slope));
    }
    let period_ns = period_ns(gaps_ns)?;
    let counted = of_nodes.into_iter().map(|(node, held)| (node, Level::of(&held)));
    let counted = counted.collect::<BTreeMap<_, _>>();
    let (cells, turns) = (cells_of(instances, period_ns), Turns::of(instances));
    let mut sums = OfNodes::new();
    for (at, instance) in instances.iter().enumerate() {
        let node = trace.node(trace.threads[instance.thread as usize].object);
        let Some(counted) = counted.get(&node) else { continue };
        // What nobody reads is not nothing.
        if growth(&counted.readers, instance, cells).any(|readers| readers <= 0.0) {
            continue;
        }
        let of_node = sums.entry(node).or_insert_with(|| vec![Sums::new(cells); turns.groups]);
        of_node[turns.of_instance(at)].add(instance, growth(&counted.levels, instance, cells));
    }
    if sums.is_empty() {
        return None;
    }
    let values = cell_means(&sums, cells, turns.groups);
    Some(Gauge {
        name: of_type.name.clone(),
        code: of_type.code,
        is_rate: true,
        readers,
        is_own: false,
        period_ns,
        values,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Counting;
    use crate::trace::{Builder, Meaning, Nesting, Object, Origin};

    const LEVEL: u32 = 1;
    const CACHE: u32 = 2;
    const TRAFFIC: u32 = 3;

    /// What each thread reads of which type: time and value.
    type Readings<'a> = &'a [([u32; 3], u32, &'a [(u64, i64)])];

    fn trace(nodes: &[&[u32]], readings: Readings<'_>) -> Trace {
        let mut builder = Builder::new("made up", |code, _| {
            let (kind, name) = match code {
                LEVEL => (Kind::Region(Nesting::Flat, Origin::Unknown), "Power (W)"),
                CACHE => (Kind::Counter, "skx_unc_cha0::UNC_C_LOOKUP:ANY:cpu=0"),
                _ => (Kind::Counter, "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0"),
            };
            Meaning { kind, name: name.to_owned(), description: String::new() }
        });
        builder.nodes = nodes.iter().map(|tasks| tasks.to_vec()).collect();
        for (of, code, of_thread) in readings {
            let [application, task, thread] = *of;
            for (time_ns, value) in *of_thread {
                let object = Object { application, task, thread };
                builder.moment(object, *time_ns, &[[u64::from(*code), *value as u64]]);
            }
        }
        builder.finish()
    }

    fn instance(trace: &Trace, of: [u32; 3], begin_ns: u64, end_ns: u64) -> Instance {
        let [application, task, thread] = of;
        let object = Object { application, task, thread };
        let thread = trace.threads.iter().position(|thread| thread.object == object).unwrap();
        Instance::between(trace, thread as u32, [begin_ns, end_ns], Counting::Unknown).unwrap()
    }

    /// The cells of the only gauge.
    fn only(trace: &Trace, instances: &[&Instance], holds: Holds) -> Gauge {
        let mut all = gauges(trace, instances, holds);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    fn near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(is_near, "{found:?}, expected {expected:?}");
    }

    const WORK: ([u32; 3], u32, &[(u64, i64)]) = ([1, 1, 1], TRAFFIC, &[(0, 0), (1000, 5)]);
    const POWER: &[(u64, i64)] = &[(0, 10), (100, 30), (200, 50), (300, 20), (400, -40), (500, 7)];

    #[test]
    fn a_reading_holds_until_the_next_since_the_previous_or_as_the_mean_of_both() {
        let trace = trace(&[], &[WORK, ([2, 1, 1], LEVEL, POWER)]);
        let of = instance(&trace, [1, 1, 1], 100, 400);
        for (holds, expected) in [
            (Holds::Next, [30.0, 50.0, 20.0]),
            (Holds::Previous, [50.0, 20.0, -40.0]),
            (Holds::Mean, [40.0, 35.0, -10.0]),
        ] {
            let found = only(&trace, &[&of], holds);
            near(&found.values.cells, &expected);
            assert!((found.values.mean - expected.iter().sum::<f64>() / 3.0).abs() < 1e-12);
            assert_eq!((found.code, found.readers, found.period_ns), (LEVEL, 1, 100));
            assert!(!found.is_own && !found.is_rate);
        }
        // Half a reading: what holds longer counts more.
        let of = instance(&trace, [1, 1, 1], 150, 250);
        near(&only(&trace, &[&of], Holds::Next).values.cells, &[40.0]);
    }

    #[test]
    fn long_instances_weigh_more_and_those_in_which_it_is_not_known_throughout_do_not_count() {
        let readings = ([2, 1, 1], LEVEL, POWER);
        let trace = trace(&[], &[WORK, readings]);
        let [short, long] =
            [[0, 100], [100, 400]].map(|of| instance(&trace, [1, 1, 1], of[0], of[1]));
        let cells = |all: &[&Instance]| only(&trace, all, Holds::Next).values.cells;
        // Cells of 100 ns: 10 of 100 ns beside 30, 50 and 20; in two cells 40 and 80 / 3.
        near(
            &cells(&[&short, &long]),
            &[
                (10.0 * 50.0 + 30.0 * 100.0 + 50.0 * 50.0) / 200.0,
                (10.0 * 50.0 + 50.0 * 50.0 + 20.0 * 100.0) / 200.0,
            ],
        );
        // The thread that reads ends at 500, where nothing is known any more.
        let late = instance(&trace, [1, 1, 1], 450, 950);
        let quarters =
            [30.0, (25.0 * 30.0 + 50.0 * 50.0) / 75.0, (50.0 * 50.0 + 25.0 * 20.0) / 75.0];
        near(&cells(&[&long, &late]), &[quarters[0], quarters[1], quarters[2], 20.0]);
        assert_eq!(gauges(&trace, &[&late], Holds::Next), []);
    }

    #[test]
    fn a_thread_that_reads_a_level_itself_has_its_own_and_others_the_mean_of_their_node() {
        let [one, two] = [[(0, 10), (50, 20), (100, 10)], [(0, 40), (50, 30), (100, 40)]];
        let ranks = [([1, 1, 1], LEVEL, &one[..]), ([1, 2, 1], LEVEL, &two[..])];
        let own = trace(&[&[1, 2]], &ranks);
        let [first, second] = [1, 2].map(|task| instance(&own, [1, task, 1], 0, 100));
        let found = only(&own, &[&first], Holds::Next);
        near(&found.values.cells, &[10.0, 20.0]);
        let found = only(&own, &[&first, &second], Holds::Next);
        near(&found.values.cells, &[25.0, 25.0]);
        assert!(found.is_own && found.readers == 2);

        // Of other threads: two of one node, one of another.
        let work = |task| ([1, task, 1], TRAFFIC, &[(0, 0), (100, 5)][..]);
        let three = [(0, 70), (50, 90), (100, 70)];
        let readings: Readings<'_> = &[
            work(1),
            work(2),
            ([2, 1, 1], LEVEL, &one),
            ([2, 2, 1], LEVEL, &two),
            ([2, 3, 1], LEVEL, &three),
        ];
        let apart = trace(&[&[1, 2], &[1, 1, 2]], readings);
        let [first, second] = [1, 2].map(|task| instance(&apart, [1, task, 1], 0, 100));
        near(&only(&apart, &[&first], Holds::Next).values.cells, &[25.0, 25.0]);
        near(&only(&apart, &[&second], Holds::Next).values.cells, &[70.0, 90.0]);
        near(&only(&apart, &[&first, &second], Holds::Next).values.cells, &[47.5, 57.5]);
        // Whose instances run on a node where nobody reads has no gauge.
        let elsewhere = trace(&[&[5, 5], &[1, 1, 2]], readings);
        let of = instance(&elsewhere, [1, 1, 1], 0, 100);
        assert_eq!(gauges(&elsewhere, &[&of], Holds::Next), []);
    }

    #[test]
    fn a_counter_of_a_socket_is_the_sum_of_a_node_in_events_per_microsecond() {
        let steps: &[(u64, i64)] = &[(0, 1), (1000, 2000), (2000, 4000)];
        let work = |task| ([1, task, 1], TRAFFIC, &[(0, 0), (2000, 5)][..]);
        let readings: Readings<'_> = &[
            work(1),
            work(2),
            ([2, 1, 1], CACHE, steps),
            ([2, 2, 1], CACHE, steps),
            ([2, 3, 1], CACHE, steps),
            ([2, 3, 1], TRAFFIC, steps),
        ];
        let trace = trace(&[&[1, 2], &[1, 1, 2]], readings);
        let [first, second] = [1, 2].map(|task| instance(&trace, [1, task, 1], 0, 2000));
        let found = only(&trace, &[&first], Holds::Next);
        near(&found.values.cells, &[4000.0, 8000.0]);
        assert!(found.is_rate && found.readers == 3 && !found.is_own);
        let both = only(&trace, &[&first, &second], Holds::Next);
        near(&both.values.cells, &[3000.0, 6000.0]);
        // An instance in which nobody reads it for a while does not count.
        let late = instance(&trace, [1, 1, 1], 1000, 2000);
        let beyond = Instance { duration_ns: 3000, ..late };
        assert_eq!(gauges(&trace, &[&beyond], Holds::Next), []);
        // What the program's own application reads of it is a counter of the program.
        let own = instance(&trace, [2, 1, 1], 0, 2000);
        assert_eq!(gauges(&trace, &[&own], Holds::Next), []);
    }

    #[test]
    fn what_never_changes_and_what_somebody_describes_is_none() {
        let constant: Readings<'_> = &[
            WORK,
            ([2, 1, 1], LEVEL, &[(0, 10), (100, 10)]),
            ([2, 2, 1], LEVEL, &[(0, 20), (100, 20)]),
            ([2, 3, 1], LEVEL, &[(0, 30), (100, 30)]),
        ];
        let constant = trace(&[], constant);
        let of = instance(&constant, [1, 1, 1], 0, 100);
        assert_eq!(gauges(&constant, &[&of], Holds::Next), []);
        // It comes and goes: a region.
        let region =
            trace(&[], &[WORK, ([2, 1, 1], LEVEL, &[(0, 10), (50, 0), (90, 20), (99, 0)])]);
        let of = instance(&region, [1, 1, 1], 0, 95);
        assert_eq!(gauges(&region, &[&of], Holds::Next), []);
        assert_eq!(gauges(&region, &[], Holds::Next), []);
    }

    #[test]
    fn passes_that_differ_make_an_interval_that_holds_their_mean() {
        let power = (0..=40).map(|at| (at * 100, [5, 9, 2, 8][at as usize % 4]));
        let power = power.collect::<Vec<_>>();
        let trace =
            trace(&[], &[([1, 1, 1], TRAFFIC, &[(0, 0), (4000, 5)]), ([2, 1, 1], LEVEL, &power)]);
        let all = (0..8).map(|at| instance(&trace, [1, 1, 1], at * 500, at * 500 + 500));
        let all = all.collect::<Vec<_>>();
        let found = only(&trace, &all.iter().collect::<Vec<_>>(), Holds::Next);
        // 6 in all; a pass begins at each of the four in turn, and has it twice.
        assert!((found.values.mean - 6.0).abs() < 1e-9, "{}", found.values.mean);
        assert!(found.values.half_widths.iter().all(|half| (1.0..6.0).contains(half)), "{found:?}");
        let two = only(&trace, &all.iter().take(2).collect::<Vec<_>>(), Holds::Next);
        assert!(two.values.half_widths.is_empty(), "two tell nothing");
    }
}
