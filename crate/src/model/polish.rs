//! Formulas as links and files have them, in reverse Polish notation: `c0 c1 / 1000 *`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Formula, Operator};
use crate::text::{decimal, shortest};

/// What operators are called; files of models may go on after the letter: `min`.
pub const OPERATORS: [(Operator, &str); 6] = [
    (Operator::Add, "+"),
    (Operator::Subtract, "-"),
    (Operator::Multiply, "*"),
    (Operator::Divide, "/"),
    (Operator::Min, "m"),
    (Operator::Max, "M"),
];

impl Serialize for Formula {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&polish(self))
    }
}

/// What cannot be read is a formula without a value, so that the others of its model are shown.
impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(formula_or_none(&String::deserialize(from)?))
    }
}

/// A formula without a value, if `text` is none.
pub fn formula_or_none(text: &str) -> Formula {
    formula(text).unwrap_or(Formula::Number(f64::NAN))
}

pub fn polish(formula: &Formula) -> String {
    match formula {
        Formula::Number(value) => shortest(*value),
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
            (None, None) => Formula::Number(decimal(token)?),
        };
        stack.push(next);
    }
    stack.pop().filter(|_| stack.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, built_in};

    #[test]
    fn every_model_reads_back_as_it_was_written() {
        for model in built_in() {
            let json = serde_json::to_string(&model).unwrap();
            let read = serde_json::from_str::<Model>(&json).unwrap();
            assert_eq!(read, Model { unless: String::new(), ..model });
        }
    }

    #[test]
    fn what_is_no_formula_has_no_value() {
        for text in ["", "+", "1 2", "c", "c-1", "1 +", "1 2 + +", "NaN", "inf", "1e999", "x"] {
            assert_eq!(formula(text), None, "{text}");
            let json = serde_json::to_string(text).unwrap();
            let read = serde_json::from_str::<Formula>(&json).unwrap();
            assert_eq!(read.evaluate(&[1.0]), None, "{text}");
        }
        let huge = format!("1{}", " 1 +".repeat(100_000));
        assert_eq!(formula(&huge), None);
    }
}
