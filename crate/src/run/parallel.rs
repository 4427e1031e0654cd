//! What threads lose inside the parallel regions of OpenMP, and around them.

use super::bursts::Burst;
use super::stretch::{Stretch, duration_ns};
use crate::glance::OpenMp;
use crate::trace::{Object, Thread, Trace};

/// The type of event by which the thread that opens parallel regions tells of them.
pub(super) const PARALLEL: u32 = 60_000_001;

/// One task with regions.
struct Task {
    threads: f64,
    regions: u64,
    region_ns: f64,
    /// Of all threads.
    useful_ns: f64,
    serial_ns: f64,
}

/// Of a program, given its bursts by thread, then begin. `None` without regions. O(moments).
pub(super) fn openmp(trace: &Trace, bursts: &[Burst], runtime_ns: u64) -> Option<OpenMp> {
    let event_type = trace.types.iter().position(|known| known.code == PARALLEL)? as u32;
    let of_task = |burst: &Burst| trace.threads.get(burst.thread as usize).map(master_of);
    let tasks = bursts.chunk_by(|a, b| of_task(a) == of_task(b));
    let tasks = tasks.filter_map(|own| {
        let object = own.first().and_then(of_task)?;
        let master = trace.threads.iter().position(|thread| thread.object == object)?;
        let regions = regions(trace, trace.threads.get(master)?, event_type);
        Some(task(own, master as u32, &regions))
    });
    let tasks = tasks.collect::<Vec<_>>();
    let regions = tasks.iter().map(|task| task.regions).sum();
    let runtime_ns = runtime_ns as f64;
    let threads = bursts.chunk_by(|a, b| a.thread == b.thread).count() as f64;
    let mean = |of: fn(&Task) -> f64| tasks.iter().map(of).sum::<f64>() / threads;
    let region_ns = mean(|task| task.threads * task.region_ns);
    let useful_ns = mean(|task| task.useful_ns);
    (regions > 0).then(|| OpenMp {
        regions,
        region_ns,
        useful_ns,
        serial_ns: mean(|task| task.threads * task.serial_ns),
        region_efficiency: 1.0 - (region_ns - useful_ns) / runtime_ns,
        serial_efficiency: 1.0 - mean(|task| (task.threads - 1.0) * task.serial_ns) / runtime_ns,
    })
}

fn master_of(thread: &Thread) -> Object {
    Object { thread: 1, ..thread.object }
}

/// A task of which these are the bursts, and these the regions that its master opened.
fn task(bursts: &[Burst], master: u32, regions: &[Stretch]) -> Task {
    let (mut threads, mut useful_ns, mut serial_ns) = (0.0, 0.0, 0);
    for own in bursts.chunk_by(|a, b| a.thread == b.thread) {
        let inside_ns = shared_ns(own, regions);
        threads += 1.0;
        useful_ns += inside_ns as f64;
        if own.first().is_some_and(|burst| burst.thread == master) {
            serial_ns = own.iter().map(Burst::duration_ns).sum::<u64>() - inside_ns;
        }
    }
    Task {
        threads,
        regions: regions.len() as u64,
        region_ns: regions.iter().copied().map(duration_ns).sum::<u64>() as f64,
        useful_ns,
        serial_ns: serial_ns as f64,
    }
}

/// The outermost regions of a thread, rising. Of a trace that was cut the first may have no begin and
/// the last no end: they last from the begin of the trace, and to the thread's last event.
fn regions(trace: &Trace, thread: &Thread, event_type: u32) -> Vec<Stretch> {
    let with_regions = trace.shapes_with(|own, _| own == event_type);
    let mut regions: Vec<Stretch> = Vec::new();
    let mut begins = Vec::new();
    for (_, moment) in thread.moments_of(&with_regions) {
        for event in moment.events().filter(|event| event.event_type == event_type) {
            match (event.value, begins.pop()) {
                (0, Some(begin_ns)) if begins.is_empty() => regions.push((begin_ns, moment.time)),
                (0, None) if trace.cut && regions.is_empty() => regions.push((0, moment.time)),
                (0, _) => {}
                (_, outer) => {
                    begins.extend(outer);
                    begins.push(moment.time);
                }
            }
        }
    }
    regions.extend(begins.first().map(|begin_ns| (*begin_ns, thread.end_ns())));
    regions
}

/// How much of bursts, which rise, lies in stretches, which rise.
fn shared_ns(bursts: &[Burst], stretches: &[Stretch]) -> u64 {
    let mut stretches = stretches.iter().peekable();
    let mut shared_ns = 0;
    for burst in bursts {
        while stretches.next_if(|(_, end_ns)| *end_ns <= burst.begin_ns).is_some() {}
        let inside = stretches.clone().take_while(|(begin_ns, _)| *begin_ns < burst.end_ns);
        shared_ns += inside
            .map(|&(begin_ns, end_ns)| {
                end_ns.min(burst.end_ns).saturating_sub(begin_ns.max(burst.begin_ns))
            })
            .sum::<u64>();
    }
    shared_ns
}

#[cfg(test)]
mod tests {
    use super::super::efficiency;
    use super::super::made_up::{INSTRUCTIONS, Program};
    use super::*;
    use crate::glance::ThreadUse;

    fn of(program: &Program) -> (ThreadUse, OpenMp) {
        let run = efficiency(&program.trace()).expect("it computes");
        let openmp = run.openmp.expect("it has regions");
        (run, openmp)
    }

    fn is(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    /// What parallel efficiency lacks is lost in one of three ways.
    fn adds_up(run: &ThreadUse, openmp: &OpenMp) {
        let runtime_ns = run.runtime_ns as f64;
        let nobody = 1.0 - (openmp.region_ns + openmp.serial_ns) / runtime_ns;
        let lost = (1.0 - openmp.region_efficiency) + (1.0 - openmp.serial_efficiency) + nobody;
        is(1.0 - run.parallel(), lost);
    }

    /// A master that computes before, in and after a region of 500 ns, of which one thread computes
    /// 400 and the other 300.
    fn two_threads() -> Program {
        let mut program = Program::lasting(1000);
        program.reads([1, 1, 1], 200, &[[PARALLEL.into(), 1]]);
        program.computes([1, 1, 1], 0, 600, &[]);
        program.computes([1, 1, 2], 200, 500, &[]);
        program.reads([1, 1, 1], 700, &[[PARALLEL.into(), 0]]);
        program.computes([1, 1, 1], 700, 900, &[]);
        program
    }

    #[test]
    fn time_is_lost_in_regions_and_while_only_the_master_computes() {
        let (run, openmp) = of(&two_threads());
        let expected = OpenMp {
            regions: 1,
            region_ns: 500.0,
            useful_ns: 350.0,
            serial_ns: 400.0,
            region_efficiency: 0.85,
            serial_efficiency: 0.8,
        };
        assert_eq!(openmp, expected);
        adds_up(&run, &openmp);
    }

    #[test]
    fn of_ranks_times_threads_both_lists_are_means_over_threads() {
        let mut program = two_threads();
        program.computes([1, 2, 1], 0, 1000, &[]);
        let (run, openmp) = of(&program);
        assert_eq!((run.tasks, run.threads, openmp.regions), (2, 3, 1));
        is(run.parallel(), 0.7);
        is(openmp.region_ns, 1000.0 / 3.0);
        is(openmp.serial_ns, 600.0);
        // A rank without other threads makes nobody wait.
        is(openmp.region_efficiency, 0.9);
        is(openmp.serial_efficiency, 1.0 - 0.4 / 3.0);
        adds_up(&run, &openmp);
    }

    #[test]
    fn regions_in_regions_are_one_and_those_that_a_cut_opens_or_closes_are_whole() {
        let mut program = Program::lasting(1000);
        for (time, value) in
            [(100, 0), (300, 1), (350, 2), (400, 0), (500, 0), (800, 1), (820, 0), (900, 1)]
        {
            program.reads([1, 1, 1], time, &[[PARALLEL.into(), value]]);
        }
        program.computes([1, 1, 1], 50, 950, &[]);
        program.reads([1, 1, 1], 980, &[[INSTRUCTIONS, 1]]);
        program.cut = true;
        let (run, openmp) = of(&program);
        assert_eq!((openmp.regions, openmp.region_ns), (4, (100 + 200 + 20 + 80) as f64));
        assert_eq!((openmp.useful_ns, openmp.serial_ns), ((50 + 200 + 20 + 50) as f64, 580.0));
        adds_up(&run, &openmp);
    }

    #[test]
    fn without_regions_there_is_no_second_list() {
        for events in [vec![], vec![[PARALLEL.into(), 0]]] {
            let mut program = Program::lasting(1000);
            program.computes([1, 1, 1], 0, 600, &events);
            let run = efficiency(&program.trace()).expect("it computes");
            assert_eq!(run.openmp, None, "{events:?}");
        }
    }
}
