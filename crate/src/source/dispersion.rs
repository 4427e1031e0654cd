//! How unlike instances are in what they execute.

use crate::fit::GroupedStatistics;

/// Groups that instances are dealt into in turn, as for the jackknife of curves.
const GROUPS: usize = GroupedStatistics::ENOUGH;

/// Samples whose innermost frame it is, of each frame of the trace by number, in each group of instances.
#[derive(Default)]
pub struct Dealt {
    counts: Vec<[u32; GROUPS]>,
}

impl Dealt {
    /// Counts a sample in `frame`, of the instance with this place among those that have samples.
    pub fn count(&mut self, frame: usize, instance: usize) {
        if frame >= self.counts.len() {
            self.counts.resize(frame + 1, [0; GROUPS]);
        }
        self.counts[frame][instance % GROUPS] += 1;
    }

    /// By how much more the samples of each place vary from instance to instance than independent ones, as a multiple
    /// of their variance; 1 where they do not vary more, or there is one group. `place_of_frame`: below `places`.
    pub fn dispersions(&self, place_of_frame: &[u32], places: usize) -> Vec<f64> {
        let (mut counts, mut all) = (vec![[0; GROUPS]; places], [0; GROUPS]);
        for (of_frame, place) in self.counts.iter().zip(place_of_frame) {
            for (group, count) in of_frame.iter().enumerate() {
                counts[*place as usize][group] += count;
                all[group] += count;
            }
        }
        counts.iter().map(|of_place| dispersion(of_place, &all)).collect()
    }
}

/// Pearson's statistic of the share that a place has of the samples of each group, by its degrees of freedom.
///
/// Source: McCullagh and Nelder 1989, *Generalized Linear Models*, §4.5.2; comparison of foldings, §6.
fn dispersion(counts: &[u32; GROUPS], all: &[u32; GROUPS]) -> f64 {
    let total = |counts: &[u32]| counts.iter().map(|count| f64::from(*count)).sum::<f64>();
    let share = total(counts) / total(all);
    let sampled = counts.iter().zip(all).filter(|(_, of_all)| **of_all > 0);
    let of_group = |(count, of_all): (&u32, &u32)| {
        let (count, of_all) = (f64::from(*count), f64::from(*of_all));
        let beyond = count - share * of_all;
        beyond * beyond / of_all
    };
    let groups = sampled.clone().count() as f64;
    let statistic = sampled.map(of_group).sum::<f64>() / (share * (1.0 - share) * (groups - 1.0));
    // Without a sample, with all of them, or of one group, it is 0/0.
    if statistic > 1.0 && statistic.is_finite() { statistic } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// Two frames; `instance(number)` gives the frames of its samples.
    fn of_first(instances: usize, mut instance: impl FnMut(usize) -> Vec<usize>) -> f64 {
        let mut dealt = Dealt::default();
        for number in 0..instances {
            instance(number).into_iter().for_each(|frame| dealt.count(frame, number));
        }
        dealt.dispersions(&[0, 1], 2)[0]
    }

    #[test]
    fn samples_that_are_independent_vary_as_such() {
        let mut random = Random::new(1);
        let mut mean = 0.0;
        for _ in 0..200 {
            let of = of_first(300, |_| (0..4).map(|_| random.below(3).min(1) as usize).collect());
            mean += of / 200.0;
        }
        // The statistic has mean 1 and, on 19 degrees of freedom, a standard deviation of .32; below 1 it is 1.
        assert!((1.05..1.22).contains(&mean), "{mean}");
    }

    #[test]
    fn samples_of_an_instance_that_are_all_alike_count_as_one() {
        let mut random = Random::new(2);
        let mut mean = 0.0;
        for _ in 0..200 {
            mean += of_first(300, |_| vec![random.below(2) as usize; 6]) / 200.0;
        }
        assert!((5.5..7.2).contains(&mean), "{mean}");
    }

    #[test]
    fn instances_that_are_exactly_alike_or_too_few_vary_no_more() {
        assert_eq!(of_first(300, |_| vec![0, 1, 1]), 1.0);
        assert_eq!(of_first(1, |_| vec![0, 1, 1]), 1.0);
        assert_eq!(of_first(300, |_| vec![0]), 1.0, "all samples");
        assert_eq!(of_first(300, |_| vec![1]), 1.0, "none");
        assert_eq!(of_first(0, |_| vec![]).to_bits(), 1.0f64.to_bits());
    }
}
