//! What was sampled of a source file, as the page's pane shows it.

use serde::Serialize;

use super::columns::{Columns, Reading};
use super::phases::length;
use super::{Column, Figure};
use crate::folding::Group;
use crate::quantity::{extent, length_unit, percent};
use crate::result::{PhaseCode, SampledFile, SourceBlock, SourceLine, SourceView};

/// A file of the trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct FileLine {
    /// Empty for all lines without one.
    pub file: String,
    /// Its line of most time.
    pub line: u32,
    /// Of the region.
    pub share: String,
}

/// All that the page shows of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct SourceReport {
    /// Over the column of times.
    pub unit: String,
    /// Columns of the figures of lines.
    pub columns: Vec<Column>,
    /// Those that were sampled, in order.
    pub lines: Vec<SourceRow>,
    /// Outer ones before those in them; empty without the text.
    pub blocks: Vec<BlockRow>,
    /// For each phase.
    pub phases: Vec<Option<PhasePlace>>,
    /// Why it may be another file than the one that ran, in words.
    pub doubt: Option<String>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct SourceRow {
    /// From 1; 0 where the trace does not tell.
    pub line: u32,
    /// The one with most of its time.
    pub routine: String,
    pub samples: Figure,
    pub time: Figure,
    pub figures: Vec<Figure>,
    /// From 1 to 8, 0 for none: by time, then by each counter of the group.
    pub heat: Vec<u8>,
}

/// A routine or loop of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BlockRow {
    /// `routine` or `loop`.
    pub kind: String,
    pub name: String,
    /// E.g. `loop 223–229`.
    pub words: String,
    /// First and last line, from 1.
    pub first: u32,
    pub last: u32,
    /// Blocks round it.
    pub depth: u32,
    /// What its lines take, without what they call: `12.3 ms, 4.5 %`; empty if none was sampled.
    pub time: String,
}

/// The code that a phase is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct PhasePlace {
    pub file: String,
    /// The line of most time in it; 0 where the trace does not tell.
    pub line: u32,
    /// Of the phase.
    pub share: String,
    /// E.g. `loop 223–229 in Scale`.
    pub words: String,
}

/// The files of a group, that of most time first.
pub fn files(group: &Group) -> Vec<FileLine> {
    let file = |SampledFile { file, share, line, .. }: SampledFile| FileLine {
        file,
        line,
        share: percent(share, 1),
    };
    group.sampled_files().into_iter().map(file).collect()
}

/// `view` of a file in words and printed numbers.
pub fn source_file(group: &Group, view: SourceView) -> SourceReport {
    let readings = |line: &SourceLine| {
        let pairs = line.rates.iter().zip(&line.per_instruction);
        let reading = |(&rate, &ratio)| Reading { rate, ratio, ..Reading::default() };
        pairs.map(reading).collect::<Vec<_>>()
    };
    let rows = view.lines.iter().map(readings).collect::<Vec<_>>();
    let columns = Columns::rate_and_ratios(group, &rows);
    let line = |(line, row): (SourceLine, &Vec<Reading>)| SourceRow {
        line: line.line,
        routine: line.routine,
        samples: Figure::whole(f64::from(line.samples)),
        time: length(group, line.share),
        figures: columns.figures(row),
        heat: line.heat,
    };
    let place = |PhaseCode { file, line, share, words, .. }: PhaseCode| PhasePlace {
        file,
        line,
        share: percent(share, 0),
        words,
    };
    SourceReport {
        unit: length_unit(group).to_owned(),
        columns: columns.heads(),
        lines: view.lines.into_iter().zip(&rows).map(line).collect(),
        blocks: view.blocks.into_iter().map(|each| block(group, each)).collect(),
        phases: view.phases.into_iter().map(|code| code.map(place)).collect(),
        doubt: view.doubt,
    }
}

fn block(group: &Group, block: SourceBlock) -> BlockRow {
    let time = match block.samples {
        0 => String::new(),
        _ => format!("{}, {}", extent(group, block.share), percent(block.share, 1)),
    };
    BlockRow {
        kind: block.kind.to_owned(),
        name: block.name,
        words: block.words,
        first: block.first,
        last: block.last,
        depth: block.depth,
        time,
    }
}
