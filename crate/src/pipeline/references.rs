//! Sampled references in the words of the result.

use crate::address::{self, Allocations, FoldedReferences, Origin};
use crate::order;
use crate::result::{
    self, DataObject, Direction, FoldingNotice, Lines, ObjectKind, References, Stream,
};
use crate::trace::Trace;

/// The references of a group, whose other fields are there. `folded` has its `x` as the group's lines
/// have theirs.
///
/// Fills in objects and streams.
pub fn referenced(folded: FoldedReferences, group: &mut result::Group) -> Option<References> {
    if folded.references.is_empty() {
        return None;
    }
    let line = lines_of(&folded, &group.lines);
    let objects = folded.objects.iter().zip(folded.usages());
    group.objects = objects.map(|(object, usage)| data_object(object, usage)).collect();
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
    let by_phase = folded.streams(phase_of);
    let by_routine = folded.streams(routine_of);
    // Where `x` counts events there is no speed.
    let per_us = match group.axis {
        result::Axis::Time => 1e3 / group.mean_duration_ns.max(1.0),
        result::Axis::Counter { .. } => 0.0,
    };
    let by_phase = by_phase.into_iter().map(|found| {
        let phase = Some(found.part);
        Stream { phase, ..stream(found, per_us) }
    });
    let by_routine = by_routine.into_iter().map(|found| {
        let routine = Some(found.part);
        Stream { routine, ..stream(found, per_us) }
    });
    group.streams = by_phase.chain(by_routine).collect();
    order::by_number(&mut group.streams, |stream| u64::from(stream.object));
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

/// For each reference the sample in `lines` of the same moment; `u32::MAX` for none.
///
/// Both are by `x`, and where that is the same in the order of the instances. A moment has one `x`;
/// if others have the very same and not all have a call-stack, the first do.
fn lines_of(folded: &FoldedReferences, lines: &Lines) -> Vec<u32> {
    let mut found = Vec::with_capacity(folded.references.len());
    let mut at = 0;
    for alike in folded.references.chunk_by(|a, b| a.x == b.x) {
        let Some(x) = alike.first().map(|reference| reference.x) else { continue };
        at += lines.x[at..].partition_point(|line| *line < x);
        let count = lines.x[at..].iter().take_while(|line| **line == x).count();
        let mut nth = 0;
        for (index, reference) in alike.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| &alike[before]);
            let is_other = |before: &address::Reference| {
                (before.thread, before.moment) != (reference.thread, reference.moment)
            };
            nth += usize::from(before.is_some_and(is_other));
            found.push(if nth < count { (at + nth) as u32 } else { u32::MAX });
        }
    }
    found
}

fn data_object(object: &address::Object, usage: address::Usage) -> DataObject {
    DataObject {
        name: object.name.clone(),
        kind: match object.origin {
            Origin::Variable => ObjectKind::Static,
            Origin::Allocated => ObjectKind::Dynamic,
            Origin::Stack => ObjectKind::Stack,
            Origin::Unknown => ObjectKind::Unknown,
        },
        address: object.address,
        bytes: object.bytes,
        loads: usage.loads,
        stores: usage.stores,
        bytes_touched: usage.bytes_touched,
        mean_cost: usage.mean_cost,
        high_cost: usage.high_cost,
        levels: usage.levels.to_vec(),
    }
}

fn stream(found: address::Stream, per_us: f64) -> Stream {
    let address::Stream { object, usage, walk, .. } = found;
    Stream {
        object,
        phase: None,
        routine: None,
        loads: usage.loads,
        stores: usage.stores,
        direction: match walk.direction {
            address::Direction::Ascending => Direction::Ascending,
            address::Direction::Descending => Direction::Descending,
            address::Direction::Still => Direction::Still,
            address::Direction::Random => Direction::Random,
            address::Direction::Unknown => Direction::Unknown,
        },
        bytes_per_us: walk.slope * per_us,
        step_bytes: walk.step_bytes,
        mean_cost: usage.mean_cost,
        high_cost: usage.high_cost,
    }
}

/// Says what is odd about the references of all groups.
pub fn notices(
    trace: &Trace,
    allocations: &Allocations,
    groups: &[result::Group],
) -> Vec<FoldingNotice> {
    let mut notices = vec![];
    let mut say = |text: &str, count: u64| {
        notices.push(FoldingNotice { text: text.to_owned(), count, first: String::new() });
    };
    if !address::has_references(trace) {
        return notices;
    }
    let objects = || groups.iter().flat_map(|group| &group.objects);
    let referenced = |wanted: Option<ObjectKind>| {
        let found = objects().filter(|object| wanted.is_none_or(|kind| object.kind == kind));
        found.map(|object| u64::from(object.loads) + u64::from(object.stores)).sum::<u64>()
    };
    let [all, unknown] = [None, Some(ObjectKind::Unknown)].map(referenced);
    // Of a program that runs where it was linked, some would lie in its variables.
    let is_elsewhere = !trace.variables.is_empty() && referenced(Some(ObjectKind::Static)) == 0;
    if all == 0 {
        say("No sampled addresses in this region; the trace has some elsewhere.", 1);
    } else if is_elsewhere && 2 * unknown >= all {
        say(
            "A sampled address in no known object, and none in a variable: those of a \
             position-independent program are listed where it was linked, not where it ran.",
            unknown,
        );
    }
    if allocations.overlapping > 0 {
        say(
            "An allocation where memory was in use; the earlier one was taken as freed.",
            allocations.overlapping,
        );
    }
    notices
}
