//! What the colours of the address lane mean, in the header that a whole picture carries.

use super::legend::{BASE, GAP, MIDDLE, SIZE, title};
use crate::folding::Group;
use crate::paint::View;
use crate::paint::memory::{Costs, address_key};
use crate::paint::scene::{Anchor, Face, Frame, Pen, of_css};
use crate::paint::time::TICK;

/// Size of a step of the scale and of a square before words.
const STEP: (f64, f64) = (12.0, 10.0);
const SQUARE: (f64, f64) = (8.0, 8.0);

/// Px from a square or a scale to what is written beside it, and from words to a number.
const BESIDE: f64 = 5.0;
const WORDS: f64 = 8.0;

/// Where the key begins if the gutter is narrower: behind the title.
const START: f64 = 84.0;

/// The lane's title and beside it the scale of latency, or the levels, and the mark of stores.
pub fn address_header(pen: &dyn Pen, group: &Group, view: &View, costs: Option<&Costs>) {
    let frame = Frame::of(view);
    let key = address_key(group, costs, view);
    let tokens = view.theme.tokens();
    title(pen, view, "Address");
    let (words, tick) = (Face::plain(SIZE, tokens.ink2), Face::plain(TICK, tokens.ink3));
    let mut row = Row { pen, x: frame.left.max(START), end: frame.width };
    match key.ends.filter(|_| !view.by_level) {
        Some([low, high]) => {
            row.write("Load latency", words, WORDS);
            row.write(&low, tick, BESIDE);
            for colour in &key.steps {
                row.square(colour, STEP);
            }
            row.x += BESIDE;
            row.write(&format!("{high} cycles, log"), tick, GAP);
        }
        None if view.by_level => {
            for level in &key.levels {
                row.entry(&level.colour, level.name, words);
            }
        }
        None if !key.references => row.write("References are not part of a link.", words, 0.0),
        None if key.unknown > 0 => {
            row.entry(&key.unknown_colour, "Load, latency not sampled", words);
        }
        None => {}
    }
    if key.stores > 0 {
        row.entry(&key.store_colour, "Store", words);
    }
}

/// A row that grows to the right. What has no room is left out: the page tells of colours too.
struct Row<'a> {
    pen: &'a dyn Pen,
    x: f64,
    end: f64,
}

impl Row<'_> {
    /// A text, and `after` px free behind it.
    fn write(&mut self, text: &str, face: Face, after: f64) {
        let right = self.x + face.width(text);
        if right <= self.end {
            self.pen.text((self.x, BASE), Anchor::Start, text, face);
        }
        self.x = right + after;
    }

    fn square(&mut self, colour: &str, (wide, high): (f64, f64)) {
        let right = self.x + wide;
        if right <= self.end {
            let rows = (MIDDLE - high / 2.0, MIDDLE + high / 2.0);
            self.pen.fill((self.x, rows.0), (right, rows.1), of_css(colour), 1.0);
        }
        self.x = right;
    }

    /// A square and what it means.
    fn entry(&mut self, colour: &str, name: &str, words: Face) {
        self.square(colour, SQUARE);
        self.x += BESIDE;
        self.write(name, words, GAP);
    }
}
