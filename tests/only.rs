//! Reading a part of a trace: what is read is what the whole trace says of it, and no more is kept.

use tracefold::export::{Format, export};
use tracefold::input::NamedFile;
use tracefold::instance::{CatalogueRow, Grouping, executions};
use tracefold::open::{Watch, candidates};
use tracefold::pipeline;
use tracefold::settings::{self, Settings};
use tracefold::text::ParseError;
use tracefold::trace::{Kind, Thread, Trace};
use tracefold_generate::Random;

use crate::traces::{HEADER, MINI_PCF, MINI_PRV};
use tracefold_generate::{Options, big};

type Texts<'a> = &'a [(&'a str, &'a str)];

/// What `only` names of the files, read by so many threads.
#[track_caller]
fn read(files: &[(&str, &[u8])], only: Texts<'_>, threads: usize) -> Trace {
    try_read(files, only, threads).unwrap_or_else(|error| panic!("{error:#}"))
}

fn try_read(files: &[(&str, &[u8])], only: Texts<'_>, threads: usize) -> Result<Trace, ParseError> {
    let files = files.iter().map(|(name, bytes)| NamedFile::new(*name, *bytes)).collect();
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let opening = candidates(files, report).and_then(|found| found.opening(None, report));
    let only = settings::only(only.iter().copied()).unwrap();
    let mut watch = Watch::new(report, early);
    watch.threads = threads;
    opening?.only(only).whole(&mut watch)
}

/// Every table of the region `step`, folded as `settings` say.
#[track_caller]
fn tables(trace: &Trace, texts: Texts<'_>) -> Vec<(String, Vec<u8>)> {
    let mut settings = Settings::default();
    settings.set("region", "User function:step").unwrap();
    for (key, value) in texts {
        settings.set(key, value).unwrap();
    }
    let folded = pipeline::run(trace, &settings).unwrap_or_else(|error| panic!("{error}"));
    let files = export(trace, &[folded], Format::parse("csv").unwrap()).unwrap();
    files.into_iter().map(|file| (file.name, file.bytes)).collect()
}

fn held_bytes(trace: &Trace) -> u64 {
    trace.threads.iter().map(Thread::held_bytes).sum()
}

/// 15 MB: four blocks, sixteen threads, four counters.
fn generated() -> (Vec<u8>, Vec<u8>) {
    let options = Options { size_mb: Some(15), ..Options::default() };
    let (labels, prv) = big::generate(7, &options, Vec::new()).unwrap();
    (prv, labels.pcf)
}

#[test]
fn a_part_folds_to_the_bytes_to_which_the_whole_folds_with_the_same_settings() {
    let (prv, pcf) = generated();
    let files = [("a.prv", prv.as_slice()), ("a.pcf", &pcf)];
    let whole = read(&files, &[], 1);
    assert_eq!((whole.threads.len(), &whole.partial), (16, &None));
    let counters = ("counters", "PAPI_L1_DCM,PAPI_TOT_INS");
    let object = ("objects", "*.3.*");
    // A window for moments is wider than that for the starts of instances by one of them.
    let start = [("from", "170000000"), ("to", "510000000")];
    let window = [("from", "170000000"), ("to", "530000000")];
    let everything = [object, counters, start[0], start[1]];
    let part_of_everything = [object, counters, window[0], window[1]];
    for (texts, only, most) in [
        (&[object][..], &[object][..], 1.0 / 12.0),
        (&[counters], &[counters], 0.9),
        (&start, &window, 0.4),
        (&everything, &part_of_everything, 0.04),
    ] {
        let part = read(&files, only, 1);
        let expected = tables(&whole, texts);
        let long = ["curves.csv", "groups.csv", "points.csv", "lines.csv"];
        let long = expected.iter().filter(|(name, _)| long.contains(&name.as_str()));
        let lengths = long.map(|(_, bytes)| bytes.iter().filter(|b| **b == b'\n').count());
        let lengths = lengths.collect::<Vec<_>>();
        assert!(lengths.len() == 4 && lengths.iter().all(|lines| *lines > 20), "{lengths:?}");
        assert!(tables(&part, texts) == expected, "{only:?}");
        // Threads and counters need not be named again.
        let starts = texts.iter().copied().filter(|text| start.contains(text)).collect::<Vec<_>>();
        assert!(tables(&part, &starts) == expected, "{only:?}");
        let share = held_bytes(&part) as f64 / held_bytes(&whole) as f64;
        assert!(share < most, "{only:?} {share}");
        assert_eq!((part.duration_ns, part.size_bytes), (whole.duration_ns, whole.size_bytes));
        assert!(part.partial.is_some() && part.notices.iter().next().is_none(), "{only:?}");
    }
}

#[test]
fn one_two_and_seven_threads_read_the_same_part() {
    let (mut prv, pcf) = generated();
    let length = prv.len();
    for at in (1..8).map(|n| n * length / 8) {
        let line = at + prv[at..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let odd = b"2:1:1:3:1:200000077:60000019:0:5\n9:what\n2:x\n2:1:1:3:1:7:60000019:3\n";
        prv.splice(line..line, odd.iter().copied());
    }
    let files = [("a.prv", prv.as_slice()), ("a.pcf", &pcf)];
    let only = [("objects", "1.3.1"), ("counters", "PAPI_TOT_CYC"), ("from", "200000000")];
    let told = |threads: usize| {
        let trace = read(&files, &only, threads);
        let notices = trace.notices.iter().map(|n| format!("{} {} {}", n.text, n.count, n.first));
        let notices = notices.collect::<Vec<_>>();
        assert!(notices.len() >= 4 && trace.threads.len() == 1, "{notices:?}");
        (tables(&trace, &[]), notices, held_bytes(&trace), trace.partial)
    };
    let alone = told(1);
    for threads in [2, 7] {
        assert!(told(threads) == alone, "{threads} threads");
    }
}

/// The rows of the table of regions.
fn rows(trace: &Trace) -> Vec<CatalogueRow> {
    let settings = Settings { group: Grouping::None, ..Settings::default() };
    pipeline::catalogue(trace, &settings).0
}

#[test]
fn the_share_of_time_is_that_of_the_window_and_the_threads_in_it() {
    let mut text = "#Paraver (01/02/2025 at 10:00):100_ns:1(2):1:2(1:1,1:1)\n".to_owned();
    for (task, from) in [(1, 0), (2, 50)] {
        for start in (from..100).step_by(10) {
            text += &format!("2:1:1:{task}:1:{start}:1000:3\n");
            text += &format!("2:1:1:{task}:1:{}:1000:0\n", start + 5);
        }
    }
    let share = |only: Texts<'_>| {
        let rows = rows(&read(&[("a.prv", text.as_bytes())], only, 1));
        rows.first().map(|row| (row.instances, row.share))
    };
    // From the first event to the last: 95 and 45 ns.
    assert_eq!(share(&[]), Some((15, 75.0 / 140.0)));
    assert_eq!(share(&[("objects", "*.2.*")]), Some((5, 25.0 / 45.0)));
    // The instance at 10 ends at the border, the one at 60 begins before it.
    assert_eq!(share(&[("to", "15")]), Some((2, 10.0 / 15.0)));
    assert_eq!(share(&[("from", "61")]), Some((6, 30.0 / (34.0 + 34.0))));
    // The second thread has 5 ns in it.
    assert_eq!(share(&[("from", "40"), ("to", "55")]), Some((3, 15.0 / (15.0 + 5.0))));
    assert_eq!(share(&[("from", "96")]), None);
}

#[test]
fn zeros_at_the_border_of_the_window_are_ends_and_those_of_a_cutter_are_not() {
    let text = format!(
        "{HEADER}#x:CUTTER:x\n2:1:1:1:1:10:1000:3\n2:1:1:1:1:20:1000:0\n2:1:1:1:1:30:1000:3\n\
         2:1:1:1:1:40:1000:0\n"
    );
    let instances = |only: Texts<'_>| {
        let rows = rows(&read(&[("a.prv", text.as_bytes())], only, 1));
        rows.iter().map(|row| row.instances).sum::<u32>()
    };
    assert_eq!(instances(&[]), 1);
    for (to, expected) in [("19", 0), ("20", 1), ("39", 1), ("40", 1), ("99", 1)] {
        assert_eq!(instances(&[("to", to)]), expected, "{to}");
    }
    assert_eq!(instances(&[("from", "30")]), 0);
}

/// Object, time, and events as code and value.
type Told = (String, u64, Vec<(u32, u64)>);

/// Everything of a trace that `object`, `time` and `kept` let pass.
fn told(
    trace: &Trace,
    object: impl Fn(&str) -> bool,
    time: impl Fn(u64) -> bool,
    kept: impl Fn(Kind, &str) -> bool,
) -> Vec<Told> {
    let mut told = Vec::new();
    for thread in trace.threads.iter().filter(|thread| object(&thread.object.to_string())) {
        for moment in thread.moments().filter(|moment| time(moment.time)) {
            let event = |event: tracefold::trace::Event| {
                let known = &trace.types[event.event_type as usize];
                kept(known.kind, &known.name).then_some((known.code, event.value))
            };
            let events = moment.events().filter_map(event).collect::<Vec<_>>();
            if !events.is_empty() {
                told.push((thread.object.to_string(), moment.time, events));
            }
        }
    }
    told
}

#[test]
fn what_is_read_is_the_whole_without_the_rest_whatever_the_file_holds() {
    let mut random = Random::new(8);
    let mut read_in_part = 0;
    for _ in 0..300 {
        let mut text = HEADER.replace("1(1:1)", "2(2:1,1:1)").into_bytes();
        for _ in 0..200 {
            let [task, thread] = [[1, 1], [1, 2], [2, 1]][random.below(3) as usize];
            text.extend(format!("2:1:1:{task}:{thread}:{}", random.below(300)).bytes());
            for _ in 0..=random.below(3) {
                let code = [42_000_050, 42_000_059, 41_999_999, 30_000_000, 1000, 77]
                    [random.below(6) as usize];
                text.extend(
                    format!(":{code}:{}", [0, 1, u64::MAX][random.below(3) as usize]).bytes(),
                );
            }
            text.push(b'\n');
        }
        // Beyond the lines that must be sound.
        for _ in 0..random.below(4) {
            let at = text.len() - 1 - random.below(1500) as usize;
            text[at] = b":0129\n#x-"[random.below(9) as usize];
        }
        let files = [("a.prv", text.as_slice())];
        let object = ["*.*.*", "1.1.*", "1.2.1", "*.*.2"][random.below(4) as usize];
        let counter = ["", "PAPI_TOT_INS", "PAPI_TOT_CYC", "neither"][random.below(4) as usize];
        let (from, to) =
            (random.below(320), [random.below(300), u64::MAX][random.below(2) as usize]);
        let to = to.max(from);
        let (from_text, to_text) = (from.to_string(), to.to_string());
        let only =
            [("objects", object), ("counters", counter), ("from", &from_text), ("to", &to_text)];
        let (whole, part) = match (try_read(&files, &[], 1), try_read(&files, &only, 1)) {
            (Ok(whole), Ok(part)) => (whole, part),
            (whole, part) => {
                assert_eq!(whole.err(), part.err());
                continue;
            }
        };
        let has = |id: &str| id.split('.').zip(object.split('.')).all(|(a, b)| b == "*" || a == b);
        let within = |time| from <= time && time <= to;
        let kept =
            |kind, name: &str| kind != Kind::Counter || counter.is_empty() || name == counter;
        let expected = told(&whole, has, within, kept);
        assert_eq!(told(&part, |_| true, |_| true, |_, _| true), expected, "{only:?}");
        read_in_part += usize::from(!expected.is_empty());
    }
    assert!(read_in_part > 150, "{read_in_part}");
}

/// (type, value, begin, end) of everything that opens and closes.
fn opened_and_closed(trace: &Trace) -> Vec<(u32, u64, u64, u64)> {
    let of_type = trace.types.iter().zip(executions(trace, |_| true));
    let all = of_type.flat_map(|(known, executions)| {
        executions.into_iter().map(|execution| {
            let at = |at: u32| trace.threads[execution.thread as usize].moment(at as usize).time;
            (known.code, execution.value, at(execution.first), at(execution.last))
        })
    });
    let mut all = all.collect::<Vec<_>>();
    all.sort();
    all
}

#[test]
fn what_lies_in_a_window_as_a_whole_is_found_there_and_nothing_else() {
    let mut random = Random::new(3);
    for round in 0..40 {
        // Calls that nest, and beside them a type of which a value closes the one before.
        let (mut text, mut depth) = (HEADER.to_owned(), 0);
        for time in 1..400 {
            let event = match (random.below(3), depth) {
                (0, _) => format!("1000:{}", random.below(3)),
                (1, 1..) | (_, 9) => {
                    depth -= 1;
                    "60000019:0".to_owned()
                }
                _ => {
                    depth += 1;
                    format!("60000019:{}", 1 + random.below(3))
                }
            };
            text += &format!("2:1:1:1:1:{time}:{event}\n");
        }
        let files = [("a.prv", text.as_bytes())];
        let (from, to) = (random.below(200), 250 + random.below(200));
        let whole = opened_and_closed(&read(&files, &[], 1));
        let inside = whole.into_iter().filter(|&(_, _, begin, end)| from <= begin && end <= to);
        let only = [("from", &*from.to_string()), ("to", &*to.to_string())];
        let found = opened_and_closed(&read(&files, &only, 1));
        assert_eq!(found, inside.collect::<Vec<_>>(), "{round}: {from} to {to}");
    }
}

#[test]
fn every_format_is_read_in_part() {
    let mini =
        read(&[("mini.prv", MINI_PRV.as_bytes()), ("mini.pcf", MINI_PCF.as_bytes())], &[], 1);
    let folded = pipeline::run(&mini, &Settings::default()).unwrap();
    let extract = export(&mini, &[folded], Format::parse("extract").unwrap()).unwrap();
    let extract = extract.iter().find(|file| file.name.ends_with(".extract")).unwrap();
    let perf = include_bytes!("traces/calls-perf.txt.gz").as_slice();
    for (name, bytes, counter) in [
        ("mini.prv", MINI_PRV.as_bytes(), "PAPI_TOT_CYC"),
        ("mini.extract", &extract.bytes, "PAPI_TOT_CYC"),
        ("perf.txt.gz", perf, "task-clock"),
    ] {
        let labels = if name == "mini.prv" { MINI_PCF.as_bytes() } else { b"" };
        let files = [(name, bytes), ("mini.pcf", labels)];
        let files = &files[..1 + usize::from(!labels.is_empty())];
        let whole = read(files, &[], 1);
        let part = read(files, &[("counters", counter)], 1);
        let counters = |trace: &Trace| {
            let counters = trace.types.iter().filter(|known| known.kind == Kind::Counter);
            counters.map(|known| known.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(counters(&part), [counter], "{name}");
        assert!(counters(&whole).len() > 1 && held_bytes(&part) < held_bytes(&whole), "{name}");
        let settings = Settings { counters: Some(counters(&part)), ..Settings::default() };
        let curves = |trace| pipeline::run(trace, &settings).unwrap().0.groups.remove(0).curves;
        assert!(!curves(&whole).is_empty() && curves(&part) == curves(&whole), "{name}");
        let end = whole.threads[0].end_ns();
        let late = read(files, &[("from", &(end / 2).to_string())], 1);
        let first = |trace: &Trace| trace.threads[0].moment(0).time;
        assert!(first(&whole) < end / 2 && first(&late) >= end / 2, "{name}");
    }
}

#[test]
fn what_is_chosen_and_not_there_is_said() {
    let files = [("mini.prv", MINI_PRV.as_bytes()), ("mini.pcf", MINI_PCF.as_bytes())];
    for (only, notices) in [
        (
            &[("counters", "PAPI_TOT_INS,L9")][..],
            &["A counter that was to be read is not in the trace. L9"][..],
        ),
        (
            &[("objects", "2.*.*")],
            &["Nothing of what was to be read is in the trace. threads 2.*.*"],
        ),
        (
            &[("from", "18446744073709551615")],
            &[
                "Nothing of what was to be read is in the trace. times from 18446744073.709551615 s \
               on",
            ],
        ),
        (&[("objects", "*.*.*"), ("counters", "all"), ("from", "0")], &[]),
    ] {
        let trace = read(&files, only, 1);
        let told = trace.notices.iter().map(|n| format!("{} {}", n.text, n.first));
        let told = told.filter(|text| text.contains("to be read")).collect::<Vec<_>>();
        assert_eq!(told, notices);
        let empty = notices.iter().any(|text| text.starts_with("Nothing"));
        assert_eq!(pipeline::run(&trace, &Settings::default()).is_err(), empty);
    }
}
