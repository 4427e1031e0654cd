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
    group.objects = folded.objects();
    let place_of = |index: usize| group.lines.place.get(line[index] as usize).copied();
    let places = most_from(&folded.object, place_of, group.objects.len());
    group.objects.iter_mut().zip(places).for_each(|(object, place)| object.place = place);
    group.streams = streams;
    let all = || folded.references.iter();
    Some(References {
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
    })
}

/// For each of so many objects the place that most of its references are from, of several the first.
fn most_from(
    object: &[u32],
    place_of: impl Fn(usize) -> Option<u32>,
    objects: usize,
) -> Vec<Option<u32>> {
    let pairs = object
        .iter()
        .enumerate()
        .filter_map(|(index, object)| Some(u64::from(*object) << 32 | u64::from(place_of(index)?)));
    let mut pairs: Vec<u64> = pairs.collect();
    order::by_number(&mut pairs, |pair| *pair);
    let mut most = vec![(0, None); objects];
    for alike in pairs.chunk_by(|a, b| a == b) {
        let (object, place) = ((alike[0] >> 32) as usize, alike[0] as u32);
        if most[object].0 < alike.len() {
            most[object] = (alike.len(), Some(place));
        }
    }
    most.into_iter().map(|(_, place)| place).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_of_the_place_that_most_of_its_references_are_from() {
        // Of the objects 0 to 3: most from 7, as often from 4 as from 5, none with a call-stack, none.
        let references =
            [(0, Some(3)), (0, Some(7)), (0, Some(7)), (1, Some(5)), (1, Some(4)), (2, None)];
        let object = references.map(|(object, _)| object);
        let places = most_from(&object, |index| references[index].1, 4);
        assert_eq!(places, [Some(7), Some(4), None, None]);
    }
}
