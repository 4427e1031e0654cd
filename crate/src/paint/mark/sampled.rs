//! Values on the grid of folded time as they are drawn: straight lines between them, gaps, and jumps
//! where straight segments meet.

use crate::folding::{Break, CurveKind, Group};
use crate::order;
use crate::paint::scale::tame;
use crate::paint::scene::ON_EDGE;

/// A spike is what one in so many values is, and so many times as large as all others: a phase of
/// 2 % of the region, and one thrice as fast as all else, are seen whole.
const SPIKE_ONE_IN: usize = 100;
const SPIKE: f64 = 3.0;

/// Values on the grid, and how far each may be off.
#[derive(Default)]
pub struct Sampled<'a> {
    /// One per grid point; `None` where the value means nothing.
    pub values: Vec<Option<f64>>,
    /// Half widths of the 95 % band of the values; empty where nothing tells.
    pub band: Vec<f64>,
    /// Where values jump from one to the next: breaks of straight segments, none of a spline.
    pub jumps: &'a [Break],
}

/// A value of a curve and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Folded time.
    pub time: f64,
    pub value: f64,
    pub half_width: f64,
}

impl<'a> Sampled<'a> {
    /// Values over the curves of `group`.
    pub fn over(group: &'a Group, values: Vec<Option<f64>>, band: Vec<f64>) -> Self {
        let jumps = group.fit.kind != CurveKind::Spline;
        Sampled { values, band, jumps: if jumps { &group.breaks } else { &[] } }
    }

    /// Smallest and largest value for an axis; 0 if there are none. A spike is none: the largest
    /// is at most three times what all but a hundredth of the values stay below.
    pub fn extremes(&self) -> (f64, f64) {
        let mut values = self.values.iter().flatten().map(|&v| tame(v)).collect::<Vec<_>>();
        order::floats(&mut values);
        let (Some(&smallest), Some(&largest)) = (values.first(), values.last()) else {
            return (0.0, 0.0);
        };
        let usual = values[values.len() - 1 - values.len() / SPIKE_ONE_IN];
        let most = if usual > 0.0 { SPIKE * usual } else { largest };
        (smallest, largest.min(most))
    }

    /// The value at folded time `time`, between grid points on the straight line or, where it
    /// jumps, before or after the jump.
    pub fn at(&self, time: f64) -> Option<f64> {
        self.point(time).map(|point| point.value)
    }

    /// The same with how far it may be off.
    pub fn point(&self, time: f64) -> Option<Point> {
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

    /// The curve between `from` and `to` as runs without gaps. A jump is two points at one time; one at
    /// an end is none: of a phase that has the plot alone, no neighbour is seen.
    pub fn runs(&self, from: f64, to: f64) -> Vec<Vec<Point>> {
        let steps = self.values.len().saturating_sub(1);
        let at = |time: f64, point: Option<Point>| point.map(|point| Point { time, ..point });
        if steps == 0 {
            let point = self.grid(0);
            let ends = at(from, point).into_iter().chain(at(to, point)).collect::<Vec<_>>();
            return if ends.is_empty() { vec![] } else { vec![ends] };
        }
        let edge = if self.jumps.is_empty() { 0.0 } else { ON_EDGE.min((to - from) / 4.0) };
        let (begin, end) = (from + edge, to - edge);
        let mut runs = Runs(vec![Vec::new()]);
        runs.push(at(from, self.point(begin)));
        let first = (begin * steps as f64) as usize;
        for j in first..self.values.len() {
            let here = self.grid(j);
            let time = j as f64 / steps as f64;
            if time > begin && time < end {
                runs.push(here);
            }
            let jump = self.jump(j).filter(|jump| (begin..=end).contains(jump));
            if let Some(jump) = jump.filter(|_| j < steps) {
                runs.push(at(jump, here));
                runs.push(at(jump, self.grid(j + 1)));
            }
            if time >= end {
                break;
            }
        }
        runs.push(at(to, self.point(end)));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(sampled: &Sampled, from: f64, to: f64) -> Vec<Vec<(f64, f64)>> {
        let run = |run: Vec<Point>| run.iter().map(|point| (point.time, point.value)).collect();
        sampled.runs(from, to).into_iter().map(run).collect()
    }

    fn of(values: &[Option<f64>]) -> Sampled<'static> {
        Sampled { values: values.to_vec(), ..Sampled::default() }
    }

    #[test]
    fn a_gap_interrupts_a_curve_and_the_visible_range_clips_it() {
        let gapped = of(&[Some(0.0), Some(1.0), None, Some(3.0), Some(4.0)]);
        assert_eq!(
            pairs(&gapped, 0.0, 1.0),
            [vec![(0.0, 0.0), (0.25, 1.0)], vec![(0.75, 3.0), (1.0, 4.0)]]
        );
        assert_eq!(pairs(&gapped, 0.125, 0.25), [vec![(0.125, 0.5)]]);
        assert_eq!(pairs(&gapped, 0.8125, 0.9375), [vec![(0.8125, 3.25), (0.9375, 3.75)]]);
        assert_eq!(gapped.at(0.3), None);
        let point = of(&[Some(2.0)]);
        assert_eq!(pairs(&point, 0.2, 0.4), [vec![(0.2, 2.0), (0.4, 2.0)]]);
    }

    #[test]
    fn a_spike_sets_no_axis_and_a_short_phase_does() {
        let with = |high: f64, points: usize| {
            let mut values = vec![Some(1.0); 1000];
            values[400..400 + points].fill(Some(high));
            of(&values).extremes()
        };
        // A phase of 2 %, and of a little more than 1 %, however high; a spike of 1 % up to 3.
        assert_eq!([with(160.0, 20), with(160.0, 11)], [(1.0, 160.0); 2]);
        assert_eq!(
            [with(160.0, 10), with(160.0, 1), with(2.5, 5)],
            [(1.0, 3.0), (1.0, 3.0), (1.0, 2.5)]
        );
        // A counter that counts nowhere else is seen whole, and gaps are no values.
        let mut alone = vec![Some(0.0); 1000];
        alone[7] = Some(5.0);
        assert_eq!(of(&alone).extremes(), (0.0, 5.0));
        assert_eq!(of(&[None, Some(2.0), None]).extremes(), (2.0, 2.0));
        assert_eq!(of(&[None]).extremes(), (0.0, 0.0));
    }

    #[test]
    fn straight_segments_are_steps() {
        let by = |at| Break {
            at,
            half_width: 0.0,
            changed: vec![],
            by_hand: false,
            site: String::new(),
        };
        let jumps = [by(0.3), by(0.5)];
        let steps = of(&[Some(1.0), Some(1.0), Some(2.0), Some(4.0), Some(4.0)]);
        let steps = Sampled { jumps: &jumps, ..steps };
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
        // The phase between both jumps alone, its ends rounded either way.
        for off in [-4e-7, 0.0, 4e-7] {
            let (from, to) = (0.3 + off, 0.5 - off);
            assert_eq!(pairs(&steps, from, to), [vec![(from, 2.0), (to, 2.0)]]);
            let (from, to) = (0.3 + off, 0.5 + off);
            assert_eq!(pairs(&steps, from, to), [vec![(from, 2.0), (to, 2.0)]]);
        }
    }
}
