//! A comparison as one SVG: its words, and all lanes.

use super::figure::Width;
use super::legend::{HEADER, title as lane_title};
use super::sheet::{part, sheet};
use crate::compare::Along;
use crate::paint::compared::{
    Compared, ComparedView, axis, code, colours, counters, curves, difference, phases,
};
use crate::paint::scene::{Anchor, Face, LEFT, Pen, Stroke, Tokens, elide_end, printable};
use crate::paint::time::MIDDLE;
use crate::quantity::short;

/// Width of the picture, and its gutters, as the page has them (`www/lanes/sizes.ts`).
pub const WIDTH: f64 = 1040.0;
pub const GUTTERS: (f64, f64) = (112.0, 68.0);

/// Heights of what stands below one another, as on the page.
const ROW: f64 = 22.0;
const CODE: f64 = 26.0;
const RATE: f64 = 188.0;
const DIFFERENCE: f64 = 128.0;
const COUNTER: f64 = 106.0;
const AXIS: f64 = 28.0;
const GAP: f64 = 6.0;
const FOOT: f64 = 8.0;

/// Length and width of the line that stands for a side, and the base line of its name.
const KEY: (f64, f64) = (14.0, 2.0);
const KEY_BASE: f64 = 16.0;

/// Size of words, and height of a line of them.
pub const SIZE: f64 = 12.0;
pub const LINE: f64 = 18.0;

/// The picture in a theme, `words` above it, each on a line.
pub fn compared_svg(compared: &Compared, view: &ComparedView, words: &[String]) -> String {
    let (left, right) = GUTTERS;
    let sound = if view.to > view.from { (view.from, view.to) } else { (0.0, 1.0) };
    let view =
        &ComparedView { width: WIDTH, left, right, from: sound.0, to: sound.1, ..view.clone() };
    let mut body = String::new();
    let mut y = 0.0;
    let mut add = |height: f64, paint: &dyn Fn(&dyn Pen, &ComparedView)| {
        let own = ComparedView { height, ..view.clone() };
        body += &part((0.0, y), &own.plain(), &|pen, _| paint(pen, &own));
        y += height;
    };
    for (at, line) in words.iter().enumerate() {
        add(LINE, &|pen, view| sentence(pen, view.tokens(), line, at == 0));
    }
    let side = |pen: &dyn Pen, view: &ComparedView, side: usize| {
        let face = Face::bold(SIZE, view.tokens().ink);
        let at = (left - 8.0, view.height / 2.0 + MIDDLE);
        pen.text(at, Anchor::End, ["A", "B"][side], face);
    };
    if compared.aligned.along == Along::Phase {
        add(HEADER, &|pen, view| lane_title(pen, &view.plain(), "Phases"));
        for at in [0, 1] {
            add(ROW, &|pen, view| {
                phases(pen, compared, view, at);
                side(pen, view, at);
            });
        }
    }
    if compared.groups.iter().any(|group| !group.stretches.is_empty()) {
        add(HEADER, &|pen, view| lane_title(pen, &view.plain(), "Source"));
        for at in [0, 1] {
            add(CODE, &|pen, view| {
                code(pen, compared, view, at);
                side(pen, view, at);
            });
            add(2.0, &|_, _| ());
        }
    }
    let both = |pen: &dyn Pen, view: &ComparedView, title: &str| {
        lane_title(pen, &view.plain(), title);
        let mut x = LEFT + Face::bold(SIZE + 1.0, view.tokens().ink).width(title) + KEY.0;
        for (name, colour) in ["A", "B"].into_iter().zip(colours(view.tokens())) {
            let y = libm::round(KEY_BASE - MIDDLE);
            pen.line(&[(x, y), (x + KEY.0, y)], Stroke::solid(colour, KEY.1));
            let face = Face::plain(SIZE, view.tokens().ink2);
            pen.text((x + KEY.0 + 6.0, KEY_BASE), Anchor::Start, name, face);
            x += 2.0 * KEY.0 + 16.0;
        }
    };
    add(HEADER, &|pen, view| both(pen, view, "Rate"));
    add(RATE, &|pen, view| {
        curves(pen, compared, view, None);
    });
    add(HEADER, &|pen, view| lane_title(pen, &view.plain(), "Difference, B less A"));
    add(DIFFERENCE, &|pen, view| {
        difference(pen, compared, view);
    });
    let asked = view.counter.clone().or_else(|| counters(compared).into_iter().next());
    if let Some(counter) = asked {
        let name = printable(short(&counter));
        add(HEADER, &|pen, view| both(pen, view, &name));
        add(COUNTER, &|pen, view| {
            curves(pen, compared, view, Some(&counter));
        });
    }
    add(GAP, &|_, _| ());
    add(AXIS, &|pen, view| {
        axis(pen, compared, view);
    });
    add(FOOT, &|_, _| ());
    let name = words.first().map_or("", String::as_str);
    sheet((Width::Px(WIDTH), (WIDTH, y)), view.theme, name, &body)
}

/// A line of words above the lanes; the first is a title.
pub fn sentence(pen: &dyn Pen, tokens: &Tokens, text: &str, is_title: bool) {
    let face = match is_title {
        true => Face::bold(SIZE, tokens.ink),
        false => Face::plain(SIZE, tokens.ink2),
    };
    let text = elide_end(&printable(text), WIDTH - 2.0 * LEFT, SIZE, is_title);
    pen.text((LEFT, SIZE + 2.0), Anchor::Start, &text, face);
}
