//! A comparison in words and printed numbers.

mod code;
mod counters;
mod objects;
mod source;
mod times;
mod whole;

use serde::Serialize;

pub use code::{ComparedLine, place as place_of_line, routine_of_line};
pub use counters::compared_at;
use counters::{counter, in_order};
pub use objects::{ComparedObject, cost_in_words, name_of_object, objects, walks_in_words};
pub use source::{BothLine, BothPiece, BothSources, BothTimes, place_of_hunk, sources};
use times::Times;
pub use whole::{WholeRow, WholeTable};

use super::Figure;
use crate::compare::{Between, Comparison, Row, Verdict, told};
use crate::paint::{Compared, compared_counters};
use crate::quantity::{
    THIN, change as percent, duration, number, printable, short, significant, time_unit,
};

/// What stands round the pictures of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ComparedSummary {
    /// Each a value and what it is of: `64.1 ms`, `A`.
    pub facts: Vec<(String, String)>,
    pub sentences: Vec<ComparedSentence>,
    /// Phases in order, what only one side has, and at last the whole.
    pub rows: Vec<ComparedRow>,
    /// Unit of their times.
    pub unit: String,
    /// Counters of each phase, and of the whole.
    pub counters: Vec<ComparedCounter>,
    /// Lines of code that change most, of each phase and of the whole.
    pub lines: Vec<ComparedLine>,
    /// Counters that can have the third lane, each with its name.
    pub lanes: Vec<(String, String)>,
    /// Whether stretches of routines are known of either.
    pub has_code: bool,
    /// `phase`, `share` or `time`.
    pub along: String,
    /// What is assumed of other runs, in a bold begin and the rest; both empty where it is measured.
    pub assumed: (String, String),
    /// Whether nothing differs at all.
    pub is_same: bool,
    /// Of the runs as a whole, where they are compared: what their time is made of, regions, clusters.
    pub whole: Vec<WholeTable>,
    /// What of it nobody knows, and why; empty where all is known.
    pub whole_lacks: String,
}

/// What is told first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ComparedSentence {
    pub text: String,
    /// The phase that it is of, from 1.
    pub phase: Option<u32>,
}

/// A phase of both sides, what only one has, or the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ComparedRow {
    /// From 1; `None` of what only one side has, and of the whole.
    pub phase: Option<u32>,
    pub name: String,
    pub a: Figure,
    pub b: Figure,
    /// B less A.
    pub difference: Figure,
    /// Of A, in per cent.
    pub change: Figure,
    /// 95 % intervals of that, in per cent: of the program, and of these runs.
    pub interval: String,
    pub within: String,
    pub verdict: String,
    pub tone: Tone,
    /// What is ruled out, what would be seen, and with how many runs.
    pub words: String,
    /// Where the bar of the difference ends, and both intervals begin and end, as shares of the widest: −1 to 1;
    /// empty without.
    pub bar: Vec<f64>,
}

/// Whether B takes longer, beyond doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub enum Tone {
    Slower,
    Faster,
    Unsure,
}

impl Tone {
    pub(super) fn of(is_sure: bool, change: f64) -> Self {
        match (is_sure, change > 0.0) {
            (false, _) => Self::Unsure,
            (true, true) => Self::Slower,
            (true, false) => Self::Faster,
        }
    }
}

/// A counter in a phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ComparedCounter {
    /// From 1; `None` of the whole.
    pub phase: Option<u32>,
    pub name: String,
    /// What it is, `L2 misses`, and its unit, `/ 1000 ins`; empty where the one says the other.
    pub title: String,
    pub unit: String,
    pub a: Figure,
    pub b: Figure,
    /// Of A, and its 95 % interval, in per cent.
    pub change: Figure,
    pub interval: String,
    /// Whether it changes beyond doubt.
    pub is_sure: bool,
}

/// What is told of a comparison, in one unit for all of its times.
pub fn compared(of: &Compared, between: Between) -> ComparedSummary {
    let comparison = &of.comparison;
    let (sentences, is_same) = told(comparison, between);
    let sentences = sentences.into_iter().map(|sentence| ComparedSentence {
        text: printable(&sentence.text),
        phase: sentence.phase.map(|at| at as u32 + 1),
    });
    let (unit, per_unit_ns) = time_unit(comparison.a_ms.max(comparison.b_ms) * 1e6);
    // What tells of whole runs is there only where they were compared.
    let is_whole = comparison.parts.is_some()
        || comparison.regions.is_some()
        || !comparison.clusters.is_empty()
        || comparison.not_spent.iter().any(Option::is_some);
    ComparedSummary {
        facts: facts(of, is_same),
        sentences: sentences.collect(),
        rows: rows(of, per_unit_ns / 1e6),
        unit: unit.to_owned(),
        counters: in_order(&comparison.counters).map(|row| counter(row, &of.groups)).collect(),
        lines: code::lines(comparison, per_unit_ns / 1e6),
        lanes: lanes(of),
        has_code: of.groups.iter().any(|group| !group.stretches.is_empty()),
        along: <&str>::from(of.aligned.along).to_owned(),
        assumed: assumed(comparison, between),
        is_same,
        whole: if is_whole { whole::tables(comparison) } else { vec![] },
        whole_lacks: if is_whole { whole::lacks(comparison) } else { String::new() },
    }
}

fn facts(of: &Compared, is_same: bool) -> Vec<(String, String)> {
    let Comparison { runs, a_ms, b_ms, total, phases, .. } = &of.comparison;
    let about = |value: String, rest: &str| (value, rest.to_owned());
    let kept = of.groups.each_ref().map(|group| number(f64::from(group.kept), 0));
    let each = match runs {
        [1, 1] => about("one run each".to_owned(), ""),
        [a, b] => about(format!("{a} and {b}"), "runs"),
    };
    let difference = (b_ms - a_ms).abs();
    let way = match total.verdict {
        Verdict::Slower => Some("more"),
        Verdict::Faster => Some("less"),
        _ => None,
    };
    let mut facts = vec![about(duration(a_ms * 1e6), "A"), about(duration(b_ms * 1e6), "B")];
    facts.push(match way {
        _ if is_same => about("the same result".to_owned(), ""),
        Some(way) => {
            about(format!("{} {way}", duration(difference * 1e6)), &interval(total.interval))
        }
        None => about(<&str>::from(total.verdict).to_owned(), &interval(total.interval)),
    });
    facts.push(about(format!("{} and {}", kept[0], kept[1]), "instances"));
    facts.push(each);
    facts.push(about((phases.len() + 1).to_string(), "comparisons"));
    facts
}

fn assumed(comparison: &Comparison, between: Between) -> (String, String) {
    let percent = |share: f64| significant(100.0 * share, 2);
    match (comparison.runs, between.clock.max(between.phase)) {
        ([1, 1], most) if most > 0.0 => (
            "One run each.".to_owned(),
            format!(
                "That runs of one program differ by {}{THIN}% is assumed, not measured: the thin intervals hold it, \
                 the thick ones are of these runs alone. Where runs vary more, unchanged ones are called \
                 changed.",
                percent(most)
            ),
        ),
        ([1, 1], _) => (
            "These runs only.".to_owned(),
            "Of other runs of the same programs nothing is said.".to_owned(),
        ),
        _ => (String::new(), String::new()),
    }
}

/// Both ends of a change in per cent: `[+7.5, +17]`.
fn ends([low, high]: [f64; 2]) -> String {
    format!("[{}, {}]", percent(low), percent(high))
}

fn interval(of: [f64; 2]) -> String {
    format!("{}{THIN}%", ends(of))
}

fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Slower => Tone::Slower,
        Verdict::Faster => Tone::Faster,
        _ => Tone::Unsure,
    }
}

/// What is ruled out, and what would have been seen.
fn words(row: &Row) -> String {
    let changes = match row.verdict {
        Verdict::Slower | Verdict::Faster => return String::new(),
        Verdict::Perhaps => {
            "Beyond what matters by itself, not among so many comparisons.".to_owned()
        }
        Verdict::NotSeen | Verdict::Same => {
            format!("Changes beyond {} are ruled out.", interval(row.interval))
        }
    };
    let seen = format!(
        "A change of {}{THIN}% would be seen four times in five",
        significant(100.0 * row.visible, 2)
    );
    match row.runs_needed {
        Some(runs) => format!("{changes} {seen}; one of 5{THIN}% with {runs} runs a side."),
        None => format!("{changes} {seen}."),
    }
}

fn rows(of: &Compared, ms_per_unit: f64) -> Vec<ComparedRow> {
    let comparison = &of.comparison;
    let times = Times::of(comparison.a_ms.max(comparison.b_ms), ms_per_unit);
    let row = |phase: Option<u32>, name: String, [a, b]: [f64; 2], row: &Row| {
        let ends = [row.interval, row.within].map(|ends| ends.map(|end| end * a));
        (
            ComparedRow {
                phase,
                name,
                a: times.figure(Some(a)),
                b: times.figure(Some(b)),
                difference: times.signed(b - a),
                change: Figure::of(Some(row.change), percent),
                interval: interval(row.interval),
                within: interval(row.within),
                verdict: <&str>::from(row.verdict).to_owned(),
                tone: tone(row.verdict),
                words: words(row),
                bar: vec![],
            },
            [vec![b - a], ends.concat()].concat(),
        )
    };
    let mut all = Vec::new();
    for (at, phase) in comparison.phases.iter().enumerate() {
        let mut name = phase.routines();
        if let Some(note) = comparison.became(phase) {
            name = if name.is_empty() { note } else { format!("{name}, {note}") };
        }
        let number = Some(at as u32 + 1);
        all.push(row(number, printable(&name), [phase.a_ms, phase.b_ms], &phase.row));
    }
    all.extend(of_one_side(of, &times));
    all.push(row(
        None,
        "instance".to_owned(),
        [comparison.a_ms, comparison.b_ms],
        &comparison.total,
    ));
    let widest = all.iter().flat_map(|(_, ends)| ends).map(|end| end.abs()).fold(0.0, f64::max);
    let scaled = |(row, ends): (ComparedRow, Vec<f64>)| {
        let bar = ends.iter().map(|end| end / widest.max(f64::MIN_POSITIVE)).collect();
        ComparedRow { bar, ..row }
    };
    all.into_iter().map(scaled).collect()
}

/// What is matched with nothing, together: of A, and of B.
fn of_one_side(of: &Compared, times: &Times) -> Vec<(ComparedRow, Vec<f64>)> {
    let matched = |side: usize| {
        let spans = of.comparison.phases.iter().map(|phase| [phase.a, phase.b][side]);
        spans.map(|span| span[1] - span[0]).sum::<f64>()
    };
    let rest = [0, 1].map(|side| {
        let ms = of.groups[side].mean_duration_ns / 1e6;
        (1.0 - matched(side)).max(0.0) * ms
    });
    let names = ["only in A", "only in B"];
    let sides = [0, 1].into_iter().filter(|side| rest[*side] > NOTHING_MS * of.comparison.a_ms);
    let row = |side: usize| {
        let ms = rest[side];
        let difference = if side == 0 { -ms } else { ms };
        let own = |at: usize| times.figure((at == side).then_some(ms));
        let row = ComparedRow {
            phase: None,
            name: names[side].to_owned(),
            a: own(0),
            b: own(1),
            difference: times.signed(difference),
            change: Figure::of(None, percent),
            interval: String::new(),
            within: String::new(),
            verdict: ["gone", "new"][side].to_owned(),
            tone: Tone::Unsure,
            words: String::new(),
            bar: vec![],
        };
        (row, vec![difference])
    };
    sides.map(row).collect()
}

/// Less than this share of A is rounding.
const NOTHING_MS: f64 = 1e-6;

/// Counters that can have the third lane.
fn lanes(of: &Compared) -> Vec<(String, String)> {
    let names = compared_counters(of).into_iter();
    names.map(|name| (name.clone(), printable(short(&name)))).collect()
}
