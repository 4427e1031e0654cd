//! What the colours of the address lane mean, in the header that a whole picture carries.

use super::legend::{BASE, GAP, HEADER, MIDDLE, SIZE, title};
use crate::folding::Group;
use crate::paint::View;
use crate::paint::memory::{Costs, address_key};
use crate::paint::scene::{Anchor, Face, Frame, LEFT, Pen, of_css};
use crate::paint::time::TICK;

/// Size of a step of the scale and of a square before words.
const STEP: (f64, f64) = (12.0, 10.0);
const SQUARE: (f64, f64) = (8.0, 8.0);

/// Px from a square or a scale to what is written beside it, and from words to a number.
const BESIDE: f64 = 5.0;
const WORDS: f64 = 8.0;

/// Where the key begins if the gutter is narrower: behind the title.
const START: f64 = 84.0;

/// The scale of latency, or the levels, and the mark of stores.
pub struct AddressHeader {
    /// Each stays in one row.
    pieces: Vec<Piece>,
}

/// What stands side by side, in a row.
#[derive(Default)]
struct Piece {
    parts: Vec<(Part, f64)>,
    /// Px, and where the next part begins.
    width: f64,
}

enum Part {
    Words(String, Face),
    Square(String, (f64, f64)),
}

impl Piece {
    fn write(mut self, text: &str, face: Face, after: f64) -> Self {
        self.parts.push((Part::Words(text.to_owned(), face), self.width));
        self.width += face.width(text) + after;
        self
    }

    fn square(mut self, colour: &str, size: (f64, f64), after: f64) -> Self {
        self.parts.push((Part::Square(colour.to_owned(), size), self.width));
        self.width += size.0 + after;
        self
    }

    /// A square and what it means.
    fn entry(colour: &str, name: &str, words: Face) -> Self {
        Self::default().square(colour, SQUARE, BESIDE).write(name, words, 0.0)
    }
}

impl AddressHeader {
    pub fn of(group: &Group, view: &View, costs: Option<&Costs>) -> Self {
        let key = address_key(group, costs, view);
        let tokens = view.theme.tokens();
        let (words, tick) = (Face::plain(SIZE, tokens.ink2), Face::plain(TICK, tokens.ink3));
        let mut pieces = Vec::new();
        match key.ends.filter(|_| !view.by_level) {
            Some([low, high]) => {
                let scale = Piece::default().write("Load latency", words, WORDS);
                let mut scale = scale.write(&low, tick, BESIDE);
                for (nth, colour) in key.steps.iter().enumerate() {
                    let after = if nth + 1 < key.steps.len() { 0.0 } else { BESIDE };
                    scale = scale.square(colour, STEP, after);
                }
                pieces.push(scale.write(&format!("{high} cycles, log"), tick, 0.0));
            }
            None if view.by_level => {
                let levels = key.levels.iter();
                pieces.extend(levels.map(|level| Piece::entry(&level.colour, level.name, words)));
            }
            None if !key.references => {
                let text = "References are not part of a link.";
                pieces.push(Piece::default().write(text, words, 0.0));
            }
            None if key.unknown > 0 => {
                let text = "Load, latency not sampled";
                pieces.push(Piece::entry(&key.unknown_colour, text, words));
            }
            None => {}
        }
        if key.stores > 0 {
            pieces.push(Piece::entry(&key.store_colour, "Store", words));
        }
        Self { pieces }
    }

    /// Where each piece begins: its row, and px from the left. What has no room beside the title, or beside the
    /// one before, begins a row below the title.
    fn places(&self, frame: &Frame) -> Vec<(usize, f64)> {
        let (mut row, mut x) = (0, frame.left.max(START));
        let place = |piece: &Piece| {
            let begins_row = row > 0 && x == LEFT;
            if x + piece.width > frame.width && !begins_row {
                (row, x) = (row + 1, LEFT);
            }
            let at = (row, x);
            x += piece.width + GAP;
            at
        };
        self.pieces.iter().map(place).collect()
    }

    /// Px of all rows.
    pub fn height(&self, frame: &Frame) -> f64 {
        let last = self.places(frame).last().map_or(0, |(row, _)| *row);
        HEADER * (last + 1) as f64
    }

    /// The lane's title and the key beside and below it.
    pub fn draw(&self, pen: &dyn Pen, view: &View) {
        let frame = Frame::of(view);
        title(pen, view, "Address");
        for (piece, (row, left)) in self.pieces.iter().zip(self.places(&frame)) {
            let top = HEADER * row as f64;
            for (part, ahead) in &piece.parts {
                let x = left + ahead;
                match part {
                    Part::Words(text, face) => {
                        pen.text((x, top + BASE), Anchor::Start, text, *face);
                    }
                    Part::Square(colour, (wide, high)) => {
                        let (y, half) = (top + MIDDLE, high / 2.0);
                        pen.fill((x, y - half), (x + wide, y + half), of_css(colour), 1.0);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::{self, rectangles, words};
    use crate::paint::scene::Svg;

    #[test]
    fn the_key_is_whole_at_every_width_of_paper() {
        let (folding, references) = (example::addressed(), example::references());
        let costs = Costs::of(&references);
        for by_level in [false, true] {
            let drawn = |view: &View| {
                let header = AddressHeader::of(&folding.groups[0], view, Some(&costs));
                let svg = Svg::default();
                header.draw(&svg, view);
                (header.height(&Frame::of(view)), svg.elements())
            };
            let wide = View { by_level, ..example::view(976.0, 198.0) };
            let narrow = View { left: 32.0, right: 50.0, width: 321.0, ..wide.clone() };
            let ((one, all), (more, own)) = (drawn(&wide), drawn(&narrow));
            assert_eq!(one, HEADER);
            assert_eq!(more > HEADER, !by_level, "three levels are short");
            let texts = |svg: &str| -> Vec<String> {
                words(svg).into_iter().map(|(.., text)| text.to_owned()).collect()
            };
            assert_eq!(texts(&own), texts(&all));
            let ink = narrow.theme.tokens().ink2;
            for (x, y, text) in words(&own) {
                let is_number = text.starts_with(|first: char| first.is_ascii_digit());
                let face = Face::plain(if is_number { TICK } else { SIZE }, ink);
                assert!(x + face.width(text) <= narrow.width && y < more, "{text} at {x}, {y}");
            }
            assert!(
                rectangles(&own, "")
                    .iter()
                    .all(|[.., right, bottom]| *right <= 321.0 && *bottom <= more)
            );
        }
    }
}
