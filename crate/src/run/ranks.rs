//! Loops that several ranks have.

use super::rotation::Passes;
use crate::order;

/// A loop of one rank, or the same loop of several.
struct Shared {
    /// By rank.
    passes: Vec<Passes>,
    count: u32,
    /// Of all its sites, rising.
    labels: Vec<u32>,
}

impl Shared {
    fn in_common(&self, labels: &[u32]) -> usize {
        labels.iter().filter(|label| self.labels.binary_search(label).is_ok()).count()
    }

    fn join(&mut self, passes: Passes, labels: &[u32]) {
        let all = self.labels.iter().chain(labels).map(|label| u64::from(*label));
        self.labels = order::distinct(all).into_iter().map(|label| label as u32).collect();
        self.passes.push(passes);
    }

    fn has(&self, rank: u32) -> bool {
        self.passes.last().is_some_and(|passes| passes.rank == rank)
    }
}

/// Loops of each rank, which come by rank, to loops of all: those that are passed equally often are
/// one. Where a rank has several, those that share most labels of sites are; if most labels are
/// shared, the trace may have cut off a pass of one. O(sites), with few loops of each count.
pub(super) fn shared(of_ranks: Vec<Vec<Passes>>, labels: &[u32]) -> Vec<Vec<Passes>> {
    let mut shared: Vec<Shared> = Vec::new();
    for of_rank in of_ranks {
        let mut strangers = Vec::new();
        for passes in of_rank {
            let own = labels_of(&passes, labels);
            match most_in_common(&shared, &passes, &own) {
                Some(at) => shared[at].join(passes, &own),
                None => strangers.push((passes, own)),
            }
        }
        for (passes, own) in strangers {
            let is_same = |one: &&mut Shared| one.count == passes.count && !one.has(passes.rank);
            match shared.iter_mut().find(is_same) {
                Some(one) => one.join(passes, &own),
                None => {
                    let count = passes.count;
                    shared.push(Shared { passes: vec![passes], count, labels: own });
                }
            }
        }
    }
    shared.into_iter().map(|one| one.passes).collect()
}

/// The different labels of the sites, rising.
fn labels_of(passes: &Passes, labels: &[u32]) -> Vec<u32> {
    let known = passes.sites.iter().filter_map(|&site| labels.get(site as usize));
    let distinct = order::distinct(known.map(|label| u64::from(*label)));
    distinct.into_iter().map(|label| label as u32).collect()
}

/// The loop that shares most labels; of those alike the one passed equally often, then the first.
fn most_in_common(shared: &[Shared], passes: &Passes, labels: &[u32]) -> Option<usize> {
    let mut best = None;
    for (at, one) in shared.iter().enumerate() {
        let difference = one.count.abs_diff(passes.count);
        if difference > 1 || one.has(passes.rank) {
            continue;
        }
        let in_common = one.in_common(labels);
        let enough = if difference == 0 { in_common > 0 } else { 2 * in_common > labels.len() };
        let merit = (in_common, difference == 0);
        if enough && best.is_none_or(|(most, _)| merit > most) {
            best = Some((merit, at));
        }
    }
    best.map(|(_, at)| at)
}
