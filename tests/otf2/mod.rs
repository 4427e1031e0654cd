//! Archives of OTF2 that are made here, beside what is known of them.

mod levels;
pub mod solver;

use std::io::{Cursor, Write};

use flate2::{Compression, write::GzEncoder};
use solver::Solver;
use tracefold::export::{Format as Files, export};
use tracefold::input::NamedFile;
use tracefold::open::{Watch, candidates};
use tracefold::pipeline;
use tracefold::trace::{Boundaries, Kind, Only, Trace};
use tracefold_generate::otf2::{Anchor, Body, Definitions, File, Format, UNDEFINED, event};

use crate::traces;

type Archive = Vec<(String, Vec<u8>)>;

fn read_by(files: &[(String, Vec<u8>)], threads: usize) -> Result<Trace, String> {
    let named = files.iter().map(|(name, bytes)| NamedFile::new(name.clone(), bytes.as_slice()));
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = candidates(named.collect(), report).map_err(|error| error.to_string())?;
    let mut watch = Watch::new(report, early);
    watch.threads = threads;
    found.open(None, &mut watch).map_err(|error| error.to_string())
}

#[track_caller]
fn read(files: &[(String, Vec<u8>)]) -> Trace {
    read_by(files, 1).unwrap()
}

fn told(trace: &Trace) -> Vec<String> {
    let told = |notice: &tracefold::trace::Notice| {
        format!("{} ×{} {}", notice.text, notice.count, notice.first)
    };
    trace.notices.iter().map(told).collect()
}

/// The tables that say what a region is like.
fn tables(trace: &Trace, region: &str) -> Vec<(String, String)> {
    let settings = traces::settings(&[&format!("region={region}")]).unwrap();
    let folded = pipeline::run(trace, &settings).unwrap_or_else(|error| panic!("{error}"));
    let files = export(trace, &[folded], Files::Csv).unwrap();
    let wanted =
        ["curves.csv", "phases.csv", "routines.csv", "lines.csv", "code.csv", "groups.csv"];
    let files = files.into_iter().filter(|file| wanted.contains(&file.name.as_str()));
    files.map(|file| (file.name, String::from_utf8(file.bytes).unwrap())).collect()
}

/// Instances of each region by name, with the sum of their durations in nanoseconds.
fn stretches(trace: &Trace) -> Vec<(String, usize, u64)> {
    let mut all = vec![];
    for thread in &trace.threads {
        let mut open: Vec<(u32, String, u64)> = vec![];
        for moment in thread.moments() {
            for of in moment.events() {
                if !matches!(trace.kind(of.event_type), Kind::Region(..)) {
                    continue;
                }
                if of.value > 0 {
                    let name = trace.value_name(of.event_type, of.value);
                    open.push((of.event_type, name, moment.time));
                } else {
                    let at = open.iter().rposition(|(known, ..)| *known == of.event_type).unwrap();
                    let (of, name, begin) = open.remove(at);
                    all.push((
                        format!("{}:{name}", trace.types[of as usize].name),
                        moment.time - begin,
                    ));
                }
            }
        }
    }
    all.sort();
    let all = all.chunk_by(|a, b| a.0 == b.0);
    all.map(|of| (of[0].0.clone(), of.len(), of.iter().map(|(_, ns)| ns).sum())).collect()
}

/// Shapes of runs and of archives.
fn solvers() -> Vec<(&'static str, Solver)> {
    let big = Format { is_big_endian: true, ..Format::default() };
    let solver = Solver::default();
    let tsc =
        Solver { ticks_per_second: 2_095_197_216, begin_ticks: 7_396_895_680_097_484, ..solver };
    vec![
        ("plain", solver),
        ("without samples", Solver { period_ns: 0, seed: 2, ..solver }),
        ("by contexts", Solver { by_context: true, seed: 3, ..solver }),
        ("another clock", Solver { seed: 4, ..tsc }),
        ("another order of bytes", Solver { format: big, seed: 5, by_context: true, ..tsc }),
        ("own numbers, a clock that runs away", Solver { with_local: true, seed: 6, ..solver }),
        ("the same by contexts", Solver { with_local: true, by_context: true, seed: 7, ..tsc }),
        (
            "few, and ranks unlike",
            Solver { iterations: 7, slower: 40, ranks: 4, seed: 8, ..solver },
        ),
        ("one rank over several chunks", Solver { ranks: 1, iterations: 900, seed: 9, ..solver }),
    ]
}

#[test]
fn an_archive_folds_to_the_bytes_to_which_the_same_run_folds_from_a_prv() {
    for (name, solver) in solvers() {
        let archive = read(&solver.archive());
        let [prv, pcf] = solver.paraver();
        let twin = traces::open(&[("a.prv", &prv), ("a.pcf", &pcf)]);
        assert_eq!(told(&archive), [""; 0], "{name}");
        assert_eq!(archive.provenance.boundaries, Boundaries::Exact, "{name}");
        for region in ["iteration", "sweep"] {
            let region = format!("User function:{region}");
            let [own, other] = [&archive, &twin].map(|trace| tables(trace, &region));
            assert_eq!(own.len(), 6, "{name}");
            for (own, other) in own.iter().zip(&other) {
                // Extrae has a type for collective calls alone.
                let other = other.1.replace("MPI Collective Comm", "MPI");
                assert!(own.1 == other, "{name}: {} of {region}", own.0);
                assert!(own.1.lines().count() > 1 || own.0 != "curves.csv", "{name}: {}", own.0);
            }
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn tar(files: &Archive) -> Vec<u8> {
    let mut tar = tar::Builder::new(vec![]);
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    tar.into_inner().unwrap()
}

/// What a trace says beside its name and size, and what is folded of it.
fn said(trace: &Trace) -> (Vec<String>, String, Vec<(String, String)>) {
    (told(trace), trace.provenance.sentences().concat(), tables(trace, "User function:iteration"))
}

#[test]
fn however_it_is_packed_and_read_an_archive_is_the_same_trace() {
    // Locations of 10 MB in sum: blocks of several, and of one.
    let solver = Solver { ranks: 5, iterations: 3500, with_local: true, ..Solver::default() };
    let mut files = solver.archive();
    // One that is cut, so that there is something to say.
    let at = files.iter().position(|(name, _)| name.ends_with("2.evt")).unwrap();
    let half = files[at].1.len() / 2;
    files[at].1.truncate(half);
    let alone = said(&read(&files));
    assert_eq!(alone.0.len(), 1, "{:?}", alone.0);
    for threads in [2, 7] {
        assert!(said(&read_by(&files, threads).unwrap()) == alone, "{threads} threads");
    }
    files.reverse();
    assert!(said(&read(&files)) == alone, "in another order");
    let tape = tar(&files);
    for (name, bytes) in [("a.tar", tape.clone()), ("a.tar.gz", gzip(&tape))] {
        assert!(said(&read(&[(name.to_owned(), bytes)])) == alone, "{name}");
    }
    let mut zip = rawzip::ZipArchiveWriter::new(Cursor::new(vec![]));
    for (name, bytes) in &files {
        let method = rawzip::CompressionMethod::STORE;
        let (mut entry, config) = zip.new_file(name).compression_method(method).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(bytes).unwrap();
        let (_, written) = writer.finish().unwrap();
        entry.finish(written).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    assert!(said(&read(&[("a.zip".to_owned(), zip)])) == alone, "a.zip");
}

/// An archive of one process with these definitions and these events of location 0.
fn small(define: impl FnOnce(&mut Definitions), write: impl FnOnce(&mut File)) -> Archive {
    let format = Format::default();
    let mut all = Definitions::new(format, 1_000_000_000, 0);
    let process = all.group("rank 0", UNDEFINED, None);
    all.location(0, 1, 9, process);
    define(&mut all);
    let mut events = File::new(format);
    write(&mut events);
    vec![
        ("traces.otf2".to_owned(), Anchor::default().bytes()),
        ("traces.def".to_owned(), all.file.finish()),
        ("traces/0.def".to_owned(), File::new(format).finish()),
        ("traces/0.evt".to_owned(), events.finish()),
    ]
}

fn body() -> Body {
    Body::new(Format::default())
}

/// Regions `a`, `b`, `c` and so on of the user, 0 to 4; 5 is a call of MPI.
fn regions(all: &mut Definitions) {
    for name in ["a", "b", "c", "d", "e"] {
        all.region(name, 2, 1, "a.c", 1);
    }
    all.region("MPI_Send", 4, 28, "", 0);
}

/// `+0` enters region 0, `-0` leaves it, each at the time before it: `10 +0 +1 20 -1 -0`.
fn borders(events: &mut File, text: &str) {
    let mut now = 0;
    for word in text.split(' ') {
        let number = |digits: &str| digits.parse::<u64>().unwrap();
        match word.split_at(1) {
            ("+", region) => events.event(now, event::ENTER, body().number(number(region))),
            ("-", region) => events.event(now, event::LEAVE, body().number(number(region))),
            _ => now = number(word),
        }
    }
}

fn of_borders(text: &str) -> Trace {
    read(&small(regions, |events| borders(events, text)))
}

fn named(all: &[(&str, usize, u64)]) -> Vec<(String, usize, u64)> {
    all.iter().map(|(name, count, ns)| (format!("User function:{name}"), *count, *ns)).collect()
}

#[test]
fn what_has_no_duration_closes_nothing() {
    let trace = of_borders("0 +0 10 +1 -1 20 +2 30 -2 +3 -3 +2 40 -2 -0");
    assert_eq!(stretches(&trace), named(&[("a", 1, 40), ("c", 2, 20)]));
    let text = "A region that is left in the nanosecond in which it is entered: it has no duration and is \
                no instance.";
    assert_eq!(told(&trace), [format!("{text} ×2 0.evt")]);
    assert_eq!(trace.provenance.markers_lost, 0);
    // Inside of itself, too.
    let trace = of_borders("0 +0 10 +0 -0 +0 20 -0 30 -0");
    assert_eq!(stretches(&trace), named(&[("a", 2, 40)]));
}

#[test]
fn markers_without_their_other_half_are_counted_and_close_nothing_else() {
    // A leave of what was never entered, an enter that is never left, and one that lost its end.
    for (text, lost, expected) in [
        ("0 -1 10 +0 20 -0 30 +1 40 +2 50 -2", 2, vec![("a", 1, 10), ("c", 1, 10)]),
        ("0 +0 10 +1 20 +2 30 -1 40 -0", 1, vec![("a", 1, 40), ("b", 1, 20), ("c", 1, 10)]),
        ("0 +0 10 -1 20 -0", 1, vec![("a", 1, 20)]),
    ] {
        let trace = of_borders(text);
        assert_eq!(trace.provenance.markers_lost, lost, "{text}");
        assert_eq!(stretches(&trace), named(&expected), "{text}");
    }
}

#[test]
fn a_thread_computes_in_its_innermost_region_unless_that_is_a_call() {
    let running = |text: &str| of_borders(text).threads[0].running_ns().to_vec();
    assert_eq!(running("0 +0 10 +5 20 -5 30 -0 40 +0 50 -0"), [[0, 10], [20, 30], [40, 50]]);
    // In what a call calls back it does.
    assert_eq!(running("0 +0 10 +5 20 +1 30 -1 40 -5 50 -0"), [[0, 10], [20, 30], [40, 50]]);
    // What happens within a moment ends nothing, and what never ends lasts to the end.
    assert_eq!(running("0 +0 10 +5 -5 20 -0 +1 30 +2"), [[0, 30]]);
    let off = |events: &mut File, ticks, on| {
        events.event(ticks, event::ON_OFF, body().byte(on));
    };
    let trace = read(&small(regions, |events| {
        borders(events, "0 +0");
        off(events, 10, 2);
        off(events, 30, 1);
        events.event(40, event::FLUSH, body().whole_64(55));
        borders(events, "70 -0");
    }));
    assert_eq!(trace.threads[0].running_ns(), [[0, 10], [30, 40], [55, 70]]);
    let tracing = trace.types.iter().filter(|known| matches!(known.kind, Kind::Tracing(_)));
    assert_eq!(tracing.map(|known| known.code).collect::<Vec<_>>(), [40_000_012, 40_000_003]);
}

/// Readings of types of such a kind by name, as they are kept: time and value.
fn counted(trace: &Trace, is_one: fn(Kind) -> bool) -> Vec<(String, Vec<(u64, u64)>)> {
    let counters = (0..).zip(&trace.types).filter(|(_, known)| is_one(known.kind));
    let of = |(of, known): (u32, &tracefold::trace::EventType)| {
        let moments = trace.threads.iter().flat_map(|thread| thread.moments());
        let values = moments.flat_map(|moment| {
            let own = moment.events().filter(move |event| event.event_type == of);
            own.map(move |event| (moment.time, event.value)).collect::<Vec<_>>()
        });
        (known.name.clone(), values.collect())
    };
    let mut all = counters.map(of).collect::<Vec<_>>();
    all.sort();
    all
}

#[test]
fn counters_are_what_came_since_whatever_their_mode_and_the_rest_are_levels() {
    let [whole, floating] = [4, 10];
    let trace = read(&small(
        |all| {
            regions(all);
            let members = [
                all.member("since start", 0x00, whole, 0, "#"),
                all.member("since last", 0x20, whole, 0, "#"),
                all.member("relative", 0x02, whole, 3, "B"),
                all.member("energy", 0x00, floating, 0, "J"),
                all.member("power", 0x01, floating, 0, "W"),
            ];
            all.class(&members, 1);
            all.class(&members[..1], 1);
            all.class(&members[..1], 2);
        },
        |events| {
            let mut metric = |ticks, class: u64, values: &[u64]| {
                let values = values.iter().zip([whole, whole, whole, floating, floating]);
                let body = body().number(class).byte(values.len() as u8);
                let body = values.fold(body, |body, (value, of)| body.byte(of).number_64(*value));
                events.event(ticks, event::METRIC, body);
            };
            let float = |value: f64| value.to_bits();
            metric(10, 0, &[500, 7, 1, float(0.5), float(90.0)]);
            metric(20, 0, &[530, 8, 2, float(0.75), float(91.0)]);
            // The same counter in another class, in the same moment and alone.
            metric(20, 1, &[530]);
            metric(30, 1, &[531]);
            // Fewer values than the class has, one that fell, and one that is asynchronous.
            metric(40, 0, &[100, 9]);
            metric(50, 2, &[900]);
            metric(60, 0, &[101, 0, 0, float(1e30), float(1.0)]);
            metric(70, 9, &[1]);
        },
    ));
    let since_start = vec![(10, 0), (20, 30), (30, 1), (40, 0), (60, 1)];
    assert_eq!(
        counted(&trace, |kind| kind == Kind::Counter),
        [
            ("energy (10^-6 J)".to_owned(), vec![(10, 0), (20, 250_000)]),
            ("relative (10^3 B)".to_owned(), vec![(10, 1), (20, 2), (60, 0)]),
            ("since last".to_owned(), vec![(10, 7), (20, 8), (40, 9), (60, 0)]),
            ("since start".to_owned(), since_start),
        ]
    );
    // What is absolute, or read at any time, the thread reads as a level.
    let levels = counted(&trace, |kind| matches!(kind, Kind::Level(_)));
    let levels = levels.into_iter().map(|(name, readings)| {
        (name, readings.into_iter().map(|(ns, bits)| (ns, f64::from_bits(bits))).collect())
    });
    assert_eq!(
        levels.collect::<Vec<(_, Vec<_>)>>(),
        [
            ("power (W)".to_owned(), vec![(10, 90.0), (20, 91.0), (60, 1.0)]),
            ("since start".to_owned(), vec![(50, 900.0)]),
        ]
    );
    let notices = trace.notices.iter().map(|n| (n.text.as_str(), n.count, n.is_damage));
    assert_eq!(
        notices.collect::<Vec<_>>(),
        [
            (
                "A reading of a floating counter beyond what can be counted exactly; it was left out.",
                1,
                true
            ),
            ("A reading of a metric that is not defined; it was left out.", 1, true),
            ("A counter below its reading before: it counts anew from there.", 1, false),
        ]
    );
}

#[test]
fn borders_are_exact_only_where_each_of_them_has_a_reading() {
    let boundaries = |read_at: &[u64]| {
        let trace = read(&small(
            |all| {
                regions(all);
                let member = all.member("PAPI_TOT_INS", 0, 4, 0, "#");
                all.class(&[member], 1);
            },
            |events| {
                for ticks in [10, 20, 30, 40] {
                    if read_at.contains(&ticks) {
                        let value = body().number(0).byte(1).byte(4).number_64(ticks);
                        events.event(ticks, event::METRIC, value);
                    }
                    let id = if ticks % 20 == 10 { event::ENTER } else { event::LEAVE };
                    events.event(ticks, id, body().number(0));
                }
            },
        ));
        trace.provenance.boundaries
    };
    assert_eq!(boundaries(&[10, 20, 30, 40]), Boundaries::Exact);
    assert_eq!(boundaries(&[10, 20, 30]), Boundaries::Unknown);
    assert_eq!(boundaries(&[]), Boundaries::Absent);
}

#[test]
fn threads_are_those_of_processes_then_their_accelerators_and_metrics_are_none() {
    let format = Format::default();
    let mut all = Definitions::new(format, 1_000_000_000, 0);
    let machine = all.node("m", "machine", UNDEFINED);
    let nodes = ["n0", "n1"].map(|name| all.node(name, "node", machine));
    let socket = all.node("s", "socket", nodes[1]);
    let processes = [all.group("p0", nodes[0], None), all.group("p1", socket, None)];
    let accelerator = all.group("gpu", nodes[0], Some(processes[0]));
    regions(&mut all);
    let mut files = vec![("traces.otf2".to_owned(), Anchor::default().bytes())];
    for (location, kind, group) in [
        (1 << 40, 1, processes[0]),
        (9, 2, accelerator),
        (7, 1, processes[0]),
        (5, 1, processes[1]),
        (4, 3, processes[1]),
        (3, 1, 77),
    ] {
        all.location(location, kind, 2, group);
        let mut events = File::new(format);
        borders(&mut events, &format!("{} +0 100 -0", location % 64));
        files.push((format!("traces/{location}.evt"), events.finish()));
    }
    files.push(("traces.def".to_owned(), all.file.finish()));
    let trace = read(&files);
    let threads = trace.threads.iter().map(|thread| {
        (
            thread.object.to_string(),
            thread.moments().next().unwrap().time,
            trace.node(thread.object),
        )
    });
    let expected = [("1.1.1", 7, 1), ("1.1.2", 0, 1), ("1.1.3", 9, 1), ("1.2.1", 5, 2)];
    let expected = expected.map(|(object, ns, node)| (object.to_owned(), ns, node));
    // Of those on a socket the node is what is named so above it.
    assert_eq!(threads.collect::<Vec<_>>(), expected);
    assert_eq!(trace.provenance.objects_dropped, 2);
}

#[test]
fn two_archives_in_one_drop_are_told_apart_by_their_folders() {
    let [first, second] = ["one", "two"].map(|folder| {
        let files = small(regions, |events| borders(events, "0 +0 10 -0"));
        files.into_iter().map(move |(name, bytes)| (format!("{folder}/{name}"), bytes))
    });
    let files = first.chain(second).collect::<Archive>();
    let named = files.iter().map(|(name, bytes)| NamedFile::new(name.clone(), bytes.as_slice()));
    let found = candidates(named.collect(), &mut |_| {}).unwrap();
    let names = found.traces.iter().map(|trace| trace.name.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["one/traces.otf2", "two/traces.otf2"]);
    let mut report = |_| {};
    let trace = found.open(Some("two/traces.otf2"), &mut Watch::new(&mut report, &mut |_, _| {}));
    assert_eq!(trace.unwrap().threads.len(), 1);
}

#[test]
fn what_is_no_whole_archive_says_what_is_missing() {
    let files = || small(regions, |events| borders(events, "0 +0 10 -0"));
    let without = |ending: &str| {
        let mut files = files();
        files.retain(|(name, _)| !name.ends_with(ending));
        read_by(&files, 1).unwrap_err()
    };
    let whole =
        "expected a whole archive: the folder that holds traces.otf2, traces.def and traces/";
    assert_eq!(without("s.def"), format!("traces.otf2: found no traces.def beside it, {whole}"));
    let events = "no file of events (traces/*.evt) beside it";
    assert_eq!(without(".evt"), format!("traces.otf2: found {events}, {whole}"));
    assert_eq!(
        without(".otf2"),
        "traces.def: found a part of an OTF2 archive, expected its anchor too: the folder that holds \
         NAME.otf2, NAME.def and NAME/"
    );
    let with = |anchor: Vec<u8>| {
        let mut files = files();
        files[0].1 = anchor;
        read_by(&files, 1).unwrap_err()
    };
    let anchor = Anchor::default();
    let small = Format { chunk_bytes: 4096, ..anchor.format };
    for (anchor, message) in [
        (
            Anchor { substrate: 2, ..anchor }.bytes(),
            "an archive written into SION containers, expected files of its own for each location: write \
             it again with SCOREP_TRACING_USE_SION=false, or convert it",
        ),
        (
            Anchor { compression: 2, ..anchor }.bytes(),
            "an archive compressed by an OTF2 before 3.0, expected one that is not compressed, as later \
             ones write it",
        ),
        (
            Anchor { format: small, ..anchor }.bytes(),
            "chunks of events of 4096 bytes, expected 256 KiB to 16 MiB",
        ),
        (b"OTF2".to_vec(), "no anchor of OTF2, expected the NAME.otf2 of a whole archive"),
        (
            anchor.bytes()[..30].to_vec(),
            "an anchor that is cut short, expected the NAME.otf2 of a whole archive",
        ),
    ] {
        assert_eq!(with(anchor), format!("traces.otf2: found {message}"));
    }
    let mut damaged = files();
    damaged[1].1[0] = 4;
    let message =
        "traces.def: found a chunk begins with no header, expected the definitions of the archive";
    assert_eq!(read_by(&damaged, 1).unwrap_err(), message);
}

#[test]
fn what_is_wrong_in_one_file_is_a_notice_and_what_came_before_stays() {
    let files = || small(regions, |events| borders(events, "0 +0 10 -0 20 +1 30 -1 40 +2 50 -2"));
    let whole = stretches(&read(&files()));
    assert_eq!(whole, named(&[("a", 1, 10), ("b", 1, 10), ("c", 1, 10)]));
    let damaged = |damage: &dyn Fn(&mut Vec<u8>)| {
        let mut files = files();
        damage(&mut files[3].1);
        let trace = read(&files);
        (stretches(&trace).len(), told(&trace))
    };
    let kept = |what: &str, byte: usize| {
        format!(
            "A file of events that cannot be read to its end: {what}; what came before was kept. ×1 \
             0.evt, byte {byte}"
        )
    };
    // A header of 18 bytes, then for each event a time of 9 bytes, and 2 or 3 of its own.
    let end = files()[3].1.len() - 2;
    let text = "A file of events without an end: its last ones may be missing. ×1 0.evt";
    assert_eq!(damaged(&|bytes| bytes.truncate(end)), (3, vec![text.to_owned()]));
    assert_eq!(
        damaged(&|bytes| bytes.truncate(end - 1)),
        (2, vec![kept("it ends inside a record", end - 3)])
    );
    let insert = |at: usize, record: Vec<u8>| {
        damaged(&|bytes| drop(bytes.splice(at..at, record.iter().copied())))
    };
    let long = [vec![200, 255], (1u64 << 60).to_le_bytes().to_vec()].concat();
    assert_eq!(insert(end, long), (3, vec![kept("a record goes beyond its chunk", end)]));
    let nine = [vec![12, 9], vec![1; 9]].concat();
    let text = kept("a number has more bytes than it can have", end);
    assert_eq!(insert(end, nine), (3, vec![text]));
    // What is not known is skipped, with its attributes.
    assert_eq!(insert(end, vec![200, 3, 12, 12, 12]), (3, vec![]));
    assert_eq!(insert(end, vec![6, 2, 1, 1, 201, 0]), (3, vec![]));
    let text = kept("a chunk begins with no header", 0);
    assert_eq!(damaged(&|bytes| bytes[0] = 7), (0, vec![text]));
    let text = kept("a chunk says neither 0x23 nor 0x42 of its byte order", 0);
    assert_eq!(damaged(&|bytes| bytes[1] = 7), (0, vec![text]));
}

#[test]
fn a_region_that_is_not_defined_is_shown_by_its_number() {
    let trace = read(&small(regions, |events| {
        borders(events, "0 +70000 10 -70000");
        events.event(20, event::ENTER, body().number(UNDEFINED));
        events.event(40, event::LEAVE, body().number(UNDEFINED));
    }));
    let expected = named(&[("Region 4294967295", 1, 20), ("Region 70000", 1, 10)]);
    assert_eq!(stretches(&trace), expected);
    let text = "A region that is not defined; it is shown by its number.";
    assert_eq!(told(&trace), [format!("{text} ×2 0.evt")]);
}

#[test]
fn files_and_locations_that_do_not_fit_together_are_told() {
    let mut files = small(regions, |events| borders(events, "0 +0 10 -0"));
    files.push(("traces/77.evt".to_owned(), files[3].1.clone()));
    files.push(("traces/notes.def".to_owned(), vec![]));
    files.retain(|(name, _)| name != "traces/0.def");
    assert_eq!(
        told(&read(&files)),
        [
            "A file in the archive that is of no location; it was left out. ×1 traces.otf2",
            "A location without a file of definitions: its times are not corrected, and its numbers are \
             taken for those of all. ×1 0.def",
            "A file of events of a location that is not defined; it was left out. ×1 77.evt",
        ]
    );
    files.retain(|(name, _)| name != "traces/0.evt");
    let text = "A location of which the definitions promise events has no file; it is left out. ×1 0.evt (9 \
                events)";
    assert_eq!(told(&read(&files))[0], text);
}

#[test]
fn callers_that_form_a_ring_end_and_a_call_stack_has_its_innermost_hundred_frames() {
    let trace = read(&small(
        |all| {
            regions(all);
            let line = all.line("a.c", 7);
            // Each is called by the next one, and the last by the first.
            for at in 0..150 {
                all.context(at % 5, line, (at + 1) % 150);
            }
        },
        |events| {
            events.event(10, event::SAMPLE, body().numbers(&[0, 1, 0]));
            events.event(20, event::SAMPLE, body().numbers(&[500, 1, 0]));
        },
    ));
    let frames = trace.threads[0].moments().map(|moment| moment.events().count());
    assert_eq!(frames.collect::<Vec<_>>(), [200]);
}

#[test]
fn what_ranks_do_in_an_iteration_is_told_by_the_names_of_their_calls() {
    let trace = read(&Solver::default().archive());
    let folding = traces::fold(&trace, &["region=Iteration:1"]);
    let activity = folding.groups[0].activity.as_ref().unwrap();
    // Nothing but computing, and the collective call that ends each pass.
    let mut met = activity.parts.iter().map(|of| of.doing).collect::<Vec<_>>();
    met.sort();
    assert_eq!(met, [tracefold::folding::Doing::Computing, tracefold::folding::Doing::Collective]);
}

#[test]
fn files_of_threads_that_are_not_to_be_read_are_not_opened() {
    let mut files = Solver::default().archive();
    // What is wrong with the second one is not met.
    let second = files.iter_mut().find(|(name, _)| name.ends_with("593.evt")).unwrap();
    second.1[0] = 7;
    let named = files.iter().map(|(name, bytes)| NamedFile::new(name.clone(), bytes.as_slice()));
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = candidates(named.collect(), report).unwrap();
    let mut watch = Watch::new(report, early);
    let opening = found.opening(None, watch.report).unwrap();
    let only = Only { objects: "1.3.*".parse().unwrap(), ..Only::default() };
    let trace = opening.only(only).whole(&mut watch).unwrap();
    let threads = trace.threads.iter().map(|thread| thread.object.to_string());
    assert_eq!((threads.collect::<Vec<_>>(), told(&trace)), (vec!["1.3.1".to_owned()], vec![]));
    assert_eq!(told(&read(&files)).len(), 1);
}

#[test]
fn every_sample_has_its_call_stack_however_many_different_ones_there_are() {
    let count = 5000;
    let trace = read(&small(
        |all| {
            regions(all);
            let line = all.line("a.c", 7);
            for at in 0..count {
                all.context(at % 5, line, UNDEFINED);
            }
        },
        |events| {
            for round in 0..2 {
                for at in 0..count {
                    let body = body().numbers(&[at, 1, 0]);
                    events.event(10 * (round * count + at) + 10, event::SAMPLE, body);
                }
            }
        },
    ));
    let names = trace.threads[0].moments().map(|moment| {
        let event = moment.events().next().unwrap();
        (moment.events().count(), trace.value_name(event.event_type, event.value))
    });
    let expected =
        (0..2 * count).map(|at| (2, ["a", "b", "c", "d", "e"][at as usize % 5].to_owned()));
    assert!(names.eq(expected));
}

#[test]
fn a_map_to_a_number_beyond_all_references_is_a_region_that_is_not_defined() {
    let mut files = small(regions, |events| borders(events, "0 +0 10 -0"));
    let mut local = File::new(Format::default());
    const REGIONS: u8 = 3;
    local.record(5, body().byte(REGIONS).number_64(1).byte(0).number_64(u64::MAX));
    files[2].1 = local.finish();
    let name = format!("Region {}", u64::MAX);
    assert_eq!(stretches(&read(&files)), named(&[(&name, 1, 10)]));
}

#[test]
fn a_packed_tar_that_is_cut_says_at_which_file() {
    let files = Solver { ranks: 3, iterations: 400, ..Solver::default() }.archive();
    let whole = gzip(&tar(&files));
    let cut = whole[..whole.len() / 2].to_vec();
    let cut = read_by(&[("a.tar.gz".to_owned(), cut)], 1);
    // Anchor and definitions come last here: without them there is nothing to read by.
    assert!(cut.is_err());
    let mut first = files.clone();
    first.rotate_right(2);
    let packed = gzip(&tar(&first));
    let cut = packed[..packed.len() * 9 / 10].to_vec();
    let told = told(&read(&[("a.tar.gz".to_owned(), cut)]));
    let stopped =
        told.iter().find(|words| words.starts_with("A file that cannot be read to its end"));
    assert!(stopped.is_some_and(|words| words.contains("8589934594.evt")), "{told:?}");
}
