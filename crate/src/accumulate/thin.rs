//! A part of all of a trace without samples that no fold of it shows.

use super::reduce::is_dropped;
use super::{Refusal, reduce};
use crate::instance::{
    Instance, Region, Wanted, executions, instances, is_absurd, key, samples_inside,
};
use crate::order;
use crate::partial::Partial;
use crate::pipeline;
use crate::settings::Settings;
use crate::trace::{Builder, Kind, Object, Summed, Thread, Trace};

/// The same part, of which those instances keep their samples that give them in a fold as `settings` say; of the
/// others what they counted in all stays. A part that is not all of a trace stays as it is: which instances
/// are alike only all of them tell.
///
/// # Errors
///
/// If what the part says is no trace.
pub fn thin(part: Partial, settings: &Settings) -> Result<Partial, Refusal> {
    let held = part.pieces.iter().map(|piece| reduce::samples(&piece.trace)).sum::<u64>();
    if held <= settings.samples.unwrap_or(u64::MAX) || part.missing_words().is_some() {
        return Ok(part);
    }
    // What folds is a copy: a part that was folded is no part any more.
    let bytes = part.write();
    let again = || Partial::read(&bytes).map_err(Refusal::NotAPart);
    let (mut thinner, trace) = (again()?, again()?.trace().map_err(Refusal::Read)?);
    // What does not fold cannot be thinner.
    let Ok(shown) = pipeline::shown(&trace, settings) else { return Ok(thinner) };
    let silent = shown.into_iter().filter(|(_, gives)| !gives).map(|(instance, _)| instance);
    let mut by_thread: Vec<Vec<Instance>> = vec![vec![]; trace.threads.len()];
    silent.for_each(|instance| by_thread[instance.thread as usize].push(instance));
    let of_object = |object: Object| {
        let at = trace.threads.binary_search_by_key(&object, |thread| thread.object);
        at.map_or(&[][..], |at| by_thread[at].as_slice())
    };
    for piece in &mut thinner.pieces {
        let whole = &mut piece.trace;
        whole.settle();
        let trace = whole.so_far();
        let dropped = trace.types.iter().map(is_dropped).collect::<Vec<_>>();
        let summed = (0..).zip(&trace.threads).map(|(at, thread)| {
            let mut summed = of_object(thread.object)
                .iter()
                .filter_map(|instance| summed(&trace, at, thread, instance))
                .collect::<Vec<_>>();
            order::by_number(&mut summed, |of| u64::from(of.first));
            summed
        });
        sum_up(whole, &trace, &dropped, &summed.collect::<Vec<_>>());
    }
    Ok(thinner)
}

/// Sums up the samples of the instances of `region`, by the code of its type and its value, whose keys end in
/// fewer bits 0 than the `level` of their duration in ns, of what was read so far. As a key depends on nothing that is
/// still to come, nothing is summed up that a later level needs. O(events).
pub fn thin_to(level: impl Fn(u64) -> u32, part: &mut Builder, region: (u32, Option<u64>)) {
    part.settle();
    let trace = part.so_far();
    let (code, value) = region;
    let Some(event_type) = trace.types.iter().position(|of| of.code == code) else { return };
    let event_type = event_type as u32;
    let executions = executions(&trace, |of| of == event_type);
    let region = Region::Events { event_type, value };
    let mut summed_of = vec![vec![]; trace.threads.len()];
    for instance in instances(&trace, &executions, &[], region, &Wanted::default()) {
        let (at, thread) = (instance.thread, &trace.threads[instance.thread as usize]);
        if key(&trace, &instance).trailing_zeros() < level(instance.duration_ns) {
            summed_of[at as usize].extend(summed(&trace, at, thread, &instance));
        }
    }
    summed_of.iter_mut().for_each(|of| order::by_number(of, |of| u64::from(of.first)));
    let dropped = trace.types.iter().map(is_dropped).collect::<Vec<_>>();
    sum_up(part, &trace, &dropped, &summed_of);
}

fn sum_up(part: &mut Builder, trace: &Trace, dropped: &[bool], instances: &[Vec<Summed>]) {
    let left_out = reduce::left_out(trace, |thread, at| {
        let instances = &instances[thread];
        let after = instances.partition_point(|of| of.first < at);
        after.checked_sub(1).is_some_and(|last| at < instances[last].last)
    });
    part.sum_up(trace, dropped, instances);
    if let Some(reduced) = &mut part.reduced {
        reduced.leave_out(left_out);
    }
}

/// An instance whose readings can be summed up; `None` if they mean something apart: where a set changes, or one
/// of them is no count, or their sum would be none.
fn summed(trace: &Trace, at: u32, thread: &Thread, instance: &Instance) -> Option<Summed> {
    let end_ns = instance.start_ns + instance.duration_ns;
    let index = |time_ns: u64| thread.moments_up_to(time_ns).checked_sub(1);
    let (first, last) = (index(instance.start_ns)?, index(end_ns)?);
    let is_there = thread.time_ns(first) == instance.start_ns && thread.time_ns(last) == end_ns;
    let here = Instance { thread: at, first, last, ..*instance };
    let samples = samples_inside(trace, &here);
    if !is_there || samples == 0 || thread.known().summed_at(instance.start_ns) > 0 {
        return None;
    }
    let mut counts: Vec<(u32, u64)> = vec![];
    let inside = thread.moments_from(first as usize).take((last - first + 1) as usize);
    for moment in inside.skip(1) {
        for event in moment.events() {
            match trace.kind(event.event_type) {
                Kind::CounterSet => return None,
                Kind::Counter => {
                    let count = order::entry(&mut counts, event.event_type);
                    *count = count.checked_add(event.value)?;
                    // As short a time as there can be before a reading.
                    if is_absurd(*count, 0) {
                        return None;
                    }
                }
                _ => {}
            }
        }
    }
    let samples = u32::try_from(samples).ok()?;
    Some(Summed { first, last, start_ns: instance.start_ns, samples })
}
