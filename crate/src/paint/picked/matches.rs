//! Which code is what a person picked: all else is faint.

use super::Picked;
use crate::folding::{Group, Stretch};

/// Opacity of what was not picked, in shares of its own.
pub const FAINT: f64 = 0.2;

/// The opacity of something by whether it is what was picked.
pub fn opacity(is_picked: bool) -> f64 {
    if is_picked { 1.0 } else { FAINT }
}

/// What of a group's code was picked. Of a data object or a memory level, which no line tells of,
/// it is all.
pub struct Matches {
    /// For each place, whether it was picked; `None` if all code is.
    places: Option<Vec<bool>>,
    /// For each context, whether the routine that was picked is on its call-stack.
    contexts: Vec<bool>,
    /// Index of the routine that was picked, or whose line was.
    routine: Option<u32>,
}

impl Matches {
    /// O(places + contexts).
    pub fn of(group: &Group, picked: Option<&Picked>) -> Self {
        let all = Self { places: None, contexts: vec![], routine: None };
        match picked {
            Some(Picked::Routine(name)) => {
                let routine = group.routines.iter().position(|known| known == name);
                let routine = routine.map(|index| index as u32);
                let places =
                    group.places.iter().map(|place| Some(place.routine) == routine).collect();
                let mut contexts: Vec<bool> = Vec::with_capacity(group.contexts.len());
                // Parents come before their children.
                for context in &group.contexts {
                    let above = context.parent.and_then(|parent| contexts.get(parent as usize));
                    let is_under = above.copied().unwrap_or(false);
                    contexts.push(is_under || Some(context.routine) == routine);
                }
                Self { places: Some(places), contexts, routine }
            }
            Some(Picked::Line { file, line }) => {
                let places: Vec<bool> = group
                    .places
                    .iter()
                    .map(|place| place.line == *line && place.file == *file)
                    .collect();
                let first = group.places.iter().zip(&places).find(|(_, picked)| **picked);
                let routine = first.map(|(place, _)| place.routine);
                Self { places: Some(places), ..all }.with(routine)
            }
            Some(Picked::Object(_) | Picked::Level(_)) | None => all,
        }
    }

    fn with(self, routine: Option<u32>) -> Self {
        Self { routine, ..self }
    }

    /// Whether the sample of that index was picked: it is on the line, or under the routine.
    pub fn sample(&self, group: &Group, sample: usize) -> bool {
        let Some(places) = &self.places else { return true };
        let has = |flags: &[bool], index: Option<&u32>| {
            index.and_then(|index| flags.get(*index as usize)).copied().unwrap_or(false)
        };
        has(places, group.lines.place.get(sample))
            || has(&self.contexts, group.lines.context.get(sample))
    }

    /// Whether a stretch was picked: the routine is on the call-stack in it, or the line is its.
    pub fn stretch(&self, group: &Group, stretch: &Stretch) -> bool {
        let under = stretch.context.and_then(|context| self.contexts.get(context as usize));
        self.places.is_none()
            || under.copied().unwrap_or(false)
            || Some(group.routine_of(stretch)) == self.routine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    /// How many samples are picked of each routine.
    fn picked(text: &str) -> Vec<(String, usize)> {
        let folding = example::stream();
        let group = folding.group(1).unwrap();
        let matches = Matches::of(group, Picked::parse(text).as_ref());
        let mut counts: Vec<(String, usize)> = vec![];
        for sample in (0..group.lines.x.len()).filter(|sample| matches.sample(group, *sample)) {
            let place = &group.places[group.lines.place[sample] as usize];
            let name = &group.routines[place.routine as usize];
            match counts.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name.clone(), 1)),
            }
        }
        counts
    }

    #[test]
    fn a_routine_is_picked_with_all_that_it_calls() {
        let inner = picked("routine:__memcpy_ssse3_back");
        assert_eq!(inner, [("__memcpy_ssse3_back".to_owned(), 660)]);
        assert_eq!(picked("routine:Copy"), inner);
        assert_eq!(picked("routine:main").len(), 4);
        assert_eq!(picked("routine:nobody"), []);
    }

    #[test]
    fn a_line_is_picked_alone() {
        assert_eq!(picked("line:226:stream.c"), [("Scale".to_owned(), 600)]);
        assert_eq!(picked("line:226:other.c"), []);
        let [(name, count)] = &picked("line:2140:memcpy.S")[..] else { panic!("one routine") };
        assert!(name == "__memcpy_ssse3_back" && (100..660).contains(count), "{count}");
    }

    #[test]
    fn what_is_not_of_code_leaves_all_code() {
        assert_eq!(picked("object:a").len(), 4);
        assert_eq!(picked("").len(), 4);
    }
}
