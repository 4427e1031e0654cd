use super::CodeLine;
use crate::order::{self, Key};
use crate::trace::{Kind, Moment, Trace};

/// A sampled routine and line, as (type, value) pairs of the trace.
#[derive(Clone, Copy)]
pub struct Frame {
    routine: (u32, u64),
    code_line: Option<(u32, u64)>,
}

impl Frame {
    /// One of which the line is nothing to who asks.
    pub fn of_routine(event_type: u32, value: u64) -> Self {
        Self { routine: (event_type, value), code_line: None }
    }

    pub fn key(&self) -> Key {
        let (line_type, line) = self.code_line.unwrap_or((u32::MAX, 0));
        [u64::from(self.routine.0) << 32 | u64::from(line_type), self.routine.1, line]
    }

    /// Whether it says no more than that there is no such frame.
    pub fn is_end(&self) -> bool {
        self.routine.1 == 0
    }

    /// Code line and routine; `None` if the routine is not known: 0 is an end, 1 and 2 are those
    /// that the tracer could not resolve or find, unless the labels say otherwise.
    pub fn in_words(&self, trace: &Trace) -> Option<(CodeLine, String)> {
        let (event_type, value) = self.routine;
        let code = trace.types.get(event_type as usize).map_or(0, |known| known.code);
        let known = match trace.labels.of_value(code, value) {
            _ if value == 0 => false,
            None => value > 2,
            Some(label) => !matches!(label, "Unresolved" | "_NOT_Found" | "Not found" | "End"),
        };
        if !known {
            return None;
        }
        let label = trace.value_name(event_type, value);
        let routine = whole_name(&label).to_owned();
        let line = self.code_line.map(|(event_type, value)| trace.value_name(event_type, value));
        Some((line.map(|label| CodeLine::from_label(&label)).unwrap_or_default(), routine))
    }
}

/// The name in a label. A long one is shortened by the tracer, and stands whole in brackets behind:
/// `__partli..sendrecv [__partlist_MOD_partlist_sendrecv]`. Of what a compiler makes of the name of a
/// Fortran routine, its module and its own, only that is the name.
pub fn whole_name(label: &str) -> &str {
    let Some((name, behind)) = label.split_once(" [") else { return label };
    let whole = behind.strip_suffix(']').filter(|whole| {
        name.split_once("..")
            .is_some_and(|(begin, end)| whole.starts_with(begin) && whole.ends_with(end))
    });
    let own =
        |whole: &'_ str| whole.strip_prefix("__")?.split_once("_MOD_").map(|(_, own)| own.len());
    match whole {
        Some(whole) => &whole[whole.len() - own(whole).unwrap_or(whole.len())..],
        None => name,
    }
}

/// What a moment says of one depth: depth, type, value.
type AtDepth = (u8, u32, u64);

/// What an event says of a depth.
enum Says {
    Routine,
    Line,
}

/// Reads the call-stacks of moments, with room that is used again.
#[derive(Default)]
pub struct FrameReader {
    routines: Vec<AtDepth>,
    code_lines: Vec<AtDepth>,
}

impl FrameReader {
    /// The frames of a moment, innermost first, unknown ones with them. If a depth is told twice,
    /// the first counts; one that is not told is passed over.
    pub fn frames(&mut self, trace: &Trace, moment: &Moment<'_>) -> impl Iterator<Item = Frame> {
        self.read(trace, moment, |kind| match kind {
            Kind::Routine(depth) => Some((Says::Routine, depth)),
            Kind::CodeLine(depth) => Some((Says::Line, depth)),
            _ => None,
        })
    }

    /// The same of those that make the call that begins in a moment.
    pub fn callers(&mut self, trace: &Trace, moment: &Moment<'_>) -> impl Iterator<Item = Frame> {
        self.read(trace, moment, |kind| match kind {
            Kind::Caller(depth) => Some((Says::Routine, depth)),
            Kind::CallerLine(depth) => Some((Says::Line, depth)),
            _ => None,
        })
    }

    fn read(
        &mut self,
        trace: &Trace,
        moment: &Moment<'_>,
        says: impl Fn(Kind) -> Option<(Says, u8)>,
    ) -> impl Iterator<Item = Frame> {
        self.routines.clear();
        self.code_lines.clear();
        for event in moment.events() {
            let Some((says, depth)) = says(trace.kind(event.event_type)) else { continue };
            let at_depth = match says {
                Says::Routine => &mut self.routines,
                Says::Line => &mut self.code_lines,
            };
            at_depth.push((depth, event.event_type, event.value));
        }
        by_depth(&mut self.routines);
        by_depth(&mut self.code_lines);
        let mut code_lines = self.code_lines.iter().peekable();
        self.routines.iter().map(move |&(depth, event_type, value)| {
            while code_lines.next_if(|line| line.0 < depth).is_some() {}
            let code_line = code_lines.next_if(|line| line.0 == depth);
            Frame {
                routine: (event_type, value),
                code_line: code_line.map(|&(_, event_type, value)| (event_type, value)),
            }
        })
    }
}

fn by_depth(told: &mut Vec<AtDepth>) {
    if !told.is_sorted_by_key(|told| told.0) {
        order::by_number(told, |told| u64::from(told.0));
    }
    told.dedup_by_key(|told| told.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_shortened_is_the_whole_one() {
        for (label, name) in [
            ("main [main]", "main"),
            ("__partli..sendrecv [__partlist_MOD_partlist_sendrecv]", "partlist_sendrecv"),
            ("_ZNSt6..vector [_ZNSt6__long_name_of_a_vector]", "_ZNSt6__long_name_of_a_vector"),
            ("short..name [of something else]", "short..name"),
            ("no_brackets", "no_brackets"),
            ("a [b", "a"),
            ("", ""),
        ] {
            assert_eq!(whole_name(label), name, "{label}");
        }
    }
}
