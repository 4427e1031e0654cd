use super::samples::{Measured, Samples};
use super::spline::Spline;
use super::{Ends, Fit, Nugget, phases};
use crate::fit::segments::{self, Breaks, Choice, Knots};
use crate::folding::{Break, Curve, CurveKind, FitReport, PhaseRate};

/// How the curves of a group are made.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    pub fit: Fit,
    pub nugget: Nugget,
    /// In place of the nugget: finest detail as a share of the region.
    pub resolution: Option<f64>,
    pub ends: Ends,
    /// Whether a spline may not fall.
    pub monotone: bool,
    /// Index of the counter whose breaks are those of the region; `None` for all together.
    pub phases_of: Option<usize>,
    /// Borders of phases that a person put: increasing, within 0 to 1.
    pub borders: Option<&'a [f64]>,
}

/// The curves of a group, and where its rates change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fitted {
    /// As many as counters were given; of each what is of the fit, not of the counter.
    pub curves: Vec<Curve>,
    pub report: FitReport,
    pub breaks: Vec<Break>,
}

/// Segments are taken unless the cross-validation error of splines is smaller by more than this:
/// where both do as well, phases say more than a wiggle.
const MARGIN: f64 = 1.05;

/// With fewer groups of instances nothing tells how sure a curve is.
const FEWEST_GROUPS: u32 = 4;

/// With fewer samples per counter the decision is uncertain.
const ENOUGH_SAMPLES: f64 = 100.0;

/// Fits every counter of a group at once.
///
/// Each counter has its spline; straight segments are fitted to all counters together, so that
/// their breaks are the phases of the region. Which of the two is shown is one decision for the
/// region: by the mean logarithm of the ratio of their cross-validation errors. With fewer
/// than four instances, or where segments need more breaks than are tried, it is the splines; and
/// with fewer than four instances there are no phases but those asked for.
///
/// A counter that never counted has the zero curve. Rates are the derivative × (Σ totals / Σ
/// lengths) of the instances that carry the counter: per microsecond, or per event of the axis.
///
/// Source: Servat 2015, §4.3; the decision is ours (`static/guide/methods.html#decision`).
pub fn fit_group(counters: &[Measured<'_>], how: &How<'_>, grid: &[f64]) -> Fitted {
    let how = &how.settled();
    let (samples, groups) = Samples::dealt(counters);
    let splines = samples.iter().map(|samples| Spline::of(samples, groups, how));
    let splines = splines.collect::<Vec<_>>();
    // Splines alone need no error of segments, which is the dear part.
    let held_out = if how.fit == Fit::Kriging { 0 } else { groups };
    let choice = match how.phases_of.and_then(|counter| samples.get(counter)) {
        Some(samples) => segments::choose(&[samples.slices()], held_out),
        None => {
            let slices = samples.iter().map(Samples::slices).collect::<Vec<_>>();
            segments::choose(&slices, held_out)
        }
    };
    let report = decide(&choice, &samples, &splines, how);
    let is_segments = report.kind == CurveKind::Segments;
    let knots = match how.borders {
        Some(borders) => Knots::new(borders),
        // The breaks of a few instances are as much theirs as the region's.
        None if groups < FEWEST_GROUPS && how.fit != Fit::Segments => None,
        None => Some(phases::knots(&choice, report.kind)),
    };
    let knots = knots.unwrap_or_else(Knots::none);
    let mut shown = if is_segments {
        let put = if how.borders.is_some() { Breaks::Given } else { Breaks::Fitted };
        phases::of_segments(&samples, groups, (&knots, put), grid)
    } else {
        phases::of_splines(&splines, &knots, grid)
    };
    let own_breaks = |samples: &Samples| match how.fit {
        Fit::Kriging => vec![],
        _ => {
            let choice = segments::choose(&[samples.slices()], 0);
            choice.fits[choice.breaks].knots.breaks().to_vec()
        }
    };
    let mut curves = Vec::with_capacity(counters.len());
    for (index, (measured, mut curve)) in counters.iter().zip(shown.curves).enumerate() {
        let folded = measured.folded;
        if folded.total == 0.0 {
            curve = zero(grid.len(), knots.places().len() - 1);
        }
        // From shares to events per microsecond, or per event of the axis.
        scale(&mut curve, folded.mean_rate());
        if !is_segments {
            curve.nugget = 12.0 * splines[index].lambda;
            curve.resolution = splines[index].resolution;
        }
        curve.own_breaks = own_breaks(&samples[index]);
        curves.push(curve);
    }
    shown.breaks.iter_mut().for_each(|at| at.by_hand = how.borders.is_some());
    Fitted { curves, report, breaks: shown.breaks }
}

fn decide(choice: &Choice, samples: &[Samples], splines: &[Spline], how: &How<'_>) -> FitReport {
    let counts = samples.iter().map(|samples| samples.len() as f64).collect::<Vec<_>>();
    let carried = counts.iter().filter(|count| **count > 0.0).count().max(1);
    let compared = match how.phases_of {
        Some(counter) => counter..counter + 1,
        None => 0..counts.len(),
    };
    let compared = samples.get(compared.clone()).zip(splines.get(compared));
    let ratio = compared.and_then(|(samples, splines)| ratio(choice, samples, splines));
    let better = ratio.is_some_and(|ratio| ratio <= MARGIN) && !choice.at_cap;
    let is_segments = how.fit == Fit::Segments || (how.fit == Fit::Auto && better);
    FitReport {
        kind: if is_segments { CurveKind::Segments } else { CurveKind::Spline },
        error_ratio: ratio,
        breaks_bic: choice.by_likelihood as u32,
        breaks_cross_validation: choice.by_held_out.unwrap_or(choice.by_likelihood) as u32,
        uncertain: counts.iter().sum::<f64>() / (carried as f64) < ENOUGH_SAMPLES,
    }
}

/// Squared errors below this, per sample, are rounding.
const ROUNDING: f64 = 1e-16;

/// The mean over all samples of the logarithm of error over error in the fold of a sample, as a
/// ratio.
///
/// The folds are compared one by one: where few instances are left, the breaks found without a fold
/// can be wrong altogether, and its error would outweigh all others.
fn ratio(choice: &Choice, samples: &[Samples], splines: &[Spline]) -> Option<f64> {
    let held_out = &choice.fits.get(choice.breaks)?.held_out;
    if held_out.len() != splines.len() {
        return None;
    }
    let (mut sum, mut all) = (0.0, 0.0);
    for ((segments, spline), samples) in held_out.iter().zip(splines).zip(samples) {
        let counts = samples.in_folds().into_iter().zip(segments);
        let with_samples = counts.filter(|(count, _)| *count > 0.0);
        for ((count, segments), spline) in with_samples.zip(&spline.held_out) {
            let floor = ROUNDING * count;
            sum += count * libm::log(segments.max(floor) / spline.max(floor));
            all += count;
        }
    }
    let ratio = libm::exp(sum / all);
    ratio.is_finite().then_some(ratio)
}

impl How<'_> {
    /// A nugget that is given asks for kriging.
    fn settled(self) -> Self {
        match self.nugget {
            Nugget::Fixed(_) if self.fit == Fit::Auto => Self { fit: Fit::Kriging, ..self },
            _ => self,
        }
    }
}

/// The curve of a counter that never counted.
fn zero(points: usize, phases: usize) -> Curve {
    Curve {
        fitted: vec![0.0; points],
        rate: vec![0.0; points],
        phases: vec![PhaseRate::default(); phases],
        ..Curve::default()
    }
}

/// From shares of the events per share of the region to events per microsecond.
fn scale(curve: &mut Curve, mean_rate: f64) {
    let mean_rate = if mean_rate.is_finite() { mean_rate } else { 0.0 };
    curve.rate.iter_mut().chain(&mut curve.rate_band).for_each(|rate| *rate *= mean_rate);
    for phase in &mut curve.phases {
        phase.rate *= mean_rate;
        phase.half_width *= mean_rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{FoldedCounter, FoldedSample};
    use crate::performance::grid;
    use tracefold_generate::Random;

    const AUTO: How<'static> = How {
        fit: Fit::Auto,
        nugget: Nugget::Auto,
        resolution: None,
        ends: Ends::Exact,
        monotone: true,
        phases_of: None,
        borders: None,
    };

    /// A counter of `instances` with five samples each, whose share at `x` is `of(x)` and a little
    /// noise that is the same for all samples of an instance.
    fn counter(instances: u32, seed: u64, of: impl Fn(f64) -> f64) -> FoldedCounter {
        let mut random = Random::new(seed);
        let mut samples = Vec::new();
        for instance in 0..instances {
            let (first, late) = (random.uniform(), random.between(-0.002, 0.002));
            for k in 0..5 {
                let x = (f64::from(k) + first) / 5.0;
                let y = of(x) + late * x * (1.0 - x);
                samples.push(FoldedSample { instance, x, y, kept: true });
            }
        }
        FoldedCounter {
            samples,
            instances,
            total: 4000.0 * f64::from(instances),
            length: 2e3 * f64::from(instances),
            ..FoldedCounter::default()
        }
    }

    fn fitted(counters: &[FoldedCounter], how: &How<'_>) -> Fitted {
        let measured = |folded| Measured { folded, used: vec![true; folded.samples.len()] };
        let measured = counters.iter().map(measured).collect::<Vec<_>>();
        fit_group(&measured, how, &grid(101))
    }

    /// Twice the mean rate up to a third, half of it after.
    fn jump(x: f64) -> f64 {
        if x < 1.0 / 3.0 { 2.0 * x } else { 2.0 / 3.0 + (x - 1.0 / 3.0) / 2.0 }
    }

    fn wave(x: f64) -> f64 {
        x + 0.05 * libm::sin(6.0 * std::f64::consts::PI * x)
    }

    #[test]
    fn a_jump_is_found_by_all_counters_together_and_a_wave_stays_smooth() {
        let line = |x: f64| x;
        let jumps = fitted(&[counter(60, 3, jump), counter(60, 23, line)], &AUTO);
        assert!(
            jumps.report.kind == CurveKind::Segments && jumps.report.error_ratio.unwrap() < 1.0
        );
        let [found] = &jumps.breaks[..] else { panic!("{:?}", jumps.breaks) };
        assert!((found.at - 1.0 / 3.0).abs() < 0.002 && found.changed == [0], "{found:?}");
        assert!(found.half_width > 0.0 && found.half_width < 0.01);
        let [first, second] = jumps.curves[0].phases[..] else { panic!() };
        assert!((first.rate - 4.0).abs() < first.half_width);
        assert!((second.rate - 1.0).abs() < second.half_width);
        let waves = fitted(&[counter(60, 1, wave)], &AUTO);
        assert!(waves.report.kind == CurveKind::Spline && waves.report.error_ratio.unwrap() > 1.05);
        assert!(waves.curves[0].resolution > 0.0 && waves.curves[0].rate_band.len() == 101);
    }

    #[test]
    fn what_whole_counts_leave_out_is_no_detail() {
        let how = How { fit: Fit::Kriging, ..AUTO };
        // Ten events an instance, each in the middle of its tenth.
        let stairs = |seed, events: f64| {
            let mut stairs = counter(600, seed, |x| x);
            for sample in &mut stairs.samples {
                sample.y = libm::round(10.0 * sample.x) / 10.0;
            }
            stairs.total = events * 600.0;
            stairs
        };
        // The middle one of seven: in any one of them the samples may lie so that they leave more
        // than whole counts do on the average.
        let resolution = |events: f64| {
            let mut all = [0, 1, 2, 3, 4, 5, 6]
                .map(|s| fitted(&[stairs(s, events)], &how).curves[0].resolution);
            all.sort_by(f64::total_cmp);
            all[3]
        };
        // Were they ten thousand, ten steps would be what happens.
        let (rounded, real) = (resolution(10.0), resolution(10_000.0));
        // A jump is drawn over 2.83 times the resolution: wider than a step of a tenth, or not.
        assert!(2.83 * rounded > 0.1 && 2.83 * real < 0.02, "{rounded} {real}");
    }

    #[test]
    fn either_kind_can_be_asked_for() {
        let counters = [counter(60, 1, jump)];
        let kind =
            |counters: &[FoldedCounter], fit| fitted(counters, &How { fit, ..AUTO }).report.kind;
        assert_eq!(kind(&counters, Fit::Kriging), CurveKind::Spline);
        let waves = [counter(60, 1, wave)];
        assert_eq!(kind(&waves, Fit::Segments), CurveKind::Segments);
    }

    #[test]
    fn phases_lie_where_a_person_puts_them() {
        let counters = [counter(60, 1, jump), counter(60, 2, wave)];
        for fit in [Fit::Kriging, Fit::Segments] {
            let how = How { fit, borders: Some(&[0.3333, 0.5]), ..AUTO };
            let by_hand = fitted(&counters, &how);
            let places = by_hand.breaks.iter().map(|found| found.at).collect::<Vec<_>>();
            assert_eq!(places, [0.3333, 0.5]);
            for (found, rate) in by_hand.curves[0].phases.iter().zip([4.0, 1.0, 1.0]) {
                assert!(
                    (found.rate - rate).abs() <= 0.1 && found.half_width > 0.0,
                    "{fit} {found:?}"
                );
            }
        }
        let none = fitted(&counters, &How { borders: Some(&[]), ..AUTO });
        assert_eq!((none.breaks.len(), none.curves[0].phases.len()), (0, 1));
    }

    #[test]
    fn one_counter_can_decide_for_all() {
        let counters = [counter(60, 1, jump), counter(60, 2, |x| x)];
        let alone = fitted(&counters, &How { phases_of: Some(1), fit: Fit::Segments, ..AUTO });
        assert!(alone.breaks.is_empty() && alone.curves.len() == 2);
    }

    #[test]
    fn three_instances_have_neither_a_band_nor_a_phase() {
        let few = fitted(&[counter(3, 1, jump)], &AUTO);
        assert_eq!((few.report.kind, few.report.error_ratio), (CurveKind::Spline, None));
        assert!(few.report.uncertain && few.breaks.is_empty());
        assert!(few.curves[0].rate_band.is_empty());
    }

    #[test]
    fn a_given_nugget_that_may_fall_is_the_exact_smoothing_spline() {
        let folded = counter(20, 1, jump);
        let how = How {
            fit: Fit::Kriging,
            nugget: Nugget::Fixed(1e-4),
            ends: Ends::Soft,
            monotone: false,
            ..AUTO
        };
        let curve = &fitted(std::slice::from_ref(&folded), &how).curves[0];
        let mut points = folded.samples.iter().map(|s| (s.x, s.y)).collect::<Vec<_>>();
        points.extend([(0.0, 0.0), (1.0, 1.0)]);
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let points = points.iter().map(|&(x, y)| crate::fit::Observation { x, y, weight: 1.0 });
        let exact =
            crate::fit::smooth(&points.collect::<Vec<_>>(), 1e-4 / 12.0, &grid(101)).unwrap();
        assert_eq!((curve.nugget, &curve.fitted), (1e-4, &exact.values));
    }

    #[test]
    fn a_resolution_is_kept_whatever_the_number_of_samples() {
        for instances in [20, 200] {
            let how = How { fit: Fit::Kriging, resolution: Some(0.02), ..AUTO };
            let curve = &fitted(&[counter(instances, 1, wave)], &how).curves[0];
            assert!((curve.resolution - 0.02).abs() < 1e-9);
        }
    }

    #[test]
    fn a_constant_rate_is_the_total_over_the_duration() {
        let found = fitted(&[counter(20, 1, |x| x)], &AUTO);
        assert!(found.curves[0].rate.iter().all(|rate| (rate - 2.0).abs() < 0.05));
        let counted = FoldedCounter { samples: vec![], ..counter(20, 1, |x| x) };
        let line = fitted(&[counted], &AUTO);
        assert!(line.curves[0].rate.iter().all(|rate| (rate - 2.0).abs() < 1e-9));
    }

    #[test]
    fn odd_samples_leave_only_finite_numbers() {
        let at = |x: f64, y: f64| FoldedSample { instance: 0, x, y, kept: true };
        let many = |x: f64, y: f64| {
            (0..60).map(|instance| FoldedSample { instance, x, y, kept: true }).collect()
        };
        let odd = [
            vec![],
            vec![at(0.5, 0.25)],
            vec![at(1e-300, 1e-300), at(0.5, 1.0), at(0.5, 0.0), at(1.0 - 1e-16, 1.0)],
            many(0.5, 0.5),
            many(0.5, 0.0),
            (0..60).map(|instance| FoldedSample { instance, x: 0.5, y: 1e6, kept: true }).collect(),
        ];
        for samples in odd {
            let folded = |total: f64| FoldedCounter {
                samples: samples.clone(),
                total,
                length: 2e3,
                instances: 60,
                ..FoldedCounter::default()
            };
            let hows = [
                AUTO,
                How { fit: Fit::Segments, ..AUTO },
                How { monotone: false, ..AUTO },
                How { nugget: Nugget::Fixed(1e-12), monotone: false, ..AUTO },
                How { nugget: Nugget::Fixed(1e6), ..AUTO },
                How { resolution: Some(0.001), ends: Ends::Soft, ..AUTO },
            ];
            for how in hows {
                let found = fitted(&[folded(1e300), folded(0.0), folded(5.0)], &how);
                for curve in &found.curves {
                    let columns =
                        [&curve.fitted, &curve.rate, &curve.fitted_band, &curve.rate_band];
                    let finite = columns.into_iter().flatten().all(|value| value.is_finite());
                    let mut phases = curve.phases.iter();
                    let phases =
                        phases.all(|phase| phase.rate.is_finite() && phase.half_width.is_finite());
                    assert!(finite && phases, "{how:?} {samples:?}");
                }
                assert_eq!(found.curves[1].rate, [0.0; 101]);
            }
        }
    }
}
