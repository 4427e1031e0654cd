/// Of 95 % of a normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Between which shares of all samples what `count` of `of` samples hit truly lies, in 19 of 20 cases:
/// samples are taken at moments that do not depend on what runs.
///
/// `None` without samples. Source: Wilson 1927, *Probable inference, the law of succession, and
/// statistical inference*; it is sound for few samples, where the share ± its standard error is not.
pub fn share_between(count: f64, of: f64) -> Option<[f64; 2]> {
    if !(0.0 < of && 0.0 <= count && count <= of) {
        return None;
    }
    let (share, square) = (count / of, Z * Z);
    let middle = (share + square / (2.0 * of)) / (1.0 + square / of);
    let variance = share * (1.0 - share) / of + square / (4.0 * of * of);
    let half = Z * libm::sqrt(variance) / (1.0 + square / of);
    Some([(middle - half).max(0.0), (middle + half).min(1.0)])
}

/// Pearson's coefficient of correlation of two values of the same threads, of those that have both.
/// `None` of fewer than three, or where one of both is level.
pub fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let pairs = x.iter().copied().zip(y.iter().copied());
    let pairs = pairs.filter(|(x, y)| x.is_finite() && y.is_finite()).collect::<Vec<_>>();
    let count = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for pair in &pairs {
        let (x, y) = (pair.0 - x, pair.1 - y);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    // What is left of rounding is no spread.
    let is_level = |sum: f64, mean: f64| sum <= count * (mean * 1e-12) * (mean * 1e-12);
    let is_told = pairs.len() > 2 && !is_level(xx, x) && !is_level(yy, y);
    is_told.then(|| (xy / libm::sqrt(xx * yy)).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_wilson() {
        // Published: 81 of 263 (Newcombe 1998, *Two-sided confidence intervals for the single
        // proportion*, Table I, method 3) .2553 to .3662, 0 of 20 is 0 to .1611, 1 of 29 .0061 to .1718.
        for (count, of, low, high) in
            [(81.0, 263.0, 0.2553, 0.3662), (0.0, 20.0, 0.0, 0.1611), (1.0, 29.0, 0.0061, 0.1718)]
        {
            let [from, to] = share_between(count, of).unwrap();
            assert!((from - low).abs() < 5e-5 && (to - high).abs() < 5e-5, "{from} {to}");
        }
        assert_eq!(share_between(1.0, 0.0), None);
        assert_eq!(share_between(3.0, 2.0), None);
    }

    #[test]
    fn a_correlation_is_that_of_pairs_that_are_whole_and_not_level() {
        let x = [1.0, 2.0, 3.0, f64::NAN];
        assert_eq!(correlation(&x, &[2.0, 4.0, 6.0, 100.0]), Some(1.0));
        assert_eq!(correlation(&x, &[3.0, 2.0, 1.0, 100.0]), Some(-1.0));
        assert_eq!(correlation(&x, &[3.0, 3.0, 3.0, 1.0]), None);
        assert_eq!(correlation(&x[..2], &[3.0, 1.0]), None);
        // Of Anscombe 1973, *Graphs in statistical analysis*, set I: .816.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        assert!((correlation(&x, &y).unwrap() - 0.816).abs() < 5e-4);
    }
}
