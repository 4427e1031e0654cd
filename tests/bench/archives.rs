//! How fast archives of OTF2 are read, beside the reference library.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use tracefold::input::NamedFile;
use tracefold::otf2::{ChunkOf, Records};
use tracefold_generate::otf2;

use crate::clock::{median, took};
use crate::heap;
use crate::root;

const RUNS: usize = 5;
/// Processor time is told in steps of 10 ms.
const WALKS: u32 = 8;
const LOCATIONS: u64 = 8;
const CHUNK_BYTES: usize = 1 << 20;

type Files = Vec<(String, Vec<u8>)>;

pub fn archives(report: &mut String) {
    report.push_str(
        "\n## Archives of OTF2, native, one processor\n\n\
         | archive | records, M events/s | into a trace | reference library | records : library |\n\
         | --- | ---: | ---: | ---: | ---: |\n",
    );
    let folder = root().join("target/bench/otf2");
    let library = library(&folder);
    // 16 million events each.
    for (name, iterations, with_metrics) in
        [("Enter and Leave", 500_000, false), ("half of it metrics of three values", 250_000, true)]
    {
        let files = otf2::many(LOCATIONS, iterations, with_metrics);
        let each = if with_metrics { 8 } else { 4 };
        let events = LOCATIONS * iterations * each;
        let folder = folder.join(if with_metrics { "metrics" } else { "borders" });
        write_files(&folder, &files);
        let (mut walks, mut reads, mut others) = (vec![], vec![], vec![]);
        for _ in 0..RUNS {
            let mut walked = (0, 0);
            walks.push(took(|| (0..WALKS).for_each(|_| walked = walk(&files))));
            reads.push(took(|| read(&files)));
            if let Some(library) = &library {
                let (count, sum, seconds) = by_library(library, &folder);
                assert_eq!((count, sum), walked, "both read the same");
                others.push(seconds);
            }
        }
        assert!(walk(&files).0 == events, "{name}");
        let millions = events as f64 / 1e6;
        let [walk, read] = [(walks, WALKS), (reads, 1)]
            .map(|(all, times)| f64::from(times) * millions / median(all).processor);
        others.sort_by(f64::total_cmp);
        let other = others.get(RUNS / 2).map(|seconds| millions / seconds);
        let shown = other.map_or("–".to_owned(), |other| format!("{other:.1}"));
        let ratio = other.map_or("–".to_owned(), |other| format!("{:.2}", walk / other));
        let _ = writeln!(report, "| {name} | {walk:.1} | {read:.1} | {shown} | {ratio} |");
    }
    report.push_str("\nGoals: 1.5 times the library; 12 and 6 M events/s into a trace.\n");
    let files = otf2::many(10_000, 37, false);
    heap::peak();
    let before = heap::held();
    let seconds = took(|| read(&files)).wall;
    let megabytes = (heap::peak() - before) as f64 / 1e6;
    let _ = writeln!(
        report,
        "\n10,000 locations of 148 events: {seconds:.2} s, at most {megabytes:.0} MB beside the files. \
         Goals: 3 s, 500 MB."
    );
}

/// How many events there are, and a sum of all that they hold, as `archives.c` has them.
fn walk(files: &Files) -> (u64, u64) {
    let (mut count, mut sum) = (0, 0u64);
    for (_, bytes) in files.iter().filter(|(name, _)| name.ends_with(".evt")) {
        for chunk in bytes.chunks(CHUNK_BYTES) {
            let Ok(mut records) = Records::new(chunk, CHUNK_BYTES, ChunkOf::Events) else {
                continue;
            };
            while let Ok(Ok(mut record)) = records.next_record() {
                count += 1;
                sum = sum.wrapping_add(record.ticks);
                sum = sum.wrapping_add(record.body.number_32().unwrap_or(0));
                if record.id == otf2::event::METRIC {
                    for _ in 0..record.body.byte().unwrap_or(0) {
                        let _ = record.body.byte();
                        sum = sum.wrapping_add(record.body.number_64().unwrap_or(0));
                    }
                }
            }
        }
    }
    (count, sum)
}

fn read(files: &Files) -> usize {
    let files = files.iter().map(|(name, bytes)| NamedFile::new(name.clone(), bytes.as_slice()));
    tracefold::open::open(files.collect(), &mut |_| {}).map_or(0, |trace| trace.threads.len())
}

fn write_files(folder: &Path, files: &Files) {
    let _ = std::fs::remove_dir_all(folder);
    for (name, bytes) in files {
        let path = folder.join(name);
        path.parent().map(std::fs::create_dir_all).transpose().unwrap_or_else(|e| panic!("{e}"));
        std::fs::write(&path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

/// The reference library's reader, if the library is there to make it with.
fn library(folder: &Path) -> Option<PathBuf> {
    std::fs::create_dir_all(folder).ok()?;
    let program = folder.join("archives");
    let asked = |option: &str| {
        let told = Command::new("otf2-config").arg(option).output().ok()?;
        let words = String::from_utf8(told.stdout).ok()?;
        Some(words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    };
    let words = ["--cflags", "--ldflags", "--libs"].map(asked);
    let words = words.into_iter().flatten().flatten().collect::<Vec<_>>();
    let source = root().join("tests/bench/archives.c");
    let built =
        Command::new("cc").arg("-O2").arg(source).arg("-o").arg(&program).args(words).status();
    built.is_ok_and(|status| status.success()).then_some(program)
}

/// Events, sum, and seconds of processor time.
fn by_library(program: &Path, folder: &Path) -> (u64, u64, f64) {
    let told = Command::new(program).arg(folder.join("traces.otf2")).output();
    let told = told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned());
    let told = told.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let mut words = told.split_whitespace();
    let mut next = || words.next().unwrap_or_default();
    let (count, sum) = (next().parse(), next().parse());
    (count.unwrap_or(0), sum.unwrap_or(0), next().parse().unwrap_or(f64::NAN))
}
