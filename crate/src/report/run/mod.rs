//! The run at a glance, in words and printed numbers.

mod efficiency;
mod scaling;

pub use efficiency::{EfficiencyLine, EfficiencySummary, PartLine, thread};
pub use scaling::{ScalingSummary, scaling};

use serde::Serialize;

use super::Figure;
use super::regions::four_figures;
use crate::glance::{Glance, Loop, Rates, Row, RowKind};
use crate::instance::is_instructions;
use crate::quantity::{Quantity, count, duration, number, percent, short, significant};

/// What stands round the pictures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    pub name: String,
    /// Each a value and what it is of: `4`, `ranks`.
    pub facts: Vec<(String, String)>,
    /// What repeats: a bold begin, and the rest.
    pub sentence: (String, String),
    /// What is best folded, and the words of the button; `None` where nothing can be.
    pub best: Option<(String, String)>,
    /// Of each counter its name and its short one; instructions first.
    pub counters: Vec<(String, String)>,
    /// Where passes of the loop begin and the last one ends, as shares of the run.
    pub passes: Vec<f64>,
    /// Where they can begin, as texts of the setting `boundary`.
    pub boundaries: Vec<String>,
    /// Over the figures of each line.
    pub heads: Vec<String>,
    pub lines: Vec<RunLine>,
    /// Of bursts: how many points there are, and of how much of the time.
    pub shown: String,
    /// What the picture of distances shows, in words, and the setting `eps`.
    pub distances: String,
    pub eps: f64,
    /// Whether points may be by instructions: they have counters.
    pub has_work: bool,
    pub efficiency: EfficiencySummary,
    pub remarks: Vec<String>,
    /// Whether nothing is sampled, so that curves come from readings at calls.
    pub unsampled: bool,
}

/// A region, or what is left.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct RunLine {
    /// `iteration`, `1 after MPI_Recv · 412 (deck.f90)`, a routine or a call.
    pub name: String,
    /// What else there is to tell: where a pass begins, the type of the events; may be empty.
    pub hint: String,
    pub kind: RowKind,
    /// What is folded; empty where nothing can be.
    pub region: String,
    pub cluster: u32,
    /// Share in per cent, times, median duration in ms, readings inside, IPC, balance.
    pub figures: Vec<Figure>,
}

/// What a brush holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Brushed {
    /// Numbers of the clusters that it has bursts of, rising, with how many of each; 0 of those in
    /// none.
    pub clusters: Vec<(u32, u32)>,
    /// How many bursts, and how much of the time that all points take.
    pub words: String,
}

/// What these points are, by their places.
#[inline(never)]
pub fn brushed(glance: &Glance, points: &[usize]) -> Brushed {
    let of = &glance.points;
    let mut numbers =
        points.iter().filter_map(|at| of.clusters.get(*at)).copied().collect::<Vec<_>>();
    numbers.sort_unstable();
    let durations = points.iter().filter_map(|at| of.durations_ns.get(*at));
    let share = durations.sum::<f64>() / of.durations_ns.iter().sum::<f64>().max(1.0) * of.share;
    let bursts = if points.len() == 1 { "burst" } else { "bursts" };
    Brushed {
        clusters: numbers.chunk_by(|a, b| a == b).map(|of| (of[0], of.len() as u32)).collect(),
        words: format!(
            "{} {bursts} brushed: {} of the time that is computed",
            number(points.len() as f64, 0),
            percent(share, 1)
        ),
    }
}

/// All of it.
#[inline(never)]
pub fn run(glance: &Glance) -> RunSummary {
    let passes = glance.loops.iter().flat_map(|of| of.begins_ns.iter().copied().chain([of.end_ns]));
    RunSummary {
        name: glance.name.clone(),
        facts: facts(glance),
        sentence: sentence(glance),
        best: best(glance),
        counters: counters(glance),
        passes: passes.map(|ns| ns / glance.runtime_ns.max(1.0)).collect(),
        boundaries: glance.loops.iter().flat_map(|of| of.boundaries.iter().cloned()).collect(),
        heads: ["%", "times", "ms", "readings", "IPC", "balance"].map(str::to_owned).to_vec(),
        lines: glance.rows.iter().map(line).collect(),
        shown: format!(
            "{} of {} bursts: {} of the time that is computed",
            number(glance.points.clusters.len() as f64, 0),
            number(glance.bursts, 0),
            percent(glance.points.share, 1)
        ),
        distances: format!(
            "How near the bursts that make clusters have {} others: 0.1 is a tenth more work, or time.",
            number(f64::from(glance.distances.min_points.saturating_sub(1)), 0)
        ),
        eps: glance.distances.eps,
        has_work: !glance.points.instructions.is_empty(),
        efficiency: efficiency::efficiency(glance),
        // Why nothing repeats is told beside the structure.
        remarks: glance
            .remarks
            .iter()
            .skip(usize::from(glance.loops.is_none()))
            .chain(&glance.efficiency.remarks)
            .cloned()
            .collect(),
        unsampled: glance.samples == 0.0,
    }
}

/// What a picture of the run is headed by: its facts, and what repeats.
#[inline(never)]
pub fn heading(glance: &Glance) -> [String; 2] {
    let fact = |(value, words): (String, String)| format!("{value} {words}").trim_end().to_owned();
    let facts = facts(glance).into_iter().map(fact).collect::<Vec<_>>();
    let (bold, rest) = sentence(glance);
    [facts.join(" \u{b7} "), format!("{bold} {rest}")]
}

fn per_cent(share: Option<f64>) -> Figure {
    Figure::of(share, |share| number(100.0 * share, 1))
}

fn facts(glance: &Glance) -> Vec<(String, String)> {
    let threads = glance.lifelines.len();
    let fact = |value: String, one: &str, many: &str| {
        let words = if value == "1" { one } else { many };
        (value, words.to_owned())
    };
    let mut facts = Vec::new();
    if glance.tasks as usize == threads || glance.tasks > 1 {
        facts.push(fact(number(f64::from(glance.tasks), 0), "rank", "ranks"));
    }
    if glance.tasks as usize != threads {
        facts.push(fact(number(threads as f64, 0), "thread", "threads"));
    }
    facts.push((duration(glance.runtime_ns), String::new()));
    let counted =
        |value: Option<f64>, words: &str| value.map(|value| (count(value), words.to_owned()));
    facts.extend(counted(glance.instructions, "instructions"));
    facts.extend(glance.ipc.map(|ipc| (number(ipc, 2), "IPC".to_owned())));
    facts.push(fact(number(glance.samples, 0), "sample in a region", "samples in a region"));
    facts.push(fact(number(glance.readings, 0), "reading", "readings"));
    facts.push(fact(number(glance.counters.len() as f64, 0), "counter", "counters"));
    facts
}

/// What is counted first is what computes.
fn counters(glance: &Glance) -> Vec<(String, String)> {
    let mut names = glance.counters.iter().collect::<Vec<_>>();
    names.sort_by_key(|name| !is_instructions(name));
    names.into_iter().map(|name| (name.clone(), short(name).to_owned())).collect()
}

/// What is seen of a counter: between how many readings it is known, and what it counts on average.
#[inline(never)]
pub fn rates(rates: &Rates) -> String {
    if rates.steps == 0.0 {
        return format!("{} is not read here.", short(&rates.counter));
    }
    let quantity = Quantity::of_reading(&rates.counter, rates.instructions, rates.joules);
    let largest = rates.average * quantity.scale;
    let stretches = if rates.steps == 1.0 { "stretch" } else { "stretches" };
    let threads = if rates.threads == 1 { "thread" } else { "threads" };
    format!(
        "{} {stretches} from one reading to the next, on {} {threads}: {} on average. Line: all threads \
         together; band: from the slowest to the fastest.",
        number(rates.steps, 0),
        number(f64::from(rates.threads), 0),
        quantity.sized(largest).text(rates.average)
    )
}

/// A name without its kind.
fn bare(name: &str) -> &str {
    name.split_once(": ").map_or(name, |(_, place)| place)
}

fn sentence(glance: &Glance) -> (String, String) {
    let Some(of) = &glance.loops else {
        let computed = percent(glance.computing, 1);
        let words = match glance.remarks.first() {
            Some(why) if glance.bursts > 0.0 => {
                format!("{} Bursts take {computed} of the time of all threads.", bare(why))
            }
            Some(why) => bare(why).to_owned(),
            None => String::new(),
        };
        return ("Nothing repeats:".to_owned(), words);
    };
    let passes = number(of.begins_ns.len() as f64, 0);
    let one = of.begins_ns.len() == 1;
    let rest = format!(
        "of {} {} {} of the run{}.",
        duration(of.median_ns),
        if one { "holds" } else { "hold" },
        percent(of.share, 1),
        largest(glance, of).unwrap_or_default()
    );
    (format!("{passes} iteration{}", if one { "" } else { "s" }), rest)
}

/// What a pass is made of.
fn largest(glance: &Glance, of: &Loop) -> Option<String> {
    let (number, share) = of.largest?;
    let row = glance.rows.iter().find(|row| row.cluster == number)?;
    let evenly = match row.balance {
        Some(balance) if balance >= EVEN => ", evenly on all threads".to_owned(),
        Some(balance) => format!(", with a balance of {}", significant(balance, 2)),
        None => String::new(),
    };
    Some(format!(
        "; cluster {number}, {}, is {} of each{evenly}",
        bare(&row.name),
        percent(share, 1)
    ))
}

/// With this much of the largest time in the mean, no thread waits for another for long.
const EVEN: f64 = 0.97;

/// What is best folded, and the words of its button.
fn best(glance: &Glance) -> Option<(String, String)> {
    let row = glance.rows.iter().find(|row| row.region == glance.best && !row.region.is_empty())?;
    let words = match row.kind {
        RowKind::Iteration => "Fold the iteration".to_owned(),
        RowKind::Cluster => format!("Fold cluster {}", row.cluster),
        _ => format!("Fold {}", row.name.split_once(':').map_or(&*row.name, |(_, value)| value)),
    };
    Some((row.region.clone(), words))
}

fn line(row: &Row) -> RunLine {
    let ms = |ns: f64| four_figures(ns / 1e6);
    let (kind, bare) = row.name.split_once(": ").unwrap_or(("", &row.name));
    let (name, hint) = match row.kind {
        RowKind::Iteration if kind.contains("inner") => ("inner iteration".to_owned(), bare),
        RowKind::Iteration => ("iteration".to_owned(), bare),
        RowKind::Cluster => (format!("{} {bare}", row.cluster), ""),
        RowKind::Events => {
            let (kind, value) = row.name.split_once(':').unwrap_or(("", &row.name));
            (value.to_owned(), kind)
        }
        RowKind::Smaller | RowKind::Apart => (row.name.clone(), ""),
    };
    RunLine {
        name,
        hint: hint.to_owned(),
        kind: row.kind,
        region: row.region.clone(),
        cluster: row.cluster,
        figures: vec![
            per_cent(Some(row.share)),
            Figure::whole(row.times),
            Figure::of(row.median_ns, ms),
            Figure::of(row.readings, |inside| significant(inside, 3)),
            Figure::of(row.ipc, |ipc| number(ipc, 2)),
            Figure::of(row.balance, |balance| number(balance, 3)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::Points;

    #[test]
    fn what_is_brushed_has_its_share_of_all_that_is_computed() {
        // The points are three quarters of it, of which these two take a third.
        let points = Points {
            clusters: vec![2, 0, 2, 1],
            durations_ns: vec![100.0, 300.0, 200.0, 300.0],
            share: 0.75,
            ..Points::default()
        };
        let told = brushed(&Glance { points, ..Glance::default() }, &[2, 0]);
        assert_eq!(told.clusters, [(2, 2)]);
        assert_eq!(told.words, "2 bursts brushed: 25.0\u{202f}% of the time that is computed");
    }
}
