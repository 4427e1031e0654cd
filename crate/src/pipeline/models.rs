//! The models and expressions that a folding's counters allow.

use super::FoldError;
use crate::folding::{Group, MissingModel};
use crate::model::{self, Axis, Component, Expression, Model};
use crate::settings::{Settings, nearest};

/// The models that can be shown of `groups`, and those that cannot: built-in ones, those that a
/// person gave (`own`), and a model for each expression in the settings.
///
/// An error for a name that no model has, and for an expression that cannot be read.
pub fn models(
    groups: &[Group],
    settings: &Settings,
    own: &[Model],
) -> Result<(Vec<Model>, Vec<MissingModel>), FoldError> {
    let mut known: Vec<&str> = Vec::new();
    for curve in groups.iter().flat_map(|group| &group.curves) {
        if !known.contains(&curve.counter.as_str()) {
            known.push(&curve.counter);
        }
    }
    let built_in = model::built_in();
    let own = own.iter().map(|model| Model { own: true, ..model.clone() });
    let all = own.chain(built_in).collect::<Vec<_>>();
    let wanted = match &settings.models {
        Some(names) if names.as_slice() == ["none"] => vec![],
        Some(names) => named(&all, names)?,
        None => all,
    };
    let mut possible: Vec<Model> = Vec::new();
    for model in model::possible(&wanted, &known) {
        // A model of a person stands before a built-in one of the same name.
        if !possible.iter().any(|other| other.name == model.name) {
            possible.push(model.clone());
        }
    }
    let missing = |model: &Model| {
        let counters = model.missing(&known).into_iter().map(str::to_owned).collect::<Vec<_>>();
        (!counters.is_empty()).then(|| MissingModel { title: model.title.clone(), counters })
    };
    let missing = wanted.iter().filter_map(missing).collect();
    for text in &settings.expressions {
        possible.push(of_expression(text, &known)?);
    }
    Ok((possible, missing))
}

fn named(all: &[Model], names: &[String]) -> Result<Vec<Model>, FoldError> {
    let find = |asked: &String| {
        let found = all.iter().find(|model| model.name == *asked);
        found.cloned().ok_or_else(|| FoldError::NoSuchModel {
            asked: asked.clone(),
            nearest: nearest(asked, all.iter().map(|model| model.name.as_str())),
        })
    };
    names.iter().map(find).collect()
}

/// `NAME=FORMULA`, or a formula that is its own name.
// The page loads it where somebody typed one.
#[inline(never)]
fn of_expression(text: &str, known: &[&str]) -> Result<Model, FoldError> {
    let is_name = |name: &str| {
        let letters = name.chars().all(|letter| letter.is_alphanumeric() || " _-".contains(letter));
        letters && !name.trim().is_empty()
    };
    let (name, formula) = match text.split_once('=') {
        Some((name, formula)) if is_name(name) => (name.trim(), formula),
        _ => (text, text),
    };
    let expression = Expression::parse(formula, known)
        .map_err(|error| FoldError::Expression { text: formula.to_owned(), error })?;
    let component = Component {
        name: name.to_owned(),
        title: name.to_owned(),
        axis: Axis::Left,
        colour: None,
        hidden: false,
        explanation: formula.trim().to_owned(),
        formula: expression.formula,
    };
    Ok(Model {
        name: name.to_owned(),
        title: name.to_owned(),
        left: String::new(),
        right: String::new(),
        stacked: false,
        source: String::new(),
        unless: String::new(),
        own: true,
        counters: expression.counters,
        components: vec![component],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Curve;

    fn group(counters: &[(&str, f64)]) -> Group {
        let curve = |&(counter, rate): &(&str, f64)| Curve {
            counter: counter.to_owned(),
            rate: vec![rate, 0.0],
            ..Curve::default()
        };
        Group { curves: counters.iter().map(curve).collect(), ..Group::default() }
    }

    fn found(
        counters: &[(&str, f64)],
        choices: &[(&str, &str)],
    ) -> Result<(Vec<Model>, Vec<MissingModel>), FoldError> {
        let mut settings = Settings::default();
        for (key, value) in choices {
            settings.set(key, value).unwrap();
        }
        models(&[group(counters)], &settings, &[])
    }

    const COUNTERS: [(&str, f64); 4] = [
        ("PAPI_TOT_INS", 4000.0),
        ("PAPI_L1_DCM", 80.0),
        ("PAPI_L2_DCM", 40.0),
        ("PAPI_L3_TCM", 20.0),
    ];

    #[test]
    fn what_the_counters_allow_is_offered_and_what_is_missing_is_said() {
        let (possible, missing) = found(&COUNTERS, &[]).unwrap();
        assert!(!possible.is_empty());
        let group = group(&COUNTERS);
        assert!(possible.iter().all(|model| group.modelled(model).is_some()));
        let impact = missing.iter().find(|model| model.counters == ["PAPI_BR_MSP"]);
        assert!(impact.is_some(), "{missing:?}");
    }

    #[test]
    fn a_model_of_a_person_stands_in_place_of_a_built_in_one_of_its_name() {
        let (built_in, _) = found(&COUNTERS, &[]).unwrap();
        let own = Model { title: "Mine".to_owned(), ..built_in[0].clone() };
        let (models, _) = models(&[group(&COUNTERS)], &Settings::default(), &[own]).unwrap();
        let named = models.iter().filter(|model| model.name == built_in[0].name);
        assert_eq!(named.map(|model| model.title.as_str()).collect::<Vec<_>>(), ["Mine"]);
        assert_eq!(models.len(), built_in.len());
    }

    #[test]
    fn an_expression_is_a_model_of_one_component() {
        let text = "traffic=PAPI_L3_TCM*64/PAPI_TOT_INS; PAPI_L1_DCM - PAPI_L2_DCM";
        let (models, _) = found(&COUNTERS, &[("expressions", text), ("models", "none")]).unwrap();
        let [traffic, difference] = &models[..] else { panic!("{models:?}") };
        assert_eq!(
            (traffic.name.as_str(), difference.title.as_str()),
            ("traffic", "PAPI_L1_DCM - PAPI_L2_DCM")
        );
        let group = group(&COUNTERS);
        let values = group.modelled(traffic).unwrap();
        let [only] = &values.components().collect::<Vec<_>>()[..] else { panic!() };
        let at = |point| values.sums_on_grid(&[only], point).map(|sums| sums[0].value);
        assert_eq!((at(0), at(1)), (Some(0.32), None), "no instruction in the second half");
    }

    #[test]
    fn what_cannot_be_read_or_is_not_known_is_named() {
        let message = |choices: &[(&str, &str)]| found(&COUNTERS, choices).unwrap_err().to_string();
        let unknown = message(&[("expressions", "PAPI_L4_TCM/PAPI_TOT_INS")]);
        assert!(unknown.starts_with("formula \"PAPI_L4_TCM/PAPI_TOT_INS\": "), "{unknown}");
        assert!(unknown.contains("PAPI_L3_TCM"), "{unknown}");
        let model = message(&[("models", "instruction-mixed")]);
        assert!(model.starts_with("unknown model \"instruction-mixed\"; the nearest are"));
    }
}
