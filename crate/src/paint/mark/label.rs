//! Where the name of a curve stands on the plot: where the curve is flattest and furthest from the
//! others.

use crate::paint::scene::Frame;

/// Px between the places at which curves are looked at.
const STEP: f64 = 4.0;

/// Height of a label, its distance to its own curve, and the least to any other.
const HEIGHT: f64 = 12.0;
const OWN: f64 = 4.0;
const OTHERS: f64 = 6.0;

/// Px between a label and a break.
const CLEAR: f64 = 4.0;

/// Px between a label in an area and what is beside it.
const INSIDE: f64 = 2.0;

/// How far a curve may rise or fall along its label.
const STEEP: f64 = 28.0;

/// Where labels are liked best, as a share of the plot: in the right third; and how many px of
/// distance the whole plot's width away from there costs.
const LIKED: f64 = 0.82;
const AWAY: f64 = 4.0;

/// Px beside a label that other labels leave free, and above and below it.
const BESIDE: f64 = 8.0;
const ROWS_APART: f64 = 2.0;

/// Px from a label's lower edge up to its base line.
const BASE: f64 = 2.5;

/// Px that a label leaves free at the edges of the plot.
const EDGE: f64 = 4.0;
const ROW_EDGE: f64 = 2.0;

/// Distance that is as good as any larger one, and what px of slope cost and standing above gains.
const FAR: f64 = 14.0;
const SLOPE: f64 = 0.15;
const ABOVE: f64 = 1.5;

/// Px from one row that is tried for a label without a good place to the next, and what a break
/// through it costs, in px of distance.
const ROW_STEP: f64 = 4.0;
const CROSSED: f64 = 8.0;

/// A curve in pixels: its height at every [`STEP`] of the plot, `None` in its gaps.
pub struct Track(Vec<Option<f64>>);

impl Track {
    pub fn new(frame: &Frame, y: impl Fn(f64) -> Option<f64>) -> Track {
        let count = ((frame.right - frame.left) / STEP) as usize;
        Track((0..=count).map(|k| y(frame.time(frame.left + k as f64 * STEP))).collect())
    }

    /// Highest and lowest place of the curve from `x` over `wide` px, if it has no gap there.
    fn span(&self, frame: &Frame, x: f64, wide: f64) -> Option<(f64, f64)> {
        let first = ((x - frame.left) / STEP).max(0.0) as usize;
        let count = libm::ceil(wide / STEP) as usize + 1;
        let ys: Option<Vec<f64>> = self.0.get(first..first + count)?.iter().copied().collect();
        let ys = ys?;
        Some((ys.iter().copied().reduce(f64::min)?, ys.iter().copied().reduce(f64::max)?))
    }

    /// Px between the curve and a label.
    fn distance(&self, frame: &Frame, label: &Label) -> f64 {
        self.clear(frame, (label.x, label.wide), (label.top, label.top + HEIGHT))
    }

    /// Px between the curve and the rows `top..bottom` from `x` over `wide` px.
    pub fn clear(&self, frame: &Frame, (x, wide): (f64, f64), (top, bottom): (f64, f64)) -> f64 {
        let first = ((x - frame.left) / STEP).max(0.0) as usize;
        let along = self.0.iter().skip(first).take(libm::ceil(wide / STEP) as usize + 1).flatten();
        // Between two places a steep curve passes every row in between.
        let (low, high) =
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &y| (l.min(y), h.max(y)));
        (low - bottom).max(top - high).max(0.0)
    }
}

/// A label that has its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    pub x: f64,
    pub wide: f64,
    top: f64,
}

impl Label {
    pub fn base(&self) -> f64 {
        self.top + HEIGHT - BASE
    }

    fn meets(&self, other: &Label) -> bool {
        let beside =
            self.x < other.x + other.wide + BESIDE && other.x < self.x + self.wide + BESIDE;
        beside && (self.top - other.top).abs() < HEIGHT + ROWS_APART
    }
}

/// What labels stand clear of.
pub struct Room<'a> {
    pub frame: &'a Frame,
    /// Top and bottom.
    pub rows: (f64, f64),
    /// Where breaks lie, in px.
    pub breaks: &'a [f64],
}

impl Room<'_> {
    /// Where a label may start, from the left.
    fn starts(&self, wide: f64) -> impl Iterator<Item = f64> {
        let (left, right) = (self.frame.left, self.frame.right);
        let count = ((right - left - wide - 2.0 * EDGE) / (2.0 * STEP)).max(0.0) as usize;
        let starts = (0..count).map(move |k| left + EDGE + k as f64 * 2.0 * STEP);
        starts.filter(move |&x| !self.breaks.iter().any(|&at| on_break(x, wide, at)))
    }

    /// How far from the liked place a label's middle is, in shares of the plot.
    fn away(&self, x: f64, wide: f64) -> f64 {
        let Frame { left, right, .. } = *self.frame;
        ((x + wide / 2.0 - left) / (right - left) - LIKED).abs()
    }

    /// Where a label of `wide` px stands in an area between an upper and a lower edge, with room
    /// above and below; clear of `lines` and of labels that are `taken`.
    pub fn place_inside(
        &self,
        (upper, lower): (&Track, &Track),
        wide: f64,
        lines: &[&Track],
        taken: &[Label],
    ) -> Option<Label> {
        let places = self.starts(wide).filter_map(|x| {
            let frame = self.frame;
            let (top, bottom) = (upper.span(frame, x, wide)?.1, lower.span(frame, x, wide)?.0);
            let room = (bottom - top - HEIGHT) / 2.0;
            let label = Label { x, wide, top: top + room };
            let gap = lines.iter().map(|line| line.distance(frame, &label));
            let gap = gap.fold(room, f64::min);
            let free = gap >= INSIDE && !taken.iter().any(|other| label.meets(other));
            free.then(|| (gap.min(FAR) - 2.0 * AWAY * self.away(x, wide), label))
        });
        best(places)
    }

    /// For each curve with a label of the given width, where it stands, beside its own curve;
    /// `None` if no place is far enough from everything else.
    pub fn place(&self, curves: &[(Track, f64)]) -> Vec<Option<Label>> {
        let mut taken: Vec<Label> = Vec::new();
        let beside = |(index, (track, wide)): (usize, &(Track, f64))| {
            let (frame, wide) = (self.frame, *wide);
            let steady = |x: f64| {
                let span = track.span(frame, x, wide).filter(|(high, low)| low - high <= STEEP)?;
                Some((x, span))
            };
            let sides = |(x, (high, low)): (f64, (f64, f64))| {
                let cost = SLOPE * (low - high) + AWAY * self.away(x, wide);
                [(ABOVE, high - OWN - HEIGHT), (0.0, low + OWN)]
                    .map(|(gain, top)| (gain - cost, Label { x, wide, top }))
            };
            let scored = |(score, label): (f64, Label)| {
                let inside = label.top >= self.rows.0 + ROW_EDGE
                    && label.top + HEIGHT <= self.rows.1 - ROW_EDGE;
                let free = inside && !taken.iter().any(|other| label.meets(other));
                let others = curves.iter().enumerate().filter(|(other, _)| *other != index);
                let gaps = others.map(|(_, (other, _))| other.distance(frame, &label));
                let gap = if free { gaps.fold(FAR, f64::min) } else { 0.0 };
                (gap >= OTHERS).then_some((gap + score, label))
            };
            let places = self.starts(wide).filter_map(steady).flat_map(sides).filter_map(scored);
            let label = best(places);
            taken.extend(label);
            label
        };
        curves.iter().enumerate().map(beside).collect()
    }

    /// The same, but one for which no place is far enough from everything else stands where it is
    /// nearest to its own curve and furthest from others, clear of other labels; `None` without a
    /// curve, and where labels leave no room.
    pub fn place_each(&self, curves: &[(Track, f64)]) -> Vec<Option<Label>> {
        let mut labels = self.place(curves);
        for index in 0..curves.len() {
            if labels[index].is_none() {
                let (track, wide) = &curves[index];
                let others = curves.iter().enumerate().filter(|(other, _)| *other != index);
                let others = others.map(|(_, (other, _))| other).collect::<Vec<_>>();
                labels[index] = self.squeeze(track, *wide, &others, &labels);
            }
        }
        labels
    }

    fn squeeze(
        &self,
        track: &Track,
        wide: f64,
        others: &[&Track],
        labels: &[Option<Label>],
    ) -> Option<Label> {
        let (frame, (first, last)) = (self.frame, self.rows);
        let lowest = last - ROW_EDGE - HEIGHT;
        let rows = ((lowest - first - ROW_EDGE) / ROW_STEP).max(-1.0) + 1.0;
        let tops = move || (0..rows as usize).map(move |k| lowest - k as f64 * ROW_STEP);
        let columns = ((frame.right - frame.left - wide - 2.0 * EDGE) / (2.0 * STEP)).max(0.0);
        let starts = (0..=columns as usize).map(|k| frame.left + EDGE + k as f64 * 2.0 * STEP);
        let places = starts.filter(|x| x + wide <= frame.right).flat_map(|x| {
            let is_crossed = self.breaks.iter().any(|&at| on_break(x, wide, at));
            tops().map(move |top| (is_crossed, Label { x, wide, top }))
        });
        let scored = places.filter_map(|(is_crossed, label)| {
            let own = track.distance(frame, &label);
            let free = own.is_finite() && !labels.iter().flatten().any(|other| label.meets(other));
            let gap = others.iter().map(|other| other.distance(frame, &label));
            let gap = gap.fold(OTHERS, f64::min);
            let crossed = if is_crossed { CROSSED } else { 0.0 };
            let cost = own + crossed + AWAY * self.away(label.x, wide);
            free.then_some((gap - cost, label))
        });
        best(scored)
    }
}

/// The first of those with the highest score.
fn best(scored: impl Iterator<Item = (f64, Label)>) -> Option<Label> {
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, label)| label)
}

/// Whether a label from `x` over `wide` px comes too near a break at `at`.
pub fn on_break(x: f64, wide: f64, at: f64) -> bool {
    x - CLEAR < at + 1.0 && at < x + wide + CLEAR
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    fn level(frame: &Frame, y: f64) -> Track {
        Track::new(frame, move |_| Some(y))
    }

    fn room<'a>(frame: &'a Frame, breaks: &'a [f64]) -> Room<'a> {
        Room { frame, rows: (0.0, frame.height), breaks }
    }

    #[test]
    fn a_label_stands_above_its_curve_in_the_right_third() {
        let frame = Frame::of(&example::view(976.0, 200.0));
        let places = room(&frame, &[]).place(&[(level(&frame, 100.0), 40.0)]);
        let [Some(label)] = places[..] else { panic!("{places:?}") };
        assert!(label.x > frame.left + 500.0 && (90.0..96.0).contains(&label.base()), "{label:?}");
    }

    #[test]
    fn a_label_stands_inside_its_area_and_clear_of_all_else() {
        let frame = Frame::of(&example::view(976.0, 200.0));
        let (upper, lower, line) = (level(&frame, 60.0), level(&frame, 120.0), level(&frame, 90.0));
        let between = [&level(&frame, 76.0)];
        let none = room(&frame, &[]).place_inside((&upper, &line), 40.0, &between, &[]);
        assert_eq!(none, None, "a line where the text would be");
        let at = |taken: &[Label], breaks: &[f64]| {
            room(&frame, breaks).place_inside((&upper, &lower), 40.0, &[], taken).unwrap()
        };
        let first = at(&[], &[]);
        let inside = (60.0 + 12.0..=120.0).contains(&first.base());
        assert!(inside && first.x > frame.left + 400.0, "{first:?}");
        let other = at(&[first], &[]);
        assert!((other.x - first.x).abs() >= 48.0, "{first:?} {other:?}");
        let beside = at(&[], &[first.x + 20.0]);
        assert!((beside.x - first.x).abs() > 20.0, "{first:?} {beside:?}");
    }

    /// Where the label of each level curve begins and its base line, in rows from 0 to `bottom`.
    fn of_levels(bottom: f64, heights: &[f64]) -> Vec<Option<(f64, f64)>> {
        let frame = Frame::of(&example::view(976.0, 200.0));
        let curves = heights.iter().map(|y| (level(&frame, *y), 40.0)).collect::<Vec<_>>();
        let places = Room { rows: (0.0, bottom), ..room(&frame, &[]) }.place(&curves);
        places.into_iter().map(|label| label.map(|label| (label.x, label.base()))).collect()
    }

    #[test]
    fn a_label_leaves_the_edges_of_its_rows_free() {
        let base = |bottom, y| of_levels(bottom, &[y])[0].map(|(_, base)| base);
        // Two rows free, twelve of the label, four down to the curve: 18 are needed above.
        assert_eq!(base(200.0, 18.0), Some(18.0 - 4.0 - 2.5));
        assert_eq!(base(200.0, 17.0), Some(17.0 + 4.0 + 12.0 - 2.5), "below");
        // And as many below.
        assert_eq!(base(17.0 + 18.0, 17.0), Some(17.0 + 4.0 + 12.0 - 2.5));
        assert_eq!(base(17.0 + 17.0, 17.0), None);
    }

    #[test]
    fn a_label_makes_room_for_one_that_was_placed_before() {
        // The first can only stand below its curve, from 18 to 30; two rows stay free.
        let placed = |second: f64| match of_levels(200.0, &[14.0, second])[..] {
            [Some((x, base)), Some((beside, below))] => (base, (beside - x).abs(), below),
            ref other => panic!("{other:?}"),
        };
        assert_eq!(placed(30.0 + 2.0 + 12.0 + 4.0), (27.5, 0.0, 48.0 - 4.0 - 2.5));
        // One row less: beside it, 8 px after its 40, and still above its own curve.
        assert_eq!(placed(47.0), (27.5, 48.0, 47.0 - 4.0 - 2.5));
    }

    #[test]
    fn a_label_stays_six_px_away_from_other_curves() {
        // Four px, twelve of the label, and six: 22 from curve to curve.
        let middle = |apart: f64| of_levels(200.0, &[100.0 - apart, 100.0, 100.0 + apart])[1];
        assert_eq!(middle(22.0).map(|(_, base)| base), Some(100.0 - 4.0 - 2.5));
        assert_eq!(middle(21.0), None);
    }

    #[test]
    fn a_label_stands_where_its_curve_is_level() {
        let frame = Frame::of(&example::view(976.0, 200.0));
        // Some 30 px from crest to crest: a label spans all of it.
        let wave = |height: f64, x: f64| 100.0 + height * libm::sin(200.0 * x);
        let (saw, waves) = (|x: f64| wave(60.0, x), |x: f64| wave(10.0, x));
        let place = |y: &dyn Fn(f64) -> f64| {
            let track = Track::new(&frame, |x| Some(y(x)));
            room(&frame, &[]).place(&[(track, 40.0)])[0]
        };
        let label = place(&|x| if x < 0.3 { 100.0 } else { saw(x) }).unwrap();
        assert!(frame.time(label.x + label.wide) < 0.3, "{label:?}");
        assert_eq!(place(&saw), None);
        // Waves of 20 px will do, but level is better though it lies further away.
        let label = place(&|x| if x < 0.5 { 100.0 } else { waves(x) }).unwrap();
        assert!(frame.time(label.x + label.wide) < 0.5, "{label:?}");
        assert!(place(&waves).is_some());
    }

    #[test]
    fn curves_too_close_have_no_label_between_them() {
        let frame = Frame::of(&example::view(976.0, 40.0));
        let near = [18.0, 20.0, 22.0].map(|y| (level(&frame, y), 40.0));
        assert_eq!(room(&frame, &[]).place(&near)[1], None);
    }

    #[test]
    fn every_curve_has_a_label_as_long_as_labels_leave_room() {
        let frame = Frame::of(&example::view(976.0, 58.0));
        for gap in [0.0, 2.0, 7.0] {
            let near = (0..6).map(|k| (level(&frame, 20.0 + gap * f64::from(k)), 140.0));
            let near = near.collect::<Vec<_>>();
            let breaks = [300.0, 420.0, 560.0];
            let labels = room(&frame, &breaks).place_each(&near);
            let labels = labels.into_iter().flatten().collect::<Vec<_>>();
            assert_eq!(labels.len(), 6, "{gap}");
            for (index, label) in labels.iter().enumerate() {
                assert!(label.top >= 0.0 && label.top + HEIGHT <= 58.0, "{label:?}");
                assert!(!labels[..index].iter().any(|other| label.meets(other)), "{labels:?}");
            }
        }
        let low = Frame::of(&example::view(976.0, 15.0));
        assert_eq!(room(&low, &[]).place_each(&[(level(&low, 8.0), 40.0)]), [None]);
    }

    #[test]
    fn no_label_is_wider_than_the_plot() {
        let frame = Frame::of(&example::view(200.0, 40.0));
        assert_eq!(room(&frame, &[]).place(&[(level(&frame, 20.0), 300.0)]), [None]);
    }
}
