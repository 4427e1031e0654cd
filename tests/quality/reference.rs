//! The reference tool, emulated: what it makes of folded samples.
//!
//! Source: spec/algorithms.md §0, §2.1 and §2.2; `tests/oracles/README.md` says which scripts did the
//! same in the study.

use tracefold::fit::{self, Observation};

use super::cell::Samples;
use super::truth::{Fitted, middles};

const STEPS: usize = 1000;
const NUGGET: f64 = 1e-4;

/// The samples and the two ends, by time; the ends are points as noisy as any other.
fn with_ends(samples: &Samples) -> (Vec<f64>, Vec<f64>) {
    let mut points: Vec<(f64, f64)> =
        samples.x.iter().copied().zip(samples.y.iter().copied()).collect();
    points.extend([(0.0, 0.0), (1.0, 1.0)]);
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.into_iter().unzip()
}

fn spline(samples: &Samples, grid: &[f64]) -> fit::Curve {
    let (x, y) = with_ends(samples);
    let points = x.iter().zip(&y).map(|(&x, &y)| Observation { x, y, weight: 1.0 });
    fit::smooth(&points.collect::<Vec<_>>(), NUGGET / 12.0, grid).unwrap()
}

/// Kriging with the reference's nugget as it plots it: evaluated on one grid, drawn on another, its
/// rate the differences of the running maximum.
pub fn kriging(samples: &Samples) -> Fitted {
    let grid: Vec<f64> = (0..STEPS).map(|j| j as f64 / (STEPS - 1) as f64).collect();
    let values: Vec<f64> =
        spline(samples, &grid).values.into_iter().map(|value| value.max(0.0)).collect();
    let mut highest = values[0];
    let rise = |&value: &f64| {
        let rise = (value - highest).max(0.0);
        highest = highest.max(value);
        rise * STEPS as f64
    };
    let rates: Vec<f64> = values.iter().map(rise).collect();
    let drawn: Vec<f64> = (0..STEPS).map(|j| j as f64 / STEPS as f64).collect();
    let at_middles = |values: &[f64]| middles().map(|x| interpolate(&drawn, values, x)).collect();
    Fitted { curve: at_middles(&values), rate: at_middles(&rates) }
}

/// The same spline with its derivative, without the reference's ways of drawing it.
pub fn analytic_kriging(samples: &Samples) -> Fitted {
    let curve = spline(samples, &middles().collect::<Vec<_>>());
    Fitted { curve: curve.values, rate: curve.slopes }
}

/// Between the points of a line, and level beyond them.
fn interpolate(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let after = xs.partition_point(|&known| known <= x);
    if after == 0 || after == xs.len() {
        return ys[after.min(xs.len() - 1)];
    }
    let share = (x - xs[after - 1]) / (xs[after] - xs[after - 1]);
    ys[after - 1] + share * (ys[after] - ys[after - 1])
}

/// Piece-wise linear regression with R's strucchange, as the reference wraps it.
pub struct Segments {
    /// Where a segment begins, and 1.
    pub borders: Vec<f64>,
    pub rates: Vec<f64>,
}

/// `shortest` is the smallest share of the samples in a segment.
pub fn segments(samples: &Samples, shortest: f64) -> Segments {
    let (x, y) = with_ends(samples);
    let breaks = breakpoints(&x, &y, shortest, usize::MAX);
    let mut borders = vec![0.0];
    borders.extend(breaks.iter().map(|&first| (x[first - 1] + x[first]) / 2.0));
    borders.push(1.0);
    let nearest = |time: f64| {
        let mut places: Vec<usize> = (0..x.len()).collect();
        places.sort_by(|&a, &b| (x[a] - time).abs().total_cmp(&(x[b] - time).abs()));
        places[..5].iter().map(|&place| y[place]).sum::<f64>() / 5.0
    };
    if breaks.is_empty() {
        // Its loop over `2:(2 - 1)` counts down.
        return Segments { rates: vec![nearest(1.0)], borders };
    }
    let mut values = vec![0.0];
    values.extend(borders[1..borders.len() - 1].iter().map(|&time| nearest(time)));
    values.push(1.0);
    let slope = |(times, values): (&[f64], &[f64])| {
        ((values[1] - values[0]) / (times[1] - times[0])).max(0.0)
    };
    let rates = borders.windows(2).zip(values.windows(2)).map(slope).collect();
    Segments { borders, rates }
}

/// Where strucchange alone breaks the curve, `most` times at most.
pub fn breaks(samples: &Samples, shortest: f64, most: usize) -> Vec<f64> {
    let (x, y) = with_ends(samples);
    let breaks = breakpoints(&x, &y, shortest, most);
    breaks.into_iter().map(|first| (x[first - 1] + x[first]) / 2.0).collect()
}

/// First sample of each segment but the first: as many lines, each on its own, as the Bayesian
/// criterion of strucchange wants.
fn breakpoints(x: &[f64], y: &[f64], shortest: f64, most: usize) -> Vec<usize> {
    let n = x.len();
    let size = (n as f64 * shortest + 1e-9).floor() as usize;
    let most = most.min(n.div_ceil(size) - 2);
    let sums = Sums::new(x, y);
    // Least sum of squares of the first `j` points in m + 1 lines, and where the last line begins.
    let mut least = vec![vec![f64::INFINITY; n + 1]; most + 1];
    let mut begins = vec![vec![0; n + 1]; most + 1];
    for j in size..=n {
        least[0][j] = sums.residuals(0, j);
        for i in size..(j + 1).saturating_sub(size) {
            let residuals = sums.residuals(i, j);
            for m in 1..=most.min(i / size) {
                let whole = least[m - 1][i] + residuals;
                if whole < least[m][j] {
                    (least[m][j], begins[m][j]) = (whole, i);
                }
            }
        }
    }
    let criterion = |m: usize| {
        let (rows, least) = (n as f64, least[m][n].max(1e-300));
        rows * (libm::log(least) + 1.0 - libm::log(rows) + libm::log(std::f64::consts::TAU))
            + 3.0 * (m + 1) as f64 * libm::log(rows)
    };
    let best = (0..=most).min_by(|&a, &b| criterion(a).total_cmp(&criterion(b))).unwrap();
    let mut breaks = Vec::new();
    let mut end = n;
    for m in (1..=best).rev() {
        end = begins[m][end];
        breaks.push(end);
    }
    breaks.reverse();
    breaks
}

/// Sums of the points so far, around the line through all of them, which costs no digits.
struct Sums(Vec<[f64; 5]>);

impl Sums {
    fn new(x: &[f64], y: &[f64]) -> Sums {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (middle, height) = (mean(x), mean(y));
        let product: f64 = x.iter().zip(y).map(|(x, y)| (x - middle) * (y - height)).sum();
        let slope = product / x.iter().map(|x| (x - middle) * (x - middle)).sum::<f64>();
        let mut sums = vec![[0.0; 5]];
        for (x, y) in x.iter().zip(y) {
            let u = x - middle;
            let v = y - height - slope * u;
            let last = sums[sums.len() - 1];
            let next = [u, v, u * u, u * v, v * v];
            sums.push(std::array::from_fn(|k| last[k] + next[k]));
        }
        Sums(sums)
    }

    /// Of a line through the points from `i` to before `j`.
    fn residuals(&self, i: usize, j: usize) -> f64 {
        let [u, v, uu, uv, vv]: [f64; 5] = std::array::from_fn(|k| self.0[j][k] - self.0[i][k]);
        let points = (j - i) as f64;
        let (uu, uv, vv) = (uu - u * u / points, uv - u * v / points, vv - v * v / points);
        let left = if uu > 1e-13 { vv - uv * uv / uu } else { vv };
        left.max(0.0)
    }
}

impl Segments {
    pub fn fitted(&self) -> Fitted {
        let truth = super::truth::Truth::new(self.borders.clone(), self.rates.clone());
        Fitted {
            curve: middles().map(|x| truth.curve(x)).collect(),
            rate: middles().map(|x| truth.rate(x)).collect(),
        }
    }
}
