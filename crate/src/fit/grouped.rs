use std::sync::Arc;

use super::mesh::{CELLS, Mesh};
use super::statistics::Statistics;

/// [`Statistics`] of samples in groups that err independently of one another: of whole instances,
/// because the samples of one instance err together.
///
/// What a fit without one group makes of that group is how well it predicts, and how fits without
/// each group differ is how sure it is.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupedStatistics {
    groups: Vec<Statistics>,
}

impl GroupedStatistics {
    /// So many groups that more of them would not tell more.
    pub const ENOUGH: usize = 20;

    /// Of no samples, with `groups` groups (at least one) on [`CELLS`] equal cells.
    pub fn new(groups: usize) -> Self {
        Self::on(&Arc::new(Mesh::even(CELLS)), groups)
    }

    pub fn on(mesh: &Arc<Mesh>, groups: usize) -> Self {
        Self { groups: vec![Statistics::new(mesh); groups.max(1)] }
    }

    /// Takes a sample of an instance in. Instances are dealt in turn: give their numbers, counted
    /// among those that carry the counter.
    pub fn add(&mut self, instance: usize, x: f64, y: f64) {
        let group = instance % self.groups.len();
        self.groups[group].add(x, y);
    }

    /// The same of a sample that counts for more or less than others.
    pub fn add_weighted(&mut self, instance: usize, x: f64, y: f64, weight: f64) {
        let group = instance % self.groups.len();
        self.groups[group].add_weighted(x, y, weight);
    }

    /// The same samples in fewer groups: group `g` becomes a part of `g % groups`, as if the
    /// instances had been dealt to so many, where `groups` divides the number of groups.
    pub fn regrouped(&self, groups: usize) -> Self {
        let mut fewer = Self::on(&self.groups[0].mesh, groups);
        let count = fewer.groups.len();
        for (number, group) in self.groups.iter().enumerate() {
            fewer.groups[number % count].merge(group);
        }
        fewer
    }

    /// All samples together.
    pub fn total(&self) -> Statistics {
        let mut total = Statistics::new(&self.groups[0].mesh);
        self.groups.iter().for_each(|group| total.merge(group));
        total
    }

    pub(super) fn mesh(&self) -> Arc<Mesh> {
        Arc::clone(&self.groups[0].mesh)
    }

    /// The groups that have samples.
    pub(super) fn into_groups(mut self) -> Vec<Statistics> {
        self.groups.retain(|group| group.count() > 0.0);
        self.groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_dealt_in_turn_and_merged_groups_are_dealt_to_fewer() {
        let deal = |groups: usize| {
            let mut sums = GroupedStatistics::on(&Arc::new(Mesh::even(8)), groups);
            (0..40).for_each(|i| sums.add(i, i as f64 / 64.0, i as f64 / 128.0));
            sums
        };
        let (many, few) = (deal(20), deal(10));
        assert!(many.groups.iter().all(|group| group.count() == 2.0));
        let merged = many.regrouped(10);
        for (merged, dealt) in merged.groups.iter().zip(&few.groups) {
            assert_eq!(merged.count(), 4.0);
            assert!((merged.squares - dealt.squares).abs() < 1e-15);
        }
        assert_eq!(many.total().count(), 40.0);
    }

    #[test]
    fn groups_without_samples_are_none() {
        let mut sums = GroupedStatistics::new(20);
        (0..3).for_each(|instance| sums.add(instance, 0.5, 0.5));
        assert_eq!(sums.into_groups().len(), 3);
    }
}
