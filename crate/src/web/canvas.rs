//! plotters' canvas backend, with marks of one colour after another drawn without naming it anew:
//! thousands of points would else send thousands of texts to the browser.

use core::f64::consts::TAU;

use plotters::style::{ShapeStyle, TextStyle};
use plotters_backend::{BackendColor, BackendCoord};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::encode::Failure;
use crate::paint::{Drawn, Surface, UNITS};

pub struct Canvas {
    backend: CanvasBackend,
    context: CanvasRenderingContext2d,
    /// What the context fills with, if no other call has changed it since.
    fill: Option<BackendColor>,
}

impl Canvas {
    /// In units of the scene; the page has sized and cleared the canvas.
    pub fn new(canvas: &HtmlCanvasElement, dpr: f64) -> Result<Canvas, JsValue> {
        let scale = dpr / f64::from(UNITS);
        let context = context(canvas)?;
        context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0)?;
        context.set_line_join("round");
        let backend = CanvasBackend::with_canvas_object(canvas.clone());
        let backend = backend.ok_or_else(|| Failure::bug("no canvas to paint on"))?;
        Ok(Canvas { backend, context, fill: None })
    }

    fn fill_with(&mut self, colour: BackendColor) {
        let same = |known: BackendColor| known.rgb == colour.rgb && known.alpha == colour.alpha;
        if !self.fill.is_some_and(same) {
            let (r, g, b) = colour.rgb;
            self.context.set_fill_style_str(&format!("rgba({r},{g},{b},{})", colour.alpha));
            self.fill = Some(colour);
        }
    }

    /// The backend, which fills with what it likes.
    fn other(&mut self) -> &mut CanvasBackend {
        self.fill = None;
        &mut self.backend
    }
}

pub fn context(canvas: &HtmlCanvasElement) -> Result<CanvasRenderingContext2d, JsValue> {
    let context = canvas.get_context("2d")?.ok_or_else(|| Failure::bug("no 2d context"))?;
    Ok(context.unchecked_into())
}

impl Surface for Canvas {
    fn prepare(&mut self) -> Drawn {
        self.backend.prepare()
    }

    fn present(&mut self) -> Drawn {
        Surface::present(&mut self.backend)
    }

    fn pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Drawn {
        self.other().pixel(at, colour)
    }

    fn rect(&mut self, corner: BackendCoord, opposite: BackendCoord, style: &ShapeStyle) -> Drawn {
        if !style.filled {
            return self.other().rect(corner, opposite, style);
        }
        self.fill_with(plotters_backend::BackendStyle::color(style));
        let ((x, y), (right, bottom)) = (corner, opposite);
        let (x, y) = (f64::from(x), f64::from(y));
        self.context.fill_rect(x, y, f64::from(right) - x, f64::from(bottom) - y);
        Ok(())
    }

    fn path(&mut self, path: &[BackendCoord], style: &ShapeStyle) -> Drawn {
        self.other().path(path, style)
    }

    fn polygon(&mut self, corners: &[BackendCoord], style: &ShapeStyle) -> Drawn {
        self.other().polygon(corners, style)
    }

    fn circle(&mut self, centre: BackendCoord, radius: u32, style: &ShapeStyle) -> Drawn {
        if !style.filled {
            return self.other().circle(centre, radius, style);
        }
        self.fill_with(plotters_backend::BackendStyle::color(style));
        self.context.begin_path();
        let (x, y) = (f64::from(centre.0), f64::from(centre.1));
        // It fails of a negative radius alone.
        let _ = self.context.arc(x, y, f64::from(radius), 0.0, TAU);
        self.context.fill();
        Ok(())
    }

    fn text(&mut self, text: &str, style: &TextStyle<'_>, at: BackendCoord) -> Drawn {
        self.other().text(text, style, at)
    }
}
