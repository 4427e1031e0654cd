//! Counters of both runs in printed numbers, and what stands at a moment of both.

use super::{ComparedCounter, ends};
use crate::compare::{CounterRow, Of};
use crate::folding::Group;
use crate::paint::Compared;
use crate::quantity::{
    Kind as OfQuantity, Quantity, THIN, change as percent, duration, printable, short, significant,
    thousands,
};
use crate::report::Figure;

/// What is counted in a time before what stands for it in instructions; each in its order.
pub fn in_order(rows: &[CounterRow]) -> impl Iterator<Item = &CounterRow> {
    let is_tested = |row: &&CounterRow| row.of == Of::Ratio;
    let (ratios, rest): (Vec<_>, Vec<_>) = rows.iter().partition(is_tested);
    rest.into_iter().chain(ratios)
}

/// A counter in a phase, or of the whole.
pub fn counter(row: &CounterRow, groups: &[Group; 2]) -> ComparedCounter {
    let curve = groups[0].curve(&row.counter);
    let kind = if row.of == Of::Ratio { OfQuantity::Ratio } else { OfQuantity::Rate };
    let quantity = curve.map(|curve| Quantity::of(&groups[0], curve, kind));
    let quantity = quantity.map(|of| {
        let scale = of.scale;
        of.sized(row.a.max(row.b) * scale)
    });
    let name = printable(short(&row.counter));
    let (title, unit, write): (String, String, Box<dyn Fn(f64) -> String>) = match quantity {
        Some(of) if row.of != Of::Total => {
            let unit = if of.name == of.unit { String::new() } else { of.behind_name() };
            (of.name.clone(), unit.trim().to_owned(), Box::new(move |value| of.number(value)))
        }
        // Of two that stand side by side: four figures have no room.
        _ => (name.clone(), String::new(), Box::new(brief)),
    };
    ComparedCounter {
        phase: row.phase.map(|at| at as u32 + 1),
        name,
        title,
        unit,
        a: Figure::of(Some(row.a), &write),
        b: Figure::of(Some(row.b), &write),
        change: Figure::of(Some(row.change), percent),
        interval: ends(row.interval),
        is_sure: row.is_sure,
    }
}

/// A count in three figures with the letter of its thousands: `60.1 G`.
fn brief(value: f64) -> String {
    let (size, letter) = thousands(value);
    format!("{}{THIN}{letter}", significant(value / size, 3))
}

/// What stands at a place of the axis, 0 to 1: times and rates of both.
pub fn compared_at(of: &Compared, at: f64) -> String {
    let Some(piece) = of.aligned.piece(at) else { return String::new() };
    let times = piece.times(at);
    let of_side = |side: usize| {
        let Some(x) = times[side] else { return "nothing".to_owned() };
        let group = &of.groups[side];
        let time = duration(x * group.mean_duration_ns);
        match rate(group, x) {
            Some(rate) => format!("{time}, {rate}"),
            None => time,
        }
    };
    let phase = piece.phase.map(|phase| format!("phase {} · ", phase + 1)).unwrap_or_default();
    format!("{phase}A at {} · B at {}", of_side(0), of_side(1))
}

/// The rate of instructions, else of the first counter, at a folded time.
fn rate(group: &Group, x: f64) -> Option<String> {
    let curve = group.instructions().or_else(|| group.curves.first())?;
    let last = curve.rate.len().checked_sub(1)?;
    let rate = *curve.rate.get(libm::round(x * last as f64) as usize)?;
    let quantity = Quantity::of(group, curve, OfQuantity::Rate);
    let scale = quantity.scale;
    rate.is_finite().then(|| quantity.sized(rate * scale).text(rate))
}
