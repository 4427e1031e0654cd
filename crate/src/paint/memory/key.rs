//! What the colours of the address lane mean, in the header that a whole picture carries.

use plotters::style::RGBColor;

use super::cost::{Costs, address_key};
use crate::paint::View;
use crate::paint::scene::{Anchor, Face, Frame, Pen, rgb};
use crate::paint::time::TICK;
use crate::result::Group;

/// Size of a step of the scale and of a square before words, and room from one entry to the next.
const STEP: (f64, f64) = (12.0, 10.0);
const SQUARE: (f64, f64) = (8.0, 8.0);
const GAP: f64 = 22.0;

/// The lane's title and beside it the scale of latency, or the levels, and the mark of stores.
pub fn address_header(pen: &dyn Pen, group: &Group, view: &View, costs: Option<&Costs>) {
    let frame = Frame::of(view);
    let key = address_key(group, costs, view);
    let tokens = view.theme.tokens();
    pen.text((12.0, 16.0), Anchor::Start, "Address", Face::bold(13.0, tokens.ink));
    let (words, tick) = (Face::plain(12.0, tokens.ink2), Face::plain(TICK, tokens.ink3));
    let mut row = Row { pen, x: frame.left.max(84.0), end: frame.width };
    match key.ends.filter(|_| !view.by_level) {
        Some([low, high]) => {
            row.write("Load latency", words, 8.0);
            row.write(&low, tick, 5.0);
            for colour in &key.steps {
                row.square(colour, STEP);
            }
            row.x += 5.0;
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
            self.pen.text((self.x, 16.0), Anchor::Start, text, face);
        }
        self.x = right + after;
    }

    fn square(&mut self, colour: &str, (wide, high): (f64, f64)) {
        let right = self.x + wide;
        if right <= self.end {
            let middle = 11.5;
            let rows = (middle - high / 2.0, middle + high / 2.0);
            self.pen.fill((self.x, rows.0), (right, rows.1), of_css(colour), 1.0);
        }
        self.x = right;
    }

    /// A square and what it means.
    fn entry(&mut self, colour: &str, name: &str, words: Face) {
        self.square(colour, SQUARE);
        self.x += 5.0;
        self.write(name, words, GAP);
    }
}

fn of_css(colour: &str) -> RGBColor {
    rgb(u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or(0))
}
