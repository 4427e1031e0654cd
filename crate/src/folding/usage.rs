//! What sampled references of an object add up to.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{CodeTimes, DataObject, Group, PhaseRate, References};
use crate::order;

/// What was sampled of an object, or of a part of its references.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    pub loads: u32,
    pub stores: u32,
    /// Distinct cache lines of 64 bytes in which references lie, in bytes.
    pub bytes_touched: u64,
    /// Cycles of the loads whose cost was sampled: their mean, and the least that 95 % of them do not
    /// exceed.
    pub mean_cost: Option<f64>,
    pub high_cost: Option<f64>,
    /// Standard error of the mean; `None` of fewer than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_error: Option<f64>,
    /// References by where they were served: a [`MemoryLevel`](super::MemoryLevel) as a number.
    pub levels: [u32; 10],
}

/// What a part of folded time adds up to: all that is told of a range, where only some samples are here:
/// in a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// Folded time, `start < end`.
    pub start: f64,
    pub end: f64,
    /// The mean rate of each of [`Group::curves`] and half the width of its interval; `None` where it has
    /// none.
    pub rates: Vec<Option<PhaseRate>>,
    /// Without phases.
    pub code: CodeTimes,
    /// Samples of code in it.
    pub samples: u32,
    /// The objects that are referenced in it, with their places in [`Group::objects`], and all of them.
    pub objects: Vec<(u32, DataObject)>,
    pub used: Usage,
}

/// One reference to an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Bytes from the begin of the object.
    pub offset: u64,
    pub is_store: bool,
    pub level: u8,
    /// Cycles; 0 where no cost was sampled.
    pub cost: u32,
}

const LINE_BYTES: u64 = 64;

/// Cache lines are ticked off in bits if there are no more of these than for each reference, on top of
/// so many at least: else they are put in order.
const BITS: u64 = 64;
const FEWEST_BITS: u64 = 1 << 16;

impl Usage {
    /// O(n), or O(n log n) of references that lie far apart from each other.
    pub fn of(touches: &[Touch]) -> Self {
        let loads = touches.iter().filter(|touch| !touch.is_store);
        let mut costs = loads.map(|load| load.cost).filter(|cost| *cost > 0).collect::<Vec<_>>();
        let sum = costs.iter().map(|cost| f64::from(*cost)).sum::<f64>();
        let count = costs.len() as f64;
        let mean = sum / count;
        let squares =
            costs.iter().map(|cost| (f64::from(*cost) - mean) * (f64::from(*cost) - mean));
        let spread = squares.fold(0.0, |sum, square| sum + square) / (count - 1.0);
        let cost_error = (costs.len() > 1).then(|| (spread / count).sqrt());
        let high = (costs.len() * 95).div_ceil(100).checked_sub(1);
        let high = high.map(|at| *costs.select_nth_unstable(at).1);
        let mut levels = [0; 10];
        touches.iter().for_each(|touch| levels[usize::from(touch.level).min(9)] += 1);
        let stores = touches.iter().filter(|touch| touch.is_store).count() as u32;
        Self {
            loads: touches.len() as u32 - stores,
            stores,
            bytes_touched: LINE_BYTES * lines_of(touches),
            mean_cost: (!costs.is_empty()).then_some(mean),
            high_cost: high.map(f64::from),
            cost_error,
            levels,
        }
    }

    /// The same object, so used.
    pub fn given_to(self, object: &DataObject) -> DataObject {
        let Self { loads, stores, bytes_touched, mean_cost, high_cost, cost_error, levels } = self;
        let levels = levels.to_vec();
        DataObject {
            loads,
            stores,
            bytes_touched,
            mean_cost,
            high_cost,
            cost_error,
            levels,
            ..object.clone()
        }
    }
}

impl References {
    /// The objects of `group` as they were referenced from one moment of folded time to another, which
    /// may be the end of it: those that were, with their indices. As [`Usage::of`] the references there.
    pub fn objects_between(&self, group: &Group, ends: [f64; 2]) -> Vec<(u32, DataObject)> {
        let mut by_object: Vec<Vec<u32>> = vec![vec![]; group.objects.len()];
        for index in self.between(ends) {
            let object = self.object[index as usize] as usize;
            by_object.get_mut(object).into_iter().for_each(|indices| indices.push(index));
        }
        let mut often = Often::new(group.places.len());
        let all = (0..).zip(&group.objects).zip(by_object);
        let referenced = all.filter(|(_, indices)| !indices.is_empty());
        let used = referenced.map(|((number, object), indices)| {
            let touches = indices.iter().map(|index| self.touch(*index as usize));
            let used = Usage::of(&touches.collect::<Vec<_>>());
            let place_of = |index: &u32| {
                let line = *self.line.get(*index as usize)?;
                group.lines.place.get(line as usize).copied()
            };
            let place = often.most(indices.iter().filter_map(place_of));
            (number, DataObject { place, ..used.given_to(object) })
        });
        used.collect()
    }

    /// What was sampled between two moments, whatever object it lies in; the bytes touched are those of
    /// offsets, and mean nothing. O(n log n) of the references there.
    pub fn used_between(&self, ends: [f64; 2]) -> Usage {
        let touches = self.between(ends).map(|index| self.touch(index as usize));
        Usage::of(&touches.collect::<Vec<_>>())
    }

    /// Those from one moment to another; one at the end is of what comes after it, if anything does.
    fn between(&self, [from, to]: [f64; 2]) -> Range<u32> {
        let start = if from <= 0.0 { 0 } else { self.x.partition_point(|x| *x < from) };
        let end = if to >= 1.0 { self.x.len() } else { self.x.partition_point(|x| *x < to) };
        start as u32..end.max(start) as u32
    }

    fn touch(&self, index: usize) -> Touch {
        let [store, level] = [&self.store, &self.level].map(|column| column[index]);
        Touch { offset: self.offset[index], is_store: store != 0, level, cost: self.cost[index] }
    }
}

/// How many distinct cache lines references lie in.
fn lines_of(touches: &[Touch]) -> u64 {
    let lines = || touches.iter().map(|touch| touch.offset / LINE_BYTES);
    let last = lines().max().unwrap_or(0);
    if last < FEWEST_BITS + BITS * touches.len() as u64 {
        let mut bits = vec![0_u64; (last / BITS) as usize + 1];
        lines().for_each(|line| bits[(line / BITS) as usize] |= 1 << (line % BITS));
        return bits.iter().map(|bits| u64::from(bits.count_ones())).sum();
    }
    order::distinct(lines()).len() as u64
}

/// Counts places, again and again.
struct Often(Vec<u32>);

impl Often {
    fn new(places: usize) -> Self {
        Self(vec![0; places])
    }

    /// Of some places that which is there most often, of several the first.
    fn most(&mut self, places: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        let mut most: Option<(u32, u32)> = None;
        for place in places.clone() {
            let Some(count) = self.0.get_mut(place as usize) else { continue };
            *count += 1;
            let is_more = |(often, first): (u32, u32)| (*count, first) > (often, place);
            if most.is_none_or(is_more) {
                most = Some((*count, place));
            }
        }
        for place in places {
            self.0.get_mut(place as usize).into_iter().for_each(|count| *count = 0);
        }
        most.map(|(_, place)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Lines, Place};

    #[test]
    fn costs_are_those_of_loads_of_which_one_was_sampled() {
        let touch = |cost: u32, is_store: bool| Touch { offset: 8, is_store, level: 0, cost };
        let loads = (0..=20).map(|cost| touch(cost, false));
        let usage = Usage::of(&loads.chain([touch(1000, true)]).collect::<Vec<_>>());
        assert_eq!((usage.loads, usage.stores), (21, 1));
        // Of 1 to 20 the mean, and the least that 19 do not exceed.
        assert_eq!((usage.mean_cost, usage.high_cost), (Some(10.5), Some(19.0)));
    }

    #[test]
    fn of_some_places_the_first_is_there_most_often() {
        let mut often = Often::new(8);
        let mut of = |places: &[u32]| often.most(places.iter().copied());
        assert_eq!([of(&[7, 3, 7]), of(&[5, 4]), of(&[])], [Some(7), Some(4), None]);
        assert_eq!([of(&[4, 5, 5, 4]), of(&[5, 4, 4, 5]), of(&[9])], [Some(4), Some(4), None]);
    }

    #[test]
    fn cache_lines_count_once_near_and_far() {
        let of = |offsets: &[u64]| {
            let touch = |&offset| Touch { offset, is_store: true, level: 0, cost: 0 };
            Usage::of(&offsets.iter().map(touch).collect::<Vec<_>>()).bytes_touched
        };
        assert_eq!([of(&[0, 63]), of(&[63, 64]), of(&[])], [64, 128, 0]);
        assert_eq!(of(&[5, u64::MAX, 7, u64::MAX - 1, 1 << 40]), 192);
    }

    #[test]
    fn the_objects_of_a_part_are_those_referenced_in_it_as_they_were_there() {
        let named = |name: &str| DataObject { name: name.to_owned(), ..DataObject::default() };
        let place = |line| Place { routine: 0, line, ..Place::default() };
        let group = Group {
            objects: ["a", "b", "c"].map(named).to_vec(),
            places: [3, 7].map(place).to_vec(),
            lines: Lines { x: vec![0.1, 0.4, 0.5], place: vec![0, 1, 1], context: vec![] },
            ..Group::default()
        };
        let references = References {
            x: vec![0.1, 0.4, 0.45, 0.5, 0.9],
            object: vec![0, 1, 1, 0, 2],
            offset: vec![0, 64, 70, 8, 0],
            store: vec![0, 0, 1, 0, 0],
            level: vec![1, 7, 7, 1, 1],
            cost: vec![10, 30, 0, 20, 0],
            line: vec![0, 1, u32::MAX, 2, u32::MAX],
            ..References::default()
        };
        let of = |range| {
            let objects = references.objects_between(&group, range).into_iter();
            objects.map(|(index, of)| (index, of.name, of.loads, of.stores, of.mean_cost, of.place))
        };
        let a = |loads, cost, place| (0, "a".to_owned(), loads, 0, Some(cost), Some(place));
        let b = (1, "b".to_owned(), 1, 1, Some(30.0), Some(1));
        let c = (2, "c".to_owned(), 1, 0, None, None);
        // What lies at the end is of what comes after it.
        assert_eq!(of([0.4, 0.5]).collect::<Vec<_>>(), std::slice::from_ref(&b));
        assert_eq!(of([0.4, 0.51]).collect::<Vec<_>>(), [a(1, 20.0, 1), b.clone()]);
        assert_eq!(of([0.0, 1.0]).collect::<Vec<_>>(), [a(2, 15.0, 0), b, c]);
        assert_eq!(of([0.6, 0.7]).count(), 0);
        let touched = references.objects_between(&group, [0.4, 0.5])[0].1.bytes_touched;
        assert_eq!(touched, 64, "both lie in one cache line");
    }
}
