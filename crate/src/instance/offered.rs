//! Which regions of a type are offered. A type that nobody describes delimits code only if its
//! values are labelled, come and go, or count on; else they are a level, such as a bandwidth.

use super::Execution;
use super::execution::closing_cut;
use super::region::values;
use crate::order;
use crate::trace::{Kind, Origin, Trace};

/// As many values that hardly return are identifiers, such as those of tasks: people number their
/// phases by hand, and end before that.
const IDENTIFIERS: usize = 64;

/// What of a type is offered to be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offered {
    /// Each value.
    Values,
    /// Any value, as one region: the values are numbers that go on.
    AnyValue,
    Nothing,
}

/// What is offered of each type, with its executions.
///
/// O(events log events) of types that nobody describes, O(moments) of the others.
pub(super) fn offered(trace: &Trace, executions: &[Vec<Execution>]) -> Vec<Offered> {
    let courses = courses(trace);
    let of_type = |((event_type, executions), course): ((u32, &Vec<Execution>), &Course)| {
        let unknown = matches!(trace.kind(event_type), Kind::Region(_, Origin::Unknown));
        match () {
            () if unknown && !course.delimits() => Offered::Nothing,
            () if is_running_number(trace, event_type, executions, unknown) => Offered::AnyValue,
            () => Offered::Values,
        }
    };
    (0u32..).zip(executions).zip(&courses).map(of_type).collect()
}

/// Of each type, whether it is a level: its reader says so; or nobody describes it, and its values delimit
/// nothing. O(events of types that nobody describes).
pub fn levels(trace: &Trace) -> Vec<bool> {
    let is_level = |(event_type, course): (u32, &Course)| {
        let is_unknown = matches!(trace.kind(event_type), Kind::Region(_, Origin::Unknown));
        let is_told = matches!(trace.kind(event_type), Kind::Level(_));
        is_told || is_unknown && course.starts > 0 && !course.delimits()
    };
    (0u32..).zip(&courses(trace)).map(is_level).collect()
}

/// How the values of a type follow one another on each thread.
#[derive(Clone, Default)]
struct Course {
    /// Events that are not 0, those of them whose value has a label, and all their values.
    starts: usize,
    labelled: usize,
    values: Vec<u64>,
    /// Events with one before them, and those where just one of both is 0.
    steps: usize,
    comings_and_goings: usize,
    /// Starts with one before them, and those whose value is the next higher.
    on: usize,
    counted_on: usize,
}

impl Course {
    fn add(&mut self, value: u64, is_labelled: bool, before: Option<u64>, started: Option<u64>) {
        if let Some(before) = before {
            self.steps += 1;
            self.comings_and_goings += usize::from((before == 0) != (value == 0));
        }
        if value == 0 {
            return;
        }
        self.starts += 1;
        self.labelled += usize::from(is_labelled);
        self.values.push(value);
        if let Some(started) = started {
            self.on += 1;
            self.counted_on += usize::from(started.checked_add(1) == Some(value));
        }
    }

    /// Whether its values begin and end something. Most are labelled; or are followed by 0; or they
    /// are marks, from one to the next: of at most two values, or numbers that count on. Two of
    /// three steps do where three phases are numbered in turn, one of two where a level goes up and
    /// down by one.
    fn delimits(&self) -> bool {
        2 * self.labelled >= self.starts
            || 2 * self.comings_and_goings >= self.steps
            || 3 * self.counted_on >= 2 * self.on
            || order::distinct(self.values.iter().copied()).len() <= 2
    }
}

/// Of each type that nobody describes; empty for the others.
fn courses(trace: &Trace) -> Vec<Course> {
    let mut courses = vec![Course::default(); trace.types.len()];
    let is_unknown = |_, kind| matches!(kind, Kind::Region(_, Origin::Unknown));
    let shapes = trace.shapes_with(is_unknown);
    for thread in &trace.threads {
        let closing_cut = closing_cut(trace, thread);
        let mut last = vec![(None, None); trace.types.len()];
        for (at, moment) in thread.moments_of(&shapes) {
            for event in moment.events().filter(|_| Some(at) != closing_cut) {
                let of_type = event.event_type as usize;
                if !is_unknown(event.event_type, trace.kind(event.event_type)) {
                    continue;
                }
                let code = trace.types[of_type].code;
                let is_labelled = trace.labels.of_value(code, event.value).is_some();
                let (before, started) = &mut last[of_type];
                courses[of_type].add(event.value, is_labelled, *before, *started);
                *before = Some(event.value);
                *started = if event.value == 0 { *started } else { *before };
            }
        }
    }
    courses
}

/// Types whose values are numbers that go on (iterations, tasks): none labelled, at least three and
/// none seen more than twice; of a type that nobody describes also if more than [`IDENTIFIERS`]
/// are seen so seldom.
fn is_running_number(
    trace: &Trace,
    event_type: u32,
    executions: &[Execution],
    unknown: bool,
) -> bool {
    let Some(known) = trace.types.get(event_type as usize) else { return false };
    let labelled = |value: &u64| trace.labels.of_value(known.code, *value).is_some();
    let all = values(executions);
    if all.len() < 3 || all.iter().any(labelled) {
        return false;
    }
    let mut seen = executions.iter().map(|execution| execution.value).collect::<Vec<_>>();
    order::by_number(&mut seen, |value| *value);
    let seldom = seen.chunk_by(|a, b| a == b).filter(|alike| alike.len() <= 2).count();
    seldom == all.len() || (unknown && seldom > IDENTIFIERS)
}
