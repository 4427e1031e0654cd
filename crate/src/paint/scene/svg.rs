//! A pen that writes SVG.

use std::cell::RefCell;
use std::fmt::{Arguments, Write};

use plotters::style::RGBColor;

use super::image::{Dots, RgbaImage};
use super::pen::{Anchor, Face, Pen, Place, Stroke};
use super::png::data_url;
use super::theme::css;

/// Parts of a px that places and sizes are told in: finer than anyone sees.
const PARTS: f64 = 100.0;

/// Pixels of a px of images in a picture: sharp on paper at 200 dots per inch and more.
pub const IMAGE_DENSITY: f64 = 2.0;

/// More marks than this are an image: as many circles take as much room as their image (100 bytes each,
/// 150 kB).
pub const FEW: usize = 1500;

/// Nothing lies further out, in px.
const FAR: f64 = 1e5;

/// Elements of SVG, one a line, in the order in which they were drawn.
#[derive(Default)]
pub struct Svg {
    elements: RefCell<String>,
    /// What writes very many dots as one image, which is smaller.
    images: Option<fn(&RgbaImage) -> String>,
}

impl Svg {
    /// For whole pictures. Its own, as what packs images is loaded with these.
    pub fn with_images() -> Self {
        Self { images: Some(data_url), ..Self::default() }
    }

    pub fn elements(self) -> String {
        self.elements.into_inner()
    }

    /// Appends an element, unless it cannot be seen.
    fn add(&self, opacity: f64, element: Arguments<'_>) {
        if opacity > 0.0 {
            // A string takes whatever is written.
            let _ = writeln!(self.elements.borrow_mut(), "{element}");
        }
    }
}

impl Pen for Svg {
    fn fill(&self, from: Place, to: Place, colour: RGBColor, opacity: f64) {
        let (x, y) = (px(from.0), px(from.1));
        let (width, height) = (px(px(to.0) - x), px(px(to.1) - y));
        let look = look(colour, opacity);
        let element =
            format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{look}/>");
        self.add(opacity, element);
    }

    fn path(&self, points: &[Place], Stroke { colour, opacity, width }: Stroke) {
        let (stroke, width, points) = (css(colour), px(width), list(points));
        let element = format_args!(
            "<polyline fill=\"none\" opacity=\"{opacity}\" stroke=\"{stroke}\" \
             stroke-width=\"{width}\" points=\"{points}\"/>"
        );
        self.add(opacity, element);
    }

    fn shape(&self, corners: &[Place], colour: RGBColor, opacity: f64) {
        let (look, points) = (look(colour, opacity), list(corners));
        self.add(opacity, format_args!("<polygon{look} points=\"{points}\"/>"));
    }

    fn dot(&self, (x, y): Place, radius: f64, colour: RGBColor, opacity: f64) {
        let (x, y, r, look) = (px(x), px(y), px(radius), look(colour, opacity));
        self.add(opacity, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{look}/>"));
    }

    /// Circles, or one image of many: either way those that overlap are darker, as on a canvas.
    fn dots(&self, dots: &Dots, radius: f64, opacity: f64) {
        let images = self.images.filter(|_| dots.len() > FEW);
        let image = images.and_then(|_| RgbaImage::of_dots(dots, radius, opacity, IMAGE_DENSITY));
        let (Some(url_of), Some((image, dpr))) = (images, image) else {
            return dots.iter().for_each(|&(at, colour)| self.dot(at, radius, colour, opacity));
        };
        let [width, height] = [image.width, image.height].map(|pixels| f64::from(pixels) / dpr);
        let (x, y, url) = (image.left_px, image.top_px, url_of(&image));
        let element = format_args!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             preserveAspectRatio=\"none\" href=\"{url}\"/>"
        );
        self.add(opacity, element);
    }

    fn print(&self, (x, base): Place, anchor: Anchor, text: &str, face: Face) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if face.bold { " font-weight=\"bold\"" } else { "" };
        let (x, y, size) = (px(x), px(base), px(face.size));
        let (fill, text) = (css(face.colour), escape(text));
        let element = format_args!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{size}\"{weight} \
             fill=\"{fill}\">{text}</text>"
        );
        self.add(1.0, element);
    }
}

/// A number as it is told; what is none is 0.
fn px(value: f64) -> f64 {
    let value = if value.is_finite() { value.clamp(-FAR, FAR) } else { 0.0 };
    // Adding 0 makes a 0 of what would be told as -0.
    libm::round(value * PARTS) / PARTS + 0.0
}

fn list(points: &[Place]) -> String {
    let mut places: Vec<_> = points.iter().map(|&(x, y)| (px(x), px(y))).collect();
    places.dedup();
    let mut list = String::new();
    for (x, y) in places {
        // A string takes whatever is written.
        let _ = write!(list, "{x},{y} ");
    }
    list
}

fn look(colour: RGBColor, opacity: f64) -> String {
    format!(" opacity=\"{opacity}\" fill=\"{}\"", css(colour))
}

/// `text` inside an element: markup escaped.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
