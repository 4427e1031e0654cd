//! What of a run can be folded, what is left, and its bursts as points.

use std::collections::BTreeMap;

use super::passed::{Passed, balance, ratio};
use super::stretch::duration_ns;
use super::{Burst, Level, Repeats, Seen, Work};
use crate::folding::RegionKind;
use crate::glance::{Loop, Points, Row, RowKind};
use crate::instance::CatalogueRow;
use crate::order;
use crate::trace::Trace;

/// The longest bursts are shown one by one, until so much of their time is covered: those that
/// clusters are made of.
const COVER: f64 = 0.99;
const MOST_POINTS: usize = 20_000;

/// Clusters, and regions of events, beyond these are named together, or not.
const MOST_CLUSTERS: usize = 12;
const MOST_OF_EVENTS: usize = 24;

/// Regions of events with less of the time are not listed.
const LEAST_SHARE: f64 = 0.001;

/// What rows and points are made of.
pub(super) struct Rows<'run> {
    pub trace: &'run Trace,
    pub seen: &'run Seen,
    /// Of each burst; of none where counters took turns.
    pub work: &'run [Option<Work>],
}

impl Rows<'_> {
    pub fn of_loop(&self, repeats: &Repeats, level: &Level, passed: &Passed) -> Loop {
        let longest = level.ranks.iter().max_by_key(|of| of.instances_ns.len());
        let instances = longest.map_or(&[][..], |of| &of.instances_ns);
        let durations = level.ranks.iter().flat_map(|of| &of.instances_ns);
        let durations = durations.map(|&pass| duration_ns(pass) as f64).collect::<Vec<_>>();
        let mean = ratio(durations.iter().sum(), durations.len() as f64);
        let squares = durations.iter().map(|ns| (ns - mean) * (ns - mean)).sum::<f64>();
        let deviation_ns = libm::sqrt(ratio(squares, (durations.len() as f64 - 1.0).max(0.0)));
        let calling = repeats.sites.calls.iter().filter(|(_, calls)| !calls.is_empty());
        let ranks_ns = calling.map(|(thread, _)| {
            duration_ns(self.trace.threads[*thread as usize].lifetime_ns()) as f64
        });
        Loop {
            boundaries: repeats.boundaries(level).iter().map(ToString::to_string).collect(),
            begins_ns: instances.iter().map(|(begin, _)| *begin as f64).collect(),
            end_ns: instances.last().map_or(0.0, |(_, end)| *end as f64),
            median_ns: level.median_ns() as f64,
            deviation_ns,
            share: ratio(durations.iter().sum(), ranks_ns.sum()),
            score: level.agreement * (1.0 - ratio(deviation_ns, mean)).max(0.0),
            largest: self.largest(passed),
        }
    }

    /// The bursts of the passes: those whose middle lies in one.
    fn inside(&self, passed: &Passed) -> impl Iterator<Item = (u32, &Burst)> {
        (0..).zip(&self.seen.bursts).filter(|(_, burst)| {
            let object = self.trace.threads[burst.thread as usize].object;
            let stretches = passed.stretches.get(&(object.application, object.task));
            let stretches = stretches.map_or(&[][..], Vec::as_slice);
            let middle = u64::midpoint(burst.begin_ns, burst.end_ns);
            let before = stretches.partition_point(|[_, end]| *end <= middle);
            stretches.get(before).is_some_and(|[begin, _]| *begin <= middle)
        })
    }

    /// The cluster that takes most of the passes.
    fn largest(&self, passed: &Passed) -> Option<(u32, f64)> {
        let mut times_ns: BTreeMap<u32, f64> = BTreeMap::new();
        for (at, burst) in self.inside(passed) {
            *times_ns.entry(self.seen.clusters.of(at)).or_default() += burst.duration_ns() as f64;
        }
        let clusters = times_ns.into_iter().filter(|(number, _)| *number > 0);
        let most = clusters.reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        Some((most.0, ratio(most.1, passed.passed_ns.iter().sum())))
    }

    /// Instructions per cycle of the bursts of the passes.
    pub fn ipc(&self, passed: &Passed) -> Option<f64> {
        let work = self.inside(passed).filter_map(|(at, _)| self.work(at));
        let add = |[i, k]: [f64; 2], of: Work| [i + of.instructions as f64, k + of.cycles as f64];
        let [instructions, cycles] = work.fold([0.0; 2], add);
        (cycles > 0.0).then(|| instructions / cycles)
    }

    pub fn points(&self) -> Points {
        let bursts = &self.seen.bursts;
        let by_duration = order::indices(bursts.iter().map(|burst| u64::MAX - burst.duration_ns()));
        let burst = |at: &u32| &bursts[*at as usize];
        let all_ns = bursts.iter().map(|burst| burst.duration_ns() as f64).sum();
        let mut covered_ns = 0.0;
        let is_needed = |at: &u32| {
            let is_needed = covered_ns < COVER * all_ns;
            covered_ns += burst(at).duration_ns() as f64;
            is_needed
        };
        let longest = by_duration.into_iter().take(MOST_POINTS).take_while(is_needed);
        let mut shown = longest.collect::<Vec<_>>();
        shown.retain(|at| self.lifeline(burst(at).thread).is_some());
        order::by_number(&mut shown, |at| u64::from(*at));
        let durations_ns =
            shown.iter().map(|at| burst(at).duration_ns() as f64).collect::<Vec<_>>();
        let column = |value: fn(Work) -> f64| match shown.iter().any(|at| self.work(*at).is_some())
        {
            true => shown.iter().map(|at| self.work(*at).map_or(f64::NAN, value)).collect(),
            false => Vec::new(),
        };
        Points {
            clusters: shown.iter().map(|at| self.seen.clusters.of(*at)).collect(),
            share: ratio(durations_ns.iter().sum(), all_ns),
            durations_ns,
            instructions: column(|work| work.instructions as f64),
            ipc: column(Work::ipc),
            lifelines: shown.iter().filter_map(|at| self.lifeline(burst(at).thread)).collect(),
        }
    }

    fn work(&self, burst: u32) -> Option<Work> {
        self.work.get(burst as usize).copied().flatten()
    }

    /// The place of a thread among those of the program.
    fn lifeline(&self, thread: u32) -> Option<u32> {
        self.seen.threads.binary_search(&thread).ok().map(|at| at as u32)
    }

    /// Iterations, clusters by time, what is in none, then regions of events, calls of runtimes last.
    pub fn all(&self, rows: &[CatalogueRow], passed: Option<&Passed>) -> Vec<Row> {
        let mut all = Vec::new();
        let of = |kind| rows.iter().filter(move |row| row.kind == kind);
        let mut iterations = of(RegionKind::Iteration).collect::<Vec<_>>();
        iterations.sort_by(|a, b| a.alias.cmp(&b.alias));
        let levels = self.seen.repeats.as_ref().ok().map(|repeats| &repeats.levels);
        let median_ns = levels.and_then(|all| all.first()).map(|of| of.median_ns() as f64);
        for (at, row) in iterations.into_iter().enumerate() {
            let passed = passed.filter(|_| at == 0);
            all.push(Row {
                kind: RowKind::Iteration,
                balance: passed.map(Passed::balance),
                ipc: passed.and_then(|passed| self.ipc(passed)),
                median_ns: passed.and(median_ns).or(Some(row.median_ms * 1e6)),
                ..self.listed(row)
            });
        }
        let alive_ns = self.seen.alive_ns(self.trace);
        let clusters = &self.seen.clusters.clusters;
        for cluster in clusters.iter().take(MOST_CLUSTERS) {
            all.push(Row {
                name: cluster.name.clone(),
                kind: RowKind::Cluster,
                region: format!("Cluster:{}", cluster.number),
                cluster: cluster.number,
                share: ratio(cluster.time_ns as f64, alive_ns),
                times: cluster.bursts as f64,
                median_ns: Some(cluster.median_ns as f64),
                readings: None,
                ipc: cluster.ipc.filter(|_| self.work.iter().any(Option::is_some)),
                balance: Some(self.balance_of(cluster.number)),
            });
        }
        if let Some(smaller) = clusters.get(MOST_CLUSTERS..).filter(|smaller| !smaller.is_empty()) {
            all.push(Row {
                name: format!("{} smaller clusters", smaller.len()),
                kind: RowKind::Smaller,
                share: ratio(smaller.iter().map(|of| of.time_ns as f64).sum(), alive_ns),
                times: smaller.iter().map(|of| of.bursts as f64).sum(),
                ..Row::default()
            });
        }
        all.extend(self.apart());
        let mut events: Vec<Row> = Vec::new();
        for row in of(RegionKind::Events) {
            match events.iter_mut().find(|known| known.region == row.region) {
                Some(known) => join(known, &self.listed(row)),
                None => events.push(self.listed(row)),
            }
        }
        events.retain(|row| row.share >= LEAST_SHARE);
        events.truncate(MOST_OF_EVENTS);
        all.extend(events);
        all
    }

    /// A row of the catalogue.
    fn listed(&self, row: &CatalogueRow) -> Row {
        let instances = f64::from(row.instances);
        let inside = row.samples as f64 / instances.max(1.0);
        Row {
            name: row.region.clone(),
            region: row.alias.clone().unwrap_or_else(|| row.region.clone()),
            share: ratio(row.mean_ms * 1e6 * instances, self.seen.alive_ns(self.trace)),
            times: instances,
            median_ns: Some(row.median_ms * 1e6),
            readings: (inside > 0.0).then_some(inside),
            ..Row::default()
        }
    }

    fn balance_of(&self, number: u32) -> f64 {
        let mut of_threads: BTreeMap<u32, f64> = BTreeMap::new();
        for (at, burst) in (0..).zip(&self.seen.bursts) {
            let ns = of_threads.entry(burst.thread).or_default();
            if self.seen.clusters.of(at) == number {
                *ns += burst.duration_ns() as f64;
            }
        }
        balance(&of_threads.into_values().collect::<Vec<_>>())
    }

    /// Bursts in no cluster: those of one call that take much of the run, and all.
    fn apart(&self) -> Vec<Row> {
        let apart = (0..).zip(&self.seen.bursts).filter(|(at, _)| self.seen.clusters.of(*at) == 0);
        let durations = apart.map(|(_, burst)| burst.duration_ns() as f64).collect::<Vec<_>>();
        let alive_ns = self.seen.alive_ns(self.trace);
        let all = (!durations.is_empty()).then(|| Row {
            name: "in no cluster".to_owned(),
            kind: RowKind::Apart,
            share: ratio(durations.iter().sum(), alive_ns),
            times: durations.len() as f64,
            ..Row::default()
        });
        let named = self.seen.clusters.calls.iter().filter(|call| call.place.is_some());
        let of_one = named.map(|call| Row {
            name: format!("of these {}", call.name),
            kind: RowKind::Apart,
            share: ratio(call.time_ns as f64, alive_ns),
            times: call.bursts as f64,
            ..Row::default()
        });
        all.into_iter().chain(of_one).collect()
    }
}

/// Joins another group of the same region; the median is that of the larger group.
fn join(row: &mut Row, other: &Row) {
    let inside = |row: &Row| row.readings.unwrap_or(0.0) * row.times;
    let inside = (inside(row) + inside(other)) / (row.times + other.times).max(1.0);
    if other.times > row.times {
        row.median_ns = other.median_ns;
    }
    row.readings = (inside > 0.0).then_some(inside);
    row.share += other.share;
    row.times += other.times;
}
