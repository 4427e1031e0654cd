//! Rates between the readings of a group, where these stand at few places only.

use super::counted::Over;
use crate::instance::Instance;
use crate::performance::{self, Anchors, Fit, Fitted, Measured};
use crate::run;
use crate::settings::Settings;
use crate::trace::Trace;

/// The curves of counters along time as steps; `None` if they are not asked for and readings are
/// spread well enough.
pub fn steps(
    &Over { trace, group, rulers, one_in }: &Over<'_>,
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
    let kept = group.kept().collect::<Vec<_>>();
    let used = (0..).zip(&group.instances).filter(|(_, (_, fate))| fate.is_used());
    let lengths = used.map(|(at, (instance, _))| (at, rulers.length(instance))).collect::<Vec<_>>();
    let (anchors, grid) = (anchors(trace, &kept), performance::grid(settings.points));
    let borders = settings.breaks.of(group.number);
    Some(performance::steps(counters, &anchors, &lengths, one_in, borders, &grid))
}

/// Where every kept instance enters or leaves the same call.
fn anchors(trace: &Trace, kept: &[&Instance]) -> Anchors {
    let share = |(ns, of): (&u64, &&Instance)| *ns as f64 / of.duration_ns as f64;
    let common = if cfg!(target_arch = "wasm32") { vec![] } else { run::common(trace, kept) };
    let places = |of: &run::Common| of.since_begin_ns.iter().zip(kept).map(share).collect();
    Anchors {
        places: common.iter().map(places).collect(),
        names: common.into_iter().map(|of| of.name).collect(),
    }
}
