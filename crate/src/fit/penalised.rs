use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::Coefficients;
use super::banded::{Banded, solve_each};
use super::grouped::GroupedStatistics;
use super::mesh::Mesh;
use super::prior::Prior;
use super::statistics::Statistics;

/// How a curve is held to the begin (0, 0) and the end (1, 1) of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Through both: each weighs a hundred times as much as all samples. What is left is set to
    /// 0 and 1 by who needs it exactly.
    Exact,
    /// By an ordinary sample at each, as the reference does.
    Soft,
}

/// Fewer groups than this do not say how sure a fit is, nor how well it predicts.
pub(super) const FEWEST_GROUPS: usize = 4;
/// The widest bandwidth that is looked for; its curve has some five degrees of freedom.
const WIDEST_SOUGHT: f64 = 0.3;
/// The finest bandwidth that is looked for, in cells, and the finest that the grid can show.
const FINEST_SOUGHT: f64 = 0.5;
const FINEST: f64 = 0.25;
/// A wider bandwidth than this is a straight line too.
const WIDEST: f64 = 1.0;
/// A quarter of a decade, by which λ is raised in search of a better one.
const STEP: f64 = 1.778_279_410_038_922_8;
/// Cubic splines on a fixed grid that minimise `Σ (y − f(x))² + λ ∫ f″²`, made of sums: the cost of
/// a fit depends on the cells and not on the samples.
///
/// All λ are held in the range that the grid can show: bandwidths from a quarter of a cell to 1.
///
/// Source: Eilers and Marx 1996 (penalised B-splines); the exact penalty as in O'Sullivan 1986.
pub struct PenalisedSpline {
    groups: Vec<Statistics>,
    pub(super) total: Arc<Statistics>,
    /// Of the total, with the ends.
    anchored: Arc<Banded>,
    /// What each end weighs.
    pub(super) end_weight: f64,
    pub(super) prior: Prior,
    /// Variance of a sample that is not told apart from none.
    pub(super) least_variance: f64,
    /// Curves without each group at the λ that they were first asked for: the band is of that at which
    /// the search for a smoother one begins.
    left_out: OnceLock<(f64, Vec<Vec<f64>>)>,
}

impl PenalisedSpline {
    pub fn new(statistics: GroupedStatistics, ends: Ends) -> Self {
        let prior = Prior::new(&statistics.mesh(), Vec::new(), 1.0);
        Self::held_by(prior, statistics.total(), statistics.into_groups(), ends)
    }

    pub(super) fn held_by(
        prior: Prior,
        total: Statistics,
        groups: Vec<Statistics>,
        ends: Ends,
    ) -> Self {
        let end_weight = match ends {
            Ends::Exact => (100.0 * total.count()).max(1e4),
            Ends::Soft => 1.0,
        };
        let mut anchored = total.normal.clone();
        for x in [0.0, 1.0] {
            let (first, splines) = prior.mesh.weights(x);
            anchored.add_square(first, splines, end_weight);
        }
        let (total, anchored) = (Arc::new(total), Arc::new(anchored));
        let left_out = OnceLock::new();
        Self { groups, total, anchored, end_weight, prior, least_variance: 0.0, left_out }
    }

    /// The λ whose curve resolves a share `bandwidth` of the region: a step in the rate is smeared
    /// over 2.83 of it.
    pub fn lambda_of_bandwidth(&self, bandwidth: f64) -> f64 {
        let square = bandwidth * bandwidth;
        self.samples() * square * square
    }

    /// The inverse of [`Self::lambda_of_bandwidth`].
    pub fn bandwidth(&self, lambda: f64) -> f64 {
        (self.held(lambda) / self.samples()).sqrt().sqrt()
    }

    /// The curve of all samples. O(cells).
    pub fn fit(&self, lambda: f64) -> Coefficients {
        let factor = self.system(lambda).factor();
        self.on_the_diagonal(&factor.solve(self.total.right.clone()))
    }

    /// Sum over the groups of the squares that the fit without the group leaves in it. A fit for
    /// each group.
    pub fn held_out(&self, lambda: f64) -> f64 {
        self.held_out_by_group(lambda).into_iter().sum()
    }

    /// The same of each group with samples, in order.
    pub fn held_out_by_group(&self, lambda: f64) -> Vec<f64> {
        let of_group = |(group, without): (&Statistics, &Vec<f64>)| group.left_by(without);
        self.groups.iter().zip(&*self.left_out(lambda)).map(of_group).collect()
    }

    /// The λ to use where likelihood finds `lambda`: the smoother of what likelihood and prediction
    /// find.
    ///
    /// Likelihood under-smooths rates that have no edges, and prediction alone hardly sees a wiggly
    /// rate; so λ rises from that of the likelihood as long as held-out squares fall. With fewer
    /// than 4 groups likelihood decides.
    pub fn smoother(&self, mut lambda: f64) -> f64 {
        if self.groups.len() < FEWEST_GROUPS {
            return lambda;
        }
        let [_, widest] = self.sought();
        let mut squares = self.held_out(lambda);
        while lambda * STEP <= libm::exp(widest) {
            let of_smoother = self.held_out(lambda * STEP);
            if of_smoother >= squares || of_smoother.is_nan() {
                break;
            }
            (lambda, squares) = (lambda * STEP, of_smoother);
        }
        lambda
    }

    /// `lambda`, or a larger one as long as what its curve leaves is less than `variance` a sample:
    /// what samples cannot tell because they are rounded is no shape of the curve.
    pub fn above_rounding(&self, mut lambda: f64, variance: f64) -> f64 {
        let [_, widest] = self.sought();
        let explained = variance * self.total.count();
        while lambda * STEP <= libm::exp(widest) && self.left(lambda * STEP) < explained {
            lambda *= STEP;
        }
        lambda
    }

    /// Squares that the fit leaves in all samples.
    fn left(&self, lambda: f64) -> f64 {
        let fitted = self.system(lambda).factor().solve(self.total.right.clone());
        self.total.left_by(&fitted)
    }

    /// The curve without each group in turn, at the λ of all samples. A fit for each group.
    pub fn leave_one_out(&self, lambda: f64) -> Vec<Coefficients> {
        self.left_out(lambda).iter().map(|without| self.on_the_diagonal(without)).collect()
    }

    /// Coefficients of the same.
    fn left_out(&self, lambda: f64) -> Cow<'_, [Vec<f64>]> {
        let fits = || {
            let system = self.system(lambda);
            let without = |group: &Statistics| {
                let right = self.total.right.iter().zip(&group.right).map(|(all, own)| all - own);
                (system.plus(-1.0, &group.normal), right.collect())
            };
            solve_each(&self.groups.iter().map(without).collect::<Vec<_>>())
        };
        match self.left_out.get_or_init(|| (lambda, fits())) {
            (first, fits) if *first == lambda => Cow::Borrowed(fits),
            _ => Cow::Owned(fits()),
        }
    }

    /// The matrix of the normal equations.
    pub(super) fn system(&self, lambda: f64) -> Banded {
        self.prior.added_to(&self.anchored, self.held(lambda))
    }

    /// The right-hand side of the normal equations of `f(x) − x`.
    pub(super) fn right(&self) -> &[f64] {
        &self.total.right
    }

    /// The same with other relative λ of its cells; without groups.
    pub(super) fn stiffened(&self, stiffness: &[f64]) -> Self {
        Self {
            groups: Vec::new(),
            total: Arc::clone(&self.total),
            anchored: Arc::clone(&self.anchored),
            prior: self.prior.stiffened(stiffness),
            left_out: OnceLock::new(),
            ..*self
        }
    }

    /// The coefficients of `f(x)`, of those of `f(x) − x`.
    pub(super) fn on_the_diagonal(&self, difference: &[f64]) -> Coefficients {
        let mesh = Arc::clone(&self.prior.mesh);
        let of_splines = difference.iter().zip(mesh.diagonal()).map(|(own, line)| own + line);
        Coefficients { of_splines: of_splines.collect(), mesh }
    }

    pub(super) fn mesh(&self) -> &Mesh {
        &self.prior.mesh
    }

    /// `Σ w (z − f)²` of a curve of these coefficients, with the ends and the prior.
    pub(super) fn penalised_squares(&self, lambda: f64, of_splines: &[f64]) -> f64 {
        let own = self.total.left_by(of_splines);
        let at_ends = [0.0, 1.0].map(|x| {
            let (first, weights) = self.mesh().weights(x);
            let value = of_splines[first..].iter().zip(weights).map(|(c, w)| c * w).sum::<f64>();
            self.end_weight * value * value
        });
        own + at_ends[0] + at_ends[1] + self.prior.cost(self.held(lambda), of_splines)
    }

    pub(super) fn anchored(&self) -> &Banded {
        &self.anchored
    }

    pub(super) fn samples(&self) -> f64 {
        self.total.count().max(1.0)
    }

    /// The λ of a bandwidth in cells.
    fn lambda_of_cells(&self, bandwidth: f64) -> f64 {
        self.lambda_of_bandwidth(bandwidth / self.mesh().equal_cells() as f64)
    }

    /// λ in the range in which the system is well posed; a λ that is no number is the smoothest.
    pub(super) fn held(&self, lambda: f64) -> f64 {
        let widest = self.lambda_of_bandwidth(WIDEST);
        if lambda.is_nan() { widest } else { lambda.clamp(self.lambda_of_cells(FINEST), widest) }
    }

    /// Logarithms of the λ between which one is looked for.
    pub(super) fn sought(&self) -> [f64; 2] {
        let widest = self.lambda_of_bandwidth(WIDEST_SOUGHT);
        [self.lambda_of_cells(FINEST_SOUGHT).min(widest), widest].map(libm::log)
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracefold_generate::Random;

    use crate::fit::made_up::{pause, samples, waves};
    use crate::fit::smoothing::minus_two_reml;
    use crate::fit::{Observation, smooth};

    type Sample = (usize, f64, f64);

    fn spline(samples: &[Sample], groups: usize, ends: Ends) -> PenalisedSpline {
        let mut sums = GroupedStatistics::new(groups);
        samples.iter().for_each(|&(instance, x, y)| sums.add(instance, x, y));
        PenalisedSpline::new(sums, ends)
    }

    /// The same points for the exact form, the ends among them.
    fn points(samples: &[Sample], end: f64) -> Vec<Observation> {
        let own = samples.iter().map(|&(_, x, y)| Observation { x, y, weight: 1.0 });
        let ends = [0.0, 1.0].map(|x| Observation { x, y: x, weight: end });
        let mut points = own.chain(ends).collect::<Vec<_>>();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        points
    }

    fn grid(n: usize) -> Vec<f64> {
        (0..n).map(|j| j as f64 / (n - 1) as f64).collect()
    }

    fn furthest(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn the_grid_stands_for_the_exact_spline() {
        let samples = samples(1000, 1, 0.02, waves);
        let (lambda, grid) = (1e-4 / 12.0, grid(1000));
        for (ends, weight) in [(Ends::Soft, 1.0), (Ends::Exact, 1e5)] {
            let spline = spline(&samples, 20, ends);
            assert!((spline.bandwidth(lambda) - 0.0096).abs() < 1e-4);
            let ours = spline.fit(lambda).curve(&grid);
            let exact = smooth(&points(&samples, weight), lambda, &grid).unwrap();
            let values = furthest(&ours.values, &exact.values);
            let slopes = furthest(&ours.slopes, &exact.slopes);
            assert!(values <= 1e-6 && slopes <= 2e-3, "{ends:?}: {values:e} {slopes:e}");
        }
    }

    #[test]
    fn the_likelihood_is_that_of_the_exact_spline() {
        for (n, seed) in [(60, 2), (400, 3), (2000, 4)] {
            let samples = samples(n, seed, 0.03, waves);
            let spline = spline(&samples, 20, Ends::Soft);
            let points = points(&samples, 1.0);
            let offset =
                |lambda| spline.minus_two_reml(lambda) - minus_two_reml(&points, lambda).unwrap();
            let best = spline.lambda_by_reml();
            let apart = [0.03, 0.3, 3.0, 30.0].map(|factor| offset(best * factor) - offset(best));
            assert!(apart.iter().all(|apart| apart.abs() < 0.05), "{n}: {apart:?}");
            // The valley is flat: what counts is that the exact likelihood is no better elsewhere.
            let exact = |lambda| minus_two_reml(&points, lambda).unwrap();
            let elsewhere = (-40..40).map(|step| exact(best * libm::exp(f64::from(step) / 10.0)));
            assert!(elsewhere.fold(f64::MAX, f64::min) > exact(best) - 0.01, "{n}");
        }
    }

    #[test]
    fn a_straight_line_stays_one_however_it_is_rounded() {
        let mut random = Random::new(9);
        let mut xs = (0..900).map(|_| random.uniform()).collect::<Vec<_>>();
        xs.extend([0.25, 0.25, 0.75]);
        for (of, rounding) in [("exact", 0.0), ("floats", 1e-16), ("counts", 1e-7), ("few", 1e-4)] {
            let mut y = |x: f64| x + rounding * (random.uniform() - 0.5);
            let samples = xs.iter().enumerate().map(|(i, &x)| (i, x, y(x))).collect::<Vec<_>>();
            for ends in [Ends::Exact, Ends::Soft] {
                let spline = spline(&samples, 20, ends);
                let lambda = spline.lambda();
                assert!(spline.bandwidth(lambda) > 0.01, "{of}");
                let curve = spline.fit(lambda).curve(&grid(101));
                let slopes = curve.slopes.iter().map(|slope| (slope - 1.0).abs());
                assert!(slopes.fold(0.0, f64::max) <= 10.0 * rounding + 1e-12, "{of}");
            }
        }
    }

    #[test]
    fn a_course_too_close_to_the_diagonal_to_be_seen_is_a_straight_line() {
        let hidden = |x: f64| x + 1e-10 * libm::sin(50.0 * x);
        let spline = spline(&samples(900, 9, 0.0, hidden), 20, Ends::Exact);
        assert!(spline.bandwidth(spline.lambda()) > 0.01);
    }

    #[test]
    fn a_course_without_noise_is_followed() {
        for counter in [waves, pause] {
            let spline = spline(&samples(3000, 8, 0.0, counter), 20, Ends::Exact);
            let curve = spline.fit(spline.lambda()).curve(&grid(500));
            let expected = grid(500).into_iter().map(counter).collect::<Vec<_>>();
            let apart = furthest(&curve.values, &expected);
            assert!(apart < 3e-4, "{apart:e}");
        }
    }

    #[test]
    fn held_out_squares_are_those_left_by_fits_without_each_group() {
        let samples = samples(200, 5, 0.02, waves);
        let lambda = 1e-5;
        let mut expected = 0.0;
        for group in 0..5 {
            let (own, others): (Vec<_>, Vec<_>) =
                samples.iter().partition(|(instance, ..)| instance % 5 == group);
            let curve = spline(&others, 5, Ends::Soft).fit(lambda);
            expected += own.iter().map(|(_, x, y)| y - curve.value(*x)).map(|e| e * e).sum::<f64>();
        }
        let spline = spline(&samples, 5, Ends::Soft);
        assert!((spline.held_out(lambda) / expected - 1.0).abs() < 1e-9);
        assert_eq!(spline.leave_one_out(lambda).len(), 5);
    }

    #[test]
    fn lambda_is_the_smoother_of_likelihood_and_prediction() {
        let mut smoothed_more = 0;
        for seed in 0..10 {
            let samples = samples(120, 40 + seed, 0.03, waves);
            let of_groups = spline(&samples, 20, Ends::Exact);
            let (reml, lambda) = (of_groups.lambda_by_reml(), of_groups.lambda());
            assert!(lambda >= reml && of_groups.held_out(lambda) <= of_groups.held_out(reml));
            smoothed_more += usize::from(lambda > reml);
            let few = spline(&samples, 3, Ends::Exact);
            assert_eq!(few.lambda(), few.lambda_by_reml());
        }
        assert!(smoothed_more > 0);
    }

    #[test]
    fn a_bandwidth_is_the_fourth_root_of_lambda_per_sample_and_is_held_to_the_grid() {
        let spline = spline(&samples(500, 6, 0.02, waves), 20, Ends::Exact);
        let lambda = spline.lambda_of_bandwidth(0.02);
        assert!((lambda - 500.0 * 1.6e-7).abs() < 1e-15);
        assert!((spline.bandwidth(lambda) - 0.02).abs() < 1e-15);
        let held = [0.0, 1e300, f64::NAN].map(|lambda| spline.bandwidth(lambda));
        assert!((held[0] - 0.25 / 512.0).abs() < 1e-15);
        assert_eq!(held[1..], [1.0, 1.0]);
    }

    #[test]
    fn exact_ends_are_passed_through() {
        let spline = spline(&samples(300, 7, 0.05, pause), 20, Ends::Exact);
        let curve = spline.fit(spline.lambda());
        assert!(curve.value(0.0).abs() < 1e-5 && (curve.value(1.0) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn whatever_the_samples_all_numbers_are_finite() {
        let even = |i: usize| i as f64 / 50.0;
        let of = |sample: fn(f64) -> (f64, f64)| {
            (0..50).map(|i| (i, sample(even(i)).0, sample(even(i)).1)).collect::<Vec<_>>()
        };
        let odd: Vec<Vec<Sample>> = vec![
            vec![],
            vec![(0, 0.3, 0.9)],
            vec![(0, 0.3, 0.9), (1, 0.6, 0.1)],
            of(|x| (0.5, x)),
            of(|_| (0.0, 1.0)),
            of(|x| (x, 0.0)),
            of(|x| (x, 5.0 - 9.0 * x)),
            of(|x| (x, if x < 0.5 { 1e6 } else { -1e6 })),
            of(|x| (x, 1e6 * libm::sin(1e3 * x))),
        ];
        for (number, samples) in odd.iter().enumerate() {
            for ends in [Ends::Exact, Ends::Soft] {
                let spline = spline(samples, 20, ends);
                for lambda in [spline.lambda(), 0.0, 1e-300, 1e300] {
                    let finite = |curve: &crate::fit::Curve| {
                        curve.values.iter().chain(&curve.slopes).all(|value| value.is_finite())
                    };
                    let plain = spline.fit(lambda).curve(&grid(50));
                    let rising = spline.monotone(lambda).curve(&grid(50));
                    assert!(finite(&plain) && finite(&rising), "{number} {ends:?} {lambda}");
                    assert!(rising.slopes.iter().all(|slope| *slope >= 0.0), "{number} {ends:?}");
                    let band = spline.replicates(lambda).band(&grid(50));
                    assert!(band.is_none_or(|band| finite(&band)), "{number} {ends:?} {lambda}");
                    assert!(spline.held_out(lambda).is_finite());
                }
            }
        }
    }
}
