use super::{Group, Instance, samples_inside};
use crate::trace::{Object, Trace};

/// Which instances of a group give their samples; of those that do not the totals count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Giving {
    /// Those give whose key ends in so many bits 0.
    level: u32,
    /// By instance of the group; empty if all give.
    of_instances: Vec<bool>,
}

impl Giving {
    /// As many that all of them together have no more than `most` samples, and all where these are
    /// that few.
    ///
    /// An instance's key depends on its thread and its start alone, and how many bits of it count on
    /// the set of instances: whoever reads what part of a trace agrees on it. At least one gives,
    /// however many samples it has, but of a trace that was thinned as it came. O(moments inside).
    pub fn of(trace: &Trace, group: &Group, most: u64) -> Self {
        // Of what was thinned as it came fewer bits are not enough, and it may be that none gives.
        let least = trace.reduced.as_ref().map_or(0, |of| of.level);
        let between = |of: &Instance| u64::from(of.last - of.first);
        let all = || group.instances.iter().map(|(instance, _)| instance);
        // No more samples than moments: most traces are judged without a look at them.
        let has_all = trace.reduced.is_none();
        if has_all && all().map(between).sum::<u64>() <= most {
            return Self::default();
        }
        // How many samples have those whose key ends in exactly so many bits 0.
        let mut samples = [0u64; KEY_BITS as usize + 1];
        for instance in all() {
            samples[key(trace, instance).trailing_zeros() as usize] +=
                samples_inside(trace, instance);
        }
        let at_least = |level: u32| samples[level as usize..].iter().sum::<u64>();
        let giving = (0..=KEY_BITS).take_while(|level| *level == 0 || at_least(*level) > 0);
        let few = giving.clone().find(|level| at_least(*level) <= most);
        let level = few.or(giving.last()).unwrap_or(0).max(least);
        let gives = |instance| key(trace, instance).trailing_zeros() >= level;
        match level {
            0 => Self::default(),
            _ => Self { level, of_instances: all().map(gives).collect() },
        }
    }

    /// Those marked give, by index.
    #[cfg(test)]
    pub fn those(of_instances: Vec<bool>) -> Self {
        Self { level: 1, of_instances }
    }

    /// Whether the instance with this index in the group gives its samples.
    pub fn has(&self, at: usize) -> bool {
        self.of_instances.get(at).copied().unwrap_or(true)
    }

    /// Whether no instance of the group does.
    pub fn is_none(&self) -> bool {
        !self.of_instances.is_empty() && !self.of_instances.contains(&true)
    }

    /// Those give whose key ends in so many bits 0.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// One in how many instances gives its samples, about.
    pub fn one_in(&self) -> u32 {
        1u32.checked_shl(self.level).unwrap_or(u32::MAX)
    }
}

const KEY_BITS: u32 = u64::BITS;

/// What decides of an instance: as good as random, and the same whatever else is read.
pub fn key(trace: &Trace, instance: &Instance) -> u64 {
    let Object { application, task, thread } = trace.threads[instance.thread as usize].object;
    let parts = [application, task, thread].map(u64::from).into_iter().chain([instance.start_ns]);
    parts.fold(0, |key, part| split_mix(key ^ part))
}

/// The next number of the generator SplitMix64 (Steele, Lea, Flood 2014, figure 5).
fn split_mix(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Counting, Group};
    use crate::trace::{Builder, Kind, Meaning};

    #[test]
    fn the_generator_gives_its_published_numbers() {
        // Of the seed 1234567: Rosetta Code, "Pseudo-random numbers/Splitmix64".
        let step = 0x9e37_79b9_7f4a_7c15_u64;
        let numbers = (0..3).map(|at| split_mix(1_234_567_u64.wrapping_add(step.wrapping_mul(at))));
        let known =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert!(numbers.eq(known));
    }

    /// Instances of ten microseconds one after the other, each with so many samples, on two threads.
    fn group(instances: u32, samples: u32) -> (Trace, Group) {
        let mut builder = Builder::new("made up", |_, _| Meaning {
            kind: Kind::Counter,
            name: "counter".to_owned(),
            description: String::new(),
        });
        let each = samples + 1;
        for thread in [1, 2] {
            let object = Object { application: 1, task: 1, thread };
            for at in 0..=instances * each {
                builder.moment(object, u64::from(at) * 10_000 / u64::from(each), &[[1, 1]]);
            }
        }
        let trace = builder.finish();
        let instance = |thread: u32, at: u32| Instance {
            thread,
            first: at * each,
            last: (at + 1) * each,
            number: 2 * at + thread + 1,
            start_ns: u64::from(at) * 10_000,
            duration_ns: 10_000,
            counting: Counting::Every,
        };
        let instances = (0..instances).flat_map(|at| [0, 1].map(|thread| instance(thread, at)));
        let instances = instances.map(|of| (of, crate::folding::Fate::Used)).collect();
        (trace, Group { number: 1, modes: 1, median_ns: 10_000, instances, limits_ns: None })
    }

    fn given(group: &Group, giving: &Giving) -> Vec<u32> {
        let given = group.instances.iter().enumerate().filter(|(at, _)| giving.has(*at));
        given.map(|(_, (instance, _))| instance.number).collect()
    }

    #[test]
    fn no_more_give_than_are_asked_for_and_more_only_if_a_level_less_is_too_many() {
        let (trace, group) = group(500, 3);
        assert_eq!(Giving::of(&trace, &group, 3000), Giving::default());
        let mut before = given(&group, &Giving::default());
        for most in [2999, 1400, 700, 300, 100, 30, 9] {
            let giving = Giving::of(&trace, &group, most);
            let given = given(&group, &giving);
            let count = given.len() as u64;
            assert!(0 < count && 3 * count <= most, "{count} of {most}");
            // A coin is tossed for each: five deviations.
            let expected = 1000.0 / f64::from(giving.one_in());
            assert!((count as f64 - expected).abs() < 5.0 * expected.sqrt(), "{count} {expected}");
            assert!(given.iter().all(|number| before.contains(number)), "{most}");
            before = given;
        }
    }

    #[test]
    fn who_gives_does_not_depend_on_who_else_is_there() {
        let (trace, group) = group(200, 3);
        let all = given(&group, &Giving::of(&trace, &group, 300));
        let half = Group { instances: group.instances[..200].to_vec(), ..group.clone() };
        let of_half = given(&half, &Giving::of(&trace, &half, 150));
        assert!(of_half.iter().all(|number| all.contains(number)) || all.len() < of_half.len());
        let reversed =
            Group { instances: group.instances.iter().rev().copied().collect(), ..group };
        let mut again = given(&reversed, &Giving::of(&trace, &reversed, 300));
        again.sort_unstable();
        assert_eq!(again, all);
    }

    #[test]
    fn one_gives_however_many_samples_it_has() {
        let (trace, group) = group(3, 50);
        let giving = Giving::of(&trace, &group, 10);
        assert_eq!(given(&group, &giving).len(), 1, "of six the one with the most bits 0");
    }
}
