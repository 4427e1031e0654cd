//! Threads × run time, as an image of what holds most of each pixel.

use super::RunView;
use crate::glance::{Glance, Raster};
use crate::paint::scene::{Anchor, Face, Frame, Layout, Pen, RgbaImage, Size};
use crate::paint::time::{TICK, ticks_of_time};
use crate::quantity::{number, percent};

/// Rows of at least so many px stand apart, by so many.
const APART_FROM: f64 = 8.0;
const APART: f64 = 2.0;

/// Least px from one name of a row to the next.
const NAME_STEP: f64 = 14.0;

/// Px from the middle of a row down to the base line of its name.
const MIDDLE: f64 = 4.0;

/// Px below the base line of words at the foot of the strip.
const BELOW: f64 = 3.0;

/// Height of a row, where all have room.
const ROW: f64 = 34.0;

/// How many rows so many threads have in at most so many px, and how high they are together: none is
/// lower than a pixel.
pub fn rows(threads: usize, most_px: f64) -> (u32, f64) {
    let most = most_px.clamp(ROW, 4096.0);
    let rows = threads.clamp(1, most as usize);
    (rows as u32, (rows as f64 * ROW).min(most))
}

/// The plot of the time line: each pixel is the cell in which its left edge lies.
#[inline(never)]
pub fn pixels(view: &RunView, raster: &Raster, dpr: f64) -> RgbaImage {
    let frame = view.frame();
    let size = Size::of(&frame, dpr);
    let mut image = RgbaImage::default();
    image.fit(&frame, size, 0);
    let (rows, columns) = (raster.rows as usize, raster.columns as usize);
    if rows == 0 {
        return image;
    }
    let colours = (0..=u8::MAX).map(|class| view.colour(class)).collect::<Vec<_>>();
    let cells = (0..size.wide).map(|x| raster.column(view.share(x as f64 / size.wide as f64)));
    let cells = cells.collect::<Vec<_>>();
    let row_px = size.high as f64 / rows as f64;
    let gap_px = if row_px / size.dpr >= APART_FROM { APART * size.dpr } else { 0.0 };
    for (y, line) in image.pixels.chunks_exact_mut(size.wide * 4).enumerate() {
        let row = ((y as f64 / row_px) as usize).min(rows - 1);
        let is_gap = row + 1 < rows && (row + 1) as f64 * row_px - y as f64 <= gap_px;
        let classes = raster.classes.get(row * columns..(row + 1) * columns).unwrap_or(&[]);
        for (cell, pixel) in cells.iter().zip(line.chunks_exact_mut(4)) {
            let class = cell.and_then(|cell| classes.get(cell)).copied();
            let class = class.filter(|_| !is_gap).unwrap_or(Raster::NOTHING);
            let colour = colours[usize::from(class)];
            pixel.copy_from_slice(&[colour.0, colour.1, colour.2, u8::MAX]);
        }
    }
    image
}

/// The same for pens that paint no images: a rectangle for each stretch of one colour in a row.
#[inline(never)]
pub fn cells(pen: &dyn Pen, view: &RunView, raster: &Raster) {
    let frame = view.frame();
    let (rows, columns) = (raster.rows as usize, raster.columns as usize);
    if rows == 0 || columns == 0 {
        return;
    }
    let row_px = frame.height / rows as f64;
    let gap_px = if row_px >= APART_FROM { APART } else { 0.0 };
    let x = |column: usize| {
        let share = raster.from + (raster.to - raster.from) * column as f64 / columns as f64;
        frame.x(share).clamp(frame.left, frame.right)
    };
    for (row, classes) in raster.classes.chunks_exact(columns).take(rows).enumerate() {
        let top = row as f64 * row_px;
        let bottom = top + row_px - if row + 1 < rows { gap_px } else { 0.0 };
        let mut from = 0;
        for of_class in classes.chunk_by(|a, b| a == b) {
            let to = from + of_class.len();
            if of_class[0] != Raster::NOTHING {
                pen.fill((x(from), top), (x(to), bottom), view.colour(of_class[0]), 1.0);
            }
            from = to;
        }
    }
}

/// What stands round the image: a frame, the names of the rows, and how much of the run each computes.
#[inline(never)]
pub fn timeline(pen: &dyn Pen, glance: &Glance, view: &RunView, rows: u32) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    pen.frame((frame.left, 0.0), (frame.right, frame.height), tokens.line);
    let threads = glance.lifelines.len();
    let rows = (rows as usize).clamp(1, threads.max(1));
    let row_px = frame.height / rows as f64;
    let (left, right) = (frame.inset(frame.left), frame.inset(frame.width - frame.right));
    let face = Face::plain(TICK, tokens.ink3);
    if threads > rows {
        let each = threads as f64 / rows as f64;
        let each = number(each, if each < 10.0 { 1 } else { 0 });
        let words = match frame.narrow() {
            true => format!("{each} each"),
            false => format!("{each} threads a row"),
        };
        pen.text((frame.left - left, TICK), Anchor::End, &words, face);
        return frame.layout();
    }
    let step = libm::ceil(NAME_STEP / row_px).max(1.0) as usize;
    for (row, lifeline) in glance.lifelines.iter().enumerate().step_by(step) {
        let base = (row as f64 + 0.5) * row_px + MIDDLE;
        let name = if frame.narrow() { short(&lifeline.name) } else { &lifeline.name };
        pen.text((frame.left - left, base), Anchor::End, name, face);
        let computing = match frame.narrow() {
            true => number(100.0 * lifeline.computing, 1),
            false => percent(lifeline.computing, 1),
        };
        pen.text((frame.right + right, base), Anchor::Start, &computing, face);
    }
    frame.layout()
}

/// `3` of `rank 3`.
fn short(name: &str) -> &str {
    name.rsplit_once(' ').map_or(name, |(_, number)| number)
}

/// How much of each px is not computed, over all threads, as bars.
#[inline(never)]
pub fn waiting(pen: &dyn Pen, view: &RunView, raster: &Raster) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let (left, right) = (frame.inset(frame.left), frame.inset(frame.width - frame.right));
    let face = Face::plain(TICK, tokens.ink3);
    // Bars of whole px leave no seams.
    let wide = frame.right - frame.left;
    for px in 0..libm::ceil(wide.max(0.0)) as u32 {
        let column = raster.column(view.share(f64::from(px) / wide));
        let share = column.and_then(|column| raster.waiting.get(column)).copied().unwrap_or(0);
        let (left, high) = (frame.left + f64::from(px), f64::from(share) / 255.0 * frame.height);
        let right = (left + 1.0).min(frame.right);
        if share > 0 {
            pen.fill((left, frame.height - high), (right, frame.height), tokens.ink3, 0.8);
        }
    }
    let base = frame.height - BELOW;
    let name = if frame.narrow() { "wait" } else { "waiting" };
    pen.text((frame.left - left, base), Anchor::End, name, face);
    let unit = if frame.narrow() { "%" } else { "0\u{2013}100\u{202f}%" };
    pen.text((frame.right + right, base), Anchor::Start, unit, face);
    frame.layout()
}

/// The axis of run time.
#[inline(never)]
pub fn run_axis(pen: &dyn Pen, glance: &Glance, view: &RunView) -> Layout {
    let frame: Frame = view.frame();
    ticks_of_time(pen, &frame, view.tokens(), glance.runtime_ns);
    frame.layout()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::rectangles;
    use crate::paint::scene::{Svg, css};

    /// Three rows, of which one does nothing at its end; the last column reaches beyond the run.
    fn raster() -> Raster {
        let classes = vec![1, 1, 2, 0, 2, 2, 2, 2, 0, 1, Raster::NONE, 0];
        Raster { from: 0.0, to: 1.0, rows: 3, columns: 4, classes, ..Raster::default() }
    }

    fn view() -> RunView {
        RunView {
            to: 1.0,
            width: 180.0,
            height: 60.0,
            left: 60.0,
            right: 40.0,
            ..RunView::default()
        }
    }

    #[test]
    fn rectangles_cover_what_the_image_has_of_each_colour() {
        let image = pixels(&view(), &raster(), 1.0).pixels;
        let pen = Svg::default();
        cells(&pen, &view(), &raster());
        let text = pen.elements();
        for class in [1, 2, Raster::NONE] {
            let colour = view().colour(class);
            let of_colour = |pixel: &&[u8]| pixel[..3] == [colour.0, colour.1, colour.2];
            let of_image = image.chunks(4).filter(of_colour).count();
            let rectangles = rectangles(&text, &css(colour)).into_iter();
            let areas =
                rectangles.map(|[left, top, right, bottom]| (right - left) * (bottom - top));
            assert_eq!((areas.sum::<f64>(), of_image > 0), (of_image as f64, true), "{class}");
        }
        // Of one colour side by side: one rectangle.
        assert_eq!(text.matches("<rect").count(), 2 + 1 + 2);
    }

    #[test]
    fn a_raster_of_nothing_paints_nothing() {
        let pen = Svg::default();
        cells(&pen, &view(), &Raster::default());
        assert_eq!(pen.elements(), "");
    }

    #[test]
    fn where_nobody_computes_the_bar_of_what_waits_is_as_high_as_the_strip() {
        let waiting_of = vec![255, 51, 0, 255];
        let raster = Raster { waiting: waiting_of, ..raster() };
        let pen = Svg::default();
        waiting(&pen, &view(), &raster);
        let bars = rectangles(&pen.elements(), &css(view().tokens().ink3));
        let heights = bars.iter().map(|[_, top, _, bottom]| bottom - top).collect::<Vec<_>>();
        // 20 px a column of 80 px; nothing where all compute.
        let expected = [[60.0; 20], [12.0; 20], [60.0; 20]].concat();
        assert_eq!(heights, expected);
    }
}
