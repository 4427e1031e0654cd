//! Images of so many marks that a canvas would draw them one by one for too long.

use plotters::style::RGBColor;

use super::{Frame, Place};

/// Largest number of pixels of an image.
const LARGEST: f64 = 16e6;

/// Device pixels of a CSS px that images are made for.
const DENSITIES: (f64, f64) = (0.25, 8.0);

/// How far an edge fades on either side of where it lies, in pixels.
const SOFT: f64 = 0.5;

/// An image of straight (not premultiplied) RGBA at device pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RgbaImage {
    pub width: u32,
    pub height: u32,
    /// Where its upper left corner lies, in CSS px of the lane's canvas.
    pub left_px: f64,
    pub top_px: f64,
    /// Four bytes a pixel, row by row.
    pub pixels: Vec<u8>,
}

impl RgbaImage {
    /// Gives it the size of the plot of a lane; new pixels have `fill` in all four bytes.
    pub fn fit(&mut self, frame: &Frame, size: Size, fill: u8) {
        (self.width, self.height) = (size.wide as u32, size.high as u32);
        (self.left_px, self.top_px) = (frame.left, 0.0);
        self.pixels.resize(size.wide * size.high * 4, fill);
    }

    /// A disc with soft edges over what is there; its middle and radius in pixels of the image.
    pub fn disc(&mut self, (x, y): Place, radius: f64, colour: RGBColor, opacity: f64) {
        let (wide, high) = (self.width as usize, self.height as usize);
        let reach = radius + SOFT;
        let range = |middle: f64, end: usize| {
            let first = (middle - reach).max(0.0) as usize;
            first..((middle + reach) as usize + 1).min(end)
        };
        for row in range(y, high) {
            for column in range(x, wide) {
                let (dx, dy) = (column as f64 + 0.5 - x, row as f64 + 0.5 - y);
                let cover = (reach - (dx * dx + dy * dy).sqrt()).clamp(0.0, 1.0) as f32;
                let at = (row * wide + column) * 4;
                if let Some(pixel) = self.pixels.get_mut(at..at + 4).filter(|_| cover > 0.0) {
                    blend(pixel, colour, cover * opacity as f32);
                }
            }
        }
    }
}

fn blend(pixel: &mut [u8], RGBColor(r, g, b): RGBColor, alpha: f32) {
    let [red, green, blue, opacity] = pixel else { return };
    let below = f32::from(*opacity) / 255.0 * (1.0 - alpha);
    let sum = alpha + below;
    let mix =
        |old: u8, new: u8| ((f32::from(new) * alpha + f32::from(old) * below) / sum + 0.5) as u8;
    (*red, *green, *blue) = (mix(*red, r), mix(*green, g), mix(*blue, b));
    *opacity = (sum * 255.0 + 0.5) as u8;
}

/// Size of an image in device pixels.
#[derive(Clone, Copy)]
pub struct Size {
    pub wide: usize,
    pub high: usize,
    /// Device pixels of a CSS px: as asked for, unless the image would be too large.
    pub dpr: f64,
}

impl Size {
    /// The size of the plot of a lane.
    pub fn of(frame: &Frame, dpr: f64) -> Size {
        let wide = frame.right - frame.left;
        let dpr = if dpr.is_finite() { dpr.clamp(DENSITIES.0, DENSITIES.1) } else { 1.0 };
        let dpr = dpr.min((LARGEST / (wide * frame.height)).sqrt());
        let pixels = |px: f64| libm::ceil(px * dpr).max(1.0) as usize;
        Size { wide: pixels(wide), high: pixels(frame.height), dpr }
    }
}
