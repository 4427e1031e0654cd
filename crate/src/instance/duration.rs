//! How sure the mean duration of a group is.

use super::group::Group;
use crate::fit;
use crate::folding::Fate;
use crate::order;

/// Groups of instances that the jackknife leaves out in turn, as that of curves
/// ([`fit::GroupedStatistics::ENOUGH`]).
const GROUPS: usize = fit::GroupedStatistics::ENOUGH;

/// Fewer instances tell no error.
const FEWEST: usize = 4;

/// Of more instances so many are looked at, evenly: the error is larger for it, but below a fiftieth of their
/// standard deviation.
const MOST: usize = 4000;

/// The half width in ns of the 95 % interval of the mean duration of those that are kept, limits of outliers
/// found anew in each replicate of the jackknife: that of a mean of what limits leave covers 59 to 65 %, as they
/// cut the distribution itself (comparison of foldings, §1a). The limits are so many median deviations from the
/// median as those of the group. `None` of fewer than four instances.
pub fn duration_half_width_ns(group: &Group) -> Option<f64> {
    let is_of_group = |fate: Fate| matches!(fate, Fate::Used | Fate::Outlier);
    let of_group = group.instances.iter().filter(|(_, fate)| is_of_group(*fate));
    let mut all = of_group.map(|(instance, _)| instance).collect::<Vec<_>>();
    if all.len() < FEWEST {
        return None;
    }
    order::by_number(&mut all, |instance| instance.start_ns);
    let step = all.len().div_ceil(MOST);
    let durations = all.iter().step_by(step).map(|of| of.duration_ns as f64).collect::<Vec<_>>();
    let reach = group.limits_ns.and_then(|[least, most]| {
        let (median, deviation) = fit::median_and_mad(&durations)?;
        (deviation > 0.0).then(|| [(median - least) / deviation, (most - median) / deviation])
    });
    let error = fit::standard_error(&durations, GROUPS, |durations| mean_within(durations, reach));
    let degrees = group.kept().count().clamp(2, GROUPS) - 1;
    error.map(|error| error * fit::student_quantile(degrees)).filter(|half| half.is_finite())
}

/// The mean of those at most so many median deviations below and above the median.
fn mean_within(durations: &[f64], reach: Option<[f64; 2]>) -> f64 {
    let mean = |[least, most]: [f64; 2]| {
        let (mut sum, mut count) = (0.0, 0.0);
        for of in durations.iter().filter(|of| least <= **of && **of <= most) {
            (sum, count) = (sum + of, count + 1.0);
        }
        sum / count
    };
    match reach.zip(fit::median_and_mad(durations)) {
        // The median itself is between them.
        Some(([below, above], (median, deviation))) => {
            mean([median - below * deviation, median + above * deviation])
        }
        None => mean([f64::NEG_INFINITY, f64::INFINITY]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Counting, Instance};

    /// A group of instances one after the other; those beyond the limits are outliers.
    fn group(durations_ns: impl Iterator<Item = u64>, limits_ns: Option<[f64; 2]>) -> Group {
        let mut start_ns = 0;
        let instances = durations_ns.map(|duration_ns| {
            start_ns += duration_ns;
            let (start_ns, counting) = (start_ns - duration_ns, Counting::Every);
            let instance = Instance {
                thread: 0,
                first: 0,
                last: 0,
                number: 1,
                start_ns,
                duration_ns,
                counting,
            };
            let is_beyond = |[least, most]: [f64; 2]| {
                (duration_ns as f64) < least || (duration_ns as f64) > most
            };
            let fate = if limits_ns.is_some_and(is_beyond) { Fate::Outlier } else { Fate::Used };
            (instance, fate)
        });
        let instances = instances.collect();
        Group { number: 1, modes: 1, median_ns: 1000, instances, limits_ns }
    }

    /// Evenly from 800 to 1200, in the order of Marsaglia's xorshift.
    fn even(count: u64) -> impl Iterator<Item = u64> {
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        (0..count).map(move |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            800 + state % 401
        })
    }

    #[test]
    fn of_all_it_is_about_that_of_a_mean() {
        let half_width = duration_half_width_ns(&group(even(200), None)).unwrap();
        // Of an even spread of 400 the deviation is 400/√12; 19 degrees of freedom.
        let textbook = 2.093 * 400.0 / 12_f64.sqrt() / 200_f64.sqrt();
        assert!((0.7..1.6).contains(&(half_width / textbook)), "{half_width} for {textbook}");
    }

    #[test]
    fn limits_are_a_part_of_it_as_they_are_of_the_mean() {
        // Half of an even spread is cut: the mean of what is left depends on where it is.
        let limits = Some([900.0, 1100.0]);
        let half_width = duration_half_width_ns(&group(even(200), limits)).unwrap();
        let of_the_rest = 2.093 * 200.0 / 12_f64.sqrt() / 100_f64.sqrt();
        assert!(half_width > 1.3 * of_the_rest, "{half_width} for {of_the_rest}");
    }

    #[test]
    fn drift_over_the_run_makes_it_wider() {
        let drifting = duration_half_width_ns(&group((0..200).map(|at| 800 + 2 * at), None));
        let mixed = duration_half_width_ns(&group(even(200), None));
        assert!(drifting.unwrap() > 3.0 * mixed.unwrap(), "{drifting:?} {mixed:?}");
    }

    #[test]
    fn three_instances_tell_none() {
        assert_eq!(duration_half_width_ns(&group(even(3), None)), None);
        assert!(duration_half_width_ns(&group(even(4), None)).is_some());
    }
}
