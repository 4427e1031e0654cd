//! A run as a whole, as it is compared with another.

use crate::compare::{Clustered, RegionSpent, Spent, WholeRun};
use crate::glance::ThreadUse;
use crate::hybrid::{self, Choices, Unwind};
use crate::order::Texts;
use crate::profile::{NodeKind, Profile};
use crate::run::{Cluster, EPS, bursts, clusters, efficiency};
use crate::trace::Trace;

/// What the time of a run went into, and the clusters of its bursts.
#[inline(never)]
pub fn whole_run(trace: &Trace) -> WholeRun {
    let spent = efficiency(trace).map(|of| spent_in(&of));
    let threads = spent.as_ref().map_or(1.0, |of| of.threads);
    let clusters = clusters(trace, &bursts(trace), EPS).clusters;
    let work = |of: &Cluster| of.instructions.map(|each| each * of.bursts as f64);
    let all = clusters.iter().filter_map(work).sum::<f64>();
    let are_finite = |of: &[f64; 2]| of.iter().all(|number| number.is_finite());
    let clustered = clusters.iter().map(|of| Clustered {
        number: of.number,
        name: of.name.clone(),
        call: of.call.clone(),
        ms: of.time_ns as f64 / threads / 1e6,
        share: of.share_of_threads,
        work: work(of).map(|work| work / all).filter(|share| share.is_finite()),
        ipc: of
            .ipc
            .zip(of.ipc_error)
            .map(|(ipc, error)| [libm::log(ipc), error * error])
            .filter(are_finite),
    });
    let clusters = clustered.collect();
    match spent {
        Ok(spent) => WholeRun { spent: Some(spent), clusters, ..WholeRun::default() },
        Err(why) => {
            WholeRun { not_spent: why.sentence().to_owned(), clusters, ..WholeRun::default() }
        }
    }
}

fn spent_in(of: &ThreadUse) -> Spent {
    Spent {
        runtime_ns: of.runtime_ns as f64,
        useful_ns: of.useful_ns as f64,
        longest_ns: of.longest_ns as f64,
        threads: f64::from(of.threads),
        counted: of
            .instructions()
            .zip(of.cycles())
            .map(|(instructions, cycles)| [instructions as f64, cycles as f64]),
    }
}

/// What the regions of a run spend, those of one name together, as their probes say; what lies outside of all of
/// them is a region as well, so that they add up to the run. O(events · log nodes).
#[inline(never)]
pub fn regions_spent(trace: &Trace) -> Vec<RegionSpent> {
    let choices = Choices { unwind: Unwind::Flat, ..Choices::default() };
    of_profile(&hybrid::profile(trace, choices))
}

fn of_profile(profile: &Profile) -> Vec<RegionSpent> {
    let threads = profile.threads.len().max(1) as f64;
    let total = profile.total();
    let Some(exclusive_ns) = profile.time().and_then(|metric| total.exclusive.get(metric)) else {
        return vec![];
    };
    let (mut names, mut regions) = (Texts::default(), Vec::<RegionSpent>::new());
    let mut place = |name: &str, regions: &mut Vec<RegionSpent>| {
        let at = names.of(name) as usize;
        if at == regions.len() {
            regions.push(RegionSpent { name: name.to_owned(), ..RegionSpent::default() });
        }
        at
    };
    for (at, node) in total.nodes.iter().enumerate() {
        let Some(node) = profile.nodes.get(*node as usize) else { continue };
        let count = total.counts.get(at).copied().unwrap_or(0.0);
        if node.kind == NodeKind::Probe {
            let region = place(&node.name, &mut regions);
            regions[region].instances += count / threads;
            regions[region].exclusive_ms +=
                exclusive_ns.get(at).copied().unwrap_or(0.0) / threads / 1e6;
        } else if node.kind == NodeKind::Sample
            && let Some(context) = node.parent.and_then(|parent| profile.nodes.get(parent as usize))
        {
            // Without what lies between, what is sampled is below the context.
            let region = place(&context.name, &mut regions);
            regions[region].routines.push((node.name.clone(), count));
        }
    }
    regions
}
