//! How a run uses its threads, in numbers, and beside a reference.

use serde::{Deserialize, Serialize};

/// What the time of a run went into.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadUse {
    /// From the begin of the trace to its end, in nanoseconds.
    pub runtime_ns: u64,
    /// Tasks and threads of the program: those that compute.
    pub tasks: u32,
    pub threads: u32,
    /// Time in bursts, of all threads, and of the one that has most.
    pub useful_ns: u64,
    pub longest_ns: u64,
    /// Of each thread (index into [`Trace::threads`](crate::trace::Trace::threads)).
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    pub events: u64,
    /// How long it was at work in them; counters may take turns.
    pub read_ns: u64,
}

/// Where the time of a run with parallel regions goes. Of a task *T* is the time in regions, *P* what
/// its threads compute inside of them on average, *S* what its master computes outside. Of several
/// tasks they are means over threads: each has the *T* and the *S* of its task.
///
/// With *R* the run time, what parallel efficiency lacks is the sum of three: (*T* − *P*) / *R* in
/// regions, the mean of *S* / *R* × (1 − 1 / threads of the task) while only masters compute, and
/// (*R* − *T* − *S*) / *R* while nobody does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenMp {
    /// Of several regions inside one another one.
    pub regions: u64,
    /// *T*, *P* and *S*, in nanoseconds.
    pub region_ns: f64,
    pub useful_ns: f64,
    pub serial_ns: f64,
    /// 1 less the first of the three.
    pub region_efficiency: f64,
    /// 1 less the second.
    pub serial_efficiency: f64,
}

/// What a run that has more threads than its reference is expected to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub enum Scales {
    /// The same work in less time.
    #[default]
    Strong,
    /// So much more work, by the number of threads, in the same time.
    Weak,
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

impl ThreadUse {
    /// Useful time of a thread, in nanoseconds: the mean of all.
    pub fn mean_useful_ns(&self) -> f64 {
        self.useful_ns as f64 / f64::from(self.threads)
    }

    /// Time of all threads, in nanoseconds.
    pub fn all_ns(&self) -> f64 {
        f64::from(self.threads) * self.runtime_ns as f64
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

    /// This run beside another. The work of that one is that of so many times its threads where it
    /// grows with them.
    pub fn scaling(&self, reference: &Self, scales: Scales) -> Scaling {
        let times = self.work_beside(reference, scales);
        let ratio = |of: u64, to: u64| times * of as f64 / to as f64;
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

    /// How many times the work of a reference this run is expected to do.
    pub fn work_beside(&self, reference: &Self, scales: Scales) -> f64 {
        match scales {
            Scales::Strong => 1.0,
            Scales::Weak => f64::from(self.threads) / f64::from(reference.threads),
        }
    }

    /// `4 ranks`, `8 threads`, `4 ranks × 8 threads`. One task is a rank where others beside it are several.
    pub fn width(&self, is_of_ranks: bool) -> String {
        let (tasks, threads) = (self.tasks, self.threads);
        let count = |number: u32, one: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {one}s"),
        };
        match tasks {
            0 | 1 if !is_of_ranks => count(threads, "thread"),
            _ if tasks == threads => count(tasks, "rank"),
            0 => count(threads, "thread"),
            _ if threads % tasks == 0 => {
                format!("{} × {} threads", count(tasks, "rank"), threads / tasks)
            }
            _ => format!("{tasks} ranks, {threads} threads"),
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
