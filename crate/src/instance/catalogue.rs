//! What can be folded: the table that analysts browse.

use std::borrow::Cow;

use super::gather::{by_thread, by_value, sample_moments, sample_shapes};
use super::offered::{Offered, offered};
use super::reading::Sets;
use super::{
    Execution, Group, Grouping, Groups, Inside, Instance, Outliers, Readings, Region, RegionNames,
    Repeated, group, is_instructions, usual,
};
use crate::folding::RegionKind;
use crate::order;
use crate::trace::{Kind, Moment, Origin, Thread, Trace};

/// One group of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueRow {
    /// `TYPE:VALUE`, or the name of what repeats.
    pub region: String,
    pub kind: RegionKind,
    /// What it answers to as well, of what repeats: `Iteration:1`.
    pub alias: Option<String>,
    /// From 1, by increasing duration.
    pub group: u32,
    pub instances: u32,
    /// Samples strictly inside the instances.
    pub samples: u64,
    /// Moments at which counters were read, from behind its begin up to its end.
    pub readings: u64,
    pub mean_ms: f64,
    pub median_ms: f64,
    /// Million instructions per second over the instances that carry the counter.
    pub mips: Option<f64>,
    /// Share of the time of all threads.
    pub share: f64,
    pub worth: Worth,
}

/// How well a region deserves to be the first one shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// A call of a runtime, such as MPI: what the code waits in; or a loop whose passes last unlike;
    /// or all bursts, which are like nothing.
    Last,
    Own,
}

/// Every region of the trace by its groups, the largest share of time first; calls of runtimes come
/// after all others. Groups by a counter are not told apart here, but by duration.
///
/// O(events + instances log instances). One thread after the other is measured, so that what is
/// known of its moments is never held for all of them.
pub fn catalogue(
    trace: &Trace,
    executions: &[Vec<Execution>],
    repeated: &[Repeated],
    by: &Grouping,
) -> Vec<CatalogueRow> {
    let names = RegionNames::new(trace, executions, repeated);
    // Bursts are told by states, which may be there where no event is.
    let span_ns = |thread: &Thread| {
        let moment = |at: u32| Some(thread.time_ns(at)).filter(|_| !thread.is_empty());
        let running = thread.running_ns();
        let begins = [moment(0), running.first().map(|[begin, _]| *begin)];
        let ends =
            [moment(thread.len().saturating_sub(1) as u32), running.last().map(|[_, end]| *end)];
        let [begin, end] = [begins.into_iter().flatten().min(), ends.into_iter().flatten().max()];
        thread.span_ns().max(begin.zip(end).map_or(0, |(begin, end)| end - begin))
    };
    let spans_ns = sum_ns(trace.threads.iter().map(span_ns));
    let mut rows = Vec::new();
    let mut members: Vec<Vec<Member>> = vec![vec![]; trace.threads.len()];
    for (region, found) in regions(trace, executions, repeated) {
        let (by, outliers) = usual(kind(repeated, region), by, Outliers::None);
        let Groups { groups, .. } = group(&found, &by, &[], outliers);
        let row = CatalogueRow::of(trace, &names, repeated, region);
        for group in groups {
            for instance in group.kept() {
                let member = Member { inside: instance.inside(), row: rows.len() as u32 };
                members[instance.thread as usize].push(member);
            }
            rows.push(row.with(&group, spans_ns));
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
        (b.worth.cmp(&a.worth))
            .then(b.share.total_cmp(&a.share))
            .then_with(|| a.region.cmp(&b.region))
            .then(a.group.cmp(&b.group))
    });
    rows
}

impl CatalogueRow {
    /// Of a region, without its instances.
    fn of(trace: &Trace, names: &RegionNames<'_>, repeated: &[Repeated], region: Region) -> Self {
        let (alias, worth) = match region {
            Region::Events { event_type, .. } => match trace.kind(event_type) {
                Kind::Region(_, Origin::Runtime(_)) => (None, Worth::Last),
                _ => (None, Worth::Own),
            },
            Region::Repeated(index) => {
                let of = repeated.get(index as usize);
                let may_be_first = of.is_some_and(|of| of.may_be_first);
                let worth = if may_be_first { Worth::Own } else { Worth::Last };
                (of.map(|of| of.alias.clone()), worth)
            }
        };
        let (region, kind) = (names.of(region), kind(repeated, region));
        let [samples, readings] = [0; 2];
        let [mean_ms, median_ms, share] = [0.0; 3];
        let (group, instances, mips) = (0, 0, None);
        Self {
            region,
            kind,
            alias,
            group,
            instances,
            samples,
            readings,
            mean_ms,
            median_ms,
            mips,
            share,
            worth,
        }
    }

    /// The same of a group, without what takes a look at the moments.
    fn with(&self, group: &Group, spans_ns: f64) -> Self {
        let all_ns = sum_ns(group.kept().map(|instance| instance.duration_ns));
        let instances = group.kept().count();
        Self {
            group: group.number,
            instances: instances as u32,
            mean_ms: all_ns / instances.max(1) as f64 / 1e6,
            median_ms: group.median_ns as f64 / 1e6,
            share: if spans_ns > 0.0 { all_ns / spans_ns } else { 0.0 },
            ..self.clone()
        }
    }
}

/// What delimits a region.
fn kind(repeated: &[Repeated], region: Region) -> RegionKind {
    match region {
        Region::Events { .. } => RegionKind::Events,
        Region::Repeated(index) => {
            repeated.get(index as usize).map_or(RegionKind::Events, |of| of.kind)
        }
    }
}

/// An instance of the group of a row.
#[derive(Clone, Copy)]
struct Member {
    inside: Inside,
    row: u32,
}

/// A region of events that covers less is not shown first where something that repeats covers more.
const LARGE: f64 = 0.2;
/// What was found goes before what events delimit only if it covers a fourth more: somebody marked
/// that on purpose.
const OF_FOUND: f64 = 0.8;
/// Loops are numbered by how sure they are, and another covers at most a fourth more than the first
/// of them: what is done every second pass has a little more time and says less.
const OF_OTHER_LOOP: f64 = 0.8;
/// So many instances tell a curve.
pub const ENOUGH_INSTANCES: f64 = 8.0;
/// And so many samples.
pub const ENOUGH_SAMPLES: f64 = 50.0;

/// The region to show at first: the one with the largest
/// `share × min(1, instances/8) × min(1, samples/50)` over all its groups; a call of a runtime only
/// if there is nothing else. Of clusters the readings at their ends count. A region of events that
/// covers a fifth of the time and has enough of both goes before what was found to repeat.
pub fn chosen_first(rows: &[CatalogueRow]) -> Option<First<'_>> {
    let mut rows = rows.iter().collect::<Vec<_>>();
    order::by(&mut rows, |a, b| a.region.cmp(&b.region));
    let mut best = None;
    for groups in rows.chunk_by(|a, b| a.region == b.region) {
        let share = groups.iter().map(|row| row.share).sum::<f64>();
        let instances = groups.iter().map(|row| u64::from(row.instances)).sum::<u64>();
        let samples = groups.iter().map(|row| row.samples).sum::<u64>();
        let Some(CatalogueRow { region, alias, worth, kind, .. }) = groups.first() else {
            continue;
        };
        let of_instances = (instances as f64 / ENOUGH_INSTANCES).min(1.0);
        let readings = groups.iter().map(|row| row.readings).sum::<u64>();
        let (counted, weight) = match kind {
            RegionKind::Events => (samples, 1.0),
            RegionKind::Iteration if alias.as_deref() == Some("Iteration:1") => (samples, OF_FOUND),
            RegionKind::Iteration => (samples, OF_FOUND * OF_OTHER_LOOP),
            // Counters are read where a burst ends.
            RegionKind::Cluster => (readings, OF_FOUND),
            RegionKind::Burst => (0, 0.0),
        };
        let enough = of_instances * (counted as f64 / ENOUGH_SAMPLES).min(1.0);
        let is_sampled = kind.is_of_events() && share >= LARGE && samples > 0;
        let is_large = is_sampled && enough >= 1.0;
        // Without a sample anywhere, the share decides.
        let merit = (*worth, is_large, [share * weight * enough, share * weight]);
        if best.is_none_or(|(_, _, most)| merit > most) {
            best = Some(((region.as_str(), alias.as_deref()), is_sampled, merit));
        }
    }
    best.map(|((region, alias), is_sampled, (worth, is_large, _))| First {
        region,
        alias,
        is_sampled,
        answers: is_large && worth == Worth::Own,
    })
}

/// The region shown at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First<'rows> {
    pub region: &'rows str,
    pub alias: Option<&'rows str>,
    /// Whether it is the code's own, marked by events, sampled well, and large: what else repeats
    /// need not be looked for.
    pub answers: bool,
    /// Whether it is of events, covers as much, and holds any sample.
    pub is_sampled: bool,
}

/// What is offered of every type, as regions, and what repeats; each with its instances.
fn regions<'all>(
    trace: &'all Trace,
    executions: &'all [Vec<Execution>],
    repeated: &'all [Repeated],
) -> impl Iterator<Item = (Region, Cow<'all, [Instance]>)> {
    let all = move |region| (region, by_thread(trace, executions, repeated, region));
    let of_type =
        move |((event_type, of_type), offered): ((u32, &'all Vec<Execution>), Offered)| {
            let of_value = move |value| Region::Events { event_type, value };
            let each = match offered {
                Offered::Values => &of_type[..],
                Offered::AnyValue | Offered::Nothing => &[],
            };
            let each = by_value(trace, each)
                .map(move |(value, instances)| (of_value(Some(value)), instances.into()));
            let any = (offered == Offered::AnyValue).then(|| all(of_value(None)));
            each.chain(any)
        };
    let of_types = (0u32..).zip(executions).zip(offered(trace, executions)).flat_map(of_type);
    of_types.chain((0..repeated.len() as u32).map(Region::Repeated).map(all))
}

/// What it takes to measure the instances of a thread.
struct Measured<'trace> {
    trace: &'trace Trace,
    sets: Sets,
    instructions: Option<u32>,
    /// Shapes of moments that read counters.
    readings: Vec<bool>,
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
            readings: trace.shapes_with(|_, kind| kind == Kind::Counter),
            samples: sample_shapes(trace),
        }
    }

    /// Adds the samples and readings inside `members` of `thread` to their rows, and to `counted` the
    /// instructions of those that carry them, with the nanoseconds that these last.
    fn add(
        &self,
        thread: &Thread,
        members: &[Member],
        rows: &mut [CatalogueRow],
        counted: &mut [(f64, f64)],
    ) {
        let borders = members.iter().flat_map(|of| [of.inside.first, of.inside.last]);
        let wanted = |counter| Some(counter) == self.instructions;
        let totals = Readings::between(self.trace, thread, wanted, borders.collect());
        let samples = sample_moments(self.trace, thread, &self.samples);
        let readings = readings_up_to(thread, &self.readings);
        for &Member { inside, row } in members {
            let Inside { first, last, .. } = inside;
            let place = row as usize;
            // Between neighbours there is nothing; a zero-length execution is no instance.
            let up_to = last.saturating_sub(1).max(first);
            rows[place].samples += u64::from(samples[up_to as usize] - samples[first as usize]);
            rows[place].readings += u64::from(readings[last as usize] - readings[first as usize]);
            let total = self.instructions.and_then(|c| totals.total(&self.sets, c, inside));
            if let Some(events) = total {
                let (all_events, all_ns) = &mut counted[place];
                *all_events += events as f64;
                *all_ns += (thread.time_ns(last) - thread.time_ns(first)) as f64;
            }
        }
    }
}

/// How many moments of `thread` up to and with each are of `shapes`.
fn readings_up_to(thread: &Thread, shapes: &[bool]) -> Vec<u32> {
    let mut so_far = 0;
    let count = |moment: Moment<'_>| {
        so_far += u32::from(moment.is_of(shapes));
        so_far
    };
    thread.moments().map(count).collect()
}

/// Times up to the latest that a file can name are more together than one number of 64 bits holds.
fn sum_ns(durations: impl Iterator<Item = u64>) -> f64 {
    durations.map(u128::from).sum::<u128>() as f64
}
