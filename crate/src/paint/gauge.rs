//! The lane of what is read beside the program: how much memory controllers read and write over folded
//! time, or one level or counter of a socket; level between two readings.

use std::borrow::Cow;

use plotters::style::RGBColor;

use super::activity::steps_of;
use crate::folding::{CellMeans, Folding, Group};
use crate::paint::View;
use crate::paint::mark::Mark;
use crate::paint::scale::Steps;
use crate::paint::scene::{Frame, Lane, Layout, Pen, Place, Strip, Stroke};
use crate::paint::time::{break_lines, grid, ticks};
use crate::quantity::{gauge_name, gauge_unit};

/// Bytes per nanosecond.
const UNIT: &str = "GB/s";

/// Px that a step of the axis needs, and the most steps.
const STEP_PX: f64 = 22.0;
const MOST_STEPS: f64 = 4.0;

/// Px of a line, and the opacity of its band.
const LINE: f64 = 1.5;
const BAND: f64 = 0.16;

/// Places of its lines in the palette: no counter's colour, and no kind of waiting's.
pub const HUES: [usize; 2] = [5, 3];

/// What the lane shows.
pub struct ShownGauge<'a> {
    /// Its event type; `None` for memory controllers.
    pub code: Option<u32>,
    pub unit: String,
    /// By name, in that unit.
    pub lines: Vec<(String, Cow<'a, CellMeans>)>,
    /// Whether its axis begins at 0 in any case: levels may lie far above.
    from_zero: bool,
}

/// All that the lane can show of a group, the first unless another is asked for.
pub fn gauges(group: &Group) -> impl Iterator<Item = ShownGauge<'_>> {
    let controllers = group.bandwidth.iter().filter(|of| of.parts().next().is_some()).map(|of| {
        let lines = of.parts().map(|(name, values)| (name.to_owned(), Cow::Borrowed(values)));
        let lines = lines.collect();
        ShownGauge { code: None, unit: UNIT.to_owned(), lines, from_zero: true }
    });
    let others = group.gauges.iter().filter(|of| !of.values.cells.is_empty()).map(|of| {
        let (name, unit) = gauge_name(of);
        let largest = of.values.cells.iter().map(|value| value.abs()).fold(0.0, f64::max);
        let (unit, divisor) = gauge_unit(&unit, largest);
        let values = match divisor {
            1.0 => Cow::Borrowed(&of.values),
            divisor => Cow::Owned(of.values.over(divisor)),
        };
        let lines = vec![(name, values)];
        ShownGauge { code: Some(of.code), unit, lines, from_zero: of.is_rate }
    });
    controllers.chain(others)
}

/// What the lane shows; `None` where the group has nothing of the kind.
pub fn shown_gauge<'a>(group: &'a Group, view: &View) -> Option<ShownGauge<'a>> {
    let asked = gauges(group).find(|of| view.gauge.is_some() && of.code == view.gauge);
    asked.or_else(|| gauges(group).next())
}

/// What stands over the lane: `Memory` of memory controllers.
pub fn gauge_title(group: &Group, view: &View) -> &'static str {
    shown_gauge(group, view).map_or("Gauge", |of| of.title())
}

impl ShownGauge<'_> {
    /// `Memory`, or what it is.
    pub fn title(&self) -> &'static str {
        match (self.code, self.from_zero) {
            (None, _) => "Memory",
            (Some(_), true) => "Socket",
            (Some(_), false) => "Level",
        }
    }
}

/// Whether the group has the lane.
pub fn has_gauge(group: &Group) -> bool {
    gauges(group).next().is_some()
}

/// The marks of the legend.
pub fn gauge_marks(group: &Group, view: &View) -> Vec<(String, Mark)> {
    let colours = HUES.map(|place| view.theme.tokens().routine(place));
    let lines = shown_gauge(group, view).into_iter().flat_map(|of| of.lines);
    let mark = |((name, _), colour)| (name, Mark::line(colour, LINE));
    lines.zip(colours).map(mark).collect()
}

/// Paints each of its lines as steps, with its band.
pub fn gauge(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let frame = Frame::of(view);
    let mut layout = frame.layout();
    let Some(lane) = Lane::of(pen, folding, view) else { return layout };
    let Some(shown) = shown_gauge(lane.group, view) else { return layout };
    let strip = Strip {
        unit: shown.unit.clone(),
        factor: 1.0,
        ..Strip::of((0.0, frame.height), steps(&shown, frame.height), false)
    };
    break_lines(&lane, lane.rows());
    grid(&lane, &strip);
    let lines = || {
        let colours = HUES.map(|place| lane.tokens.routine(place));
        shown.lines.iter().map(|(_, of)| &**of).zip(colours)
    };
    lines().for_each(|(of, colour)| band(&lane, of, colour, &strip));
    for (of, colour) in lines() {
        let line = places(&frame, of, |cell| strip.y(of.cells[cell]));
        pen.line(&line, Stroke::solid(colour, LINE));
    }
    pen.frame((frame.left, 0.0), (frame.right, frame.height), lane.tokens.line);
    ticks(&lane, &strip, false);
    layout.strips.push(strip);
    layout
}

/// Steps of the axis in `height` px.
fn steps(shown: &ShownGauge<'_>, height: f64) -> Steps {
    let most = libm::round(height / STEP_PX).clamp(1.0, MOST_STEPS) as u32;
    let values = shown.lines.iter().flat_map(|(_, of)| &of.cells).copied();
    let values = values.filter(|value| value.is_finite()).collect::<Vec<_>>();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(0.0, f64::max);
    match low < 0.0 {
        true => {
            let half = Steps::from_zero(high.max(-low), most.div_ceil(2));
            Steps { min: -half.max(), step: half.step, count: 2 * half.count }
        }
        false if shown.from_zero || values.is_empty() => Steps::from_zero(high, most),
        false => Steps::around(low, high, most),
    }
}

/// As far as a value may be off; nothing where nothing tells.
fn band(lane: &Lane<'_>, of: &CellMeans, colour: RGBColor, strip: &Strip) {
    if of.half_widths.len() != of.cells.len() {
        return;
    }
    let edge = |sign: f64| {
        places(&lane.frame, of, |cell| {
            strip.y((of.cells[cell] + sign * of.half_widths[cell]).clamp(strip.min, strip.max))
        })
    };
    let mut corners = edge(1.0);
    corners.extend(edge(-1.0).into_iter().rev());
    Mark::Area { colour, opacity: BAND }.draw(lane.pen, &corners);
}

fn places(frame: &Frame, of: &CellMeans, y: impl Fn(usize) -> f64) -> Vec<Place> {
    let cells = (0..of.cells.len()).collect::<Vec<_>>();
    steps_of(frame, cells.len(), &cells, y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{self, Bandwidth, Gauge};
    use crate::paint::example::{self, polylines};
    use crate::paint::scene::{Svg, css};

    #[test]
    fn values_lie_where_their_numbers_say_level_in_each_cell() {
        let (folding, view) = (folding::example::folding(1), example::view(976.0, 90.0));
        let svg = Svg::default();
        let layout = gauge(&svg, &folding, &view);
        let (svg, strip) = (svg.elements(), &layout.strips[0]);
        assert_eq!(strip.unit, "GB/s");
        assert!(strip.max >= 37.5 && strip.max < 75.0, "{strip:?}");
        let tokens = view.theme.tokens();
        for (place, values) in [(5, [12.5, 37.5]), (3, [2.5, 7.5])] {
            let line = polylines(&svg, &css(tokens.routine(place))).concat();
            assert!(line.len() >= 8, "{line:?}");
            for (_, y) in line {
                let is_one = values.iter().any(|value| (strip.y(*value) - y).abs() < 0.02);
                assert!(is_one, "{y}");
            }
        }
    }

    #[test]
    fn without_readers_nothing_is_drawn_and_nothing_odd_is_a_number() {
        let view = example::view(400.0, 60.0);
        let mut folding = folding::example::folding(1);
        folding.groups[0].bandwidth = None;
        assert!(!has_gauge(&folding.groups[0]));
        let svg = Svg::default();
        assert!(gauge(&svg, &folding, &view).strips.is_empty());
        let odd = CellMeans { cells: vec![f64::NAN, f64::INFINITY, 1.0], ..CellMeans::default() };
        folding.groups[0].bandwidth = Some(Bandwidth { both: odd, ..Bandwidth::default() });
        let svg = Svg::default();
        gauge(&svg, &folding, &view);
        let svg = svg.elements();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
    #[test]
    fn one_gauge_is_shown_at_a_time_and_its_axis_holds_all_its_values() {
        let level = |code, cells: &[f64]| Gauge {
            name: "Power (W)".to_owned(),
            code,
            values: CellMeans { cells: cells.to_vec(), ..CellMeans::default() },
            ..Gauge::default()
        };
        let mut folding = folding::example::folding(1);
        folding.groups[0].gauges =
            vec![level(7, &[-3.0, 5.0]), level(8, &[310.0, 305.0]), level(9, &[])];
        let strip = |gauge| {
            let view = View { gauge, ..example::view(976.0, 90.0) };
            gauge_of(&folding, &view)
        };
        let [first, below, far, empty] = [None, Some(7), Some(8), Some(9)].map(strip);
        assert_eq!((first.unit.as_str(), below.unit.as_str()), ("GB/s", "W"));
        assert!(below.min <= -3.0 && below.max >= 5.0, "{below:?}");
        assert!(far.min > 200.0 && far.min <= 305.0 && far.max >= 310.0, "{far:?}");
        assert_eq!(empty, first, "what is not there gives way to the first");
        folding.groups[0].bandwidth = None;
        let view = example::view(976.0, 90.0);
        assert_eq!(gauge_of(&folding, &view).unit, "W");
        assert_eq!(gauge_marks(&folding.groups[0], &view).len(), 1);
    }

    fn gauge_of(folding: &Folding, view: &View) -> Strip {
        gauge(&Svg::default(), folding, view).strips.remove(0)
    }
}
