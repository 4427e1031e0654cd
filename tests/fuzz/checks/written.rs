//! Models and formulas as text that must read back equal.

use std::fmt::Write;

use tracefold::model::{Axis, Component, Expression, Formula, Model, Operator};

/// `model` as XML on one line, what is at its default left out.
pub fn model(model: &Model) -> String {
    let mut out = "<model".to_owned();
    attribute(&mut out, "name", &model.name);
    attribute(&mut out, "title-name", &model.title);
    attribute(&mut out, "y1", &model.left);
    attribute(&mut out, "y2", &model.right);
    attribute(&mut out, "y1-stacked", if model.stacked { "yes" } else { "" });
    attribute(&mut out, "source", &model.source);
    attribute(&mut out, "unless", &model.unless);
    out += ">";
    for part in &model.components {
        component(&mut out, model, part);
    }
    out + "</model>"
}

/// `expression` as a person types it, every name in quotes, with no more parentheses than its meaning
/// needs: how deep they may stand is bounded.
pub fn typed(expression: &Expression) -> String {
    side(expression, &expression.formula, 0)
}

/// In parentheses if its parts hold together less tightly than `least`.
fn side(whole: &Expression, formula: &Formula, least: u8) -> String {
    let (operator, [a, b]) = match formula {
        Formula::Number(number) => return number.to_string(),
        Formula::Counter(place) => {
            return format!("`{}`", whole.counters[*place as usize].replace('`', "``"));
        }
        Formula::Operation(operator, sides) => (operator, sides.as_ref()),
    };
    let (sign, own) = match operator {
        Operator::Add => ('+', 1),
        Operator::Subtract => ('-', 1),
        Operator::Multiply => ('*', 2),
        Operator::Divide => ('/', 2),
        Operator::Min => return format!("min({}, {})", side(whole, a, 0), side(whole, b, 0)),
        Operator::Max => return format!("max({}, {})", side(whole, a, 0), side(whole, b, 0)),
    };
    // Equals are read from the left, so only on the right do they need parentheses.
    let text = format!("{} {sign} {}", side(whole, a, own), side(whole, b, own + 1));
    if own < least { format!("({text})") } else { text }
}

fn component(out: &mut String, model: &Model, component: &Component) {
    *out += "<component";
    attribute(out, "name", &component.name);
    attribute(out, "title-name", &component.title);
    attribute(out, "where", if component.axis == Axis::Left { "y1" } else { "y2" });
    let hex = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    attribute(out, "color", &component.colour.map_or_else(String::new, hex));
    attribute(out, "hidden", if component.hidden { "yes" } else { "" });
    attribute(out, "explanation", &component.explanation);
    *out += ">";
    formula(out, model, &component.formula);
    *out += "</component>";
}

fn formula(out: &mut String, model: &Model, whole: &Formula) {
    match whole {
        Formula::Number(number) => *out += &format!("<value>{number}</value>"),
        Formula::Counter(place) => {
            let name = model.counters.get(*place as usize).map_or("", String::as_str);
            *out += "<value>";
            escape(out, name);
            *out += "</value>";
        }
        Formula::Operation(operator, sides) => {
            let sign = match operator {
                Operator::Add => '+',
                Operator::Subtract => '-',
                Operator::Multiply => '*',
                Operator::Divide => '/',
                Operator::Min => 'm',
                Operator::Max => 'M',
            };
            *out += &format!("<operation type='{sign}'>");
            for side in sides.iter() {
                formula(out, model, side);
            }
            *out += "</operation>";
        }
    }
}

fn attribute(out: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        *out += &format!(" {name}='");
        escape(out, value);
        *out += "'";
    }
}

fn escape(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '<' | '>' | '&' | '"' | '\'' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "&#{};", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
}
