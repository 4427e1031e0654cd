//! The folded instance of one counter.

use super::reading::{Sets, readings_inside};
use super::{Group, Instance, Readings, Rulers};
use crate::folding::{Fate, FoldedCounter, FoldedSample};
use crate::trace::Trace;

/// Folds `counter` over the instances of `group` along `rulers`. `readings` has one entry per thread; one in
/// `one_in` instances gives its samples.
///
/// Instances in which the counter stayed at zero say nothing about its shape: they count for the
/// totals and give no samples.
///
/// Source: Servat 2015, §4.2 (normalised time) and §4.3 (normalised counts).
pub fn fold_counter(
    trace: &Trace,
    readings: &[Readings],
    sets: &Sets,
    group: &Group,
    rulers: &Rulers,
    one_in: usize,
    counter: u32,
) -> FoldedCounter {
    let mut folded = FoldedCounter::default();
    let with_counter = trace.shapes_with(|event_type, _| event_type == counter);
    for (at, (instance, fate)) in group.instances.iter().enumerate() {
        let Instance { thread, first, last, .. } = *instance;
        let kept = *fate == Fate::Used;
        let on_thread = &trace.threads[thread as usize];
        let readings = &readings[thread as usize];
        let Some(total) = readings.total(sets, counter, first, last) else {
            folded.absurd += u32::from(readings.is_absurd(counter, first, last));
            continue;
        };
        folded.counted.push(total);
        if kept {
            folded.instances += 1;
            folded.total += total as f64;
            folded.length += rulers.length(instance);
        }
        if total == 0 || !at.is_multiple_of(one_in) {
            continue;
        }
        let ruler = rulers.ruler(trace, instance);
        let before = folded.samples.len();
        for (time_ns, count) in
            readings_inside(trace, on_thread, &with_counter, counter, first, last)
        {
            let Some(x) = ruler.place(time_ns) else { continue };
            let y = count as f64 / total as f64;
            folded.samples.push(FoldedSample { instance: at as u32, x, y, kept });
        }
        if kept && folded.samples.len() > before {
            folded.totals.push(total as f64);
        }
    }
    folded
}
