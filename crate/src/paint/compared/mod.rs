//! Two runs on one axis: their phases, their routines, their rates, and the difference of these.
//!
//! Each run lies on the axis piece by piece ([`Aligned`]); a piece is painted as a lane of its group whose
//! frame is where the piece lies.

mod phases;
mod code;
mod curves;
mod cut;
mod difference;

pub use code::code;
pub use curves::{colours, counters, curves};
pub use difference::difference;
pub use phases::phases;

use plotters::style::RGBColor;
use serde::Deserialize;

use super::View;
use super::scene::{Anchor, Face, Frame, Lane, Layout, Pen, Stroke, Theme, Tokens};
use super::time::{TICK, ticks_of_time};
use crate::compare::{Aligned, Along, Comparison, Kind, Piece, Verdict};
use crate::folding::Group;
use crate::order;

/// What is compared: sides, and the first group of each.
#[derive(Clone, Debug)]
pub struct Compared {
    pub comparison: Comparison,
    pub groups: [Group; 2],
    pub aligned: Aligned,
    /// The least change of a time that matters.
    pub least: f64,
}

/// All that a picture of a comparison depends on beside it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default, rename_all = "camelCase")]
pub struct ComparedView {
    /// Visible shares of the axis, within 0 to 1.
    pub from: f64,
    pub to: f64,
    pub theme: Theme,
    /// Size of the canvas, and its gutters, in CSS px.
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    /// The counter of the third lane; none: the first that there is.
    pub counter: Option<String>,
    /// The phase that is picked, from 1.
    pub phase: Option<u32>,
}

/// The base line of ticks of the axis.
const BASE: f64 = 17.0;

/// Opacity of a border between phases, of the lines of what was picked, and of what one side has not.
const BORDER: f64 = 0.68;
const PICKED: f64 = 0.09;
const MISSING: f64 = 0.5;

impl ComparedView {
    pub fn plain(&self) -> View {
        let &Self { from, to, theme, width, height, left, right, .. } = self;
        View { from, to, theme, width, height, left, right, ..View::default() }
    }

    fn frame(&self) -> Frame {
        Frame::of(&self.plain())
    }

    pub fn tokens(&self) -> &'static Tokens {
        self.theme.tokens()
    }
}

impl Compared {
    /// With the colours of A for the routines that B has, too, and routines cut where pieces of the axis meet.
    pub fn new(
        comparison: Comparison,
        groups: [Group; 2],
        along: Option<Along>,
        least: f64,
    ) -> Self {
        let [mut a, mut b] = groups;
        b.hues = hues_beside(&a, &b);
        let along = along.unwrap_or_else(|| comparison.usual_axis());
        let aligned = comparison.aligned(along, [&a, &b].map(|group| group.mean_duration_ns / 1e6));
        for (side, group) in [&mut a, &mut b].into_iter().enumerate() {
            let ends = aligned.pieces.iter().filter_map(|piece| piece.of[side]).flatten();
            let mut borders = ends.collect::<Vec<_>>();
            order::floats(&mut borders);
            borders.dedup();
            cut::cut(group, &borders);
        }
        Self { comparison, groups: [a, b], aligned, least }
    }

    /// The pieces that are visible, each with the part of the axis that is.
    fn visible(&self, frame: Frame) -> impl Iterator<Item = (&Piece, [f64; 2])> {
        self.aligned.pieces.iter().filter_map(move |piece| {
            let at = [piece.at[0].max(frame.from), piece.at[1].min(frame.to)];
            (at[1] > at[0]).then_some((piece, at))
        })
    }

    /// What is visible of a side, each piece as a lane of its group.
    fn lanes<'a>(
        &'a self,
        side: usize,
        pen: &'a dyn Pen,
        (view, frame): (&'a View, Frame),
    ) -> impl Iterator<Item = Lane<'a>> {
        let group = &self.groups[side];
        self.visible(frame).filter_map(move |(piece, at)| {
            let [from, to] = at.map(|at| piece.times(at)[side]);
            let (from, to) = (from?, to?);
            let [left, right] = at.map(|at| frame.x(at));
            let own = Frame { left, right, from, to, ..frame };
            let tokens = view.theme.tokens();
            (to > from && right > left).then_some(Lane { pen, frame: own, group, view, tokens })
        })
    }
}

/// The place of each routine of B among the colours: that of its name in A, else one that A does not use.
pub fn hues_beside(a: &Group, b: &Group) -> Vec<u32> {
    let of_a = |name: &String| a.routines.iter().position(|own| own == name);
    let used = (0..a.routines.len() as u32).map(|routine| a.hue(routine) as u32);
    let mut next = used.max().map_or(0, |last| last + 1);
    let hue = |name: &String| match of_a(name) {
        Some(routine) => a.hue(routine as u32) as u32,
        None => {
            next += 1;
            next - 1
        }
    };
    b.routines.iter().map(hue).collect()
}

/// The axis: ms of A, or of both; shares in per cent of the region.
pub fn axis(pen: &dyn Pen, compared: &Compared, view: &ComparedView) -> Layout {
    let frame = view.frame();
    match compared.aligned.along {
        Along::Share => super::time::ticks_of_share(pen, &frame, view.tokens()),
        _ => ticks_of_time(pen, &frame, view.tokens(), compared.aligned.length_ms * 1e6),
    }
    let words = match compared.aligned.along {
        Along::Phase => "ms of A",
        Along::Share | Along::Time => "of each",
    };
    let face = Face::plain(TICK, view.tokens().ink3);
    if face.width(words) + frame.inset(frame.left) < frame.left {
        pen.text((frame.left - frame.inset(frame.left), BASE), Anchor::End, words, face);
    }
    frame.layout()
}

/// Under a lane of one side or of both: what a side has not, and the phase that is picked.
fn ground(pen: &dyn Pen, compared: &Compared, view: &ComparedView, sides: &[usize]) {
    let (frame, tokens) = (view.frame(), view.tokens());
    for (piece, at) in compared.visible(frame) {
        let [left, right] = at.map(|at| frame.x(at));
        if sides.iter().any(|side| piece.of[*side].is_none()) {
            pen.hatch((left, 0.0), (right, frame.height), tokens.ink3, MISSING);
        }
        if piece.phase.is_some() && piece.phase.map(|at| at as u32 + 1) == view.phase {
            pen.fill((left, 0.0), (right, frame.height), tokens.accent, PICKED);
        }
    }
}

/// Dash and gap of the border of a part that a phase has on one side only.
const PART: &[f64] = &[2.0, 3.0];

/// Where a phase of one side is split or merged: places of the axis.
fn parts(compared: &Compared) -> Vec<f64> {
    let places = compared.comparison.structure.iter().flat_map(|note| {
        let (side, spans) = match note.kind {
            Kind::Split => (1, &note.b),
            Kind::Merged => (0, &note.a),
            _ => return vec![],
        };
        let inner = spans.iter().skip(1).map(|span| span[0]);
        inner.filter_map(|time| compared.aligned.place(side, time)).collect()
    });
    places.collect()
}

/// Over a lane: borders between phases, those of the picked one in accent, and the frame.
fn borders(pen: &dyn Pen, compared: &Compared, view: &ComparedView) {
    let (frame, tokens) = (view.frame(), view.tokens());
    let is_picked =
        |piece: &Piece| piece.phase.is_some() && piece.phase.map(|at| at as u32 + 1) == view.phase;
    let mut before = false;
    for (piece, _) in compared.visible(frame) {
        let is = is_picked(piece);
        if frame.within(piece.at[0]) {
            let colour = if is || before { tokens.accent } else { tokens.phase };
            let x = frame.x(piece.at[0]);
            pen.hair((x, 0.0), (x, frame.height), colour, if is || before { 1.0 } else { BORDER });
        }
        before = is;
    }
    pen.frame((frame.left, 0.0), (frame.right, frame.height), tokens.line);
}

/// Where one side has a break inside of a phase of both, dotted. Words would be struck through.
fn breaks_inside(pen: &dyn Pen, compared: &Compared, view: &ComparedView) {
    let (frame, tokens) = (view.frame(), view.tokens());
    for x in parts(compared).into_iter().filter(|at| frame.within(*at)).map(|at| frame.x(at)) {
        let line = [(libm::floor(x) + 0.5, 0.0), (libm::floor(x) + 0.5, frame.height)];
        pen.dashed(&line, Stroke { colour: tokens.phase, opacity: 1.0, width: 1.0 }, PART);
    }
}

/// The colour of a verdict.
fn colour_of(verdict: Verdict, tokens: &Tokens) -> RGBColor {
    match verdict {
        Verdict::Slower => tokens.readable(tokens.slower),
        Verdict::Faster => tokens.accent,
        Verdict::Perhaps => tokens.ink2,
        Verdict::NotSeen | Verdict::Same => tokens.ink3,
    }
}

/// Names of counters that both have, as A has them.
fn in_both(compared: &Compared) -> Vec<[usize; 2]> {
    let [a, b] = &compared.groups;
    let both = a.curves.iter().enumerate().filter_map(|(at, curve)| {
        let of_b = b.curves.iter().position(|other| other.counter == curve.counter)?;
        Some([at, of_b])
    });
    let mut both = both.collect::<Vec<_>>();
    // Instructions first: by them the speed is told.
    order::by_number(&mut both, |[at, _]| u64::from(!a.curves[*at].instructions));
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Run, Wanted, compare};
    use crate::folding::Folding;
    use crate::paint::example::{self, words as words_of};
    use crate::paint::scene::{Svg, css};

    type Painted = fn(&dyn Pen, &Compared, &ComparedView) -> Layout;

    const LANES: [Painted; 8] = [
        |pen, of, view| phases(pen, of, view, 0),
        |pen, of, view| phases(pen, of, view, 1),
        |pen, of, view| code(pen, of, view, 0),
        |pen, of, view| code(pen, of, view, 1),
        |pen, of, view| curves(pen, of, view, None),
        |pen, of, view| curves(pen, of, view, counters(of).first().map(String::as_str)),
        difference,
        axis,
    ];

    /// A group as it is compared, whose instances last alike.
    fn group(folding: &Folding) -> Group {
        Group { duration_half_width_ns: Some(700.0), ..folding.groups[0].clone() }
    }

    fn compared(a: &Group, b: &Group, along: Option<Along>) -> Compared {
        let runs = [a, b].map(|group| Run::of(group).unwrap());
        let wanted = Wanted::default();
        let comparison = compare([&runs[..1], &runs[1..]], &wanted).unwrap();
        Compared::new(comparison, [a.clone(), b.clone()], along, wanted.least)
    }

    fn view(view: View) -> ComparedView {
        let View { from, to, theme, width, height, left, right, .. } = view;
        ComparedView { from, to, theme, width, height, left, right, ..ComparedView::default() }
    }

    fn drawn(paint: Painted, of: &Compared, view: &ComparedView) -> String {
        let svg = Svg::default();
        paint(&svg, of, view);
        svg.elements()
    }

    #[test]
    fn odd_foldings_are_painted_without_a_number_that_is_none() {
        let usual = group(&example::stream());
        for folding in example::odd().iter().filter(|folding| !folding.groups.is_empty()) {
            let mut odd = group(folding);
            odd.axis = Default::default();
            for along in [Along::Phase, Along::Share, Along::Time] {
                for (a, b) in [(&usual, &odd), (&odd, &usual), (&odd, &odd)] {
                    let of = compared(a, b, Some(along));
                    for odd_view in example::odd_views() {
                        for paint in LANES {
                            let svg = drawn(paint, &of, &view(odd_view.clone()));
                            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{along:?}");
                            assert!(!svg.contains("<script"));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_routine_has_the_colour_that_it_has_in_a() {
        let a = group(&example::stream());
        let mut b = a.clone();
        // Numbered the other way round, with one that A has not.
        b.routines.reverse();
        b.routines.push("new".to_owned());
        let of = compared(&a, &b, None);
        let hue = |side: usize, name: &str| {
            let group = &of.groups[side];
            let routine = group.routines.iter().position(|own| own == name)?;
            Some(group.hue(routine as u32))
        };
        for name in &a.routines {
            assert_eq!(hue(0, name), hue(1, name), "{name}");
        }
        let of_a = (0..a.routines.len() as u32).map(|routine| a.hue(routine)).collect::<Vec<_>>();
        assert!(!of_a.contains(&hue(1, "new").unwrap()));
    }

    #[test]
    fn a_rate_that_fell_by_a_fifth_is_orange_and_the_same_is_not_coloured() {
        let a = group(&example::namd());
        let mut b = a.clone();
        for curve in &mut b.curves {
            curve.rate.iter_mut().for_each(|rate| *rate *= 0.8);
            curve.mean_rate *= 0.8;
        }
        let at = view(example::view(976.0, 128.0));
        let (slower, faster) = (css(at.tokens().slower), css(at.tokens().accent));
        let colours = |a: &Group, b: &Group| {
            let svg = drawn(difference, &compared(a, b, Some(Along::Share)), &at);
            [&slower, &faster].map(|colour| svg.contains(colour.as_str()))
        };
        assert_eq!(colours(&a, &a), [false, false]);
        assert_eq!(colours(&a, &b), [true, false]);
        assert_eq!(colours(&b, &a), [false, true]);
    }

    #[test]
    fn the_axis_says_whose_milliseconds_it_has() {
        let a = group(&example::stream());
        let at = view(example::view(976.0, 28.0));
        let words = |along: Along| {
            let svg = drawn(axis, &compared(&a, &a, Some(along)), &at);
            words_of(&svg).iter().any(|(.., text)| *text == "ms of A")
        };
        assert_eq!([Along::Phase, Along::Share, Along::Time].map(words), [true, false, false]);
    }
}
