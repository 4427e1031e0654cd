//! Student's t for any number of degrees of freedom, not only whole ones: those of a sum of
//! variances (Satterthwaite 1946) are fractions.

/// From so many degrees of freedom on, t is taken as normal: they differ by less than 1e-6.
const NORMAL: f64 = 1e6;

/// P(T > `t`), `t` of so many degrees of freedom (above 0; infinity is the normal distribution).
/// Relative error about 1e-12.
///
/// Source: Abramowitz and Stegun 1964, 26.7.1 and 26.5.8.
pub fn tail(t: f64, degrees: f64) -> f64 {
    if degrees > NORMAL {
        return libm::erfc(t / std::f64::consts::SQRT_2) / 2.0;
    }
    let beyond = incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t)) / 2.0;
    if t >= 0.0 { beyond } else { 1.0 - beyond }
}

/// The `t` that is exceeded with probability `beyond` (0…½). Within 1e-10, relative from 1 on.
pub fn exceeded(beyond: f64, degrees: f64) -> f64 {
    let mut high = 1.0;
    // A finite double is reached whatever is asked for.
    while tail(high, degrees) > beyond && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    let mut low = 0.0;
    // 60 halvings of an interval no longer than twice its end leave less than its last digit.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if tail(middle, degrees) > beyond { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The regularised incomplete beta function of `x` in 0…1.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let logarithms = a * libm::log(x) + b * libm::log1p(-x);
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + logarithms;
    // The fraction converges fast on this side of the mean; the other is its mirror.
    if x < (a + 1.0) / (a + b + 2.0) {
        libm::exp(front) * fraction(a, b, x) / a
    } else {
        1.0 - libm::exp(front) * fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction 26.5.8, by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let off_zero = |value: f64| if value.abs() > 1e-300 { value } else { 1e-300 };
    let mut upper = 1.0;
    let mut lower = 1.0 / off_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = lower;
    // About √max(a, b) steps are needed; 500 thousand, the largest, takes fewer than this.
    for step in 1..2000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            lower = 1.0 / off_zero(1.0 + term * lower);
            upper = off_zero(1.0 + term / upper);
            value *= lower * upper;
        }
        if (lower * upper - 1.0).abs() < 1e-14 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::fit::student_quantile;

    #[test]
    fn one_and_two_degrees_have_a_closed_form() {
        for t in [-3.0, -0.2, 0.0, 0.5, 1.0, 7.0, 300.0f64] {
            let one = 0.5 - libm::atan(t) / PI;
            let two = 0.5 - t / (2.0 * (2.0 + t * t).sqrt());
            assert!((tail(t, 1.0) - one).abs() < 1e-12, "{t}");
            assert!((tail(t, 2.0) - two).abs() < 1e-12, "{t}");
        }
    }

    #[test]
    fn whole_degrees_agree_with_the_finite_sum() {
        for degrees in [1, 2, 3, 10, 19, 38, 200] {
            let [own, sum] = [exceeded(0.025, degrees as f64), student_quantile(degrees)];
            assert!((own - sum).abs() < 1e-9, "{degrees}: {own} and {sum}");
        }
    }

    #[test]
    fn fractions_lie_between_their_neighbours_and_many_are_normal() {
        let of = |degrees| exceeded(0.025, degrees);
        assert!(of(4.0) > of(4.5) && of(4.5) > of(5.0));
        assert!((of(f64::INFINITY) - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((of(0.99 * NORMAL) - of(1.01 * NORMAL)).abs() < 1e-5);
    }

    #[test]
    fn what_is_exceeded_has_the_tail_asked_for() {
        for (beyond, degrees) in [(0.4, 0.7), (1e-6, 3.3), (0.05, 120.5), (0.001, 5e5)] {
            let again = tail(exceeded(beyond, degrees), degrees);
            assert!((again / beyond - 1.0).abs() < 1e-8, "{beyond} {degrees}: {again}");
        }
    }
}
