//! What a counter does between any two moments of folded time.

use super::Uncertain;
use super::table::{between, ratio_of};
use super::uncertainty::{InPhase, quotient};
use crate::folding::{Curve, Doing, Group, PhaseRate};

impl Group {
    /// What `curve` does between two moments of folded time, the first before the second; `None` if
    /// nothing tells, or where a rate would be of those threads that compute and hardly any does.
    ///
    /// The rate is the mean of the curve's over that time: where rates are of the threads that compute,
    /// over what is computed of it. The half width is the least that two bounds allow. The mean of
    /// numbers errs by no more than the mean of their errors: that of the band of the rate. And the
    /// events are what the curve rises by, which errs by no more than both of its ends do: as they err
    /// apart from each other or alike, and hardly ever against each other, in quadrature.
    ///
    /// O(grid × activities).
    pub fn in_range(&self, curve: &Curve, range: [f64; 2]) -> Option<InPhase> {
        let PhaseRate { rate, half_width } = self.rate_in_range(curve, range)?;
        Some(InPhase { rate, half_width, range: None, per_instruction: None })
    }

    fn rate_in_range(&self, curve: &Curve, [from, to]: [f64; 2]) -> Option<PhaseRate> {
        let [rate, by_rate] = [&curve.rate, &curve.rate_band]
            .map(|column| self.mean_between(curve, column, [from, to]));
        let rate = rate?;
        let half_width = match (by_rate, self.half_width_of_ends(curve, [from, to])) {
            (Some(by_rate), Some(by_ends)) => by_rate.min(by_ends),
            (by_rate, _) => by_rate.unwrap_or(0.0),
        };
        Some(PhaseRate { rate, half_width })
    }

    /// What of every curve a link carries of a range.
    pub(super) fn rates_in_range(&self, range: [f64; 2]) -> Vec<Option<PhaseRate>> {
        self.curves.iter().map(|curve| self.rate_in_range(curve, range)).collect()
    }

    /// The same with what there is per instruction, for every curve.
    pub fn all_in_range(&self, range: [f64; 2]) -> Vec<Option<InPhase>> {
        let carried = self.part_of(range).map(|part| part.rates.clone());
        let rates = carried.unwrap_or_else(|| self.rates_in_range(range));
        let told = |PhaseRate { rate, half_width }| InPhase {
            rate,
            half_width,
            range: None,
            per_instruction: None,
        };
        let mut all: Vec<_> = rates.into_iter().map(|rate| rate.map(told)).collect();
        let Some(at) = self.curves.iter().position(|curve| curve.instructions) else { return all };
        let (Some(whole), instructions) = (all[at], &self.curves[at]) else { return all };
        for (curve, own) in self.curves.iter().zip(&mut all) {
            let Some(own) = own else { continue };
            let [events, per] =
                [*own, whole].map(|of| Uncertain { value: of.rate, half_width: of.half_width });
            let ratio = ratio_of(events, curve, per, instructions).ok();
            own.per_instruction = ratio.map(|ratio| {
                (ratio, quotient(ratio, own.half_width, whole.rate, whole.half_width))
            });
        }
        all
    }

    /// The events of `curve` in a mean instance between the same two moments, with what
    /// [`Self::all_in_range`] has of it; where its rate is of the threads that compute, all that are
    /// counted.
    pub fn events_in_range(&self, curve: &Curve, of: InPhase, [from, to]: [f64; 2]) -> f64 {
        let share = match curve.with_waiting {
            None => of.rate / curve.mean_rate * (to - from),
            Some(_) => between(&curve.fitted, to) - between(&curve.fitted, from),
        };
        share * curve.mean_count
    }

    /// The mean of a column of `curve` on the grid between two moments. It is straight between its
    /// points, and level on both sides of a break between two of them.
    fn mean_between(&self, curve: &Curve, column: &[f64], [from, to]: [f64; 2]) -> Option<f64> {
        let last = column.len().checked_sub(1).filter(|last| *last > 0)?;
        let breaks = || self.breaks.iter().map(|of| &of.at).chain(&curve.own_breaks);
        let [first, end] = [from, to].map(|x| x.clamp(0.0, 1.0) * last as f64);
        let cells = first as usize..(end.ceil() as usize).max(1).min(last);
        let (mut sum, mut all) = (0.0, 0.0);
        let mut add = |value: f64, ends: [f64; 2]| {
            let [begin, end] = ends.map(|x| x.clamp(from, to));
            let weight = (end - begin) * self.computing_at(curve, f64::midpoint(begin, end));
            if value.is_finite() && weight > 0.0 {
                (sum, all) = (sum + weight * value, all + weight);
            }
        };
        for cell in cells {
            let [begin, end] = [cell, cell + 1].map(|j| j as f64 / last as f64);
            match breaks().find(|at| begin < **at && **at < end) {
                Some(&at) => {
                    add(column[cell], [begin, at]);
                    add(column[cell + 1], [at, end]);
                }
                None => {
                    let middle = f64::midpoint(begin.max(from), end.min(to));
                    add(between(column, middle), [begin, end]);
                }
            }
        }
        (all > 0.0).then(|| sum / all)
    }

    /// What of all threads computes at `x`, where the rate of `curve` is of those that do.
    fn computing_at(&self, curve: &Curve, x: f64) -> f64 {
        let activity = self.activity.as_ref().filter(|_| curve.with_waiting.is_some());
        activity.map_or(1.0, |activity| {
            let cells = activity.cells();
            activity.share(Doing::Computing, ((x * cells as f64) as usize).min(cells.max(1) - 1))
        })
    }

    /// How far the mean rate between two moments may be off by how far the curve is off there; `None`
    /// where nothing tells, or where the curve is not that of which the rate is the slope.
    fn half_width_of_ends(&self, curve: &Curve, [from, to]: [f64; 2]) -> Option<f64> {
        if curve.fitted_band.is_empty() || curve.with_waiting.is_some() {
            return None;
        }
        let [a, b] = [from, to].map(|x| between(&curve.fitted_band, x));
        let half_width = (a * a + b * b).sqrt() * curve.mean_rate / (to - from);
        half_width.is_finite().then_some(half_width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Activity, ActivityPart, Break, WithWaiting};

    fn group(curve: Curve, breaks: &[f64]) -> Group {
        let at = |at: &f64| Break { at: *at, ..Break::default() };
        let breaks = breaks.iter().map(at).collect();
        Group { curves: vec![curve], breaks, ..Group::default() }
    }

    fn mean(group: &Group, range: [f64; 2]) -> (f64, f64) {
        let found = group.in_range(&group.curves[0], range).unwrap();
        (found.rate, found.half_width)
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn a_mean_is_that_of_the_line_through_the_grid_and_level_beside_breaks() {
        let curve = Curve { rate: vec![0.0, 1.0, 1.0, 3.0, 3.0], ..Curve::default() };
        let smooth = group(curve.clone(), &[]);
        // From 0 to 1 by a straight line, then level, then from 1 to 3.
        assert!(near(mean(&smooth, [0.0, 0.5]).0, 0.75));
        assert!(near(mean(&smooth, [0.5, 0.75]).0, 2.0));
        assert!(near(mean(&smooth, [0.125, 0.1875]).0, 0.625), "within one cell");
        let broken = group(curve, &[0.6]);
        assert!(near(mean(&broken, [0.5, 0.7]).0, 2.0), "as much of 1 as of 3");
        assert!(near(mean(&broken, [0.5, 0.6]).0, 1.0) && near(mean(&broken, [0.6, 1.0]).0, 3.0));
        assert_eq!(Group::default().in_range(&Curve::default(), [0.0, 1.0]), None);
    }

    #[test]
    fn a_half_width_is_the_narrower_of_that_of_the_rate_and_that_of_the_ends() {
        let curve = Curve {
            mean_rate: 10.0,
            rate: vec![10.0; 5],
            rate_band: vec![1.0, 1.0, 3.0, 3.0, 3.0],
            fitted_band: vec![0.0, 0.03, 0.04, 0.0, 0.0],
            ..Curve::default()
        };
        let mut group = group(curve, &[]);
        // The band of the rate: 1 at the first, from 1 to 3 up to the second; the ends: 0.05 / 0.25 of 10.
        assert!(near(mean(&group, [0.25, 0.5]).1, 2.0));
        assert!(near(mean(&group, [0.0, 0.25]).1, 1.0), "ends: 1.2");
        assert!(near(mean(&group, [0.25, 1.0]).1, 0.4), "ends: 0.03 / 0.75 of 10");
        assert_eq!(mean(&group, [0.75, 1.0]).1, 0.0, "nothing is unsure at both");
        group.curves[0].fitted_band.clear();
        assert!(near(mean(&group, [0.0, 0.25]).1, 1.0));
        group.curves[0].rate_band.clear();
        assert_eq!(mean(&group, [0.0, 0.25]).1, 0.0, "nothing tells");
    }

    #[test]
    fn of_those_that_compute_a_mean_is_over_what_is_computed() {
        let curve = Curve {
            rate: vec![2.0, 2.0, 2.0, 6.0, 6.0],
            rate_band: vec![0.5; 5],
            fitted_band: vec![1e-9; 5],
            with_waiting: Some(WithWaiting::default()),
            ..Curve::default()
        };
        let shares = vec![1.0, 1.0, 0.5, 0.0];
        let part = ActivityPart { doing: Doing::Computing, shares };
        let activity = Some(Activity { parts: vec![part], ..Activity::default() });
        let group = Group { activity, ..group(curve, &[0.625]) };
        // A quarter of 2 by all, an eighth of 2 and one of 6 by half of them, and of the rest by none.
        let (rate, half_width) = mean(&group, [0.25, 1.0]);
        assert!(near(rate, (0.25 * 2.0 + 0.0625 * 2.0 + 0.0625 * 6.0) / 0.375), "{rate}");
        assert!(near(half_width, 0.5), "the curve is of all time");
        assert_eq!(group.in_range(&group.curves[0], [0.8, 0.9]), None, "nobody computes");
    }

    #[test]
    fn ratios_are_of_two_means_and_their_half_widths_in_quadrature() {
        let of = |instructions, rate: f64, band: f64| Curve {
            instructions,
            mean_rate: rate,
            rate: vec![rate; 3],
            rate_band: vec![band; 3],
            ..Curve::default()
        };
        let group =
            Group { curves: vec![of(true, 100.0, 3.0), of(false, 50.0, 2.0)], ..Group::default() };
        let (ratio, half) = group.all_in_range([0.1, 0.4])[1].unwrap().per_instruction.unwrap();
        assert!(near(ratio, 0.5) && near(half, 0.025), "{ratio} {half}");
    }
}
