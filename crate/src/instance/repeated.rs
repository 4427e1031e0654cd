//! Regions that no event delimits: what a run was found to repeat.

use super::{Counting, Instance, Region};
use crate::folding::RegionKind;
use crate::trace::Trace;

/// A region whose instances were found by what they have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeated {
    pub kind: RegionKind,
    /// Whether it may be shown before what events delimit.
    pub may_be_first: bool,
    /// Its own among all of a trace: `Iteration: from MPI_Sendrecv · 251 (boundary.F90)`.
    pub name: String,
    /// What it answers to as well: `Iteration:1`, `Cluster:3`, `Burst:*`.
    pub alias: String,
    /// By thread, then begin; numbered when they are chosen.
    pub instances: Vec<Instance>,
}

impl Repeated {
    /// What all of its kind answer to: `Iteration`, `Cluster`, `Burst`.
    fn kind_name(&self) -> &str {
        self.alias.split(':').next().unwrap_or_default()
    }
}

/// Those of `all` that `asked` means: by name or alias, or all of a kind (`Cluster`, `Cluster:*`).
pub(super) fn resolve(all: &[Repeated], asked: &str) -> Vec<Region> {
    let is_asked = |of: &Repeated| of.name == asked || of.alias == asked;
    let of_kind = |of: &Repeated| of.kind_name() == asked.strip_suffix(":*").unwrap_or(asked);
    let those = |wanted: &dyn Fn(&Repeated) -> bool| {
        let those = (0..).zip(all).filter(|(_, of)| wanted(of));
        those.map(|(index, _)| Region::Repeated(index)).collect::<Vec<_>>()
    };
    match those(&is_asked) {
        none if none.is_empty() => those(&of_kind),
        one => one,
    }
}

impl Instance {
    /// What a thread (index into [`Trace::threads`]) did between two times; not yet numbered. `None`
    /// of no duration, or of a thread without a moment. Readings in it count as `counting` says, as
    /// far as moments stand at its begin and end. O(log moments).
    pub fn between(
        trace: &Trace,
        thread: u32,
        [begin_ns, end_ns]: [u64; 2],
        counting: Counting,
    ) -> Option<Self> {
        let of = trace.threads.get(thread as usize)?;
        let inside = [of.moments_up_to(begin_ns), of.moments_before(end_ns)];
        Self::with(trace, thread, [begin_ns, end_ns], inside, counting)
    }

    /// The same where it is known which moments lie strictly `inside`: from the first of them up to
    /// the one after the last. O(log of the stretches that moments are kept in).
    pub fn with(
        trace: &Trace,
        thread: u32,
        [begin_ns, end_ns]: [u64; 2],
        inside: [u32; 2],
        counting: Counting,
    ) -> Option<Self> {
        let of = trace.threads.get(thread as usize).filter(|of| !of.is_empty())?;
        let duration_ns = end_ns.checked_sub(begin_ns).filter(|ns| *ns > 0)?;
        // Samples lie strictly inside: the borders are the moments around it.
        let first = inside[0].saturating_sub(1);
        let last = inside[1].min(of.len() as u32 - 1).max(first);
        let at_moments = of.time_ns(first) == begin_ns && of.time_ns(last) == end_ns;
        let counting = if at_moments { counting } else { Counting::Unknown };
        Some(Self { thread, first, last, number: 0, start_ns: begin_ns, duration_ns, counting })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeated(kind: RegionKind, alias: &str, name: &str) -> Repeated {
        let (alias, name) = (alias.to_owned(), name.to_owned());
        Repeated { kind, may_be_first: true, name, alias, instances: vec![] }
    }

    #[test]
    fn what_repeats_is_meant_by_name_by_alias_or_by_kind() {
        let all = [
            repeated(RegionKind::Iteration, "Iteration:1", "Iteration: from MPI_Send"),
            repeated(RegionKind::Cluster, "Cluster:1", "Cluster 1: after MPI_Recv"),
            repeated(RegionKind::Cluster, "Cluster:2", "Cluster 2: after MPI_Send"),
            repeated(RegionKind::Burst, "Burst:*", "Burst:*"),
        ];
        for (asked, meant) in [
            ("Iteration: from MPI_Send", vec![0]),
            ("Iteration:1", vec![0]),
            ("Cluster:2", vec![2]),
            ("Cluster:*", vec![1, 2]),
            ("Cluster", vec![1, 2]),
            ("Burst:*", vec![3]),
            ("Burst", vec![3]),
            ("Cluster:3", vec![]),
            ("Cluster 1", vec![]),
            ("", vec![]),
        ] {
            let meant = meant.into_iter().map(Region::Repeated).collect::<Vec<_>>();
            assert_eq!(resolve(&all, asked), meant, "{asked}");
        }
    }
}
