//! What memory controllers count while instances run, read by another process of the node.
//!
//! A *reader* is a thread of an application that has none of the instances. Its counters are read
//! every so often, whatever the program does: what they count is even between two readings, and no
//! instance is known better than that. Each instance takes what the readers of its own node count
//! while it lasts; so nothing is lost, and in sums of many instances the readings of a coarse clock
//! become fine.
//!
//! Source: ours (`static/guide/methods.html#bandwidth`).

use std::collections::BTreeMap;

use crate::fit;
use crate::folding::{Bandwidth, Traffic};
use crate::instance::{ABSURD, Instance, closing_cut};
use crate::order;
use crate::trace::{Kind, Object, Thread, Trace};

/// A command of a memory controller moves a line of the cache.
const BYTES: f64 = 64.0;

/// What a counter of a memory controller counts, by what follows these letters in its name: commands that
/// address a column of the memory (CAS) read or write a line. Parts of the reads, such as `RD_REG`, are
/// counted with the reads already.
///
/// Source: names as PAPI (libpfm4) has them, `skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0`, as Intel prints them,
/// `UNC_M_CAS_COUNT.RD`, and as the Linux kernel does, `uncore_imc_0/cas_count_read/`.
const COMMANDS: &str = "CAS_COUNT";
const KINDS: [[&str; 2]; 2] = [["RD", "READ"], ["WR", "WRITE"]];

/// More cells than this no lane can show.
const MOST_CELLS: usize = 256;

/// So many groups of passes are left out in turn; of fewer nothing tells how sure a value is.
const MOST_GROUPS: usize = 20;
const FEWEST_GROUPS: usize = 3;

/// What is read and written while `instances`, by thread and begin, run; `None` where no other process
/// reads memory controllers of a node that they run on. O(readings × log + instances × cells).
#[inline(never)]
pub fn bandwidth(trace: &Trace, instances: &[&Instance]) -> Option<Bandwidth> {
    let mean_ns = instances.iter().map(|of| of.duration_ns as f64).sum::<f64>();
    let mean_ns = mean_ns / instances.len().max(1) as f64;
    let readers = Readers::of(trace, instances)?;
    let cells = (mean_ns / readers.period_ns.max(1) as f64) as usize;
    readers.bandwidth(trace, instances, cells.clamp(1, MOST_CELLS))
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
    nodes: BTreeMap<u32, [Counted; 2]>,
}

/// Nanoseconds and what had been counted by then, rising; even in between.
#[derive(Default)]
struct Counted(Vec<(u64, f64)>);

impl Readers {
    fn of(trace: &Trace, instances: &[&Instance]) -> Option<Self> {
        let columns = KINDS.map(|words| {
            let is_it = |(_, of): &(u32, &crate::trace::EventType)| {
                of.kind == Kind::Counter && counts_any(&of.name, &words)
            };
            let all = (0..).zip(&trace.types).filter(is_it);
            all.map(|(index, _)| index).collect::<Vec<u32>>()
        });
        let object = |of: &&Instance| trace.threads[of.thread as usize].object;
        let own = order::distinct(instances.iter().map(object).map(|of| of.application.into()));
        let is_other = |of: &Object| !own.contains(&u64::from(of.application));
        let mut steps: BTreeMap<u32, [Steps; 2]> = BTreeMap::new();
        let mut gaps_ns = vec![];
        let mut count = 0;
        for thread in trace.threads.iter().filter(|thread| is_other(&thread.object)) {
            let own = columns.each_ref().map(|columns| read(trace, thread, columns));
            if own.iter().all(Vec::is_empty) {
                continue;
            }
            count += 1;
            gaps_ns.extend(own.iter().flatten().map(|(from, to, _)| to - from));
            let of_node = steps.entry(trace.node(thread.object)).or_default();
            of_node.iter_mut().zip(own).for_each(|(all, own)| all.extend(own));
        }
        order::by_number(&mut gaps_ns, |gap| *gap);
        let period_ns = gaps_ns.get(gaps_ns.len() / 2).copied()?;
        let nodes = steps.into_iter().map(|(node, steps)| (node, steps.map(Counted::of)));
        Some(Self { count, period_ns, nodes: nodes.collect() })
    }

    /// Means over nodes of sums over the instances of each: bytes over time.
    fn bandwidth(&self, trace: &Trace, instances: &[&Instance], cells: usize) -> Option<Bandwidth> {
        let passes = passes(instances);
        let all = passes.iter().max().map_or(0, |last| last + 1);
        let groups = all.clamp(1, MOST_GROUPS);
        let mut sums: BTreeMap<u32, Vec<Sums>> = BTreeMap::new();
        for (instance, pass) in instances.iter().zip(passes) {
            let node = trace.node(trace.threads[instance.thread as usize].object);
            let Some(counted) = self.nodes.get(&node) else { continue };
            let sums = sums.entry(node).or_insert_with(|| vec![Sums::new(cells); groups]);
            sums[pass % groups].add(counted, instance);
        }
        if sums.is_empty() {
            return None;
        }
        let is_read = [0, 1].map(|kind| {
            sums.keys().any(|node| self.nodes.get(node).is_some_and(|of| !of[kind].0.is_empty()))
        });
        let of = |kinds: &[usize]| match kinds.iter().any(|kind| is_read[*kind]) {
            true => traffic(&sums, kinds, cells, groups),
            false => Traffic::default(),
        };
        Some(Bandwidth {
            readers: self.count,
            nodes: sums.len() as u32,
            period_ns: self.period_ns,
            read: of(&[0]),
            written: of(&[1]),
            both: of(&[0, 1]),
        })
    }
}

/// Whether a name has one of these words behind the letters of the commands.
fn counts_any(name: &str, words: &[&str]) -> bool {
    let name = name.to_ascii_uppercase();
    let Some((_, rest)) = name.split_once(COMMANDS) else { return false };
    let Some(rest) = rest.strip_prefix([':', '.', '_']) else { return false };
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    words.contains(&rest.split(|letter| !is_of_word(letter)).next().unwrap_or_default())
}

/// From when to when, in nanoseconds, and what was counted in between.
pub(super) type Steps = Vec<(u64, u64, u64)>;

/// What a thread reads of some counters. The first reading of each is a base, and a cutter's closing
/// zeros are none.
pub(super) fn read(trace: &Trace, thread: &Thread, counters: &[u32]) -> Steps {
    let shapes = trace.shapes_with(|event_type, _| counters.contains(&event_type));
    let closing_cut = closing_cut(trace, thread);
    let mut steps = vec![];
    for counter in counters {
        let mut before_ns = None;
        for (at, moment) in thread.moments_of(&shapes) {
            let first = moment.events().find(|event| event.event_type == *counter);
            let Some(first) = first.filter(|of| of.value < ABSURD && Some(at) != closing_cut)
            else {
                continue;
            };
            let step = before_ns.replace(moment.time).map(|from| (from, moment.time, first.value));
            steps.extend(step.filter(|(from, to, _)| from < to));
        }
    }
    steps
}

impl Counted {
    /// The sum of what is counted in stretches of time, each evenly.
    fn of(steps: Steps) -> Self {
        // Where slopes change, and by how much.
        let mut changes = Vec::with_capacity(2 * steps.len());
        for (from_ns, to_ns, count) in steps {
            let slope = count as f64 * BYTES / (to_ns - from_ns) as f64;
            changes.extend([(from_ns, slope), (to_ns, -slope)]);
        }
        order::by_number(&mut changes, |(at_ns, _)| *at_ns);
        let (mut slope, mut counted, mut before_ns) = (0.0, 0.0, 0);
        let mut knots: Vec<(u64, f64)> = vec![];
        for of_moment in changes.chunk_by(|a, b| a.0 == b.0) {
            let at_ns = of_moment[0].0;
            counted += slope * (at_ns - before_ns) as f64;
            knots.push((at_ns, counted));
            slope += of_moment.iter().map(|(_, change)| change).sum::<f64>();
            before_ns = at_ns;
        }
        Self(knots)
    }

    /// What has been counted at a time, which may lie between nanoseconds.
    fn at(&self, ns: f64) -> f64 {
        let after = self.0.partition_point(|(at_ns, _)| (*at_ns as f64) < ns);
        let Some(&(to_ns, to)) = self.0.get(after) else {
            return self.0.last().map_or(0.0, |(_, all)| *all);
        };
        let Some(&(from_ns, from)) = after.checked_sub(1).and_then(|at| self.0.get(at)) else {
            return 0.0;
        };
        from + (to - from) * (ns - from_ns as f64) / (to_ns - from_ns) as f64
    }
}

/// Of instances of one node: bytes of both kinds in each cell, and nanoseconds.
#[derive(Clone)]
struct Sums {
    bytes: [Vec<f64>; 2],
    ns: f64,
}

impl Sums {
    fn new(cells: usize) -> Self {
        Self { bytes: [vec![0.0; cells], vec![0.0; cells]], ns: 0.0 }
    }

    fn add(&mut self, counted: &[Counted; 2], instance: &Instance) {
        let (begin, duration) = (instance.start_ns as f64, instance.duration_ns as f64);
        self.ns += duration;
        for (bytes, counted) in self.bytes.iter_mut().zip(counted) {
            let cells = bytes.len() as f64;
            let mut before = counted.at(begin);
            for (cell, sum) in (1..).zip(bytes) {
                let after = counted.at(begin + duration * f64::from(cell) / cells);
                *sum += after - before;
                before = after;
            }
        }
    }
}

/// Bytes of some kinds over time, as means over nodes, with the jackknife over groups of passes.
fn traffic(
    sums: &BTreeMap<u32, Vec<Sums>>,
    kinds: &[usize],
    cells: usize,
    groups: usize,
) -> Traffic {
    let without = |left_out: Option<usize>| {
        let mut means = vec![0.0; cells];
        for of_node in sums.values() {
            let kept = of_node.iter().enumerate().filter(|(group, _)| Some(*group) != left_out);
            let kept = kept.map(|(_, sums)| sums).collect::<Vec<_>>();
            let ns = kept.iter().map(|sums| sums.ns).sum::<f64>() / cells as f64;
            for (cell, mean) in means.iter_mut().enumerate() {
                let bytes = kept.iter().flat_map(|of| kinds.iter().map(|at| of.bytes[*at][cell]));
                *mean += if ns > 0.0 { bytes.sum::<f64>() / ns / sums.len() as f64 } else { 0.0 };
            }
        }
        means
    };
    let values = without(None);
    let half_widths = match groups >= FEWEST_GROUPS {
        true => {
            let without = (0..groups).map(|group| without(Some(group))).collect::<Vec<_>>();
            (0..cells).map(|cell| half_width(without.iter().map(|of| of[cell]))).collect()
        }
        false => vec![],
    };
    let mean = values.iter().sum::<f64>() / cells as f64;
    Traffic { mean, cells: values, half_widths }
}

/// Of a 95 % interval, from the values without each group.
///
/// Source: Efron and Tibshirani 1993, *An introduction to the bootstrap*, ch. 11.
fn half_width(values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let groups = values.len() as f64;
    let mean = values.clone().sum::<f64>() / groups;
    let squares = values.clone().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    fit::student_quantile(values.len() - 1) * ((groups - 1.0) / groups * squares).sqrt()
}

/// Of each instance how many its thread has before it: ranks run a pass together, and what the node
/// counts of it is counted of all of them.
fn passes(instances: &[&Instance]) -> Vec<usize> {
    let by_begin = order::indices(instances.iter().map(|of| of.start_ns));
    let mut before = BTreeMap::<u32, usize>::new();
    let mut passes = vec![0; instances.len()];
    for at in by_begin {
        let of_thread = before.entry(instances[at as usize].thread).or_default();
        passes[at as usize] = *of_thread;
        *of_thread += 1;
    }
    passes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Counting;
    use crate::trace::{Builder, Meaning};

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
        assert_eq!(found.written, Traffic::default());
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
