use super::evidence::Solved;
use super::penalised::{FEWEST_GROUPS, PenalisedSpline};
use super::prior;
use super::student;
use super::{Coefficients, Curve};

/// The smoother curve that tells bias has sixteen times the λ: twice the bandwidth.
const SMOOTHER: f64 = 16.0;
/// How much of the distance to the smoother curve is allowed for bias, in values and in slopes.
const VALUE_BIAS: f64 = 0.3;
const SLOPE_BIAS: f64 = 0.6;

/// The same curve from other samples: without each group in turn, and twice as smooth. Says how
/// sure the curve is, or any number made of it.
pub struct Replicates {
    whole: Replicate,
    without: Vec<Replicate>,
    smoother: Replicate,
    quantile: f64,
}

/// A curve, and how much higher it is after some breaks that lie elsewhere in it.
#[derive(Clone, Debug)]
pub struct Replicate {
    curve: Coefficients,
    /// Places, and heights.
    steps: Vec<(f64, f64)>,
}

impl Replicate {
    fn of(curve: Coefficients) -> Self {
        Self { curve, steps: Vec::new() }
    }

    pub fn value(&self, x: f64) -> f64 {
        self.value_by(x, self.curve.mesh.weights(x))
    }

    /// The same, by what the splines weigh at `x`.
    fn value_by(&self, x: f64, weights: (usize, [f64; 4])) -> f64 {
        let before = self.steps.iter().filter(|(at, _)| *at <= x);
        self.curve.weighed(weights) + before.map(|(_, height)| height).sum::<f64>()
    }
}

impl PenalisedSpline {
    /// A fit for each group and two more.
    pub fn replicates(&self, lambda: f64) -> Replicates {
        let without = self.leave_one_out(lambda);
        Replicates {
            quantile: student::quantile(without.len().saturating_sub(1)),
            whole: Replicate::of(self.fit(lambda)),
            without: without.into_iter().map(Replicate::of).collect(),
            smoother: Replicate::of(self.fit(SMOOTHER * lambda)),
        }
    }

    /// The same where breaks move when a group is left out: for each group with samples, by how much
    /// each break does. To first order: what a moved break takes off all that comes after it, the
    /// curve answers.
    pub fn replicates_moved(&self, lambda: f64, moves: &[Vec<f64>]) -> Replicates {
        let mut replicates = self.replicates(lambda);
        let Solved { factor, fitted, .. } = self.solved(lambda);
        let mesh = self.mesh();
        let jumps = prior::jumps(mesh, &fitted).collect::<Vec<_>>();
        let after = self.after_breaks();
        let of_breaks = after.iter().map(|after| after.splines.as_slice());
        let answers = factor.solve_all(&of_breaks.collect::<Vec<_>>());
        for (replicate, moves) in replicates.without.iter_mut().zip(moves) {
            let breaks = mesh.breaks().iter().zip(&jumps).zip(moves);
            for (number, ((&at, jump), by)) in breaks.enumerate() {
                let height = jump * by;
                let of_splines = replicate.curve.of_splines.iter_mut();
                of_splines
                    .zip(answers.rows(number))
                    .for_each(|(own, answer)| *own += height * answer);
                replicate.steps.push((at, -height));
            }
        }
        replicates
    }
}

impl Replicates {
    /// Half the width of the 95 % interval of a mean rate between two places, or of whatever else
    /// is made of slopes.
    ///
    /// `None` with fewer than 4 groups, or if the number is not finite for each replicate.
    pub fn half_width_of_slope(&self, of: impl Fn(&Replicate) -> f64) -> Option<f64> {
        self.half_width(SLOPE_BIAS, of, &mut Vec::new())
    }

    /// The same of whatever is made of values.
    pub fn half_width_of_value(&self, of: impl Fn(&Replicate) -> f64) -> Option<f64> {
        self.half_width(VALUE_BIAS, of, &mut Vec::new())
    }

    /// `without` is for what it is of each replicate, so that not every number needs a place of its own.
    fn half_width(
        &self,
        bias: f64,
        of: impl Fn(&Replicate) -> f64,
        without: &mut Vec<f64>,
    ) -> Option<f64> {
        without.clear();
        without.extend(self.without.iter().map(&of));
        let noise = self.quantile * standard_error(without)?;
        let half_width = noise + bias * (of(&self.smoother) - of(&self.whole)).abs();
        half_width.is_finite().then_some(half_width)
    }

    /// Half the widths of the 95 % band around the curve and around its slope at the points of
    /// `grid`, point by point.
    ///
    /// A smooth curve does not follow a jump of the slope: closer to one than three bandwidths the
    /// band of the slope covers in two of three cases. `None` with fewer than 4 groups.
    ///
    /// Source: Shao and Tu 1995, The jackknife and bootstrap (delete-group jackknife).
    pub fn band(&self, grid: &[f64]) -> Option<Curve> {
        // All of them stand on one mesh.
        let mesh = &self.whole.curve.mesh;
        let (mut of_values, mut of_slopes) = (Vec::new(), Vec::new());
        let value = |&x: &f64| {
            let weights = mesh.weights(x);
            self.half_width(VALUE_BIAS, |curve| curve.value_by(x, weights), &mut of_values)
        };
        let slope = |&x: &f64| {
            let weights = mesh.slopes(x);
            self.half_width(SLOPE_BIAS, |curve| curve.curve.weighed_rises(weights), &mut of_slopes)
        };
        let (values, slopes) = (grid.iter().map(value), grid.iter().map(slope));
        Some(Curve {
            values: values.collect::<Option<_>>()?,
            slopes: slopes.collect::<Option<_>>()?,
        })
    }
}

/// The standard error of a number, of its values without each group in turn.
///
/// `None` with fewer than 4 of them.
///
/// Source: Efron and Stein 1981 (jackknife variance).
fn standard_error(without: &[f64]) -> Option<f64> {
    if without.len() < FEWEST_GROUPS {
        return None;
    }
    let count = without.len() as f64;
    let mean = without.iter().sum::<f64>() / count;
    let squares = without.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    Some(((count - 1.0) / count * squares).sqrt())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use tracefold_generate::Random;

    use crate::fit::breaks::Shape;
    use crate::fit::made_up::{samples, waves, waves_rate};
    use crate::fit::segments::Samples;
    use crate::fit::{Ends, GroupedStatistics};

    fn spline(n: usize, seed: u64, groups: usize) -> PenalisedSpline {
        let mut sums = GroupedStatistics::new(groups);
        samples(n, seed, 0.03, waves).iter().for_each(|&(i, x, y)| sums.add(i, x, y));
        PenalisedSpline::new(sums, Ends::Exact)
    }

    fn places() -> Vec<f64> {
        (0..50).map(|j| (f64::from(j) + 0.5) / 50.0).collect()
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn the_jackknife_of_a_mean_is_its_standard_error() {
        let mut random = Random::new(4);
        let values = (0..12).map(|_| random.normal()).collect::<Vec<_>>();
        let sum = values.iter().sum::<f64>();
        let without = values.iter().map(|value| (sum - value) / 11.0).collect::<Vec<_>>();
        let centre = mean(&values);
        let squares = values.iter().map(|v| (v - centre) * (v - centre)).sum::<f64>();
        let expected = (squares / 11.0 / 12.0).sqrt();
        assert!((standard_error(&without).unwrap() / expected - 1.0).abs() < 1e-12);
        assert_eq!(standard_error(&without[..3]), None);
        assert_eq!(standard_error(&[]), None);
    }

    #[test]
    fn a_break_that_moves_bends_the_curve_as_a_fit_with_the_break_elsewhere() {
        let kink = |x: f64| if x < 0.4 { 1.75 * x } else { 0.7 + 0.5 * (x - 0.4) };
        let mut made = samples(1200, 3, 0.002, kink);
        made.sort_by(|a, b| a.1.total_cmp(&b.1));
        let [x, y] = [|s: &(usize, f64, f64)| s.1, |s: &(usize, f64, f64)| s.2]
            .map(|of| made.iter().map(of).collect::<Vec<_>>());
        let group = made.iter().map(|sample| (sample.0 % 20) as u32).collect::<Vec<_>>();
        let of = Samples { x: &x, y: &y, group: &group, instance: &group };
        for ends in [Ends::Exact, Ends::Soft] {
            let broken = |at: f64| {
                let (weights, jump_weight) = (Arc::new(vec![1.0; x.len()]), 4e-6);
                let stiffness = Vec::new();
                let breaks = vec![at];
                Shape { breaks, lambda: 0.1, stiffness, weights, jump_weight }.spline(&of, 20, ends)
            };
            // Every group moves it alike.
            let by = 0.002;
            let moved = broken(0.4).replicates_moved(0.1, &vec![vec![by]; 20]);
            let (stayed, elsewhere) =
                (broken(0.4).replicates(0.1), broken(0.4 + by).replicates(0.1));
            for at in [0.1, 0.3, 0.39, 0.41, 0.5, 0.7, 0.9, 0.999] {
                let of = |of: &Replicates| of.without[0].value(at);
                let (found, expected) = (of(&moved) - of(&stayed), of(&elsewhere) - of(&stayed));
                assert!((found - expected).abs() < 1e-4, "{ends:?} {at}: {found} {expected}");
            }
        }
    }

    #[test]
    fn the_band_covers_the_true_curve_as_often_as_it_says() {
        // 95 %, of which the study of real traces found 94 % for curves and 92 % for rates; each
        // run counts as one trial or less, as neighbouring places err together.
        const RUNS: u64 = 120;
        let (mut values, mut slopes) = (0, 0);
        for seed in 0..RUNS {
            let spline = spline(240, 1000 + seed, 20);
            let lambda = spline.lambda();
            let (curve, band) =
                (spline.fit(lambda), spline.replicates(lambda).band(&places()).unwrap());
            for (j, x) in places().into_iter().enumerate() {
                let covers = (curve.value(x) - waves(x)).abs() <= band.values[j];
                values += u64::from(covers);
                let covers = (curve.slope(x) - waves_rate(x)).abs() <= band.slopes[j];
                slopes += u64::from(covers);
            }
        }
        let share = |covered: u64| covered as f64 / (RUNS * 50) as f64;
        let [values, slopes] = [values, slopes].map(share);
        assert!(
            (0.88..0.99).contains(&values) && (0.86..0.99).contains(&slopes),
            "{values} {slopes}"
        );
    }

    #[test]
    fn the_band_shrinks_with_samples() {
        let width = |n| {
            let spline = spline(n, 5, 20);
            let band = spline.replicates(spline.lambda()).band(&places()).unwrap();
            [mean(&band.values), mean(&band.slopes)]
        };
        let (few, many) = (width(100), width(10_000));
        // By the root of a hundred for values, less for slopes, whose bandwidth shrinks too.
        assert!((5.0..20.0).contains(&(few[0] / many[0])), "{few:?} {many:?}");
        assert!((2.0..15.0).contains(&(few[1] / many[1])), "{few:?} {many:?}");
    }

    #[test]
    fn the_interval_of_a_mean_rate_is_narrower_than_the_band_of_the_rate() {
        let spline = spline(1000, 6, 20);
        let replicates = spline.replicates(spline.lambda());
        let between = |from: f64, to: f64| {
            let mean_rate = move |c: &Replicate| (c.value(to) - c.value(from)) / (to - from);
            replicates.half_width_of_slope(mean_rate).unwrap()
        };
        let band = mean(&replicates.band(&places()).unwrap().slopes);
        assert!(between(0.2, 0.8) < 0.5 * band);
        // Over the whole instance it is known.
        assert!(between(0.0, 1.0) < 1e-4);
        assert_eq!(replicates.half_width_of_value(|_| f64::NAN), None);
    }

    #[test]
    fn fewer_than_four_groups_have_no_band() {
        let spline = spline(60, 7, 3);
        assert_eq!(spline.replicates(1e-4).band(&places()), None);
        assert_eq!(spline.leave_one_out(1e-4).len(), 3);
    }
}
