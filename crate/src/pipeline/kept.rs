//! What one fold leaves for the next of the same trace.

use super::counted::{Counted, counted};
use super::group::{Performed, performed};
use super::regions::{Looked, Named, Regions};
use super::{FoldError, OfTrace, folding};
use crate::folding::{Fate, Folding, Points};
use crate::instance::{CatalogueRow, Execution, Grouping, Instance, Repeating};
use crate::model::Model;
use crate::run::Seen;
use crate::settings::{Settings, Stage};
use crate::trace::Trace;

/// More executions, of 32 bytes each, or instances of what repeats, of 40, are not kept: of a trace
/// of gigabytes they take some hundred megabytes, which folding can use.
const MOST_EXECUTIONS: usize = 1 << 21;

/// What is known of a trace, and what each stage gave last: a fold with other settings begins at
/// the first stage that they act on.
///
/// All of it is of one trace; for another one begin with nothing kept.
#[derive(Default)]
pub struct Kept {
    /// Only events say what a region is; nothing else is looked for, nor what threads do.
    only_events: bool,
    regions: Option<(Vec<Vec<Execution>>, Looked)>,
    of_trace: Option<OfTrace>,
    catalogue: Last<(Grouping, Repeating), Vec<CatalogueRow>>,
    counted: Last<Settings, Result<Counted, FoldError>>,
    performed: Last<Settings, Result<Vec<Performed>, FoldError>>,
}

impl Kept {
    /// Of a trace in which nothing that repeats is looked for, until [`look`](Self::look) is called:
    /// by a page in which the code that does is not there yet.
    pub fn of_events() -> Self {
        Self { only_events: true, ..Self::default() }
    }

    /// From now on all that repeats is a region, and what threads do is told.
    pub fn look(&mut self) {
        if std::mem::take(&mut self.only_events) {
            (self.catalogue, self.counted) = (Last::default(), Last::default());
            self.performed = Last::default();
            self.regions = self.regions.take().map(|(events, _)| (events, Looked::default()));
        }
    }

    /// Folds the one region that `settings` mean: gives what [`run_with`](super::run_with) gives.
    pub fn fold(
        &mut self,
        trace: &Trace,
        settings: &Settings,
        models: &[Model],
    ) -> Result<(Folding, Points), FoldError> {
        let Self { only_events, regions, counted: of_counters, performed: of_curves, .. } = self;
        let counted = of_counters.of(settings.up_to(Stage::Counters), || {
            let the_one = |regions: &Regions<'_>| the_one(regions, settings);
            let by = settings.repeating();
            let region = with_regions(regions, trace, by, *only_events, the_one)?;
            counted(trace, region, settings, *only_events)
        });
        let counted = counted.as_ref().map_err(FoldError::clone)?;
        let performed =
            of_curves.of(settings.up_to(Stage::Curves), || performed(trace, counted, settings));
        let performed = performed.as_ref().map_err(FoldError::clone)?;
        let of_trace = self.of_trace.get_or_insert_with(|| OfTrace::of(trace));
        folding(trace, counted, performed, of_trace, settings, models)
    }

    /// The instances of a group of the last fold, which `settings` gave, with its limits; and those of its
    /// region that are left out for when they start alone. `None` if it is of other settings, or there
    /// is no such group.
    pub(super) fn over_run(
        &mut self,
        trace: &Trace,
        settings: &Settings,
        group: u32,
    ) -> Option<OverRun> {
        let Self { only_events, regions, counted, .. } = self;
        let counted = counted.get(&settings.up_to(Stage::Counters))?.as_ref().ok()?;
        let group = counted.grouped.groups.iter().find(|of| of.number == group)?;
        let mut outside = vec![];
        if settings.from.is_some() || settings.to.is_some() {
            let whole = Settings { from: None, to: None, ..settings.clone() };
            let the_one = |regions: &Regions<'_>| the_one(regions, &whole);
            let named = with_regions(regions, trace, whole.repeating(), *only_events, the_one);
            let (from, to) = (settings.from.unwrap_or(0), settings.to.unwrap_or(u64::MAX));
            let is_outside = |of: &Instance| !(from..=to).contains(&of.start_ns);
            outside.extend(named.ok()?.instances.into_iter().filter(is_outside));
        }
        Some((group.instances.clone(), group.limits_ns, outside))
    }

    /// What can be folded; see [`catalogue`](super::catalogue).
    pub fn catalogue(&mut self, trace: &Trace, settings: &Settings) -> &[CatalogueRow] {
        self.catalogue_with(trace, settings, None)
    }

    /// The same of a run in which this was found as `settings` say: it is not looked for again.
    pub fn catalogue_with(
        &mut self,
        trace: &Trace,
        settings: &Settings,
        seen: Option<&Seen>,
    ) -> &[CatalogueRow] {
        let (group, by) = (&settings.group, settings.repeating());
        let Self { only_events, regions, catalogue, .. } = self;
        let rows = |all: &Regions<'_>| {
            seen.into_iter().for_each(|seen| all.take_from(seen));
            all.catalogue(group)
        };
        catalogue.of((group.clone(), by.clone()), || {
            with_regions(regions, trace, by, *only_events, rows)
        })
    }

    /// Where passes of a loop, by its name or alias, can begin: texts of the setting `boundary`.
    /// Nowhere of a region that is no loop.
    pub fn boundaries(&mut self, trace: &Trace, settings: &Settings, region: &str) -> Vec<String> {
        let Self { only_events, regions, .. } = self;
        let boundaries = |all: &Regions<'_>| all.boundaries(region);
        with_regions(regions, trace, settings.repeating(), *only_events, boundaries)
    }
}

/// Instances of a group with their fates, its limits, and instances of other times.
type OverRun = (Vec<(Instance, Fate)>, Option<[f64; 2]>, Vec<Instance>);

/// What `look` sees in the regions of `trace`, which are gathered unless they were kept.
fn with_regions<T>(
    kept: &mut Option<(Vec<Vec<Execution>>, Looked)>,
    trace: &Trace,
    by: Repeating,
    only_events: bool,
    look: impl FnOnce(&Regions<'_>) -> T,
) -> T {
    let regions = match kept.take() {
        Some((executions, repeated)) if only_events => Regions::with(trace, executions, repeated),
        Some((executions, repeated)) => Regions::with(trace, executions, repeated.by(by)),
        None if only_events => Regions::of_events(trace),
        None => Regions::of(trace, by),
    };
    let seen = look(&regions);
    let few = regions.len() <= MOST_EXECUTIONS;
    *kept = few.then(|| regions.into_parts());
    seen
}

/// The region that `settings` mean; an error if they mean several.
pub(super) fn the_one(regions: &Regions<'_>, settings: &Settings) -> Result<Named, FoldError> {
    let asked = regions.asked(settings)?;
    let [region] = asked.as_slice() else {
        let first = asked.iter().take(3).map(|region| regions.name(*region)).collect();
        return Err(FoldError::SeveralRegions { count: asked.len(), first });
    };
    Ok(regions.named(*region, settings))
}

/// What a stage gave last, with what it was asked for.
struct Last<K, V>(Option<(K, V)>);

impl<K, V> Default for Last<K, V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: PartialEq, V> Last<K, V> {
    /// The last value, if that was asked for.
    fn get(&self, asked: &K) -> Option<&V> {
        self.0.as_ref().filter(|(of, _)| of == asked).map(|(_, value)| value)
    }

    /// The value for `asked`: the last one if that was asked for then, else a new one, before which
    /// the last is let go.
    fn of(&mut self, asked: K, make: impl FnOnce() -> V) -> &V {
        let last = self.0.take().filter(|(of, _)| *of == asked);
        let value = last.map_or_else(make, |(_, value)| value);
        &self.0.insert((asked, value)).1
    }
}
