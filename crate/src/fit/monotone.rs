use super::Coefficients;
use super::banded::{Banded, Factor};
use super::penalised::PenalisedSpline;

/// Far more than the 5 to 13 steps that made-up and real counters need.
const MOST_STEPS: usize = 60;

impl PenalisedSpline {
    /// The curve of all samples among those that never fall: the same problem as
    /// [`fit`](PenalisedSpline::fit) under the condition that no coefficient is below the one
    /// before. Where the plain fit rises already, it is that fit.
    ///
    /// A primal-dual interior point method. Should rounding keep it from converging, which takes
    /// values hundreds of times outside of the unit square, the plain fit is made to rise by pooling
    /// its coefficients; so there is always a curve, its numbers are finite, and its slope is
    /// nowhere negative. O(cells).
    ///
    /// Source: Mehrotra 1992, On the implementation of a primal-dual interior point method.
    pub fn monotone(&self, lambda: f64) -> Coefficients {
        let plain = self.fit(lambda);
        if plain.of_splines.windows(2).all(|pair| pair[0] <= pair[1]) {
            return plain;
        }
        self.constrained(lambda)
            .unwrap_or_else(|| Coefficients { of_splines: pooled(&plain.of_splines), ..plain })
    }

    fn constrained(&self, lambda: f64) -> Option<Coefficients> {
        // Samples far outside of the unit square are brought near it.
        let unit = largest(&self.fit(lambda).of_splines).max(1.0);
        let problem = Problem::new(self, lambda, unit);
        let mut point = Interior::new(problem.right.len(), problem.scale);
        let mut residual = problem.residual(&point);
        for _ in 0..MOST_STEPS {
            if problem.is_solved(&point, &residual) {
                break;
            }
            let next = point.advanced(&problem.newton(&point).factor(), &residual);
            // Close to the optimum the stiffness can drown the matrix.
            if !next.difference.iter().all(|value| value.is_finite()) {
                break;
            }
            residual = problem.residual(&next);
            point = next;
        }
        problem.is_nearly_solved(&point, &residual).then(|| {
            let difference = point.difference.iter().map(|value| unit * value);
            let mut curve = self.on_the_diagonal(&difference.collect::<Vec<_>>());
            remove_rounding(&mut curve.of_splines);
            curve
        })
    }
}

/// Of all coefficients that nowhere fall more steeply than the diagonal rises, those with the least
/// `½ c′ system c − right′ c`.
struct Problem {
    system: Banded,
    right: Vec<f64>,
    /// The rises of the diagonal from each coefficient to the next.
    rises: Vec<f64>,
    /// The largest force on a coefficient of the curve itself: how large multipliers may be.
    scale: f64,
    stiffest: f64,
}

impl Problem {
    fn new(spline: &PenalisedSpline, lambda: f64, unit: f64) -> Self {
        let system = spline.system(lambda);
        let right = spline.right().iter().map(|value| value / unit).collect::<Vec<_>>();
        let diagonal = spline.mesh().diagonal().map(|value| value / unit).collect::<Vec<_>>();
        let of_line = spline.anchored().times(&diagonal);
        let forces = of_line.iter().zip(&right).map(|(a, b)| (a + b).abs());
        Self {
            scale: forces.fold(f64::MIN_POSITIVE, f64::max),
            stiffest: system.0.iter().fold(0.0, |most: f64, row| most.max(row[0])),
            rises: diagonal.windows(2).map(|pair| pair[1] - pair[0]).collect(),
            system,
            right,
        }
    }

    fn residual(&self, point: &Interior) -> Residual {
        let mut dual = self.system.times(&point.difference);
        dual.iter_mut().zip(&self.right).for_each(|(dual, right)| *dual -= right);
        for (i, multiplier) in point.multipliers.iter().enumerate() {
            dual[i] += multiplier;
            dual[i + 1] -= multiplier;
        }
        let rises = point.difference.windows(2).zip(&self.rises);
        let rises = rises.map(|(pair, rise)| pair[1] - pair[0] + rise);
        let primal = rises.zip(&point.slacks).map(|(rise, slack)| rise - slack).collect();
        let products = point.slacks.iter().zip(&point.multipliers).map(|(s, z)| s * z);
        Residual { dual, primal, gap: products.sum::<f64>() / point.slacks.len() as f64 }
    }

    /// The matrix of a Newton step: each constraint is a spring between neighbours.
    fn newton(&self, point: &Interior) -> Banded {
        let mut matrix = self.system.clone();
        for (i, (slack, multiplier)) in point.slacks.iter().zip(&point.multipliers).enumerate() {
            let stiffness = multiplier / slack;
            matrix.0[i][0] += stiffness;
            matrix.0[i][1] -= stiffness;
            matrix.0[i + 1][0] += stiffness;
        }
        matrix
    }

    /// Whether no coefficient would move by more than some 1e-10 of the curve.
    fn is_solved(&self, point: &Interior, residual: &Residual) -> bool {
        residual.gap < 1e-17 * self.scale
            && largest(&residual.dual) < 1e-13 * self.scale + self.rounding(point)
            && largest(&residual.primal) < 1e-12
    }

    /// Whether the point is good enough where rounding ended the steps early.
    fn is_nearly_solved(&self, point: &Interior, residual: &Residual) -> bool {
        residual.gap < 1e-12 * self.scale
            && largest(&residual.dual) < 1e-6 * self.scale + 1e3 * self.rounding(point)
            && largest(&residual.primal) < 1e-12
    }

    /// What the matrix makes of the coefficients leaves this in the gradient.
    fn rounding(&self, point: &Interior) -> f64 {
        1e-14 * self.stiffest * largest(&point.difference)
    }
}

/// A point inside of the constraints: the coefficients of `f(x) − x`, by how much each coefficient
/// of `f` is above the one before, and the force that keeps it there.
struct Interior {
    difference: Vec<f64>,
    slacks: Vec<f64>,
    multipliers: Vec<f64>,
}

/// By how much a point misses the conditions of an optimum.
struct Residual {
    /// The gradient, multipliers included.
    dual: Vec<f64>,
    /// Between the rises of the coefficients and the slacks.
    primal: Vec<f64>,
    /// Mean product of slack and multiplier.
    gap: f64,
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// A step from a point.
struct Step {
    difference: Vec<f64>,
    slacks: Vec<f64>,
    multipliers: Vec<f64>,
}

impl Interior {
    /// The diagonal, far from every constraint.
    fn new(order: usize, scale: f64) -> Self {
        let constraints = order - 1;
        Self {
            difference: vec![0.0; order],
            slacks: vec![1.0 / constraints as f64; constraints],
            multipliers: vec![1e-3 * scale; constraints],
        }
    }

    /// The next point: predictor, corrector, and nearly as far as the constraints allow.
    fn advanced(&self, newton: &Factor, residual: &Residual) -> Self {
        const SHORT_OF_THE_WALL: f64 = 0.995;
        let mut products =
            self.slacks.iter().zip(&self.multipliers).map(|(s, z)| s * z).collect::<Vec<_>>();
        let predicted = self.step(newton, residual, &products);
        let [primal, dual] = self.lengths(&predicted);
        let reached = self
            .slacks
            .iter()
            .zip(&predicted.slacks)
            .zip(self.multipliers.iter().zip(&predicted.multipliers))
            .map(|((s, ds), (z, dz))| (s + primal * ds) * (z + dual * dz))
            .sum::<f64>();
        let share = reached / self.slacks.len() as f64 / residual.gap;
        let target = share * share * share * residual.gap;
        let bent = predicted.slacks.iter().zip(&predicted.multipliers);
        products.iter_mut().zip(bent).for_each(|(product, (ds, dz))| *product += ds * dz - target);
        let step = self.step(newton, residual, &products);
        let [primal, dual] =
            self.lengths(&step).map(|length| (SHORT_OF_THE_WALL * length).min(1.0));
        let at = |values: &[f64], step: &[f64], length: f64| {
            values.iter().zip(step).map(|(value, step)| value + length * step).collect()
        };
        Self {
            difference: at(&self.difference, &step.difference, primal),
            slacks: at(&self.slacks, &step.slacks, primal),
            multipliers: at(&self.multipliers, &step.multipliers, dual),
        }
    }

    /// The Newton step that takes `products` off the products of slacks and multipliers.
    fn step(&self, newton: &Factor, residual: &Residual, products: &[f64]) -> Step {
        let mut right = residual.dual.iter().map(|dual| -dual).collect::<Vec<_>>();
        for (i, (slack, multiplier)) in self.slacks.iter().zip(&self.multipliers).enumerate() {
            let push = (products[i] + multiplier * residual.primal[i]) / slack;
            right[i] += push;
            right[i + 1] -= push;
        }
        let difference = newton.solve(right);
        let rises = difference.windows(2).map(|pair| pair[1] - pair[0]);
        let slacks = rises.zip(&residual.primal).map(|(rise, p)| rise + p).collect::<Vec<_>>();
        let point = self.slacks.iter().zip(&self.multipliers);
        let multipliers = point.zip(slacks.iter().zip(products));
        let multipliers =
            multipliers.map(|((s, z), (ds, product))| -(product + z * ds) / s).collect();
        Step { difference, slacks, multipliers }
    }

    /// How much of a step slacks and multipliers can take before one of them is 0, at most all.
    fn lengths(&self, step: &Step) -> [f64; 2] {
        let length = |values: &[f64], step: &[f64]| {
            let falling = values.iter().zip(step).filter(|(_, step)| **step < 0.0);
            falling.map(|(value, step)| -value / step).fold(1.0, f64::min)
        };
        [length(&self.slacks, &step.slacks), length(&self.multipliers, &step.multipliers)]
    }
}

/// Coefficients that fall by rounding rise.
fn remove_rounding(coefficients: &mut [f64]) {
    let mut most = f64::NEG_INFINITY;
    for coefficient in coefficients {
        most = most.max(*coefficient);
        *coefficient = most;
    }
}

/// The nearest values that never fall: falling neighbours become their mean (pool adjacent
/// violators). O(values).
fn pooled(values: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::with_capacity(values.len());
    for &value in values {
        let mut pool = (value, 1);
        while let Some((mean, count)) = pools.pop_if(|(mean, _)| *mean > pool.0) {
            let both = count + pool.1;
            pool = ((mean * count as f64 + pool.0 * pool.1 as f64) / both as f64, both);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::fit::made_up::{pause, samples, waves};
    use crate::fit::{Ends, GroupedStatistics, Mesh};
    use std::sync::Arc;

    fn spline(n: usize, seed: u64, noise: f64, cells: usize, ends: Ends) -> PenalisedSpline {
        let mut sums = GroupedStatistics::on(&Arc::new(Mesh::even(cells)), 20);
        let samples = samples(n, seed, noise, pause);
        samples.iter().for_each(|&(instance, x, y)| sums.add(instance, x, y));
        PenalisedSpline::new(sums, ends)
    }

    /// The definition: of all sets of rises that are held at 0, the one that leaves no rise
    /// negative and no pull upwards, found by adding and removing one rise at a time.
    ///
    /// Source: Lawson and Hanson 1974, Solving least squares problems, chapter 23.
    fn monotone_by_definition(spline: &PenalisedSpline, lambda: f64) -> Vec<f64> {
        let system = spline.system(lambda);
        let order = system.0.len();
        let dense = DMatrix::from_fn(order, order, |i, j| {
            system.0[i.min(j)].get(i.abs_diff(j)).copied().unwrap_or(0.0)
        });
        // Coefficients are sums of the first one and the rises.
        let sums = DMatrix::from_fn(order, order, |i, j| if j <= i { 1.0 } else { 0.0 });
        let diagonal = DVector::from_iterator(order, spline.mesh().diagonal());
        let forces = DVector::from_column_slice(spline.right()) + &dense * diagonal;
        let (matrix, forces) = (sums.transpose() * &dense * &sums, sums.transpose() * forces);
        let mut free = vec![false; order];
        free[0] = true;
        let mut rises = DVector::<f64>::zeros(order);
        loop {
            loop {
                let kept = (0..order).filter(|&i| free[i]).collect::<Vec<_>>();
                let part = matrix.select_rows(&kept).select_columns(&kept);
                let solved = part.cholesky().unwrap().solve(&forces.select_rows(&kept));
                let mut target = DVector::zeros(order);
                kept.iter().zip(solved.iter()).for_each(|(&i, &value)| target[i] = value);
                let blocked = kept.iter().copied().filter(|&i| i > 0 && target[i] <= 0.0);
                let length = |i: usize| -> f64 { rises[i] / (rises[i] - target[i]) };
                let Some(first) = blocked.min_by(|&a, &b| length(a).total_cmp(&length(b))) else {
                    rises = target;
                    break;
                };
                rises += length(first) * (target - &rises);
                rises[first] = 0.0;
                free[first] = false;
            }
            let pull = &forces - &matrix * &rises;
            let held = (0..order).filter(|&i| !free[i] && pull[i] > 1e-11 * forces.amax());
            let Some(next) = held.max_by(|&a, &b| pull[a].total_cmp(&pull[b])) else { break };
            free[next] = true;
        }
        (sums * rises).iter().copied().collect()
    }

    #[test]
    fn equals_the_definition() {
        for (seed, cells) in [(1, 12), (2, 24), (3, 40), (4, 64)] {
            for bandwidth in [0.02, 0.05, 0.1] {
                for ends in [Ends::Exact, Ends::Soft] {
                    let spline = spline(150, seed, 0.1, cells, ends);
                    let lambda = spline.lambda_of_bandwidth(bandwidth);
                    let rising = spline.constrained(lambda).unwrap().of_splines;
                    let expected = monotone_by_definition(&spline, lambda);
                    let apart = rising.iter().zip(&expected).map(|(a, b)| (a - b).abs());
                    let apart = apart.fold(0.0, f64::max);
                    assert!(apart < 1e-8, "{seed} {cells} {bandwidth} {ends:?}: {apart:e}");
                }
            }
        }
    }

    #[test]
    fn never_falls_and_stays_near_where_the_plain_fit_falls() {
        for seed in 0..8 {
            let spline = spline(600, 20 + seed, 0.02, 512, Ends::Exact);
            let lambda = spline.lambda();
            let (plain, rising) = (spline.fit(lambda), spline.constrained(lambda).unwrap());
            let places = (0..=2000).map(|j| f64::from(j) / 2000.0).collect::<Vec<_>>();
            assert!(places.iter().any(|&x| plain.slope(x) < 0.0), "{seed}");
            assert!(places.iter().all(|&x| rising.slope(x) >= 0.0), "{seed}");
            assert!(
                places
                    .windows(2)
                    .all(|pair| rising.value(pair[0]) <= rising.value(pair[1]) + 1e-15)
            );
            let apart = places.iter().map(|&x| (plain.value(x) - rising.value(x)).abs());
            assert!(apart.fold(0.0, f64::max) < 5e-3, "{seed}");
        }
    }

    #[test]
    fn converges_for_every_smoothness_and_number_of_samples() {
        for (n, noise) in [(5, 0.5), (40, 0.2), (400, 0.05), (20_000, 0.3)] {
            for ends in [Ends::Exact, Ends::Soft] {
                let spline = spline(n, 77, noise, 512, ends);
                for step in 0..12 {
                    let bandwidth = 0.0011 * libm::pow(1.8, f64::from(step));
                    let lambda = spline.lambda_of_bandwidth(bandwidth);
                    assert!(spline.constrained(lambda).is_some(), "{n} {ends:?} {bandwidth}");
                }
            }
        }
    }

    #[test]
    fn a_fit_that_rises_is_left_as_it_is() {
        let mut sums = GroupedStatistics::new(20);
        samples(500, 3, 0.01, waves).iter().for_each(|&(i, x, y)| sums.add(i, x, y));
        let spline = PenalisedSpline::new(sums, Ends::Exact);
        let lambda = spline.lambda_of_bandwidth(0.05);
        assert_eq!(spline.monotone(lambda), spline.fit(lambda));
        // Without the short cut the same comes out.
        let constrained = spline.constrained(lambda).unwrap();
        let apart = constrained
            .of_splines
            .iter()
            .zip(spline.fit(lambda).of_splines)
            .map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-8);
    }

    #[test]
    fn pooling_gives_the_nearest_values_that_never_fall() {
        assert_eq!(pooled(&[1.0, 3.0, 2.0, 4.0]), [1.0, 2.5, 2.5, 4.0]);
        assert_eq!(pooled(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
        assert_eq!(pooled(&[]), [0.0; 0]);
    }
}
