//! A curve from the differences of what was read, wherever that was.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::Coefficients;
use super::mesh::Mesh;
use super::prior::penalty;

/// Cells of the grid: the equations are dense.
const CELLS: usize = 128;
/// Bandwidths that are tried, as powers of ten of the share of the region.
const SEARCHED: (f64, f64) = (-2.4, -0.5);
const STEPS: u32 = 24;
/// Fewer rises than this tell nothing.
const FEWEST: usize = 30;
/// What is left is rounding where it is less than this share of the squares.
const ROUNDING: f64 = 1e-13;

/// How far a counter rose between two readings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rise {
    /// The parts of instances that lie between the readings.
    pub stretches: Vec<Stretch>,
    /// How much time lies between them outside of instances, in durations of a mean one.
    pub outside: f64,
    pub height: f64,
}

/// A part of an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Duration of the instance over that of a mean one.
    pub scale: f64,
    /// Folded time, `from <= to`.
    pub from: f64,
    pub to: f64,
}

/// What a mean instance counts up to each place, 0 at its begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    level: Coefficients,
    start: f64,
    /// What is counted outside of instances in the duration of a mean one.
    pub outside: f64,
}

impl Levels {
    pub fn at(&self, x: f64) -> f64 {
        self.level.value(x) - self.start
    }

    /// What an instance counts from its begin to its end.
    pub fn total(&self) -> f64 {
        self.at(1.0)
    }

    /// How far the counter should have risen.
    pub fn height(&self, rise: &Rise) -> f64 {
        let inside = |s: &Stretch| s.scale * (self.at(s.to) - self.at(s.from));
        rise.stretches.iter().map(inside).sum::<f64>() + rise.outside * self.outside
    }
}

/// The smooth curve of levels whose differences are nearest to `rises`, with what is counted
/// outside of instances as one more unknown; its smoothness by REML.
///
/// No reading has to lie at a border. `None` of fewer than 30 rises, or if the curve would not rise
/// at all. Some 25 dense solutions of 132 equations.
pub fn levels_of_rises(rises: &[Rise]) -> Option<Levels> {
    let largest = rises.iter().map(|rise| rise.height.abs()).fold(0.0, f64::max);
    if rises.len() < FEWEST || largest == 0.0 {
        return None;
    }
    let equations = Equations::of(rises, largest);
    let step = (SEARCHED.1 - SEARCHED.0) / f64::from(STEPS);
    let mut best: Option<(f64, DVector<f64>)> = None;
    for number in 0..=STEPS {
        let bandwidth = libm::pow(10.0, SEARCHED.0 + step * f64::from(number));
        let square = bandwidth * bandwidth;
        let Some((cost, solution)) = equations.solve(rises.len() as f64 * square * square) else {
            continue;
        };
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, solution));
        }
    }
    let (_, solution) = best?;
    let mut scaled: Vec<f64> = solution.iter().map(|value| value * largest).collect();
    let outside = scaled.pop()?;
    let level = Coefficients { mesh: Arc::new(Mesh::even(CELLS)), of_splines: scaled };
    let found = Levels { start: level.value(0.0), level, outside };
    (found.total().is_finite() && found.total() > 0.0).then_some(found)
}

/// The normal equations of the coefficients and, last, of what is counted outside.
struct Equations {
    /// Symmetric.
    normal: DMatrix<f64>,
    right: DVector<f64>,
    /// Sum of the squared heights.
    squares: f64,
    count: f64,
    /// So little of each unknown that those of which nothing is known are 0.
    ridge: f64,
}

impl Equations {
    /// Heights are taken in units of `largest`.
    fn of(rises: &[Rise], largest: f64) -> Self {
        let mesh = Mesh::even(CELLS);
        let order = CELLS + 4;
        let mut found = Self {
            normal: DMatrix::zeros(order, order),
            right: DVector::zeros(order),
            squares: 0.0,
            count: rises.len() as f64,
            ridge: 0.0,
        };
        let mut terms = Vec::new();
        for rise in rises {
            terms.clear();
            for stretch in &rise.stretches {
                for (x, sign) in [(stretch.to, 1.0), (stretch.from, -1.0)] {
                    let (cell, splines) = mesh.weights(x);
                    let term = |(at, spline)| (cell + at, sign * stretch.scale * spline);
                    terms.extend(splines.into_iter().enumerate().map(term));
                }
            }
            terms.push((order - 1, rise.outside));
            found.add(&terms, rise.height / largest, 1.0);
            found.squares += (rise.height / largest) * (rise.height / largest);
        }
        let most = found.normal.iter().fold(1.0, |most: f64, entry| most.max(*entry));
        // Only differences are known: the curve begins at 0.
        let (cell, splines) = mesh.weights(0.0);
        let begin = splines.into_iter().enumerate().map(|(at, spline)| (cell + at, spline));
        found.add(&begin.collect::<Vec<_>>(), 0.0, 1e4 * most);
        found.ridge = 1e-12 * found.normal.trace() / order as f64;
        found
    }

    fn add(&mut self, terms: &[(usize, f64)], height: f64, weight: f64) {
        for &(row, of_row) in terms {
            self.right[row] += weight * of_row * height;
            for &(column, of_column) in terms {
                self.normal[(row, column)] += weight * of_row * of_column;
            }
        }
    }

    /// −2 log of the restricted likelihood, up to a constant, and the unknowns.
    fn solve(&self, lambda: f64) -> Option<(f64, DVector<f64>)> {
        let mut system = self.normal.clone();
        for (at, row) in penalty(&Mesh::even(CELLS), &[]).0.iter().enumerate() {
            for (beside, entry) in row.iter().enumerate().filter(|(b, _)| at + b < CELLS + 3) {
                system[(at, at + beside)] += lambda * entry;
                if beside > 0 {
                    system[(at + beside, at)] += lambda * entry;
                }
            }
        }
        (0..system.nrows()).for_each(|at| system[(at, at)] += self.ridge);
        let factor = system.cholesky()?;
        let solution = factor.solve(&self.right);
        let explained = self.right.dot(&solution);
        let left = self.squares - explained;
        if left <= ROUNDING * self.squares {
            return None;
        }
        let pivots = factor.l_dirty().diagonal();
        let log_determinant = pivots.iter().map(|pivot| 2.0 * libm::log(*pivot)).sum::<f64>();
        // What is counted outside is one more unknown that no penalty holds.
        let free = self.count - 2.0;
        let rank = CELLS as f64 + 1.0;
        let cost = free * libm::log(left / free) + log_determinant - rank * libm::log(lambda);
        Some((cost, solution))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracefold_generate::Random;

    /// Rate 1 up to 0.4, then 2: 1.6 in all; 0.5 outside.
    fn truth(x: f64) -> f64 {
        if x < 0.4 { x } else { 2.0 * x - 0.4 }
    }

    /// Readings at random moments of instances that last 1 with 0.5 between them.
    fn rises(count: usize, noise: f64) -> Vec<Rise> {
        let mut random = Random::new(3);
        let mut at = 0.0;
        let mut found = Vec::new();
        while found.len() < count {
            let next: f64 = at + 0.3 + random.uniform();
            let mut rise = Rise { outside: next - at, ..Rise::default() };
            for instance in 0..2000 {
                let begin = 1.5 * f64::from(instance);
                let (from, to) = (f64::max(at, begin), f64::min(next, begin + 1.0));
                if from < to {
                    let (from, to) = (from - begin, to - begin);
                    rise.height += truth(to) - truth(from);
                    rise.outside -= to - from;
                    rise.stretches.push(Stretch { scale: 1.0, from, to });
                }
            }
            rise.height += 0.5 * rise.outside + noise * random.normal();
            found.push(rise);
            at = next;
        }
        found
    }

    #[test]
    fn levels_are_those_that_the_rises_were_made_of() {
        let rises = rises(1500, 0.01);
        let found = levels_of_rises(&rises).unwrap();
        assert!((found.total() - 1.6).abs() < 0.01, "{}", found.total());
        assert!((found.outside - 0.5).abs() < 0.01, "{}", found.outside);
        for tenth in 0..=10 {
            let x = f64::from(tenth) / 10.0;
            assert!((found.at(x) - truth(x)).abs() < 0.01, "{x} {}", found.at(x));
        }
        let errors = rises.iter().map(|rise| (found.height(rise) - rise.height).abs());
        assert!(errors.sum::<f64>() / 1500.0 < 0.012);
    }

    #[test]
    fn the_levels_begin_at_zero_though_only_their_differences_are_known() {
        let found = levels_of_rises(&rises(1500, 0.01)).unwrap();
        assert_eq!(found.at(0.0), 0.0);
    }

    #[test]
    fn an_instance_that_lasts_twice_as_long_counts_twice_as_much() {
        let mut rises = rises(1500, 0.01);
        for rise in rises.iter_mut().step_by(2) {
            rise.stretches.iter_mut().for_each(|stretch| stretch.scale = 2.0);
            (rise.outside, rise.height) = (2.0 * rise.outside, 2.0 * rise.height);
        }
        let found = levels_of_rises(&rises).unwrap();
        assert!((found.total() - 1.6).abs() < 0.01, "{}", found.total());
        assert!((found.outside - 0.5).abs() < 0.01, "{}", found.outside);
        // From 0.2 to 0.7 a mean instance counts 1 − 0.2.
        let stretches = vec![Stretch { scale: 2.0, from: 0.2, to: 0.7 }];
        let height = found.height(&Rise { stretches, outside: 3.0, height: 0.0 });
        assert!((height - (2.0 * 0.8 + 3.0 * 0.5)).abs() < 0.05, "{height}");
    }

    #[test]
    fn few_rises_or_none_tell_nothing() {
        assert_eq!(levels_of_rises(&rises(29, 0.01)), None);
        assert_eq!(levels_of_rises(&vec![Rise::default(); 50]), None);
        let outside = Rise { outside: 1.0, height: 1.0, ..Rise::default() };
        assert_eq!(levels_of_rises(&vec![outside; 50]), None);
    }
}
