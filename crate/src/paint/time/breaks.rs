//! Breaks between phases, through the rail and all plots.

use crate::folding::{Break, Group};
use crate::paint::scene::{Frame, Lane};

/// Opacity of a break's line and of the strip of its 95 % interval.
pub const LINE: f64 = 0.68;
const INTERVAL: f64 = 0.09;

/// Where the visible breaks lie, in px. Where what is visible ends there is none to be seen.
pub fn places(frame: &Frame, group: &Group) -> Vec<f64> {
    let inside = |found: &&Break| frame.within(found.at);
    group.breaks.iter().filter(inside).map(|found| frame.x(found.at)).collect()
}

/// A line for each visible break through the rows `top..bottom`, with its interval.
pub fn breaks(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    intervals(lane, (top, bottom));
    lines(lane, (top, bottom));
}

/// The lines alone, where colours say something that a strip over them would change.
pub fn lines(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    for x in places(&lane.frame, lane.group) {
        lane.pen.hair((x, top), (x, bottom), lane.tokens.phase, LINE);
    }
}

/// The 95 % intervals of the breaks alone.
pub fn intervals(lane: &Lane<'_>, (top, bottom): (f64, f64)) {
    for found in &lane.group.breaks {
        let half_width = found.half_width.max(0.0);
        let span = lane.span(found.at - half_width, found.at + half_width);
        if let Some((left, right)) = span {
            lane.pen.fill((left, top), (right, bottom), lane.tokens.phase, INTERVAL);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::paint::View;
    use crate::paint::example::{self, rectangles};
    use crate::paint::performance::{performance, samples};
    use crate::paint::scene::{Frame, Svg, css};
    use crate::paint::source::source;

    /// Left, top, right, bottom of what is drawn in the colour of breaks.
    fn drawn(svg: Svg, view: &View) -> Vec<[f64; 4]> {
        rectangles(&svg.elements(), &css(view.theme.tokens().phase))
    }

    fn check(view: &View, spans: &[(f64, f64)], svg: Svg) {
        let folding = example::stream();
        let group = folding.group(1).unwrap();
        let frame = Frame::of(view);
        let drawn = drawn(svg, view);
        let inside = |at: &f64| (view.from..view.to).contains(at);
        let breaks = group.breaks.iter().filter(|found| inside(&found.at));
        let expected = breaks.clone().count() * spans.len();
        let lines: Vec<_> = drawn.iter().filter(|r| r[2] - r[0] == 1.0).collect();
        assert_eq!(lines.len(), expected, "{drawn:?}");
        for found in breaks {
            let x = frame.x(found.at).floor();
            let (from, to) =
                (frame.x(found.at - found.half_width), frame.x(found.at + found.half_width));
            for &(top, bottom) in spans {
                assert!(lines.contains(&&[x, top, x + 1.0, bottom]), "{x} {top} {lines:?}");
                let near = |r: &[f64; 4]| {
                    [from, top, to, bottom].iter().zip(r).all(|(a, b)| (a - b).abs() < 0.01)
                };
                assert!(drawn.iter().any(near), "{from} {to} {drawn:?}");
            }
        }
    }

    #[test]
    fn breaks_cross_plots_and_no_row_of_text() {
        let folding = example::stream();
        let wide = example::view(976.0, 200.0);
        for view in [wide.clone(), View { from: 0.3, to: 0.6, ..wide }] {
            let svg = Svg::default();
            let layout = performance(&svg, &folding, &view);
            let mut spans: Vec<_> = layout.strips.iter().map(|s| (s.top, s.bottom)).collect();
            spans.dedup();
            check(&view, &spans, svg);

            let svg = Svg::default();
            source(&svg, &folding, &view);
            check(&view, &[(24.0, 200.0)], svg);

            let alone = View { counter: Some("PAPI_TOT_INS".into()), ..view };
            let svg = Svg::default();
            samples(&svg, &folding, &alone, None, false);
            check(&alone, &[(0.0, 200.0)], svg);
        }
    }

    #[test]
    fn no_name_of_a_curve_lies_on_a_break() {
        let folding = example::stream();
        let view = example::view(976.0, 200.0);
        let svg = Svg::default();
        performance(&svg, &folding, &view);
        let svg = svg.elements();
        let frame = Frame::of(&view);
        let names: Vec<_> =
            example::texts(&svg, "start").into_iter().filter(|t| t.0 < frame.right).collect();
        assert!(names.len() >= 3, "{names:?}");
        for x in super::places(&frame, folding.group(1).unwrap()) {
            // No name is wider than 60 px.
            assert!(names.iter().all(|name| name.0 > x || name.0 + 30.0 < x), "{x} {names:?}");
        }
    }
}
