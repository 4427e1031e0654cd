//! Whether values rise or fall over time, by ranks: no outlier moves it far, and no law of errors is
//! assumed.

use crate::order;

/// An estimate with the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Of fewer points no interval of ranks has 95 % in both halves.
pub const LEAST: usize = 8;

/// Of more points neighbours are joined: 200 give 19 900 slopes, and intervals of n points are no
/// narrower by joining them, as each median is of n/200 of them.
const MOST: usize = 200;

/// Two-sided 95 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// Errors that are alike from one point to the next cannot be told from a trend any more.
const MOST_ALIKE: f64 = 0.95;

/// Medians of time and value of at most 200 runs of neighbours, of `points` by rising time: the points
/// themselves if they are no more. O(points log points).
pub fn joined(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let runs = points.len().min(MOST);
    // Of millions the product has no room in 32 bits.
    let begin = |at: usize| (at as u64 * points.len() as u64 / runs as u64) as usize;
    let run = |at: usize| {
        let run = &points[begin(at)..begin(at + 1)];
        let of = |part: fn(&(f64, f64)) -> f64| median(run.iter().map(part).collect());
        (of(|point| point.0), of(|point| point.1))
    };
    (0..runs).map(run).collect()
}

/// The median of the slopes of all pairs of points, which lie by rising time; those of one time have no
/// slope. `None` of fewer than eight points, or if nearly all are of one time. O(points² log points).
///
/// The interval counts slopes from either end, by the variance of Kendall's S where times are tied,
/// as many times wider as errors with their lag-1 correlation *r* are less sure, √((1 + r)/(1 − r)).
///
/// Source: Theil 1950; Sen 1968; Kendall 1970, §4; for *r* Bayley and Hammersley 1946.
pub fn slope(points: &[(f64, f64)]) -> Option<Estimate> {
    if points.len() < LEAST {
        return None;
    }
    let mut slopes = Vec::with_capacity(points.len() * (points.len() - 1) / 2);
    for (at, (x, y)) in points.iter().enumerate() {
        let later = points[at + 1..].iter().filter(|(later, _)| later > x);
        slopes.extend(later.map(|(later, value)| (value - y) / (later - x)));
    }
    let alone = |n: usize| (n * n.saturating_sub(1) * (2 * n + 5)) as f64 / 18.0;
    let ties = points.chunk_by(|a, b| a.0 == b.0).map(|tied| alone(tied.len())).sum::<f64>();
    order::floats(&mut slopes);
    let value = middle(&slopes)?;
    let deviation = (alone(points.len()) - ties).max(0.0).sqrt();
    within(&slopes, value, deviation * widened(points, value))
}

/// By how much the later half of the points lies above the earlier: the median of all differences. `None`
/// of fewer than eight points. O(points² log points).
///
/// Source: Hodges and Lehmann 1963, with the interval of the test of Mann and Whitney 1947, widened as
/// [`slope`] is.
pub fn shift(points: &[(f64, f64)]) -> Option<Estimate> {
    if points.len() < LEAST {
        return None;
    }
    let (first, second) = points.split_at(points.len() / 2);
    let pairs = first.iter().flat_map(|(_, a)| second.iter().map(move |(_, b)| b - a));
    let mut differences = pairs.collect::<Vec<_>>();
    order::floats(&mut differences);
    let value = middle(&differences)?;
    let line = slope(points).map_or(0.0, |line| line.value);
    let (m, n) = (first.len() as f64, second.len() as f64);
    let deviation = (m * n * (m + n + 1.0) / 12.0).sqrt();
    // Mann and Whitney count pairs, Kendall their surplus, which is twice as much.
    within(&differences, value, 2.0 * deviation * widened(points, line))
}

/// The interval of the median of `sorted` values, of which the surplus over the median has this standard
/// deviation: rounded outwards, so that it is rather too wide; at most from the first to the last.
fn within(sorted: &[f64], value: f64, deviation: f64) -> Option<Estimate> {
    let from_either_end = (sorted.len() as f64 - NORMAL * deviation) / 2.0;
    let rank = (from_either_end.max(1.0) as usize).min(sorted.len());
    let (low, high) = (*sorted.get(rank - 1)?, *sorted.get(sorted.len() - rank)?);
    Some(Estimate { value, low, high })
}

/// How much surer errors would be that are not alike from one to the next; 1 if they are not. They are those
/// around a line of this slope or around the median of either half, whichever leaves them less alike:
/// what rises or steps is no error.
fn widened(points: &[(f64, f64)], slope: f64) -> f64 {
    let around_line = points.iter().map(|(x, y)| y - slope * x).collect::<Vec<_>>();
    let (first, second) = points.split_at(points.len() / 2);
    let around_halves = [first, second].into_iter().flat_map(|half| {
        let of_half = median(half.iter().map(|(_, y)| *y).collect());
        half.iter().map(move |(_, y)| y - of_half)
    });
    let alike = alike(&around_line).min(alike(&around_halves.collect::<Vec<_>>()));
    ((1.0 + alike) / (1.0 - alike)).sqrt()
}

/// The lag-1 correlation of errors, if they are alike.
fn alike(errors: &[f64]) -> f64 {
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let around = |error: f64| error - mean;
    let squares = errors.iter().map(|error| around(*error) * around(*error)).sum::<f64>();
    let products = errors.windows(2).map(|pair| around(pair[0]) * around(pair[1])).sum::<f64>();
    let alike = products / squares;
    if alike.is_finite() { alike.clamp(0.0, MOST_ALIKE) } else { 0.0 }
}

/// The median; 0 of no values.
pub fn median(mut values: Vec<f64>) -> f64 {
    order::floats(&mut values);
    middle(&values).unwrap_or(0.0)
}

/// Of an even number the mean of the middle two.
fn middle(sorted: &[f64]) -> Option<f64> {
    let upper = sorted.get(sorted.len() / 2)?;
    let lower = sorted.get((sorted.len() - 1) / 2)?;
    Some(lower + (upper - lower) / 2.0)
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    fn points(values: impl IntoIterator<Item = f64>) -> Vec<(f64, f64)> {
        (0..).map(f64::from).zip(values).collect()
    }

    /// A sum of twelve uniform numbers is nearly normal, with variance 1.
    fn normal(random: &mut Random) -> f64 {
        (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0
    }

    #[test]
    fn a_line_has_its_slope_and_no_outlier_moves_it() {
        let mut line = points((0..20).map(|i| 3.0 + 0.5 * f64::from(i)));
        let exact = Estimate { value: 0.5, low: 0.5, high: 0.5 };
        assert_eq!(slope(&line), Some(exact));
        (line[7].1, line[19].1) = (1e9, -1e9);
        assert_eq!(slope(&line).map(|of| of.value), Some(0.5));
    }

    #[test]
    fn halves_are_apart_by_the_median_of_all_differences() {
        let of = shift(&points([1.0, 2.0, 3.0, 4.0, 11.0, 12.0, 13.0, 14.0])).unwrap();
        // By the definition: 7 8 8 9 9 9 10 10 10 10 11 11 11 12 12 13. Of four and four, ten or fewer of
        // 16 pairs are on one side 97 times of 100 (tables of Mann and Whitney: U = 0 at 5 %).
        assert_eq!(of, Estimate { value: 10.0, low: 7.0, high: 13.0 });
    }

    #[test]
    fn what_rises_or_steps_is_no_error_that_is_alike() {
        let noise = |i: usize| f64::from((i * 37 % 10) as u32) / 100.0;
        let ramp = points((0..100).map(|i| i as f64 / 10.0 + noise(i)));
        let step = points((0..100).map(|i| (i / 50) as f64 + noise(i)));
        for (of, height) in [(ramp, 5.0), (step, 1.0)] {
            let Estimate { value, low, high } = shift(&of).unwrap();
            assert!((value - height).abs() < 0.05 * height, "{value} of {height}");
            assert!(low > 0.8 * height && high < 1.2 * height, "{low} to {high} of {height}");
        }
    }

    #[test]
    fn of_few_points_or_of_one_time_nothing_is_told() {
        assert!(slope(&points([1.0; 7])).is_none() && shift(&points([1.0; 7])).is_none());
        assert_eq!(slope(&points([1.0; 8])), Some(Estimate { value: 0.0, low: 0.0, high: 0.0 }));
        assert_eq!(slope(&[(5.0, 1.0); 50]), None);
        assert!(joined(&[]).is_empty());
    }

    #[test]
    fn many_points_are_joined_to_medians_of_neighbours() {
        let many = points((0..1000).map(|i| f64::from(i % 5)));
        let joined = joined(&many);
        assert_eq!((joined.len(), joined[0], joined[199]), (200, (2.0, 2.0), (997.0, 2.0)));
        assert_eq!(super::joined(&many[..150]), &many[..150]);
    }

    /// How many of 300 intervals hold the truth, of `n` values with errors of lag-1 correlation `alike`.
    fn holds(n: usize, alike: f64, of: fn(&[(f64, f64)]) -> Option<Estimate>, truth: f64) -> usize {
        let mut random = Random::new(n as u64);
        let mut one = || {
            let mut error = normal(&mut random);
            let values = (0..n).map(|i| {
                error = alike * error + (1.0 - alike * alike).sqrt() * normal(&mut random);
                0.01 * i as f64 + error
            });
            let of = of(&joined(&points(values.collect::<Vec<_>>()))).unwrap();
            (of.low..=of.high).contains(&truth)
        };
        (0..300).filter(|_| one()).count()
    }

    #[test]
    fn intervals_hold_the_truth_19_times_out_of_20() {
        // Of 300 with 95 % each fewer than 274 are there once in 300 times.
        for n in [8, 12, 40, 600] {
            let trend = holds(n, 0.0, slope, 0.01);
            // The halves of a ramp differ by half of it, which the median of all differences is, too.
            let halves = holds(n, 0.0, shift, 0.005 * n as f64);
            assert!(trend >= 274 && halves >= 274, "{trend} and {halves} of {n}");
        }
        // What is alike is itself estimated: nine times out of ten at least.
        for alike in [0.3, 0.6] {
            let trend = holds(100, alike, slope, 0.01);
            assert!(trend >= 270, "{trend} of errors that are alike by {alike}");
        }
    }
}
