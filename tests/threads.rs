//! However many threads read a trace, and whatever it is packed in, it comes out the same.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use tracefold::export::{Format, export};
use tracefold::input::NamedFile;
use tracefold::open::{Watch, candidates};
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::Trace;
use tracefold_generate::{Options, big};

fn open(files: &[(&str, &[u8])], threads: usize) -> Result<Trace, String> {
    let files = files.iter().map(|(name, bytes)| NamedFile::new(*name, bytes)).collect();
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = candidates(files, report).map_err(|error| format!("{error:#}"))?;
    let mut watch = Watch::new(report, early);
    watch.threads = threads;
    found.open(None, &mut watch).map_err(|error| format!("{error:#}"))
}

/// Everything that a trace says, and what is folded of it.
fn told(trace: &Trace) -> Vec<Vec<u8>> {
    let notices = trace.notices.iter().map(|n| format!("{} {} {}", n.text, n.count, n.first));
    let mut told = notices.map(String::into_bytes).collect::<Vec<_>>();
    let folded = pipeline::run(trace, &Settings::default()).unwrap();
    for (_, format) in Format::ALL {
        let files = export(trace, std::slice::from_ref(&folded), format).unwrap();
        told.extend(files.into_iter().map(|file| file.bytes));
    }
    told
}

/// 15 MB: four blocks.
fn generated() -> (Vec<u8>, Vec<u8>) {
    let options = Options { size_mb: Some(15), ..Options::default() };
    let (labels, prv) = big::generate(7, &options, Vec::new()).unwrap();
    (prv, labels.pcf)
}

#[test]
fn one_two_three_and_seven_threads_give_equal_bytes() {
    let (mut prv, pcf) = generated();
    // Something odd in every block, and times that go back from one to the next.
    let length = prv.len();
    for at in (1..8).map(|n| n * length / 8) {
        let line = at + prv[at..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
        prv.splice(line..line, b"2:1:1:1:1:77:60000019:0:5\n9:what\n2:x\n".iter().copied());
    }
    let alone = told(&open(&[("a.prv", &prv), ("a.pcf", &pcf)], 1).unwrap());
    assert!(alone.len() > 8, "nothing odd was noticed");
    for threads in [2, 3, 7] {
        let together = told(&open(&[("a.prv", &prv), ("a.pcf", &pcf)], threads).unwrap());
        assert!(together == alone, "{threads} threads");
    }
}

#[test]
fn a_text_of_perf_script_is_the_same_trace_for_any_number_of_threads_and_packed() {
    // Four blocks, with borders within call-stacks, of which half end in a routine not met before.
    let mut text = String::new();
    for k in 0..24_000_u64 {
        let at = |us: u64| format!("{}.{:06}", 1 + k / 1000, (k % 1000) * 1000 + us);
        text += &format!("app 7 {}: probe_app:step: (401000)\n", at(0));
        text += &format!("app 7 {}: {} cycles:\n", at(300 + k % 200), 9 + k);
        for level in 0..12 {
            text += &format!("\t401{k:06x} work_{level}+0x10 (/a/application)\n");
        }
        text += &format!("\t402{k:06x} step_{}+0x10 (/a/application)\n", k % 12_000);
        if k % 5000 == 4007 {
            text += "no record\n";
        }
        text += &format!("app 7 {}: probe_app:step__return: (401000 <- 402000)\n", at(900));
    }
    assert!(text.len() > 12_600_000, "{} bytes", text.len());
    let alone = open(&[("a.txt", text.as_bytes())], 1).unwrap();
    let (alone, values) = (told(&alone), names_of(&alone));
    for threads in [2, 3, 7] {
        let together = open(&[("a.txt", text.as_bytes())], threads).unwrap();
        assert!(told(&together) == alone && names_of(&together) == values, "{threads} threads");
    }
    // As a gzip it is read a megabyte at a time.
    let mut packed = GzEncoder::new(Vec::new(), Compression::none());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = open(&[("a.txt.gz", &packed.finish().unwrap())], 1).unwrap();
    assert!(names_of(&packed) == values);
}

/// The names of all values of all types, as they are numbered.
fn names_of(trace: &Trace) -> Vec<(u32, Vec<(u64, String)>)> {
    let values = |code: u32| (code, trace.labels.values_of(code).to_vec());
    trace.types.iter().map(|of| values(of.code)).collect()
}

#[test]
fn an_error_is_the_same_for_any_number_of_threads() {
    let (prv, _) = generated();
    let endless = [prv.as_slice(), &vec![b'7'; 21 << 20]].concat();
    let broken = [prv.as_slice(), &b"2:x\n".repeat(60_000)].concat();
    // Both begin where the sound records end, many blocks after the first line.
    let line = prv.iter().filter(|byte| **byte == b'\n').count() + 1;
    for bytes in [endless, broken] {
        let alone = open(&[("a.prv", &bytes)], 1).err().unwrap();
        assert!(
            alone.contains(&format!("line {line}")) || alone.contains(&format!(":{line}:")),
            "{alone}"
        );
        for threads in [2, 7] {
            assert_eq!(open(&[("a.prv", &bytes)], threads).err(), Some(alone.clone()));
        }
    }
}

#[test]
fn reading_stops_when_too_much_is_kept_and_says_so() {
    let (prv, pcf) = generated();
    let files = || vec![NamedFile::new("a.prv", &prv), NamedFile::new("a.pcf", &pcf)];
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = candidates(files(), report).unwrap();
    let mut bounded = |threads| {
        let mut watch = Watch::new(report, early).within(900_000);
        watch.threads = threads;
        found.open(None, &mut watch).unwrap()
    };
    let trace = bounded(1);
    let partial = trace.partial.clone().and_then(|partial| partial.stopped).unwrap();
    for threads in [2, 3, 7] {
        assert!(told(&bounded(threads)) == told(&trace), "{threads} threads");
    }
    assert!((0.2..0.9).contains(&partial.share), "{partial:?}");
    assert!(partial.held_bytes > 900_000 && partial.counters > 0.2, "{partial:?}");
    let (folding, _) = pipeline::run(&trace, &Settings::default()).unwrap();
    assert_eq!(folding.region, "User function:step");
    // What is missing was left out, not lost.
    assert!(trace.notices.iter().all(|notice| !notice.is_damage));
    assert!(open(&[("a.prv", &prv), ("a.pcf", &pcf)], 1).unwrap().partial.is_none());
}

#[test]
fn early_pictures_are_of_what_was_read_and_leave_no_trace_in_the_last() {
    let (prv, pcf) = generated();
    // In a gzip it is read a megabyte at a time; bare, in blocks of which the first is a quarter.
    let mut packed = GzEncoder::new(Vec::new(), Compression::none());
    packed.write_all(&prv).unwrap();
    let packed = packed.finish().unwrap();
    let files = || vec![NamedFile::new("a.prv.gz", &packed), NamedFile::new("a.pcf", &pcf)];
    let mut seen: Vec<(f64, u32)> = Vec::new();
    let report = &mut |_| {};
    let mut early = |share, builder: &tracefold::trace::Builder| {
        let (folding, _) = pipeline::run(&builder.so_far(), &Settings::default()).unwrap();
        seen.push((share, folding.groups.iter().map(|group| group.instances).sum()));
    };
    let found = candidates(files(), report).unwrap();
    let trace = found.open(None, &mut Watch::new(report, &mut early)).unwrap();
    assert!(seen.len() >= 2 && seen.is_sorted(), "{seen:?}");
    assert!(told(&trace) == told(&open(&[("a.prv.gz", &packed), ("a.pcf", &pcf)], 1).unwrap()));
}

#[test]
fn early_pictures_of_texts_have_the_names_of_what_was_met() {
    // Four megabytes each, of which a megabyte is read at a time.
    let mut perf = String::new();
    let mut extract = String::new();
    for k in 0..20_000_u64 {
        let at = |us: u64| format!("{}.{:06}", 1 + k / 1000, (k % 1000) * 1000 + us);
        perf += &format!("app 7 {}: probe_app:step: (401000)\n", at(0));
        perf += &format!(
            "app 7 {}: {} cycles:\n\t401{:03x} work+0x10 (/home/user/app)\n",
            at(300 + k % 200),
            9 + k,
            k % 4096
        );
        perf += "\t402000 outer+0x20 (/home/user/app)\n\t403000 main+0x30 (/home/user/app)\n";
        perf += &format!("app 7 {}: probe_app:step__return: (401000 <- 402000)\n", at(900));
        extract += &format!("I 1 1 1 step {} 900000 1 PAPI_TOT_INS 1700\n", k * 1_000_000);
        let inside = 300_000 + k % 200_000;
        extract += &format!(
            "S {} {inside} 1 PAPI_TOT_INS {} 0 0\n",
            k * 1_000_000 + inside,
            500 + k % 300
        );
    }
    for (name, text, region) in
        [("a.txt", &perf, "probe_app:step"), ("a.extract", &extract, "step")]
    {
        let mut seen = Vec::new();
        let report = &mut |_| {};
        let mut early = |share, builder: &tracefold::trace::Builder| {
            let (folding, _) = pipeline::run(&builder.so_far(), &Settings::default()).unwrap();
            seen.push((share, folding.region));
        };
        let found = candidates(vec![NamedFile::new(name, text.as_bytes())], report).unwrap();
        let trace = found.open(None, &mut Watch::new(report, &mut early)).unwrap();
        assert!(!seen.is_empty(), "{name}: {}", text.len());
        let (folding, _) = pipeline::run(&trace, &Settings::default()).unwrap();
        assert!(folding.region.contains(region), "{}", folding.region);
        assert!(seen.iter().all(|(_, early)| *early == folding.region), "{name}: {seen:?}");
        assert!(told(&trace) == told(&open(&[(name, text.as_bytes())], 1).unwrap()), "{name}");
    }
}

#[test]
fn a_call_keeps_its_callers_wherever_blocks_begin() {
    const BLOCK_BYTES: usize = 4 << 20;
    // A call and its callers, of one time, in two lines.
    let lines = |k: u64| {
        let (begin, end) = (1_000 * k + 100, 1_000 * k + 900);
        let call = format!("2:1:1:1:1:{begin}:50000001:3\n");
        let callers = format!("2:1:1:1:1:{begin}:80000001:{}\n", 13 + k % 2);
        (call, format!("{callers}2:1:1:1:1:{end}:50000001:0\n"))
    };
    let labels = b"EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n3 MPI_Send\n\n\
        EVENT_TYPE\n0 80000001 Caller line at level 1\nVALUES\n13 14 (halo.c)\n14 17 (halo.c)\n";
    let header = "#Paraver (01/02/2026 at 10:00):99000000_ns:1(1):1:1(1:1)\n";
    let calls = |comment: usize| {
        let mut text = format!("{header}c:{}\n", "1".repeat(comment));
        let mut callers_begin = vec![];
        for k in 0..60_000 {
            let (call, rest) = lines(k);
            text += &call;
            callers_begin.push(text.len());
            text += &rest;
        }
        (text, callers_begin)
    };
    let (_, begins) = calls(0);
    let before = begins.iter().rfind(|begin| **begin <= BLOCK_BYTES).unwrap();
    for shift in 0..2 {
        // The callers begin the second block; or the last byte of the first.
        let (text, begins) = calls(BLOCK_BYTES - before - shift);
        assert!(begins.contains(&(BLOCK_BYTES - shift)));
        let mut packed = GzEncoder::new(Vec::new(), Compression::none());
        packed.write_all(text.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        let bare = open(&[("a.prv", text.as_bytes()), ("a.pcf", labels)], 2).unwrap();
        let stream = open(&[("a.prv.gz", &packed), ("a.pcf", labels)], 1).unwrap();
        let events = |trace: &Trace| {
            let moments = trace.threads.iter().flat_map(|thread| thread.moments());
            moments.map(|moment| moment.events().collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        assert_eq!(events(&bare).len(), 120_000);
        assert!(events(&bare) == events(&stream), "shift {shift}");
    }
}
