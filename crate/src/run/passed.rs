//! What the threads of a run do in the passes of a loop.

use std::collections::{BTreeMap, BTreeSet};

use super::efficiency::totals;
use super::{Burst, Level, Repeats};
use crate::glance::ThreadUse;
use crate::trace::Trace;

/// 0 of nothing.
pub(super) fn ratio(of: f64, to: f64) -> f64 {
    if to > 0.0 { of / to } else { 0.0 }
}

/// Of each thread the time of its bursts inside the stretches that are `wanted` of it, which rise.
pub(super) fn useful_ns(
    trace: &Trace,
    bursts: &[Burst],
    wanted: impl Fn(u32) -> Vec<[u64; 2]>,
) -> Vec<f64> {
    let mut useful = vec![0.0; trace.threads.len()];
    for of_thread in bursts.chunk_by(|a, b| a.thread == b.thread) {
        let thread = of_thread[0].thread;
        let mut stretches = wanted(thread).into_iter().peekable();
        for burst in of_thread {
            while stretches.next_if(|[_, end]| *end <= burst.begin_ns).is_some() {}
            let mut rest = stretches.clone();
            while let Some([begin, end]) = rest.next_if(|[begin, _]| *begin < burst.end_ns) {
                let inside = burst.end_ns.min(end) - burst.begin_ns.max(begin);
                useful[thread as usize] += inside as f64;
            }
        }
    }
    useful
}

/// What passes of a loop hold: those of the rank, over all threads of its task.
pub(super) struct Passed {
    /// Of each thread of a rank that has the loop: useful time, and that of the passes.
    pub useful_ns: Vec<f64>,
    pub passed_ns: Vec<f64>,
    /// Index of the thread into [`Trace::threads`].
    pub threads: Vec<u32>,
    /// By task.
    pub stretches: BTreeMap<(u32, u32), Vec<[u64; 2]>>,
}

impl Passed {
    pub fn of(trace: &Trace, bursts: &[Burst], repeats: &Repeats, level: &Level) -> Self {
        let mut stretches: BTreeMap<(u32, u32), Vec<[u64; 2]>> = BTreeMap::new();
        for passes in &level.ranks {
            let calls = repeats.sites.calls.get(passes.rank as usize);
            let thread = calls.and_then(|(thread, _)| trace.threads.get(*thread as usize));
            let Some(thread) = thread else { continue };
            let of_rank = passes.instances_ns.iter().map(|&(begin, end)| [begin, end]);
            stretches.insert((thread.object.application, thread.object.task), of_rank.collect());
        }
        let task = |thread: u32| {
            let object = trace.threads[thread as usize].object;
            (object.application, object.task)
        };
        let of_thread = |thread: u32| stretches.get(&task(thread)).cloned().unwrap_or_default();
        let useful = useful_ns(trace, bursts, of_thread);
        let mut computing = vec![false; trace.threads.len()];
        bursts.iter().for_each(|burst| computing[burst.thread as usize] = true);
        let (mut useful_ns, mut passed_ns, mut threads) = (Vec::new(), Vec::new(), Vec::new());
        for (thread, useful) in (0..).zip(useful).filter(|(thread, _)| computing[*thread as usize])
        {
            if let Some(stretches) = stretches.get(&task(thread)) {
                threads.push(thread);
                useful_ns.push(useful);
                passed_ns.push(stretches.iter().map(|[begin, end]| (end - begin) as f64).sum());
            }
        }
        Self { useful_ns, passed_ns, threads, stretches }
    }

    /// How well threads are used in the passes, as of a run that consists of them alone: the time of
    /// the passes of a thread, on average, is its run time. A burst that a pass begins or ends in is
    /// counted by the share of its time that lies inside. `None` where nobody knows when threads
    /// compute.
    pub fn efficiency(&self, trace: &Trace, bursts: &[Burst]) -> Option<ThreadUse> {
        let of_threads = self.useful_ns.iter().map(|ns| *ns as u64);
        let of_threads_ns = self.threads.iter().copied().zip(of_threads).collect::<Vec<_>>();
        let longest_ns = of_threads_ns.iter().map(|(_, ns)| *ns).max()?;
        let task = |thread: u32| {
            let object = trace.threads[thread as usize].object;
            (object.application, object.task)
        };
        let inside = bursts.iter().filter_map(|burst| {
            let stretches = self.stretches.get(&task(burst.thread))?;
            let share = ratio(inside_ns(stretches, burst) as f64, burst.duration_ns() as f64);
            (share > 0.0).then_some((burst, share))
        });
        let totals = totals(trace, inside);
        let tasks = self.threads.iter().map(|thread| task(*thread)).collect::<BTreeSet<_>>();
        Some(ThreadUse {
            runtime_ns: libm::round(self.elapsed_ns()) as u64,
            tasks: tasks.len() as u32,
            threads: self.threads.len() as u32,
            useful_ns: of_threads_ns.iter().map(|(_, ns)| ns).sum(),
            longest_ns,
            of_threads_ns,
            instructions: totals.instructions,
            cycles: totals.cycles,
            openmp: None,
            others: 0,
        })
    }

    /// How long the passes of a thread take together, on average.
    fn elapsed_ns(&self) -> f64 {
        ratio(self.passed_ns.iter().sum(), self.passed_ns.len() as f64)
    }

    pub fn balance(&self) -> f64 {
        balance(&self.useful_ns)
    }
}

/// How much of a burst lies inside of stretches, which rise.
fn inside_ns(stretches: &[[u64; 2]], burst: &Burst) -> u64 {
    let before = stretches.partition_point(|[_, end]| *end <= burst.begin_ns);
    let own = stretches[before..].iter().take_while(|[begin, _]| *begin < burst.end_ns);
    own.map(|[begin, end]| burst.end_ns.min(*end) - burst.begin_ns.max(*begin)).sum()
}

/// How well threads are used in the passes of the outermost loop; `None` where nothing tells when
/// threads compute. O(events).
pub fn efficiency_of_iterations(
    trace: &Trace,
    repeats: &Repeats,
    bursts: &[Burst],
) -> Option<ThreadUse> {
    Passed::of(trace, bursts, repeats, repeats.levels.first()?).efficiency(trace, bursts)
}

/// Mean over largest; 0 of nothing.
pub(super) fn balance(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(0.0, f64::max);
    ratio(values.iter().sum::<f64>() / values.len().max(1) as f64, most)
}
