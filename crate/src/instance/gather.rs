//! The instances of one region.

use std::borrow::Cow;

use super::region::{is_instance, values};
use super::{Execution, Region, Repeated, Wanted};
use crate::order;
use crate::trace::{Kind, Moment, Thread, Trace};

/// One execution of the region that is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Index into [`Trace::threads`].
    pub thread: u32,
    /// Index of the moment at which it begins.
    pub first: u32,
    /// Index of the moment at which it ends.
    pub last: u32,
    /// From 1, among all instances of the region in the order of the trace.
    pub number: u32,
    pub start_ns: u64,
    /// Above 0.
    pub duration_ns: u64,
    pub counting: Counting,
}

/// The moments of a thread that an instance lies between, and how readings count there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    pub first: u32,
    pub last: u32,
    pub counting: Counting,
}

impl Instance {
    pub fn inside(&self) -> Inside {
        Inside { first: self.first, last: self.last, counting: self.counting }
    }
}

/// Which readings of a counter in one moment count in an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// All of them.
    Every,
    /// The first: in a burst the others are of calls that began and ended in that moment. What is
    /// read at its end is of the burst, whether or not something was read at its begin.
    First,
    /// It begins or ends between moments, and what was counted until then is not known; its borders
    /// are the moments around it.
    Unknown,
}

/// The instances of `region` among the executions of each type and what is repeated, by end, then
/// thread: as the trace tells of them. Those of no duration are left out.
///
/// Those that `wanted` does not take keep their numbers.
pub fn instances(
    trace: &Trace,
    executions: &[Vec<Execution>],
    repeated: &[Repeated],
    region: Region,
    wanted: &Wanted,
) -> Vec<Instance> {
    let mut found = by_thread(trace, executions, repeated, region).into_owned();
    // Executions come by thread, and so do those of one end.
    order::by_number(&mut found, |instance| instance.start_ns + instance.duration_ns);
    for (number, instance) in (1..).zip(&mut found) {
        instance.number = number;
    }
    found.retain(|instance| wanted.has(instance, trace.threads[instance.thread as usize].object));
    found
}

/// All of them, those of each thread in its order, without their numbers.
pub(super) fn by_thread<'all>(
    trace: &Trace,
    executions: &[Vec<Execution>],
    repeated: &'all [Repeated],
    region: Region,
) -> Cow<'all, [Instance]> {
    match region {
        Region::Events { event_type, value } => {
            let of_type = executions.get(event_type as usize).map_or(&[][..], Vec::as_slice);
            of_executions(trace, of_type, value).into()
        }
        Region::Repeated(index) => {
            repeated.get(index as usize).map_or(&[][..], |of| &of.instances).into()
        }
    }
}

/// Those of a region of `value`, or of any, among the executions of its type.
fn of_executions(trace: &Trace, executions: &[Execution], value: Option<u64>) -> Vec<Instance> {
    let members = || executions.iter().filter(|execution| is_instance(value, execution));
    let mut instances = Vec::with_capacity(members().count());
    instances.extend(members().filter_map(|of| instance(trace, of)));
    instances
}

fn instance(trace: &Trace, execution: &Execution) -> Option<Instance> {
    let thread = trace.threads.get(execution.thread as usize)?;
    let start_ns = thread.time_ns(execution.first);
    let duration_ns = thread.time_ns(execution.last) - start_ns;
    let Execution { thread, first, last, .. } = *execution;
    let (number, counting) = (0, Counting::Every);
    let instance = Instance { thread, first, last, number, start_ns, duration_ns, counting };
    (duration_ns > 0).then_some(instance)
}

/// Of each value among the executions of a type, values rising, what [`by_thread`] gives of its region.
///
/// O(executions × log values) for all of them: a type may have as many values as executions.
pub(super) fn by_value(
    trace: &Trace,
    executions: &[Execution],
) -> impl Iterator<Item = (u64, Vec<Instance>)> {
    let values = values(executions);
    let place = |of: &Execution| values.partition_point(|value| *value < of.value);
    // Where the executions of each value begin, and where those of the last one end.
    let mut firsts = vec![0u32; values.len() + 1];
    executions.iter().for_each(|of| firsts[place(of) + 1] += 1);
    (1..firsts.len()).for_each(|at| firsts[at] += firsts[at - 1]);
    let mut by_value = vec![0u32; executions.len()];
    let mut next = firsts.clone();
    for (at, execution) in (0..).zip(executions) {
        let next = &mut next[place(execution)];
        by_value[*next as usize] = at;
        *next += 1;
    }
    values.into_iter().enumerate().map(move |(at, value)| {
        let own = &by_value[firsts[at] as usize..firsts[at + 1] as usize];
        let own = own.iter().map(|at| &executions[*at as usize]);
        let own = own.filter(|execution| is_instance(Some(value), execution));
        (value, own.filter_map(|of| instance(trace, of)).collect())
    })
}

/// Whether a moment is a sample: it carries a counter, a caller or a reference.
///
/// A caller of 0 is what a cutter leaves behind.
pub fn is_sample(trace: &Trace, moment: &Moment<'_>) -> bool {
    moment.events().any(|event| match trace.kind(event.event_type) {
        Kind::Counter | Kind::Reference(_) => true,
        Kind::Routine(_) => event.value != 0,
        _ => false,
    })
}

/// How many moments of `thread` up to and with each are samples; `surely`: shapes of samples
/// whatever the values.
pub fn sample_moments(trace: &Trace, thread: &Thread, surely: &[bool]) -> Vec<u32> {
    let mut so_far = 0;
    let count = |moment: Moment<'_>| {
        so_far += u32::from(moment.is_of(surely) || is_sample(trace, &moment));
        so_far
    };
    thread.moments().map(count).collect()
}

/// Shapes of moments that are samples whatever the values.
pub fn sample_shapes(trace: &Trace) -> Vec<bool> {
    trace.shapes_with(|_, kind| matches!(kind, Kind::Counter | Kind::Reference(_)))
}

/// Samples strictly inside an instance. O(its moments).
pub fn samples_inside(trace: &Trace, instance: &Instance) -> u64 {
    let Some(thread) = trace.threads.get(instance.thread as usize) else { return 0 };
    let inside = thread.moments_between(instance.first, instance.last);
    let inside = inside.filter(|moment| is_sample(trace, moment)).count() as u64;
    match thread.known().summed.is_empty() {
        true => inside,
        false => inside + u64::from(thread.known().summed_at(instance.start_ns)),
    }
}
