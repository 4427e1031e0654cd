use super::banded::Banded;
use super::coefficients::weights;

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
    count: f64,
}

impl Statistics {
    /// Of no samples, on `cells` equal cells (at least one) of `[0, 1]`.
    pub fn new(cells: usize) -> Self {
        let order = cells.max(1) + 3;
        Self { normal: Banded::zero(order), right: vec![0.0; order], squares: 0.0, count: 0.0 }
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

    /// Pulls the fit to `z` at `x` without counting as a sample.
    pub(super) fn weigh(&mut self, x: f64, z: f64, weight: f64) {
        let (cell, splines) = weights(x, self.cells());
        let normal = self.normal.0[cell..].iter_mut().zip(&mut self.right[cell..]);
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

    pub fn cells(&self) -> usize {
        self.right.len() - 3
    }
}

/// `∫ f″²` of a spline as a quadratic form of its coefficients, exactly.
pub(super) fn penalty(cells: usize) -> Banded {
    const OF_ONE_CELL: [[f64; 4]; 4] = [
        [2.0, -3.0, 0.0, 1.0],
        [-3.0, 6.0, -3.0, 0.0],
        [0.0, -3.0, 6.0, -3.0],
        [1.0, 0.0, -3.0, 2.0],
    ];
    let cells_per_unit = cells as f64;
    let scale = cells_per_unit * cells_per_unit * cells_per_unit / 6.0;
    let block = OF_ONE_CELL.map(|row| row.map(|entry| scale * entry));
    let mut sum = Banded::zero(cells + 3);
    (0..cells).for_each(|cell| sum.add_block(cell, &block));
    sum
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
        let mut sums = Statistics::new(64);
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
        let mut merged = Statistics::new(64);
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
        let spline = Coefficients((0..67).map(|i| libm::cos(f64::from(i))).collect());
        let sums = of(&samples);
        let at = |(x, y): &(f64, f64)| (spline.value(*x), y - x);
        let of_values = samples.iter().map(at).map(|(value, _)| value * value).sum::<f64>();
        let of_products = samples.iter().map(at).map(|(value, z)| value * z).sum::<f64>();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        assert!((dot(&sums.normal.times(&spline.0), &spline.0) - of_values).abs() < 1e-10);
        assert!((dot(&sums.right, &spline.0) - of_products).abs() < 1e-10);
    }

    #[test]
    fn the_penalty_is_the_integral_of_the_squared_second_derivative() {
        let spline = Coefficients((0..9).map(|i| libm::sin(f64::from(i * i))).collect());
        let product = penalty(6).times(&spline.0);
        let form = product.iter().zip(&spline.0).map(|(a, b)| a * b).sum::<f64>();
        // Linear in each cell, so Simpson's rule is exact for its square.
        let second = |x: f64, h: f64| (spline.slope(x + h) - spline.slope(x)) / h;
        let cell = |cell: i32| {
            let (from, width) = (f64::from(cell) / 6.0, 1.0 / 6.0);
            let (h, middle) = (1e-6, from + width / 2.0);
            let ends = [second(from, h), second(middle, h), second(from + width - h, h)];
            width / 6.0 * (ends[0] * ends[0] + 4.0 * ends[1] * ends[1] + ends[2] * ends[2])
        };
        let integral = (0..6).map(cell).sum::<f64>();
        assert!((form / integral - 1.0).abs() < 1e-4, "{form} {integral}");
    }

    #[test]
    fn samples_that_are_no_numbers_are_left_out() {
        let sums = of(&[(f64::NAN, 0.5), (0.5, f64::INFINITY), (0.5, 0.5), (7.0, 2.0)]);
        assert_eq!(sums.count(), 2.0);
        assert!(sums.squares.is_finite() && sums.right.iter().all(|value| value.is_finite()));
    }
}
