//! Images of so many marks that a canvas would draw them one by one for too long.

use super::Frame;

/// Largest number of pixels of an image.
const LARGEST: f64 = 16e6;

/// Device pixels of a CSS px that images are made for.
const DENSITIES: (f64, f64) = (0.25, 8.0);

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
