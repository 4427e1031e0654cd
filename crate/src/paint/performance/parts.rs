//! What a model shows of a group: its components as areas of a stack or as lines, with their
//! colours.

use serde::Serialize;

use plotters::style::RGBColor;

use super::series::Series;
use crate::folding::{Folding, Group};
use crate::model::{Axis, Component, Model};
use crate::paint::View;
use crate::paint::mark::Sampled;
use crate::paint::scene::{Tokens, css, printable};
use crate::quantity::Kind;
use crate::result::{Modelled, Uncertain};

/// A component as it is drawn, or the rate of instructions where a model leaves the right axis
/// free.
pub struct Part<'a> {
    pub component: Option<&'a Component>,
    pub colour: RGBColor,
    pub area: bool,
    pub right: bool,
    /// The values; of an area its upper edge, on those below it.
    pub sampled: Sampled<'a>,
}

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

/// Its parts in the order of the model, those of the stack from the bottom.
pub fn parts<'a>(group: &'a Group, modelled: &Modelled<'a>, tokens: &Tokens) -> Vec<Part<'a>> {
    let shown: Vec<&Component> = modelled.components().collect();
    let areas: Vec<&Component> =
        shown.iter().copied().filter(|component| modelled.is_area(component)).collect();
    let mut edges = on_grid(group, modelled, &areas).into_iter();
    let has_right = shown.iter().any(|component| component.axis == Axis::Right);
    let mut first_right = true;
    let mut hue = 0;
    let mut parts = Vec::new();
    for component in shown {
        let (area, right) = (modelled.is_area(component), component.axis == Axis::Right);
        let is_rate = right && std::mem::take(&mut first_right);
        let own = component.colour.map(|[r, g, b]| RGBColor(r, g, b));
        let colour = if is_rate { Some(tokens.ink) } else { own };
        let colour = colour.unwrap_or_else(|| {
            hue += 1;
            tokens.counter(hue - 1)
        });
        let sampled = match area {
            true => edges.next(),
            false => on_grid(group, modelled, &[component]).pop(),
        };
        let sampled = sampled.unwrap_or_default();
        parts.push(Part { component: Some(component), colour, area, right, sampled });
    }
    let in_time = group.axis == crate::folding::Axis::Time;
    if let Some(curve) = group.instructions().filter(|_| !has_right && in_time) {
        let sampled = Series::of(group, curve, Kind::Rate).sampled;
        let (colour, area, right) = (tokens.ink, false, true);
        parts.push(Part { component: None, colour, area, right, sampled });
    }
    parts
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

impl Part<'_> {
    /// What a person reads.
    pub fn title(&self) -> String {
        match self.component {
            Some(part) if part.title.is_empty() => printable(&part.name),
            Some(part) => printable(&part.title),
            None => RATE.to_owned(),
        }
    }

    pub fn name(&self) -> &str {
        self.component.map_or(RATE, |component| &component.name)
    }

    /// Title of its axis.
    pub fn per(&self, model: &Model) -> String {
        match (self.component, self.right) {
            (None, _) => RATE.to_owned(),
            (_, true) => printable(&model.right),
            (_, false) => printable(&model.left),
        }
    }
}

/// The legend of the model that the view asks for; empty without one.
pub fn model_legend(folding: &Folding, view: &View) -> Vec<ModelEntry> {
    let Some((group, modelled)) = folding.group(view.group).zip(asked(folding, view)) else {
        return Vec::new();
    };
    let entry = |part: Part<'_>| ModelEntry {
        component: part.name().to_owned(),
        name: part.title(),
        colour: css(part.colour),
        explanation: part.component.map_or_else(
            || "Instructions completed, in millions per second.".to_owned(),
            |component| component.explanation.clone(),
        ),
        area: part.area,
        right: part.right,
        per: part.per(modelled.model),
    };
    parts(group, &modelled, view.theme.tokens()).into_iter().map(entry).collect()
}
