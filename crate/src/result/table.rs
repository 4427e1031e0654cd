//! The numbers of a picture: what stands at a moment of folded time.

use super::Uncertain;
use super::gap::{Gap, within};
use super::uncertainty::quotient;
use crate::folding::{Curve, Group, Place};

/// What every curve says at one moment of folded time.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Folded time, 0 to 1.
    pub x: f64,
    /// Milliseconds since the begin of a mean instance.
    pub ms: f64,
    /// One per curve.
    pub values: Vec<Value>,
}

/// What one curve says: by straight lines between its grid points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// Share of the instance's events that have happened.
    pub fitted: f64,
    /// Events per microsecond (millions per second); `None` where it would be of those threads that
    /// compute and hardly any does.
    pub rate: Option<f64>,
    /// Events per instruction; `None` where [`Group::per_instruction`] has a gap.
    pub per_instruction: Option<f64>,
}

impl Group {
    /// Events of `curve` per instruction at each grid point; `None` where they are not told
    /// ([`Group::ratios`]).
    pub fn per_instruction(&self, curve: &Curve) -> Vec<Option<f64>> {
        self.ratios(curve).into_iter().map(Result::ok).collect()
    }

    /// Events of `curve` per instruction at each grid point, or why they are not told: fewer than
    /// 1 % of the mean instruction rate, or a rate within its band of 0, leave the ratio without
    /// meaning, of a kind of instructions there are no more than instructions, and no curve may
    /// count these.
    pub fn ratios(&self, curve: &Curve) -> Vec<Result<f64, Gap>> {
        let Some(instructions) = self.instructions() else {
            return vec![Err(Gap::Absent); curve.rate.len()];
        };
        let points = 0..curve.rate.len().min(instructions.rate.len());
        points
            .map(|j| ratio_of(curve.on_grid(j), curve, instructions.on_grid(j), instructions))
            .collect()
    }

    /// Every curve at `x`, which is taken into 0 to 1.
    pub fn at(&self, x: f64) -> Row {
        let x = if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 };
        let instructions = self.instructions();
        let rate = |curve: &Curve| curve.rate_at(x);
        let ratio = |curve: &Curve, of: &Curve| ratio_of(rate(curve), curve, rate(of), of).ok();
        let value = |curve: &Curve| Value {
            fitted: between(&curve.fitted, x),
            rate: Some(rate(curve).value).filter(|rate| rate.is_finite()),
            per_instruction: instructions.and_then(|instructions| ratio(curve, instructions)),
        };
        Row {
            x,
            ms: x * self.mean_duration_ns / 1e6,
            values: self.curves.iter().map(value).collect(),
        }
    }

    /// `rows` moments, evenly spread from begin to end; at least two.
    pub fn table(&self, rows: u32) -> Vec<Row> {
        let last = rows.max(2) - 1;
        (0..=last).map(|row| self.at(f64::from(row) / f64::from(last))).collect()
    }

    /// The code line of the sample nearest to `x`.
    pub fn place_at(&self, x: f64) -> Option<&Place> {
        let after = self.lines.x.partition_point(|at| *at < x);
        let distance =
            |index: &usize| self.lines.x.get(*index).map_or(f64::MAX, |at| (at - x).abs());
        let nearest = [after, after.wrapping_sub(1)]
            .into_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        self.places.get(*self.lines.place.get(nearest)? as usize)
    }
}

impl Curve {
    fn on_grid(&self, j: usize) -> Uncertain {
        let at = |values: &[f64]| values.get(j).copied().unwrap_or(0.0);
        Uncertain { value: at(&self.rate), half_width: at(&self.rate_band) }
    }

    /// The rate of all threads at folded time `x`, where that on the grid is of those that compute.
    pub fn with_waiting_at(&self, x: f64) -> Option<f64> {
        let x = if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 };
        self.with_waiting.as_ref().map(|of| between(&of.rate, x))
    }

    /// Whether it counts instructions of a kind, by the names of PAPI.
    fn counts_kind_of_instructions(&self) -> bool {
        let kind = self.counter.strip_prefix("PAPI_");
        kind.is_some_and(|kind| kind.ends_with("_INS") || kind.starts_with("BR_"))
    }

    /// The lowest and the highest rate of the curve between two moments of folded time: at its grid
    /// points there, or in the middle if there is none; `None` without a rate.
    pub fn rates_between(&self, start: f64, end: f64) -> Option<[f64; 2]> {
        let rates = self.points_between(start, end).map(|j| self.rate[j]);
        let rates = rates.filter(|rate| !rate.is_nan());
        let range = rates.fold(None, |range: Option<[f64; 2]>, rate| {
            let [lowest, highest] = range.unwrap_or([rate; 2]);
            Some([lowest.min(rate), highest.max(rate)])
        });
        let middle = between(&self.rate, f64::midpoint(start, end));
        range.or((!self.rate.is_empty()).then_some([middle; 2]))
    }

    /// Whether `mean`, give or take its half width, lies in the band of the rate everywhere between
    /// two moments; where there is no band nothing speaks against it.
    pub fn is_level(&self, start: f64, end: f64, mean: Uncertain) -> bool {
        self.points_between(start, end).all(|j| {
            let apart = (self.rate[j] - mean.value).abs();
            let is_near = |half: &f64| apart <= half + mean.half_width;
            self.rate[j].is_nan() || self.rate_band.get(j).is_none_or(is_near)
        })
    }

    /// Indices of the grid points between two moments of folded time. One at an end belongs to what
    /// lies beyond it as much, and is left out.
    fn points_between(&self, start: f64, end: f64) -> impl Iterator<Item = usize> {
        let last = self.rate.len().saturating_sub(1);
        (0..self.rate.len()).filter(move |&j| {
            let x = j as f64 / last.max(1) as f64;
            (start < x || j == 0 && start <= 0.0) && (x < end || j == last && end >= 1.0)
        })
    }

    /// The power of `rate` events per microsecond, if they are of energy.
    pub fn watts(&self, rate: f64) -> Option<f64> {
        self.joules.map(|joules| rate * joules * 1e6)
    }
}

/// Events of `curve` per instruction from both rates, or why that is not told.
pub(super) fn ratio_of(
    events: Uncertain,
    curve: &Curve,
    per: Uncertain,
    instructions: &Curve,
) -> Result<f64, Gap> {
    let ratio = ratio(events.value, per.value, instructions.mean_rate).ok_or(Gap::Absent)?;
    match () {
        () if per.value <= per.half_width => Err(Gap::NearZero),
        () if curve.counts_kind_of_instructions() => {
            let half_width = quotient(ratio, events.half_width, per.value, per.half_width);
            within(Uncertain { value: ratio, half_width }, 1.0)
        }
        () => Ok(ratio),
    }
}

/// Events per instruction, from both rates; `None` under 1 % of the mean instruction rate.
pub(super) fn ratio(events: f64, instructions: f64, mean_instructions: f64) -> Option<f64> {
    let enough = instructions >= 0.01 * mean_instructions && instructions > 0.0;
    enough.then(|| (events / instructions).max(0.0)).filter(|ratio| ratio.is_finite())
}

pub(super) fn between(values: &[f64], x: f64) -> f64 {
    let last = values.len().saturating_sub(1);
    let place = x * last as f64;
    let below = (place as usize).min(last.saturating_sub(1));
    let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
    let share = place - below as f64;
    if last == 0 { at(0) } else { at(below) * (1.0 - share) + at(below + 1) * share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Lines;

    #[test]
    fn values_lie_on_straight_lines_between_grid_points() {
        assert_eq!(between(&[0.0, 2.0, 6.0], 0.25), 1.0);
        assert_eq!(between(&[0.0, 2.0, 6.0], 1.0), 6.0);
        assert_eq!(between(&[5.0], 0.3), 5.0);
        assert_eq!(between(&[], 0.3), 0.0);
    }

    #[test]
    fn the_rates_of_a_stretch_are_those_of_grid_points_inside_it() {
        let curve = Curve { rate: vec![9.0, 2.0, 3.0, 1.0, 8.0], ..Curve::default() };
        assert_eq!(curve.rates_between(0.0, 1.0), Some([1.0, 9.0]));
        assert_eq!(curve.rates_between(0.2, 0.6), Some([2.0, 3.0]));
        assert_eq!(curve.rates_between(0.0, 0.5), Some([2.0, 9.0]), "what is at 0.5 may be beyond");
        assert_eq!(curve.rates_between(0.5, 1.0), Some([1.0, 8.0]));
        assert_eq!(curve.rates_between(0.5, 0.625), Some([2.5; 2]), "half-way from 3 to 2");
        assert_eq!(Curve::default().rates_between(0.0, 1.0), None);
    }

    #[test]
    fn a_place_is_that_of_the_nearest_sample_before_or_behind() {
        let place = |line| Place { routine: 0, line, file: "a.c".to_owned(), samples: 1 };
        let group = Group {
            places: [3, 9].map(place).to_vec(),
            lines: Lines { x: vec![0.25, 0.75], place: vec![0, 1], context: vec![] },
            ..Group::default()
        };
        let lines = [0.0, 0.25, 0.45, 0.55, 1.0].map(|x| group.place_at(x).unwrap().line);
        assert_eq!(lines, [3, 3, 3, 9, 9]);
        assert_eq!(Group::default().place_at(0.5), None);
    }

    #[test]
    fn power_is_energy_by_time() {
        let energy = Curve { joules: Some(61e-6), ..Curve::default() };
        // 61 µJ, 20 times a millisecond.
        assert!((energy.watts(0.02).unwrap() - 1.22).abs() < 1e-12);
        assert_eq!(Curve::default().watts(0.02), None);
    }

    #[test]
    fn a_ratio_is_told_unless_its_denominator_may_be_0_or_it_exceeds_its_whole() {
        let named = |counter: &str| Curve { counter: counter.to_owned(), ..Curve::default() };
        let instructions = Curve { mean_rate: 100.0, ..named("PAPI_TOT_INS") };
        let of = |counter: &str, [events, of_events]: [f64; 2], [per, of_per]: [f64; 2]| {
            let events = Uncertain { value: events, half_width: of_events };
            let per = Uncertain { value: per, half_width: of_per };
            ratio_of(events, &named(counter), per, &instructions)
        };
        assert_eq!(of("PAPI_TOT_CYC", [800.0, 5.0], [5.0, 4.9]), Ok(160.0));
        assert_eq!(of("PAPI_TOT_CYC", [800.0, 5.0], [5.0, 5.0]), Err(Gap::NearZero));
        assert_eq!(of("PAPI_TOT_CYC", [800.0, 5.0], [0.9, 5.0]), Err(Gap::Absent));
        assert_eq!(of("PAPI_FP_INS", [180.0, 1.0], [100.0, 1.0]), Err(Gap::BeyondWhole(1.8)));
        assert_eq!(
            of("PAPI_FP_INS", [180.0, 80.0], [100.0, 1.0]),
            Ok(1.8),
            "by its band it may be 1"
        );
        assert_eq!(of("PAPI_BR_MSP", [180.0, 1.0], [100.0, 1.0]), Err(Gap::BeyondWhole(1.8)));
        assert_eq!(of("PAPI_BR_CN", [105.0, 0.0], [100.0, 0.0]), Ok(1.05));
        assert_eq!(of("PAPI_L1_DCM", [180.0, 1.0], [100.0, 1.0]), Ok(1.8));
    }

    #[test]
    fn a_ratio_needs_instructions() {
        assert_eq!(ratio(3.0, 1.5, 2.0), Some(2.0));
        assert_eq!(ratio(3.0, 0.01, 2.0), None);
        assert_eq!(ratio(-1.0, 2.0, 2.0), Some(0.0));
        assert_eq!(ratio(0.0, 0.0, 0.0), None);
    }
}
