//! What can be folded: the table that analysts browse.

use super::gather::{sample_moments, sample_shapes};
use super::reading::Sets;
use super::region::{is_running_number, values};
use super::{
    Burst, Grouping, Instance, Objects, Outliers, Readings, Region, RegionNames, group, instances,
    is_instructions,
};
use crate::order;
use crate::trace::{Kind, Moment, Thread, Trace};

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
}

/// Every region of the trace by its groups, the largest share of time first.
///
/// O(events + instances log instances).
pub fn catalogue(trace: &Trace, bursts: &[Vec<Burst>], by: Grouping) -> Vec<CatalogueRow> {
    let names = RegionNames::new(trace, bursts);
    let measures = Measures::new(trace);
    let mut rows = Vec::new();
    for region in regions(trace, bursts) {
        let of_type = &bursts[region.event_type as usize];
        let found = instances(trace, of_type, region, &Objects::default(), (None, None));
        let (groups, _) = group(&found, by, Outliers::None);
        let name = names.of(region);
        for group in groups {
            let members = group.kept().copied().collect::<Vec<_>>();
            rows.push(measures.row(&name, group.number, &members));
        }
    }
    order::by(&mut rows, |a, b| {
        b.share
            .total_cmp(&a.share)
            .then_with(|| a.region.cmp(&b.region))
            .then(a.group.cmp(&b.group))
    });
    rows
}

/// The region to show at first: the one with the largest
/// `share × min(1, instances/8) × min(1, samples/50)` over all its groups.
pub fn chosen_first(rows: &[CatalogueRow]) -> Option<&str> {
    let mut rows = rows.iter().collect::<Vec<_>>();
    order::by(&mut rows, |a, b| a.region.cmp(&b.region));
    let mut best: Option<(&str, [f64; 2])> = None;
    for groups in rows.chunk_by(|a, b| a.region == b.region) {
        let share = groups.iter().map(|row| row.share).sum::<f64>();
        let instances = groups.iter().map(|row| u64::from(row.instances)).sum::<u64>();
        let samples = groups.iter().map(|row| row.samples).sum::<u64>();
        // Without a sample anywhere, the share decides.
        let worth = share * (instances as f64 / 8.0).min(1.0) * (samples as f64 / 50.0).min(1.0);
        if best.is_none_or(|(_, most)| [worth, share] > most) {
            best = groups.first().map(|row| (row.region.as_str(), [worth, share]));
        }
    }
    best.map(|(region, _)| region)
}

/// Every value of every type as a region of its own; running numbers as one of any value.
fn regions(trace: &Trace, bursts: &[Vec<Burst>]) -> Vec<Region> {
    let mut regions = Vec::new();
    for (event_type, of_type) in (0u32..).zip(bursts) {
        if is_running_number(trace, event_type, of_type) {
            regions.push(Region { event_type, value: None });
            continue;
        }
        regions.extend(
            values(of_type).into_iter().map(|value| Region { event_type, value: Some(value) }),
        );
    }
    regions
}

/// What a row is made of, found once for the whole trace.
struct Measures {
    readings: Vec<Readings>,
    sets: Sets,
    /// By thread: samples up to and with each moment.
    samples: Vec<Vec<u32>>,
    instructions: Option<u32>,
    spans_ns: f64,
}

impl Measures {
    fn new(trace: &Trace) -> Self {
        let is_wanted = |known: &crate::trace::EventType| {
            known.kind == Kind::Counter && is_instructions(&known.name)
        };
        let instructions = trace.types.iter().position(is_wanted).map(|index| index as u32);
        let borders = trace.shapes_with(|_, kind| matches!(kind, Kind::Region(_)));
        let is_border = |_, moment: &Moment<'_>| moment.is_of(&borders);
        let surely = sample_shapes(trace);
        let readings_of = |thread: &Thread| {
            Readings::of(trace, thread, |counter| Some(counter) == instructions, is_border)
        };
        Self {
            readings: trace.threads.iter().map(readings_of).collect(),
            sets: Sets::of(trace),
            samples: trace
                .threads
                .iter()
                .map(|thread| sample_moments(trace, thread, &surely))
                .collect(),
            instructions,
            spans_ns: sum_ns(trace.threads.iter().map(Thread::span_ns)),
        }
    }

    fn row(&self, region: &str, group: u32, members: &[Instance]) -> CatalogueRow {
        let (mut samples, mut total, mut counted_ns) = (0, 0.0, 0.0);
        for &Instance { thread, first, last, duration_ns, .. } in members {
            let so_far = &self.samples[thread as usize];
            // Between neighbours there is nothing; a zero-length burst is no instance.
            samples += u64::from(so_far[last as usize - 1] - so_far[first as usize]);
            let readings = &self.readings[thread as usize];
            let counted =
                self.instructions.and_then(|c| readings.total(&self.sets, c, first, last));
            if let Some(events) = counted {
                total += events as f64;
                counted_ns += duration_ns as f64;
            }
        }
        let duration_ns = sum_ns(members.iter().map(|i| i.duration_ns));
        CatalogueRow {
            region: region.to_owned(),
            group,
            instances: members.len() as u32,
            samples,
            mean_ms: duration_ns / members.len().max(1) as f64 / 1e6,
            mips: (counted_ns > 0.0).then(|| total / (counted_ns / 1e3)),
            share: if self.spans_ns > 0.0 { duration_ns / self.spans_ns } else { 0.0 },
        }
    }
}

/// Times up to the latest that a file can name are more together than one number of 64 bits holds.
fn sum_ns(durations: impl Iterator<Item = u64>) -> f64 {
    durations.map(u128::from).sum::<u128>() as f64
}
