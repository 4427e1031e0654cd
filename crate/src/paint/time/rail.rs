//! The phase rail: number, name, duration and share of each phase, in one row of text.

use super::axis::MIDDLE;
use super::breaks::{LINE, intervals, places};
use crate::folding::{Folding, Group};
use crate::paint::View;
use crate::paint::scale::{THIN, number};
use crate::paint::scene::{Anchor, Face, Frame, Lane, Layout, Pen, Tokens, elide_end, printable};
use crate::quantity::extent;

/// Height of the rail as the page has it.
pub const HEIGHT: f64 = 22.0;

/// Px between what stands in a phase, and left free in it.
const APART: f64 = 8.0;
const FREE: f64 = 10.0;

/// Px between the texts of two phases: nearer, `19` and `21` read as one number.
const OF_OTHERS: f64 = 6.0;

/// Narrower phases show every second number.
const NARROWEST: f64 = 12.0;

/// Longest name.
const NAME: f64 = 140.0;

/// Height of a break's mark where a number leaves no room for the whole.
const MARK: f64 = 4.0;

/// A text of the rail and where it lies.
struct Placed {
    from: f64,
    to: f64,
    text: String,
    face: Face,
}

/// Paints the phases of the group. What does not fit leaves from the right; the number stays.
pub fn rail(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let frame = Frame::of(view);
    if let Some(lane) = Lane::of(pen, folding, view) {
        intervals(&lane, lane.rows());
        let texts = texts(&frame, lane.group, lane.tokens);
        for x in places(&frame, lane.group) {
            let crosses = |text: &Placed| text.from < x + 2.0 && x - 1.0 < text.to;
            let top = if texts.iter().any(crosses) { frame.height - MARK } else { 0.0 };
            pen.hair((x, top), (x, frame.height), lane.tokens.phase, LINE);
        }
        for Placed { from, text, face, .. } in texts {
            pen.text((from, frame.height / 2.0 + MIDDLE), Anchor::Start, &text, face);
        }
    }
    frame.layout()
}

fn texts(frame: &Frame, group: &Group, tokens: &Tokens) -> Vec<Placed> {
    let size = frame.words();
    let mut placed: Vec<Placed> = Vec::new();
    for (phase, index) in group.phases.iter().zip(1_u32..) {
        let (from, to) = (frame.x(phase.start), frame.x(phase.end));
        if to <= from || (to - from < NARROWEST && index.is_multiple_of(2)) {
            continue;
        }
        let share = phase.end - phase.start;
        let plain = |text: String, colour| (text, Face::plain(size, colour));
        let mut parts = vec![
            (index.to_string(), Face::bold(size, tokens.ink)),
            plain(elide_end(&printable(&phase.name), NAME, size, false), tokens.ink2),
            plain(extent(group, share), tokens.ink3),
            plain(format!("{}{THIN}%", number(share * 100.0, 1)), tokens.ink3),
        ];
        parts.retain(|(text, _)| !text.is_empty());
        let wide = |parts: &[(String, Face)]| {
            let texts: f64 = parts.iter().map(|(text, face)| face.width(text)).sum();
            texts + APART * parts.len().saturating_sub(1) as f64
        };
        while parts.len() > 1 && wide(&parts) > to - from - FREE {
            parts.pop();
        }
        let mut x = (from + to - wide(&parts)) / 2.0;
        let before = placed.last().map_or(f64::NEG_INFINITY, |text| text.to);
        let inside = x >= frame.left && x + wide(&parts) <= frame.right;
        if !inside || x < before + OF_OTHERS {
            continue;
        }
        for (text, face) in parts {
            let to = x + face.width(&text);
            placed.push(Placed { from: x, to, text, face });
            x = to + APART;
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Phase;
    use crate::paint::example::{self, rectangles};
    use crate::paint::scene::{Svg, css};

    fn words(folding: &Folding, view: &View) -> Vec<String> {
        let group = folding.group(1).unwrap();
        let texts = texts(&Frame::of(view), group, view.theme.tokens());
        texts.into_iter().map(|text| text.text.replace(THIN, "_")).collect()
    }

    #[test]
    fn a_phase_tells_its_number_name_duration_and_share() {
        let mut folding = example::stream();
        for (phase, name) in
            folding.groups[0].phases.iter_mut().zip(["copy", "", "add", "a name that has no room"])
        {
            phase.name = name.to_owned();
        }
        let wide = example::view(976.0, HEIGHT);
        assert_eq!(
            words(&folding, &wide).join(" "),
            "1 copy 14.1_ms 22.0_% 2 12.8_ms 20.0_% 3 add 17.9_ms 28.0_% \
             4 a name that has no r… 19.2_ms"
                .replace("a name that has no r…", &words(&folding, &wide)[12])
        );
        let narrow = View { left: 32.0, right: 50.0, ..example::view(400.0, HEIGHT) };
        assert_eq!(words(&folding, &narrow).join(" "), "1 copy 2 3 add 4");
    }

    /// `count` phases of equal length.
    fn many(count: usize) -> Folding {
        let mut folding = example::stream();
        let group = &mut folding.groups[0];
        let at = |k: usize| k as f64 / count as f64;
        let phase = |k| Phase { start: at(k), end: at(k + 1), ..Phase::default() };
        group.phases = (0..count).map(phase).collect();
        group.breaks = (1..count).map(|k| example::found(at(k), 0.0)).collect();
        folding
    }

    #[test]
    fn numbers_stay_until_phases_are_narrow_and_then_every_second() {
        let view = example::view(976.0, HEIGHT);
        let all = words(&many(9), &view);
        assert!(all.iter().filter(|text| text.len() == 1).count() == 9, "{all:?}");
        let some = words(&many(90), &view);
        assert!(some.iter().all(|number| number.parse::<u32>().unwrap() % 2 == 1), "{some:?}");
        assert!(some.len() > 20, "{some:?}");
    }

    #[test]
    fn texts_keep_apart_and_no_break_crosses_them() {
        for count in [2, 5, 12, 40, 90, 500] {
            for view in [
                example::view(976.0, HEIGHT),
                View { left: 32.0, right: 50.0, ..example::view(400.0, HEIGHT) },
            ] {
                let folding = many(count);
                let texts =
                    texts(&Frame::of(&view), folding.group(1).unwrap(), view.theme.tokens());
                assert!(!texts.is_empty(), "{count}");
                assert!(texts.windows(2).all(|pair| pair[0].to + 4.0 < pair[1].from), "{count}");
                let svg = Svg::default();
                rail(&svg, &folding, &view);
                let lines = rectangles(&svg.elements(), &css(view.theme.tokens().phase));
                assert_eq!(lines.len(), count - 1);
                for [x, top, right, bottom] in lines {
                    assert_eq!((right - x, bottom), (1.0, HEIGHT));
                    let crossed = texts.iter().any(|text| text.from < right && x < text.to);
                    assert!(!crossed || top >= 18.0, "{count}: {x}");
                }
            }
        }
    }

    #[test]
    fn odd_foldings_are_painted() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let svg = Svg::default();
                rail(&svg, &folding, &view);
                let svg = svg.elements();
                assert!(!svg.contains("NaN") && !svg.contains("<script"));
            }
        }
    }
}
