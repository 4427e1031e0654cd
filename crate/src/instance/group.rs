//! Instances with like durations, and which of them are folded.

use super::{Grouping, Instance, Outliers, samples_inside};
use crate::fit;
use crate::order;
use crate::trace::Trace;

/// Instances with like durations.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// From 1, by increasing duration.
    pub number: u32,
    /// Each instance with whether it is kept, or left out as an outlier; in the order given.
    pub instances: Vec<(Instance, bool)>,
}

impl Group {
    pub fn kept(&self) -> impl Iterator<Item = &Instance> {
        self.instances.iter().filter(|(_, kept)| *kept).map(|(instance, _)| instance)
    }
}

/// More samples than this are not placed in one folded instance: half a million show all there is
/// to see, and a trace of gigabytes has twenty.
pub const MOST_SAMPLES: u64 = 1 << 19;

/// One in how many instances of `group` gives its samples, so that there are no more than `most`;
/// for totals all of them count. 1 unless there are very many samples.
pub fn one_in(trace: &Trace, group: &Group, most: u64) -> usize {
    let between = |i: &Instance| u64::from(i.last - i.first);
    let all = || group.instances.iter().map(|(instance, _)| instance);
    // No more samples than moments: most traces are judged without a look at them.
    let samples = match all().map(between).sum::<u64>() {
        moments if moments <= most => moments,
        _ => all().map(|instance| samples_inside(trace, instance)).sum(),
    };
    samples.div_ceil(most).max(1) as usize
}

/// Groups `instances` by duration and marks the outliers of each group.
///
/// What DBSCAN calls noise is no group and is left out: the second value counts it.
///
/// Source: Servat 2015, §4.2.
pub fn group(instances: &[Instance], by: Grouping, outliers: Outliers) -> (Vec<Group>, usize) {
    let numbers = group_numbers(instances, by);
    let count = numbers.iter().copied().max().unwrap_or(0);
    let of = |number: u32| {
        let members = instances.iter().zip(&numbers).filter(|(_, n)| **n == number);
        let members = members.map(|(instance, _)| *instance).collect::<Vec<_>>();
        let durations = members.iter().map(|i| i.duration_ns as f64).collect::<Vec<_>>();
        let kept = kept(&durations, outliers);
        Group { number, instances: members.into_iter().zip(kept).collect() }
    };
    let groups = (1..=count).map(of).collect();
    (groups, numbers.iter().filter(|number| **number == 0).count())
}

/// For each instance the number of its group, from 1; 0 for noise.
fn group_numbers(instances: &[Instance], by: Grouping) -> Vec<u32> {
    let order = order::indices(instances.iter().map(|instance| instance.duration_ns));
    let durations = order.iter().map(|&index| instances[index as usize].duration_ns);
    let durations = durations.collect::<Vec<_>>();
    let sorted = match by {
        Grouping::None => vec![1; durations.len()],
        Grouping::Auto => fit::gaps(&durations).into_iter().map(|cluster| cluster + 1).collect(),
        Grouping::Dbscan { min_points, eps } => by_density(&durations, min_points as usize, eps),
    };
    let mut numbers = vec![0; instances.len()];
    for (index, number) in order.into_iter().zip(sorted) {
        numbers[index as usize] = number;
    }
    numbers
}

/// DBSCAN on durations scaled to 0..1; all alike are one group.
fn by_density(durations: &[u64], min_points: usize, eps: f64) -> Vec<u32> {
    let (Some(&least), Some(&most)) = (durations.first(), durations.last()) else { return vec![] };
    if least == most {
        return vec![1; durations.len()];
    }
    let range = (most - least) as f64;
    let scaled = durations.iter().map(|&d| (d - least) as f64 / range).collect::<Vec<_>>();
    fit::dbscan(&scaled, min_points, eps)
}

fn kept(durations: &[f64], outliers: Outliers) -> Vec<bool> {
    let limits = match outliers {
        Outliers::None => None,
        Outliers::Mean(k) => fit::mean_and_deviation(durations).map(|(m, d)| (m, k * d)),
        Outliers::Median(k) => fit::median_and_mad(durations).map(|(m, d)| (m, k * d)),
    };
    let within =
        |d: &f64| limits.is_none_or(|(middle, reach)| middle - reach <= *d && *d <= middle + reach);
    durations.iter().map(within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lasting(durations: &[u64]) -> Vec<Instance> {
        let instance =
            |&duration_ns| Instance { thread: 0, first: 0, last: 1, start_ns: 0, duration_ns };
        durations.iter().map(instance).collect()
    }

    fn check(durations: &[u64], by: &str, outliers: &str, expected: &[&[(u64, bool)]]) {
        let (by, outliers) = (by.parse().unwrap(), outliers.parse().unwrap());
        let (groups, _) = group(&lasting(durations), by, outliers);
        let shown = |(instance, kept): &(Instance, bool)| (instance.duration_ns, *kept);
        let found = groups.iter().map(|g| g.instances.iter().map(shown).collect::<Vec<_>>());
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn outliers_are_found_inside_each_group() {
        let durations = [100, 101, 102, 103, 130, 900, 901, 902, 903, 990];
        check(
            &durations,
            "auto",
            "median:5",
            &[
                &[(100, true), (101, true), (102, true), (103, true), (130, false)],
                &[(900, true), (901, true), (902, true), (903, true), (990, false)],
            ],
        );
    }

    #[test]
    fn limits_are_inclusive() {
        check(&[1, 2, 3], "none", "median:1", &[&[(1, true), (2, true), (3, true)]]);
        check(&[1, 2, 3], "none", "mean:1", &[&[(1, true), (2, true), (3, true)]]);
        check(&[5, 5, 6], "none", "median:1.5", &[&[(5, true), (5, true), (6, false)]]);
    }

    #[test]
    fn noise_is_in_no_group() {
        let (groups, noise) = group(
            &lasting(&[10, 11, 12, 500, 1000]),
            Grouping::Dbscan { min_points: 3, eps: 0.01 },
            Outliers::None,
        );
        assert_eq!((groups.len(), noise), (1, 2));
    }
}
