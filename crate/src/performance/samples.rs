use std::collections::BTreeMap;

use crate::fit;
use crate::fit::segments::MOST_FOLDS;
use crate::folding::{FoldedCounter, FoldedSample};
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
    /// The group of instances with which a sample is held out, from 0.
    pub group: Vec<u32>,
    /// Variance of `y` because counts are whole numbers, in a mean instance.
    pub rounding: f64,
}

/// Most groups that instances are dealt to.
const MOST_GROUPS: usize = fit::GroupedStatistics::ENOUGH;

impl Samples {
    /// The samples of each counter, and to how many groups their instances are dealt: at most 20,
    /// one for each instance if there are fewer.
    ///
    /// Instances and not samples are dealt in turn, because the samples of one instance err
    /// together; those with like counters among themselves, so that each counter of several sets
    /// that take turns is in as many groups as it can be.
    pub fn dealt(counters: &[Measured<'_>]) -> (Vec<Self>, u32) {
        let used = |measured: &Measured<'_>| {
            let samples = measured.folded.samples.iter().zip(&measured.used);
            samples.filter(|(_, used)| **used).map(|(sample, _)| *sample).collect::<Vec<_>>()
        };
        // Of what is cut off a number that may be anything from 0 to 1.
        let rounding = |measured: &Measured<'_>| {
            let counts = measured.folded.total / f64::from(measured.folded.instances.max(1));
            if counts > 1.0 { 1.0 / (12.0 * counts * counts) } else { 0.0 }
        };
        let roundings = counters.iter().map(rounding).collect::<Vec<_>>();
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
        let count = carried.len().min(MOST_GROUPS) as u32;
        let mut met: BTreeMap<&[u32], u32> = BTreeMap::new();
        let mut groups = BTreeMap::new();
        for (instance, counters) in &carried {
            let rank = met.entry(counters).or_default();
            groups.insert(*instance, *rank % count);
            *rank += 1;
        }
        let columns = |(mut samples, rounding): (Vec<FoldedSample>, f64)| {
            // By share where times are equal, so that sums do not depend on the order of instances.
            order::by_number(&mut samples, |sample| order::of_float(sample.y));
            order::by_number(&mut samples, |sample| order::of_float(sample.x));
            let group = |sample: &FoldedSample| groups.get(&sample.instance).copied();
            Self {
                x: samples.iter().map(|sample| sample.x).collect(),
                y: samples.iter().map(|sample| sample.y).collect(),
                instance: samples.iter().map(|sample| sample.instance).collect(),
                group: samples.iter().map(|sample| group(sample).unwrap_or(0)).collect(),
                rounding,
            }
        };
        let samples = counters.into_iter().zip(roundings).map(columns);
        (samples.collect(), count)
    }

    /// How many samples are in each of the folds of groups that are held out together.
    pub fn in_folds(&self) -> Vec<f64> {
        let mut counts = vec![0.0; MOST_FOLDS as usize];
        for group in &self.group {
            counts[(group % MOST_FOLDS) as usize] += 1.0;
        }
        counts
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
        let (samples, groups) = Samples::dealt(&sets.iter().map(used).collect::<Vec<_>>());
        assert_eq!(groups, 20);
        for samples in samples {
            let groups = order::distinct(samples.group.iter().map(|group| u64::from(*group)));
            assert_eq!(groups, (0..20).collect::<Vec<_>>());
        }
    }
}
