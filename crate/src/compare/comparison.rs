//! Two sides of runs, compared: rows with intervals and verdicts.

use std::collections::BTreeMap;

use strum::IntoStaticStr;

use super::appeared::{Appeared, appeared};
use super::by_hand::{ByHand, named_beside_reference};
use super::clusters::ClusterRow;
use super::code::{LineRow, lines_of_both};
use super::counters::{CounterRow, counters};
use super::covers::{Cover, Unit, as_one_phase, beside_reference, in_all, indices, units};
use super::decision::{Change, holm};
use super::effects::{Between, Sides, effects, geometric_mean};
use super::lines::{Moved, moved};
use super::objects::ObjectRow;
use super::parts::Parts;
use super::regions::Waterfall;
use super::run::Run;
use super::sources::FileOfBoth;
use super::stretch::Stretch;
use super::structure::{Kind, structure};
use crate::fit;

/// Of families of tests: at most this share of runs has one that falls wrongly, or of those that fall.
pub const LEVEL: f64 = 0.05;

/// A change is seen four times in five from so many standard deviations on beyond what is tested.
const POWER: f64 = 0.84;

/// What is asked of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Least change of a time, and of a ratio of counters, that matters: shares, .01 for 1 %.
    pub least: f64,
    pub least_ratio: f64,
    pub between: Between,
    /// Whether cycles are compared in place of times, as if both sides ran at one clock. A bound: memory does
    /// not follow the clock.
    pub equal_clock: bool,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { least: 0.01, least_ratio: 0.05, between: Between::default(), equal_clock: false }
    }
}

/// How much the cycles of all phases together differ between runs: so little found +10 % in 149 of 150 pairs
/// and flagged none (comparison of foldings, §4).
const OF_CYCLES: f64 = 0.001;

/// Runs a side are named with which a change of so much would be seen, if they are at most so many.
const TO_BE_SEEN: f64 = 0.05;
const MOST_RUNS: u32 = 40;

/// What is told of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr)]
pub enum Verdict {
    #[strum(serialize = "slower")]
    Slower,
    #[strum(serialize = "faster")]
    Faster,
    /// Beyond what matters by itself, not among so many.
    #[strum(serialize = "perhaps")]
    Perhaps,
    #[default]
    #[strum(serialize = "no change seen")]
    NotSeen,
    /// Surely less than what matters.
    #[strum(serialize = "same")]
    Same,
}

/// A change with what is told of it. All are shares of A: .1 for 10 % more.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub change: f64,
    /// Of the program, and of these runs alone, 95 %.
    pub interval: [f64; 2],
    pub within: [f64; 2],
    pub p: f64,
    pub verdict: Verdict,
    /// The least change that is found four times in five.
    pub visible: f64,
    /// With how many runs a side that would be 5 %; `None` where it is already, or 40 do not do.
    pub runs_needed: Option<u32>,
}

/// A phase of both sides.
#[derive(Clone, Debug)]
pub struct PhaseRow {
    /// Of the first run of each side: where it lies, and the routine it is most in.
    pub a: [f64; 2],
    pub b: [f64; 2],
    pub routine: Option<String>,
    pub routine_b: Option<String>,
    /// Geometric means over the runs of each side.
    pub a_ms: f64,
    pub b_ms: f64,
    pub row: Row,
}

/// What became of a phase in most runs of B, and in none of A.
#[derive(Clone, Debug)]
pub struct StructureRow {
    pub kind: Kind,
    pub routine: Option<String>,
    /// Where its parts lie in the first run of A, and of B.
    pub a: Vec<[f64; 2]>,
    pub b: Vec<[f64; 2]>,
}

/// A phase of the first run of A that not every other run has, where nothing tells what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct NotCompared {
    /// Where it lies in that run.
    pub a: [f64; 2],
    pub routine: Option<String>,
    pub ms: f64,
}

/// Two sides, compared.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub runs: [usize; 2],
    /// Whether all of it is one phase, as the rates of a run bend and do not jump.
    pub is_bent: bool,
    /// How many pairs that are named by hand are left out, as all of it is one phase.
    pub pairs_left_out: usize,
    pub a_ms: f64,
    pub b_ms: f64,
    pub total: Row,
    pub phases: Vec<PhaseRow>,
    /// Of counters that all runs have: of the whole, then of each phase.
    pub counters: Vec<CounterRow>,
    /// By how much the rate of a phase differs between the sides because single runs do: the standard deviation
    /// of the logarithm, and its degrees of freedom.
    pub between: [f64; 2],
    /// Of what a run tells of itself, the mean of all runs.
    pub degrees: f64,
    pub structure: Vec<StructureRow>,
    /// In the order of A.
    pub not_compared: Vec<NotCompared>,
    pub lines: Vec<Moved>,
    /// Routines that one side alone was sampled in, those of most time first.
    pub appeared: Vec<Appeared>,
    /// Lines of code as both sides have them, those that change most first.
    pub code: Vec<LineRow>,
    /// Files whose text is known of both sides, that of most time first.
    pub sources: Vec<FileOfBoth>,
    /// Data objects, those of most references first, where that is asked.
    pub objects: Vec<ObjectRow>,
    /// What the time of the runs is made of, and clusters of the first of each side, where that is asked.
    pub parts: Option<Parts>,
    pub clusters: Vec<ClusterRow>,
    /// Why nobody knows what the time of a side went into, where that was asked.
    pub not_spent: [Option<String>; 2],
    /// Region by region of the whole run, where that is asked.
    pub regions: Option<Waterfall>,
}

/// Changes of structure of the runs of a side: the kind, the phases of the reference, and of what these have not
/// roughly where it lies.
type Notes = BTreeMap<(Kind, Vec<usize>, Option<i64>), Vec<StructureRow>>;

/// Compares two sides; `None` if one has no run. The first run of A is the reference that all others are
/// matched with. If any run has no phases, all of it is one of every run.
pub fn compare(sides: [&[Run]; 2], wanted: &Wanted) -> Option<Comparison> {
    compare_by_hand(sides, wanted, &[])
}

/// The same, where a person says which phases of the first run of each side are the same; the others are matched.
pub fn compare_by_hand(
    sides: [&[Run]; 2],
    wanted: &Wanted,
    by_hand: &[ByHand],
) -> Option<Comparison> {
    let [a, b] = sides;
    b.first()?;
    let is_bent = sides.iter().copied().flatten().any(|run| run.is_bent);
    let (reference, mut paired) = match by_hand {
        _ if is_bent => as_one_phase(a.first()?, a.iter().skip(1).chain(b)),
        [] => beside_reference(a.first()?, a.iter().skip(1).chain(b)),
        named => named_beside_reference(sides, named)?,
    };
    let mut covers: [Vec<Cover<'_>>; 2] = [vec![], vec![]];
    let mut notes: [Notes; 2] = [Notes::new(), Notes::new()];
    let mut shifted: BTreeMap<Moved, usize> = BTreeMap::new();
    for (side, runs) in sides.into_iter().enumerate() {
        for at in 0..runs.len() {
            if (side, at) == (0, 0) {
                let own = reference.iter().cloned().enumerate();
                covers[0].push(own.map(|(at, phase)| (vec![at], vec![phase])).collect());
                continue;
            }
            let pairs = paired.next().unwrap_or_default();
            let index = |parts: &[Stretch<'_>]| indices(&reference, parts);
            for note in structure(&pairs) {
                let starts = note.b.iter().map(Stretch::start).sum::<f64>();
                let place = note.a.is_empty().then(|| libm::round(10.0 * starts) as i64);
                let key = (note.kind, index(&note.a), place);
                let spans = |parts: &[Stretch<'_>]| parts.iter().map(Stretch::span).collect();
                let about = note.a.first().or(note.b.first());
                let routine = about.and_then(Stretch::routine).map(str::to_owned);
                let row =
                    StructureRow { kind: note.kind, routine, a: spans(&note.a), b: spans(&note.b) };
                notes[side].entry(key).or_default().push(row);
            }
            let both = pairs.into_iter().filter(|pair| !pair.a.is_empty() && !pair.b.is_empty());
            let both = both.collect::<Vec<_>>();
            if side == 1 {
                let ends = both.iter().filter_map(|pair| {
                    Some((Stretch::joined(&pair.a)?, Stretch::joined(&pair.b)?))
                });
                let mut all: Vec<Moved> = vec![];
                for of in ends.flat_map(|(a, b)| moved(&a, &b)) {
                    if !all.contains(&of) {
                        all.push(of);
                    }
                }
                all.into_iter().for_each(|of| *shifted.entry(of).or_default() += 1);
            }
            covers[side].push(both.into_iter().map(|pair| (index(&pair.a), pair.b)).collect());
        }
    }
    let units = units(reference.len(), &covers);
    let (mut everywhere, mut lacking) = (vec![], vec![]);
    for unit in units {
        match in_all(&covers, &unit) {
            Some(unit) => everywhere.push(unit),
            None => lacking.extend(unit),
        }
    }
    let units = everywhere;
    let most = |count: usize| 2 * count > b.len();
    let structure =
        notes[1].iter().filter(|(key, rows)| most(rows.len()) && !notes[0].contains_key(key));
    let structure = structure.filter_map(|(_, rows)| rows.first().cloned()).collect::<Vec<_>>();
    let lacking = lacking.into_iter().filter_map(|at| reference.get(at));
    let is_told = |of: &&Stretch<'_>| structure.iter().any(|row| row.a.contains(&of.span()));
    let not_compared = lacking.filter(|of| !is_told(of)).map(NotCompared::of).collect();
    let lines = shifted.into_iter().filter(|(_, count)| most(*count)).map(|(of, _)| of).collect();
    let comparison = rows(sides, &reference, &units, wanted);
    let counters = counters(sides, &reference, &units, wanted);
    let appeared = appeared(sides, &comparison.phases);
    let pairs_left_out = if is_bent { by_hand.len() } else { 0 };
    let told = Comparison {
        is_bent,
        pairs_left_out,
        structure,
        not_compared,
        lines,
        counters,
        appeared,
        ..comparison
    };
    let code = lines_of_both(sides, &told, &BTreeMap::new(), wanted.least);
    Some(Comparison { code, ..told })
}

/// Degrees of freedom of what all runs tell of themselves.
pub fn own_degrees(sides: [&[Run]; 2]) -> f64 {
    sides.iter().copied().flatten().map(|run| run.degrees).sum()
}

impl NotCompared {
    fn of(phase: &Stretch<'_>) -> Self {
        let routine = phase.routine().map(str::to_owned);
        Self { a: phase.span(), routine, ms: phase.duration_ms() }
    }
}

fn rows(
    sides: [&[Run]; 2],
    reference: &[Stretch<'_>],
    units: &[Unit<'_>],
    wanted: &Wanted,
) -> Comparison {
    let runs = sides.map(<[Run]>::len);
    let count = (runs[0] + runs[1]) as f64;
    let own_degrees = own_degrees(sides);
    let wholes =
        [0, 1].map(|side: usize| sides[side].iter().map(Stretch::whole).collect::<Vec<_>>());
    // Where a run counts no cycles its time is all there is.
    let all = wholes.iter().flatten().chain(units.iter().flatten().flatten());
    let by_cycles = wanted.equal_clock && all.into_iter().all(|of| of.cycles().is_some());
    let log = |of: &Stretch<'_>| match of.cycles().filter(|_| by_cycles) {
        Some([cycles, variance]) => [libm::log(cycles), variance],
        None => [libm::log(of.duration_ms()), of.variance()],
    };
    let clock = if by_cycles { wanted.between.clock.min(OF_CYCLES) } else { wanted.between.clock };
    let between = Between { clock, ..wanted.between };
    let ms = |of: &Stretch<'_>| libm::log(of.duration_ms());
    let times: Sides<Vec<[f64; 2]>> = [0, 1].map(|side| {
        (0..runs[side])
            .map(|run| units.iter().map(|unit| log(&unit[side][run])).collect())
            .collect()
    });
    let effects = effects(&times, between, own_degrees);
    let totals: Sides<[f64; 2]> = wholes.each_ref().map(|runs| runs.iter().map(log).collect());
    let shares = reference.iter().map(Stretch::share).collect::<Vec<_>>();
    let (total, within) = effects.total(&totals, &shares);
    let mut changes = vec![(total, within)];
    changes.extend(effects.phases.iter().copied().zip(effects.within.iter().copied()));
    let least = libm::log(1.0 + wanted.least);
    let p = changes.iter().map(|(change, _)| change.p_beyond(least)).collect::<Vec<_>>();
    let falls = holm(&p, LEVEL);
    let row = |at: usize| {
        let (change, within) = changes[at];
        let own = Change { variance: within, degrees: own_degrees, ..change };
        let visible = |change: &Change| {
            let exceeded = fit::student_exceeded(0.025 / changes.len() as f64, change.degrees);
            libm::expm1(least + (exceeded + POWER) * change.variance.sqrt())
        };
        // What a run tells of itself, of as many on each side.
        let own_variance = within * count / 4.0;
        let of_runs = |each: u32| match at {
            0 => effects.total_of(&shares, own_variance, each),
            _ => effects.phase_of(own_variance, each),
        };
        let is_blind = visible(&change) > TO_BE_SEEN && wanted.between != Between::NONE;
        let mut more = (runs[0].max(runs[1]) as u32 + 1..=MOST_RUNS).filter(|_| is_blind);
        Row {
            change: libm::expm1(change.log),
            interval: change.interval().map(libm::expm1),
            within: own.interval().map(libm::expm1),
            p: p[at],
            verdict: verdict(&change, falls[at], least),
            visible: visible(&change),
            runs_needed: more.find(|each| visible(&of_runs(*each)) <= TO_BE_SEEN),
        }
    };
    let mean_ms = |runs: &[Stretch<'_>]| geometric_mean(runs.iter().map(ms));
    let phase = |(at, unit): (usize, &Unit<'_>)| {
        let of = |side: usize| {
            let runs = &unit[side];
            (runs[0].span(), runs[0].routine().map(str::to_owned), mean_ms(runs))
        };
        let ((a, routine, a_ms), (b, routine_b, b_ms)) = (of(0), of(1));
        PhaseRow { a, b, routine, routine_b, a_ms, b_ms, row: row(at + 1) }
    };
    let [a_ms, b_ms] = wholes.each_ref().map(|runs| mean_ms(runs));
    let phases = units.iter().enumerate().map(phase).collect();
    let (between, degrees) = (effects.between(), own_degrees / count);
    let total = row(0);
    Comparison { runs, a_ms, b_ms, total, phases, between, degrees, ..Comparison::default() }
}

/// What is told of a change that Holm's procedure lets fall, or not.
pub fn verdict(change: &Change, falls: bool, least: f64) -> Verdict {
    let [low, high] = change.interval();
    match (falls, low > least || high < -least, low > -least && high < least) {
        (true, ..) if change.log > 0.0 => Verdict::Slower,
        (true, ..) => Verdict::Faster,
        (_, true, _) => Verdict::Perhaps,
        (_, _, true) => Verdict::Same,
        _ => Verdict::NotSeen,
    }
}
