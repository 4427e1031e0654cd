//! What threads do while instances run: shares over folded time that are exact integrals.

use super::bursts::{stretches, tasks};
use super::cells::{CELLS, Cells, cell_ns, place};
use super::computing::Calls;
use super::doing::{Change, Doings};
use super::passed::balance;
use super::sites::Naming;
use crate::folding::{Activity, ActivityPart, Doing, Lowest};
use crate::instance::{BurstsFrom, Instance};
use crate::order;
use crate::trace::{Thread, Trace};

/// What the threads of these instances of one region do while they run, with bursts by what `from`
/// says; `None` where nothing tells when they compute.
///
/// An instance of the first thread of a task tells of all threads of the task that ever compute,
/// unless other threads of it have instances, too: then each tells of its own thread. O(events of the
/// tasks + instances × threads × log events).
#[inline(never)]
pub fn activity(trace: &Trace, instances: &[&Instance], from: BurstsFrom) -> Option<Activity> {
    let doings = Doings::of(trace);
    if !doings.has_calls() && trace.threads.iter().all(|thread| thread.running_ns().is_empty()) {
        return None;
    }
    let threads = threads_of(trace, &doings, instances, from);
    let mut sums = Sums::default();
    let (mut all_ns, mut useful_ns, mut most_ns) = (0u128, 0u128, 0u128);
    for OneThread { changes, instances, .. } in &threads {
        let mut own_ns = 0;
        for instance in instances {
            all_ns += u128::from(instance.duration_ns);
            own_ns += sums.add(changes, instance);
        }
        useful_ns += own_ns;
        most_ns = most_ns.max(own_ns);
    }
    let shares = sums.shares(all_ns)?;
    let [all, useful, most] = [all_ns, useful_ns, most_ns].map(|ns| ns as f64);
    let is_done = |part: &ActivityPart| part.shares.iter().any(|share| *share > 0.0);
    let count = threads.len() as f64;
    let part = |(doing, shares)| ActivityPart { doing, shares };
    Some(Activity {
        threads: threads.len() as u32,
        efficiency: useful / all,
        load_balance: if most > 0.0 { useful / count / most } else { 0.0 },
        communication: most / (all / count),
        lowest: lowest(trace, &threads, &shares[0]),
        of_phases: vec![],
        parts: Doing::ALL.into_iter().zip(shares).map(part).filter(is_done).collect(),
    })
}

/// Of each stretch of folded time the load balance of the same threads in it: mean over largest time
/// that they compute; `None` where none does. O(events of the tasks + instances × stretches × threads ×
/// log events).
#[inline(never)]
pub fn balances(
    trace: &Trace,
    instances: &[&Instance],
    from: BurstsFrom,
    stretches: &[[f64; 2]],
) -> Vec<Option<f64>> {
    let threads = threads_of(trace, &Doings::of(trace), instances, from);
    let balance = |ends: &[f64; 2]| {
        let useful_ns = threads.iter().map(|thread| thread.computes_ns(*ends));
        let useful_ns = useful_ns.collect::<Vec<_>>();
        useful_ns.iter().any(|ns| *ns > 0.0).then(|| balance(&useful_ns))
    };
    stretches.iter().map(balance).collect()
}

/// A thread that instances tell of.
struct OneThread<'all> {
    thread: &'all Thread,
    changes: Vec<Change>,
    instances: Vec<&'all Instance>,
}

fn threads_of<'all>(
    trace: &'all Trace,
    doings: &Doings<'_>,
    instances: &[&'all Instance],
    from: BurstsFrom,
) -> Vec<OneThread<'all>> {
    let calls = Calls::of(trace, from);
    let mut by_thread = vec![Vec::new(); trace.threads.len()];
    for instance in instances {
        by_thread[instance.thread as usize].push(*instance);
    }
    let mut all = Vec::new();
    let mut rest = by_thread.as_slice();
    for task in tasks(trace) {
        let (own, others) = rest.split_at(task.len());
        rest = others;
        let has_instances = |(_, own): &(&Thread, &Vec<&Instance>)| !own.is_empty();
        let mut with_instances = task.iter().zip(own).filter(has_instances);
        let (first, is_one) = (with_instances.next(), with_instances.next().is_none());
        let Some((first, of_first)) = first else { continue };
        let tells_of_all = is_one && first.object.thread == 1;
        let in_no_call = doings.in_no_call(task);
        for ((thread, own), computes) in task.iter().zip(own).zip(stretches(&calls, task, from)) {
            let instances = if tells_of_all { of_first } else { own };
            if instances.is_empty() || computes.is_empty() {
                continue;
            }
            let changes = doings.of_thread(thread, &computes, in_no_call(thread));
            all.push(OneThread { thread, changes, instances: instances.clone() });
        }
    }
    all
}

impl OneThread<'_> {
    /// How long it computes in a stretch of folded time, in all instances.
    fn computes_ns(&self, ends: [f64; 2]) -> f64 {
        let mut useful_ns = 0.0;
        for instance in &self.instances {
            // Stretches that touch share the nanosecond at which they do.
            let ends_ns = ends
                .map(|x| instance.start_ns + libm::round(x * instance.duration_ns as f64) as u64);
            let does = between(&self.changes, ends_ns);
            let computes = does.filter(|(change, ..)| change.doing == Doing::Computing);
            useful_ns += computes.map(|(_, from_ns, to_ns)| (to_ns - from_ns) as f64).sum::<f64>();
        }
        useful_ns
    }
}

/// What a thread does between two times: the change, and from when to when.
pub(super) fn between(
    changes: &[Change],
    [begin_ns, end_ns]: [u64; 2],
) -> impl Iterator<Item = (&Change, u64, u64)> {
    let begun = changes.partition_point(|change| change.since_ns <= begin_ns);
    let changes = &changes[begun.saturating_sub(1)..];
    let ends = changes.iter().skip(1).map(|next| next.since_ns).chain([u64::MAX]);
    let inside = changes.iter().zip(ends).take_while(move |(change, _)| change.since_ns < end_ns);
    inside.map(move |(change, to_ns)| (change, change.since_ns.max(begin_ns), to_ns.min(end_ns)))
}

/// Time by what is done and by cell.
#[derive(Default)]
struct Sums([Cells; Doing::ALL.len()]);

impl Sums {
    /// Adds an instance of a thread, and tells for how many nanoseconds it computes. O(changes in it).
    fn add(&mut self, changes: &[Change], instance: &Instance) -> u128 {
        let mut useful_ns = 0;
        let times_ns = [instance.start_ns, instance.start_ns + instance.duration_ns];
        for (change, from_ns, to_ns) in between(changes, times_ns) {
            self.0[change.doing as usize].add(instance, [from_ns, to_ns]);
            if change.doing == Doing::Computing {
                useful_ns += u128::from(to_ns - from_ns);
            }
        }
        useful_ns
    }

    /// Shares of each cell; `None` if the instances have no time.
    fn shares(&self, all_ns: u128) -> Option<[Vec<f64>; Doing::ALL.len()]> {
        (all_ns > 0).then(|| self.0.each_ref().map(|cells| cells.shares(all_ns)))
    }
}

/// The first cell of which the smallest share computes, and the call that most of the rest of it is
/// spent in.
fn lowest(trace: &Trace, threads: &[OneThread<'_>], computing: &[f64]) -> Option<Lowest> {
    let by_share = |(_, a): &(usize, &f64), (_, b): &(usize, &f64)| a.total_cmp(b);
    let (cell, share) = computing.iter().enumerate().min_by(by_share)?;
    let mut naming = Naming::of(trace);
    // By label the time in its calls, in the units of `place`.
    let mut by_label: Vec<(u32, u128)> = Vec::new();
    for OneThread { thread, changes, instances } in threads {
        for instance in instances {
            let units_of = |time_ns: u64| match place(instance, time_ns) {
                (own, units) if own == cell => units,
                (own, _) if own < cell => 0,
                _ => u128::from(instance.duration_ns),
            };
            for (change, from_ns, to_ns) in between(changes, cell_ns(instance, cell)) {
                let (Some((at, event)), units) = (change.call, units_of(to_ns) - units_of(from_ns))
                else {
                    continue;
                };
                let site = naming.site(event, &thread.moment(at as usize)) as usize;
                if let Some(label) = naming.found.labels.get(site) {
                    *order::entry(&mut by_label, *label) += units;
                }
            }
        }
    }
    // The first of those that take as long.
    let most = by_label.iter().rev().max_by_key(|(_, units)| *units);
    let call = most.and_then(|(label, _)| naming.found.names.get(*label as usize).cloned());
    let is_lost = *share < 1.0;
    is_lost.then(|| Lowest { at: (cell as f64 + 0.5) / CELLS as f64, computing: *share, call })
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::super::made_up::{
        BARRIER, COLLECTIVE, INSTRUCTIONS, IO, OTHER_MPI, POINT_TO_POINT, Program,
    };
    use super::*;
    use crate::instance::Counting;

    fn instance(thread: u32, start_ns: u64, end_ns: u64) -> Instance {
        Instance {
            thread,
            first: 0,
            last: 0,
            number: 0,
            start_ns,
            duration_ns: end_ns - start_ns,
            counting: Counting::Every,
        }
    }

    /// Instances of threads: index, begin and end.
    fn of(trace: &Trace, instances: &[(u32, u64, u64)]) -> Option<Activity> {
        let instances =
            instances.iter().map(|&(thread, start_ns, end_ns)| instance(thread, start_ns, end_ns));
        let instances = instances.collect::<Vec<_>>();
        activity(trace, &instances.iter().collect::<Vec<_>>(), BurstsFrom::Auto)
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    /// The share of what is done in the middle of each eighth.
    fn eighths(activity: &Activity, doing: Doing) -> [f64; 8] {
        [0, 1, 2, 3, 4, 5, 6, 7].map(|eighth| {
            activity.share(doing, activity.cells() * eighth / 8 + activity.cells() / 16)
        })
    }

    /// A pass of 800 ns, and one of twice that.
    fn two_passes() -> Program {
        let mut program = Program::lasting(2400);
        let rank = [1, 1, 1];
        program.computes(rank, 0, 400, &[[POINT_TO_POINT, 2]]);
        program.reads(rank, 800, &[[POINT_TO_POINT, 0]]);
        program.computes(rank, 800, 2200, &[[COLLECTIVE, 1]]);
        program.reads(rank, 2400, &[[COLLECTIVE, 0], [INSTRUCTIONS, 1]]);
        program
    }

    #[test]
    fn shares_are_weighted_by_duration_and_their_mean_is_the_efficiency() {
        let activity = of(&two_passes().trace(), &[(0, 0, 800), (0, 800, 2400)]).unwrap();
        let [third, two] = [1.0 / 3.0, 2.0 / 3.0];
        let computing = [1.0, 1.0, 1.0, 1.0, two, two, two, 0.0];
        assert_eq!(eighths(&activity, Doing::Computing), computing);
        let waiting = [0.0, 0.0, 0.0, 0.0, third, third, third, third];
        assert_eq!(eighths(&activity, Doing::PointToPoint), waiting);
        assert_eq!(eighths(&activity, Doing::Collective)[6..], [0.0, two]);
        assert_eq!((activity.threads, activity.efficiency), (1, 1800.0 / 2400.0));
        assert_eq!((activity.load_balance, activity.communication), (1.0, 0.75));
        let lowest = activity.lowest.unwrap();
        assert_eq!((lowest.computing, lowest.call.as_deref()), (0.0, Some("call 1")));
        assert_eq!(lowest.at, (896.0 + 0.5) / 1024.0);
    }

    #[test]
    fn ranks_that_compute_unlike_make_the_balance() {
        let mut program = Program::lasting(1000);
        for (rank, useful_ns) in [(1, 900), (2, 600), (3, 300)] {
            program.computes([1, rank, 1], 0, useful_ns, &[[COLLECTIVE, 10]]);
            program.reads([1, rank, 1], 1000, &[[COLLECTIVE, 0], [INSTRUCTIONS, 1]]);
        }
        let ranks = [(0, 0, 1000), (1, 0, 1000), (2, 0, 1000)];
        let activity = of(&program.trace(), &ranks).unwrap();
        assert_eq!(activity.threads, 3);
        near(activity.efficiency, 0.6);
        near(activity.load_balance, 2.0 / 3.0);
        near(activity.communication, 0.9);
        // In the first third all compute, in the last nobody does.
        let instances = ranks.map(|(thread, start_ns, end_ns)| instance(thread, start_ns, end_ns));
        let instances = instances.each_ref();
        let stretches = [[0.0, 0.3], [0.3, 0.6], [0.6, 0.9], [0.9, 1.0], [0.0, 1.0]];
        let found = balances(&program.trace(), &instances, BurstsFrom::Auto, &stretches);
        let two = 2.0 / 3.0;
        assert_eq!(found, [Some(1.0), Some(two), Some(1.0 / 3.0), None, Some(two)]);
    }

    /// A master whose two workers help from 200 to 600 and wait before and after.
    fn with_workers() -> Program {
        let mut program = Program::lasting(1000);
        program.computes([1, 1, 1], 0, 800, &[[POINT_TO_POINT, 1]]);
        program.reads([1, 1, 1], 1000, &[[POINT_TO_POINT, 0], [INSTRUCTIONS, 1]]);
        for worker in [2, 3] {
            program.computes([1, 1, worker], 200, 600, &[[BARRIER, 1]]);
            program.reads([1, 1, worker], 700, &[[BARRIER, 0]]);
        }
        program
    }

    #[test]
    fn the_first_thread_of_a_task_tells_of_all_that_compute_and_idle_ones_wait_for_openmp() {
        let mut program = with_workers();
        // It is there, and never computes: what it is for nobody knows.
        program.reads([1, 1, 4], 500, &[[INSTRUCTIONS, 1]]);
        let activity = of(&program.trace(), &[(0, 0, 1000)]).unwrap();
        assert_eq!(activity.threads, 3);
        near(activity.efficiency, 1600.0 / 3000.0);
        let half = 1.0 / 3.0;
        let eighths = eighths(&activity, Doing::OpenMp).map(|share| (share / half).round());
        assert_eq!(eighths, [2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0]);
    }

    #[test]
    fn threads_with_instances_of_their_own_tell_of_themselves() {
        let trace = with_workers().trace();
        let both = of(&trace, &[(0, 0, 1000), (1, 200, 600)]).unwrap();
        assert_eq!(both.threads, 2);
        near(both.efficiency, 1200.0 / 1400.0);
        let worker = of(&trace, &[(2, 100, 700)]).unwrap();
        assert_eq!(worker.threads, 1);
        near(worker.efficiency, 400.0 / 600.0);
    }

    #[test]
    fn where_nothing_tells_when_a_thread_computes_there_is_no_activity() {
        let mut silent = Program::lasting(1000);
        silent.reads([1, 1, 1], 0, &[[INSTRUCTIONS, 1]]);
        silent.reads([1, 1, 1], 900, &[[INSTRUCTIONS, 1]]);
        assert_eq!(of(&silent.trace(), &[(0, 0, 900)]), None);
        assert_eq!(of(&two_passes().trace(), &[]), None);
        assert_eq!(of(&two_passes().trace(), &[(0, 5, 5)]), None, "no time at all");
        // Calls tell as states do.
        let mut calls = Program::lasting(1000);
        calls.reads([1, 1, 1], 0, &[[INSTRUCTIONS, 1]]);
        calls.reads([1, 1, 1], 600, &[[OTHER_MPI, 31]]);
        calls.reads([1, 1, 1], 800, &[[OTHER_MPI, 0]]);
        calls.reads([1, 1, 1], 1000, &[[INSTRUCTIONS, 1]]);
        near(of(&calls.trace(), &[(0, 0, 1000)]).unwrap().efficiency, 0.8);
    }

    /// Programs of up to four ranks that compute and call at random, cut or not.
    fn random_program(random: &mut Random) -> Program {
        let mut program = Program::lasting(4000);
        program.cut = random.below(2) == 0;
        for rank in 1..=1 + random.below(4) as u32 {
            let mut now_ns = random.below(50);
            while now_ns < 4000 {
                let code =
                    [POINT_TO_POINT, COLLECTIVE, OTHER_MPI, BARRIER, IO][random.below(5) as usize];
                let end_ns = now_ns + random.below(300);
                if random.below(5) > 0 {
                    program.computes([1, rank, 1], now_ns, end_ns, &[[code, random.below(3)]]);
                } else {
                    program.reads([1, rank, 1], end_ns, &[[code, random.below(3)]]);
                }
                now_ns = end_ns + 1 + random.below(80);
            }
        }
        program
    }

    #[test]
    fn shares_are_integrals_that_add_up_to_one_and_have_the_efficiency_as_their_mean() {
        let mut random = Random::new(11);
        for round in 0..60 {
            let trace = random_program(&mut random).trace();
            let mut instances = vec![];
            for thread in 0..trace.threads.len() as u32 {
                let mut begin_ns = random.below(400);
                while begin_ns < 4000 {
                    let end_ns =
                        begin_ns + 1 + random.below(if round % 2 == 0 { 900 } else { 3000 });
                    instances.push((thread, begin_ns, end_ns));
                    begin_ns = end_ns + random.below(500);
                }
            }
            let Some(activity) = of(&trace, &instances) else { continue };
            // By nanosecond: of each instance how much of it is computing up to the end of a cell.
            let computes = |thread: u32, ns: u64| {
                let running = trace.threads[thread as usize].running_ns();
                running.iter().any(|[begin, end]| (*begin..*end).contains(&ns))
            };
            let told = instances
                .iter()
                .filter(|(thread, ..)| !trace.threads[*thread as usize].running_ns().is_empty());
            let all_ns = told.clone().map(|(_, begin, end)| end - begin).sum::<u64>() as f64;
            let mut expected = vec![0.0; CELLS];
            for &(thread, begin_ns, end_ns) in told {
                let of_cell = (end_ns - begin_ns) as f64 / CELLS as f64;
                for ns in (begin_ns..end_ns).filter(|ns| computes(thread, *ns)) {
                    let from = (ns - begin_ns) as f64 / of_cell;
                    let to = (ns - begin_ns + 1) as f64 / of_cell;
                    let cells = expected.iter_mut().enumerate().skip(from as usize);
                    for (cell, sum) in cells.take_while(|(cell, _)| (*cell as f64) < to) {
                        let inside = to.min(cell as f64 + 1.0) - from.max(cell as f64);
                        *sum += inside.max(0.0) * of_cell * CELLS as f64 / all_ns;
                    }
                }
            }
            let mut mean = 0.0;
            for (cell, expected) in expected.into_iter().enumerate() {
                let found = activity.share(Doing::Computing, cell);
                assert!((found - expected).abs() < 1e-9, "{round} {cell}: {found}, {expected}");
                let sum = activity.parts.iter().map(|part| part.shares[cell]).sum::<f64>();
                near(sum, 1.0);
                mean += found / CELLS as f64;
            }
            near(mean, activity.efficiency);
            near(activity.load_balance * activity.communication, activity.efficiency);
        }
    }

    #[test]
    fn of_calls_that_take_as_long_where_least_is_computed_the_first_is_told() {
        let mut program = Program::lasting(1000);
        for (rank, call) in [(1, COLLECTIVE), (2, POINT_TO_POINT)] {
            program.computes([1, rank, 1], 0, 500, &[[call, u64::from(rank)]]);
            program.reads([1, rank, 1], 1000, &[[call, 0], [INSTRUCTIONS, 1]]);
        }
        let activity = of(&program.trace(), &[(0, 0, 1000), (1, 0, 1000)]).unwrap();
        let lowest = activity.lowest.unwrap();
        assert_eq!((lowest.computing, lowest.call.as_deref()), (0.0, Some("call 1")));
    }
}
