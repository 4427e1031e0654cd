//! References and the objects they lie in.

use super::allocations::Allocations;
use super::objects::{Objects, Task};
use super::ranges::ranges;
use super::sampled::{Reference, references};
use crate::folding::DataObject;
use crate::instance::{Giving, Group, Rulers};
use crate::order;
use crate::trace::Trace;

/// What was referenced in the kept instances of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldedReferences {
    /// By address; what was sampled of them, [`FoldedReferences::objects`] tells.
    pub objects: Vec<DataObject>,
    /// By `x`.
    pub references: Vec<Reference>,
    /// For each reference the index of its object.
    pub object: Vec<u32>,
    /// For each reference the bytes from the begin of its object.
    pub offset: Vec<u64>,
}

/// Folds the references of the kept instances of `group`, of those that are `giving`, along `rulers`, and tells
/// them to objects.
///
/// The same variable of several tasks is one object, and so is what one line of the program
/// allocated in them: references lie in it by their offset. An allocated block comes before a
/// variable round it, a smaller variable before a larger one. What lies in neither is an object that
/// the tracer knows by a number, the stack, or a range of addresses without a name; in the first two
/// offsets are counted from the lowest address seen in each task.
///
/// O((references + allocations) × log).
pub fn fold_references(
    trace: &Trace,
    allocations: &Allocations,
    group: &Group,
    rulers: &Rulers,
    giving: &Giving,
) -> FoldedReferences {
    let references = references(trace, group, rulers, giving);
    let count = references.len();
    let (mut object, mut offset) = (vec![0; count], vec![0; count]);
    let task_of = |index: u32| {
        let found = trace.threads[references[index as usize].thread as usize].object;
        (found.application, found.task)
    };
    let number = |(application, task): (u32, u32)| u64::from(application) << 32 | u64::from(task);
    let mut by_task = order::indices((0..count as u32).map(|index| number(task_of(index))));
    let mut objects = Objects::default();
    let mut nowhere = vec![];
    for of_task in by_task.chunk_by_mut(|a, b| task_of(*a) == task_of(*b)) {
        order::by_number(of_task, |index| references[*index as usize].time_ns);
        let Some(task) = of_task.first().map(|first| task_of(*first)) else { continue };
        let mut task = Task::new(trace, allocations, task);
        let mut seen = vec![];
        for index in of_task.iter().map(|index| *index as usize) {
            match objects.place(&mut task, &references[index]) {
                Some(place) => (object[index], offset[index]) = place,
                None => match objects.place_seen(trace, &references[index]) {
                    Some(found) => {
                        object[index] = found;
                        seen.push(index);
                    }
                    None => nowhere.push(index),
                },
            }
        }
        let lowest = objects.lowest(seen.iter().map(|i| (object[*i], references[*i].address)));
        for index in seen {
            offset[index] = references[index].address - lowest[object[index] as usize];
            objects.grow(object[index], offset[index]);
        }
    }
    let firsts = ranges(nowhere.iter().map(|index| references[*index].address));
    for index in nowhere {
        let address = references[index].address;
        let range = firsts.partition_point(|first| *first <= address) - 1;
        object[index] = objects.range(firsts[range]);
        offset[index] = address - firsts[range];
        objects.grow(object[index], offset[index]);
    }
    let (objects, places) = objects.by_address();
    object.iter_mut().for_each(|object| *object = places[*object as usize]);
    FoldedReferences { objects, references, object, offset }
}
