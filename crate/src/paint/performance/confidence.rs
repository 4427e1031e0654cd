//! Confidence bands: how far a curve may be off, as a ribbon in its colour.

use plotters::style::RGBColor;

use crate::paint::mark::{Point, Sampled};
use crate::paint::scene::{Frame, Pen, Strip, Stroke, Tokens};

/// The band of values, cut at 0 and at the ends of their axis.
pub fn band(
    pen: &dyn Pen,
    frame: &Frame,
    strip: &Strip,
    (sampled, colour): (&Sampled<'_>, RGBColor),
    tokens: &Tokens,
) {
    // Not a number is no band.
    if !sampled.band.iter().any(|&half_width| half_width > 0.0) {
        return;
    }
    for run in sampled.runs(frame.from, frame.to) {
        let edge = |sign: f64| {
            let place = |point: &Point| {
                let value = point.value + sign * point.half_width;
                (frame.x(point.time), strip.y(value.max(0.0)))
            };
            run.iter().map(place).collect::<Vec<_>>()
        };
        ribbon(pen, &edge(1.0), edge(-1.0), colour, tokens);
    }
}

/// What lies between an upper and a lower edge, both from left to right.
pub fn ribbon(
    pen: &dyn Pen,
    upper: &[(f64, f64)],
    mut lower: Vec<(f64, f64)>,
    colour: RGBColor,
    tokens: &Tokens,
) {
    if upper.len() < 2 {
        return;
    }
    if tokens.patterns {
        pen.line(upper, Stroke::solid(colour, 1.0));
        pen.line(&lower, Stroke::solid(colour, 1.0));
    }
    lower.reverse();
    pen.shape(&[upper, &lower].concat(), colour, tokens.confidence)
}

#[cfg(test)]
mod tests {
    use crate::paint::View;
    use crate::paint::example::{self, polygons};
    use crate::paint::performance::{legend, performance};
    use crate::paint::scene::{Frame, Svg, css};

    fn check(view: &View) {
        let folding = example::namd();
        let group = folding.group(1).unwrap();
        let svg = Svg::default();
        let layout = performance(&svg, &folding, view);
        let svg = svg.elements();
        let frame = Frame::of(view);
        for entry in legend(&folding, view) {
            let curve = group.curves.iter().find(|c| c.counter == entry.counter).unwrap();
            let Some(strip) = layout.strips.iter().find(|s| s.curves.contains(&entry.counter))
            else {
                continue;
            };
            let ratio = !curve.instructions && view.counter.is_none();
            let (values, band) = match ratio {
                true => (group.per_instruction(curve), group.per_instruction_band(curve)),
                false => (curve.rate.iter().copied().map(Some).collect(), curve.rate_band.clone()),
            };
            let corners = polygons(&svg, &entry.colour).concat();
            assert!(corners.len() > 100, "{}: {}", entry.name, corners.len());
            let y = |value: f64| {
                let share = (value.max(0.0) * strip.factor - strip.min) / (strip.max - strip.min);
                strip.bottom - share.clamp(0.0, 1.0) * (strip.bottom - strip.top)
            };
            for (j, value) in values.iter().enumerate() {
                let time = j as f64 / 999.0;
                if time <= frame.from || time >= frame.to {
                    continue;
                }
                for sign in [-1.0, 1.0] {
                    let (x, y) = (frame.x(time), y(value.unwrap() + sign * band[j]));
                    let near = |c: &(f64, f64)| (c.0 - x).abs() < 0.01 && (c.1 - y).abs() < 0.01;
                    assert!(corners.iter().any(near), "{} at {x} {y}", entry.name);
                }
            }
        }
    }

    #[test]
    fn bands_lie_round_every_curve_in_every_view() {
        let view = example::view(976.0, 414.0);
        check(&view);
        check(&View { from: 0.31, to: 0.47, ..view.clone() });
        check(&View { theme: crate::paint::Theme::Contrast, ..view.clone() });
        check(&View { counter: Some("PAPI_BR_INS".into()), ..view });
    }

    #[test]
    fn without_bands_there_are_no_shapes() {
        let mut folding = example::namd();
        let view = example::view(976.0, 414.0);
        let colour = css(view.theme.tokens().ink);
        folding.groups[0].curves.iter_mut().for_each(|curve| curve.rate_band.clear());
        let svg = Svg::default();
        performance(&svg, &folding, &view);
        assert!(polygons(&svg.elements(), &colour).is_empty());
    }
}
