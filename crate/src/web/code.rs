//! Tables of routines, lines and calling contexts, as the page is told them.

use crate::paint;
use crate::result::{Alignment, Context, ContextTime, Group, LineTime, RoutineTime, Speed, Writer};

/// Bands that the page has in words, and callers of each.
const TOLD: usize = 24;
const CALLERS: usize = 64;

/// Time and speed of every routine, line and calling context of a group.
pub fn code(group: &Group) -> Writer {
    let table = group.code();
    let ms = |share: f64| share * group.mean_duration_ns / 1e6;
    let mut json = Writer::default();
    json.open("", '{');
    json.list("counters", &group.curves, |curve, json| {
        json.text("counter", &curve.counter);
        json.text("name", paint::counter_name(&curve.counter));
        json.flag("instructions", curve.instructions);
    });
    json.open("routines", '[');
    for RoutineTime { routine, inclusive, exclusive, samples, speed } in &table.routines {
        json.open("", '{');
        json.count("routine", u64::from(*routine));
        json.text("name", name(group, *routine));
        json.number("inclusiveMs", ms(*inclusive));
        json.number("exclusiveMs", ms(*exclusive));
        json.number("inclusiveShare", *inclusive);
        json.number("exclusiveShare", *exclusive);
        json.count("samples", u64::from(*samples));
        write_speed(speed, ms, &mut json);
        json.close('}');
    }
    json.close(']');
    json.open("lines", '[');
    for LineTime { place, share, samples, speed } in &table.lines {
        let Some(at) = group.places.get(*place as usize) else { continue };
        json.open("", '{');
        json.count("place", u64::from(*place));
        json.text("file", &at.file);
        json.count("line", u64::from(at.line));
        json.count("routine", u64::from(at.routine));
        json.number("ms", ms(*share));
        json.number("share", *share);
        json.count("samples", u64::from(*samples));
        write_speed(speed, ms, &mut json);
        json.close('}');
    }
    json.close(']');
    json.open("contexts", '[');
    for ((Context { parent, routine, .. }, time), context) in
        group.contexts.iter().zip(&table.contexts).zip(0..)
    {
        let ContextTime { inclusive, exclusive, samples } = *time;
        json.open("", '{');
        json.count("context", context);
        json.known_number("parent", parent.map(f64::from));
        json.count("routine", u64::from(*routine));
        json.number("inclusiveMs", ms(inclusive));
        json.number("exclusiveMs", ms(exclusive));
        json.count("samples", u64::from(samples));
        json.close('}');
    }
    json.close(']');
    let [least, most] = table.mips.unwrap_or_default();
    json.open("histogramMips", '{');
    json.number("least", least);
    json.number("most", most);
    json.close('}');
    json.close('}');
    json
}

/// One value per curve, and milliseconds in each bin of the histogram.
fn write_speed(speed: &Speed, ms: impl Fn(f64) -> f64, json: &mut Writer) {
    for (key, values) in [("rates", &speed.rates), ("perInstruction", &speed.per_instruction)] {
        json.open(key, '[');
        values.iter().for_each(|value| json.known_number("", *value));
        json.close(']');
    }
    let histogram: Vec<f64> = speed.histogram.iter().map(|share| ms(*share)).collect();
    json.numbers("histogram", &histogram);
}

fn name(group: &Group, routine: u32) -> &str {
    group.routines.get(routine as usize).map_or("", String::as_str)
}

/// How well call-stacks could be joined.
pub fn alignment(
    Alignment { method, coverage, components, depth, ambiguous }: &Alignment,
    json: &mut Writer,
) {
    json.open("alignment", '{');
    json.text("method", method);
    json.number("coverage", *coverage);
    json.count("components", u64::from(*components));
    json.count("depth", u64::from(*depth));
    json.number("ambiguous", *ambiguous);
    json.close('}');
}

/// How many levels of routines are known, and the first bands as the source lane shows them.
pub fn bands(group: &Group, json: &mut Writer) {
    let ms = |share: f64| share * group.mean_duration_ns / 1e6;
    let levels = group.stretches.iter().map(|stretch| u64::from(stretch.level) + 1).max();
    json.count("levels", levels.unwrap_or(0));
    json.open("bands", '[');
    for band in group.bands(f64::INFINITY).iter().take(TOLD) {
        let Some(stretch) = group.stretches.get(band.stretch as usize) else { continue };
        json.open("", '{');
        json.number("startMs", ms(band.start));
        json.number("endMs", ms(band.end));
        json.text("routine", name(group, group.routine_of(stretch)));
        callers(group, stretch.context, json);
        let line = group.places.get(stretch.place as usize).map(|place| place.line);
        json.known_number("line", line.filter(|line| *line > 0).map(f64::from));
        json.close('}');
    }
    json.close(']');
}

/// The routines that call the last one of a context, from the root without start-up code; of very
/// many the innermost.
pub fn callers(group: &Group, context: Option<u32>, json: &mut Writer) {
    let routines = context.map_or_else(Vec::new, |context| group.callers(context));
    let above = routines.split_last().map_or(&[][..], |(_, above)| above);
    let start_up = above.iter().take_while(|routine| paint::is_start_up(name(group, **routine)));
    let left_out = start_up.count().max(above.len().saturating_sub(CALLERS));
    json.open("callers", '[');
    above.iter().skip(left_out).for_each(|routine| json.text("", name(group, *routine)));
    json.close(']');
}
