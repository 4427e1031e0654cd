//! What one fold leaves for the next of the same trace.

use super::counted::{Counted, Named, counted};
use super::group::{Performed, performed};
use super::{FoldError, allocations, folding, regions};
use crate::address::Allocations;
use crate::folding::{Folding, Points};
use crate::instance::{self, CatalogueRow, Execution, Grouping, RegionNames};
use crate::model::Model;
use crate::settings::{Settings, Stage};
use crate::trace::Trace;

/// More executions, of 32 bytes each, are not kept: of a trace of gigabytes they take some hundred
/// megabytes, which folding can use.
const MOST_EXECUTIONS: usize = 1 << 21;

/// What is known of a trace, and what each stage gave last: a fold with other settings begins at
/// the first stage that they act on.
///
/// All of it is of one trace; for another one begin with nothing kept.
#[derive(Default)]
pub struct Kept {
    executions: Option<Vec<Vec<Execution>>>,
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
        let Self { executions, counted: of_counters, performed: of_curves, .. } = self;
        let counted = of_counters.of(settings.up_to(Stage::Counters), || {
            let region = with_executions(executions, trace, |executions| {
                the_one(trace, executions, settings)
            })?;
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
        let Self { executions, catalogue, .. } = self;
        let rows = |executions: &[Vec<Execution>]| instance::catalogue(trace, executions, by);
        catalogue.of(by.clone(), || with_executions(executions, trace, rows))
    }
}

/// What `look` sees in the executions of `trace`, which are gathered unless they were kept.
fn with_executions<T>(
    kept: &mut Option<Vec<Vec<Execution>>>,
    trace: &Trace,
    look: impl FnOnce(&[Vec<Execution>]) -> T,
) -> T {
    let executions = kept.take().unwrap_or_else(|| instance::executions(trace, |_| true));
    let seen = look(&executions);
    let count = executions.iter().map(Vec::len).sum::<usize>();
    *kept = Some(executions).filter(|_| count <= MOST_EXECUTIONS);
    seen
}

/// The region that `settings` mean; an error if they mean several.
fn the_one(
    trace: &Trace,
    executions: &[Vec<Execution>],
    settings: &Settings,
) -> Result<Named, FoldError> {
    let names = RegionNames::new(trace, executions);
    let regions = regions::regions(trace, executions, &names, settings)?;
    let [region] = regions.as_slice() else {
        let first = regions.iter().take(3).map(|region| names.of(*region)).collect();
        return Err(FoldError::SeveralRegions { count: regions.len(), first });
    };
    Ok(Named::of(trace, executions, &names, *region, settings))
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
