//! Regions that no event delimits, from the trace to the files: passes of a loop and bursts, of
//! counters that are read at calls only.

use std::fmt::Write;

use crate::traces::{fold, open, settings, try_open};
use tracefold::export::{Format, export};
use tracefold::folding::{CurveKind, Fate, Folding, RegionKind};
use tracefold::pipeline;
use tracefold::trace::Trace;

const LABELS: &str = "EVENT_TYPE
9 50000001 MPI Point-to-point
VALUES
3 MPI_Send
4 MPI_Recv
0 Outside MPI

EVENT_TYPE
7 42000050 PAPI_TOT_INS [Instr completed]
";

/// What a rank does in a pass, each of two bursts with the call after it: how long a burst takes, what
/// it counts, and how long the call takes, which counts ten events per nanosecond.
const PASS: [(u64, u64, u64, u64); 2] = [(3000, 6000, 3, 500), (1000, 5000, 4, 500)];

/// A run of `passes` on each of `ranks`, which begin and end with a burst of 800 ns; `jitter` ns are
/// taken from one burst and given to the other in every second pass.
fn run(ranks: u64, passes: u64, jitter: u64) -> Trace {
    let mut records = String::new();
    let mut end = 0;
    for rank in 1..=ranks {
        let at = format!("{rank}:1:{rank}:1");
        let mut now = 0;
        let burst = |records: &mut String, now: &mut u64, ns: u64| {
            let _ = writeln!(records, "1:{at}:{now}:{}:1", *now + ns);
            *now += ns;
        };
        let _ = writeln!(records, "2:{at}:0:42000050:0");
        burst(&mut records, &mut now, 800);
        let mut counted = 800;
        for pass in 0..passes {
            for (number, (ns, events, call, call_ns)) in (0..).zip(PASS) {
                let ns = match (pass % 2, number) {
                    (0, 0) => ns - jitter,
                    (0, _) => ns + jitter,
                    _ => ns,
                };
                let _ = writeln!(records, "2:{at}:{now}:50000001:{call}:42000050:{counted}");
                now += call_ns;
                let waited = 10 * call_ns;
                let _ = writeln!(records, "2:{at}:{now}:50000001:0:42000050:{waited}");
                burst(&mut records, &mut now, ns);
                counted = events;
            }
        }
        let _ = writeln!(records, "2:{at}:{now}:42000050:{counted}");
        end = now.max(end);
    }
    let each = (1..=ranks).map(|node| format!("1:{node}")).collect::<Vec<_>>().join(",");
    let nodes = vec!["1"; ranks as usize].join(",");
    let header =
        format!("#Paraver (01/02/2026 at 10:00):{end}_ns:{ranks}({nodes}):1:{ranks}({each})\n");
    open(&[("run.prv", (header + &records).as_bytes()), ("run.pcf", LABELS.as_bytes())])
}

const SENDS: &str = "Iteration: from MPI_Send";

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn a_run_that_nobody_prepared_shows_its_iteration_first() {
    let (rows, first) = pipeline::catalogue(&run(3, 20, 0), &settings(&[]).unwrap());
    assert_eq!(first.as_deref(), Some(SENDS));
    let row = rows.iter().find(|row| row.region == SENDS).unwrap();
    assert_eq!((row.kind, row.alias.as_deref()), (RegionKind::Iteration, Some("Iteration:1")));
    assert_eq!((row.instances, row.group, row.median_ms), (60, 1, 5e-3));
    near(row.share, 100_000.0 / 100_800.0);
    // Behind its begin and up to its end four calls are entered or left.
    assert_eq!((row.readings, row.samples), (240, 180));
}

/// Of one rank that calls four sites in every pass, and five more before every second one, which
/// together cover the whole run.
fn with_a_move_every_second_pass(passes: u64) -> Trace {
    let (mut records, mut now) = (String::new(), 0);
    let mut burst_and_call = |ns: u64, call: u64| {
        let _ = writeln!(records, "1:1:1:1:1:{now}:{}:1", now + ns);
        let _ = writeln!(records, "2:1:1:1:1:{}:50000001:{call}", now + ns);
        now += ns + 10;
        let _ = writeln!(records, "2:1:1:1:1:{now}:50000001:0");
    };
    for pass in 0..passes {
        if pass % 2 == 0 {
            (5..=9).for_each(|call| burst_and_call(40, call));
        }
        (1..=4).for_each(|call| burst_and_call(1000 * call, call));
    }
    let header = format!("#Paraver (01/02/2026 at 10:00):{now}_ns:1(1):1:1(1:1)\n");
    open(&[("run.prv", (header + &records).as_bytes()), ("run.pcf", LABELS.as_bytes())])
}

#[test]
fn what_happens_every_second_pass_is_no_loop_to_show_first() {
    for passes in [20, 28, 30] {
        let trace = with_a_move_every_second_pass(passes);
        let (rows, first) = pipeline::catalogue(&trace, &settings(&[]).unwrap());
        let first = rows.iter().find(|row| Some(&row.region) == first.as_ref()).unwrap();
        assert_eq!(first.alias.as_deref(), Some("Iteration:1"), "{passes}");
        assert!((passes - 1..=passes).contains(&first.instances.into()), "{passes}");
        let every_second = rows.iter().find(|row| row.alias.as_deref() == Some("Iteration:2"));
        let every_second = every_second.unwrap();
        assert_eq!(u64::from(every_second.instances), passes / 2);
        assert!(every_second.share > first.share, "{passes}");
    }
}

#[test]
fn rates_of_an_iteration_are_steps_between_its_calls() {
    for jitter in [0, 400] {
        let folding = fold(&run(2, 30, jitter), &[]);
        assert_eq!((folding.region.as_str(), folding.kind), (SENDS, RegionKind::Iteration));
        let group = &folding.groups[0];
        assert_eq!((group.fit.kind, group.kept), (CurveKind::Steps, 60));
        assert_eq!(group.callers, None, "no callers were recorded");
        let sites = group.breaks.iter().map(|at| at.site.as_str()).collect::<Vec<_>>();
        assert_eq!(sites, ["after MPI_Send", "MPI_Recv", "after MPI_Recv"]);
        let names = group.phases.iter().map(|phase| phase.name.as_str()).collect::<Vec<_>>();
        assert_eq!(names, ["", "after MPI_Send", "MPI_Recv", "after MPI_Recv"]);
        // The mean of the bursts with and without the jitter.
        let moved = jitter as f64 / 2.0;
        let steps =
            [(500.0, 5000.0), (3000.0 - moved, 6000.0), (500.0, 5000.0), (1000.0 + moved, 5000.0)];
        let of_all = group.curves[0].of_all();
        // Between entering a call and leaving it nobody computes.
        let computes = [false, true, false, true];
        let mut end = 0.0;
        for (index, (ns, events)) in steps.into_iter().enumerate() {
            near(of_all.phases[index].rate, events / ns * 1e3);
            let computing = group.in_phase(&group.curves[0], index).map(|of| of.rate);
            match computes[index] {
                // As many ranks are late for a call as the jitter moves, if any.
                true => {
                    // A thousandth of the region beside its border others compute.
                    let expected = events / ns * 1e3;
                    assert!((computing.unwrap() / expected - 1.0).abs() < 1e-3, "{index}");
                }
                // All ranks send at the begin of a pass.
                false => assert_eq!(computing.is_none(), index == 0 || jitter == 0, "{index}"),
            }
            end += ns / 5000.0;
            if let Some(at) = group.breaks.get(index) {
                near(at.at, end);
            }
        }
        near(of_all.mean_rate, 21_000.0 / 5.0);
    }
}

#[test]
fn an_alias_means_the_same_region_and_the_name_of_the_answer_finds_it_again() {
    let trace = run(2, 20, 100);
    let by_alias = fold(&trace, &["region=Iteration:1"]);
    // Where all ranks wait there is no rate, which equals none.
    let text = |folding: &Folding| serde_json::to_string(folding).unwrap();
    assert_eq!(text(&by_alias), text(&fold(&trace, &[])));
    let by_name = fold(&trace, &[&format!("region={}", by_alias.region)]);
    assert_eq!(text(&by_alias), text(&by_name));
    let unknown = pipeline::run(&trace, &settings(&["region=Iteration:7"]).unwrap());
    let error = unknown.unwrap_err().to_string();
    assert!(error.contains("Iteration:7") && error.contains(SENDS), "{error}");
}

#[test]
fn a_burst_counts_what_is_read_at_its_end_and_no_more() {
    let folding = fold(&run(2, 20, 0), &["region=Burst:*"]);
    // The burst before the loop is one of a rank: too few to be a group.
    assert_eq!((folding.kind, folding.groups.len()), (RegionKind::Burst, 2));
    let rates = folding.groups.iter().map(|group| group.curves[0].mean_rate);
    for (rate, expected) in rates.zip([5000.0, 2000.0]) {
        near(rate, expected);
    }
    assert!(folding.groups.iter().all(|group| group.fit.kind == CurveKind::Steps));
}

/// A call that begins and ends at once, where a burst ends: two readings in one moment.
#[test]
fn of_two_readings_in_one_moment_the_first_is_of_the_burst() {
    let mut records = String::from("#Paraver (01/02/2026 at 10:00):20000_ns:1(1):1:1(1:1)\n");
    for (begin, end) in (0..10).map(|number| (2000 * number, 2000 * number + 1000)) {
        let _ = writeln!(records, "1:1:1:1:1:{begin}:{end}:1");
        let _ = writeln!(records, "2:1:1:1:1:{begin}:50000001:0:42000050:777");
        let _ = writeln!(records, "2:1:1:1:1:{end}:50000001:3:42000050:4000");
        let _ = writeln!(records, "2:1:1:1:1:{end}:50000001:0:50000001:4:42000050:90");
    }
    let trace = open(&[("a.prv", records.as_bytes()), ("a.pcf", LABELS.as_bytes())]);
    let folding = fold(&trace, &["region=Burst:*"]);
    near(folding.groups[0].curves[0].mean_rate, 4000.0);
}

#[test]
fn an_iteration_that_ends_between_readings_has_what_was_counted_until_then() {
    // The last pass ends as long after its last call as the others: inside the burst at the end,
    // which counts 5,000 events in 1,000 ns.
    let folding = fold(&run(2, 12, 0), &[]);
    let group = &folding.groups[0];
    assert_eq!((group.kept, group.curves[0].instances), (24, 24));
    assert!(group.rows.iter().all(|row| (row.duration_ns, row.fate) == (5000, Fate::Used)));
    near(group.curves[0].mean_count, 21_000.0);
}

#[test]
fn every_file_of_an_iteration_is_written_and_read_back() {
    let trace = run(2, 20, 100);
    let folded = pipeline::run(&trace, &settings(&[]).unwrap()).unwrap();
    let folded = std::slice::from_ref(&folded);
    for format in ["csv", "json", "svg", "gnuplot", "paraver", "extract"] {
        let files = export(&trace, folded, Format::parse(format).unwrap()).unwrap();
        assert!(!files[0].bytes.is_empty(), "{format}");
        if ["paraver", "extract"].contains(&format) {
            let named = files.iter().map(|file| (file.name.as_str(), file.bytes.as_slice()));
            let again = try_open(&named.collect::<Vec<_>>()).unwrap();
            let (rows, _) = pipeline::catalogue(&again, &settings(&[]).unwrap());
            let names = rows.iter().map(|row| row.region.replace('_', " "));
            let is_there = |name: String| name.ends_with(":Iteration: from MPI Send");
            assert!(names.into_iter().any(is_there), "{format}: {rows:?}");
        }
        if format == "json" {
            let text = std::str::from_utf8(&files[0].bytes).unwrap();
            let read = serde_json::from_str::<Vec<Folding>>(text).unwrap();
            assert_eq!(read[0].kind, RegionKind::Iteration);
        }
    }
}

#[test]
fn iterations_and_instances_of_events_that_are_alike_leave_the_first_place_to_what_was_marked() {
    let mut records = String::from("#Paraver (01/02/2026 at 10:00):42000_ns:1(1):1:1(1:1)\n");
    for begin in (0..20).map(|number| 2000 * number + 1000) {
        let _ = writeln!(records, "2:1:1:1:1:{begin}:60000019:3:42000050:10");
        for (number, at) in (0..5).map(|number| (number, begin + 100 + 300 * number)) {
            let _ = writeln!(records, "2:1:1:1:1:{at}:42000050:{}", 200 + number);
        }
        let _ = writeln!(records, "2:1:1:1:1:{}:60000019:0:42000050:400", begin + 1900);
    }
    let trace = open(&[("a.prv", records.as_bytes()), ("a.pcf", LABELS.as_bytes())]);
    let (rows, first) = pipeline::catalogue(&trace, &settings(&[]).unwrap());
    assert!(rows.iter().any(|row| row.kind == RegionKind::Iteration), "it is found all the same");
    assert_eq!(first.as_deref(), Some("User function:3"));
}

#[test]
fn shares_are_of_all_the_time_that_events_and_states_tell_of() {
    let mut records = String::from("#Paraver (01/02/2026 at 10:00):20000_ns:1(1):1:1(1:1)\n");
    for (begin, end) in [(0, 1000), (2000, 10_000)] {
        let _ = writeln!(records, "1:1:1:1:1:{begin}:{end}:1");
    }
    records += "2:1:1:1:1:1000:50000001:3\n2:1:1:1:1:2000:50000001:0\n";
    let trace = open(&[("a.prv", records.as_bytes()), ("a.pcf", LABELS.as_bytes())]);
    let (rows, _) = pipeline::catalogue(&trace, &settings(&["group=none"]).unwrap());
    let row = rows.iter().find(|row| row.kind == RegionKind::Burst).unwrap();
    assert_eq!((row.instances, row.share), (2, 0.9));
}

#[test]
fn all_clusters_are_one_set_of_tables_and_one_picture_with_equal_axes() {
    let trace = run(2, 20, 0);
    let folded = pipeline::run_each(&trace, &settings(&["region=Cluster:*"]).unwrap(), &[]);
    let folded = folded.unwrap();
    let names = folded.iter().map(|(folding, _)| folding.region.as_str()).collect::<Vec<_>>();
    assert_eq!(names.len(), 2, "{names:?}");
    let files = |format| export(&trace, &folded, format).unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    for file in files(Format::Csv) {
        if ["curves.csv", "groups.csv"].contains(&file.name.as_str()) {
            let table = text(&file.bytes);
            assert!(names.iter().all(|name| table.contains(&format!("\n{name},"))), "{table}");
        }
    }
    assert_eq!(files(Format::Json).len(), 1);
    let pictures = files(Format::Svg);
    assert_eq!(pictures.iter().map(|file| &file.name).collect::<Vec<_>>(), ["folding.svg"]);
    let svg = text(&pictures[0].bytes);
    assert!(names.iter().all(|name| svg.contains(&format!(">{name}</text>"))), "{svg}");
    // Bursts of 2,000 and 5,000 MIPS on one axis: each panel has the larger one's.
    let axes = svg.matches(">5\u{202f}000</text>").count();
    assert_eq!(axes, 2, "{svg}");
}
