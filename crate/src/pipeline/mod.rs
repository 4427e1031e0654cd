//! One request through every stage, in order: from [`Trace`] to [`Folding`].

mod error;
mod stages;

pub use error::FoldError;

use crate::instance::{
    self, Burst, CatalogueRow, Grouping, MOST_SAMPLES, Region, RegionNames, Sets,
};
use crate::order;
use crate::performance::grid;
use crate::result::{Folding, Points};
use crate::settings::{Settings, nearest};
use crate::trace::Trace;

/// Folds the one region that `settings` mean.
///
/// An error if they mean none, several (see [`run_each`]), or one without anything to fold.
pub fn run(trace: &Trace, settings: &Settings) -> Result<(Folding, Points), FoldError> {
    let bursts = instance::bursts(trace, |_| true);
    match regions(trace, &bursts, settings)?.as_slice() {
        [region] => fold(trace, &bursts, *region, settings),
        several => {
            let names = RegionNames::new(trace, &bursts);
            let names = several.iter().take(3).map(|region| names.of(*region)).collect();
            Err(FoldError::SeveralRegions { count: several.len(), first: names })
        }
    }
}

/// Folds every region that `settings` mean and that has instances, in the order of their names.
pub fn run_each(trace: &Trace, settings: &Settings) -> Result<Vec<(Folding, Points)>, FoldError> {
    let bursts = instance::bursts(trace, |_| true);
    let regions = regions(trace, &bursts, settings)?;
    let folded = |&region: &Region| fold(trace, &bursts, region, settings);
    let mut found = Vec::with_capacity(regions.len());
    for region in &regions {
        match folded(region) {
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

/// The whole analysis of one region.
fn fold(
    trace: &Trace,
    bursts: &[Vec<Burst>],
    region: Region,
    settings: &Settings,
) -> Result<(Folding, Points), FoldError> {
    let name = RegionNames::new(trace, bursts).of(region);
    let counters = stages::counters(trace, settings)?;
    let of_type = &bursts[region.event_type as usize];
    let within = (settings.from, settings.to);
    let instances = instance::instances(trace, of_type, region, &settings.objects, within);
    if instances.is_empty() {
        return Err(FoldError::NoInstances { region: name });
    }
    let (groups, noise) = instance::group(&instances, settings.group, settings.outliers);
    let readings = stages::readings_of(trace, &counters, &instances);
    let sets = Sets::of(trace);
    let grid = grid(settings.points);

    let mut notices = stages::notices(trace, noise);
    stages::note_never_closes(&mut notices, trace, region.event_type);
    let mut points = Points::default();
    let mut folded = Vec::with_capacity(groups.len());
    for group in &groups {
        let one_in = instance::one_in(trace, group, MOST_SAMPLES);
        stages::note_thinned(&mut notices, group, one_in);
        let mut curves = Vec::with_capacity(counters.len());
        for &counter in &counters {
            let samples = instance::fold_counter(trace, &readings, &sets, group, one_in, counter);
            stages::note_absurd(&mut notices, trace, counter, samples.absurd);
            let selected = stages::selected(&samples, settings.select);
            curves.extend(stages::curve(trace, counter, &samples, &selected, settings, &grid));
            points.clouds.extend(stages::cloud(trace, counter, group.number, &samples, &selected));
        }
        folded.push(stages::folded_group(trace, group, one_in, curves));
    }
    stages::note_few_samples(&mut notices, &folded);
    let shown = stages::shown_first(&folded).ok_or(FoldError::NoGroup { region: name.clone() })?;
    let folding = Folding {
        version: Folding::VERSION,
        trace: stages::summary(trace),
        region: name,
        groups: folded,
        shown,
        notices,
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
