//! Values over folded time, on the scales of a plot.

use plotters::style::RGBColor;

use super::label::Track;
use super::look::Mark;
use super::sampled::{Point, Sampled};
use crate::paint::scene::{Frame, Pen, Place, Strip, Tokens};

/// Px of the edge of a confidence band where themes differ by patterns.
const EDGE: f64 = 1.0;

/// A curve where it lies.
#[derive(Clone, Copy)]
pub struct Plotted<'a> {
    pub frame: &'a Frame,
    pub strip: &'a Strip,
    pub sampled: &'a Sampled<'a>,
}

impl Plotted<'_> {
    /// Its visible runs between gaps, raised by so many half widths of its band.
    fn runs(&self, half_widths: f64) -> Vec<Vec<Place>> {
        let place = |at: &Point| {
            let value = at.value + half_widths * at.half_width;
            (self.frame.x(at.time), self.strip.y(value))
        };
        let runs = self.sampled.runs(self.frame.from, self.frame.to);
        runs.iter().map(|run| run.iter().map(place).collect()).collect()
    }

    /// The curve itself.
    pub fn line(&self, pen: &dyn Pen, mark: Mark) {
        self.runs(0.0).iter().for_each(|run| mark.draw(pen, run));
    }

    /// Where it is highest of each stretch that leaves the axis.
    pub fn clipped(&self) -> Vec<Place> {
        let top = self.strip.max / self.strip.factor;
        let runs = self.sampled.runs(self.frame.from, self.frame.to);
        let stretches =
            runs.iter().flat_map(|run| run.chunk_by(|a, b| (a.value > top) == (b.value > top)));
        let highest =
            |stretch: &[Point]| stretch.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value));
        let beyond = stretches.filter_map(highest).filter(|point| point.value > top);
        beyond.map(|point| (self.frame.x(point.time), self.strip.y(top))).collect()
    }

    /// How far it may be off: a ribbon, cut at the ends of the axis.
    pub fn band(&self, pen: &dyn Pen, colour: RGBColor, tokens: &Tokens) {
        // Not a number is no band.
        if !self.sampled.band.iter().any(|&half_width| half_width > 0.0) {
            return;
        }
        let ribbon = Mark::Area { colour, opacity: tokens.confidence };
        for (upper, lower) in self.runs(1.0).iter().zip(self.runs(-1.0)) {
            if upper.len() < 2 {
                continue;
            }
            if tokens.patterns {
                Mark::line(colour, EDGE).draw(pen, upper);
                Mark::line(colour, EDGE).draw(pen, &lower);
            }
            ribbon.draw(pen, &between(upper, lower));
        }
    }

    /// What lies between it and the curve below it, or 0. Gaps of one are gaps of both.
    pub fn area(&self, pen: &dyn Pen, below: Option<Plotted<'_>>, mark: Mark) {
        let lower = below.map(|below| below.runs(0.0)).unwrap_or_default();
        for (index, upper) in self.runs(0.0).iter().enumerate() {
            let ground = || upper.iter().map(|&(x, _)| (x, self.strip.y(0.0))).collect();
            mark.draw(pen, &between(upper, lower.get(index).cloned().unwrap_or_else(ground)));
        }
    }

    /// Where it passes, for labels.
    pub fn track(&self) -> Track {
        Track::new(self.frame, |time| Some(self.strip.y(self.sampled.at(time)?)))
    }
}

/// The corners of what lies between two edges, both from left to right.
fn between(upper: &[Place], mut lower: Vec<Place>) -> Vec<Place> {
    lower.reverse();
    [upper, &lower].concat()
}

#[cfg(test)]
mod tests {
    use crate::paint::View;
    use crate::paint::example::{self, polygons};
    use crate::paint::performance::{legend, performance};
    use crate::paint::scene::{Frame, Svg, css};

    #[test]
    fn where_a_curve_leaves_its_axis_stands_a_triangle_of_its_colour() {
        let triangles = |spikes: &[usize]| {
            let mut folding = example::namd();
            let curve = folding.groups[0].curves.iter_mut().find(|c| c.counter == "LLC_MISSES");
            let curve = curve.unwrap();
            for &at in spikes {
                curve.rate[at] *= 300.0;
            }
            let view = example::view(976.0, 414.0);
            let (svg, entries) = (Svg::default(), legend(&folding, &view));
            let layout = performance(&svg, &folding, &view);
            let colour = &entries.iter().find(|e| e.counter == "LLC_MISSES").unwrap().colour;
            let strip = layout.strips.iter().find(|s| s.has("LLC_MISSES")).unwrap();
            let small = polygons(&svg.elements(), colour).into_iter().filter(|p| p.len() == 3);
            let tips = small.map(|corners| corners[1]).collect::<Vec<_>>();
            assert!(tips.iter().all(|(_, y)| (y - strip.top).abs() < 0.01), "{tips:?}");
            let frame = Frame::of(&view);
            tips.iter()
                .map(|(x, _)| ((x - frame.left) / (frame.right - frame.left) * 999.0).round())
                .collect::<Vec<_>>()
        };
        assert_eq!(triangles(&[]), [0.0; 0]);
        assert_eq!(triangles(&[200, 700]), [200.0, 700.0]);
        assert_eq!(triangles(&[300, 301]).len(), 1, "one stretch, one mark");
        assert_eq!(triangles(&[300, 300, 301]), [300.0], "where it is highest");
        // A phase of 2 % is no spike.
        assert_eq!(triangles(&(300..320).collect::<Vec<_>>()), [0.0; 0]);
    }

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
