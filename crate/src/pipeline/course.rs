//! The instances of a group over the run, with their duration or what they counted.

use super::kept::Kept;
use super::measured::readings_of;
use crate::fit::{self, Estimate};
use crate::folding::{Asked, Course, CourseStretch, Fate, Trend};
use crate::instance::{Instance, Sets, is_instructions, totals};
use crate::order;
use crate::settings::Settings;
use crate::trace::Trace;

/// More points than a plot has room for are joined in cells of this many across and up.
const MOST_POINTS: usize = 10_000;
const COLUMNS: f64 = 800.0;
const ROWS: f64 = 160.0;

/// Stretches of the run that are told one by one.
const STRETCHES: usize = 12;

/// One instance as a point.
struct Point {
    start_ns: u64,
    value: f64,
    kind: u8,
    thread: u32,
}

/// The instances of a group of the last fold, which `settings` gave, and those of its region that start
/// outside of `from` and `to`, over the run; `None` if it is of other settings, or there is no such
/// group or counter. O(moments) for a counter, O(instances log instances) for durations.
#[inline(never)]
pub fn course(
    kept: &mut Kept,
    trace: &Trace,
    settings: &Settings,
    group: u32,
    asked: &Asked,
) -> Option<Course> {
    let (members, limits_ns, outside) = kept.over_run(trace, settings, group)?;
    let kind = |fate: Fate| Course::KINDS.iter().position(|kind| *kind == Some(fate));
    let own = members.iter().map(|(instance, fate)| (instance, kind(*fate).unwrap_or(1) as u8));
    let others = outside.iter().map(|instance| (instance, Course::OUTSIDE));
    let all = own.chain(others).collect::<Vec<_>>();
    let instances = all.iter().map(|(instance, _)| **instance).collect::<Vec<_>>();
    let counter = asked.counter().map(|name| trace.types.iter().position(|of| of.name == name));
    let counter = match counter {
        Some(None) => return None,
        Some(Some(index)) => Some(index as u32),
        None => None,
    };
    let values = values(trace, &instances, counter, asked);
    let points = all.iter().zip(values).filter_map(|((instance, kind), value)| {
        let &Instance { start_ns, thread, .. } = *instance;
        value.map(|value| Point { start_ns, value, kind: *kind, thread })
    });
    let mut points = points.collect::<Vec<_>>();
    order::by_number(&mut points, |point| point.start_ns);
    let known = points.iter().filter(|point| point.kind != Course::OUTSIDE).count();
    let of_type = counter.map(|index| &trace.types[index as usize]);
    let (first, last) = ends(&instances);
    let mut course = Course {
        group,
        asked: asked.to_string(),
        instructions: of_type.is_some_and(|of| is_instructions(&of.name)),
        joules: of_type.and_then(|of| settings.energy.of(&of.name, &of.description)?.joules),
        from_ns: first,
        to_ns: last,
        limits_ns,
        unknown: (members.len() - known) as u32,
        ..Course::default()
    };
    fill(&mut course, trace, points);
    Some(course)
}

/// The first and the last start.
fn ends(instances: &[Instance]) -> (f64, f64) {
    let starts = || instances.iter().map(|instance| instance.start_ns);
    (starts().min().unwrap_or(0) as f64, starts().max().unwrap_or(0) as f64)
}

/// What each instance is asked for; `None` where that is not known.
fn values(
    trace: &Trace,
    instances: &[Instance],
    counter: Option<u32>,
    asked: &Asked,
) -> Vec<Option<f64>> {
    let Some(counter) = counter else {
        return instances.iter().map(|instance| Some(instance.duration_ns as f64)).collect();
    };
    let readings = readings_of(trace, &[counter], instances);
    let totals = totals(trace, &readings, &Sets::of(trace), instances, counter);
    let value = |(instance, total): (&Instance, Option<u64>)| {
        let microseconds = instance.duration_ns as f64 / 1e3;
        let per = if matches!(asked, Asked::Rate(_)) { microseconds } else { 1.0 };
        Some(total? as f64 / per)
    };
    instances.iter().zip(totals).map(value).collect()
}

/// What is told of the points, which lie by their starts.
fn fill(course: &mut Course, trace: &Trace, points: Vec<Point>) {
    let used = points.iter().filter(|point| point.kind == Course::USED);
    let used = used.map(|point| (point.start_ns as f64, point.value)).collect::<Vec<_>>();
    course.range = range(&used);
    course.trend = trend(&used);
    course.stretches = stretches(&points);
    let points = points.iter().filter(|point| near(course, point)).collect::<Vec<_>>();
    course.of_kind = vec![0; Course::KINDS.len()];
    points.iter().for_each(|point| course.of_kind[usize::from(point.kind)] += 1);
    course.axis = axis(course.range, points.iter().map(|point| point.value));
    let cells = if points.len() > MOST_POINTS { joined(course, &points) } else { vec![] };
    course.thinned = !cells.is_empty();
    let shown: Vec<(&Point, u32)> = match course.thinned {
        true => cells,
        false => points.into_iter().map(|point| (point, 1)).collect(),
    };
    let (mut threads, mut places) = (vec![], vec![None; trace.threads.len()]);
    for (point, count) in shown {
        course.starts_ns.push(point.start_ns as f64);
        course.values.push(point.value);
        course.kinds.push(point.kind);
        course.counts.push(count);
        let place = &mut places[point.thread as usize];
        course.threads_of.push(*place.get_or_insert_with(|| {
            threads.push(point.thread);
            threads.len() as u32 - 1
        }));
    }
    let name = |thread: &u32| {
        let object = trace.threads[*thread as usize].object;
        format!("{}.{}.{}", object.application, object.task, object.thread)
    };
    course.threads = threads.iter().map(name).collect();
}

/// What starts outside of the chosen part of the run is of the group as far as anybody can tell: its
/// region may have others, which last many times as long.
const NEAR: f64 = 2.0;

fn near(course: &Course, point: &Point) -> bool {
    let Some([least, _, most]) = course.range else { return true };
    point.kind != Course::OUTSIDE || (least / NEAR..=most * NEAR).contains(&point.value)
}

/// The first point of each cell and kind, with how many there are, by the cell's first start.
fn joined<'a>(course: &Course, points: &[&'a Point]) -> Vec<(&'a Point, u32)> {
    let [least, most] = course.axis;
    let cell = |value: f64, from: f64, to: f64, cells: f64| {
        let share = (value - from) / (to - from);
        if share.is_finite() { (share * cells).clamp(0.0, cells - 1.0) as u64 } else { 0 }
    };
    let mut numbers = order::Numbers::default();
    let mut cells: Vec<(&Point, u32)> = vec![];
    for point in points {
        let column = cell(point.start_ns as f64, course.from_ns, course.to_ns, COLUMNS);
        let row = cell(point.value, least, most, ROWS);
        let number = numbers.of([column, row, u64::from(point.kind)]);
        match cells.get_mut(number) {
            Some((_, count)) => *count += 1,
            None => cells.push((point, 1)),
        }
    }
    cells
}

/// Beside the values, as a share of what they span.
const MARGIN: f64 = 0.06;
/// What values span that are all alike, as a share of them.
const LEAST_SPAN: f64 = 0.02;

/// What the axis of values reaches over: those that were folded, and of the others what lies no further
/// beside them than they span; all of them if none was folded.
fn axis(range: Option<[f64; 3]>, values: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let (least, most) = match range {
        Some([least, _, most]) => (least, most),
        None => (values.clone().fold(f64::MAX, f64::min), values.clone().fold(0.0, f64::max)),
    };
    let span = (most - least).max(LEAST_SPAN * most).max(f64::MIN_POSITIVE);
    let near = values.filter(|value| (least - span..=most + span).contains(value));
    let reach = |ends: (f64, f64), value: f64| (ends.0.min(value), ends.1.max(value));
    let (low, high) = near.fold((least, most), reach);
    let margin = MARGIN * (high - low).max(span);
    [(low - margin).max(0.0), high + margin]
}

fn range(used: &[(f64, f64)]) -> Option<[f64; 3]> {
    let values = used.iter().map(|(_, value)| *value).collect::<Vec<_>>();
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some([least, fit::median(values), most])
}

fn trend(used: &[(f64, f64)]) -> Option<Trend> {
    let joined = fit::joined(used);
    let of = |Estimate { value, low, high }: Estimate| [value, low, high];
    let (first, _) = joined.split_at(joined.len() / 2);
    let values = |points: &[(f64, f64)]| fit::median(points.iter().map(|(_, y)| *y).collect());
    Some(Trend {
        slope: fit::slope(&joined).map(of)?,
        at_ns: fit::median(joined.iter().map(|(x, _)| *x).collect()),
        middle: values(&joined),
        shift: fit::shift(&joined).map(of)?,
        first: values(first),
    })
}

fn stretches(points: &[Point]) -> Vec<CourseStretch> {
    let own = points.iter().filter(|point| point.kind != Course::OUTSIDE).collect::<Vec<_>>();
    let (Some(first), Some(last)) = (own.first(), own.last()) else { return vec![] };
    let (from, to) = (first.start_ns as f64, last.start_ns as f64);
    let count = STRETCHES.min(own.len());
    let at = |border: usize| from + (to - from) * border as f64 / count as f64;
    let stretch = |number: usize| {
        let [from_ns, to_ns] = [number, number + 1].map(at);
        let is_in = |point: &&&Point| {
            let start = point.start_ns as f64;
            from_ns <= start && (start < to_ns || number + 1 == count)
        };
        let inside = own.iter().filter(is_in);
        let used = inside.clone().filter(|point| point.kind == Course::USED);
        let used = used.map(|point| point.value).collect::<Vec<_>>();
        CourseStretch {
            from_ns,
            to_ns,
            used: used.len() as u32,
            left: (inside.count() - used.len()) as u32,
            median: (!used.is_empty()).then(|| fit::median(used)),
        }
    };
    (0..count).map(stretch).collect()
}
