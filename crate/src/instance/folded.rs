//! The folded instance of one counter.

use super::reading::{Sets, readings_inside};
use super::{Group, Instance, Readings, Rulers};
use crate::folding::Fate;
use crate::trace::Trace;

/// The samples of one counter in all instances of a group, placed in one synthetic instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldedCounter {
    /// By instance in the order of the trace, then time.
    pub samples: Vec<FoldedSample>,
    /// Kept instances that carry the counter throughout.
    pub instances: u32,
    /// Events in them.
    pub total: f64,
    /// How long they are together: in microseconds, or in events of the counter of the axis.
    pub length: f64,
    /// Events in each of those that give samples.
    pub totals: Vec<f64>,
    /// Instances refused because a reading in them is no count.
    pub absurd: u32,
}

impl FoldedCounter {
    /// Events per microsecond, or per event of the counter of the axis.
    pub fn mean_rate(&self) -> f64 {
        self.total / self.length
    }
}

/// One sample: the share of the instance's time and of its events that had passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldedSample {
    /// Index into [`Group::instances`].
    pub instance: u32,
    /// Folded time, 0 to 1.
    pub x: f64,
    /// Share of the instance's events, 0 to 1.
    pub y: f64,
    /// Whether the instance is kept, not left out as an outlier.
    pub kept: bool,
}

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
