//! Models as the page is told them: which there are, and what they say at a moment.

use crate::model::Component;
use crate::result::{Folding, Group, Modelled, Uncertain, Writer};

/// The models that `group` has the counters for.
pub fn models(folding: &Folding, group: &Group, json: &mut Writer) {
    json.open("models", '[');
    for model in folding.models.iter().filter(|model| group.modelled(model).is_some()) {
        json.open("", '{');
        json.text("name", &model.name);
        json.text("title", if model.title.is_empty() { &model.name } else { &model.title });
        json.flag("stacked", model.stacked);
        json.text("source", &model.source);
        json.close('}');
    }
    json.close(']');
}

/// The models that the counters do not allow, and what they lack.
pub fn missing(folding: &Folding, json: &mut Writer) {
    json.list("missingModels", &folding.missing_models, |model, json| {
        json.text("title", &model.title);
        json.texts("counters", &model.counters);
    });
}

/// What a model says at folded time `x`: each component, and the sum of a stack.
pub fn model_at(modelled: &Modelled<'_>, x: f64) -> Writer {
    let last =
        |components: &[&Component]| -> Option<Uncertain> { modelled.sums_at(components, x)?.pop() };
    let mut json = Writer::default();
    json.open("", '{');
    json.open("values", '[');
    let mut areas = Vec::new();
    for component in modelled.components() {
        let found = last(&[component]);
        json.open("", '{');
        json.text("component", &component.name);
        json.known_number("value", found.map(|found| found.value));
        json.number("halfWidth", found.map_or(0.0, |found| found.half_width));
        json.close('}');
        if modelled.is_area(component) {
            areas.push(component);
        }
    }
    json.close(']');
    json.known_number("total", last(&areas).map(|found| found.value));
    json.close('}');
    json
}
