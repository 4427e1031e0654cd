//! The curves of a group, whichever axis its samples are placed along.

use std::sync::Arc;

use super::counted::Over;
use super::counters::Counters;
use super::measured::Measured;
use super::steps::steps;
use crate::instance::{self, Group};
use crate::order;
use crate::performance::{self, Along, Clock, Fit, Fitted, How, grid};
use crate::settings::Settings;
use crate::trace::Trace;

/// The curves of all counters of a group, and the clock by which they are shown in time, if they
/// were fitted over the events of a counter for that. Samples and lengths of `measured` are in time
/// then.
pub fn curves(
    over: &Over<'_>,
    measured: &mut [Measured],
    counters: &Counters,
    settings: &Settings,
) -> (Fitted, Option<Clock>) {
    match &settings.x {
        Some(Along { in_time: true, .. }) => in_time(over, measured, counters, settings),
        _ => (along_axis(over, measured, counters, settings), None),
    }
}

fn along_axis(
    over: &Over<'_>,
    measured: &[Measured],
    counters: &Counters,
    settings: &Settings,
) -> Fitted {
    let order = by_name(over.trace, measured);
    let to_fit = order.iter().map(|&index| measured[index].to_fit()).collect::<Vec<_>>();
    let fitted = steps(over, &to_fit, settings).unwrap_or_else(|| {
        let how = how(over.group, measured, &order, counters, settings);
        performance::fit_group(&to_fit, &how, &grid(settings.points))
    });
    in_order(fitted, &order)
}

/// Fitted along a counter and shown in time: phases are found over its events, and time is one more
/// counter among the others.
fn in_time(
    &Over { trace, group, rulers, giving, .. }: &Over<'_>,
    measured: &mut [Measured],
    counters: &Counters,
    settings: &Settings,
) -> (Fitted, Option<Clock>) {
    let time = instance::fold_time(trace, group, rulers, giving);
    let order = by_name(trace, measured);
    let mut to_fit = order.iter().map(|&index| measured[index].to_fit()).collect::<Vec<_>>();
    let used = time.samples.iter().map(|sample| sample.kept).collect();
    to_fit.push(performance::Measured { folded: &time, used });
    let how = How { fit: Fit::Segments, ..how(group, measured, &order, counters, settings) };
    let grid = grid(settings.points);
    let mut over_events = performance::fit_group(&to_fit, &how, &grid);
    let of_time = over_events.curves.pop().unwrap_or_default();
    let clock = Clock::new(&over_events.breaks, &of_time);
    // Time itself is no counter of the trace.
    let of_trace = measured.len() as u32;
    for at in &mut over_events.breaks {
        at.changed.retain(|index| *index < of_trace);
    }
    let per_microsecond = time.length / time.total;
    for counter in measured {
        let samples = Arc::make_mut(&mut counter.samples);
        samples.length /= per_microsecond;
        for sample in &mut samples.samples {
            sample.x = clock.time(sample.x);
        }
    }
    let fitted = performance::in_time(over_events, &clock, per_microsecond, &grid);
    (in_order(fitted, &order), Some(clock))
}

/// The counters by name. What joins them adds up in this order, so that the last digit does not
/// depend on how a file numbers its counters.
pub(super) fn by_name(trace: &Trace, measured: &[Measured]) -> Vec<usize> {
    let name = |index: &usize| &trace.types[measured[*index].counter as usize].name;
    let mut order = (0..measured.len()).collect::<Vec<_>>();
    order::by(&mut order, |a, b| name(a).cmp(name(b)));
    order
}

/// Curves that were fitted in `order`, in the order of the counters.
fn in_order(mut fitted: Fitted, order: &[usize]) -> Fitted {
    let mut curves = order.iter().copied().zip(fitted.curves).collect::<Vec<_>>();
    order::by_number(&mut curves, |(index, _)| *index as u64);
    fitted.curves = curves.into_iter().map(|(_, curve)| curve).collect();
    for at in &mut fitted.breaks {
        let changed = order::distinct(at.changed.iter().map(|&at| order[at as usize] as u64));
        at.changed = changed.into_iter().map(|index| index as u32).collect();
    }
    fitted
}

/// How what is no step is fitted.
pub(super) fn how<'a>(
    group: &Group,
    measured: &[Measured],
    order: &[usize],
    counters: &Counters,
    settings: &'a Settings,
) -> How<'a> {
    let decides = |&index: &usize| Some(measured[index].counter) == counters.of_phases;
    How {
        fit: settings.fit,
        nugget: settings.nugget,
        resolution: settings.resolution,
        ends: settings.ends,
        monotone: settings.monotone,
        phases_of: order.iter().position(decides),
        borders: settings.breaks.of(group.number),
    }
}
