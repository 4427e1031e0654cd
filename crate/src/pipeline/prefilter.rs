use super::{READINGS_AT_ONCE, stages};
use crate::instance::{self, Axis, Fate, Group, Instance, Outliers, Sets};
use crate::performance;
use crate::settings::Settings;
use crate::trace::Trace;

/// Where no instance is left out for its duration: the reference's.
const DEVIATIONS: f64 = 2.0;

/// What is folded.
pub struct Over<'a> {
    pub trace: &'a Trace,
    pub sets: &'a Sets,
    pub axis: &'a Axis,
    /// Those of all groups.
    pub instances: &'a [Instance],
}

/// Marks the instances of `groups` whose samples of any counter lie unlike those of the others.
pub fn prefilter(
    over: &Over<'_>,
    groups: &mut [Group],
    one_in: &[usize],
    counters: &[u32],
    settings: &Settings,
) {
    let Over { trace, sets, axis, instances } = *over;
    let k = match settings.outliers {
        Outliers::None => DEVIATIONS,
        Outliers::Mean(k) | Outliers::Median(k) | Outliers::LogMad(k) => k,
    };
    let grid = performance::grid(settings.points);
    let mut left_out = vec![vec![]; groups.len()];
    for counters in counters.chunks((READINGS_AT_ONCE / instances.len().max(1)).max(1)) {
        let readings = stages::readings_of(trace, counters, instances);
        for ((group, one_in), left_out) in groups.iter().zip(one_in).zip(&mut left_out) {
            for &counter in counters {
                let folded =
                    instance::fold_counter(trace, &readings, sets, group, axis, *one_in, counter);
                left_out.extend(performance::prefilter(
                    &folded,
                    settings.nugget,
                    settings.ends,
                    &grid,
                    k,
                ));
            }
        }
    }
    for (group, left_out) in groups.iter_mut().zip(left_out) {
        for index in left_out {
            group.instances[index as usize].1 = Fate::Prefiltered;
        }
    }
}
