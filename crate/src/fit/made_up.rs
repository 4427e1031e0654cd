//! Samples of counters with a known course, for the tests of the fits.

use tracefold_generate::Random;

use super::PenalisedSpline;

impl PenalisedSpline {
    /// The λ of the product: the smoother of what likelihood and prediction find.
    pub fn lambda(&self) -> f64 {
        self.smoother(self.lambda_by_reml())
    }
}

/// A counter whose rate swings once and a half between 0.5 and 1.5.
pub fn waves(x: f64) -> f64 {
    let swing = 3.0 * std::f64::consts::PI;
    let count = |x: f64| x + 0.5 * (1.0 - libm::cos(swing * x)) / swing;
    count(x) / count(1.0)
}

/// The rate of [`waves`].
pub fn waves_rate(x: f64) -> f64 {
    let swing = 3.0 * std::f64::consts::PI;
    (1.0 + 0.5 * libm::sin(swing * x)) / (1.0 + 1.0 / swing)
}

/// A counter that all but stops between 0.2 and 0.5.
pub fn pause(x: f64) -> f64 {
    let count = |x: f64| x.min(0.2) + 0.01 * (x - 0.2).clamp(0.0, 0.3) + (x - 0.5).max(0.0);
    count(x) / count(1.0)
}

/// `(instance, x, y)`, three samples for each instance: the counter, what the instance differs in,
/// and noise. Both vanish at the ends.
pub fn samples(
    n: usize,
    seed: u64,
    noise: f64,
    counter: impl Fn(f64) -> f64,
) -> Vec<(usize, f64, f64)> {
    let mut random = Random::new(seed);
    let mut of_instance = 0.0;
    (0..n)
        .map(|number| {
            if number % 3 == 0 {
                of_instance = random.normal();
            }
            let x = random.uniform();
            let bridge = (x * (1.0 - x)).sqrt();
            let apart = 0.6 * of_instance + 0.8 * random.normal();
            (number / 3, x, counter(x) + noise * bridge * apart)
        })
        .collect()
}
