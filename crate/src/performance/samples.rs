use crate::fit;
use crate::fit::segments::MOST_FOLDS;
use crate::folding::{FoldedCounter, FoldedSample};
use crate::order;

/// A folded counter and which of its samples its curve is fitted to, one flag for each.
pub struct Measured<'a> {
    pub folded: &'a FoldedCounter,
    pub used: Vec<bool>,
}

impl Measured<'_> {
    fn samples(&self) -> impl Iterator<Item = &FoldedSample> {
        let samples = self.folded.samples.iter().zip(&self.used);
        samples.filter(|(_, used)| **used).map(|(sample, _)| sample)
    }

    /// The numbers of those that are used, by time.
    fn by_time(&self) -> Vec<u32> {
        let used = (0u32..).zip(&self.used).filter(|(_, used)| **used).map(|(at, _)| at);
        let used = used.collect::<Vec<_>>();
        let times = used.iter().map(|at| order::of_float(self.folded.samples[*at as usize].x));
        order::indices(times).into_iter().map(|at| used[at as usize]).collect()
    }

    /// Whether their samples have the same times.
    fn is_read_with(&self, other: &Self) -> bool {
        let times = |of: &Self| of.folded.samples.iter().map(|sample| sample.x.to_bits());
        self.used == other.used && times(self).eq(times(other))
    }

    /// Variance of a share that is cut off a number, which may be by anything from 0 to 1.
    fn rounding(&self) -> f64 {
        let counts = self.folded.total / f64::from(self.folded.instances.max(1));
        if counts > 1.0 { 1.0 / (12.0 * counts * counts) } else { 0.0 }
    }
}

/// The group of each instance, by its number, and how many groups there are.
fn groups(counters: &[Measured<'_>]) -> (Vec<u32>, u32) {
    let numbers = counters.iter().flat_map(Measured::samples).map(|sample| sample.instance);
    let all = numbers.max().map_or(0, |last| last as usize + 1);
    // Instances with like counters are of one kind, 0 being those that carry none.
    let (mut kinds, mut kind) = (order::Numbers::default(), vec![0; all]);
    kinds.of([0, 0, 0]);
    for (counter, measured) in (1..).zip(counters) {
        let mut carried = vec![false; all];
        for sample in measured.samples() {
            let instance = sample.instance as usize;
            if !std::mem::replace(&mut carried[instance], true) {
                kind[instance] = kinds.of([kind[instance] as u64, counter, 0]);
            }
        }
    }
    let count = kind.iter().filter(|kind| **kind > 0).count().min(MOST_GROUPS) as u32;
    let mut ranks = vec![0; kinds.len()];
    let dealt = kind.into_iter().map(|kind| {
        ranks[kind] += 1;
        (ranks[kind] - 1) % count.max(1)
    });
    (dealt.collect(), count)
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
        let (groups, count) = groups(counters);
        // Counters that are read together have their samples at the same times.
        let alike = |of: usize| (0..of).find(|other| counters[of].is_read_with(&counters[*other]));
        let alike = fit::abreast(counters.len(), alike);
        let own = |of: usize| alike[of].is_none().then(|| counters[of].by_time());
        let orders = fit::abreast(counters.len(), own);
        let of_counter = |of: usize| {
            let order = orders[of].as_ref().or(alike[of].and_then(|first| orders[first].as_ref()));
            Self::of(&counters[of], order.map_or(&[], Vec::as_slice), &groups)
        };
        (fit::abreast(counters.len(), of_counter), count)
    }

    /// Those that are used, by time, which is `order`; by share where times are equal, so that sums do
    /// not depend on the order of instances.
    fn of(measured: &Measured<'_>, order: &[u32], groups: &[u32]) -> Self {
        let ordered = order.iter().map(|at| measured.folded.samples[*at as usize]);
        let mut samples = ordered.collect::<Vec<_>>();
        for together in samples.chunk_by_mut(|a, b| a.x == b.x).filter(|run| run.len() > 1) {
            order::by_number(together, |sample| order::of_float(sample.y));
        }
        Self {
            x: samples.iter().map(|sample| sample.x).collect(),
            y: samples.iter().map(|sample| sample.y).collect(),
            instance: samples.iter().map(|sample| sample.instance).collect(),
            group: samples.iter().map(|sample| groups[sample.instance as usize]).collect(),
            rounding: measured.rounding(),
        }
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
