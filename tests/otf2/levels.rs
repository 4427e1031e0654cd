//! Metrics of processes and nodes: read by locations that are no threads, folded as levels.

use tracefold::accumulate::By;
use tracefold::folding::{Folding, Gauge};
use tracefold::trace::Beside;

use super::*;
use crate::parts::adding::adds_up;

const MS: u64 = 1_000_000;
const ITERATIONS: u64 = 24;
/// Of an iteration and of its first part, in milliseconds: readings come every one, and none is on a border.
const LONG: u64 = 10;
const FIRST: u64 = 4;

/// A level in both parts of an iteration.
type Parts = [f64; 2];

/// What a location of metrics reads each millisecond: name, mode, type, exponent and unit.
#[derive(Clone, Copy)]
struct Metric {
    name: &'static str,
    mode: u8,
    of_type: u8,
    exponent: i64,
    unit: &'static str,
    /// Of the value itself, or of what comes each millisecond.
    parts: Parts,
    /// Kind and number, of [`Definitions::instance`]; `None` if it is read as a class.
    scope: Option<(u8, u64)>,
    /// The group of its location.
    group: u64,
}

const POWER: Metric = Metric {
    name: "power",
    mode: 0x11,
    of_type: 10,
    exponent: 0,
    unit: "W",
    parts: [100.0, 250.0],
    scope: Some((2, 1)),
    group: 0,
};

/// Processes 0 and 1 on node 1, process 2 on node 2; 0 is the machine.
fn run(metrics: &[Metric]) -> Archive {
    let format = Format::default();
    let mut all = Definitions::new(format, 1_000_000_000, 0);
    let machine = all.node("m", "machine", UNDEFINED);
    let nodes = ["n1", "n2"].map(|name| all.node(name, "node", machine));
    for node in [nodes[0], nodes[0], nodes[1]] {
        all.group("process", node, None);
    }
    all.region("iteration", 1, 1, "a.c", 1);
    let mut files = vec![];
    for location in 0..3 {
        all.location(location, 1, 2 * ITERATIONS, location);
        let mut events = File::new(format);
        for at in 0..ITERATIONS {
            let begin = (2 + at * LONG) * MS + MS / 2;
            events.event(begin, event::ENTER, body().number(0));
            events.event(begin + LONG * MS, event::LEAVE, body().number(0));
        }
        files.push((format!("traces/{location}.evt"), events.finish()));
        files.push((format!("traces/{location}.def"), File::new(format).finish()));
    }
    for (location, metric) in (100..).zip(metrics) {
        all.location(location, 3, 0, metric.group);
        let Metric { name, mode, of_type, exponent, unit, .. } = *metric;
        let member = all.member(name, mode, of_type, exponent, unit);
        let class = all.class(&[member], 2);
        let of = match metric.scope {
            Some((scope, of)) => all.instance(class, location, scope, of),
            None => class,
        };
        let mut events = File::new(format);
        let mut sum = 0.0;
        for at in 0..ITERATIONS * LONG + 6 {
            // Half a millisecond off the borders of iterations and their parts.
            let ms_of_iteration = (at + LONG - 2) % LONG;
            let is_first = (1..=FIRST).contains(&ms_of_iteration);
            let value = metric.parts[usize::from(!is_first)];
            sum += value;
            let value = if mode == 0 { sum } else { value };
            let bits = if of_type == 10 { value.to_bits() } else { value as i64 as u64 };
            let body = body().number(of).byte(1).byte(of_type).number_64(bits);
            events.event(at * MS, event::METRIC, body);
        }
        files.push((format!("traces/{location}.evt"), events.finish()));
        files.push((format!("traces/{location}.def"), File::new(format).finish()));
    }
    files.push(("traces.otf2".to_owned(), Anchor::default().bytes()));
    files.push(("traces.def".to_owned(), all.file.finish()));
    files
}

fn folded(trace: &Trace, more: &[&str]) -> Folding {
    let region = ["region=User function:iteration"];
    let settings = traces::settings(&[&region, more].concat()).unwrap();
    pipeline::run(trace, &settings).unwrap_or_else(|error| panic!("{error}")).0
}

fn gauges(trace: &Trace) -> Vec<Gauge> {
    folded(trace, &["holds=previous"]).groups[0].gauges.clone()
}

/// That the steps of a gauge are those of `parts`: of readings half a step off the first and the last
/// step of each part lie between both.
#[track_caller]
fn is_of(gauge: &Gauge, name: &str, parts: Parts) {
    assert_eq!(gauge.name, name);
    let cells = &gauge.values.cells;
    assert_eq!((cells.len() as u64, gauge.period_ns), (LONG, MS), "{name}");
    let cell = |at: u64| {
        let value = |at: u64| parts[usize::from(!(1..=FIRST).contains(&(at % LONG)))];
        // A reading tells of the millisecond before it.
        (value(at + 1) + value(at + 2)) / 2.0
    };
    for (at, found) in (0..).zip(cells) {
        let expected = cell(at);
        assert!((found - expected).abs() < 1e-6 * expected.abs(), "{name}: {at} of {cells:?}");
    }
}

#[test]
fn a_level_is_of_what_its_metric_is_of() {
    let memory = |process: u64| Metric {
        name: "memory",
        of_type: 4,
        unit: "B",
        exponent: 3,
        parts: [2.0 + process as f64, 8.0 + process as f64],
        scope: Some((1, process)),
        ..POWER
    };
    let far = Metric { parts: [40.0, 70.0], scope: Some((2, 2)), ..POWER };
    let trace = read(&run(&[POWER, far, memory(0), memory(1), memory(2)]));
    assert_eq!(told(&trace), [""; 0]);
    assert_eq!((trace.threads.len(), trace.readers.len()), (3, 5));
    let beside = trace.readers.iter().map(|reader| reader.object.beside().unwrap());
    let tasks = (1..=3).map(Beside::Task);
    assert_eq!(
        beside.collect::<Vec<_>>(),
        tasks.chain((1..=2).map(Beside::Node)).collect::<Vec<_>>()
    );
    let nodes = trace.readers.iter().map(|reader| trace.node(reader.object));
    assert_eq!(nodes.collect::<Vec<_>>(), [1, 1, 2, 1, 2]);

    let all = gauges(&trace);
    assert_eq!(all.len(), 2, "{all:?}");
    // Two of three instances run on the first node.
    is_of(&all[0], "power (W)", [80.0, 190.0]);
    is_of(&all[1], "memory (B)", [3000.0, 9000.0]);
    let readers = all.iter().map(|of| (of.readers, of.is_own, of.is_rate));
    assert_eq!(readers.collect::<Vec<_>>(), [(2, false, false), (3, false, false)]);
    let of_last = folded(&trace, &["objects=1.3.1", "holds=previous"]);
    is_of(&of_last.groups[0].gauges[0], "power (W)", [40.0, 70.0]);
    is_of(&of_last.groups[0].gauges[1], "memory (B)", [4000.0, 10_000.0]);
}

#[test]
fn the_mode_says_of_what_time_a_reading_is_and_what_comes_is_told_by_the_second() {
    // Half a joule and two each millisecond, in microjoules.
    let energy = Metric {
        name: "energy",
        mode: 0,
        of_type: 4,
        exponent: -6,
        unit: "J",
        parts: [500_000.0, 2_000_000.0],
        ..POWER
    };
    let sent = Metric { name: "sent", mode: 0x20, unit: "B", parts: [3.0, 9.0], ..energy };
    let packets = Metric { name: "packets", exponent: 0, unit: "#", ..sent };
    let since = Metric { name: "mean", mode: 0x21, parts: [-3.0, -5.0], ..POWER };
    let trace = read(&run(&[energy, sent, packets, since]));
    // Whatever the setting is: the mode says it.
    let all = &folded(&trace, &["holds=next"]).groups[0].gauges;
    let find = |name: &str| all.iter().find(|of| of.name.starts_with(name)).unwrap();
    is_of(find("energy"), "energy (W)", [500.0, 2000.0]);
    is_of(find("sent"), "sent (B/s)", [3e-3, 9e-3]);
    is_of(find("packets"), "packets (/s)", [3000.0, 9000.0]);
    is_of(find("mean"), "mean (W)", [-3.0, -5.0]);
}

#[test]
fn what_falls_is_no_sum_whatever_the_archive_says_and_neither_is_its_family() {
    // Said to be accumulated, and none of it is: the second one rises all the time.
    let falls = Metric { name: "clock0", mode: 0, parts: [-5.0, 2.0], unit: "Hz", ..POWER };
    let rises = Metric { name: "clock1", parts: [1.0, 2.0], ..falls };
    let alone = Metric { name: "count", parts: [1.0, 2.0], unit: "#", ..falls };
    let trace = read(&run(&[falls, rises, alone]));
    let names = gauges(&trace).into_iter().map(|of| of.name).collect::<Vec<_>>();
    assert_eq!(names, ["clock0 (Hz)", "clock1 (Hz)", "count (/s)"]);
}

#[test]
fn a_class_is_of_the_process_of_its_location_and_of_nobody_if_that_has_none() {
    let own = Metric { scope: None, group: 2, ..POWER };
    let nobodys = Metric { name: "lost", scope: None, group: 77, ..POWER };
    let undefined = Metric { name: "elsewhere", scope: Some((1, 99)), group: 77, ..POWER };
    // Of all nodes: of that which reads it.
    let machine = Metric { name: "machine", scope: Some((2, 0)), group: 2, ..POWER };
    let trace = read(&run(&[own, nobodys, undefined, machine]));
    let text = "A reading of a metric of which nobody says whose it is; it was left out.";
    assert_eq!(told(&trace), [format!("{text} ×492 101.evt")]);
    let beside = trace.readers.iter().map(|reader| reader.object.beside().unwrap());
    assert_eq!(beside.collect::<Vec<_>>(), [Beside::Task(3), Beside::Node(2)]);
    let names = |more: &[&str]| {
        let gauges = folded(&trace, more).groups[0].gauges.clone();
        gauges.into_iter().map(|of| of.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&["objects=1.3.1"]), ["power (W)", "machine (W)"]);
    assert_eq!(names(&["objects=1.1.1"]), [""; 0], "of another node");
}

#[test]
fn what_cannot_be_shown_has_no_gauge() {
    let constant = Metric { parts: [7.0, 7.0], ..POWER };
    let nothing = Metric { name: "none", parts: [f64::NAN, f64::INFINITY], ..POWER };
    let still = Metric { name: "still", mode: 0, parts: [0.0, 0.0], ..POWER };
    let huge = Metric { name: "huge", exponent: i64::MAX, parts: [1.0, 2.0], ..POWER };
    let trace = read(&run(&[constant, nothing, still, huge]));
    assert_eq!(gauges(&trace), []);
}

#[test]
fn what_is_read_of_some_threads_keeps_what_is_read_beside_them() {
    let memory = Metric { name: "memory", scope: Some((1, 2)), unit: "B", ..POWER };
    let far = Metric { scope: Some((2, 2)), ..POWER };
    let files = run(&[memory, far]);
    let named = files.iter().map(|(name, bytes)| NamedFile::new(name.clone(), bytes.as_slice()));
    let found = candidates(named.collect(), &mut |_| {}).unwrap();
    let only = |text: &str| Only { objects: text.parse().unwrap(), ..Only::default() };
    let read_only = |only: Only| {
        let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
        let opening = found.opening(None, report).unwrap().only(only);
        opening.whole(&mut Watch::new(report, early)).unwrap()
    };
    let last = read_only(only("1.3.1"));
    assert_eq!((last.threads.len(), last.readers.len()), (1, 2));
    let first = read_only(only("1.1.1"));
    assert_eq!((first.threads.len(), first.readers.len()), (1, 1));
    let none = read_only(only("1.9.1"));
    let text = "Nothing of what was to be read is in the trace.";
    assert!(none.notices.iter().any(|notice| notice.text == text));
}

#[test]
fn levels_add_up_in_parts_and_over_ranks() {
    let memory = Metric { name: "memory", scope: Some((1, 2)), unit: "B", ..POWER };
    let files = run(&[POWER, memory]);
    let region = "User function:iteration";
    adds_up(&files, region, &[(By::Tasks, &[1, 2, 3])], 2);

    // The same run twice, as ranks of one: those of a node read for each of its tasks.
    let both = ["one", "two"].into_iter().flat_map(|folder| {
        files.iter().map(move |(name, bytes)| (format!("{folder}/{name}"), bytes))
    });
    let named = both.map(|(name, bytes)| NamedFile::new(name, bytes.as_slice()));
    let found = candidates(named.collect(), &mut |_| {}).unwrap();
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let trace = found.ranks(&Only::default(), &mut Watch::new(report, early)).unwrap();
    let beside = trace.readers.iter().map(|reader| reader.object.beside().unwrap());
    let mut beside = beside.map(|of| format!("{of:?}")).collect::<Vec<_>>();
    beside.sort();
    let expected = [1, 2, 3, 4, 5, 6].map(|task| format!("Task({task})"));
    assert_eq!(beside, expected);
    let levels = trace.types.iter().filter(|of| matches!(of.kind, Kind::Level(_))).count();
    assert_eq!(levels, 2);
    let of_power = folded(&trace, &["objects=1.5.1", "holds=previous"]);
    is_of(&of_power.groups[0].gauges[0], "power (W)", POWER.parts);
}
