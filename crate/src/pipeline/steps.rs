//! Rates between the readings of a group, where these stand at few places only.

use super::counted::Over;
use crate::folding::RegionKind;
use crate::instance::{Group, Instance};
use crate::performance::{self, Anchors, Fit, Fitted, Measured};
use crate::run;
use crate::settings::Settings;
use crate::trace::Trace;

/// The curves of counters along time as steps; `None` if they are not asked for and readings are
/// spread well enough.
pub fn steps(
    &Over { trace, kind, group, rulers, giving }: &Over<'_>,
    counters: &[Measured<'_>],
    settings: &Settings,
) -> Option<Fitted> {
    let wanted = match settings.fit {
        Fit::Steps => true,
        Fit::Auto => performance::are_at_few_places(counters),
        Fit::Kriging | Fit::Segments => false,
    };
    if !wanted || rulers.counter().is_some() {
        return None;
    }
    let (at, kept): (Vec<u32>, Vec<&Instance>) = kept(group).into_iter().unzip();
    let lengths = at.into_iter().zip(kept.iter().map(|instance| rulers.length(instance)));
    let lengths = lengths.collect::<Vec<_>>();
    let share = |(ns, of): (&u64, &&Instance)| *ns as f64 / of.duration_ns as f64;
    let anchors = anchors(trace, kind, &kept, |since_begin_ns| {
        since_begin_ns.iter().zip(&kept).map(share).collect()
    });
    let grid = performance::grid(settings.points);
    let borders = settings.breaks.of(group.number);
    Some(performance::steps(counters, &anchors, &lengths, giving, borders, &grid))
}

/// The kept instances of a group, with their indices in it.
pub fn kept(group: &Group) -> Vec<(u32, &Instance)> {
    let used = (0..).zip(&group.instances).filter(|(_, (_, fate))| fate.is_used());
    used.map(|(at, (instance, _))| (at, instance)).collect()
}

/// Where every pass of a loop enters or leaves the same call; of other regions none. `place` makes
/// shares of nanoseconds since the begin of each of `kept`.
pub fn anchors(
    trace: &Trace,
    kind: RegionKind,
    kept: &[&Instance],
    place: impl Fn(&[u64]) -> Vec<f64>,
) -> Anchors {
    if kind != RegionKind::Iteration {
        return Anchors::default();
    }
    let common = run::common(trace, kept);
    Anchors {
        places: common.iter().map(|of| place(&of.since_begin_ns)).collect(),
        names: common.into_iter().map(|of| of.name).collect(),
    }
}
