//! What the samples of an instance are placed by: time, or the events of a counter.
//!
//! Along a counter an instance's begin and end are 0 and 1, and a moment lies at the share of its
//! events that had happened, read there or on the straight line between the readings beside it;
//! code lines too. Instances that do not carry the counter, or in which it counts nothing, are none
//! of that folding. Rates are Σ totals / Σ totals of that counter.

use super::reading::{Sets, readings_inside};
use super::{Giving, Group, Instance, Readings};
use crate::folding::{Axis, Fate, FoldedCounter, FoldedSample};
use crate::order;
use crate::trace::Trace;

/// The rulers of all instances: along time, or along the events of a counter.
#[derive(Default)]
pub struct Rulers(Option<Along>);

/// A counter that takes the place of time.
struct Along {
    /// Index into [`Trace::types`].
    counter: u32,
    /// Shapes of moments that read it.
    with_counter: Vec<bool>,
    /// Events in each instance, by its number.
    totals: Vec<(u32, u64)>,
}

/// Where moments of one instance lie in it.
pub enum Ruler {
    Time {
        start_ns: u64,
        duration_ns: u64,
    },
    /// Nanoseconds and the events that had happened then, rising; from its begin to its end.
    Events(Vec<(u64, u64)>),
}

impl Rulers {
    /// The events of `counter`, with `readings` of it by thread. Of `instances` those are left that
    /// carry it throughout and in which it counts at all: in others it tells no place.
    pub fn along(
        trace: &Trace,
        counter: u32,
        readings: &[Readings],
        sets: &Sets,
        instances: &mut Vec<Instance>,
    ) -> Self {
        let mut totals = Vec::with_capacity(instances.len());
        instances.retain(|instance| {
            let total = readings[instance.thread as usize].total(sets, counter, instance.inside());
            totals.extend(total.filter(|total| *total > 0).map(|total| (instance.number, total)));
            total.is_some_and(|total| total > 0)
        });
        order::by_number(&mut totals, |(number, _)| u64::from(*number));
        let with_counter = trace.shapes_with(|event_type, _| event_type == counter);
        Self(Some(Along { counter, with_counter, totals }))
    }

    /// The counter that takes the place of time.
    pub fn counter(&self) -> Option<u32> {
        self.0.as_ref().map(|along| along.counter)
    }

    /// What these rulers measure, with the length of a mean one of `kept`.
    pub fn axis(&self, trace: &Trace, kept: &[&Instance]) -> Axis {
        let Some(counter) = self.counter() else { return Axis::Time };
        let total = kept.iter().map(|instance| self.length(instance)).sum::<f64>();
        let name = trace.types[counter as usize].name.clone();
        Axis::Counter { name, total: total / kept.len().max(1) as f64 }
    }

    /// How long an instance is: in microseconds, or in events of the counter.
    pub fn length(&self, instance: &Instance) -> f64 {
        match &self.0 {
            None => instance.duration_ns as f64 / 1e3,
            Some(along) => along.total(instance) as f64,
        }
    }

    /// Where moments of `instance` lie. O(its moments) along a counter.
    pub fn ruler(&self, trace: &Trace, instance: &Instance) -> Ruler {
        let Instance { start_ns, duration_ns, .. } = *instance;
        let Some(along) = &self.0 else { return Ruler::Time { start_ns, duration_ns } };
        let total = along.total(instance);
        let mut marks = vec![(start_ns, 0)];
        let inside = readings_inside(trace, instance, &along.with_counter, along.counter);
        marks.extend(inside.map(|(time_ns, count)| (time_ns, count.min(total))));
        marks.push((start_ns + duration_ns, total));
        Ruler::Events(marks)
    }
}

impl Along {
    fn total(&self, instance: &Instance) -> u64 {
        order::get(&self.totals, &instance.number).copied().unwrap_or(0)
    }
}

impl Ruler {
    /// The share of the instance that had passed at `time_ns`, 0 to 1: between two readings of the
    /// counter by a straight line. `None` outside of the instance.
    pub fn place(&self, time_ns: u64) -> Option<f64> {
        match self {
            Self::Time { start_ns, duration_ns } => {
                let passed = time_ns.checked_sub(*start_ns).filter(|ns| ns <= duration_ns)?;
                Some(passed as f64 / *duration_ns as f64)
            }
            Self::Events(marks) => {
                let &(_, total) = marks.last()?;
                Some(passed(marks, time_ns)? / total as f64)
            }
        }
    }
}

impl Ruler {
    /// Where the axis was read inside of the instance, as shares of its events and of its time;
    /// none along time.
    fn readings(&self) -> impl Iterator<Item = (f64, f64)> {
        let marks: &[(u64, u64)] = match self {
            Self::Time { .. } => &[],
            Self::Events(marks) => marks,
        };
        let start_ns = marks.first().map_or(0, |mark| mark.0);
        let (end_ns, total) = marks.last().copied().unwrap_or((1, 1));
        let inside = marks.get(1..marks.len().max(2) - 1).unwrap_or_default();
        inside.iter().map(move |&(at_ns, count)| {
            let time = (at_ns - start_ns) as f64 / (end_ns - start_ns) as f64;
            (count as f64 / total as f64, time)
        })
    }
}

/// Time as if it were a counter along `rulers`, in microseconds: a sample wherever the axis was read.
pub fn fold_time(trace: &Trace, group: &Group, rulers: &Rulers, giving: &Giving) -> FoldedCounter {
    let mut folded = FoldedCounter::default();
    let kept = group.instances.iter().enumerate().filter(|(_, (_, fate))| *fate == Fate::Used);
    for (at, (instance, _)) in kept {
        folded.instances += 1;
        folded.total += instance.duration_ns as f64 / 1e3;
        folded.length += rulers.length(instance);
        if giving.has(at) {
            let ruler = rulers.ruler(trace, instance);
            let sample = |(x, y)| FoldedSample { instance: at as u32, x, y, kept: true };
            folded.samples.extend(ruler.readings().map(sample));
        }
    }
    folded
}

/// The events that had happened at `time_ns`.
fn passed(marks: &[(u64, u64)], time_ns: u64) -> Option<f64> {
    let after = marks.partition_point(|(at_ns, _)| *at_ns < time_ns);
    let &(later_ns, later) = marks.get(after)?;
    if later_ns == time_ns {
        return Some(later as f64);
    }
    let (earlier_ns, earlier) = marks[after.checked_sub(1)?];
    let share = (time_ns - earlier_ns) as f64 / (later_ns - earlier_ns) as f64;
    Some(earlier as f64 + share * (later - earlier) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_lies_between_the_readings_beside_it() {
        let ruler = Ruler::Events(vec![(100, 0), (110, 0), (120, 30), (130, 40)]);
        for (time_ns, place) in [
            (99, None),
            (100, Some(0.0)),
            (105, Some(0.0)),
            (110, Some(0.0)),
            (115, Some(0.375)),
            (120, Some(0.75)),
            (122, Some(0.8)),
            (130, Some(1.0)),
            (131, None),
        ] {
            assert_eq!(ruler.place(time_ns), place, "{time_ns}");
        }
    }

    #[test]
    fn time_itself_is_a_straight_line() {
        let ruler = Ruler::Time { start_ns: 1000, duration_ns: 400 };
        assert_eq!(ruler.place(1100), Some(0.25));
        assert_eq!(ruler.place(1401), None);
        assert_eq!((ruler.place(999), ruler.place(1400)), (None, Some(1.0)));
    }
}
