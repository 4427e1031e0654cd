//! The text of a file of both sides, line beside line, in printed numbers.

use serde::Serialize;

use super::super::columns::{Columns, Reading};
use super::super::{Column, Figure};
use super::Tone;
use super::times::Times;
use crate::compare::{FileOfBoth, Hunk, Kin, LineOfBoth, SampledTime};
use crate::folding::Group;
use crate::paint::Compared;
use crate::quantity::{printable, time_unit};
use crate::result::SourceLine;

/// Lines round one that was sampled that are shown with it.
const CONTEXT: usize = 3;

/// A file whose text is known of both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BothSources {
    /// Of the times.
    pub unit: String,
    /// What can stand beside the time of a line.
    pub columns: Vec<Column>,
    pub pieces: Vec<BothPiece>,
    /// All of the file.
    pub time: BothTimes,
    /// Why the text of a side may be of another file than the one that ran, in words.
    pub doubts: [Option<String>; 2],
}

/// Neighbouring lines: a hunk, lines with samples and what lies round them, or what is not shown at first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BothPiece {
    /// What is the matter with them, and of which lines that is: both empty where they are the same.
    pub kind: String,
    pub place: String,
    /// Of a hunk that was sampled.
    pub time: Option<BothTimes>,
    pub is_open: bool,
    pub lines: Vec<BothLine>,
    /// Of so many lines that are the same and were not sampled, `lines` has the first alone.
    pub more: u32,
}

/// A line of a side, or of both.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BothLine {
    /// Its number on each side, from 1.
    pub a: Option<u32>,
    pub b: Option<u32>,
    /// `same`, `changed`, or where it moved to or from: `moved to 120`.
    pub kind: String,
    pub time: Option<BothTimes>,
}

/// Time and counters of both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BothTimes {
    pub a: Figure,
    pub b: Figure,
    /// B less A, and half the width of its 95 % interval.
    pub change: Figure,
    pub within: String,
    pub tone: Tone,
    /// A figure for each column.
    pub figures_a: Vec<Figure>,
    pub figures_b: Vec<Figure>,
}

/// What is sampled of a file in the first run of a side, by its counters.
struct Readings {
    lines: Vec<SourceLine>,
    /// Of each curve of A that of this side.
    curves: Vec<Option<usize>>,
    instructions: Option<usize>,
}

impl Readings {
    fn of(groups: &[Group; 2], side: usize, file: &str) -> Self {
        let own = &groups[side];
        let place = |name: &str| own.curves.iter().position(|curve| curve.counter == name);
        Self {
            lines: own.sampled_file(file).lines,
            curves: groups[0].curves.iter().map(|curve| place(&curve.counter)).collect(),
            instructions: own.curves.iter().position(|curve| curve.instructions),
        }
    }

    /// Of the lines of these numbers together, for each curve of A.
    fn sum(&self, mut is_of: impl FnMut(u32) -> bool) -> Vec<Reading> {
        let lines = self.lines.iter().filter(|line| is_of(line.line)).collect::<Vec<_>>();
        let events = |curve: usize| {
            let of = |line: &&&SourceLine| Some(line.rates.get(curve).copied()?? * line.ms);
            let known = lines.iter().map(|line| of(&line)).collect::<Option<Vec<_>>>()?;
            (!known.is_empty()).then(|| known.iter().sum::<f64>())
        };
        let ms = lines.iter().map(|line| line.ms).sum::<f64>();
        let instructions = self.instructions.and_then(events).filter(|events| *events > 0.0);
        let reading = |curve: &Option<usize>| {
            let events = curve.and_then(events);
            let ratio = events.zip(instructions).map(|(events, all)| events / all);
            Reading { rate: events.map(|events| events / ms), ratio, ..Reading::default() }
        };
        self.curves.iter().map(reading).collect()
    }
}

/// What is shown of a file: what was sampled or changed, and what lies round that; the rest is folded away.
pub fn sources(of: &Compared, file: &FileOfBoth, doubts: [Option<String>; 2]) -> BothSources {
    let comparison = &of.comparison;
    let (unit, per_unit_ns) = time_unit(comparison.a_ms.max(comparison.b_ms) * 1e6);
    let times = Times::of(comparison.a_ms.max(comparison.b_ms), per_unit_ns / 1e6);
    let readings = [0, 1].map(|side| Readings::of(&of.groups, side, &file.file));
    // The lines of both sides share the size of their columns.
    let lines =
        readings.iter().flat_map(|of| of.lines.iter().map(|line| of.sum(|at| at == line.line)));
    let columns = Columns::rate_and_ratios(&of.groups[0], &lines.collect::<Vec<_>>());
    let both = |time: &SampledTime, is_sure: bool, is_of: &dyn Fn(usize, u32) -> bool| {
        let figures = |side: usize| columns.figures(&readings[side].sum(|at| is_of(side, at)));
        BothTimes {
            a: times.figure(Some(time.ms[0])),
            b: times.figure(Some(time.ms[1])),
            change: times.signed(time.change_ms()),
            within: format!("± {}", times.figure(Some(time.half_width_ms)).text),
            tone: Tone::of(is_sure, time.change_ms()),
            figures_a: figures(0),
            figures_b: figures(1),
        }
    };
    let line = |of: &LineOfBoth| {
        let numbers = of.line.numbers;
        let time = of.time.as_ref().map(|time| {
            let mut own = both(time, of.is_sure, &|side, at| numbers[side] == Some(at));
            let none = Figure::of(None, |_| String::new());
            for (side, figure) in [&mut own.a, &mut own.b].into_iter().enumerate() {
                // A line that moved stands twice: each side where it has it.
                if numbers[side].is_none() {
                    *figure = none.clone();
                }
            }
            own
        });
        BothLine { a: numbers[0], b: numbers[1], kind: kind_of(of), time }
    };
    let hunk = |hunk: &Hunk| {
        let lines = &file.lines[hunk.first..hunk.end];
        let is_sampled = hunk.time.samples != [0, 0];
        let has = |side: usize, at| lines.iter().any(|of| of.line.numbers[side] == Some(at));
        BothPiece {
            kind: if file.is_moved(hunk) { "moved" } else { "changed" }.to_owned(),
            place: lines_of_hunk(file, hunk),
            time: is_sampled.then(|| both(&hunk.time, lines.iter().any(|of| of.is_sure), &has)),
            is_open: is_sampled,
            lines: lines.iter().map(line).collect(),
            more: 0,
        }
    };
    let mut pieces = vec![];
    let mut at = 0;
    for of in &file.hunks {
        pieces.extend(same(&file.lines[at..of.first], &line));
        pieces.push(hunk(of));
        at = of.end;
    }
    pieces.extend(same(&file.lines[at..], &line));
    let time = both(&file.time, false, &|_, _| true);
    BothSources { unit: unit.to_owned(), columns: columns.heads(), pieces, time, doubts }
}

/// Lines that are the same on both sides: those near one that was sampled, and what lies between.
fn same(lines: &[LineOfBoth], line: &impl Fn(&LineOfBoth) -> BothLine) -> Vec<BothPiece> {
    let sampled = lines.iter().enumerate().filter(|(_, of)| of.time.is_some()).map(|(at, _)| at);
    let sampled = sampled.collect::<Vec<_>>();
    let is_near = |at: usize| {
        let next = sampled.partition_point(|of| of + CONTEXT < at);
        sampled.get(next).is_some_and(|of| *of <= at + CONTEXT)
    };
    let near = (0..lines.len()).map(is_near).collect::<Vec<_>>();
    let mut pieces = vec![];
    let mut at = 0;
    for stretch in near.chunk_by(|a, b| a == b) {
        let (own, is_open) = (&lines[at..at + stretch.len()], stretch[0]);
        let shown = if is_open { own.len() } else { 1 };
        pieces.push(BothPiece {
            is_open,
            lines: own[..shown].iter().map(line).collect(),
            more: (own.len() - shown) as u32,
            ..BothPiece::default()
        });
        at += stretch.len();
    }
    pieces
}

fn kind_of(of: &LineOfBoth) -> String {
    match (of.line.kin, of.line.numbers, of.line.elsewhere) {
        (Kin::Moved, [Some(_), _], Some(there)) => format!("moved to {there}"),
        (Kin::Moved, _, Some(there)) => format!("moved from {there}"),
        (kin, ..) => <&str>::from(kin).to_owned(),
    }
}

/// `solver.c:31–35 → 31–40`.
pub fn place_of_hunk(file: &FileOfBoth, hunk: &Hunk) -> String {
    format!("{}:{}", printable(&file.file), lines_of_hunk(file, hunk))
}

/// `31–35 → 31–40`, or with what one side alone has `none → 31–40`.
fn lines_of_hunk(file: &FileOfBoth, hunk: &Hunk) -> String {
    let [a, b] = file.numbers_of(hunk).map(|lines| match lines {
        Some([first, last]) if first == last => first.to_string(),
        Some([first, last]) => format!("{first}\u{2013}{last}"),
        None => "none".to_owned(),
    });
    format!("{a} → {b}")
}
