use super::cluster::{Cluster, Facts, OneCall};
use super::{Axes, Burst, Plane, Work, places, work};
use crate::order;
use crate::trace::Trace;

/// Bursts that are alike, in clusters by density, and what is left.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    /// What bursts are alike in.
    pub axes: Axes,
    /// How far apart bursts that are alike may be.
    pub eps: f64,
    pub min_points: usize,
    /// How many of the longest bursts made the clusters, and how many of these have no instructions
    /// or no cycles: of a single one without, all are told apart by their durations.
    pub used: usize,
    pub without_work: usize,
    /// Number 1 first.
    pub clusters: Vec<Cluster>,
    /// Bursts in no cluster, by the call beside them: those calls beside which some thread spends a
    /// tenth of the run, most time first.
    pub calls: Vec<OneCall>,
    /// Of each burst.
    numbers: Vec<u32>,
}

/// The clusters of `bursts`, which come by thread, then begin, with `eps` as in [`EPS`](crate::instance::EPS).
///
/// Clusters are numbered from 1 by their time, of two alike the one that is met first. Any input has
/// an answer; without bursts there is no cluster. O(events + n log n).
pub fn clusters(trace: &Trace, bursts: &[Burst], eps: f64) -> Clusters {
    clusters_by(trace, bursts, &work(trace, bursts), eps)
}

/// The same of bursts whose work is known. O(events + n log n).
pub(super) fn clusters_by(
    trace: &Trace,
    bursts: &[Burst],
    work: &[Option<Work>],
    eps: f64,
) -> Clusters {
    let plane = Plane::of(bursts, work);
    let numbers = by_time(bursts, plane.numbers(eps));
    let places = places(trace, bursts);
    let without_work = plane.used().iter().filter(|at| work[**at as usize].is_none()).count();
    let facts = Facts::of(trace, bursts, work, &places, plane.axes);
    Clusters {
        axes: plane.axes,
        eps,
        min_points: plane.min_points(),
        used: plane.used().len(),
        without_work,
        clusters: members(&numbers)
            .map(|(number, members)| facts.cluster(number, &members))
            .collect(),
        calls: facts.calls(&numbers),
        numbers,
    }
}

/// The same clusters, numbered from 1 by their time.
fn by_time(bursts: &[Burst], mut numbers: Vec<u32>) -> Vec<u32> {
    let most = numbers.iter().copied().max().unwrap_or(0) as usize;
    let mut times_ns = vec![0u64; most + 1];
    let mut first = vec![u32::MAX; most + 1];
    for ((at, burst), number) in (0..).zip(bursts).zip(&numbers) {
        let number = *number as usize;
        times_ns[number] = times_ns[number].saturating_add(burst.duration_ns());
        first[number] = first[number].min(at);
    }
    let mut order = (1..=most as u32).collect::<Vec<_>>();
    order::by_number(&mut order, |number| u64::from(first[*number as usize]));
    order::by_number(&mut order, |number| u64::MAX - times_ns[*number as usize]);
    let mut new = vec![0; most + 1];
    for (number, old) in (1..).zip(order) {
        new[old as usize] = number;
    }
    numbers.iter_mut().for_each(|number| *number = new[*number as usize]);
    numbers
}

/// The members of each cluster, rising, by number from 1.
fn members(numbers: &[u32]) -> impl Iterator<Item = (u32, Vec<u32>)> {
    let mut by_number = order::indices(numbers.iter().map(|number| u64::from(*number)));
    let apart = by_number.partition_point(|at| numbers[*at as usize] == 0);
    let rest = by_number.split_off(apart);
    let of_one = rest.chunk_by(|a, b| numbers[*a as usize] == numbers[*b as usize]);
    (1..).zip(of_one.map(<[u32]>::to_vec).collect::<Vec<_>>())
}

impl Clusters {
    /// The number of the cluster of a burst, by its place among all; 0 of one in none.
    pub fn of(&self, burst: u32) -> u32 {
        self.numbers.get(burst as usize).copied().unwrap_or(0)
    }

    /// Why there is nothing to show, in words; `None` where there is something.
    pub fn why_none(&self) -> Option<String> {
        let Self { used, min_points, eps, .. } = self;
        if !(self.clusters.is_empty() && self.calls.is_empty()) {
            return None;
        }
        Some(match used {
            0 => "No bursts: nothing says when a thread computes.".to_owned(),
            few if few < min_points => format!(
                "No clusters: fewer than {min_points} bursts make up the time that is computed."
            ),
            _ => format!(
                "No clusters: of the {used} longest bursts nowhere are {min_points} alike within {eps}."
            ),
        })
    }

    /// How the clusters were found, in words.
    pub fn sentence(&self) -> String {
        let Self { used, eps, .. } = self;
        let by = match (self.axes, self.without_work) {
            (Axes::Work, _) => "by instructions and IPC".to_owned(),
            (Axes::Duration, without) if without == *used => {
                "by duration: none has both instructions and cycles".to_owned()
            }
            (Axes::Duration, without) => {
                format!("by duration: {without} of them without instructions or cycles")
            }
        };
        let longest = if *used == 1 { String::new() } else { format!("{used} ") };
        let bursts = if *used == 1 { "burst" } else { "bursts" };
        format!("From the {longest}longest {bursts}, with Eps {eps}, {by}.")
    }

    /// Of each thread that has bursts (index into [`Trace::threads`]), the clusters of its `bursts`
    /// by time; those in none are left out.
    pub fn sequences(&self, bursts: &[Burst]) -> Vec<(u32, Vec<u32>)> {
        let numbered = bursts.iter().zip(&self.numbers).collect::<Vec<_>>();
        let of_threads = numbered.chunk_by(|(a, _), (b, _)| a.thread == b.thread);
        let sequence = |of_thread: &[(&Burst, &u32)]| {
            let numbers = of_thread.iter().map(|(_, number)| **number);
            (of_thread[0].0.thread, numbers.filter(|number| *number > 0).collect())
        };
        of_threads.map(sequence).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_numbered_by_time_and_alike_ones_as_they_are_met() {
        let mut now = 0;
        let bursts = [5, 1, 3, 3, 9, 1].map(|duration| {
            now += 10;
            Burst { thread: 0, begin_ns: now, end_ns: now + duration, first: 0, beyond: 0 }
        });
        // 5 + 1, 1 + 9, 3 + 3; the first and the last take equally long.
        let numbers = by_time(&bursts, vec![3, 2, 1, 1, 2, 3]);
        assert_eq!(numbers, [2, 1, 3, 3, 1, 2]);
        assert_eq!(by_time(&bursts, vec![0, 2, 1, 1, 0, 0]), [0, 2, 1, 1, 0, 0]);
        assert_eq!(by_time(&[], vec![]), [0u32; 0]);
        let members = members(&numbers).collect::<Vec<_>>();
        assert_eq!(members, [(1, vec![1, 4]), (2, vec![0, 5]), (3, vec![2, 3])]);
        assert_eq!(super::members(&[0, 0]).count(), 0);
    }
}
