//! How well a run and its loop use their threads, as the run at a glance has it.

use super::{NoEfficiency, Seen, bursts, efficiency, efficiency_of_iterations, repeats};
use crate::glance::{self, CoreTime, FACTORS, RunUse, ThreadUse};
use crate::trace::Trace;

/// As it is laid beside other runs. O(events + n log n).
pub fn run_use(trace: &Trace) -> RunUse {
    let of_run = efficiency(trace);
    let remarks = remarks(&of_run);
    let repeats = repeats(trace).ok();
    let of_loop = repeats.and_then(|of| efficiency_of_iterations(trace, &of, &bursts(trace)));
    RunUse { name: trace.name.clone(), of_run: of_run.ok(), of_loop, remarks }
}

fn remarks(of_run: &Result<ThreadUse, NoEfficiency>) -> Vec<String> {
    match of_run {
        Ok(of) => of.sentences(),
        Err(why) => vec![why.sentence().to_owned()],
    }
}

/// All factors: of the run, and of its loop, of which nobody may know when its threads compute.
pub(super) fn uses(
    seen: &Seen,
    of_run: &Result<ThreadUse, NoEfficiency>,
    of_loop: Option<&ThreadUse>,
) -> glance::Efficiency {
    let remarks = remarks(of_run);
    let of_run = of_run.as_ref().ok();
    if of_run.is_none() && of_loop.is_none() {
        return glance::Efficiency { remarks, ..glance::Efficiency::default() };
    }
    let factors = FACTORS.iter().map(|factor| glance::Factor {
        key: factor.key.to_owned(),
        name: factor.name.to_owned(),
        depth: factor.depth as u32,
        measure: factor.measure,
        of_run: of_run.and_then(|of| factor.value(of, None)),
        of_loop: of_loop.and_then(|of| factor.value(of, None)),
    });
    glance::Efficiency {
        remarks,
        factors: factors.collect(),
        of_run: of_run.map(|of| core_time(seen, of)),
        of_loop: of_loop.map(|of| core_time(seen, of)),
    }
}

/// Of the threads that have a life line.
fn core_time(seen: &Seen, of: &ThreadUse) -> CoreTime {
    let place = |thread: u32| seen.threads.binary_search(&thread).ok().map(|at| at as u32);
    let of_threads = of.of_threads_ns.iter();
    let of_lines = of_threads.filter_map(|(thread, ns)| Some((place(*thread)?, *ns as f64)));
    let (lifelines, useful_ns) = of_lines.unzip();
    CoreTime { elapsed_ns: of.runtime_ns as f64, useful_ns, lifelines }
}
