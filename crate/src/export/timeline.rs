//! Clusters and iterations over the time of the run: as text, which is read beside the trace, and as a
//! trace for Paraver.

use super::files::{ExportError, Exported};
use super::folded::Written;
use super::label::Used;
use super::paraver::{self, Done};
use crate::order;
use crate::run::{Burst, Clusters, Passes, Repeats};
use crate::semantic::{self, Stretch};
use crate::trace::{Object, Trace};

/// How what was found is written over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineFormat {
    /// Rows as Paraver saves a window as text, which BSC Folding takes for regions.
    Semantic,
    /// A `.prv` with its `.pcf` and `.row`.
    Paraver,
}

/// Cluster ids as the ClusteringSuite writes them: what is in no cluster is noise, and numbers follow.
const CLUSTER_ID: u32 = 90_000_001;
const BEFORE_CLUSTERS: [&str; 6] =
    ["End", "Missing Data", "Duration Filtered", "Range Filtered", "Threshold Filtered", "Noise"];
const NOISE: u64 = 5;

/// The first level of iterations; the others follow. Of the programmer's own types, so that they are
/// regions to whoever reads them.
const FIRST_ITERATION: u32 = 9_980_001;
/// The number of the pass, of the first level: to be looked at, and no region.
const FIRST_PASS: u32 = 600_000_101;

/// What threads were in, from when to when, as events of one type.
struct Timeline {
    code: u32,
    label: String,
    /// Names of the values, from that of 0 on.
    values: Vec<String>,
    marks: Vec<Mark>,
}

#[derive(Clone, Copy)]
struct Mark {
    object: Object,
    begin_ns: u64,
    end_ns: u64,
    value: u64,
}

/// The cluster of every burst over time: `semantic-clusters.csv`, with a row for each burst in a
/// cluster (`Cluster_1`), or `clusters.prv` with its `.pcf` and `.row`, where bursts are Running and
/// have an event of type 90000001. O(bursts log bursts).
///
/// # Errors
///
/// If a trace would have to list too many tasks and threads.
pub fn clusters_over_time(
    trace: &Trace,
    clusters: &Clusters,
    bursts: &[Burst],
    format: TimelineFormat,
) -> Result<Vec<Exported>, ExportError> {
    let mark = |(at, burst): (u32, &Burst)| {
        let object = trace.threads.get(burst.thread as usize)?.object;
        let value = NOISE + u64::from(clusters.of(at));
        Some(Mark { object, begin_ns: burst.begin_ns, end_ns: burst.end_ns, value })
    };
    let marks = (0..).zip(bursts).filter_map(mark).collect::<Vec<_>>();
    let names = (1..=clusters.clusters.len()).map(|number| format!("Cluster {number}"));
    let values = BEFORE_CLUSTERS.map(str::to_owned).into_iter().chain(names).collect();
    let timeline = Timeline { code: CLUSTER_ID, label: "Cluster ID".to_owned(), values, marks };
    match format {
        TimelineFormat::Semantic => {
            let is_of_cluster = |mark: &&Mark| mark.value > NOISE;
            let stretches =
                timeline.marks.iter().filter(is_of_cluster).map(|mark| timeline.stretch(mark));
            Ok(vec![file("semantic-clusters.csv", semantic::text(stretches.collect()))])
        }
        TimelineFormat::Paraver => {
            let running =
                timeline.marks.iter().map(|mark| (mark.object, mark.begin_ns, mark.end_ns));
            written(trace, "clusters", running.collect(), &[timeline])
        }
    }
}

/// The passes of every loop over time: `semantic-iterations-1.csv` and on, one for each level, or
/// `iterations.prv` with its `.pcf` and `.row`, with two types of event for each level: one whose
/// value is 1 in a pass, and one with the number of the pass. O(passes log passes).
///
/// # Errors
///
/// If a trace would have to list too many tasks and threads.
pub fn iterations_over_time(
    trace: &Trace,
    repeats: &Repeats,
    format: TimelineFormat,
) -> Result<Vec<Exported>, ExportError> {
    let levels = (1..).zip(&repeats.levels).map(|(number, level)| {
        let marks = level.ranks.iter().flat_map(|passes| of_rank(trace, repeats, passes));
        let values = ["End".to_owned(), format!("Iteration {number}")];
        Timeline {
            code: FIRST_ITERATION + number - 1,
            label: repeats.name(level),
            values: values.into(),
            marks: marks.collect(),
        }
    });
    let levels = levels.collect::<Vec<_>>();
    match format {
        TimelineFormat::Semantic => {
            let text = |level: &Timeline| {
                semantic::text(level.marks.iter().map(|mark| level.stretch(mark)).collect())
            };
            let files = (1..).zip(&levels);
            let files = files.map(|(number, level)| {
                file(&format!("semantic-iterations-{number}.csv"), text(level))
            });
            Ok(files.collect())
        }
        TimelineFormat::Paraver => {
            let passes = (0..).zip(&levels).map(|(at, level)| level.numbered(FIRST_PASS + at));
            let passes = passes.collect::<Vec<_>>();
            let both = levels.into_iter().chain(passes).collect::<Vec<_>>();
            written(trace, "iterations", vec![], &both)
        }
    }
}

/// The passes of a rank, each with the value 1.
fn of_rank(trace: &Trace, repeats: &Repeats, passes: &Passes) -> Vec<Mark> {
    let thread = repeats.sites.calls.get(passes.rank as usize).map(|(thread, _)| *thread);
    let thread = thread.and_then(|thread| trace.threads.get(thread as usize));
    let mark = |&(begin_ns, end_ns): &(u64, u64)| {
        Some(Mark { object: thread?.object, begin_ns, end_ns, value: 1 })
    };
    passes.instances_ns.iter().filter_map(mark).collect()
}

impl Timeline {
    fn stretch(&self, mark: &Mark) -> Stretch {
        Stretch {
            object: mark.object,
            begin_ns: mark.begin_ns,
            end_ns: mark.end_ns,
            value: self.values.get(mark.value as usize).cloned().unwrap_or_default(),
        }
    }

    /// The same, each with its number on its thread.
    fn numbered(&self, code: u32) -> Self {
        let label = format!("Pass of {}", self.label);
        let of_threads = self.marks.chunk_by(|a, b| a.object == b.object);
        let numbered = of_threads.flat_map(|marks| (1..).zip(marks));
        let marks = numbered.map(|(value, mark)| Mark { value, ..*mark }).collect();
        Self { code, label, values: vec!["End".to_owned()], marks }
    }

    /// Ends before begins, so that in one moment a value ends before the next begins.
    fn events(&self) -> impl Iterator<Item = Written> {
        let written = |time_ns, object, value| Written { time_ns, object, code: self.code, value };
        let ends = self.marks.iter().map(move |mark| written(mark.end_ns, mark.object, 0));
        ends.chain(
            self.marks.iter().map(move |mark| written(mark.begin_ns, mark.object, mark.value)),
        )
    }
}

/// A trace of nothing but these timelines.
fn written(
    trace: &Trace,
    name: &str,
    mut running: Vec<(Object, u64, u64)>,
    timelines: &[Timeline],
) -> Result<Vec<Exported>, ExportError> {
    let threads = paraver::threads(trace).ok_or(ExportError::TooManyObjects)?;
    let mut used = Used::default();
    for Timeline { code, label, values, .. } in timelines {
        used.event_type(*code, label);
        for (value, name) in (0..).zip(values) {
            used.value(*code, value, || Some(name.clone()));
        }
    }
    order::by_number(&mut running, |(_, begin_ns, _)| *begin_ns);
    let mut events = timelines.iter().flat_map(Timeline::events).collect::<Vec<_>>();
    order::by(&mut events, |a, b| a.object.cmp(&b.object));
    order::by_number(&mut events, |event| event.time_ns);
    let prv = paraver::prv(trace, &threads, Done::Found, &running, &events);
    Ok(vec![
        file(&format!("{name}.prv"), prv),
        file(&format!("{name}.row"), paraver::row(&threads)),
        file(&format!("{name}.pcf"), paraver::pcf(used)),
    ])
}

fn file(name: &str, text: String) -> Exported {
    Exported { name: name.to_owned(), bytes: text.into() }
}
