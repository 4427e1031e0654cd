//! What a run repeats, as regions that can be folded.

use super::repeats::{Repeats, repeats};
use super::rotation::Passes;
use super::{Burst, Cluster, Clusters, EPS, bursts, clusters};
use crate::folding::RegionKind;
use crate::instance::{Counting, Instance, Repeated};
use crate::trace::Trace;

/// Clusters beyond these are no regions: the smallest ones change with Eps, and nobody reads a list
/// of thousands.
const MOST_CLUSTERS: usize = 100;

/// Iterations, the outer ones first, clusters of bursts, and all bursts; each with a name of its own.
/// O(events).
pub fn regions(trace: &Trace) -> Vec<Repeated> {
    let mut regions = Vec::new();
    if let Ok(repeats) = repeats(trace) {
        regions.extend(iterations(trace, &repeats));
    }
    let bursts = bursts(trace);
    regions.extend(alike(trace, &bursts, &clusters(trace, &bursts, EPS)));
    regions.extend(all(trace, &bursts));
    regions
}

fn iterations(trace: &Trace, repeats: &Repeats) -> Vec<Repeated> {
    let mut regions: Vec<Repeated> = Vec::new();
    for (number, level) in (1..).zip(&repeats.levels) {
        let name = repeats.name(level);
        // Loops may begin at one place: the outer one has the name.
        let is_taken = regions.iter().any(|outer| outer.name == name);
        let name = if is_taken { format!("{name} ({number})") } else { name };
        let passes = |passes: &Passes| {
            let thread = repeats.sites.calls.get(passes.rank as usize).map(|(thread, _)| *thread);
            let pass = move |&(begin_ns, end_ns): &(u64, u64)| {
                Instance::between(trace, thread?, [begin_ns, end_ns], Counting::Every)
            };
            passes.instances_ns.iter().filter_map(pass).collect::<Vec<_>>()
        };
        regions.push(Repeated {
            kind: RegionKind::Iteration,
            // A loop over a marked routine is that region with the gaps between its instances.
            may_be_first: level.is_regular() && !repeats.begins_at_routine(level),
            name,
            alias: format!("Iteration:{number}"),
            instances: level.ranks.iter().flat_map(passes).collect(),
        });
    }
    regions
}

fn alike(trace: &Trace, bursts: &[Burst], clusters: &Clusters) -> Vec<Repeated> {
    let region = |cluster: &Cluster| Repeated {
        kind: RegionKind::Cluster,
        may_be_first: true,
        name: cluster.name.clone(),
        alias: format!("Cluster:{}", cluster.number),
        instances: Vec::with_capacity(cluster.bursts),
    };
    let mut regions = clusters.clusters.iter().take(MOST_CLUSTERS).map(region).collect::<Vec<_>>();
    for (at, burst) in (0..).zip(bursts) {
        let number = clusters.of(at) as usize;
        if let Some(region) = number.checked_sub(1).and_then(|index| regions.get_mut(index)) {
            region.instances.extend(burst.instance(trace));
        }
    }
    regions
}

fn all(trace: &Trace, bursts: &[Burst]) -> Option<Repeated> {
    let name = "Burst:*".to_owned();
    let instances = bursts.iter().filter_map(|burst| burst.instance(trace)).collect::<Vec<_>>();
    // What no call divides is no burst between calls.
    let is_divided = instances.windows(2).any(|pair| pair[0].thread == pair[1].thread);
    is_divided.then(|| Repeated {
        kind: RegionKind::Burst,
        may_be_first: false,
        alias: name.clone(),
        name,
        instances,
    })
}

impl Burst {
    /// The same as an instance of a region; `None` of no duration.
    pub fn instance(&self, trace: &Trace) -> Option<Instance> {
        Instance::between(trace, self.thread, [self.begin_ns, self.end_ns], Counting::First)
    }
}
