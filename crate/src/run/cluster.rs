//! What is told of the members of a cluster.

use super::stretch::{duration_ns, median};
use super::{Axes, Burst, Edge, Place, Places, Work};
use crate::order;
use crate::trace::Trace;

/// Bursts that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// From 1, by time.
    pub number: u32,
    /// `Cluster 1: after MPI_Recv · 412 (deck.f90)`, or what a typical burst of it does.
    pub name: String,
    /// The call that names it; `None` where none does.
    pub call: Option<String>,
    /// How many they are, how long they take together, and each, in nanoseconds.
    pub bursts: usize,
    pub time_ns: u64,
    pub mean_ns: f64,
    pub median_ns: u64,
    /// The shortest and the longest.
    pub range_ns: (u64, u64),
    /// Of the time of all bursts, and of all threads that have bursts.
    pub share_of_bursts: f64,
    pub share_of_threads: f64,
    /// Per burst of those whose work is known, in the mean; `None` if it is of none.
    pub instructions: Option<f64>,
    /// Of all their instructions and cycles.
    pub ipc: Option<f64>,
    /// The standard error of the mean logarithm of IPC over its bursts; `None` of fewer than four.
    pub ipc_error: Option<f64>,
    /// On how many threads they are, and fewest and most of a thread that has any burst.
    pub threads: usize,
    pub per_thread: (usize, usize),
}

/// Bursts in no cluster, all beside one call.
#[derive(Clone, Debug, PartialEq)]
pub struct OneCall {
    /// `None`: beside no call that is known.
    pub place: Option<Place>,
    /// `after MPI_Recv · 412 (deck.f90)`.
    pub name: String,
    pub bursts: usize,
    pub time_ns: u64,
    pub share_of_threads: f64,
}

/// A cluster is named by a call if this share of its time is beside it.
const ONE_CALL: f64 = 0.8;

/// Bursts of one call that take this share of the run on some thread are told of, alike or not.
const MUCH_OF_RUN: f64 = 0.1;

/// What is known of all bursts.
pub(super) struct Facts<'run> {
    bursts: &'run [Burst],
    work: &'run [Option<Work>],
    places: &'run Places,
    axes: Axes,
    run_ns: u64,
    bursts_ns: f64,
    threads_ns: f64,
    /// Threads that have bursts.
    threads: usize,
}

impl<'run> Facts<'run> {
    /// `work`, and what `places` has, are of each of `bursts`, which come by thread.
    pub fn of(
        trace: &Trace,
        bursts: &'run [Burst],
        work: &'run [Option<Work>],
        places: &'run Places,
        axes: Axes,
    ) -> Self {
        let of_threads = bursts.chunk_by(|a, b| a.thread == b.thread);
        let threads = of_threads
            .clone()
            .filter_map(|of_thread| trace.threads.get(of_thread.first()?.thread as usize));
        Self {
            bursts,
            work,
            places,
            axes,
            run_ns: trace.duration_ns,
            bursts_ns: bursts.iter().map(|burst| burst.duration_ns() as f64).sum(),
            threads_ns: threads.map(|thread| duration_ns(thread.lifetime_ns()) as f64).sum(),
            threads: of_threads.count(),
        }
    }

    fn burst(&self, at: u32) -> &Burst {
        &self.bursts[at as usize]
    }

    /// The cluster of these bursts, of which there is one, by their places among all, rising.
    pub fn cluster(&self, number: u32, members: &[u32]) -> Cluster {
        let durations = members.iter().map(|at| self.burst(*at).duration_ns()).collect::<Vec<_>>();
        let time_ns = durations.iter().copied().fold(0, u64::saturating_add);
        let least = durations.iter().copied().min().unwrap_or(0);
        let most = durations.iter().copied().max().unwrap_or(0);
        let work = members.iter().filter_map(|at| self.work[*at as usize]);
        let instructions = work.clone().map(|work| work.instructions as f64).sum::<f64>();
        let cycles = work.clone().map(|work| work.cycles as f64).sum::<f64>();
        let logs = work.clone().map(|work| libm::log(work.ipc())).collect::<Vec<_>>();
        let counted = work.count();
        let per_thread = self.per_thread(members);
        let cluster = Cluster {
            number,
            name: String::new(),
            call: None,
            bursts: members.len(),
            time_ns,
            mean_ns: time_ns as f64 / members.len().max(1) as f64,
            median_ns: median(durations).unwrap_or(0),
            range_ns: (least, most),
            share_of_bursts: time_ns as f64 / self.bursts_ns,
            share_of_threads: time_ns as f64 / self.threads_ns,
            instructions: (counted > 0).then(|| instructions / counted as f64),
            ipc: (counted > 0).then(|| instructions / cycles),
            ipc_error: (counted >= FEWEST).then(|| error_of_mean(&logs)),
            threads: per_thread.len(),
            per_thread: (
                if per_thread.len() < self.threads {
                    0
                } else {
                    per_thread.iter().copied().min().unwrap_or(0)
                },
                per_thread.iter().copied().max().unwrap_or(0),
            ),
        };
        let place = self.usual_place(members, time_ns).and_then(|place| self.places.name(place));
        let what = place.clone().unwrap_or_else(|| self.typical(&cluster));
        Cluster { name: format!("Cluster {number}: {what}"), call: place, ..cluster }
    }

    /// How many of these bursts are on each thread that has some of them.
    fn per_thread(&self, members: &[u32]) -> Vec<usize> {
        let thread = |at: &u32| self.burst(*at).thread;
        members.chunk_by(|a, b| thread(a) == thread(b)).map(<[u32]>::len).collect()
    }

    /// The call beside which most of the time of these bursts is.
    fn usual_place(&self, members: &[u32], time_ns: u64) -> Option<Place> {
        let mut placed = members.to_vec();
        let key = |at: u32| key(self.places.of_bursts[at as usize]);
        order::by_number(&mut placed, |at| key(*at));
        let usual = placed.chunk_by(|a, b| key(*a) == key(*b)).find(|at_one| {
            let beside_ns = at_one.iter().map(|at| self.burst(*at).duration_ns() as f64);
            beside_ns.sum::<f64>() >= ONE_CALL * time_ns as f64
        });
        self.places.of_bursts[*usual?.first()? as usize]
    }

    /// What a burst of the cluster does, where no call names it.
    fn typical(&self, cluster: &Cluster) -> String {
        match (self.axes, cluster.instructions, cluster.ipc) {
            (Axes::Work, Some(instructions), Some(ipc)) => {
                format!("{instructions:.1e} instructions, IPC {ipc:.1}")
            }
            _ => duration(cluster.median_ns),
        }
    }

    /// Of the bursts whose number is 0 those beside calls that have much of the run.
    pub fn calls(&self, numbers: &[u32]) -> Vec<OneCall> {
        // Of each place, the one that is not known last.
        let count = 2 * self.places.names.len() + 1;
        let mut of_place = vec![(0usize, 0u64); count];
        let mut most_of_thread = vec![0u64; count];
        let mut of_thread = vec![0u64; count];
        let apart = (0..self.bursts.len() as u32).filter(|at| numbers[*at as usize] == 0);
        let apart = apart.collect::<Vec<_>>();
        let slot = |at: u32| (key(self.places.of_bursts[at as usize]) as usize).min(count - 1);
        for at_thread in apart.chunk_by(|a, b| self.burst(*a).thread == self.burst(*b).thread) {
            for &at in at_thread {
                let duration_ns = self.burst(at).duration_ns();
                let (bursts, time_ns) = &mut of_place[slot(at)];
                (*bursts, *time_ns) = (*bursts + 1, time_ns.saturating_add(duration_ns));
                let here = &mut of_thread[slot(at)];
                *here = here.saturating_add(duration_ns);
            }
            for &at in at_thread {
                let here = std::mem::take(&mut of_thread[slot(at)]);
                most_of_thread[slot(at)] = most_of_thread[slot(at)].max(here);
            }
        }
        let is_much = |ns: u64| ns > 0 && ns as f64 >= MUCH_OF_RUN * self.run_ns as f64;
        let much = (0..count).filter(|slot| is_much(most_of_thread[*slot]));
        let mut calls = much
            .map(|slot| {
                let (bursts, time_ns) = of_place[slot];
                let place = (slot + 1 < count).then(|| place(slot as u64));
                let name = place.and_then(|place| self.places.name(place));
                let name = name.unwrap_or_else(|| "beside no call that is known".to_owned());
                let share_of_threads = time_ns as f64 / self.threads_ns;
                OneCall { place, name, bursts, time_ns, share_of_threads }
            })
            .collect::<Vec<_>>();
        order::by_number(&mut calls, |call| u64::MAX - call.time_ns);
        calls
    }
}

/// Fewer bursts tell no error.
const FEWEST: usize = 4;

/// Of several values.
fn error_of_mean(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (squares / (count - 1.0) / count).sqrt()
}

/// Places as numbers; what is not known comes last.
fn key(place: Option<Place>) -> u64 {
    place.map_or(u64::MAX, |(name, edge)| 2 * u64::from(name) + u64::from(edge == Edge::Exit))
}

fn place(key: u64) -> Place {
    ((key / 2) as u32, if key % 2 == 1 { Edge::Exit } else { Edge::Begin })
}

/// With the unit in which it has one to three digits before the point.
fn duration(ns: u64) -> String {
    let (unit, of_unit) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => ("µs", 1e3),
        1_000_000..1_000_000_000 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    format!("{:.1} {unit}", ns as f64 / of_unit)
}
