//! The activity lane: what threads do over folded time. What does not compute hangs from the top by
//! kind, and the edge below it is the parallel efficiency at that moment.

use plotters::style::RGBColor;

use crate::folding::{Activity, Doing, Folding, Group};
use crate::paint::View;
use crate::paint::mark::Mark;
use crate::paint::scale::Steps;
use crate::paint::scene::{Anchor, Face, Frame, Lane, Layout, Pen, Place, Strip, Stroke, Tokens};
use crate::paint::time::{MIDDLE, TICK, break_lines, grid, ticks};
use crate::quantity::percent;

/// Shares are read in percent, with a line at the half.
const PERCENT: f64 = 100.0;
const STEPS: Steps = Steps { min: 0.0, step: 50.0, count: 2 };

/// Px that the edge has above it where all compute.
const TOP: f64 = 1.0;

/// Px of the edge, and the mean: lengths of dash and gap.
const EDGE: f64 = 1.5;
const MEAN: &[f64] = &[4.0, 3.0];

/// Opacity of the area that computes; all else is full, to be seen where it is thin.
const COMPUTING: f64 = 0.08;

/// Whether the group has a lane of it.
pub fn has_activity(group: &Group) -> bool {
    group.activity.as_ref().is_some_and(|activity| activity.cells() > 0)
}

/// Place in the palette of what is done, the same everywhere: none of computing and of the rest.
pub fn hue(doing: Doing) -> Option<usize> {
    match doing {
        Doing::PointToPoint => Some(6),
        Doing::Collective => Some(9),
        Doing::OtherMpi => Some(11),
        Doing::OpenMp => Some(10),
        Doing::Io => Some(8),
        Doing::Computing | Doing::Other => None,
    }
}

/// The colour of what is done, the same everywhere.
pub(super) fn doing_colour(doing: Doing, tokens: &Tokens) -> RGBColor {
    match (doing, hue(doing)) {
        (_, Some(hue)) => tokens.routine(hue),
        (Doing::Computing, None) => tokens.accent,
        (_, None) => tokens.ink3,
    }
}

/// The marks of what a group does, in the order in which they hang.
pub fn activity_marks(group: &Group, tokens: &Tokens) -> Vec<(Doing, Mark)> {
    let parts = group.activity.iter().flat_map(|activity| &activity.parts);
    let mark = |doing| {
        let opacity = if doing == Doing::Computing { COMPUTING } else { 1.0 };
        (doing, Mark::Area { colour: doing_colour(doing, tokens), opacity })
    };
    parts.map(|part| mark(part.doing)).collect()
}

/// Paints the shares of each cell as steps, the mean dashed with its number at the right.
pub fn activity(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let frame = Frame::of(view);
    let mut layout = frame.layout();
    let Some(lane) = Lane::of(pen, folding, view) else { return layout };
    let strip = Strip {
        unit: percent(1.0, 0),
        factor: PERCENT,
        ..Strip::of((TOP.min(frame.height / 2.0), frame.height), STEPS, false)
    };
    if let Some(activity) = &lane.group.activity {
        areas(&lane, activity, &strip);
        break_lines(&lane, lane.rows());
        grid(&lane, &strip);
        let edge = steps(&frame, activity, |cell| strip.y(activity.share(Doing::Computing, cell)));
        pen.line(&edge, Stroke::solid(lane.tokens.ink, EDGE));
        mean(&lane, activity, &strip);
    }
    pen.frame((frame.left, 0.0), (frame.right, frame.height), lane.tokens.line);
    ticks(&lane, &strip, false);
    layout.strips.push(strip);
    layout
}

/// What computes from below, and all else from above, each as far as it is more than nothing.
fn areas(lane: &Lane<'_>, activity: &Activity, strip: &Strip) {
    let count = activity.cells();
    // How much of each cell the kinds above have taken.
    let mut above = vec![0.0; count];
    for (doing, mark) in activity_marks(lane.group, lane.tokens) {
        let share = |cell: usize| activity.share(doing, cell);
        if doing == Doing::Computing {
            let mut corners = steps(&lane.frame, activity, |cell| strip.y(share(cell)));
            corners.extend([(lane.frame.right, strip.bottom), (lane.frame.left, strip.bottom)]);
            mark.draw(lane.pen, &corners);
            continue;
        }
        let cells = (0..count).collect::<Vec<_>>();
        for run in cells.chunk_by(|a, b| (share(*a) > 0.0) == (share(*b) > 0.0)) {
            if !run.first().is_some_and(|first| share(*first) > 0.0) {
                continue;
            }
            let upper = |cell: usize| strip.y(1.0 - above.get(cell).unwrap_or(&0.0));
            let lower = |cell: usize| strip.y(1.0 - above.get(cell).unwrap_or(&0.0) - share(cell));
            let mut corners = steps_of(&lane.frame, count, run, upper);
            corners.extend(steps_of(&lane.frame, count, run, lower).into_iter().rev());
            mark.draw(lane.pen, &corners);
        }
        above.iter_mut().enumerate().for_each(|(cell, sum)| *sum += share(cell));
    }
}

/// The visible cells, each level at the height of its value.
fn steps(frame: &Frame, activity: &Activity, y: impl Fn(usize) -> f64) -> Vec<Place> {
    let cells = (0..activity.cells()).collect::<Vec<_>>();
    steps_of(frame, cells.len(), &cells, y)
}

/// The same of some of `count` cells, neighbours of one height together.
pub(super) fn steps_of(
    frame: &Frame,
    count: usize,
    cells: &[usize],
    y: impl Fn(usize) -> f64,
) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for &cell in cells {
        let [from, to] = [cell, cell + 1].map(|edge| frame.x(edge as f64 / count as f64));
        if to <= from {
            continue;
        }
        let y = y(cell);
        match places.last_mut() {
            Some(last) if last.1 == y => last.0 = to,
            _ => places.extend([(from, y), (to, y)]),
        }
    }
    places
}

fn mean(lane: &Lane<'_>, activity: &Activity, strip: &Strip) {
    let &Lane { pen, frame, tokens, .. } = lane;
    let y = libm::round(strip.y(activity.efficiency)) + 0.5;
    pen.dashed(&[(frame.left, y), (frame.right, y)], Stroke::solid(tokens.axis, 1.0), MEAN);
    let gutter = frame.width - frame.right;
    let face = Face::bold(TICK, tokens.ink);
    let inset = frame.inset(gutter);
    let fits = |text: &String| inset + face.width(text) <= gutter;
    let texts = [1, 0].map(|digits| percent(activity.efficiency, digits)).into_iter();
    if let Some(text) = texts.into_iter().find(fits) {
        let base = (y + MIDDLE).clamp(TICK, (frame.height - 1.0).max(TICK));
        pen.text((frame.right + inset, base), Anchor::Start, &text, face);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding;
    use crate::paint::example::{self, polygons, polylines};
    use crate::paint::scene::{Svg, Theme, contrast, css, mix};

    fn painted(view: &View) -> (Folding, Layout, String) {
        let folding = folding::example::folding(1);
        let svg = Svg::default();
        let layout = activity(&svg, &folding, view);
        (folding, layout, svg.elements())
    }

    fn view() -> View {
        example::view(976.0, 120.0)
    }

    #[test]
    fn the_edge_is_the_share_that_computes_and_the_kinds_hang_above_it() {
        for view in [view(), View { from: 0.3, to: 0.65, ..view() }] {
            let (folding, layout, svg) = painted(&view);
            let (frame, strip) = (Frame::of(&view), &layout.strips[0]);
            let activity = folding.groups[0].activity.as_ref().unwrap();
            let tokens = view.theme.tokens();
            let inside = |corners: &[Place], x: f64| {
                let at = |pair: &[Place]| {
                    let ((x0, y0), (x1, _)) = (pair[0], pair[1]);
                    (pair[0].1 == pair[1].1 && x0.min(x1) <= x && x <= x0.max(x1)).then_some(y0)
                };
                corners.windows(2).filter_map(at).collect::<Vec<_>>()
            };
            for place in 1..40 {
                let x = view.from + (view.to - view.from) * (f64::from(place) + 0.37) / 41.0;
                let share =
                    |doing| activity.at(x).find(|(of, _)| *of == doing).map_or(0.0, |s| s.1);
                let edge = polylines(&svg, &css(tokens.ink)).concat();
                let heights = inside(&edge, frame.x(x));
                let expected = strip.y(share(Doing::Computing));
                assert!((heights[0] - expected).abs() < 0.01, "{x}: {heights:?} {expected}");
                let mut above = 0.0;
                for doing in [Doing::PointToPoint, Doing::Collective] {
                    let areas = polygons(&svg, &css(doing_colour(doing, tokens)));
                    let heights = areas.iter().flat_map(|area| inside(area, frame.x(x)));
                    let heights = heights.collect::<Vec<_>>();
                    let next = above + share(doing);
                    if share(doing) > 0.0 {
                        let [top, bottom] = [above, next].map(|taken| strip.y(1.0 - taken));
                        let found = heights
                            .iter()
                            .copied()
                            .fold((f64::MAX, 0.0), |(a, b), y| (f64::min(a, y), f64::max(b, y)));
                        assert!((found.0 - top).abs() < 0.01 && (found.1 - bottom).abs() < 0.01);
                    } else {
                        assert!(heights.is_empty(), "{x} {doing:?}: {heights:?}");
                    }
                    above = next;
                }
            }
        }
    }

    #[test]
    fn the_mean_is_told_at_its_height_beside_an_axis_to_100_percent() {
        let (folding, layout, svg) = painted(&view());
        let strip = &layout.strips[0];
        assert_eq!((strip.min, strip.max, strip.factor), (0.0, 100.0, 100.0));
        let efficiency = folding.groups[0].activity.as_ref().unwrap().efficiency;
        let told = example::texts(&svg, "start");
        let (_, y) = told.iter().map(|text| (text.0, text.1)).next().unwrap();
        assert!((y - MIDDLE - strip.y(efficiency)).abs() <= 1.0, "{y}");
        for text in ["56.2\u{202f}%", "100\u{202f}%", ">50<", ">0<"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }

    #[test]
    fn every_kind_is_seen_on_the_surface() {
        for theme in [Theme::Light, Theme::Dark, Theme::Contrast] {
            let tokens = theme.tokens();
            for doing in Doing::ALL.into_iter().filter(|doing| *doing != Doing::Computing) {
                let seen = contrast(doing_colour(doing, tokens), tokens.surface);
                assert!(seen >= 3.0, "{theme:?} {doing:?}: {seen}");
            }
            let computing = mix(tokens.surface, tokens.accent, COMPUTING);
            assert!(contrast(tokens.ink, computing) >= 10.0, "{theme:?}");
        }
    }

    #[test]
    fn odd_activities_are_painted() {
        let whole = folding::example::folding(1);
        let part = |doing, shares: &[f64]| folding::ActivityPart { doing, shares: shares.to_vec() };
        let odd = [
            Activity::default(),
            Activity { parts: vec![part(Doing::Computing, &[])], ..Activity::default() },
            Activity {
                efficiency: f64::NAN,
                parts: vec![
                    part(Doing::Computing, &[f64::INFINITY, 0.5]),
                    part(Doing::Io, &[-7.0, 1e300, f64::NAN]),
                    part(Doing::Io, &[1.0; 9]),
                ],
                ..Activity::default()
            },
        ];
        for one in odd {
            let mut folding = whole.clone();
            folding.groups[0].activity = Some(one);
            for view in example::odd_views() {
                let svg = Svg::default();
                activity(&svg, &folding, &view);
                let svg = svg.elements();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{view:?}");
            }
        }
    }
}
