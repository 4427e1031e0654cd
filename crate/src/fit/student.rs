/// The two-sided 95 % quantile of Student's t, `t(0.975)`: how many standard errors an estimate
/// with so many degrees of freedom (at least one) may be off. Within 1e-9.
///
/// Source: Abramowitz and Stegun 1964, 26.7.3 to 26.7.5.
pub fn quantile(degrees: usize) -> f64 {
    if degrees > 200 {
        return expansion(degrees as f64);
    }
    // The least degree has the largest quantile, 12.7.
    let (mut low, mut high) = (0.0, 13.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if within(middle, degrees.max(1)) < 0.95 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// How likely Student's t lies within ±`t`: a finite sum for whole degrees of freedom.
fn within(t: f64, degrees: usize) -> f64 {
    let scale = (degrees as f64 + t * t).sqrt();
    let (sine, cosine) = (t / scale, (degrees as f64).sqrt() / scale);
    let odd = degrees % 2;
    let (mut term, mut sum) = (if odd == 1 { cosine } else { 1.0 }, 0.0);
    for next in (2 + odd..=degrees).step_by(2) {
        sum += term;
        term *= cosine * cosine * (next as f64 - 1.0) / next as f64;
    }
    if odd == 0 {
        return sine * sum;
    }
    std::f64::consts::FRAC_2_PI * (libm::atan2(sine, cosine) + sine * sum)
}

/// The expansion around the normal quantile, for many degrees of freedom.
fn expansion(degrees: f64) -> f64 {
    const NORMAL: f64 = 1.959_963_984_540_054;
    let z = NORMAL;
    let square = z * z;
    let terms = [
        z,
        z * (square + 1.0) / 4.0,
        z * ((5.0 * square + 16.0) * square + 3.0) / 96.0,
        z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum / degrees + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_published_ones() {
        // Three decimals as in every printed table (for example Fisher and Yates 1963, table III).
        let published = [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (6, 2.447),
            (7, 2.365),
            (8, 2.306),
            (9, 2.262),
            (10, 2.228),
            (15, 2.131),
            (19, 2.093),
            (20, 2.086),
            (30, 2.042),
            (39, 2.023),
            (60, 2.000),
            (120, 1.980),
        ];
        for (degrees, expected) in published {
            assert!((quantile(degrees) - expected).abs() <= 5e-4, "{degrees}");
        }
    }

    #[test]
    fn one_and_two_degrees_have_a_closed_form() {
        let [one, two] = [quantile(1), quantile(2)];
        assert!((one - libm::tan(std::f64::consts::PI * 0.475)).abs() < 1e-9, "{one}");
        let closed = 0.95 * (2.0 / (1.0 - 0.95 * 0.95f64)).sqrt();
        assert!((two - closed).abs() < 1e-9, "{two}");
    }

    #[test]
    fn the_sum_and_the_expansion_meet() {
        assert!((quantile(200) - expansion(200.0)).abs() < 1e-8);
        assert!((quantile(201) - 1.971_837).abs() < 1e-3 && quantile(usize::MAX) > 1.959_96);
    }
}
