//! Timelines saved as text, as regions of the trace that they lie beside.

use crate::traces::{fold, open, open_err, settings};
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::Trace;

/// Two tasks of a thread each: a counter is read every microsecond from 1 to 9 µs of the first, and
/// 300 ns later of the second; each starts to be traced at 0, and ends at 9.9 µs.
fn prv() -> String {
    let mut text = "#Paraver (01/02/2025 at 10:00):10000_ns:1(2):1:2(1:1,1:1)\n".to_owned();
    let moment = |task: u64, ns: u64, event: &str| format!("2:1:1:{task}:1:{ns}:{event}\n");
    for (task, later) in [(1, 0), (2, 300)] {
        text += &moment(task, 0, "40000001:1");
        for at in 1..=9 {
            text += &moment(task, 1000 * at + later, &format!("42000050:{}", 100 * at));
        }
        text += &moment(task, 9900, "40000001:0:50000001:0");
    }
    text
}

const PCF: &str = "EVENT_TYPE\n0 50000001 MPI Point-to-point\nVALUES\n0 Outside MPI\n1 MPI_Send\n\n\
                   EVENT_TYPE\n0 42000050 PAPI_TOT_INS [Instr completed]\n";

fn opened(name: &str, text: &str) -> Trace {
    let prv = prv();
    open(&[("a.prv", prv.as_bytes()), ("a.pcf", PCF.as_bytes()), (name, text.as_bytes())])
}

/// Every instance of the regions of the text, as `REGION THREAD BEGIN-END`, by region.
fn instances(trace: &Trace) -> Vec<String> {
    let (rows, _) = pipeline::catalogue(trace, &settings(&["group=none"]).unwrap());
    let mut found = vec![];
    for row in rows.iter().filter(|row| row.region.starts_with("marks")) {
        let region = format!("region={}", row.region);
        let folding = fold(trace, &[&region, "group=none", "outliers=none"]);
        for row in folding.groups.iter().flat_map(|group| &group.rows) {
            let ([a, p, t], begin_ns) = (row.object, row.start_ns);
            let end_ns = begin_ns + row.duration_ns;
            found.push(format!("{} {a}.{p}.{t} {begin_ns}-{end_ns}", folding.region));
        }
    }
    found.sort();
    found
}

fn notices(trace: &Trace) -> Vec<String> {
    trace.notices.iter().map(|n| format!("{} ×{} {}", n.text, n.count, n.first)).collect()
}

/// Without what is told of every one of these small traces.
#[track_caller]
fn read(text: &str, expected: &[&str], told: &[&str]) {
    let trace = opened("marks.csv", text);
    assert_eq!(instances(&trace), expected, "{text:?}");
    assert_eq!(notices(&trace), told, "{text:?}");
}

#[test]
fn rows_are_regions_by_their_value_whatever_the_unit_and_the_digits() {
    let expected =
        ["marks:A 1.1.1 1000-3000", "marks:A 1.1.1 6000-7000", "marks:B b 1.2.1 2300-4300"];
    let in_ns = "1.1.1\t0\t1000\tEnd\n1.1.1\t1000\t2000\tA\n1.1.1\t3000\t3000\tEnd\n\
                 1.1.1\t6000\t1000\tA\n1.2.1\t2300\t2000\tB b\n1.2.1\t4300\t5700\tEnd\n";
    read(in_ns, &expected, &[]);
    let in_us = "THREAD 1.1.1\t1.0\t2.0\tA\r\nTHREAD 1.1.1\t6.0\t1.0\tA\r\n\
                 THREAD 1.2.1\t2.3\t2.0\tB b\r\n";
    let told = "Times of a text of regions are taken as microseconds: so they are those of events. \
                ×1 marks.csv";
    read(in_us, &expected, &[told]);
    // Of two digits of a microsecond, one of 300 ns is rounded away: it is moved onto the event.
    read(&in_us.replace("2.3\t2.0", "2.\t2."), &expected, &[told]);
    let numbered = "1\t1000.00\t2000.00\t3.00\n2\t2300.00\t2000.00\t0.00\n";
    read(numbered, &["marks:3 1.1.1 1000-3000"], &[]);
    let words = "1.1.1 1000 2000 A\n1.1.1 6000 1000 A\n1.2.1 2300 2000 B b\n";
    read(words, &expected, &[]);
}

#[test]
fn a_row_ends_where_the_next_begins_and_a_gap_is_no_region() {
    let adjacent = "1.1.1\t1000\t1000\tA\n1.1.1\t2000\t1000\tA\n1.1.1\t3000\t1000\tB\n\
                    1.1.1\t6000\t1000\tB\n";
    let expected = [
        "marks:A 1.1.1 1000-2000",
        "marks:A 1.1.1 2000-3000",
        "marks:B 1.1.1 3000-4000",
        "marks:B 1.1.1 6000-7000",
    ];
    read(adjacent, &expected, &[]);
    // In any order of the rows.
    let reversed = adjacent.lines().rev().map(|line| format!("{line}\n")).collect::<String>();
    read(&reversed, &expected, &[]);
}

#[test]
fn what_says_that_there_is_nothing_is_no_region() {
    for nothing in ["End", "0", "0.000", "Outside MPI", ""] {
        let text = format!("1.1.1\t1000\t1000\t{nothing}\n1.1.1\t2000\t1000\tMPI_Send\n");
        read(&text, &["marks:MPI_Send 1.1.1 2000-3000"], &[]);
    }
    read("1.1.1\t1000\t0\tA\n1.1.1\t2000\t1000\tB\n", &["marks:B 1.1.1 2000-3000"], &[]);
}

#[test]
fn counters_are_those_between_the_readings_where_it_begins_and_ends() {
    let text = "1.1.1\t1000\t2000\tA\n1.1.1\t4000\t2000\tA\n1.1.1\t7000\t1000\tA\n";
    let trace = opened("marks.csv", text);
    let folding = fold(&trace, &["region=marks:A", "group=none", "outliers=none", "fit=steps"]);
    let counter = folding.groups[0].instructions().unwrap();
    // 200 + 300, 500 + 600 and 800, by three.
    assert_eq!(counter.mean_count, 800.0);
}

#[test]
fn a_level_is_one_region_where_it_is_not_zero() {
    let text = "1.1.1\t1000\t1000\t0.25\n1.1.1\t2000\t1000\t0.00\n1.1.1\t3000\t1000\t1.5\n";
    read(text, &["marks 1.1.1 1000-2000", "marks 1.1.1 3000-4000"], &[]);
}

#[test]
fn numbers_that_go_on_are_one_region() {
    let row = |at: u64| format!("1.1.1\t{}\t500\t{}\n", 1000 * at, 17 * at);
    let text = (1..9).map(row).collect::<String>();
    let expected = (1..9).map(|at| format!("marks:* 1.1.1 {}-{}", 1000 * at, 1000 * at + 500));
    let expected = expected.collect::<Vec<_>>();
    let expected = expected.iter().map(String::as_str).collect::<Vec<_>>();
    read(&text, &expected, &[]);
}

#[test]
fn what_does_not_fit_is_counted_and_the_rest_is_used() {
    let kept = ["marks:A 1.1.1 1000-3000"];
    let row = "1.1.1\t1000\t2000\tA\n";
    for (wrong, told) in [
        (
            "1.7.1\t1000\t2000\tA\n1.8.1\t1000\t2000\tA\n",
            "Rows of threads that the trace does not have; they were left out. ×2 marks.csv:2",
        ),
        (
            "1.1.1\t90000\t2000\tA\n",
            "Rows beyond the end of the trace; they were left out. ×1 marks.csv:2",
        ),
        (
            "1.1.1\t2000\t2000\tA\n1.1.1\t2500\t100\tB\n",
            "Rows over another of their thread; they were left out. ×2 marks.csv:2",
        ),
        (
            "1.1.1\t9000\t1000\tA\n",
            "Rows that begin before the first or end after the last that is known of their thread; \
             they were left out. ×1 marks.csv:2",
        ),
        (
            "1.1.1\t5000\tB\t1000\n1.1.1\n",
            "Rows of a text of regions that cannot be read; they were left out: found “B” in \
             column 12, expected how long the value lasts. ×2 marks.csv:2",
        ),
    ] {
        read(&format!("{row}{wrong}"), &kept, &[told]);
    }
    // A line of names in front.
    let told = "Rows of a text of regions that cannot be read; they were left out: found \
                “object” in column 1, expected a thread such as 1.2.1, or the number of a row. \
                ×1 marks.csv:1";
    read(&format!("object\tbegin\tduration\tvalue\n{row}"), &kept, &[told]);
}

#[test]
fn a_text_that_does_not_fit_leaves_the_trace_as_it_is_and_says_why() {
    let fits_not = |found: &str| {
        format!(
            "Regions of a text that does not fit the trace; they were left out: found {found}. ×1 marks.csv"
        )
    };
    let is_none = |error: &str| {
        format!("A text of regions that cannot be read; it was left out: {error}. ×1 marks.csv")
    };
    let threads =
        "Rows of threads that the trace does not have; they were left out. ×1 marks.csv:1";
    let beyond = "Rows beyond the end of the trace; they were left out. ×1 marks.csv:1";
    let object = "expected a thread such as 1.2.1, or the number of a row";
    for (text, told) in [
        (
            "1.1.1\t1000\t2000\tEnd\n",
            vec![fits_not("no row with another value than 0 or End, expected some")],
        ),
        (
            "2.1.1\t1000\t2000\tA\n",
            vec![
                threads.to_owned(),
                fits_not(
                    "rows of threads that the trace does not have, expected a text of the same run",
                ),
            ],
        ),
        (
            "1.1.1\t123456789\t2000\tA\n",
            vec![
                beyond.to_owned(),
                fits_not("times beyond its end, expected a text of the same run"),
            ],
        ),
        (
            "1.1.1\t1.2345\t1.0\tA\n",
            vec![fits_not(
                "times with fractions that are those of no event in ns, µs, ms or s, expected a text of the same run",
            )],
        ),
        (
            "4\t1000\t2000\tA\n",
            vec![fits_not(
                "rows numbered up to 4 and 2 threads with events, expected threads such as 1.2.1: \
                 choose the object hierarchy as the text is saved",
            )],
        ),
        (
            "",
            vec![is_none(
                "marks.csv: found no row, expected rows of thread, begin, duration and value, as Paraver saves a timeline as text",
            )],
        ),
        (
            "thread,begin\n1.1.1,1000\n",
            vec![is_none(&format!("marks.csv:1:1: found “thread,begin”, {object}"))],
        ),
        (
            "region,group,x\nA,1,2\n",
            vec![is_none(&format!("marks.csv:1:1: found “region,group,x”, {object}"))],
        ),
    ] {
        let trace = opened("marks.csv", text);
        assert_eq!(notices(&trace), told, "{text:?}");
        assert_eq!(instances(&trace), [""; 0], "{text:?}");
        assert_eq!(trace.types.len(), opened("marks.csv", "x\n").types.len());
    }
}

#[test]
fn times_at_no_event_are_taken_and_told() {
    let text = "1.1.1\t1234\t1000\tA\n1.1.1\t4321\t1000\tA\n";
    let told = "Regions of a text that begin and end where no event is: counters there are told \
                from the readings around. ×1 marks.csv";
    read(text, &["marks:A 1.1.1 1234-2234", "marks:A 1.1.1 4321-5321"], &[told]);
}

#[test]
fn regions_of_the_trace_itself_are_as_they_were() {
    let prv = prv().replace("2:1:1:1:1:1000:", "2:1:1:1:1:1000:60000019:3:");
    let prv = prv.replace("2:1:1:1:1:5000:", "2:1:1:1:1:5000:60000019:0:");
    let alone = open(&[("a.prv", prv.as_bytes())]);
    let text = "1.1.1\t1000\t2000\tA\n1.1.1\t4500\t2000\tB\n";
    let beside = open(&[("a.prv", prv.as_bytes()), ("marks.csv", text.as_bytes())]);
    let asked = ["region=User function:3", "group=none"];
    let (alone, beside) = (fold(&alone, &asked), fold(&beside, &asked));
    assert_eq!(alone.groups, beside.groups);
}

#[test]
fn a_part_of_the_trace_takes_the_rows_of_that_part_in_silence() {
    use tracefold::input::NamedFile;
    use tracefold::open::{Watch, candidates};
    let text = "1.1.1\t1000\t2000\tA\n1.1.1\t6000\t2000\tA\n1.2.1\t2300\t2000\tA\n";
    let files = [("a.prv", prv()), ("a.pcf", PCF.to_owned()), ("marks.csv", text.to_owned())];
    let files = files.map(|(name, text)| NamedFile::new(name, text.into_bytes())).into();
    let found = candidates(files, &mut |_| {}).unwrap();
    let (mut report, mut early) = (|_| {}, |_: f64, _: &_| {});
    let only = tracefold::settings::only([("objects", "1.1.*"), ("to", "5000")]).unwrap();
    let opening = found.opening(None, &mut report).unwrap().only(only);
    let trace = opening.whole(&mut Watch::new(&mut report, &mut early)).unwrap();
    assert_eq!(instances(&trace), ["marks:A 1.1.1 1000-3000"]);
    assert_eq!(notices(&trace), [""; 0]);
}

#[test]
fn a_text_alone_is_no_trace() {
    let error = open_err(&[("marks.csv", b"1.1.1\t1000\t2000\tA\n")]).to_string();
    let expected = "marks.csv: found only a timeline of a trace, saved as text, expected a trace";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn packed_named_twice_or_without_ending_it_is_read_all_the_same() {
    let row = "1.1.1\t1000\t2000\tA\n1.1.1\t4000\t2000\tA\n";
    let prv = prv();
    let trace = open(&[
        ("a.prv", prv.as_bytes()),
        ("x/marks", row.as_bytes()),
        ("more.txt", row.as_bytes()),
    ]);
    let (rows, _) = pipeline::catalogue(&trace, &Settings::default());
    let regions = rows.iter().map(|row| (row.region.as_str(), row.instances));
    let mut regions = regions.filter(|(region, _)| !region.contains("Burst")).collect::<Vec<_>>();
    regions.sort_unstable();
    assert_eq!(regions, [("marks:A", 2), ("more:A", 2)]);
}

#[test]
fn an_end_may_be_as_far_from_an_event_as_the_digits_of_begin_and_duration_leave_open() {
    // 4.3 µs are 4 of no digit, from a begin that is known to a tenth.
    let text = "1.1.1\t1.0\t2.0\tA\n1.1.1\t6.0\t1.0\tA\n1.2.1\t0.0\t4.\tB\n";
    let expected = ["marks:A 1.1.1 1000-3000", "marks:A 1.1.1 6000-7000", "marks:B 1.2.1 0-4300"];
    let told = "Times of a text of regions are taken as microseconds: so they are those of events. \
                ×1 marks.csv";
    read(text, &expected, &[told]);
}

#[test]
fn behind_the_zeros_that_a_thread_ends_in_and_within_the_digits_of_the_end_no_row_is_beyond() {
    let told = "Rows that begin before the first or end after the last that is known of their \
                thread; they were left out. ×1 marks.csv:2";
    // The last state ends after the last event, which may be a cutter's.
    let prv = prv() + "1:1:1:1:1:9000:9950:1\n";
    let text = "1.1.1\t1000\t2000\tA\n1.1.1\t9000\t950\tA\n";
    let trace = open(&[
        ("a.prv", prv.as_bytes()),
        ("a.pcf", PCF.as_bytes()),
        ("marks.csv", text.as_bytes()),
    ]);
    assert_eq!(instances(&trace), ["marks:A 1.1.1 1000-3000"]);
    assert!(notices(&trace).iter().any(|notice| notice == told), "{:?}", notices(&trace));
    // It ends 50 ns after the trace, and may be 55 off.
    let text = "1.1.1\t1.0\t2.0\tA\n1.1.1\t9.0\t1.05\tA\n1.1.1\t6.0\t1.0\tA\n";
    let trace = opened("marks.csv", text);
    assert!(notices(&trace).iter().any(|notice| notice == told), "{:?}", notices(&trace));
}
