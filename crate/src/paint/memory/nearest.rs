//! What lies under the cursor: a reference, a routine.

use super::lane::{Sampled, in_view, place};
use super::objects::Objects;
use crate::folding::{Folding, MemoryLevel};
use crate::paint::View;
use crate::paint::scene::Frame;
use crate::paint::source::SHORTEST;

/// How far from the cursor a reference may lie, in px along the time axis.
const REACH: f64 = 12.0;

/// A reference near the cursor, and the load nearest to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Index into [`Group::objects`](crate::folding::Group::objects), and bytes from its begin.
    pub object: u32,
    pub offset: u64,
    pub store: bool,
    /// Where it lies in the address lane, in px.
    pub x: f64,
    pub y: f64,
    /// Cycles and level of the load; 0 cycles where none were sampled.
    pub load: Option<(u32, MemoryLevel)>,
}

/// The reference nearest in time to folded time `time`; with `y`, the one nearest to that point of
/// the address lane. Of what is picked alone, if something is. O(references within 12 px).
pub fn nearest(
    folding: &Folding,
    view: &View,
    Sampled { references, .. }: Sampled<'_>,
    time: f64,
    y: Option<f64>,
) -> Option<Nearest> {
    let frame = Frame::of(view);
    let objects = Objects::of(folding.group(view.group)?, view);
    let at = frame.x(time);
    let near = Frame { from: frame.time(at - REACH), to: frame.time(at + REACH), ..frame };
    let matched = view.matched.as_ref().map(|matched| matched.references());
    let (mut found, mut load) = (None, None);
    for index in in_view(references, &near) {
        if matched.is_some_and(|matched| !matched.get(index).is_some_and(|full| *full)) {
            continue;
        }
        let Some((px, py)) = place(references, &frame, &objects, index) else { continue };
        let (dx, dy) = (px - at, y.map_or(0.0, |y| py - y));
        let distance = dx * dx + dy * dy;
        let closer = |best: &Option<(f64, usize)>| best.is_none_or(|(least, _)| distance < least);
        if closer(&found) {
            found = Some((distance, index));
        }
        let is_load = references.store.get(index) == Some(&0);
        if is_load && closer(&load) {
            load = Some((distance, index));
        }
    }
    let (_, index) = found?;
    let (x, y) = place(references, &frame, &objects, index)?;
    let told = |(_, index): (f64, usize)| {
        let level = references.level.get(index).copied().unwrap_or(0);
        Some((*references.cost.get(index)?, MemoryLevel::of(u64::from(level))))
    };
    Some(Nearest {
        object: *references.object.get(index)?,
        offset: *references.offset.get(index)?,
        store: references.store.get(index) != Some(&0),
        x,
        y,
        load: load.and_then(told),
    })
}

/// The routine whose band of the source lane lies at folded time `time`.
pub fn routine_at<'a>(folding: &'a Folding, view: &View, time: f64) -> Option<&'a str> {
    let group = folding.group(view.group)?;
    let frame = Frame::of(view);
    let bands = group.bands(SHORTEST * (frame.to - frame.from));
    let band = bands.iter().find(|band| (band.start..=band.end).contains(&time))?;
    let stretch = group.stretches.get(band.stretch as usize)?;
    group.routines.get(group.routine_of(stretch) as usize).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;
    use crate::paint::memory::{Costs, Sampled};

    #[test]
    fn the_routine_is_that_of_the_band() {
        let folding = example::addressed();
        let view = example::view(976.0, 112.0);
        let at = |time| routine_at(&folding, &view, time);
        assert_eq!((at(0.3), at(0.5), at(7.0)), (Some("Scale"), Some("Add"), None));
    }

    #[test]
    fn it_is_the_nearest_of_all_within_reach() {
        let (folding, references) = (example::addressed(), example::references());
        let costs = Costs::of(&references);
        let sampled = Sampled { references: &references, costs: &costs };
        let view = example::view(976.0, 198.0);
        let frame = Frame::of(&view);
        let objects = Objects::of(folding.group(1).unwrap(), &view);
        for (time, y) in [(0.1, 150.0), (0.3, 20.0), (0.5, 190.0), (0.99, 3.0), (0.0, 0.0)] {
            let found = nearest(&folding, &view, sampled, time, Some(y)).unwrap();
            let away = |x: f64, py: f64| libm::hypot(x - frame.x(time), py - y);
            let least = (0..references.x.len())
                .filter_map(|i| place(&references, &frame, &objects, i))
                .filter(|(x, _)| (x - frame.x(time)).abs() <= REACH)
                .map(|(x, py)| away(x, py))
                .fold(f64::INFINITY, f64::min);
            assert!((away(found.x, found.y) - least).abs() < 1e-9, "{time} {y}");
        }
    }

    #[test]
    fn far_from_every_reference_there_is_none() {
        let (folding, mut references) = (example::addressed(), example::references());
        let costs = Costs::of(&references);
        let keep = references.x.partition_point(|x| *x < 0.5);
        references.x.truncate(keep);
        let sampled = Sampled { references: &references, costs: &costs };
        let view = example::view(976.0, 198.0);
        assert_eq!(nearest(&folding, &view, sampled, 0.9, None), None);
        assert!(nearest(&folding, &view, sampled, 0.49, None).is_some());
    }
}
