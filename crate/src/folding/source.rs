//! Which code ran when: places, calling contexts, and stretches of time that belong to routines.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::Group;
use crate::order;

/// A line of source code, as sampled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// Index into [`Group::routines`].
    pub routine: u32,
    /// Number of the line; 0 where the trace does not tell.
    pub line: u32,
    /// File name without folders; empty where the trace does not tell.
    pub file: String,
    /// Samples on it, in kept instances.
    pub samples: u32,
}

/// A routine as called by those above it: a node of the tree of calling contexts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Context {
    /// Index of the caller's context, below its own; `None` at a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Index into [`Group::routines`].
    pub routine: u32,
    /// Samples whose innermost frame it is.
    pub samples: u32,
}

/// How call-stacks were joined to one tree, and how well that could be done.
///
/// Source: Servat 2015, §4.5.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Alignment {
    pub method: Method,
    /// Share of the samples with a call-stack whose context lies under the root that most have.
    pub coverage: f64,
    /// Roots of the tree.
    pub components: u32,
    /// Frames of the longest call-stack that was captured.
    pub depth: u32,
    /// Share of the samples whose ancestors nearness in time alone decided; much of it means that
    /// more frames should be captured.
    pub ambiguous: f64,
}

/// How calling contexts were made of call-stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Method {
    /// By evidence chaining.
    Chain,
    /// On the routine that most samples have, as published.
    Pivot,
    /// Every stack reaches one root by itself.
    Full,
    /// There are no call-stacks.
    #[default]
    #[serde(rename = "", other)]
    #[strum(serialize = "")]
    Absent,
}

/// The innermost frame of every sample of the kept instances, by increasing `x`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lines {
    /// Folded time, 0 to 1.
    pub x: Vec<f64>,
    /// Index into [`Group::places`]; as long as `x`.
    pub place: Vec<u32>,
    /// Index into [`Group::contexts`]; as long as `x`, or empty in a link.
    pub context: Vec<u32>,
}

/// A stretch of folded time in which a routine is on the call-stack.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stretch {
    /// Folded time, `start < end`.
    pub start: f64,
    pub end: f64,
    /// Its most sampled line: index into [`Group::places`], which names the routine too.
    pub place: u32,
    /// Samples of the routine and what it calls in it.
    pub samples: u32,
    /// Routines above it: 0 for a root.
    pub level: u32,
    /// Index into [`Group::contexts`]; `None` in foldings of older versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u32>,
    /// Whether it is shorter than `routines` asks for: white, unless one looks closer.
    pub short: bool,
}

/// A stretch of folded time with the innermost routine in it; bands do not overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    pub start: f64,
    pub end: f64,
    /// Index into [`Group::stretches`].
    pub stretch: u32,
}

impl Method {
    /// As files have it; empty without call-stacks.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Group {
    /// At every moment the innermost of the stretches that are at least `shortest` long (in folded
    /// time) or not short, in order. O(stretches × levels).
    ///
    /// A stretch that goes on behind an inner one has a band on either side of it.
    pub fn bands(&self, shortest: f64) -> Vec<Band> {
        let mut bands: Vec<Band> = vec![];
        // The stretches round the moment, outermost first.
        let mut open: Vec<u32> = vec![];
        let mut at = 0.0;
        let stretch = |index: u32| &self.stretches[index as usize];
        let close_until = |open: &mut Vec<u32>, bands: &mut Vec<Band>, at: &mut f64, until: f64| {
            while let Some(&inner) = open.last() {
                let end = stretch(inner).end.min(until);
                if end > *at {
                    bands.push(Band { start: *at, end, stretch: inner });
                    *at = end;
                }
                if stretch(inner).end > until {
                    break;
                }
                open.pop();
            }
            *at = at.max(until);
        };
        for (index, next) in (0u32..).zip(&self.stretches) {
            if next.short && next.end - next.start < shortest {
                continue;
            }
            close_until(&mut open, &mut bands, &mut at, next.start);
            open.push(index);
        }
        close_until(&mut open, &mut bands, &mut at, 1.0);
        bands
    }

    /// The name of a routine by its index; empty without one.
    pub fn routine(&self, index: u32) -> &str {
        self.routines.get(index as usize).map_or("", String::as_str)
    }

    /// The place of a routine's colour, by its index.
    pub fn hue(&self, routine: u32) -> usize {
        self.hues.get(routine as usize).copied().unwrap_or(routine) as usize
    }

    /// The routine of a stretch: index into [`Group::routines`].
    pub fn routine_of(&self, stretch: &Stretch) -> u32 {
        let by_place = || self.places.get(stretch.place as usize).map_or(0, |place| place.routine);
        let context = stretch.context.and_then(|context| self.contexts.get(context as usize));
        context.map_or_else(by_place, |context| context.routine)
    }

    /// The calling context in which most samples from `start` to `end` are on `place`; `None` where
    /// nothing tells. O(samples between).
    pub fn context_between(&self, start: f64, end: f64, place: u32) -> Option<u32> {
        let Lines { x, place: places, context } = &self.lines;
        let until = |moment: f64| x.partition_point(|x| *x < moment);
        let between = until(start)..until(end);
        let samples = places.get(between.clone())?.iter().zip(context.get(between)?);
        let mut counts: Vec<(u32, u32)> = vec![];
        for (_, &context) in samples.filter(|(at, _)| **at == place) {
            *order::entry(&mut counts, context) += 1;
        }
        // The first of those alike.
        counts.iter().rev().max_by_key(|(_, count)| *count).map(|(context, _)| *context)
    }

    /// The routines from the root to `context`, as indices into [`Group::routines`].
    pub fn callers(&self, context: u32) -> Vec<u32> {
        let mut routines = vec![];
        let mut next = self.contexts.get(context as usize);
        // Parents come before their children: no chain is longer than the tree is large.
        while let Some(found) = next.filter(|_| routines.len() < self.contexts.len()) {
            routines.push(found.routine);
            next = found.parent.and_then(|parent| self.contexts.get(parent as usize));
        }
        routines.reverse();
        routines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bands(stretches: &[(f64, f64, u32, bool)], shortest: f64) -> Vec<(f64, f64, u32)> {
        let stretch = |&(start, end, level, short): &(f64, f64, u32, bool)| Stretch {
            start,
            end,
            level,
            short,
            ..Stretch::default()
        };
        let group =
            Group { stretches: stretches.iter().map(stretch).collect(), ..Group::default() };
        group.bands(shortest).iter().map(|b| (b.start, b.end, b.stretch)).collect()
    }

    #[test]
    fn the_innermost_stretch_has_the_band() {
        let nested = [(0.0, 1.0, 0, false), (0.25, 0.5, 1, false), (0.75, 0.8, 1, true)];
        assert_eq!(bands(&nested, 0.1), [(0.0, 0.25, 0), (0.25, 0.5, 1), (0.5, 1.0, 0)]);
        let closer =
            [(0.0, 0.25, 0), (0.25, 0.5, 1), (0.5, 0.75, 0), (0.75, 0.8, 2), (0.8, 1.0, 0)];
        assert_eq!(bands(&nested, 0.01), closer);
    }

    #[test]
    fn between_stretches_there_is_no_band() {
        let apart = [(0.1, 0.25, 0, false), (0.5, 0.75, 0, false)];
        assert_eq!(bands(&apart, 0.1), [(0.1, 0.25, 0), (0.5, 0.75, 1)]);
        assert_eq!(bands(&[], 0.1), []);
    }

    #[test]
    fn inner_stretches_that_begin_and_end_with_the_outer_leave_it_nothing() {
        let nested = [(0.0, 0.5, 0, false), (0.0, 0.5, 1, false), (0.5, 1.0, 0, false)];
        assert_eq!(bands(&nested, 0.1), [(0.0, 0.5, 1), (0.5, 1.0, 2)]);
    }

    #[test]
    fn the_context_of_most_samples_on_a_line_is_that_of_the_phase() {
        let lines = Lines {
            x: vec![0.1, 0.2, 0.3, 0.4, 0.9],
            place: vec![1, 1, 1, 0, 1],
            context: vec![5, 7, 7, 9, 5],
        };
        let mut group = Group { lines, ..Group::default() };
        assert_eq!(group.context_between(0.0, 0.5, 1), Some(7));
        assert_eq!(group.context_between(0.5, 1.0, 1), Some(5));
        assert_eq!(group.context_between(0.5, 1.0, 0), None);
        group.lines.context.clear();
        assert_eq!(group.context_between(0.0, 0.5, 1), None);
    }

    #[test]
    fn what_version_2_wrote_has_the_routine_of_its_place() {
        let group = serde_json::from_str::<Group>(
            r#"{"routines": ["f", "g"],
                "places": [{"routine": 1, "line": 3, "file": "a.c", "samples": 9}],
                "lines": {"x": [0.5], "place": [0]},
                "stretches": [{"start": 0, "end": 1, "place": 0, "samples": 9}]}"#,
        )
        .unwrap();
        assert_eq!(group.bands(0.1), [Band { start: 0.0, end: 1.0, stretch: 0 }]);
        assert_eq!(group.routine_of(&group.stretches[0]), 1);
        let [only] = &group.code().routines[..] else { panic!("one routine") };
        assert_eq!((only.routine, only.inclusive, only.samples), (1, 1.0, 1));
    }

    #[test]
    fn callers_are_told_from_the_root() {
        let context = |parent, routine| Context { parent, routine, samples: 0 };
        let contexts = vec![context(None, 7), context(Some(0), 3), context(Some(1), 7)];
        let group = Group { contexts, ..Group::default() };
        assert_eq!(group.callers(2), [7, 3, 7]);
        assert_eq!(group.callers(9), [0; 0]);
    }
}
