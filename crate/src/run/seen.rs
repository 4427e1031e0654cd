//! What was found in a run, for whoever looks at it again and again.

use super::clusters::clusters_by;
use super::efficiency::program;
use super::stretch::duration_ns;
use super::{Burst, Clusters, NoIteration, Repeats, Work, bursts_from, repeats_from, work};
use crate::instance::Repeating;
use crate::trace::{Thread, Trace};

/// The bursts of a run, their clusters, and its loops. 60 bytes a burst.
pub struct Seen {
    pub bursts: Vec<Burst>,
    pub clusters: Clusters,
    /// Of each burst; `None` where it is not known.
    pub work: Vec<Option<Work>>,
    pub repeats: Result<Repeats, NoIteration>,
    /// Bursts that are left out, in words.
    pub left_out: Option<String>,
    /// Threads of the program, as indices: those of the application whose bursts take most time; of a
    /// run without bursts all. Others help or watch it.
    pub threads: Vec<u32>,
    /// When the last burst ends.
    last_ns: u64,
}

impl Seen {
    /// What is found as `by` says. O(events + n log n).
    pub fn of(trace: &Trace, by: &Repeating) -> Self {
        let bursts = bursts_from(trace, by.bursts);
        let left_out = bursts.sentence();
        let bursts = bursts.bursts;
        let work = work(trace, &bursts);
        let clusters = clusters_by(trace, &bursts, &work, by.eps);
        let last_ns = bursts.iter().map(|burst| burst.end_ns).max().unwrap_or(0);
        let application = program(trace, &bursts);
        let is_own = |(_, thread): &(u32, &Thread)| {
            application.is_none_or(|number| thread.object.application == number)
        };
        let threads = (0..).zip(&trace.threads).filter(is_own).map(|(at, _)| at).collect();
        Self {
            work,
            clusters,
            repeats: repeats_from(trace, by.boundary.as_ref()),
            left_out,
            bursts,
            threads,
            last_ns,
        }
    }

    /// From the begin of the trace to its end, or that of the last burst.
    pub fn runtime_ns(&self, trace: &Trace) -> f64 {
        trace.duration_ns.max(self.last_ns) as f64
    }

    /// How long the threads of the program live, together.
    pub fn alive_ns(&self, trace: &Trace) -> f64 {
        let lives = self.threads.iter().filter_map(|at| trace.threads.get(*at as usize));
        lives.map(|thread| duration_ns(thread.lifetime_ns()) as f64).sum()
    }

    /// The bursts of each thread that has some, with the place of the first among all.
    pub fn by_thread(&self) -> impl Iterator<Item = (usize, &[Burst])> {
        let mut first = 0;
        self.bursts.chunk_by(|a, b| a.thread == b.thread).map(move |of_thread| {
            first += of_thread.len();
            (first - of_thread.len(), of_thread)
        })
    }
}
