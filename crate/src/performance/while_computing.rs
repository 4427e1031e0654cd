//! Rates of the threads that compute: found over their computing, shown over all of the time.

use super::in_time::{Clock, on_line};
use crate::folding::{Curve, CurveKind, PhaseRate, WithWaiting};

/// How curves over computing lie in time.
pub struct Shown<'a> {
    /// How much of all computing is done by when.
    pub clock: &'a Clock,
    /// What the curves over computing are.
    pub kind: CurveKind,
    /// Folded time, evenly from 0 to 1: of what is shown, and shares of computing of what is given.
    pub grid: &'a [f64],
    /// Where phases begin and end, in folded time from 0 to 1.
    pub borders: &'a [f64],
}

impl Shown<'_> {
    /// Gives a curve over all of the time the rates of those that compute: `over` is of the same
    /// counter, over computing. What it had stays as that with waiting; its values stay.
    pub fn give(&self, curve: &mut Curve, over: &Curve) {
        let rate = self.in_time(&over.rate);
        let rate_band = self.in_time(&over.rate_band);
        let phases = self.phases(over);
        curve.with_waiting = Some(WithWaiting {
            mean_rate: std::mem::replace(&mut curve.mean_rate, over.mean_rate),
            rate: std::mem::replace(&mut curve.rate, rate),
            rate_band: std::mem::replace(&mut curve.rate_band, rate_band),
            phases: std::mem::replace(&mut curve.phases, phases),
        });
    }

    /// Between steps a rate is known as their means only, so none is drawn between two.
    fn in_time(&self, column: &[f64]) -> Vec<f64> {
        let Some(last) = column.len().checked_sub(1) else { return vec![] };
        let at = |computed: f64| match self.kind {
            CurveKind::Steps => column[((computed * last as f64) as usize).min(last)],
            _ => on_line(self.grid, column, computed),
        };
        self.grid.iter().map(|x| at(self.clock.event(*x))).collect()
    }

    /// The mean rate in each phase: that of the step in which it lies, else the slope of the curve,
    /// which is known at least as well as its rate there is on average. 0 where nothing is computed.
    fn phases(&self, over: &Curve) -> Vec<PhaseRate> {
        let computed = self.borders.iter().map(|x| self.clock.event(*x)).collect::<Vec<_>>();
        let phase = |pair: &[f64]| {
            let (from, to) = (pair[0], pair[1]);
            if to <= from {
                return PhaseRate::default();
            }
            let steps = over.phases.len().min(over.own_breaks.len() + 1);
            let step = over.own_breaks.partition_point(|at| *at <= f64::midpoint(from, to));
            if self.kind == CurveKind::Steps && step < steps {
                return over.phases[step];
            }
            let [before, after] = [from, to].map(|at| on_line(self.grid, &over.fitted, at));
            let rate = over.mean_rate * (after - before) / (to - from);
            PhaseRate { rate, half_width: self.mean_between(&over.rate_band, [from, to]) }
        };
        computed.windows(2).map(phase).collect()
    }

    /// Of a column over computing, at the points from one to another, or between the points next to
    /// the middle if there is none; 0 without a column.
    fn mean_between(&self, column: &[f64], [from, to]: [f64; 2]) -> f64 {
        let is_inside = |x: &f64| (from..=to).contains(x);
        let inside = self.grid.iter().zip(column).filter(|(x, _)| is_inside(x));
        let (sum, count) = inside.fold((0.0, 0.0), |(sum, n), (_, value)| (sum + value, n + 1.0));
        match count > 0.0 || column.is_empty() {
            true => sum / f64::max(count, 1.0),
            false => on_line(self.grid, column, f64::midpoint(from, to)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::performance::grid;

    /// All is computed in the first and the last quarter.
    fn clock() -> Clock {
        Clock::through(vec![0.0, 0.5, 0.5, 0.5, 1.0])
    }

    /// Over computing the first half runs at 4, the second at 2.
    fn over(grid: &[f64]) -> Curve {
        let half = |first: f64, second: f64| {
            grid.iter().map(move |x| if *x < 0.5 { first } else { second }).collect::<Vec<_>>()
        };
        let phase = |rate| PhaseRate { rate, half_width: 0.1 * rate };
        Curve {
            mean_rate: 3.0,
            rate: half(4.0, 2.0),
            rate_band: half(0.4, 0.2),
            fitted: grid.iter().map(|x| f64::min(4.0 * x, 1.0 + 2.0 * x) / 3.0).collect(),
            phases: [4.0, 2.0].map(phase).to_vec(),
            own_breaks: vec![0.5],
            ..Curve::default()
        }
    }

    fn shown(kind: CurveKind) -> Curve {
        let (grid, clock) = (grid(101), clock());
        let mut curve = Curve { mean_rate: 9.0, rate: vec![9.0; 101], ..Curve::default() };
        let borders = &[0.0, 0.25, 0.75, 0.875, 1.0];
        let shown = Shown { clock: &clock, kind, grid: &grid, borders };
        shown.give(&mut curve, &over(&grid));
        curve
    }

    #[test]
    fn rates_stand_where_they_are_computed_and_the_others_stay_beside_them() {
        for kind in [CurveKind::Steps, CurveKind::Spline] {
            let curve = shown(kind);
            assert_eq!((curve.rate[20], curve.rate[90]), (4.0, 2.0), "{kind:?}");
            assert_eq!((curve.rate_band[20], curve.mean_rate), (0.4, 3.0));
            let of_all = curve.with_waiting.unwrap();
            assert_eq!((of_all.mean_rate, of_all.rate[20]), (9.0, 9.0));
        }
    }

    #[test]
    fn a_phase_has_the_mean_of_what_is_computed_in_it_and_one_without_any_has_none() {
        for kind in [CurveKind::Steps, CurveKind::Spline] {
            let phases = shown(kind).phases;
            let rates = phases.iter().map(|phase| phase.rate).collect::<Vec<_>>();
            let near = rates.iter().zip([4.0, 0.0, 2.0, 2.0]).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(near, "{kind:?} {rates:?}");
            assert!((phases[0].half_width - 0.4).abs() < 0.02, "{kind:?} {phases:?}");
            assert_eq!(phases[1], PhaseRate::default());
        }
    }
}
