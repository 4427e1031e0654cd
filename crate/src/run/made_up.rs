//! Programs whose loops are known, for the tests.

use super::{Call, Level, NoIteration, Rank, iterations};

/// How long a call takes; small beside the work between calls.
pub const CALL_NS: u64 = 10;

/// What a thread does from time 0 on, or the part of it that a trace has.
#[derive(Clone, Default)]
pub struct Thread {
    pub calls: Vec<Call>,
    pub begin_ns: u64,
    pub now_ns: u64,
}

impl Thread {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn work(&mut self, duration_ns: u64) {
        self.now_ns += duration_ns;
    }

    pub fn call(&mut self, site: u32) {
        let begin_ns = self.now_ns;
        self.now_ns += CALL_NS;
        self.calls.push(Call { site, begin_ns, exit_ns: self.now_ns });
    }

    /// Work before a call of each site, one after the other.
    pub fn pass(&mut self, sites: impl IntoIterator<Item = u32>, work_ns: u64) {
        for site in sites {
            self.work(work_ns);
            self.call(site);
        }
    }

    /// The part from one time to another; of calls across a border nothing is left.
    pub fn cut(mut self, begin_ns: u64, end_ns: u64) -> Self {
        self.calls.retain(|call| begin_ns <= call.begin_ns && call.exit_ns <= end_ns);
        Self { begin_ns, now_ns: end_ns, ..self }
    }

    pub fn rank(&self) -> Rank<'_> {
        Rank { calls: &self.calls, span_ns: (self.begin_ns, self.now_ns) }
    }
}

/// What repeats on threads whose sites are places of their own.
pub fn repeats(threads: &[Thread]) -> Result<Vec<Level>, NoIteration> {
    let sites = threads.iter().flat_map(|thread| &thread.calls).map(|call| call.site + 1).max();
    repeats_with(threads, &(0..sites.unwrap_or(0)).collect::<Vec<_>>())
}

/// The same of sites that have these labels.
pub fn repeats_with(threads: &[Thread], labels: &[u32]) -> Result<Vec<Level>, NoIteration> {
    let ranks = threads.iter().map(Thread::rank).collect::<Vec<_>>();
    iterations(&ranks, labels)
}
