//! What to do with a profile: what can be folded, and which probes are not worth their cost.

use serde::Serialize;

use super::count_text;
use super::picked::{can_be_folded, samples_below};
use crate::order;
use crate::paint::Pictured;
use crate::profile::{Costly, NodeKind};
use crate::quantity::{OfMetric, number, percent, printable, significant};

/// Regions that are named as ones to fold: those with most samples.
const MOST: usize = 5;

/// A probe that costs more than it tells, as it is printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CostlyLine {
    pub name: String,
    /// Calls, on all threads.
    pub calls: String,
    /// Time of a call, with its unit.
    pub per_call: String,
    /// What it costs of the thread that calls it most; empty where that is not known.
    pub cost: String,
    pub throttled: bool,
    /// All of it, in a sentence.
    pub words: String,
}

/// As they are printed.
pub fn costly(costly: &[Costly]) -> Vec<CostlyLine> {
    let line = |of: &Costly| {
        let name = printable(&of.name);
        let calls = number(of.calls, 0);
        let per_call = OfMetric::of("ns", of.per_call_ns).text(of.per_call_ns);
        let cost = of.cost.map_or_else(String::new, |cost| percent(cost, 1));
        let costs = if cost.is_empty() { String::new() } else { format!(", {cost} of a thread") };
        let throttled = if of.throttled { "; the measurement stopped it" } else { "" };
        let words = format!("{name}: {calls} calls, {per_call} each{costs}{throttled}.");
        CostlyLine { name, calls, per_call, cost, throttled: of.throttled, words }
    };
    costly.iter().map(line).collect()
}

/// The regions that repeat with samples enough to be folded, those with most samples first: each its node, and a
/// sentence.
pub fn room_to_fold(pictured: &Pictured) -> Vec<(u32, String)> {
    let nodes = &pictured.overview.whole.nodes;
    let counts = &pictured.overview.total().counts;
    let probes = (0..nodes.len() as u32).filter(|at| nodes[*at as usize].kind == NodeKind::Probe);
    let known = probes.map(|at| (at, counts[at as usize], samples_below(pictured, at)));
    let mut known =
        known.filter(|(_, calls, samples)| can_be_folded(*calls, *samples)).collect::<Vec<_>>();
    order::by_number(&mut known, |(_, _, samples)| order::of_float(-samples));
    known.truncate(MOST);
    let sentence = |(at, calls, samples): (u32, f64, f64)| {
        let name = printable(&nodes[at as usize].name);
        let each = significant(samples / calls, 2);
        (at, format!("{each} samples per call of {name}, {} in all.", count_text(samples)))
    };
    known.into_iter().map(sentence).collect()
}
