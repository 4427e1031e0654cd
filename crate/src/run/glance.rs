//! The run at a glance.

use super::passed::{Passed, ratio, useful_ns};
use super::rows::Rows;
use super::uses::uses;
use super::{Plane, Seen, efficiency};
use crate::glance::{Glance, Lifeline, ThreadUse};
use crate::instance::{CatalogueRow, chosen_first};
use crate::trace::{Kind, Object, Trace};

/// All of it, of a trace in which `seen` was found and that offers the regions of `rows`.
///
/// O(events + n log n).
pub fn glance(trace: &Trace, seen: &Seen, rows: &[CatalogueRow]) -> Glance {
    let bursts = &seen.bursts;
    let runtime_ns = seen.runtime_ns(trace);
    let useful = useful_ns(trace, bursts, |_| vec![[0, u64::MAX]]);
    let efficiency = efficiency(trace);
    let passes = seen.repeats.as_ref().ok().and_then(|of| Some((of, of.levels.first()?)));
    let of_loop = passes.map(|(repeats, level)| Passed::of(trace, bursts, repeats, level));
    let of_run = efficiency.as_ref().ok();
    // Counters that take turns did not count a whole burst.
    let is_whole = of_run.is_none_or(|of| of.ipc().is_some());
    let of_rows = Rows { trace, seen, work: if is_whole { &seen.work } else { &[] } };
    let objects = seen.threads.iter().map(|at| trace.threads[*at as usize].object);
    let lifelines = objects.clone().zip(&seen.threads).map(|(object, at)| Lifeline {
        name: name(objects.clone(), object),
        computing: useful[*at as usize] / runtime_ns.max(1.0),
    });
    let tasks = objects.clone().map(|object| (object.application, object.task));
    let mut tasks = tasks.collect::<Vec<_>>();
    tasks.dedup();
    let counters = trace.types.iter().filter(|known| known.kind == Kind::Counter);
    let of_passes = of_loop.as_ref().and_then(|passed| passed.efficiency(trace, bursts));
    let mut remarks = Vec::new();
    remarks.extend(seen.repeats.as_ref().err().map(|why| why.sentence().to_owned()));
    remarks.push(seen.clusters.why_none().unwrap_or_else(|| seen.clusters.sentence()));
    remarks.extend(seen.left_out.clone());
    Glance {
        name: trace.name.clone(),
        runtime_ns,
        tasks: tasks.len() as u32,
        bursts: bursts.len() as f64,
        computing: ratio(
            seen.threads.iter().map(|at| useful[*at as usize]).sum(),
            seen.alive_ns(trace),
        ),
        instructions: of_run.and_then(|of| of.instructions()).map(|events| events as f64),
        ipc: of_run.and_then(ThreadUse::ipc),
        frequency_ghz: of_run.and_then(ThreadUse::frequency_ghz),
        counters: counters.map(|known| known.name.clone()).collect(),
        readings: readings(trace) as f64,
        samples: rows
            .iter()
            .filter(|row| row.kind.is_of_events())
            .map(|row| row.samples)
            .max()
            .unwrap_or(0) as f64,
        loops: passes
            .zip(of_loop.as_ref())
            .map(|((repeats, level), passed)| of_rows.of_loop(repeats, level, passed)),
        points: of_rows.points(),
        distances: Plane::of(bursts, &seen.work).distances(seen.clusters.eps),
        best: chosen_first(rows)
            .map(|first| first.alias.unwrap_or(first.region).to_owned())
            .unwrap_or_default(),
        rows: of_rows.all(rows, of_loop.as_ref()),
        efficiency: uses(seen, &efficiency, of_passes.as_ref()),
        lifelines: lifelines.collect(),
        remarks,
    }
}

/// `rank 3` where every task has one thread, `thread 3` where there is one task.
fn name(mut of: impl Iterator<Item = Object> + Clone, object: Object) -> String {
    let alone = of.clone().all(|other| other.thread == 1);
    let one_task = of.all(|other| other.task == object.task);
    match () {
        () if alone => format!("rank {}", object.task),
        () if one_task => format!("thread {}", object.thread),
        () => object.to_string(),
    }
}

/// Moments at which a counter was read.
fn readings(trace: &Trace) -> usize {
    let shapes = trace.shapes_with(|_, kind| kind == Kind::Counter);
    trace.threads.iter().map(|thread| thread.moments_of(&shapes).count()).sum()
}
