//! Loops of a run, the outer one first.

use std::cmp::Ordering;

use super::calls::{CallsBySite, Rank};
use super::cycles::{Cycle, cycles};
use super::inner::{held, inner_sites, lies_inside};
use super::ranks::shared;
use super::rotation::{Boundary, Edge, Passes, begun_at, rotation};
use super::stretch::{duration_ns, regular_ns};
use crate::order;

/// A loop that ranks have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// How often its sites are called, on most of the ranks.
    pub count: u32,
    /// How many sites stand in one order, in the median over the ranks.
    pub sites: u32,
    /// ln of how many such loops are to be expected where calls stand in any order, the median over
    /// the ranks; at most 0. Above −13.8 the evidence is that the passes of one site are alike.
    pub ln_p: f64,
    /// Time of the passes within a factor 2 of their rank's median, of the time of all ranks that
    /// make calls.
    pub share: f64,
    /// The same of the time of all passes.
    pub regular: f64,
    /// Of the ranks that make calls, how many have it.
    pub agreement: f64,
    /// Whether its passes lie inside those of the first level.
    pub inner: bool,
    /// Where most of the ranks begin a pass: label of a site, and which end of the call.
    pub boundary: (u32, Edge),
    /// By rank; one that does not have it is left out.
    pub ranks: Vec<Passes>,
}

impl Level {
    /// Whether at least half of its time is in passes of like durations. One that is not is never a
    /// first choice.
    pub fn is_regular(&self) -> bool {
        self.regular >= LEAST_REGULAR
    }
}

/// Why nothing repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoIteration {
    /// No rank makes a call.
    NoCalls,
    /// No site is called twice by one rank.
    NothingRecurs,
    /// Sites recur, in no fixed order.
    NoOrder,
    /// Sites recur in order, and no time passes between their calls.
    NoTime,
    /// There are loops, each at work for less than a twentieth of its rank's time.
    Brief,
    /// There are loops, each on less than half of the ranks.
    NoAgreement,
}

/// A loop that is at work for less of its rank's time, from its first pass to its last, says nothing
/// of the run: a file that is read line by line.
const LEAST_OF_RANK: f64 = 0.05;

/// A loop on fewer of the ranks is not one of the run.
const LEAST_AGREEMENT: f64 = 0.5;

/// With less of its time in passes of like durations a loop has no typical pass.
const LEAST_REGULAR: f64 = 0.5;

/// A level with this much of the largest share covers as much of the run as that: what is done
/// every second pass may cover a little more than the pass, with fewer sites.
const LARGE: f64 = 0.8;

/// Every loop of a run: first the outer one, then those beside it, then inner ones by count.
///
/// `labels` has the label of each site: sites of different ranks with one label are the same place.
/// A call of a site beyond it belongs to no loop. The first level is the one to show unless it is
/// not regular; then none is. O(calls), and sorting what was counted.
///
/// # Errors
///
/// Why nothing repeats, if nothing does.
pub fn iterations(ranks: &[Rank<'_>], labels: &[u32]) -> Result<Vec<Level>, NoIteration> {
    iterations_from(ranks, labels, None)
}

/// The same, where the passes of the first loop that has a site of this label begin at this edge of
/// its calls, on all ranks that have it.
///
/// # Errors
///
/// As [`iterations`].
pub(super) fn iterations_from(
    ranks: &[Rank<'_>],
    labels: &[u32],
    begin: Option<(u32, Edge)>,
) -> Result<Vec<Level>, NoIteration> {
    let run = Run::of(ranks, labels);
    let in_no_order = run.reason_without_cycles();
    let cycles = some(run.calls.iter().map(cycles), in_no_order)?;
    let passes = some(run.passes(ranks, cycles), NoIteration::NoTime)?;
    let lasting = some(lasting(ranks, passes), NoIteration::Brief)?;
    let mut levels = run.levels(lasting, Place::Beside);
    put_outer_first(&mut levels);
    if let Some(begin) = begin {
        run.begin_at(ranks, &mut levels, begin);
    }
    if levels.is_empty() { Err(NoIteration::NoAgreement) } else { Ok(run.with_inner(levels)) }
}

/// What there is on each rank, unless there is nothing on any.
fn some<T>(
    of_ranks: impl Iterator<Item = Vec<T>>,
    reason: NoIteration,
) -> Result<Vec<Vec<T>>, NoIteration> {
    let of_ranks = of_ranks.collect::<Vec<_>>();
    if of_ranks.iter().all(Vec::is_empty) { Err(reason) } else { Ok(of_ranks) }
}

/// Loops that are at work for long enough.
fn lasting(ranks: &[Rank<'_>], of_ranks: Vec<Vec<Passes>>) -> impl Iterator<Item = Vec<Passes>> {
    of_ranks.into_iter().zip(ranks).map(|(mut of_rank, rank)| {
        let least_ns = LEAST_OF_RANK * duration_ns(rank.span_ns) as f64;
        let at_work_ns = |passes: &Passes| {
            let (first, last) = passes.instances_ns.first().zip(passes.instances_ns.last())?;
            Some(duration_ns((first.0, last.1)) as f64)
        };
        of_rank.retain(|passes| at_work_ns(passes).is_some_and(|time_ns| time_ns >= least_ns));
        of_rank
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Beside,
    Inside,
}

struct Run<'run> {
    calls: Vec<CallsBySite<'run>>,
    labels: &'run [u32],
    ranks_with_calls: usize,
    /// Of the ranks that make calls.
    time_ns: u64,
}

impl<'run> Run<'run> {
    fn of(ranks: &[Rank<'run>], labels: &'run [u32]) -> Self {
        let callers = ranks.iter().filter(|rank| !rank.calls.is_empty());
        Self {
            calls: CallsBySite::of_ranks(ranks, labels.len()),
            labels,
            ranks_with_calls: callers.clone().count(),
            time_ns: callers.map(|rank| duration_ns(rank.span_ns)).fold(0, u64::saturating_add),
        }
    }

    fn reason_without_cycles(&self) -> NoIteration {
        let recurs = |calls: &CallsBySite<'_>| {
            (0..calls.sites()).any(|number| calls.of_site(number).len() > 1)
        };
        match self.ranks_with_calls {
            0 => NoIteration::NoCalls,
            _ if self.calls.iter().any(recurs) => NoIteration::NoOrder,
            _ => NoIteration::NothingRecurs,
        }
    }

    fn passes(
        &self,
        ranks: &[Rank<'_>],
        of_ranks: Vec<Vec<Cycle>>,
    ) -> impl Iterator<Item = Vec<Passes>> {
        let of_ranks = (0..).zip(ranks).zip(&self.calls).zip(of_ranks);
        of_ranks.map(|(((rank, Rank { span_ns, .. }), calls), cycles)| {
            cycles.iter().filter_map(|cycle| rotation(calls, rank, *span_ns, cycle)).collect()
        })
    }

    /// Loops of each rank that enough of the ranks have.
    fn levels(&self, of_ranks: Vec<Vec<Passes>>, place: Place) -> Vec<Level> {
        let shared = shared(of_ranks, self.labels).into_iter();
        shared.filter_map(|passes| self.level(passes, place)).collect()
    }

    fn level(&self, ranks: Vec<Passes>, place: Place) -> Option<Level> {
        let agreement = ranks.len() as f64 / self.ranks_with_calls as f64;
        let times = ranks.iter().map(|passes| regular_ns(&passes.instances_ns));
        let add = |(a, b): (u64, u64), (c, d)| (a.saturating_add(c), b.saturating_add(d));
        let (regular, all) = times.fold((0, 0), add);
        if agreement < LEAST_AGREEMENT || all == 0 {
            return None;
        }
        let boundary = |passes: &Passes| {
            let label = self.labels.get(passes.boundary.site as usize).copied();
            (label.unwrap_or_default(), passes.boundary.edge)
        };
        let key = |(label, edge): (u32, Edge)| 2 * u64::from(label) + edge as u64;
        let mut sites = ranks.iter().map(|passes| passes.sites.len() as f64).collect::<Vec<_>>();
        let mut ln_p = ranks.iter().map(|passes| passes.ln_p).collect::<Vec<_>>();
        Some(Level {
            count: commonest(&ranks, |passes| passes.count.into())?.count,
            sites: order::median(&mut sites)? as u32,
            ln_p: order::median(&mut ln_p)?,
            share: regular as f64 / self.time_ns.max(regular) as f64,
            regular: regular as f64 / all as f64,
            agreement,
            inner: place == Place::Inside,
            boundary: boundary(commonest(&ranks, |passes| key(boundary(passes)))?),
            ranks,
        })
    }

    /// Moves the boundary of the first level that can begin there.
    fn begin_at(&self, ranks: &[Rank<'_>], levels: &mut [Level], boundary: (u32, Edge)) {
        let (label, edge) = boundary;
        for level in levels {
            let mut is_moved = false;
            let moved = level.ranks.iter().map(|passes| {
                let has_label = |site: &&u32| self.labels.get(**site as usize) == Some(&label);
                let site = *passes.sites.iter().find(has_label)?;
                let rank = passes.rank as usize;
                let moved = begun_at(
                    self.calls.get(rank)?,
                    ranks.get(rank)?.span_ns,
                    passes,
                    Boundary { site, edge },
                );
                is_moved |= moved.is_some();
                moved
            });
            let moved = moved.collect::<Vec<_>>();
            if !is_moved {
                continue;
            }
            let passes = moved.into_iter().zip(&level.ranks);
            let passes = passes.map(|(moved, own)| moved.unwrap_or_else(|| own.clone()));
            if let Some(moved) = self.level(passes.collect(), Place::Beside) {
                *level = Level { boundary, ..moved };
                return;
            }
        }
    }

    /// Tells which of the other levels lie inside the first, and adds the single sites that do.
    fn with_inner(&self, levels: Vec<Level>) -> Vec<Level> {
        let counts = order::distinct(levels.iter().map(|level| u64::from(level.count)));
        let counts = counts.into_iter().map(|count| count as u32).collect::<Vec<_>>();
        let mut levels = levels.into_iter();
        let Some(outer) = levels.next() else { return Vec::new() };
        let (inside, mut beside) = levels.partition::<Vec<_>, _>(|level| is_inner(level, &outer));
        let mut inner = inside
            .into_iter()
            .filter_map(|level| {
                let held = pairs(&level, &outer).map(|(own, outer)| held(own.clone(), outer));
                let held = held.filter(|passes| !passes.instances_ns.is_empty()).collect();
                self.level(held, Place::Inside)
            })
            .collect::<Vec<_>>();
        let sites = |passes: &Passes| {
            self.calls.get(passes.rank as usize).map(|calls| inner_sites(calls, passes, &counts))
        };
        inner.extend(self.levels(outer.ranks.iter().filter_map(sites).collect(), Place::Inside));
        order::by_number(&mut inner, |level| level.count.into());
        beside.insert(0, outer);
        beside.extend(inner);
        beside
    }
}

/// Passes of both on the ranks that have both.
fn pairs<'a>(a: &'a Level, b: &'a Level) -> impl Iterator<Item = (&'a Passes, &'a Passes)> {
    let of_rank = |rank: u32| {
        let at = b.ranks.binary_search_by_key(&rank, |passes| passes.rank).ok()?;
        b.ranks.get(at)
    };
    a.ranks.iter().filter_map(move |own| Some((own, of_rank(own.rank)?)))
}

/// Whether a level is passed more often than `outer`, and inside it on most of the ranks.
fn is_inner(level: &Level, outer: &Level) -> bool {
    let inside = pairs(level, outer).filter(|(own, outer)| lies_inside(own, outer)).count();
    level.count > outer.count && 2 * inside >= level.ranks.len()
}

/// The first rank of those that have most in common.
fn commonest(ranks: &[Passes], what: impl Fn(&Passes) -> u64) -> Option<&Passes> {
    let mut numbers = order::Numbers::default();
    let mut counts = Vec::<(u32, &Passes)>::new();
    for passes in ranks {
        match counts.get_mut(numbers.of([what(passes), 0, 0])) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, passes)),
        }
    }
    counts.into_iter().rev().max_by_key(|(count, _)| *count).map(|(_, first)| first)
}

/// Regular levels, of these the large ones, of these the one with most evidence.
fn put_outer_first(levels: &mut [Level]) {
    let regular = levels.iter().filter(|level| level.is_regular());
    let largest = regular.map(|level| level.share).fold(0.0, f64::max);
    let is_large = |level: &Level| level.share >= LARGE * largest;
    let compare = |a: &Level, b: &Level| -> Ordering {
        let regular = b.is_regular().cmp(&a.is_regular());
        let large = is_large(b).cmp(&is_large(a));
        let evidence = a.ln_p.total_cmp(&b.ln_p);
        regular.then(large).then(evidence).then(b.share.total_cmp(&a.share))
    };
    order::by(levels, compare);
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::super::Call;
    use super::super::made_up::{CALL_NS, Thread, repeats};
    use super::*;

    fn looping(passes: usize, sites: u32, work_ns: u64) -> Thread {
        let mut thread = Thread::new();
        (0..passes).for_each(|_| thread.pass(0..sites, work_ns));
        thread
    }

    #[test]
    fn the_share_of_a_loop_is_that_of_its_passes_in_the_time_of_all_ranks_that_call() {
        // Ten passes of 500 ns on each of two ranks; the third makes no call.
        let mut threads = [looping(10, 5, 90), looping(10, 5, 90), Thread::new()];
        threads[0].work(1000);
        threads[1].work(3000);
        threads[2].work(50_000);
        let levels = repeats(&threads).unwrap();
        assert_eq!((levels.len(), levels[0].agreement, levels[0].regular), (1, 1.0, 1.0));
        assert_eq!((levels[0].sites, levels[0].ranks.len()), (5, 2));
        assert_eq!(levels[0].share, 10_000.0 / (6000.0 + 8000.0));
    }

    #[test]
    fn sites_called_in_some_passes_only_do_not_hide_the_loop() {
        let mut thread = Thread::new();
        for pass in 0..30 {
            thread.pass(0..4, 1000);
            thread.pass((4..9).filter(|site| pass % (site - 1) == 0), 10);
        }
        let levels = repeats(&[thread]).unwrap();
        assert_eq!((levels[0].count, levels[0].sites), (30, 4));
        assert_eq!(levels[0].ranks[0].instances_ns.len(), 30);
        assert!(levels[0].share > 0.95, "{}", levels[0].share);
    }

    #[test]
    fn what_is_done_every_second_pass_is_not_the_outer_loop() {
        // The passes with it take five times as long as those without: these are unlike the
        // median, so that the share of two passes together is larger.
        let mut thread = Thread::new();
        for pass in 0..20 {
            thread.pass(0..8, 1000);
            thread.pass((8..12).filter(|_| pass % 2 == 0), 8000);
        }
        let levels = repeats(&[thread]).unwrap();
        assert_eq!((levels[0].count, levels[0].sites), (20, 8));
        let second = levels.iter().find(|level| level.count == 10).unwrap();
        assert_eq!((second.sites, second.inner), (4, false));
        assert!(second.share > levels[0].share);
    }

    #[test]
    fn a_small_loop_with_much_evidence_is_not_the_outer_one() {
        let mut thread = looping(20, 5, 10_000);
        (0..200).for_each(|_| thread.pass(10..30, 100));
        let levels = repeats(&[thread]).unwrap();
        let counts = levels.iter().map(|level| level.count).collect::<Vec<_>>();
        assert_eq!(counts, [20, 200]);
        assert!(levels[1].ln_p < levels[0].ln_p);
    }

    #[test]
    fn a_program_that_changes_its_loop_half_way_has_two() {
        let mut thread = looping(20, 5, 1000);
        (0..20).for_each(|_| thread.pass(5..9, 1000));
        let levels = repeats(&[thread]).unwrap();
        let of = |level: &Level| (level.count, level.sites, level.inner);
        assert_eq!(levels.iter().map(of).collect::<Vec<_>>(), [(20, 5, false), (20, 4, false)]);
        let work = [5, 4].map(|sites| sites * (1000 + CALL_NS));
        for (level, work) in levels.iter().zip(work) {
            let passes = &level.ranks[0].instances_ns;
            assert!(passes[..19].iter().all(|(begin, end)| end - begin == work));
        }
    }

    #[test]
    fn passes_that_double_are_told_and_not_regular() {
        let mut thread = Thread::new();
        (0..12).for_each(|pass| thread.pass(0..6, 100 << pass));
        let levels = repeats(&[thread]).unwrap();
        assert_eq!((levels.len(), levels[0].count), (1, 12));
        assert!(!levels[0].is_regular(), "{}", levels[0].regular);
        let durations = levels[0].ranks[0].instances_ns.iter().map(|&pass| duration_ns(pass));
        assert!(durations.collect::<Vec<_>>().is_sorted());
    }

    #[test]
    fn a_regular_loop_comes_before_a_larger_one_that_is_not() {
        // Of the first loop two fifths of the time are in passes like most, and they take longer
        // than all of the second.
        let mut thread = Thread::new();
        (0..12).for_each(|pass| thread.pass(0..6, if pass % 3 == 2 { 3000 } else { 1000 }));
        (0..12).for_each(|_| thread.pass(6..9, 900));
        let levels = repeats(&[thread]).unwrap();
        let regular = levels.iter().map(|level| (level.sites, level.is_regular()));
        assert_eq!(regular.collect::<Vec<_>>(), [(3, true), (6, false)]);
        assert!(levels[0].share < LARGE * levels[1].share);
    }

    #[test]
    fn passes_that_last_twice_the_median_count_and_longer_ones_do_not() {
        for (longest, share) in [(2000, 1.0), (2001, 10_000.0 / 12_001.0)] {
            let mut thread = Thread::new();
            for pass in 0..11 {
                thread.pass(0..4, 250 - CALL_NS);
                thread.work(if pass == 5 { longest - 1000 } else { 0 });
            }
            let first = thread.calls[0].begin_ns;
            thread.begin_ns = first;
            thread.now_ns += first;
            let levels = repeats(&[thread]).unwrap();
            assert_eq!(levels[0].share, share, "{longest}");
        }
    }

    #[test]
    fn one_site_called_over_and_over_is_a_loop() {
        let levels = repeats(&[looping(10, 1, 1000)]).unwrap();
        assert_eq!((levels[0].count, levels[0].sites, levels[0].ln_p), (10, 1, 0.0));
        assert_eq!(levels[0].ranks[0].instances_ns.len(), 10);
    }

    #[test]
    fn shuffled_calls_never_give_an_iteration() {
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let ranks = 1 + random.below(4);
            let (sites, passes) = (3 + random.below(12) as u32, 4 + random.below(30));
            let often = (0..sites).map(|_| passes + random.below(2) * random.below(passes));
            let often = often.collect::<Vec<_>>();
            let threads = (0..ranks).map(|_| {
                let calls = (0..sites).zip(&often);
                let calls = calls.flat_map(|(site, &often)| (0..often).map(move |_| site));
                let mut calls = calls.collect::<Vec<_>>();
                for at in (1..calls.len()).rev() {
                    calls.swap(at, random.below(at as u64 + 1) as usize);
                }
                let mut thread = Thread::new();
                for site in calls {
                    thread.work((1e4 * random.lognormal(0.5)) as u64);
                    thread.call(site);
                }
                thread
            });
            let threads = threads.collect::<Vec<_>>();
            assert_eq!(repeats(&threads), Err(NoIteration::NoOrder), "{seed}");
        }
    }

    #[test]
    fn the_reason_why_nothing_repeats_is_told() {
        let mut loops = looping(20, 5, 100);
        loops.work(100_000);
        let mut long = looping(20, 5, 100);
        long.work(19 * 20 * 5 * (100 + CALL_NS) - 1000);
        let mut at_once = Thread::new();
        at_once.calls = vec![Call { site: 0, begin_ns: 5, exit_ns: 5 }; 20];
        (0..20).for_each(|_| {
            at_once.calls.extend((1..4).map(|site| Call { site, begin_ns: 5, exit_ns: 5 }))
        });
        let mut once = Thread::new();
        once.pass(0..100_000, 10);
        let mut disorder = Thread::new();
        disorder.pass([0, 1, 1, 0, 2, 2, 2, 0], 10);
        let cases = [
            (vec![], Err(NoIteration::NoCalls)),
            (vec![Thread::new()], Err(NoIteration::NoCalls)),
            (vec![looping(1, 1, 10)], Err(NoIteration::NothingRecurs)),
            (vec![once.clone()], Err(NoIteration::NothingRecurs)),
            (vec![disorder.clone()], Err(NoIteration::NoOrder)),
            (vec![at_once], Err(NoIteration::NoTime)),
            (vec![loops.clone()], Ok(1)),
            (vec![loops.clone(), disorder.clone()], Ok(1)),
            (vec![loops, disorder.clone(), disorder], Err(NoIteration::NoAgreement)),
            (vec![long.clone()], Ok(1)),
        ];
        for (threads, expected) in cases {
            assert_eq!(repeats(&threads).map(|levels| levels.len()), expected);
        }
        long.work(20_000);
        assert_eq!(repeats(&[long]), Err(NoIteration::Brief));
    }

    #[test]
    fn calls_of_any_kind_have_an_answer_and_always_the_same() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let most = [3, 50, u64::MAX][random.below(3) as usize];
            let mut ranks = Vec::new();
            for _ in 0..random.below(4) {
                let sites = 1 + random.below(5);
                let call = |_| Call {
                    site: random.below(sites) as u32,
                    begin_ns: random.below(most),
                    exit_ns: random.below(most),
                };
                let mut calls = (0..200).map(call).collect::<Vec<_>>();
                calls.extend_from_within(..random.below(200) as usize);
                calls.push(Call { site: u32::MAX, begin_ns: u64::MAX, exit_ns: 0 });
                ranks.push((calls, (random.below(most), random.below(most))));
            }
            let of = |(calls, span_ns): &'_ (Vec<Call>, (u64, u64))| (calls.clone(), *span_ns);
            let again = ranks.iter().map(of).collect::<Vec<_>>();
            let answer = |ranks: &[(Vec<Call>, (u64, u64))]| {
                let rank = |(calls, span_ns): &'_ (Vec<Call>, _)| (calls.clone(), *span_ns);
                let owned = ranks.iter().map(rank).collect::<Vec<_>>();
                let ranks = owned.iter().map(|(calls, span_ns)| Rank { calls, span_ns: *span_ns });
                iterations(&ranks.collect::<Vec<_>>(), &[0, 1, 1])
            };
            let levels = answer(&ranks);
            assert_eq!(levels, answer(&again));
            for level in levels.iter().flatten() {
                let shares = [level.share, level.regular, level.agreement];
                assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{level:?}");
                for passes in level.ranks.iter().map(|passes| &passes.instances_ns) {
                    assert!(passes.iter().all(|(begin, end)| begin < end));
                    assert!(passes.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{level:?}");
                }
            }
        }
    }
}
