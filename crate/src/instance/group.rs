//! Instances with like durations, and which of them are folded.

use super::{Eps, Grouping, Instance, Outliers, samples_inside};
use crate::fit;
use crate::folding::Fate;
use crate::order;
use crate::trace::Trace;

/// Instances with like durations.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// From 1, by increasing duration.
    pub number: u32,
    /// Each instance with what becomes of it; in the order given.
    pub instances: Vec<(Instance, Fate)>,
    /// The shortest and the longest duration that `outliers` lets pass, in nanoseconds; the shortest
    /// may be below 0. `None` if every one may.
    pub limits_ns: Option<[f64; 2]>,
}

impl Group {
    pub fn kept(&self) -> impl Iterator<Item = &Instance> {
        let kept = self.instances.iter().filter(|(_, fate)| *fate == Fate::Used);
        kept.map(|(instance, _)| instance)
    }
}

/// More samples than this are not placed in one folded instance unless asked for: half a million
/// show all there is to see, and a trace of gigabytes has twenty.
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
/// Source: Folding user guide, §3.2; Servat 2015, §4.2 (outliers).
pub fn group(instances: &[Instance], by: Grouping, outliers: Outliers) -> (Vec<Group>, usize) {
    let numbers = group_numbers(instances, by);
    let count = numbers.iter().copied().max().unwrap_or(0);
    let of = |number: u32| {
        let members = instances.iter().zip(&numbers).filter(|(_, n)| **n == number);
        let members = members.map(|(instance, _)| *instance).collect::<Vec<_>>();
        let durations = members.iter().map(|i| i.duration_ns as f64).collect::<Vec<_>>();
        let (fates, limits_ns) = fates(&durations, outliers);
        Group { number, instances: members.into_iter().zip(fates).collect(), limits_ns }
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

/// DBSCAN on durations scaled to 0..1. If all are equal they are one group; with an Eps of 0 only
/// equal ones are neighbours.
fn by_density(durations: &[u64], min_points: usize, eps: Eps) -> Vec<u32> {
    let (Some(&least), Some(&most)) = (durations.first(), durations.last()) else { return vec![] };
    if least == most {
        return vec![1; durations.len()];
    }
    let range = (most - least) as f64;
    let scaled = durations.iter().map(|&d| (d - least) as f64 / range).collect::<Vec<_>>();
    let eps = match eps {
        Eps::Auto => fit::automatic_eps(&scaled, min_points),
        Eps::Fixed(eps) => eps,
    };
    fit::dbscan(&scaled, min_points, eps)
}

/// A standard deviation over the median absolute deviation, if values are normal.
const DEVIATION_PER_MAD: f64 = 1.4826;

/// What becomes of instances that last so many nanoseconds, and between which limits they are used.
fn fates(durations: &[f64], outliers: Outliers) -> (Vec<Fate>, Option<[f64; 2]>) {
    let as_they_are = || durations.to_vec();
    let (values, middle_and_reach) = match outliers {
        Outliers::None => (as_they_are(), None),
        Outliers::Mean(k) => {
            (as_they_are(), fit::mean_and_deviation(durations).map(|(m, d)| (m, k * d)))
        }
        Outliers::Median(k) => {
            (as_they_are(), fit::median_and_mad(durations).map(|(m, d)| (m, k * d)))
        }
        Outliers::LogMad(k) => {
            let logs = durations.iter().map(|ns| libm::log(*ns)).collect::<Vec<_>>();
            let found = fit::median_and_mad(&logs).map(|(m, d)| (m, k * DEVIATION_PER_MAD * d));
            (logs, found)
        }
    };
    let Some((middle, reach)) = middle_and_reach else {
        return (vec![Fate::Used; durations.len()], None);
    };
    let limits = [middle - reach, middle + reach];
    let fate = |value: &f64| match limits[0] <= *value && *value <= limits[1] {
        true => Fate::Used,
        false => Fate::Outlier,
    };
    let limits_ns = match outliers {
        // A duration of more than 2^64 ns there is none of: that no limit is infinite.
        Outliers::LogMad(_) => limits.map(|log| libm::exp(log).min(u64::MAX as f64)),
        _ => limits,
    };
    (values.iter().map(fate).collect(), Some(limits_ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lasting(durations: &[u64]) -> Vec<Instance> {
        let instance = |(number, &duration_ns)| Instance {
            thread: 0,
            first: 0,
            last: 1,
            number,
            start_ns: 0,
            duration_ns,
        };
        (1..).zip(durations).map(instance).collect()
    }

    fn check(durations: &[u64], by: &str, outliers: &str, expected: &[&[(u64, bool)]]) {
        let (by, outliers) = (by.parse().unwrap(), outliers.parse().unwrap());
        let (groups, _) = group(&lasting(durations), by, outliers);
        let shown =
            |(instance, fate): &(Instance, Fate)| (instance.duration_ns, *fate == Fate::Used);
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
    fn logarithms_of_durations_have_limits_of_their_own() {
        // Logarithms 0, 1, 2, 3, 4, 10 of base 10: their median is 3, their deviation 2.
        let durations = [1, 10, 100, 1000, 10_000, 10_000_000_000];
        let (groups, _) = group(&lasting(&durations), Grouping::None, Outliers::LogMad(1.0));
        let fates = groups[0].instances.iter().map(|(_, fate)| *fate).collect::<Vec<_>>();
        assert_eq!(fates[1..5], [Fate::Used; 4]);
        assert_eq!((fates[0], fates[5]), (Fate::Outlier, Fate::Outlier));
        let [shortest, longest] = groups[0].limits_ns.unwrap();
        let [low, high] = [3.0 - 2.9652, 3.0 + 2.9652].map(|power| libm::pow(10.0, power));
        assert!((shortest / low - 1.0).abs() < 1e-12 && (longest / high - 1.0).abs() < 1e-12);
        check(&[5, 5, 6, 5], "none", "logmad:2", &[&[(5, true), (5, true), (6, false), (5, true)]]);
    }

    #[test]
    fn a_group_tells_its_limits() {
        let limits =
            |outliers| group(&lasting(&[1, 2, 4]), Grouping::None, outliers).0[0].limits_ns;
        assert_eq!(limits(Outliers::None), None);
        assert_eq!(limits(Outliers::Median(1.5)), Some([2.0 - 1.5, 2.0 + 1.5]));
    }

    #[test]
    fn noise_is_in_no_group() {
        let of = |durations: &[u64], by: &str| {
            let by = by.parse().unwrap();
            let (groups, noise) = group(&lasting(durations), by, Outliers::None);
            (groups.len(), noise)
        };
        assert_eq!(of(&[10, 11, 12, 500, 1000], "dbscan:3:0.01"), (1, 2));
        assert_eq!(of(&[10, 11, 12, 500, 1000], "dbscan:3:auto"), (1, 2));
        assert_eq!(of(&[10, 10, 10, 11, 500], "dbscan:3:0"), (1, 2));
        assert_eq!(of(&[10, 11, 12], "dbscan:2:0"), (0, 3));
        assert_eq!(of(&[10, 10], "dbscan:3:0"), (1, 0));
    }
}
