//! Models as the page is told them: which there are, and what they say at a moment.

use serde::Serialize;

use crate::model::Component;
use crate::result::{Folding, Group, Modelled, Uncertain};

/// A model that can be shown.
#[derive(Serialize)]
pub struct ModelRow {
    name: String,
    title: String,
    stacked: bool,
    /// Where its formulas are from; may be empty.
    source: String,
}

impl ModelRow {
    /// Those that `group` has the counters for.
    pub fn all(folding: &Folding, group: &Group) -> Vec<Self> {
        let possible = folding.models.iter().filter(|model| group.modelled(model).is_some());
        let row = |model: &crate::model::Model| Self {
            name: model.name.clone(),
            title: if model.title.is_empty() { &model.name } else { &model.title }.clone(),
            stacked: model.stacked,
            source: model.source.clone(),
        };
        possible.map(row).collect()
    }
}

/// A model that the counters do not allow, and what it lacks.
#[derive(Serialize)]
pub struct MissingRow {
    title: String,
    counters: Vec<String>,
}

impl MissingRow {
    pub fn all(folding: &Folding) -> Vec<Self> {
        let missing = folding.missing_models.iter();
        let row = missing
            .map(|model| Self { title: model.title.clone(), counters: model.counters.clone() });
        row.collect()
    }
}

/// What a model says at a moment.
#[derive(Serialize)]
pub struct ModelAt {
    /// One per shown component.
    values: Vec<ComponentAt>,
    /// The sum of a stack.
    total: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ComponentAt {
    component: String,
    value: Option<f64>,
    half_width: f64,
}

impl ModelAt {
    pub fn of(modelled: &Modelled<'_>, x: f64) -> Self {
        let last = |components: &[&Component]| -> Option<Uncertain> {
            modelled.sums_at(components, x)?.pop()
        };
        let row = |component: &Component| {
            let found = last(&[component]);
            ComponentAt {
                component: component.name.clone(),
                value: found.map(|found| found.value),
                half_width: found.map_or(0.0, |found| found.half_width),
            }
        };
        let areas: Vec<&Component> =
            modelled.components().filter(|component| modelled.is_area(component)).collect();
        Self {
            values: modelled.components().map(row).collect(),
            total: last(&areas).map(|found| found.value),
        }
    }
}
