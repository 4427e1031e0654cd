//! All that can be folded of a trace, and what of it settings mean.

use std::cell::OnceCell;

use super::computing::mips;
use super::{FoldError, Held};
use crate::folding::RegionKind;
use crate::instance::{
    self, CatalogueRow, Execution, Grouping, Instance, Outliers, Region, RegionNames, Repeated,
    Repeating,
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

/// What repeats, once somebody has looked for it, and how it is looked for.
#[derive(Default)]
pub struct Looked {
    by: Repeating,
    found: OnceCell<run::Regions>,
}

impl Looked {
    /// Looked for as `by` says: what was found is kept if that is how.
    pub fn by(self, by: Repeating) -> Self {
        if self.by == by { self } else { Self { by, found: OnceCell::new() } }
    }
}

/// A region with those of its instances that settings choose.
pub struct Named {
    /// `TYPE:VALUE`, or the name of what repeats.
    pub name: String,
    pub region: Region,
    pub kind: RegionKind,
    pub instances: Vec<Instance>,
    /// Bursts that are left out of it, in words.
    pub left_out: Option<String>,
}

impl<'trace> Regions<'trace> {
    pub fn of(trace: &'trace Trace, by: Repeating) -> Self {
        // What repeats is found in a whole run.
        if trace.reduced.is_some() {
            return Self::of_events(trace);
        }
        Self::with(trace, instance::executions(trace, |_| true), Looked::default().by(by))
    }

    /// The regions of events alone.
    pub fn of_events(trace: &'trace Trace) -> Self {
        let repeated = Looked { found: run::Regions::default().into(), ..Looked::default() };
        Self::with(trace, instance::executions(trace, |_| true), repeated)
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
        let repeated = self.repeated.found.get().into_iter().flat_map(|found| &found.regions);
        let executions = self.executions.iter().map(Vec::len).sum::<usize>();
        executions + repeated.map(|of| of.instances.len()).sum::<usize>()
    }

    fn found(&self) -> &run::Regions {
        self.repeated.found.get_or_init(|| run::regions(self.trace, &self.repeated.by))
    }

    /// What repeats is taken from what was found in the run as it would be looked for here.
    pub fn take_from(&self, seen: &run::Seen) {
        let regions = || run::Regions::of(self.trace, &self.repeated.by, seen);
        self.repeated.found.get_or_init(regions);
    }

    fn repeated(&self) -> &[Repeated] {
        &self.found().regions
    }

    /// Where passes can begin of what repeats, by its name or alias, as texts of the setting
    /// `boundary`; nowhere of all else.
    pub fn boundaries(&self, region: &str) -> Vec<String> {
        let found = self.found();
        let is_meant = |of: &Repeated| of.name == region || of.alias == region;
        let mut levels = found.regions.iter().zip(&found.boundaries);
        let level = levels.find(|(of, _)| is_meant(of)).map(|(_, begins)| begins);
        level.into_iter().flatten().map(ToString::to_string).collect()
    }

    /// An error if passes shall begin where no loop can, with what the first one offers.
    pub fn check_boundary(&self) -> Result<(), FoldError> {
        match &self.repeated.by.boundary {
            Some(asked) if self.found().lacks_boundary => {
                let offered = self.found().boundaries.first().into_iter().flatten();
                let offered = offered.map(ToString::to_string).collect();
                Err(FoldError::NoSuchBoundary { asked: asked.to_string(), offered })
            }
            _ => Ok(()),
        }
    }

    /// What can be folded; see [`instance::catalogue`]. Iterations have the rate of those threads that
    /// compute.
    pub fn catalogue(&self, by: &Grouping) -> Vec<CatalogueRow> {
        let mut rows = instance::catalogue(self.trace, &self.executions, self.repeated(), by);
        if self.trace.reduced.is_some() {
            self.retain_of_part(&mut rows);
        }
        for row in rows.iter_mut().filter(|row| row.kind == RegionKind::Iteration) {
            let of = self.repeated().iter().find(|of| of.name == row.region);
            let (by, outliers) = instance::usual(row.kind, by, Outliers::None);
            let all = of.map_or(&[][..], |of| &of.instances);
            let groups = instance::group(all, &by, &[], outliers).groups;
            let group = groups.iter().find(|group| group.number == row.group);
            let mips = group.and_then(|of| mips(self.trace, of, self.repeated.by.bursts));
            row.mips = mips.or(row.mips);
        }
        rows
    }

    pub fn name(&self, region: Region) -> String {
        self.names(self.repeated.found.get().map_or(&[], |found| &found.regions)).of(region)
    }

    // On the page these are loaded for parts of folds alone.
    #[inline(never)]
    fn retain_of_part(&self, rows: &mut Vec<CatalogueRow>) {
        if let Some(region) = self.of_part() {
            let name = self.name(region);
            rows.retain(|row| row.region == name);
        }
    }

    #[inline(never)]
    fn only_of_part(&self) -> Result<Vec<Region>, FoldError> {
        let none = || FoldError::NoRegion(Held::by(self.trace));
        self.of_part().map(|region| vec![region]).ok_or_else(none)
    }

    #[inline(never)]
    fn check_of_part(&self, asked: String, regions: &[Region]) -> Result<(), FoldError> {
        match self.of_part() {
            Some(part) if regions != [part] => {
                Err(FoldError::OfAnotherRegion { asked, part: self.name(part) })
            }
            _ => Ok(()),
        }
    }

    /// The one region whose samples a part of a trace has.
    fn of_part(&self) -> Option<Region> {
        let (code, value) = self.trace.reduced.as_ref()?.region;
        let event_type = self.trace.types.iter().position(|of| of.code == code)?;
        Some(Region::Events { event_type: event_type as u32, value })
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
            None if self.trace.reduced.is_some() => return self.only_of_part(),
            None => match instance::chosen_first(&rows()) {
                Some(first) => first.region.to_owned(),
                None => return Err(FoldError::NoRegion(Held::by(self.trace))),
            },
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
        if self.trace.reduced.is_some() {
            self.check_of_part(asked, &regions)?;
        }
        let is_iteration = |region: &Region| match region {
            Region::Events { .. } => false,
            Region::Repeated(at) => self.repeated()[*at as usize].kind == RegionKind::Iteration,
        };
        if regions.iter().any(is_iteration) {
            self.check_boundary()?;
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
        let left_out = match kind {
            RegionKind::Cluster | RegionKind::Burst => self.found().left_out.clone(),
            RegionKind::Events | RegionKind::Iteration => None,
        };
        Named { name, region, kind, instances, left_out }
    }
}
