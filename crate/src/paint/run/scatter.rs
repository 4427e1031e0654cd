//! The bursts as points: how much each does, and how fast.

use super::{FAINT, RunView};
use crate::glance::{Brush, Glance, Points};
use crate::order;
use crate::paint::scale::{THIN, decimals, multiples, number, thousands};
use crate::paint::scene::{Anchor, Face, Layout, Pen, Place, Plot, Stroke, elide_end, mix};
use crate::paint::time::{MIDDLE, TICK};
use crate::quantity::duration;

/// Radius of a point, and of the ring of one in no cluster.
const RADIUS: f64 = 2.6;
const RING: f64 = 2.2;

/// Least px from one value of an axis to the next.
const STEP: f64 = 56.0;
const ROW: f64 = 26.0;

/// Below so many decades powers of ten alone would leave the axis bare.
const FEW_DECADES: f64 = 2.5;

/// Height of the axis below.
const BELOW: f64 = 24.0;

/// Clusters of higher numbers are told by their colour alone.
const NUMBERED: u32 = 10;

/// Corners of the ring.
const CORNERS: usize = 12;

/// Most corners of a lasso: a link of so many has 1 kB of them.
const CORNERS_OF_A_LASSO: usize = 64;

/// What is nearer to a click than this is meant, in px.
const NEAR: f64 = 14.0;

/// The plane that points lie in.
struct Plane<'a> {
    points: &'a Points,
    plot: Plot,
    /// Values of the points: linear, and as logarithms to the base 10.
    x: Vec<f64>,
    y: Vec<f64>,
    x_most: f64,
    y_range: (f64, f64),
    by_lifeline: bool,
}

impl<'a> Plane<'a> {
    /// `None` where there is nothing to show.
    fn of(glance: &'a Glance, view: &RunView) -> Option<Self> {
        let (points, frame) = (&glance.points, view.frame());
        let by_lifeline = points.ipc.is_empty();
        let durations = view.durations || points.instructions.is_empty();
        let x = match by_lifeline {
            true => points.lifelines.iter().map(|&at| f64::from(at) + 1.0).collect(),
            false => points.ipc.clone(),
        };
        let y = if durations { &points.durations_ns } else { &points.instructions };
        let y = y.iter().map(|value| libm::log10(value.max(1.0))).collect::<Vec<_>>();
        let finite = || y.iter().copied().filter(|value| value.is_finite());
        let low = finite().reduce(f64::min)?;
        let high = finite().reduce(f64::max)?;
        let x_most = x.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let margin = ((high - low) * 0.06).max(0.1);
        Some(Self {
            points,
            plot: Plot { bottom: frame.height - BELOW, ..frame.plot() },
            x_most: (x_most * 1.06).max(f64::MIN_POSITIVE),
            y_range: (low - margin, high + margin),
            x,
            y,
            by_lifeline,
        })
    }

    /// Where a point lies; `None` of what has no values.
    fn place(&self, at: usize) -> Option<Place> {
        let (x, y) = (*self.x.get(at)?, *self.y.get(at)?);
        (x.is_finite() && y.is_finite()).then(|| (self.across(x), self.up(y)))
    }

    fn is_brushed(&self, brush: &Brush, at: usize) -> bool {
        let up =
            if brush.durations { &self.points.durations_ns } else { &self.points.instructions };
        let place = self.x.get(at).zip(up.get(at));
        place.is_some_and(|(across, up)| brush.holds(*across, *up))
    }

    /// Upper left and lower right of what of a brush lies in the plot.
    fn corners(&self, brush: &Brush) -> (Place, Place) {
        let Plot { left, top, right, bottom } = self.plot;
        let across = brush.across.map(|value| self.across(value).max(left).min(right));
        let up = brush
            .up
            .map(|value| self.up(libm::log10(value.max(f64::MIN_POSITIVE))).max(top).min(bottom));
        ((across[0], up[1]), (across[1], up[0]))
    }

    fn across(&self, x: f64) -> f64 {
        self.plot.left + x / self.x_most * (self.plot.right - self.plot.left)
    }

    fn up(&self, y: f64) -> f64 {
        let (low, high) = self.y_range;
        self.plot.bottom - (y - low) / (high - low) * (self.plot.bottom - self.plot.top)
    }
}

/// Paints points and axes.
#[inline(never)]
pub fn scatter(pen: &dyn Pen, glance: &Glance, view: &RunView) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let Some(plane) = Plane::of(glance, view) else { return frame.layout() };
    axes(pen, view, &plane);
    // Marked and brushed ones last, on top.
    let is_brushed = |at| view.brush.as_ref().is_none_or(|brush| plane.is_brushed(brush, at));
    let is_marked = |at: &usize| match view.brush {
        Some(_) => is_brushed(*at),
        None => view.marked.contains(&plane.points.clusters[*at]),
    };
    let all = 0..plane.points.clusters.len();
    let (above, below): (Vec<_>, Vec<_>) = all.partition(is_marked);
    for at in below.into_iter().chain(above) {
        let Some(place) = plane.place(at) else { continue };
        let number = plane.points.clusters[at];
        let colour = view.of_cluster(number);
        let colour = if is_brushed(at) { colour } else { mix(tokens.surface, colour, FAINT) };
        match number {
            0 => ring(pen, place, Stroke::solid(colour, 1.0)),
            _ => pen.dot(place, RADIUS, colour, 0.85),
        }
    }
    if let Some(brush) = &view.brush {
        let (from, to) = plane.corners(brush);
        let place = |&[x, y]: &[f64; 2]| (plane.across(x), plane.up(y));
        let outline = brush.outline.iter().map(place).collect::<Vec<_>>();
        match outline.first() {
            None => {
                pen.fill(from, to, tokens.accent, 0.08);
                pen.frame(from, to, tokens.accent);
            }
            Some(first) => {
                let closed = [outline.as_slice(), &[*first]].concat();
                pen.path(&closed, Stroke::solid(tokens.accent, 1.0));
            }
        }
    }
    for (number, (x, y)) in middles(&plane) {
        let is_faint = !view.marked.is_empty() && !view.marked.contains(&number);
        let colour = if is_faint { tokens.ink3 } else { tokens.readable(view.of_cluster(number)) };
        let face = Face::bold(TICK, colour);
        let text = number.to_string();
        let right = x + 8.0 + face.width(&text) <= plane.plot.right;
        let (x, anchor) = if right { (x + 8.0, Anchor::Start) } else { (x - 8.0, Anchor::End) };
        pen.text_on((x, y + MIDDLE), anchor, &text, face, tokens.surface);
    }
    Layout { plot: plane.plot, strips: Vec::new() }
}

/// What lies between two places of the plot; `None` where there is no plot.
#[inline(never)]
pub fn brush(glance: &Glance, view: &RunView, a: Place, b: Place) -> Option<Brush> {
    Some(Brush { outline: vec![], ..around(glance, view, &[a, b])? })
}

/// What lies inside a line of places that is joined at its ends; `None` where there is no plot, or
/// fewer than three places. Of many places at most [`CORNERS_OF_A_LASSO`] are taken, evenly.
#[inline(never)]
pub fn lasso(glance: &Glance, view: &RunView, line: &[Place]) -> Option<Brush> {
    let corners = line.len().min(CORNERS_OF_A_LASSO);
    let corner = |at: usize| line[at * line.len() / corners];
    let line = (0..corners).map(corner).collect::<Vec<_>>();
    around(glance, view, &line).filter(|brush| brush.outline.len() >= 3)
}

/// The values that places reach, and the places as an outline.
fn around(glance: &Glance, view: &RunView, places: &[Place]) -> Option<Brush> {
    let plane = Plane::of(glance, view)?;
    let Plot { left, top, right, bottom } = plane.plot;
    let (low, high) = plane.y_range;
    let outline = places.iter().map(|(x, y)| {
        let across = (x.clamp(left, right) - left) / (right - left) * plane.x_most;
        [across, low + (bottom - y.clamp(top, bottom)) / (bottom - top) * (high - low)]
    });
    let outline = outline.collect::<Vec<_>>();
    let reach = |of: fn(&[f64; 2]) -> f64| {
        let values = || outline.iter().map(of);
        Some([values().reduce(f64::min)?, values().reduce(f64::max)?])
    };
    Some(Brush {
        across: reach(|[across, _]| *across)?,
        up: reach(|[_, up]| *up)?.map(|up| libm::pow(10.0, up)),
        durations: view.durations || glance.points.instructions.is_empty(),
        outline,
    })
}

/// Where the corners of the brush of a view lie; `None` without one.
#[inline(never)]
pub fn brush_corners(glance: &Glance, view: &RunView) -> Option<(Place, Place)> {
    Some(Plane::of(glance, view)?.corners(view.brush.as_ref()?))
}

/// The points that are brushed, by their places; of a view without a brush none.
#[inline(never)]
pub fn brushed_points(glance: &Glance, view: &RunView) -> Vec<usize> {
    let Some((plane, brush)) = Plane::of(glance, view).zip(view.brush.as_ref()) else {
        return vec![];
    };
    (0..plane.points.clusters.len()).filter(|at| plane.is_brushed(brush, *at)).collect()
}

/// The cluster of the point nearest to a place, if any is near.
#[inline(never)]
pub fn nearest_cluster(glance: &Glance, view: &RunView, (x, y): Place) -> Option<u32> {
    let plane = Plane::of(glance, view)?;
    let distance = |at: usize| {
        let (px, py) = plane.place(at)?;
        Some((libm::hypot(px - x, py - y), plane.points.clusters[at]))
    };
    let near = (0..plane.points.clusters.len()).filter_map(distance);
    let near = near.filter(|(away, number)| *away <= NEAR && *number > 0);
    near.reduce(|a, b| if b.0 < a.0 { b } else { a }).map(|(_, number)| number)
}

/// The middle of each numbered cluster; of those that lie together the first.
fn middles(plane: &Plane<'_>) -> Vec<(u32, Place)> {
    let mut middles: Vec<(u32, Place)> = Vec::new();
    for number in 1..=NUMBERED {
        let members = plane.points.clusters.iter().enumerate().filter(|(_, own)| **own == number);
        let places = members.filter_map(|(at, _)| plane.place(at)).collect::<Vec<_>>();
        let middle =
            |of: fn(&Place) -> f64| order::median(&mut places.iter().map(of).collect::<Vec<_>>());
        if let Some(place) = middle(|place| place.0).zip(middle(|place| place.1)) {
            let meets = |(_, other): &(u32, Place)| {
                (other.0 - place.0).abs() < 2.0 * TICK && (other.1 - place.1).abs() < TICK
            };
            if !middles.iter().any(meets) {
                middles.push((number, place));
            }
        }
    }
    middles
}

fn ring(pen: &dyn Pen, (x, y): Place, stroke: Stroke) {
    let corner = |at: usize| {
        let angle = core::f64::consts::TAU * at as f64 / CORNERS as f64;
        (x + RING * libm::cos(angle), y + RING * libm::sin(angle))
    };
    pen.path(&(0..=CORNERS).map(corner).collect::<Vec<_>>(), stroke);
}

/// Powers of ten in a range of logarithms, as many as there is room for; of few decades the double and
/// the fivefold too.
fn decades((low, high): (f64, f64), room: f64) -> Vec<f64> {
    let powers = libm::floor(low) as i32..=libm::floor(high) as i32;
    let every = libm::ceil(f64::from(powers.clone().count() as u32) / room.max(1.0)).max(1.0);
    let steps = if high - low < FEW_DECADES { &[1.0, 2.0, 5.0][..] } else { &[1.0] };
    let powers = powers.step_by(every as usize);
    let values = powers
        .flat_map(|power| steps.iter().map(move |step| step * libm::pow(10.0, f64::from(power))));
    values.filter(|value| (low..=high).contains(&libm::log10(*value))).collect()
}

fn axes(pen: &dyn Pen, view: &RunView, plane: &Plane<'_>) {
    let (frame, tokens, plot) = (view.frame(), view.tokens(), &plane.plot);
    let face = Face::plain(TICK, tokens.ink3);
    let inset = frame.inset(frame.left);
    let is_duration = view.durations || plane.points.instructions.is_empty();
    for value in decades(plane.y_range, (plot.bottom - plot.top) / ROW) {
        let y = plane.up(libm::log10(value));
        pen.hair((plot.left, y), (plot.right, y), tokens.ink, tokens.grid);
        let (size, letter) = thousands(value);
        let text = match is_duration {
            true => duration(value),
            false => format!("{}{THIN}{letter}", number(value / size, 0)),
        };
        if y > plot.top + 2.0 * TICK {
            pen.text((plot.left - inset, y + MIDDLE), Anchor::End, &text, face);
        }
    }
    let name = if is_duration { "duration" } else { "instructions" };
    let name = elide_end(name, plot.left - inset, TICK, false);
    pen.text((plot.left - inset, plot.top + TICK), Anchor::End, &name, face);
    let wide = plot.right - plot.left;
    let least = plane.x_most * STEP / wide;
    let least = if plane.by_lifeline { least.max(1.0) } else { least };
    let (step, values) = multiples(0.0, plane.x_most, least);
    for value in values {
        let x = plane.across(value);
        pen.hair((x, plot.top), (x, plot.bottom), tokens.ink, tokens.grid);
        let text = number(value, if value == 0.0 { 0 } else { decimals(step) });
        let unit = if plane.by_lifeline { "thread" } else { "IPC" };
        let text = match (value == 0.0, plane.by_lifeline) {
            (true, true) => unit.to_owned(),
            (true, false) => format!("{text} {unit}"),
            (false, _) => text,
        };
        let half = face.width(&text) / 2.0;
        let x = x.max(plot.left + half);
        if x + half <= plot.right + 2.0 {
            pen.text((x, plot.bottom + 15.0), Anchor::Middle, &text, face);
        }
    }
    pen.frame((plot.left, plot.top), (plot.right, plot.bottom), tokens.line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glance() -> Glance {
        let points = Points {
            clusters: vec![1, 1, 2, 0],
            durations_ns: vec![1e6, 2e6, 5e3, 1e9],
            instructions: vec![2e6, 3e6, 1e4, f64::NAN],
            ipc: vec![1.0, 0.9, 2.0, f64::NAN],
            lifelines: vec![0, 1, 0, 1],
            share: 1.0,
        };
        Glance { points, ..Glance::default() }
    }

    fn view() -> RunView {
        RunView { width: 400.0, height: 300.0, left: 80.0, right: 12.0, ..RunView::default() }
    }

    #[test]
    fn a_brush_between_two_places_holds_the_points_that_lie_there() {
        let (glance, view) = (glance(), view());
        let plane = Plane::of(&glance, &view).unwrap();
        let places = (0..4).map(|at| plane.place(at)).collect::<Vec<_>>();
        assert_eq!(places[3], None);
        for (at, place) in places.iter().enumerate() {
            let Some((x, y)) = *place else { continue };
            // Whichever corner it is drawn from.
            for (a, b) in [((-5.0, -5.0), (5.0, 5.0)), ((5.0, -5.0), (-5.0, 5.0))] {
                let brush = brush(&glance, &view, (x + a.0, y + a.1), (x + b.0, y + b.1)).unwrap();
                let brushed = RunView { brush: Some(brush), ..view.clone() };
                assert_eq!(brushed_points(&glance, &brushed), [at]);
                let (from, to) = brush_corners(&glance, &brushed).unwrap();
                let apart = [from.0 - x + 5.0, from.1 - y + 5.0, to.0 - x - 5.0, to.1 - y - 5.0];
                assert!(apart.iter().all(|px| px.abs() < 1e-6), "{apart:?}");
            }
        }
    }

    #[test]
    fn a_lasso_holds_what_it_goes_round_and_nothing_that_is_only_within_its_reach() {
        let (glance, view) = (glance(), view());
        let plane = Plane::of(&glance, &view).unwrap();
        let places = (0..3).map(|at| plane.place(at).unwrap()).collect::<Vec<_>>();
        // Round the first and the third point, and past the second, which lies between their values.
        let [(x0, y0), (x1, y1), (x2, y2)] = [places[0], places[1], places[2]];
        assert!(x1 < x0 && y1 < y0);
        let ring = |(x, y): Place, radius: f64| {
            (0..200).map(move |at| {
                let angle = core::f64::consts::TAU * f64::from(at) / 200.0;
                (x + radius * libm::cos(angle), y + radius * libm::sin(angle))
            })
        };
        for (at, place) in places.iter().enumerate() {
            let brush = lasso(&glance, &view, &ring(*place, 4.0).collect::<Vec<_>>()).unwrap();
            assert!(brush.outline.len() <= CORNERS_OF_A_LASSO);
            assert_eq!(
                brushed_points(&glance, &RunView { brush: Some(brush), ..view.clone() }),
                [at]
            );
        }
        let bent = [
            (x0, y0 - 8.0),
            (x2 + 8.0, y2),
            (x2, y2 + 8.0),
            (x1 - 30.0, y0 + 8.0),
            (x1 - 30.0, y1 - 30.0),
            (x1 - 20.0, y1 - 30.0),
            (x1 - 20.0, y0 - 1.0),
        ];
        let brush = lasso(&glance, &view, &bent).unwrap();
        let reach = Brush { outline: vec![], ..brush.clone() };
        let brushed =
            |brush| brushed_points(&glance, &RunView { brush: Some(brush), ..view.clone() });
        assert_eq!(brushed(brush), [0, 2]);
        assert_eq!(brushed(reach), [0, 1, 2]);
        assert_eq!(lasso(&glance, &view, &bent[..2]), None);
        assert_eq!(lasso(&glance, &view, &[]), None);
    }

    #[test]
    fn a_brush_of_the_whole_plot_holds_all_that_has_a_place() {
        let (glance, view) = (glance(), view());
        let all = brush(&glance, &view, (-1e3, -1e3), (1e3, 1e3));
        assert_eq!(brushed_points(&glance, &RunView { brush: all, ..view.clone() }), [0, 1, 2]);
        assert_eq!(brushed_points(&glance, &view), [0usize; 0]);
        assert_eq!(brush_corners(&glance, &view), None);
        assert_eq!(brush(&Glance::default(), &view, (0.0, 0.0), (1.0, 1.0)), None);
    }

    #[test]
    fn a_click_means_the_nearest_cluster_and_never_what_is_in_none() {
        let mut glance = glance();
        glance.points.clusters[2] = 0;
        let view = view();
        let plane = Plane::of(&glance, &view).unwrap();
        let near = |at: usize, away: f64| {
            let (x, y) = plane.place(at).unwrap();
            nearest_cluster(&glance, &view, (x + away, y))
        };
        assert_eq!([near(0, 3.0), near(0, NEAR + 1.0), near(2, 3.0)], [Some(1), None, None]);
    }

    #[test]
    fn corners_of_a_brush_stay_in_the_plot() {
        let (glance, view) = (glance(), view());
        let wide =
            Brush { across: [-5.0, 50.0], up: [1e-30, 1e30], durations: false, outline: vec![] };
        let (from, to) =
            brush_corners(&glance, &RunView { brush: Some(wide), ..view.clone() }).unwrap();
        let Plot { left, top, right, bottom } = Plane::of(&glance, &view).unwrap().plot;
        assert_eq!((from, to), ((left, top), (right, bottom)));
    }
}
