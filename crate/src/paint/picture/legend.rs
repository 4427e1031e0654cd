//! The legend that a whole picture carries: marks with their names, in rows.

use crate::folding::{Cloud, Doing, Folding, Group, Use};
use crate::paint::View;
use crate::paint::activity::activity_marks;
use crate::paint::gauge::gauge_marks;
use crate::paint::mark::Mark;
use crate::paint::performance::{
    AREA, FITTED, LegendEntry, ModelEntry, OTHER, RATE, alone, legend, model_legend, sample_marks,
    sparse,
};
use crate::paint::scale::number;
use crate::paint::scene::{
    Anchor, Face, Frame, LEFT, NARROW_GUTTER, Pen, Stroke, elide_end, of_css, printable, width,
};

/// Height of a row, and base line of what is written in it.
pub const HEADER: f64 = 24.0;
pub const BASE: f64 = 16.0;

/// Sizes of a title and of a name.
pub const TITLE: f64 = 13.0;
pub const SIZE: f64 = 12.0;

/// Px from a mark to its name, from the top of a row to the middle of a mark, and from one entry to
/// the next.
const MARK: f64 = 19.0;
pub const MIDDLE: f64 = 11.5;
pub const GAP: f64 = 22.0;

/// Longest name, and by how much it is cut at a time until a row has room for all.
const NAME: f64 = 200.0;
const CUT: f64 = 8.0;

/// Below this, the left gutter has no room for a title, and entries begin in the row below it.
pub const NO_TITLE: f64 = 100.0;

/// An entry of a legend.
pub struct Entry {
    name: String,
    mark: Mark,
    /// Whether it stands at the right, as its axis does.
    right: bool,
}

/// What a picture's legend names: the visible counters, the components of a model, or the marks of
/// one counter alone.
pub fn entries(folding: &Folding, view: &View, cloud: Option<&Cloud>) -> Vec<Entry> {
    let Some(curve) = alone(folding, view) else {
        let components: Vec<_> = model_legend(folding, view).into_iter().map(component).collect();
        let is_model = !components.is_empty();
        let curves = if is_model { components } else { counters(folding, view) };
        let mut entries = curves.into_iter().chain(too_few(folding, view)).collect();
        if !is_model {
            cut(&Frame::of(view), &mut entries);
        }
        return entries;
    };
    let tokens = view.theme.tokens();
    let points = sample_marks(tokens).into_iter().rev().map(|(kind, mark)| {
        let (samples, words) = match kind {
            Use::Used => (curve.used, "used"),
            Use::Unused => (curve.unused, "not used"),
            Use::Excluded => (curve.excluded, "of instances left out"),
        };
        Entry { name: format!("{} {words}", number(f64::from(samples), 0)), mark, right: false }
    });
    let mark = Mark::line(tokens.accent, FITTED);
    let fitted = Entry { name: "fitted".to_owned(), mark, right: true };
    points.filter(|_| cloud.is_some()).chain([fitted]).collect()
}

/// The visible counters; where units do not fit the gutter, they stand behind the last name of their
/// axis.
fn counters(folding: &Folding, view: &View) -> Vec<Entry> {
    let entries: Vec<_> = legend(folding, view).into_iter().filter(|entry| !entry.hidden).collect();
    let ends_strip = |index: usize, entry: &LegendEntry| {
        let next = entries.get(index + 1);
        !entry.instructions
            && next.is_none_or(|next| next.instructions || next.strip != entry.strip)
    };
    let line = |(index, entry): (usize, &LegendEntry)| {
        let unit = match view.left < NARROW_GUTTER && ends_strip(index, entry) {
            true => format!(" {}", entry.per.replace("per ", "/ ")),
            false => String::new(),
        };
        let own = [printable(&entry.name).as_str(), entry.of].join(" ");
        let name = elide_end(own.trim_end(), NAME, SIZE, false) + &unit;
        let width = if entry.instructions { RATE } else { OTHER };
        let stroke = Stroke::solid(of_css(&entry.colour), width);
        Entry { name, mark: Mark::Line { stroke, dash: entry.dash }, right: entry.instructions }
    };
    entries.iter().enumerate().map(line).collect()
}

fn component(entry: ModelEntry) -> Entry {
    let colour = of_css(&entry.colour);
    let mark = match (entry.area, entry.right) {
        (true, _) => Mark::Area { colour, opacity: AREA },
        (false, right) => Mark::Line {
            stroke: Stroke::solid(colour, if right { RATE } else { OTHER }),
            dash: entry.dash,
        },
    };
    Entry { name: elide_end(&entry.name, NAME, SIZE, false), mark, right: entry.right }
}

/// What is done at any time, as it hangs.
pub fn doings(group: &Group, view: &View) -> Vec<Entry> {
    let entry =
        |(doing, mark): (Doing, Mark)| Entry { name: doing.name().to_owned(), mark, right: false };
    activity_marks(group, view.theme.tokens()).into_iter().map(entry).collect()
}

/// What is read beside the program.
pub fn gauges(group: &Group, view: &View) -> Vec<Entry> {
    let entry = |(name, mark): (String, Mark)| Entry {
        name: elide_end(&name, NAME, SIZE, false),
        mark,
        right: false,
    };
    gauge_marks(group, view).into_iter().map(entry).collect()
}

/// What hatching means, if there is some.
pub fn too_few(folding: &Folding, view: &View) -> Option<Entry> {
    folding.group(view.group).filter(|group| !group.sparse.is_empty())?;
    let mark = sparse(view.theme.tokens().ink3);
    Some(Entry { name: "too few samples".to_owned(), mark, right: false })
}

/// Cuts the longest names, as far as all fit one row; each curve has its whole name beside it. In a
/// narrow picture, where units stand behind names, rows wrap.
fn cut(frame: &Frame, entries: &mut Vec<Entry>) {
    let wide = |longest: f64| {
        let own = |entry: &Entry| MARK + width(&entry.name, SIZE, false).min(longest) + GAP;
        entries.iter().map(own).sum::<f64>() - GAP
    };
    let room = frame.right - frame.left;
    let lengths = (0..20).map(|step| NAME - CUT * f64::from(step));
    let longest = lengths.into_iter().find(|longest| wide(*longest) <= room);
    if let Some(longest) = longest.filter(|_| frame.left >= NO_TITLE) {
        for entry in entries {
            entry.name = elide_end(&entry.name, longest, SIZE, false);
        }
    }
}

/// Where the entries of a legend stand: (row, x), those of the right axis from the right edge.
fn places(frame: &Frame, entries: &[Entry]) -> Vec<(usize, f64)> {
    let (first_row, start) =
        if frame.left < NO_TITLE { (1, frame.left.max(LEFT)) } else { (0, frame.left) };
    let wide = |entry: &Entry| MARK + width(&entry.name, SIZE, false) + GAP;
    let right: f64 = entries.iter().filter(|entry| entry.right).map(wide).sum();
    let (mut row, mut x, mut end) = (first_row, start, frame.right + GAP);
    let place = |entry: &Entry| {
        if entry.right {
            end -= wide(entry);
            return (first_row, end);
        }
        let edge = if row == first_row { frame.right - right } else { frame.right };
        if x > start && x + wide(entry) - GAP > edge {
            (row, x) = (row + 1, start);
        }
        let at = (row, x);
        x += wide(entry);
        at
    };
    entries.iter().map(place).collect()
}

/// Height of a title with its legend.
pub fn height(frame: &Frame, entries: &[Entry]) -> f64 {
    let rows = places(frame, entries).into_iter().map(|(row, _)| row + 1).max();
    HEADER * rows.unwrap_or(1) as f64
}

/// The title of a lane, where titles stand.
pub fn title(pen: &dyn Pen, view: &View, title: &str) {
    let face = Face::bold(TITLE, view.theme.tokens().ink);
    pen.text((LEFT, BASE), Anchor::Start, title, face);
}

/// The title of a lane, and its legend from the left edge of the plot.
pub fn header(pen: &dyn Pen, view: &View, name: &str, entries: &[Entry]) {
    let frame = Frame::of(view);
    let face = Face::plain(SIZE, view.theme.tokens().ink2);
    title(pen, view, name);
    for (entry, (row, x)) in entries.iter().zip(places(&frame, entries)) {
        let y = row as f64 * HEADER;
        entry.mark.key(pen, (x, y + MIDDLE));
        let name = elide_end(&entry.name, frame.width - x - MARK, SIZE, false);
        pen.text((x + MARK, y + BASE), Anchor::Start, &name, face);
    }
}
