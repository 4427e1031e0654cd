//! Several traces that are parts of one run.

use super::Candidates;
use super::watch::Watch;
use crate::text::ParseError;
use crate::trace::{Objects, Only, Trace};

/// What the clock of ranks is that were read of several files.
const ONE_CLOCK: &str = "one for all files, which say what it showed when they began";
const OWN_CLOCKS: &str = "one for each file; every one begins at 0";

impl Candidates<'_> {
    /// Reads all traces as the ranks of one run: tasks are numbered file by file, in the order in which
    /// the files came. `only` chooses among them.
    ///
    /// Of files that say what their clock showed when they began (perf) times are on that clock; of
    /// others each begins at 0. An error if there is no trace, or if one cannot be read.
    // The page loads it with what reads other formats.
    #[inline(never)]
    pub fn ranks(&self, only: &Only, watch: &mut Watch<'_>) -> Result<Trace, ParseError> {
        let mut traces = Vec::new();
        // What is left out is said once.
        let all_of_them = self.traces.iter().collect::<Vec<_>>();
        for (at, candidate) in self.traces.iter().enumerate() {
            // Which threads these are is known once those before them are counted.
            let all = Only { objects: Objects::default(), ..only.clone() };
            let read = if at == 0 { all_of_them.as_slice() } else { &[] };
            let opening = self.opening_of(candidate, read, watch.report)?;
            let trace = opening.only(all).whole(watch)?;
            let held_bytes = trace.threads.iter().map(|thread| thread.held_bytes()).sum::<u64>();
            watch.most_bytes = watch.most_bytes.saturating_sub(held_bytes);
            traces.push(trace);
        }
        let begins = traces.iter().map(|trace| trace.start_on_clock_ns).collect::<Option<Vec<_>>>();
        let first_ns = begins.as_ref().and_then(|begins| begins.iter().min().copied());
        let mut traces = traces.into_iter();
        let Some(first) = traces.next() else {
            return Err(ParseError::of_file("these files", "no trace", "the traces of a run"));
        };
        let count = self.traces.len();
        let mut whole = first.without_threads();
        let mut tasks = 0;
        for trace in std::iter::once(first).chain(traces) {
            let begin_ns = trace.start_on_clock_ns.zip(first_ns);
            let later_ns = begin_ns.map_or(0, |(begin_ns, first_ns)| begin_ns - first_ns);
            tasks = whole.add_ranks(&trace, tasks, later_ns, only.objects);
        }
        whole.name = match count {
            1 => whole.name,
            _ => format!("{} and {} more", whole.name, count - 1),
        };
        whole.start_on_clock_ns = first_ns;
        let clock = if first_ns.is_some() { ONE_CLOCK } else { OWN_CLOCKS };
        whole.provenance.clock = format!("{clock} ({})", whole.provenance.clock);
        Ok(whole)
    }
}
