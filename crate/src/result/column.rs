//! A curve as a link carries it: its rate and the band round it in steps of their range.
//!
//! The fitted share is the rate's integral: from the steps it comes back closer than a column of
//! its own would, and at no cost.

use serde::{Deserialize, Serialize};

use crate::folding::Curve;

/// Steps of a rate's range, and of a band's, which is a faint area.
pub const STEPS: f64 = 4095.0;
const BAND_STEPS: f64 = 63.0;

/// A band has a point for so many of the rate: it changes slowly.
const POINTS_OF_BAND: usize = 12;

/// The rate, the half width of its band, and the fitted share at both ends.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Column {
    #[serde(flatten)]
    rate: Steps,
    start: f64,
    end: f64,
    band: Steps,
    /// The rate of all threads, where the one above is of those that compute.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_waiting: Option<Steps>,
}

/// Values as steps between the least and the most: the first, then what each adds.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Steps {
    #[serde(deserialize_with = "crate::folding::json::number")]
    least: f64,
    #[serde(deserialize_with = "crate::folding::json::number")]
    most: f64,
    steps: Vec<i32>,
}

impl Column {
    /// The curve on at most `points` evenly spread points, both ends included.
    pub fn of(curve: &Curve, points: usize) -> Self {
        let end_of = |value: Option<&f64>| value.copied().unwrap_or(0.0);
        let rate = |values: &[f64]| {
            let points = points.min(values.len());
            Steps::of(&resampled(&held(values), points), STEPS)
        };
        Self {
            rate: rate(&curve.rate),
            with_waiting: curve.with_waiting.as_ref().map(|of| rate(&of.rate)),
            band: Steps::of(&resampled(&curve.rate_band, points / POINTS_OF_BAND), BAND_STEPS),
            start: end_of(curve.fitted.first()),
            end: end_of(curve.fitted.last()),
        }
    }

    /// Puts rates, the band of the first and the fitted share back; other bands did not travel.
    pub fn into_curve(self, curve: &mut Curve) {
        curve.rate = self.rate.values(STEPS);
        curve.rate_band = resampled(&self.band.values(BAND_STEPS), curve.rate.len());
        let with_waiting = curve.with_waiting.as_mut().zip(self.with_waiting);
        let counted = match with_waiting {
            Some((of_all, steps)) => {
                of_all.rate = steps.values(STEPS);
                &of_all.rate
            }
            None => &curve.rate,
        };
        curve.fitted = integral(counted, self.start, self.end);
    }
}

impl Steps {
    /// `values` in `of` steps of their range.
    fn of(values: &[f64], of: f64) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = most - least;
        let step = |value: f64| match range > 0.0 && range.is_finite() {
            true => libm::round((value - least) / range * of) as i32,
            false => 0,
        };
        let mut before = 0;
        let steps = values.iter().map(|&value| {
            let now = step(value);
            now - std::mem::replace(&mut before, now)
        });
        Self { least, most, steps: steps.collect() }
    }

    fn values(&self, of: f64) -> Vec<f64> {
        let mut step = 0i32;
        let value = |added: &i32| {
            step = step.saturating_add(*added);
            self.least + (self.most - self.least) * (f64::from(step) / of)
        };
        self.steps.iter().map(value).collect()
    }
}

/// The column with the number before in place of what is none, or the first after. Where a rate has
/// gaps travels apart.
fn held(values: &[f64]) -> Vec<f64> {
    let mut last = values.iter().copied().find(|value| value.is_finite()).unwrap_or(0.0);
    let hold = |&value: &f64| {
        last = if value.is_finite() { value } else { last };
        last
    };
    values.iter().map(hold).collect()
}

/// Trapezoids under `rate`, scaled to run from `start` to `end`; a line where they sum to nothing.
fn integral(rate: &[f64], start: f64, end: f64) -> Vec<f64> {
    let mut sum = 0.0;
    let trapezoids = rate.windows(2).map(|pair| {
        sum += (pair[0] + pair[1]) / 2.0;
        sum
    });
    let sums = std::iter::once(0.0).chain(trapezoids).take(rate.len()).collect::<Vec<_>>();
    let total = sums.last().copied().unwrap_or(0.0);
    let last = (rate.len().max(2) - 1) as f64;
    let share = |(j, sum): (usize, f64)| match total > 0.0 && total.is_finite() {
        true => start + (end - start) * (sum / total),
        false => start + (end - start) * (j as f64 / last),
    };
    sums.into_iter().enumerate().map(share).collect()
}

/// The column on `points` evenly spread points, both ends included, by straight lines. No value
/// gives none.
fn resampled(values: &[f64], points: usize) -> Vec<f64> {
    if values.len() < 2 || values.len() == points || points < 2 {
        return values.to_vec();
    }
    let last = (values.len() - 1) as f64;
    let at = |j: usize| {
        let place = j as f64 / (points - 1) as f64 * last;
        let below = (place as usize).min(values.len() - 2);
        let share = place - below as f64;
        values[below] * (1.0 - share) + values[below + 1] * share
    };
    (0..points).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_of_a_rate_is_the_share() {
        let rate = (0..1000).map(|j| 1.0 + f64::from(j) / 999.0).collect::<Vec<_>>();
        let fitted = integral(&rate, 0.0, 1.0);
        for (j, share) in fitted.iter().enumerate() {
            let x = j as f64 / 999.0;
            assert!((share - (x + x * x / 2.0) / 1.5).abs() < 1e-6);
        }
        assert_eq!(integral(&[0.0; 3], 0.0, 0.0), [0.0; 3]);
        assert_eq!(integral(&[], 0.0, 1.0), [0.0; 0]);
    }
}
