//! How values go along with a place: up, down, in several sweeps, or anyhow.

use crate::order;

/// A straight line through points, and how far they lie from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Of y over x.
    pub slope: f64,
    /// Median distance of the points from it over that from a level line: 0 on the line, 1 where it
    /// tells nothing.
    pub scatter: f64,
    /// Of the pairs that were compared, how many more rise than fall, in standard deviations of what
    /// chance does.
    pub rises: f64,
}

/// Points that run through all of y several times, at once or one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweeps {
    /// Of y over x, within a sweep.
    pub slope: f64,
    /// How near the points are to such lines: 1 on them, about 1/√n for points anywhere.
    pub concentration: f64,
}

/// The line of the median slope between each point and the one half of all points further, `x` not
/// falling.
///
/// Up to 29 % of the points may lie anywhere. `None` for fewer than four points, or if all have one
/// `x`. O(n log n).
///
/// Source: Theil 1950, A rank-invariant method of linear and polynomial regression analysis, with
/// the slopes of n/2 pairs (“incomplete”).
pub fn line(x: &[f64], y: &[f64]) -> Option<Line> {
    let half = x.len().div_ceil(2);
    if x.len() < 4 || y.len() != x.len() {
        return None;
    }
    let pairs = || (half..x.len()).map(|i| (x[i] - x[i - half], y[i] - y[i - half]));
    let mut slopes =
        pairs().filter(|(dx, _)| *dx > 0.0).map(|(dx, dy)| dy / dx).collect::<Vec<_>>();
    let slope = order::median(&mut slopes)?;
    let rising = pairs().filter(|(_, dy)| *dy > 0.0).count() as f64;
    let falling = pairs().filter(|(_, dy)| *dy < 0.0).count() as f64;
    let rest = x.iter().zip(y).map(|(x, y)| y - slope * x).collect::<Vec<_>>();
    let (from_line, from_level) = (spread(rest), spread(y.to_vec()));
    Some(Line {
        slope,
        scatter: if from_level > 0.0 { from_line / from_level } else { 1.0 },
        rises: (rising - falling) / (rising + falling).max(1.0).sqrt(),
    })
}

/// Most often that a sweep is repeated, and lines that run side by side.
const MOST_SWEEPS: usize = 16;
const MOST_ABREAST: usize = 8;
/// Sweeps are tried in quarters: they need not begin and end with the points.
const STEPS: usize = 4;

/// The sweeps in which the points are most concentrated: up or down through the whole range of `y`,
/// up to 16 times one after another, along up to 8 lines side by side that share the range.
///
/// Concentration is `|mean exp(2πi (p v − q u))|` over the points, with `u` and `v` the places in the
/// ranges of x and y; the most of it over all p and q. `None` for fewer than four points or where x
/// or y has no range. O(n × 1000).
pub fn sweeps(x: &[f64], y: &[f64]) -> Option<Sweeps> {
    let (from_x, length) = range(x)?;
    let (from_y, height) = range(y)?;
    if x.len() < 4 || y.len() != x.len() || length <= 0.0 || height <= 0.0 {
        return None;
    }
    let turn = |share: f64| {
        let angle = std::f64::consts::TAU * share;
        (libm::cos(angle), libm::sin(angle))
    };
    let tries = 2 * MOST_SWEEPS * STEPS + 1;
    let mut sums = vec![(0.0, 0.0); MOST_ABREAST * tries];
    for (x, y) in x.iter().zip(y) {
        let (u, v) = ((x - from_x) / length, (y - from_y) / height);
        let (abreast, step) = (turn(v), turn(-u / STEPS as f64));
        let mut start = turn(u * MOST_SWEEPS as f64);
        for sums in sums.chunks_exact_mut(tries) {
            start = times(start, abreast);
            let mut at = start;
            for sum in sums {
                *sum = (sum.0 + at.0, sum.1 + at.1);
                at = times(at, step);
            }
        }
    }
    let size = |(a, b): &(f64, f64)| (a * a + b * b).sqrt() / x.len() as f64;
    let mut best = Sweeps { slope: 0.0, concentration: 0.0 };
    for (index, sum) in sums.iter().enumerate() {
        let abreast = (index / tries + 1) as f64;
        let count = (index % tries) as f64 / STEPS as f64 - MOST_SWEEPS as f64;
        // Of two alike the simpler: whatever lies on a line lies on its multiples too.
        if size(sum) > best.concentration + 1e-3 && count != 0.0 {
            let slope = count / abreast * height / length;
            best = Sweeps { slope, concentration: size(sum) };
        }
    }
    Some(best)
}

/// The largest step of which nearly all differences of `values` are multiples; 0 for fewer than nine
/// different values, of which chance would make one. O(n log n) for each divisor that is tried, of
/// which there are few.
///
/// A few values that lie elsewhere do not count: nine of ten have to share their remainder.
pub fn common_step(values: &[u64]) -> u64 {
    let known = order::distinct(values.iter().copied());
    if known.len() < 9 {
        return 0;
    }
    let gaps = known.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    let of_some = gaps.chunks(8).map(|gaps| gaps.iter().fold(0, |all, gap| divisor(all, *gap)));
    let candidates = order::distinct(of_some.chain([1]));
    let is_common = |step: &&u64| {
        let mut rests = values.iter().map(|value| value % **step).collect::<Vec<_>>();
        order::by_number(&mut rests, |rest| *rest);
        let longest = rests.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0);
        longest * 10 >= values.len() * 9
    };
    candidates.iter().rev().find(is_common).copied().unwrap_or(1)
}

fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn times((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    (a * c - b * d, a * d + b * c)
}

fn range(values: &[f64]) -> Option<(f64, f64)> {
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some((least, most - least))
}

/// Median distance from the median.
fn spread(mut values: Vec<f64>) -> f64 {
    let Some(middle) = order::median(&mut values) else { return 0.0 };
    values.iter_mut().for_each(|value| *value = (*value - middle).abs());
    order::median(&mut values).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracefold_generate::Random;

    /// So many points whose y is `at(x)` and noise; some share of them lie anywhere.
    fn points(
        n: usize,
        seed: u64,
        noise: f64,
        stray: f64,
        at: impl Fn(f64) -> f64,
    ) -> (Vec<f64>, Vec<f64>) {
        let mut random = Random::new(seed);
        let mut x = (0..n).map(|_| random.uniform()).collect::<Vec<_>>();
        order::floats(&mut x);
        let y = x.iter().map(|x| match random.uniform() < stray {
            true => random.uniform(),
            false => at(*x) + noise * (random.uniform() - 0.5),
        });
        let y = y.collect();
        (x, y)
    }

    #[test]
    fn the_slope_of_half_the_pairs_is_near_that_of_all() {
        for (seed, slope, noise, stray) in
            [(1, 1.0, 0.0, 0.0), (2, -0.7, 0.1, 0.0), (3, 0.9, 0.05, 0.2), (4, 0.0, 1.0, 0.0)]
        {
            let (x, y) = points(400, seed, noise, stray, |x| 0.5 + slope * (x - 0.5));
            let found = line(&x, &y).unwrap();
            let pairs = (0..x.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            let mut all = pairs.map(|(i, j)| (y[i] - y[j]) / (x[i] - x[j])).collect::<Vec<_>>();
            let all = order::median(&mut all).unwrap();
            assert!((found.slope - all).abs() < 0.12, "{slope}: {} of {all}", found.slope);
        }
    }

    #[test]
    fn scatter_tells_lines_from_points_anywhere() {
        for seed in 0..20 {
            let (x, y) = points(60, seed, 0.1, 0.15, |x| 1.0 - x);
            let falling = line(&x, &y).unwrap();
            assert!(falling.scatter < 0.3 && falling.rises < -3.0, "{falling:?}");
            let (x, y) = points(200, seed, 1.0, 0.0, |_| 0.5);
            let anywhere = line(&x, &y).unwrap();
            assert!(anywhere.scatter > 0.75 && anywhere.rises.abs() < 4.0, "{anywhere:?}");
        }
        assert_eq!(line(&[0.0, 0.5, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(line(&[0.5; 9], &[1.0; 9]), None);
        let level = line(&[0.0, 0.25, 0.5, 1.0], &[7.0; 4]).unwrap();
        assert_eq!((level.slope, level.scatter, level.rises), (0.0, 1.0, 0.0));
    }

    #[test]
    fn concentration_is_its_definition_and_finds_sweeps_one_after_another_and_abreast() {
        type Case = (f64, fn(f64) -> f64);
        let cases: [Case; 4] = [
            (3.0, |x| (3.0 * x) % 1.0),
            (-2.0, |x| 1.0 - (2.0 * x) % 1.0),
            (0.25, |x| x / 4.0 + f64::from((x * 1e4) as u32 % 4) / 4.0),
            (-5.0, |x| (17.5 - 5.0 * x) % 1.0),
        ];
        for (slope, at) in cases {
            let (x, y) = points(300, 5, 0.02, 0.2, at);
            let found = sweeps(&x, &y).unwrap();
            assert!((found.slope / slope - 1.0).abs() < 0.1, "{found:?}, {slope}");
            assert!(found.concentration > 0.6, "{found:?}");
            // One sum as it is defined, at the place that was found.
            let ((from_x, length), (from_y, height)) = (range(&x).unwrap(), range(&y).unwrap());
            let parts = |p: f64, q: f64| {
                let angle = |(x, y): (&f64, &f64)| {
                    let (u, v) = ((x - from_x) / length, (y - from_y) / height);
                    std::f64::consts::TAU * (p * v - q * u)
                };
                let angles = x.iter().zip(&y).map(angle).collect::<Vec<_>>();
                let (a, b) =
                    (angles.iter().map(|a| libm::cos(*a)), angles.iter().map(|a| libm::sin(*a)));
                let (a, b) = (a.sum::<f64>(), b.sum::<f64>());
                (a * a + b * b).sqrt() / x.len() as f64
            };
            let steps = |p: i32| (-64..=64).map(move |q| (f64::from(p), f64::from(q) / 4.0));
            let most = (1..=8).flat_map(steps).filter(|(_, q)| *q != 0.0).map(|(p, q)| parts(p, q));
            let most = most.fold(0.0, f64::max);
            assert!((found.concentration - most).abs() < 1.1e-3, "{found:?}, {most}");
        }
    }

    #[test]
    fn points_anywhere_are_not_concentrated() {
        for seed in 0..20 {
            let (x, y) = points(200, seed, 1.0, 0.0, |_| 0.5);
            assert!(sweeps(&x, &y).unwrap().concentration < 0.4);
        }
        assert_eq!(sweeps(&[0.0, 0.1, 0.2, 0.3], &[1.0; 4]), None);
    }

    #[test]
    fn the_step_divides_nearly_all_differences() {
        let mut random = Random::new(3);
        for step in [1, 8, 24, 64, 100] {
            let mut values =
                (0..200).map(|_| 7 + step * (random.uniform() * 1e6) as u64).collect::<Vec<_>>();
            assert_eq!(common_step(&values), step);
            values.extend([3, 1001, 77_777]);
            assert_eq!(common_step(&values), step, "with strays");
        }
        assert_eq!(common_step(&[5, 5, 9, 13, 5]), 0);
        let far = (0..12).map(|n| u64::MAX - ((n * n) << 40)).collect::<Vec<_>>();
        assert_eq!(common_step(&far), 1 << 40);
    }
}
