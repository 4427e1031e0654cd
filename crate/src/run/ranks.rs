//! Loops that several ranks have.

use super::rotation::Passes;
use crate::order;

/// A loop of one rank, or the same loop of several.
struct Shared {
    /// By rank.
    passes: Vec<Passes>,
    count: u32,
    /// Of its sites on the first rank, rising; others have them too, or are told by the count.
    labels: Vec<u32>,
}

impl Shared {
    fn in_common(&self, labels: &[u32]) -> usize {
        labels.iter().filter(|label| self.labels.binary_search(label).is_ok()).count()
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
                Some(at) => shared[at].passes.push(passes),
                None => strangers.push((passes, own)),
            }
        }
        for (passes, own) in strangers {
            let is_same = |one: &&mut Shared| one.count == passes.count && !one.has(passes.rank);
            match shared.iter_mut().find(is_same) {
                Some(one) => one.passes.push(passes),
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

#[cfg(test)]
mod tests {
    use super::super::made_up::{Thread, repeats, repeats_with};
    use super::super::{Boundary, Edge};

    fn looping(passes: usize, sites: impl IntoIterator<Item = u32> + Clone) -> Thread {
        let mut thread = Thread::new();
        thread.work(1000);
        (0..passes).for_each(|_| thread.pass(sites.clone(), 100));
        thread
    }

    #[test]
    fn even_ranks_send_first_and_odd_ones_receive_first_in_one_loop() {
        let threads = [[0, 1, 2, 3, 4], [1, 0, 2, 3, 4]].map(|sites| looping(20, sites));
        let threads = [0, 1, 0, 1, 0].map(|parity: usize| threads[parity].clone());
        let levels = repeats(&threads).unwrap();
        assert_eq!((levels.len(), levels[0].agreement), (1, 1.0));
        let boundaries = levels[0].ranks.iter().map(|passes| passes.boundary.site);
        assert_eq!(boundaries.collect::<Vec<_>>(), [0, 1, 0, 1, 0]);
        assert_eq!(levels[0].boundary, (0, Edge::Begin));
    }

    #[test]
    fn two_loops_passed_equally_often_are_told_apart_by_the_labels_of_their_sites() {
        // The ranks run them in different order, and call the same places differently.
        let thread = |first: u32, second: u32| {
            let mut thread = looping(20, first..first + 5);
            (0..20).for_each(|_| thread.pass(second..second + 4, 125));
            thread
        };
        let threads = [thread(0, 5), thread(15, 10), thread(20, 25)];
        let labels = (0..30).map(|site| 100 + site % 10).collect::<Vec<_>>();
        let levels = repeats_with(&threads, &labels).unwrap();
        let first_sites = |at: usize| levels[at].ranks.iter().map(|passes| passes.sites[0]);
        assert_eq!(levels.len(), 2);
        assert_eq!(first_sites(0).collect::<Vec<_>>(), [0, 10, 20]);
        assert_eq!(first_sites(1).collect::<Vec<_>>(), [5, 15, 25]);
        assert_eq!([levels[0].boundary.0, levels[1].boundary.0], [100, 105]);
    }

    #[test]
    fn two_loops_of_one_rank_stay_two_though_they_call_the_same_places() {
        let mut thread = looping(20, 0..5);
        (0..20).for_each(|_| thread.pass(5..10, 100));
        let labels = (0..10).map(|site| site % 5).collect::<Vec<_>>();
        let levels = repeats_with(&[thread.clone(), thread], &labels).unwrap();
        let ranks = levels.iter().map(|level| level.ranks.len()).collect::<Vec<_>>();
        assert_eq!(ranks, [2, 2]);
    }

    #[test]
    fn ranks_that_call_other_places_equally_often_pass_the_same_loop() {
        let threads = [looping(20, 0..5), looping(20, 5..9), looping(20, 3..8)];
        let levels = repeats(&threads).unwrap();
        assert_eq!((levels.len(), levels[0].agreement, levels[0].count), (1, 1.0, 20));
        assert_eq!(levels[0].ranks[1].boundary, Boundary { site: 5, edge: Edge::Begin });
    }

    #[test]
    fn a_rank_of_which_the_trace_has_one_pass_less_is_in_the_same_loop() {
        let threads = [looping(20, 0..5), looping(19, 0..5), looping(20, 0..5)];
        let levels = repeats(&threads).unwrap();
        assert_eq!((levels.len(), levels[0].agreement, levels[0].count), (1, 1.0, 20));
        let passes = levels[0].ranks.iter().map(|passes| passes.instances_ns.len());
        assert_eq!(passes.collect::<Vec<_>>(), [20, 19, 20]);
    }

    #[test]
    fn ranks_that_pass_a_loop_of_other_places_once_less_have_another_loop() {
        let threads = [looping(20, 0..5), looping(19, 5..10), looping(20, 0..5)];
        let levels = repeats(&threads).unwrap();
        assert_eq!((levels.len(), levels[0].ranks.len()), (1, 2));
    }
}
