//! Routines that only one side was ever sampled in.

use std::collections::BTreeMap;

use super::comparison::{LEVEL, PhaseRow};
use super::decision::benjamini_hochberg;
use super::run::Run;
use super::similarity::FEW;
use crate::order;

/// A routine that one side has and the other has not.
#[derive(Clone, Debug, PartialEq)]
pub struct Appeared {
    pub routine: String,
    /// Whether B has it; otherwise it is gone.
    pub is_new: bool,
    /// Of an instance, on the side that has it.
    pub ms: f64,
    /// That its samples lie all on one side by chance, before other routines are counted.
    pub p: f64,
}

/// Routines of less are not told.
const LEAST_SHARE: f64 = 0.01;

/// Samples of a side, in all and by routine; how many of them count, at most one of an instance; and its time.
struct Sampled<'a> {
    counts: BTreeMap<&'a str, f64>,
    samples: f64,
    one_in: f64,
    ms: f64,
}

impl<'a> Sampled<'a> {
    fn of(runs: &'a [Run]) -> Self {
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        for ((routine, ..), count) in runs.iter().flat_map(|run| &run.places).flatten() {
            *counts.entry(routine).or_default() += f64::from(*count);
        }
        let samples = counts.values().sum::<f64>();
        let instances = runs.iter().map(|run| f64::from(run.instances)).sum::<f64>();
        let ms = runs.iter().map(|run| run.duration_ms).sum::<f64>() / runs.len() as f64;
        Self { counts, samples, one_in: (samples / instances).max(1.0), ms }
    }
}

/// Routines with a hundredth of the samples of one side, five at least, and none of the other, beyond doubt
/// (Benjamini and Hochberg 1995, of Fisher's exact test). Samples of one instance are not independent: so many
/// count as there are instances. None where samples stayed behind. The routine of a phase that has another name
/// in B is renamed, and not told.
pub fn appeared(sides: [&[Run]; 2], phases: &[PhaseRow]) -> Vec<Appeared> {
    if sides.into_iter().flatten().any(|run| run.instances == 0) {
        return vec![];
    }
    let sampled = sides.map(Sampled::of);
    let is_renamed = |phase: &&PhaseRow| phase.routine != phase.routine_b;
    let names =
        phases.iter().filter(is_renamed).flat_map(|phase| [&phase.routine, &phase.routine_b]);
    let renamed = names.flatten().map(String::as_str).collect::<Vec<_>>();
    let mut all = vec![];
    for (side, is_new) in [(0, false), (1, true)] {
        let (own, other) = (&sampled[side], &sampled[1 - side]);
        for (routine, count) in &own.counts {
            let share = count / own.samples;
            let is_much = share >= LEAST_SHARE && *count >= f64::from(FEW);
            if !is_much || other.counts.contains_key(routine) || renamed.contains(routine) {
                continue;
            }
            let p = all_on_one_side(
                count / own.one_in,
                own.samples / own.one_in,
                other.samples / other.one_in,
            );
            all.push(Appeared { routine: (*routine).to_owned(), is_new, ms: share * own.ms, p });
        }
    }
    let p = all.iter().map(|of| of.p).collect::<Vec<_>>();
    let mut falls = benjamini_hochberg(&p, LEVEL).into_iter();
    all.retain(|_| falls.next().unwrap_or(false));
    order::by_number(&mut all, |of| !order::of_float(of.ms));
    all
}

/// The probability that `count` of `own` and `other` samples are all among `own`, both ways it could have been.
fn all_on_one_side(count: f64, own: f64, other: f64) -> f64 {
    let count = libm::floor(count) as u32;
    let chosen = |own: f64, other: f64| {
        (0..count)
            .map(f64::from)
            .map(|at| ((own - at) / (own + other - at)).max(0.0))
            .product::<f64>()
    };
    (chosen(own, other) + chosen(other, own)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many samples by routine, in runs of 200 instances that last 10 ms.
    fn run(samples: &[(&str, u32)]) -> Run {
        let mut run = Run::new([10.0, 0.01], vec![[0.0, 0.0], [1.0, 0.0]]);
        run.instances = 200;
        for (routine, count) in samples {
            (0..*count).for_each(|_| run.sample(0.5, ((*routine).to_owned(), "a.c".to_owned(), 1)));
        }
        run
    }

    #[test]
    fn the_probability_is_that_of_all_ways_to_choose() {
        // 2 of 3 and 2: C(3,2)/C(5,2) and C(2,2)/C(5,2).
        assert!((all_on_one_side(2.0, 3.0, 2.0) - 0.4).abs() < 1e-12);
        assert_eq!(all_on_one_side(0.0, 3.0, 2.0), 1.0);
    }

    #[test]
    fn what_is_sampled_on_one_side_only_is_told_and_what_may_be_chance_is_not() {
        let a = run(&[("solve", 180), ("old", 15), ("rare", 5)]);
        let b = run(&[("solve", 170), ("fast", 30)]);
        let told = appeared([&[a], &[b]], &[]);
        let told = told.iter().map(|of| (of.routine.as_str(), of.is_new)).collect::<Vec<_>>();
        assert_eq!(told, [("fast", true), ("old", false)]);
    }

    #[test]
    fn samples_of_one_instance_count_once() {
        // Twenty times as many samples of as many instances tell no more.
        let a = run(&[("solve", 3900), ("old", 100)]);
        let b = run(&[("solve", 4000)]);
        assert!(appeared([&[a], &[b]], &[]).is_empty());
    }

    #[test]
    fn a_phase_that_is_called_otherwise_is_renamed_and_neither_gone_nor_new() {
        let (a, b) = ([run(&[("solve", 200)])], [run(&[("solve_v2", 200)])]);
        let phase = PhaseRow {
            a: [0.0, 1.0],
            b: [0.0, 1.0],
            routine: Some("solve".to_owned()),
            routine_b: Some("solve_v2".to_owned()),
            a_ms: 10.0,
            b_ms: 10.0,
            row: Default::default(),
        };
        assert!(appeared([&a, &b], &[phase]).is_empty());
        assert_eq!(appeared([&a, &b], &[]).len(), 2);
    }
}
