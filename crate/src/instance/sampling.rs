//! When the samples of a group were taken.

use super::gather::{is_sample, sample_shapes};
use super::{Giving, Group, Instance, Rulers};
use crate::order;
use crate::trace::Trace;

/// The samples of the kept instances of a group, whatever they carry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampling {
    /// Their folded times, increasing.
    pub x: Vec<f64>,
    /// Nanoseconds from each sample to the next one of its thread.
    pub gaps_ns: Vec<f64>,
}

/// Those instances of `group` that are `giving` give their samples. O(moments inside, times their
/// logarithm).
pub fn sampling(trace: &Trace, group: &Group, rulers: &Rulers, giving: &Giving) -> Sampling {
    let surely = sample_shapes(trace);
    let mut found = Sampling::default();
    let mut last_ns = vec![None; trace.threads.len()];
    let given = group.instances.iter().enumerate().filter(|(at, _)| giving.has(*at));
    for (_, (instance, _)) in given.filter(|(_, (_, fate))| fate.is_used()) {
        let &Instance { thread, first, last, .. } = instance;
        let ruler = rulers.ruler(trace, instance);
        let inside = trace.threads[thread as usize].moments_between(first, last);
        for moment in inside.filter(|moment| moment.is_of(&surely) || is_sample(trace, moment)) {
            found.x.extend(ruler.place(moment.time));
            let before = last_ns[thread as usize].replace(moment.time);
            found.gaps_ns.extend(before.map(|before| moment.time.abs_diff(before) as f64));
        }
    }
    order::floats(&mut found.x);
    found
}
