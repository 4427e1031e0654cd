//! The stages' values in the words of the result.

use super::FoldError;
use super::group::Over;
use crate::instance::{
    self, Axis, FoldedCounter, Group, Instance, MOST_SAMPLES, Readings, Select, Sets, select,
    types_that_close,
};
use crate::order;
use crate::performance::{self, Clock, Fit, Fitted, How, PhasesOf};
use crate::result::{self, FoldingNotice, TraceSummary, Use};
use crate::settings::{Settings, nearest};
use crate::trace::{EventType, Kind, Nesting, Partial, Thread, Trace};

/// Under so many samples curves say little.
const FEW_SAMPLES: u32 = 50;

/// The counters asked for, as indices into [`Trace::types`]; all of them by code if none is named.
pub fn counters(trace: &Trace, settings: &Settings) -> Result<Vec<u32>, FoldError> {
    let known = known_counters(trace);
    let Some(asked) = &settings.counters else {
        return Ok(known.into_iter().map(|(index, _)| index).collect());
    };
    asked.iter().map(|asked| known_counter(&known, asked)).collect()
}

/// The counters of the trace by code, with their indices.
fn known_counters(trace: &Trace) -> Vec<(u32, &EventType)> {
    let counters = (0u32..).zip(&trace.types).filter(|(_, t)| t.kind == Kind::Counter);
    let mut known = counters.collect::<Vec<_>>();
    order::by_number(&mut known, |(_, counter)| counter.code.into());
    known
}

fn known_counter(known: &[(u32, &EventType)], asked: &str) -> Result<u32, FoldError> {
    let found = known.iter().find(|(_, counter)| counter.name == *asked);
    found.map(|(index, _)| *index).ok_or_else(|| FoldError::NoSuchCounter {
        asked: asked.to_owned(),
        nearest: nearest(asked, known.iter().map(|(_, counter)| counter.name.as_str())),
    })
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

/// What the samples are placed by. Along a counter, `instances` keep those that carry it.
pub fn axis(
    trace: &Trace,
    sets: &Sets,
    instances: &mut Vec<Instance>,
    settings: &Settings,
) -> Result<Axis, FoldError> {
    let Some(along) = &settings.x else { return Ok(Axis::default()) };
    let counter = known_counter(&known_counters(trace), &along.counter)?;
    let readings = readings_of(trace, &[counter], instances);
    Ok(Axis::along(trace, counter, &readings, sets, instances))
}

/// Says how many instances have no place along the counter that was asked for.
pub fn note_off_axis(notices: &mut Vec<FoldingNotice>, count: usize, settings: &Settings) {
    let Some(along) = settings.x.as_ref().filter(|_| count > 0) else { return };
    let text = format!(
        "An instance in which {} is not read at the begin and the end, or counts nothing; \
         it has no place along it and was left out.",
        along.counter
    );
    notices.push(FoldingNotice { text, count: count as u64, first: String::new() });
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

/// A counter of a group: what was folded, and what becomes of each sample.
#[derive(Clone)]
pub struct Measured {
    /// Index into [`Trace::types`].
    pub counter: u32,
    pub samples: FoldedCounter,
    pub uses: Vec<Use>,
}

impl Measured {
    fn to_fit(&self) -> performance::Measured<'_> {
        let used = self.uses.iter().map(|found| *found == Use::Used).collect();
        performance::Measured { folded: &self.samples, used }
    }
}

/// The counter that alone decides on phases, if one does.
pub fn phases_of(trace: &Trace, settings: &Settings) -> Result<Option<u32>, FoldError> {
    match &settings.phases {
        PhasesOf::Joint => Ok(None),
        PhasesOf::Counter(name) => known_counter(&known_counters(trace), name).map(Some),
    }
}

/// The curves of all counters of a group.
pub fn fitted(
    trace: &Trace,
    group: &Group,
    measured: &[Measured],
    settings: &Settings,
    grid: &[f64],
) -> Fitted {
    let order = by_name(trace, measured);
    let counters = order.iter().map(|&index| measured[index].to_fit()).collect::<Vec<_>>();
    let how = how(trace, group, measured, &order, settings);
    in_order(performance::fit_group(&counters, &how, grid), &order)
}

/// The counters by name. What joins them adds up in this order, so that the last digit does not
/// depend on how a file numbers its counters.
fn by_name(trace: &Trace, measured: &[Measured]) -> Vec<usize> {
    let name = |index: &usize| &trace.types[measured[*index].counter as usize].name;
    let mut order = (0..measured.len()).collect::<Vec<_>>();
    order::by(&mut order, |a, b| name(a).cmp(name(b)));
    order
}

/// Curves that were fitted in `order`, in the order of the counters.
fn in_order(mut fitted: Fitted, order: &[usize]) -> Fitted {
    let mut curves = order.iter().copied().zip(fitted.curves).collect::<Vec<_>>();
    order::by_number(&mut curves, |(index, _)| *index as u64);
    fitted.curves = curves.into_iter().map(|(_, curve)| curve).collect();
    for found in &mut fitted.breaks {
        let changed = order::distinct(found.changed.iter().map(|&at| order[at] as u64));
        found.changed = changed.into_iter().map(|index| index as usize).collect();
    }
    fitted
}

/// The same along a counter, shown in time: phases are found over its events, and time is one more
/// counter among the others. Samples and lengths of `measured` are in time from then on.
pub fn fitted_in_time(
    over: &Over<'_>,
    measured: &mut [Measured],
    settings: &Settings,
    grid: &[f64],
) -> (Fitted, Option<Clock>) {
    let &Over { trace, group, axis, one_in, .. } = over;
    let time = instance::fold_time(trace, group, axis, one_in);
    let order = by_name(trace, measured);
    let mut counters = order.iter().map(|&index| measured[index].to_fit()).collect::<Vec<_>>();
    let used = time.samples.iter().map(|sample| sample.kept).collect();
    counters.push(performance::Measured { folded: &time, used });
    let how = How { fit: Fit::Segments, ..how(trace, group, measured, &order, settings) };
    let mut over_events = performance::fit_group(&counters, &how, grid);
    let of_time = over_events.curves.pop().unwrap_or_default();
    let clock = Clock::new(&over_events.breaks, &of_time);
    // Time itself is no counter of the trace.
    let counters = measured.len();
    for found in &mut over_events.breaks {
        found.changed.retain(|index| *index < counters);
    }
    let per_microsecond = time.length / time.total;
    for found in measured {
        found.samples.length /= per_microsecond;
        for sample in &mut found.samples.samples {
            sample.x = clock.time(sample.x);
        }
    }
    let fitted = performance::in_time(over_events, &clock, per_microsecond, grid);
    (in_order(fitted, &order), Some(clock))
}

fn how<'a>(
    trace: &Trace,
    group: &Group,
    measured: &[Measured],
    order: &[usize],
    settings: &'a Settings,
) -> How<'a> {
    let decides = phases_of(trace, settings).ok().flatten();
    How {
        fit: settings.fit,
        nugget: settings.nugget,
        resolution: settings.resolution,
        ends: settings.ends,
        monotone: settings.monotone,
        phases_of: order.iter().position(|&index| Some(measured[index].counter) == decides),
        borders: settings.breaks.of(group.number),
    }
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
