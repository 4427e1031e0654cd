//! Memory samples that were recorded apart, merged with a trace.
//!
//! The recordings are made up: by the generator, which takes the references out of a trace and puts
//! them on another clock, and by hand in the layouts that perf prints. Of the one the truth is the
//! trace that had them.

use crate::traces::{MINI_PCF, MINI_PRV, open};
use tracefold::input::NamedFile;
use tracefold::open::{Watch, candidates};
use tracefold::settings;
use tracefold::trace::{Event, Kind, ReferencePart, Trace};
use tracefold_generate::perf_mem::{Clock, apart};
use tracefold_generate::{Generated, Options, Shape, generate_with};

/// A reference: time, then address, parts and code by their names.
type Reference = (u64, String);

/// The references of every thread.
fn references(trace: &Trace) -> Vec<(String, Vec<Reference>)> {
    let word = |event: Event| {
        let name = trace.value_name(event.event_type, event.value);
        match trace.kind(event.event_type) {
            Kind::Reference(part) => Some(format!("{part:?} {}", event.value)),
            Kind::Routine(depth) => Some(format!("routine {depth} {name}")),
            // Extrae tells the library behind the file.
            Kind::CodeLine(depth) => {
                let name = name.split([',', ')']).next().unwrap_or(&name);
                Some(format!("line {depth} {name}"))
            }
            _ => None,
        }
    };
    let is_address = |event: Event| {
        use ReferencePart::{LoadAddress, StoreAddress};
        matches!(trace.kind(event.event_type), Kind::Reference(LoadAddress | StoreAddress))
    };
    let of_thread = |thread: &tracefold::trace::Thread| {
        let moments = thread.moments().filter(|moment| moment.events().any(is_address));
        let reference = |moment: tracefold::trace::Moment<'_>| {
            let mut words = moment.events().filter_map(word).collect::<Vec<_>>();
            words.sort();
            (moment.time, words.join(", "))
        };
        (thread.object.to_string(), moments.map(reference).collect())
    };
    trace.threads.iter().map(of_thread).collect()
}

/// Everything but references and their code, as text.
fn rest(trace: &Trace) -> String {
    let mut text = String::new();
    for thread in &trace.threads {
        text += &format!("{} {} {}\n", thread.object, thread.span_ns(), thread.end_ns());
        for moment in thread.moments() {
            let events = moment.events().map(|event| {
                let of_type = &trace.types[event.event_type as usize];
                (of_type.code, event.value, of_type.kind)
            });
            let events = events.collect::<Vec<_>>();
            if !events.iter().any(|(.., kind)| matches!(kind, Kind::Reference(_))) {
                text += &format!("{} {events:?}\n", moment.time);
            }
        }
    }
    text
}

fn notices(trace: &Trace) -> Vec<String> {
    let about_memory = trace.notices.iter().filter(|notice| notice.text.contains("emory"));
    about_memory
        .map(|notice| format!("{} ×{} {}", notice.text, notice.count, notice.first))
        .collect()
}

fn example() -> Generated {
    let options = Options { instances: Some(40), ..Options::default() };
    generate_with(Shape::Example, 5, &options)
}

#[track_caller]
fn read(files: &[(&str, &[u8])], which: Option<&str>, only: &[(&str, &str)]) -> Trace {
    let files = files.iter().map(|(name, bytes)| NamedFile::new(*name, *bytes)).collect();
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = candidates(files, report).unwrap_or_else(|error| panic!("{error:#}"));
    let opening = found.opening(which, report).unwrap_or_else(|error| panic!("{error:#}"));
    let only = settings::only(only.iter().copied()).unwrap();
    opening.only(only).whole(&mut Watch::new(report, early)).unwrap()
}

#[test]
fn references_recorded_apart_come_back_to_where_they_were() {
    let whole = example();
    let expected = references(&open(&[("w.prv", &whole.prv), ("w.pcf", &whole.pcf)]));
    assert!(expected.iter().all(|(_, references)| references.len() > 100));
    for clock in [
        Clock { start_ns: 0, gain: 0, lost: 0 },
        Clock { start_ns: 2_144_807_830_162, gain: 0, lost: 0 },
        Clock { start_ns: 9_000_000_000, gain: 20_000, lost: 0 },
        Clock { start_ns: 9_000_000_000, gain: 20_000, lost: 29 },
    ] {
        let (prv, recording) = apart(&whole, "main loop", clock);
        let bare = open(&[("m.prv", &prv), ("m.pcf", &whole.pcf)]);
        assert!(references(&bare).iter().all(|(_, references)| references.is_empty()));
        let recording = ("mem.txt", recording.as_bytes());
        let merged = open(&[recording, ("m.prv", &prv), ("m.pcf", &whole.pcf)]);
        let found = references(&merged);
        assert_eq!(found.len(), expected.len());
        for ((object, expected), (_, found)) in expected.iter().zip(&found) {
            assert_eq!(found.len(), expected.len(), "{object}: {}", merged.provenance.references);
            for ((time, reference), (found_time, found)) in expected.iter().zip(found) {
                assert_eq!(found, reference, "{object} at {time}");
                assert!(found_time.abs_diff(*time) <= 3, "{object}: {found_time} for {time}");
            }
        }
        assert!(rest(&merged) == rest(&bare), "the trace itself changed");
        assert_eq!(notices(&merged), [""; 0]);
        let words = &merged.provenance.references;
        let drift = words.split("drift ").nth(1).and_then(|rest| rest.split(' ').next());
        let drift = drift.unwrap().parse::<f64>().unwrap();
        assert!((drift + clock.gain as f64 / 1e3).abs() < 0.01, "{words}");
        assert!(words.contains("begins agree within 0"), "{words}");
    }
}

/// `mini.prv` has the function `kernel` from 1 to 2 ms and from 2.5 to 3.5 ms.
const KERNEL: [(u64, u64); 2] = [(1_000_000, 2_000_000), (2_500_000, 3_500_000)];

fn with_mini(recordings: &[(&str, &str)]) -> Trace {
    let mut files = vec![("mini.prv", MINI_PRV.as_bytes()), ("mini.pcf", MINI_PCF.as_bytes())];
    files.extend(recordings.iter().map(|(name, text)| (*name, text.as_bytes())));
    read(&files, None, &[])
}

const DECODED: &str = "|OP LOAD|LVL L3 or L3 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A";

fn load(thread: &str, ns: u64, address: u64) -> String {
    format!(
        "app {thread} [000] 7.{ns:09}:  1 cpu/mem-loads,ldlat=30/P: {address:x} 10668100842 {DECODED} 57 401136 kernel+0x1c (/a/app)\n"
    )
}

fn marker(thread: &str, ns: u64, name: &str) -> String {
    format!("app {thread} [000] 7.{ns:09}:  {name}: (401136)\n")
}

/// Two instances of `kernel` of another run, each as long as `stretch` times those of the trace.
fn another_run(stretch: u64, name: &str) -> String {
    let mut text = String::new();
    for (number, (begin, end)) in (1..).zip(KERNEL) {
        let at = |ns: u64| 3_000_000 + ns * stretch;
        text += &marker("4711", at(begin), &format!("probe_app:{name}"));
        text += &load("4711", at(begin + (end - begin) / 4), 0x1000 * number);
        text += &marker("4711", at(end), &format!("probe_app:{name}_ret__return"));
    }
    text
}

#[test]
fn samples_of_another_run_keep_their_place_in_each_instance() {
    for (stretch, name) in [(1, "kernel"), (3, "kernel"), (3, "something_else")] {
        let merged = with_mini(&[("mem.txt", &another_run(stretch, name))]);
        let parts = |address: u64| {
            format!(
                "Cost 57, Level 4, LoadAddress {address}, TlbLevel 1, line 0 app, routine 0 kernel"
            )
        };
        let expected = [(1_250_000, parts(0x1000)), (2_750_000, parts(0x2000))];
        assert_eq!(references(&merged)[0].1, expected, "{stretch} {name}");
        let words = format!(
            "2 loads and 0 stores of mem.txt, aligned by 2 instances of {name}, one by one \
             as of two runs"
        );
        assert_eq!(merged.provenance.references, words);
    }
    // The routine is the one that the trace knows, not another of that name.
    let merged = with_mini(&[("mem.txt", &another_run(1, "kernel"))]);
    let value =
        |event: Event| (merged.kind(event.event_type) == Kind::Routine(0)).then_some(event.value);
    let values = merged.threads[0].moments().flat_map(|moment| moment.events().filter_map(value));
    assert_eq!(values.collect::<Vec<_>>(), [3; 5]);
}

#[test]
fn several_recordings_are_merged_one_after_the_other() {
    let stores = another_run(1, "kernel").replace("mem-loads,ldlat=30", "mem-stores");
    let stores = stores.replace("10668100842", "10668100844").replace("OP LOAD", "OP STORE");
    let merged = with_mini(&[("loads.txt", &another_run(1, "kernel")), ("stores.txt", &stores)]);
    let times = references(&merged)[0].1.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    // Of two at one time the later one comes a nanosecond later.
    assert_eq!(times, [1_250_000, 1_250_001, 2_750_000, 2_750_001]);
    let words = &merged.provenance.references;
    assert!(words.starts_with("2 loads and 0 stores of loads.txt, "), "{words}");
    assert!(words.contains("; 0 loads and 2 stores of stores.txt, "), "{words}");
}

/// A trace of perf, and memory samples of the same threads on the same clock.
#[test]
fn recordings_of_one_clock_need_no_markers() {
    let mut main = String::new();
    for (begin, end) in KERNEL {
        main += &marker("70/71", begin, "probe_app:kernel");
        main += &format!(
            "app 70/71 [000] 7.{:09}: 99 cycles: 401136 kernel+0x1c (/a/app)\n",
            begin + 5
        );
        main += &marker("70/71", end, "probe_app:kernel_ret__return");
    }
    let mem = [
        load("70/71", 900_000, 0x10),
        load("70/71", 1_000_005, 0x20),
        load("70/72", 1_500_000, 0x30),
        load("70/71", 3_000_000, 0x40),
        // As the last region ends.
        load("70/71", 3_500_000, 0x60),
        load("70/71", 3_600_000, 0x50),
    ];
    let files = [("main.txt", main.as_bytes()), ("mem.txt", &mem.concat().into_bytes())];
    let merged = read(&files, None, &[]);
    // Times count from the first marker; what is there at that time stays as it is.
    let times = references(&merged)[0].1.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    assert_eq!(times, [6, 2_000_000]);
    assert_eq!(merged.provenance.references, "2 loads and 0 stores of mem.txt, on the same clock");
    assert_eq!(
        notices(&merged),
        [
            "Memory samples of a thread that the trace does not have; they were left out. ×1 mem.txt",
            "Memory samples outside of the trace's time; they were left out. ×3 mem.txt",
        ]
    );
    // In a window of time, and of no thread.
    let part = read(&files, None, &[("from", "1000000"), ("to", "2100000")]);
    let times = references(&part)[0].1.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    assert_eq!(times, [2_000_000]);
}

#[test]
fn a_recording_that_does_not_belong_to_the_trace_leaves_it_as_it_is() {
    let bare = with_mini(&[]);
    let of_other_length =
        another_run(1, "kernel") + &another_run(1, "kernel").replace(" 7.", " 9.");
    let without_addresses =
        another_run(1, "kernel").replace(&format!("10668100842 {DECODED} 57"), "");
    let without_addresses =
        without_addresses.replace("1000  401136", "401136").replace("2000  401136", "401136");
    for (mem, reason) in [
        (
            load("7", 1, 0x10),
            "found another clock and no markers in mem.txt, expected the markers of a region",
        ),
        (
            of_other_length,
            "found markers of kernel in mem.txt and kernel in mini.prv, which do not agree in number",
        ),
        (
            without_addresses,
            "found no load or store with an address, expected them printed: perf script",
        ),
    ] {
        let trace = with_mini(&[("mem.txt", &mem)]);
        assert!(rest(&trace) == rest(&bare) && trace.provenance.references.is_empty());
        let told = notices(&trace);
        let is_it = |text: &String| {
            text.contains("cannot be merged with the trace") && text.contains(reason)
        };
        assert!(told.iter().any(is_it), "{told:?}");
    }
    let broken = with_mini(&[("mem.txt", &(load("7", 1, 0x10) + "what is this\n"))]);
    let told = notices(&broken);
    assert!(
        told[0].starts_with(
            "A recording of memory samples that cannot be read; it was left out: mem.txt:2"
        ),
        "{told:?}"
    );
}

#[test]
fn a_recording_is_a_trace_where_it_is_alone_or_asked_for() {
    let mem = another_run(1, "kernel");
    let alone = read(&[("mem.txt", mem.as_bytes())], None, &[]);
    assert_eq!(references(&alone)[0].1.len(), 2);
    let files = [
        ("mini.prv", MINI_PRV.as_bytes()),
        ("mini.pcf", MINI_PCF.as_bytes()),
        ("mem.txt", mem.as_bytes()),
    ];
    assert_eq!(rest(&read(&files, Some("mem.txt"), &[])), rest(&alone));
    // Two of them, and nothing to merge them with.
    let files = [("a.txt", mem.as_bytes()), ("b.txt", mem.as_bytes())];
    let files = files.iter().map(|(name, bytes)| NamedFile::new(*name, *bytes)).collect();
    let found = candidates(files, &mut |_| {}).unwrap();
    assert_eq!((found.traces.len(), found.recordings.len()), (2, 0));
    // Without markers there is nothing to fold.
    let bare = load("7", 1, 0x10);
    let refused = crate::traces::open_err(&[("mem.txt", bare.as_bytes())]);
    assert_eq!(refused.found, "no marker (samples: 1)");
    assert!(refused.expected.contains("the trace of the same program beside it"), "{refused:#}");
}
