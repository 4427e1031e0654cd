//! The run at a glance as one SVG: title, time line, what waits and what repeats, and bursts as points.

use plotters::style::RGBColor;

use super::figure::Width;
use super::legend::{BASE, HEADER, SIZE, title as lane_title};
use super::sheet::{part, sheet};
use crate::glance::{Glance, Raster};
use crate::paint::run::{
    RunView, cells, colours, rows, run_axis, scatter, structure, timeline, waiting,
};
use crate::paint::scene::{Anchor, Face, LEFT, Pen, elide_end, printable};

/// Width of the picture, and its gutters, as the page has them (`www/lanes/sizes.ts`).
const WIDTH: f64 = 1040.0;
const GUTTERS: (f64, f64) = (112.0, 68.0);

/// Least px of a row: each is a rectangle for every change of colour.
const ROW: f64 = 4.0;

/// Heights of what stands below one another, as on the page (`www/run/timeline.ts`), the time line at
/// most, and between.
const TITLE: f64 = 50.0;
const TIMELINE: f64 = 340.0;
const WAITING: f64 = 18.0;
const STRUCTURE: f64 = 28.0;
const AXIS: f64 = 28.0;
const SCATTER: f64 = 280.0;
const GAP: f64 = 6.0;
const FOOT: f64 = 8.0;

/// Base lines and sizes of the name and of the sentence below it.
const NAME_BASE: f64 = 21.0;
const NAME: f64 = 15.0;
const SENTENCE_BASE: f64 = 41.0;

/// Side of the square of a colour, and from its words to the next one.
const SQUARE: f64 = 9.0;
const BESIDE: f64 = 14.0;

/// How many columns and rows the raster of [`run_svg`] has at most, of so many threads.
#[inline(never)]
pub fn run_cells(threads: usize) -> [u32; 2] {
    let (left, right) = GUTTERS;
    let (most, _) = rows(threads, TIMELINE);
    [(WIDTH - left - right) as u32, most.min((TIMELINE / ROW) as u32)]
}

/// The picture, of a `raster` of [`run_cells`]; `view` says what of the run is visible and how, and
/// has no size. Below the name of the trace stand `words`: its facts, and what repeats in it.
#[inline(never)]
pub fn run_svg(glance: &Glance, raster: &Raster, view: &RunView, words: &[String; 2]) -> String {
    let (left, right) = GUTTERS;
    let view = &RunView { width: WIDTH, left, right, ..view.clone() };
    let (_, height) = rows(glance.lifelines.len(), TIMELINE);
    let name = printable(&glance.name);
    let mut body = String::new();
    let mut y = 0.0;
    let mut add = |height: f64, paint: &dyn Fn(&dyn Pen, &RunView)| {
        let own = RunView { height, ..view.clone() };
        body += &part((0.0, y), &own.plain(), &|pen, _| paint(pen, &own));
        y += height;
    };
    add(TITLE, &|pen, view| heading(pen, view, &name, words));
    add(HEADER, &|pen, view| lane_header(pen, view, "Timeline", &colours(view, raster)));
    add(height, &|pen, view| {
        cells(pen, view, raster);
        timeline(pen, glance, view, raster.rows);
    });
    add(GAP, &|_, _| ());
    add(WAITING, &|pen, view| {
        waiting(pen, view, raster);
    });
    add(GAP, &|_, _| ());
    add(STRUCTURE, &|pen, view| {
        structure(pen, glance, view);
    });
    add(AXIS, &|pen, view| {
        run_axis(pen, glance, view);
    });
    if !glance.points.clusters.is_empty() {
        add(HEADER, &|pen, view| lane_title(pen, &view.plain(), "Bursts"));
        add(SCATTER, &|pen, view| {
            scatter(pen, glance, view);
        });
    }
    add(FOOT, &|_, _| ());
    sheet((Width::Px(WIDTH), (WIDTH, y)), view.theme, &name, &body)
}

/// Name and facts of the run, and what repeats.
fn heading(pen: &dyn Pen, view: &RunView, name: &str, [facts, sentence]: &[String; 2]) {
    let tokens = view.theme.tokens();
    let room = WIDTH - 2.0 * LEFT;
    let (bold, plain) = (Face::bold(NAME, tokens.ink), Face::plain(SIZE, tokens.ink2));
    let name = elide_end(name, room, NAME, true);
    pen.text((LEFT, NAME_BASE), Anchor::Start, &name, bold);
    let x = LEFT + bold.width(&name) + BESIDE;
    let facts = elide_end(&printable(facts), LEFT + room - x, SIZE, false);
    pen.text((x, NAME_BASE), Anchor::Start, &facts, plain);
    let sentence = elide_end(&printable(sentence), room, SIZE, false);
    pen.text((LEFT, SENTENCE_BASE), Anchor::Start, &sentence, plain);
}

/// The title of the time line, and what its colours tell.
fn lane_header(pen: &dyn Pen, view: &RunView, name: &str, colours: &[(RGBColor, String)]) {
    let (frame, tokens) = (view.plain(), view.theme.tokens());
    lane_title(pen, &frame, name);
    let face = Face::plain(SIZE, tokens.ink2);
    let mut x = frame.left;
    for (colour, words) in colours {
        let top = BASE - SQUARE;
        pen.fill((x, top), (x + SQUARE, BASE), *colour, 1.0);
        x += SQUARE + 5.0;
        pen.text((x, BASE), Anchor::Start, words, face);
        x += face.width(words) + BESIDE;
    }
}
