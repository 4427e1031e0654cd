//! The source lane as an icicle: routines under those that call them, the root at the top.

use super::bands::{HATCH, SHORTEST, line_of};
use crate::folding::{Group, Stretch};
use crate::paint::picked::{Matches, opacity};
use crate::paint::scene::{Anchor, Face, Frame, Lane, elide_routine, printable};
use crate::paint::time::TICK;

/// Px of the edge at the top of a cell.
const EDGE: f64 = 2.0;

/// Px that words leave free in a cell.
const PAD: f64 = 8.0;

/// Height that a row is given if it can, and the least that has words.
const ROW: f64 = 16.0;
const WITH_WORDS: f64 = 13.0;

/// The rows of an icicle.
struct Levels {
    /// The level in the first row: those above it are one routine each, over all that is visible.
    first: u32,
    count: u32,
    height: f64,
}

/// Paints every visible stretch in the row of its level. No line crosses it, as all of it is words.
pub fn icicle(lane: &Lane<'_>, matches: &Matches) {
    let &Lane { pen, frame, group, tokens, .. } = lane;
    let stretches: Vec<&Stretch> = visible(&frame, group).collect();
    let levels = levels(&frame, &stretches);
    for stretch in &stretches {
        let Some(row) = stretch.level.checked_sub(levels.first) else { continue };
        let (from, to) = (frame.x(stretch.start), frame.x(stretch.end));
        let top = f64::from(row) * levels.height;
        let routine = group.routine_of(stretch) as usize;
        let hue = group.hue(routine as u32);
        let (colour, is_picked) = (tokens.routine(hue), matches.stretch(group, stretch));
        let opacity = opacity(is_picked);
        // A gap to what follows, where a cell is wide enough to miss a pixel.
        let right = if to - from > 3.0 { to - 1.0 } else { to };
        let bottom = top + levels.height - 1.0_f64.min(levels.height / 4.0);
        let edge = EDGE.min(levels.height / 2.0);
        pen.fill((from, top), (right, bottom), colour, tokens.band * opacity);
        pen.fill((from, top), (right, top + edge), colour, opacity);
        if tokens.is_hatched(hue) {
            pen.hatch((from, top + edge), (right, bottom), colour, HATCH * opacity);
        }
        let Some(name) = group.routines.get(routine).filter(|_| levels.height >= WITH_WORDS) else {
            continue;
        };
        let name = printable(name);
        let names = if row == 0 && levels.first > 0 { vec!["…", &name] } else { vec![&*name] };
        let size = if levels.height < ROW + 2.0 { TICK } else { 12.0 };
        if let Some(label) = label(&names, line_of(group, stretch), right - from - PAD, size) {
            let ink = if is_picked { tokens.ink } else { tokens.ink3 };
            let at = ((from + right) / 2.0, middle(top + edge, bottom, size));
            pen.text(at, Anchor::Middle, &label, Face::plain(size, ink));
        }
    }
    gutter(lane, &levels);
}

/// The routine and its line; the routine alone before the line alone.
fn label(names: &[&str], line: u32, room: f64, size: f64) -> Option<String> {
    let with_line = elide_routine(names, line, room, size)?;
    let is_named = !with_line.starts_with('[');
    if is_named { Some(with_line) } else { elide_routine(names, 0, room, size).or(Some(with_line)) }
}

/// How deep each row is, from 1.
fn gutter(lane: &Lane<'_>, levels: &Levels) {
    let face = Face::plain(TICK, lane.tokens.ink3);
    let x = lane.frame.left - lane.frame.inset(lane.frame.left);
    let rows = if levels.height < WITH_WORDS { 0 } else { levels.count };
    for row in 0..rows {
        let top = f64::from(row) * levels.height;
        let base = middle(top, top + levels.height, TICK);
        let depth = (levels.first + row + 1).to_string();
        lane.pen.text((x, base), Anchor::End, &depth, face);
    }
}

/// The base line of words of `size` px between two heights.
fn middle(top: f64, bottom: f64, size: f64) -> f64 {
    (top + bottom) / 2.0 + 0.35 * size
}

/// Stretches that reach into what is visible and, if they are short, are wide enough to be seen.
fn visible<'a>(frame: &'a Frame, group: &'a Group) -> impl Iterator<Item = &'a Stretch> {
    let shortest = SHORTEST * (frame.to - frame.from);
    group.stretches.iter().filter(move |stretch| {
        let is_seen = frame.x(stretch.end) > frame.x(stretch.start);
        is_seen && !(stretch.short && stretch.end - stretch.start < shortest)
    })
}

fn levels(frame: &Frame, stretches: &[&Stretch]) -> Levels {
    let count = stretches.iter().map(|stretch| stretch.level.saturating_add(1)).max().unwrap_or(1);
    let most = ((frame.height / ROW) as u32).max(1);
    let mut of_level = vec![0_u32; count.min(Levels::DEEPEST) as usize];
    let mut covers = vec![false; of_level.len()];
    for stretch in stretches {
        let level = stretch.level as usize;
        let Some(of_level) = of_level.get_mut(level) else { continue };
        *of_level += 1;
        covers[level] |= stretch.start <= frame.from && stretch.end >= frame.to;
    }
    let alone = of_level.iter().zip(&covers).take_while(|(count, covers)| **count == 1 && **covers);
    let first = (alone.count() as u32).min(count.saturating_sub(most));
    let count = count - first;
    Levels { first, count, height: frame.height / f64::from(count) }
}

impl Levels {
    /// Levels that are looked at; no call-stack is captured so deep.
    const DEEPEST: u32 = 4096;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Folding;
    use crate::paint::View;
    use crate::paint::example::{self, rectangles, words};
    use crate::paint::picked::Picked;
    use crate::paint::scene::{Svg, css};
    use crate::paint::source::source;

    fn drawn(folding: &Folding, view: &View) -> String {
        let svg = Svg::default();
        source(&svg, folding, view);
        svg.elements()
    }

    fn view(width: f64, height: f64) -> View {
        View { icicle: true, ..example::view(width, height) }
    }

    /// Edges of the cells of a routine: left, top and right.
    fn edges(svg: &str, view: &View, routine: usize) -> Vec<[f64; 3]> {
        let colour = css(view.theme.tokens().routine(routine));
        let edges = rectangles(svg, &colour).into_iter();
        edges
            .filter(|[_, top, _, bottom]| bottom - top == EDGE)
            .map(|[x, top, to, _]| [x, top, to])
            .collect()
    }

    #[test]
    fn callers_stand_over_what_they_call() {
        let (folding, view) = (example::stream(), view(980.0, 120.0));
        let svg = drawn(&folding, &view);
        // Three levels of 40 px; 800 px of plot. Cells leave a gap of 1 px.
        for (routine, expected) in [
            (5, [112.0, 0.0, 911.0]),
            (4, [112.0, 40.0, 287.0]),
            (0, [112.0, 80.0, 287.0]),
            (1, [288.0, 40.0, 447.0]),
            (3, [672.0, 40.0, 911.0]),
        ] {
            let [found] = edges(&svg, &view, routine)[..] else { panic!("one cell of {routine}") };
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.1), "{found:?}");
        }
        let words: Vec<&str> = words(&svg).into_iter().map(|(.., text)| text).collect();
        for label in ["main [181]", "Copy [215]", "__memcpy_…", "Triad [248]", "1", "3"] {
            let start = label.trim_end_matches('…');
            assert!(words.iter().any(|word| word.starts_with(start)), "{label} in {words:?}");
        }
    }

    #[test]
    fn outer_levels_that_tell_nothing_make_room() {
        let (folding, view) = (example::stream(), view(980.0, 34.0));
        let svg = drawn(&folding, &view);
        assert_eq!(edges(&svg, &view, 5), [[0.0; 3]; 0], "main is left out");
        assert_eq!(edges(&svg, &view, 4).len(), 1);
        assert!(words(&svg).iter().any(|(.., word)| word.starts_with("… › Scale")));
    }

    #[test]
    fn a_narrow_cell_has_its_name_before_its_line() {
        assert_eq!(label(&["Copy"], 215, 80.0, 12.0).as_deref(), Some("Copy [215]"));
        assert_eq!(label(&["Copy"], 215, 50.0, 12.0).as_deref(), Some("Copy"));
        let short = label(&["Copy everything"], 2, 50.0, 12.0).unwrap();
        assert!(short.starts_with("Co") && short.contains('…') && !short.contains('['), "{short}");
        assert_eq!(label(&["Copy"], 215, 9.0, 12.0), None);
    }

    #[test]
    fn what_is_not_picked_is_faint() {
        let folding = example::stream();
        let view = View { picked: Picked::parse("routine:Copy"), ..view(980.0, 120.0) };
        let svg = drawn(&folding, &view);
        let is_full = |routine: usize| {
            let colour = css(view.theme.tokens().routine(routine));
            let full = |rect: &str| rect.contains(&colour) && rect.contains("opacity=\"1\"");
            svg.lines().any(full)
        };
        let full: Vec<usize> = (0..6).filter(|routine| is_full(*routine)).collect();
        assert_eq!(full, [0, 4], "Copy, and what it calls");
    }

    #[test]
    fn odd_foldings_are_painted() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let svg = drawn(&folding, &View { icicle: true, ..view });
                assert!(!svg.contains("NaN") && !svg.contains("<script"));
            }
        }
    }
}
