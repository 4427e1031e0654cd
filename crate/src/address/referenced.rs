//! The references of a folded group, beside its code and its phases.

use super::{FoldedReferences, Reference};
use crate::folding::{Axis, Group, Lines, References, Stream};
use crate::order;

/// Tells `group`, whose code and phases are there, its data objects and streams, and returns their
/// references; `None` without any. `folded` has its `x` as the group's lines have theirs.
///
/// O(n log n).
pub fn referenced(folded: FoldedReferences, group: &mut Group) -> Option<References> {
    if folded.references.is_empty() {
        return None;
    }
    let line = lines_of(&folded, &group.lines);
    let phase_of = |index: usize| {
        let x = folded.references[index].x;
        let phase = group.phases.partition_point(|phase| phase.end <= x);
        let last = group.phases.len().checked_sub(1)?;
        Some(phase.min(last) as u32)
    };
    let routine_of = |index: usize| {
        let place = *group.lines.place.get(line[index] as usize)?;
        group.places.get(place as usize).map(|place| place.routine)
    };
    // Where `x` counts events there is no speed.
    let per_us = match group.axis {
        Axis::Time => 1e3 / group.mean_duration_ns.max(1.0),
        Axis::Counter { .. } => 0.0,
    };
    let of_phase = |phase| Stream { phase: Some(phase), ..Stream::default() };
    let of_routine = |routine| Stream { routine: Some(routine), ..Stream::default() };
    let mut streams = folded.streams(phase_of, of_phase, per_us);
    streams.extend(folded.streams(routine_of, of_routine, per_us));
    order::by_number(&mut streams, |stream| u64::from(stream.object));
    group.objects = folded.objects;
    group.streams = streams;
    let all = || folded.references.iter();
    let references = References {
        group: group.number,
        x: all().map(|reference| reference.x).collect(),
        address: all().map(|reference| reference.address).collect(),
        store: all().map(|reference| u8::from(reference.is_store)).collect(),
        level: all().map(|reference| reference.level).collect(),
        tlb: all().map(|reference| reference.tlb).collect(),
        cost: all().map(|reference| reference.cost).collect(),
        object: folded.object,
        offset: folded.offset,
        line,
    };
    for (number, object) in references.objects_between(group, [0.0, 1.0]) {
        group.objects[number as usize] = object;
    }
    Some(references)
}

/// For each reference the sample in `lines` of the same moment; `u32::MAX` for none.
///
/// Both are by `x`, and where that is the same in the order of the instances. A moment has one `x`;
/// if others have the very same and not all have a call-stack, the first do.
fn lines_of(folded: &FoldedReferences, lines: &Lines) -> Vec<u32> {
    let mut line = Vec::with_capacity(folded.references.len());
    let mut at = 0;
    for alike in folded.references.chunk_by(|a, b| a.x == b.x) {
        let Some(x) = alike.first().map(|reference| reference.x) else { continue };
        at += lines.x[at..].partition_point(|line| *line < x);
        let count = lines.x[at..].iter().take_while(|line| **line == x).count();
        let mut nth = 0;
        for (index, reference) in alike.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| &alike[before]);
            let is_other = |before: &Reference| {
                (before.thread, before.moment) != (reference.thread, reference.moment)
            };
            nth += usize::from(before.is_some_and(is_other));
            line.push(if nth < count { (at + nth) as u32 } else { u32::MAX });
        }
    }
    line
}
