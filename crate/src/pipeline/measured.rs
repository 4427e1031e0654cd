//! The counters of every group, folded.

use std::sync::Arc;

use super::counted::Grouped;
use super::notices::{note_absurd, note_register};
use super::registers::Registers;
use crate::folding::{Family, FoldedCounter, FoldingNotice, Sampled, Use};
use crate::instance::{self, Instance, Readings, is_instructions, select};
use crate::performance;
use crate::settings::Settings;
use crate::trace::{Thread, Trace};

/// Counter readings at the begins and ends of instances that are held at a time.
const READINGS_AT_ONCE: usize = 1 << 20;

/// A counter of a group: what was folded, and what becomes of each sample.
#[derive(Clone)]
pub struct Measured {
    /// Index into [`Trace::types`].
    pub counter: u32,
    pub samples: Arc<FoldedCounter>,
    pub uses: Arc<[Use]>,
    /// Of instances, where there are several.
    pub families: Vec<Family>,
}

impl Measured {
    /// As the curves are fitted to it.
    pub fn to_fit(&self) -> performance::Measured<'_> {
        let used = self.uses.iter().map(|of_sample| *of_sample == Use::Used).collect();
        performance::Measured { folded: &self.samples, used }
    }

    /// Whether it counts completed instructions.
    pub fn is_instructions(&self, trace: &Trace) -> bool {
        is_instructions(&trace.types[self.counter as usize].name)
    }

    /// How many samples came to this.
    pub fn count(&self, wanted: Use) -> u32 {
        self.uses.iter().filter(|of_sample| **of_sample == wanted).count() as u32
    }

    /// All samples, with what became of them.
    pub fn sampled(&self, trace: &Trace, group: u32) -> Sampled {
        let counter = trace.types[self.counter as usize].name.clone();
        Sampled { group, counter, folded: self.samples.clone(), uses: self.uses.clone() }
    }
}

/// The `counters` that instances of each group carry, group by group.
///
/// Readings are held for some counters at a time, so that a trace with many instances fits.
pub fn measured(
    trace: &Trace,
    grouped: &Grouped,
    counters: &[u32],
    settings: &Settings,
    notices: &mut Vec<FoldingNotice>,
) -> Vec<Vec<Measured>> {
    let registers = Registers::of(trace, counters, settings);
    let mut measured = vec![vec![]; grouped.groups.len()];
    each_counter(trace, grouped, counters, |place, counter, counted| {
        note_absurd(notices, trace, counter, counted.absurd);
        let (group, giving) = (&grouped.groups[place], &grouped.giving[place]);
        let (samples, register) =
            registers.fold(group, &grouped.instances, giving, counter, counted);
        note_register(notices, trace, group.number, counter, register);
        // No kept instance may carry it throughout.
        if samples.instances > 0 {
            let uses = uses(&samples, settings).into();
            let samples = Arc::new(samples);
            measured[place].push(Measured { counter, samples, uses, families: vec![] });
        }
    });
    measured
}

/// Calls `each` with every group (by its place) and counter, folded; by counter within a group.
pub fn each_counter(
    trace: &Trace,
    grouped: &Grouped,
    counters: &[u32],
    mut each: impl FnMut(usize, u32, FoldedCounter),
) {
    let Grouped { instances, rulers, sets, groups, giving, .. } = grouped;
    for counters in counters.chunks((READINGS_AT_ONCE / instances.len().max(1)).max(1)) {
        let readings = readings_of(trace, counters, instances);
        for (place, (group, giving)) in groups.iter().zip(giving).enumerate() {
            for &counter in counters {
                let folded =
                    instance::fold_counter(trace, &readings, sets, group, rulers, giving, counter);
                each(place, counter, folded);
            }
        }
    }
}

/// Of the counters `wanted`, up to the borders of `instances`: one entry per thread; those of
/// threads without instances are empty.
pub fn readings_of(trace: &Trace, wanted: &[u32], instances: &[Instance]) -> Vec<Readings> {
    let mut borders = vec![vec![]; trace.threads.len()];
    for instance in instances {
        borders[instance.thread as usize].extend([instance.first, instance.last]);
    }
    let of_thread = |(thread, borders): (&Thread, Vec<u32>)| {
        Readings::between(trace, thread, |counter| wanted.contains(&counter), borders)
    };
    trace.threads.iter().zip(borders).map(of_thread).collect()
}

/// For each sample what becomes of it.
pub(super) fn uses(folded: &FoldedCounter, settings: &Settings) -> Vec<Use> {
    let kept = folded.samples.iter().filter(|sample| sample.kept);
    let mut taken = select(&kept.map(|s| s.x).collect::<Vec<_>>(), settings.select).into_iter();
    let of_sample = |kept: bool| match kept.then(|| taken.next()).flatten() {
        Some(true) => Use::Used,
        Some(false) => Use::Unused,
        None => Use::Excluded,
    };
    folded.samples.iter().map(|sample| sample.kept).map(of_sample).collect()
}
