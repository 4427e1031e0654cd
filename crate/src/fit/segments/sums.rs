//! Sums over the samples of any stretch of `x` in O(log n), from sums over the first `i` samples.

use super::noise::noise_variance;
use super::{EXACT, Sample};

/// Least variance that a counter is weighted by: finer than any counter is read.
const LEAST_VARIANCE: f64 = 1e-12;

/// Sums over the samples of one segment, where `t` is the place inside it (0 at its left knot, 1 at
/// its right one), `u = 1 − t` and `z = y − x`. These are all that a fit needs of the samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segment {
    pub tt: f64,
    pub tu: f64,
    pub uu: f64,
    pub tz: f64,
    pub uz: f64,
}

/// One counter's samples, ready for fits at any knots.
#[derive(Clone, Debug)]
pub struct Sums {
    x: Vec<f64>,
    /// Σx, Σx², Σz, Σxz over the first `i` samples, for `i` from 0 to all.
    upto: Vec<[f64; 4]>,
    /// Σz² over all samples.
    pub squares: f64,
    /// Inverse of the variance of the noise: what the counter weighs in the joint fit.
    pub precision: f64,
    /// Index of the first sample of each of many equal cells of 0..1, and the number of samples.
    cells: Vec<u32>,
}

impl Sums {
    /// The sums of samples by rising `x`, weighted by their own noise. O(n).
    pub fn new(samples: impl Iterator<Item = Sample>) -> Sums {
        let (x, z): (Vec<_>, Vec<_>) =
            samples.map(|sample| (sample.x, sample.y - sample.x)).unzip();
        let squares = z.iter().map(|z| z * z).sum::<f64>();
        let upto = upto(&x, &z);
        // Of one or two samples all that is known is how far they are from the straight line.
        let unknown = || squares / x.len().max(1) as f64;
        let variance = noise_variance(&x, &z).unwrap_or_else(unknown);
        let cells = cells(&x);
        Sums { x, upto, squares, precision: 1.0 / variance.max(LEAST_VARIANCE), cells }
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// The least residual sum of squares told apart from none.
    pub fn exact(&self) -> f64 {
        EXACT * self.len() as f64
    }

    /// Number of samples left of a place inside 0..1.
    pub fn before(&self, place: f64) -> usize {
        let cell = (place * (self.cells.len() - 1) as f64) as usize;
        let Some(&[from, to]) = self.cells.get(cell..cell + 2) else { return self.len() };
        let (from, to) = (from as usize, to as usize);
        from + self.x[from..to].partition_point(|&x| x < place)
    }

    /// The sums between each two neighbouring knots; the first is 0, the last 1. O(knots log n).
    pub fn segments(&self, knots: &[f64]) -> Vec<Segment> {
        let mut first = 0;
        let last = knots.len().saturating_sub(2);
        let between = knots.windows(2).enumerate().map(|(at, pair)| {
            let (left, right) = (pair[0], pair[1]);
            let end = if at == last { self.len() } else { self.before(right) };
            let segment = self.segment(first, end, left, right - left);
            first = end;
            segment
        });
        between.collect()
    }

    fn segment(&self, first: usize, end: usize, left: f64, width: f64) -> Segment {
        let [sx, sxx, sz, sxz]: [f64; 4] =
            std::array::from_fn(|i| self.upto[end][i] - self.upto[first][i]);
        let n = end as f64 - first as f64;
        let t = (sx - left * n) / width;
        // What is a sum of squares may be rounded below 0, but is not used so.
        let tt = ((sxx - 2.0 * left * sx + left * left * n) / (width * width)).max(0.0);
        let tz = (sxz - left * sz) / width;
        Segment { tt, tu: t - tt, uu: (n - 2.0 * t + tt).max(0.0), tz, uz: sz - tz }
    }
}

/// Differences of these sums are all that is used, so the rounding of each addition is carried on
/// (Kahan): what a sum of a million samples has lost would show in a short segment.
fn upto(x: &[f64], z: &[f64]) -> Vec<[f64; 4]> {
    let (mut sum, mut lost) = ([0.0; 4], [0.0; 4]);
    let mut upto = Vec::with_capacity(x.len() + 1);
    upto.push(sum);
    for (&x, &z) in x.iter().zip(z) {
        for (term, (sum, lost)) in
            [x, x * x, z, x * z].into_iter().zip(sum.iter_mut().zip(&mut lost))
        {
            let term: f64 = term - *lost;
            let next: f64 = *sum + term;
            *lost = (next - *sum) - term;
            *sum = next;
        }
        upto.push(sum);
    }
    upto
}

/// Four samples to a cell, so that a place is found in a step or two.
fn cells(x: &[f64]) -> Vec<u32> {
    let count = (x.len() / 4).clamp(1, 1 << 16);
    let mut first = vec![0; count + 1];
    for &x in x {
        let cell = ((x * count as f64) as usize).min(count - 1);
        first[cell + 1] += 1;
    }
    for cell in 0..count {
        first[cell + 1] += first[cell];
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::segments::definition::places;
    use tracefold_generate::Random;

    fn sample(x: f64, y: f64) -> Sample {
        Sample { x, y, group: 0, instance: 0 }
    }

    #[test]
    fn sums_of_segments_equal_sums_over_their_samples() {
        let mut random = Random::new(3);
        let mut x = places(&mut random, 300);
        x[..20].fill(0.001);
        let tied = x[215];
        x[200..230].fill(tied);
        let y = x.iter().map(|_| random.normal()).collect::<Vec<_>>();
        let sums = Sums::new(x.iter().zip(&y).map(|(&x, &y)| sample(x, y)));
        let knots = [0.0, 0.001, 0.2, x[215], x[215] + 1e-3, 0.97, 1.0];
        for (segment, pair) in sums.segments(&knots).iter().zip(knots.windows(2)) {
            let inside = x.iter().zip(&y).filter(|(x, _)| (pair[0]..pair[1]).contains(x));
            let mut expected = [0.0; 5];
            for (&x, &y) in inside {
                let t = (x - pair[0]) / (pair[1] - pair[0]);
                let (u, z) = (1.0 - t, y - x);
                for (sum, term) in expected.iter_mut().zip([t * t, t * u, u * u, t * z, u * z]) {
                    *sum += term;
                }
            }
            let found = [segment.tt, segment.tu, segment.uu, segment.tz, segment.uz];
            for (found, expected) in found.into_iter().zip(expected) {
                let width = pair[1] - pair[0];
                let rounding = 300.0 * f64::EPSILON / (width * width);
                assert!((found - expected).abs() <= rounding, "{found} {expected} {pair:?}");
            }
        }
    }

    #[test]
    fn a_place_is_found_among_samples_as_by_counting() {
        let mut random = Random::new(4);
        let x = places(&mut random, 1000);
        let sums = Sums::new(x.iter().map(|&x| sample(x, x)));
        for place in x.iter().copied().chain([1e-9, 0.25, 0.5, 0.999_999]) {
            assert_eq!(sums.before(place), x.iter().filter(|&&x| x < place).count());
        }
    }
}
