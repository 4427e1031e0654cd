//! The joint fit as it is defined, sample by sample and with dense algebra: what the fast one must
//! equal. And made-up samples to compare them on.

use nalgebra::{DMatrix, DVector};
use tracefold_generate::Random;

use super::path::{MOST_BREAKS, path, start};
use super::solution::Solution;
use super::sums::Sums;
use super::{Samples, noise_variance};

/// Rising places in 0..1.
pub fn places(random: &mut Random, count: usize) -> Vec<f64> {
    let mut places = (0..count).map(|_| random.uniform()).collect::<Vec<_>>();
    places.sort_by(f64::total_cmp);
    places
}

/// Columns of [`Samples`].
#[derive(Clone, Debug, Default)]
pub struct Made {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub group: Vec<u32>,
    pub instance: Vec<u32>,
}

impl Made {
    /// Samples of a curve with noise at random places, each of one of `instances`, in 20 groups.
    pub fn of(
        random: &mut Random,
        count: usize,
        instances: u32,
        noise: f64,
        curve: impl Fn(f64) -> f64,
    ) -> Made {
        let x = places(random, count);
        let y = x.iter().map(|&x| curve(x) + noise * random.normal()).collect();
        let instance = x.iter().map(|_| random.below(u64::from(instances)) as u32);
        let instance = instance.collect::<Vec<_>>();
        let group = instance.iter().map(|instance| instance % 20).collect();
        Made { x, y, group, instance }
    }

    pub fn samples(&self) -> Samples<'_> {
        Samples { x: &self.x, y: &self.y, group: &self.group, instance: &self.instance }
    }
}

/// The curve with `rates` between `breaks`, from (0, 0) to (1, 1).
pub fn broken_line(breaks: &[f64], rates: &[f64]) -> impl Fn(f64) -> f64 {
    let mut knots = vec![0.0];
    knots.extend_from_slice(breaks);
    knots.push(1.0);
    let rates = rates.to_vec();
    let sum = move |x: f64| {
        let parts = rates.iter().zip(knots.windows(2));
        parts.map(|(rate, ends)| rate * (x - ends[0]).clamp(0.0, ends[1] - ends[0])).sum::<f64>()
    };
    let total = sum(1.0);
    move |x| sum(x) / total
}

/// One counter at given knots: `z ≈ H v`, where `H` has one hat per inner knot.
struct Dense {
    hats: DMatrix<f64>,
    inverse: DMatrix<f64>,
    /// At all knots.
    z: Vec<f64>,
    residuals: DVector<f64>,
    objective: f64,
}

fn dense(made: &Made, knots: &[f64]) -> Dense {
    let (n, inner) = (made.x.len(), knots.len() - 2);
    let z = DVector::from_iterator(n, made.x.iter().zip(&made.y).map(|(x, y)| y - x));
    let hats = DMatrix::from_fn(n, inner, |i, j| hat(knots, j + 1, made.x[i]));
    let mut stiff = DMatrix::zeros(inner, inner);
    for (right, pair) in knots.windows(2).enumerate() {
        let share = 1e-9 * n as f64 / (pair[1] - pair[0]);
        let ends = [right.checked_sub(1), (right < inner).then_some(right)];
        for (a, at) in ends.iter().enumerate().filter_map(|(a, at)| Some((a, (*at)?))) {
            for (b, other) in ends.iter().enumerate().filter_map(|(b, at)| Some((b, (*at)?))) {
                stiff[(at, other)] += if a == b { share } else { -share };
            }
        }
    }
    let normal = hats.transpose() * &hats + &stiff;
    let inverse = normal.try_inverse().unwrap();
    let v = &inverse * hats.transpose() * &z;
    let residuals = z - &hats * &v;
    let objective = residuals.norm_squared() + (v.transpose() * stiff * &v)[(0, 0)];
    let mut with_ends = vec![0.0];
    with_ends.extend(v.iter());
    with_ends.push(0.0);
    Dense { hats, inverse, z: with_ends, residuals, objective }
}

/// The hat over knot `at`, at `x`.
fn hat(knots: &[f64], at: usize, x: f64) -> f64 {
    let (left, here, right) = (knots[at - 1], knots[at], knots[at + 1]);
    if x < left || x > right {
        0.0
    } else if x < here {
        (x - left) / (here - left)
    } else {
        (right - x) / (right - here)
    }
}

fn total(counters: &[Made], weights: &[f64], knots: &[f64]) -> f64 {
    let pairs = counters.iter().zip(weights);
    pairs.map(|(made, weight)| weight * dense(made, knots).objective).sum()
}

fn refined(counters: &[Made], weights: &[f64], mut knots: Vec<f64>) -> Vec<f64> {
    let inner = knots.len() - 2;
    let (mut damping, mut current) = (1e-3, total(counters, weights, &knots));
    for _ in 0..if inner == 0 { 0 } else { 6 } {
        let mut normal = DMatrix::zeros(inner, inner);
        let mut downhill = DVector::zeros(inner);
        for (made, weight) in counters.iter().zip(weights) {
            let fit = dense(made, &knots);
            let slope = |j: usize| (fit.z[j + 1] - fit.z[j]) / (knots[j + 1] - knots[j]);
            let moved = DMatrix::from_fn(made.x.len(), inner, |i, j| {
                let side = if made.x[i] < knots[j + 1] { j } else { j + 1 };
                -slope(side) * fit.hats[(i, j)]
            });
            let mixed = fit.hats.transpose() * &moved;
            normal +=
                *weight * (moved.transpose() * &moved - mixed.transpose() * &fit.inverse * &mixed);
            downhill += *weight * moved.transpose() * &fit.residuals;
        }
        let mut better = None;
        for _ in 0..8 {
            let mut damped = normal.clone();
            (0..inner).for_each(|j| damped[(j, j)] += damping * normal[(j, j)].abs() + 1e-12);
            let moves = damped.lu().solve(&downhill).unwrap();
            let mut there = knots.clone();
            for j in 0..inner {
                let furthest = 0.4 * (knots[j + 1] - knots[j]).min(knots[j + 2] - knots[j + 1]);
                there[j + 1] += moves[j].clamp(-furthest, furthest);
            }
            let wide = there.windows(2).all(|pair| pair[1] - pair[0] >= 2e-3);
            let objective = if wide { total(counters, weights, &there) } else { f64::INFINITY };
            if objective < current {
                better = Some((there, objective));
                break;
            }
            damping = 6.0 * f64::max(damping, 1e-6);
        }
        let Some((there, objective)) = better else { break };
        let converged = current - objective < 1e-7 * current;
        (knots, current) = (there, objective);
        damping *= 0.2;
        if converged {
            break;
        }
    }
    knots
}

/// The step of the path by its definition: every removal is tried, the best one is refined.
fn with_a_knot_less(counters: &[Made], weights: &[f64], knots: &[f64]) -> Vec<f64> {
    let without = (1..knots.len() - 1).map(|at| {
        let mut fewer = knots.to_vec();
        fewer.remove(at);
        (total(counters, weights, &fewer), fewer)
    });
    let (_, best) = without.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    refined(counters, weights, best)
}

/// Each step begins at the knots of the fast path. Where a knot passes a sample the objective bends,
/// and on which side of the bend a step ends is rounding's choice; a knot that ends close to one holds
/// back the steps of all. So two whole paths that differ by rounding may part, and both are right.
#[test]
fn the_fast_path_takes_the_steps_of_the_plain_definition() {
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let breaks = [0.17, 0.4, 0.52, 0.8];
        let rates: [&[f64]; 2] = [&[1.5, 0.5, 0.8, 1.6, 1.0], &[1.0, 1.0, 3.0, 0.4, 0.6]];
        let counters =
            rates.map(|rates| Made::of(&mut random, 70, 30, 0.01, broken_line(&breaks, rates)));
        let sums = counters.each_ref().map(|made| Sums::new(made.samples().iter()));
        let weights =
            counters.each_ref().map(|made| 1.0 / noise_variance(&made.x, &made.y).unwrap());
        let first = start(&sums);
        assert!(first.len() <= MOST_BREAKS + 2);
        let fast = path(&sums);
        assert_eq!(fast.len(), first.len() - 1);
        let mut expected = refined(&counters, &weights, first);
        for fast in fast.iter().rev() {
            assert_eq!(fast.knots.len(), expected.len());
            let apart = fast.knots.iter().zip(&expected).map(|(a, b)| (a - b).abs());
            let apart = apart.fold(0.0, f64::max);
            // Few steps of refinement do not converge: what is rounding before is more after.
            assert!(apart < 1e-6, "seed {seed}, {} knots: {apart:e}", expected.len());
            for (of, made) in fast.counters.iter().zip(&counters) {
                let squares = dense(made, &fast.knots).objective;
                assert!((of.residual_squares / squares - 1.0).abs() < 1e-7);
            }
            if fast.breaks() > 0 {
                expected = with_a_knot_less(&counters, &weights, &fast.knots);
            }
        }
    }
}

#[test]
fn a_removal_costs_what_the_fit_without_the_knot_is_worse() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let curve = broken_line(&[0.3, 0.6], &[1.0, 3.0, 0.5]);
        let counters = [40, 90].map(|n| Made::of(&mut random, n, 30, 0.01, &curve));
        let sums = counters.each_ref().map(|made| Sums::new(made.samples().iter()));
        let weights = sums.each_ref().map(|sums| sums.precision);
        // Some segments have no sample of one counter.
        let mut knots = places(&mut random, 25);
        knots.insert(0, 0.0);
        knots.push(1.0);
        let solution = Solution::at(&sums, knots.clone());
        for (at, cost) in solution.removal_costs(&sums).into_iter().enumerate() {
            let mut fewer = knots.clone();
            fewer.remove(at + 1);
            let expected = total(&counters, &weights, &fewer) - total(&counters, &weights, &knots);
            assert!((cost - expected).abs() < 1e-9 * solution.objective + 1e-6 * cost);
        }
    }
}
