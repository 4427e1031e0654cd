//! The folded instance of one counter.

use super::line::Line;
use super::reading::{Sets, readings_inside};
use super::{Counting, Giving, Group, Instance, Readings, Rulers};
use crate::folding::{Fate, FoldedCounter, FoldedSample};
use crate::order;
use crate::trace::Trace;

/// Folds `counter` over the instances of `group` along `rulers`. `readings` has one entry per thread; those that
/// are `giving` give their samples.
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
    giving: &Giving,
    counter: u32,
) -> FoldedCounter {
    let mut folded = FoldedCounter::default();
    let with_counter = trace.shapes_with(|event_type, _| event_type == counter);
    let mut lines = Lines { trace, with_counter: &with_counter, counter, of_thread: vec![] };
    for (at, (instance, fate)) in group.instances.iter().enumerate() {
        let kept = *fate == Fate::Used;
        let readings = &readings[instance.thread as usize];
        let counted = match instance.counting {
            Counting::Unknown => lines.inside(instance),
            _ => readings.total(sets, counter, instance.inside()).map(|total| (total, vec![])),
        };
        let Some((total, inside)) = counted else {
            folded.absurd += u32::from(readings.is_absurd(counter, instance.inside()));
            continue;
        };
        folded.counted.push(total);
        if kept {
            folded.instances += 1;
            folded.total += total as f64;
            folded.length += rulers.length(instance);
            folded.carried.push((at as u32, total));
        }
        if total == 0 || !giving.has(at) {
            continue;
        }
        let ruler = rulers.ruler(trace, instance);
        let before = folded.samples.len();
        let mut add = |time_ns: u64, count: f64| {
            let y = count / total as f64;
            let place = ruler.place(time_ns);
            let sample = place.map(|x| FoldedSample { instance: at as u32, x, y, kept });
            folded.samples.extend(sample);
        };
        match instance.counting {
            Counting::Unknown => inside.into_iter().for_each(|(ns, count)| add(ns, count)),
            _ => readings_inside(trace, instance, &with_counter, counter)
                .for_each(|(ns, count)| add(ns, count as f64)),
        }
        if kept && folded.samples.len() > before {
            folded.totals.push(total as f64);
        }
    }
    folded
}

/// What each of `instances` counted, as [`fold_counter`] counts it; `None` where that is not known.
pub fn totals(
    trace: &Trace,
    readings: &[Readings],
    sets: &Sets,
    instances: &[Instance],
    counter: u32,
) -> Vec<Option<u64>> {
    let with_counter = trace.shapes_with(|event_type, _| event_type == counter);
    let mut lines = Lines { trace, with_counter: &with_counter, counter, of_thread: vec![] };
    let total = |instance: &Instance| match instance.counting {
        Counting::Unknown => lines.inside(instance).map(|(total, _)| total),
        _ => readings[instance.thread as usize].total(sets, counter, instance.inside()),
    };
    instances.iter().map(total).collect()
}

/// The lines through the readings of a counter, of the threads that were asked for.
struct Lines<'a> {
    trace: &'a Trace,
    with_counter: &'a [bool],
    counter: u32,
    of_thread: Vec<(u32, Option<Line>)>,
}

impl Lines<'_> {
    /// See [`Line::inside`].
    fn inside(&mut self, instance: &Instance) -> Option<(u64, Vec<(u64, f64)>)> {
        let &mut Self { trace, with_counter, counter, .. } = self;
        let line = order::entry(&mut self.of_thread, instance.thread);
        let of = || Line::of(trace, instance.thread, with_counter, counter);
        line.get_or_insert_with(of).inside(instance)
    }
}
