//! How well a run uses the threads that it has, and of what it loses the most.
//!
//! Useful is the time in bursts. With *U* the useful time of a thread and *R* the run time, of all
//! the time that the threads have the share mean *U* / *R* is useful: the parallel efficiency. It is
//! the product of load balance, mean *U* / max *U*, and communication efficiency, max *U* / *R*.
//!
//! Beside a reference the useful time of all threads shrinks or grows: the computation scalability is
//! the product of those of instructions, of instructions per cycle and of cycles per second. What a
//! run lacks, its counters or its states, has no value, and makes none.
//!
//! Source: the model of the POP project, as the tables of BSC's tools have it (`tests/corpus.rs`).

use std::collections::{BTreeMap, BTreeSet};

use super::bursts::{Burst, with_flushed};
use super::parallel::openmp;
use crate::folding::is_cycles;
use crate::glance::{ThreadUse, Total};
use crate::instance::{BurstsFrom, is_instructions};
use crate::trace::{Event, Kind, Moment, Trace};

/// Why a run has no efficiencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEfficiency {
    /// Of the run time nobody can tell what the rest of the threads, or of the time, was used for.
    Part,
    /// No thread is known to compute at any time.
    NoBurst,
}

/// The efficiencies of a run: those of the application whose bursts take most time. O(moments).
///
/// # Errors
///
/// If only a part of the trace was read, or nothing tells when threads compute.
pub fn efficiency(trace: &Trace) -> Result<ThreadUse, NoEfficiency> {
    if trace.partial.is_some() {
        return Err(NoEfficiency::Part);
    }
    let all = with_flushed(trace, BurstsFrom::Auto);
    let application = program(trace, &all).ok_or(NoEfficiency::NoBurst)?;
    let is_own = |burst: &&Burst| application_of(trace, burst) == application;
    let own = all.iter().filter(is_own).copied().collect::<Vec<_>>();
    let others = useful_ns(all.iter().filter(|burst| !is_own(burst))).len() as u32;

    let useful = useful_ns(own.iter());
    let useful_ns = useful.values().fold(0, |sum: u64, one| sum.saturating_add(*one));
    let last_ns = own.iter().map(|burst| burst.end_ns).max().unwrap_or(0);
    let runtime_ns = trace.duration_ns.max(last_ns);
    let tasks = useful.keys().map(|thread| trace.threads[*thread as usize].object.task);
    let totals = totals(trace, own.iter().map(|burst| (burst, 1.0)));
    Ok(ThreadUse {
        runtime_ns,
        tasks: tasks.collect::<BTreeSet<_>>().len() as u32,
        threads: useful.len() as u32,
        useful_ns,
        longest_ns: useful.values().copied().max().unwrap_or(0),
        of_threads_ns: useful.into_iter().collect(),
        instructions: totals.instructions,
        cycles: totals.cycles,
        openmp: openmp(trace, &own, runtime_ns),
        others,
    })
}

fn application_of(trace: &Trace, burst: &Burst) -> u32 {
    trace.threads[burst.thread as usize].object.application
}

/// The application whose bursts take most time, the first of those that take as much.
pub(super) fn program(trace: &Trace, bursts: &[Burst]) -> Option<u32> {
    let mut applications: BTreeMap<u32, u64> = BTreeMap::new();
    for burst in bursts {
        let sum_ns = applications.entry(application_of(trace, burst)).or_default();
        *sum_ns = sum_ns.saturating_add(burst.duration_ns());
    }
    let longest = applications.values().copied().max();
    applications.into_iter().find(|(_, ns)| Some(*ns) == longest).map(|(number, _)| number)
}

/// Of each thread (index into [`Trace::threads`]) that has bursts the time in them.
fn useful_ns<'all>(bursts: impl Iterator<Item = &'all Burst>) -> BTreeMap<u32, u64> {
    let mut useful = BTreeMap::new();
    for burst in bursts {
        *useful.entry(burst.thread).or_default() += burst.duration_ns();
    }
    useful
}

/// What was counted of work.
pub(super) struct Totals {
    pub instructions: Total,
    pub cycles: Total,
}

/// What was counted in bursts, each with the share of it that is meant.
pub(super) fn totals<'all>(
    trace: &Trace,
    bursts: impl Iterator<Item = (&'all Burst, f64)>,
) -> Totals {
    let counters = of_counters(trace, bursts);
    Totals {
        instructions: longest_read(trace, &counters, is_instructions),
        cycles: longest_read(trace, &counters, is_cycles),
    }
}

/// What was counted, and for how long, by type of event. What a part of a burst counted is that share
/// of the whole.
fn of_counters<'all>(
    trace: &Trace,
    bursts: impl Iterator<Item = (&'all Burst, f64)>,
) -> Vec<Total> {
    let reads = |_, kind| matches!(kind, Kind::Counter | Kind::CounterSet);
    let with_readings = trace.shapes_with(reads);
    let mut totals = vec![Total::default(); trace.types.len()];
    for (burst, share) in bursts {
        // Whole bursts are counted to the last event.
        let part = |of: u64| if share < 1.0 { (share * of as f64) as u64 } else { of };
        for (counter, events) in burst.counted(trace) {
            let sum = &mut totals[counter as usize].events;
            *sum = sum.saturating_add(part(events));
        }
        let Some(thread) = trace.threads.get(burst.thread as usize) else { continue };
        let moments = thread.moments_from(burst.first as usize);
        let inside = moments.take(burst.beyond.saturating_sub(burst.first) as usize);
        let mut before_ns = burst.begin_ns;
        for moment in inside.filter(|moment| moment.is_of(&with_readings)) {
            for counter in counters_of(trace, &moment) {
                let sum_ns = &mut totals[counter as usize].read_ns;
                *sum_ns = sum_ns.saturating_add(part(moment.time - before_ns));
            }
            before_ns = moment.time;
        }
    }
    totals
}

/// The counters that were at work until a moment: others than those of another set, which begin at
/// zero as it becomes the active one.
fn counters_of(trace: &Trace, moment: &Moment<'_>) -> Vec<u32> {
    let is = |event: &Event, kind| trace.kind(event.event_type) == kind;
    let changes = moment.events().any(|event| is(&event, Kind::CounterSet));
    let mut counters = Vec::new();
    for event in moment.events().filter(|event| is(event, Kind::Counter)) {
        let begins = changes && event.value == 0;
        if !begins && !counters.contains(&event.event_type) {
            counters.push(event.event_type);
        }
    }
    counters
}

/// Of the counters of this name the one that was read longest.
fn longest_read(trace: &Trace, totals: &[Total], is: fn(&str) -> bool) -> Total {
    let counters = trace.types.iter().zip(totals);
    let ours = counters.filter(|(known, _)| known.kind == Kind::Counter && is(&known.name));
    let longest = ours.map(|(_, total)| *total).max_by_key(|total| total.read_ns);
    longest.unwrap_or_default()
}

impl NoEfficiency {
    /// The same in words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Part => "No efficiencies: only a part of the trace was read.",
            Self::NoBurst => "No efficiencies: nothing tells when threads compute.",
        }
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::super::made_up::{CYCLES, INSTRUCTIONS, OTHER_SET, Program, RUN_INSTRUCTIONS};
    use super::*;
    use crate::glance::{Scales, Scaling};

    fn of(program: &Program) -> ThreadUse {
        efficiency(&program.trace()).expect("it computes")
    }

    /// Two ranks of which one computes twice as long as the other.
    fn unequal() -> Program {
        let mut program = Program::lasting(1000);
        program.computes([1, 1, 1], 0, 400, &[[INSTRUCTIONS, 800], [CYCLES, 400]]);
        // What is counted up to the begin of a burst is of the call before it.
        program.reads([1, 1, 1], 500, &[[INSTRUCTIONS, 9000], [CYCLES, 90]]);
        program.computes([1, 1, 1], 500, 900, &[[INSTRUCTIONS, 800], [CYCLES, 400]]);
        program.computes([1, 2, 1], 0, 400, &[[INSTRUCTIONS, 800], [CYCLES, 400]]);
        program
    }

    #[test]
    fn parallel_efficiency_is_load_balance_times_communication_efficiency() {
        let run = of(&unequal());
        assert_eq!((run.runtime_ns, run.tasks, run.threads), (1000, 2, 2));
        assert_eq!((run.useful_ns, run.longest_ns, run.mean_useful_ns()), (1200, 800, 600.0));
        assert_eq!((run.parallel(), run.load_balance(), run.communication()), (0.6, 0.75, 0.8));
        assert_eq!((run.instructions(), run.cycles()), (Some(2400), Some(1200)));
        assert_eq!((run.ipc(), run.frequency_ghz(), run.openmp), (Some(2.0), Some(1.0), None));
        assert_eq!(run.sentences(), Vec::<String>::new());
    }

    #[test]
    fn beside_a_reference_computation_scales_as_its_three_factors_do() {
        let mut alone = Program::lasting(1000);
        alone.computes([1, 1, 1], 0, 1000, &[[INSTRUCTIONS, 2000], [CYCLES, 1000]]);
        let mut two = Program::lasting(640);
        for task in [1, 2] {
            two.computes([1, task, 1], 0, 625, &[[INSTRUCTIONS, 1250], [CYCLES, 500]]);
        }
        let (alone, two) = (of(&alone), of(&two));
        let expected = Scaling {
            computation: 0.8,
            instructions: Some(0.8),
            ipc: Some(1.25),
            frequency: Some(0.8),
            global: 0.78125,
            speedup: 1.5625,
        };
        assert_eq!(two.scaling(&alone, Scales::Strong), expected);
        let itself = alone.scaling(&alone, Scales::Strong);
        assert_eq!((itself.computation, itself.global, itself.speedup), (1.0, 1.0, 1.0));
        assert_eq!((itself.instructions, itself.ipc), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn what_was_not_counted_has_no_value_and_is_told() {
        let mut silent = Program::lasting(1000);
        silent.computes([1, 1, 1], 0, 800, &[]);
        let silent = of(&silent);
        assert_eq!((silent.parallel(), silent.ipc(), silent.frequency_ghz()), (0.8, None, None));
        let told = [
            "Instructions were not counted: no IPC.",
            "Cycles were not counted: no IPC, no frequency.",
        ];
        assert_eq!(silent.sentences(), told);
        let scaling = silent.scaling(&of(&unequal()), Scales::Strong);
        assert_eq!((scaling.computation, scaling.instructions, scaling.ipc), (1.5, None, None));

        let mut only_cycles = Program::lasting(1000);
        only_cycles.computes([1, 1, 1], 0, 800, &[[INSTRUCTIONS, 0], [CYCLES, 1600]]);
        let only_cycles = of(&only_cycles);
        assert_eq!((only_cycles.ipc(), only_cycles.frequency_ghz()), (None, Some(2.0)));
        assert_eq!(only_cycles.sentences(), told[..1]);
    }

    #[test]
    fn counters_that_take_turns_give_no_sums() {
        let mut program = Program::lasting(1000);
        program.reads([1, 1, 1], 250, &[[INSTRUCTIONS, 500], [CYCLES, 300]]);
        // The set changes: what was counted so far, then zeros of what begins.
        program.reads([1, 1, 1], 500, &[[INSTRUCTIONS, 500], [OTHER_SET, 2], [CYCLES, 0]]);
        program.computes([1, 1, 1], 0, 1000, &[[CYCLES, 300]]);
        let run = of(&program);
        let totals = (run.instructions, run.cycles);
        let expected =
            (Total { events: 1000, read_ns: 500 }, Total { events: 600, read_ns: 250 + 500 });
        assert_eq!(totals, expected);
        assert_eq!((run.instructions(), run.cycles(), run.ipc()), (None, None, None));
        let told = "Cycles were counted in 75.0 % of the useful time only: no IPC, no frequency.";
        assert_eq!(run.sentences()[1], told);
    }

    #[test]
    fn a_thread_that_never_computes_and_another_application_are_none_of_the_program() {
        let mut program = unequal();
        program.reads([1, 3, 1], 10, &[[INSTRUCTIONS, 5]]);
        program.computes([2, 1, 1], 0, 1000, &[[INSTRUCTIONS, 70_000]]);
        let run = of(&program);
        assert_eq!((run.threads, run.parallel(), run.instructions()), (2, 0.6, Some(2400)));
        let told = "A thread of another application computes too; it is not counted.";
        assert_eq!((run.others, run.sentences()), (1, vec![told.to_owned()]));
    }

    #[test]
    fn a_run_without_states_and_a_part_of_a_run_have_none() {
        let mut program = Program::lasting(1000);
        program.reads([1, 1, 1], 10, &[[INSTRUCTIONS, 5]]);
        assert_eq!(efficiency(&program.trace()), Err(NoEfficiency::NoBurst));
        let mut part = unequal();
        part.only.to_ns = 950;
        assert_eq!(efficiency(&part.trace()), Err(NoEfficiency::Part));
    }

    #[test]
    fn a_run_lasts_until_its_last_burst_ends_whatever_it_promised() {
        let mut program = Program::lasting(10);
        program.computes([1, 1, 1], 0, 80, &[]);
        let run = of(&program);
        assert_eq!((run.runtime_ns, run.parallel()), (80, 1.0));
    }

    #[test]
    fn what_multiplies_to_one_number_does_so_on_any_runs() {
        let mut random = Random::new(3);
        let mut run = || {
            let mut program = Program::lasting(2000);
            for task in 1..=1 + random.below(5) {
                let mut now = random.below(50);
                for _ in 0..=random.below(6) {
                    let end = now + 1 + random.below(200);
                    let counted =
                        [[INSTRUCTIONS, 1 + random.below(900)], [CYCLES, 1 + random.below(900)]];
                    program.computes([1, task as u32, 1], now, end, &counted);
                    now = end + 1 + random.below(90);
                }
            }
            of(&program)
        };
        for _ in 0..100 {
            let (reference, run) = (run(), run());
            let is = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-14, "{a} {b} {run:?}");
            is(run.load_balance() * run.communication(), run.parallel());
            let scaling = run.scaling(&reference, Scales::Strong);
            let factors = [scaling.instructions, scaling.ipc, scaling.frequency];
            is(factors.into_iter().flatten().product(), scaling.computation);
            is(scaling.computation * run.parallel(), scaling.global);
            assert!(run.load_balance() <= 1.0 && run.communication() <= 1.0);
        }
    }

    #[test]
    fn of_two_counters_of_instructions_the_one_that_was_read_longest_counts() {
        let mut program = Program::lasting(1000);
        let both = [[INSTRUCTIONS, 100], [RUN_INSTRUCTIONS, 9000]];
        program.reads([1, 1, 1], 400, &both);
        program.computes([1, 1, 1], 0, 1000, &[[INSTRUCTIONS, 150]]);
        assert_eq!(of(&program).instructions, Total { events: 250, read_ns: 1000 });
    }

    #[test]
    fn of_applications_that_compute_as_long_the_first_is_the_program() {
        let mut program = Program::lasting(1000);
        program.computes([2, 1, 1], 0, 500, &[[INSTRUCTIONS, 9]]);
        program.computes([1, 1, 1], 300, 800, &[[INSTRUCTIONS, 7]]);
        let run = of(&program);
        assert_eq!((run.instructions.events, run.others), (7, 1));
    }
}
