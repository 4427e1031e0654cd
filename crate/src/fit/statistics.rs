use std::sync::Arc;

use super::banded::Banded;
use super::cells::Level;
use super::mesh::Mesh;

/// The sums from which a spline on a fixed grid is fitted to `z = y − x`, whatever the number of
/// samples.
///
/// Of `z` and not of `y`, because the squares that a curve leaves are a difference of these sums,
/// and the diagonal would drown them.
///
/// Sums of disjoint sets of samples add up, so they can be gathered apart. One sample costs
/// 14 additions; the memory is 5 numbers per cell.
///
/// Source: Eilers and Marx 1996, Flexible smoothing with B-splines and penalties.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Σ B B′ of the splines B at the samples.
    pub(super) normal: Banded,
    /// Σ B z.
    pub(super) right: Vec<f64>,
    /// Σ z².
    pub(super) squares: f64,
    pub(super) count: f64,
    /// Σ log of the weights of the samples, if the sums were made of those of cells.
    pub(super) log_weights: f64,
    /// Of each cell, if the sums were made of those.
    pub(super) levels: Vec<Level>,
    pub(super) mesh: Arc<Mesh>,
}

impl Statistics {
    /// Of no samples.
    pub fn new(mesh: &Arc<Mesh>) -> Self {
        let order = mesh.order();
        Self {
            normal: Banded::zero(order),
            right: vec![0.0; order],
            squares: 0.0,
            count: 0.0,
            log_weights: 0.0,
            levels: Vec::new(),
            mesh: Arc::clone(mesh),
        }
    }

    /// Takes a sample in. One outside of `[0, 1]` counts at the nearer end; one that is not finite
    /// is left out.
    pub fn add(&mut self, x: f64, y: f64) {
        if !(x.is_finite() && y.is_finite()) {
            return;
        }
        let z = y - x;
        self.weigh(x, z, 1.0);
        self.squares += z * z;
        self.count += 1.0;
    }

    /// The same of a sample that counts for more or less than others.
    pub fn add_weighted(&mut self, x: f64, y: f64, weight: f64) {
        if !(x.is_finite() && y.is_finite()) {
            return;
        }
        let z = y - x;
        self.weigh(x, z, weight);
        self.squares += weight * z * z;
        self.count += 1.0;
    }

    /// `Σ w (z − f)²` of a curve of these coefficients.
    pub(super) fn left_by(&self, of_splines: &[f64]) -> f64 {
        let (mut crossed, mut squares) = (0.0, 0.0);
        for ((right, product), own) in
            self.right.iter().zip(self.normal.products(of_splines)).zip(of_splines)
        {
            crossed += right * own;
            squares += product * own;
        }
        self.squares - 2.0 * crossed + squares
    }

    /// Pulls the fit to `z` at `x` without counting as a sample.
    pub(super) fn weigh(&mut self, x: f64, z: f64, weight: f64) {
        let (first, splines) = self.mesh.weights(x);
        let normal = self.normal.0[first..].iter_mut().zip(&mut self.right[first..]);
        for (i, ((row, right), spline)) in normal.zip(splines).enumerate() {
            let weighted = weight * spline;
            *right += weighted * z;
            row.iter_mut().zip(&splines[i..]).for_each(|(sum, other)| *sum += weighted * other);
        }
    }

    /// Adds the samples of `other`, which has as many cells.
    pub fn merge(&mut self, other: &Self) {
        self.normal = self.normal.plus(1.0, &other.normal);
        self.right.iter_mut().zip(&other.right).for_each(|(sum, other)| *sum += other);
        self.squares += other.squares;
        self.count += other.count;
    }

    /// Number of samples taken in.
    pub fn count(&self) -> f64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;
    use crate::fit::Coefficients;

    fn samples(n: usize) -> Vec<(f64, f64)> {
        let mut random = Random::new(5);
        (0..n).map(|_| random.uniform()).map(|x| (x, x * x + 0.01 * libm::sin(1e5 * x))).collect()
    }

    fn of(samples: &[(f64, f64)]) -> Statistics {
        let mut sums = Statistics::new(&Arc::new(Mesh::even(64)));
        samples.iter().for_each(|&(x, y)| sums.add(x, y));
        sums
    }

    fn furthest(a: &Statistics, b: &Statistics) -> f64 {
        let entries = |s: &Statistics| {
            let normal = s.normal.0.iter().flatten();
            normal.chain(&s.right).copied().chain([s.squares, s.count]).collect::<Vec<_>>()
        };
        entries(a).iter().zip(entries(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn seven_shuffled_chunks_make_the_whole() {
        let samples = samples(7000);
        let whole = of(&samples);
        let mut merged = Statistics::new(&Arc::new(Mesh::even(64)));
        for chunk in [3, 0, 6, 1, 5, 2, 4] {
            let mut chunk = samples[chunk..].iter().copied().step_by(7).collect::<Vec<_>>();
            chunk.reverse();
            merged.merge(&of(&chunk));
        }
        assert!(furthest(&merged, &whole) <= 1e-12 * whole.count());
        assert_eq!(merged.count(), 7000.0);
    }

    #[test]
    fn sums_are_those_of_the_splines_at_the_samples() {
        let samples = samples(300);
        let spline = (0..67).map(|i| libm::cos(f64::from(i))).collect::<Vec<_>>();
        let spline = Coefficients { mesh: Arc::new(Mesh::even(64)), of_splines: spline };
        let sums = of(&samples);
        let at = |(x, y): &(f64, f64)| (spline.value(*x), y - x);
        let of_values = samples.iter().map(at).map(|(value, _)| value * value).sum::<f64>();
        let of_products = samples.iter().map(at).map(|(value, z)| value * z).sum::<f64>();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        assert!(
            (dot(&sums.normal.times(&spline.of_splines), &spline.of_splines) - of_values).abs()
                < 1e-10
        );
        assert!((dot(&sums.right, &spline.of_splines) - of_products).abs() < 1e-10);
    }

    #[test]
    fn samples_that_are_no_numbers_are_left_out() {
        let sums = of(&[(f64::NAN, 0.5), (0.5, f64::INFINITY), (0.5, 0.5), (7.0, 2.0)]);
        assert_eq!(sums.count(), 2.0);
        assert!(sums.squares.is_finite() && sums.right.iter().all(|value| value.is_finite()));
    }
}
