//! Places of few samples told together, where a link has no room for each.

use std::collections::BTreeMap;

use crate::folding::{CodeTimes, Group, OtherPlaces, PlaceTime};
use crate::order;

/// Of each phase so many places are told: the one that it is about, and what comes close.
const OF_PHASE: usize = 3;

impl Group {
    /// Leaves the `most` places of most time. Those of a routine and file that are left out are told
    /// together, so that routines, files and phases have the time that they had. O(places × log places).
    pub(super) fn tell_places_together(&mut self, most: usize) {
        let Some(mut times) = self.code_times.take() else { return };
        if times.places.iter().filter(|time| time.samples > 0).count() > most {
            self.together(&mut times, most);
            fewer_of_phases(&mut times);
        }
        self.code_times = Some(times);
    }

    fn together(&self, times: &mut CodeTimes, most: usize) {
        let mut longest: Vec<u32> = (0..times.places.len() as u32).collect();
        order::by_number(&mut longest, |at| !order::of_float(times.places[*at as usize].share));
        let of_place =
            |at: u32| self.places.get(at as usize).map(|at| (at.routine, at.file.as_str()));
        let numbered = (0..).zip(&times.others);
        let mut known: BTreeMap<_, usize> =
            numbered.filter_map(|(number, of)| Some((of_place(of.place)?, number))).collect();
        for at in longest.into_iter().skip(most) {
            let (Some(key), Some(time)) = (of_place(at), times.places.get_mut(at as usize)) else {
                continue;
            };
            if time.samples == 0 {
                continue;
            }
            let nothing = PlaceTime::new(time.events.len(), 0);
            let time = std::mem::replace(time, nothing);
            match known.get(&key).and_then(|number| times.others.get_mut(*number)) {
                Some(others) => {
                    others.places += 1;
                    others.time.add(&time);
                }
                None => {
                    known.insert(key, times.others.len());
                    times.others.push(OtherPlaces { place: at, places: 1, time });
                }
            }
        }
    }
}

fn fewer_of_phases(times: &mut CodeTimes) {
    times.others_of_phases.resize(times.phases.len(), 0.0);
    for (places, others) in times.phases.iter_mut().zip(&mut times.others_of_phases) {
        order::by_number(places, |(_, share)| !order::of_float(*share));
        let left_out = places.split_off(places.len().min(OF_PHASE));
        *others += left_out.iter().map(|(_, share)| share).sum::<f64>();
        // Of places alike the first is the one that a phase is about.
        order::by_number(places, |(place, _)| u64::from(*place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Folding, Phase, Place};

    fn group() -> Group {
        let place = |line: u32| Place {
            routine: line % 2,
            line,
            file: if line < 8 { "a.c" } else { "b.c" }.to_owned(),
            samples: line,
        };
        let time = |line: u32| PlaceTime {
            share: f64::from(line) / 64.0,
            samples: line,
            events: vec![[f64::from(line), f64::from(line) / 64.0]],
            histogram: vec![],
        };
        let of_phase = |line: u32| (line - 1, f64::from(line) / 64.0);
        Group {
            routines: ["even", "odd"].map(str::to_owned).to_vec(),
            places: (1..=10).map(place).collect(),
            curves: vec![Default::default()],
            phases: vec![Phase { start: 0.0, end: 1.0, ..Phase::default() }],
            code_times: Some(CodeTimes {
                places: (1..=10).map(time).collect(),
                phases: vec![(1..=10).map(of_phase).collect()],
                ..CodeTimes::default()
            }),
            ..Group::default()
        }
    }

    #[test]
    fn routines_files_and_phases_keep_their_time_and_the_longest_lines_theirs() {
        let (whole, mut fewer) = (group(), group());
        fewer.tell_places_together(3);
        assert_eq!(fewer.code().routines, whole.code().routines);
        assert_eq!(fewer.code().lines, whole.code().lines[..3]);
        let files = |group: &Group| {
            let files = group.sampled_files().into_iter();
            files.map(|of| (of.file, of.share)).collect::<Vec<_>>()
        };
        assert_eq!(files(&fewer), files(&whole));
        assert_eq!(fewer.code_of_phases(&[]), whole.code_of_phases(&[]));
        let others = fewer.code_times.as_ref().map(|times| &times.others);
        let of = others.unwrap().iter().map(|of| (of.place, of.places)).collect::<Vec<_>>();
        // Of a.c the odd lines 7, 5, 3, 1 and the even ones 6, 4, 2; the longest three are of b.c.
        assert_eq!(of, [(6, 4), (5, 3)]);
    }

    #[test]
    fn a_hostile_link_cannot_name_a_place_that_is_not_there() {
        let mut group = group();
        group.tell_places_together(3);
        for place in [10, u32::MAX] {
            group.code_times.as_mut().unwrap().others[0].place = place;
            let hostile = Folding { groups: vec![group.clone()], ..Folding::default() };
            let read = Folding::from_json(hostile.to_json().as_bytes()).unwrap();
            assert_eq!(read.groups[0].code_times, None, "{place}");
            assert_eq!(read.groups[0].places, group.places);
            let _ = (group.code(), group.code_of_phases(&[]), group.sampled_files());
            group.tell_places_together(2);
        }
    }

    #[test]
    fn nothing_is_told_together_where_there_is_room_for_all() {
        let mut same = group();
        same.tell_places_together(10);
        assert_eq!(same, group());
    }
}
