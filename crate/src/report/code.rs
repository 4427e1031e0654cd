//! Tables of routines, lines and calling contexts.

use serde::Serialize;

use super::columns::{Columns, Reading};
use super::phases::length;
use super::range::ordered;
use super::{Column, Figure};
use crate::folding::Group;
use crate::quantity::{Kind, Quantity, number};
use crate::result::{ContextTime, LineTime, RoutineTime, Speed};

/// Time and speed of code: routines by exclusive time, lines by time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Code {
    /// Columns of the figures of routines and lines.
    pub columns: Vec<Column>,
    pub routines: Vec<RoutineRow>,
    pub lines: Vec<LineRow>,
    /// One for each calling context of the group.
    pub contexts: Vec<ContextRow>,
    /// What the histograms are of: `MIPS from 1 200 to 4 100`; empty without instructions, and where
    /// the axis counts them.
    pub histogram: String,
}

/// A routine, whatever called it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct RoutineRow {
    /// Its place among the routines.
    pub routine: u32,
    /// The place of its colour.
    pub hue: u32,
    pub name: String,
    /// With it on the call-stack, and with it innermost.
    pub inclusive: Figure,
    pub exclusive: Figure,
    /// Per cent of the region, or of the part of it, with it innermost.
    pub share: Figure,
    pub samples: Figure,
    pub figures: Vec<Figure>,
    /// Time at each of as many equal steps of MIPS, over the longest; empty without instructions.
    pub histogram: Vec<f64>,
}

/// A line of code as the innermost frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct LineRow {
    /// Its place in the folding.
    pub place: u32,
    pub file: String,
    /// 0 where the trace does not tell.
    pub line: u32,
    pub routine: u32,
    pub time: Figure,
    pub share: Figure,
    pub samples: Figure,
    pub figures: Vec<Figure>,
    pub histogram: Vec<f64>,
}

/// A routine as called from one place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ContextRow {
    pub context: u32,
    /// That of the caller, which is before it.
    pub parent: Option<u32>,
    pub routine: u32,
    /// The place of its colour.
    pub hue: u32,
    pub inclusive: Figure,
    pub exclusive: Figure,
}

/// Time and speed of every routine, line and calling context of a group, in all of folded time or in
/// a part of it. O(samples × curves).
pub fn code(group: &Group, part: Option<[f64; 2]>) -> Code {
    let part = part.map(ordered);
    let table = part.map_or_else(|| group.code(), |part| group.code_between(part));
    let whole = part.map_or(1.0, |[from, to]| to - from);
    let of_routines = table.routines.iter().map(|routine| readings(&routine.speed));
    let columns = Columns::rate_and_ratios(group, &of_routines.collect::<Vec<_>>());
    let ends = table.mips.and_then(|ends| histogram(group, ends));
    let bins = |speed: &Speed| match ends {
        Some(_) => over_longest(&speed.histogram),
        None => vec![],
    };
    let share = |share: f64| Figure::of(Some(share / whole), |share| number(100.0 * share, 1));
    let routines = table.routines.iter().map(|row: &RoutineTime| RoutineRow {
        routine: row.routine,
        hue: group.hue(row.routine) as u32,
        name: group.routine(row.routine).to_owned(),
        inclusive: length(group, row.inclusive),
        exclusive: length(group, row.exclusive),
        share: share(row.exclusive),
        samples: Figure::whole(f64::from(row.samples)),
        figures: columns.figures(&readings(&row.speed)),
        histogram: bins(&row.speed),
    });
    let lines = table.lines.iter().filter_map(|row: &LineTime| {
        let at = group.places.get(row.place as usize)?;
        Some(LineRow {
            place: row.place,
            file: at.file.clone(),
            line: at.line,
            routine: at.routine,
            time: length(group, row.share),
            share: share(row.share),
            samples: Figure::whole(f64::from(row.samples)),
            figures: columns.figures(&readings(&row.speed)),
            histogram: bins(&row.speed),
        })
    });
    let contexts = (0..).zip(group.contexts.iter().zip(&table.contexts));
    let contexts = contexts.map(|(index, (context, time))| {
        let ContextTime { inclusive, exclusive, .. } = *time;
        ContextRow {
            context: index,
            parent: context.parent,
            routine: context.routine,
            hue: group.hue(context.routine) as u32,
            inclusive: length(group, inclusive),
            exclusive: length(group, exclusive),
        }
    });
    Code {
        routines: routines.collect(),
        lines: lines.collect(),
        contexts: contexts.collect(),
        histogram: ends.clone().unwrap_or_default(),
        columns: columns.heads(),
    }
}

/// What lies between the ends of the histograms.
fn histogram(group: &Group, [least, most]: [f64; 2]) -> Option<String> {
    let instructions = group.instructions().filter(|curve| !group.is_axis(curve))?;
    let quantity = Quantity::of(group, instructions, Kind::Rate);
    let quantity = quantity.clone().sized(most * quantity.scale);
    let name =
        if quantity.unit == quantity.name { String::new() } else { quantity.name.clone() + " " };
    let (least, most) = (quantity.number(least), quantity.number(most));
    Some(format!("{name}{} from {least} to {most}", quantity.unit))
}

/// What the curves say of some time, one reading for each.
fn readings(speed: &Speed) -> Vec<Reading> {
    let pairs = speed.rates.iter().zip(&speed.per_instruction);
    pairs.map(|(&rate, &ratio)| Reading { rate, ratio, ..Reading::default() }).collect()
}

/// Shares of the longest; none where there is nothing at all.
fn over_longest(histogram: &[f64]) -> Vec<f64> {
    let longest = histogram.iter().copied().fold(0.0, f64::max);
    match longest > 0.0 {
        true => histogram.iter().map(|share| share / longest).collect(),
        false => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Context, Curve, Lines, Place};

    #[test]
    fn callers_have_the_time_of_what_they_call_and_bars_are_shares_of_the_longest() {
        let place = |routine, line| Place { routine, line, file: "a.c".to_owned(), samples: 1 };
        let instructions = Curve {
            counter: "PAPI_TOT_INS".to_owned(),
            instructions: true,
            mean_rate: 2.0,
            fitted: vec![0.0, 1.0],
            rate: vec![1.0, 3.0],
            ..Curve::default()
        };
        let group = Group {
            mean_duration_ns: 2e6,
            routines: ["main", "solve"].map(str::to_owned).to_vec(),
            places: vec![place(0, 3), place(1, 9)],
            lines: Lines { x: vec![0.25, 0.75], place: vec![0, 1], context: vec![0, 1] },
            contexts: vec![
                Context { parent: None, routine: 0, samples: 1 },
                Context { parent: Some(0), routine: 1, samples: 1 },
            ],
            curves: vec![instructions],
            ..Group::default()
        };
        let code = code(&group, None);
        let times =
            code.routines.iter().map(|of| (&*of.name, of.inclusive.value, of.exclusive.value));
        let expected = [("main", Some(2.0), Some(1.0)), ("solve", Some(1.0), Some(1.0))];
        assert_eq!(times.collect::<Vec<_>>(), expected);
        let contexts = code.contexts.iter().map(|of| (of.inclusive.value, of.exclusive.value));
        assert_eq!(contexts.collect::<Vec<_>>(), expected.map(|(_, all, own)| (all, own)));
        // The only sample of `main` is the slowest, that of `solve` the fastest.
        let bars = |row: &RoutineRow| [row.histogram[0], row.histogram[row.histogram.len() - 1]];
        assert_eq!(code.routines.iter().map(bars).collect::<Vec<_>>(), [[1.0, 0.0], [0.0, 1.0]]);
    }
}
