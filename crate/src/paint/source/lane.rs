//! The source lane: which routine ran when, and which of its lines.

use super::bands::{bands, caps};
use super::callers::callers;
use super::icicle::icicle;
use super::rows::{Point, Rows, points};
use super::turns::{layers, turns};
use crate::folding::{Folding, Group};
use crate::order;
use crate::paint::View;
use crate::paint::picked::{Matches, opacity};
use crate::paint::scene::{
    Anchor, Face, Frame, LEFT, Lane, Layout, Pen, elide_front, mix, printable,
};
use crate::paint::time::{MIDDLE, TICK, breaks};

/// Height of the row of routine names, with the cap above it.
pub const NAMES: f64 = 24.0;

/// Radius of a code line's point, and the share of ink in its colour.
const POINT: f64 = 1.05;
const POINT_INK: f64 = 0.26;

/// Px that lines leave free above and below, and the opacity of what lies between files.
const ROOM: f64 = 3.0;
const SEPARATOR: f64 = 0.14;

/// Px from the name of a file to the number of a line.
const APART: f64 = 3.0;

/// Least px between ticks, and the least share of the samples that a ticked line has.
const TICKS_APART: f64 = 12.0;
const TICK_SHARE: f64 = 0.01;

/// Lanes that are lower show bands and names, and no lines.
pub const WITH_LINES: f64 = 40.0;

/// Paints bands with routine names, code lines, and in the gutter line numbers and files; or, if
/// the view asks for it, routines under those that call them. What was not picked is faint.
pub fn source(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let frame = Frame::of(view);
    let tokens = view.theme.tokens();
    let corners = ((frame.left, 0.0), (frame.right, frame.height));
    let lane = Lane::of(pen, folding, view);
    let lane = lane.map(|lane| (lane, Matches::of(lane.group, view.picked.as_ref())));
    if let Some((lane, matches)) = &lane {
        let is_sampled = !(lane.group.stretches.is_empty() && lane.group.lines.x.is_empty());
        if !is_sampled && lane.group.callers.is_none() {
            pen.fill(corners.0, corners.1, tokens.sunken, 1.0);
        }
        if let Some(known) = lane.group.callers.as_ref().filter(|_| !is_sampled) {
            callers(lane, known);
        } else if !view.icicle {
            bands(lane, matches);
            if frame.height >= WITH_LINES {
                breaks(lane, (NAMES, frame.height));
                lines(lane, &|sample| match &view.matched {
                    Some(matched) => matched.has_sample(sample),
                    None => matches.sample(lane.group, sample),
                });
            }
        }
    }
    pen.frame(corners.0, corners.1, tokens.line);
    if let Some((lane, matches)) = &lane {
        if view.icicle {
            icicle(lane, matches);
        } else {
            // Shares of all routines say nothing of the one that is picked.
            let has_layers = view.picked.is_none() && frame.height >= WITH_LINES;
            let turns = if has_layers { turns(lane.group, (frame.from, frame.to)) } else { vec![] };
            layers(lane, &turns);
            caps(lane, matches, &turns);
        }
    }
    frame.layout()
}

/// Points at their lines, faint but for those that are picked.
pub(super) fn lines(lane: &Lane<'_>, is_full: &dyn Fn(usize) -> bool) {
    let &Lane { pen, frame, group, tokens, .. } = lane;
    let rows = Rows::of(group, NAMES + ROOM, frame.height - ROOM);
    for &y in &rows.separators {
        pen.hair((frame.left + 1.0, y), (frame.right - 1.0, y), tokens.ink, SEPARATOR);
    }
    let points = points(&frame, group, &rows);
    // What was picked lies over the rest.
    for is_picked in [false, true] {
        let of = points.iter().filter(|point| is_full(point.sample) == is_picked);
        let dots = of.map(|&Point { at, place, .. }| {
            let hue = group.places.get(place).map_or(0, |place| group.hue(place.routine));
            (at, mix(tokens.routine(hue), tokens.ink, POINT_INK))
        });
        pen.dots(&dots.collect::<Vec<_>>(), POINT, tokens.point * opacity(is_picked));
    }
    gutter(lane, &rows);
}

/// Numbers of the most sampled lines, and the file's name beside the first of each row.
fn gutter(Lane { pen, frame, group, tokens, .. }: &Lane<'_>, rows: &Rows) {
    let face = Face::plain(TICK, tokens.ink3);
    let x = frame.left - frame.inset(frame.left);
    let ticks = ticks(group, rows);
    let mut last = f64::NEG_INFINITY;
    for (row, file) in rows.files.iter().enumerate() {
        let mut of_row: Vec<_> = ticks.iter().filter(|tick| tick.row == row).collect();
        order::by_number(&mut of_row, |tick| order::of_float(tick.y));
        for tick in &of_row {
            let number = tick.line.to_string();
            if face.width(&number) <= x + 2.0 {
                pen.text((x, tick.y + MIDDLE), Anchor::End, &number, face);
            }
        }
        let y = of_row.first().map_or_else(|| rows.middle(row), |tick| Some(tick.y));
        let Some(y) = y.map(|y| y.max(last + TICKS_APART)).filter(|y| *y < frame.height) else {
            continue;
        };
        // Numbers of any row stand beside it.
        let beside = ticks.iter().filter(|tick| (tick.y - y).abs() < TICKS_APART);
        let number = beside.map(|tick| face.width(&tick.line.to_string()) + APART);
        let room = x - LEFT - number.fold(0.0, f64::max);
        if let Some(name) = elide_front(&printable(file), room, TICK).filter(|it| !it.is_empty()) {
            pen.text((LEFT, y + MIDDLE), Anchor::Start, &name, face);
            last = y;
        }
    }
}

struct Tick {
    row: usize,
    y: f64,
    line: u32,
}

/// The most sampled lines that are far enough from those before them.
fn ticks(group: &Group, rows: &Rows) -> Vec<Tick> {
    let total: f64 = group.places.iter().map(|place| f64::from(place.samples)).sum();
    let mut lines: Vec<_> =
        group.places.iter().zip(&rows.places).filter(|(place, _)| place.line > 0).collect();
    lines.retain(|(place, _)| f64::from(place.samples) >= TICK_SHARE * total);
    order::by_number(&mut lines, |(place, _)| {
        u64::from(!place.samples) << 32 | u64::from(place.line)
    });
    let mut ticks: Vec<Tick> = Vec::new();
    for (place, at) in lines {
        let Some(at) = at.as_ref().filter(|at| !rows.is_rest(at.row)) else { continue };
        if ticks.iter().all(|tick| (tick.y - at.y).abs() >= TICKS_APART) {
            ticks.push(Tick { row: at.row, y: at.y, line: place.line });
        }
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::picked::Picked;
    use crate::paint::scene::Svg;
    use crate::paint::{View, example};

    #[test]
    fn a_point_lies_at_its_time_and_its_line() {
        let (folding, view) = (example::stream(), example::view(976.0, 112.0));
        let group = folding.group(1).unwrap();
        let pen = example::Dotted::default();
        source(&pen, &folding, &view);
        let frame = Frame::of(&view);
        let rows = Rows::of(group, NAMES + 3.0, frame.height - 3.0);
        let dots = pen.at_once.into_inner().concat();
        assert_eq!(dots.len(), group.lines.x.len());
        for (&time, &place) in group.lines.x.iter().zip(&group.lines.place) {
            let at = rows.places[place as usize].as_ref().unwrap();
            let near = |((x, y), _): &((f64, f64), _)| {
                (x - frame.x(time)).abs() <= 0.01 && (y - at.y).abs() <= 1.01
            };
            assert!(dots.iter().any(near), "{time} {}", at.y);
        }
    }

    #[test]
    fn points_are_drawn_all_at_once_those_that_were_picked_over_the_rest() {
        let folding = example::stream();
        let group = folding.group(1).unwrap();
        let name = &group.routines[0];
        let picked = Some(Picked::Routine(name.clone()));
        for view in [example::view(976.0, 112.0), View { picked, ..example::view(976.0, 112.0) }] {
            let pen = example::Dotted::default();
            source(&pen, &folding, &view);
            let calls = pen.at_once.into_inner();
            assert_eq!((calls.len(), pen.one_by_one.get()), (2, 0));
            assert_eq!(calls.iter().map(Vec::len).sum::<usize>(), group.lines.x.len());
        }
    }

    #[test]
    fn ticks_name_the_most_sampled_lines_and_keep_apart() {
        let folding = example::stream();
        let group = folding.group(1).unwrap();
        let rows = Rows::of(group, 27.0, 109.0);
        let ticks = ticks(group, &rows);
        assert!(ticks.iter().any(|tick| tick.line == 2140), "the most sampled line");
        for (i, a) in ticks.iter().enumerate() {
            assert!(ticks[..i].iter().all(|b| (a.y - b.y).abs() >= 12.0));
        }
    }

    #[test]
    fn names_in_the_gutter_never_overlap() {
        let mut folding = example::stream();
        for (index, place) in folding.groups[0].places.iter_mut().enumerate() {
            place.file = format!("/a/long/way/to/the/file/number/{index}.c");
            place.samples = 4_u32.pow(index.min(9) as u32);
        }
        for height in [60.0, 112.0, 160.0, 300.0] {
            let view = example::view(976.0, height);
            let svg = Svg::default();
            source(&svg, &folding, &view);
            let svg = svg.elements();
            let in_gutter = |(x, _, _): &(f64, f64, &str)| *x < view.left;
            let all = example::words(&svg).into_iter().filter(in_gutter).collect::<Vec<_>>();
            let face = Face::plain(TICK, view.theme.tokens().ink);
            let names = all.iter().filter(|(x, ..)| *x == LEFT).collect::<Vec<_>>();
            assert!(names.len() > 1, "{height}: {all:?}");
            for (at, (_, y, name)) in names.iter().enumerate() {
                for (_, other, _) in &names[..at] {
                    assert!((y - other).abs() >= TICKS_APART - 0.01, "{height}: {all:?}");
                }
                let end = LEFT + face.width(name);
                for (x, line, number) in all.iter().filter(|(x, ..)| *x != LEFT) {
                    let is_beside = (y - line).abs() < TICKS_APART - 0.01;
                    assert!(!is_beside || end < x - face.width(number), "{name} {number}");
                }
            }
        }
    }

    #[test]
    fn names_from_a_trace_are_escaped_and_harmless() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let svg = Svg::default();
                source(&svg, &folding, &view);
                let svg = svg.elements();
                assert!(
                    !svg.contains("<script") && !svg.contains('\u{1b}') && !svg.contains("NaN")
                );
            }
        }
    }
}
