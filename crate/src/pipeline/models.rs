//! The models and expressions that a folding's counters allow.

use super::FoldError;
use crate::model::{self, Axis, Component, Expression, Model};
use crate::result::{Group, MissingModel};
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
    let all = own.iter().chain(&built_in).cloned().collect::<Vec<_>>();
    let wanted = match &settings.models {
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
        counters: expression.counters,
        components: vec![component],
    })
}
