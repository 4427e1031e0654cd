use super::phases::{self, Shown};
use super::samples::{Measured, Samples};
use super::spline::Spline;
use super::{Ends, Fit, Nugget};
use crate::fit;
use crate::fit::breaks::{Broken, Unbroken};
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

impl How<'static> {
    /// As it is unless something is asked for: all is found, and curves neither fall nor miss their
    /// ends.
    pub const AUTO: Self = Self {
        fit: Fit::Auto,
        nugget: Nugget::Auto,
        resolution: None,
        ends: Ends::Exact,
        monotone: true,
        phases_of: None,
        borders: None,
    };
}

/// The curves of a group, and where its rates change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fitted {
    /// As many as counters were given; of each what is of the fit, not of the counter.
    pub curves: Vec<Curve>,
    pub report: FitReport,
    pub breaks: Vec<Break>,
}

/// With fewer groups of instances nothing tells how sure a curve is.
const FEWEST_GROUPS: u32 = 4;

/// With fewer samples per counter the choice is uncertain, and evidence for single breaks too weak.
const ENOUGH_SAMPLES: f64 = 100.0;

/// Fits every counter of a group at once.
///
/// By default each counter has a spline that breaks where its rate likelier jumps than not
/// ([`fit::breaks`]), which is the smoothing spline where it nowhere does and straight segments where
/// it does nothing else; either can be asked for. Of fewer than 100 samples per counter it is
/// whichever predicts held-out instances better (mean logarithm of the ratio of errors). With fewer
/// than four instances nothing breaks, and there are no phases but those asked for.
///
/// A counter that never counted has the zero curve. Rates are the derivative × (Σ totals / Σ
/// lengths) of the instances that carry the counter: per microsecond, or per event of the axis.
///
/// Steps, which take more to know than samples, are [`super::steps`]; here they are as automatic.
///
/// Source: Servat 2015, §4.3; the choice is ours (`static/guide/methods.html#decision`).
pub fn fit_group(counters: &[Measured<'_>], how: &How<'_>, grid: &[f64]) -> Fitted {
    let how = &how.settled();
    let (samples, groups) = Samples::dealt(counters);
    let of = Region { samples, groups, how, grid };
    let Drawn { shown, report, splines } = match how.fit {
        Fit::Segments => of.segments(),
        Fit::Kriging => of.splines(),
        Fit::Auto | Fit::Steps if of.has_few_samples() => of.likelier_kind(),
        Fit::Auto | Fit::Steps => of.pieces().unwrap_or_else(|| of.splines()),
    };
    let phases = shown.breaks.len() + 1;
    let mut curves = Vec::with_capacity(counters.len());
    for (index, (measured, mut curve)) in counters.iter().zip(shown.curves).enumerate() {
        let folded = measured.folded;
        if folded.total == 0.0 {
            curve = zero(grid.len(), phases);
        }
        // From shares to events per microsecond, or per event of the axis.
        scale(&mut curve, folded.mean_rate());
        if let Some(spline) = splines.get(index) {
            curve.nugget = 12.0 * spline.lambda;
            curve.resolution = spline.resolution;
        }
        curves.push(curve);
    }
    let by_hand = how.borders.is_some();
    let breaks = shown.breaks.into_iter().map(|at| Break { by_hand, ..at });
    Fitted { curves, report, breaks: breaks.collect() }
}

/// The samples of a region, and how they are to be fitted.
struct Region<'a> {
    samples: Vec<Samples>,
    groups: u32,
    how: &'a How<'a>,
    grid: &'a [f64],
}

/// Curves of one kind; `splines` if that is what they are.
struct Drawn {
    shown: Shown,
    report: FitReport,
    splines: Vec<Spline>,
}

impl Region<'_> {
    /// Smooth curves alone, and phases that sum them up.
    fn splines(&self) -> Drawn {
        let (splines, choice) = fit::both(|| self.smooth(), || self.joint(0));
        let knots = match self.how.borders {
            Some(borders) => Knots::new(borders),
            None if self.groups < FEWEST_GROUPS => None,
            None => Some(phases::summary_knots(&choice, self.samples_of_a_counter())),
        };
        let knots = knots.unwrap_or_else(Knots::none);
        let exact = vec![0.0; knots.breaks().len()];
        let shown = phases::of_splines(&splines, (&knots, &exact), self.grid);
        let report = self.report(CurveKind::Spline, &choice);
        Drawn { shown, report, splines }
    }

    /// Of few samples: segments, or splines if those predict held-out instances better by more than the margin: where
    /// both do as well, phases say more than a wiggle.
    fn likelier_kind(&self) -> Drawn {
        let choice = self.joint(self.groups);
        let ratio = self.ratio(&choice);
        match ratio.is_some_and(|ratio| ratio <= FitReport::MARGIN) && !choice.at_cap {
            true => self.segments(),
            false => self.splines(),
        }
    }

    /// Straight segments alone.
    fn segments(&self) -> Drawn {
        let choice = self.joint(self.groups);
        let put = if self.how.borders.is_some() { Breaks::Given } else { Breaks::Fitted };
        let found = || choice.fits.get(choice.breaks).map(|fit| fit.knots.clone());
        let knots = self.how.borders.map_or_else(found, Knots::new).unwrap_or_else(Knots::none);
        let mut shown = phases::of_segments(&self.samples, self.groups, (&knots, put), self.grid);
        for (curve, samples) in shown.curves.iter_mut().zip(&self.samples) {
            let alone = segments::choose(&[samples.slices()], 0);
            curve.own_breaks = alone.fits[alone.breaks].knots.breaks().to_vec();
        }
        let report = FitReport {
            error_ratio: self.ratio(&choice),
            breaks_cross_validation: choice.by_held_out.map(|breaks| breaks as u32),
            ..self.report(CurveKind::Segments, &choice)
        };
        Drawn { shown, report, splines: Vec::new() }
    }

    /// Splines that break where their slope jumps; `None` if none does.
    fn pieces(&self) -> Option<Drawn> {
        if self.groups < FEWEST_GROUPS {
            return None;
        }
        let (choice, broken) = self.breaks();
        let broken = broken?;
        let splines = fit::abreast(self.samples.len(), |of| match &broken.shapes[of] {
            Some(shape) => Spline::broken(&self.samples[of], self.groups, self.how, shape, &broken),
            None => Spline::of(&self.samples[of], self.groups, self.how),
        });
        let (breaks, half_widths) = match self.how.borders {
            Some(borders) => (borders.to_vec(), vec![0.0; borders.len()]),
            None => self.phases_between(&broken),
        };
        let knots = Knots::new(&breaks).unwrap_or_else(Knots::none);
        let mut shown = phases::of_splines(&splines, (&knots, &half_widths), self.grid);
        for ((number, curve), shape) in (0..).zip(&mut shown.curves).zip(&broken.shapes) {
            curve.own_breaks = shape.as_ref().map_or_else(Vec::new, |shape| shape.breaks.clone());
            for at in shown.breaks.iter_mut().filter(|_| self.how.borders.is_none()) {
                at.changed.retain(|other| *other != number);
                if curve.own_breaks.contains(&at.at) {
                    at.changed.push(number);
                }
            }
        }
        let mut drawn = splines.iter().zip(&shown.curves);
        let is_straight = drawn.all(|(own, curve)| own.is_straight(curve, self.grid));
        let kind = if is_straight { CurveKind::Segments } else { CurveKind::Pieces };
        let report = FitReport { log_odds: Some(broken.log_odds), ..self.report(kind, &choice) };
        Some(Drawn { shown, report, splines })
    }

    /// The breaks that phases lie between, and their half widths: those that are worth most, if there
    /// are too few samples to say something of as many phases.
    fn phases_between(&self, broken: &Broken) -> (Vec<f64>, Vec<f64>) {
        let most = phases::most_phases(self.samples_of_a_counter()) - 1;
        let mut kept = (0..broken.breaks.len()).collect::<Vec<_>>();
        while kept.len() > most {
            let worths = kept.iter().map(|at| broken.worths[*at]).enumerate();
            let Some((least, _)) = worths.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            kept.remove(least);
        }
        kept.into_iter().map(|at| (broken.breaks[at], broken.half_widths[at])).unzip()
    }

    /// Joint segments, and the breaks of the counter whose phases those of the region are, or of all
    /// together.
    fn breaks(&self) -> (Choice, Option<Broken>) {
        let slices = self.samples.iter().map(Samples::slices).collect::<Vec<_>>();
        let chosen = self.how.phases_of.filter(|of| *of < slices.len());
        let first = chosen.map_or(0..slices.len(), |of| of..of + 1);
        let unbroken = |of: &[_]| Unbroken::of(of, self.how.kernel_ends());
        let (choice, of_first) = fit::both(|| self.joint(0), || unbroken(&slices[first]));
        let find = |of: &Unbroken<'_>, candidates: &[Vec<f64>], moved: bool| {
            fit::breaks::find(of, self.groups, candidates, moved)
        };
        let mut broken = find(&of_first, &self.candidates(&choice), true);
        if let (Some(chosen), Some(own)) = (chosen, &mut broken) {
            let candidates = [own.breaks.clone()];
            let of_chosen = own.shapes.pop().flatten();
            let shapes =
                slices.iter().enumerate().map(|(number, samples)| match number == chosen {
                    true => of_chosen.clone(),
                    false => find(&unbroken(&[*samples]), &candidates, false)
                        .and_then(|mut of_counter| of_counter.shapes.pop().flatten()),
                });
            own.shapes = shapes.collect();
        }
        (choice, broken)
    }

    /// The breaks of joint segments: as many as their likelihood asks for, half of them, a quarter …
    fn candidates(&self, choice: &Choice) -> Vec<Vec<f64>> {
        let first = choice.by_likelihood.min(choice.fits.len().saturating_sub(1));
        let numbers = std::iter::successors(Some(first), |number| Some(number / 2));
        let numbers = numbers.take_while(|number| *number > 0);
        numbers.map(|number| choice.fits[number].knots.breaks().to_vec()).collect()
    }

    fn smooth(&self) -> Vec<Spline> {
        let samples = &self.samples;
        fit::abreast(samples.len(), |of| Spline::of(&samples[of], self.groups, self.how))
    }

    /// Joint segments of the counter whose phases those of the region are, or of all.
    fn joint(&self, held_out: u32) -> Choice {
        let chosen = self.how.phases_of.and_then(|counter| self.samples.get(counter));
        match chosen {
            Some(samples) => segments::choose(&[samples.slices()], held_out),
            None => {
                let slices = self.samples.iter().map(Samples::slices).collect::<Vec<_>>();
                segments::choose(&slices, held_out)
            }
        }
    }

    /// The mean over all samples of the logarithm of error over error in the fold of a sample, as a
    /// ratio: of segments, and of splines.
    ///
    /// The folds are compared one by one: where few instances are left, the breaks found without a
    /// fold can be wrong altogether, and its error would outweigh all others.
    fn ratio(&self, choice: &Choice) -> Option<f64> {
        let held_out = &choice.fits.get(choice.breaks)?.held_out;
        if held_out.len() != self.samples.len() {
            return None;
        }
        let (mut sum, mut all) = (0.0, 0.0);
        for ((segments, spline), samples) in held_out.iter().zip(self.smooth()).zip(&self.samples) {
            let counts = samples.in_folds().into_iter().zip(segments);
            let with_samples = counts.filter(|(count, _)| *count > 0.0);
            let of_spline = spline.held_out(samples, self.groups, self.how);
            for ((count, segments), spline) in with_samples.zip(of_spline) {
                let floor = ROUNDING * count;
                sum += count * libm::log(segments.max(floor) / spline.max(floor));
                all += count;
            }
        }
        let ratio = libm::exp(sum / all);
        ratio.is_finite().then_some(ratio)
    }

    fn has_few_samples(&self) -> bool {
        self.samples_of_a_counter() < ENOUGH_SAMPLES
    }

    /// On average over the counters that have any.
    fn samples_of_a_counter(&self) -> f64 {
        let carried = self.samples.iter().filter(|samples| samples.len() > 0).count();
        self.samples.iter().map(Samples::len).sum::<usize>() as f64 / carried.max(1) as f64
    }

    fn report(&self, kind: CurveKind, choice: &Choice) -> FitReport {
        FitReport {
            kind,
            breaks_bic: choice.by_likelihood as u32,
            uncertain: self.has_few_samples(),
            ..FitReport::default()
        }
    }
}

/// Squared errors below this, per sample, are rounding.
const ROUNDING: f64 = 1e-16;

impl How<'_> {
    pub(super) fn kernel_ends(&self) -> fit::Ends {
        match self.ends {
            Ends::Exact => fit::Ends::Exact,
            Ends::Soft => fit::Ends::Soft,
        }
    }

    /// A nugget that is given asks for kriging.
    fn settled(self) -> Self {
        match self.nugget {
            Nugget::Fixed(_) if self.fit == Fit::Auto => Self { fit: Fit::Kriging, ..self },
            _ => self,
        }
    }
}

/// The curve of a counter that never counted.
pub(super) fn zero(points: usize, phases: usize) -> Curve {
    Curve {
        fitted: vec![0.0; points],
        rate: vec![0.0; points],
        phases: vec![PhaseRate::default(); phases],
        ..Curve::default()
    }
}

/// From shares of the events per share of the region to events per microsecond.
pub(super) fn scale(curve: &mut Curve, mean_rate: f64) {
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
        let jumps = fitted(&[counter(60, 3, jump), counter(60, 23, line)], &How::AUTO);
        assert!(jumps.report.kind == CurveKind::Segments && jumps.report.log_odds.unwrap() > 3.0);
        let [found] = &jumps.breaks[..] else { panic!("{:?}", jumps.breaks) };
        assert!((found.at - 1.0 / 3.0).abs() < 0.002 && found.changed == [0], "{found:?}");
        assert!(found.half_width > 0.0 && found.half_width < 0.01);
        let waves = fitted(&[counter(60, 1, wave)], &How::AUTO);
        assert!(waves.report.kind == CurveKind::Spline && waves.report.log_odds.is_none());
        assert!(waves.curves[0].resolution > 0.0 && waves.curves[0].rate_band.len() == 101);
    }

    #[test]
    fn the_interval_of_a_phase_covers_its_rate_as_often_as_it_says() {
        let mut covered = [0; 2];
        for seed in 0..40 {
            let jumps =
                fitted(&[counter(60, seed, jump), counter(60, 1000 + seed, |x| x)], &How::AUTO);
            let rates = jumps.curves[0].phases.iter().zip([4.0, 1.0]);
            for (covered, (phase, rate)) in covered.iter_mut().zip(rates) {
                *covered += usize::from((phase.rate - rate).abs() < phase.half_width);
            }
        }
        // Of forty intervals of 95 % fewer than 33 cover in one of 1,500 such tests.
        assert!(covered.iter().all(|covered| (33..=40).contains(covered)), "{covered:?}");
    }

    /// The jump, and a wave between it and the end.
    fn jump_and_wave(x: f64) -> f64 {
        let wave = |x: f64| 0.03 * (1.0 - libm::cos(9.0 * std::f64::consts::PI * (x - 1.0 / 3.0)));
        jump(x) + if x > 1.0 / 3.0 { wave(x) } else { 0.0 }
    }

    #[test]
    fn a_jump_before_a_wave_is_one_break_and_a_wave() {
        let mixed = fitted(&[counter(400, 5, jump_and_wave), counter(400, 6, wave)], &How::AUTO);
        assert_eq!(mixed.report.kind, CurveKind::Pieces);
        let [found] = &mixed.breaks[..] else { panic!("{:?}", mixed.breaks) };
        assert!((found.at - 1.0 / 3.0).abs() < 0.003 && found.changed == [0], "{found:?}");
        let [broken, smooth] = &mixed.curves[..] else { panic!() };
        assert_eq!(broken.own_breaks, [found.at]);
        assert!(smooth.own_breaks.is_empty(), "what only waves breaks nowhere");
        let rates = |from: usize, to: usize| broken.rate[from..to].iter().copied();
        assert!(rates(2, 31).all(|rate| (rate - 4.0).abs() < 0.2), "level before the jump");
        let range = rates(35, 100).fold((f64::MAX, f64::MIN), |(a, b), r| (a.min(r), b.max(r)));
        assert!(range.1 - range.0 > 2.5, "a wave after it: {range:?}");
    }

    #[test]
    fn what_whole_counts_leave_out_is_no_detail() {
        let how = How { fit: Fit::Kriging, ..How::AUTO };
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
        let kind = |counters: &[FoldedCounter], fit| {
            fitted(counters, &How { fit, ..How::AUTO }).report.kind
        };
        assert_eq!(kind(&counters, Fit::Kriging), CurveKind::Spline);
        let waves = [counter(60, 1, wave)];
        assert_eq!(kind(&waves, Fit::Segments), CurveKind::Segments);
    }

    #[test]
    fn phases_lie_where_a_person_puts_them() {
        let counters = [counter(60, 1, jump), counter(60, 2, wave)];
        for fit in [Fit::Auto, Fit::Kriging, Fit::Segments] {
            let how = How { fit, borders: Some(&[0.3333, 0.5]), ..How::AUTO };
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
        let none = fitted(&counters, &How { borders: Some(&[]), ..How::AUTO });
        assert_eq!((none.breaks.len(), none.curves[0].phases.len()), (0, 1));
    }

    #[test]
    fn one_counter_can_decide_for_all() {
        let counters = [counter(60, 1, jump), counter(60, 2, |x| x)];
        let alone = fitted(&counters, &How { phases_of: Some(1), fit: Fit::Segments, ..How::AUTO });
        assert!(alone.breaks.is_empty() && alone.curves.len() == 2);
    }

    #[test]
    fn three_instances_have_neither_a_band_nor_a_phase() {
        let few = fitted(&[counter(3, 1, jump)], &How::AUTO);
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
            ..How::AUTO
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
            let how = How { fit: Fit::Kriging, resolution: Some(0.02), ..How::AUTO };
            let curve = &fitted(&[counter(instances, 1, wave)], &how).curves[0];
            assert!((curve.resolution - 0.02).abs() < 1e-9);
        }
    }

    #[test]
    fn a_constant_rate_is_the_total_over_the_duration() {
        let found = fitted(&[counter(20, 1, |x| x)], &How::AUTO);
        assert!(found.curves[0].rate.iter().all(|rate| (rate - 2.0).abs() < 0.05));
        let counted = FoldedCounter { samples: vec![], ..counter(20, 1, |x| x) };
        let line = fitted(&[counted], &How::AUTO);
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
                How::AUTO,
                How { fit: Fit::Segments, ..How::AUTO },
                How { monotone: false, ..How::AUTO },
                How { nugget: Nugget::Fixed(1e-12), monotone: false, ..How::AUTO },
                How { nugget: Nugget::Fixed(1e6), ..How::AUTO },
                How { resolution: Some(0.001), ends: Ends::Soft, ..How::AUTO },
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
