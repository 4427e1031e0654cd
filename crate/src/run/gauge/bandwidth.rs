//! What memory controllers read and write while instances run, counted by another process of the node.
//!
//! The readers are threads of applications that have none of the instances. What they count is even
//! between two readings. Each instance takes what the readers of its own node count while it lasts; so
//! nothing is lost.
//!
//! Source: ours (`static/guide/methods.html#bandwidth`).

use std::collections::BTreeMap;

use super::{Grown, OfNodes, Steps, Sums, Turns, cell_means, cells_of, growth, period_ns, read};
use crate::folding::{Bandwidth, CellMeans};
use crate::instance::Instance;
use crate::order;
use crate::trace::{Kind, Thread, Trace};

/// A command of a memory controller moves a line of the cache.
const BYTES: f64 = 64.0;

/// What a counter of a memory controller counts, by what follows these letters in its name: commands that
/// address a column of the memory (CAS) read or write a line. Parts of the reads, such as `RD_REG`, are
/// counted with the reads already.
///
/// Source: names as PAPI (libpfm4) has them, `skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0`, as Intel prints them,
/// `UNC_M_CAS_COUNT.RD`, and as the Linux kernel does, `uncore_imc_0/cas_count_read/`.
pub(super) const COMMANDS: &str = "CAS_COUNT";
const KINDS: [[&str; 2]; 2] = [["RD", "READ"], ["WR", "WRITE"]];

/// What is read and written while `instances`, by thread and begin, run; `None` where no other process
/// reads memory controllers of a node that they run on. O(readings × log + instances × cells).
#[inline(never)]
pub fn bandwidth(trace: &Trace, instances: &[&Instance]) -> Option<Bandwidth> {
    let readers = Readers::of(trace, instances)?;
    let cells = cells_of(instances, readers.period_ns);
    readers.bandwidth(trace, instances, cells)
}

/// The same in so many cells, at least one, whatever the readings are.
pub fn bandwidth_in(trace: &Trace, instances: &[&Instance], cells: usize) -> Option<Bandwidth> {
    Readers::of(trace, instances)?.bandwidth(trace, instances, cells.max(1))
}

/// Threads that read memory controllers while others compute.
struct Readers {
    count: u32,
    period_ns: u64,
    /// By node: what has been read and written until any time, in bytes.
    nodes: BTreeMap<u32, [Grown; 2]>,
}

impl Readers {
    fn of(trace: &Trace, instances: &[&Instance]) -> Option<Self> {
        let columns = KINDS.map(|words| {
            let is_it = |(_, of): &(u32, &crate::trace::EventType)| {
                of.kind == Kind::Counter && counts_any(&of.name, &words)
            };
            let all = (0..).zip(&trace.types).filter(is_it);
            all.map(|(index, _)| index).collect::<Vec<u32>>()
        });
        let mut steps: BTreeMap<u32, [Steps; 2]> = BTreeMap::new();
        let mut gaps_ns = vec![];
        let mut count = 0;
        for thread in others(trace, instances) {
            let own = columns.each_ref().map(|columns| read(trace, thread, columns));
            if own.iter().all(Vec::is_empty) {
                continue;
            }
            count += 1;
            gaps_ns.extend(own.iter().flatten().map(|(from, to, _)| to - from));
            let of_node = steps.entry(trace.node(thread.object)).or_default();
            of_node.iter_mut().zip(own).for_each(|(all, own)| all.extend(own));
        }
        let period_ns = period_ns(gaps_ns)?;
        let nodes = steps.into_iter().map(|(node, steps)| (node, steps.map(bytes)));
        Some(Self { count, period_ns, nodes: nodes.collect() })
    }

    /// Means over nodes of sums over the instances of each: bytes over time.
    fn bandwidth(&self, trace: &Trace, instances: &[&Instance], cells: usize) -> Option<Bandwidth> {
        let turns = Turns::of(instances);
        // Of what is read, written, and both.
        let mut sums = [(); 3].map(|()| OfNodes::new());
        for (at, instance) in instances.iter().enumerate() {
            let node = trace.node(trace.threads[instance.thread as usize].object);
            let Some(grown) = self.nodes.get(&node) else { continue };
            let each = grown.each_ref().map(|of| growth(of, instance, cells).collect::<Vec<_>>());
            let both = each[0].iter().zip(&each[1]).map(|(read, written)| read + written);
            let both = both.collect();
            for (sums, amounts) in sums.iter_mut().zip(each.into_iter().chain([both])) {
                let of_node = sums.entry(node);
                let of_node = of_node.or_insert_with(|| vec![Sums::new(cells); turns.groups]);
                of_node[turns.of_instance(at)].add(instance, amounts.into_iter());
            }
        }
        if sums[0].is_empty() {
            return None;
        }
        let is_counted = |kind: usize| {
            sums[0].keys().any(|node| self.nodes.get(node).is_some_and(|of| !of[kind].0.is_empty()))
        };
        let is_counted = [is_counted(0), is_counted(1), true];
        let [read, written, both] = [0, 1, 2].map(|at| match is_counted[at] {
            true => cell_means(&sums[at], cells, turns.groups),
            false => CellMeans::default(),
        });
        let nodes = sums[0].len() as u32;
        Some(Bandwidth {
            readers: self.count,
            nodes,
            period_ns: self.period_ns,
            read,
            written,
            both,
        })
    }
}

/// Bytes over time, from commands in stretches of it.
fn bytes(steps: Steps) -> Grown {
    let slope = |(from, to, count)| (from, to, count as f64 * BYTES / (to - from) as f64);
    Grown::of(steps.into_iter().map(slope))
}

/// Threads of applications that have none of the instances.
pub(super) fn others<'a>(
    trace: &'a Trace,
    instances: &[&Instance],
) -> impl Iterator<Item = &'a Thread> + use<'a> {
    let application = |of: &&Instance| trace.threads[of.thread as usize].object.application;
    let own = order::distinct(instances.iter().map(application).map(u64::from));
    let is_other =
        move |thread: &&Thread| own.binary_search(&u64::from(thread.object.application)).is_err();
    trace.threads.iter().filter(is_other)
}

/// Whether a counter of this name is one that is folded here.
pub(super) fn is_traffic(name: &str) -> bool {
    KINDS.iter().any(|words| counts_any(name, words))
}

/// Whether a name has one of these words behind the letters of the commands.
fn counts_any(name: &str, words: &[&str]) -> bool {
    let name = name.to_ascii_uppercase();
    let Some((_, rest)) = name.split_once(COMMANDS) else { return false };
    let Some(rest) = rest.strip_prefix([':', '.', '_']) else { return false };
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    words.contains(&rest.split(|letter| !is_of_word(letter)).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{ABSURD, Counting};
    use crate::trace::{Builder, Meaning, Object};

    const WORK: u32 = 1;
    const READ: u32 = 2;
    const WRITTEN: u32 = 3;

    /// What each thread reads of which counter: time and count.
    type Readings<'a> = &'a [([u32; 3], u32, &'a [(u64, u64)])];

    fn trace(nodes: &[&[u32]], readings: Readings<'_>) -> Trace {
        let mut builder = Builder::new("made up", |code, _| {
            let name = match code {
                READ => "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0",
                WRITTEN => "skx_unc_imc0::UNC_M_CAS_COUNT:WR:cpu=0",
                _ => "PAPI_TOT_INS",
            };
            Meaning { kind: Kind::Counter, name: name.to_owned(), description: String::new() }
        });
        builder.nodes = nodes.iter().map(|tasks| tasks.to_vec()).collect();
        for (of, code, of_thread) in readings {
            let [application, task, thread] = *of;
            for (time_ns, count) in *of_thread {
                let object = Object { application, task, thread };
                builder.moment(object, *time_ns, &[[u64::from(*code), *count]]);
            }
        }
        builder.finish()
    }

    fn instance(trace: &Trace, task: u32, begin_ns: u64, end_ns: u64) -> Instance {
        let own = |of: &Thread| of.object.application == 1 && of.object.task == task;
        let thread = trace.threads.iter().position(own).unwrap() as u32;
        Instance::between(trace, thread, [begin_ns, end_ns], Counting::Unknown).unwrap()
    }

    fn near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(is_near, "{found:?}, expected {expected:?}");
    }

    const RANKS: [&[(u64, u64)]; 2] = [&[(0, 0), (1000, 5)], &[(0, 0), (1000, 5)]];

    #[test]
    fn what_is_counted_between_two_readings_is_even_and_nothing_of_it_is_lost() {
        let reader = [(100, 7), (200, 100), (400, 50), (600, 0), (700, 30)];
        let trace =
            trace(&[&[1], &[1]], &[([1, 1, 1], WORK, RANKS[0]), ([2, 1, 1], READ, &reader)]);
        let of = instance(&trace, 1, 150, 650);
        let found = bandwidth_in(&trace, &[&of], 5).unwrap();
        // Half of 100 and a quarter of 50, then 50 a cell of 100 ns; 15 of 30 at the end.
        let counts = [50.0 + 12.5, 25.0, 12.5, 0.0, 15.0];
        near(&found.read.cells, &counts.map(|count| count * 64.0 / 100.0));
        near(&found.both.cells, &found.read.cells);
        assert_eq!(found.written, CellMeans::default());
        assert_eq!((found.readers, found.nodes), (1, 1));
        assert!((found.both.mean - 115.0 * 64.0 / 500.0).abs() < 1e-12);
        assert!(found.both.half_widths.is_empty(), "one pass");
        let few = bandwidth(&trace, &[&of]).unwrap();
        assert_eq!((few.period_ns, few.cells()), (200, 2), "no cell is shorter than a reading");
    }

    #[test]
    fn an_instance_takes_what_is_read_of_its_own_node_and_nodes_are_averaged() {
        let [slow, fast] = [[(0, 1), (1000, 1000)], [(0, 1), (1000, 3000)]];
        let readings: Readings<'_> = &[
            ([1, 1, 1], WORK, RANKS[0]),
            ([1, 2, 1], WORK, RANKS[1]),
            ([2, 1, 1], READ, &slow),
            ([2, 2, 1], WRITTEN, &fast),
            ([2, 3, 1], READ, &fast),
        ];
        let apart = trace(&[&[1, 2], &[1, 2, 9]], readings);
        let [first, second] = [1, 2].map(|task| instance(&apart, task, 200, 600));
        let found = bandwidth_in(&apart, &[&first, &second], 1).unwrap();
        assert_eq!(found.nodes, 2);
        near(&found.read.cells, &[64.0 / 2.0]);
        near(&found.written.cells, &[3.0 * 64.0 / 2.0]);
        near(&found.both.cells, &[4.0 * 64.0 / 2.0]);
        let together = trace(&[&[0, 0], &[0, 0, 0]], readings);
        let found = bandwidth_in(&together, &[&first, &second], 1).unwrap();
        near(&found.both.cells, &[7.0 * 64.0]);
        assert_eq!(found.nodes, 1);
        let elsewhere = trace(&[&[5, 5], &[1, 2, 9]], readings);
        assert_eq!(bandwidth_in(&elsewhere, &[&first, &second], 1), None);
    }

    #[test]
    fn reads_and_writes_are_known_by_each_way_of_writing_their_names() {
        let [reads, writes] = KINDS.map(|words| move |name: &str| counts_any(name, &words));
        for name in [
            "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0",
            "UNC_M_CAS_COUNT.RD",
            "uncore_imc_0/cas_count_read/",
        ] {
            assert_eq!((reads(name), writes(name)), (true, false), "{name}");
        }
        for name in
            ["bdx_unc_imc4::UNC_M_CAS_COUNT:WR:cpu=12", "uncore_imc/cas_count_write,event=0x4/"]
        {
            assert_eq!((reads(name), writes(name)), (false, true), "{name}");
        }
        let others =
            ["UNC_M_CAS_COUNT:RD_REG", "UNC_M_CAS_COUNT:ALL", "UNC_M_CAS_COUNT", "CAS:RD", ""];
        assert!(!others.iter().any(|name| reads(name) || writes(name)));
    }

    #[test]
    fn what_the_program_itself_counts_is_none_and_neither_is_a_glitch() {
        let reader = [(0, 1), (500, ABSURD), (1000, 10)];
        let own = [(0, 1), (1000, 10)];
        let of_program = trace(&[], &[([1, 1, 1], READ, &own)]);
        let of = instance(&of_program, 1, 0, 1000);
        assert_eq!(bandwidth(&of_program, &[&of]), None);
        let glitch = trace(&[], &[([1, 1, 1], WORK, RANKS[0]), ([2, 1, 1], READ, &reader)]);
        near(&bandwidth_in(&glitch, &[&of], 2).unwrap().both.cells, &[0.64, 0.64]);
        assert_eq!(bandwidth(&glitch, &[]), None);
    }

    #[test]
    fn passes_that_differ_make_an_interval_that_holds_their_mean() {
        let readings = (0..=40).map(|at| (at * 100, if at % 4 == 0 { 300 } else { 100 }));
        let readings = readings.collect::<Vec<_>>();
        let work = [(0, 0), (4000, 5)];
        let trace = trace(&[], &[([1, 1, 1], WORK, &work), ([2, 1, 1], READ, &readings)]);
        let all = (0..8).map(|at| instance(&trace, 1, at * 500, at * 500 + 500));
        let all = all.collect::<Vec<_>>();
        let found = bandwidth_in(&trace, &all.iter().collect::<Vec<_>>(), 1).unwrap();
        // 150 of 100 ns on average.
        near(&found.both.cells, &[96.0]);
        // Passes count 700 or 900, in turn by fours: their means have a standard error of .4.
        let half_width = found.both.half_widths[0];
        assert!((4.0..20.0).contains(&half_width), "{half_width}");
        let alike = bandwidth_in(&trace, &all.iter().take(2).collect::<Vec<_>>(), 1).unwrap();
        assert!(alike.both.half_widths.is_empty(), "two tell nothing");
    }

    #[test]
    fn the_period_is_the_middle_gap_between_readings_and_zeros_of_a_cutter_are_none() {
        let reader = [(0, 1), (100, 5), (1100, 5), (1200, 5), (3000, 0)];
        let mut trace = trace(&[], &[([1, 1, 1], WORK, RANKS[0]), ([2, 1, 1], READ, &reader)]);
        trace.cut = true;
        let of = instance(&trace, 1, 0, 1000);
        assert_eq!(bandwidth(&trace, &[&of]).unwrap().period_ns, 100);
    }
}
