//! The code of a folded instance as changes in time: which routine and line is active, and which
//! routine is on the call-stack at each level.

use super::folded::{CALLER, CALLER_LINE};
use crate::folding::{Group, Stretch};

/// The routine at a level of the call-stack, 0 for the outermost.
pub const ALIGNED: u32 = 31_000_000;
const LEVELS: u32 = 100;

/// A moment in nanoseconds since the begin of the instance, a code, and what it is from then on.
pub type Change = (u64, u32, u64);

/// Every change of an instance that lasts so long, short stretches left out: of each code in order.
///
/// `routines` and `lines` are the numbers of the group's routines and places.
pub fn changes(group: &Group, duration_ns: u64, routines: &[u64], lines: &[u64]) -> Vec<Change> {
    let at = |x: f64| ((x * duration_ns as f64) as u64).min(duration_ns);
    let number = |stretch: &Stretch| {
        routines.get(group.routine_of(stretch) as usize).copied().unwrap_or_default()
    };
    let mut changes = Vec::new();
    let mut ends = None;
    for band in group.bands(WHOLE) {
        let Some(stretch) = group.stretches.get(band.stretch as usize) else { continue };
        close(&mut changes, &mut ends, Some(at(band.start)), &[CALLER, CALLER_LINE]);
        changes.push((at(band.start), CALLER, number(stretch)));
        let mut before = lines.get(stretch.place as usize).copied().unwrap_or_default();
        changes.push((at(band.start), CALLER_LINE, before));
        let from = group.lines.x.partition_point(|x| *x < band.start);
        let sampled = group.lines.x.iter().zip(&group.lines.place).skip(from);
        for (x, place) in sampled.take_while(|(x, _)| **x < band.end) {
            let of_routine = group.places.get(*place as usize).map(|place| place.routine);
            let line = lines.get(*place as usize).copied().unwrap_or_default();
            if of_routine == Some(group.routine_of(stretch)) && line != before {
                changes.push((at(*x), CALLER_LINE, line));
                before = line;
            }
        }
        ends = Some(at(band.end));
    }
    close(&mut changes, &mut ends, None, &[CALLER, CALLER_LINE]);
    for level in levels(group) {
        let long = group.stretches.iter().filter(|s| s.level == level && !s.short);
        for stretch in long {
            close(&mut changes, &mut ends, Some(at(stretch.start)), &[ALIGNED + level]);
            changes.push((at(stretch.start), ALIGNED + level, number(stretch)));
            ends = Some(at(stretch.end));
        }
        close(&mut changes, &mut ends, None, &[ALIGNED + level]);
    }
    changes
}

/// Bands without those that are short.
const WHOLE: f64 = 1.0;

/// The levels that stretches have, as far as there are codes for them.
pub fn levels(group: &Group) -> std::ops::Range<u32> {
    let long = group.stretches.iter().filter(|stretch| !stretch.short);
    0..long.map(|stretch| stretch.level + 1).max().unwrap_or(0).min(LEVELS)
}

/// Ends what is open, unless something begins there.
fn close(changes: &mut Vec<Change>, ends: &mut Option<u64>, next: Option<u64>, codes: &[u32]) {
    if let Some(end) = ends.take().filter(|end| Some(*end) != next) {
        changes.extend(codes.iter().map(|&code| (end, code, 0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Lines, Place};

    #[test]
    fn each_level_has_its_routine_and_the_innermost_is_active() {
        let stretch = |start, end, level, place, short| Stretch {
            start,
            end,
            level,
            place,
            short,
            ..Stretch::default()
        };
        let place = |routine, line| Place { routine, line, file: "a.c".to_owned(), samples: 1 };
        let group = Group {
            places: vec![place(0, 5), place(1, 12), place(1, 13)],
            stretches: vec![
                stretch(0.0, 1.0, 0, 0, false),
                stretch(0.2, 0.5, 1, 1, false),
                stretch(0.6, 0.61, 1, 2, true),
                stretch(0.605, 0.61, 2, 2, true),
            ],
            // One sample inside of the inner routine is in the outer one.
            lines: Lines {
                x: vec![0.1, 0.3, 0.35, 0.4, 0.8],
                place: vec![0, 1, 0, 2, 0],
                context: vec![],
            },
            ..Group::default()
        };
        let found = changes(&group, 100, &[7, 8], &[1, 2, 3]);
        let of = |wanted: u32| {
            let of_code = found.iter().filter(|change| change.1 == wanted);
            of_code.map(|&(time, _, value)| (time, value)).collect::<Vec<_>>()
        };
        assert_eq!(of(CALLER), [(0, 7), (20, 8), (50, 7), (100, 0)]);
        assert_eq!(of(CALLER_LINE), [(0, 1), (20, 2), (40, 3), (50, 1), (100, 0)]);
        assert_eq!(of(ALIGNED), [(0, 7), (100, 0)]);
        assert_eq!(of(ALIGNED + 1), [(20, 8), (50, 0)]);
        assert_eq!(levels(&group), 0..2);
    }
}
