//! Images of so many marks that a canvas would draw them one by one for too long.

use plotters::style::RGBColor;

use super::{Frame, Place};

/// Largest number of pixels of an image.
const LARGEST: f64 = 16e6;

/// Device pixels of a CSS px that images are made for.
const DENSITIES: (f64, f64) = (0.25, 8.0);

/// Widest and highest image of dots in CSS px: no lane is so large.
const WIDEST: f64 = 1e4;

/// How far an edge fades on either side of where it lies, in pixels.
const SOFT: f64 = 0.5;

/// Middles in CSS px, and colours.
pub type Dots = [(Place, RGBColor)];

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

    /// Discs of one size, each over those before, on an image that is as large as they need. `dpr` device pixels
    /// are a CSS px, or fewer, where the image would be too large; `None` without dots.
    pub fn of_dots(dots: &Dots, radius: f64, opacity: f64, dpr: f64) -> Option<(RgbaImage, f64)> {
        let end = |of: fn(f64, f64) -> f64, side: fn(&Place) -> f64| {
            dots.iter().map(|(at, _)| side(at)).reduce(of)
        };
        let reach = radius + SOFT;
        let ends = |side: fn(&Place) -> f64| {
            let (least, most) = (end(f64::min, side)?, end(f64::max, side)?);
            Some((least - reach, (most - least + 2.0 * reach).min(WIDEST)))
        };
        let ((left, wide), (top, high)) = (ends(|(x, _)| *x)?, ends(|(_, y)| *y)?);
        let dpr = density(dpr, wide * high);
        // Its pixels are those of the screen: it begins where one does.
        let [left, top] = [left, top].map(|px| libm::floor(px * dpr));
        let [width, height] = [wide, high].map(|px| libm::ceil(px * dpr) as u32 + 1);
        let pixels = vec![0; width as usize * height as usize * 4];
        let mut image = RgbaImage { width, height, left_px: left / dpr, top_px: top / dpr, pixels };
        for &((x, y), colour) in dots {
            image.disc((x * dpr - left, y * dpr - top), radius * dpr, colour, opacity);
        }
        Some((image, dpr))
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

/// Device pixels of a CSS px as asked for, unless an image of so many square px would be too large.
fn density(dpr: f64, square_px: f64) -> f64 {
    let dpr = if dpr.is_finite() { dpr.clamp(DENSITIES.0, DENSITIES.1) } else { 1.0 };
    dpr.min((LARGEST / square_px).sqrt())
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
        let dpr = density(dpr, wide * frame.height);
        let pixels = |px: f64| libm::ceil(px * dpr).max(1.0) as usize;
        Size { wide: pixels(wide), high: pixels(frame.height), dpr }
    }
}
