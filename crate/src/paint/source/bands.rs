//! Bands of routines: at every moment the innermost one that runs long enough, with those that call
//! it. Long enough is what `routines` asks for, or 2.5 % of what is visible.

use super::lane::{NAMES, WITH_LINES};
use super::turns::Turns;
use crate::folding::{Group, Stretch};
use crate::paint::picked::{Matches, opacity};
use crate::paint::scene::{Anchor, Face, Lane, elide_routine, is_start_up, printable};

/// Height of a cap, and px from the middle of a row down to the base line of its name.
pub const CAP: f64 = 3.0;
pub const NAME_BASE: f64 = 3.5;

/// Short stretches that are narrower than this share of what is visible stay white.
pub const SHORTEST: f64 = 0.025;

/// Opacity of the hatch of the thirteenth routine and those after it.
pub const HATCH: f64 = 0.6;

/// Px that a name leaves free in its band, on a narrow page and on others.
pub const PAD_NARROW: f64 = 4.0;
pub const PAD: f64 = 14.0;

/// Routines of a label: more would never fit.
const NAMED: usize = 12;

/// A band where it lies on the plot, with its stretch and the place of its routine's colour.
struct Visible<'a> {
    span: (f64, f64),
    hue: usize,
    stretch: &'a Stretch,
}

fn visible<'a>(lane: &'a Lane<'_>) -> impl Iterator<Item = Visible<'a>> {
    let bands = lane.group.bands(SHORTEST * (lane.frame.to - lane.frame.from));
    bands.into_iter().filter_map(|band| {
        let stretch = lane.group.stretches.get(band.stretch as usize)?;
        let hue = lane.group.hue(lane.group.routine_of(stretch));
        Some(Visible { span: lane.span(band.start, band.end)?, hue, stretch })
    })
}

/// Faint bands of the routines through the rows `top..bottom` of another lane.
pub fn tints(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    let tokens = lane.tokens;
    for phase in &lane.group.phases {
        let callers = lane.group.callers.as_ref();
        let end = callers.and_then(|of| Some(of.hue(of.end_of(phase)?.0.routine)));
        if let Some((hue, (left, right))) = end.zip(lane.span(phase.start, phase.end)) {
            let colour = tokens.routine(hue);
            lane.pen.fill((left, top), (right, bottom), colour, tokens.tint);
        }
    }
    for Visible { span: (left, right), hue, .. } in visible(lane) {
        lane.pen.fill((left, top), (right, bottom), tokens.routine(hue), tokens.tint);
    }
}

/// The ground of the source lane; from the thirteenth routine on hatched.
pub fn bands(lane: &Lane<'_>, matches: &Matches) {
    let &Lane { pen, tokens, group, .. } = lane;
    let bottom = lane.frame.height;
    for Visible { span: (left, right), hue, stretch } in visible(lane) {
        let colour = tokens.routine(hue);
        let opacity = opacity(matches.stretch(group, stretch));
        pen.fill((left, 0.0), (right, bottom), colour, tokens.band * opacity);
        if tokens.is_hatched(hue) {
            pen.hatch((left, NAMES), (right, bottom), colour, HATCH * opacity);
        }
    }
}

/// Solid caps, and the names under them as far as they fit, but for those of `turns`.
pub fn caps(lane: &Lane<'_>, matches: &Matches, turns: &[Turns]) {
    let &Lane { pen, frame, tokens, group, .. } = lane;
    let row = if frame.height < WITH_LINES { frame.height } else { NAMES };
    let base = CAP + (row - CAP) / 2.0 + NAME_BASE;
    let (size, pad) = (frame.words(), if frame.narrow() { PAD_NARROW } else { PAD });
    for Visible { span: (left, right), hue, stretch } in visible(lane) {
        let is_picked = matches.stretch(group, stretch);
        pen.fill((left, 0.0), (right, CAP), tokens.routine(hue), opacity(is_picked));
        let middle = frame.time((left + right) / 2.0);
        if turns.iter().any(|turns| turns.start <= middle && middle <= turns.end) {
            continue;
        }
        if let Some(label) = label(group, stretch, right - left - pad, size) {
            let colour = if is_picked { tokens.ink } else { tokens.ink3 };
            let middle = ((left + right) / 2.0, base);
            pen.text(middle, Anchor::Middle, &label, Face::plain(size, colour));
        }
    }
}

/// What fits `room` px of `X › Y › Z [n]`: the routine of a stretch under those that call it, and
/// its most sampled line. Recursion is named once, and start-up code not at all.
fn label(group: &Group, stretch: &Stretch, room: f64, size: f64) -> Option<String> {
    let routine = group.routine_of(stretch);
    let mut routines = stretch.context.map_or_else(Vec::new, |context| group.callers(context));
    if routines.last() != Some(&routine) {
        routines = vec![routine];
    }
    routines.dedup();
    let name = |routine: &u32| group.routines.get(*routine as usize);
    let own = routines.iter().position(|routine| !name(routine).is_some_and(|n| is_start_up(n)));
    routines.drain(..own.unwrap_or(0));
    let left_out = routines.len().saturating_sub(NAMED);
    let shown = routines.iter().skip(left_out);
    let mut names: Vec<String> =
        shown.filter_map(|routine| Some(printable(name(routine)?))).collect();
    if left_out > 0 {
        names.insert(0, "…".to_owned());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    (!names.is_empty()).then(|| elide_routine(&names, line_of(group, stretch), room, size))?
}

/// The most sampled line of a stretch; 0 where the trace does not tell.
pub fn line_of(group: &Group, stretch: &Stretch) -> u32 {
    group.places.get(stretch.place as usize).map_or(0, |place| place.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Context, Folding};
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

    /// Words in the row of names.
    fn names(folding: &Folding, view: &View) -> Vec<String> {
        let svg = drawn(folding, view);
        let in_row = |(x, y, _): &(f64, f64, &str)| *y < NAMES && *x > view.left;
        words(&svg).into_iter().filter(in_row).map(|(.., text)| text.to_owned()).collect()
    }

    #[test]
    fn each_routine_has_a_cap_of_its_colour_where_it_is_innermost() {
        let (folding, view) = (example::stream(), example::view(980.0, 112.0));
        let tokens = view.theme.tokens();
        let svg = drawn(&folding, &view);
        for (routine, from, to) in [(0, 0.0, 0.22), (1, 0.22, 0.42), (2, 0.42, 0.7), (3, 0.7, 1.0)]
        {
            let caps = rectangles(&svg, &css(tokens.routine(routine)));
            let cap =
                caps.iter().find(|[_, top, _, bottom]| (*top, *bottom) == (0.0, CAP)).unwrap();
            assert!((cap[0] - (112.0 + from * 800.0)).abs() < 0.1, "{routine}: {cap:?}");
            assert!((cap[2] - (112.0 + to * 800.0)).abs() < 0.1, "{routine}: {cap:?}");
        }
    }

    #[test]
    fn labels_name_callers_as_far_as_there_is_room() {
        let folding = example::stream();
        let wide = names(&folding, &example::view(2000.0, 112.0));
        assert_eq!(
            wide,
            [
                "main › Copy › __memcpy_ssse3_back [2140]",
                "main › Scale [226]",
                "main › Add [237]",
                "main › Triad [248]"
            ]
        );
        let usual = names(&folding, &example::view(976.0, 112.0));
        assert_eq!(usual[0], "__memcpy…back [2140]");
        assert_eq!(usual[1], "main › Scale [226]");
    }

    #[test]
    fn start_up_code_is_not_named_above_a_program() {
        let mut folding = example::stream();
        folding.groups[0].routines[5] = "__libc_start_main".to_owned();
        let view = example::view(2000.0, 112.0);
        assert_eq!(
            names(&folding, &view)[..2],
            ["Copy › __memcpy_ssse3_back [2140]", "Scale [226]"]
        );
        folding.groups[0].stretches.truncate(1);
        folding.groups[0].lines = Default::default();
        assert_eq!(names(&folding, &view), ["__libc_start_main [181]"], "where nothing else runs");
    }

    #[test]
    fn recursion_is_named_once_and_deep_stacks_by_their_end() {
        let mut folding = example::stream();
        let group = &mut folding.groups[0];
        let mut chain: Vec<Context> = vec![];
        for depth in 0..300_u32 {
            let routine = if depth < 250 { 1 } else { depth % 2 };
            chain.push(Context { parent: depth.checked_sub(1), routine, samples: 0 });
        }
        group.contexts = chain;
        group.lines = Default::default();
        group.stretches.truncate(1);
        group.stretches[0].context = Some(100);
        group.stretches[0].place = 3;
        let view = example::view(1600.0, 112.0);
        assert_eq!(names(&folding, &view), ["Scale [226]"]);
        folding.groups[0].stretches[0].context = Some(299);
        let [name] = &names(&folding, &view)[..] else { panic!("one band") };
        assert!(
            name.starts_with("… › ") && name.ends_with("__memcpy_ssse3_back › Scale [226]"),
            "{name}"
        );
    }

    #[test]
    fn short_routines_are_white_until_one_looks_closer() {
        let mut folding = example::stream();
        let group = &mut folding.groups[0];
        group.stretches.retain(|stretch| stretch.level > 0);
        group.stretches[2].short = true;
        (group.stretches[2].start, group.stretches[2].end) = (0.30, 0.31);
        let view = example::view(980.0, 112.0);
        let bands = |from: f64, to: f64| {
            let view = View { from, to, ..view.clone() };
            let colour = css(view.theme.tokens().routine(1));
            rectangles(&drawn(&folding, &view), &colour)
                .iter()
                .filter(|[_, top, ..]| *top == 0.0)
                .count()
        };
        assert_eq!(bands(0.0, 1.0), 0);
        assert_eq!(bands(0.2, 0.5), 2, "a band and its cap");
    }

    #[test]
    fn what_is_not_picked_is_faint() {
        let folding = example::stream();
        let view = View { picked: Picked::parse("routine:Scale"), ..example::view(980.0, 112.0) };
        let svg = drawn(&folding, &view);
        let opacities = |routine: usize| -> Vec<String> {
            let colour = format!("fill=\"{}\"", css(view.theme.tokens().routine(routine)));
            let rectangles = svg.lines().filter(|rect| rect.contains(&colour));
            let opacity =
                |rect: &str| Some(rect.split_once("opacity=\"")?.1.split('"').next()?.to_owned());
            rectangles.filter_map(opacity).collect()
        };
        assert_eq!(opacities(1), ["0.15", "1"]);
        assert_eq!(opacities(0), ["0.03", "0.2"]);
    }
}
