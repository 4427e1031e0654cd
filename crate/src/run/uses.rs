//! How well a run and its loop use their threads, as the run at a glance has it.

use super::passed::{Passed, ratio};
use super::{Efficiency, FACTORS, NoEfficiency, Seen};
use crate::glance::{self, CoreTime};

/// All factors: of the run, and of its loop those that passes have.
pub(super) fn uses(
    seen: &Seen,
    of_run: &Result<Efficiency, NoEfficiency>,
    of_loop: Option<&Passed>,
    ipc_of_loop: Option<f64>,
) -> glance::Efficiency {
    let remarks = match of_run {
        Ok(of) => of.sentences(),
        Err(why) => vec![why.sentence().to_owned()],
    };
    let of_run = of_run.as_ref().ok();
    // A loop of which nobody knows when its threads compute.
    let of_loop = of_loop.filter(|passed| !passed.useful_ns.is_empty());
    if of_run.is_none() && of_loop.is_none() {
        return glance::Efficiency { remarks, ..glance::Efficiency::default() };
    }
    let factors = FACTORS.iter().map(|factor| glance::Factor {
        key: factor.key.to_owned(),
        name: factor.name.to_owned(),
        depth: factor.depth as u32,
        measure: factor.measure,
        of_run: of_run.and_then(|of| factor.value(of, None)),
        of_loop: of_loop.and_then(|passed| of_passes(factor.key, passed, ipc_of_loop)),
    });
    glance::Efficiency {
        remarks,
        factors: factors.collect(),
        of_run: of_run.map(|of| {
            let of_threads = of.of_threads_ns.iter();
            let useful = of_threads.map(|&(thread, ns)| (thread, ns as f64));
            core_time(seen, of.runtime_ns as f64, useful)
        }),
        of_loop: of_loop.map(|passed| {
            let useful = passed.threads.iter().copied().zip(passed.useful_ns.iter().copied());
            core_time(seen, passed.elapsed_ns(), useful)
        }),
    }
}

/// A factor of the passes of the loop, by its key.
fn of_passes(key: &str, passed: &Passed, ipc: Option<f64>) -> Option<f64> {
    let all_ns = passed.useful_ns.iter().sum::<f64>();
    match key {
        "parallel_efficiency" => Some(passed.parallel()),
        "load_balance" => Some(passed.balance()),
        "communication_efficiency" => Some(ratio(passed.parallel(), passed.balance())),
        "runtime_ns" => Some(passed.elapsed_ns()),
        "ipc" => ipc,
        "useful_avg_ns" => Some(ratio(all_ns, passed.useful_ns.len() as f64)),
        "useful_max_ns" => Some(passed.useful_ns.iter().copied().fold(0.0, f64::max)),
        "useful_total_ns" => Some(all_ns),
        _ => None,
    }
}

/// Of the threads, by their places in the trace, those that have a life line.
fn core_time(
    seen: &Seen,
    elapsed_ns: f64,
    useful_ns: impl Iterator<Item = (u32, f64)>,
) -> CoreTime {
    let place = |thread: u32| seen.threads.binary_search(&thread).ok().map(|at| at as u32);
    let of_lines = useful_ns.filter_map(|(thread, ns)| Some((place(thread)?, ns)));
    let (lifelines, useful_ns) = of_lines.unzip();
    CoreTime { elapsed_ns, useful_ns, lifelines }
}
