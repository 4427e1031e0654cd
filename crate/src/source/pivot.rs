use super::Stacks;
use super::align::{Aligned, grow};
use super::tree::Growing;
use crate::folding::Method;

/// No stack grows to more frames than this in front of those that were captured.
const MOST_GAPS: usize = 1000;

/// The alignment as it was published: on the routine that most samples have, the *pivot*.
///
/// Samples with the pivot are brought to one height, neighbour by neighbour: what a sample lacks it
/// is given from the one before, and what that one lacks all before are given. Samples without the
/// pivot follow in their order, each next to the nearest aligned one that shares a routine.
/// O(frames × (log n + height)).
///
/// Where thesis and paper differ or err, the thesis counts; the stack before is the aligned one,
/// heights equal inject nothing, of two pivots or neighbours alike the first by name or the earlier
/// is taken, the second step runs once.
///
/// Source: Servat 2015, §4.5.2, Algorithm 1; Servat et al. 2016, §III.B.
pub fn pivot(stacks: &Stacks) -> Aligned {
    let mut alignment = Alignment::new(stacks);
    let with_pivot = alignment.with_pivot.clone();
    for pair in with_pivot.windows(2) {
        alignment.align(pair[0], pair[1]);
    }
    alignment.list_holders();
    let mut left_out = Vec::new();
    for sample in 0..stacks.len() as u32 {
        if alignment.own[sample as usize].is_none() && alignment.add(sample).is_none() {
            left_out.push(sample);
        }
    }
    let mut tree = Growing::default();
    let mut one = |sample: usize| {
        let gaps = alignment.gaps(sample as u32);
        let below = |at, gap| Some(tree.child(at, alignment.frame(sample as u32, gap)));
        let outer = (0..gaps).fold(None, below);
        grow(&mut tree, outer, stacks, sample)
    };
    let context = (0..stacks.len()).map(&mut one).collect();
    let contexts = tree.finish();
    Aligned { method: Method::Pivot, contexts, context, left_out, ambiguous: 0 }
}

/// Call-stacks while they are aligned. Heights count from the outermost frame, from 0.
struct Alignment<'a> {
    stacks: &'a Stacks,
    pivot: u32,
    /// Samples that have it, rising.
    with_pivot: Vec<u32>,
    /// Height of the pivot in all that are aligned.
    height: usize,
    /// What was injected into all that were aligned by then, the outermost last.
    injected: Vec<u32>,
    /// What each aligned sample has of its own; `None` for those that are not aligned.
    own: Vec<Option<Own>>,
    /// Frames that samples were given, by [`Own::given`].
    given: Vec<u32>,
    /// Samples without the pivot that were aligned, rising.
    added: Vec<u32>,
    /// By routine: who has it among `with_pivot`, and the last of `added` who has.
    holders: Vec<Vec<u32>>,
    last_holder: Vec<Option<u32>>,
    /// By routine: how many of `with_pivot` and of `added` were injected with it, at most.
    reached: Vec<(usize, usize)>,
}

#[derive(Clone, Copy)]
struct Own {
    /// Length of [`Alignment::injected`] when it was aligned.
    since: usize,
    /// Where in [`Alignment::given`] its frames begin, and how many they are.
    given: usize,
    count: usize,
}

impl<'a> Alignment<'a> {
    /// Every sample with the pivot as it was captured; the first of them is aligned.
    fn new(stacks: &'a Stacks) -> Self {
        let mut counts = vec![0u32; stacks.routines.len()];
        let mut counted_in = vec![u32::MAX; stacks.routines.len()];
        for sample in 0..stacks.len() {
            for routine in stacks.routines_of(sample) {
                if counted_in[routine as usize] != sample as u32 {
                    counted_in[routine as usize] = sample as u32;
                    counts[routine as usize] += 1;
                }
            }
        }
        // The first by name of those alike.
        let name = |routine: u32| std::cmp::Reverse(&stacks.routines[routine as usize]);
        let routines = 0..counts.len() as u32;
        let pivot = routines.max_by_key(|&r| (counts[r as usize], name(r))).unwrap_or(0);
        let has_it = |&sample: &u32| stacks.routines_of(sample as usize).any(|r| r == pivot);
        let with_pivot = (0..stacks.len() as u32).filter(has_it).collect::<Vec<_>>();
        let mut alignment = Self {
            stacks,
            pivot,
            height: 0,
            injected: vec![],
            own: vec![None; stacks.len()],
            given: vec![],
            added: vec![],
            holders: vec![],
            last_holder: vec![None; stacks.routines.len()],
            reached: vec![(0, 0); stacks.routines.len()],
            with_pivot,
        };
        if let Some(&first) = alignment.with_pivot.first() {
            alignment.height = alignment.captured_height(first);
            alignment.take(first, 0);
        }
        alignment
    }

    fn captured(&self, sample: u32) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        let stacks = self.stacks;
        stacks.routines_of(sample as usize)
    }

    fn captured_height(&self, sample: u32) -> usize {
        self.captured(sample).position(|routine| routine == self.pivot).unwrap_or(0)
    }

    /// Frames in front of those that were captured.
    fn gaps(&self, sample: u32) -> usize {
        let own = self.own[sample as usize];
        own.map_or(0, |own| self.injected.len() - own.since + own.count)
    }

    /// The frame of an aligned sample at a height below its length.
    fn frame(&self, sample: u32, height: usize) -> u32 {
        let captured =
            |at: usize| self.stacks.places[self.stacks.of(sample as usize)[at] as usize].routine;
        let Some(own) = self.own[sample as usize] else { return captured(height) };
        let later = self.injected.len() - own.since;
        if height < later {
            self.injected[self.injected.len() - 1 - height]
        } else if height - later < own.count {
            self.given[own.given + height - later]
        } else {
            captured(height - later - own.count)
        }
    }

    /// Height of the outermost frame of an aligned sample that is in `routine`.
    fn height_of(&self, sample: u32, routine: u32) -> Option<usize> {
        let length = self.gaps(sample) + self.captured(sample).len();
        (0..length).find(|&height| self.frame(sample, height) == routine)
    }

    /// Counts a sample as aligned, with the last `count` of `given` as its own.
    fn take(&mut self, sample: u32, count: usize) {
        let given = self.given.len() - count;
        self.own[sample as usize] = Some(Own { since: self.injected.len(), given, count });
    }

    /// Gives `sample` the lowest `count` frames of `other`.
    fn give(&mut self, sample: u32, other: u32, count: usize) {
        for height in 0..count {
            self.given.push(self.frame(other, height));
        }
        self.take(sample, count);
    }

    /// Injects the lowest `count` captured frames of `sample` into all that are aligned.
    fn inject(&mut self, sample: u32, count: usize) {
        let frames = self.captured(sample).take(count).collect::<Vec<_>>();
        let aligned = self.with_pivot.partition_point(|&with| self.own[with as usize].is_some());
        for routine in frames.into_iter().rev() {
            self.injected.push(routine);
            self.reached[routine as usize] = (aligned, self.added.len());
        }
    }

    /// The first step: brings the pivots of a sample and of the one before to one height.
    fn align(&mut self, before: u32, sample: u32) {
        let height = self.captured_height(sample);
        if height < self.height {
            self.give(sample, before, self.height - height);
        } else {
            self.inject(sample, height - self.height);
            self.take(sample, 0);
            self.height = height;
        }
    }

    /// Lists who has which routine, after the first step.
    fn list_holders(&mut self) {
        self.holders = vec![vec![]; self.stacks.routines.len()];
        for &sample in &self.with_pivot {
            let Some(own) = self.own[sample as usize] else { continue };
            let given = self.given[own.given..own.given + own.count].iter().copied();
            for routine in given.chain(self.captured(sample)) {
                let holders = &mut self.holders[routine as usize];
                if holders.last() != Some(&sample) {
                    holders.push(sample);
                }
            }
        }
    }

    /// The aligned sample that has `routine` and is nearest to `sample`, the earlier of two alike.
    fn nearest_with(&self, sample: u32, routine: u32) -> Option<u32> {
        let routine = routine as usize;
        let (with_pivot, added) = self.reached[routine];
        let beside = |samples: &[u32]| {
            let after = samples.partition_point(|&known| known < sample);
            [after.wrapping_sub(1), after].map(|at| samples.get(at).copied())
        };
        let [before, after] = beside(&self.holders[routine]);
        let [reached_before, reached_after] = beside(&self.with_pivot[..with_pivot]);
        let last_added = added.checked_sub(1).map(|at| self.added[at]);
        let known =
            [before, after, reached_before, reached_after, last_added, self.last_holder[routine]];
        known.into_iter().flatten().min_by_key(|&known| (known.abs_diff(sample), known))
    }

    /// The second step: puts a sample without the pivot beside the nearest aligned one that shares
    /// a routine with it; which one, or `None` if there is none.
    fn add(&mut self, sample: u32) -> Option<u32> {
        let nearest = self.captured(sample).filter_map(|r| self.nearest_with(sample, r));
        let other = nearest.min_by_key(|&known| (known.abs_diff(sample), known))?;
        let mut both = self.captured(sample).enumerate();
        let (own, others) =
            both.find_map(|(at, routine)| Some((at, self.height_of(other, routine)?)))?;
        drop(both);
        if own <= others {
            let count = others - own;
            if count > MOST_GAPS {
                return None;
            }
            self.give(sample, other, count);
        } else {
            if self.injected.len() + own - others > MOST_GAPS {
                return None;
            }
            self.inject(sample, own - others);
            self.take(sample, 0);
        }
        self.added.push(sample);
        let gaps = self.gaps(sample);
        let length = gaps + self.captured(sample).len();
        for height in 0..length {
            let routine = self.frame(sample, height);
            self.last_holder[routine as usize] = Some(sample);
        }
        Some(other)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::super::stacks::tests::named;
    use super::*;

    fn published() -> Value {
        let text = include_str!("../../../tests/oracles/callstack_fig2.json");
        serde_json::from_str(text).unwrap()
    }

    fn words(value: &Value) -> Vec<String> {
        value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    }

    /// The aligned stacks, injected frames marked as in the figure.
    fn state(alignment: &Alignment<'_>) -> BTreeMap<String, Vec<String>> {
        let stacks = alignment.stacks;
        let one = |sample: u32| {
            let gaps = alignment.gaps(sample);
            let frames = (0..gaps + alignment.captured(sample).len()).map(|height| {
                let name = &stacks.routines[alignment.frame(sample, height) as usize];
                if height < gaps { format!("°{name}") } else { name.clone() }
            });
            (format!("s{}", sample + 1), frames.collect())
        };
        let in_state = |&sample: &u32| {
            alignment.own[sample as usize].is_some() || alignment.with_pivot.contains(&sample)
        };
        (0..stacks.len() as u32).filter(in_state).map(one).collect()
    }

    #[test]
    fn every_state_of_the_published_example_is_reproduced() {
        let figure = published();
        let samples = figure["samples"].as_array().unwrap();
        let samples = samples.iter().map(|s| words(&s["frames_outermost_first"]));
        let stacks = named(&samples.collect::<Vec<_>>());
        let mut alignment = Alignment::new(&stacks);
        let name = |routine: u32| stacks.routines[routine as usize].as_str();
        assert_eq!(name(alignment.pivot), figure["pivot"].as_str().unwrap());
        let states = figure["states"].as_array().unwrap().iter().map(|state| {
            let stacks = state["stacks_outermost_first"].as_object().unwrap();
            stacks.iter().map(|(name, frames)| (name.clone(), words(frames))).collect()
        });
        let expected: Vec<BTreeMap<String, Vec<String>>> = states.collect();
        let mut found = vec![state(&alignment)];
        let with_pivot = alignment.with_pivot.clone();
        for pair in with_pivot.windows(2) {
            alignment.align(pair[0], pair[1]);
            found.push(state(&alignment));
        }
        alignment.list_holders();
        // Of s3 and s5 equally near the earlier is taken.
        assert_eq!(alignment.add(3), Some(2));
        found.push(state(&alignment));
        assert_eq!(found, expected);
    }
}
