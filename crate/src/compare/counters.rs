//! Counters of both sides: of the whole, and of each phase.

use super::comparison::{Comparison, Wanted, own_degrees};
use super::covers::Unit;
use super::decision::{Change, benjamini_hochberg};
use super::effects::{Sides, change_of, geometric_mean};
use super::run::Run;
use super::stretch::Stretch;

/// Of ratios at most this share of those that are told is told wrongly.
const LEVEL: f64 = 0.05;

/// A ratio of counters is of interest where a side reaches this share of its largest phase: on a real trace one
/// near 0 rose 19-fold (comparison of foldings, §4).
const FAINT: f64 = 0.05;

/// What is compared of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Events per instruction: what is tested.
    Ratio,
    /// Events per µs.
    Rate,
    /// Events in an instance.
    Total,
}

/// A counter in a phase, or over the whole region; shares and intervals as in [`Row`](super::Row).
#[derive(Clone, Debug)]
pub struct CounterRow {
    /// Index of the phase; `None` of the whole.
    pub phase: Option<usize>,
    pub counter: String,
    pub of: Of,
    /// Geometric means over the runs of each side.
    pub a: f64,
    pub b: f64,
    pub change: f64,
    pub interval: [f64; 2],
    pub within: [f64; 2],
    /// Whether it is a ratio that changes beyond doubt.
    pub is_sure: bool,
}

/// Counters that all runs have, over the whole and in each phase. Ratios of phases are one family of tests.
pub fn counters(
    sides: [&[Run]; 2],
    reference: &[Stretch<'_>],
    units: &[Unit<'_>],
    wanted: &Wanted,
) -> Vec<CounterRow> {
    let Some(first) = sides[0].first() else { return vec![] };
    let whole: Unit<'_> = sides.map(|runs| runs.iter().map(Stretch::whole).collect());
    let places = [(None, &whole)].into_iter();
    let places = places.chain(units.iter().enumerate().map(|(at, unit)| (Some(at), unit)));
    let own_degrees = own_degrees(sides);
    let (mut rows, mut tests) = (vec![], vec![]);
    for (phase, unit) in places {
        for (at, counter) in first.counters.iter().enumerate() {
            let is_instructions = first.instructions == Some(at);
            let per_instruction = first.instructions.is_some() && !is_instructions;
            let kinds = [
                (Of::Ratio, wanted.between.ratio, per_instruction),
                (Of::Rate, wanted.between.of_rate(), !per_instruction || counter.is_cycles),
                (Of::Total, wanted.between.ratio, is_instructions),
            ];
            for (of, between, _) in kinds.into_iter().filter(|(.., is_shown)| *is_shown) {
                let value = |stretch: &Stretch<'_>| {
                    stretch.of_counter(stretch.run.counter(&counter.name)?, of)
                };
                let logs = |runs: &Vec<Stretch<'_>>| {
                    let values = runs.iter().map(value).collect::<Option<Vec<_>>>()?;
                    Some(values.into_iter().map(|[value, own]| [libm::log(value), own]).collect())
                };
                let (Some(a), Some(b)) = (logs(&unit[0]), logs(&unit[1])) else { continue };
                let sides: Sides<[f64; 2]> = [a, b];
                let [a, b] =
                    sides.each_ref().map(|side| geometric_mean(side.iter().map(|[log, _]| *log)));
                let (change, within) = change_of(&sides, between, own_degrees);
                let own = Change { variance: within, degrees: own_degrees, ..change };
                let largest = || {
                    let ratios = reference.iter().filter_map(|of| of.per_instruction(at));
                    ratios.map(|[ratio, _]| ratio).fold(0.0, f64::max)
                };
                // Cycles per instruction are told by the time.
                let is_tested = of == Of::Ratio && phase.is_some() && !counter.is_cycles;
                if is_tested
                    && sides.iter().flatten().any(|[log, _]| libm::exp(*log) >= FAINT * largest())
                {
                    tests.push((rows.len(), change.p_beyond(libm::log(1.0 + wanted.least_ratio))));
                }
                rows.push(CounterRow {
                    phase,
                    counter: counter.name.clone(),
                    of,
                    a,
                    b,
                    change: libm::expm1(change.log),
                    interval: change.interval().map(libm::expm1),
                    within: own.interval().map(libm::expm1),
                    is_sure: false,
                });
            }
        }
    }
    let p = tests.iter().map(|(_, p)| *p).collect::<Vec<_>>();
    for ((at, _), falls) in tests.iter().zip(benjamini_hochberg(&p, LEVEL)) {
        rows[*at].is_sure = falls;
    }
    rows
}
impl Comparison {
    /// Ratios of counters that change beyond doubt, with the index of their phase.
    pub fn sure_ratios(&self) -> impl Iterator<Item = (usize, &CounterRow)> {
        self.counters.iter().filter(|row| row.is_sure).filter_map(|row| Some((row.phase?, row)))
    }
}
