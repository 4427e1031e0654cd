//! Very many references as an image: what is drawn point by point up to [`MANY`](crate::paint::MANY)
//! is counted here pixel by pixel.
//!
//! Painting again after a pick is what must be fast: where each reference lies and what it looks
//! like is kept, so that a paint adds one number for each.

use plotters::style::RGBColor;

use super::cost::{HIDDEN, colours};
use super::lane::{Sampled, grounds_of, in_view, is_sunken, look_of, place};
use super::objects::Objects;
use crate::folding::{Folding, Group};
use crate::paint::View;
use crate::paint::picked::FAINT;
use crate::paint::scene::{Frame, RgbaImage, Size, mix};
use crate::paint::source::SHORTEST;

/// Side of a mark in CSS px.
const MARK: f64 = 2.1;

/// Opacity by the number of references at a pixel, from 0 on.
const OPACITY: [f64; 7] = [0.0, 0.6, 0.8, 0.9, 0.95, 0.975, 1.0];

/// A sum of references: 13 bits for how many, 17 each for red, green and blue.
type Sum = u64;
const COUNT_AT: u32 = 51;
const CHANNEL: u64 = (1 << 17) - 1;

/// Counts what is in view, and keeps what the next paint needs again.
#[derive(Default)]
pub struct Raster {
    /// What the kept columns are of.
    kept: Option<(View, u64)>,
    /// The first reference in view; for each from there on its pixel, and what it looks like.
    first: usize,
    pixels_of: Vec<u32>,
    looks: Vec<u8>,
    /// What was picked, and behind it all else.
    planes: Vec<Sum>,
    image: RgbaImage,
}

impl Raster {
    /// The plot of the address lane with its grounds and every reference in view; `None` if no more than
    /// `few` are in view, so that they are drawn one by one. O(references in view + pixels).
    pub fn image(
        &mut self,
        folding: &Folding,
        view: &View,
        sampled: Sampled<'_>,
        dpr: f64,
        few: usize,
    ) -> Option<&RgbaImage> {
        let frame = Frame::of(view);
        let group = folding.group(view.group)?;
        if in_view(sampled.references, &frame).len() <= few {
            return None;
        }
        let size = Size::of(&frame, dpr);
        let objects = Objects::of(group, view);
        self.keep(&frame, &objects, view, sampled, size);
        self.count(view, size);
        self.paint(&frame, group, &objects, view, size);
        Some(&self.image)
    }

    /// Where the references in view lie and what they look like, unless that is known.
    fn keep(
        &mut self,
        frame: &Frame,
        objects: &Objects,
        view: &View,
        sampled: Sampled<'_>,
        size: Size,
    ) {
        // What was picked and the theme change neither.
        let key = View { picked: None, matched: None, theme: Default::default(), ..view.clone() };
        let key = Some((key, size.dpr.to_bits()));
        if self.kept == key {
            return;
        }
        self.kept = key;
        let Sampled { references, costs } = sampled;
        let range = in_view(references, frame);
        let back = side(size) / 2;
        self.first = range.start;
        self.pixels_of.clear();
        self.looks.clear();
        for index in range {
            let at = place(references, frame, objects, index).map(|(x, y)| {
                // A square stands right and below of its first pixel.
                let column = (((x - frame.left) * size.dpr) as usize).saturating_sub(back);
                let row = ((y * size.dpr) as usize).saturating_sub(back);
                row.min(size.high - 1) * size.wide + column.min(size.wide - 1)
            });
            let look = look_of(references, costs, index, view.by_level);
            self.looks.push(if at.is_some() { look.min(HIDDEN) } else { HIDDEN });
            self.pixels_of.push(at.unwrap_or(0) as u32);
        }
    }

    /// Adds every reference in view to its pixel, and spreads pixels to marks.
    fn count(&mut self, view: &View, size: Size) {
        let side = side(size);
        let cap = ((512 / (side * side)).max(1) as u64) << COUNT_AT;
        let sums = sums(view);
        let pixels = size.wide * size.high;
        let matched = view.matched.as_ref().map(|matched| matched.references());
        self.planes.clear();
        self.planes.resize(if matched.is_some() { 2 * pixels } else { pixels }, 0);
        // One loop without calls or choices that cannot be foretold: this is what a paint waits for.
        let planes = self.planes.as_mut_slice();
        let (pixels_of, looks) = (self.pixels_of.as_slice(), self.looks.as_slice());
        let matched = matched.map(|matched| matched.get(self.first..).unwrap_or_default());
        let known = matched.map_or(usize::MAX, <[bool]>::len);
        let count = pixels_of.len().min(looks.len()).min(known);
        for nth in 0..count {
            let behind = match matched {
                Some(matched) => usize::from(!matched[nth]) * pixels,
                None => 0,
            };
            let sum = &mut planes[pixels_of[nth] as usize + behind];
            if *sum < cap {
                *sum += sums[looks[nth] as usize & 15];
            }
        }
        for plane in self.planes.chunks_exact_mut(pixels) {
            spread(plane, size.wide, side);
        }
    }

    /// Grounds, tints, and on them the mean colour of each pixel's references.
    fn paint(&mut self, frame: &Frame, group: &Group, objects: &Objects, view: &View, size: Size) {
        let image = &mut self.image;
        image.fit(frame, size, 255);
        let grounds = Grounds::of(frame, group, view, size);
        let (full, faint) = self.planes.split_at(size.wide * size.high);
        let shares = Shares::new();
        let weights = |share: f64| OPACITY.map(|opacity| (opacity * share * 256.0) as u64);
        let (whole, part) = (weights(1.0), weights(FAINT));
        for row in 0..size.high {
            let ground = grounds.line(objects, (row as f64 + 0.5) / size.dpr);
            let at = row * size.wide;
            let pixels = &mut image.pixels[at * 4..(at + size.wide) * 4];
            let full = &full[at..at + size.wide];
            let faint = if faint.is_empty() { full } else { &faint[at..at + size.wide] };
            for column in 0..size.wide {
                let below = ground[column];
                let [r, g, b] = match (full[column], faint[column]) {
                    (0, 0) => below,
                    (0, faint) => blended(below, faint, &part, &shares),
                    (full, _) => blended(below, full, &whole, &shares),
                };
                pixels[4 * column] = r;
                pixels[4 * column + 1] = g;
                pixels[4 * column + 2] = b;
            }
        }
    }
}

/// Side of a mark in device pixels.
fn side(size: Size) -> usize {
    libm::round(MARK * size.dpr).clamp(1.0, 16.0) as usize
}

/// What one reference of each look adds to its pixel; hidden ones nothing.
fn sums(view: &View) -> [Sum; 16] {
    let mut sums = [0; 16];
    for (sum, RGBColor(r, g, b)) in sums.iter_mut().zip(colours(view)) {
        *sum = 1 << COUNT_AT | u64::from(r) << 34 | u64::from(g) << 17 | u64::from(b);
    }
    sums
}

/// Makes of each pixel's sum that of the square of `side` pixels whose last one it is.
fn spread(plane: &mut [Sum], wide: usize, side: usize) {
    add_before(plane, wide, side);
    for row in plane.chunks_exact_mut(wide.max(1)) {
        add_before(row, 1, side);
    }
}

/// Adds to each sum those that stand `distance` before it, `side` in all. From the end on, so that
/// what is added has not been added to.
fn add_before(sums: &mut [Sum], distance: usize, side: usize) {
    for at in (distance..sums.len()).rev() {
        let mut before = at;
        let mut sum = sums[at];
        for _ in 1..side {
            if before < distance {
                break;
            }
            before -= distance;
            sum += sums[before];
        }
        sums[at] = sum;
    }
}

/// One by each count of references at a pixel, in 1/65536: dividing takes longer.
struct Shares(Vec<u64>);

impl Shares {
    fn new() -> Shares {
        Shares((0..=512).map(|count: u64| 65536_u64.div_ceil(count.max(1))).collect())
    }
}

/// The mean colour of a sum over what is below, by the weight for its count, in 1/256.
// A call for each pixel would take longer than what it does.
#[inline(always)]
fn blended(ground: [u8; 3], sum: Sum, weights: &[u64; 7], shares: &Shares) -> [u8; 3] {
    let count = (sum >> COUNT_AT) as usize;
    let weight = weights[count.min(weights.len() - 1)];
    let share = shares.0.get(count).copied().unwrap_or(0);
    let channel = |at: u32, below: u8| {
        let mean = ((sum >> at & CHANNEL) * share) >> 16;
        ((mean * weight + u64::from(below) * (256 - weight)) >> 8).min(255) as u8
    };
    let [r, g, b] = ground;
    [channel(34, r), channel(17, g), channel(0, b)]
}

/// Colours under references, by column: even rows, odd rows, holes.
struct Grounds {
    lines: [Vec<[u8; 3]>; 3],
}

impl Grounds {
    fn of(frame: &Frame, group: &Group, view: &View, size: Size) -> Grounds {
        let tokens = view.theme.tokens();
        let bands = group.bands(SHORTEST * (frame.to - frame.from));
        let tinted: Vec<_> = bands
            .iter()
            .filter_map(|band| {
                let stretch = group.stretches.get(band.stretch as usize)?;
                let hue = tokens.routine(group.hue(group.routine_of(stretch)));
                Some((frame.x(band.start), frame.x(band.end), hue))
            })
            .collect();
        let line = |ground: RGBColor| {
            let colour = |column: usize| {
                let x = frame.left + (column as f64 + 0.5) / size.dpr;
                let tint = tinted.iter().find(|(from, to, _)| (*from..*to).contains(&x));
                let RGBColor(r, g, b) =
                    tint.map_or(ground, |(_, _, hue)| mix(ground, *hue, tokens.tint));
                [r, g, b]
            };
            (0..size.wide).map(colour).collect()
        };
        Grounds { lines: grounds_of(view).map(line) }
    }

    fn line(&self, objects: &Objects, y: f64) -> &[[u8; 3]] {
        let row = objects.rows.iter().position(|row| (row.top..row.bottom).contains(&y));
        let hole = objects.holes.iter().any(|hole| (hole.top..hole.bottom).contains(&y));
        let [even, odd, page] = &self.lines;
        match row {
            _ if hole => page,
            Some(row) if is_sunken(objects, row) => odd,
            _ => even,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::References;
    use crate::paint::MANY;
    use crate::paint::example;
    use crate::paint::memory::Costs;
    use crate::paint::memory::objects::Hole;
    use crate::paint::picked::Picked;

    fn image(references: &References, view: &View, dpr: f64) -> RgbaImage {
        let costs = Costs::of(references);
        let sampled = Sampled { references, costs: &costs };
        let view = view.clone().with_matched(&example::addressed(), Some(references));
        Raster::default().image(&example::addressed(), &view, sampled, dpr, MANY).unwrap().clone()
    }

    fn pixel(image: &RgbaImage, x: f64, y: f64, dpr: f64) -> [u8; 3] {
        let column = ((x - image.left_px) * dpr) as usize;
        let at = ((y * dpr) as usize * image.width as usize + column) * 4;
        [image.pixels[at], image.pixels[at + 1], image.pixels[at + 2]]
    }

    fn away(a: [u8; 3], b: [u8; 3]) -> i32 {
        a.iter().zip(b).map(|(a, b)| (i32::from(*a) - i32::from(b)).abs()).sum()
    }

    #[test]
    fn few_references_are_no_image() {
        let references = example::references();
        let costs = Costs::of(&references);
        let sampled = Sampled { references: &references, costs: &costs };
        let view = example::view(976.0, 198.0);
        assert_eq!(Raster::default().image(&example::addressed(), &view, sampled, 1.0, MANY), None);
    }

    #[test]
    fn references_are_where_their_numbers_say_and_nothing_is_elsewhere() {
        let references = example::many(60_000);
        let view = example::view(976.0, 198.0);
        let folding = example::addressed();
        let group = folding.group(1).unwrap();
        let (frame, objects) = (Frame::of(&view), Objects::of(group, &view));
        for dpr in [1.0, 2.0] {
            let image = image(&references, &view, dpr);
            assert_eq!((image.width, image.height), ((796.0 * dpr) as u32, (198.0 * dpr) as u32));
            let size = Size::of(&frame, dpr);
            let grounds = Grounds::of(&frame, group, &view, size);
            let ground = |x: f64, y: f64| grounds.line(&objects, y)[((x - 112.0) * dpr) as usize];
            let mut marked = vec![false; 976 * 198];
            for index in 0..references.x.len() {
                let (x, y) = place(&references, &frame, &objects, index).unwrap();
                for (dx, dy) in
                    [(0, 0), (1, 0), (0, 1), (1, 1), (2, 2), (0, 2), (2, 0), (1, 2), (2, 1)]
                {
                    let at = (y as usize + dy).saturating_sub(1) * 976
                        + (x as usize + dx).min(975).saturating_sub(1);
                    marked[at] = true;
                }
                let inside = |v: f64, end: f64| v.min(end - 0.6 / dpr);
                let (x, y) = (inside(x, 908.0), inside(y, 198.0));
                assert!(away(pixel(&image, x, y, dpr), ground(x, y)) > 60, "{index} {x} {y}");
            }
            for (at, _) in marked.iter().enumerate().filter(|(_, marked)| !**marked) {
                let (x, y) = ((at % 976) as f64 + 0.5, (at / 976) as f64 + 0.5);
                if (112.0..908.0).contains(&x) {
                    assert_eq!(pixel(&image, x, y, dpr), ground(x, y), "{x} {y}");
                }
            }
        }
    }

    #[test]
    fn where_many_of_one_level_lie_there_is_its_colour() {
        let many = example::many(60_000);
        let first = many.object.iter().position(|object| *object == 0).unwrap();
        let count = many.x.len();
        let references = References {
            object: vec![0; count],
            offset: vec![many.offset[first]; count],
            address: vec![many.address[first]; count],
            store: vec![0; count],
            level: vec![2; count],
            ..many
        };
        let view = View { by_level: true, ..example::view(976.0, 198.0) };
        let image = image(&references, &view, 1.0);
        let RGBColor(r, g, b) = colours(&view)[2];
        assert!(r.abs_diff(b) > 30, "{r} {g} {b}");
        let (frame, folding) = (Frame::of(&view), example::addressed());
        let objects = Objects::of(folding.group(1).unwrap(), &view);
        for index in [0, 20_000, 59_000] {
            let (x, y) = place(&references, &frame, &objects, index).unwrap();
            let off = away(pixel(&image, x.min(907.0), y.min(197.0), 1.0), [r, g, b]);
            assert!(off <= 3, "{index}: {off}");
        }
    }

    #[test]
    fn rows_of_objects_take_turns_and_holes_are_of_the_page() {
        let (folding, view) = (example::addressed(), example::view(976.0, 198.0));
        let group = folding.group(1).unwrap();
        let (frame, mut objects) = (Frame::of(&view), Objects::of(group, &view));
        let grounds = Grounds::of(&frame, group, &view, Size::of(&frame, 1.0));
        let [even, odd, page] = &grounds.lines;
        assert!(even != odd && odd != page && page != even);
        let ground = |objects: &Objects, row: usize| {
            let row = &objects.rows[row];
            grounds.line(objects, f64::midpoint(row.top, row.bottom)).to_vec()
        };
        objects.holes.clear();
        assert_eq!([0, 1, 2].map(|row| ground(&objects, row) == *odd), [false, true, false]);
        let (top, bottom) = (objects.rows[1].top, objects.rows[1].bottom);
        objects.holes.push(Hole { top, bottom, bytes: 0 });
        assert!(ground(&objects, 1) == *page);
    }

    #[test]
    fn what_is_not_picked_is_faint_and_under_what_is() {
        let references = example::many(60_000);
        let folding = example::addressed();
        let group = folding.group(1).unwrap();
        let whole = example::view(976.0, 198.0);
        let view = View { picked: Some(Picked::Object("b".into())), ..whole.clone() };
        let (plain, picked) = (image(&references, &whole, 1.0), image(&references, &view, 1.0));
        let (frame, objects) = (Frame::of(&view), Objects::of(group, &view));
        let grounds = Grounds::of(&frame, group, &view, Size::of(&frame, 1.0));
        for index in 0..references.x.len() {
            let (x, y) = place(&references, &frame, &objects, index).unwrap();
            let (x, y) = (x.min(907.0), y.min(197.0));
            let ground = grounds.line(&objects, y)[(x - 112.0) as usize];
            let before = away(pixel(&plain, x, y, 1.0), ground);
            let now = away(pixel(&picked, x, y, 1.0), ground);
            match references.object[index] {
                1 => assert_eq!(now, before, "objects lie apart"),
                _ => assert!(now <= before / 5 + 6 && now > 0, "{index} {now} {before}"),
            }
        }
    }

    #[test]
    fn a_kept_raster_paints_what_a_new_one_does() {
        let references = example::many(60_000);
        let costs = Costs::of(&references);
        let sampled = Sampled { references: &references, costs: &costs };
        let folding = example::addressed();
        let mut raster = Raster::default();
        let whole = example::view(976.0, 198.0);
        let picks = ["object:b", "level:7", "routine:Scale", "line:237:stream.c"];
        let picked = picks.iter().map(|text| View { picked: Picked::parse(text), ..whole.clone() });
        let views = [
            whole.clone(),
            View { by_level: true, ..whole.clone() },
            View { from: 0.1, to: 0.6, ..whole.clone() },
            View { object: Some("a".into()), theme: crate::paint::Theme::Dark, ..whole.clone() },
            View { height: 90.0, ..whole.clone() },
        ];
        for view in views.into_iter().chain(picked) {
            let matched = view.clone().with_matched(&folding, Some(&references));
            let kept = raster.image(&folding, &matched, sampled, 1.0, MANY).cloned();
            assert_eq!(kept.unwrap(), image(&references, &view, 1.0), "{view:?}");
        }
    }
}
