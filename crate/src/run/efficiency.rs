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
use super::parallel::{OpenMp, openmp};
use crate::folding::is_cycles;
use crate::instance::{BurstsFrom, is_instructions};
use crate::trace::{Event, Kind, Moment, Trace};

/// What the time of a run went into.
#[derive(Clone, Debug, PartialEq)]
pub struct Efficiency {
    /// From the begin of the trace to its end, in nanoseconds.
    pub runtime_ns: u64,
    /// Tasks and threads of the program: those that compute.
    pub tasks: u32,
    pub threads: u32,
    /// Time in bursts, of all threads, and of the one that has most.
    pub useful_ns: u64,
    pub longest_ns: u64,
    /// Of each thread (index into [`Trace::threads`]).
    pub of_threads_ns: Vec<(u32, u64)>,
    /// Completed in bursts.
    pub instructions: Total,
    /// Of the processors, while they were in bursts.
    pub cycles: Total,
    /// `None` where no parallel region of OpenMP is recorded.
    pub openmp: Option<OpenMp>,
    /// Threads of other applications, which help or watch the program, that compute too.
    pub others: u32,
}

/// What a counter counted in bursts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    pub events: u64,
    /// How long it was at work in them; counters may take turns.
    pub read_ns: u64,
}

/// Why a run has no efficiencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEfficiency {
    /// Of the run time nobody can tell what the rest of the threads, or of the time, was used for.
    Part,
    /// No thread is known to compute at any time.
    NoBurst,
}

/// A run beside a reference: 1 is as good, less is worse. [`Scaling::speedup`] alone has no ideal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// Useful time of the reference / of the run: 1 if the same work takes no longer in all.
    pub computation: f64,
    /// Its factors; `None` where one of the two runs did not count.
    pub instructions: Option<f64>,
    pub ipc: Option<f64>,
    pub frequency: Option<f64>,
    /// Parallel efficiency × computation scalability.
    pub global: f64,
    /// Run time of the reference / of the run.
    pub speedup: f64,
}

/// The efficiencies of a run: those of the application whose bursts take most time. O(moments).
///
/// # Errors
///
/// If only a part of the trace was read, or nothing tells when threads compute.
pub fn efficiency(trace: &Trace) -> Result<Efficiency, NoEfficiency> {
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
    Ok(Efficiency {
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

impl Efficiency {
    /// Useful time of a thread, in nanoseconds: the mean of all.
    pub fn mean_useful_ns(&self) -> f64 {
        self.useful_ns as f64 / f64::from(self.threads)
    }

    /// Share of the time of all threads that is useful: load balance × communication efficiency.
    pub fn parallel(&self) -> f64 {
        self.mean_useful_ns() / self.runtime_ns as f64
    }

    /// Mean useful time / that of the thread that has most.
    pub fn load_balance(&self) -> f64 {
        self.mean_useful_ns() / self.longest_ns as f64
    }

    /// Useful time of the thread that has most / run time.
    pub fn communication(&self) -> f64 {
        self.longest_ns as f64 / self.runtime_ns as f64
    }

    /// All instructions of useful code; `None` where they were not counted, or not all the time.
    pub fn instructions(&self) -> Option<u64> {
        self.whole(self.instructions)
    }

    /// All cycles of useful code; `None` likewise.
    pub fn cycles(&self) -> Option<u64> {
        self.whole(self.cycles)
    }

    fn whole(&self, total: Total) -> Option<u64> {
        let is_whole = self.share_of(total) >= WHOLE && total.events > 0;
        is_whole.then_some(total.events)
    }

    fn share_of(&self, total: Total) -> f64 {
        total.read_ns as f64 / self.useful_ns as f64
    }

    /// Instructions per cycle of useful code.
    pub fn ipc(&self) -> Option<f64> {
        Some(self.instructions()? as f64 / self.cycles()? as f64)
    }

    /// Cycles per nanosecond of useful code.
    pub fn frequency_ghz(&self) -> Option<f64> {
        Some(self.cycles()? as f64 / self.useful_ns as f64)
    }

    /// This run beside another.
    pub fn scaling(&self, reference: &Self) -> Scaling {
        let ratio = |of: u64, to: u64| of as f64 / to as f64;
        let computation = ratio(reference.useful_ns, self.useful_ns);
        let both = |own: Option<f64>, others: Option<f64>| Some(own? / others?);
        Scaling {
            computation,
            instructions: reference
                .instructions()
                .zip(self.instructions())
                .map(|(a, b)| ratio(a, b)),
            ipc: both(self.ipc(), reference.ipc()),
            frequency: both(self.frequency_ghz(), reference.frequency_ghz()),
            global: self.parallel() * computation,
            speedup: ratio(reference.runtime_ns, self.runtime_ns),
        }
    }

    /// What it lacks, and what its numbers are not of, in words.
    pub fn sentences(&self) -> Vec<String> {
        let lacks = |name: &str, total: Total, makes: &str| {
            let how = match self.share_of(total) {
                _ if total.events == 0 => "not counted".to_owned(),
                share => format!("counted in {:.1} % of the useful time only", 100.0 * share),
            };
            self.whole(total).is_none().then(|| format!("{name} were {how}: no {makes}."))
        };
        let instructions = lacks("Instructions", self.instructions, "IPC");
        let cycles = lacks("Cycles", self.cycles, "IPC, no frequency");
        let others = (self.others > 0).then(|| match self.others {
            1 => "A thread of another application computes too; it is not counted.".to_owned(),
            n => format!("{n} threads of other applications compute too; they are not counted."),
        });
        [instructions, cycles, others].into_iter().flatten().collect()
    }
}

/// A counter that was at work for this share of the useful time counted all of it: of real traces with
/// one set of counters less than one in ten thousand is not read. Counters that take turns miss far
/// more.
const WHOLE: f64 = 0.99;

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

    fn of(program: &Program) -> Efficiency {
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
        assert_eq!(two.scaling(&alone), expected);
        let itself = alone.scaling(&alone);
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
        let scaling = silent.scaling(&of(&unequal()));
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
            let scaling = run.scaling(&reference);
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
