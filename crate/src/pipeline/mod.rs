//! One request through every stage, in order: from [`Trace`] to [`Folding`].
//!
//! It alone judges: what is too little, what is told in a notice (`notices.rs`), which group is
//! shown first.

mod nothing;
mod error;
mod kept;
mod counted;
mod regions;
mod counters;
mod registers;
mod measured;
mod prefilter;
mod curves;
mod steps;
mod computing;
mod activity;
mod group;
mod models;
mod families;
mod notices;
mod course;
mod whole_run;

pub use counted::{Shown, grouped, shown};
pub use course::course;
pub use error::FoldError;
pub use kept::Kept;
pub use nothing::Held;
pub use whole_run::{regions_spent, whole_run};

use crate::address::{self, Allocations};
use crate::folding::{Folding, Group, LeftOut, Points, TraceSummary};
use crate::instance::{self, CatalogueRow};
use crate::model::Model;
use crate::order;
use crate::settings::Settings;
use crate::source::Colours;
use crate::trace::{Partial, Trace};
use counted::{Counted, counted};
use group::{Performed, apart, folded_group, performed};
use regions::Regions;

/// Folds the one region that `settings` mean.
///
/// An error if they mean none, several (see [`run_each`]), or one without anything to fold.
pub fn run(trace: &Trace, settings: &Settings) -> Result<(Folding, Points), FoldError> {
    run_with(trace, settings, &[])
}

/// The same, with models that a person gave beside those that are built in.
///
/// Who folds a trace again and again has what can be used again [`Kept`].
pub fn run_with(
    trace: &Trace,
    settings: &Settings,
    models: &[Model],
) -> Result<(Folding, Points), FoldError> {
    Kept::default().fold(trace, settings, models)
}

/// Folds every region that `settings` mean and that has instances, in the order of their names.
///
/// `models`: those that a person gave beside those that are built in.
#[inline(never)]
pub fn run_each(
    trace: &Trace,
    settings: &Settings,
    models: &[Model],
) -> Result<Vec<(Folding, Points)>, FoldError> {
    let regions = Regions::of(trace, settings.repeating());
    let asked = regions.asked(settings)?;
    let of_trace = OfTrace::of(trace);
    let mut foldings = Vec::with_capacity(asked.len());
    for &region in &asked {
        let fold = |region| {
            let counted = counted(trace, region, settings, false)?;
            let performed = performed(trace, &counted, settings)?;
            folding(trace, &counted, &performed, &of_trace, settings, models)
        };
        match fold(regions.named(region, settings)) {
            Ok(folding) => foldings.push(folding),
            Err(error) if error.is_usage() || asked.len() == 1 => return Err(error),
            Err(_) => {}
        }
    }
    order::by(&mut foldings, |(a, _), (b, _)| a.region.cmp(&b.region));
    if foldings.is_empty() { Err(FoldError::NothingFolds) } else { Ok(foldings) }
}

/// What can be folded, and which region is shown at first.
pub fn catalogue(trace: &Trace, settings: &Settings) -> (Vec<CatalogueRow>, Option<String>) {
    let rows = Regions::of(trace, settings.repeating()).catalogue(&settings.group);
    let first = instance::chosen_first(&rows).map(|first| first.region.to_owned());
    (rows, first)
}

/// Whether passes can begin where `settings` say. O(events) if they do.
///
/// # Errors
///
/// If no loop has that boundary, with those of the first one.
pub fn check_boundary(trace: &Trace, settings: &Settings) -> Result<(), FoldError> {
    match settings.boundary {
        Some(_) => Regions::of(trace, settings.repeating()).check_boundary(),
        None => Ok(()),
    }
}

/// The answer for a region whose curves are there: with its call-stacks, memory and models.
fn folding(
    trace: &Trace,
    counted: &Counted,
    performed: &[Performed],
    of_trace: &OfTrace,
    settings: &Settings,
    own_models: &[Model],
) -> Result<(Folding, Points), FoldError> {
    let OfTrace { allocations, colours } = of_trace;
    let mut points = Points::default();
    let mut groups = Vec::with_capacity(performed.len());
    for (over, performed) in counted.grouped.each(trace).zip(performed) {
        let (mut group, references) = folded_group(&over, performed, allocations, settings);
        group.hues = colours.places(&group.routines);
        if let Some(callers) = &mut group.callers {
            callers.hues = colours.places(&callers.routines);
        }
        points.references.extend(references);
        points.counters.extend(performed.sampled(trace));
        groups.push(group);
    }
    let (models, missing_models) = models::models(&groups, settings, own_models)?;
    let mut notices = notices::of_trace(trace, true).collect::<Vec<_>>();
    notices.extend(notices::of_values(&groups, &models));
    notices.extend(counted.notices.clone());
    notices.extend(notices::of_groups(trace, allocations, &groups));
    notices.extend(notices::of_trace(trace, false));
    let (region, kind) = (counted.grouped.name.clone(), counted.grouped.kind);
    let shown = shown_first(&groups).ok_or(FoldError::NoGroup { region: region.clone() })?;
    let apart = apart(trace, &counted.grouped);
    let left_out = LeftOut::count(apart.iter().map(|row| row.fate));
    let (version, trace, quantised) = (Folding::VERSION, summary(trace), false);
    let folding = Folding {
        version,
        trace,
        region,
        kind,
        groups,
        groups_left_out: 0,
        apart,
        left_out,
        shown,
        notices,
        models,
        missing_models,
        quantised,
    };
    Ok((folding, points))
}

/// What all regions of a trace have in common.
struct OfTrace {
    /// The memory that calls asked for, if any of it was referenced.
    allocations: Allocations,
    colours: Colours,
}

impl OfTrace {
    fn of(trace: &Trace) -> Self {
        let allocations = match address::has_references(trace) {
            true => Allocations::of(trace),
            false => Allocations::default(),
        };
        Self { allocations, colours: Colours::of(trace) }
    }
}

/// The most populated group, the longer of two alike.
fn shown_first(groups: &[Group]) -> Option<u32> {
    groups.iter().max_by_key(|group| (group.instances, group.number)).map(|group| group.number)
}

/// What a reader wants to know of the trace.
fn summary(trace: &Trace) -> TraceSummary {
    TraceSummary {
        name: trace.name.clone(),
        size_bytes: trace.size_bytes,
        duration_ns: trace.duration_ns,
        threads: trace.threads.len() as u32,
        generated: trace.generated,
        provenance: trace.provenance.clone(),
        partial: partial_words(trace),
    }
}

/// Which part of the trace was read, and what of it is missing.
fn partial_words(trace: &Trace) -> Option<String> {
    let read = trace.partial.as_ref().map(Partial::sentence);
    let missing = trace.reduced.as_ref().and_then(|of| of.missing.clone());
    let words = read.into_iter().chain(missing).collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_most_instances_is_shown_first_and_the_longer_of_two_alike() {
        let shown = |instances: &[u32]| {
            let group = |(number, &instances)| Group { number, instances, ..Group::default() };
            shown_first(&(1..).zip(instances).map(group).collect::<Vec<_>>())
        };
        assert_eq!(shown(&[5, 7, 7, 6]), Some(3));
        assert_eq!(shown(&[9, 7, 7]), Some(1));
        assert_eq!(shown(&[]), None);
    }
}
