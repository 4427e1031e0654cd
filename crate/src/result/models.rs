//! Models as JSON, their formulas in reverse Polish notation: `c0 c1 / 1000 *`.

use super::json::{Fields, Writer, number};
use crate::model::{Axis, Component, Formula, Model, Operator};
use crate::text::decimal;

const OPERATORS: [(Operator, &str); 6] = [
    (Operator::Add, "+"),
    (Operator::Subtract, "-"),
    (Operator::Multiply, "*"),
    (Operator::Divide, "/"),
    (Operator::Min, "m"),
    (Operator::Max, "M"),
];

/// A model that the counters do not allow.
#[derive(Clone, Debug, PartialEq)]
pub struct MissingModel {
    pub title: String,
    /// The counters that it needs and the trace does not have.
    pub counters: Vec<String>,
}

pub fn write_model(model: &Model, json: &mut Writer) {
    json.text("name", &model.name);
    json.text("title", &model.title);
    json.text("left", &model.left);
    json.text("right", &model.right);
    json.flag("stacked", model.stacked);
    json.text("source", &model.source);
    json.texts("counters", &model.counters);
    json.list("components", &model.components, |component, json| {
        json.text("name", &component.name);
        json.text("title", &component.title);
        json.flag("right", component.axis == Axis::Right);
        if let Some(colour) = component.colour {
            json.smalls("colour", &colour.map(u32::from));
        }
        json.flag("hidden", component.hidden);
        json.text("explanation", &component.explanation);
        json.text("formula", &polish(&component.formula));
    });
}

/// Components whose formula cannot be read are left out.
pub fn read_model(fields: Fields<'_>) -> Model {
    let component = |fields: Fields<'_>| {
        let colour = fields.smalls("colour").into_iter().map(|part| part.min(255) as u8);
        Some(Component {
            name: fields.text("name"),
            title: fields.text("title"),
            axis: if fields.flag("right") { Axis::Right } else { Axis::Left },
            colour: colour.collect::<Vec<_>>().try_into().ok(),
            hidden: fields.flag("hidden"),
            explanation: fields.text("explanation"),
            formula: formula(&fields.text("formula"))?,
        })
    };
    Model {
        name: fields.text("name"),
        title: fields.text("title"),
        left: fields.text("left"),
        right: fields.text("right"),
        stacked: fields.flag("stacked"),
        source: fields.text("source"),
        unless: String::new(),
        counters: fields.texts("counters"),
        components: fields.list("components", component).into_iter().flatten().collect(),
    }
}

fn polish(formula: &Formula) -> String {
    match formula {
        Formula::Number(value) => number(*value),
        Formula::Counter(place) => format!("c{place}"),
        Formula::Operation(operator, sides) => {
            let sign = OPERATORS.iter().find(|(known, _)| known == operator);
            let sign = sign.map_or("", |(_, sign)| sign);
            format!("{} {} {sign}", polish(&sides[0]), polish(&sides[1]))
        }
    }
}

/// `None` if it is none, or larger than formulas may be.
fn formula(text: &str) -> Option<Formula> {
    let mut stack: Vec<Formula> = Vec::new();
    for token in text.split(' ') {
        let operator = OPERATORS.iter().find(|(_, sign)| *sign == token);
        let next = match (operator, token.strip_prefix('c')) {
            (Some((operator, _)), _) => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                Formula::operation(*operator, a, b)?
            }
            (None, Some(place)) => Formula::Counter(place.parse().ok()?),
            (None, None) => {
                let (number, length) = decimal(token.as_bytes())?;
                Formula::Number((length == token.len()).then_some(number)?)
            }
        };
        stack.push(next);
    }
    stack.pop().filter(|_| stack.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::built_in;
    use crate::result::Json;

    #[test]
    fn every_model_reads_back_as_it_was_written() {
        for model in built_in() {
            let mut json = Writer::default();
            json.open("", '{');
            write_model(&model, &mut json);
            json.close('}');
            let read = read_model(Fields(&Json::parse(json.finish().as_bytes()).unwrap()));
            assert_eq!(read, Model { unless: String::new(), ..model });
        }
    }

    #[test]
    fn what_is_no_formula_is_none() {
        for text in ["", "+", "1 2", "c", "c-1", "1 +", "1 2 + +", "NaN", "inf", "1e999", "x"] {
            assert_eq!(formula(text), None, "{text}");
        }
        let huge = format!("1{}", " 1 +".repeat(100_000));
        assert_eq!(formula(&huge), None);
    }
}
