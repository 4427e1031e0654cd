//! Marks in CSS pixels on a plotters drawing area of finer units.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle};

use super::layout::Frame;
use super::measured::{Measured, width};
use super::name::printable;
use super::surface::Surface;
use super::{Painted, UNITS};

/// The interface's faces. Plots name what the page names.
pub const FAMILY: &str = "ui-sans-serif, system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", \
                          \"Liberation Sans\", sans-serif";

/// Share of the font's size from the base line up to what backends call its middle.
pub const MIDDLE: f64 = 0.27;

/// Px from one line of a hatch to the next.
const HATCH: f64 = 5.0;

/// How a text stands at its place.
#[derive(Clone, Copy, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Size, weight and colour of a text.
#[derive(Clone, Copy)]
pub struct Face {
    pub size: f64,
    pub bold: bool,
    pub colour: RGBColor,
}

impl Face {
    pub fn plain(size: f64, colour: RGBColor) -> Face {
        Face { size, bold: false, colour }
    }

    pub fn bold(size: f64, colour: RGBColor) -> Face {
        Face { size, bold: true, colour }
    }

    pub fn width(&self, text: &str) -> f64 {
        width(text, self.size, self.bold)
    }
}

/// Colour, opacity and width in px of a line.
#[derive(Clone, Copy)]
pub struct Stroke {
    pub colour: RGBColor,
    pub opacity: f64,
    pub width: f64,
}

impl Stroke {
    pub fn solid(colour: RGBColor, width: f64) -> Stroke {
        Stroke { colour, opacity: 1.0, width }
    }
}

/// Draws on a surface; all places in CSS px from the upper left corner.
pub struct Pen<'a> {
    area: DrawingArea<Measured<'a>, Shift>,
}

impl<'a> Pen<'a> {
    pub fn new(surface: &'a mut dyn Surface, frame: &Frame) -> Pen<'a> {
        let size = (units(frame.width).max(1) as u32, units(frame.height).max(1) as u32);
        Pen { area: Measured::new(surface, size).into_drawing_area() }
    }

    /// Hands over what was drawn.
    pub fn done(&self) -> Painted<()> {
        self.area.present()
    }

    /// A filled rectangle.
    pub fn fill(
        &self,
        (x0, y0): (f64, f64),
        (x1, y1): (f64, f64),
        colour: RGBColor,
        opacity: f64,
    ) -> Painted<()> {
        let style = ShapeStyle { color: colour.mix(opacity), filled: true, stroke_width: 0 };
        self.area.draw(&Rectangle::new([place((x0, y0)), place((x1, y1))], style))
    }

    /// A line of 1 px, along pixels where it is level or upright.
    pub fn hair(
        &self,
        (x0, y0): (f64, f64),
        (x1, y1): (f64, f64),
        colour: RGBColor,
        opacity: f64,
    ) -> Painted<()> {
        let (x0, y0) = (libm::floor(x0), libm::floor(y0));
        let end = if y1 - y0 > x1 - x0 { (x0 + 1.0, y1) } else { (x1, y0 + 1.0) };
        self.fill((x0, y0), end, colour, opacity)
    }

    /// The outline of a plot, 1 px inside its edges.
    pub fn frame(
        &self,
        (x0, y0): (f64, f64),
        (x1, y1): (f64, f64),
        colour: RGBColor,
    ) -> Painted<()> {
        self.fill((x0, y0), (x1, y0 + 1.0), colour, 1.0)?;
        self.fill((x0, y1 - 1.0), (x1, y1), colour, 1.0)?;
        self.fill((x0, y0 + 1.0), (x0 + 1.0, y1 - 1.0), colour, 1.0)?;
        self.fill((x1 - 1.0, y0 + 1.0), (x1, y1 - 1.0), colour, 1.0)
    }

    /// A line through `points`; a single one becomes a dot.
    pub fn line(&self, points: &[(f64, f64)], stroke: Stroke) -> Painted<()> {
        if let [point] = points {
            return self.dot(*point, stroke.width * 0.75, stroke.colour, stroke.opacity);
        }
        let mut path: Vec<_> = points.iter().map(|&point| place(point)).collect();
        path.dedup();
        let stroke_width = units(stroke.width).max(1) as u32;
        let style =
            ShapeStyle { color: stroke.colour.mix(stroke.opacity), filled: false, stroke_width };
        self.area.draw(&PathElement::new(path, style))
    }

    /// A line through `points` in the given lengths of dash and gap; solid without them.
    pub fn dashed(&self, points: &[(f64, f64)], stroke: Stroke, dash: &[f64]) -> Painted<()> {
        if dash.iter().all(|&length| length <= 0.0) {
            return self.line(points, stroke);
        }
        dashes(points, dash).iter().try_for_each(|points| self.line(points, stroke))
    }

    /// A filled shape round `corners`.
    pub fn shape(&self, corners: &[(f64, f64)], colour: RGBColor, opacity: f64) -> Painted<()> {
        let mut path: Vec<_> = corners.iter().map(|&corner| place(corner)).collect();
        path.dedup();
        self.area.draw(&Polygon::new(path, colour.mix(opacity)))
    }

    /// Lines of 45° and 1 px, 5 px apart, over a rectangle; those of neighbours go on in one
    /// another.
    pub fn hatch(
        &self,
        (left, top): (f64, f64),
        (right, bottom): (f64, f64),
        colour: RGBColor,
        opacity: f64,
    ) -> Painted<()> {
        let step = HATCH * core::f64::consts::SQRT_2;
        let first = libm::ceil((left + top) / step) as i64;
        let last = libm::floor((right + bottom) / step) as i64;
        for k in first..=last {
            // Where a line x + y = c enters and leaves the rectangle.
            let c = k as f64 * step;
            let (from, to) = ((c - bottom).max(left), (c - top).min(right));
            if to > from {
                let stroke = Stroke { colour, opacity, width: 1.0 };
                self.line(&[(from, c - from), (to, c - to)], stroke)?;
            }
        }
        Ok(())
    }

    /// A filled circle of radius `r`.
    pub fn dot(&self, at: (f64, f64), r: f64, colour: RGBColor, opacity: f64) -> Painted<()> {
        let style = ShapeStyle { color: colour.mix(opacity), filled: true, stroke_width: 0 };
        self.area.draw(&Circle::new(place(at), units(r).max(1) as u32, style))
    }

    /// A text on its base line.
    pub fn text(
        &self,
        (x, base): (f64, f64),
        anchor: Anchor,
        text: &str,
        face: Face,
    ) -> Painted<()> {
        let horizontal = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let weight = if face.bold { FontStyle::Bold } else { FontStyle::Normal };
        let size = face.size * f64::from(UNITS);
        let font = FontDesc::new(FontFamily::Name(FAMILY), size, weight);
        let style =
            TextStyle::from(font).color(&face.colour).pos(Pos::new(horizontal, VPos::Center));
        self.area.draw(&Text::new(printable(text), place((x, base - MIDDLE * face.size)), style))
    }

    /// A text on its base line with a ground of 3 px round it.
    pub fn text_on(
        &self,
        at: (f64, f64),
        anchor: Anchor,
        text: &str,
        face: Face,
        ground: RGBColor,
    ) -> Painted<()> {
        let wide = face.width(text);
        let left = match anchor {
            Anchor::Start => at.0,
            Anchor::Middle => at.0 - wide / 2.0,
            Anchor::End => at.0 - wide,
        };
        let from = (left - 3.0, at.1 - face.size * 0.8 - 1.0);
        self.fill(from, (left + wide + 3.0, at.1 + face.size * 0.2 + 1.0), ground, 0.8)?;
        self.text(at, anchor, text, face)
    }
}

fn place((x, y): (f64, f64)) -> (i32, i32) {
    (units(x), units(y))
}

fn units(px: f64) -> i32 {
    libm::round(px * f64::from(UNITS)).clamp(-1e6, 1e6) as i32
}

/// The drawn pieces of a dashed line.
fn dashes(points: &[(f64, f64)], dash: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let mut lengths = dash.iter().map(|length| length.max(0.5)).cycle();
    let mut left = lengths.next().unwrap_or(f64::INFINITY);
    let mut drawing = true;
    let mut pieces: Vec<Vec<(f64, f64)>> = vec![points.iter().take(1).copied().collect()];
    for pair in points.windows(2) {
        let &[mut from, to] = pair else { continue };
        loop {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = (dx * dx + dy * dy).sqrt();
            let ends = length > left;
            let next =
                if ends { (from.0 + dx * left / length, from.1 + dy * left / length) } else { to };
            if let Some(piece) = pieces.last_mut().filter(|_| drawing) {
                piece.push(next);
            }
            if !ends {
                left -= length;
                break;
            }
            drawing = !drawing;
            if drawing {
                pieces.push(vec![next]);
            }
            left = lengths.next().unwrap_or(f64::INFINITY);
            from = next;
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_follow_the_line_round_corners() {
        let line = [(0.0, 0.0), (4.0, 0.0), (4.0, 6.0)];
        let expected = [vec![(0.0, 0.0), (4.0, 0.0), (4.0, 3.0)], vec![(4.0, 6.0)]];
        assert_eq!(dashes(&line, &[7.0, 3.0]), expected[..1]);
        assert_eq!(dashes(&line, &[1.0, 3.0]).len(), 3);
    }
}
