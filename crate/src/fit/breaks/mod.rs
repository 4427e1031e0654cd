//! Smooth curves that may break: one family, of which splines and straight segments are the limits.
//!
//! The curve of a counter is a spline whose slope may jump at breaks: at them its knots are triple
//! ([`Mesh`]) and no bend is counted. Without breaks it is the smoothing spline; very smooth it is
//! straight between its breaks. What a counter has of breaks is chosen by evidence, the likelihood
//! of its samples with all else integrated out:
//!
//! 1. `noise`: samples err in time, so that their error grows with the rate; each has its weight.
//! 2. Candidates are the breaks of joint segments, of as many numbers as the caller gives.
//! 3. `jumps`: with all candidates at once, the jump that is worth least is dropped, again and
//!    again. A jump has to be worth its place.
//! 4. `places`: those that are left are moved to where they leave least; then λ is found anew, and
//!    what is worth too little dropped, until nothing changes.
//! 5. Of all starts, and of no breaks at all, the most likely is taken. `windows`: each may be
//!    stiffer in some parts than in others, as a bump in a level rate would else be taken for steps.
//!
//! Sources: Wahba 1990, *Spline models for observational data*, ch. 9 (partial splines); Dickey 1971,
//! *The weighted likelihood ratio*, Annals of Mathematical Statistics 42 (odds of a jump); Muggeo
//! 2003 (breaks as parameters); the choice is ours.

mod jumps;
mod model;
mod noise;
mod places;
mod windows;

use super::abreast::abreast;
use super::mesh::Mesh;
use super::penalised::{Ends, PenalisedSpline};
use super::segments::Samples;
use jumps::{Jumps, drop_worthless};
use model::{Counter, Model};

pub use model::Shape;

/// The breaks of some counters, and how likely they are.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Where any of the counters breaks, rising.
    pub breaks: Vec<f64>,
    /// Half widths of their 95 % intervals.
    pub half_widths: Vec<f64>,
    /// Twice the logarithm of the odds for each of them.
    pub worths: Vec<f64>,
    /// For each of them, by how much it moves without each group of instances.
    pub moves: Vec<Vec<f64>>,
    /// The curve of each counter that breaks anywhere.
    pub shapes: Vec<Option<Shape>>,
    /// Logarithm of the odds that there are these breaks, and not none.
    pub log_odds: f64,
}

/// Rounds of dropping and moving; most end after two.
const ROUNDS: usize = 5;

/// Counters as they are without breaks.
pub struct Unbroken<'a> {
    counters: Vec<Counter<'a>>,
    smooth: Vec<Model>,
    /// −2 log of the likelihood of each.
    costs: Vec<f64>,
}

impl<'a> Unbroken<'a> {
    /// O(samples + counters × cells).
    pub fn of(counters: &[Samples<'a>], ends: Ends) -> Self {
        let counters = abreast(counters.len(), |at| Counter::new(counters[at], ends));
        let smooth = abreast(counters.len(), |at| counters[at].smooth());
        let costs = abreast(counters.len(), |at| smooth[at].locally().1);
        Self { counters, smooth, costs }
    }
}

/// Looks for the breaks of counters among `candidates`, each a list of rising places in `]0, 1[`,
/// the first being the longest. `moved`: whether they may move.
///
/// `None` if no breaks are more likely than any. `groups` is the number of groups of instances.
/// O(candidates × counters × cells), and the samples beside breaks.
pub fn find(
    unbroken: &Unbroken<'_>,
    groups: u32,
    candidates: &[Vec<f64>],
    moved: bool,
) -> Option<Broken> {
    let Unbroken { counters, smooth, costs: unbroken } = unbroken;
    let samples = counters.iter().map(Counter::len).sum::<usize>();
    // As the criterion of joint segments has it: places are searched for.
    let place = libm::log(samples.max(2) as f64);
    let none = unbroken.iter().sum::<f64>();
    let mut best: Option<(f64, Vec<Vec<f64>>)> = None;
    let mut seen: Vec<Vec<Vec<f64>>> = Vec::new();
    let starts = starts(candidates).collect::<Vec<_>>();
    let settled = |at: usize| settled(counters, starts[at], smooth, place, moved);
    for breaks in abreast(starts.len(), settled).into_iter().flatten() {
        if seen.iter().any(|other| are_alike(other, &breaks)) {
            continue;
        }
        let costs = abreast(counters.len(), |at| match breaks[at].is_empty() {
            true => unbroken[at],
            false => counters[at].model(&breaks[at], smooth[at].lambda).locally().1,
        });
        let cost = costs.iter().sum::<f64>() + place * count(&breaks) as f64;
        seen.push(breaks.clone());
        if cost < best.as_ref().map_or(none, |(least, _)| *least) {
            best = Some((cost, breaks));
        }
    }
    let (cost, mut breaks) = best?;
    // Weights and jumps by the curve as it came out, and places by those.
    let counters = abreast(counters.len(), |at| match breaks[at].is_empty() {
        true => counters[at].clone(),
        false => counters[at].learnt_from(&counters[at].model(&breaks[at], smooth[at].lambda)),
    });
    let models = |breaks: &[Vec<f64>]| {
        abreast(counters.len(), |at| counters[at].model(&breaks[at], smooth[at].lambda))
    };
    if moved {
        let lambdas = models(&breaks).iter().map(|model| model.lambda).collect::<Vec<_>>();
        places::refine(&counters, &lambdas, &mut breaks);
    }
    let models = models(&breaks);
    let moves = places::moves(&counters, &models, &breaks, groups);
    let jumps = models.iter().map(Jumps::of).collect::<Vec<_>>();
    let worth = |at: &f64| jumps.iter().filter_map(|of| of.worth(*at)).sum();
    let worths = jumps::places(&breaks).iter().map(worth).collect();
    let shapes = abreast(counters.len(), |at| {
        (!breaks[at].is_empty()).then(|| counters[at].shape(&models[at]))
    });
    Some(Broken {
        shapes,
        breaks: jumps::places(&breaks),
        half_widths: places::half_widths(&moves),
        worths,
        moves,
        log_odds: (none - cost) / 2.0,
    })
}

/// Every list of candidates, with curves as straight as they may be between them; and the longest
/// with curves as bent as they are without breaks, of which a jump stands out by itself.
fn starts(candidates: &[Vec<f64>]) -> impl Iterator<Item = (&[f64], bool)> {
    let bent = candidates.first().into_iter().map(|first| (first.as_slice(), true));
    bent.chain(candidates.iter().map(|start| (start.as_slice(), false)))
}

/// Places closer than this are one.
const ALIKE: f64 = 2e-4;

fn are_alike(a: &[Vec<f64>], b: &[Vec<f64>]) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() < ALIKE;
    a.iter().zip(b).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(near))
}

fn count(breaks: &[Vec<f64>]) -> usize {
    breaks.iter().map(Vec::len).sum()
}

/// The breaks of each counter that are left of `start`, moved to where they fit; `None` if none are.
/// `bent`: whether at first its curves are as smooth as they are without breaks.
fn settled(
    counters: &[Counter<'_>],
    (start, bent): (&[f64], bool),
    smooth: &[Model],
    place: f64,
    moved: bool,
) -> Option<Vec<Vec<f64>>> {
    let mut breaks = vec![start.to_vec(); counters.len()];
    let mut lambdas = smooth.iter().map(|model| model.lambda).collect::<Vec<_>>();
    for round in 0..ROUNDS {
        // What has lost all its breaks gets none again.
        let broken = abreast(counters.len(), |at| match breaks[at].as_slice() {
            [] => (lambdas[at], Jumps::default()),
            of => {
                let model = match bent && round == 0 {
                    true => counters[at].at(of, lambdas[at]),
                    false => counters[at].model(of, lambdas[at]),
                };
                (model.lambda, Jumps::of(&model))
            }
        });
        let mut all;
        (lambdas, all) = broken.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
        drop_worthless(&mut all, place);
        let left = all.into_iter().map(Jumps::into_places).collect::<Vec<_>>();
        let unchanged = left == breaks && round > 0;
        breaks = left;
        if count(&breaks) == 0 {
            return None;
        }
        if unchanged {
            break;
        }
        if moved {
            places::refine(counters, &lambdas, &mut breaks);
        }
    }
    Some(breaks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::made_up;

    fn tried(
        counters: &[Samples<'_>],
        groups: u32,
        candidates: &[Vec<f64>],
        moved: bool,
    ) -> Option<Broken> {
        find(&Unbroken::of(counters, Ends::Exact), groups, candidates, moved)
    }

    /// Sorted samples of a counter: times, shares, groups and instances.
    struct Made {
        x: Vec<f64>,
        y: Vec<f64>,
        group: Vec<u32>,
        instance: Vec<u32>,
    }

    impl Made {
        fn of(n: usize, seed: u64, noise: f64, counter: impl Fn(f64) -> f64) -> Made {
            let mut samples = made_up::samples(n, seed, noise, counter);
            samples.sort_by(|a, b| a.1.total_cmp(&b.1));
            let instance = samples.iter().map(|sample| sample.0 as u32).collect::<Vec<_>>();
            Made {
                x: samples.iter().map(|sample| sample.1).collect(),
                y: samples.iter().map(|sample| sample.2).collect(),
                group: instance.iter().map(|instance| instance % 20).collect(),
                instance,
            }
        }

        fn samples(&self) -> Samples<'_> {
            Samples { x: &self.x, y: &self.y, group: &self.group, instance: &self.instance }
        }
    }

    fn step(x: f64) -> f64 {
        if x < 0.4 { 1.75 * x } else { 0.7 + 0.5 * (x - 0.4) }
    }

    #[test]
    fn a_jump_is_moved_to_its_place_and_needless_candidates_are_dropped() {
        let jumps = Made::of(1500, 3, 0.004, step);
        let waves = Made::of(1500, 4, 0.004, made_up::waves);
        let candidates = [vec![0.1, 0.25, 0.407, 0.6, 0.8]];
        let counters = [jumps.samples(), waves.samples()];
        let broken = tried(&counters, 20, &candidates, true).unwrap();
        let [at] = broken.breaks[..] else { panic!("{:?}", broken.breaks) };
        // Two lines, each through an end, cross at a place that is sure to 2 σ √(12 / n) over the
        // difference of their slopes.
        let sure = 2.0 * 0.002 * (12.0_f64 / 1500.0).sqrt() / 1.25;
        assert!((at - 0.4).abs() < 2.0 * sure, "{at}");
        assert!((0.5 * sure..2.0 * sure).contains(&broken.half_widths[0]), "{broken:?}");
        assert!(broken.log_odds > 20.0 && broken.worths[0] > 40.0);
        assert_eq!(broken.moves[0].len(), 20);
        let [Some(shape), None] = &broken.shapes[..] else { panic!("the waves break nowhere") };
        assert_eq!(shape.breaks, broken.breaks);
        let held = tried(&counters[..1], 20, &[vec![0.4003]], false).unwrap();
        assert_eq!(held.breaks, [0.4003]);
    }

    #[test]
    fn the_interval_of_a_place_covers_it_as_often_as_it_says() {
        for (n, noise) in [(400, 0.004), (1500, 0.001)] {
            let covers = |seed: &u64| {
                let made = Made::of(n, *seed, noise, step);
                let candidates = [vec![0.15, 0.4003, 0.7]];
                let broken = tried(&[made.samples()], 20, &candidates, true).unwrap();
                let [at] = broken.breaks[..] else { panic!("{:?}", broken.breaks) };
                (at - 0.4).abs() <= broken.half_widths[0]
            };
            // Of forty intervals of 95 % fewer than 33 cover in one of 1,500 such tests.
            let covered = (1..=40).filter(covers).count();
            assert!((33..40).contains(&covered), "{n}: {covered}");
        }
    }

    #[test]
    fn a_place_moves_without_a_group_as_it_does_if_all_is_fitted_anew() {
        let all = Made::of(1500, 5, 0.004, step);
        let without = |left_out: u32| {
            let kept = (0..all.x.len()).filter(|at| all.group[*at] != left_out);
            let kept = kept.collect::<Vec<_>>();
            let of = |values: &[f64]| kept.iter().map(|at| values[*at]).collect::<Vec<_>>();
            let numbers = |of: &[u32]| kept.iter().map(|at| of[*at]).collect::<Vec<_>>();
            Made {
                x: of(&all.x),
                y: of(&all.y),
                group: numbers(&all.group),
                instance: numbers(&all.instance),
            }
        };
        let refined = |made: &Made, start: f64| {
            let counters = [Counter::new(made.samples(), Ends::Exact)];
            let mut breaks = vec![vec![start]];
            places::refine(&counters, &[0.1], &mut breaks);
            let models = [counters[0].at(&breaks[0], 0.1)];
            (breaks[0][0], places::moves(&counters, &models, &breaks, 20))
        };
        let (place, moves) = refined(&all, 0.4003);
        for (group, moved) in moves[0].iter().enumerate() {
            let (again, _) = refined(&without(group as u32), place);
            let expected = again - place;
            let most = 0.1 * expected.abs() + 2e-6;
            assert!((moved - expected).abs() < most, "{group}: {moved} {expected}");
        }
    }

    #[test]
    fn what_is_smooth_does_not_break_however_many_candidates_there_are() {
        let many = (1..40).map(|at| f64::from(at) / 40.0).collect::<Vec<_>>();
        let bump = |x: f64| {
            let tail = |x: f64| 1.0 / (1.0 + libm::exp(-x / 0.03));
            (x + 0.3 * (tail(x - 0.5) - tail(-0.5))) / (1.0 + 0.3 * (tail(0.5) - tail(-0.5)))
        };
        for (seed, counter) in [(1, &made_up::waves as &dyn Fn(f64) -> f64), (2, &bump)] {
            let smooth = Made::of(3000, seed, 0.003, counter);
            let found = tried(&[smooth.samples()], 20, std::slice::from_ref(&many), true);
            assert!(found.is_none(), "{seed}: {:?}", found.map(|found| found.breaks));
        }
    }

    #[test]
    fn few_or_odd_samples_give_no_breaks_and_no_panic() {
        let candidates = [vec![0.2, 0.5, 0.502], vec![0.5]];
        for (x, y) in [
            (vec![], vec![]),
            (vec![0.5], vec![0.1]),
            (vec![0.5; 40], vec![0.5; 40]),
            (vec![0.0; 9], vec![1.0; 9]),
        ] {
            let none = vec![0; x.len()];
            let samples = Samples { x: &x, y: &y, group: &none, instance: &none };
            assert!(tried(&[samples], 1, &candidates, true).is_none(), "{x:?}");
        }
        assert!(tried(&[], 20, &[], true).is_none());
    }
}
