//! What painting a lane gives, and legends, as the page is told them.

use crate::paint::{Layout, LegendEntry, ModelEntry, Plot, Strip};
use crate::result::Writer;

/// Where the plot of a lane lies on its canvas, in CSS px.
pub fn plot(plot: &Plot, json: &mut Writer) {
    json.open("plot", '{');
    json.number("left", plot.left);
    json.number("top", plot.top);
    json.number("right", plot.right);
    json.number("bottom", plot.bottom);
    json.close('}');
}

pub fn layout(layout: &Layout) -> Writer {
    let mut json = Writer::default();
    json.open("", '{');
    plot(&layout.plot, &mut json);
    json.list("strips", &layout.strips, |strip: &Strip, json| {
        json.number("top", strip.top);
        json.number("bottom", strip.bottom);
        json.text("unit", &strip.unit);
        json.number("min", strip.min);
        json.number("max", strip.max);
        json.number("step", strip.step);
        json.number("factor", strip.factor);
        json.texts("curves", &strip.curves);
        json.flag("right", strip.right);
    });
    json.close('}');
    json
}

pub fn legend(entries: &[LegendEntry]) -> Writer {
    let mut json = Writer::default();
    json.list("", entries, |entry, json| {
        json.text("counter", &entry.counter);
        json.text("name", &entry.name);
        json.text("colour", &entry.colour);
        json.numbers("dash", entry.dash);
        json.known_number("strip", entry.strip.map(f64::from));
        json.text("per", entry.per);
        json.flag("instructions", entry.instructions);
        json.flag("hidden", entry.hidden);
    });
    json
}

pub fn model_legend(entries: &[ModelEntry]) -> Writer {
    let mut json = Writer::default();
    json.list("", entries, |entry, json| {
        json.text("component", &entry.component);
        json.text("name", &entry.name);
        json.text("colour", &entry.colour);
        json.text("explanation", &entry.explanation);
        json.flag("area", entry.area);
        json.flag("right", entry.right);
        json.text("per", &entry.per);
    });
    json
}
