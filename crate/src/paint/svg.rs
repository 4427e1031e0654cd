//! plotters' SVG backend, its text put where the canvas puts it.
//!
//! The backend divides sizes by 1.24 and moves texts by shares of the font's own metrics, which
//! differ from face to face; here a text keeps its size and its base line.

use std::io::Error;

use plotters::backend::SVGBackend;
use plotters_backend::text_anchor::{Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontFamily, FontStyle, FontTransform,
};

use super::UNITS;
use super::pen::MIDDLE;

/// What the backend divides a text's size by.
const SHRINK: f64 = 1.24;

/// Share of a text's size that the backend moves it down by when its top is asked for.
const TOP: f64 = 0.76;

/// One drawing of the given size in CSS px, as an element to be nested at (`x`, `y`).
///
/// `paint` is handed the backend; an error it returns leaves the drawing as far as it came.
pub fn element<T, E>(
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    paint: impl FnOnce(Sheet<'_>) -> Result<T, E>,
) -> String {
    let mut drawn = String::new();
    let units = |px: f64| (px * f64::from(UNITS)) as u32;
    let (wide, high) = (units(width), units(height));
    // Drawing into a string cannot fail.
    let _ = paint(Sheet(SVGBackend::with_string(&mut drawn, (wide, high))));
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

type Drawn = Result<(), DrawingErrorKind<Error>>;

impl DrawingBackend for Sheet<'_> {
    type ErrorType = Error;

    fn get_size(&self) -> (u32, u32) {
        self.0.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        self.0.ensure_prepared()
    }

    fn present(&mut self) -> Drawn {
        self.0.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.0.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S) -> Drawn {
        self.0.draw_line(a, b, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.0.draw_rect(a, b, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.0.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        at: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.0.draw_circle(at, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.0.fill_polygon(path, style)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Drawn {
        let up = libm::round((TOP - MIDDLE) * style.size()) as i32;
        self.0.draw_text(text, &Based(style), (x, y - up))
    }
}

/// A style that makes the backend keep size and base line.
struct Based<'a, S>(&'a S);

impl<S: BackendTextStyle> BackendTextStyle for Based<'_, S> {
    type FontError = S::FontError;

    fn color(&self) -> BackendColor {
        self.0.color()
    }

    fn size(&self) -> f64 {
        self.0.size() * SHRINK
    }

    fn transform(&self) -> FontTransform {
        self.0.transform()
    }

    fn style(&self) -> FontStyle {
        self.0.style()
    }

    fn anchor(&self) -> Pos {
        Pos { v_pos: VPos::Top, ..self.0.anchor() }
    }

    fn family(&self) -> FontFamily<'_> {
        self.0.family()
    }

    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        self.0.layout_box(text)
    }

    fn draw<E, DrawFunc: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        at: (i32, i32),
        draw: DrawFunc,
    ) -> Result<Result<(), E>, Self::FontError> {
        self.0.draw(text, at, draw)
    }
}
