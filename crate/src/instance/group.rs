//! Instances that are alike, and which of them are folded.

use super::{Eps, Grouping, Instance, Outliers};
use crate::fit;
use crate::folding::{Family, Fate, RegionKind};
use crate::order;

/// Instances with like durations, or like totals of a counter.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// From 1, by increasing duration or total.
    pub number: u32,
    /// How many modes of durations it has: of threads that differ a little.
    pub modes: u32,
    /// The middle duration of all of them, of two the longer; where groups are by duration.
    pub median_ns: u64,
    /// Each instance with what becomes of it; in the order given.
    pub instances: Vec<(Instance, Fate)>,
    /// The shortest and the longest duration that `outliers` lets pass, in nanoseconds; the shortest
    /// may be below 0. `None` if every one may.
    pub limits_ns: Option<[f64; 2]>,
}

impl Group {
    pub fn kept(&self) -> impl Iterator<Item = &Instance> {
        let kept = self.instances.iter().filter(|(_, fate)| *fate == Fate::Used);
        kept.map(|(instance, _)| instance)
    }
}

/// More samples than this are not placed in one folded instance unless asked for: half a million
/// show all there is to see, and a trace of gigabytes has twenty.
pub const MOST_SAMPLES: u64 = 1 << 19;

/// How instances of a region are grouped if nothing else is asked for than [`Grouping::Auto`]. Passes
/// of a loop are one group, of which those beyond a factor 2 of what passes of any thread last in the
/// median are left out: ranks may have unlike work. Bursts that are alike are one, too.
pub fn usual(kind: RegionKind, by: &Grouping, outliers: Outliers) -> (Grouping, Outliers) {
    match (kind, by) {
        (RegionKind::Iteration, Grouping::Auto) => (Grouping::None, Outliers::Factor(LIKE)),
        (RegionKind::Cluster, Grouping::Auto) => (Grouping::None, outliers),
        _ => (by.clone(), outliers),
    }
}

/// Instances in their groups.
pub struct Groups {
    pub groups: Vec<Group>,
    /// Those that no group takes, each with the reason; in the order given.
    pub apart: Vec<(Instance, Fate)>,
}

/// Groups `instances` and marks the outliers of each group: by duration, or by what each counted of
/// the counter of [`Grouping::By`], `None` where that is not known; without any `totals` by duration
/// in its place.
///
/// What is apart from every mode, noise to DBSCAN, or without a total is in no group. O(n log n).
///
/// Source: Folding user guide, §3.2; Servat 2015, §4.2 (outliers).
pub fn group(
    instances: &[Instance],
    by: &Grouping,
    totals: &[Option<u64>],
    outliers: Outliers,
) -> Groups {
    let by_duration = totals.is_empty();
    let keys = match by_duration {
        true => instances.iter().map(|instance| Some(instance.duration_ns)).collect(),
        false => totals.to_vec(),
    };
    // Those without a key come last.
    let mut order = order::indices(keys.iter().map(|key| key.unwrap_or(u64::MAX)));
    order.retain(|&index| keys[index as usize].is_some());
    let sorted = order.iter().filter_map(|&index| keys[index as usize]).collect::<Vec<_>>();
    let modes = match by {
        Grouping::None => vec![1; sorted.len()],
        Grouping::Auto | Grouping::By(_) => fit::modes(&sorted),
        Grouping::Gaps => fit::gaps(&sorted).into_iter().map(|cluster| cluster + 1).collect(),
        Grouping::Dbscan { min_points, eps } => by_density(&sorted, *min_points as usize, *eps),
    };
    let may_join = by_duration && matches!(by, Grouping::Auto | Grouping::By(_));
    let mut groups: Vec<Members> = vec![];
    let mut is_apart = vec![true; instances.len()];
    for mode in 1..=modes.iter().copied().max().unwrap_or(0) {
        let of_mode = order.iter().zip(&modes).filter(|(_, of)| **of == mode);
        let of_mode = of_mode.map(|(index, _)| *index as usize).collect::<Vec<_>>();
        of_mode.iter().for_each(|&index| is_apart[index] = false);
        match groups.last_mut() {
            Some(last) if may_join && last.are_faster_threads(instances, &of_mode) => {
                last.modes.push(of_mode);
            }
            _ => groups.push(Members { modes: vec![of_mode] }),
        }
    }
    let groups = (1..).zip(groups).map(|(number, of)| of.group(number, instances, outliers));
    let fate = |index: usize| match (by_duration, keys[index]) {
        (true, _) => Fate::Apart,
        (false, Some(_)) => Fate::ApartByTotal,
        (false, None) => Fate::Uncounted,
    };
    let apart = (0..instances.len()).filter(|&index| is_apart[index]);
    let apart = apart.map(|index| (instances[index], fate(index)));
    Groups { groups: groups.collect(), apart: apart.collect() }
}

/// A pass of a loop that takes twice the time of the others, or half of it, is not the same pass.
const LIKE: f64 = 2.0;

/// Threads whose durations differ by less are folded together: it moves a curve by less than most
/// bands are wide.
const THREADS_DIFFER: f64 = 0.05;
/// So few of the instances of two modes may be on threads that have both.
const SHARED: f64 = 0.05;

/// The instances of a group, as indices.
struct Members {
    /// Each by duration, or by what it counted.
    modes: Vec<Vec<usize>>,
}

impl Members {
    /// Whether its last mode and the `slower` one are of different threads and differ by little.
    fn are_faster_threads(&self, instances: &[Instance], slower: &[usize]) -> bool {
        let Some(faster) = self.modes.last() else { return false };
        let middle_ns = |mode: &[usize]| instances[mode[mode.len() / 2]].duration_ns as f64;
        let [fast_ns, slow_ns] = [faster, slower].map(middle_ns);
        if slow_ns - fast_ns >= THREADS_DIFFER * fast_ns {
            return false;
        }
        let threads = instances.iter().map(|i| i.thread as usize + 1).max().unwrap_or(0);
        let mut by_thread = vec![[0usize; 2]; threads];
        for (side, mode) in [faster, slower].into_iter().enumerate() {
            mode.iter().for_each(|&i| by_thread[instances[i].thread as usize][side] += 1);
        }
        let shared = by_thread.iter().map(|[fast, slow]| *fast.min(slow)).sum::<usize>();
        shared as f64 <= SHARED * (faster.len() + slower.len()) as f64
    }

    /// The group, with what becomes of each instance: it is used if it lies between the limits of
    /// all modes together.
    fn group(self, number: u32, instances: &[Instance], outliers: Outliers) -> Group {
        let scaled = |index: &usize| match outliers {
            Outliers::LogMad(_) => libm::log(instances[*index].duration_ns as f64),
            _ => instances[*index].duration_ns as f64,
        };
        let mut limits = None;
        let alike = match outliers {
            Outliers::Factor(_) => by_thread(instances, self.modes.concat()),
            _ => self.modes.clone(),
        };
        for mode in &alike {
            let values = mode.iter().map(scaled).collect::<Vec<_>>();
            if let Some([least, most]) = limits_of(values, outliers) {
                let [low, high] = limits.unwrap_or([least, most]);
                limits = Some([f64::min(low, least), f64::max(high, most)]);
            }
        }
        let modes = self.modes.len() as u32;
        let mut members = self.modes.concat();
        let middle = members.get(members.len() / 2).and_then(|index| instances.get(*index));
        let median_ns = middle.map_or(0, |instance| instance.duration_ns);
        order::by_number(&mut members, |index| *index as u64);
        let fate = |index: &usize| match limits {
            Some([low, high]) if !(low..=high).contains(&scaled(index)) => Fate::Outlier,
            _ => Fate::Used,
        };
        let limits_ns = limits.map(|limits| match outliers {
            // A duration of more than 2^64 ns there is none of: that no limit is infinite.
            Outliers::LogMad(_) => limits.map(|log| libm::exp(log).min(u64::MAX as f64)),
            _ => limits,
        });
        let instances = members.iter().map(|index| (instances[*index], fate(index)));
        Group { number, modes, median_ns, instances: instances.collect(), limits_ns }
    }
}

/// Fewer instances of a thread do not tell how long its others last.
const TELLING: usize = 3;

/// `members` by their threads, without the threads of too few; all together if every thread has so few.
fn by_thread(instances: &[Instance], mut members: Vec<usize>) -> Vec<Vec<usize>> {
    let thread = |index: &usize| instances[*index].thread;
    order::by_number(&mut members, |index| thread(index).into());
    let of_threads = members.chunk_by(|a, b| thread(a) == thread(b));
    let telling = of_threads.filter(|own| own.len() >= TELLING).map(<[usize]>::to_vec);
    let telling = telling.collect::<Vec<_>>();
    if telling.is_empty() { vec![members] } else { telling }
}

/// DBSCAN on durations scaled to 0..1. If all are equal they are one group; with an Eps of 0 only
/// equal ones are neighbours.
fn by_density(durations: &[u64], min_points: usize, eps: Eps) -> Vec<u32> {
    let (Some(&least), Some(&most)) = (durations.first(), durations.last()) else { return vec![] };
    if least == most {
        return vec![1; durations.len()];
    }
    let range = (most - least) as f64;
    let scaled = durations.iter().map(|&d| (d - least) as f64 / range).collect::<Vec<_>>();
    let eps = match eps {
        Eps::Auto => fit::automatic_eps(&scaled, min_points),
        Eps::Fixed(eps) => eps,
    };
    fit::dbscan(&scaled, min_points, eps)
}

/// A standard deviation over the median absolute deviation, if values are normal.
const DEVIATION_PER_MAD: f64 = 1.4826;
/// What differs by more than a tenth differs by more than a clock's tick.
const COARSEST_TICK: f64 = 0.1;

/// The least and the largest value that is used.
fn limits_of(mut values: Vec<f64>, outliers: Outliers) -> Option<[f64; 2]> {
    let (middle, reach) = match outliers {
        Outliers::None => return None,
        Outliers::Mean(k) => {
            fit::mean_and_deviation(&values).map(|(middle, deviation)| (middle, k * deviation))
        }
        Outliers::Median(k) => fit::median_and_mad(&values).map(|(middle, mad)| {
            let tick = tick(&mut values).min(COARSEST_TICK / k * middle);
            (middle, k * mad.max(tick))
        }),
        Outliers::LogMad(k) => {
            let found = fit::median_and_mad(&values);
            found.map(|(middle, mad)| (middle, k * DEVIATION_PER_MAD * mad))
        }
        Outliers::Factor(k) => {
            let found = fit::median_and_mad(&values);
            return found.map(|(middle, _)| [middle / k, middle * k]);
        }
    }?;
    Some([middle - reach, middle + reach])
}

/// The least step between two different values, of which a clock tells no finer; 0 if all are equal.
fn tick(values: &mut [f64]) -> f64 {
    order::floats(values);
    let steps = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0);
    steps.min_by(f64::total_cmp).unwrap_or(0.0)
}

/// Families whose totals differ by less move a curve by less than most bands are wide.
const FAMILIES_DIFFER: f64 = 0.05;

/// The families of instances whose totals of one counter are modes apart, by rising total; one or
/// none where they are all alike. Those that count nothing have no samples, and are in none.
pub fn families(totals: &[u64]) -> Vec<Family> {
    let mut totals = totals.iter().copied().filter(|total| *total > 0).collect::<Vec<_>>();
    order::by_number(&mut totals, |total| *total);
    let modes = fit::modes(&totals);
    let mut families: Vec<Family> = vec![];
    for mode in 1..=modes.iter().copied().max().unwrap_or(0) {
        let of_mode = totals.iter().zip(&modes).filter(|(_, of)| **of == mode);
        let of_mode = of_mode.map(|(total, _)| *total).collect::<Vec<_>>();
        let family = Family { instances: of_mode.len() as u32, total: of_mode[of_mode.len() / 2] };
        match families.last_mut() {
            Some(last) if (family.total as f64) < (1.0 + FAMILIES_DIFFER) * last.total as f64 => {
                last.instances += family.instances;
            }
            _ => families.push(family),
        }
    }
    families
}

#[cfg(test)]
mod tests {
    use super::super::Counting;
    use super::*;

    fn lasting(durations: &[u64]) -> Vec<Instance> {
        let instance = |(number, &duration_ns)| Instance {
            thread: 0,
            first: 0,
            last: 1,
            number,
            start_ns: 0,
            duration_ns,
            counting: Counting::Every,
        };
        (1..).zip(durations).map(instance).collect()
    }

    fn check(durations: &[u64], by: &str, outliers: &str, expected: &[&[(u64, bool)]]) {
        let (by, outliers) = (by.parse::<Grouping>().unwrap(), outliers.parse().unwrap());
        let Groups { groups, .. } = group(&lasting(durations), &by, &[], outliers);
        let shown =
            |(instance, fate): &(Instance, Fate)| (instance.duration_ns, *fate == Fate::Used);
        let found = groups.iter().map(|g| g.instances.iter().map(shown).collect::<Vec<_>>());
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn outliers_are_found_inside_each_group() {
        let durations = [100, 101, 102, 103, 130, 900, 901, 902, 903, 990];
        check(
            &durations,
            "gaps",
            "median:5",
            &[
                &[(100, true), (101, true), (102, true), (103, true), (130, false)],
                &[(900, true), (901, true), (902, true), (903, true), (990, false)],
            ],
        );
    }

    #[test]
    fn limits_are_inclusive() {
        check(&[1, 2, 3], "none", "median:1", &[&[(1, true), (2, true), (3, true)]]);
        check(&[1, 2, 3], "none", "mean:1", &[&[(1, true), (2, true), (3, true)]]);
        check(&[5, 5, 6], "none", "median:1.5", &[&[(5, true), (5, true), (6, false)]]);
    }

    #[test]
    fn logarithms_of_durations_have_limits_of_their_own() {
        // Logarithms 0, 1, 2, 3, 4, 10 of base 10: their median is 3, their deviation 2.
        let durations = [1, 10, 100, 1000, 10_000, 10_000_000_000];
        let of_durations = lasting(&durations);
        let Groups { groups, .. } =
            group(&of_durations, &Grouping::None, &[], Outliers::LogMad(1.0));
        let fates = groups[0].instances.iter().map(|(_, fate)| *fate).collect::<Vec<_>>();
        assert_eq!(fates[1..5], [Fate::Used; 4]);
        assert_eq!((fates[0], fates[5]), (Fate::Outlier, Fate::Outlier));
        let [shortest, longest] = groups[0].limits_ns.unwrap();
        let [low, high] = [3.0 - 2.9652, 3.0 + 2.9652].map(|power| libm::pow(10.0, power));
        assert!((shortest / low - 1.0).abs() < 1e-12 && (longest / high - 1.0).abs() < 1e-12);
        check(&[5, 5, 6, 5], "none", "logmad:2", &[&[(5, true), (5, true), (6, false), (5, true)]]);
    }

    #[test]
    fn a_group_tells_its_limits() {
        let limits = |outliers| {
            group(&lasting(&[1, 2, 4]), &Grouping::None, &[], outliers).groups[0].limits_ns
        };
        assert_eq!(limits(Outliers::None), None);
        assert_eq!(limits(Outliers::Median(1.5)), Some([2.0 - 1.5, 2.0 + 1.5]));
    }

    #[test]
    fn noise_is_in_no_group() {
        let of = |durations: &[u64], by: &str| {
            let by = by.parse::<Grouping>().unwrap();
            let Groups { groups, apart } = group(&lasting(durations), &by, &[], Outliers::None);
            assert!(apart.iter().all(|(_, fate)| *fate == Fate::Apart));
            (groups.len(), apart.len())
        };
        assert_eq!(of(&[10, 11, 12, 500, 1000], "dbscan:3:0.01"), (1, 2));
        assert_eq!(of(&[10, 11, 12, 500, 1000], "dbscan:3:auto"), (1, 2));
        assert_eq!(of(&[10, 10, 10, 11, 500], "dbscan:3:0"), (1, 2));
        assert_eq!(of(&[10, 11, 12], "dbscan:2:0"), (0, 3));
        assert_eq!(of(&[10, 10], "dbscan:3:0"), (1, 0));
    }

    /// Instances that last so long, each on the thread given.
    fn on_threads(durations: impl IntoIterator<Item = (u32, u64)>) -> Vec<Instance> {
        let (threads, durations): (Vec<_>, Vec<_>) = durations.into_iter().unzip();
        let instances = lasting(&durations).into_iter().zip(threads);
        instances.map(|(instance, thread)| Instance { thread, ..instance }).collect()
    }

    /// Durations of which four hundred scatter by ±1 %, evenly.
    fn around(middle: u64, place: u64) -> u64 {
        middle + middle * (place * 37 % 21) / 1000 - middle / 100
    }

    fn sizes(of: &Groups) -> Vec<(usize, u32)> {
        of.groups.iter().map(|group| (group.instances.len(), group.modes)).collect()
    }

    #[test]
    fn threads_that_differ_by_little_are_one_group_and_none_of_them_is_an_outlier() {
        let median = Outliers::Median(3.0);
        let slower =
            |place: u64| around([10_000, 10_400, 10_816, 11_249][place as usize % 4], place);
        let ranks = on_threads(
            (0..400).map(|place| ((place % 4) as u32, slower(place / 4 * 4 + place % 4))),
        );
        let of_ranks = group(&ranks, &Grouping::Auto, &[], median);
        assert_eq!(sizes(&of_ranks), [(400, 4)]);
        assert_eq!(of_ranks.groups[0].kept().count(), 400);
        assert_eq!(sizes(&group(&ranks, &Grouping::None, &[], median)), [(400, 1)]);

        let anywhere = on_threads((0..400).map(|place| ((place / 4 % 4) as u32, slower(place))));
        assert_eq!(sizes(&group(&anywhere, &Grouping::Auto, &[], median)), [(100, 1); 4]);

        let far = |place: u64| around(10_000 + 800 * (place % 2), place);
        let far = on_threads((0..400).map(|place| ((place % 2) as u32, far(place))));
        assert_eq!(sizes(&group(&far, &Grouping::Auto, &[], median)), [(200, 1); 2]);

        // Of 400 one in twenty may be on the other thread: 20.
        let stray = |strays: u64| {
            let thread = |place: u64| (place % 2 + u64::from(place < 2 * strays)) % 2;
            let near = |place: u64| around(10_000 + 400 * (place % 2), place);
            let strays = on_threads((0..400).map(|place| (thread(place) as u32, near(place))));
            sizes(&group(&strays, &Grouping::Auto, &[], median)).len()
        };
        assert_eq!((stray(0), stray(10), stray(11)), (1, 1, 2));
    }

    #[test]
    fn limits_reach_round_those_of_every_mode() {
        let instances = lasting(&[900, 1000, 1100, 1200, 1201, 1202]);
        let limits = |modes: [Vec<usize>; 2]| {
            Members { modes: modes.into() }.group(1, &instances, Outliers::Median(3.0)).limits_ns
        };
        // 700 to 1300, and 1198 to 1204.
        assert_eq!(limits([vec![0, 1, 2], vec![3, 4, 5]]), Some([700.0, 1300.0]));
        assert_eq!(limits([vec![3, 4, 5], vec![0, 1, 2]]), Some([700.0, 1300.0]));
    }

    #[test]
    fn what_is_apart_by_duration_is_in_no_group() {
        let mut durations = (0..200).map(|place| around(10_000, place)).collect::<Vec<_>>();
        durations.insert(7, 20_000);
        let Groups { groups, apart } =
            group(&lasting(&durations), &Grouping::Auto, &[], Outliers::Median(3.0));
        assert_eq!((groups.len(), groups[0].instances.len()), (1, 200));
        let told = apart.iter().map(|(instance, fate)| (instance.number, *fate));
        assert_eq!(told.collect::<Vec<_>>(), [(8, Fate::Apart)]);
    }

    #[test]
    fn threads_with_unlike_work_all_have_passes_of_their_own_length() {
        let threads: [&[u64]; 4] = [&[40, 41, 42], &[100, 101, 102, 500, 30], &[700], &[9, 9]];
        let of_thread = |(thread, durations): (u32, &&[u64])| {
            let own = lasting(durations).into_iter();
            own.map(move |instance| Instance { thread, ..instance }).collect::<Vec<_>>()
        };
        let instances = (0..).zip(&threads).flat_map(of_thread).collect::<Vec<_>>();
        let limits_and_left_out = |instances: &[Instance]| {
            let groups = group(instances, &Grouping::None, &[], Outliers::Factor(2.0)).groups;
            let left_out = groups[0].instances.iter().filter(|(_, fate)| !fate.is_used());
            let left_out = left_out.map(|(instance, _)| instance.duration_ns).collect::<Vec<_>>();
            (groups[0].limits_ns.unwrap(), left_out)
        };
        // From half of 41 to twice 101; one pass or two tell of no thread.
        assert_eq!(limits_and_left_out(&instances), ([20.5, 202.0], vec![500, 700, 9, 9]));
        // The median of all three.
        assert_eq!(limits_and_left_out(&instances[8..]), ([4.5, 18.0], vec![700]));
    }

    #[test]
    fn a_tick_of_the_clock_makes_no_outlier() {
        let left_out = |counts: &[(u64, usize)]| {
            let durations = counts.iter().flat_map(|&(ns, count)| vec![ns; count]);
            let of = group(
                &lasting(&durations.collect::<Vec<_>>()),
                &Grouping::None,
                &[],
                Outliers::Median(3.0),
            );
            of.groups[0].instances.len() - of.groups[0].kept().count()
        };
        assert_eq!(left_out(&[(100_000, 60), (101_000, 40)]), 0);
        assert_eq!(left_out(&[(99_999, 1), (100_000, 98), (100_001, 1)]), 0);
        assert_eq!(left_out(&[(100_000, 90), (101_000, 5), (103_000, 3), (104_000, 2)]), 2);
        assert_eq!(left_out(&[(100_000, 1999), (200_000, 1)]), 1, "no tick is as long");
        assert_eq!(left_out(&[(100_000, 50)]), 0);
    }

    #[test]
    fn totals_of_a_counter_make_groups_and_who_has_none_is_in_none() {
        // Durations say nothing of them.
        let instances = lasting(&(0..40).map(|place| around(10_000, place)).collect::<Vec<_>>());
        let total = |place: u64| match place {
            0..14 => None,
            14 => Some(5_000_000),
            15..22 => Some(0),
            _ => Some([9_000, 8_000][place as usize % 2] + place),
        };
        let totals = (0..40).map(total).collect::<Vec<_>>();
        let by = Grouping::By("PAPI_L2_TCM".to_owned());
        let Groups { groups, apart } = group(&instances, &by, &totals, Outliers::None);
        let numbers = |group: &Group| {
            group
                .instances
                .iter()
                .map(|(instance, _)| u64::from(instance.number))
                .collect::<Vec<_>>()
        };
        let parity = |odd: u64| (23..=40).filter(|number| number % 2 == odd).collect::<Vec<_>>();
        assert_eq!(groups.iter().map(|group| group.number).collect::<Vec<_>>(), [1, 2, 3]);
        // A number is one more than its place.
        assert_eq!(
            groups.iter().map(numbers).collect::<Vec<_>>(),
            [(16..=22).collect(), parity(0), parity(1)]
        );
        let fates =
            apart.iter().map(|(instance, fate)| (instance.number, *fate)).collect::<Vec<_>>();
        let uncounted = (1..=14).map(|number| (number, Fate::Uncounted));
        assert_eq!(fates, uncounted.chain([(15, Fate::ApartByTotal)]).collect::<Vec<_>>());
        assert!(group(&instances, &by, &[None; 40], Outliers::None).groups.is_empty());
    }

    #[test]
    fn families_are_those_whose_totals_differ_by_more_than_a_twentieth() {
        let families_of = |middles: &[u64]| {
            let of = |middle: &u64| (0..21).map(|place| around(*middle, place)).collect::<Vec<_>>();
            let families = families(&middles.iter().flat_map(of).collect::<Vec<_>>());
            families.iter().map(|family| (family.instances, family.total)).collect::<Vec<_>>()
        };
        assert_eq!(families_of(&[90_000, 100_000]), [(21, 90_000), (21, 100_000)]);
        assert_eq!(families_of(&[96_000, 100_000]), [(42, 96_000)]);
        assert_eq!(families_of(&[0, 100_000]), [(21, 100_000)]);
        assert_eq!(families_of(&[]), []);
    }
}
