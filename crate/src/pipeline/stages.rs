//! The stages' values in the words of the result.

use super::FoldError;
use crate::instance::{
    Fate, FoldedCounter, Group, Instance, MOST_SAMPLES, Readings, Select, is_instructions,
    samples_inside, select, types_that_close,
};
use crate::order;
use crate::performance;
use crate::result::{
    self, Cloud, Curve, Durations, FoldingNotice, InstanceRow, Lines, Place, Stretch, TraceSummary,
    Use,
};
use crate::settings::{Settings, nearest};
use crate::source::{self, CodeLine};
use crate::trace::{Kind, Nesting, Partial, Thread, Trace};

/// Under so many samples curves say little.
const FEW_SAMPLES: u32 = 50;

/// The counters asked for, as indices into [`Trace::types`]; all of them by code if none is named.
pub fn counters(trace: &Trace, settings: &Settings) -> Result<Vec<u32>, FoldError> {
    let mut known =
        (0u32..).zip(&trace.types).filter(|(_, t)| t.kind == Kind::Counter).collect::<Vec<_>>();
    order::by_number(&mut known, |(_, counter)| counter.code.into());
    let Some(asked) = &settings.counters else {
        return Ok(known.into_iter().map(|(index, _)| index).collect());
    };
    let find = |asked: &String| {
        let found = known.iter().find(|(_, counter)| counter.name == *asked);
        found.map(|(index, _)| *index).ok_or_else(|| FoldError::NoSuchCounter {
            asked: asked.clone(),
            nearest: nearest(asked, known.iter().map(|(_, counter)| counter.name.as_str())),
        })
    };
    asked.iter().map(find).collect()
}

/// Of the counters `wanted`, up to the borders of `instances`: one entry per thread; those of
/// threads without instances are empty.
pub fn readings_of(trace: &Trace, wanted: &[u32], instances: &[Instance]) -> Vec<Readings> {
    let mut borders = vec![vec![]; trace.threads.len()];
    for instance in instances {
        borders[instance.thread as usize].extend([instance.first, instance.last]);
    }
    let of_thread = |(thread, borders): (&Thread, Vec<u32>)| {
        Readings::between(trace, thread, |counter| wanted.contains(&counter), borders)
    };
    trace.threads.iter().zip(borders).map(of_thread).collect()
}

/// For each sample what becomes of it.
pub fn selected(folded: &FoldedCounter, choice: Select) -> Vec<Use> {
    let kept = folded.samples.iter().filter(|sample| sample.kept);
    let mut taken = select(&kept.map(|s| s.x).collect::<Vec<_>>(), choice).into_iter();
    let of_sample = |kept: bool| match kept.then(|| taken.next()).flatten() {
        Some(true) => Use::Used,
        Some(false) => Use::Unused,
        None => Use::Excluded,
    };
    folded.samples.iter().map(|sample| sample.kept).map(of_sample).collect()
}

/// `None` for a counter that no kept instance carries.
pub fn curve(
    trace: &Trace,
    counter: u32,
    folded: &FoldedCounter,
    uses: &[Use],
    settings: &Settings,
    grid: &[f64],
) -> Option<Curve> {
    if folded.instances == 0 {
        return None;
    }
    let count = |wanted: Use| uses.iter().filter(|&&found| found == wanted).count() as u32;
    let used = folded.samples.iter().zip(uses).filter(|(_, found)| **found == Use::Used);
    let used = used.map(|(sample, _)| (sample.x, sample.y)).collect::<Vec<_>>();
    let fit = performance::curve(folded, &used, settings.nugget, settings.ends, grid);
    let known = trace.types.get(counter as usize)?;
    Some(Curve {
        counter: known.name.clone(),
        description: known.description.clone(),
        instructions: is_instructions(&known.name),
        instances: folded.instances,
        used: count(Use::Used),
        unused: count(Use::Unused),
        excluded: count(Use::Excluded),
        mean_count: folded.total / f64::from(folded.instances),
        mean_rate: folded.total / (folded.duration_ns / 1e3),
        nugget: fit.nugget,
        fitted: fit.fitted,
        rate: fit.rate,
        ..Curve::default()
    })
}

/// `None` for a counter that no kept instance carries.
pub fn cloud(
    trace: &Trace,
    counter: u32,
    group: u32,
    folded: &FoldedCounter,
    uses: &[Use],
) -> Option<Cloud> {
    let known = trace.types.get(counter as usize).filter(|_| folded.instances > 0)?;
    Some(Cloud {
        group,
        counter: known.name.clone(),
        x: folded.samples.iter().map(|sample| sample.x).collect(),
        y: folded.samples.iter().map(|sample| sample.y).collect(),
        used: uses.to_vec(),
    })
}

/// A group with its curves and its code, as every view needs it.
pub fn folded_group(
    trace: &Trace,
    group: &Group,
    one_in: usize,
    curves: Vec<Curve>,
) -> result::Group {
    let row = |(instance, fate): &(Instance, Fate)| {
        let object = trace.threads[instance.thread as usize].object;
        InstanceRow {
            object: [object.application, object.task, object.thread],
            start_ns: instance.start_ns,
            duration_ns: instance.duration_ns,
            fate: told(*fate),
        }
    };
    let kept = group.kept().collect::<Vec<_>>();
    let total_ns = kept.iter().map(|instance| instance.duration_ns as f64).sum::<f64>();
    let samples = kept.iter().map(|instance| samples_inside(trace, instance) as u32).sum();
    let frames = source::fold_frames(trace, group, one_in);
    let stretches = source::stretches(&frames);
    let place = |(routine, code_line, samples): (u32, CodeLine, u32)| Place {
        routine,
        line: code_line.line,
        file: code_line.file,
        samples,
    };
    let stretch = |found: source::Stretch| {
        let source::Stretch { start, end, place, samples } = found;
        Stretch { start, end, place, samples }
    };
    result::Group {
        number: group.number,
        instances: group.instances.len() as u32,
        kept: kept.len() as u32,
        mean_duration_ns: total_ns / kept.len().max(1) as f64,
        samples,
        rows: group.instances.iter().map(row).collect(),
        limits_ns: group.limits_ns,
        curves,
        durations: durations(group),
        routines: frames.routines,
        places: frames.places.into_iter().map(place).collect(),
        lines: Lines { x: frames.x, place: frames.place },
        stretches: stretches.into_iter().map(stretch).collect(),
        ..result::Group::default()
    }
}

/// The same in the words of the result.
fn told(fate: Fate) -> result::Fate {
    match fate {
        Fate::Used => result::Fate::Used,
        Fate::Outlier => result::Fate::Outlier,
        Fate::Prefiltered => result::Fate::Prefiltered,
    }
}

/// Steps of a histogram of durations, fewer where there are few instances.
const STEPS: usize = 60;

/// How many instances of `group` last how long.
fn durations(group: &Group) -> Durations {
    let all = || group.instances.iter().map(|(instance, _)| instance.duration_ns);
    let (Some(least_ns), Some(most_ns)) = (all().min(), all().max()) else {
        return Durations::default();
    };
    let steps = group.instances.len().clamp(1, STEPS);
    let width = ((most_ns - least_ns) as f64 / steps as f64).max(1.0);
    let (mut kept, mut rejected) = (vec![0; steps], vec![0; steps]);
    for (instance, fate) in &group.instances {
        let step = ((instance.duration_ns - least_ns) as f64 / width) as usize;
        let counts = if *fate == Fate::Used { &mut kept } else { &mut rejected };
        counts[step.min(steps - 1)] += 1;
    }
    Durations { least_ns, most_ns, kept, rejected }
}

/// The most populated group, the longer of two alike.
pub fn shown_first(groups: &[result::Group]) -> Option<u32> {
    groups.iter().max_by_key(|group| (group.instances, group.number)).map(|group| group.number)
}

/// What a reader wants to know of the trace.
pub fn summary(trace: &Trace) -> TraceSummary {
    TraceSummary {
        name: trace.name.clone(),
        size_bytes: trace.size_bytes,
        duration_ns: trace.duration_ns,
        threads: trace.threads.len() as u32,
        generated: trace.generated,
        provenance: trace.provenance.clone(),
        partial: trace.partial.as_ref().map(Partial::sentence),
    }
}

/// What was odd in the trace, and how many instances no group took.
pub fn notices(trace: &Trace, noise: usize) -> Vec<FoldingNotice> {
    let of_trace = trace.notices.iter().map(|notice| FoldingNotice {
        text: notice.text.clone(),
        count: notice.count,
        first: notice.first.to_string(),
    });
    let mut notices = of_trace.collect::<Vec<_>>();
    if noise > 0 {
        let text = "An instance that no group takes (noise); it was left out.".to_owned();
        notices.push(FoldingNotice { text, count: noise as u64, first: String::new() });
    }
    notices
}

/// Says in how many instances a counter was refused for a reading that is no count.
pub fn note_absurd(notices: &mut Vec<FoldingNotice>, trace: &Trace, counter: u32, count: u32) {
    let Some(known) = trace.types.get(counter as usize).filter(|_| count > 0) else { return };
    let text =
        format!("An instance with a reading of {} that is no count; it was left out.", known.name);
    match notices.iter_mut().find(|notice| notice.text == text) {
        Some(notice) => notice.count += u64::from(count),
        None => notices.push(FoldingNotice { text, count: u64::from(count), first: String::new() }),
    }
}

/// Says that a group has more samples than are placed.
pub fn note_thinned(notices: &mut Vec<FoldingNotice>, group: &Group, one_in: usize) {
    if one_in > 1 {
        let text = format!(
            "A group has more than {MOST_SAMPLES} samples; one in {one_in} instances shows its \
             samples, and all of them count for the totals."
        );
        let first = format!("group {}", group.number);
        notices.push(FoldingNotice { text, count: 1, first });
    }
}

/// Says of a code type without a single exit how it was read.
pub fn note_never_closes(notices: &mut Vec<FoldingNotice>, trace: &Trace, event_type: u32) {
    let Some(known) = trace.types.get(event_type as usize) else { return };
    if known.kind == Kind::Region(Nesting::Stack) && !types_that_close(trace)[event_type as usize] {
        let text =
            format!("No exit of {} is recorded; each one ends where the next begins.", known.name);
        notices.push(FoldingNotice { text, count: 1, first: String::new() });
    }
}

/// Says how many groups have so few samples that their curves say little.
pub fn note_few_samples(notices: &mut Vec<FoldingNotice>, groups: &[result::Group]) {
    let mut few = groups.iter().filter(|group| group.samples < FEW_SAMPLES).peekable();
    let Some(first) = few.peek().map(|group| format!("group {}", group.number)) else { return };
    let text = format!("A group has fewer than {FEW_SAMPLES} samples; its curves say little.");
    notices.push(FoldingNotice { text, count: few.count() as u64, first });
}
