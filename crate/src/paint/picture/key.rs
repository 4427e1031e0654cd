//! The legend that a whole picture carries: lines or points with their names, in rows of 24 px.

use crate::paint::performance::sample_marks as marks;
use plotters::style::RGBColor;

use crate::paint::View;
use crate::paint::performance::{LegendEntry, ModelEntry, SPARSE, alone, legend, model_legend};
use crate::paint::scale::number;
use crate::paint::scene::{Anchor, Face, Frame, Pen, Stroke, elide_end, printable, rgb};
use crate::result::{Cloud, Folding, Use};

/// Height of a row.
pub const HEADER: f64 = 24.0;

/// Longest name.
const NAME: f64 = 200.0;

/// Below this, units do not fit the left gutter and stand in the legend.
const NO_UNITS: f64 = 60.0;

/// An entry of a legend.
pub struct Entry {
    name: String,
    stroke: Stroke,
    dash: &'static [f64],
    mark: Mark,
    right: bool,
}

/// What stands before a name.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Line,
    Point,
    Hatch,
    Area,
}

/// What a picture's legend names: the visible counters, or the marks of one counter alone.
pub fn entries(folding: &Folding, view: &View, cloud: Option<&Cloud>) -> Vec<Entry> {
    let Some(curve) = alone(folding, view) else {
        let model = components(folding, view);
        return if model.is_empty() { counters(folding, view) } else { model };
    };
    let tokens = view.theme.tokens();
    let counted = |kind| match kind {
        Use::Used => (curve.used, "used"),
        Use::Unused => (curve.unused, "not used"),
        Use::Excluded => (curve.excluded, "of instances left out"),
    };
    let points = marks(tokens).into_iter().rev().map(|(kind, _, colour, _)| {
        let (samples, words) = counted(kind);
        let name = format!("{} {words}", number(f64::from(samples), 0));
        Entry {
            name,
            stroke: Stroke::solid(colour, 2.5),
            dash: &[],
            mark: Mark::Point,
            right: false,
        }
    });
    let stroke = Stroke::solid(tokens.accent, 1.5);
    let fitted =
        Entry { name: "fitted".to_string(), stroke, dash: &[], mark: Mark::Line, right: true };
    points.filter(|_| cloud.is_some()).chain([fitted]).collect()
}

fn counters(folding: &Folding, view: &View) -> Vec<Entry> {
    let entries: Vec<_> = legend(folding, view).into_iter().filter(|entry| !entry.hidden).collect();
    let ends_strip = |index: usize, entry: &LegendEntry| {
        !entry.instructions
            && entries
                .get(index + 1)
                .is_none_or(|next| next.instructions || next.strip != entry.strip)
    };
    let line = |(index, entry): (usize, &LegendEntry)| {
        let unit = match view.left < NO_UNITS && ends_strip(index, entry) {
            true => format!(" {}", entry.per.replace("per ", "/ ")),
            false => String::new(),
        };
        let name = elide_end(&printable(&entry.name), NAME, 12.0, false) + &unit;
        let stroke =
            Stroke::solid(of_css(&entry.colour), if entry.instructions { 2.0 } else { 1.5 });
        Entry { name, stroke, dash: entry.dash, mark: Mark::Line, right: entry.instructions }
    };
    entries.iter().enumerate().map(line).chain(sparse(folding, view)).collect()
}

/// The components of the model that is shown.
fn components(folding: &Folding, view: &View) -> Vec<Entry> {
    let entry = |entry: ModelEntry| {
        let stroke = Stroke::solid(of_css(&entry.colour), if entry.right { 2.0 } else { 1.5 });
        let mark = if entry.area { Mark::Area } else { Mark::Line };
        let name = elide_end(&entry.name, NAME, 12.0, false);
        Entry { name, stroke, dash: &[], mark, right: entry.right }
    };
    let entries: Vec<_> = model_legend(folding, view).into_iter().map(entry).collect();
    let sparse = sparse(folding, view).filter(|_| !entries.is_empty());
    entries.into_iter().chain(sparse).collect()
}

fn of_css(colour: &str) -> RGBColor {
    rgb(u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or(0))
}

/// What hatching means, if there is some.
pub fn sparse(folding: &Folding, view: &View) -> Option<Entry> {
    let group = folding.group(view.group).filter(|group| !group.sparse.is_empty());
    let colour = view.theme.tokens().ink3;
    let stroke = Stroke { colour, opacity: SPARSE, width: 1.0 };
    let name = "too few samples".to_string();
    group.map(|_| Entry { name, stroke, dash: &[], mark: Mark::Hatch, right: false })
}

/// Where the entries of a legend stand: (row, x), those of the right axis from the right edge.
fn places(frame: &Frame, entries: &[Entry]) -> Vec<(usize, f64)> {
    let start = if frame.left < 100.0 { 12.0_f64.max(frame.left) } else { frame.left };
    let first_row = if frame.left < 100.0 { 1 } else { 0 };
    let wide = |entry: &Entry| 19.0 + Face::plain(12.0, entry.stroke.colour).width(&entry.name);
    let right: f64 =
        entries.iter().filter(|entry| entry.right).map(|entry| wide(entry) + 22.0).sum();
    let (mut row, mut x, mut end) = (first_row, start, frame.right);
    let place = |entry: &Entry| {
        if entry.right {
            end -= wide(entry) + 22.0;
            return (first_row, end + 22.0);
        }
        let edge = if row == first_row { frame.right - right } else { frame.right };
        if x > start && x + wide(entry) > edge {
            (row, x) = (row + 1, start);
        }
        let at = (row, x);
        x += wide(entry) + 22.0;
        at
    };
    entries.iter().map(place).collect()
}

/// Rows that the legend takes.
pub fn rows(frame: &Frame, entries: &[Entry]) -> usize {
    places(frame, entries).into_iter().map(|(row, _)| row + 1).max().unwrap_or(1)
}

/// A lane's title, and its legend from the left edge of the plot.
pub fn header(pen: &dyn Pen, view: &View, title: &str, entries: &[Entry]) {
    let frame = Frame::of(view);
    let tokens = view.theme.tokens();
    pen.text((12.0, 16.0), Anchor::Start, title, Face::bold(13.0, tokens.ink));
    for (entry, (row, x)) in entries.iter().zip(places(&frame, entries)) {
        let y = row as f64 * HEADER;
        let Stroke { colour, opacity, .. } = entry.stroke;
        match entry.mark {
            Mark::Point => pen.dot((x + 10.0, y + 11.5), 2.5, colour, 1.0),
            Mark::Hatch => pen.hatch((x, y + 6.0), (x + 14.0, y + 17.0), colour, opacity),
            Mark::Area => pen.fill((x + 2.0, y + 6.0), (x + 13.0, y + 17.0), colour, 0.8),
            Mark::Line => {
                pen.dashed(&[(x, y + 11.5), (x + 14.0, y + 11.5)], entry.stroke, entry.dash)
            }
        }
        let room = frame.width - x - 19.0;
        let name = elide_end(&printable(&entry.name), room, 12.0, false);
        pen.text((x + 19.0, y + 16.0), Anchor::Start, &name, Face::plain(12.0, tokens.ink2));
    }
}
