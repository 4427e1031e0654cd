//! A pen that draws on a canvas of the page: lines and areas with plotters' backend, marks of which
//! there are thousands, and text on its base line, straight on the context.

use core::cell::{Cell, RefCell};
use core::f64::consts::TAU;

use plotters::style::{Color, RGBColor, ShapeStyle};
use plotters_backend::{BackendCoord, DrawingBackend};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::Clamped;
use wasm_bindgen::prelude::*;
use web_sys::{
    CanvasRenderingContext2d, HtmlCanvasElement, ImageData, OffscreenCanvas,
    OffscreenCanvasRenderingContext2d,
};

use super::encode::Failure;
use crate::paint::{Anchor, Dots, FAMILY, Face, Pen, Place, RgbaImage, Stroke};

/// Parts of a CSS px that the canvas is scaled to: the coordinates and widths of plotters' backends
/// are whole numbers.
const UNITS: f64 = 8.0;

/// From so many dots on an image of them costs less than they do: about .3 ms of itself, and 2 µs a dot.
const MANY: usize = 150;

/// Nothing lies further out, in units.
const FAR: f64 = 1e6;

pub struct Canvas {
    /// Device pixels of a CSS px.
    dpr: f64,
    backend: RefCell<CanvasBackend>,
    context: CanvasRenderingContext2d,
    /// What the context fills with, if that is known: naming a colour for each mark would send
    /// thousands of texts to the browser.
    fill: Cell<Option<(RGBColor, f64)>>,
    /// Size in px and weight of its letters, if that is known: naming a face takes the browser .05 ms.
    face: Cell<Option<(f64, bool)>>,
}

impl Canvas {
    /// The page has sized and cleared the canvas; `dpr` device pixels are a CSS px.
    pub fn new(canvas: &HtmlCanvasElement, dpr: f64) -> Result<Canvas, JsValue> {
        let scale = dpr / UNITS;
        let context = context(canvas)?;
        context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0)?;
        context.set_line_join("round");
        context.set_text_baseline("alphabetic");
        let backend = CanvasBackend::with_canvas_object(canvas.clone());
        let backend = backend.ok_or_else(|| Failure::bug("no canvas to paint on"))?;
        let backend = RefCell::new(backend);
        let (fill, face) = (Cell::new(None), Cell::new(None));
        Ok(Canvas { dpr, backend, context, fill, face })
    }

    /// Lays an image of so many pixels a CSS px over what is there: pixels that are put on a canvas would take
    /// its place.
    fn lay(&self, image: &RgbaImage, dpr: f64) -> Result<(), JsValue> {
        let apart = OffscreenCanvas::new(image.width, image.height)?;
        let context = apart.get_context("2d")?.ok_or_else(|| Failure::bug("no 2d context"))?;
        let context: OffscreenCanvasRenderingContext2d = context.unchecked_into();
        context.put_image_data(&pixels_of(image)?, 0.0, 0.0)?;
        let [wide, high] = [image.width, image.height].map(|px| f64::from(px) * UNITS / dpr);
        let (x, y) = (image.left_px * UNITS, image.top_px * UNITS);
        self.context.draw_image_with_offscreen_canvas_and_dw_and_dh(&apart, x, y, wide, high)
    }

    fn fill_with(&self, colour: RGBColor, opacity: f64) {
        if self.fill.replace(Some((colour, opacity))) != Some((colour, opacity)) {
            let RGBColor(r, g, b) = colour;
            self.context.set_fill_style_str(&format!("rgba({r},{g},{b},{opacity})"));
        }
    }
}

pub fn context(canvas: &HtmlCanvasElement) -> Result<CanvasRenderingContext2d, JsValue> {
    let context = canvas.get_context("2d")?.ok_or_else(|| Failure::bug("no 2d context"))?;
    Ok(context.unchecked_into())
}

/// The pixels of an image, as the browser takes them.
pub fn pixels_of(image: &RgbaImage) -> Result<ImageData, JsValue> {
    let pixels = Clamped(&image.pixels[..]);
    ImageData::new_with_u8_clamped_array_and_sh(pixels, image.width, image.height)
}

// What the browser refuses, such as a radius below 0, is not drawn.
impl Pen for Canvas {
    fn fill(&self, from: Place, to: Place, colour: RGBColor, opacity: f64) {
        self.fill_with(colour, opacity);
        let ((x, y), (right, bottom)) = (in_units(from), in_units(to));
        self.context.fill_rect(x, y, right - x, bottom - y);
    }

    fn path(&self, points: &[Place], Stroke { colour, opacity, width }: Stroke) {
        let color = colour.mix(opacity);
        let stroke_width = unit(width).max(1.0) as u32;
        let style = ShapeStyle { color, filled: false, stroke_width };
        let _ = self.backend.borrow_mut().draw_path(whole(points), &style);
    }

    fn shape(&self, corners: &[Place], colour: RGBColor, opacity: f64) {
        self.fill.set(None);
        let style = ShapeStyle { color: colour.mix(opacity), filled: true, stroke_width: 0 };
        let _ = self.backend.borrow_mut().fill_polygon(whole(corners), &style);
    }

    fn dot(&self, at: Place, radius: f64, colour: RGBColor, opacity: f64) {
        self.fill_with(colour, opacity);
        self.context.begin_path();
        let (x, y) = in_units(at);
        let _ = self.context.arc(x, y, unit(radius), 0.0, TAU);
        self.context.fill();
    }

    fn dots(&self, dots: &Dots, radius: f64, opacity: f64) {
        if dots.len() < MANY {
            dots.iter().for_each(|&(at, colour)| self.dot(at, radius, colour, opacity));
        } else if let Some((image, dpr)) = RgbaImage::of_dots(dots, radius, opacity, self.dpr) {
            let _ = self.lay(&image, dpr);
        }
    }

    fn print(&self, base: Place, anchor: Anchor, text: &str, face: Face) {
        self.fill_with(face.colour, 1.0);
        self.context.set_text_align(match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "center",
            Anchor::End => "end",
        });
        if self.face.replace(Some((face.size, face.bold))) != Some((face.size, face.bold)) {
            let weight = if face.bold { "bold " } else { "" };
            self.context.set_font(&format!("{weight}{}px {FAMILY}", face.size * UNITS));
        }
        let (x, y) = in_units(base);
        let _ = self.context.fill_text(text, x, y);
    }
}

fn unit(px: f64) -> f64 {
    libm::round(px * UNITS).clamp(-FAR, FAR)
}

fn in_units((x, y): Place) -> (f64, f64) {
    (unit(x), unit(y))
}

/// Places in whole units, those at the same place once.
fn whole(points: &[Place]) -> Vec<BackendCoord> {
    let mut whole: Vec<_> = points.iter().map(|&(x, y)| (unit(x) as i32, unit(y) as i32)).collect();
    whole.dedup();
    whole
}
