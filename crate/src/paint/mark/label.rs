//! Where a curve's name stands on the plot: where the curve is flattest and furthest from the
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

    /// Px between the curve and the rows `top..bottom` from `x` over `wide` px.
    pub fn distance(&self, frame: &Frame, x: f64, wide: f64, top: f64, bottom: f64) -> f64 {
        let first = ((x - frame.left) / STEP).max(0.0) as usize;
        let along = self.0.iter().skip(first).take(libm::ceil(wide / STEP) as usize + 1).flatten();
        // Between two places a steep curve passes every row in between.
        let (low, high) =
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &y| (l.min(y), h.max(y)));
        (low - bottom).max(top - high).max(0.0)
    }
}

/// A label that has its place.
pub struct Label {
    pub x: f64,
    pub wide: f64,
    pub base: f64,
}

/// Where a label of `wide` px stands in an area between an upper and a lower edge, with room above
/// and below; clear of `lines`, of labels that are `taken` and of `breaks`.
pub fn place_inside(
    frame: &Frame,
    (upper, lower): (&Track, &Track),
    wide: f64,
    lines: &[&Track],
    taken: &[Label],
    breaks: &[f64],
) -> Option<(f64, f64)> {
    let count = ((frame.right - frame.left - wide - 8.0) / (2.0 * STEP)).max(0.0) as usize;
    let places = (0..count).map(|k| frame.left + 4.0 + k as f64 * 2.0 * STEP);
    let found = places.filter_map(|x| {
        let (top, bottom) = (upper.span(frame, x, wide)?.1, lower.span(frame, x, wide)?.0);
        let from = (top + bottom - HEIGHT) / 2.0;
        let room = (bottom - top - HEIGHT) / 2.0;
        let gap = lines.iter().map(|line| line.distance(frame, x, wide, from, from + HEIGHT));
        let gap = gap.fold(room, f64::min);
        let meets = |label: &Label| {
            let beside = x < label.x + label.wide + 8.0 && label.x < x + wide + 8.0;
            beside && (from - (label.base - HEIGHT + 2.5)).abs() < HEIGHT + 2.0
        };
        let free = room >= INSIDE && gap >= INSIDE && !taken.iter().any(meets);
        let clear = !breaks.iter().any(|&at| on_break(x, wide, at));
        let middle = (x + wide / 2.0 - frame.left) / (frame.right - frame.left);
        let score = gap.min(14.0) - 2.0 * AWAY * (middle - LIKED).abs();
        (free && clear).then_some((score, (x, from + HEIGHT - 2.5)))
    });
    found.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, at)| at)
}

/// Whether a label from `x` over `wide` px comes too near a break at `at`.
pub fn on_break(x: f64, wide: f64, at: f64) -> bool {
    x - CLEAR < at + 1.0 && at < x + wide + CLEAR
}

/// For each curve with a label of the given width, where it starts and its base line, in the
/// plot's rows `top..bottom`; `None` if no place is far enough from everything else. No label
/// lies on one of `breaks`.
pub fn place(
    frame: &Frame,
    (top, bottom): (f64, f64),
    curves: &[(Track, f64)],
    breaks: &[f64],
) -> Vec<Option<(f64, f64)>> {
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    let mut places = Vec::new();
    for (index, (track, wide)) in curves.iter().enumerate() {
        let others =
            || curves.iter().enumerate().filter(move |(i, _)| *i != index).map(|(_, (t, _))| t);
        let mut best: Option<(f64, f64, f64)> = None;
        let count = ((frame.right - frame.left - wide - 8.0) / (2.0 * STEP)).max(0.0) as usize;
        for k in 0..count {
            let x = frame.left + 4.0 + k as f64 * 2.0 * STEP;
            if breaks.iter().any(|&at| on_break(x, *wide, at)) {
                continue;
            }
            let Some((high, low)) = track.span(frame, x, *wide).filter(|(h, l)| l - h <= STEEP)
            else {
                continue;
            };
            for (above, from) in [(true, high - OWN - HEIGHT), (false, low + OWN)] {
                let to = from + HEIGHT;
                let meets = |&(tx, tw, ty): &(f64, f64, f64)| {
                    x < tx + tw + 8.0 && tx < x + wide + 8.0 && (from - ty).abs() < HEIGHT + 2.0
                };
                if from < top + 2.0 || to > bottom - 2.0 || taken.iter().any(meets) {
                    continue;
                }
                let gap =
                    others().map(|t| t.distance(frame, x, *wide, from, to)).fold(14.0, f64::min);
                let middle = (x + wide / 2.0 - frame.left) / (frame.right - frame.left);
                let score = gap - 0.15 * (low - high) + if above { 1.5 } else { 0.0 }
                    - AWAY * (middle - LIKED).abs();
                if gap >= OTHERS && best.is_none_or(|(most, ..)| score > most) {
                    best = Some((score, x, from));
                }
            }
        }
        taken.extend(best.map(|(_, x, from)| (x, *wide, from)));
        places.push(best.map(|(_, x, from)| (x, from + HEIGHT - 2.5)));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    fn level(frame: &Frame, y: f64) -> Track {
        Track::new(frame, move |_| Some(y))
    }

    #[test]
    fn a_label_stands_above_its_curve_in_the_right_third() {
        let frame = Frame::of(&example::view(976.0, 200.0));
        let places = place(&frame, (0.0, 200.0), &[(level(&frame, 100.0), 40.0)], &[]);
        let [Some((x, base))] = places[..] else { panic!("{places:?}") };
        assert!(x > frame.left + 500.0 && (90.0..96.0).contains(&base), "{x} {base}");
    }

    #[test]
    fn a_label_stands_inside_its_area_and_clear_of_all_else() {
        let frame = Frame::of(&example::view(976.0, 200.0));
        let (upper, lower, line) = (level(&frame, 60.0), level(&frame, 120.0), level(&frame, 90.0));
        let none = place_inside(&frame, (&upper, &line), 40.0, &[&level(&frame, 76.0)], &[], &[]);
        assert_eq!(none, None, "a line where the text would be");
        let at = |taken: &[Label], breaks: &[f64]| {
            place_inside(&frame, (&upper, &lower), 40.0, &[], taken, breaks).unwrap()
        };
        let (x, base) = at(&[], &[]);
        assert!((60.0 + 12.0..=120.0).contains(&base) && x > frame.left + 400.0, "{x} {base}");
        let other = at(&[Label { x, wide: 40.0, base }], &[]).0;
        assert!((other - x).abs() >= 48.0, "{x} {other}");
        let beside = at(&[], &[x + 20.0]).0;
        assert!((beside - x).abs() > 20.0, "{x} {beside}");
    }

    #[test]
    fn curves_too_close_have_no_label_between_them() {
        let frame = Frame::of(&example::view(976.0, 40.0));
        let near = [18.0, 20.0, 22.0].map(|y| (level(&frame, y), 40.0));
        let places = place(&frame, (0.0, 40.0), &near, &[]);
        assert_eq!(places[1], None);
    }

    #[test]
    fn no_label_is_wider_than_the_plot() {
        let frame = Frame::of(&example::view(200.0, 40.0));
        assert_eq!(place(&frame, (0.0, 40.0), &[(level(&frame, 20.0), 300.0)], &[]), [None]);
    }
}
