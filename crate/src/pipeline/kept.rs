//! What one fold leaves for the next of the same trace.

use super::counted::{Counted, Named, counted};
use super::group::{Performed, performed};
use super::{FoldError, allocations, folding, regions};
use crate::address::Allocations;
use crate::folding::{Folding, Points};
use crate::instance::{self, Burst, CatalogueRow, Grouping, RegionNames};
use crate::model::Model;
use crate::settings::{Settings, Stage};
use crate::trace::Trace;

/// More bursts, of 32 bytes each, are not kept: of a trace of gigabytes they take some hundred
/// megabytes, which folding can use.
const MOST_BURSTS: usize = 1 << 21;

/// What is known of a trace, and what each stage gave last: a fold with other settings begins at
/// the first stage that they act on.
///
/// All of it is of one trace; for another one begin with nothing kept.
#[derive(Default)]
pub struct Kept {
    bursts: Option<Vec<Vec<Burst>>>,
    allocations: Option<Allocations>,
    catalogue: Last<Grouping, Vec<CatalogueRow>>,
    counted: Last<Settings, Result<Counted, FoldError>>,
    performed: Last<Settings, Result<Vec<Performed>, FoldError>>,
}

impl Kept {
    /// Folds the one region that `settings` mean: gives what [`run_with`](super::run_with) gives.
    pub fn fold(
        &mut self,
        trace: &Trace,
        settings: &Settings,
        models: &[Model],
    ) -> Result<(Folding, Points), FoldError> {
        let Self { bursts, counted: of_counters, performed: of_curves, .. } = self;
        let counted = of_counters.of(settings.up_to(Stage::Counters), || {
            let region = with_bursts(bursts, trace, |bursts| the_one(trace, bursts, settings))?;
            counted(trace, region, settings)
        });
        let counted = counted.as_ref().map_err(FoldError::clone)?;
        let performed =
            of_curves.of(settings.up_to(Stage::Curves), || performed(trace, counted, settings));
        let performed = performed.as_ref().map_err(FoldError::clone)?;
        let allocations = self.allocations.get_or_insert_with(|| allocations(trace));
        folding(trace, counted, performed, allocations, settings, models)
    }

    /// What can be folded; see [`catalogue`](super::catalogue).
    pub fn catalogue(&mut self, trace: &Trace, settings: &Settings) -> &[CatalogueRow] {
        let by = &settings.group;
        let Self { bursts, catalogue, .. } = self;
        let rows = |bursts: &[Vec<Burst>]| instance::catalogue(trace, bursts, by);
        catalogue.of(by.clone(), || with_bursts(bursts, trace, rows))
    }
}

/// What `look` sees in the bursts of `trace`, which are gathered unless they were kept.
fn with_bursts<T>(
    kept: &mut Option<Vec<Vec<Burst>>>,
    trace: &Trace,
    look: impl FnOnce(&[Vec<Burst>]) -> T,
) -> T {
    let bursts = kept.take().unwrap_or_else(|| instance::bursts(trace, |_| true));
    let seen = look(&bursts);
    let count = bursts.iter().map(Vec::len).sum::<usize>();
    *kept = Some(bursts).filter(|_| count <= MOST_BURSTS);
    seen
}

/// The region that `settings` mean; an error if they mean several.
fn the_one(trace: &Trace, bursts: &[Vec<Burst>], settings: &Settings) -> Result<Named, FoldError> {
    let names = RegionNames::new(trace, bursts);
    let regions = regions::regions(trace, bursts, &names, settings)?;
    let [region] = regions.as_slice() else {
        let first = regions.iter().take(3).map(|region| names.of(*region)).collect();
        return Err(FoldError::SeveralRegions { count: regions.len(), first });
    };
    Ok(Named::of(trace, bursts, &names, *region, settings))
}

/// What a stage gave last, with what it was asked for.
struct Last<K, V>(Option<(K, V)>);

impl<K, V> Default for Last<K, V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: PartialEq, V> Last<K, V> {
    /// The value for `asked`: the last one if that was asked for then, else a new one, before which
    /// the last is let go.
    fn of(&mut self, asked: K, make: impl FnOnce() -> V) -> &V {
        let last = self.0.take().filter(|(of, _)| *of == asked);
        let value = last.map_or_else(make, |(_, value)| value);
        &self.0.insert((asked, value)).1
    }
}
