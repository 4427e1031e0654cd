//! Data objects of both sides in words.

use crate::compare::ObjectRow;
use crate::quantity::{bytes, change as percent, number, printable};

/// `x · static · 76.3 MiB`, with what is other in B behind an arrow.
pub fn name_of_object(row: &ObjectRow) -> String {
    let name = match row.name == row.name_b {
        true => printable(&row.name),
        false => printable(&format!("{} → {}", row.name, row.name_b)),
    };
    let size = match row.bytes {
        [Some(a), Some(b)] if a != b => format!("{} → {}", bytes(a), bytes(b)),
        [Some(size), _] | [None, Some(size)] => bytes(size),
        [None, None] => String::new(),
    };
    format!("{name} · {} · {size}", row.kind.name())
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
