//! How far values may be off: 95 % half widths of rates, and of the ratios formed of them.

use super::Uncertain;
use super::table::{between, ratio_of};
use crate::folding::{Curve, Group, Phase};

/// What a counter does in one phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InPhase {
    /// Events per microsecond.
    pub rate: f64,
    /// Of its 95 % interval; 0 where nothing tells.
    pub half_width: f64,
    /// The lowest and the highest rate in it, events per microsecond, if it is not level: if its
    /// curve leaves the mean by more than both are unsure.
    pub range: Option<[f64; 2]>,
    /// Events per instruction and the half width of its interval; `None` where they are not told
    /// ([`Group::ratios`]).
    pub per_instruction: Option<(f64, f64)>,
}

impl Group {
    /// Half widths of [`Group::per_instruction`], one per grid point; 0 in its gaps. Empty where
    /// nothing tells how far the rates are off.
    ///
    /// The relative half widths of both rates are added in quadrature, as if the two were off
    /// independently of each other; where they are not, the band is too wide rather than too
    /// narrow, because more instructions mean more of most events.
    pub fn per_instruction_band(&self, curve: &Curve) -> Vec<f64> {
        let Some(instructions) = self.instructions() else { return Vec::new() };
        if curve.rate_band.is_empty() && instructions.rate_band.is_empty() {
            return Vec::new();
        }
        let half_width = |(j, ratio): (usize, Option<f64>)| {
            let at = |values: &[f64]| values.get(j).copied().unwrap_or(0.0);
            ratio.map_or(0.0, |ratio| {
                let whole = at(&instructions.rate);
                quotient(ratio, at(&curve.rate_band), whole, at(&instructions.rate_band))
            })
        };
        self.per_instruction(curve).into_iter().enumerate().map(half_width).collect()
    }

    /// Half width of the rate of `curve` at `x`; 0 where nothing tells.
    pub fn half_width_at(&self, curve: &Curve, x: f64) -> f64 {
        let x = if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 };
        between(&curve.rate_band, x)
    }

    /// The number of the phase that `x` lies in, from 1.
    pub fn phase_at(&self, x: f64) -> Option<u32> {
        let inside = self.phases.iter().zip(1..).find(|(phase, _)| x < phase.end);
        inside.map(|(_, number)| number).or(match self.phases.len() {
            0 => None,
            last => Some(last as u32),
        })
    }

    /// What `curve` does in [`Group::phases`]`[phase]`; `None` if nothing tells, or where a rate would be
    /// of those threads that compute and hardly any does.
    pub fn in_phase(&self, curve: &Curve, phase: usize) -> Option<InPhase> {
        let own = curve.phases.get(phase).filter(|own| own.rate.is_finite())?;
        let per_instruction = self.instructions().and_then(|instructions| {
            let whole = instructions.phases.get(phase)?;
            let [events, per] =
                [own, whole].map(|of| Uncertain { value: of.rate, half_width: of.half_width });
            let ratio = ratio_of(events, curve, per, instructions).ok()?;
            Some((ratio, quotient(ratio, own.half_width, whole.rate, whole.half_width)))
        });
        let Phase { start, end, .. } = *self.phases.get(phase)?;
        let mean = Uncertain { value: own.rate, half_width: own.half_width };
        let range = match &curve.tabled {
            Some(tabled) => tabled.ranges.get(phase).copied().flatten(),
            None if curve.is_level(start, end, mean) => None,
            None => curve.rates_between(start, end),
        };
        Some(InPhase { rate: own.rate, half_width: own.half_width, range, per_instruction })
    }
}

/// Half width of `ratio` = a / b, from the half widths of `a` and `b`.
pub(super) fn quotient(ratio: f64, of_a: f64, b: f64, of_b: f64) -> f64 {
    let (a, b_part) = (of_a / b, ratio * of_b / b);
    let sum = (a * a + b_part * b_part).sqrt();
    if sum.is_finite() { sum } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::PhaseRate;

    fn group() -> Group {
        let instructions = Curve {
            instructions: true,
            mean_rate: 100.0,
            rate: vec![100.0, 100.0, 0.5],
            rate_band: vec![3.0, 0.0, 1.0],
            phases: vec![PhaseRate { rate: 100.0, half_width: 3.0 }],
            ..Curve::default()
        };
        let events = Curve {
            rate: vec![50.0, 0.0, 7.0],
            rate_band: vec![2.0, 4.0, 7.0],
            phases: vec![PhaseRate { rate: 50.0, half_width: 2.0 }],
            ..Curve::default()
        };
        let phase = |start, end| Phase { start, end, ..Phase::default() };
        let phases = vec![phase(0.0, 0.4), phase(0.4, 1.0)];
        Group { curves: vec![instructions, events], phases, ..Group::default() }
    }

    #[test]
    fn relative_half_widths_add_in_quadrature() {
        let group = group();
        // 4 % of the events and 3 % of the instructions are 5 % of the ratio.
        let band = group.per_instruction_band(&group.curves[1]);
        assert!((band[0] - 0.05 * 0.5).abs() < 1e-15, "{band:?}");
        assert_eq!(band[1..], [0.04, 0.0], "no events, then no ratio");
        let value = group.in_phase(&group.curves[1], 0).unwrap();
        assert_eq!((value.rate, value.half_width), (50.0, 2.0));
        assert!((value.per_instruction.unwrap().1 - 0.025).abs() < 1e-15);
        assert_eq!(group.in_phase(&group.curves[1], 1), None);
    }

    #[test]
    fn a_phase_that_leaves_its_mean_by_more_than_both_are_unsure_is_not_level() {
        let mut group = group();
        let range = |group: &Group| group.in_phase(&group.curves[0], 0).unwrap().range;
        group.phases[0].end = 0.8;
        assert_eq!(range(&group), None);
        group.curves[0].rate[1] = 103.1;
        assert_eq!(range(&group), Some([100.0, 103.1]), "3 of the mean and none of the curve");
        group.curves[0].rate_band[1] = 0.2;
        assert_eq!(range(&group), None);
        group.curves[0].rate_band.clear();
        group.curves[0].rate[1] = 500.0;
        assert_eq!(range(&group), None, "nothing tells how far rates are off");
    }

    #[test]
    fn a_moment_lies_in_one_phase() {
        let group = group();
        assert_eq!(
            [0.0, 0.39, 0.4, 1.0].map(|x| group.phase_at(x)),
            [Some(1), Some(1), Some(2), Some(2)]
        );
        assert_eq!(Group::default().phase_at(0.5), None);
    }

    #[test]
    fn without_bands_there_is_none_of_a_ratio() {
        let mut group = group();
        group.curves.iter_mut().for_each(|curve| curve.rate_band.clear());
        assert_eq!(group.per_instruction_band(&group.curves[1]), [0.0; 0]);
        assert_eq!(group.half_width_at(&group.curves[1], 0.5), 0.0);
    }
}
