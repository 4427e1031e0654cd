//! A quantity of each phase over the value of a series.

use plotters::style::RGBColor;

use crate::compare::Values;
use crate::order;
use crate::paint::View;
use crate::paint::scale::Steps;
use crate::paint::scene::{Anchor, Face, Frame, Lane, Pen, Strip, Stroke};
use crate::paint::time::{MIDDLE, TICK, grid, ticks};

/// Px over the plot for its title, and under it for the values.
const TITLE: f64 = 18.0;
const VALUES: f64 = 20.0;

/// Size of the title; px of lines and points; free at either end.
const SIZE: f64 = 12.0;
const THICK: f64 = 1.5;
const POINT: f64 = 3.0;
const FREE: f64 = 14.0;

/// Room that a step of the axis needs.
const STEP_PX: f64 = 32.0;

/// A line for each phase, its points in the order of the runs: the value and both ends of its interval.
pub struct SeriesPlot<'a> {
    pub title: String,
    pub lines: Vec<(RGBColor, Vec<Option<[f64; 3]>>)>,
    pub values: &'a Values,
    /// The values in words.
    pub labels: &'a [String],
}

/// Paints it between the gutters of `view`. Values that are numbers lie where they are; texts in their order.
pub fn plot(lane: &Lane<'_>, view: &View, of: &SeriesPlot<'_>) {
    let (pen, tokens, frame) = (lane.pen, lane.tokens, Frame::of(view));
    let (top, bottom) = (TITLE, view.height - VALUES);
    let points = of.lines.iter().flat_map(|(_, line)| line).flatten();
    let largest = points.map(|[_, _, high]| *high).fold(0.0, f64::max);
    let most = ((bottom - top) / STEP_PX).clamp(1.0, 8.0) as u32;
    let strip = Strip::of((top, bottom), Steps::from_zero(largest, most), false);
    let own = Lane { frame, view, ..*lane };
    pen.text((frame.left, TITLE - 6.0), Anchor::Start, &of.title, Face::plain(SIZE, tokens.ink2));
    grid(&own, &strip);
    ticks(&own, &strip, false);
    pen.frame((frame.left, top), (frame.right, bottom), tokens.line);
    let places = places(of.values, (frame.left + FREE, frame.right - FREE));
    labels(pen, of.labels, &places, bottom + VALUES - MIDDLE, Face::plain(TICK, tokens.ink3));
    for (colour, line) in &of.lines {
        let at = |(place, point): (&f64, &Option<[f64; 3]>)| {
            point.map(|[value, low, high]| (*place, [value, low, high].map(|value| strip.y(value))))
        };
        let mut drawn = places.iter().zip(line).filter_map(at).collect::<Vec<_>>();
        order::by_number(&mut drawn, |(x, _)| order::of_float(*x));
        let through = drawn.iter().map(|&(x, [y, ..])| (x, y)).collect::<Vec<_>>();
        // Of texts there is nothing between one and the next.
        if of.values.numbers.is_some() {
            pen.line(&through, Stroke::solid(*colour, THICK));
        }
        for (x, [y, low, high]) in drawn {
            pen.hair((x, high.min(low)), (x, high.max(low)), *colour, 1.0);
            pen.dot((x, y), POINT, *colour, 1.0);
        }
    }
}

/// Where each run lies across.
fn places(values: &Values, (left, right): (f64, f64)) -> Vec<f64> {
    let (at, least, most) = match &values.numbers {
        Some(numbers) => {
            let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            (numbers.clone(), least, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
        }
        None => {
            let texts = &values.texts;
            let at = (0..texts.len()).map(|at| at as f64).collect::<Vec<_>>();
            (at, 0.0, texts.len().saturating_sub(1) as f64)
        }
    };
    let span = most - least;
    let share = |value: f64| if span > 0.0 { (value - least) / span } else { 0.5 };
    at.into_iter().map(|value| left + share(value) * (right - left)).collect()
}

/// The values under the plot, as far as each has room.
fn labels(pen: &dyn Pen, labels: &[String], places: &[f64], base: f64, face: Face) {
    let mut all = places.iter().zip(labels).collect::<Vec<_>>();
    order::by_number(&mut all, |(x, _)| order::of_float(**x));
    let mut reached = f64::NEG_INFINITY;
    for (x, label) in all {
        let half = face.width(label) / 2.0;
        if x - half > reached {
            pen.text((*x, base), Anchor::Middle, label, face);
            reached = x + half + MIDDLE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lie_where_they_are_and_texts_in_their_order() {
        let numbers = Values::of(["1", "2", "5", "2"].map(str::to_owned).to_vec());
        assert_eq!(places(&numbers, (10.0, 50.0)), [10.0, 20.0, 50.0, 20.0]);
        let texts = Values::of(["a", "b", "c"].map(str::to_owned).to_vec());
        assert_eq!(places(&texts, (0.0, 10.0)), [0.0, 5.0, 10.0]);
        assert_eq!(
            places(&Values::of(vec!["3".to_owned(), "3".to_owned()]), (0.0, 10.0)),
            [5.0, 5.0]
        );
    }
}
