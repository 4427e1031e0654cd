//! Phases, breaks and how curves were made, as the page is told them.

use super::code::callers;
use super::numbers::watts;
use crate::paint;
use crate::result::{Axis, Durations, FitReport, Group, Writer};

/// Which kind of curve was taken, and why.
pub fn fit(fit: &FitReport, json: &mut Writer) {
    json.open("fit", '{');
    json.text("kind", fit.kind.name());
    json.known_number("ratio", fit.ratio);
    json.count("breaksBic", u64::from(fit.breaks_bic));
    json.count("breaksHeldOut", u64::from(fit.breaks_held_out));
    json.flag("uncertain", fit.uncertain);
    json.close('}');
}

/// Each phase with what runs in it and each counter's rate.
pub fn phases(group: &Group, json: &mut Writer) {
    let ms = |share: f64| share * group.mean_duration_ns / 1e6;
    json.open("phases", '[');
    for (index, phase) in group.phases.iter().enumerate() {
        let place = phase.place.and_then(|place| group.places.get(place as usize));
        let routine = place.and_then(|place| group.routines.get(place.routine as usize));
        let length = phase.end - phase.start;
        json.open("", '{');
        json.count("number", index as u64 + 1);
        json.number("start", phase.start);
        json.number("end", phase.end);
        json.number("startMs", ms(phase.start));
        json.number("endMs", ms(phase.end));
        json.number("ms", ms(length));
        json.number("share", length);
        json.text("name", &phase.name);
        json.known_text("routine", routine.map(String::as_str));
        let context = phase.place.and_then(|p| group.context_between(phase.start, phase.end, p));
        callers(group, context, json);
        // Its place among the routines, which is its colour.
        let colour = place.filter(|_| routine.is_some()).map(|place| f64::from(place.routine));
        json.known_number("routineIndex", colour);
        let line = place.map(|place| place.line).filter(|line| *line > 0);
        json.known_number("line", line.map(f64::from));
        let file = place.map(|place| place.file.as_str()).filter(|file| !file.is_empty());
        json.known_text("file", file);
        rates(group, index, json);
        json.close('}');
    }
    json.close(']');
}

fn rates(group: &Group, phase: usize, json: &mut Writer) {
    json.open("rates", '[');
    for curve in &group.curves {
        let Some(value) = group.in_phase(curve, phase) else { continue };
        json.open("", '{');
        json.text("counter", &curve.counter);
        json.number("rate", value.rate);
        json.number("halfWidth", value.half_width);
        json.known_number("perInstruction", value.per_instruction.map(|(ratio, _)| ratio));
        json.known_number("perInstructionHalfWidth", value.per_instruction.map(|(_, half)| half));
        json.known_number("watts", watts(group, curve, value.rate));
        json.known_number("wattsHalfWidth", watts(group, curve, value.half_width));
        json.close('}');
    }
    json.close(']');
}

/// Where rates change.
pub fn breaks(group: &Group, json: &mut Writer) {
    let ms = |share: f64| share * group.mean_duration_ns / 1e6;
    json.open("breaks", '[');
    for found in &group.breaks {
        json.open("", '{');
        json.number("at", found.at);
        json.number("halfWidth", found.half_width);
        json.number("ms", ms(found.at));
        json.number("halfWidthMs", ms(found.half_width));
        json.open("changed", '[');
        let changed = found.changed.iter().filter_map(|index| group.curves.get(*index as usize));
        changed.for_each(|curve| json.text("", &curve.counter));
        json.close(']');
        json.flag("byHand", found.by_hand);
        json.close('}');
    }
    json.close(']');
}

/// How many instances last how long.
pub fn durations(durations: &Durations, json: &mut Writer) {
    json.open("durations", '{');
    json.number("leastMs", durations.least_ns as f64 / 1e6);
    json.number("mostMs", durations.most_ns as f64 / 1e6);
    json.smalls("kept", &durations.kept);
    json.smalls("rejected", &durations.rejected);
    json.close('}');
}

/// What the horizontal axis counts, and how much of it a mean instance has.
pub fn axis(group: &Group, json: &mut Writer) {
    let (total, counter) = whole(group);
    json.open("axis", '{');
    json.known_text("counter", counter);
    json.number("total", total);
    json.text("unit", counter.map_or("ms", paint::counter_name));
    json.close('}');
}

/// The same: milliseconds, or events of the counter.
pub fn whole(group: &Group) -> (f64, Option<&str>) {
    match &group.axis {
        Axis::Time => (group.mean_duration_ns / 1e6, None),
        Axis::Counter { name, total } => (*total, Some(name)),
    }
}
