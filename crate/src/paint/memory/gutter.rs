//! What stands beside the address lane: names and kinds of objects, their sizes, and ticks of one
//! alone.

use super::bytes::{bytes, offset};
use super::lane::kind;
use super::objects::{Objects, Row};
use crate::folding::Group;
use crate::paint::scene::{Anchor, Face, LEFT, Lane, elide_front, printable};
use crate::paint::time::{MIDDLE, TICK};

/// Size of names.
const SIZE: f64 = 12.0;

/// Least heights of a row with a name beside it, with its kind under it, and with the name inside.
const LOWEST: f64 = 11.0;
const LOWEST_WITH_KIND: f64 = 28.0;
const LOWEST_INSIDE: f64 = 14.0;

/// Where a name stands inside its row: from the left, and its base line from the top.
const INSIDE: (f64, f64) = (6.0, 13.0);

/// Px from the middle of a row down to the base lines of a name with its kind under it; and from the
/// top of an object alone to what counts as its middle.
const ABOVE_KIND: f64 = 1.0;
const KIND: f64 = 14.0;
const ALONE: f64 = 12.0;

/// Opacity of a line at a tick.
const GRID: f64 = 0.12;

/// Px from one tick of an object alone to the next, and of its name at the top.
const TICKS_APART: f64 = 28.0;
const NAME: f64 = 40.0;

/// Names and kinds at the left, sizes at the right; of one object alone, ticks of its bytes.
pub fn gutters(lane: &Lane<'_>, objects: &Objects) {
    let &Lane { pen, frame, group, tokens, .. } = lane;
    let (name_face, tick) = (Face::plain(SIZE, tokens.ink), Face::plain(TICK, tokens.ink3));
    let alone = matches!(objects.rows.as_slice(), [row] if group.objects.len() > 1 && row.objects.len() == 1);
    let inset = frame.inset(frame.left);
    let (x, right) = (frame.left - inset, frame.right + inset);
    for row in &objects.rows {
        let high = row.bottom - row.top;
        let (name, kind, size) = words(group, row);
        if frame.narrow() {
            if high >= LOWEST_INSIDE {
                let name = elide_front(&name, frame.right - frame.left - 2.0 * INSIDE.0, SIZE);
                let at = (frame.left + INSIDE.0, row.top + INSIDE.1);
                pen.text(at, Anchor::Start, &name.unwrap_or_default(), name_face);
            }
            continue;
        }
        let middle = if alone { row.top + ALONE } else { (row.top + row.bottom) / 2.0 };
        if high >= LOWEST {
            let with_kind = high >= LOWEST_WITH_KIND && !kind.is_empty();
            let base = if with_kind { ABOVE_KIND } else { MIDDLE };
            let name = elide_front(&name, x - LEFT, SIZE).unwrap_or_default();
            pen.text((x, middle + base), Anchor::End, &name, name_face);
            if with_kind {
                pen.text((x, middle + KIND), Anchor::End, kind, tick);
            }
            pen.text((right, middle + MIDDLE), Anchor::Start, &size, tick);
        }
        if alone {
            ticks(lane, row, objects, tick);
        }
    }
    for hole in objects.holes.iter().filter(|_| !frame.narrow()) {
        let base = (hole.top + hole.bottom) / 2.0 + MIDDLE;
        pen.text((right, base), Anchor::Start, &bytes(hole.bytes), tick);
    }
}

/// Name, kind and size of what a row holds.
fn words(group: &Group, row: &Row) -> (String, &'static str, String) {
    let objects = row.objects.iter().filter_map(|&index| group.objects.get(index));
    let size = objects.clone().fold(0_u64, |sum, object| sum.saturating_add(object.bytes));
    match row.objects.as_slice() {
        [_] => objects.clone().next().map_or_else(Default::default, |object| {
            (printable(&object.name), kind(object), bytes(size))
        }),
        many => (format!("{} smaller", many.len()), "objects", bytes(size)),
    }
}

/// Offsets in an object, at powers of two.
fn ticks(Lane { pen, frame, group, .. }: &Lane<'_>, row: &Row, objects: &Objects, face: Face) {
    let found = row
        .objects
        .first()
        .and_then(|&index| Some((group.objects.get(index)?, (*objects.places.get(index)?)?)));
    let Some((object, place)) = found else { return };
    let most = ((place.bottom - place.top) / TICKS_APART).max(1.0) as u64;
    let least = object.bytes / most;
    let step = least.max(1).checked_next_power_of_two().unwrap_or(1 << 63);
    let mut at = 0_u64;
    while at < object.bytes {
        let y = place.y(at);
        if y > row.top + NAME {
            let base = (y + MIDDLE).min(row.bottom - 2.0);
            pen.text(
                (frame.left - frame.inset(frame.left), base),
                Anchor::End,
                &offset(at, step),
                face,
            );
            pen.hair((frame.left, y), (frame.right, y), face.colour, GRID);
        }
        let Some(next) = at.checked_add(step) else { break };
        at = next;
    }
}
