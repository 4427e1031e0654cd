//! Models as XML.

use std::fmt::Write;

use super::component::{Axis, Component, Model};
use super::formula::{Formula, Operator};

/// `model` on one line, what is at its default left out. Of the two quotes it is the single one that
/// JSON need not escape.
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
