//! One node of two profiles: Malony, Huck 2014, Table II.

use serde::Serialize;

use super::beside::{OVER, Over, figures, metric_name, name_of};
use crate::profile::{Beside, BesideError, OverThreads, Share};
use crate::quantity::OfMetric;
use crate::report::Figure;

/// A node of both, of every metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BesidePair {
    pub pair: u32,
    pub name: String,
    /// How many threads of each side met it.
    pub met: String,
    /// Each a metric with its unit, what of the threads, and the figures A, B, B − A, B / A.
    pub lines: Vec<(String, String, Vec<Figure>)>,
}

/// A node of both: how it is on each side, of all that can be told.
pub fn pair_of(both: &Beside, at: u32, share: Share) -> Result<BesidePair, BesideError> {
    let samples = both.samples();
    let doubts = both.doubts(at, &samples);
    let sides = &both.sides;
    let is_of_one = sides.iter().all(|side| side.threads.len() == 1);
    let mut met = [0, 0];
    let mut lines = vec![];
    for measures in both.measures(None)? {
        let pair = both.over_threads(at, &measures, share);
        met = [0, 1].map(|side: usize| pair[side].map_or(met[side], |of| of.met));
        let unit = sides[0].unit_of(&measures[0]);
        let written = |of: fn(&OverThreads) -> f64| {
            let values = pair.iter().flatten().map(|side| of(side).abs());
            OfMetric::of(unit, values.fold(0.0, f64::max))
        };
        // A total is more than any thread has.
        let [each, total] = [written(|of| of.largest), written(|of| of.total)];
        for (over, words) in &OVER[..if is_of_one { 1 } else { OVER.len() }] {
            let written = if *over == Over::Total { &total } else { &each };
            let name = format!("{} {}", metric_name(both, &measures[0]), written.unit);
            let doubts = match over {
                Over::Mean | Over::Total => doubts,
                _ => [None, None],
            };
            let figures = figures(&pair, doubts, |of| over.of(of), written);
            lines.push((name.trim_end().to_owned(), (*words).to_owned(), figures));
        }
    }
    let node = &sides[0].nodes[at as usize];
    let of = |side: usize| {
        format!("{} of {} threads of {}", met[side], sides[side].threads.len(), ["A", "B"][side])
    };
    let met = format!("met by {} and {}", of(0), of(1));
    Ok(BesidePair { pair: at, name: name_of(node), met, lines })
}
