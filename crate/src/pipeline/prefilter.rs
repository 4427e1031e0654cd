use super::counted::Grouped;
use super::measured::each_counter;
use crate::folding::Fate;
use crate::instance::Outliers;
use crate::performance;
use crate::settings::Settings;
use crate::trace::Trace;

/// Where no instance is left out for its duration: the reference's.
const DEVIATIONS: f64 = 2.0;

/// Marks the instances of the groups whose samples of any counter lie unlike those of the others.
pub fn prefilter(trace: &Trace, grouped: &mut Grouped, counters: &[u32], settings: &Settings) {
    let k = match settings.outliers {
        Outliers::None | Outliers::Factor(_) => DEVIATIONS,
        Outliers::Mean(k) | Outliers::Median(k) | Outliers::LogMad(k) => k,
    };
    let grid = performance::grid(settings.points);
    let mut left_out = vec![vec![]; grouped.groups.len()];
    each_counter(trace, grouped, counters, |place, _, folded| {
        let (nugget, ends) = (settings.nugget, settings.ends);
        left_out[place].extend(performance::prefilter(&folded, nugget, ends, &grid, k));
    });
    for (group, left_out) in grouped.groups.iter_mut().zip(left_out) {
        for index in left_out {
            group.instances[index as usize].1 = Fate::Prefiltered;
        }
    }
}
