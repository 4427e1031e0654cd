use super::CodeLine;
use crate::instance::{Axis, Fate, Group};
use crate::order::{self, Key, Numbers};
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

/// Folds the call-stacks of the kept instances of `group`, of one in `one_in`, along `axis`. Samples
/// without a known frame are left out. O(n log n).
pub fn fold_frames(trace: &Trace, group: &Group, axis: &Axis, one_in: usize) -> FoldedFrames {
    let mut samples = Vec::new();
    let giving = group.instances.iter().step_by(one_in).filter(|(_, fate)| *fate == Fate::Used);
    for (instance, _) in giving {
        let thread = &trace.threads[instance.thread as usize];
        let ruler = axis.ruler(trace, instance);
        for moment in thread.moments_between(instance.first, instance.last) {
            if let Some(frame) = innermost(trace, &moment) {
                samples.extend(ruler.place(moment.time).map(|x| (x, frame)));
            }
        }
    }
    order::by_number(&mut samples, |(x, _)| order::of_float(*x));

    // Frames come as numbers of the trace; two numbers may carry one name.
    let mut numbers = Numbers::default();
    let mut named: Vec<Named> = Vec::new();
    let mut frame_of_sample = Vec::with_capacity(samples.len());
    for (_, frame) in &samples {
        let number = numbers.of(frame.key());
        if number == named.len() {
            named.push(Named { number, words: frame.in_words(trace), samples: 0 });
        }
        named[number].samples += 1;
        frame_of_sample.push(number);
    }
    order::by(&mut named, |a, b| a.words.cmp(&b.words));
    let mut place_of_frame = vec![0; named.len()];
    let mut places: Vec<Named> = Vec::new();
    for frame in named {
        let number = frame.number;
        match places.last_mut().filter(|place| place.words == frame.words) {
            Some(place) => place.samples += frame.samples,
            None => places.push(frame),
        }
        place_of_frame[number] = places.len() as u32 - 1;
    }

    let routine = |place: &Named| (place.words.1.clone(), place.samples);
    let mut routines = places.iter().map(routine).collect::<Vec<_>>();
    order::by(&mut routines, |(a, _), (b, _)| a.cmp(b));
    routines.dedup_by(|(name, samples), (kept, sum)| {
        let same = name == kept;
        *sum += if same { *samples } else { 0 };
        same
    });
    order::by_number(&mut routines, |(_, samples)| !u64::from(*samples));
    let routines = routines.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let rank = |name: &String| routines.iter().position(|known| known == name).unwrap_or(0);
    let place = |Named { words: (line, routine), samples, .. }: Named| {
        (rank(&routine) as u32, line, samples)
    };
    FoldedFrames {
        places: places.into_iter().map(place).collect(),
        place: frame_of_sample.into_iter().map(|number| place_of_frame[number]).collect(),
        x: samples.iter().map(|(x, _)| *x).collect(),
        routines,
    }
}

/// A frame or a place in words: code line and routine.
struct Named {
    /// Of the frame, in the order of appearance.
    number: usize,
    words: (CodeLine, String),
    samples: u32,
}

/// A sampled routine and line, as (type, value) pairs of the trace.
#[derive(Clone, Copy)]
struct Frame {
    routine: (u32, u64),
    code_line: Option<(u32, u64)>,
}

impl Frame {
    fn key(&self) -> Key {
        let (line_type, line) = self.code_line.unwrap_or((u32::MAX, 0));
        [u64::from(self.routine.0) << 32 | u64::from(line_type), self.routine.1, line]
    }

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
