//! plotters' SVG backend, its text put where the canvas puts it.
//!
//! The backend divides sizes by 1.24 and moves texts by shares of the font's own metrics, which
//! differ from face to face; here a text keeps its size and its base line.

use plotters::backend::SVGBackend;
use plotters::style::{ShapeStyle, TextStyle};
use plotters_backend::text_anchor::{Pos, VPos};
use plotters_backend::{BackendColor, BackendCoord};

use super::pen::MIDDLE;
use super::surface::{Drawn, Surface};
use super::{Painted, UNITS};

/// What the backend divides a text's size by.
const SHRINK: f64 = 1.24;

/// Share of a text's size that the backend moves it down by when its top is asked for.
const TOP: f64 = 0.76;

/// One drawing of the given size in CSS px, as an element to be nested at (`x`, `y`).
///
/// `paint` is handed the surface; an error it returns leaves the drawing as far as it came.
pub fn element(
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    paint: &dyn Fn(&mut dyn Surface) -> Painted<()>,
) -> String {
    let mut drawn = String::new();
    let units = |px: f64| (px * f64::from(UNITS)) as u32;
    let (wide, high) = (units(width), units(height));
    // Drawing into a string cannot fail.
    let _ = paint(&mut Sheet(SVGBackend::with_string(&mut drawn, (wide, high))));
    let body = drawn.split_once(">\n").map_or("</svg>\n", |(_, body)| body);
    let place = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
    format!("<svg {place} viewBox=\"0 0 {wide} {high}\">\n{body}")
}

/// `text` inside an element: markup escaped.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A sheet of SVG.
pub struct Sheet<'a>(SVGBackend<'a>);

impl Surface for Sheet<'_> {
    fn prepare(&mut self) -> Drawn {
        self.0.prepare()
    }

    fn present(&mut self) -> Drawn {
        Surface::present(&mut self.0)
    }

    fn pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Drawn {
        self.0.pixel(at, colour)
    }

    fn rect(&mut self, corner: BackendCoord, opposite: BackendCoord, style: &ShapeStyle) -> Drawn {
        self.0.rect(corner, opposite, style)
    }

    fn path(&mut self, path: &[BackendCoord], style: &ShapeStyle) -> Drawn {
        self.0.path(path, style)
    }

    fn polygon(&mut self, corners: &[BackendCoord], style: &ShapeStyle) -> Drawn {
        self.0.polygon(corners, style)
    }

    fn circle(&mut self, centre: BackendCoord, radius: u32, style: &ShapeStyle) -> Drawn {
        self.0.circle(centre, radius, style)
    }

    fn text(&mut self, text: &str, style: &TextStyle<'_>, (x, y): BackendCoord) -> Drawn {
        let size = style.font.get_size();
        let up = libm::round((TOP - MIDDLE) * size) as i32;
        let based = TextStyle {
            font: style.font.resize(size * SHRINK),
            pos: Pos { v_pos: VPos::Top, ..style.pos },
            color: style.color,
        };
        self.0.text(text, &based, (x, y - up))
    }
}
