use std::collections::BTreeMap;

use crate::fit;
use crate::instance::{FoldedCounter, FoldedSample};
use crate::order;

/// A folded counter and which of its samples its curve is fitted to, one flag for each.
pub struct Measured<'a> {
    pub folded: &'a FoldedCounter,
    pub used: Vec<bool>,
}

/// The samples that a curve is fitted to, as columns by increasing folded time.
#[derive(Default)]
pub struct Samples {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub instance: Vec<u32>,
    /// The group of instances with which a sample is held out, from 0; see [`Dealt`].
    pub group: Vec<u32>,
}

/// Most groups of instances that say how sure a curve is, and that a decision holds out in turn.
const MOST_GROUPS: usize = fit::GroupedStatistics::ENOUGH;
const MOST_FOLDS: u32 = 10;

/// How instances are dealt to the groups that are held out in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dealt {
    /// At most 20; as many as instances if there are fewer.
    pub groups: u32,
    /// What the decision holds out in turn: a group, or a pair of them where there are more than
    /// ten, of which the numbers are `2 f` and `2 f + 1`.
    pub folds: u32,
}

impl Dealt {
    fn of(instances: usize) -> Self {
        let groups = instances.min(MOST_GROUPS) as u32;
        Self { groups, folds: if groups > MOST_FOLDS { groups.div_ceil(2) } else { groups } }
    }

    /// The number of the group of the `rank`-th instance.
    fn group(self, rank: u32) -> u32 {
        let turn = rank % self.groups.max(1);
        if self.groups > self.folds { 2 * (turn % self.folds) + turn / self.folds } else { turn }
    }

    /// When a group is dealt to, from 0: the groups of a fold are `folds` turns apart.
    pub fn turn(self, group: u32) -> u32 {
        if self.groups > self.folds { group / 2 + group % 2 * self.folds } else { group }
    }
}

impl Samples {
    /// The samples of each counter, and how their instances are dealt.
    ///
    /// Instances and not samples are dealt in turn, because the samples of one instance err
    /// together; those with like counters among themselves, so that each counter of several sets
    /// that take turns is in as many groups as it can be.
    pub fn dealt(counters: &[Measured<'_>]) -> (Vec<Self>, Dealt) {
        let used = |measured: &Measured<'_>| {
            let samples = measured.folded.samples.iter().zip(&measured.used);
            samples.filter(|(_, used)| **used).map(|(sample, _)| *sample).collect::<Vec<_>>()
        };
        let counters = counters.iter().map(used).collect::<Vec<_>>();
        let mut carried: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (counter, samples) in (0..).zip(&counters) {
            for sample in samples {
                let carried = carried.entry(sample.instance).or_default();
                if carried.last() != Some(&counter) {
                    carried.push(counter);
                }
            }
        }
        let dealt = Dealt::of(carried.len());
        let mut met: BTreeMap<&[u32], u32> = BTreeMap::new();
        let mut groups = BTreeMap::new();
        for (instance, counters) in &carried {
            let rank = met.entry(counters).or_default();
            groups.insert(*instance, dealt.group(*rank));
            *rank += 1;
        }
        let columns = |mut samples: Vec<FoldedSample>| {
            order::by_number(&mut samples, |sample| order::of_float(sample.x));
            let group = |sample: &FoldedSample| groups.get(&sample.instance).copied();
            Self {
                x: samples.iter().map(|sample| sample.x).collect(),
                y: samples.iter().map(|sample| sample.y).collect(),
                instance: samples.iter().map(|sample| sample.instance).collect(),
                group: samples.iter().map(|sample| group(sample).unwrap_or(0)).collect(),
            }
        };
        (counters.into_iter().map(columns).collect(), dealt)
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// As the kernels take them.
    pub fn slices(&self) -> fit::segments::Samples<'_> {
        fit::segments::Samples {
            x: &self.x,
            y: &self.y,
            group: &self.group,
            instance: &self.instance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(instances: impl Iterator<Item = u32>) -> FoldedCounter {
        let sample = |instance| FoldedSample { instance, x: 0.5, y: 0.5, kept: true };
        FoldedCounter { samples: instances.map(sample).collect(), ..FoldedCounter::default() }
    }

    #[test]
    fn every_counter_of_sets_that_take_turns_is_in_all_groups() {
        let sets = [counter(0..60), counter((0..60).step_by(3)), counter((1..60).step_by(3))];
        let used = |folded| Measured { folded, used: vec![true; folded.samples.len()] };
        let (samples, dealt) = Samples::dealt(&sets.iter().map(used).collect::<Vec<_>>());
        assert_eq!(dealt, Dealt { groups: 20, folds: 10 });
        for samples in samples {
            let groups = order::distinct(samples.group.iter().map(|group| u64::from(*group)));
            assert_eq!(groups, (0..20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn pairs_of_groups_are_dealt_as_folds_would_be() {
        let dealt = Dealt::of(12);
        assert_eq!(dealt.folds, 6);
        let groups = (0..12).map(|rank| dealt.group(rank)).collect::<Vec<_>>();
        assert_eq!(groups, [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]);
        let turns = groups.iter().map(|group| dealt.turn(*group)).collect::<Vec<_>>();
        assert_eq!(turns, (0..12).collect::<Vec<_>>());
        assert_eq!((0..3).map(|rank| Dealt::of(3).group(rank)).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
