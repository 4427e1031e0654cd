//! What pictures are drawn with: marks in CSS px from the upper left corner of a lane.
//!
//! Drawing cannot fail, and a pen may be shared: a picture is a sequence of calls that nothing is
//! read back from.

use plotters::style::RGBColor;

use super::image::Dots;
use super::measured::width;
use super::name::printable;

/// The interface's faces. Plots name what the page names.
pub const FAMILY: &str = "ui-sans-serif, system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", \
                          \"Liberation Sans\", sans-serif";

/// Px from one line of a hatch to the next.
const HATCH: f64 = 5.0;

/// A dot that stands for a line of one point, in widths of the line.
const LONE_DOT: f64 = 0.75;

/// Shortest dash and gap in px: a pattern of nothing would never end.
const SHORTEST_DASH: f64 = 0.5;

/// The ground under a text: px beside it and above and below it, how far letters reach up and down
/// in shares of their size, and its opacity.
const GROUND_BESIDE: f64 = 3.0;
const GROUND_ABOVE: f64 = 1.0;
const ASCENT: f64 = 0.8;
const DESCENT: f64 = 0.2;
const GROUND_OPACITY: f64 = 0.8;

/// A place in CSS px: right of the left edge, below the upper one.
pub type Place = (f64, f64);

/// How a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Size in px, weight and colour of a text.
#[derive(Clone, Copy, Debug)]
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

    /// Px that `text` takes.
    pub fn width(&self, text: &str) -> f64 {
        width(text, self.size, self.bold)
    }
}

/// Colour, opacity and width in px of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// What a picture can be drawn with: [`Svg`](super::Svg), and the canvas of the page.
pub trait Pen {
    /// A filled rectangle between its upper left and its lower right corner.
    fn fill(&self, from: Place, to: Place, colour: RGBColor, opacity: f64);

    /// A line through `points`, with round corners.
    fn path(&self, points: &[Place], stroke: Stroke);

    /// A filled shape round `corners`.
    fn shape(&self, corners: &[Place], colour: RGBColor, opacity: f64);

    /// A filled circle.
    fn dot(&self, at: Place, radius: f64, colour: RGBColor, opacity: f64);

    /// Filled circles of one size. A canvas has many of them as one image: they are thousands, and each call
    /// of its own costs it about 2 µs.
    fn dots(&self, dots: &Dots, radius: f64, opacity: f64) {
        dots.iter().for_each(|&(at, colour)| self.dot(at, radius, colour, opacity));
    }

    /// A line of text on its base line, as it is: [`Pen::text`] makes it fit to be drawn.
    fn print(&self, base: Place, anchor: Anchor, text: &str, face: Face);

    /// A line of 1 px, along pixels where it is level or upright.
    fn hair(&self, (x0, y0): Place, (x1, y1): Place, colour: RGBColor, opacity: f64) {
        let (x0, y0) = (libm::floor(x0), libm::floor(y0));
        let end = if y1 - y0 > x1 - x0 { (x0 + 1.0, y1) } else { (x1, y0 + 1.0) };
        self.fill((x0, y0), end, colour, opacity);
    }

    /// The outline of a plot, 1 px inside its edges.
    fn frame(&self, (x0, y0): Place, (x1, y1): Place, colour: RGBColor) {
        self.fill((x0, y0), (x1, y0 + 1.0), colour, 1.0);
        self.fill((x0, y1 - 1.0), (x1, y1), colour, 1.0);
        self.fill((x0, y0 + 1.0), (x0 + 1.0, y1 - 1.0), colour, 1.0);
        self.fill((x1 - 1.0, y0 + 1.0), (x1, y1 - 1.0), colour, 1.0);
    }

    /// A line through `points`; a single one becomes a dot.
    fn line(&self, points: &[Place], stroke: Stroke) {
        match points {
            [] => {}
            [at] => self.dot(*at, stroke.width * LONE_DOT, stroke.colour, stroke.opacity),
            _ => self.path(points, stroke),
        }
    }

    /// A line through `points` in the given lengths of dash and gap; solid without them.
    fn dashed(&self, points: &[Place], stroke: Stroke, dash: &[f64]) {
        if dash.iter().all(|&length| length <= 0.0) {
            return self.line(points, stroke);
        }
        for piece in dashes(points, dash) {
            self.line(&piece, stroke);
        }
    }

    /// Lines of 45° and 1 px, 5 px apart, over a rectangle; those of neighbours go on in one
    /// another.
    fn hatch(&self, (left, top): Place, (right, bottom): Place, colour: RGBColor, opacity: f64) {
        let step = HATCH * core::f64::consts::SQRT_2;
        let first = libm::ceil((left + top) / step) as i64;
        let last = libm::floor((right + bottom) / step) as i64;
        for k in first..=last {
            // Where a line x + y = c enters and leaves the rectangle.
            let c = k as f64 * step;
            let (from, to) = ((c - bottom).max(left), (c - top).min(right));
            if to > from {
                self.path(
                    &[(from, c - from), (to, c - to)],
                    Stroke { colour, opacity, width: 1.0 },
                );
            }
        }
    }

    /// A text on its base line.
    fn text(&self, base: Place, anchor: Anchor, text: &str, face: Face) {
        self.print(base, anchor, &printable(text), face);
    }

    /// A text on its base line, on a ground that lets little through.
    fn text_on(&self, (x, base): Place, anchor: Anchor, text: &str, face: Face, ground: RGBColor) {
        let wide = face.width(text);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - wide / 2.0,
            Anchor::End => x - wide,
        };
        let top = base - face.size * ASCENT - GROUND_ABOVE;
        let bottom = base + face.size * DESCENT + GROUND_ABOVE;
        let (left, right) = (left - GROUND_BESIDE, left + wide + GROUND_BESIDE);
        self.fill((left, top), (right, bottom), ground, GROUND_OPACITY);
        self.text((x, base), anchor, text, face);
    }
}

/// The drawn pieces of a dashed line.
fn dashes(points: &[Place], dash: &[f64]) -> Vec<Vec<Place>> {
    let mut lengths = dash.iter().map(|length| length.max(SHORTEST_DASH)).cycle();
    let mut left = lengths.next().unwrap_or(f64::INFINITY);
    let mut drawing = true;
    let mut pieces: Vec<Vec<Place>> = vec![points.iter().take(1).copied().collect()];
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
