//! Bursts as points of a plane, in which those that are alike lie together.

use super::{Burst, Work};
use crate::fit::{Nearest, dbscan_plane, knee};
use crate::glance::Distances;
use crate::order;

/// What bursts are alike in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// ln(instructions) and ln(instructions per cycle).
    Work,
    /// ln(duration).
    Duration,
}

/// Bursts as points. A distance of .10 means 10 % more work, or 10 % slower, in every run: nothing
/// is scaled by the range of the run, so that clusters of two runs can be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    pub axes: Axes,
    /// Of each burst; `None` of one whose work is not known where that is what counts.
    points: Vec<Option<[f64; 2]>>,
    /// The bursts that make clusters, by their places among all, rising.
    used: Vec<u32>,
}

/// The longest bursts that make up this share of the time of all say which clusters there are ...
const COVER: f64 = 0.99;

/// ... but no more than so many, which take some tens of milliseconds.
const MOST_USED: usize = 20_000;

/// Of so many bursts used one more has to be alike, from 4, with which two ranks of two passes are a
/// cluster, to 10.
const BURSTS_PER_POINT: usize = 20;
const LEAST_POINTS: usize = 4;
const MOST_POINTS: usize = 10;

/// A picture of distances has no more pixels.
const MOST_DISTANCES: usize = 1024;

impl Plane {
    /// `work` is of each of `bursts`. All are told apart by their work if it is known of all that are
    /// used, else by their durations. O(n log n).
    pub fn of(bursts: &[Burst], work: &[Option<Work>]) -> Self {
        let used = longest(bursts);
        let is_known = |at: &u32| work.get(*at as usize).is_some_and(Option::is_some);
        let axes = if used.iter().all(is_known) { Axes::Work } else { Axes::Duration };
        let by_work = |work: &Option<Work>| {
            work.map(|work| [libm::log(work.instructions as f64), libm::log(work.ipc())])
        };
        let by_duration = |burst: &Burst| Some([libm::log(burst.duration_ns() as f64), 0.0]);
        let points = match axes {
            Axes::Work => work.iter().map(by_work).collect(),
            Axes::Duration => bursts.iter().map(by_duration).collect(),
        };
        Self { axes, points, used }
    }

    /// The longest bursts, which make the clusters: their places among all, rising.
    pub fn used(&self) -> &[u32] {
        &self.used
    }

    /// Of so many bursts at least, itself counted, a core burst is one.
    pub fn min_points(&self) -> usize {
        (self.used.len() / BURSTS_PER_POINT).clamp(LEAST_POINTS, MOST_POINTS)
    }

    /// Of the bursts used the distances within which [`Self::min_points`] of them lie, rising. O(n
    /// log n) expected.
    pub fn k_distances(&self) -> Vec<f64> {
        let points = self.used_points();
        let mut distances = Nearest::of(&points).distances(self.min_points());
        order::floats(&mut distances);
        distances
    }

    /// The same as a picture needs them, beside `eps`. O(n log n) expected.
    pub fn distances(&self, eps: f64) -> Distances {
        let all = self.k_distances();
        let last = all.len().saturating_sub(1);
        let count = all.len().min(MOST_DISTANCES);
        let thinned = (0..count).filter_map(|at| all.get(at * last / (count - 1).max(1)).copied());
        Distances {
            to_neighbour: thinned.collect(),
            min_points: self.min_points() as u32,
            knee: knee(&all),
            eps,
        }
    }

    /// Of each burst the number of its cluster, in no special order, or 0: by DBSCAN of those used;
    /// another one joins the cluster of the nearest core burst within `eps`. What is no distance is
    /// one of 0. O(n log n).
    pub fn numbers(&self, eps: f64) -> Vec<u32> {
        let eps = eps.max(0.0);
        let points = self.used_points();
        let dense = dbscan_plane(&points, self.min_points(), eps);
        let cores = (0..points.len()).filter(|at| dense.core[*at]).collect::<Vec<_>>();
        let places = cores.iter().map(|at| points[*at]).collect::<Vec<_>>();
        let nearest = Nearest::of(&places);
        let joined = |point: &Option<[f64; 2]>| {
            let core = point.and_then(|point| nearest.within(point, eps));
            core.map_or(0, |core| dense.clusters[cores[core as usize]])
        };
        let mut numbers = Vec::with_capacity(self.points.len());
        let mut used = self.used.iter().zip(&dense.clusters).peekable();
        for (at, point) in (0..).zip(&self.points) {
            let of_used = used.next_if(|(used, _)| **used == at);
            numbers.push(of_used.map_or_else(|| joined(point), |(_, number)| *number));
        }
        numbers
    }

    fn used_points(&self) -> Vec<[f64; 2]> {
        self.used.iter().filter_map(|at| self.points[*at as usize]).collect()
    }
}

/// The longest bursts that make clusters, by their places; of two alike the first.
fn longest(bursts: &[Burst]) -> Vec<u32> {
    let total_ns = bursts.iter().map(|burst| burst.duration_ns() as f64).sum::<f64>();
    let by_duration = order::indices(bursts.iter().map(|burst| u64::MAX - burst.duration_ns()));
    let mut covered_ns = 0.0;
    let is_needed = |at: &u32| {
        let needed = covered_ns < COVER * total_ns;
        covered_ns += bursts[*at as usize].duration_ns() as f64;
        needed
    };
    let mut used =
        by_duration.into_iter().take(MOST_USED).take_while(is_needed).collect::<Vec<_>>();
    order::by_number(&mut used, |at| u64::from(*at));
    used
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// Bursts of one thread, one after the other.
    fn lasting(durations: impl IntoIterator<Item = u64>) -> Vec<Burst> {
        let mut now = 0;
        let burst = |duration| {
            now += duration + 1;
            let (begin_ns, end_ns) = (now - duration, now);
            Burst { thread: 0, begin_ns, end_ns, first: 0, beyond: 0 }
        };
        durations.into_iter().map(burst).collect()
    }

    fn by_duration(durations: impl IntoIterator<Item = u64>) -> Plane {
        let bursts = lasting(durations);
        Plane::of(&bursts, &vec![None; bursts.len()])
    }

    #[test]
    fn the_longest_bursts_that_make_99_percent_are_used() {
        for (durations, used) in [
            (vec![], vec![]),
            (vec![5], vec![0]),
            (vec![9, 900, 1, 90], vec![1, 3]),
            (vec![9, 899, 2, 90], vec![0, 1, 3]),
            (vec![1; 200], (0..198).collect()),
        ] {
            assert_eq!(by_duration(durations).used(), used);
        }
        assert_eq!(by_duration(vec![7; 30_000]).used().len(), 20_000);
    }

    #[test]
    fn one_more_is_needed_of_every_twenty_from_4_to_10() {
        for (count, min_points) in [(0, 4), (99, 4), (101, 5), (180, 8), (5000, 10)] {
            assert_eq!(by_duration(vec![7; count]).min_points(), min_points, "{count}");
        }
    }

    #[test]
    fn bursts_without_work_turn_all_to_durations_unless_they_are_short() {
        let work = |instructions, cycles| Some(Work { instructions, cycles });
        let bursts = lasting([500, 500, 500, 500, 1]);
        let same = [work(1000, 500); 4];
        let plane = Plane::of(&bursts, &[&same[..], &[None]].concat());
        assert_eq!((plane.axes, plane.numbers(0.1)), (Axes::Work, vec![1, 1, 1, 1, 0]));
        let plane = Plane::of(&bursts, &[&[None], &same[..]].concat());
        assert_eq!((plane.axes, plane.numbers(0.1)), (Axes::Duration, vec![1, 1, 1, 1, 0]));
        assert_eq!(plane.k_distances(), [0.0; 4]);
    }

    #[test]
    fn distances_of_a_picture_are_those_of_evenly_many_bursts_with_both_ends() {
        // One hundred that differ by a thousandth, and ten far from all.
        let near = (0..100).map(|at| 1_000_000 + 1_000 * at);
        let far = (0..10).map(|at| 2_000_000 << at);
        let plane = by_duration(near.chain(far));
        let (all, shown) = (plane.k_distances(), plane.distances(0.25));
        assert_eq!((shown.to_neighbour.as_slice(), shown.eps), (all.as_slice(), 0.25));
        assert_eq!(shown.min_points as usize, plane.min_points());
        let knee = shown.knee.unwrap();
        assert!((0.0005..0.01).contains(&knee), "{knee}");

        let plane = by_duration((0..5_000).map(|at| 1_000_000 + at * at));
        let (all, shown) = (plane.k_distances(), plane.distances(0.1).to_neighbour);
        assert!(shown.len() == MOST_DISTANCES && shown.is_sorted());
        assert_eq!((shown.first(), shown.last()), (all.first(), all.last()));
        assert_eq!(
            shown[MOST_DISTANCES / 2],
            all[(MOST_DISTANCES / 2) * (all.len() - 1) / (MOST_DISTANCES - 1)]
        );
        let nothing = by_duration([]).distances(0.1);
        assert_eq!((nothing.to_neighbour, nothing.knee), (vec![], None));
        assert_eq!(by_duration([7]).distances(0.1).to_neighbour.len(), 1);
    }

    #[test]
    fn eps_is_a_ratio_of_instructions_or_of_ipc_whatever_their_size() {
        for scale in [1, 1_000_000_000] {
            for (instructions, cycles, is_alike) in [
                (1000, 500, true),
                (1104, 552, true),
                (1106, 553, false),
                (1000, 552, true),
                (1000, 553, false),
                (1100, 500, false),
            ] {
                let other = Work { instructions: instructions * scale, cycles: cycles * scale };
                let of_four = Work { instructions: 1000 * scale, cycles: 500 * scale };
                let work = [of_four, of_four, of_four, of_four, other].map(Some);
                let plane = Plane::of(&lasting([100; 5]), &work);
                let expected = [1, 1, 1, 1, u32::from(is_alike)];
                assert_eq!(plane.numbers(0.1), expected, "{other:?}");
            }
        }
    }

    #[test]
    fn short_bursts_join_the_cluster_of_the_nearest_core_within_eps() {
        // Instructions in equally many cycles: a ratio of them is √2 of its logarithm away.
        let work = |instructions: u64| Some(Work { instructions, cycles: 1_000_000 });
        // The first is long, and like no other.
        let mut bursts = lasting([1_000_000; 9].into_iter().chain([10; 3]));
        let mut counted = vec![work(9_000_000)];
        counted.extend(vec![work(1_000_000); 4]);
        counted.extend(vec![work(1_170_000); 4]);
        counted.extend([work(1_075_000), work(1_095_000), work(1_300_000)]);
        let plane = Plane::of(&bursts, &counted);
        assert_eq!(plane.used().len(), 9);
        let numbers = plane.numbers(0.12);
        assert_eq!(numbers, [0, 1, 1, 1, 1, 2, 2, 2, 2, 1, 2, 0]);
        bursts.truncate(9);
        assert_eq!(Plane::of(&bursts, &counted[..9]).numbers(0.12), numbers[..9]);
    }

    #[test]
    fn five_kinds_of_bursts_come_out_as_they_were_put_in() {
        let kinds = [(1e9, 2.0), (1e9, 1.4), (3e8, 2.0), (1e6, 0.5), (1.5e6, 0.5)];
        for seed in 0..30 {
            let mut random = Random::new(seed);
            let mut truth = Vec::new();
            let mut work = Vec::new();
            for _ in 0..600 {
                let kind = random.below(5) as usize;
                let (instructions, ipc) = kinds[kind];
                let mut vary = |value: f64| value * (1.0 + 0.04 * (random.uniform() - 0.5));
                let instructions = vary(instructions);
                let cycles = instructions / vary(ipc);
                truth.push(kind);
                let [instructions, cycles] = [instructions, cycles].map(|count| count as u64);
                work.push(Some(Work { instructions, cycles }));
            }
            let numbers = Plane::of(&lasting([1_000_000; 600]), &work).numbers(0.1);
            let mut of_kind = [0; 5];
            for (kind, number) in truth.iter().zip(&numbers) {
                assert!(*number > 0, "{seed}");
                of_kind[*kind] = if of_kind[*kind] == 0 { *number } else { of_kind[*kind] };
                assert_eq!(of_kind[*kind], *number, "{seed}");
            }
            of_kind.sort_unstable();
            assert_eq!(of_kind, [1, 2, 3, 4, 5], "{seed}");
        }
    }
}
