//! The instances of a group over the run, each as a point, with the median of each stretch and the trend.
//!
//! Points go through one image, as those of a cloud do: a canvas would draw a million of them for
//! seconds.

use plotters::style::RGBColor;
use serde::Deserialize;

use super::View;
use super::scale::Linear;
use super::scene::{Frame, Layout, Pen, Place, Plot, RgbaImage, Size, Stroke, Theme, Tokens};
use super::time::{ticks_of_time, values_beside};
use crate::folding::Course;
use crate::quantity::OfInstance;

/// All that the picture depends on beside the course.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default, rename_all = "camelCase")]
pub struct CourseView {
    pub theme: Theme,
    /// Size of the canvas, and its gutters, in CSS px.
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    /// The part of the run that is brushed: nanoseconds from the begin of the trace.
    pub brush: Option<[f64; 2]>,
}

/// Radius of a point, and what is added to that of one that stands for ten times as many.
const RADIUS: f64 = 1.5;
/// Opacity of a point of one instance, where each is one and where they are joined.
const ALONE: f64 = 0.75;
const JOINED: f64 = 0.35;
/// Of what does not count.
const FAINT: f64 = 0.4;
/// Of a point that stands for a thousand instances and more.
const THOUSAND: f64 = 3.0;
const MEDIAN: f64 = 1.5;
const TREND: f64 = 2.0;
const DASH: [f64; 2] = [7.0, 3.0];
const BRUSH: f64 = 0.09;
/// A point is meant that is no further from the pointer, in px.
const NEAR: f64 = 10.0;

/// Where starts and values lie.
struct Plane {
    frame: Frame,
    plot: Plot,
    across: Linear,
    up: Linear,
}

impl Plane {
    fn of(course: &Course, view: &CourseView) -> Self {
        let &CourseView { theme, width, height, left, right, .. } = view;
        let (from, to) = ends(course);
        // The axis tells times of the run, not of what is shown of it.
        let (from, to) = (from / to, 1.0);
        let frame =
            Frame::of(&View { from, to, theme, width, height, left, right, ..View::default() });
        let plot = frame.plot();
        let [low, high] = course.axis;
        Self {
            across: Linear { domain: ends(course), range: (plot.left, plot.right) },
            // Half a point of room, so that what is on the edge is whole.
            up: Linear { domain: (low, high), range: (plot.bottom - RADIUS, plot.top + RADIUS) },
            plot,
            frame,
        }
    }

    fn place(&self, start_ns: f64, value: f64) -> Place {
        (self.across.at(start_ns), self.up.at(value))
    }
}

/// What the axis of time reaches over: one instance has some room, too.
fn ends(course: &Course) -> (f64, f64) {
    let &Course { from_ns, to_ns, .. } = course;
    if to_ns > from_ns { (from_ns, to_ns) } else { (from_ns, from_ns + 1.0) }
}

/// The points, `dpr` device pixels to a CSS px: those that do not count first.
#[inline(never)]
pub fn course_image(course: &Course, view: &CourseView, dpr: f64) -> RgbaImage {
    let plane = Plane::of(course, view);
    let size = Size::of(&plane.frame, dpr);
    let mut image = RgbaImage::default();
    image.fit(&plane.frame, size, 0);
    for wanted in (0..Course::KINDS.len() as u8).rev() {
        let of_kind = course.kinds.iter().enumerate().filter(|(_, kind)| **kind == wanted);
        for (at, _) in of_kind {
            let known = course.starts_ns.get(at).zip(course.values.get(at));
            let Some(((start, value), count)) = known.zip(course.counts.get(at)) else { continue };
            let (x, y) = plane.place(*start, *value);
            let (colour, opacity) =
                (colour(view.theme.tokens(), wanted), opacity(course, wanted, *count));
            let place = ((x - plane.frame.left) * size.dpr, y * size.dpr);
            image.disc(place, RADIUS * size.dpr, colour, f64::from(opacity));
        }
    }
    image
}

fn colour(tokens: &Tokens, kind: u8) -> RGBColor {
    match kind {
        Course::USED => tokens.ink,
        Course::OUTSIDE => tokens.ink3,
        _ => tokens.slower,
    }
}

/// The darker, the more instances a point stands for.
fn opacity(course: &Course, kind: u8, count: u32) -> f32 {
    let alone = if course.thinned { JOINED } else { ALONE };
    let share = (libm::log10(f64::from(count.max(1))) / THOUSAND).min(1.0);
    let opacity = alone + (1.0 - alone) * share;
    (if kind == Course::OUTSIDE { FAINT * opacity } else { opacity }) as f32
}

/// Paints axes, medians, trend and brush round the points of [`course_image`].
#[inline(never)]
pub fn course(pen: &dyn Pen, course: &Course, view: &CourseView) -> Layout {
    let (plane, tokens) = (Plane::of(course, view), view.theme.tokens());
    let plot = &plane.plot;
    let of = OfInstance::of(course);
    let ends = course.axis.map(|value| value * of.factor);
    let up = |value: f64| plane.up.at(value / of.factor);
    values_beside(pen, &plane.frame, tokens, ends, &of.unit, &up);
    let medians = course.stretches.iter().filter_map(|stretch| {
        let middle = stretch.from_ns + (stretch.to_ns - stretch.from_ns) / 2.0;
        Some(plane.place(middle, stretch.median?))
    });
    let medians = medians.collect::<Vec<_>>();
    pen.line(&medians, Stroke::solid(tokens.accent, MEDIAN));
    if let (Some(trend), [first, .., last]) = (&course.trend, &course.stretches[..]) {
        let at = |ns: f64| plane.place(ns, trend.middle + trend.slope[0] * (ns - trend.at_ns));
        let line = [at(first.from_ns), at(last.to_ns)];
        pen.dashed(&line, Stroke::solid(tokens.accent, TREND), &DASH);
    }
    if let Some([from, to]) = view.brush {
        let (left, right) = (plane.across.at(from), plane.across.at(to));
        // Of a range of one pixel, too, something is seen.
        let right = right.max(left + 1.0);
        pen.fill((left, plot.top), (right, plot.bottom), tokens.accent, BRUSH);
        for edge in [left, right - 1.0] {
            pen.fill((edge, plot.top), (edge + 1.0, plot.bottom), tokens.accent, 1.0);
        }
    }
    pen.frame((plot.left, plot.top), (plot.right, plot.bottom), tokens.line);
    Layout { plot: plane.plot, strips: Vec::new() }
}

/// Paints the axis of the time of the run, on a canvas of its own.
#[inline(never)]
pub fn course_axis(pen: &dyn Pen, course: &Course, view: &CourseView) -> Layout {
    let plane = Plane::of(course, view);
    ticks_of_time(pen, &plane.frame, view.theme.tokens(), ends(course).1);
    Layout { plot: plane.plot, strips: Vec::new() }
}

/// The point near a place, by its number; `None` where there is none.
#[inline(never)]
pub fn nearest_instance(course: &Course, view: &CourseView, (x, y): Place) -> Option<usize> {
    let plane = Plane::of(course, view);
    let away = |(start, value): (&f64, &f64)| {
        let place = plane.place(*start, *value);
        (place.0 - x) * (place.0 - x) + (place.1 - y) * (place.1 - y)
    };
    let all = course.starts_ns.iter().zip(&course.values).map(away).enumerate();
    let nearest = all.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (nearest.1 <= NEAR * NEAR).then_some(nearest.0)
}

/// The time of the run at a place of the picture: whole nanoseconds within what is shown.
#[inline(never)]
pub fn start_at(course: &Course, view: &CourseView, x: f64) -> f64 {
    let plane = Plane::of(course, view);
    let (from, to) = ends(course);
    libm::round(plane.across.value(x).clamp(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{CourseStretch, Trend};
    use crate::paint::scene::Svg;

    fn view() -> CourseView {
        CourseView {
            width: 400.0,
            height: 128.0,
            left: 100.0,
            right: 50.0,
            ..CourseView::default()
        }
    }

    /// Two instances of 10 and 20 ms at 0 and 1 s, the second left out.
    fn example() -> Course {
        Course {
            asked: "duration".to_owned(),
            to_ns: 1e9,
            starts_ns: vec![0.0, 1e9],
            values: vec![10e6, 20e6],
            kinds: vec![0, 1],
            threads_of: vec![0, 0],
            counts: vec![1, 1],
            threads: vec!["1.1.1".to_owned()],
            of_kind: vec![1, 1, 0, 0],
            axis: [5e6, 25e6],
            range: Some([10e6, 15e6, 20e6]),
            stretches: vec![
                CourseStretch {
                    to_ns: 1e9,
                    used: 1,
                    median: Some(10e6),
                    ..Default::default()
                };
                2
            ],
            trend: Some(Trend {
                slope: [0.01, 0.0, 0.02],
                middle: 15e6,
                at_ns: 5e8,
                ..Trend::default()
            }),
            ..Course::default()
        }
    }

    fn painted(course_of: &Course, view: &CourseView) -> String {
        let svg = Svg::default();
        course(&svg, course_of, view);
        course_axis(&svg, course_of, view);
        svg.elements()
    }

    #[test]
    fn points_have_the_colour_of_their_kind_where_their_numbers_say() {
        let (course, view) = (example(), view());
        let image = course_image(&course, &view, 1.0);
        let plane = Plane::of(&course, &view);
        for (start, value, kind) in [(0.0, 10e6, 0), (1e9, 20e6, 1)] {
            let (x, y) = plane.place(start, value);
            let column = ((x - 100.0) as usize).min(image.width as usize - 1);
            let at = (y as usize * image.width as usize + column) * 4;
            let RGBColor(r, g, b) = colour(view.theme.tokens(), kind);
            assert_eq!(image.pixels[at..at + 3], [r, g, b], "{kind}");
        }
        assert_eq!(nearest_instance(&course, &view, (102.0, plane.up.at(10e6) + 3.0)), Some(0));
        assert_eq!(nearest_instance(&course, &view, (225.0, 50.0)), None);
    }

    #[test]
    fn places_are_times_of_the_run_and_back_to_the_nanosecond() {
        let (course, view) = (example(), view());
        assert_eq!(
            [-50.0, 100.0, 225.0, 350.0, 999.0].map(|x| start_at(&course, &view, x)),
            [0.0, 0.0, 5e8, 1e9, 1e9]
        );
        let alone = Course { to_ns: 0.0, ..example() };
        assert!(start_at(&alone, &view, 200.0).is_finite());
    }

    #[test]
    fn axes_tell_their_units_and_a_brush_of_one_pixel_is_seen() {
        let of_none = painted(&example(), &view());
        assert!(of_none.contains(">ms<") && of_none.contains(">10<"), "{of_none}");
        assert!(of_none.contains("1\u{202f}000") || of_none.contains(">500"), "{of_none}");
        let brushed = CourseView { brush: Some([5e8, 5e8]), ..view() };
        assert!(painted(&example(), &brushed).len() > of_none.len());
    }

    #[test]
    fn odd_courses_are_painted_without_a_panic() {
        let odd = Course { values: vec![f64::NAN, 1e300], starts_ns: vec![f64::NAN], ..example() };
        for course_of in [Course::default(), odd] {
            for size in [0.0, f64::NAN, 400.0] {
                let view = CourseView { width: size, height: size, ..view() };
                assert!(!painted(&course_of, &view).contains("NaN"));
                course_image(&course_of, &view, f64::NAN);
                nearest_instance(&course_of, &view, (f64::NAN, 0.0));
            }
        }
    }
}
