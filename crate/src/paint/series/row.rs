//! A run of a series: its rate over its own time, on the axes of all.

use crate::folding::Group;
use crate::paint::View;
use crate::paint::compared::{colours, hues_beside};
use crate::paint::mark::{Mark, Plotted};
use crate::paint::performance::Series;
use crate::paint::scale::Steps;
use crate::paint::scene::{Anchor, Face, Frame, LEFT, Lane, Pen, Strip, elide_end, printable};
use crate::paint::source::tints;
use crate::paint::time::{TICK, grid, ticks, ticks_of_time};
use crate::quantity::{Kind, Quantity, duration};

/// Size of the value, base lines of it and of the duration under it from the middle of a row, and the room that
/// ticks leave them.
const SIZE: f64 = 12.0;
const VALUE: f64 = -2.0;
const DURATION: f64 = 13.0;

/// Px of a curve; opacity of a border between phases, and of what lies behind the end.
const THICK: f64 = 2.0;
const BORDER: f64 = 0.68;
const AFTER: f64 = 0.5;

/// Room for the value and the duration of a row beside it: that of `110.7 ms`.
const LEAST_ROOM: f64 = 48.0;

/// Steps of the axis of rates.
const STEPS: u32 = 3;

/// The groups of a series, in the colours of the first, and what all rows have in common.
pub struct SeriesLook {
    groups: Vec<Group>,
    longest_ns: f64,
    /// The largest rate of instructions, else of the first counter.
    largest: f64,
}

impl SeriesLook {
    /// `None` without a group.
    pub fn new(mut groups: Vec<Group>) -> Option<Self> {
        let (first, rest) = groups.split_first_mut()?;
        for group in rest {
            group.hues = hues_beside(first, group);
        }
        let longest_ns = groups.iter().map(|group| group.mean_duration_ns).fold(0.0, f64::max);
        let largest = groups.iter().filter_map(series).map(|of| of.largest).fold(0.0, f64::max);
        Some(Self { groups, longest_ns, largest })
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn strip(&self, quantity: Quantity, height: f64) -> Strip {
        let quantity = quantity.sized(self.largest);
        let steps = Steps::from_zero(self.largest * quantity.factor, STEPS);
        let (unit, factor) = (quantity.unit, quantity.factor);
        Strip { unit, factor, ..Strip::of((0.0, height), steps, true) }
    }
}

/// What a row shows: instructions, else the first counter.
fn series(group: &Group) -> Option<Series<'_>> {
    let curve = group.instructions().or_else(|| group.curves.first())?;
    Some(Series::of(group, curve, Kind::Rate))
}

/// Paints the run at this place with its value in words; what lies after its end is hatched.
pub fn row(pen: &dyn Pen, look: &SeriesLook, view: &View, at: usize, value: &str) {
    let Some(group) = look.groups.get(at) else { return };
    let (whole, tokens) = (Frame::of(view), view.theme.tokens());
    let share = group.mean_duration_ns / look.longest_ns.max(f64::MIN_POSITIVE);
    let right = whole.left + share * (whole.right - whole.left);
    let own = &View { right: view.width - right, ..view.clone() };
    let lane = Lane { pen, frame: Frame::of(own), group, view: own, tokens };
    let height = view.height;
    pen.hatch((right, 0.0), (whole.right, height), tokens.ink3, AFTER);
    tints(&lane, (0.0, height));
    if let Some(of) = series(group) {
        let strip = look.strip(of.quantity.clone(), height);
        let all = Lane { frame: whole, view, ..lane };
        grid(&all, &strip);
        ticks(&all, &strip, false);
        let plotted = Plotted { frame: &lane.frame, strip: &strip, sampled: &of.sampled };
        let [ink, _] = colours(tokens);
        plotted.band(pen, ink, tokens);
        plotted.line(pen, Mark::line(ink, THICK));
    }
    for at in group.breaks.iter().map(|of| lane.frame.x(of.at)) {
        pen.hair((at, 0.0), (at, height), tokens.phase, BORDER);
    }
    pen.frame((whole.left, 0.0), (whole.right, height), tokens.line);
    let room = whole.left - 2.0 * LEFT;
    // In a narrow window the page says it over the row.
    if room < LEAST_ROOM {
        return;
    }
    let value = elide_end(&printable(value), room, SIZE, true);
    let middle = height / 2.0;
    pen.text((LEFT, middle + VALUE), Anchor::Start, &value, Face::bold(SIZE, tokens.ink));
    let time = duration(group.mean_duration_ns);
    pen.text((LEFT, middle + DURATION), Anchor::Start, &time, Face::plain(TICK, tokens.ink3));
}

/// The axis of all rows.
pub fn axis(pen: &dyn Pen, look: &SeriesLook, view: &View) {
    ticks_of_time(pen, &Frame::of(view), view.theme.tokens(), look.longest_ns);
}
