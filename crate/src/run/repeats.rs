use super::Rank;
use super::levels::{Level, NoIteration, iterations_from};
use super::rotation::{Edge, Passes};
use super::sites::{ALPHABETS, Alphabet, Sites, sites};
use super::stretch::{duration_ns, median};
use crate::instance::PassBegin;
use crate::order;
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
    repeats_from(trace, None)
}

/// The same, where the passes of the first loop that has this boundary begin there; on ranks that do
/// not have it, and where [no loop](Repeats::begins_at) has, where most of them are whole. O(calls).
///
/// # Errors
///
/// As [`repeats`].
pub fn repeats_from(trace: &Trace, begin: Option<&PassBegin>) -> Result<Repeats, NoIteration> {
    let mut why = NoIteration::NoCalls;
    for alphabet in ALPHABETS {
        let sites = sites(trace, alphabet);
        let ranks = sites.calls.iter().map(|(thread, calls)| Rank {
            calls,
            span_ns: trace.threads[*thread as usize].lifetime_ns(),
        });
        let ranks = ranks.collect::<Vec<_>>();
        match iterations_from(&ranks, &sites.labels, begin.and_then(|begin| sites.place(begin))) {
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
        let kind = if level.inner { "Iteration, inner" } else { "Iteration" };
        format!("{kind}: {}", self.begin(level.boundary))
    }

    fn begin(&self, (label, edge): (u32, Edge)) -> PassBegin {
        let site = self.sites.names.get(label as usize).cloned().unwrap_or_default();
        PassBegin { is_after: edge == Edge::Exit, site }
    }

    /// Whether the passes of a loop begin there.
    pub fn begins_at(&self, begin: &PassBegin) -> bool {
        self.levels.iter().any(|level| self.begin(level.boundary) == *begin)
    }

    /// Where the passes of a loop can begin: at each of its calls, as it begins and as it returns,
    /// in the order in which the ranks first call them. O(sites).
    pub fn boundaries(&self, level: &Level) -> Vec<PassBegin> {
        let sites = level.ranks.iter().flat_map(|passes| &passes.sites);
        let labels = sites.filter_map(|site| self.sites.labels.get(*site as usize));
        let mut numbers = order::Numbers::default();
        let mut distinct = Vec::new();
        for &label in labels {
            if numbers.of([u64::from(label), 0, 0]) == distinct.len() {
                distinct.push(label);
            }
        }
        let edges = |label| [Edge::Begin, Edge::Exit].map(|edge| self.begin((label, edge)));
        distinct.into_iter().flat_map(edges).collect()
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
