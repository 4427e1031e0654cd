//! What can be folded: the table that analysts browse.

use super::gather::{sample_moments, sample_shapes};
use super::offered::{Offered, offered};
use super::reading::Sets;
use super::region::values;
use super::{
    Execution, Group, Grouping, Groups, Instance, Outliers, Readings, Region, RegionNames, Wanted,
    group, instances, is_instructions,
};
use crate::order;
use crate::trace::{Kind, Moment, Origin, Thread, Trace};

/// One group of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueRow {
    /// `TYPE:VALUE`.
    pub region: String,
    /// From 1, by increasing duration.
    pub group: u32,
    pub instances: u32,
    /// Samples strictly inside the instances.
    pub samples: u64,
    pub mean_ms: f64,
    /// Million instructions per second over the instances that carry the counter.
    pub mips: Option<f64>,
    /// Share of the time of all threads.
    pub share: f64,
    /// Whether it is a call of a runtime, such as MPI: what the code waits in.
    pub of_runtime: bool,
}

/// Every region of the trace by its groups, the largest share of time first; calls of runtimes come
/// after all others. Groups by a counter are not told apart here, but by duration.
///
/// O(events + instances log instances). One thread after the other is measured, so that what is
/// known of its moments is never held for all of them.
pub fn catalogue(trace: &Trace, executions: &[Vec<Execution>], by: &Grouping) -> Vec<CatalogueRow> {
    let names = RegionNames::new(trace, executions);
    let spans_ns = sum_ns(trace.threads.iter().map(Thread::span_ns));
    let mut rows = Vec::new();
    let mut members: Vec<Vec<Member>> = vec![vec![]; trace.threads.len()];
    for region in regions(trace, executions) {
        let of_type = &executions[region.event_type as usize];
        let found = instances(trace, of_type, region, &Wanted::default());
        let Groups { groups, .. } = group(&found, by, &[], Outliers::None);
        let name = names.of(region);
        let of_runtime =
            matches!(trace.kind(region.event_type), Kind::Region(_, Origin::Runtime(_)));
        for group in groups {
            for &Instance { thread, first, last, .. } in group.kept() {
                members[thread as usize].push(Member { first, last, row: rows.len() as u32 });
            }
            rows.push(CatalogueRow::of(&name, &group, spans_ns, of_runtime));
        }
    }
    let measured = Measured::new(trace);
    let mut counted = vec![(0.0, 0.0); rows.len()];
    for (thread, members) in trace.threads.iter().zip(members).filter(|(_, m)| !m.is_empty()) {
        measured.add(thread, &members, &mut rows, &mut counted);
    }
    for (row, (events, ns)) in rows.iter_mut().zip(counted) {
        row.mips = (ns > 0.0).then(|| events / (ns / 1e3));
    }
    order::by(&mut rows, |a, b| {
        (a.of_runtime.cmp(&b.of_runtime))
            .then(b.share.total_cmp(&a.share))
            .then_with(|| a.region.cmp(&b.region))
            .then(a.group.cmp(&b.group))
    });
    rows
}

impl CatalogueRow {
    /// Without what takes a look at the moments.
    fn of(region: &str, group: &Group, spans_ns: f64, of_runtime: bool) -> Self {
        let duration_ns = sum_ns(group.kept().map(|instance| instance.duration_ns));
        let instances = group.kept().count();
        Self {
            region: region.to_owned(),
            group: group.number,
            instances: instances as u32,
            samples: 0,
            mean_ms: duration_ns / instances.max(1) as f64 / 1e6,
            mips: None,
            share: if spans_ns > 0.0 { duration_ns / spans_ns } else { 0.0 },
            of_runtime,
        }
    }
}

/// An instance of the group of a row.
#[derive(Clone, Copy)]
struct Member {
    first: u32,
    last: u32,
    row: u32,
}

/// The region to show at first: the one with the largest
/// `share × min(1, instances/8) × min(1, samples/50)` over all its groups; a call of a runtime only
/// if there is nothing else.
pub fn chosen_first(rows: &[CatalogueRow]) -> Option<&str> {
    let mut rows = rows.iter().collect::<Vec<_>>();
    order::by(&mut rows, |a, b| a.region.cmp(&b.region));
    let mut best: Option<(&str, (bool, [f64; 2]))> = None;
    for groups in rows.chunk_by(|a, b| a.region == b.region) {
        let share = groups.iter().map(|row| row.share).sum::<f64>();
        let instances = groups.iter().map(|row| u64::from(row.instances)).sum::<u64>();
        let samples = groups.iter().map(|row| row.samples).sum::<u64>();
        // Without a sample anywhere, the share decides.
        let worth = share * (instances as f64 / 8.0).min(1.0) * (samples as f64 / 50.0).min(1.0);
        let Some(CatalogueRow { region, of_runtime, .. }) = groups.first() else { continue };
        let merit = (!of_runtime, [worth, share]);
        if best.is_none_or(|(_, most)| merit > most) {
            best = Some((region, merit));
        }
    }
    best.map(|(region, _)| region)
}

/// What is offered of every type, as regions.
fn regions(trace: &Trace, executions: &[Vec<Execution>]) -> Vec<Region> {
    let mut regions = Vec::new();
    for ((event_type, of_type), offered) in (0u32..).zip(executions).zip(offered(trace, executions))
    {
        let of_value = |value| Region { event_type, value };
        match offered {
            Offered::Values => regions.extend(values(of_type).into_iter().map(Some).map(of_value)),
            Offered::AnyValue => regions.push(of_value(None)),
            Offered::Nothing => {}
        }
    }
    regions
}

/// What it takes to measure the instances of a thread.
struct Measured<'trace> {
    trace: &'trace Trace,
    sets: Sets,
    instructions: Option<u32>,
    /// Shapes of moments at which regions begin or end.
    borders: Vec<bool>,
    /// Shapes of moments that are samples whatever the values.
    samples: Vec<bool>,
}

impl<'trace> Measured<'trace> {
    fn new(trace: &'trace Trace) -> Self {
        let is_wanted = |known: &crate::trace::EventType| {
            known.kind == Kind::Counter && is_instructions(&known.name)
        };
        Self {
            trace,
            sets: Sets::of(trace),
            instructions: trace.types.iter().position(is_wanted).map(|index| index as u32),
            borders: trace.shapes_with(|_, kind| matches!(kind, Kind::Region(..))),
            samples: sample_shapes(trace),
        }
    }

    /// Adds the samples inside `members` of `thread` to their rows, and to `counted` the
    /// instructions of those that carry them, with the nanoseconds that these last.
    fn add(
        &self,
        thread: &Thread,
        members: &[Member],
        rows: &mut [CatalogueRow],
        counted: &mut [(f64, f64)],
    ) {
        let is_border = |_, moment: &Moment<'_>| moment.is_of(&self.borders);
        let wanted = |counter| Some(counter) == self.instructions;
        let readings = Readings::of(self.trace, thread, wanted, is_border);
        let samples = sample_moments(self.trace, thread, &self.samples);
        for &Member { first, last, row } in members {
            // Between neighbours there is nothing; a zero-length execution is no instance.
            let inside = samples[last as usize - 1] - samples[first as usize];
            rows[row as usize].samples += u64::from(inside);
            let total = self.instructions.and_then(|c| readings.total(&self.sets, c, first, last));
            if let Some(events) = total {
                let (all_events, all_ns) = &mut counted[row as usize];
                *all_events += events as f64;
                *all_ns += (thread.time_ns(last) - thread.time_ns(first)) as f64;
            }
        }
    }
}

/// Times up to the latest that a file can name are more together than one number of 64 bits holds.
fn sum_ns(durations: impl Iterator<Item = u64>) -> f64 {
    durations.map(u128::from).sum::<u128>() as f64
}
