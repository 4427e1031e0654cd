//! What a run repeats, as regions that can be folded.

use super::repeats::Repeats;
use super::rotation::Passes;
use super::{Burst, Cluster, Clusters, Level, Seen};
use crate::folding::RegionKind;
use crate::instance::{Counting, Instance, PassBegin, Repeated, Repeating};
use crate::trace::Trace;

/// Clusters beyond these are no regions: the smallest ones change with Eps, and nobody reads a list
/// of thousands.
const MOST_CLUSTERS: usize = 100;

/// What a run repeats, and what is told of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regions {
    /// Iterations, the outer ones first, clusters of bursts, and all bursts; each with a name of its
    /// own.
    pub regions: Vec<Repeated>,
    /// Of each iteration, which come first, where its passes can begin.
    pub boundaries: Vec<Vec<PassBegin>>,
    /// Whether no loop has the boundary that was asked for: they begin where most passes are whole.
    pub lacks_boundary: bool,
    /// Bursts that are left out, in words.
    pub left_out: Option<String>,
}

/// What repeats, found as `by` says. O(events).
#[inline(never)]
pub fn regions(trace: &Trace, by: &Repeating) -> Regions {
    Regions::of(trace, by, &Seen::of(trace, by))
}

impl Regions {
    /// Of a run in which `seen` was found as `by` says. O(bursts).
    #[inline(never)]
    pub fn of(trace: &Trace, by: &Repeating, seen: &Seen) -> Self {
        let begin = by.boundary.as_ref();
        let mut found = Self { lacks_boundary: begin.is_some(), ..Self::default() };
        if let Ok(repeats) = &seen.repeats {
            let boundaries = |level: &Level| repeats.boundaries(level);
            found.boundaries = repeats.levels.iter().map(boundaries).collect();
            found.lacks_boundary = begin.is_some_and(|begin| !repeats.begins_at(begin));
            found.regions.extend(iterations(trace, repeats));
        }
        found.left_out.clone_from(&seen.left_out);
        found.regions.extend(alike(trace, &seen.bursts, &seen.clusters));
        found.regions.extend(all(trace, &seen.bursts));
        found
    }
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
        let of = trace.threads.get(self.thread as usize)?;
        // Readings at its end are its own, but not inside.
        let mut last = self.beyond;
        while last > self.first && of.time_ns(last - 1) == self.end_ns {
            last -= 1;
        }
        let times_ns = [self.begin_ns, self.end_ns];
        Instance::with(trace, self.thread, times_ns, [self.first, last], Counting::First)
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::super::bursts;
    use super::super::made_up::{INSTRUCTIONS, Program};
    use super::*;

    #[test]
    fn a_burst_is_the_instance_between_its_begin_and_its_end() {
        let mut random = Random::new(5);
        let mut counted = 0;
        for _ in 0..50 {
            let mut program = Program::lasting(2_000);
            let mut now = random.below(30);
            while now < 1_500 {
                let end = now + 1 + random.below(60);
                // Readings in the burst, at its borders, twice in a moment, and none.
                for at in [now, now + 1, end.saturating_sub(1), end, end, end + 3] {
                    if random.below(3) > 0 {
                        program.reads([1, 1, 1], at, &[[INSTRUCTIONS, 5]]);
                    }
                }
                program.computes([1, 1, 1], now, end, &[]);
                now = end + random.below(40);
            }
            let trace = program.trace();
            for burst in bursts(&trace) {
                let times_ns = [burst.begin_ns, burst.end_ns];
                let searched = Instance::between(&trace, burst.thread, times_ns, Counting::First);
                assert_eq!(burst.instance(&trace), searched, "{burst:?}");
                counted += 1;
            }
        }
        assert!(counted > 500, "{counted}");
    }
}
