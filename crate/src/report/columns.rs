//! Columns that tables share: the rate of a counter, or its events per instruction.

use serde::Serialize;

use super::Figure;
use crate::folding::Group;
use crate::order;
use crate::quantity::{Kind, Quantity, is_numbered, short};

/// What stands over a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Column {
    pub counter: String,
    /// `MIPS`, `L2 misses`.
    pub name: String,
    /// `per 1000 ins`; the same for all rows.
    pub unit: String,
    /// Whether it is per instruction; else a rate.
    pub ratio: bool,
}

/// What one row of a table says of one curve: as held, with half widths of 95 % intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    pub rate: Option<f64>,
    pub rate_half: f64,
    /// The lowest and the highest rate, where the rate is the mean of a stretch that is not level.
    pub range: Option<[f64; 2]>,
    pub ratio: Option<f64>,
    pub ratio_half: f64,
}

/// The columns of a table, each with the curve that it is of.
pub struct Columns {
    columns: Vec<(usize, Kind, Quantity, String)>,
}

impl Columns {
    /// First the rate of instructions, else of the first counter; then what there is per
    /// instruction of the others, cycles after them, which every trace has, counters without a name
    /// last. Rows have a reading for each curve.
    pub fn rate_and_ratios(group: &Group, rows: &[Vec<Reading>]) -> Self {
        let curves = || group.curves.iter().enumerate();
        let first = curves().find(|(_, curve)| curve.instructions).or_else(|| curves().next());
        let rate = first.filter(|(_, curve)| !group.is_axis(curve));
        let has_ratio = |index: usize| {
            rows.iter().any(|row| row.get(index).is_some_and(|reading| reading.ratio.is_some()))
        };
        let others = curves().filter(|(index, curve)| !curve.instructions && has_ratio(*index));
        let mut ratios = others.collect::<Vec<_>>();
        order::by_number(&mut ratios, |(_, curve)| u64::from(curve.is_cycles()));
        order::by_number(&mut ratios, |(_, curve)| u64::from(is_numbered(&curve.counter)));
        let rate = rate.map(|(index, _)| (index, Kind::Rate));
        let ratios = ratios.into_iter().map(|(index, _)| (index, Kind::Ratio));
        Self::sized(group, rate.into_iter().chain(ratios), rows)
    }

    /// The rate of instructions first, then of every other curve the rate and what there is per
    /// instruction.
    pub fn all(group: &Group, rows: &[Vec<Reading>]) -> Self {
        let mut wanted = vec![];
        let curves = || group.curves.iter().enumerate();
        wanted.extend(curves().filter(|(_, c)| c.instructions).map(|(at, _)| (at, Kind::Rate)));
        let mut others = curves().filter(|(_, curve)| !curve.instructions).collect::<Vec<_>>();
        order::by_number(&mut others, |(_, curve)| u64::from(is_numbered(&curve.counter)));
        for (index, curve) in others {
            wanted.push((index, Kind::Rate));
            let is_power = Quantity::of(group, curve, Kind::Rate).is_power();
            let has_ratio =
                rows.iter().any(|row| row.get(index).is_some_and(|r| r.ratio.is_some()));
            wanted.extend((has_ratio && !is_power).then_some((index, Kind::Ratio)));
        }
        Self::sized(group, wanted.into_iter(), rows)
    }

    /// Each in the unit in which the largest value of its rows reads well.
    fn sized(
        group: &Group,
        wanted: impl Iterator<Item = (usize, Kind)>,
        rows: &[Vec<Reading>],
    ) -> Self {
        let column = |(index, kind): (usize, Kind)| {
            let curve = group.curves.get(index)?;
            let quantity = Quantity::of(group, curve, kind);
            let values = rows.iter().filter_map(|row| held(row.get(index)?, kind, &quantity).0);
            let largest = values.map(f64::abs).fold(0.0, f64::max) * quantity.scale;
            Some((index, kind, quantity.sized(largest), curve.counter.clone()))
        };
        Self { columns: wanted.filter_map(column).collect() }
    }

    /// What stands over them.
    pub fn heads(&self) -> Vec<Column> {
        let head = |(_, kind, quantity, counter): &(usize, Kind, Quantity, String)| Column {
            counter: counter.clone(),
            name: if quantity.is_power() {
                short(counter).to_owned()
            } else {
                quantity.name.clone()
            },
            unit: quantity.unit.clone(),
            ratio: *kind == Kind::Ratio,
        };
        self.columns.iter().map(head).collect()
    }

    /// The figures of a row, one for each column.
    pub fn figures(&self, row: &[Reading]) -> Vec<Figure> {
        let figure = |(index, kind, quantity, _): &(usize, Kind, Quantity, String)| {
            let (value, half) =
                row.get(*index).map_or((None, 0.0), |reading| held(reading, *kind, quantity));
            let figure = Figure::of(value, |value| quantity.number(value));
            let range = row.get(*index).and_then(|reading| reading.range);
            let range = range.filter(|_| *kind == Kind::Rate || quantity.is_power());
            let range = range.map(|range| quantity.range(range)).unwrap_or_default();
            let within = if range.is_empty() { quantity.within(half) } else { range };
            Figure { within: if figure.value.is_some() { within } else { String::new() }, ..figure }
        };
        self.columns.iter().map(figure).collect()
    }
}

/// Power is a rate in either column.
fn held(reading: &Reading, kind: Kind, quantity: &Quantity) -> (Option<f64>, f64) {
    match kind {
        Kind::Ratio if !quantity.is_power() => (reading.ratio, reading.ratio_half),
        _ => (reading.rate, reading.rate_half),
    }
}
