//! Which instances, samples and counters a trace has: small traces written out, by the rules of
//! `instance`, and made-up ones with known truth.

use std::collections::BTreeSet;

use crate::traces::{HEADER, MINI_PCF, MINI_PRV, fold, fold_with_points, open, settings};
use tracefold::export::{self, Format};
use tracefold::folding::{Axis as ResultAxis, FoldedCounter, Group, RegionKind};
use tracefold::instance::{
    self, CatalogueRow, Giving, Grouping, Outliers, Readings, Region, Rulers, Sets, Wanted,
};
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::Trace;
use tracefold_generate::{Shape, generate};

const ALL: [&str; 2] = ["group=none", "outliers=none"];

fn trace(records: &str) -> Trace {
    open(&[("a.prv", format!("{HEADER}{records}").as_bytes())])
}

/// Begin and end of the instances of `region`, in order.
#[track_caller]
fn check(records: &str, region: &str, expected: &[(u64, u64)]) {
    assert_eq!(instances(&trace(records), region), expected);
}

#[track_caller]
fn instances(trace: &Trace, region: &str) -> Vec<(u64, u64)> {
    let region = format!("region={region}");
    let texts = [ALL[0], ALL[1], &region];
    let Ok(folded) = pipeline::run(trace, &settings(&texts).unwrap()) else { return vec![] };
    let rows = folded.0.groups.into_iter().flat_map(|group| group.rows);
    let mut found = rows.map(|r| (r.start_ns, r.start_ns + r.duration_ns)).collect::<Vec<_>>();
    found.sort_unstable();
    found
}

/// Lines of one thread: time and pairs.
fn events(lines: &[(u64, &str)]) -> String {
    lines.iter().map(|(time, pairs)| format!("2:1:1:1:1:{time}:{pairs}\n")).collect()
}

#[test]
fn of_very_many_values_each_is_offered_with_its_own_instances() {
    // Clusters that somebody else found: value v lasts v ns, three times, in no order of the values.
    const VALUES: u64 = 20_000;
    let values = (0..3 * VALUES).map(|at| 1 + at * 7919 % VALUES).collect::<Vec<_>>();
    let (mut records, mut now) = (String::new(), 0);
    for value in &values {
        records += &format!("2:1:1:1:1:{now}:90000001:{value}\n");
        now += value;
        records += &format!("2:1:1:1:1:{now}:90000001:0\n");
    }
    let (rows, _) = pipeline::catalogue(&trace(&records), &settings(&ALL).unwrap());
    let found = rows.iter().filter(|row| row.kind == RegionKind::Events).map(|row| {
        let (_, value) = row.region.rsplit_once(':').unwrap();
        (value.parse::<u64>().unwrap(), row.instances, (row.mean_ms * 1e6).round() as u64)
    });
    let mut found = found.collect::<Vec<_>>();
    found.sort_unstable();
    assert_eq!(found, (1..=VALUES).map(|value| (value, 3, value)).collect::<Vec<_>>());
    // Two of them nested: of a value inside itself the outermost counts, of another both.
    let nested = "2:1:1:1:1:10:60000019:5\n2:1:1:1:1:20:60000019:5\n2:1:1:1:1:30:60000019:6\n\
                  2:1:1:1:1:40:60000019:0\n2:1:1:1:1:50:60000019:0\n2:1:1:1:1:70:60000019:0\n";
    let (rows, _) = pipeline::catalogue(&trace(nested), &settings(&ALL).unwrap());
    let mut durations = rows.iter().map(|row| (row.instances, (row.mean_ms * 1e6).round()));
    assert!(durations.any(|of| of == (1, 60.0)), "{rows:?}");
    assert!(durations.any(|of| of == (1, 10.0)), "{rows:?}");
}

#[test]
fn the_smallest_trace_folds_as_worked_out_by_hand() {
    let trace = open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let (folding, points) = fold_with_points(&trace, &ALL);
    assert_eq!(folding.region, "User function:kernel");
    let group = &folding.groups[0];
    assert_eq!((group.instances, group.mean_duration_ns, group.samples), (2, 1e6, 3));
    let curve = |name: &str| group.curves.iter().find(|curve| curve.counter == name).unwrap();
    assert_eq!(curve("PAPI_TOT_INS").mean_count, f64::midpoint(1700.0, 1670.0));
    assert_eq!(curve("PAPI_TOT_CYC").mean_rate, (1250.0 + 1260.0) / 2000.0);
    let cloud = points.cloud(1, "PAPI_TOT_INS").unwrap();
    let cloud = cloud.x.iter().copied().zip(cloud.y.iter().copied()).collect::<Vec<_>>();
    assert_eq!(cloud, [(0.4, 900.0 / 1700.0), (0.9, 1600.0 / 1700.0), (0.4, 880.0 / 1670.0)]);
    let lines = group.places.iter().map(|p| (p.file.as_str(), p.line, p.samples));
    assert_eq!(lines.collect::<Vec<_>>(), [("k.c", 12, 2), ("k.c", 19, 1)]);
}

#[test]
fn calls_nest_and_other_regions_close_the_one_before() {
    let calls = [(1, "60000019:3"), (2, "60000019:4"), (5, "60000019:0"), (9, "60000019:0")];
    check(&events(&calls), "60000019:3", &[(1, 9)]);
    check(&events(&calls), "60000019:4", &[(2, 5)]);
    let user = [(1, "1000:3"), (2, "1000:4"), (5, "1000:0"), (9, "1000:0")];
    check(&events(&user), "1000:3", &[(1, 2)]);
    check(&events(&user), "1000:4", &[(2, 5)]);
}

#[test]
fn of_a_region_inside_itself_only_the_outermost_is_an_instance() {
    let recursive = [
        (1, "60000019:3"),
        (2, "60000019:4"),
        (3, "60000019:3"),
        (4, "60000019:0"),
        (5, "60000019:0"),
        (9, "60000019:0"),
    ];
    check(&events(&recursive), "60000019:3", &[(1, 9)]);
    check(&events(&recursive), "60000019:*", &[(1, 9)]);
}

#[test]
fn in_one_moment_ends_come_before_starts() {
    let written_first = [(1, "1000:3"), (5, "1000:4"), (5, "1000:0"), (9, "1000:0")];
    check(&events(&written_first), "1000:3", &[(1, 5)]);
    check(&events(&written_first), "1000:4", &[(5, 9)]);
}

#[test]
fn an_end_closes_a_start_of_its_own_moment_if_nothing_else_is_open() {
    // The call of no duration is no instance, and does not stay open until the next one.
    check(&events(&[(1, "50000061:1"), (2, "1000:7:1000:0"), (9, "1000:0")]), "1000:7", &[]);
    // An exit without an entry does not close the entry after it.
    check(&events(&[(2, "1000:0:1000:7"), (9, "1000:0")]), "1000:7", &[(2, 9)]);
}

#[test]
fn a_function_that_never_exits_ends_where_the_next_one_begins() {
    let entries = [(1, "60000019:3"), (4, "60000019:5"), (9, "60000019:3")];
    check(&events(&entries), "60000019:3", &[(1, 4)]);
    check(&events(&entries), "60000019:5", &[(4, 9)]);
    let folding = fold(&trace(&events(&entries)), &["region=60000019:5"]);
    let notices = folding.notices.iter().map(|notice| notice.text.as_str()).collect::<Vec<_>>();
    let expected = "No exit of User function is recorded; each one ends where the next begins.";
    assert!(notices.contains(&expected), "{notices:?}");
}

#[test]
fn types_and_counters_of_one_name_are_told_apart_by_number() {
    let calls = [(1, "60000019:3:60000020:3:42000050:1:42000051:1"), (9, "60000020:0:60000019:0")];
    let pcf = "EVENT_TYPE\n0 60000019 Call\n0 60000020 Call\n7 42000050 X [a]\n7 42000051 X [b]\n";
    let text = format!("{HEADER}{}", events(&calls));
    let trace = open(&[("a.prv", text.as_bytes()), ("a.pcf", pcf.as_bytes())]);
    let (rows, _) = pipeline::catalogue(&trace, &Settings::default());
    let names = rows.iter().map(|row| row.region.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["60000019:3", "60000020:3"]);
    assert_eq!(instances(&trace, "60000019:3"), [(1, 9)]);
    let counters =
        trace.types.iter().map(|known| known.name.as_str()).filter(|n| n.starts_with('X'));
    assert_eq!(counters.collect::<Vec<_>>(), ["X (42000050)", "X (42000051)"]);
}

#[test]
fn what_is_noise_to_the_grouping_is_a_region_all_the_same() {
    let trace = open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let error = pipeline::run(&trace, &settings(&["group=dbscan:8:0.01"]).unwrap()).map(|_| ());
    // Two instances of equal duration are one group; a third of another kind would be noise.
    assert_eq!(error, Ok(()));
    let lone = events(&[(1, "1000:3"), (5, "1000:0"), (6, "1000:3"), (9, "1000:0")]);
    let error = pipeline::run(&self::trace(&lone), &settings(&["group=dbscan:8:0.01"]).unwrap());
    assert_eq!(
        error.unwrap_err().to_string(),
        "\"Event 1000:3\" has no group: every instance is noise; use group=auto"
    );
}

#[test]
fn running_numbers_are_one_region_of_any_value() {
    let mut lines = Vec::new();
    for iteration in 1..=10u64 {
        lines.push(format!("2:1:1:1:1:{}:1000:{iteration}\n", iteration * 10));
        lines.push(format!("2:1:1:1:1:{}:1000:0\n", iteration * 10 + 8));
    }
    let trace = trace(&lines.concat());
    let (rows, _) = pipeline::catalogue(&trace, &Settings::default());
    let names = rows.iter().map(|row| row.region.as_str()).collect::<BTreeSet<_>>();
    assert_eq!(names, BTreeSet::from(["Event 1000:*"]));
    assert_eq!(instances(&trace, "1000:*").len(), 10);
    assert_eq!(instances(&trace, "1000:4"), [(40, 48)]);
}

/// Names of the regions offered of a trace of one thread, and of the one shown first.
fn offered(pairs: &[String], pcf: &str) -> (Vec<String>, Option<String>) {
    let lines = (1..).zip(pairs).map(|(time, pair)| format!("2:1:1:1:1:{}:{pair}\n", 10 * time));
    let prv = HEADER.to_owned() + &lines.collect::<String>();
    let trace = open(&[("a.prv", prv.as_bytes()), ("a.pcf", pcf.as_bytes())]);
    let (rows, first) = pipeline::catalogue(&trace, &Settings::default());
    let names = rows.into_iter().map(|row| row.region).collect::<BTreeSet<_>>();
    (names.into_iter().collect(), first)
}

#[test]
fn numbers_that_nobody_describes_are_regions_if_they_come_and_go_count_or_mark() {
    let of_type = |values: &[u64]| {
        let pairs = values.iter().map(|value| format!("1000:{value}")).collect::<Vec<_>>();
        offered(&pairs, "").0
    };
    let each =
        |values: &[u64]| values.iter().map(|v| format!("Event 1000:{v}")).collect::<Vec<_>>();
    let none: [&str; 0] = [];
    // A level: a bandwidth, a queue that grows and shrinks by one.
    assert_eq!(of_type(&[73, 91, 64, 88, 73, 91, 95, 64, 73, 91]), none);
    assert_eq!(of_type(&[2, 3, 4, 3, 2, 3, 4, 5, 4, 3, 4, 3, 2, 3]), none);
    // It stays one though the thread is at rest now and then.
    assert_eq!(of_type(&[73, 91, 64, 0, 73, 91, 95, 0, 64, 88, 64, 95, 73]), none);
    // Each begin has its end.
    assert_eq!(of_type(&[73, 0, 91, 0, 64, 0, 73, 0, 91, 0, 64, 0, 73, 0]), each(&[64, 73, 91]));
    // Marks: two values, or phases numbered in turn.
    assert_eq!(of_type(&[73, 91, 73, 91, 91]), each(&[73, 91]));
    assert_eq!(of_type(&[1, 2, 3, 1, 2, 3, 1, 2, 3, 1]), each(&[1, 2, 3]));
    // Numbers that go on.
    assert_eq!(of_type(&[7, 8, 9, 10, 11, 12]), ["Event 1000:*"]);
    // Who asks for a level by name gets it.
    let level = [(1, "1000:73"), (2, "1000:91"), (5, "1000:64"), (9, "1000:88")];
    check(&events(&level), "1000:91", &[(2, 5)]);
}

#[test]
fn a_region_of_numbers_is_what_most_of_them_are_labelled_as() {
    let pairs = [5, 6, 9, 5, 6, 8, 5, 6, 9, 5].map(|value| format!("1000:{value}"));
    let labelled = |values: &str| {
        let pcf = format!("EVENT_TYPE\n0 1000 Step\nVALUES\n{values}\n");
        offered(&pairs, &pcf).0
    };
    let all = ["Step:8", "Step:9", "Step:solve", "Step:write"];
    assert_eq!(labelled("5 solve\n6 write"), all);
    assert_eq!(labelled("5 solve"), [""; 0]);
}

#[test]
fn identifiers_are_one_region_of_any_value_though_some_return() {
    let tasks = |most: u64| {
        let ids = (1..=most).map(|id| id * 37).chain([37, 37, 37]);
        let pairs = ids.flat_map(|id| [format!("8000002:{id}"), "8000002:0".to_owned()]);
        offered(&pairs.collect::<Vec<_>>(), "").0.len()
    };
    assert_eq!((tasks(65), tasks(66)), (65, 1));
}

#[test]
fn a_type_with_the_name_of_a_hardware_counter_is_one() {
    let pairs = ["1000:3:5:70", "5:90", "5:80", "1000:0:5:60"].map(str::to_owned);
    let pcf = |label: &str| format!("EVENT_TYPE\n0 5 {label}\n");
    let counters = |label: &str| {
        let lines = (1..).zip(&pairs).map(|(time, pair)| format!("2:1:1:1:1:{time}:{pair}\n"));
        let prv = HEADER.to_owned() + &lines.collect::<String>();
        let trace = open(&[("a.prv", prv.as_bytes()), ("a.pcf", pcf(label).as_bytes())]);
        let folding = fold(&trace, &[&ALL[..], &["region=1000:3"]].concat());
        let curves = folding.groups[0].curves.iter();
        curves.map(|c| (c.counter.clone(), c.mean_count)).collect::<Vec<_>>()
    };
    for name in ["skx_unc_imc1::UNC_M_CAS_COUNT:RD:cpu=0", "PAPI_DP_OPS"] {
        assert_eq!(counters(name), [(name.to_owned(), 230.0)]);
    }
    for name in ["Bandwidth (GB/s)", "solver::Phase", "Solver::step"] {
        assert_eq!(counters(name), [], "{name}");
    }
}

#[test]
fn calls_of_a_runtime_come_last_and_are_shown_first_only_if_there_is_nothing_else() {
    let calls = [(1, "50000001:4"), (8, "50000001:0"), (9, "60000005:1"), (99, "60000005:0")];
    let with = |code: &str| {
        let mut lines = events(&calls);
        lines += code;
        let (rows, first) = pipeline::catalogue(&trace(&lines), &Settings::default());
        let of_events = rows.into_iter().filter(|row| row.kind.is_of_events());
        (of_events.map(|row| row.region).collect::<Vec<_>>(), first)
    };
    let (rows, first) = with("");
    assert_eq!(rows, ["Event 60000005:1", "Event 50000001:4"]);
    assert_eq!(first.as_deref(), Some("Event 60000005:1"));
    let (rows, first) = with(&events(&[(100, "60000019:3"), (103, "60000019:0")]));
    assert_eq!(rows, ["User function:3", "Event 60000005:1", "Event 50000001:4"]);
    assert_eq!(first.as_deref(), Some("User function:3"));
}

#[test]
fn a_bare_value_is_enough_where_only_one_type_has_it() {
    let trace = open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    for name in ["kernel", "User function:kernel", "60000019:3", "User function:3", "User function"]
    {
        assert_eq!(instances(&trace, name).len(), 2, "{name}");
    }
    assert_eq!(instances(&trace, "User function:kernel:x"), []);
}

#[test]
fn a_counter_must_be_read_at_both_ends_of_an_instance() {
    let carries = |begin: &str, end: &str| {
        let records = events(&[(1, begin), (5, "42000050:40"), (9, end)]);
        let folding = fold(&trace(&records), &ALL);
        folding.groups[0].curves.iter().map(|curve| curve.mean_count).collect::<Vec<_>>()
    };
    assert_eq!(carries("1000:3:42000050:7", "1000:0:42000050:60"), [100.0]);
    assert_eq!(carries("1000:3", "1000:0:42000050:60"), [0.0; 0]);
    assert_eq!(carries("1000:3:42000050:7", "1000:0"), [0.0; 0]);
    // Its set starts exactly at the begin.
    assert_eq!(carries("1000:3:41999999:2:42000050:0", "1000:0:42000050:60"), [100.0]);
    assert_eq!(carries("1000:3:41999999:2", "1000:0:42000050:60"), [100.0]);
    // Its set starts at the end: how much was counted since 5 is not known.
    assert_eq!(carries("1000:3:42000050:7", "1000:0:41999999:2:42000050:0"), [0.0; 0]);
    // A line that was sorted by type: what is not zero is no base, but a reading of the set before.
    assert_eq!(carries("1000:3:42000050:7", "1000:0:41999999:2:42000050:60"), [100.0]);
    // A glitch, a negative number.
    assert_eq!(carries("1000:3:42000050:7", "1000:0:42000050:9223231374016217135"), [0.0; 0]);
    assert_eq!(carries("1000:3:42000050:7", "1000:0:42000050:-5"), [0.0; 0]);
    // A millisecond of slack: some clocks tell no finer.
    assert_eq!(carries("1000:3:42000050:7", "1000:0:42000050:60000000"), [60_000_040.0]);
    // Memory that was never written: more events than any processor counts in that time.
    assert_eq!(carries("1000:3:42000050:7", "1000:0:42000050:140023817023440"), [0.0; 0]);
}

#[test]
fn a_negative_reading_is_no_count_however_long_it_took() {
    // In six hours 2⁶⁴ − 5 events would be no more than 10¹² per millisecond.
    let six_hours = 21_600_000_000_000;
    let last = |reading: &str| {
        let end = format!("1000:0:42000050:{reading}");
        let records = events(&[(1, "1000:3:42000050:7"), (six_hours, &end)]);
        fold(&trace(&records), &ALL).groups[0].curves.len()
    };
    assert_eq!((last("5"), last("-5")), (1, 0));
}

#[test]
fn a_reading_is_no_count_by_the_time_since_the_one_before() {
    let six_hours = 21_600_000_000_000;
    let last = |reading: &str| {
        let end = format!("1000:0:42000050:{reading}");
        let begin = (1, "1000:3:42000050:7");
        let records = events(&[begin, (six_hours, "42000050:5"), (six_hours + 4, &end)]);
        let folding = fold(&trace(&records), &ALL);
        let told = folding.notices.iter().map(|notice| (notice.count, notice.text.clone()));
        let told = told.filter(|(_, text)| text.contains("no count")).collect::<Vec<_>>();
        (folding.groups[0].curves.len(), told)
    };
    assert_eq!(last("5"), (1, vec![]));
    let text =
        "An instance with a reading of PAPI_TOT_INS that is no count; it was left out.".to_owned();
    assert_eq!(last("140023817023440"), (0, vec![(1, text)]));
}

#[test]
fn a_set_without_the_counter_in_between_makes_it_unusable() {
    let records = events(&[
        (1, "41999999:1:42000050:0:42000059:0"),
        (2, "1000:3:42000050:1:42000059:1"),
        (4, "42000050:5:42000059:5:41999999:2:42000008:0"),
        (6, "42000050:5:42000008:9"),
        (8, "42000050:5:42000008:9:41999999:1:42000059:0"),
        (9, "1000:0:42000050:5:42000059:5"),
    ]);
    let folding = fold(&trace(&records), &ALL);
    let curves = folding.groups[0].curves.iter();
    let found = curves.map(|curve| (curve.counter.as_str(), curve.mean_count)).collect::<Vec<_>>();
    assert_eq!(found, [("PAPI_TOT_INS", 20.0)]);
}

#[test]
fn a_moment_may_be_spread_over_lines() {
    let spread = "2:1:1:1:1:1:1000:3\n1:1:1:1:1:1:9:1\n2:1:1:1:1:1:42000050:7\n\
                  2:1:1:1:1:5:42000050:40\n2:1:1:1:1:9:42000050:60\n2:1:1:1:1:9:1000:0\n";
    let folding = fold(&trace(spread), &ALL);
    assert_eq!(folding.groups[0].curves[0].mean_count, 100.0);
    assert_eq!(folding.groups[0].samples, 1);
}

#[test]
fn a_counter_that_stays_at_zero_has_the_zero_curve() {
    let records = events(&[(1, "1000:3:42000008:4"), (5, "42000008:0"), (9, "1000:0:42000008:0")]);
    let (folding, points) = fold_with_points(&trace(&records), &ALL);
    let curve = &folding.groups[0].curves[0];
    assert_eq!((curve.mean_count, curve.used), (0.0, 0));
    assert!(curve.fitted.iter().chain(&curve.rate).all(|value| *value == 0.0));
    assert!(points.clouds().next().unwrap().x.is_empty());
}

#[test]
fn the_closing_zeros_of_a_cutter_are_no_ends() {
    let cut = "2:1:1:1:1:1:1000:3\n2:1:1:1:1:5:1000:0\n2:1:1:1:1:6:1000:3\n2:1:1:1:1:9:1000:0\n";
    check(cut, "1000:3", &[(1, 5), (6, 9)]);
    let mark = "#20120101120000:CUTTER:RUNAPP:\"/a/b.prv\":0:0:9\n";
    check(&format!("{mark}{cut}"), "1000:3", &[(1, 5)]);
    // What is last is not what was cut, though it is zero.
    let goes_on = format!("{mark}{cut}2:1:1:1:1:10:40000010:0\n");
    check(&goes_on, "1000:3", &[(1, 5), (6, 9)]);
    let with_caller = cut.replace("9:1000:0\n", "9:1000:0:30000000:0\n");
    check(&with_caller, "1000:3", &[(1, 5)]);
}

#[test]
fn all_threads_of_all_tasks_are_folded_and_can_be_chosen() {
    let header = "#Paraver (x):100_ns:1(4):1:2(2:1,1:1)\n";
    let mut text = header.to_owned();
    for (task, thread, time) in [(1, 1, 0), (1, 2, 3), (2, 1, 5)] {
        for (at, value) in [(time, 7), (time + 20, 0)] {
            text += &format!("2:1:1:{task}:{thread}:{at}:1000:{value}\n");
        }
    }
    let trace = open(&[("a.prv", text.as_bytes())]);
    let rows = |objects: &str| {
        let folding = fold(&trace, &[objects, ALL[0], ALL[1]]);
        folding.groups[0].rows.iter().map(|row| row.object).collect::<Vec<_>>()
    };
    assert_eq!(rows("objects=*.*.*"), [[1, 1, 1], [1, 1, 2], [1, 2, 1]]);
    assert_eq!(rows("objects=*.1.*"), [[1, 1, 1], [1, 1, 2]]);
    assert_eq!(rows("objects=*.*.2"), [[1, 1, 2]]);
    assert_eq!(rows("from=1"), [[1, 1, 2], [1, 2, 1]]);
    assert_eq!(rows("to=3"), [[1, 1, 1], [1, 1, 2]]);
}

fn generated(shape: Shape) -> (Trace, serde_json::Value) {
    let made = generate(shape, 1);
    let files = [("g.prv", made.prv.as_slice()), ("g.pcf", &made.pcf), ("g.row", &made.row)];
    (open(&files), serde_json::from_str(&made.truth).unwrap())
}

#[test]
fn nested_regions_are_found_as_the_generator_made_them() {
    let (trace, truth) = generated(Shape::Nested);
    let (rows, _) = pipeline::catalogue(&trace, &Settings::default());
    for region in truth["regions"].as_array().unwrap() {
        let name = region["region"].as_str().unwrap();
        let of_region = rows.iter().filter(|row: &&CatalogueRow| row.region == name);
        let found = of_region.map(|row| u64::from(row.instances)).sum::<u64>();
        assert_eq!(found, region["instances"].as_u64().unwrap(), "{name}");
    }
}

#[test]
fn counters_of_changing_sets_are_used_where_the_generator_read_them() {
    let (trace, truth) = generated(Shape::Sets);
    let folding = fold(&trace, &ALL);
    let mut read = std::collections::BTreeMap::new();
    for carried in truth["carried"].as_array().unwrap() {
        for counter in carried.as_array().unwrap() {
            *read.entry(counter.as_str().unwrap().to_owned()).or_insert(0u32) += 1;
        }
    }
    let found = folding.groups[0].curves.iter();
    let found = found.map(|curve| (curve.counter.clone(), curve.instances)).collect();
    assert_eq!(read, found);
}

#[test]
fn the_example_folds_to_what_it_was_made_of() {
    let (trace, truth) = generated(Shape::Example);
    assert!(trace.generated);
    let folding = fold(&trace, &["group=none", "outliers=median:1.5"]);
    assert_eq!(folding.region, "User function:main loop");
    let truth = &truth["folded"];
    let group = &folding.groups[0];
    assert_eq!(u64::from(group.instances), truth["instances"].as_u64().unwrap());
    assert_eq!(u64::from(group.kept), truth["kept_of_all_by_median_1.5"].as_u64().unwrap());
    for phase in truth["phases"].as_array().unwrap() {
        let at = |key: &str| phase[key].as_f64().unwrap();
        // The middle of the phase: a smooth curve rings where the rate jumps.
        let share = |k: i32| 0.25 + 0.5 * f64::from(k) / 20.0;
        let inside = (0..=20)
            .map(|k| group.at(at("mean_start") + share(k) * (at("mean_end") - at("mean_start"))));
        let inside = inside.collect::<Vec<_>>();
        for (index, curve) in group.curves.iter().enumerate() {
            let rates = inside.iter().map(|row| row.values[index].rate.unwrap());
            let mean = rates.sum::<f64>() / inside.len() as f64;
            let made = phase["mean_rates"][&curve.counter].as_f64().unwrap();
            assert!((mean / made - 1.0).abs() < 0.02, "{} {mean} {made}", curve.counter);
        }
    }
    // The four kernels follow one another, each in its phase.
    let found = innermost(group).into_iter().map(|(callers, _)| callers).collect::<Vec<_>>();
    // What calls `main` is captured in three of them, and found for the one that goes deeper.
    let expected =
        ["main > Copy > __memcpy_ssse3_back", "main > Scale", "main > Add", "main > Triad"];
    let expected = expected.map(|callers| format!("__libc_start_main > {callers}"));
    assert_eq!(found, expected);
    let starts = truth["phases"].as_array().unwrap().iter();
    for ((name, start), phase) in innermost(group).iter().zip(starts) {
        assert!((start - phase["mean_start"].as_f64().unwrap()).abs() < 0.012, "{name} {start}");
    }
    let alignment = &group.alignment;
    assert_eq!((alignment.method.name(), alignment.components, alignment.depth), ("chain", 1, 3));
    assert_eq!((alignment.coverage, alignment.ambiguous), (1.0, 0.0));
}

/// What runs when, without short stretches: the routines from the root on, and the begin.
fn innermost(group: &Group) -> Vec<(String, f64)> {
    let band = |band: tracefold::folding::Band| {
        let context = group.stretches[band.stretch as usize].context.unwrap();
        let names =
            group.callers(context).into_iter().map(|at| group.routines[at as usize].as_str());
        (names.collect::<Vec<_>>().join(" > "), band.start)
    };
    group.bands(1.0).into_iter().map(band).collect()
}

/// 300 calls of `iteration`: phase_a, memcpy, phase_c, the last longer in every seventh call.
#[test]
fn the_bundled_recording_of_perf_has_its_program_s_phases() {
    let recording = include_bytes!("traces/calls-perf.txt.gz");
    let trace = open(&[("example-perf.txt.gz", recording.as_slice())]);
    let (_, first) = pipeline::catalogue(&trace, &Settings::default());
    assert_eq!(first.as_deref(), Some("probe_phases:iteration"));
    let all = &fold(&trace, &ALL).groups[0];
    assert_eq!((all.instances, all.samples), (300, 520));
    assert!(all.curves.iter().any(|curve| curve.counter == "task-clock"));
    let folding = fold(&trace, &[]);
    let group = folding.group(folding.shown).unwrap();
    let all = innermost(group);
    let last = |callers: &str| callers.rsplit(" > ").next().unwrap_or_default().to_owned();
    let mut order = all.iter().map(|(callers, _)| last(callers)).collect::<Vec<_>>();
    order.dedup();
    assert_eq!(order, ["phase_a", "__memmove_avx512_unaligned_erms", "phase_c"]);
}

/// What instructions count in the region 3 of the first thread, folded without those that are
/// `outliers`; and one in how many instances gives its samples if `most` are wanted.
fn folded(trace: &Trace, outliers: Outliers, most: u64) -> (FoldedCounter, u32) {
    let executions = instance::executions(trace, |_| true);
    let region = Region::Events { event_type: 0, value: Some(3) };
    let found = instance::instances(trace, &executions, &[], region, &Wanted::default());
    let group = &instance::group(&found, &Grouping::None, &[], outliers).groups[0];
    let giving = Giving::of(trace, group, most);
    let counter = trace.types.iter().position(|known| known.code == 42_000_050).unwrap() as u32;
    let readings = [Readings::of(trace, &trace.threads[0], |_| true, |_, _| true)];
    let (sets, rulers) = (Sets::of(trace), Rulers::default());
    let folded = instance::fold_counter(trace, &readings, &sets, group, &rulers, &giving, counter);
    (folded, giving.one_in())
}

#[test]
fn what_an_outlier_counts_is_in_no_total_but_tells_families_apart() {
    let instance = |start: u64, end: u64, inside: &str, at_end: u64| {
        let (begin, end_pairs) = ("60000019:3:42000050:1", format!("60000019:0:42000050:{at_end}"));
        let at = [(start, begin), (start + 200, inside), (end, end_pairs.as_str())];
        events(&at.into_iter().filter(|(_, pairs)| !pairs.is_empty()).collect::<Vec<_>>())
    };
    let trace = trace(
        &[
            instance(10_000, 10_800, "42000050:10", 20),
            instance(20_000, 20_800, "42000050:10", 30),
            // Ten times as long as the others.
            instance(30_000, 38_000, "42000050:500", 400),
            instance(40_000, 40_800, "", 50),
            instance(50_000, 50_800, "42000050:0", 0),
            instance(60_000, 60_800, "42000050:40", 20),
        ]
        .concat(),
    );
    let (folded, _) = folded(&trace, Outliers::Median(3.0), 100);
    assert_eq!(folded.counted, [30, 40, 900, 50, 0, 60], "all, left out or not");
    assert_eq!((folded.instances, folded.total), (5, 30.0 + 40.0 + 50.0 + 0.0 + 60.0));
    assert!((folded.length - 5.0 * 0.8).abs() < 1e-12, "µs: {}", folded.length);
    assert_eq!(folded.totals, [30.0, 40.0, 60.0], "of those that are kept and give samples");
    let samples = folded.samples.iter().map(|sample| (sample.instance, sample.kept));
    assert_eq!(samples.collect::<Vec<_>>(), [(0, true), (1, true), (2, false), (5, true)]);
}

/// Ten instances, each with one sample inside; their counts differ.
fn ten_with_a_sample_each() -> Trace {
    let line = |n: u64| {
        let at = 1000 * n;
        format!(
            "2:1:1:1:1:{at}:60000019:3:42000050:1\n2:1:1:1:1:{}:42000050:{}\n\
             2:1:1:1:1:{}:60000019:0:42000050:{}\n",
            at + 400,
            100 + n,
            at + 800,
            100 + n,
        )
    };
    trace(&(1..=10).map(line).collect::<String>())
}

#[test]
fn of_very_many_samples_some_instances_give_theirs_and_all_count() {
    let trace = ten_with_a_sample_each();
    let fold = |most: u64| {
        let (folded, one_in) = folded(&trace, Outliers::None, most);
        (one_in, folded.samples.len(), folded.instances, folded.total)
    };
    let total = (1..=10).map(|n| f64::from(2 * (100 + n))).sum::<f64>();
    assert_eq!(fold(10), (1, 10, 10, total));
    let mut before = 10;
    for most in [9, 3, 1] {
        let (one_in, samples, instances, of_all) = fold(most);
        assert!(one_in.is_power_of_two() && one_in > 1, "{one_in}");
        assert!((1..=most as usize).contains(&samples) && samples <= before, "{samples} of {most}");
        assert_eq!((instances, of_all), (10, total));
        before = samples;
    }
}

#[test]
fn how_many_samples_are_folded_is_a_setting_that_changes_nothing_unless_there_are_more() {
    let trace = ten_with_a_sample_each();
    let folded = |texts: &[&str]| {
        let (folding, points) = fold_with_points(&trace, &[&ALL, texts].concat());
        let notices = folding.notices.iter().map(|notice| notice.text.clone()).collect::<Vec<_>>();
        (points.clouds().next().unwrap().x.len(), folding.groups, notices)
    };
    let usual = folded(&[]);
    assert_eq!(usual.0, 10);
    for most in ["samples=10", "samples=524288", "samples=all"] {
        assert_eq!(folded(&[most]), usual, "{most}");
    }
    let (samples, groups, notices) = folded(&["samples=3"]);
    assert!((1..=3).contains(&samples), "each with one sample: {samples}");
    assert_eq!((groups[0].kept, groups[0].samples), (10, 10));
    assert_eq!(groups[0].curves[0].mean_count, usual.1[0].curves[0].mean_count);
    let one_in = groups[0].one_in;
    let text = format!(
        "A group has more than 3 samples; about one in {one_in} instances shows its samples, and \
         all of them count for the totals."
    );
    assert!(one_in > 1 && notices.contains(&text), "{notices:?}");
    for wrong in ["0", "-1", "", "many"] {
        let refused = settings(&[&format!("samples={wrong}")]).unwrap_err().to_string();
        let expected = "expected all or a number of samples such as 524288";
        assert_eq!(refused, format!("setting samples: found {wrong:?}, {expected}"));
    }
}

#[test]
fn durations_drift_in_the_whole_run_and_not_in_either_half() {
    let lines = (0..100).map(|n: u64| {
        let (start, duration) = (10_000 * n, 1000 + 100 * (n / 50) + n * 37 % 60);
        events(&[(start, "60000019:3"), (start + duration, "60000019:0")])
    });
    let trace = trace(&lines.collect::<String>());
    let drifting = |texts: &[&str]| fold(&trace, &[&ALL, texts].concat()).groups[0].drifting;
    assert!(drifting(&[]));
    assert!(!drifting(&["to=499999"]));
    assert!(!drifting(&["from=500000"]));
}

#[test]
fn instances_are_chosen_by_number_and_duration_before_they_are_grouped() {
    let starts_and_durations =
        [(100, 50), (200, 51), (300, 70), (400, 52), (500, 20), (600, 53), (700, 54), (800, 55)];
    let lines = starts_and_durations.map(|(start, duration)| {
        events(&[(start, "60000019:3"), (start + duration, "60000019:0")])
    });
    let trace = trace(&lines.concat());
    let starts = |texts: &[&str]| {
        let texts = [&["group=gaps", "outliers=none"], texts].concat();
        let folding = pipeline::run(&trace, &settings(&texts).unwrap()).unwrap().0;
        let of_group = |group: &tracefold::folding::Group| {
            group.rows.iter().map(|row| row.start_ns).collect::<Vec<_>>()
        };
        folding.groups.iter().map(of_group).collect::<Vec<_>>()
    };
    // Eight instances are grouped, seven are not: whether 20 ns and 70 ns are apart depends on
    // what was left out before.
    assert_eq!(starts(&[]), [vec![500], vec![100, 200, 300, 400, 600, 700, 800]]);
    assert_eq!(starts(&["durations=50..60"]), [[100, 200, 400, 600, 700, 800]]);
    assert_eq!(starts(&["durations=..51"]), [[100, 200, 500]]);
    assert_eq!(starts(&["durations=70.."]), [[300]]);
    assert_eq!(starts(&["instances=1-3,5"]), [[100, 200, 300, 500]]);
    // Numbers are those in the whole trace, whatever else is chosen.
    assert_eq!(starts(&["instances=4-9", "durations=50.."]), [[400, 600, 700, 800]]);
    assert_eq!(starts(&["instances=2-4", "from=300"]), [[300, 400]]);
    let none = pipeline::run(&trace, &settings(&["instances=9"]).unwrap()).unwrap_err();
    assert!(none.to_string().contains("has no instance left"), "{none}");
}

#[test]
fn groups_by_density_leave_noise_out_and_say_so() {
    let durations = [100, 101, 102, 900, 901, 902, 500];
    let of = |(n, duration): (u64, &u64)| {
        let at = 1000 * n;
        events(&[(at, "60000019:3"), (at + duration, "60000019:0")])
    };
    let trace = trace(&(1..).zip(&durations).map(of).collect::<String>());
    let noise = |folding: &tracefold::folding::Folding| {
        let found = folding.notices.iter().find(|notice| notice.text.contains("(noise)"));
        found.map(|notice| notice.count)
    };
    for (text, groups, left_out) in [
        ("group=dbscan:3:auto", 2, Some(1)),
        ("group=dbscan:3", 2, Some(1)),
        ("group=dbscan:3:0.001", 0, None),
        ("group=dbscan:1:0", 7, None),
    ] {
        let found = pipeline::run(&trace, &settings(&[text]).unwrap());
        match groups {
            0 => {
                let message = found.unwrap_err().to_string();
                assert!(message.contains("every instance is noise; use group=auto"), "{message}");
            }
            groups => {
                let folding = found.unwrap().0;
                assert_eq!((folding.groups.len(), noise(&folding)), (groups, left_out), "{text}");
            }
        }
    }
}

/// Four instances of 100 ns. In the first the instructions go twice as fast from its middle on; the
/// second does not read them at its begin, in the third they stand still, in the fourth they fall.
const UNEVEN: [(u64, &str); 18] = [
    (100, "60000019:3:42000050:0:42000059:0"),
    (120, "42000050:20:42000059:40"),
    (140, "30000000:7:30000100:12"),
    (150, "42000050:30:42000059:60"),
    (200, "60000019:0:42000050:100:42000059:100"),
    (300, "60000019:3"),
    (350, "42000050:50:42000059:50"),
    (400, "60000019:0:42000050:50:42000059:50"),
    (500, "60000019:3:42000050:0:42000059:0"),
    (550, "42000050:0:42000059:50"),
    (600, "60000019:0:42000050:0:42000059:50"),
    (700, "60000019:3:42000050:0:42000059:0"),
    (750, "42000050:18446744073709551566:42000059:50"),
    (800, "60000019:0:42000050:100:42000059:50"),
    (900, "60000019:3:42000050:0:42000059:0"),
    (950, "42000050:80:42000059:20"),
    (1000, "60000019:0:42000050:0:42000059:30"),
    (1100, "42000050:0"),
];

#[test]
fn along_a_counter_samples_lie_at_its_share_and_rates_are_per_event_of_it() {
    let trace = trace(&events(&UNEVEN));
    let texts = ["group=none", "outliers=none", "x=PAPI_TOT_INS"];
    let (folding, points) = fold_with_points(&trace, &texts);
    let group = &folding.groups[0];
    // Those of the first and the last: 150 and 80 instructions, 200 and 50 cycles.
    let starts = group.rows.iter().map(|row| row.start_ns).collect::<Vec<_>>();
    assert_eq!(starts, [100, 900]);
    let curve = |name: &str| group.curves.iter().find(|curve| curve.counter == name).unwrap();
    assert_eq!(curve("PAPI_TOT_CYC").mean_rate, 250.0 / 230.0);
    assert_eq!(curve("PAPI_TOT_INS").mean_rate, 1.0);
    let axis = tracefold::folding::Axis::Counter { name: "PAPI_TOT_INS".into(), total: 115.0 };
    assert_eq!(group.axis, axis);
    let cloud = points.cloud(1, "PAPI_TOT_CYC").unwrap();
    let cloud = cloud.x.iter().copied().zip(cloud.y.iter().copied()).collect::<Vec<_>>();
    assert_eq!(cloud, [(20.0 / 150.0, 0.2), (50.0 / 150.0, 0.5), (1.0, 0.4)]);
    // The call-stack at 140 ns lies two thirds of the way from the reading of 20 to that of 50.
    assert_eq!(group.lines.x, [40.0 / 150.0]);
    let notice = folding.notices.iter().find(|notice| notice.text.contains("has no place along"));
    assert_eq!(notice.map(|notice| notice.count), Some(3));
    let folded = [(folding, points)];
    let error = export::export(&trace, &folded, Format::Paraver(1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a folded trace runs over time, and this is folded along a counter: fold with x=time"
    );
    assert!(export::export(&trace, &folded, Format::Csv).is_ok());
}

#[test]
fn phases_found_over_instructions_are_shown_in_time() {
    let (trace, _) = generated(Shape::Example);
    let over = |x: &str| {
        let folding = fold(&trace, &["fit=segments", x]);
        folding.group(folding.shown).unwrap().clone()
    };
    let (time, events) = (over("x=time"), over("x=PAPI_TOT_INS:time"));
    assert_eq!((&events.axis, events.breaks.len()), (&ResultAxis::Time, time.breaks.len()));
    for (a, b) in time.breaks.iter().zip(&events.breaks) {
        assert!((a.at - b.at).abs() < 0.003, "{} {}", a.at, b.at);
    }
    // Instructions lie beside themselves nowhere: only time tells of phases that move.
    assert!(time.displacement.is_some() && events.displacement.is_none());
    let rates = |group: &Group| {
        let instructions = group.instructions().unwrap();
        let rates = instructions.phases.iter().map(|phase| phase.rate).collect::<Vec<_>>();
        (instructions.mean_rate, rates)
    };
    let ((mean, rates), (expected_mean, expected)) = (rates(&events), rates(&time));
    assert!((mean / expected_mean - 1.0).abs() < 0.002, "{mean} {expected_mean}");
    for (rate, expected) in rates.iter().zip(expected) {
        assert!((rate / expected - 1.0).abs() < 0.01, "{rate} {expected}");
    }
}

#[test]
fn a_counter_that_no_instance_carries_is_no_axis() {
    let standing = events(&UNEVEN[8..11]);
    let error = |x: &str| {
        let texts = ["group=none", x];
        pipeline::run(&trace(&standing), &settings(&texts).unwrap()).unwrap_err()
    };
    let standing_still = error("x=PAPI_TOT_INS");
    assert!(!standing_still.is_usage());
    assert_eq!(
        standing_still.to_string(),
        "\"User function:3\" cannot be folded along \"PAPI_TOT_INS\": in no instance is it \
         read at the begin and the end and counts anything; use x=time"
    );
    let unknown = error("x=PAPI_L1_DCM");
    assert!(unknown.is_usage() && unknown.to_string().contains("unknown counter"), "{unknown}");
}
