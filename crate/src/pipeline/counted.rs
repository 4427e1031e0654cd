//! The instances of a region in their groups, with their counters: all that does not depend on how
//! curves are fitted.

use super::FoldError;
use super::activity::{activity, bandwidth, gauges};
use super::counters::Counters;
use super::families;
use super::kept::the_one;
use super::measured::{Measured, measured, readings_of};
use super::notices;
use super::prefilter::prefilter;
use super::regions::{Named, Regions};
use crate::folding::{Activity, Bandwidth, Fate, FoldingNotice, Gauge, RegionKind};
use crate::instance::{self, Giving, Grouping, Groups, Instance, Region, Rulers, Sets};
use crate::settings::Settings;
use crate::trace::Trace;

/// What is to be fitted.
pub struct Counted {
    pub grouped: Grouped,
    /// By group, the counters that its instances carry.
    pub measured: Vec<Vec<Measured>>,
    /// By group, what threads do while its instances run, where that is known.
    pub activities: Vec<Option<Activity>>,
    /// By group, what memory controllers read and write meanwhile, where somebody read them.
    pub bandwidths: Vec<Option<Bandwidth>>,
    /// By group, levels and counters of sockets.
    pub gauges: Vec<Vec<Gauge>>,
    /// What was odd so far.
    pub notices: Vec<FoldingNotice>,
}

/// Groups the instances of a region and folds their counters. With `only_events` nobody looks at what
/// threads do.
pub fn counted(
    trace: &Trace,
    region: Named,
    settings: &Settings,
    only_events: bool,
) -> Result<Counted, FoldError> {
    let left_out = region.left_out.clone();
    let counters = Counters::named(trace, settings)?;
    let mut grouped = Grouped::of(trace, region, &counters, settings)?;
    if settings.prefilter {
        prefilter(trace, &mut grouped, &counters.folded, settings);
    }
    let mut notices = notices::of_grouping(trace, &grouped, settings);
    notices.extend(left_out.map(notices::of_run));
    let mut measured = measured(trace, &grouped, &counters.folded, settings, &mut notices);
    notices.extend(families::find(trace, &grouped, &mut measured, settings));
    let activity = |over| if only_events { None } else { activity(&over, settings) };
    let activities = grouped.each(trace).map(activity).collect();
    let bandwidth = |over| if only_events { None } else { bandwidth(&over) };
    let bandwidths = grouped.each(trace).map(bandwidth).collect();
    let gauges = |over| if only_events { vec![] } else { gauges(&over, settings) };
    let gauges = grouped.each(trace).map(gauges).collect();
    Ok(Counted { grouped, measured, activities, bandwidths, gauges, notices })
}

/// The instances of a region along an axis, in their groups.
pub struct Grouped {
    /// What the region is called.
    pub name: String,
    pub region: Region,
    pub kind: RegionKind,
    /// Those of all groups.
    pub instances: Vec<Instance>,
    pub sets: Sets,
    pub rulers: Rulers,
    pub groups: Vec<instance::Group>,
    /// More samples of a group than this are not folded.
    pub most_samples: u64,
    /// By group, which instances give their samples.
    pub giving: Vec<Giving>,
    /// Instances that no group takes, each with the reason.
    pub apart: Vec<(Instance, Fate)>,
    /// Instances that have no place along the axis.
    pub off_axis: usize,
}

/// What is folded: a group of a trace along its rulers; those instances that are `giving` give their samples.
pub struct Over<'a> {
    pub trace: &'a Trace,
    pub kind: RegionKind,
    pub group: &'a instance::Group,
    pub rulers: &'a Rulers,
    pub giving: &'a Giving,
}

impl Over<'_> {
    /// Whether threads wait for each other in it, so that rates are of those that compute.
    pub fn has_waiting(&self) -> bool {
        self.kind == RegionKind::Iteration && self.rulers.counter().is_none()
    }
}

impl Grouped {
    fn of(
        trace: &Trace,
        named: Named,
        counters: &Counters,
        settings: &Settings,
    ) -> Result<Self, FoldError> {
        let grouped = Self::by_totals(trace, named, counters, settings)?;
        if trace.reduced.is_some() {
            none_summed(trace, &grouped.groups, &grouped.giving, &grouped.name)?;
        }
        Ok(grouped)
    }

    /// The same, whether the samples of those that give them are there or not.
    fn by_totals(
        trace: &Trace,
        Named { name, region, kind, mut instances, .. }: Named,
        counters: &Counters,
        settings: &Settings,
    ) -> Result<Self, FoldError> {
        if instances.is_empty() {
            return Err(FoldError::NoInstances { region: name });
        }
        if trace.reduced.is_some() {
            all_known(trace, &instances, &name)?;
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
            let (region, counter) = (name, along.counter.clone());
            return Err(FoldError::NoneAlong { region, counter });
        }
        let totals = counters.of_groups.map(|counter| totals(trace, counter, &sets, &instances));
        let (by, outliers) = instance::usual(kind, &settings.group, settings.outliers);
        let totals = totals.unwrap_or_default();
        let Groups { groups, apart } = instance::group(&instances, &by, &totals, outliers);
        if let (Grouping::By(counter), true) = (&by, groups.is_empty()) {
            let (region, counter) = (name, counter.clone());
            return Err(FoldError::NoneCounts { region, counter });
        }
        let most_samples = settings.samples.unwrap_or(u64::MAX);
        let giving = groups.iter().map(|group| Giving::of(trace, group, most_samples));
        let (giving, off_axis) = (giving.collect::<Vec<_>>(), all - instances.len());
        Ok(Self {
            name,
            region,
            kind,
            instances,
            sets,
            rulers,
            groups,
            most_samples,
            giving,
            apart,
            off_axis,
        })
    }

    /// Every group with its rulers.
    pub fn each<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = Over<'a>> {
        let groups = self.groups.iter().zip(&self.giving);
        let (kind, rulers) = (self.kind, &self.rulers);
        groups.map(move |(group, giving)| Over { trace, kind, group, rulers, giving })
    }
}

/// An error if samples of any of these are not all there.
// On the page it is loaded for parts of folds alone, as the next one is.
#[inline(never)]
fn all_known(trace: &Trace, instances: &[Instance], region: &str) -> Result<(), FoldError> {
    let is_known = |of: &Instance| {
        let known = trace.threads[of.thread as usize].known();
        known.has(of.start_ns, of.start_ns + of.duration_ns)
    };
    match instances.iter().all(is_known) {
        true => Ok(()),
        false => Err(FoldError::Recurs { region: region.to_owned() }),
    }
}

/// An error if the samples were summed up of any that is to give them.
#[inline(never)]
fn none_summed(
    trace: &Trace,
    groups: &[instance::Group],
    giving: &[Giving],
    region: &str,
) -> Result<(), FoldError> {
    let is_summed = |(at, (of, _)): (usize, &(Instance, Fate)), giving: &Giving| {
        let known = trace.threads[of.thread as usize].known();
        giving.has(at) && known.summed_at(of.start_ns) > 0
    };
    let mut of_groups = groups.iter().zip(giving);
    let any = of_groups
        .any(|(group, giving)| group.instances.iter().enumerate().any(|of| is_summed(of, giving)));
    if any { Err(FoldError::Summed { region: region.to_owned() }) } else { Ok(()) }
}

/// An instance, and whether it gives its samples.
pub type Shown = (Instance, bool);

/// Which instances of the one region that `settings` mean give their samples, of all groups; those that no
/// group takes do not.
pub fn shown(trace: &Trace, settings: &Settings) -> Result<Vec<Shown>, FoldError> {
    let regions = Regions::of(trace, settings.repeating());
    let region = the_one(&regions, settings)?;
    let grouped = Grouped::of(trace, region, &Counters::named(trace, settings)?, settings)?;
    let of_groups = grouped.groups.iter().zip(&grouped.giving).flat_map(|(group, giving)| {
        group.instances.iter().enumerate().map(|(at, (instance, _))| (*instance, giving.has(at)))
    });
    Ok(of_groups.chain(grouped.apart.iter().map(|(instance, _)| (*instance, false))).collect())
}

/// The instances of every group of the one region that `settings` mean, whether their samples are there or not, and
/// in how many bits 0 the keys of those end that give their samples.
pub fn grouped(trace: &Trace, settings: &Settings) -> Result<Vec<(Vec<Instance>, u32)>, FoldError> {
    let regions = Regions::of(trace, settings.repeating());
    let region = the_one(&regions, settings)?;
    let counters = Counters::named(trace, settings)?;
    let Grouped { groups, giving, .. } = Grouped::by_totals(trace, region, &counters, settings)?;
    let of_groups = groups.into_iter().zip(&giving).map(|(group, giving)| {
        (group.instances.into_iter().map(|(instance, _)| instance).collect(), giving.level())
    });
    Ok(of_groups.collect())
}

/// What each of `instances` counted of `counter`; `None` where it cannot be trusted.
fn totals(trace: &Trace, counter: u32, sets: &Sets, instances: &[Instance]) -> Vec<Option<u64>> {
    let readings = readings_of(trace, &[counter], instances);
    let total = |instance: &Instance| {
        readings[instance.thread as usize].total(sets, counter, instance.inside())
    };
    instances.iter().map(total).collect()
}
