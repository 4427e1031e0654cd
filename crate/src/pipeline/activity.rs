//! What threads and memory controllers do while the instances of a group run.

use super::counted::Over;
use crate::folding::{Activity, Bandwidth, Doing, Gauge, Phase, RegionKind};
use crate::run;
use crate::settings::Settings;

/// `None` where it is not known, where it goes without saying, and along a counter, where no moment of
/// a folded instance is one of time.
///
/// Bursts compute. Of what events delimit it is told where threads now compute and now do not: a
/// region that is one call, or that makes none, is no news.
pub fn activity(
    &Over { trace, kind, group, rulers, .. }: &Over<'_>,
    settings: &Settings,
) -> Option<Activity> {
    let is_burst = matches!(kind, RegionKind::Cluster | RegionKind::Burst);
    if is_burst || rulers.counter().is_some() {
        return None;
    }
    let activity = run::activity(trace, &group.kept().collect::<Vec<_>>(), settings.bursts)?;
    let is_news =
        activity.efficiency > 0.0 && activity.parts.iter().any(|of| of.doing != Doing::Computing);
    (is_news || kind == RegionKind::Iteration).then_some(activity)
}

/// Fills the load balance of phases of a group whose activity is known.
pub fn balance(&Over { trace, group, .. }: &Over<'_>, settings: &Settings, phases: &mut [Phase]) {
    let stretches = phases.iter().map(|phase| [phase.start, phase.end]).collect::<Vec<_>>();
    let kept = group.kept().collect::<Vec<_>>();
    let balances = run::balances(trace, &kept, settings.bursts, &stretches);
    for (phase, balance) in phases.iter_mut().zip(balances) {
        phase.balance = balance;
    }
}

/// What memory controllers of the same nodes read and write, as other processes read them; `None` where
/// there are none, and along a counter.
pub fn bandwidth(&Over { trace, group, rulers, .. }: &Over<'_>) -> Option<Bandwidth> {
    match rulers.counter() {
        Some(_) => None,
        None => run::bandwidth(trace, &group.kept().collect::<Vec<_>>()),
    }
}

/// Levels and counters of sockets that are read meanwhile; none along a counter.
pub fn gauges(&Over { trace, group, rulers, .. }: &Over<'_>, settings: &Settings) -> Vec<Gauge> {
    match rulers.counter() {
        Some(_) => vec![],
        None => run::gauges(trace, &group.kept().collect::<Vec<_>>(), settings.holds),
    }
}
