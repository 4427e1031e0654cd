//! Traces of TAU's samples: they fold as a trace of Paraver of the same events does.

use std::fmt::Write;

use tracefold::export::{Format, export};
use tracefold::input::NamedFile;
use tracefold::settings::Settings;
use tracefold::trace::{Object, Trace};
use tracefold::{open, pipeline};

type Texts = Vec<(String, String)>;

fn read(files: &Texts) -> Result<Trace, String> {
    let files =
        files.iter().map(|(name, text)| NamedFile::new(name.clone(), text.clone().into_bytes()));
    open::open(files.collect(), &mut |_| {}).map_err(|error| format!("{error:#}"))
}

fn table(trace: &Trace, region: &str, name: &str) -> String {
    let mut settings = Settings::default();
    settings.set("region", region).unwrap();
    let folded = pipeline::run(trace, &settings).unwrap();
    let files = export(trace, &[folded], Format::Csv).unwrap();
    let file = files.into_iter().find(|file| file.name == name).unwrap();
    String::from_utf8(file.bytes).unwrap()
}

const HEAD: &str = "\
# Format version: 0.2
# $ | <timestamp> | <start> | 0 | <metric 1> ... <metric N> | <tau callpath> | <location> [<PC callstack>]
# Metrics: TIME PAPI_TOT_INS
";
const DEFINITIONS: &str =
    "# Format version: 0.2\n3 | main [{a.c} {1,1}-{90,1}]\n7 | step [{a.c}  {3,1}-{9,1}]\n";
const MAP: &str = "/usr/lib/libm.so 0x7000 0x8000 0\n/home/user/app 0x400000 0x500000 0\n";

/// Two threads in which a step runs again and again, three samples in each: for TAU, and for Paraver.
fn both() -> (Texts, Texts) {
    let mut records =
        vec!["#Paraver (01/02/2025 at 10:00):2000000000_ns:1(2):1:1(2:1)\n".to_owned()];
    let mut of_tau = vec![];
    for thread in 0..2u64 {
        let mut text = HEAD.to_owned();
        // When TAU writes is microseconds since 1970.
        let first = 1_353_609_137_000_000 + 13 * thread;
        let (mut counted, mut told, mut now) = (5_000_000_000, 0, first);
        for at in 0..150u64 {
            let (start, length, total) = (now, 1500 + at % 7, 300_000 + at % 5);
            let begin = counted;
            let mut event = |time: u64, counted: u64, rest: &str| {
                let since_first = (time - 1_353_609_137_000_000) * 1000;
                let delta = if told == 0 { 0 } else { counted - told };
                told = counted;
                records
                    .push(format!("2:1:1:1:{}:{since_first}:{rest}42000050:{delta}\n", thread + 1));
            };
            event(start, begin, "60000019:7:");
            let mut places = [0, 1, 2].map(|sample| 1 + (at * 37 + sample * 463) % 997);
            places.sort_unstable();
            for place in places {
                let time = start + length * place / 1000;
                // Twice as fast in the first 40 %.
                let share = if place < 400 { 2 * place } else { 800 + (place - 400) / 3 };
                let count = begin + total * share / 1000;
                let pc = if place < 400 { 0x40_05d0 } else { 0x7010 };
                writeln!(
                    text,
                    "$ | {time} | {start} | 0 | {time} {count} | 7 3 | {pc:#x} 0x400a10"
                )
                .unwrap();
                let routine = if place < 400 { 1 } else { 2 };
                event(time, count, &format!("30000000:{routine}:30000001:3:"));
            }
            counted = begin + total;
            now = start + length;
            writeln!(text, "% | {start} {begin} | {now} {counted}.0 | 7 3").unwrap();
            event(now, counted, "60000019:0:");
            (now, counted) = (now + 500, counted + 40);
        }
        writeln!(text, "# exe: /home/user/app\n# node: 0\n# thread: {thread}").unwrap();
        of_tau.push((format!("run/ebstrace.raw.4711.0.0.{thread}"), text));
    }
    records.sort_by_key(|line| line.split(':').nth(5).and_then(|time| time.parse::<u64>().ok()));
    of_tau.push(("run/ebstrace.def.4711.0.0.0".to_owned(), DEFINITIONS.to_owned()));
    of_tau.push(("run/ebstrace.map.4711.0.0.0".to_owned(), MAP.to_owned()));
    let pcf = "EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n7 step\n\n\
               EVENT_TYPE\n0 30000000 Sampled functions\n0 30000001 Sampled functions\nVALUES\n\
               1 app+0x5d0\n2 libm.so+0x10\n3 app+0xa10\n\nEVENT_TYPE\n7 42000050 PAPI_TOT_INS [Instructions]\n";
    (of_tau, vec![("a.prv".to_owned(), records.concat()), ("a.pcf".to_owned(), pcf.to_owned())])
}

#[test]
fn what_tau_sampled_folds_as_the_same_events_of_paraver() {
    let (of_tau, of_paraver) = both();
    let paraver = read(&of_paraver).unwrap();
    let mut dropped = of_tau.clone();
    for turn in 0..2 {
        let tau = read(&dropped).unwrap();
        let said = tau.notices.iter().map(|notice| &notice.text).collect::<Vec<_>>();
        assert!(said.is_empty(), "{said:?}");
        assert_eq!((tau.name.as_str(), tau.threads.len()), ("run", 2));
        assert_eq!(tau.start_on_clock_ns, Some(1_353_609_137_000_000_000));
        let name = "Timer:step [{a.c} {3,1}-{9,1}]";
        for file in ["curves.csv", "phases.csv", "routines.csv", "lines.csv"] {
            let expected = table(&paraver, "User function:step", file);
            let own = table(&tau, name, file).replace(&format!("\"{name}\""), "User function:step");
            assert!(expected.lines().count() > 2, "{file}");
            assert_eq!(expected, own, "{file} {turn}");
        }
        // In whatever order the files come.
        dropped.reverse();
    }
}

fn objects(trace: &Trace) -> Vec<String> {
    trace.threads.iter().map(|thread| thread.object.to_string()).collect()
}

/// One timer and its sample, and what is written at the end.
fn tiny(trailer: &str) -> String {
    format!("{HEAD}$ | 15 | 10 | 0 | 15 4 | 7 | 0x400001\n% | 10 0 | 20 9 | 7\n{trailer}")
}

#[test]
fn threads_are_told_apart_by_the_names_of_their_files_or_by_what_they_say() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let plain = tiny("");
    for (files, expected) in [
        (vec![file("ebstrace.raw.5.3.0.2", &plain)], vec!["1.4.3"]),
        (vec![file("ebstrace.raw.5.3.0.2.gz", &plain)], vec!["1.4.3"]),
        (vec![file("a.txt", &tiny("# node: 1\n# thread: 6\n"))], vec!["1.2.7"]),
        (vec![file("ebstrace.raw.x", &plain)], vec!["1.1.1"]),
        (
            vec![
                file("ebstrace.raw.9.0.0.0", &plain),
                file("ebstrace.raw.5.0.0.0", &plain),
                file("ebstrace.raw.5.0.0.1", &plain),
            ],
            vec!["1.1.1", "1.1.2", "1.2.1"],
        ),
    ] {
        let trace = read(&files).unwrap();
        assert_eq!(objects(&trace), expected);
        let several =
            trace.notices.iter().any(|notice| notice.text.starts_with("Several processes"));
        assert_eq!(several, files.len() == 3);
    }
}

#[test]
fn every_folder_is_a_trace_and_has_its_name() {
    let names = |paths: &[&str]| {
        let file = |path: &&str| NamedFile::new(*path, tiny("").into_bytes());
        let found = open::candidates(paths.iter().map(file).collect(), &mut |_| {}).unwrap();
        found.traces.into_iter().map(|trace| trace.name).collect::<Vec<_>>()
    };
    let (one, two) = ("ebstrace.raw.5.0.0.0", "ebstrace.raw.5.0.0.1");
    assert_eq!(names(&[one]), [one]);
    assert_eq!(names(&[one, two]), ["ebstrace"]);
    assert_eq!(names(&[&format!("a/run/{one}"), &format!("a/run/{two}")]), ["run"]);
    let both = names(&[&format!("a/run/{one}"), &format!("b/run/{two}")]);
    assert_eq!(both, ["a/run", "b/run"]);
}

#[test]
fn what_is_odd_is_said_and_the_rest_is_read() {
    let file = |name: &str, text: String| (name.to_owned(), text);
    let other = tiny("").replace("PAPI_TOT_INS", "PAPI_TOT_CYC");
    let backwards = format!("{}% | 40 9 | 30 9 | 7\n$ | 50 | 45 | 0 | 50 3 | 7 |\n", tiny(""));
    let trace = read(&vec![
        file("ebstrace.raw.5.0.0.0", backwards),
        file("ebstrace.raw.5.0.0.1", other),
        file("ebstrace.raw.5.0.0.2", HEAD.to_owned()),
        file("ebstrace.def.5.0.0.0", DEFINITIONS.to_owned()),
    ])
    .unwrap();
    assert_eq!(objects(&trace), ["1.1.1", "1.1.3"]);
    for words in [
        "A thread whose metrics (TIME PAPI_TOT_CYC) are not those of the first (TIME PAPI_TOT_INS)",
        "A timer that ends before it begins",
        "A count that falls back",
    ] {
        let said = trace.notices.iter().filter(|notice| notice.text.starts_with(words));
        assert_eq!(said.map(|notice| notice.count).sum::<u64>(), 1, "{words}");
    }
    // A timer around another one, as TAU_EBS_INCLUSIVE has it.
    let nested = format!(
        "{HEAD}$ | 15 | 12 | 0 | 15 4 | 7 3 | 0x1\n% | 12 1 | 20 9 | 7 3\n% | 12 1 | 30 12 | 3\n"
    );
    let trace = read(&vec![file("ebstrace.raw.5.0.0.0", nested)]).unwrap();
    let [outer, inner] =
        ["Timer:timer 3", "Timer:timer 7"].map(|region| table(&trace, region, "instances.csv"));
    assert!(
        outer.contains(",0,18000,used,11\n") && inner.contains(",0,8000,used,8\n"),
        "{outer}{inner}"
    );
    assert!(Object { application: 1, task: 1, thread: 1 } == trace.threads[0].object);
}

#[test]
fn what_is_no_such_trace_is_refused_with_its_place() {
    let one = |name: &str, text: &str| read(&vec![(name.to_owned(), text.to_owned())]).unwrap_err();
    for (name, text, error) in [
        (
            "ebstrace.processed.5.0.0.0",
            "1 | 2\n".to_owned(),
            "ebstrace.processed.5.0.0.0: found a file beside a trace of TAU's samples, expected ebstrace.raw.* too",
        ),
        (
            "ebstrace.raw.5.0.0.0",
            String::new(),
            "ebstrace.raw.5.0.0.0: found no timer that ends (samples: 0)",
        ),
        (
            "ebstrace.raw.5.0.0.0",
            tiny("").replace("TIME", "P"),
            "ebstrace.raw.5.0.0.0: found the metrics P, PAPI_TOT_INS, expected TIME as the first one",
        ),
        (
            "ebstrace.raw.5.0.0.0",
            tiny("% | 1 2 3 | 4 5 | 7\n"),
            "ebstrace.raw.5.0.0.0:6:5: found \u{201c}1\u{201d}, expected a number for each metric",
        ),
    ] {
        let refused = one(name, &text);
        assert!(refused.starts_with(error), "{refused}");
    }
}
