//! What the performance lane shows of a group: which curves, in which strip, how coloured.

use plotters::style::RGBColor;
use serde::Serialize;

use super::View;
use super::name::{is_clock, short};
use super::scale::tame;
use super::theme::css;
use crate::order;
use crate::result::{Curve, Folding, Group};

/// A curve as it is drawn: its ratio per instruction, or its rate.
pub struct Series<'a> {
    pub curve: &'a Curve,
    /// One per grid point; `None` where the ratio means nothing.
    pub values: Vec<Option<f64>>,
    /// Extremes of the values; 0 if there are none.
    pub smallest: f64,
    pub largest: f64,
    pub colour: RGBColor,
    /// Lengths of dash and gap in px; empty for a solid curve.
    pub dash: &'static [f64],
    /// Switched off in the legend.
    pub hidden: bool,
}

/// The curves of a group, in the order of the legend.
pub struct Shown<'a> {
    /// Strips of the left axis, from the largest values down.
    pub strips: Vec<Vec<Series<'a>>>,
    /// The curve of the right axis.
    pub rate: Option<Series<'a>>,
    /// Whether the left axes show ratios per instruction, not rates.
    pub ratios: bool,
    /// Whether one counter is shown alone, at the right.
    pub alone: bool,
}

/// One entry of the legend.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegendEntry {
    pub counter: String,
    /// Its short name.
    pub name: String,
    /// `#RRGGBB`.
    pub colour: String,
    /// Lengths of dash and gap in px; empty for a solid line.
    pub dash: &'static [f64],
    /// Strip from 0; none if the counter is switched off.
    pub strip: Option<u32>,
    /// Unit of its axis.
    pub per: &'static str,
    /// Whether it counts instructions: its axis is at the right.
    pub instructions: bool,
    pub hidden: bool,
}

/// Values that differ by more never share a strip: beside the larger the smaller would lie on the
/// axis.
const FAR: f64 = 12.0;

/// Neighbours that differ by more have strips of their own, while there are few strips.
const APART: f64 = 8.0;
const FEW: usize = 4;

/// Curves in a strip.
const MOST: usize = 6;

impl<'a> Shown<'a> {
    pub fn of(group: &'a Group, view: &View) -> Shown<'a> {
        let tokens = view.theme.tokens();
        let rates = |curve: &Curve| curve.rate.iter().map(|&v| Some(tame(v))).collect();
        let instructions = group.instructions().map(|curve| &curve.counter);
        let is_rate = |curve: &Curve| instructions == Some(&curve.counter);
        let ratios = instructions.is_some();

        let others: Vec<_> = group.curves.iter().filter(|curve| !is_rate(curve)).collect();
        let values = |curve| if ratios { group.per_instruction(curve) } else { rates(curve) };
        let hidden = |curve: &Curve| view.hidden.contains(&curve.counter);
        let series =
            |curve: &'a Curve, values| Series::new(curve, values, tokens.ink, hidden(curve));
        let mut left: Vec<_> =
            others.into_iter().map(|curve| series(curve, values(curve))).collect();
        order::by_number(&mut left, |series| !order::of_float(series.largest));
        for (index, series) in left.iter_mut().enumerate() {
            series.colour = tokens.counter(index);
            series.dash = tokens.dash(index);
        }
        let rate = group.instructions().map(|curve| series(curve, rates(curve)));

        let Some(counter) = &view.counter else {
            return Shown { strips: in_strips(left), rate, ratios, alone: false };
        };
        let found = left.into_iter().chain(rate).find(|s| s.curve.counter == *counter);
        let alone = |s: Series<'a>| Series::new(s.curve, rates(s.curve), s.colour, false);
        Shown { strips: Vec::new(), rate: found.map(alone), ratios, alone: true }
    }

    /// The curves that are not switched off, strip by strip; strips without any are left out.
    pub fn visible_strips(&self) -> impl Iterator<Item = Vec<&Series<'a>>> {
        let visible = |strip: &'_ Vec<Series<'a>>| strip.iter().any(|series| !series.hidden);
        self.strips
            .iter()
            .filter(move |strip| visible(strip))
            .map(|strip| strip.iter().filter(|series| !series.hidden).collect())
    }

    /// Every curve in the order of the legend, the rate last.
    pub fn all(&self) -> impl Iterator<Item = &Series<'a>> {
        self.strips.iter().flatten().chain(&self.rate)
    }
}

impl<'a> Series<'a> {
    fn new(curve: &'a Curve, values: Vec<Option<f64>>, colour: RGBColor, hidden: bool) -> Self {
        let known = || values.iter().flatten().map(|&v| tame(v));
        let smallest = known().reduce(f64::min).unwrap_or(0.0);
        let largest = known().reduce(f64::max).unwrap_or(0.0);
        Series { curve, smallest, largest, values, colour, dash: &[], hidden }
    }

    /// Factor and unit of its rate.
    pub fn unit(&self) -> (f64, &'static str) {
        if self.curve.instructions { (1.0, "MIPS") } else { unit(false, &[self]) }
    }

    fn is_clock(&self) -> bool {
        is_clock(&self.curve.counter)
    }

    /// The value at folded time `time`, between grid points on the straight line.
    pub fn at(&self, time: f64) -> Option<f64> {
        let last = self.values.len().checked_sub(1)?;
        let place = tame(time).clamp(0.0, 1.0) * last as f64;
        let before = (place as usize).min(last);
        let after = (before + 1).min(last);
        let (a, b) = (self.values.get(before)?.map(tame)?, self.values.get(after)?.map(tame)?);
        let share = place - before as f64;
        Some(a * (1.0 - share) + b * share)
    }

    /// The curve between `from` and `to` as runs of (folded time, value) without gaps.
    pub fn runs(&self, from: f64, to: f64) -> Vec<Vec<(f64, f64)>> {
        let steps = self.values.len().saturating_sub(1);
        if steps == 0 {
            return self.at(0.0).map(|v| vec![(from, v), (to, v)]).into_iter().collect();
        }
        let time = |j: usize| j as f64 / steps as f64;
        let first = (from * steps as f64) as usize;
        let mut runs = vec![Vec::new()];
        let mut push = |point: Option<(f64, f64)>| match (point, runs.last_mut()) {
            (Some(point), Some(run)) => run.push(point),
            (None, Some(run)) if !run.is_empty() => runs.push(Vec::new()),
            _ => {}
        };
        push(self.at(from).map(|v| (from, v)));
        for (j, value) in self.values.iter().enumerate().skip(first) {
            if time(j) > from && time(j) < to {
                push(value.map(|v| (time(j), tame(v))));
            }
        }
        push(self.at(to).map(|v| (to, v)));
        runs.retain(|run| !run.is_empty());
        runs
    }
}

/// Factor and unit of the left axis of a strip. A strip of clocks tells how many processors are
/// busy, as perf does.
pub fn unit(ratios: bool, strip: &[&Series]) -> (f64, &'static str) {
    let largest = strip.iter().map(|series| series.largest).fold(0.0, f64::max);
    if strip.iter().any(|series| series.is_clock()) {
        return if ratios { (1.0, "ns per ins") } else { (1e-3, "CPUs") };
    }
    match (ratios, largest) {
        (true, v) if v >= 0.1 || v <= 0.0 => (1.0, "per ins"),
        (true, v) if v >= 1e-3 => (1e3, "per 1000 ins"),
        (true, _) => (1e6, "per 10⁶ ins"),
        (false, v) if v >= 0.1 || v <= 0.0 => (1.0, "M/s"),
        (false, v) if v >= 1e-3 => (1e3, "k/s"),
        (false, _) => (1e6, "per s"),
    }
}

/// Series of falling size, in strips.
fn in_strips(series: Vec<Series>) -> Vec<Vec<Series>> {
    let sizes: Vec<f64> = series.iter().map(|s| s.largest).collect();
    let wanted = starts(&sizes, APART);
    let few = wanted.iter().filter(|&&starts| starts).count() <= FEW;
    let starts = if few { wanted } else { starts(&sizes, FAR) };
    let mut strips: Vec<Vec<Series>> = Vec::new();
    for (series, starts) in series.into_iter().zip(starts) {
        // Clocks have a unit of their own; a curve of nothing is at home in any.
        let alike = |strip: &[Series]| {
            series.largest <= 0.0 || strip.iter().all(|s| s.is_clock() == series.is_clock())
        };
        match strips.last_mut() {
            Some(strip) if !starts && alike(strip) => strip.push(series),
            _ => strips.push(vec![series]),
        }
    }
    strips
}

/// For each of falling `sizes`, whether it starts a strip; those of no size join the last one.
fn starts(sizes: &[f64], apart: f64) -> Vec<bool> {
    let (mut first, mut before, mut count) = (f64::INFINITY, f64::INFINITY, MOST);
    let start = |&size: &f64| {
        let far = size > 0.0 && (first / size > FAR || before / size > apart);
        let starts = far || count == MOST;
        count = if starts { 1 } else { count + 1 };
        first = if starts { size } else { first };
        before = size;
        starts
    };
    sizes.iter().map(start).collect()
}

/// The legend of the performance lane: every counter, switched off or not.
pub fn legend(folding: &Folding, view: &View) -> Vec<LegendEntry> {
    let Some(group) = folding.group(view.group) else { return Vec::new() };
    let shown = Shown::of(group, view);
    let strips: Vec<Vec<&Series>> = shown.visible_strips().collect();
    let entry = |series: &Series| {
        let counter = &series.curve.counter;
        let in_strip =
            |strip: &Vec<&Series>| strip.iter().find(|s| s.curve.counter == *counter).is_some();
        let is_rate = shown.rate.as_ref().is_some_and(|rate| rate.curve.counter == *counter);
        let strip = if is_rate { Some(0) } else { strips.iter().position(in_strip) };
        let alone = vec![series];
        let of_strip = strip.and_then(|index| strips.get(index)).unwrap_or(&alone);
        LegendEntry {
            counter: counter.clone(),
            name: if series.curve.instructions && is_rate { "MIPS" } else { short(counter) }
                .to_string(),
            colour: css(series.colour),
            dash: series.dash,
            strip: strip.map(|index| index as u32).filter(|_| !series.hidden),
            per: if is_rate { series.unit().1 } else { unit(shown.ratios, of_strip).1 },
            instructions: is_rate && series.curve.instructions,
            hidden: series.hidden,
        }
    };
    shown.all().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    fn check(sizes: &[f64], apart: f64, expected: &str) {
        let marks: String =
            starts(sizes, apart).iter().map(|&s| if s { '|' } else { '.' }).collect();
        assert_eq!(marks, expected, "{sizes:?}");
    }

    #[test]
    fn sizes_start_strips_where_they_differ_by_more_than_twelve() {
        check(&[0.67, 0.063, 0.0145, 2e-4, 1e-5], APART, "||.||");
        check(&[0.67, 0.063, 0.0145, 2e-4, 1e-5], FAR, "|.|||");
        check(&[1.0, 0.5, 0.4, 0.3, 0.2, 0.1, 0.09], FAR, "|.....|");
        check(&[1.0, 0.0, 0.0], FAR, "|..");
        check(&[0.0], FAR, "|");
        check(&[], FAR, "");
    }

    #[test]
    fn hiding_a_counter_moves_no_colour() {
        let folding = example::namd();
        let view = example::view(976.0, 414.0);
        let hidden =
            View { hidden: vec!["PAPI_TOT_CYC".into(), "PAPI_L2_TCM".into()], ..view.clone() };
        let colours = |view| {
            legend(&folding, view).into_iter().map(|e| (e.name, e.colour)).collect::<Vec<_>>()
        };
        assert_eq!(colours(&view), colours(&hidden));
        let strips: Vec<_> = legend(&folding, &hidden).into_iter().map(|e| e.strip).collect();
        assert_eq!(strips, [None, Some(0), Some(0), None, Some(1), Some(0)]);
    }

    #[test]
    fn clocks_tell_how_many_processors_are_busy_in_a_strip_of_their_own() {
        let mut folding = example::namd();
        let curves = &mut folding.groups[0].curves;
        for (curve, (counter, rate)) in
            curves.iter_mut().zip([("cycles", 3000.0), ("task-clock", 1000.0), ("branches", 900.0)])
        {
            curve.counter = counter.to_owned();
            curve.instructions = false;
            curve.rate.fill(rate);
        }
        curves.truncate(3);
        let legend = legend(&folding, &example::view(976.0, 414.0));
        let of = |e: &LegendEntry| (e.name.clone(), e.per, e.strip);
        assert_eq!(
            legend.iter().map(of).collect::<Vec<_>>(),
            [
                ("Cycles".to_owned(), "M/s", Some(0)),
                ("CPU time".to_owned(), "CPUs", Some(1)),
                ("Branches".to_owned(), "M/s", Some(2)),
            ]
        );
        let strip = [Series::new(
            &folding.groups[0].curves[1],
            vec![Some(1000.0)],
            RGBColor(0, 0, 0),
            false,
        )];
        assert_eq!(strip[0].unit(), (1e-3, "CPUs"), "1000 ns in each microsecond");
    }

    #[test]
    fn a_gap_interrupts_a_curve_and_the_visible_range_clips_it() {
        let folding = example::namd();
        let group = folding.group(1).unwrap();
        let curve = group.curves.first().unwrap();
        let values = [Some(0.0), Some(1.0), None, Some(3.0), Some(4.0)].to_vec();
        let series = Series::new(curve, values, RGBColor(0, 0, 0), false);
        assert_eq!(
            series.runs(0.0, 1.0),
            [vec![(0.0, 0.0), (0.25, 1.0)], vec![(0.75, 3.0), (1.0, 4.0)]]
        );
        assert_eq!(series.runs(0.125, 0.25), [vec![(0.125, 0.5)]]);
        assert_eq!(series.runs(0.8125, 0.9375), [vec![(0.8125, 3.25), (0.9375, 3.75)]]);
        assert_eq!(series.at(0.3), None);
        let point = Series::new(curve, vec![Some(2.0)], RGBColor(0, 0, 0), false);
        assert_eq!(point.runs(0.2, 0.4), [vec![(0.2, 2.0), (0.4, 2.0)]]);
    }
}
