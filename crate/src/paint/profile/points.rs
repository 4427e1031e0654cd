//! Threads as points: what each has of one node against what it has of another, Malony, Huck 2014, Fig. 4.

use plotters::style::RGBColor;

use super::ProfileView;
use crate::paint::scale::{Steps, decimals};
use crate::paint::scene::{Anchor, Face, Layout, Pen, Place, Plot, elide_end, mix, rgb};
use crate::paint::time::{MIDDLE, TICK};
use crate::quantity::{OfMetric, number};

/// Px above the plot, and below it for numbers and a name.
const ABOVE: f64 = 6.0;
const BELOW: f64 = 36.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 10.0;

/// Radius of a point, and of the smallest and the largest where size tells something.
const RADIUS: f64 = 3.2;
const SIZES: [f64; 2] = [2.0, 8.0];
const SIZES_TOLD: usize = 8;

/// What is nearer to the pointer than this is meant, in px.
const NEAR: f64 = 14.0;

const OPACITY: f64 = 0.7;

/// What an axis tells of the threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    pub name: String,
    /// By thread; NaN where one has none.
    pub values: Vec<f64>,
    pub written: Option<OfMetric>,
}

/// Which of the four an axis is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisOf {
    X,
    Y,
    Colour,
    Size,
}

impl Axis {
    fn finite(&self) -> impl Iterator<Item = f64> {
        self.values.iter().copied().filter(|value| value.is_finite())
    }

    fn ends(&self) -> Option<(f64, f64)> {
        let (low, high) = (self.finite().reduce(f64::min)?, self.finite().reduce(f64::max)?);
        Some((low, high))
    }

    fn factor(&self) -> f64 {
        self.written.as_ref().map_or(1.0, |written| written.factor)
    }

    fn unit(&self) -> &str {
        self.written.as_ref().map_or("", |written| written.unit)
    }

    /// Where between its least and largest value each thread lies; empty without values.
    fn shares(&self) -> Vec<Option<f64>> {
        let Some((low, high)) = self.ends() else { return vec![] };
        let share = |value: f64| if high > low { (value - low) / (high - low) } else { 0.5 };
        self.values.iter().map(|value| value.is_finite().then(|| share(*value))).collect()
    }
}

struct Plane {
    plot: Plot,
    x: Steps,
    y: Steps,
}

impl Plane {
    fn of(view: &ProfileView, [x, y, ..]: &[Axis; 4]) -> Option<Self> {
        let frame = view.frame();
        let plot = Plot {
            left: LEFT,
            right: frame.width - RIGHT,
            top: ABOVE,
            bottom: frame.height - BELOW,
        };
        let steps = |axis: &Axis, most| {
            let (low, high) = axis.ends()?;
            Some(Steps::around(low.max(0.0) * axis.factor(), high * axis.factor(), most))
        };
        Some(Self { plot, x: steps(x, 4)?, y: steps(y, 4)? })
    }

    fn place(&self, [x, y, ..]: &[Axis; 4], thread: usize) -> Option<Place> {
        let at = |axis: &Axis| {
            axis.values
                .get(thread)
                .copied()
                .filter(|value| value.is_finite())
                .map(|value| value * axis.factor())
        };
        Some((self.across(at(x)?), self.up(at(y)?)))
    }

    fn across(&self, value: f64) -> f64 {
        let Self { plot, x, .. } = self;
        plot.left + (value - x.min) / (x.max() - x.min) * (plot.right - plot.left)
    }

    fn up(&self, value: f64) -> f64 {
        let Self { plot, y, .. } = self;
        plot.bottom - (value - y.min) / (y.max() - y.min) * (plot.bottom - plot.top)
    }
}

/// Paints a point for each thread that has a value on the first two axes: x, y, colour, size. The last
/// two may be without values.
#[inline(never)]
pub fn points(pen: &dyn Pen, view: &ProfileView, axes: &[Axis; 4]) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let Some(plane) = Plane::of(view, axes) else { return frame.layout() };
    let plot = &plane.plot;
    let face = Face::plain(TICK, tokens.ink3);
    let [x, y, colour, size] = axes;
    let text = |steps: Steps, value: f64| {
        number(value, if value == 0.0 { 0 } else { decimals(steps.step) })
    };
    for at in 0..=plane.y.count {
        let value = plane.y.min + plane.y.step * f64::from(at);
        let up = plane.up(value);
        pen.hair((plot.left, up), (plot.right, up), tokens.ink, tokens.grid);
        let words = if at == plane.y.count && !y.unit().is_empty() {
            y.unit().to_owned()
        } else {
            text(plane.y, value)
        };
        pen.text((plot.left - 6.0, up + MIDDLE), Anchor::End, &words, face);
    }
    let mut end = f64::NEG_INFINITY;
    for at in 0..=plane.x.count {
        let value = plane.x.min + plane.x.step * f64::from(at);
        let across = plane.across(value);
        pen.hair((across, plot.top), (across, plot.bottom), tokens.ink, tokens.grid);
        let words = text(plane.x, value);
        let half = face.width(&words) / 2.0;
        let middle = across.min(frame.width - half);
        if middle - half > end {
            pen.text((middle, plot.bottom + 15.0), Anchor::Middle, &words, face);
            end = middle + half + 6.0;
        }
    }
    let unit = if x.unit().is_empty() { String::new() } else { format!(", {}", x.unit()) };
    let name = elide_end(&(x.name.clone() + &unit), plot.right - plot.left, TICK, false);
    pen.text(
        (f64::midpoint(plot.left, plot.right), plot.bottom + 30.0),
        Anchor::Middle,
        &name,
        face,
    );
    let threads = x.values.len().min(y.values.len());
    let (hues, sizes) = (colour.shares(), size.shares());
    let told = |shares: &[Option<f64>], thread: usize| shares.get(thread).copied().flatten();
    // Of one size together, as there may be thousands.
    let mut dots = vec![Vec::<(Place, RGBColor)>::new(); SIZES_TOLD];
    for thread in 0..threads {
        let Some(place) = plane.place(axes, thread) else { continue };
        let steps = tokens.latency.len();
        let hue = match told(&hues, thread) {
            Some(share) => tokens
                .latency
                .get(((share * steps as f64) as usize).min(steps - 1))
                .map_or(tokens.ink3, |hex| rgb(*hex)),
            None => tokens.accent,
        };
        let step = told(&sizes, thread).map_or(0, |share| (share * SIZES_TOLD as f64) as usize);
        dots[step.min(SIZES_TOLD - 1)].push((place, hue));
    }
    for (step, dots) in dots.iter().enumerate() {
        // As areas, so that twice as much looks so.
        let share = step as f64 / (SIZES_TOLD - 1) as f64;
        let area = SIZES[0] * SIZES[0] + share * (SIZES[1] * SIZES[1] - SIZES[0] * SIZES[0]);
        let radius = if !sizes.is_empty() { libm::sqrt(area) } else { RADIUS };
        pen.dots(dots, radius, OPACITY);
    }
    let chosen = view.thread.and_then(|thread| plane.place(axes, thread as usize));
    if let Some(place) = chosen {
        pen.dot(place, RADIUS + 3.0, tokens.ink, 1.0);
        pen.dot(place, RADIUS + 1.0, mix(tokens.surface, tokens.accent, 0.5), 1.0);
    }
    pen.frame((plot.left, plot.top), (plot.right, plot.bottom), tokens.line);
    Layout { plot: plane.plot, strips: vec![] }
}

/// The place of the thread whose point is nearest, if any is near.
#[inline(never)]
pub fn nearest_thread(view: &ProfileView, axes: &[Axis; 4], (x, y): Place) -> Option<u32> {
    let plane = Plane::of(view, axes)?;
    let threads = 0..axes[0].values.len();
    let away = threads.filter_map(|thread| {
        let (across, up) = plane.place(axes, thread)?;
        Some((libm::hypot(across - x, up - y), thread as u32))
    });
    let near = away.filter(|(away, _)| *away <= NEAR);
    near.reduce(|a, b| if b.0 < a.0 { b } else { a }).map(|(_, thread)| thread)
}
