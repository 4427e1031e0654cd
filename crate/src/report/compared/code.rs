use serde::Serialize;

use super::super::Figure;
use super::Tone;
use super::times::Times;
use crate::compare::{Comparison, LineRow};
use crate::quantity::printable;

/// A line of code of both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ComparedLine {
    /// From 1; `None` among those of the whole.
    pub phase: Option<u32>,
    pub routine: String,
    /// Where its text is: a file, empty if none is known, and a line of A, or of B where A has none.
    pub file: String,
    pub line: u32,
    /// `solver.c:31`, or `solver.c:31 → 43` where it moved.
    pub place: String,
    pub a: Figure,
    pub b: Figure,
    /// B less A, and half the width of its 95 % interval.
    pub change: Figure,
    pub within: String,
    pub tone: Tone,
}

/// The lines of each phase that change most, and of the whole.
pub fn lines(comparison: &Comparison, ms_per_unit: f64) -> Vec<ComparedLine> {
    let times = Times::of(comparison.a_ms.max(comparison.b_ms), ms_per_unit);
    let line = |phase: Option<usize>, row: &LineRow| ComparedLine {
        phase: phase.map(|at| at as u32 + 1),
        routine: routine_of_line(row),
        file: row.file.clone(),
        line: row.numbers[0].or(row.numbers[1]).unwrap_or(0),
        place: place(row),
        a: times.figure(row.numbers[0].map(|_| row.ms[0])),
        b: times.figure(row.numbers[1].map(|_| row.ms[1])),
        change: times.signed(row.change_ms()),
        within: format!("± {}", times.figure(Some(row.half_width_ms)).text),
        tone: Tone::of(row.is_sure, row.change_ms()),
    };
    let told = |phase| comparison.code_of(phase).map(move |row| line(phase, row));
    let phases = (0..comparison.phases.len()).map(Some).chain([None]);
    phases.flat_map(told).collect()
}

/// `Scale`, or `Scale → Scale_v2`.
pub fn routine_of_line(row: &LineRow) -> String {
    match row.routine == row.routine_b {
        true => printable(&row.routine),
        false => printable(&format!("{} → {}", row.routine, row.routine_b)),
    }
}

/// `solver.c:31 → 43`.
pub fn place(row: &LineRow) -> String {
    let file = printable(&row.file);
    // A tracer that knows no line has no file either.
    if file.is_empty() {
        return file;
    }
    let number = match row.numbers {
        [Some(a), Some(b)] if a != b => format!("{a} → {b}"),
        [Some(number), _] | [None, Some(number)] => number.to_string(),
        [None, None] => return file,
    };
    format!("{file}:{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_number_on_both_sides_where_they_differ() {
        let told =
            |numbers| place(&LineRow { file: "a.c".to_owned(), numbers, ..LineRow::default() });
        assert_eq!(told([Some(3), Some(3)]), "a.c:3");
        assert_eq!(told([Some(3), Some(15)]), "a.c:3 → 15");
        assert_eq!(told([None, Some(15)]), "a.c:15");
        assert_eq!(told([Some(3), None]), "a.c:3");
        assert_eq!(place(&LineRow { numbers: [Some(0); 2], ..LineRow::default() }), "");
    }
}
