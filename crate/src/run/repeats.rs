use super::Rank;
use super::levels::{Level, NoIteration, iterations};
use super::rotation::{Edge, Passes};
use super::sites::{ALPHABETS, Alphabet, Sites, sites};
use super::stretch::{duration_ns, median};
use crate::trace::Trace;

/// What repeats in a run, in the first alphabet of calls in which something does.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeats {
    pub alphabet: Alphabet,
    pub sites: Sites,
    /// The outer one first.
    pub levels: Vec<Level>,
}

/// The iterations of a trace, of the master thread of each task. O(calls).
///
/// # Errors
///
/// Why nothing repeats, of the first alphabet that is called at all.
pub fn repeats(trace: &Trace) -> Result<Repeats, NoIteration> {
    let mut why = NoIteration::NoCalls;
    for alphabet in ALPHABETS {
        let sites = sites(trace, alphabet);
        let ranks = sites.calls.iter().map(|(thread, calls)| Rank {
            calls,
            span_ns: trace.threads[*thread as usize].lifetime_ns(),
        });
        match iterations(&ranks.collect::<Vec<_>>(), &sites.labels) {
            Ok(levels) => return Ok(Repeats { alphabet, sites, levels }),
            Err(NoIteration::NoCalls) => {}
            Err(because) if why == NoIteration::NoCalls => why = because,
            Err(_) => {}
        }
    }
    Err(why)
}

impl Repeats {
    /// `Iteration: from MPI_Sendrecv · 251 (boundary.F90)`, or `after` where a pass begins as a call
    /// returns.
    pub fn name(&self, level: &Level) -> String {
        let (label, edge) = level.boundary;
        let kind = if level.inner { "Iteration, inner" } else { "Iteration" };
        let word = if edge == Edge::Begin { "from" } else { "after" };
        let place = self.sites.names.get(label as usize).map_or("", String::as_str);
        format!("{kind}: {word} {place}")
    }
}

impl Repeats {
    /// Whether passes begin where a routine of the program does, or ends.
    pub fn begins_at_routine(&self, level: &Level) -> bool {
        self.sites.are_routines.get(level.boundary.0 as usize).copied().unwrap_or(false)
    }
}

impl Level {
    /// How long a pass takes, in nanoseconds: the median over the ranks of each one's median.
    pub fn median_ns(&self) -> u64 {
        let of_rank = |passes: &Passes| {
            median(passes.instances_ns.iter().copied().map(duration_ns).collect())
        };
        median(self.ranks.iter().filter_map(of_rank).collect()).unwrap_or(0)
    }

    /// Passes over all ranks.
    pub fn passes(&self) -> usize {
        self.ranks.iter().map(|rank| rank.instances_ns.len()).sum()
    }
}

impl NoIteration {
    /// The same in words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NoCalls => "No iterations: nothing is called whose repetition could be seen.",
            Self::NothingRecurs => "No iterations: no call site recurs.",
            Self::NoOrder => "No iterations: no call site recurs in a fixed order.",
            Self::NoTime => "No iterations: between the calls that recur no time passes.",
            Self::Brief => {
                "No iterations: every loop is at work for less than a twentieth of its task's time."
            }
            Self::NoAgreement => "No iterations: no loop is one of half of the tasks.",
        }
    }
}
