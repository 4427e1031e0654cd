//! The instances of a folding as an `.extract`.

use super::instances::{Delimited, Found, delimited, find};
use super::label::Used;
use crate::extract_file::{FrameRecord, InstanceRecord, ReferenceRecord, SampleRecord, Writer};
use crate::folding::Folding;
use crate::instance::{Instance, Readings, Sets, readings_inside};
use crate::order;
use crate::paraver::code_of;
use crate::trace::{Event, Kind, Moment, ReferencePart, Trace};

/// Codes that the numbers of an `.extract` refer to in a `.pcf`.
const ROUTINE: u32 = 30_000_000;
const CODE_LINE: u32 = 30_000_100;
const BLOCK: u32 = 30_000_200;

/// Every instance of every group with its samples and the counters that can be trusted in it:
/// `.extract` and `.pcf`.
///
/// What the format has no place for: the type of the region (only the name of the value), blanks
/// in names, counters that are not read at begin and end, samples that carry nothing else.
pub fn extract(trace: &Trace, folding: &Folding) -> [Vec<u8>; 2] {
    let region = region_word(trace, folding);
    let counters = counters(trace);
    let sets = Sets::of(trace);
    let mut used = Used::default();
    let mut writer = Writer::new(Vec::new());
    let found = find(trace, folding);
    for of_thread in found.chunk_by(|a, b| a.row.object == b.row.object) {
        let Some(first) = of_thread.first() else { continue };
        let borders = of_thread.iter().flat_map(|of| [of.instance.first, of.instance.last]);
        let borders = borders.collect();
        let readings = Readings::between(trace, first.thread, |_| true, borders);
        for found in of_thread {
            let samples = samples(trace, found, &readings, &sets, &counters, &mut used);
            let record = InstanceRecord {
                object: found.thread.object,
                region: &region,
                start_ns: found.row.start_ns,
                duration_ns: found.row.duration_ns,
                samples: &samples,
            };
            // Moments lie in order inside their instance, and memory can be written to.
            let _ = writer.instance(&record);
        }
    }
    [writer.into_inner(), used.pcf().into()]
}

/// The name of the value; of the type where the region is any value of it; the region's where no
/// event delimits it.
fn region_word(trace: &Trace, folding: &Folding) -> String {
    let Some(Delimited::ByEvents { event_type, value }) = delimited(trace, folding) else {
        return folding.region.clone();
    };
    let of_type = || trace.types.get(event_type as usize).map(|known| known.name.clone());
    match value {
        Some(value) => trace.value_name(event_type, value),
        None => of_type().unwrap_or_default(),
    }
}

/// A counter, as the file names it.
struct Counter {
    event_type: u32,
    name: String,
    /// Shapes of the moments that have it.
    shapes: Vec<bool>,
}

/// Every counter with a name of its own that survives the loss of its blanks.
fn counters(trace: &Trace) -> Vec<Counter> {
    let mut counters: Vec<Counter> = Vec::new();
    for (event_type, known) in (0u32..).zip(&trace.types).filter(|(_, t)| t.kind == Kind::Counter) {
        let name = known.name.split_whitespace().collect::<Vec<_>>().join("_");
        let taken = counters.iter().any(|counter| counter.name == name);
        let name = if taken { format!("{name}_{}", known.code) } else { name };
        let shapes = trace.shapes_with(|found, _| found == event_type);
        counters.push(Counter { event_type, name, shapes });
    }
    counters
}

fn samples<'a>(
    trace: &Trace,
    found: &Found<'_>,
    readings: &Readings,
    sets: &Sets,
    known: &'a [Counter],
    used: &mut Used,
) -> Vec<SampleRecord<'a>> {
    let Instance { first, last, .. } = found.instance;
    let mut counters = Vec::with_capacity(known.len());
    let mut total = Vec::with_capacity(known.len());
    for Counter { event_type, name, shapes } in known {
        if let Some(events) = readings.total(sets, *event_type, found.instance.inside()) {
            let inside = readings_inside(trace, &found.instance, shapes, *event_type);
            let inside = inside.peekable();
            counters.push((name.as_str(), inside, 0));
            total.push(events);
        }
    }
    let mut samples = Vec::new();
    for moment in found.thread.moments_between(first, last) {
        let mut sample = SampleRecord { time_ns: moment.time, ..SampleRecord::default() };
        for (name, inside, before) in &mut counters {
            if let Some((_, count)) = inside.next_if(|(time_ns, _)| *time_ns == moment.time) {
                sample.counters.push((*name, count - *before));
                *before = count;
            }
        }
        sample.frames = frames(trace, &moment, used);
        sample.reference = reference(trace, &moment, used);
        let carries = !sample.counters.is_empty() || !sample.frames.is_empty();
        if carries || sample.reference.is_some() {
            samples.push(sample);
        }
    }
    let rest = counters.into_iter().zip(total).map(|((name, _, so_far), all)| (name, all - so_far));
    let time_ns = found.row.start_ns + found.row.duration_ns;
    samples.push(SampleRecord { time_ns, counters: rest.collect(), ..SampleRecord::default() });
    samples
}

/// Frames of the sampled call-stack; one without a line has line 0.
fn frames(trace: &Trace, moment: &Moment<'_>, used: &mut Used) -> Vec<FrameRecord> {
    let mut frames = Vec::new();
    for routine in moment.events() {
        let Kind::Routine(depth) = trace.kind(routine.event_type) else { continue };
        let of_depth = |event: &Event| trace.kind(event.event_type) == Kind::CodeLine(depth);
        let line = moment.events().find(of_depth);
        let is_block = |event: &Event| {
            let code = trace.types.get(event.event_type as usize).map(|known| known.code);
            code == Some(BLOCK + u32::from(depth))
        };
        let code_line = line.map_or(0, |line| line.value);
        let block = moment.events().find(is_block).map_or(code_line, |block| block.value);
        frames.push(FrameRecord { depth, routine: routine.value, code_line, block });
        used.event(trace, routine.event_type, ROUTINE + u32::from(depth), routine.value);
        let code = CODE_LINE + u32::from(depth);
        match line {
            Some(line) => used.event(trace, line.event_type, code, line.value),
            None => {
                used.event_type(code, "Sampled lines");
                used.value(code, 0, || Some("0 (Unresolved)".to_owned()));
            }
        }
    }
    order::by_number(&mut frames, |frame| u64::from(frame.depth));
    frames
}

fn reference(trace: &Trace, moment: &Moment<'_>, used: &mut Used) -> Option<ReferenceRecord> {
    let mut part = |wanted: ReferencePart| {
        let of_part = |event: &Event| trace.kind(event.event_type) == Kind::Reference(wanted);
        let event = moment.events().find(of_part)?;
        used.event(trace, event.event_type, code_of(wanted), event.value);
        Some(event.value)
    };
    let load = part(ReferencePart::LoadAddress).map(|address| (false, address));
    let store = || part(ReferencePart::StoreAddress).map(|address| (true, address));
    let (is_store, address) = load.or_else(store)?;
    let data_object = part(ReferencePart::DataObject).unwrap_or(0);
    let level = part(ReferencePart::Level);
    let tlb = part(ReferencePart::TlbLevel);
    let cost = part(ReferencePart::Cost).unwrap_or(0);
    let level = level.zip(tlb).map(|(level, tlb)| [level, tlb, cost]);
    Some(ReferenceRecord { is_store, address, data_object, level })
}
