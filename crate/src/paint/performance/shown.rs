//! What the performance lane shows of a group: which curves, in which strip, how coloured.

use super::chosen::{Chosen, chosen};
use super::series::Series;
use crate::folding::{Curve, Group};
use crate::paint::View;
use crate::quantity::Kind;

/// What a lane is about.
#[derive(Clone, Copy, PartialEq)]
pub enum About {
    Counters,
    /// One counter, at the right.
    Alone,
    Model,
}

/// The curves of a group, in the order of the legend.
pub struct Shown<'a> {
    /// Each with its strip, from the top. Strips of counters come from the largest values down, power
    /// after them, counters without a name after all else; the first one has the curves of the right
    /// axis too.
    pub series: Vec<(usize, Series<'a>)>,
    pub about: About,
    /// Whether its axes are those of other pictures, too.
    pub is_shared: bool,
    /// Counters that have no curve here.
    pub others: usize,
    /// Whether some of them will have one when phases are decided: a place is held for them.
    pub awaited: bool,
}

impl<'a> Shown<'a> {
    /// The counters of a group, per instruction where these were counted.
    pub fn of(group: &'a Group, view: &View) -> Shown<'a> {
        let own = if group.instructions().is_some() { Kind::Ratio } else { Kind::Rate };
        Self::with(group, view, view.shared.as_ref().map_or(own, |shared| shared.kind))
    }

    /// The counters of a group, told as `kind` beside the rate of instructions.
    pub fn with(group: &'a Group, view: &View, kind: Kind) -> Shown<'a> {
        let tokens = view.theme.tokens();
        let largest = |key: &str| view.shared.as_ref().map(|shared| shared.largest(key));
        let series = |curve: &'a Curve, kind| {
            let own = Series::of(group, curve, kind);
            Series {
                hidden: view.hidden.contains(&curve.counter),
                colour: tokens.ink,
                largest: largest(own.key).flatten().unwrap_or(own.largest),
                ..own
            }
        };
        let is_shown = |curve: &&Curve| largest(&curve.counter) != Some(None);
        let others = at_left(group).filter(is_shown).collect();
        let Chosen { strips, others, awaited } =
            chosen(group, view, others, |curve| series(curve, kind));
        let strips = strips.into_iter().enumerate();
        let left = strips.flat_map(|(strip, series)| series.into_iter().map(move |s| (strip, s)));
        let rate = group.instructions().filter(|curve| !group.is_axis(curve));
        let rate = rate.map(|curve| (0, Series { right: true, ..series(curve, Kind::Rate) }));
        let all = left.chain(rate).collect::<Vec<_>>();

        let Some((counter, curve)) = view.counter.as_ref().and_then(|c| Some((c, group.curve(c)?)))
        else {
            let (about, is_shared) = (About::Counters, view.shared.is_some());
            return Shown { series: all, about, is_shared, others, awaited };
        };
        let known = all.iter().find(|(_, series)| series.key == counter);
        let colour = known.map_or(tokens.counter(0), |(_, series)| series.colour);
        let alone = Series { colour, right: true, ..Series::of(group, curve, Kind::Rate) };
        // Of what the axis counts there is one at each.
        let is_drawn = known.is_some() || !curve.instructions;
        let series = is_drawn.then_some((0, alone)).into_iter().collect();
        Shown { series, about: About::Alone, is_shared: false, others, awaited: false }
    }

    /// The curves of the left axes that are not switched off, strip by strip; strips without any are
    /// left out.
    pub fn visible_strips(&self) -> Vec<Vec<&Series<'a>>> {
        let visible = self.series.iter().filter(|(_, series)| !series.hidden && !series.right);
        let visible = visible.collect::<Vec<_>>();
        let strips = visible.chunk_by(|(a, _), (b, _)| a == b);
        strips.map(|strip| strip.iter().map(|(_, series)| series).collect()).collect()
    }

    /// Those of the right axis that are not switched off.
    pub fn at_right(&self) -> Vec<&Series<'a>> {
        self.all().filter(|series| series.right && !series.hidden).collect()
    }

    /// Every curve in the order of the legend.
    pub fn all(&self) -> impl Iterator<Item = &Series<'a>> {
        self.series.iter().map(|(_, series)| series)
    }
}

/// The curves that may stand at the left: all but that of instructions.
pub fn at_left(group: &Group) -> impl Iterator<Item = &Curve> {
    let instructions = group.instructions().map(|curve| &curve.counter);
    group.curves.iter().filter(move |curve| instructions != Some(&curve.counter))
}

/// The counters whose curves are drawn, and how many others there are.
pub fn shown_counters(group: &Group, view: &View) -> (Vec<String>, usize) {
    let shown = Shown::of(group, view);
    let drawn = shown.all().filter(|series| !series.hidden);
    (drawn.map(|series| series.key.to_owned()).collect(), shown.others)
}
