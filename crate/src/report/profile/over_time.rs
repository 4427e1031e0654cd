//! Intervals of a run, in words.

use serde::Serialize;

use crate::paint::{OverTime, Pictured, Piece, is_time_looked_at};
use crate::quantity::{NONE, OfMetric, number, percent, printable};

/// What each interval is made of, as a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct OverTimeTable {
    /// What numbers are of.
    pub words: String,
    pub heads: Vec<String>,
    /// Of each interval when it was, what the program called its end, and a number for each head.
    pub rows: Vec<(String, String, Vec<String>)>,
}

/// All of them.
pub fn over_time(pictured: &Pictured, of: &OverTime) -> OverTimeTable {
    let row = |at: usize| {
        let numbers = of.pieces.iter().map(|piece| value(pictured, of, at, piece.values[at]));
        let until = printable(&pictured.overview.whole.intervals[at].until);
        (span(of, at), until, numbers.collect())
    };
    let metric = &pictured.overview.whole.metrics[pictured.metric];
    let words = match (is_time_looked_at(pictured), of.in_time) {
        (true, true) => "Shares of each interval".to_owned(),
        (_, true) => format!("{} per microsecond", printable(&metric.name)),
        _ => printable(&metric.name),
    };
    let heads = of.pieces.iter().map(|piece| name(pictured, piece));
    OverTimeTable {
        words: format!("{words}, on average over {} threads", of.threads),
        heads: heads.collect(),
        rows: (0..of.intervals()).map(row).collect(),
    }
}

/// An interval and what is pointed at of it, in words.
pub fn interval(pictured: &Pictured, of: &OverTime, at: usize, piece: Option<usize>) -> String {
    let until = printable(&pictured.overview.whole.intervals[at].until);
    let until = if until.is_empty() { until } else { format!(" until {until}") };
    let told = piece.and_then(|piece| of.pieces.get(piece)).map(|piece| {
        format!(": {} {}", name(pictured, piece), value(pictured, of, at, piece.values[at]))
    });
    format!("{}{until}{}", span(of, at), told.unwrap_or_default())
}

/// `2.0 to 3.0 s`, or its number.
fn span(of: &OverTime, at: usize) -> String {
    if !of.in_time {
        return format!("interval {}", at + 1);
    }
    let written = OfMetric::of("ns", of.edges.last().copied().unwrap_or(0.0));
    format!("{} to {}", written.number(of.edges[at]), written.text(of.edges[at + 1]))
}

fn value(pictured: &Pictured, of: &OverTime, at: usize, value: f64) -> String {
    let is_time = is_time_looked_at(pictured);
    let rate = of.rate(at, value, is_time);
    match (is_time, of.in_time) {
        _ if !rate.is_finite() => NONE.to_owned(),
        (true, true) => percent(rate, 1),
        (false, true) => format!("{}/µs", OfMetric::of("", rate).text(rate)),
        (true, false) => OfMetric::of("ns", rate).text(rate),
        (false, false) => number(rate, 0),
    }
}

fn name(pictured: &Pictured, piece: &Piece) -> String {
    let node = piece.node.map(|node| &pictured.overview.whole.nodes[node as usize].name);
    node.map_or_else(|| "the rest".to_owned(), |name| printable(name))
}
