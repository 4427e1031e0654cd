//! Any plotters backend behind one type, so that what paints is compiled once and not once for
//! each backend.

use std::fmt;

use plotters::style::{ShapeStyle, TextStyle};
use plotters_backend::{BackendColor, BackendCoord, DrawingBackend, DrawingErrorKind};

/// What the backend said when it failed.
#[derive(Debug)]
pub struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl std::error::Error for Refused {}

pub type Drawn = Result<(), DrawingErrorKind<Refused>>;

/// The marks that pictures are made of. Every plotters backend is a surface.
pub trait Surface {
    fn prepare(&mut self) -> Drawn;
    fn present(&mut self) -> Drawn;
    fn pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Drawn;
    /// A rectangle between two corners, filled if its style says so.
    fn rect(&mut self, corner: BackendCoord, opposite: BackendCoord, style: &ShapeStyle) -> Drawn;
    fn path(&mut self, path: &[BackendCoord], style: &ShapeStyle) -> Drawn;
    /// A filled shape round these corners.
    fn polygon(&mut self, corners: &[BackendCoord], style: &ShapeStyle) -> Drawn;
    /// A circle, filled if its style says so.
    fn circle(&mut self, centre: BackendCoord, radius: u32, style: &ShapeStyle) -> Drawn;
    fn text(&mut self, text: &str, style: &TextStyle<'_>, at: BackendCoord) -> Drawn;
}

impl<DB: DrawingBackend> Surface for DB {
    fn prepare(&mut self) -> Drawn {
        self.ensure_prepared().map_err(in_words)
    }

    fn present(&mut self) -> Drawn {
        DrawingBackend::present(self).map_err(in_words)
    }

    fn pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Drawn {
        self.draw_pixel(at, colour).map_err(in_words)
    }

    fn rect(&mut self, corner: BackendCoord, opposite: BackendCoord, style: &ShapeStyle) -> Drawn {
        self.draw_rect(corner, opposite, style, style.filled).map_err(in_words)
    }

    fn path(&mut self, path: &[BackendCoord], style: &ShapeStyle) -> Drawn {
        self.draw_path(path.iter().copied(), style).map_err(in_words)
    }

    fn polygon(&mut self, corners: &[BackendCoord], style: &ShapeStyle) -> Drawn {
        self.fill_polygon(corners.iter().copied(), style).map_err(in_words)
    }

    fn circle(&mut self, centre: BackendCoord, radius: u32, style: &ShapeStyle) -> Drawn {
        self.draw_circle(centre, radius, style, style.filled).map_err(in_words)
    }

    fn text(&mut self, text: &str, style: &TextStyle<'_>, at: BackendCoord) -> Drawn {
        self.draw_text(text, style, at).map_err(in_words)
    }
}

fn in_words<E: std::error::Error + Send + Sync>(
    error: DrawingErrorKind<E>,
) -> DrawingErrorKind<Refused> {
    DrawingErrorKind::DrawingError(Refused(error.to_string()))
}
