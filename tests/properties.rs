//! What must hold for any input: no panic, the same trace however the bytes are cut.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use tracefold::export::{ExportError, Format, export};
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::Trace;
use tracefold_generate::Random;

use crate::traces::{HEADER, MINI_PCF, MINI_PRV, try_open};

/// Groups of events, call-stacks, two threads, recursion and a marker without a second half.
const PERF: &str = "\
# ========
# captured on    : Fri
# event : name = probe_a:f, , id = { 1, 2 }, type = 2, freq = 1, inherit = 1
a b  1/7 [000] 2.000001: probe_a:f: (40 <- 41)
a b  1/7       2.000001: 500 cycles:u:
a b  1/7       2.000004: 700 cycles:u:
\t40 f+0x1 (/x/a)
  f.c:12
\t41 main+0x2 (/x/a (deleted))

c    1/8 [001] 2.000005: sdt_a:mark:
a b  1/7       2.000005: 200 cycles:u:
\t40 g(int, h(*)())+0x1 (inlined)

a b  1/7 [000] 2.000006: probe_a:f: (40)
\t40 f+0x0 (/x/a)
\t40 f+0x9 (/x/a)

a b  1/7 [-01] 2.000007: probe_a:f_ret__return: (40)
a b  1/7 [000] 2.000008: probe_a:f_ret__return: (40)
a b  1/7       2.000008: 600 cycles:u:
c    1/8       2.000009: 300 instructions/freq=9/:  7f [unknown] (/l/b.so)
c    1/8 [001] 2.000010: sdt_a:mark:
c    1/8       2.000011: 300 instructions/freq=9/:  7f [unknown] ([heap])
";

/// A place below `limit`; 0 if there is none.
fn below(random: &mut Random, limit: usize) -> usize {
    random.below(limit as u64) as usize
}

/// Everything that can be done with a trace; none of it may panic.
fn exercise(trace: &Trace) {
    let (rows, _) = pipeline::catalogue(trace, &Settings::default());
    for row in rows.iter().take(4) {
        let mut settings = Settings::default();
        settings.set("region", &row.region).unwrap();
        settings.set("points", "7").unwrap();
        if let Ok(folded) = pipeline::run(trace, &settings) {
            for group in &folded.0.groups {
                for curve in &group.curves {
                    assert!(curve.rate.iter().chain(&curve.fitted).all(|v| v.is_finite()));
                }
                group.table(3);
                group.place_at(0.5);
            }
            for (_, format) in Format::ALL {
                let files = export(trace, std::slice::from_ref(&folded), format);
                assert!(matches!(files, Ok(_) | Err(ExportError::TooManyObjects)), "{files:?}");
            }
        }
    }
}

/// `text` with some of its bytes changed, doubled or left out.
fn mangled(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..1 + below(random, 8) {
        let at = below(random, bytes.len());
        match below(random, 5) {
            0 => bytes[at] = b"0123456789:-#\n\r\t x\xff\0"[below(random, 20)],
            1 => drop(bytes.splice(at..at, b"9".repeat(below(random, 30)))),
            2 => drop(bytes.drain(at..(at + below(random, 9)).min(bytes.len()))),
            3 => bytes.truncate(at.max(60)),
            _ => {
                let end = (at + below(random, 80)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    bytes
}

#[test]
fn no_bytes_make_the_readers_or_the_folding_panic() {
    let extract: &[u8] = b"I 1 2 1 smooth 1000000 1000000 2 A 1250 B 1700\nDO 0\n\
        S 1400000 400000 2 A 500 B 900 2 0 3 4 4 1 2 9 9 0\n\
        S 1900000 900000 2 A 1100 B 1600 1 0 3 5 5 Y LD 4096 7 Y 1 1 5\n";
    let mut random = Random::new(42);
    for _ in 0..4000 {
        let prv = mangled(MINI_PRV.as_bytes(), &mut random);
        let pcf = mangled(MINI_PCF.as_bytes(), &mut random);
        if let Ok(trace) = try_open(&[("a.prv", &prv), ("a.pcf", &pcf)]) {
            exercise(&trace);
        }
        let script = mangled(PERF.as_bytes(), &mut random);
        if let Ok(trace) = try_open(&[("a.perf-script", &script)]) {
            exercise(&trace);
        }
        let extract = mangled(extract, &mut random);
        if let Ok(trace) = try_open(&[("a.extract", &extract), ("a.pcf", &pcf)]) {
            exercise(&trace);
        }
    }
}

#[test]
fn arbitrary_bytes_under_any_name_are_refused_or_read() {
    let mut random = Random::new(7);
    for round in 0..600 {
        let mut bytes =
            (0..below(&mut random, 300)).map(|_| below(&mut random, 256) as u8).collect::<Vec<_>>();
        if round % 3 == 0 {
            bytes.splice(0..0, HEADER.bytes());
        }
        if round % 3 == 1 {
            bytes.splice(0..0, [0x1f, 0x8b, 8, 0]);
        }
        for name in ["a.prv", "a.pcf", "a.row", "a.extract", "a.prv.gz", "a"] {
            if let Ok(trace) = try_open(&[(name, &bytes)]) {
                exercise(&trace);
            }
        }
    }
}

/// Gzip with a member for every few bytes: reading gets them as they are cut.
fn in_pieces(mut bytes: &[u8], mut random: Random) -> Vec<u8> {
    let mut packed = Vec::new();
    while !bytes.is_empty() {
        let (now, later) = bytes.split_at((1 + below(&mut random, 9)).min(bytes.len()));
        let mut member = GzEncoder::new(packed, Compression::none());
        member.write_all(now).unwrap();
        packed = member.finish().unwrap();
        bytes = later;
    }
    packed
}

#[test]
fn any_chunking_gives_the_same_folding() {
    let fold = |trace: Trace| {
        let mut folding = pipeline::run(&trace, &Settings::default()).unwrap().0;
        folding.trace.size_bytes = 0;
        folding.to_json()
    };
    let paraver = vec![("a.prv", MINI_PRV.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())];
    for files in [paraver, vec![("a.txt", PERF.as_bytes())]] {
        let whole = fold(try_open(&files).unwrap());
        for seed in 0..50 {
            let pieces =
                files.iter().map(|(name, bytes)| (*name, in_pieces(bytes, Random::new(seed))));
            let pieces = pieces.collect::<Vec<_>>();
            let pieces = pieces.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
            let trace = try_open(&pieces.collect::<Vec<_>>()).unwrap();
            assert_eq!(fold(trace), whole);
        }
    }
}

/// `text` gzipped as one to many members, with zeros between some.
fn in_members(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut rest = text;
    while packed.is_empty() || !rest.is_empty() {
        let (now, later) = rest.split_at(below(random, rest.len() + 1));
        let mut member = GzEncoder::new(packed, Compression::new(below(random, 10) as u32));
        member.write_all(now).unwrap();
        packed = member.finish().unwrap();
        packed.resize(packed.len() + [0, 0, 1, 700][below(random, 4)], 0);
        rest = later;
    }
    packed
}

#[test]
fn any_members_of_gzip_give_the_same_folding() {
    let fold = |prv: &[u8], pcf: &[u8]| {
        let trace = try_open(&[("a.prv", prv), ("a.pcf", pcf)]).unwrap();
        assert_eq!(trace.notices.iter().count(), 0);
        let mut folding = pipeline::run(&trace, &Settings::default()).unwrap().0;
        // As it lies on disk.
        folding.trace.size_bytes = 0;
        folding.to_json()
    };
    let (prv, pcf) = (MINI_PRV.as_bytes(), MINI_PCF.as_bytes());
    let whole = fold(prv, pcf);
    let mut random = Random::new(3);
    for _ in 0..100 {
        let packed = [prv, pcf].map(|text| in_members(text, &mut random));
        assert_eq!(fold(&packed[0], &packed[1]), whole);
    }
}
