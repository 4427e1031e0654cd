//! All that can be folded of a trace, and what of it settings mean.

use std::cell::OnceCell;

use super::FoldError;
use crate::folding::RegionKind;
use crate::instance::{
    self, CatalogueRow, Execution, Grouping, Instance, Region, RegionNames, Repeated,
};
use crate::run;
use crate::settings::{Settings, nearest};
use crate::trace::Trace;

/// Where everything that can be folded begins and ends.
pub struct Regions<'trace> {
    trace: &'trace Trace,
    /// Of every type of event.
    executions: Vec<Vec<Execution>>,
    repeated: Looked,
}

/// What repeats, once somebody has looked for it.
pub type Looked = OnceCell<Vec<Repeated>>;

/// A region with those of its instances that settings choose.
pub struct Named {
    /// `TYPE:VALUE`, or the name of what repeats.
    pub name: String,
    pub region: Region,
    pub kind: RegionKind,
    pub instances: Vec<Instance>,
}

impl<'trace> Regions<'trace> {
    pub fn of(trace: &'trace Trace) -> Self {
        Self::with(trace, instance::executions(trace, |_| true), Looked::default())
    }

    /// Of what is known already.
    pub fn with(trace: &'trace Trace, executions: Vec<Vec<Execution>>, repeated: Looked) -> Self {
        Self { trace, executions, repeated }
    }

    pub fn into_parts(self) -> (Vec<Vec<Execution>>, Looked) {
        (self.executions, self.repeated)
    }

    /// How many instances of regions are held.
    pub fn len(&self) -> usize {
        let repeated = self.repeated.get().into_iter().flatten();
        let executions = self.executions.iter().map(Vec::len).sum::<usize>();
        executions + repeated.map(|of| of.instances.len()).sum::<usize>()
    }

    fn repeated(&self) -> &[Repeated] {
        // The page's engine looks for nothing: it would not load within its limit.
        let looks = cfg!(not(target_arch = "wasm32"));
        self.repeated.get_or_init(|| if looks { run::regions(self.trace) } else { Vec::new() })
    }

    /// What can be folded; see [`instance::catalogue`].
    pub fn catalogue(&self, by: &Grouping) -> Vec<CatalogueRow> {
        instance::catalogue(self.trace, &self.executions, self.repeated(), by)
    }

    pub fn name(&self, region: Region) -> String {
        self.names(self.repeated.get().map_or(&[], Vec::as_slice)).of(region)
    }

    fn names<'a>(&'a self, repeated: &'a [Repeated]) -> RegionNames<'a> {
        RegionNames::new(self.trace, &self.executions, repeated)
    }

    /// The regions that `settings` mean; the one shown at first if they name none.
    ///
    /// What repeats is looked for only where no event says what is meant.
    pub fn asked(&self, settings: &Settings) -> Result<Vec<Region>, FoldError> {
        // Whatever the grouping: what is noise to it is a region all the same.
        let rows = || self.catalogue(&Grouping::Auto);
        let asked = match &settings.region {
            Some(asked) => asked.clone(),
            None => instance::chosen_first(&rows()).ok_or(FoldError::NoRegion)?.to_owned(),
        };
        let of_events = instance::resolve(&self.names(&[]), &asked);
        let regions = match of_events.is_empty() {
            true => instance::resolve(&self.names(self.repeated()), &asked),
            false => of_events,
        };
        if regions.is_empty() {
            let mut all: Vec<String> = Vec::new();
            for row in rows().into_iter().filter(|row| row.kind != RegionKind::Burst) {
                if !all.contains(&row.region) {
                    all.push(row.region);
                }
            }
            let nearest = nearest(&asked, all.iter().map(String::as_str));
            return Err(FoldError::NoSuchRegion { asked, nearest });
        }
        Ok(regions)
    }

    pub fn named(&self, region: Region, settings: &Settings) -> Named {
        let repeated = match region {
            Region::Events { .. } => &[][..],
            Region::Repeated(_) => self.repeated(),
        };
        let kind = match region {
            Region::Events { .. } => RegionKind::Events,
            Region::Repeated(index) => repeated[index as usize].kind,
        };
        let wanted = settings.wanted();
        let (name, executions) = (self.name(region), &self.executions);
        let instances = instance::instances(self.trace, executions, repeated, region, &wanted);
        Named { name, region, kind, instances }
    }
}
