//! The source lane where code was not sampled: lines that call a runtime, and what ends each phase.

use super::bands::CAP;
use super::lane::{NAMES, WITH_LINES, lines};
use crate::folding::Callers;
use crate::paint::scene::{Anchor, Face, Lane, elide_end, printable};
use crate::paint::time::breaks;

/// The tint grows in steps so wide in px, at most so many.
const STEP: f64 = 3.0;
const MOST_STEPS: f64 = 64.0;

/// Where it is strongest it is so many times that of a routine that was sampled there.
const STRONGEST: f64 = 1.6;

/// Px that a name leaves free at both ends of its phase, and up from the bottom of its row.
const PAD: f64 = 6.0;
const BASE: f64 = 7.0;

/// Paints calls at their lines. Between two calls it is not known where a thread is: the colour of a
/// phase grows towards the call that ends it, at whose end its name stands.
pub fn callers(lane: &Lane<'_>, callers: &Callers) {
    let &Lane { pen, frame, tokens, group, .. } = lane;
    let row = if frame.height < WITH_LINES { frame.height } else { NAMES };
    for phase in &group.phases {
        let (Some((place, _)), Some((left, right))) =
            (callers.end_of(phase), lane.span(phase.start, phase.end))
        else {
            continue;
        };
        let colour = tokens.routine(callers.hue(place.routine));
        let steps = libm::ceil(((right - left) / STEP).clamp(1.0, MOST_STEPS));
        let wide = (right - left) / steps;
        for step in 0..steps as u32 {
            let from = left + f64::from(step) * wide;
            // How far it is on the way to the call, which may lie beyond what is visible.
            let across = (from + wide / 2.0 - frame.left) / (frame.right - frame.left);
            let at = frame.from + across * (frame.to - frame.from);
            let way = ((at - phase.start) / (phase.end - phase.start)).clamp(0.0, 1.0);
            let opacity = tokens.band * STRONGEST * way;
            pen.fill((from, 0.0), (from + wide, frame.height), colour, opacity.min(1.0));
        }
    }
    if frame.height >= WITH_LINES {
        breaks(lane, (NAMES, frame.height));
        let called = callers.as_group();
        lines(&Lane { group: &called, ..*lane }, &|_| true);
    }
    for phase in &group.phases {
        let (Some((place, words)), Some((left, right))) =
            (callers.end_of(phase), lane.span(phase.start, phase.end))
        else {
            continue;
        };
        pen.fill((left, 0.0), (right, CAP), tokens.routine(callers.hue(place.routine)), 1.0);
        let size = frame.words();
        let face = Face::plain(size, tokens.ink);
        let room = right - left - 2.0 * PAD;
        let whole = format!("→ {}", printable(&words));
        let text = match face.width(&whole) <= room {
            true => whole,
            false => {
                let short = printable(callers.routine(place.routine));
                elide_end(&format!("→ {short}"), room, size, false)
            }
        };
        // Fewer letters than these name nothing.
        if text.chars().count() > 5 {
            pen.text((right - PAD, row - BASE), Anchor::End, &text, face);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Folding, Group, Lines, Phase, Place};
    use crate::paint::View;
    use crate::paint::example::{self, dots, rectangles, words};
    use crate::paint::scene::{Svg, css};
    use crate::paint::source::source;

    /// Two phases; the first ends with calls from two lines of `exchange`, the second differs.
    fn folding() -> Folding {
        let place = |line, samples| Place { routine: 0, line, file: "halo.c".to_owned(), samples };
        let callers = Callers {
            hues: vec![],
            routines: vec!["exchange".to_owned()],
            places: vec![place(41, 2), place(57, 1)],
            lines: Lines { x: vec![0.0, 0.5, 0.52], place: vec![0, 0, 1], context: vec![] },
        };
        let phase = |start, end| Phase { start, end, ..Phase::default() };
        let group = Group {
            number: 1,
            mean_duration_ns: 1e6,
            phases: vec![
                Phase { end_place: Some(0), end_lines: [41, 57], ..phase(0.0, 0.5) },
                phase(0.5, 1.0),
            ],
            callers: Some(callers),
            ..Group::default()
        };
        Folding { groups: vec![group], shown: 1, ..Folding::default() }
    }

    fn drawn(view: &View) -> String {
        let svg = Svg::default();
        source(&svg, &folding(), view);
        svg.elements()
    }

    #[test]
    fn calls_are_points_and_the_name_of_the_one_that_ends_a_phase_stands_at_its_end() {
        let view = example::view(980.0, 112.0);
        let svg = drawn(&view);
        assert_eq!(dots(&svg).len(), 3);
        let name = words(&svg).into_iter().find(|(.., text)| text.contains("exchange")).unwrap();
        assert_eq!(name.2, "→ exchange [41, 57]");
        let half = 112.0 + 400.0;
        assert!((half - 10.0..half).contains(&name.0), "{name:?}");
        let tints = rectangles(&svg, &css(view.theme.tokens().routine(0)));
        assert!(tints.iter().all(|[.., right, _]| *right <= half + 0.1), "nothing ends the second");
    }

    #[test]
    fn the_tint_grows_towards_the_call_whatever_is_visible() {
        let opacity = |view: &View| {
            let svg = drawn(view);
            let colour = css(view.theme.tokens().routine(0));
            let of = svg.split("<rect").filter(|rect| rect.contains(&colour));
            let of = of.filter_map(|rect| rect.split("opacity=\"").nth(1));
            let of = of.filter_map(|text| text.split('"').next()?.parse::<f64>().ok());
            // Not of the cap.
            let of = of.filter(|opacity| *opacity < 1.0);
            of.collect::<Vec<_>>()
        };
        let whole = opacity(&example::view(980.0, 112.0));
        assert!(whole.len() > 10 && whole.is_sorted(), "{whole:?}");
        let behind = View { from: 0.4, to: 0.6, ..example::view(980.0, 112.0) };
        let behind = opacity(&behind);
        assert!(behind[0] > 0.7 * whole[whole.len() - 1], "{behind:?}");
    }
}
