//! What belongs to what was picked: samples, references, and stretches of folded time.

use super::matches::Matches;
use super::pick::Picked;
use crate::folding::{Group, References};

/// Folded time is judged in so many cells: 0.5 % each.
const CELLS: usize = 200;

/// So many cells in a row without it, between others with it, are chance.
const CHANCE: usize = 3;

/// Which samples, references and moments of a group belong to what was picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// As long as the lines of the group, and as its references.
    samples: Vec<bool>,
    references: Vec<bool>,
    cells: Vec<bool>,
}

impl Matched {
    /// `None` of data that the group does not have, or that no references are at hand of.
    /// O(samples + references).
    ///
    /// * A routine and a line have the samples that `Matches` says, and the references of the
    ///   same moments.
    /// * An object and a level have their references, and the samples of the same moments.
    pub fn of(picked: &Picked, group: &Group, references: Option<&References>) -> Option<Matched> {
        let (samples, references) = match picked {
            Picked::Routine(_) | Picked::Line { .. } => {
                let matches = Matches::of(group, Some(picked));
                let all = 0..group.lines.x.len();
                let samples: Vec<bool> = all.map(|sample| matches.sample(group, sample)).collect();
                let of_line = |line: &u32| samples.get(*line as usize).copied().unwrap_or(false);
                let lines = references.map_or(&[][..], |references| &references.line);
                let references = lines.iter().map(of_line).collect();
                (samples, references)
            }
            Picked::Object(name) => {
                let objects: Vec<bool> = group.objects.iter().map(|o| o.name == *name).collect();
                objects.contains(&true).then_some(())?;
                let of = |object: &u32| objects.get(*object as usize).copied().unwrap_or(false);
                let full = references?.object.iter().map(of).collect();
                touched(full, group, references?)
            }
            Picked::Level(level) => {
                let full = references?.level.iter().map(|of| *of == *level as u8).collect();
                touched(full, group, references?)
            }
        };
        let cells = cells(&samples, group);
        Some(Matched { samples, references, cells })
    }

    /// Whether the sample at this index of the group's lines belongs to it.
    pub fn has_sample(&self, index: usize) -> bool {
        self.samples.get(index).copied().unwrap_or(false)
    }

    /// For each reference whether it belongs to it.
    pub fn references(&self) -> &[bool] {
        &self.references
    }

    /// Stretches of folded time in which it was not sampled, in order.
    pub fn absent(&self) -> Vec<[f64; 2]> {
        let mut spans = Vec::new();
        let mut start = 0;
        for run in self.cells.chunk_by(|a, b| a == b) {
            let end = start + run.len();
            let is_inside = start > 0 && end < CELLS;
            if run.first() == Some(&false) && !(is_inside && run.len() <= CHANCE) {
                spans.push([start as f64 / CELLS as f64, end as f64 / CELLS as f64]);
            }
            start = end;
        }
        spans
    }
}

/// The samples of the same moments as the references that are `full`.
fn touched(full: Vec<bool>, group: &Group, references: &References) -> (Vec<bool>, Vec<bool>) {
    let mut samples = vec![false; group.lines.x.len()];
    for (line, _) in references.line.iter().zip(&full).filter(|(_, full)| **full) {
        if let Some(sample) = samples.get_mut(*line as usize) {
            *sample = true;
        }
    }
    (samples, full)
}

/// The cells with a sample that belongs; a cell without any sample is as the one before it.
fn cells(samples: &[bool], group: &Group) -> Vec<bool> {
    let mut cells: Vec<Option<bool>> = vec![None; CELLS];
    for (x, full) in group.lines.x.iter().zip(samples) {
        let cell = ((x * CELLS as f64) as usize).min(CELLS - 1);
        if let Some(cell) = cells.get_mut(cell) {
            *cell = Some(cell.unwrap_or(false) || *full);
        }
    }
    let mut before = false;
    let known = |cell: Option<bool>| {
        before = cell.unwrap_or(before);
        before
    };
    cells.into_iter().map(known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::MemoryLevel;
    use crate::paint::example;

    /// What belongs to `picked` by its definition, sample by sample.
    fn naive(picked: &Picked, group: &Group, all: &References) -> (Vec<bool>, Vec<bool>) {
        let moment = |i: usize, j: usize| all.line[j] as usize == i;
        let reference = |j: usize| match picked {
            Picked::Object(name) => group.objects[all.object[j] as usize].name == *name,
            Picked::Level(level) => all.level[j] == *level as u8,
            _ => (0..group.lines.x.len()).any(|i| moment(i, j) && code(i, picked, group)),
        };
        let references: Vec<bool> = (0..all.x.len()).map(reference).collect();
        let sample = |i: usize| match picked {
            Picked::Object(_) | Picked::Level(_) => {
                (0..all.x.len()).any(|j| moment(i, j) && references[j])
            }
            _ => code(i, picked, group),
        };
        ((0..group.lines.x.len()).map(sample).collect(), references)
    }

    fn code(i: usize, picked: &Picked, group: &Group) -> bool {
        let place = &group.places[group.lines.place[i] as usize];
        match picked {
            Picked::Line { file, line } => place.line == *line && place.file == *file,
            Picked::Routine(name) => {
                let stack = group.callers(group.lines.context[i]);
                stack.iter().any(|routine| group.routines[*routine as usize] == *name)
            }
            _ => false,
        }
    }

    #[test]
    fn what_stays_full_is_what_the_definition_says() {
        let (folding, all) = (example::addressed(), example::references());
        let group = folding.group(1).unwrap();
        let line = Picked::Line { file: "stream.c".into(), line: 226 };
        let picks = [
            Picked::Routine("Scale".into()),
            Picked::Routine("main".into()),
            line,
            Picked::Object("b".into()),
            Picked::Object("stream.c:181".into()),
            Picked::Level(MemoryLevel::Dram),
            Picked::Level(MemoryLevel::L1),
        ];
        for picked in picks {
            let matched = Matched::of(&picked, group, Some(&all)).unwrap();
            let (samples, references) = naive(&picked, group, &all);
            assert!(references.contains(&true), "{picked:?}");
            assert_eq!(matched.references, references, "{picked:?}");
            assert_eq!(matched.samples, samples, "{picked:?}");
            for [from, to] in matched.absent() {
                let inside = |x: &f64| *x >= from && *x < to;
                let lines = group.lines.x.iter().zip(&samples);
                assert!(!lines.clone().any(|(x, full)| *full && inside(x)), "{picked:?}");
            }
        }
    }

    #[test]
    fn what_the_group_does_not_have_is_not_picked() {
        let (folding, all) = (example::addressed(), example::references());
        let group = folding.group(1).unwrap();
        for text in ["object:nothing", "object:"] {
            let picked = Picked::parse(text).unwrap();
            assert_eq!(Matched::of(&picked, group, Some(&all)), None, "{text}");
        }
        let object = Picked::Object("b".into());
        assert_eq!(Matched::of(&object, group, None), None, "a link has no references");
    }

    #[test]
    fn a_routine_is_absent_where_others_run() {
        let (folding, all) = (example::addressed(), example::references());
        let group = folding.group(1).unwrap();
        let scale = Picked::Routine("Scale".into());
        let matched = Matched::of(&scale, group, Some(&all)).unwrap();
        assert_eq!(matched.absent(), [[0.0, 0.22], [0.42, 1.0]]);
    }
}
