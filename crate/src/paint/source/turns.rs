//! Routines that take turns: where none runs for long enough to have the time for itself, the shares of
//! time that each has, one over the other in the row of names.

use super::bands::{CAP, NAME_BASE, PAD, PAD_NARROW, SHORTEST};
use super::lane::NAMES;
use crate::folding::Group;
use crate::order;
use crate::paint::scene::{Anchor, Face, Lane, elide_end, is_start_up, printable};
use crate::quantity::percent;

/// From this share of the samples on a routine has the time for itself: of a stretch that has a band one
/// sample in ten may be foreign (`source`).
const PREVAILS: f64 = 0.9;

/// Smaller shares are not shown, and no fewer samples tell of shares: with 20, one is a twentieth.
const SMALLEST: f64 = 0.05;
const FEWEST: usize = 20;

/// Opacity of a share, in shares of that of a cap.
const OPACITY: f64 = 0.35;

/// A stretch of folded time with the routines that take turns in it, the largest share first.
#[derive(Debug, PartialEq)]
pub struct Turns {
    pub start: f64,
    pub end: f64,
    /// The routine that has the band, if it has none of the shares: it calls them.
    pub caller: Option<u32>,
    /// Indices of routines with their shares of the samples, at least two of them.
    pub shares: Vec<(u32, f64)>,
}

/// Where routines take turns in what is visible. Bands and what lies between them are looked at one by one,
/// as far as they are wide enough to say something. O(samples).
pub fn turns(group: &Group, (from, to): (f64, f64)) -> Vec<Turns> {
    let shortest = SHORTEST * (to - from);
    let bands = group.bands(shortest);
    let mut spans = vec![];
    let mut last = 0.0;
    for band in &bands {
        let stretch = group.stretches.get(band.stretch as usize);
        let routine = stretch.map(|stretch| group.routine_of(stretch));
        spans.extend([(last, band.start, None), (band.start, band.end, routine)]);
        last = band.end;
    }
    spans.push((last, 1.0, None));
    let visible = spans.into_iter().map(|(start, end, of)| (start.max(from), end.min(to), of));
    let wide = visible.filter(|(start, end, _)| end - start >= shortest && end > start);
    wide.filter_map(|(start, end, of)| of_span(group, (start, end), of)).collect()
}

fn of_span(group: &Group, (start, end): (f64, f64), of_band: Option<u32>) -> Option<Turns> {
    let until = |moment: f64| group.lines.x.partition_point(|x| *x < moment);
    let places = group.lines.place.get(until(start)..until(end))?;
    let routine = |place: &u32| group.places.get(*place as usize).map(|place| place.routine);
    let mut routines = places.iter().filter_map(routine).collect::<Vec<_>>();
    if routines.len() < FEWEST {
        return None;
    }
    let all = routines.len() as f64;
    order::by_number(&mut routines, |routine| u64::from(*routine));
    let share = |alike: &[u32]| Some((*alike.first()?, alike.len() as f64 / all));
    let mut shares = routines.chunk_by(|a, b| a == b).filter_map(share).collect::<Vec<_>>();
    order::by_number(&mut shares, |(_, share)| !order::of_float(*share));
    shares.retain(|(_, share)| *share >= SMALLEST);
    let is_alone = shares.first().is_none_or(|(_, share)| *share >= PREVAILS);
    let caller = of_band.filter(|own| !shares.iter().any(|(routine, _)| routine == own));
    (!is_alone && shares.len() > 1).then_some(Turns { start, end, caller, shares })
}

/// The shares as layers of the row of names, the largest on top, and in it the names as far as they fit.
pub fn layers(lane: &Lane<'_>, all: &[Turns]) {
    let &Lane { pen, frame, tokens, group, .. } = lane;
    let (size, pad) = (frame.words(), if frame.narrow() { PAD_NARROW } else { PAD });
    for Turns { start, end, caller, shares } in all {
        let Some((left, right)) = lane.span(*start, *end) else { continue };
        let mut top = CAP;
        for (routine, share) in shares {
            let bottom = top + share * (NAMES - CAP);
            let colour = tokens.routine(group.hue(*routine));
            pen.fill((left, top), (right, bottom), colour, OPACITY);
            top = bottom;
        }
        if let Some(label) = label(group, *caller, shares, right - left - pad, size) {
            let base = CAP + (NAMES - CAP) / 2.0 + NAME_BASE;
            let middle = ((left + right) / 2.0, base);
            pen.text(middle, Anchor::Middle, &label, Face::plain(size, tokens.ink));
        }
    }
}

/// `main › solve 61 % · update 16 %`: as many as fit `room` px, without the caller and what qualifies them
/// if need be, the largest in any case, shortened; `None` if nothing of use fits.
fn label(
    group: &Group,
    caller: Option<u32>,
    shares: &[(u32, f64)],
    room: f64,
    size: f64,
) -> Option<String> {
    let face = Face::plain(size, plotters::style::RGBColor(0, 0, 0));
    let named = shares.iter().filter(|(routine, _)| !is_start_up(group.routine(*routine)));
    let name = |(routine, share): &(u32, f64)| {
        (printable(group.routine(*routine)), format!(" {}", percent(*share, 0)))
    };
    let names = named.map(name).filter(|(name, _)| !name.is_empty()).collect::<Vec<_>>();
    let joined = |count: usize, of: fn(&str) -> &str| {
        let parts = names.iter().take(count).map(|(name, share)| format!("{}{share}", of(name)));
        parts.collect::<Vec<_>>().join(" · ")
    };
    let caller = caller.map(|caller| printable(group.routine(caller)));
    let caller = caller.filter(|name| !name.is_empty() && !is_start_up(name));
    let called = |parts: String| caller.as_ref().map(|caller| format!("{caller} › {parts}"));
    let whole = called(joined(names.len(), |name| name))
        .into_iter()
        .chain([joined(names.len(), |name| name)])
        .chain(called(joined(names.len(), own_name)));
    let own = (1..=names.len()).rev().map(|count| joined(count, own_name));
    whole.chain(own).find(|text| face.width(text) <= room).or_else(|| {
        let (name, share) = names.first()?;
        let name = own_name(name);
        let short = elide_end(name, room - face.width(share), size, false);
        (short.chars().count() >= LETTERS).then(|| format!("{short}{share}"))
    })
}

/// `solve` of `ns::Solver::solve(int)`.
fn own_name(name: &str) -> &str {
    let end = name.find(['(', '<']).unwrap_or(name.len());
    let begin = name.get(..end).and_then(|own| own.rfind("::")).map_or(0, |at| at + 2);
    name.get(begin..).filter(|own| !own.is_empty()).unwrap_or(name)
}

/// Fewer letters of a name say nothing.
const LETTERS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::{self, rectangles, words};
    use crate::paint::scene::{Svg, css};
    use crate::paint::source::source;

    /// In the first half `Copy` has six samples of ten and `Scale` three, without a stretch of their own; in
    /// the second `Add` is alone.
    fn in_turns() -> crate::folding::Folding {
        let mut folding = example::stream();
        let group = &mut folding.groups[0];
        let place = |name: &str| {
            let routine = group.routines.iter().position(|routine| routine == name).unwrap();
            let is_it = |place: &crate::folding::Place| place.routine as usize == routine;
            group.places.iter().position(is_it).unwrap() as u32
        };
        let [copy, scale, add, triad] = ["Copy", "Scale", "Add", "Triad"].map(place);
        let tenth = [copy, copy, scale, copy, copy, scale, copy, copy, scale, triad];
        group.lines.x = (0..1000).map(|at| (f64::from(at) + 0.5) / 1000.0).collect();
        group.lines.place =
            (0..1000).map(|at| if at < 500 { tenth[at % 10] } else { add }).collect();
        group.lines.context = vec![];
        group.stretches.clear();
        folding
    }

    #[test]
    fn where_no_routine_is_alone_each_has_its_share() {
        let folding = in_turns();
        let group = &folding.groups[0];
        let number = |name: &str| group.routines.iter().position(|it| it == name).unwrap() as u32;
        let found = turns(group, (0.0, 0.5));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].start, found[0].end), (0.0, 0.5));
        let expected = [("Copy", 0.6), ("Scale", 0.3), ("Triad", 0.1)];
        assert_eq!(found[0].shares, expected.map(|(name, share)| (number(name), share)));
        assert_eq!(turns(group, (0.5, 1.0)), [], "one that is alone takes no turns");
        assert_eq!(turns(group, (0.0, 0.01)), [], "ten samples tell of no shares");
        assert_eq!(turns(&Group::default(), (0.0, 1.0)), []);
    }

    #[test]
    fn the_routine_that_calls_those_that_take_turns_is_named_before_them() {
        let mut folding = in_turns();
        let group = &mut folding.groups[0];
        let place = group.places.iter().position(|place| group.routine(place.routine) == "main");
        let place = place.unwrap() as u32;
        let (start, end, samples) = (0.0, 0.5, 500);
        group.stretches =
            vec![crate::folding::Stretch { start, end, place, samples, ..Default::default() }];
        let found = turns(group, (0.0, 0.5));
        assert_eq!(found[0].caller.map(|caller| group.routine(caller)), Some("main"));
        let text = label(group, found[0].caller, &found[0].shares, 1000.0, 12.0).unwrap();
        assert_eq!(text.replace('\u{202f}', "_"), "main › Copy 60_% · Scale 30_% · Triad 10_%");
        let text = label(group, found[0].caller, &found[0].shares, 80.0, 12.0).unwrap();
        assert_eq!(text.replace('\u{202f}', "_"), "Copy 60_%", "if there is room");
    }

    #[test]
    fn a_routine_that_has_its_band_takes_no_turns() {
        let folding = example::stream();
        assert_eq!(turns(&folding.groups[0], (0.0, 1.0)), []);
    }

    #[test]
    fn layers_are_as_high_as_shares_and_named_as_far_as_there_is_room() {
        let folding = in_turns();
        let view = example::view(1200.0, 112.0);
        let view = crate::paint::View { to: 0.5, ..view };
        let svg = Svg::default();
        source(&svg, &folding, &view);
        let svg = svg.elements();
        let tokens = view.theme.tokens();
        let heights = ["Copy", "Scale", "Triad"].map(|name| {
            let routine = folding.groups[0].routines.iter().position(|it| it == name).unwrap();
            let layers = rectangles(&svg, &css(tokens.routine(routine)));
            layers.iter().map(|[_, top, _, bottom]| bottom - top).sum::<f64>() / (NAMES - CAP)
        });
        for (height, share) in heights.into_iter().zip([0.6, 0.3, 0.1]) {
            assert!((height - share).abs() < 0.01, "{height}, expected {share}");
        }
        let names = |width: f64| {
            let view = crate::paint::View { width, ..view.clone() };
            let svg = Svg::default();
            source(&svg, &folding, &view);
            let svg = svg.elements();
            let in_row = |(x, y, _): &(f64, f64, &str)| *y < NAMES && *x > view.left;
            let texts = words(&svg).into_iter().filter(in_row).map(|(.., text)| text.to_owned());
            texts.collect::<Vec<_>>()
        };
        let plain = |texts: Vec<String>| texts.join("|").replace('\u{202f}', "_");
        assert_eq!(plain(names(1200.0)), "Copy 60_% · Scale 30_% · Triad 10_%");
        assert_eq!(plain(names(270.0)), "Copy 60_%");
        assert_eq!(names(210.0), [""; 0]);
    }

    #[test]
    fn a_name_loses_what_qualifies_it_and_keeps_what_it_is_given() {
        for (name, own) in [
            ("ns::Solver::solve", "solve"),
            ("ns::solve(std::vector<int>)", "solve(std::vector<int>)"),
            ("a::b<c::d>::e", "b<c::d>::e"),
            ("solve", "solve"),
            ("a::", "a::"),
            ("", ""),
        ] {
            assert_eq!(own_name(name), own);
        }
    }
}
