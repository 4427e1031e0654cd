//! Instances as if nothing but computing took time.
//!
//! Threads that wait spin, and count while they do: in a barrier instructions may be completed faster
//! than anywhere in the program. So the rate of those that compute has the counts of their bursts
//! alone, over the time of their bursts alone. Of each instance the bursts are put one behind the
//! other, and what was read in them is folded over that; where the folded instance computes, and how
//! much, is the clock that shows it over all of the time again.
//!
//! Source: ours (`static/guide/methods.html#computing`); counts of bursts as in [`super::bursts`].

use std::ops::Range;

use super::bursts::{Burst, first_reading, with_flushed};
use super::cells::Cells;
use crate::folding::{FoldedCounter, FoldedSample};
use crate::instance::{BurstsFrom, Giving, Instance};
use crate::order;
use crate::trace::Trace;

/// Where fewer threads than this share of them compute, so few bursts tell of a rate that it is none.
const FEWEST: f64 = 0.01;

/// Instances with the bursts in them.
pub struct WhileComputing<'trace> {
    trace: &'trace Trace,
    /// All of the trace, by thread, then begin.
    bursts: Vec<Burst>,
    /// Those that compute at all, rising.
    computing: Vec<Computing<'trace>>,
    /// The share of each of some equal cells of folded time in which they compute.
    shares: Vec<f64>,
}

/// An instance.
struct Computing<'trace> {
    /// Its index as given, and its place among all that were.
    at: u32,
    place: usize,
    instance: &'trace Instance,
    /// Which of all bursts overlap it.
    bursts: Range<usize>,
    /// How long it computes.
    computing_ns: u64,
}

impl<'trace> WhileComputing<'trace> {
    /// With bursts by what `from` says, of instances with any index, rising. `None` if they compute
    /// all of the time, or never. O(events + instances).
    #[inline(never)]
    pub fn of(
        trace: &'trace Trace,
        instances: &[(u32, &'trace Instance)],
        from: BurstsFrom,
    ) -> Option<Self> {
        let bursts = with_flushed(trace, from);
        let mut cells = Cells::default();
        let (mut all_ns, mut useful_ns) = (0u128, 0u128);
        let mut computing = Vec::with_capacity(instances.len());
        for (place, &(at, instance)) in instances.iter().enumerate() {
            let overlapping = overlapping(&bursts, instance);
            let mut computing_ns = 0;
            for burst in &bursts[overlapping.clone()] {
                let [begin_ns, end_ns] = inside(burst, instance);
                cells.add(instance, [begin_ns, end_ns]);
                computing_ns += end_ns - begin_ns;
            }
            all_ns += u128::from(instance.duration_ns);
            useful_ns += u128::from(computing_ns);
            if computing_ns > 0 {
                let bursts = overlapping;
                computing.push(Computing { at, place, instance, bursts, computing_ns });
            }
        }
        let shares = if all_ns > 0 { cells.shares(all_ns) } else { vec![] };
        (0 < useful_ns && useful_ns < all_ns).then_some(Self { trace, bursts, computing, shares })
    }

    /// The index of each instance that computes, and for how many microseconds.
    pub fn lengths(&self) -> Vec<(u32, f64)> {
        self.computing.iter().map(|of| (of.at, of.computing_ns as f64 / 1e3)).collect()
    }

    /// The share of its computing that each instance has behind it at one moment, given in nanoseconds
    /// since its begin by all that were given; of those that compute.
    pub fn places(&self, since_begin_ns: &[u64]) -> Vec<f64> {
        let place = |of: &Computing<'_>| {
            let since_begin_ns = since_begin_ns.get(of.place).copied().unwrap_or(0);
            let at_ns = of.instance.start_ns + since_begin_ns;
            of.passed_ns(self.bursts_of(of), at_ns) as f64 / of.computing_ns as f64
        };
        self.computing.iter().map(place).collect()
    }

    /// How much of all computing is done at the end of each of some equal cells of folded time, from 0
    /// at the begin to 1.
    pub fn clock(&self) -> Vec<f64> {
        let all = self.shares.iter().sum::<f64>();
        let mut passed = 0.0;
        let done = self.shares.iter().map(|share| {
            passed += share;
            passed / all
        });
        [0.0].into_iter().chain(done).collect()
    }

    /// Stretches of folded time in which hardly any thread computes, those between neighbouring
    /// `borders` (rising, from 0 to 1) among them: `[from, to]`, rising and apart.
    pub fn idle(&self, borders: &[f64]) -> Vec<[f64; 2]> {
        let count = self.shares.len();
        let cells = (0..count).map(|cell| [cell, cell + 1].map(|cell| cell as f64 / count as f64));
        let phases = borders.windows(2).map(|pair| [pair[0], pair[1]]);
        let is_idle = |[from, to]: &[f64; 2]| self.between(*from, *to) < FEWEST * (to - from);
        let mut all = cells.chain(phases).filter(is_idle).collect::<Vec<_>>();
        order::by(&mut all, |a, b| a[0].total_cmp(&b[0]));
        let mut apart: Vec<[f64; 2]> = vec![];
        for [from, to] in all {
            match apart.last_mut().filter(|last| from <= last[1]) {
                Some(last) => last[1] = last[1].max(to),
                None => apart.push([from, to]),
            }
        }
        apart
    }

    /// How much of all time is computing between two moments of folded time.
    fn between(&self, from: f64, to: f64) -> f64 {
        let count = self.shares.len() as f64;
        let overlap = |(cell, share): (usize, &f64)| {
            let [begin, end] = [cell, cell + 1].map(|cell| cell as f64 / count);
            share * (end.min(to) - begin.max(from)).max(0.0)
        };
        self.shares.iter().enumerate().map(overlap).sum()
    }

    /// What `counter` counts in the bursts, in a microsecond. O(readings).
    pub fn mean_rate(&self, counter: u32) -> f64 {
        let with_counter = self.trace.shapes_with(|event_type, _| event_type == counter);
        let count = |of: &Computing<'_>| self.counted(of, counter, &with_counter, |_, _| ());
        let events = self.computing.iter().map(count).sum::<f64>();
        events / (self.computing.iter().map(|of| of.computing_ns).sum::<u64>() as f64 / 1e3)
    }

    /// What `counter` counts in the bursts of those instances that `like` carries it in, and where; those
    /// that are `giving` give their samples. O(readings).
    pub fn fold(&self, counter: u32, like: &FoldedCounter, giving: &Giving) -> FoldedCounter {
        let with_counter = self.trace.shapes_with(|event_type, _| event_type == counter);
        let mut folded = FoldedCounter::default();
        for of in &self.computing {
            if order::get(&like.carried, &of.at).is_none() {
                continue;
            }
            let mut counted = vec![];
            let read = |passed_ns, events| counted.push((passed_ns, events));
            let total = self.counted(of, counter, &with_counter, read);
            folded.instances += 1;
            folded.total += total;
            folded.length += of.computing_ns as f64 / 1e3;
            folded.carried.push((of.at, libm::round(total) as u64));
            if total > 0.0 && giving.has(of.at as usize) {
                let inside =
                    counted.into_iter().filter(|(ns, _)| (1..of.computing_ns).contains(ns));
                folded.samples.extend(inside.map(|(passed_ns, events)| FoldedSample {
                    instance: of.at,
                    x: passed_ns as f64 / of.computing_ns as f64,
                    y: events / total,
                    kept: true,
                }));
                folded.totals.push(total);
            }
        }
        folded
    }

    fn bursts_of(&self, of: &Computing<'_>) -> &[Burst] {
        self.bursts.get(of.bursts.clone()).unwrap_or_default()
    }

    /// All that a counter counts in an instance. `read` is told what it had counted wherever it was
    /// read: nanoseconds of computing that had passed then, and events.
    fn counted(
        &self,
        of: &Computing<'_>,
        counter: u32,
        with_counter: &[bool],
        mut read: impl FnMut(u64, f64),
    ) -> f64 {
        let (mut passed_ns, mut events) = (0, 0.0);
        for burst in self.bursts_of(of) {
            let [begin_ns, end_ns] = inside(burst, of.instance);
            // From one reading to the next a counter counts evenly.
            let (mut since_ns, mut at_ns) = (burst.begin_ns, begin_ns);
            for moment in burst.moments(self.trace).filter(|moment| moment.is_of(with_counter)) {
                let Some(count) = first_reading(&moment, counter) else { continue };
                let to_ns = moment.time.clamp(begin_ns, end_ns);
                let whole_ns = moment.time - since_ns;
                let share =
                    if whole_ns > 0 { (to_ns - at_ns) as f64 / whole_ns as f64 } else { 0.0 };
                events += count as f64 * share;
                (since_ns, at_ns) = (moment.time, to_ns.max(at_ns));
                if moment.time <= end_ns && moment.time > begin_ns {
                    read(passed_ns + (to_ns - begin_ns), events);
                }
            }
            passed_ns += end_ns - begin_ns;
        }
        events
    }
}

impl Computing<'_> {
    /// For how long it has computed at a time, of all of its bursts.
    fn passed_ns(&self, bursts: &[Burst], time_ns: u64) -> u64 {
        let until = |burst: &Burst| {
            let [begin_ns, end_ns] = inside(burst, self.instance);
            time_ns.clamp(begin_ns, end_ns) - begin_ns
        };
        bursts.iter().map(until).sum()
    }
}

/// Which of bursts, by thread and begin, overlap an instance.
fn overlapping(bursts: &[Burst], of: &Instance) -> Range<usize> {
    let end_ns = of.start_ns + of.duration_ns;
    let first =
        bursts.partition_point(|burst| (burst.thread, burst.end_ns) <= (of.thread, of.start_ns));
    let inside = bursts[first..]
        .partition_point(|burst| (burst.thread, burst.begin_ns) < (of.thread, end_ns));
    first..first + inside
}

/// What of a burst that overlaps an instance is inside it.
fn inside(burst: &Burst, of: &Instance) -> [u64; 2] {
    [burst.begin_ns.max(of.start_ns), burst.end_ns.min(of.start_ns + of.duration_ns)]
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{COLLECTIVE, INSTRUCTIONS, POINT_TO_POINT, Program};
    use super::*;
    use crate::folding::FoldedCounter;
    use crate::instance::Counting;

    const RANK: [u32; 3] = [1, 1, 1];

    /// Computes for 400 ns, waits for 200, computes for 100 and waits again; twice.
    fn program() -> Program {
        let mut program = Program::lasting(2000);
        for begin in [0, 1000] {
            // A call that begins and ends in one moment counts for itself.
            let both = [[POINT_TO_POINT, 1], [INSTRUCTIONS, 800], [POINT_TO_POINT, 0]];
            let both = [both.as_slice(), &[[INSTRUCTIONS, 5000]]].concat();
            program.computes(RANK, begin, begin + 100, &both);
            program.computes(RANK, begin + 100, begin + 400, &[[INSTRUCTIONS, 300]]);
            program.reads(RANK, begin + 600, &[[INSTRUCTIONS, 90_000], [COLLECTIVE, 0]]);
            program.computes(RANK, begin + 600, begin + 700, &[[INSTRUCTIONS, 100]]);
            program.reads(RANK, begin + 1000, &[[INSTRUCTIONS, 70_000], [COLLECTIVE, 0]]);
        }
        program
    }

    fn instance(trace: &Trace, begin_ns: u64, end_ns: u64) -> Instance {
        Instance::between(trace, 0, [begin_ns, end_ns], Counting::Every).unwrap()
    }

    fn counter(trace: &Trace) -> u32 {
        trace.types.iter().position(|of| of.code == INSTRUCTIONS as u32).unwrap() as u32
    }

    fn carried(by: &[u32]) -> FoldedCounter {
        FoldedCounter { carried: by.iter().map(|at| (*at, 1)).collect(), ..Default::default() }
    }

    #[test]
    fn what_is_counted_while_a_thread_waits_counts_nothing_and_takes_no_time() {
        let trace = program().trace();
        let [first, second] = [instance(&trace, 0, 1000), instance(&trace, 1000, 2000)];
        let instances = [(3, &first), (5, &second)];
        let computing = WhileComputing::of(&trace, &instances, BurstsFrom::Auto).unwrap();
        assert_eq!(computing.lengths(), [(3, 0.5), (5, 0.5)]);
        let folded = computing.fold(counter(&trace), &carried(&[3, 5]), &Giving::default());
        assert_eq!((folded.instances, folded.total, folded.length), (2, 2400.0, 1.0));
        assert_eq!(folded.carried, [(3, 1200), (5, 1200)]);
        let samples = folded.samples.iter().map(|of| (of.instance, of.x, of.y));
        let two = |at| [(at, 0.2, 800.0 / 1200.0), (at, 0.8, 1100.0 / 1200.0)];
        assert_eq!(samples.collect::<Vec<_>>(), [two(3), two(5)].concat());
        assert_eq!(
            computing.fold(counter(&trace), &carried(&[5]), &Giving::default()).instances,
            1
        );
        assert_eq!(
            computing
                .fold(counter(&trace), &carried(&[3, 5]), &Giving::those(vec![false; 6]))
                .samples,
            []
        );
    }

    #[test]
    fn a_burst_that_an_instance_cuts_counts_by_the_time_from_reading_to_reading() {
        let trace = program().trace();
        let cut = instance(&trace, 50, 250);
        let computing = WhileComputing::of(&trace, &[(0, &cut)], BurstsFrom::Auto);
        assert!(computing.is_none(), "it computes all the time");
        let cut = instance(&trace, 50, 650);
        let computing = WhileComputing::of(&trace, &[(0, &cut)], BurstsFrom::Auto).unwrap();
        let folded = computing.fold(counter(&trace), &carried(&[0]), &Giving::default());
        assert_eq!((folded.total, folded.length), (400.0 + 300.0 + 50.0, 0.4));
    }

    #[test]
    fn the_clock_stands_where_all_wait_and_these_places_are_idle() {
        let trace = program().trace();
        let [first, second] = [instance(&trace, 0, 1000), instance(&trace, 1000, 2000)];
        let instances = [(0, &first), (1, &second)];
        let computing = WhileComputing::of(&trace, &instances, BurstsFrom::Auto).unwrap();
        let clock = computing.clock();
        let done = |x: f64| clock[(x * (clock.len() - 1) as f64) as usize];
        for (x, expected) in [(0.0, 0.0), (0.25, 0.5), (0.5, 0.8), (0.75, 1.0), (1.0, 1.0)] {
            assert!((done(x) - expected).abs() < 1e-12, "{x}: {}, not {expected}", done(x));
        }
        let idle = computing.idle(&[0.0, 0.3, 0.45, 0.55, 1.0]);
        // Whole cells, and the phase between two borders that lie inside them.
        let near = |at: f64, expected: f64| (at - expected).abs() <= 1.0 / 1024.0;
        assert_eq!(idle.len(), 2, "{idle:?}");
        assert!(near(idle[0][0], 0.4) && near(idle[0][1], 0.6), "{idle:?}");
        assert!(near(idle[1][0], 0.7) && idle[1][1] == 1.0, "{idle:?}");
        assert_eq!(computing.places(&[100, 500]), [0.2, 0.8]);
    }

    #[test]
    fn who_never_computes_has_no_rate() {
        let trace = program().trace();
        let waits = instance(&trace, 450, 550);
        assert!(WhileComputing::of(&trace, &[(0, &waits)], BurstsFrom::Auto).is_none());
        let first = instance(&trace, 0, 1000);
        let both = [(0, &first), (1, &waits)];
        let computing = WhileComputing::of(&trace, &both, BurstsFrom::Auto).unwrap();
        assert_eq!(computing.lengths(), [(0, 0.5)]);
        assert_eq!(computing.places(&[700, 50]), [1.0], "of those that compute");
    }
}
