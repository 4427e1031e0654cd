//! A folded group in the words of the result.

use super::code;
use super::references;
use super::stages::Measured;
use crate::address::{self, Allocations};
use crate::instance::{
    self, Fate, Group, Instance, Sampling, is_instructions, samples_inside, sampling,
};
use crate::order;
use crate::performance::{self, Clock, Fitted};
use crate::result::{
    self, Axis, Break, Cloud, Curve, CurveKind, Durations, FitReport, InstanceRow, Lines, Phase,
    PhaseRate, References, Use,
};
use crate::settings::Settings;
use crate::trace::Trace;

/// A counter's curve as every view needs it.
fn curve(
    trace: &Trace,
    measured: &Measured,
    fit: performance::CounterCurve,
    settings: &Settings,
) -> Curve {
    let Measured { counter, samples, uses } = measured;
    let known = &trace.types[*counter as usize];
    let count = |wanted: Use| uses.iter().filter(|&&found| found == wanted).count() as u32;
    let phase = |(rate, half_width)| PhaseRate { rate, half_width };
    Curve {
        counter: known.name.clone(),
        description: known.description.clone(),
        instructions: is_instructions(&known.name),
        instances: samples.instances,
        used: count(Use::Used),
        unused: count(Use::Unused),
        excluded: count(Use::Excluded),
        mean_count: samples.total / f64::from(samples.instances),
        mean_rate: samples.mean_rate(),
        nugget: fit.nugget,
        resolution: fit.resolution,
        joules: settings.energy.of(&known.name, &known.description).and_then(|found| found.joules),
        fitted: fit.fitted,
        rate: fit.rate,
        fitted_band: fit.fitted_band,
        rate_band: fit.rate_band,
        phases: fit.phases.into_iter().map(phase).collect(),
        own_breaks: fit.own_breaks,
    }
}

/// All samples of a counter, with what became of them.
pub fn cloud(trace: &Trace, group: u32, measured: Measured) -> Cloud {
    let samples = measured.samples.samples;
    Cloud {
        group,
        counter: trace.types[measured.counter as usize].name.clone(),
        x: samples.iter().map(|sample| sample.x).collect(),
        y: samples.iter().map(|sample| sample.y).collect(),
        used: measured.uses,
    }
}

/// What is folded: a group of a trace, along an axis; one in so many instances gives its samples.
pub struct Over<'a> {
    pub trace: &'a Trace,
    pub allocations: &'a Allocations,
    pub group: &'a Group,
    pub axis: &'a instance::Axis,
    pub one_in: usize,
}

/// A group with its curves and its code, as every view needs it.
///
/// With a clock the curves are in time already; what else was placed along the axis follows.
pub fn folded_group(
    over: &Over<'_>,
    measured: &[Measured],
    (fitted, clock): (Fitted, Option<Clock>),
    settings: &Settings,
) -> (result::Group, Option<References>) {
    let &Over { trace, allocations, group, axis, one_in } = over;
    let to_time = |x: &mut [f64]| {
        if let Some(clock) = &clock {
            x.iter_mut().for_each(|x| *x = clock.time(*x));
        }
    };
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
    let Sampling { mut x, gaps_ns } = sampling(trace, group, axis, one_in);
    to_time(&mut x);
    let judged = judged(measured, &fitted, trace);
    // Along a counter samples lie where it counts, and instructions beside themselves nowhere.
    let over_time = axis.counter().is_none();
    let curves = measured.iter().zip(fitted.curves);
    let mut referenced = address::fold_references(trace, allocations, group, axis, one_in);
    if let Some(clock) = &clock {
        referenced.references.iter_mut().for_each(|r| r.x = clock.time(r.x));
    }
    let mut folded = result::Group {
        number: group.number,
        instances: group.instances.len() as u32,
        kept: kept.len() as u32,
        mean_duration_ns: total_ns / kept.len().max(1) as f64,
        samples,
        rows: group.instances.iter().map(row).collect(),
        limits_ns: group.limits_ns,
        durations: durations(group),
        axis: if clock.is_some() { Axis::Time } else { told_axis(trace, axis, &kept) },
        curves: curves.map(|(measured, fit)| curve(trace, measured, fit, settings)).collect(),
        fit: FitReport {
            kind: match fitted.decision.segments {
                true => CurveKind::Segments,
                false => CurveKind::Spline,
            },
            ratio: fitted.decision.ratio,
            breaks_bic: fitted.decision.breaks_by_likelihood as u32,
            breaks_held_out: fitted.decision.breaks_by_held_out as u32,
            uncertain: fitted.decision.uncertain,
        },
        density: performance::density(&x, performance::DENSITY_CELLS),
        sparse: performance::sparse(&x, judged.resolution),
        displacement: judged.displacement.filter(|_| over_time),
        better_over_instructions: judged.better_over_instructions && over_time,
        locked: over_time && performance::locked(&x, &gaps_ns),
        ..result::Group::default()
    };
    code::fill(&mut folded, over, to_time, settings);
    folded.phases = phases(group.number, &fitted.breaks, &folded.lines, settings);
    folded.breaks = fitted.breaks.into_iter().map(|b| broken(b, group, settings)).collect();
    let references = references::referenced(referenced, &mut folded);
    (folded, references)
}

/// What the axis counts, with its length in a mean instance.
fn told_axis(trace: &Trace, axis: &instance::Axis, kept: &[&Instance]) -> Axis {
    let Some(counter) = axis.counter() else { return Axis::Time };
    let total = kept.iter().map(|instance| axis.length(instance)).sum::<f64>();
    let name = trace.types[counter as usize].name.clone();
    Axis::Counter { name, total: total / kept.len().max(1) as f64 }
}

/// The same in the words of the result.
fn told(fate: Fate) -> result::Fate {
    match fate {
        Fate::Used => result::Fate::Used,
        Fate::Outlier => result::Fate::Outlier,
        Fate::Prefiltered => result::Fate::Prefiltered,
    }
}

/// What the counter of instructions, or else the first, tells of all.
struct Judged {
    resolution: f64,
    displacement: Option<f64>,
    better_over_instructions: bool,
}

/// Detail that straight segments show: none is finer than this between their breaks.
const RESOLUTION_OF_SEGMENTS: f64 = 0.01;

fn judged(measured: &[Measured], fitted: &Fitted, trace: &Trace) -> Judged {
    let counts = |found: &Measured| is_instructions(&trace.types[found.counter as usize].name);
    let instructions = measured.iter().position(counts);
    let resolution = fitted.curves.get(instructions.unwrap_or(0)).map(|curve| curve.resolution);
    let resolution = resolution.filter(|share| *share > 0.0).unwrap_or(RESOLUTION_OF_SEGMENTS);
    let displacement = instructions.and_then(|index| {
        let (found, curve) = (&measured[index], &fitted.curves[index]);
        let used = found.samples.samples.iter().zip(&found.uses);
        let used = used.filter(|(_, found)| **found == Use::Used);
        let (x, y): (Vec<f64>, Vec<f64>) = used.map(|(sample, _)| (sample.x, sample.y)).unzip();
        performance::displacement(&x, &y, &curve.fitted)
    });
    let better = displacement.zip(instructions).is_some_and(|(displacement, index)| {
        let totals = &measured[index].samples.totals;
        performance::is_sharper_over_instructions(displacement, totals)
    });
    Judged { resolution, displacement, better_over_instructions: better }
}

fn broken(found: performance::Break, group: &Group, settings: &Settings) -> Break {
    Break {
        at: found.at,
        half_width: found.half_width,
        changed: found.changed.into_iter().map(|index| index as u32).collect(),
        by_hand: settings.breaks.of(group.number).is_some(),
    }
}

/// The phases between `breaks`, as a person named them, each with its most sampled line.
fn phases(
    group: u32,
    breaks: &[performance::Break],
    lines: &Lines,
    settings: &Settings,
) -> Vec<Phase> {
    if breaks.is_empty() {
        return vec![];
    }
    let starts = std::iter::once(0.0).chain(breaks.iter().map(|found| found.at));
    let ends = breaks.iter().map(|found| found.at).chain([1.0]);
    let phase = |(number, (start, end)): (u32, (f64, f64))| {
        let inside = lines.x.iter().zip(&lines.place).filter(|(x, _)| (start..end).contains(*x));
        let mut places = inside.map(|(_, place)| *place).collect::<Vec<_>>();
        order::by_number(&mut places, |place| u64::from(*place));
        let longest = places.chunk_by(|a, b| a == b).rev().max_by_key(|run| run.len());
        let place = longest.and_then(|run| run.first().copied());
        Phase { start, end, name: settings.names.of(group, number).to_owned(), place }
    };
    (1..).zip(starts.zip(ends)).map(phase).collect()
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
