//! Routines cut where the phases of a comparison meet: each part says the line that is sampled in it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::folding::{Group, Stretch};
use crate::order;

/// Cuts stretches of routines at borders, in rising folded time. A part in which its routine is not the innermost of any
/// sample keeps the line of all of it. O(samples × levels).
pub fn cut(group: &mut Group, borders: &[f64]) {
    let mut parts = vec![];
    for stretch in &group.stretches {
        let mut start = stretch.start;
        let inside = borders.iter().filter(|at| stretch.start < **at && **at < stretch.end);
        for &end in inside.chain([&stretch.end]) {
            let of_all = stretch.start == start && stretch.end == end;
            let place = (!of_all).then(|| most_sampled(group, stretch, [start, end])).flatten();
            let place = place.unwrap_or(stretch.place);
            parts.push(Stretch { start, end, place, ..stretch.clone() });
            start = end;
        }
    }
    // As bands are found: one that begins with what is round it stands behind it.
    order::by_number(&mut parts, |part| u64::from(part.level));
    order::by_number(&mut parts, |part| order::of_float(part.start));
    group.stretches = parts;
}

/// The place of most samples of a stretch's routine within a span.
fn most_sampled(group: &Group, stretch: &Stretch, [start, end]: [f64; 2]) -> Option<u32> {
    let routine = group.routine_of(stretch);
    let lines = &group.lines;
    let [first, end] = [start, end].map(|at| lines.x.partition_point(|x| *x < at));
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for place in lines.place.get(first..end).into_iter().flatten() {
        if group.places.get(*place as usize).is_some_and(|of| of.routine == routine) {
            *counts.entry(*place).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .max_by_key(|(place, count)| (*count, Reverse(*place)))
        .map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Lines, Place};

    /// `f` round all, of line 10 until .5 and then mostly of 20; `g` in it from .6 to .7.
    fn group() -> Group {
        let place = |routine, line| Place { routine, line, ..Place::default() };
        let stretch =
            |start, end, place, level| Stretch { start, end, place, level, ..Stretch::default() };
        Group {
            routines: vec!["f".to_owned(), "g".to_owned()],
            places: vec![place(0, 10), place(0, 20), place(1, 30)],
            stretches: vec![stretch(0.0, 1.0, 0, 0), stretch(0.6, 0.7, 2, 1)],
            lines: Lines {
                x: vec![0.1, 0.2, 0.3, 0.4, 0.55, 0.65, 0.75, 0.8, 0.9],
                place: vec![0, 0, 0, 0, 1, 2, 1, 0, 1],
                context: vec![],
            },
            ..Group::default()
        }
    }

    fn told(borders: &[f64]) -> Vec<(f64, f64, u32)> {
        let mut group = group();
        cut(&mut group, borders);
        let line = |of: &Stretch| group.places[of.place as usize].line;
        group.stretches.iter().map(|of| (of.start, of.end, line(of))).collect()
    }

    #[test]
    fn each_part_says_the_line_that_is_sampled_in_it() {
        assert_eq!(told(&[0.0, 0.5, 1.0]), [(0.0, 0.5, 10), (0.5, 1.0, 20), (0.6, 0.7, 30)]);
        assert_eq!(told(&[]), [(0.0, 1.0, 10), (0.6, 0.7, 30)]);
    }

    #[test]
    fn what_is_cut_inside_what_is_round_it_is_still_the_innermost() {
        let mut group = group();
        cut(&mut group, &[0.5, 0.65]);
        let bands = group.bands(0.0);
        let names = bands.iter().map(|of| {
            let stretch = &group.stretches[of.stretch as usize];
            (of.start, of.end, group.routine(group.routine_of(stretch)))
        });
        let expected =
            [(0.0, 0.5, "f"), (0.5, 0.6, "f"), (0.6, 0.65, "g"), (0.65, 0.7, "g"), (0.7, 1.0, "f")];
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }
}
