use std::collections::BTreeMap;

use super::CodeLine;
use crate::instance::Group;
use crate::trace::{Kind, Moment, Trace};

/// The innermost known frame of every sample of the kept instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldedFrames {
    /// Routine names, the most sampled first; of two alike, by name.
    pub routines: Vec<String>,
    /// Distinct places, by file, line and routine: (routine, code line, samples).
    pub places: Vec<(u32, CodeLine, u32)>,
    /// Folded time of each sample, increasing.
    pub x: Vec<f64>,
    /// Index into `places`; as long as `x`.
    pub place: Vec<u32>,
}

/// Folds the call-stacks of the kept instances of `group`. Samples without a known frame are
/// left out. O(n log n).
pub fn fold_frames(trace: &Trace, group: &Group) -> FoldedFrames {
    let mut samples = Vec::new();
    for instance in group.kept() {
        let thread = &trace.threads[instance.thread as usize];
        for at in instance.first + 1..instance.last {
            let moment = thread.moment(at as usize);
            if let Some(frame) = innermost(trace, &moment) {
                let elapsed = moment.time - instance.start_ns;
                samples.push((elapsed as f64 / instance.duration_ns as f64, frame));
            }
        }
    }
    samples.sort_by(|(a, _), (b, _)| a.total_cmp(b));

    // Frames come as numbers of the trace; two numbers may carry one name.
    let mut named: BTreeMap<Frame, (CodeLine, String)> = BTreeMap::new();
    for (_, frame) in &samples {
        named.entry(*frame).or_insert_with(|| frame.in_words(trace));
    }
    let mut counts: BTreeMap<&(CodeLine, String), u32> = BTreeMap::new();
    let mut of_routine: BTreeMap<&str, u32> = BTreeMap::new();
    for words in samples.iter().filter_map(|(_, frame)| named.get(frame)) {
        *counts.entry(words).or_default() += 1;
        *of_routine.entry(&words.1).or_default() += 1;
    }
    let mut routines = of_routine.into_iter().collect::<Vec<_>>();
    routines.sort_by_key(|(_, samples)| std::cmp::Reverse(*samples));
    let rank = |name: &str| routines.iter().position(|(known, _)| *known == name).unwrap_or(0);
    let index = counts.keys().zip(0u32..).map(|(words, index)| (*words, index));
    let index = index.collect::<BTreeMap<_, _>>();
    let place = |frame: &Frame| named.get(frame).and_then(|words| index.get(words)).copied();
    FoldedFrames {
        places: counts
            .iter()
            .map(|((line, routine), samples)| (rank(routine) as u32, line.clone(), *samples))
            .collect(),
        place: samples.iter().map(|(_, frame)| place(frame).unwrap_or(0)).collect(),
        x: samples.iter().map(|(x, _)| *x).collect(),
        routines: routines.iter().map(|(name, _)| (*name).to_owned()).collect(),
    }
}

/// A sampled routine and line, as (type, value) pairs of the trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    routine: (u32, u64),
    code_line: Option<(u32, u64)>,
}

impl Frame {
    fn in_words(&self, trace: &Trace) -> (CodeLine, String) {
        let (event_type, value) = self.routine;
        let label = trace.value_name(event_type, value);
        // A long name is shortened by the tracer, and stands whole in brackets behind.
        let routine = label.split(" [").next().unwrap_or(&label).to_owned();
        let line = self.code_line.map(|(event_type, value)| trace.value_name(event_type, value));
        (line.map(|label| CodeLine::from_label(&label)).unwrap_or_default(), routine)
    }
}

/// The innermost frame of a sample whose routine is known.
fn innermost(trace: &Trace, moment: &Moment<'_>) -> Option<Frame> {
    let of_kind = |wanted: Kind| {
        let found = moment.events().find(|event| trace.kind(event.event_type) == wanted)?;
        Some((found.event_type, found.value))
    };
    let depths = moment.events().filter_map(|event| match trace.kind(event.event_type) {
        Kind::Routine(depth) if is_known(trace, event.event_type, event.value) => {
            Some((depth, (event.event_type, event.value)))
        }
        _ => None,
    });
    let (depth, routine) = depths.min_by_key(|(depth, _)| *depth)?;
    Some(Frame { routine, code_line: of_kind(Kind::CodeLine(depth)) })
}

/// Whether a sampled caller is a routine: 0 is an end, 1 and 2 are those that the tracer could not
/// resolve or find, unless the labels say otherwise.
fn is_known(trace: &Trace, event_type: u32, value: u64) -> bool {
    let code = trace.types.get(event_type as usize).map_or(0, |known| known.code);
    match trace.labels.of_value(code, value) {
        _ if value == 0 => false,
        None => value > 2,
        Some(label) => !matches!(label, "Unresolved" | "_NOT_Found" | "Not found" | "End"),
    }
}
