/// Variance of the noise of samples around an unknown smooth curve; `x` rises, ties are allowed.
///
/// Each inner sample is compared with the straight line through its two neighbours; a curve that
/// bends little from one sample to the next but one does not show. `None` for fewer than three
/// samples. O(n).
///
/// Source: Gasser, Sroka and Jennen-Steinmetz 1986, *Residual variance and residual pattern in
/// nonlinear regression*, Biometrika 73.
pub fn noise_variance(x: &[f64], y: &[f64]) -> Option<f64> {
    let count = x.len().min(y.len());
    if count < 3 {
        return None;
    }
    let mut sum = 0.0;
    for ([x0, x1, x2], [y0, y1, y2]) in x.array_windows().zip(y.array_windows()) {
        let toward_left = (x2 - x1) / (x2 - x0).max(1e-12);
        let toward_right = 1.0 - toward_left;
        let residual = toward_left * y0 + toward_right * y2 - y1;
        // The residual's variance in units of that of one sample.
        let scale = toward_left * toward_left + toward_right * toward_right + 1.0;
        sum += residual * residual / scale;
    }
    Some(sum / (count - 2) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::segments::definition::places;
    use tracefold_generate::Random;

    #[test]
    fn the_noise_on_a_curve_is_found_without_the_curve() {
        let mut random = Random::new(1);
        let x = places(&mut random, 20_000);
        let curve = |x: f64| x + 0.2 * libm::sin(6.0 * x);
        let y = x.iter().map(|&x| curve(x) + 0.01 * random.normal()).collect::<Vec<_>>();
        let found = noise_variance(&x, &y).unwrap();
        // The estimate's own deviation is about 1.4 % here.
        assert!((found / 1e-4 - 1.0).abs() < 0.05, "{found:e}");
    }

    #[test]
    fn a_straight_line_has_no_noise_and_two_samples_tell_nothing() {
        let x = [0.1, 0.15, 0.4, 0.4, 0.9];
        let y = x.map(|x| 0.3 + 2.0 * x);
        assert!(noise_variance(&x, &y).unwrap() < 1e-30);
        assert_eq!(noise_variance(&x[..2], &y[..2]), None);
    }

    #[test]
    fn samples_at_one_place_scatter_around_each_other() {
        let y = [0.0, 2.0, 0.0, 2.0, 0.0];
        assert_eq!(noise_variance(&[0.5; 5], &y), Some(2.0));
    }
}
