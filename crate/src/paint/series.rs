//! A counter's curve as it is drawn: its ratio per instruction, its rate, or its power, with how
//! far each value may be off.

use plotters::style::RGBColor;

use super::name::is_clock;
use super::scale::tame;
use crate::result::{Break, Curve, CurveKind, Group};

/// What of a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Events per microsecond.
    Rate,
    /// Events per instruction.
    Ratio,
    /// Watts, of a counter of energy.
    Power,
}

/// A curve as it is drawn.
pub struct Series<'a> {
    pub curve: &'a Curve,
    pub quantity: Quantity,
    /// One per grid point; `None` where the ratio means nothing.
    pub values: Vec<Option<f64>>,
    /// Half widths of the 95 % band of the values; empty where nothing tells.
    pub band: Vec<f64>,
    /// Where values jump from one to the next: breaks of straight segments, none of a spline.
    pub jumps: &'a [Break],
    /// Extremes of the values; 0 if there are none.
    pub smallest: f64,
    pub largest: f64,
    pub colour: RGBColor,
    /// Lengths of dash and gap in px; empty for a solid curve.
    pub dash: &'static [f64],
    /// Switched off in the legend.
    pub hidden: bool,
}

/// A value of a curve and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Folded time.
    pub time: f64,
    pub value: f64,
    pub half_width: f64,
}

impl<'a> Series<'a> {
    /// A ratio where `quantity` is one; a counter of energy is always power.
    pub fn of(group: &'a Group, curve: &'a Curve, quantity: Quantity) -> Self {
        let scaled =
            |values: &[f64], factor: f64| values.iter().map(|v| tame(v * factor)).collect();
        let known = |values: Vec<f64>| values.into_iter().map(Some).collect();
        let (quantity, values, band) = match (curve.watts(1.0), quantity) {
            (Some(watts), _) => {
                let values = known(scaled(&curve.rate, watts));
                (Quantity::Power, values, scaled(&curve.rate_band, watts))
            }
            (None, Quantity::Ratio) => {
                (quantity, group.per_instruction(curve), group.per_instruction_band(curve))
            }
            (None, _) => {
                (Quantity::Rate, known(scaled(&curve.rate, 1.0)), scaled(&curve.rate_band, 1.0))
            }
        };
        let segments = group.fit.kind == CurveKind::Segments;
        let jumps = if segments { group.breaks.as_slice() } else { &[] };
        let extreme = |pick: fn(f64, f64) -> f64| {
            values.iter().flatten().map(|&v| tame(v)).reduce(pick).unwrap_or(0.0)
        };
        let (smallest, largest) = (extreme(f64::min), extreme(f64::max));
        let colour = RGBColor(0, 0, 0);
        let (dash, hidden) = (&[] as &[f64], false);
        Series { curve, quantity, values, band, jumps, smallest, largest, colour, dash, hidden }
    }

    /// Its mean over an instance, of a rate or of power.
    pub fn mean(&self) -> f64 {
        self.curve.watts(self.curve.mean_rate).unwrap_or(self.curve.mean_rate)
    }

    /// Factor and unit of its rate.
    pub fn unit(&self) -> (f64, &'static str) {
        if self.curve.instructions { (1.0, "MIPS") } else { unit(&[self]) }
    }

    /// Whether both can stand on one axis.
    pub fn shares_unit(&self, other: &Series) -> bool {
        let clocks = [self, other].map(|series| is_clock(&series.curve.counter));
        self.quantity == other.quantity && clocks[0] == clocks[1]
    }

    /// The value at folded time `time`, between grid points on the straight line or, where it
    /// jumps, before or after the jump.
    pub fn at(&self, time: f64) -> Option<f64> {
        self.point(time).map(|point| point.value)
    }

    fn point(&self, time: f64) -> Option<Point> {
        let last = self.values.len().checked_sub(1)?;
        let time = tame(time);
        let place = time.clamp(0.0, 1.0) * last as f64;
        let before = (place as usize).min(last);
        let after = (before + 1).min(last);
        let (a, b) = (self.grid(before), self.grid(after));
        if let Some(jump) = self.jump(before) {
            return Some(Point { time, ..if time < jump { a? } else { b? } });
        }
        let (a, b) = (a?, b?);
        let share = place - before as f64;
        let between = |a: f64, b: f64| a * (1.0 - share) + b * share;
        let (value, half_width) = (between(a.value, b.value), between(a.half_width, b.half_width));
        Some(Point { time, value, half_width })
    }

    /// The value at grid point `j`.
    fn grid(&self, j: usize) -> Option<Point> {
        let value = tame((*self.values.get(j)?)?);
        let half_width = tame(self.band.get(j).copied().unwrap_or(0.0)).max(0.0);
        let steps = self.values.len().saturating_sub(1).max(1);
        Some(Point { time: j as f64 / steps as f64, value, half_width })
    }

    /// Where values jump between grid points `j` and `j + 1`; the first place of several.
    fn jump(&self, j: usize) -> Option<f64> {
        let steps = self.values.len().saturating_sub(1) as f64;
        let (from, to) = (j as f64 / steps, (j + 1) as f64 / steps);
        let first = self.jumps.partition_point(|jump| jump.at < from);
        self.jumps.get(first).map(|jump| jump.at).filter(|at| *at <= to)
    }

    /// The curve between `from` and `to` as runs without gaps. A jump is two points at one time.
    pub fn runs(&self, from: f64, to: f64) -> Vec<Vec<Point>> {
        let steps = self.values.len().saturating_sub(1);
        let at = |time: f64, point: Option<Point>| point.map(|point| Point { time, ..point });
        if steps == 0 {
            let point = self.grid(0);
            let ends = at(from, point).into_iter().chain(at(to, point)).collect::<Vec<_>>();
            return if ends.is_empty() { vec![] } else { vec![ends] };
        }
        let mut runs = Runs(vec![Vec::new()]);
        runs.push(self.point(from));
        let first = (from * steps as f64) as usize;
        for j in first..self.values.len() {
            let here = self.grid(j);
            let time = j as f64 / steps as f64;
            if time > from && time < to {
                runs.push(here);
            }
            let jump = self.jump(j).filter(|jump| (from..=to).contains(jump));
            if let Some(jump) = jump.filter(|_| j < steps) {
                runs.push(at(jump, here));
                runs.push(at(jump, self.grid(j + 1)));
            }
            if time >= to {
                break;
            }
        }
        runs.push(self.point(to));
        runs.0.retain(|run| !run.is_empty());
        runs.0
    }
}

/// Points that a gap parts.
struct Runs(Vec<Vec<Point>>);

impl Runs {
    fn push(&mut self, point: Option<Point>) {
        match (point, self.0.last_mut()) {
            (Some(point), Some(run)) => run.push(point),
            (None, Some(run)) if !run.is_empty() => self.0.push(Vec::new()),
            _ => {}
        }
    }
}

/// Factor and unit of the axis of curves that can share one. Clocks tell how many processors are
/// busy, as perf does.
pub fn unit(strip: &[&Series]) -> (f64, &'static str) {
    let largest = strip.iter().map(|series| series.largest).fold(0.0, f64::max);
    let clock = strip.iter().any(|series| is_clock(&series.curve.counter));
    let quantity = strip.first().map_or(Quantity::Rate, |series| series.quantity);
    match (quantity, largest) {
        (Quantity::Power, v) if v >= 0.1 || v <= 0.0 => (1.0, "W"),
        (Quantity::Power, _) => (1e3, "mW"),
        (Quantity::Ratio, _) if clock => (1.0, "ns per ins"),
        (Quantity::Rate, _) if clock => (1e-3, "CPUs"),
        (Quantity::Ratio, v) if v >= 0.1 || v <= 0.0 => (1.0, "per ins"),
        (Quantity::Ratio, v) if v >= 1e-3 => (1e3, "per 1000 ins"),
        (Quantity::Ratio, _) => (1e6, "per 10⁶ ins"),
        (Quantity::Rate, v) if v >= 0.1 || v <= 0.0 => (1.0, "M/s"),
        (Quantity::Rate, v) if v >= 1e-3 => (1e3, "k/s"),
        (Quantity::Rate, _) => (1e6, "per s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    fn series<'a>(group: &'a Group, values: &[Option<f64>]) -> Series<'a> {
        let of = Series::of(group, &group.curves[0], Quantity::Rate);
        Series { values: values.to_vec(), band: vec![], ..of }
    }

    fn pairs(series: &Series, from: f64, to: f64) -> Vec<Vec<(f64, f64)>> {
        let run = |run: Vec<Point>| run.iter().map(|point| (point.time, point.value)).collect();
        series.runs(from, to).into_iter().map(run).collect()
    }

    #[test]
    fn a_gap_interrupts_a_curve_and_the_visible_range_clips_it() {
        let folding = example::namd();
        let group = folding.group(1).unwrap();
        let gapped = series(group, &[Some(0.0), Some(1.0), None, Some(3.0), Some(4.0)]);
        assert_eq!(
            pairs(&gapped, 0.0, 1.0),
            [vec![(0.0, 0.0), (0.25, 1.0)], vec![(0.75, 3.0), (1.0, 4.0)]]
        );
        assert_eq!(pairs(&gapped, 0.125, 0.25), [vec![(0.125, 0.5)]]);
        assert_eq!(pairs(&gapped, 0.8125, 0.9375), [vec![(0.8125, 3.25), (0.9375, 3.75)]]);
        assert_eq!(gapped.at(0.3), None);
        let point = series(group, &[Some(2.0)]);
        assert_eq!(pairs(&point, 0.2, 0.4), [vec![(0.2, 2.0), (0.4, 2.0)]]);
    }

    #[test]
    fn straight_segments_are_steps() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        group.fit.kind = CurveKind::Segments;
        let by = |at| Break { at, half_width: 0.0, changed: vec![], by_hand: false };
        group.breaks = vec![by(0.3), by(0.5)];
        let steps = series(group, &[Some(1.0), Some(1.0), Some(2.0), Some(4.0), Some(4.0)]);
        let expected = [
            (0.0, 1.0),
            (0.25, 1.0),
            (0.3, 1.0),
            (0.3, 2.0),
            (0.5, 2.0),
            (0.5, 2.0),
            (0.5, 4.0),
            (0.75, 4.0),
            (1.0, 4.0),
        ];
        let [run] = &pairs(&steps, 0.0, 1.0)[..] else { panic!("a gap") };
        let mut run = run.clone();
        run.dedup();
        let mut expected = expected.to_vec();
        expected.dedup();
        assert_eq!(run, expected);
        assert_eq!([0.29, 0.31, 0.49, 0.51].map(|x| steps.at(x)), [1.0, 2.0, 2.0, 4.0].map(Some));
        assert_eq!(pairs(&steps, 0.35, 0.45), [vec![(0.35, 2.0), (0.45, 2.0)]]);
    }

    #[test]
    fn energy_is_power_in_watts() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        // 20 units of 61 µJ each microsecond.
        group.curves[1].joules = Some(61e-6);
        group.curves[1].rate.fill(0.02);
        group.curves[1].rate_band = vec![0.001; 1000];
        let series = Series::of(group, &group.curves[1], Quantity::Ratio);
        assert_eq!(series.quantity, Quantity::Power);
        assert!((series.largest - 1.22).abs() < 1e-12, "{}", series.largest);
        assert!((series.band[7] - 0.061).abs() < 1e-12);
        assert_eq!(series.unit(), (1.0, "W"));
    }
}
