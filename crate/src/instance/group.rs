//! Instances that are alike, and which of them are folded.

use super::{Eps, Grouping, Instance, Outliers, samples_inside};
use crate::fit;
use crate::folding::Fate;
use crate::order;
use crate::trace::Trace;

/// Instances with like durations, or like totals of a counter.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// From 1, by increasing duration or total.
    pub number: u32,
    /// How many modes of durations it has: of threads that differ a little.
    pub modes: u32,
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

/// One in how many instances of `group` gives its samples, so that there are no more than `most`;
/// for totals all of them count. 1 unless there are very many samples.
pub fn one_in(trace: &Trace, group: &Group, most: u64) -> usize {
    let between = |i: &Instance| u64::from(i.last - i.first);
    let all = || group.instances.iter().map(|(instance, _)| instance);
    // No more samples than moments: most traces are judged without a look at them.
    let samples = match all().map(between).sum::<u64>() {
        moments if moments <= most => moments,
        _ => all().map(|instance| samples_inside(trace, instance)).sum(),
    };
    samples.div_ceil(most).max(1) as usize
}

/// Instances in their groups.
pub struct Groups {
    pub groups: Vec<Group>,
    /// Those that no group takes, each with the reason; in the order given.
    pub apart: Vec<(Instance, Fate)>,
}

/// Groups `instances` by duration and marks the outliers of each group. By a counter it cannot, and
/// groups by modes of the durations in its place; see [`group_by_total`].
///
/// What is apart from every mode, or noise to DBSCAN, is in no group. O(n log n).
///
/// Source: Folding user guide, §3.2; Servat 2015, §4.2 (outliers).
pub fn group(instances: &[Instance], by: &Grouping, outliers: Outliers) -> Groups {
    let order = order::indices(instances.iter().map(|instance| instance.duration_ns));
    let sorted = order.iter().map(|&index| instances[index as usize]).collect::<Vec<_>>();
    let durations = sorted.iter().map(|instance| instance.duration_ns).collect::<Vec<_>>();
    let modes = match by {
        Grouping::None => vec![1; durations.len()],
        Grouping::Auto | Grouping::By(_) => fit::modes(&durations),
        Grouping::Gaps => fit::gaps(&durations).into_iter().map(|cluster| cluster + 1).collect(),
        Grouping::Dbscan { min_points, eps } => by_density(&durations, *min_points as usize, *eps),
    };
    let groups = match by {
        Grouping::Auto | Grouping::By(_) => groups_of_modes(&sorted, &modes),
        _ => (0..=durations.len() as u32).collect(),
    };
    let mut places = vec![Err(Fate::Apart); instances.len()];
    for (index, mode) in order.into_iter().zip(modes).filter(|(_, mode)| *mode > 0) {
        places[index as usize] = Ok(Place { group: groups[mode as usize], mode });
    }
    gathered(instances, &places, outliers)
}

/// Groups `instances` by modes of what each counted of a counter, `None` where that is not known;
/// groups are numbered by increasing total. O(n log n).
pub fn group_by_total(
    instances: &[Instance],
    totals: &[Option<u64>],
    outliers: Outliers,
) -> Groups {
    let counted = (0..).zip(totals).filter_map(|(at, total)| Some((at, (*total)?)));
    let mut counted = counted.collect::<Vec<(usize, u64)>>();
    order::by_number(&mut counted, |(_, total)| *total);
    let modes = fit::modes(&counted.iter().map(|(_, total)| *total).collect::<Vec<_>>());
    let mut places = vec![Err(Fate::Uncounted); instances.len()];
    for ((at, _), mode) in counted.into_iter().zip(modes) {
        places[at] =
            if mode > 0 { Ok(Place { group: mode, mode }) } else { Err(Fate::ApartByTotal) };
    }
    gathered(instances, &places, outliers)
}

/// Where an instance belongs; numbers from 1.
#[derive(Clone, Copy)]
struct Place {
    group: u32,
    /// Of durations; a group may have several.
    mode: u32,
}

/// Threads whose durations differ by less are folded together: it moves a curve by less than most
/// bands are wide.
const THREADS_DIFFER: f64 = 0.05;
/// So few of the instances of two modes may be on threads that have both.
const SHARED: f64 = 0.05;

/// The group of each mode of durations, by its number; 0 for what is apart. `sorted` by duration.
///
/// A mode is a group, but threads that are a little slower than others make no group of their own.
fn groups_of_modes(sorted: &[Instance], modes: &[u32]) -> Vec<u32> {
    let count = modes.iter().copied().max().unwrap_or(0);
    let of_mode = |mode: u32| {
        let of = sorted.iter().zip(modes).filter(|(_, of)| **of == mode);
        of.map(|(instance, _)| *instance).collect::<Vec<_>>()
    };
    let by_mode = (1..=count).map(of_mode).collect::<Vec<_>>();
    let mut groups = vec![0; 1];
    let mut group = u32::from(count > 0);
    groups.extend((count > 0).then_some(group));
    for pair in by_mode.windows(2) {
        group += u32::from(!are_threads(&pair[0], &pair[1]));
        groups.push(group);
    }
    groups
}

/// Whether two modes of durations, each rising, are of different threads and differ by little.
fn are_threads(shorter: &[Instance], longer: &[Instance]) -> bool {
    let [short_ns, long_ns] = [shorter, longer].map(|of| of[of.len() / 2].duration_ns as f64);
    let mut by_thread: Vec<(u32, [usize; 2])> = vec![];
    for (side, of) in [shorter, longer].into_iter().enumerate() {
        of.iter().for_each(|instance| order::entry(&mut by_thread, instance.thread)[side] += 1);
    }
    let shared = by_thread.iter().map(|(_, [a, b])| *a.min(b)).sum::<usize>();
    let all = shorter.len() + longer.len();
    long_ns - short_ns < THREADS_DIFFER * short_ns && shared as f64 <= SHARED * all as f64
}

/// The instances of each group, with their outliers, and those without a place.
fn gathered(instances: &[Instance], places: &[Result<Place, Fate>], outliers: Outliers) -> Groups {
    let count = places.iter().flatten().map(|place| place.group).max().unwrap_or(0);
    let of = |number: u32| {
        let of_group = |place: &Place| place.group == number;
        let members = instances.iter().zip(places).filter_map(|(instance, place)| {
            place.ok().filter(of_group).map(|Place { mode, .. }| (*instance, mode))
        });
        let (members, modes): (Vec<_>, Vec<_>) = members.unzip();
        let durations = members.iter().map(|i| i.duration_ns as f64).collect::<Vec<_>>();
        let (fates, limits_ns) = fates(&durations, &modes, outliers);
        let modes = order::distinct(modes.into_iter().map(u64::from)).len() as u32;
        Group { number, modes, instances: members.into_iter().zip(fates).collect(), limits_ns }
    };
    let apart = instances.iter().zip(places);
    let apart = apart.filter_map(|(instance, place)| Some((*instance, place.err()?)));
    Groups { groups: (1..=count).map(of).collect(), apart: apart.collect() }
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

/// What becomes of instances that last so many nanoseconds, each of a mode, and between which limits
/// they are used: those of all modes together.
fn fates(durations: &[f64], modes: &[u32], outliers: Outliers) -> (Vec<Fate>, Option<[f64; 2]>) {
    let values = match outliers {
        Outliers::LogMad(_) => durations.iter().map(|ns| libm::log(*ns)).collect(),
        _ => durations.to_vec(),
    };
    let of_mode = |mode: u64| {
        let of_mode = values.iter().zip(modes).filter(|(_, of)| u64::from(**of) == mode);
        limits(&of_mode.map(|(value, _)| *value).collect::<Vec<_>>(), outliers)
    };
    let of_modes = order::distinct(modes.iter().map(|mode| u64::from(*mode)));
    let around = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
    let Some(limits) = of_modes.into_iter().filter_map(of_mode).reduce(around) else {
        return (vec![Fate::Used; durations.len()], None);
    };
    let fate = |value: &f64| match limits[0] <= *value && *value <= limits[1] {
        true => Fate::Used,
        false => Fate::Outlier,
    };
    let limits_ns = match outliers {
        // A duration of more than 2^64 ns there is none of: that no limit is infinite.
        Outliers::LogMad(_) => limits.map(|log| libm::exp(log).min(u64::MAX as f64)),
        _ => limits,
    };
    (values.iter().map(fate).collect(), Some(limits_ns))
}

/// The least and the largest value that is used.
fn limits(values: &[f64], outliers: Outliers) -> Option<[f64; 2]> {
    let (middle, reach) = match outliers {
        Outliers::None => return None,
        Outliers::Mean(k) => fit::mean_and_deviation(values).map(|(m, d)| (m, k * d)),
        Outliers::Median(k) => fit::median_and_mad(values)
            .map(|(m, d)| (m, (k * d).max((k * tick(values)).min(COARSEST_TICK * m)))),
        Outliers::LogMad(k) => {
            fit::median_and_mad(values).map(|(m, d)| (m, k * DEVIATION_PER_MAD * d))
        }
    }?;
    Some([middle - reach, middle + reach])
}

/// The least step between two different values, of which a clock tells no finer; 0 if all are equal.
fn tick(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    order::floats(&mut values);
    let steps = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0);
    steps.min_by(f64::total_cmp).unwrap_or(0.0)
}

/// Instances that counted alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    pub instances: usize,
    /// The median of what they counted.
    pub total: u64,
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
    let mut first = 0;
    for of_mode in modes.chunk_by(|a, b| a == b) {
        let totals = &totals[first..first + of_mode.len()];
        first += of_mode.len();
        let family = Family { instances: totals.len(), total: totals[totals.len() / 2] };
        let differs = |last: &Family| {
            (family.total - last.total) as f64 > FAMILIES_DIFFER * last.total as f64
        };
        match families.last_mut() {
            _ if of_mode[0] == 0 => {}
            Some(last) if !differs(last) => last.instances += family.instances,
            _ => families.push(family),
        }
    }
    families
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lasting(durations: &[u64]) -> Vec<Instance> {
        let instance = |(number, &duration_ns)| Instance {
            thread: 0,
            first: 0,
            last: 1,
            number,
            start_ns: 0,
            duration_ns,
        };
        (1..).zip(durations).map(instance).collect()
    }

    fn check(durations: &[u64], by: &str, outliers: &str, expected: &[&[(u64, bool)]]) {
        let (by, outliers) = (by.parse::<Grouping>().unwrap(), outliers.parse().unwrap());
        let Groups { groups, .. } = group(&lasting(durations), &by, outliers);
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
        let Groups { groups, .. } = group(&of_durations, &Grouping::None, Outliers::LogMad(1.0));
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
        let limits =
            |outliers| group(&lasting(&[1, 2, 4]), &Grouping::None, outliers).groups[0].limits_ns;
        assert_eq!(limits(Outliers::None), None);
        assert_eq!(limits(Outliers::Median(1.5)), Some([2.0 - 1.5, 2.0 + 1.5]));
    }

    #[test]
    fn noise_is_in_no_group() {
        let of = |durations: &[u64], by: &str| {
            let by = by.parse::<Grouping>().unwrap();
            let Groups { groups, apart } = group(&lasting(durations), &by, Outliers::None);
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
        let of_ranks = group(&ranks, &Grouping::Auto, median);
        assert_eq!(sizes(&of_ranks), [(400, 4)]);
        assert_eq!(of_ranks.groups[0].kept().count(), 400);
        assert_eq!(sizes(&group(&ranks, &Grouping::None, median)), [(400, 1)]);

        let anywhere = on_threads((0..400).map(|place| ((place / 4 % 4) as u32, slower(place))));
        assert_eq!(sizes(&group(&anywhere, &Grouping::Auto, median)), [(100, 1); 4]);

        let far = |place: u64| around(10_000 + 800 * (place % 2), place);
        let far = on_threads((0..400).map(|place| ((place % 2) as u32, far(place))));
        assert_eq!(sizes(&group(&far, &Grouping::Auto, median)), [(200, 1); 2]);

        // Of 400 one in twenty may be on the other thread: 20.
        let stray = |strays: u64| {
            let thread = |place: u64| (place % 2 + u64::from(place < 2 * strays)) % 2;
            let near = |place: u64| around(10_000 + 400 * (place % 2), place);
            let strays = on_threads((0..400).map(|place| (thread(place) as u32, near(place))));
            sizes(&group(&strays, &Grouping::Auto, median)).len()
        };
        assert_eq!((stray(0), stray(10), stray(11)), (1, 1, 2));
    }

    #[test]
    fn what_is_apart_by_duration_is_in_no_group() {
        let mut durations = (0..200).map(|place| around(10_000, place)).collect::<Vec<_>>();
        durations.insert(7, 20_000);
        let Groups { groups, apart } =
            group(&lasting(&durations), &Grouping::Auto, Outliers::Median(3.0));
        assert_eq!((groups.len(), groups[0].instances.len()), (1, 200));
        let told = apart.iter().map(|(instance, fate)| (instance.number, *fate));
        assert_eq!(told.collect::<Vec<_>>(), [(8, Fate::Apart)]);
    }

    #[test]
    fn a_tick_of_the_clock_makes_no_outlier() {
        let left_out = |counts: &[(u64, usize)]| {
            let durations = counts.iter().flat_map(|&(ns, count)| vec![ns; count]);
            let of = group(
                &lasting(&durations.collect::<Vec<_>>()),
                &Grouping::None,
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
        let Groups { groups, apart } = group_by_total(&instances, &totals, Outliers::None);
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
        assert!(group_by_total(&instances, &[None; 40], Outliers::None).groups.is_empty());
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
