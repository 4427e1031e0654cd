//! The numbers of the curves at evenly spread moments.

use serde::Serialize;

use super::columns::{Columns, Reading};
use super::phases::length;
use super::{Column, Figure};
use crate::folding::Group;
use crate::quantity::{length_unit, number};

/// Every curve's numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Over lengths along the axis: `ms`, or the name of a counter.
    pub unit: String,
    pub columns: Vec<Column>,
    pub rows: Vec<TableRow>,
}

/// One moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct TableRow {
    /// Folded time.
    pub x: Figure,
    /// The same along the axis.
    pub at: Figure,
    pub figures: Vec<Figure>,
}

/// `rows` moments from begin to end.
pub fn table(group: &Group, rows: u32) -> Table {
    let moments = group.table(rows);
    let readings = moments.iter().map(|moment| {
        let readings = moment.values.iter().map(|value| Reading {
            rate: value.rate,
            ratio: value.per_instruction,
            ..Reading::default()
        });
        readings.collect::<Vec<_>>()
    });
    let readings = readings.collect::<Vec<_>>();
    let columns = Columns::all(group, &readings);
    let rows = moments.iter().zip(&readings).map(|(moment, readings)| TableRow {
        x: Figure::of(Some(moment.x), |x| number(x, 2)),
        at: length(group, moment.x),
        figures: columns.figures(readings),
    });
    let rows = rows.collect();
    Table { unit: length_unit(group).to_owned(), columns: columns.heads(), rows }
}
