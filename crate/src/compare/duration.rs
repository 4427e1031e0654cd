//! How sure the mean duration of a group is.

use crate::fit;
use crate::folding::{Fate, Group, InstanceRow};
use crate::order;

use super::run::GROUPS;

/// Fewer instances tell no error.
const FEWEST: usize = 4;

/// Of more instances so many are looked at, evenly: the error is larger for it, but below a fiftieth of their
/// standard deviation.
const MOST: usize = 4000;

/// The standard error in ns of the mean duration of those that are kept, limits of outliers found anew in each
/// replicate of the jackknife: that of a mean of what limits leave covers 59 to 65 %, as they cut the
/// distribution itself (comparison of foldings, §1a). The limits are so many median deviations from the median as
/// those of the group. `None` where instances are not told, as in a link, or are fewer than four.
pub fn duration_error_ns(group: &Group) -> Option<f64> {
    let is_of_group = |row: &&InstanceRow| matches!(row.fate, Fate::Used | Fate::Outlier);
    let mut rows = group.rows.iter().filter(is_of_group).collect::<Vec<_>>();
    if rows.len() < FEWEST {
        return None;
    }
    order::by_number(&mut rows, |row| row.start_ns);
    let step = rows.len().div_ceil(MOST);
    let durations = rows.iter().step_by(step).map(|row| row.duration_ns as f64).collect::<Vec<_>>();
    let reach = group.limits_ns.and_then(|[least, most]| {
        let (median, deviation) = fit::median_and_mad(&durations)?;
        (deviation > 0.0).then(|| [(median - least) / deviation, (most - median) / deviation])
    });
    fit::standard_error(&durations, GROUPS as usize, |durations| mean_within(durations, reach))
}

/// The mean of those at most so many median deviations below and above the median.
fn mean_within(durations: &[f64], reach: Option<[f64; 2]>) -> f64 {
    let limits = reach.zip(fit::median_and_mad(durations));
    let limits = limits.map(|([below, above], (median, deviation))| {
        median - below * deviation..=median + above * deviation
    });
    let kept =
        durations.iter().filter(|of| limits.as_ref().is_none_or(|limits| limits.contains(of)));
    let (sum, count) = kept.fold((0.0, 0.0), |(sum, count), of| (sum + of, count + 1.0));
    if count > 0.0 { sum / count } else { durations.iter().sum::<f64>() / durations.len() as f64 }
}
