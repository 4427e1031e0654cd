//! The numbers of a folding as the page is told them.

use super::code::{alignment, bands};
use super::models::{missing, models};
use super::objects::objects;
use super::phases::{axis, breaks, durations, fit, phases};
use crate::paint;
use crate::result::{Axis, Curve, Folding, FoldingNotice, Group, Writer};

/// Fewer samples make curves that say little.
const FEW: u32 = 50;

/// Trace, region, groups and counters of a folding, without its columns.
pub fn summary(folding: &Folding) -> Writer {
    let mut json = Writer::default();
    json.open("", '{');
    trace(folding, &mut json);
    json.text("region", &folding.region);
    json.count("shown", u64::from(folding.shown));
    json.flag("quantised", folding.quantised);
    json.list("notices", &folding.notices, |notice: &FoldingNotice, json| {
        json.text("text", &notice.text);
        json.count("count", notice.count);
        json.text("first", &notice.first);
    });
    json.open("groups", '[');
    for each in &folding.groups {
        json.open("", '{');
        group(each, &mut json);
        models(folding, each, &mut json);
        json.close('}');
    }
    json.close(']');
    missing(folding, &mut json);
    json.close('}');
    json
}

fn trace(folding: &Folding, json: &mut Writer) {
    let trace = &folding.trace;
    json.open("trace", '{');
    json.text("name", &trace.name);
    json.count("sizeBytes", trace.size_bytes);
    json.count("durationNs", trace.duration_ns);
    json.count("threads", u64::from(trace.threads));
    json.flag("generated", trace.generated);
    // How sure the numbers are, and what was not read, in sentences.
    json.texts("provenance", &trace.provenance.sentences());
    json.known_text("partial", trace.partial.as_deref());
    json.close('}');
}

fn group(group: &Group, json: &mut Writer) {
    let instructions = group.instructions();
    json.count("number", u64::from(group.number));
    json.count("instances", u64::from(group.instances));
    json.count("kept", u64::from(group.kept));
    json.number("meanMs", group.mean_duration_ns / 1e6);
    json.known_number("meanInstructions", instructions.map(|curve| curve.mean_count));
    json.count("samples", u64::from(group.samples));
    let in_time = group.axis == Axis::Time;
    json.known_number("mips", instructions.map(|curve| curve.mean_rate).filter(|_| in_time));
    json.open("counters", '[');
    for curve in &group.curves {
        json.open("", '{');
        counter(group, curve, json);
        json.close('}');
    }
    json.close(']');
    json.texts("routines", &group.routines);
    json.flag("hasSource", !group.lines.x.is_empty());
    alignment(&group.alignment, json);
    bands(group, json);
    let points = group.curves.first().map_or(0, |curve| curve.rate.len());
    json.count("points", points as u64);
    fit(&group.fit, json);
    phases(group, json);
    breaks(group, json);
    // Durations between which instances were folded; null if all were.
    match group.limits_ns {
        Some(limits) => json.numbers("limitsMs", &limits.map(|ns| ns / 1e6)),
        None => json.known_number("limitsMs", None),
    }
    durations(&group.durations, json);
    json.count("rejected", u64::from(group.instances.saturating_sub(group.kept)));
    axis(group, json);
    json.open("sparse", '[');
    group.sparse.iter().for_each(|stretch| json.numbers("", stretch));
    json.close(']');
    json.known_number("displacement", group.displacement);
    json.flag("betterOverInstructions", group.better_over_instructions);
    json.flag("locked", group.locked);
    json.flag("few", group.samples < FEW);
    objects(group, json);
}

fn counter(group: &Group, curve: &Curve, json: &mut Writer) {
    named(curve, json);
    json.text("description", &curve.description);
    json.flag("instructions", curve.instructions);
    // Whether it counts the nanoseconds that threads ran.
    json.flag("clock", paint::is_clock(&curve.counter));
    json.count("instances", u64::from(curve.instances));
    json.count("used", u64::from(curve.used));
    json.count("unused", u64::from(curve.unused));
    json.count("excluded", u64::from(curve.excluded));
    json.number("meanCount", curve.mean_count);
    json.number("meanRate", curve.mean_rate);
    json.number("nugget", curve.nugget);
    json.known_number("joules", curve.joules);
    json.known_number("watts", watts(group, curve, curve.mean_rate));
    json.number("resolution", curve.resolution);
    json.number("resolutionMs", curve.resolution * group.mean_duration_ns / 1e6);
    json.numbers("ownBreaks", &curve.own_breaks);
}

/// The power of a rate of energy; none over an axis of events, whose rates are not of time.
pub fn watts(group: &Group, curve: &Curve, rate: f64) -> Option<f64> {
    curve.watts(rate).filter(|_| group.axis == Axis::Time)
}

fn named(curve: &Curve, json: &mut Writer) {
    json.text("counter", &curve.counter);
    json.text("name", paint::counter_name(&curve.counter));
}

/// What stands at one moment of folded time.
pub fn at_cursor(group: &Group, x: f64) -> Writer {
    let row = group.at(x);
    let place = group.place_at(x);
    let routine = place.and_then(|place| group.routines.get(place.routine as usize));
    let mut json = Writer::default();
    json.open("", '{');
    json.number("ms", row.ms);
    // What the axis counts by then; the same as `ms` if it is time.
    json.number("axis", row.x * super::phases::whole(group).0);
    json.known_number("phase", group.phase_at(row.x).map(f64::from));
    json.known_text("routine", routine.map(String::as_str));
    let line = place.map(|place| place.line).filter(|line| *line > 0);
    json.known_number("line", line.map(f64::from));
    let file = place.map(|place| place.file.as_str()).filter(|file| !file.is_empty());
    json.known_text("file", file);
    // How many samples tell of it: those in the same cell of the strip, and how long that is.
    let cells = group.density.len().max(1);
    let cell = group.density.get(((row.x * cells as f64) as usize).min(cells - 1));
    json.count("near", cell.map_or(0, |samples| u64::from(*samples)));
    json.number("nearMs", group.mean_duration_ns / 1e6 / cells as f64);
    json.open("values", '[');
    for (curve, value) in group.curves.iter().zip(&row.values) {
        json.open("", '{');
        json.text("counter", &curve.counter);
        json.number("fitted", value.fitted);
        json.number("rate", value.rate);
        json.number("halfWidth", group.half_width_at(curve, row.x));
        json.known_number("watts", watts(group, curve, value.rate));
        json.known_number("perInstruction", value.per_instruction);
        json.close('}');
    }
    json.close(']');
    json.close('}');
    json
}

/// Every curve's numbers at `rows` evenly spread moments.
pub fn table(group: &Group, rows: u32) -> Writer {
    let instructions = group.curves.iter().position(|curve| curve.instructions);
    let mut json = Writer::default();
    json.open("", '{');
    json.list("columns", &group.curves, named);
    json.open("rows", '[');
    for row in group.table(rows) {
        json.open("", '{');
        json.number("x", row.x);
        json.number("ms", row.ms);
        let mips = instructions.and_then(|index| row.values.get(index)).map(|value| value.rate);
        json.known_number("mips", mips);
        json.open("rates", '[');
        row.values.iter().for_each(|value| json.number("", value.rate));
        json.close(']');
        json.open("watts", '[');
        let values = group.curves.iter().zip(&row.values);
        values.for_each(|(curve, value)| json.known_number("", watts(group, curve, value.rate)));
        json.close(']');
        json.open("perInstruction", '[');
        row.values.iter().for_each(|value| json.known_number("", value.per_instruction));
        json.close(']');
        json.close('}');
    }
    json.close(']');
    json.close('}');
    json
}
