//! What is read beside the program while instances run: memory controllers, other counters of a socket,
//! levels such as a temperature or a queue's length.
//!
//! A *reader* is a thread that reads it. Readings come every so often, whatever the program does, and no
//! instance is known better than they are: it takes what is read while it lasts. In sums of many instances
//! the readings of a coarse clock become fine.
//!
//! Source: ours (`static/guide/methods.html#bandwidth`, `#gauges`).

mod bandwidth;
mod gauges;
mod readings;

pub use bandwidth::{bandwidth, bandwidth_in};
pub use gauges::gauges;

use std::collections::BTreeMap;

use crate::fit;
use crate::folding::CellMeans;
use crate::instance::{ABSURD, Instance, closing_cut};
use crate::order;
use crate::trace::{Thread, Trace};

/// Whether a counter is read beside the program, by its name: by one thread for all that run on a socket.
pub fn is_read_beside(counter: &str) -> bool {
    let counter = counter.to_ascii_uppercase();
    gauges::OF_SOCKET.iter().chain([&bandwidth::COMMANDS]).any(|word| counter.contains(word))
}

/// More cells than this no lane can show.
const MOST_CELLS: usize = 256;

/// So many groups of passes are left out in turn; of fewer nothing tells how sure a value is.
const MOST_GROUPS: usize = 20;
const FEWEST_GROUPS: usize = 3;

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

/// Nanoseconds and what has grown by then, evenly in between.
#[derive(Default)]
struct Grown(Vec<(u64, f64)>);

impl Grown {
    /// The sum of what grows in stretches of time, from and to when, by so much a nanosecond.
    fn of(stretches: impl Iterator<Item = (u64, u64, f64)>) -> Self {
        // Where slopes change, and by how much.
        let mut changes = vec![];
        for (from_ns, to_ns, slope) in stretches {
            changes.extend([(from_ns, slope), (to_ns, -slope)]);
        }
        order::by_number(&mut changes, |(at_ns, _)| *at_ns);
        let (mut slope, mut grown, mut before_ns) = (0.0, 0.0, 0);
        let mut knots: Vec<(u64, f64)> = vec![];
        for of_moment in changes.chunk_by(|a, b| a.0 == b.0) {
            let at_ns = of_moment[0].0;
            grown += slope * (at_ns - before_ns) as f64;
            knots.push((at_ns, grown));
            slope += of_moment.iter().map(|(_, change)| change).sum::<f64>();
            before_ns = at_ns;
        }
        Self(knots)
    }

    /// How much it has grown by a time, which may lie between nanoseconds.
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

/// Of instances of one node: what grows in each cell of all of them, and their nanoseconds.
#[derive(Clone)]
struct Sums {
    amounts: Vec<f64>,
    ns: f64,
}

impl Sums {
    fn new(cells: usize) -> Self {
        Self { amounts: vec![0.0; cells], ns: 0.0 }
    }

    /// Adds an instance with what it has in each cell.
    fn add(&mut self, instance: &Instance, amounts: impl Iterator<Item = f64>) {
        self.ns += instance.duration_ns as f64;
        self.amounts.iter_mut().zip(amounts).for_each(|(sum, amount)| *sum += amount);
    }
}

/// By how much something grows in each of so many equal cells of an instance.
fn growth<'a>(
    grown: &'a Grown,
    instance: &Instance,
    cells: usize,
) -> impl Iterator<Item = f64> + use<'a> {
    let (begin, duration) = (instance.start_ns as f64, instance.duration_ns as f64);
    let edge = move |cell: usize| begin + duration * cell as f64 / cells as f64;
    let mut before = grown.at(begin);
    (1..=cells).map(move |cell| {
        let after = grown.at(edge(cell));
        after - std::mem::replace(&mut before, after)
    })
}

/// As many cells as readings of this period lie in a mean instance.
fn cells_of(instances: &[&Instance], period_ns: u64) -> usize {
    let all_ns = instances.iter().map(|of| of.duration_ns as f64).sum::<f64>();
    let mean_ns = all_ns / instances.len().max(1) as f64;
    ((mean_ns / period_ns.max(1) as f64) as usize).clamp(1, MOST_CELLS)
}

/// The median of the times between readings.
fn period_ns(mut gaps_ns: Vec<u64>) -> Option<u64> {
    order::by_number(&mut gaps_ns, |gap| *gap);
    gaps_ns.get(gaps_ns.len() / 2).copied()
}

/// Instances in their passes, these in groups that are left out in turn.
struct Turns {
    passes: Vec<usize>,
    groups: usize,
}

impl Turns {
    fn of(instances: &[&Instance]) -> Self {
        let passes = passes(instances);
        let all = passes.iter().max().map_or(0, |last| last + 1);
        Self { passes, groups: all.clamp(1, MOST_GROUPS) }
    }

    /// The group of an instance.
    fn of_instance(&self, at: usize) -> usize {
        self.passes[at] % self.groups
    }
}

/// By node, the sums of each group of passes.
type OfNodes = BTreeMap<u32, Vec<Sums>>;

/// Amounts over time, as means over the nodes that have any, with the jackknife over groups of passes.
fn cell_means(sums: &OfNodes, cells: usize, groups: usize) -> CellMeans {
    let without = |left_out: Option<usize>| {
        let mut means = vec![0.0; cells];
        let mut nodes = 0;
        for of_node in sums.values() {
            let kept = of_node.iter().enumerate().filter(|(group, _)| Some(*group) != left_out);
            let kept = kept.map(|(_, sums)| sums).collect::<Vec<_>>();
            let ns = kept.iter().map(|sums| sums.ns).sum::<f64>() / cells as f64;
            if ns <= 0.0 {
                continue;
            }
            nodes += 1;
            for (cell, mean) in means.iter_mut().enumerate() {
                *mean += kept.iter().map(|sums| sums.amounts[cell]).sum::<f64>() / ns;
            }
        }
        means.iter_mut().for_each(|mean| *mean /= f64::from(nodes.max(1)));
        means
    };
    let values = without(None);
    // Without a group that has nothing all would be as it is.
    let has_any = |group: &usize| sums.values().any(|of| of[*group].ns > 0.0);
    let groups = (0..groups).filter(has_any).collect::<Vec<_>>();
    let half_widths = match groups.len() >= FEWEST_GROUPS {
        true => {
            let without = groups.iter().map(|group| without(Some(*group))).collect::<Vec<_>>();
            (0..cells).map(|cell| half_width(without.iter().map(|of| of[cell]))).collect()
        }
        false => vec![],
    };
    let mean = values.iter().sum::<f64>() / cells as f64;
    CellMeans { mean, cells: values, half_widths }
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
