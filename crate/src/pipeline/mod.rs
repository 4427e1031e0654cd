//! One request through every stage, in order: from [`Trace`] to [`Folding`].

mod error;
mod prefilter;
mod registers;
mod stages;
mod code;
mod group;
mod models;
mod references;

pub use error::FoldError;

use crate::address::{self, Allocations};
use crate::instance::{
    self, Burst, CatalogueRow, Group, Grouping, Instance, MOST_SAMPLES, Region, RegionNames, Sets,
};
use crate::model::Model;
use crate::order;
use crate::performance::{Along, grid};
use crate::result::{Folding, Points};
use crate::settings::{Settings, nearest};
use crate::trace::Trace;
use registers::Registers;

/// Folds the one region that `settings` mean.
///
/// An error if they mean none, several (see [`run_each`]), or one without anything to fold.
pub fn run(trace: &Trace, settings: &Settings) -> Result<(Folding, Points), FoldError> {
    run_with(trace, settings, &[])
}

/// The same, with models that a person gave beside those that are built in.
pub fn run_with(
    trace: &Trace,
    settings: &Settings,
    models: &[Model],
) -> Result<(Folding, Points), FoldError> {
    let bursts = instance::bursts(trace, |_| true);
    let found = regions(trace, &bursts, settings)?;
    let names = RegionNames::new(trace, &bursts);
    let [region] = found.as_slice() else {
        let first = found.iter().take(3).map(|region| names.of(*region)).collect();
        return Err(FoldError::SeveralRegions { count: found.len(), first });
    };
    let (name, instances) = (names.of(*region), instances(trace, &bursts, *region, settings));
    // Of a trace of gigabytes they take some hundred megabytes, which folding can use.
    drop((names, bursts));
    fold(trace, name, *region, instances, settings, models)
}

/// Folds every region that `settings` mean and that has instances, in the order of their names.
///
/// `models`: those that a person gave beside those that are built in.
pub fn run_each(
    trace: &Trace,
    settings: &Settings,
    models: &[Model],
) -> Result<Vec<(Folding, Points)>, FoldError> {
    let bursts = instance::bursts(trace, |_| true);
    let regions = regions(trace, &bursts, settings)?;
    let names = RegionNames::new(trace, &bursts);
    let mut found = Vec::with_capacity(regions.len());
    for &region in &regions {
        let instances = instances(trace, &bursts, region, settings);
        match fold(trace, names.of(region), region, instances, settings, models) {
            Ok(folding) => found.push(folding),
            Err(error) if error.is_usage() || regions.len() == 1 => return Err(error),
            Err(_) => {}
        }
    }
    order::by(&mut found, |(a, _), (b, _)| a.region.cmp(&b.region));
    if found.is_empty() { Err(FoldError::NothingFolds) } else { Ok(found) }
}

/// What can be folded, and which region is shown at first.
pub fn catalogue(trace: &Trace, settings: &Settings) -> (Vec<CatalogueRow>, Option<String>) {
    let bursts = instance::bursts(trace, |_| true);
    let rows = instance::catalogue(trace, &bursts, settings.group);
    let first = instance::chosen_first(&rows).map(str::to_owned);
    (rows, first)
}

/// The instances of `region` that `settings` choose.
fn instances(
    trace: &Trace,
    bursts: &[Vec<Burst>],
    region: Region,
    settings: &Settings,
) -> Vec<Instance> {
    let of_type = &bursts[region.event_type as usize];
    instance::instances(trace, of_type, region, &settings.wanted())
}

/// Counter readings at the begins and ends of instances that are held at a time.
const READINGS_AT_ONCE: usize = 1 << 20;

/// The whole analysis of one region.
fn fold(
    trace: &Trace,
    name: String,
    region: Region,
    mut instances: Vec<Instance>,
    settings: &Settings,
    own_models: &[Model],
) -> Result<(Folding, Points), FoldError> {
    let counters = stages::counters(trace, settings)?;
    stages::phases_of(trace, settings)?;
    if instances.is_empty() {
        return Err(FoldError::NoInstances { region: name });
    }
    let sets = Sets::of(trace);
    let all = instances.len();
    let axis = stages::axis(trace, &sets, &mut instances, settings)?;
    let off_axis = all - instances.len();
    if let (Some(along), true) = (&settings.x, instances.is_empty()) {
        return Err(FoldError::NoneAlong { region: name, counter: along.counter.clone() });
    }
    let (mut groups, noise) = instance::group(&instances, settings.group, settings.outliers);
    let mut notices = stages::notices(trace, noise);
    stages::note_off_axis(&mut notices, off_axis, settings);
    stages::note_never_closes(&mut notices, trace, region.event_type);
    let thinned = |group: &Group| instance::one_in(trace, group, MOST_SAMPLES);
    let one_in = groups.iter().map(thinned).collect::<Vec<_>>();
    if settings.prefilter {
        let over = prefilter::Over { trace, sets: &sets, axis: &axis, instances: &instances };
        prefilter::prefilter(&over, &mut groups, &one_in, &counters, settings);
    }
    for (group, one_in) in groups.iter().zip(&one_in) {
        stages::note_thinned(&mut notices, group, *one_in);
    }

    let registers = Registers::of(trace, &counters, settings);
    let mut measured = vec![vec![]; groups.len()];
    for counters in counters.chunks((READINGS_AT_ONCE / instances.len()).max(1)) {
        let readings = stages::readings_of(trace, counters, &instances);
        for (place, group) in groups.iter().enumerate() {
            for &counter in counters {
                let one_in = one_in[place];
                let samples =
                    instance::fold_counter(trace, &readings, &sets, group, &axis, one_in, counter);
                stages::note_absurd(&mut notices, trace, counter, samples.absurd);
                let samples =
                    registers.fold(group, &instances, one_in, counter, samples, &mut notices);
                // No kept instance may carry it throughout.
                if samples.instances > 0 {
                    let uses = stages::selected(&samples, settings.select);
                    measured[place].push(stages::Measured { counter, samples, uses });
                }
            }
        }
    }
    drop(instances);
    let allocations = match address::has_references(trace) {
        true => Allocations::of(trace),
        false => Allocations::default(),
    };
    let grid = grid(settings.points);
    let mut points = Points::default();
    let mut folded = Vec::with_capacity(groups.len());
    for ((group, one_in), mut measured) in groups.iter().zip(one_in).zip(measured) {
        let over = group::Over { trace, allocations: &allocations, group, axis: &axis, one_in };
        let fitted = match &settings.x {
            Some(Along { in_time: true, .. }) => {
                stages::fitted_in_time(&over, &mut measured, settings, &grid)
            }
            _ => (stages::fitted(trace, group, &measured, settings, &grid), None),
        };
        let (group, references) = group::folded_group(&over, &measured, fitted, settings);
        folded.push(group);
        points.references.extend(references);
        let cloud = |measured| group::cloud(trace, over.group.number, measured);
        points.clouds.extend(measured.into_iter().map(cloud));
    }
    stages::note_few_samples(&mut notices, &folded);
    code::note_short_stacks(&mut notices, &folded);
    notices.extend(references::notices(trace, &allocations, &folded));
    let shown = stages::shown_first(&folded).ok_or(FoldError::NoGroup { region: name.clone() })?;
    let (models, missing_models) = models::models(&folded, settings, own_models)?;
    let folding = Folding {
        version: Folding::VERSION,
        trace: stages::summary(trace),
        region: name,
        groups: folded,
        shown,
        notices,
        models,
        missing_models,
        quantised: false,
    };
    Ok((folding, points))
}

/// The regions that `settings` mean; the one shown at first if they name none.
fn regions(
    trace: &Trace,
    bursts: &[Vec<Burst>],
    settings: &Settings,
) -> Result<Vec<Region>, FoldError> {
    let names = RegionNames::new(trace, bursts);
    // Whatever the grouping: what is noise to it is a region all the same.
    let rows = || instance::catalogue(trace, bursts, Grouping::Auto);
    let asked = match &settings.region {
        Some(asked) => asked.clone(),
        None => instance::chosen_first(&rows()).ok_or(FoldError::NoRegion)?.to_owned(),
    };
    let found = instance::resolve(&names, &asked);
    if found.is_empty() {
        let mut known: Vec<String> = Vec::new();
        for row in rows() {
            if !known.contains(&row.region) {
                known.push(row.region);
            }
        }
        let nearest = nearest(&asked, known.iter().map(String::as_str));
        return Err(FoldError::NoSuchRegion { asked, nearest });
    }
    Ok(found)
}
