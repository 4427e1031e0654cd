//! Loops of a run, the outer one first.

use std::cmp::Ordering;

use super::calls::{CallsBySite, Rank};
use super::cycles::{Cycle, cycles};
use super::inner::{held, inner_sites, lies_inside};
use super::ranks::shared;
use super::rotation::{Edge, Passes, rotation};
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
    /// There are loops, each over before a twentieth of the run is.
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
    let run = Run::of(ranks, labels);
    let in_no_order = run.reason_without_cycles();
    let cycles = some(run.calls.iter().map(cycles), in_no_order)?;
    let passes = some(run.passes(ranks, cycles), NoIteration::NoTime)?;
    let lasting = some(lasting(ranks, passes), NoIteration::Brief)?;
    let mut levels = run.levels(lasting, Place::Beside);
    put_outer_first(&mut levels);
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
        let label = |site: u32| self.labels.get(site as usize).copied().unwrap_or(site);
        let boundary = |passes: &Passes| (label(passes.boundary.site), passes.boundary.edge);
        let mut sites = ranks.iter().map(|passes| passes.sites.len() as f64).collect::<Vec<_>>();
        let mut ln_p = ranks.iter().map(|passes| passes.ln_p).collect::<Vec<_>>();
        Some(Level {
            count: commonest(ranks.iter().map(|passes| passes.count))?,
            sites: order::median(&mut sites)? as u32,
            ln_p: order::median(&mut ln_p)?,
            share: regular as f64 / self.time_ns.max(regular) as f64,
            regular: regular as f64 / all as f64,
            agreement,
            inner: place == Place::Inside,
            boundary: commonest(ranks.iter().map(boundary))?,
            ranks,
        })
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

/// The first of those that are met most often.
fn commonest<T: PartialEq>(things: impl Iterator<Item = T>) -> Option<T> {
    let mut met: Vec<(T, u32)> = Vec::new();
    for thing in things {
        match met.iter_mut().find(|(known, _)| *known == thing) {
            Some((_, times)) => *times += 1,
            None => met.push((thing, 1)),
        }
    }
    met.into_iter().rev().max_by_key(|(_, times)| *times).map(|(thing, _)| thing)
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
