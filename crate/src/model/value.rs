//! Formulas in XML: `<value>` and `<operation>`.

use roxmltree::Node;

use crate::text::ParseError;

use super::component::Component;
use super::file::{Place, attribute, elements, tag};
use super::formula::{Formula, MOST_TERMS};
use super::polish::OPERATORS;
use super::quote::quoted;
use super::typed::number;

/// Deepest nesting of operations.
const DEEPEST: usize = 100;
const VALUE: &str = "a number, an earlier component or a counter";

/// Reads the formula of one component.
pub struct Values<'a> {
    place: &'a Place<'a>,
    earlier: &'a [Component],
    /// The component's own name, then those of later ones.
    names: &'a [String],
    counters: &'a mut Vec<String>,
}

impl<'a> Values<'a> {
    pub fn new(
        place: &'a Place<'a>,
        earlier: &'a [Component],
        names: &'a [String],
        counters: &'a mut Vec<String>,
    ) -> Self {
        Self { place, earlier, names, counters }
    }

    /// The one formula inside a component.
    pub fn only_formula(&mut self, component: Node<'_, '_>) -> Result<Formula, ParseError> {
        self.place.no_text(component)?;
        let mut inside = elements(component);
        match (inside.next(), inside.next()) {
            (Some(node), None) => self.formula(node, 0),
            (None, _) => {
                let found = "a <component> without a formula".to_owned();
                Err(self.place.at(component.range().start, found, "<value> or <operation>"))
            }
            (_, Some(second)) => {
                let found = format!("a second formula, {}", tag(second));
                Err(self.place.at(second.range().start, found, "one for each component"))
            }
        }
    }

    fn formula(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Formula, ParseError> {
        let start = node.range().start;
        match node.tag_name().name() {
            "value" => self.value(node),
            "operation" if depth < DEEPEST => self.operation(node, depth),
            "operation" => {
                let found = format!("more than {DEEPEST} operations inside one another");
                Err(self.place.at(start, found, "a flatter formula"))
            }
            _ => Err(self.place.at(start, tag(node), "<value> or <operation>")),
        }
    }

    fn operation(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Formula, ParseError> {
        let kind = attribute(node, "type").unwrap_or_default();
        let Some((operator, _)) = OPERATORS.iter().find(|(_, sign)| kind.starts_with(sign)) else {
            let expected = "+, -, *, /, m (minimum) or M (maximum)";
            return Err(self.place.of_attribute(node, "type", quoted(&kind), expected));
        };
        self.place.no_text(node)?;
        let sides = elements(node).collect::<Vec<_>>();
        let [a, b] = sides.as_slice() else {
            let found = format!("an <operation> with {} operands", sides.len());
            return Err(self.place.at(node.range().start, found, "two operands"));
        };
        let (a, b) = (self.formula(*a, depth + 1)?, self.formula(*b, depth + 1)?);
        Formula::operation(*operator, a, b).ok_or_else(|| {
            let found = format!("a formula of more than {MOST_TERMS} terms");
            self.place.at(node.range().start, found, "a shorter one")
        })
    }

    fn value(&mut self, node: Node<'_, '_>) -> Result<Formula, ParseError> {
        let start = node.range().start;
        if let Some(inner) = elements(node).next() {
            let found = format!("{} in a <value>", tag(inner));
            return Err(self.place.at(inner.range().start, found, VALUE));
        }
        let text = node.children().filter_map(|child| child.text().filter(|_| child.is_text()));
        let text = text.collect::<String>();
        let name = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(self.place.at(start, "an empty <value>".to_owned(), VALUE));
        }
        if let Some((number, _)) = number(&name).filter(|(_, length)| *length == name.len()) {
            return Ok(Formula::Number(number));
        }
        if let Some(earlier) = self.earlier.iter().find(|earlier| earlier.name == name) {
            return Ok(earlier.formula.clone());
        }
        match self.names.iter().position(|later| *later == name) {
            Some(0) => {
                let found = format!("{}, the component itself", quoted(&name));
                Err(self.place.at(start, found, VALUE))
            }
            Some(_) => {
                let found = format!("{}, a component that comes later", quoted(&name));
                Err(self.place.at(start, found, VALUE))
            }
            None => Ok(Formula::counter(&name, self.counters)),
        }
    }
}
