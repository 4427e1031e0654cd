//! The lane of memory controllers: how much they read and write over folded time, level between two
//! readings.

use plotters::style::RGBColor;

use super::activity::steps_of;
use crate::folding::{Bandwidth, Folding, Group, Traffic};
use crate::paint::View;
use crate::paint::mark::Mark;
use crate::paint::scale::Steps;
use crate::paint::scene::{Frame, Lane, Layout, Pen, Place, Strip, Stroke, Tokens};
use crate::paint::time::{break_lines, grid, ticks};

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

/// Whether the group has a lane of it.
pub fn has_bandwidth(group: &Group) -> bool {
    group.bandwidth.as_ref().is_some_and(|bandwidth| bandwidth.parts().next().is_some())
}

/// What is drawn: its name, its values and its colour.
pub fn traffic<'a>(
    bandwidth: &'a Bandwidth,
    tokens: &Tokens,
) -> Vec<(&'static str, &'a Traffic, RGBColor)> {
    let colours = HUES.map(|place| tokens.routine(place));
    bandwidth.parts().zip(colours).map(|((name, of), colour)| (name, of, colour)).collect()
}

/// The marks of the legend.
pub fn bandwidth_marks(group: &Group, tokens: &Tokens) -> Vec<(&'static str, Mark)> {
    let all = group.bandwidth.iter().flat_map(|of| traffic(of, tokens));
    all.map(|(name, _, colour)| (name, Mark::line(colour, LINE))).collect()
}

/// Paints each kind of traffic as steps, with its band.
pub fn bandwidth(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let frame = Frame::of(view);
    let mut layout = frame.layout();
    let Some(lane) = Lane::of(pen, folding, view) else { return layout };
    let Some(bandwidth) = &lane.group.bandwidth else { return layout };
    let all = traffic(bandwidth, lane.tokens);
    let values = all.iter().flat_map(|(_, of, _)| &of.cells).copied();
    let largest = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
    let most = libm::round(frame.height / STEP_PX).clamp(1.0, MOST_STEPS) as u32;
    let steps = Steps::from_zero(largest, most);
    let strip = Strip {
        unit: UNIT.to_owned(),
        factor: 1.0,
        ..Strip::of((0.0, frame.height), steps, false)
    };
    break_lines(&lane, lane.rows());
    grid(&lane, &strip);
    for (_, of, colour) in &all {
        band(&lane, of, *colour, &strip);
    }
    for (_, of, colour) in &all {
        let line = places(&frame, of, |cell| strip.y(of.cells[cell]));
        pen.line(&line, Stroke::solid(*colour, LINE));
    }
    pen.frame((frame.left, 0.0), (frame.right, frame.height), lane.tokens.line);
    ticks(&lane, &strip, false);
    layout.strips.push(strip);
    layout
}

/// As far as a value may be off; nothing where nothing tells.
fn band(lane: &Lane<'_>, of: &Traffic, colour: RGBColor, strip: &Strip) {
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

fn places(frame: &Frame, of: &Traffic, y: impl Fn(usize) -> f64) -> Vec<Place> {
    let cells = (0..of.cells.len()).collect::<Vec<_>>();
    steps_of(frame, cells.len(), &cells, y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding;
    use crate::paint::example::{self, polylines};
    use crate::paint::scene::{Svg, css};

    #[test]
    fn values_lie_where_their_numbers_say_level_in_each_cell() {
        let (folding, view) = (folding::example::folding(1), example::view(976.0, 90.0));
        let svg = Svg::default();
        let layout = bandwidth(&svg, &folding, &view);
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
        assert!(!has_bandwidth(&folding.groups[0]));
        let svg = Svg::default();
        assert!(bandwidth(&svg, &folding, &view).strips.is_empty());
        let odd = Traffic { cells: vec![f64::NAN, f64::INFINITY, 1.0], ..Traffic::default() };
        folding.groups[0].bandwidth = Some(Bandwidth { both: odd, ..Bandwidth::default() });
        let svg = Svg::default();
        bandwidth(&svg, &folding, &view);
        let svg = svg.elements();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
