//! What a model shows of a group: its components as areas of a stack or as lines, with their
//! colours, and a rate in ink against the right axis.

use serde::Serialize;

use super::series::Series;
use super::shown::{About, Shown};
use crate::folding::{Folding, Group};
use crate::model::{Axis, Component, Model};
use crate::paint::View;
use crate::paint::mark::Sampled;
use crate::paint::scene::{Tokens, css, printable};
use crate::quantity::{Kind, Quantity};
use crate::result::{Modelled, Uncertain};

/// One entry of a model's legend.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ModelEntry {
    /// Name of the component; `MIPS` for the rate of instructions that stands beside a model.
    pub component: String,
    /// What a person reads.
    pub name: String,
    /// `#RRGGBB`.
    pub colour: String,
    /// What it means, a sentence or two; may be empty.
    pub explanation: String,
    /// Lengths of dash and gap in px, in a figure without colours.
    #[serde(skip)]
    pub dash: &'static [f64],
    /// Whether it is an area of the stack.
    pub area: bool,
    /// Whether its axis is at the right.
    pub right: bool,
    /// Title of its axis; may be empty.
    pub per: String,
}

/// What stands at the right where a model has nothing there.
const RATE: &str = "MIPS";

/// The model that the view asks for, if the group has its counters and no counter is shown alone.
pub fn asked<'a>(folding: &'a Folding, view: &View) -> Option<Modelled<'a>> {
    let name = view.model.as_ref().filter(|_| view.counter.is_none())?;
    let model: &Model = folding.models.iter().find(|model| model.name == *name)?;
    folding.group(view.group)?.modelled(model)
}

/// The same, for its name.
pub fn asked_model<'a>(folding: &'a Folding, view: &View) -> Option<&'a Model> {
    asked(folding, view).map(|modelled| modelled.model)
}

/// Its components in the order of the model, those of the stack from the bottom; the rate of
/// instructions where it leaves the right axis free.
pub fn components<'a>(group: &'a Group, modelled: &Modelled<'a>, tokens: &Tokens) -> Shown<'a> {
    let model = modelled.model;
    let all: Vec<&Component> = modelled.meant().collect();
    let areas: Vec<&Component> =
        all.iter().copied().filter(|component| modelled.is_area(component)).collect();
    let mut edges = on_grid(group, modelled, &areas).into_iter();
    let has_right = all.iter().any(|component| component.axis == Axis::Right);
    let mut first_right = true;
    let mut asked = |component: &&Component| {
        let is_rate = component.axis == Axis::Right && std::mem::take(&mut first_right);
        if is_rate { Some([0; 3]) } else { component.colour }
    };
    let colours = tokens.of_model(&all.iter().map(&mut asked).collect::<Vec<_>>());
    let mut series: Vec<(usize, Series)> = Vec::new();
    for (component, colour) in all.into_iter().zip(colours) {
        let (area, right) = (modelled.is_area(component), component.axis == Axis::Right);
        let sampled = match area {
            true => edges.next(),
            false => on_grid(group, modelled, &[component]).pop(),
        };
        let title = if component.title.is_empty() { &component.name } else { &component.title };
        let per = if right { &model.right } else { &model.left };
        let quantity = Quantity::stated(printable(title), printable(per));
        let drawn = Series::new(&component.name, quantity, sampled.unwrap_or_default());
        let lines = series.iter().filter(|(_, other)| !other.area).count();
        let dash = if tokens.grey && !area { tokens.dash(lines) } else { &[] };
        series.push((0, Series { colour, dash, area, right, ..drawn }));
    }
    let in_time = group.axis == crate::folding::Axis::Time;
    if let Some(curve) = group.instructions().filter(|_| !has_right && in_time) {
        let rate = Series::of(group, curve, Kind::Rate);
        series.push((0, Series { key: RATE, colour: tokens.ink, right: true, ..rate }));
    }
    Shown { series, about: About::Model, is_shared: false, others: 0, awaited: false }
}

/// The running sums of `components` at every grid point; a gap in one is a gap in all.
fn on_grid<'a>(
    group: &'a Group,
    modelled: &Modelled<'_>,
    components: &[&Component],
) -> Vec<Sampled<'a>> {
    let points = modelled.points();
    let mut all: Vec<Sampled> = components
        .iter()
        .map(|_| Sampled::over(group, vec![None; points], vec![0.0; points]))
        .collect();
    for j in 0..points {
        let sums = modelled.sums_on_grid(components, j).unwrap_or_default();
        for (sampled, Uncertain { value, half_width }) in all.iter_mut().zip(sums) {
            if let (Some(at), Some(band)) = (sampled.values.get_mut(j), sampled.band.get_mut(j)) {
                (*at, *band) = (Some(value), half_width);
            }
        }
    }
    all
}

/// The legend of the model that the view asks for; empty without one.
pub fn model_legend(folding: &Folding, view: &View) -> Vec<ModelEntry> {
    let Some((group, modelled)) = folding.group(view.group).zip(asked(folding, view)) else {
        return Vec::new();
    };
    let explanation = |key: &str| {
        let component = modelled.components().find(|component| component.name == key);
        component.map_or_else(
            || "Instructions completed, in millions per second.".to_owned(),
            |component| component.explanation.clone(),
        )
    };
    let entry = |series: &Series<'_>| ModelEntry {
        component: series.key.to_owned(),
        name: series.quantity.name.clone(),
        colour: css(series.colour),
        dash: series.dash,
        explanation: explanation(series.key),
        area: series.area,
        right: series.right,
        per: series.quantity.unit.clone(),
    };
    components(group, &modelled, view.theme.tokens()).all().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use crate::folding::Folding;
    use crate::paint::View;
    use crate::paint::example::{self, polygons};
    use crate::paint::performance::{model_legend, performance};
    use crate::paint::scene::{Frame, Svg};

    /// Of the palette, next to those that the example's models ask for.
    const HUES: [&str; 3] = ["#146137", "#BC3E55", "#916700"];

    fn of(name: &str) -> View {
        View { model: Some(name.to_owned()), ..example::view(976.0, 300.0) }
    }

    #[test]
    fn the_topmost_edge_of_a_stack_is_the_sum_of_its_values() {
        let (folding, view) = (example::modelled(), of("stack"));
        let group = folding.group(1).unwrap();
        let svg = Svg::default();
        let layout = performance(&svg, &folding, &view);
        let svg = svg.elements();
        let strip = &layout.strips[0];
        assert_eq!((&*strip.unit, strip.curves.join(" ")), ("Per cycle", "a b c".to_owned()));
        let frame = Frame::of(&view);
        let rate = |counter: &str, j: usize| {
            group.curves.iter().find(|curve| curve.counter == counter).unwrap().rate[j]
        };
        let mut sum = vec![0.0; 1000];
        for (colour, counter) in
            HUES.into_iter().zip(["PAPI_BR_INS", "PAPI_L1_DCM", "PAPI_TOT_INS"])
        {
            // The area is drawn before the bands.
            let area = &polygons(&svg, colour)[0];
            for (j, sum) in sum.iter_mut().enumerate() {
                let lower = *sum;
                *sum += rate(counter, j) / rate("PAPI_TOT_CYC", j);
                let x = frame.x(j as f64 / 999.0);
                for value in [lower, *sum] {
                    let y = strip.bottom - value / strip.max * (strip.bottom - strip.top);
                    let near = |c: &(f64, f64)| (c.0 - x).abs() < 0.01 && (c.1 - y).abs() < 0.01;
                    assert!(area.iter().any(near), "{counter} {j}: {x} {y}");
                }
            }
        }
        let right = &layout.strips[1];
        assert_eq!((&*right.unit, right.right, right.step), ("MIPS", true, 1000.0));
        assert_eq!(strip.max / strip.step, right.max / right.step, "one grid for both");
    }

    #[test]
    fn shares_of_more_than_the_whole_are_gaps_of_the_stack_and_set_no_axis() {
        let (mut folding, view) = (example::modelled(), of("stack"));
        folding.models[0].left = "Share of cycles".to_owned();
        let group = &mut folding.groups[0];
        // Half of the cycles, but where branches are counted 20 times.
        let cycles = group.curve("PAPI_TOT_CYC").unwrap().rate.clone();
        for name in ["PAPI_BR_INS", "PAPI_L1_DCM", "PAPI_TOT_INS"] {
            let curve = group.curves.iter_mut().find(|curve| curve.counter == name).unwrap();
            curve.rate = cycles.iter().map(|rate| rate / 6.0).collect();
            if name == "PAPI_BR_INS" {
                curve.rate[400..600].iter_mut().for_each(|rate| *rate *= 20.0);
            }
        }
        let svg = Svg::default();
        let layout = performance(&svg, &folding, &view);
        assert!(layout.strips[0].max < 1.0, "{}", layout.strips[0].max);
        let svg = svg.elements();
        let frame = Frame::of(&view);
        let (from, to) = (frame.x(400.0 / 999.0), frame.x(599.0 / 999.0));
        let gapped = HUES.map(|colour| {
            let corners = polygons(&svg, colour).concat();
            corners.len() > 1000 && corners.iter().all(|&(x, _)| x < from || x > to)
        });
        assert_eq!(gapped, [true; 3]);
    }

    #[test]
    fn a_gap_interrupts_the_whole_stack() {
        let (mut folding, view) = (example::modelled(), of("stack"));
        let cycles = &mut folding.groups[0].curves[3];
        assert_eq!(cycles.counter, "PAPI_TOT_CYC");
        cycles.rate[400..600].fill(0.0);
        let svg = Svg::default();
        performance(&svg, &folding, &view);
        let svg = svg.elements();
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let frame = Frame::of(&view);
        let (from, to) = (frame.x(400.0 / 999.0), frame.x(599.0 / 999.0));
        for colour in HUES {
            let corners = polygons(&svg, colour).concat();
            assert!(corners.len() > 1000);
            assert!(corners.iter().all(|&(x, _)| x < from || x > to), "{colour}");
        }
    }

    #[test]
    fn components_that_are_not_stacked_are_lines() {
        let (folding, view) = (example::modelled(), of("lines"));
        let svg = Svg::default();
        let layout = performance(&svg, &folding, &view);
        let units: Vec<_> = layout.strips.iter().map(|strip| &*strip.unit).collect();
        assert_eq!(units, ["Share of cycles", "Rate"]);
        let legend = model_legend(&folding, &view);
        let names: Vec<_> = legend.iter().map(|e| (&e.name[..], e.area, e.right)).collect();
        assert_eq!(
            names,
            [("a of all", false, false), ("b of all", false, false), ("rate", false, true)]
        );
        let svg = svg.elements();
        let largest = layout.strips[0].max;
        let values = |y: f64| (1.0 - y / 300.0) * largest;
        for entry in &legend[..2] {
            let lines = example::polylines(&svg, &entry.colour);
            let highest = lines.concat().iter().map(|at| values(at.1)).fold(0.0, f64::max);
            let counter = if entry.component == "a" { "PAPI_BR_INS" } else { "PAPI_L1_DCM" };
            let curve = |name: &str| {
                &folding.groups[0].curves.iter().find(|c| c.counter == name).unwrap().rate
            };
            let ratios = curve(counter).iter().zip(curve("PAPI_TOT_CYC")).map(|(a, b)| a / b);
            let expected = ratios.fold(0.0, f64::max);
            assert!((highest - expected).abs() < 0.01 * largest, "{highest} {expected}");
        }
    }

    #[test]
    fn a_model_that_is_not_there_or_lacks_counters_leaves_the_counters() {
        let mut folding = example::modelled();
        let counters = performance(&Svg::default(), &folding, &View { model: None, ..of("stack") });
        let painted = |folding: &Folding, view: &View| performance(&Svg::default(), folding, view);
        assert_eq!(painted(&folding, &of("no such")), counters);
        folding.groups[0].curves.retain(|curve| curve.counter != "PAPI_BR_INS");
        assert!(model_legend(&folding, &of("stack")).is_empty());
        assert!(!painted(&folding, &of("stack")).strips[0].curves.contains(&"a".to_owned()));
    }

    #[test]
    fn odd_foldings_are_painted() {
        let models = example::modelled().models;
        for mut folding in example::odd() {
            folding.models = models.clone();
            for view in example::odd_views() {
                let view = View { model: Some("stack".to_owned()), ..view };
                let svg = Svg::default();
                performance(&svg, &folding, &view);
                let svg = svg.elements();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{view:?}");
            }
        }
    }
}
