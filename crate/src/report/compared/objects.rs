//! Data objects of both sides in words.

use serde::Serialize;

use super::super::Figure;
use crate::compare::{Comparison, ObjectRow};
use crate::quantity::{bytes, change as percent, number, printable, signed};

/// A data object of both sides, or of one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ComparedObject {
    /// `x`, or `solver.c:31 → solver.c:43`.
    pub name: String,
    /// Its kind and its size on both sides.
    pub about: String,
    /// Of the references of each side, in per cent; none where it has no such object.
    pub a: Figure,
    pub b: Figure,
    /// B less A, and half the width of its 95 % interval.
    pub change: Figure,
    pub within: String,
    pub is_sure: bool,
    /// What a load costs, and how both walk through it; empty where it is not known.
    pub cost: String,
    pub is_cost_sure: bool,
    pub walks: String,
}

/// Objects of both sides, those of the largest share first.
pub fn objects(comparison: &Comparison) -> Vec<ComparedObject> {
    let share = |row: &ObjectRow, side: usize| {
        let share = row.bytes[side].map(|_| 100.0 * row.shares[side]);
        Figure::of(share, |percent| number(percent, 1))
    };
    let object = |row: &ObjectRow| ComparedObject {
        name: names_of_object(row),
        about: kind_and_size(row),
        a: share(row, 0),
        b: share(row, 1),
        change: Figure::of(Some(100.0 * (row.shares[1] - row.shares[0])), |points| {
            signed(points, 1)
        }),
        within: format!("± {}", number(100.0 * row.share_half_width, 1)),
        is_sure: row.is_share_sure,
        cost: cost_in_words(row),
        is_cost_sure: row.is_cost_sure,
        walks: walks_in_words(row),
    };
    comparison.objects.iter().map(object).collect()
}

/// `x · static · 76.3 MiB`, with what is other in B behind an arrow.
pub fn name_of_object(row: &ObjectRow) -> String {
    format!("{} · {}", names_of_object(row), kind_and_size(row))
}

fn names_of_object(row: &ObjectRow) -> String {
    match row.name == row.name_b {
        true => printable(&row.name),
        false => printable(&format!("{} → {}", row.name, row.name_b)),
    }
}

fn kind_and_size(row: &ObjectRow) -> String {
    let size = match row.bytes {
        [Some(a), Some(b)] if a != b => format!("{} → {}", bytes(a), bytes(b)),
        [Some(size), _] | [None, Some(size)] => bytes(size),
        [None, None] => String::new(),
    };
    format!("{} · {size}", row.kind.name())
}

/// `a load: 240 → 58 cycles, −76 % [−78, −73]`; empty where no cost is known of both.
pub fn cost_in_words(row: &ObjectRow) -> String {
    let ([Some(a), Some(b)], Some((change, [low, high]))) = (row.costs, row.cost_change) else {
        return String::new();
    };
    format!(
        "a load: {} → {} cycles, {} % [{}, {}]",
        number(a, 0),
        number(b, 0),
        percent(change),
        percent(low),
        percent(high)
    )
}

/// `loads: random → ascending, 8 B per step`; of what both walk alike once.
pub fn walks_in_words(row: &ObjectRow) -> String {
    let [a, b] = &row.walks;
    let walks = ["loads", "stores"].into_iter().zip(a.iter().zip(b));
    let words = walks.filter_map(|(what, (a, b))| match (a.is_empty(), b.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("{what}: {a}")),
        (true, false) => Some(format!("{what}: {b}")),
        (false, false) if a == b => Some(format!("{what}: {a}")),
        (false, false) => Some(format!("{what}: {a} → {b}")),
    });
    words.collect::<Vec<_>>().join("; ")
}
