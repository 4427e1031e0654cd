//! A group of instances, folded.

use super::FoldError;
use super::activity::balance;
use super::computing::of_computing;
use super::counted::{Counted, Grouped, Over};
use super::counters::Counters;
use super::curves::curves;
use super::measured::Measured;
use crate::address::{self, Allocations};
use crate::folding::{
    Curve, CurveKind, Durations, Fate, Group, InstanceRow, LeftOut, Lines, Phase, References,
    Sampled, Use,
};
use crate::instance::{self, Instance, Sampling, samples_inside, sampling};
use crate::order;
use crate::performance::{self, Clock, Fitted};
use crate::settings::Settings;
use crate::source;
use crate::trace::Trace;

/// The curves of a group, without its code and memory.
pub struct Performed {
    /// All but what call-stacks and references say, and without a row for each instance.
    group: Group,
    /// If curves were fitted along a counter to be shown in time.
    clock: Option<Clock>,
    /// As they are shown: in time, if there is a clock.
    measured: Vec<Measured>,
}

impl Performed {
    /// The samples of its counters.
    pub fn sampled(&self, trace: &Trace) -> impl Iterator<Item = Sampled> {
        self.measured.iter().map(|measured| measured.sampled(trace, self.group.number))
    }
}

/// The curves of every group.
pub fn performed(
    trace: &Trace,
    counted: &Counted,
    settings: &Settings,
) -> Result<Vec<Performed>, FoldError> {
    let counters = Counters::named(trace, settings)?;
    let meanwhile = counted.activities.iter().zip(&counted.bandwidths).zip(&counted.gauges);
    let groups = counted.grouped.each(trace).zip(&counted.measured).zip(meanwhile);
    let performed = groups.map(|((over, measured), ((activity, bandwidth), gauges))| {
        let mut measured = measured.clone();
        let (fitted, clock) = curves(&over, &mut measured, &counters, settings);
        let (activity, bandwidth) = (activity.clone(), bandwidth.clone());
        let gauges = gauges.clone();
        let of_instances = of_instances(&over, clock.as_ref());
        let mut group = Group { activity, bandwidth, gauges, ..of_instances };
        fill_curves(&mut group, &over, &measured, fitted, &clock, settings);
        if over.has_waiting() {
            of_computing(&mut group, &over, &measured, &counters, settings);
        }
        Performed { group, clock, measured }
    });
    Ok(performed.collect())
}

/// The whole group, with its references if there are any.
pub fn folded_group(
    over: &Over<'_>,
    Performed { group, clock, .. }: &Performed,
    allocations: &Allocations,
    settings: &Settings,
) -> (Group, Option<References>) {
    let mut group = Group { rows: rows(over.trace, &over.group.instances), ..group.clone() };
    called(&mut group, over, clock, settings);
    group.phases = phases(&group, settings);
    if group.activity.is_some() {
        balance(over, settings, &mut group.phases);
    }
    // Who knows what threads do knows their calls; samples tell more of the code.
    if group.lines.x.is_empty() && group.activity.is_some() {
        let &Over { trace, group: instances, rulers, giving, .. } = over;
        let phases = &mut group.phases;
        group.callers = source::callers(trace, instances, rulers, giving, phases);
    }
    group.without_idle();
    let references = referenced(&mut group, over, allocations, clock);
    (group, references)
}

/// Moves places along the axis to those in time, if curves are shown there.
fn to_time(clock: &Option<Clock>, x: &mut [f64]) {
    if let Some(clock) = clock {
        x.iter_mut().for_each(|x| *x = clock.time(*x));
    }
}

/// The instances that no group takes.
pub fn apart(trace: &Trace, grouped: &Grouped) -> Vec<InstanceRow> {
    rows(trace, &grouped.apart)
}

/// What becomes of each instance.
fn rows(trace: &Trace, instances: &[(Instance, Fate)]) -> Vec<InstanceRow> {
    let row = |(instance, fate): &(Instance, Fate)| {
        let object = trace.threads[instance.thread as usize].object;
        InstanceRow {
            object: [object.application, object.task, object.thread],
            start_ns: instance.start_ns,
            duration_ns: instance.duration_ns,
            fate: *fate,
        }
    };
    instances.iter().map(row).collect()
}

/// How many instances there are, and how long they last.
fn of_instances(over: &Over<'_>, clock: Option<&Clock>) -> Group {
    let &Over { trace, group, rulers, giving, .. } = over;
    let kept = group.kept().collect::<Vec<_>>();
    let total_ns = kept.iter().map(|instance| instance.duration_ns as f64).sum::<f64>();
    Group {
        number: group.number,
        instances: group.instances.len() as u32,
        kept: kept.len() as u32,
        left_out: LeftOut::count(group.instances.iter().map(|(_, fate)| *fate)),
        one_in: giving.one_in(),
        mean_duration_ns: total_ns / kept.len().max(1) as f64,
        duration_half_width_ns: instance::duration_half_width_ns(group),
        samples: kept.iter().map(|instance| samples_inside(trace, instance) as u32).sum(),
        limits_ns: group.limits_ns,
        durations: durations(group),
        drifting: drifting(&kept),
        axis: if clock.is_some() { Default::default() } else { rulers.axis(trace, &kept) },
        ..Group::default()
    }
}

/// The curves, and how far the samples can be trusted to tell of all of the region.
fn fill_curves(
    group: &mut Group,
    &Over { trace, group: instances, rulers, giving, .. }: &Over<'_>,
    measured: &[Measured],
    fitted: Fitted,
    clock: &Option<Clock>,
    settings: &Settings,
) {
    let Sampling { mut x, gaps_ns } = sampling(trace, instances, rulers, giving);
    to_time(clock, &mut x);
    let judged = judged(measured, &fitted, trace);
    // Along a counter samples lie where it counts, and instructions beside themselves nowhere.
    let over_time = rulers.counter().is_none();
    group.density = performance::density(&x, performance::DENSITY_CELLS);
    // Steps are no finer than their readings, and say so.
    let is_smooth = fitted.report.kind != CurveKind::Steps;
    let sparse = is_smooth.then(|| performance::sparse(&x, judged.resolution));
    group.sparse = sparse.unwrap_or_default();
    group.displacement = judged.displacement.filter(|_| over_time);
    group.better_over_instructions = judged.better_over_instructions && over_time;
    group.locked = over_time && is_smooth && performance::locked(&x, &gaps_ns);
    let curves = measured.iter().zip(fitted.curves);
    group.curves = curves.map(|(measured, fit)| curve(trace, measured, fit, settings)).collect();
    group.fit = fitted.report;
    group.breaks = fitted.breaks;
}

/// A fitted curve with the counter that it is of.
fn curve(trace: &Trace, measured: &Measured, fit: Curve, settings: &Settings) -> Curve {
    let samples = &measured.samples;
    let of_type = &trace.types[measured.counter as usize];
    let energy = settings.energy.of(&of_type.name, &of_type.description);
    Curve {
        counter: of_type.name.clone(),
        description: of_type.description.clone(),
        instructions: measured.is_instructions(trace),
        instances: samples.instances,
        used: measured.count(Use::Used),
        unused: measured.count(Use::Unused),
        excluded: measured.count(Use::Excluded),
        refused: samples.absurd,
        silent: samples.carried.iter().filter(|(_, total)| *total == 0).count() as u32,
        families: measured.families.clone(),
        mean_count: samples.total / f64::from(samples.instances),
        mean_rate: samples.mean_rate(),
        joules: energy.and_then(|energy| energy.joules),
        ..fit
    }
}

/// What the call-stacks say: calling contexts, lines, and the stretches that routines have.
fn called(
    group: &mut Group,
    &Over { trace, group: instances, rulers, giving, .. }: &Over<'_>,
    clock: &Option<Clock>,
    settings: &Settings,
) {
    let mut stacks = source::fold_stacks(trace, instances, rulers, giving);
    if stacks.is_empty() {
        return;
    }
    to_time(clock, &mut stacks.x);
    let aligned = source::align(&stacks, settings.align);
    let (shortest, duration_ns) = (settings.routines, group.mean_duration_ns);
    group.stretches = source::stretches(&stacks, &aligned, shortest, duration_ns);
    group.alignment = aligned.alignment(&stacks);
    group.contexts = aligned.contexts;
    let place = stacks.innermost();
    group.lines = Lines { x: stacks.x, place, context: aligned.context };
    group.routines = stacks.routines;
    group.places = stacks.places;
    group.dispersions = stacks.dispersions;
}

/// What was sampled of memory, beside the code and the phases of the group.
fn referenced(
    group: &mut Group,
    &Over { trace, group: instances, rulers, giving, .. }: &Over<'_>,
    allocations: &Allocations,
    clock: &Option<Clock>,
) -> Option<References> {
    let mut folded = address::fold_references(trace, allocations, instances, rulers, giving);
    if let Some(clock) = clock {
        folded.references.iter_mut().for_each(|r| r.x = clock.time(r.x));
    }
    address::referenced(folded, group)
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
    let instructions = measured.iter().position(|counter| counter.is_instructions(trace));
    let resolution = fitted.curves.get(instructions.unwrap_or(0)).map(|curve| curve.resolution);
    let resolution = resolution.filter(|share| *share > 0.0).unwrap_or(RESOLUTION_OF_SEGMENTS);
    let displacement = instructions.and_then(|index| {
        let (counter, curve) = (&measured[index], &fitted.curves[index]);
        let used = counter.samples.samples.iter().zip(counter.uses.iter());
        let used = used.filter(|(_, of_sample)| **of_sample == Use::Used);
        let (x, y): (Vec<f64>, Vec<f64>) = used.map(|(sample, _)| (sample.x, sample.y)).unzip();
        performance::displacement(&x, &y, &curve.fitted)
    });
    let better = displacement.zip(instructions).is_some_and(|(displacement, index)| {
        let totals = &measured[index].samples.totals;
        performance::is_sharper_over_instructions(displacement, totals)
    });
    Judged { resolution, displacement, better_over_instructions: better }
}

/// The phases between the breaks, as a person named them, each with its most sampled line.
fn phases(Group { number: group, breaks, lines, .. }: &Group, settings: &Settings) -> Vec<Phase> {
    if breaks.is_empty() {
        return vec![];
    }
    let starts = std::iter::once(0.0).chain(breaks.iter().map(|between| between.at));
    let sites = std::iter::once("").chain(breaks.iter().map(|between| between.site.as_str()));
    let ends = breaks.iter().map(|between| between.at).chain([1.0]);
    let phase = |(number, ((start, end), site)): (u32, ((f64, f64), &str))| {
        let inside = lines.x.iter().zip(&lines.place).filter(|(x, _)| (start..end).contains(*x));
        let mut places = inside.map(|(_, place)| *place).collect::<Vec<_>>();
        order::by_number(&mut places, |place| u64::from(*place));
        let longest = places.chunk_by(|a, b| a == b).rev().max_by_key(|run| run.len());
        let place = longest.and_then(|run| run.first().copied());
        let by_hand = settings.names.of(*group, number);
        let name = if by_hand.is_empty() { site } else { by_hand }.to_owned();
        Phase { start, end, name, place, ..Phase::default() }
    };
    (1..).zip(starts.zip(ends).zip(sites)).map(phase).collect()
}

/// Steps of a histogram of durations, fewer where there are few instances.
const STEPS: usize = 60;

/// How many instances of `group` last how long.
fn durations(group: &instance::Group) -> Durations {
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

/// Of fewer instances the halves may lie so far apart by chance: where durations are normal and do
/// not drift, those of fifty do about once in two thousand times.
const LEAST_TO_DRIFT: usize = 50;

/// Less than a twentieth of the duration moves a curve by less than most bands are wide.
const LEAST_DRIFT: f64 = 0.05;

/// Whether durations drift: the medians of the first half of the instances and of the second, by
/// their starts, are further apart than the quartiles of either half.
fn drifting(kept: &[&Instance]) -> bool {
    if kept.len() < LEAST_TO_DRIFT {
        return false;
    }
    let mut by_start = kept.to_vec();
    order::by_number(&mut by_start, |instance| instance.start_ns);
    let (first, second) = by_start.split_at(by_start.len() / 2);
    let [first, second] = [first, second].map(duration_quartiles_ns);
    let apart = first[1].abs_diff(second[1]);
    let scatter = (first[2] - first[0]).max(second[2] - second[0]);
    apart > scatter && apart as f64 > LEAST_DRIFT * first[1].max(second[1]) as f64
}

/// A quarter, half and three quarters of the instances last no longer than this.
fn duration_quartiles_ns(instances: &[&Instance]) -> [u64; 3] {
    let mut durations_ns = instances.iter().map(|of| of.duration_ns).collect::<Vec<_>>();
    order::by_number(&mut durations_ns, |duration_ns| *duration_ns);
    [1, 2, 3].map(|quarters| durations_ns[(durations_ns.len() - 1) * quarters / 4])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of `count` instances that start one after the other, given the last first.
    fn drifts(count: u64, duration_ns: impl Fn(u64) -> u64) -> bool {
        let instance = |place| Instance {
            thread: 0,
            first: 0,
            last: 0,
            number: place as u32 + 1,
            start_ns: 10_000 * place,
            duration_ns: duration_ns(place),
            counting: instance::Counting::Every,
        };
        let instances = (0..count).rev().map(instance).collect::<Vec<_>>();
        drifting(&instances.iter().collect::<Vec<_>>())
    }

    /// From 0 to 59, evenly.
    fn scatter(place: u64) -> u64 {
        place * 37 % 60
    }

    #[test]
    fn durations_drift_if_they_rise_fall_or_step_by_more_than_they_scatter() {
        assert!(drifts(100, |place| 1000 + 2 * place));
        assert!(drifts(100, |place| 1200 - 2 * place + scatter(place) / 3));
        assert!(drifts(101, |place| 1000 + 80 * (place / 50) + scatter(place)));
    }

    #[test]
    fn durations_do_not_drift_that_scatter_alternate_or_change_by_little() {
        assert!(!drifts(100, |_| 1000));
        assert!(!drifts(100, |place| 1000 + 5 * scatter(place)));
        assert!(!drifts(100, |place| 1000 + 100 * (place % 2)));
        assert!(!drifts(100, |place| 1000 + place / 2), "by a fortieth");
        assert!(
            !drifts(100, |place| 1000 + 2 * place + 5 * scatter(place)),
            "less than they scatter"
        );
        assert!(!drifts(49, |place| 1000 + 20 * place), "too few to tell");
        assert!(!drifts(0, |_| 1000));
    }
}
