//! What stands for a value, and what of its looks is fixed.

use plotters::style::RGBColor;

use crate::paint::scene::{Pen, Place, Stroke};

/// A mark: where it lies comes from values through scales, how it looks stands here. The same mark
/// is drawn in a plot and beside its name in a legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// Through places, in these lengths of dash and gap; solid without them.
    Line { stroke: Stroke, dash: &'static [f64] },
    /// Inside corners.
    Area { colour: RGBColor, opacity: f64 },
    /// At each place; radius in px.
    Dot { radius: f64, colour: RGBColor, opacity: f64 },
    /// Round each place; side in px.
    Square { side: f64, colour: RGBColor, opacity: f64 },
    /// Between an upper left and a lower right corner.
    Hatch { colour: RGBColor, opacity: f64 },
}

/// Width and height of a mark beside its name in px.
const KEY: Place = (14.0, 11.0);

/// A dot beside its name: its radius, its place, and the side of a square.
const KEY_DOT: f64 = 2.5;
const KEY_DOT_AT: f64 = 10.0;
const KEY_SQUARE: f64 = 8.0;

impl Mark {
    /// A solid line.
    pub fn line(colour: RGBColor, width: f64) -> Mark {
        Mark::Line { stroke: Stroke::solid(colour, width), dash: &[] }
    }

    /// Draws it at places.
    pub fn draw(&self, pen: &dyn Pen, places: &[Place]) {
        match *self {
            Mark::Line { stroke, dash } => pen.dashed(places, stroke, dash),
            Mark::Area { colour, opacity } => pen.shape(places, colour, opacity),
            Mark::Dot { radius, colour, opacity } => {
                let dots = places.iter().map(|&at| (at, colour)).collect::<Vec<_>>();
                pen.dots(&dots, radius, opacity);
            }
            Mark::Square { side, colour, opacity } => {
                let half = side / 2.0;
                for &(x, y) in places {
                    pen.fill((x - half, y - half), (x + half, y + half), colour, opacity);
                }
            }
            Mark::Hatch { colour, opacity } => {
                if let [from, to] = *places {
                    pen.hatch(from, to, colour, opacity);
                }
            }
        }
    }

    /// With a share of its opacity.
    pub fn faint(mut self, share: f64) -> Mark {
        match &mut self {
            Mark::Line { stroke: Stroke { opacity, .. }, .. }
            | Mark::Area { opacity, .. }
            | Mark::Dot { opacity, .. }
            | Mark::Square { opacity, .. }
            | Mark::Hatch { opacity, .. } => *opacity *= share,
        }
        self
    }

    /// Draws it beside its name, from `x` on and round `middle`.
    pub fn key(&self, pen: &dyn Pen, (x, middle): Place) {
        let (right, half) = (x + KEY.0, KEY.1 / 2.0);
        let (top, bottom) = (middle - half, middle + half);
        match *self {
            Mark::Line { .. } => self.draw(pen, &[(x, middle), (right, middle)]),
            Mark::Area { .. } => {
                self.draw(pen, &[(x, top), (right, top), (right, bottom), (x, bottom)]);
            }
            Mark::Dot { colour, .. } => pen.dot((x + KEY_DOT_AT, middle), KEY_DOT, colour, 1.0),
            Mark::Square { colour, .. } => {
                let half = KEY_SQUARE / 2.0;
                pen.fill((x, middle - half), (x + KEY_SQUARE, middle + half), colour, 1.0);
            }
            Mark::Hatch { .. } => self.draw(pen, &[(x, top), (right, bottom)]),
        }
    }
}
