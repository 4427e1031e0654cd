//! The node that is picked, in the panel.

use serde::Serialize;

use super::{between, count_text, ratio_metrics, ratios};
use crate::instance::{ENOUGH_INSTANCES, ENOUGH_SAMPLES};
use crate::paint::Pictured;
use crate::profile::{Measure, NodeKind, Share};
use crate::quantity::{OfMetric, number, percent, printable, short, significant};

/// What is told of a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct PickedNode {
    pub name: String,
    pub lines: Vec<PickedLine>,
    /// The regions and routines that it lies in, outermost first.
    pub path: Vec<(u32, String)>,
    /// How many samples fell into a call on average, if it repeats: a sentence.
    pub room: String,
    /// The region whose calls would be folded: its name; empty where nothing repeats with samples.
    pub folds: String,
}

/// A number of a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct PickedLine {
    pub name: String,
    pub value: String,
    pub words: String,
}

/// What there is to tell of a node.
#[inline(never)]
pub fn picked(pictured: &Pictured, at: u32) -> Option<PickedNode> {
    let overview = &pictured.overview;
    let node = overview.whole.nodes.get(at as usize)?;
    let total = overview.total();
    let threads = overview.threads_meant().max(1) as f64;
    let written = pictured.written();
    let mut lines = Vec::new();
    let mut tell = |name: &str, value: String, words: String| {
        lines.push(PickedLine { name: name.to_owned(), value, words });
    };
    let is_metric = matches!(pictured.measure, Measure::Metric(_));
    let whole = pictured.whole().max(f64::MIN_POSITIVE);
    for (share, own) in
        [(Share::Inclusive, pictured.inclusive(at)), (Share::Exclusive, pictured.exclusive(at))]
    {
        if share == Share::Exclusive && node.kind == NodeKind::Summary {
            continue;
        }
        let name = if share == Share::Inclusive { "Inclusive" } else { "Exclusive" };
        let value = total.value(&pictured.measure, share, at as usize);
        let value = value.map(|value| if is_metric { value / threads } else { value });
        let text = value.map_or_else(|| "–".to_owned(), |value| written.text(value));
        let half = between(pictured, at)
            .filter(|_| is_metric)
            .map(|[low, high]| (high - low) / 2.0 / threads);
        let half = half
            .filter(|_| share == Share::Inclusive || node.kind.is_leaf())
            .map(|half| format!("±{}, ", written.number(half)));
        tell(name, text, format!("{}{} of all", half.unwrap_or_default(), percent(own / whole, 1)));
    }
    for place in [1, 0] {
        if let Some(balance) =
            overview.spread[place].balance(at as usize).filter(|_| overview.threads_meant() > 1)
        {
            tell("Balance", number(balance, 2), "mean over largest".to_owned());
            break;
        }
    }
    let count = total.counts[at as usize];
    let is_sampled = node.kind.is_sampled();
    if let Some(time) = overview.whole.time().filter(|_| !is_sampled && count > 0.0) {
        let each = total.inclusive[time][at as usize] / count;
        tell("Per call", OfMetric::of("ns", each).text(each), "inclusive".to_owned());
    }
    let [rate, misses] = ratios(pictured, at, Share::Inclusive);
    if let Some(rate) = rate {
        tell("MIPS", number(rate, 0), String::new());
    }
    if let (Some(misses), (_, Some(metric))) = (misses, ratio_metrics(pictured)) {
        tell(
            short(&overview.whole.metrics[metric].name),
            significant(misses, 2),
            "per 1000 ins".to_owned(),
        );
    }
    tell("Evidence", if is_sampled { "samples" } else { "calls" }.to_owned(), count_text(count));
    if overview.threads_meant() > 1 {
        tell(
            "Threads",
            number(overview.met[at as usize], 0),
            format!("of {} met it", number(overview.threads.len() as f64, 0)),
        );
    }
    let mut path = pictured
        .shown
        .upwards(at)
        .skip(1)
        .map(|at| (at, printable(&overview.whole.nodes[at as usize].name)))
        .collect::<Vec<_>>();
    path.reverse();
    let (room, folds) = room(pictured, at);
    Some(PickedNode { name: printable(&node.name), lines, path, room, folds })
}

/// Whether the region that a node is sampled in repeats, with samples enough to be folded.
fn room(pictured: &Pictured, at: u32) -> (String, String) {
    let nodes = &pictured.overview.whole.nodes;
    let is_probe = |at: &u32| nodes[*at as usize].kind == NodeKind::Probe;
    let Some(probe) = pictured.shown.upwards(at).find(is_probe) else { return Default::default() };
    let counts = &pictured.overview.total().counts;
    let calls = counts[probe as usize];
    let samples = samples_below(pictured, probe);
    if samples == 0.0 {
        return (
            format!(
                "No room to fold: no sample fell into {}.",
                printable(&nodes[probe as usize].name)
            ),
            String::new(),
        );
    }
    let name = printable(&nodes[probe as usize].name);
    let per_call = significant(samples / calls.max(1.0), 2);
    let all = number(samples, 0);
    if !can_be_folded(calls, samples) {
        return (
            format!(
                "Little room to fold: {name} has {} and {all} samples.",
                if calls == 1.0 {
                    "1 call".to_owned()
                } else {
                    format!("{} calls", count_text(calls))
                }
            ),
            String::new(),
        );
    }
    (
        format!("{per_call} samples per call of {name}, {all} in all."),
        nodes[probe as usize].name.clone(),
    )
}

/// Whether so many instances and samples tell a curve.
pub fn can_be_folded(calls: f64, samples: f64) -> bool {
    calls >= ENOUGH_INSTANCES && samples >= ENOUGH_SAMPLES
}

/// Samples in a region and all that began inside it.
pub fn samples_below(pictured: &Pictured, probe: u32) -> f64 {
    let counts = &pictured.overview.total().counts;
    let (mut open, mut samples) = (vec![probe], 0.0);
    while let Some(at) = open.pop() {
        for child in &pictured.shown.children[at as usize] {
            let kind = pictured.overview.whole.nodes[*child as usize].kind;
            match kind {
                NodeKind::Probe => open.push(*child),
                NodeKind::Part => {}
                // A call site or a summary has the samples of what lies below it.
                _ => samples += counts[*child as usize],
            }
        }
    }
    samples
}
