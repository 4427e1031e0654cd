//! The code of a group in the words of the result: places, calling contexts, stretches.

use super::group::Over;
use crate::result::{Alignment, Context, FoldingNotice, Group, Lines, Place, Stretch};
use crate::settings::Settings;
use crate::source::{self, CodeLine};

/// Fills `group` with what its call-stacks say; `to_time` moves places along the axis to those that
/// are shown.
pub fn fill(group: &mut Group, over: &Over<'_>, to_time: impl Fn(&mut [f64]), settings: &Settings) {
    let &Over { trace, group: instances, axis, one_in, .. } = over;
    let mut stacks = source::fold_stacks(trace, instances, axis, one_in);
    if stacks.is_empty() {
        return;
    }
    to_time(&mut stacks.x);
    let aligned = source::align(&stacks, settings.align);
    let stretches = source::stretches(&stacks, &aligned, settings.routines, group.mean_duration_ns);
    let (coverage, components) = aligned.coverage();
    group.alignment = Alignment {
        method: aligned.method.name().to_owned(),
        coverage,
        components,
        depth: stacks.depth(),
        ambiguous: f64::from(aligned.ambiguous) / stacks.len() as f64,
    };
    let context = |&source::Context { parent, routine }: &source::Context| Context {
        parent,
        routine,
        samples: 0,
    };
    group.contexts = aligned.contexts.iter().map(context).collect();
    for &context in &aligned.context {
        group.contexts[context as usize].samples += 1;
    }
    group.stretches = stretches.into_iter().map(told).collect();
    let place = stacks.innermost();
    group.lines = Lines { x: stacks.x, place, context: aligned.context };
    group.routines = stacks.routines;
    let place = |(routine, code_line, samples): (u32, CodeLine, u32)| Place {
        routine,
        line: code_line.line,
        file: code_line.file,
        samples,
    };
    group.places = stacks.places.into_iter().map(place).collect();
}

fn told(found: source::Stretch) -> Stretch {
    let source::Stretch { start, end, place, samples, level, context, short } = found;
    Stretch { start, end, place, samples, level, context: Some(context), short }
}

/// Of more samples than this share nearness alone says who called.
const MOST_AMBIGUOUS: f64 = 0.05;

/// Says of groups whose call-stacks are too short to tell callers apart what would help.
pub fn note_short_stacks(notices: &mut Vec<FoldingNotice>, groups: &[Group]) {
    for group in groups {
        let Alignment { depth, ambiguous, components, .. } = group.alignment;
        let percent = (ambiguous * 100.0 + 0.5) as u32;
        let found = match depth {
            1 if group.routines.len() > 1 => {
                "Only the innermost frame of call-stacks was captured, which tells no caller"
                    .to_owned()
            }
            _ if ambiguous > MOST_AMBIGUOUS => format!(
                "Call-stacks of {depth} frames are too short to tell callers apart: for {percent} % \
                 of the samples only nearness in time says who called"
            ),
            2 if components > 1 => format!(
                "Call-stacks of 2 frames are too short to tell callers apart; they make \
                 {components} trees that nothing joins"
            ),
            _ => continue,
        };
        let text = format!(
            "{found}. Capture more of them: in extrae.xml, below <callers>, \
             <sampling enabled=\"yes\">1-{}</sampling>; with perf record, --call-graph dwarf.",
            depth + 3
        );
        let first = format!("group {}", group.number);
        notices.push(FoldingNotice { text, count: 1, first });
    }
}
