//! One request through every stage, in order: from [`Trace`] to [`Folding`].
//!
//! It alone judges: what is too little, what is told in a notice (`notices.rs`), which group is
//! shown first.

mod error;
mod regions;
mod counters;
mod registers;
mod measured;
mod prefilter;
mod curves;
mod group;
mod models;
mod notices;

pub use error::FoldError;

use crate::address::{self, Allocations};
use crate::folding::{Folding, Group, Points, TraceSummary};
use crate::instance::{self, Burst, CatalogueRow, Instance, Region, RegionNames, Rulers, Sets};
use crate::model::Model;
use crate::order;
use crate::settings::Settings;
use crate::trace::{Partial, Trace};
use counters::Counters;
use group::folded_group;
use measured::{measured, readings_of};
use prefilter::prefilter;

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
    let names = RegionNames::new(trace, &bursts);
    let regions = regions::regions(trace, &bursts, &names, settings)?;
    let [region] = regions.as_slice() else {
        let first = regions.iter().take(3).map(|region| names.of(*region)).collect();
        return Err(FoldError::SeveralRegions { count: regions.len(), first });
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
    let names = RegionNames::new(trace, &bursts);
    let regions = regions::regions(trace, &bursts, &names, settings)?;
    let mut foldings = Vec::with_capacity(regions.len());
    for &region in &regions {
        let instances = instances(trace, &bursts, region, settings);
        match fold(trace, names.of(region), region, instances, settings, models) {
            Ok(folding) => foldings.push(folding),
            Err(error) if error.is_usage() || regions.len() == 1 => return Err(error),
            Err(_) => {}
        }
    }
    order::by(&mut foldings, |(a, _), (b, _)| a.region.cmp(&b.region));
    if foldings.is_empty() { Err(FoldError::NothingFolds) } else { Ok(foldings) }
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

/// The whole analysis of one region.
fn fold(
    trace: &Trace,
    name: String,
    region: Region,
    instances: Vec<Instance>,
    settings: &Settings,
    own_models: &[Model],
) -> Result<(Folding, Points), FoldError> {
    let counters = Counters::named(trace, settings)?;
    let mut grouped = Grouped::of(trace, &name, region, instances, &counters, settings)?;
    if settings.prefilter {
        prefilter(trace, &mut grouped, &counters.folded, settings);
    }
    let mut notices = notices::of_grouping(trace, &grouped, settings);
    let measured = measured(trace, &grouped, &counters.folded, settings, &mut notices);
    let allocations = allocations(trace);
    let mut points = Points::default();
    let mut groups = Vec::with_capacity(grouped.groups.len());
    for (place, mut measured) in measured.into_iter().enumerate() {
        let over = grouped.over(trace, &allocations, place);
        let (group, references) = folded_group(&over, &mut measured, &counters, settings);
        points.references.extend(references);
        points.clouds.extend(measured.into_iter().map(|of| of.into_cloud(trace, group.number)));
        groups.push(group);
    }
    notices.extend(notices::of_groups(trace, &allocations, &groups));
    let shown = shown_first(&groups).ok_or(FoldError::NoGroup { region: name.clone() })?;
    let (models, missing_models) = models::models(&groups, settings, own_models)?;
    let (version, trace, quantised) = (Folding::VERSION, summary(trace), false);
    let folding = Folding {
        version,
        trace,
        region: name,
        groups,
        shown,
        notices,
        models,
        missing_models,
        quantised,
    };
    Ok((folding, points))
}

/// The instances of a region along an axis, in their groups.
struct Grouped {
    region: Region,
    /// Those of all groups.
    instances: Vec<Instance>,
    sets: Sets,
    rulers: Rulers,
    groups: Vec<instance::Group>,
    /// More samples of a group than this are not folded.
    most_samples: u64,
    /// By group, one in how many instances gives its samples.
    one_in: Vec<usize>,
    /// Instances that no group takes.
    noise: usize,
    /// Instances that have no place along the axis.
    off_axis: usize,
}

/// What is folded: a group of a trace along its rulers; one in so many instances gives its samples.
struct Over<'a> {
    trace: &'a Trace,
    allocations: &'a Allocations,
    group: &'a instance::Group,
    rulers: &'a Rulers,
    one_in: usize,
}

impl Grouped {
    fn of(
        trace: &Trace,
        name: &str,
        region: Region,
        mut instances: Vec<Instance>,
        counters: &Counters,
        settings: &Settings,
    ) -> Result<Self, FoldError> {
        if instances.is_empty() {
            return Err(FoldError::NoInstances { region: name.to_owned() });
        }
        let sets = Sets::of(trace);
        let all = instances.len();
        let rulers = match counters.axis {
            None => Rulers::default(),
            Some(counter) => {
                let readings = readings_of(trace, &[counter], &instances);
                Rulers::along(trace, counter, &readings, &sets, &mut instances)
            }
        };
        if let (Some(along), true) = (&settings.x, instances.is_empty()) {
            let (region, counter) = (name.to_owned(), along.counter.clone());
            return Err(FoldError::NoneAlong { region, counter });
        }
        let (groups, noise) = instance::group(&instances, settings.group, settings.outliers);
        let most_samples = settings.samples.unwrap_or(u64::MAX);
        let one_in = groups.iter().map(|group| instance::one_in(trace, group, most_samples));
        let (one_in, off_axis) = (one_in.collect(), all - instances.len());
        Ok(Self { region, instances, sets, rulers, groups, most_samples, one_in, noise, off_axis })
    }

    fn over<'a>(
        &'a self,
        trace: &'a Trace,
        allocations: &'a Allocations,
        place: usize,
    ) -> Over<'a> {
        let (group, one_in) = (&self.groups[place], self.one_in[place]);
        Over { trace, allocations, group, rulers: &self.rulers, one_in }
    }
}

/// The memory that calls asked for, if any of it was referenced.
fn allocations(trace: &Trace) -> Allocations {
    match address::has_references(trace) {
        true => Allocations::of(trace),
        false => Allocations::default(),
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
        partial: trace.partial.as_ref().map(Partial::sentence),
    }
}
