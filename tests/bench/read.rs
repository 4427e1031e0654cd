//! How fast a trace is read, beside the bare tokenizer, `wc -l` and `libdeflate-gunzip`, and what it
//! holds then.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tracefold::export::{Format, export_in_parts};
use tracefold::paint::Figure;
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::Kind;

use crate::clock::{Took, median, took};
use crate::heap;
use crate::tokenizer::Tokenizer;
use crate::trace::{BIG_MB, Text, big, big_file, namd, opened, opened_by};

const RUNS: usize = 5;
const TRACEFOLD: &str = env!("CARGO_BIN_EXE_tracefold");

pub fn read(report: &mut String) {
    let big = big();
    plain(report, &big);
    listed(report);
    threads(report, &big);
    held(report, &big);
}

/// Calls two things in turn, so that what else runs slows both.
fn in_turn(mut one: impl FnMut() -> Took, mut other: impl FnMut() -> Took) -> [Took; 2] {
    let (one, other) = (0..RUNS).map(|_| (one(), other())).unzip();
    [median(one), median(other)]
}

fn plain(report: &mut String, big: &Text) {
    report.push_str(
        "\n## Plain .prv, native\n\n\
         | trace | read, MB/s of processor time | bare tokenizer | share |\n\
         | --- | ---: | ---: | ---: |\n",
    );
    let namd = namd();
    let big = (format!("generated, {BIG_MB} MB"), big, 1);
    let namd = namd.iter().map(|text| ("444.namd, 3 MB, 50 times".to_owned(), text, 50));
    for (name, text, times) in [big].into_iter().chain(namd) {
        let read = || took(|| (0..times).for_each(|_| drop(opened("a.prv", &text.prv, &text.pcf))));
        let walk = || {
            took(|| {
                let mut tokens = Tokenizer::new();
                (0..times).for_each(|_| tokens.walk(&text.prv));
                (tokens.numbers, tokens.sum)
            })
        };
        let megabytes = (times * text.prv.len()) as f64 / 1e6;
        let [read, walk] = in_turn(read, walk).map(|took| megabytes / took.processor);
        let share = 100.0 * read / walk;
        let _ = writeln!(report, "| {name} | {read:.0} | {walk:.0} | {share:.0} % |");
    }
    report.push_str("\nGoal: 600 MB/s.\n");
}

/// Runs a command on these files, what it prints aside.
fn run(command: &str, words: &[&str], files: &[impl AsRef<OsStr>]) -> Took {
    took(|| {
        let mut command = Command::new(command);
        let command = command.args(words).args(files).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status();
        assert!(status.is_ok_and(|status| status.success()), "{command:?} is not here or fails");
    })
}

/// The list of regions, beside what only counts lines and what only inflates.
fn listed(report: &mut String) {
    // The clock has steps of 10 ms, so that a fast command is given the file several times.
    const TIMES: usize = 5;
    let (plain, packed) = (big_file("prv"), big_file("prv.gz"));
    let regions = |path: &Path| {
        let words = ["regions", "--threads", "1"];
        let all = (0..TIMES).map(|_| run(TRACEFOLD, &words, &[path]));
        let [wall, processor] = all.fold([0.0, 0.0], |[wall, processor], took| {
            [wall + took.wall, processor + took.processor]
        });
        Took { wall, processor }
    };
    let [read, count] = in_turn(|| regions(&plain), || run("wc", &["-l"], &[&plain; TIMES]));
    let inflate = || run("libdeflate-gunzip", &["-c"], &[&packed; TIMES]);
    let [unpacked, inflated] = in_turn(|| regions(&packed), inflate);
    let row = |what: &str, ours: Took, theirs: Took, goal: f64| {
        let [ours, theirs] = [ours, theirs].map(|took| took.processor / TIMES as f64);
        let ratio = ours / theirs;
        format!(
            "| {what} | {:.0} ms | {:.0} ms | {ratio:.2} | {goal} |\n",
            1e3 * ours,
            1e3 * theirs
        )
    };
    let _ = write!(
        report,
        "\n## List of regions, native\n\n\
         Processor time of `tracefold regions --threads 1`, {BIG_MB} MB inflated.\n\n\
         | beside | regions | that | ratio | goal |\n| --- | ---: | ---: | ---: | ---: |\n{}{}",
        row("`.prv`, `wc -l`", read, count, 8.0),
        row("`.prv.gz`, `libdeflate-gunzip -c`", unpacked, inflated, 1.5),
    );
}

fn threads(report: &mut String, big: &Text) {
    let read = |threads| took(|| opened_by(threads, "a.prv", &big.prv, &big.pcf));
    let [one, two] = in_turn(|| read(1), || read(2));
    let _ = writeln!(
        report,
        "\n## Threads, native\n\n\
         | plain .prv, {BIG_MB} MB | wall time | processor time |\n\
         | --- | ---: | ---: |\n\
         | one thread | {:.0} ms | {:.0} ms |\n| two threads | {:.0} ms | {:.0} ms |\n\
         | ratio | {:.2} | {:.2} |\n\n\
         Goal: one to two at least 1.5 in wall time, two to one at most 1.1 in processor time.",
        one.wall * 1e3,
        one.processor * 1e3,
        two.wall * 1e3,
        two.processor * 1e3,
        one.wall / two.wall,
        two.processor / one.processor,
    );
}

fn held(report: &mut String, big: &Text) {
    let before = heap::held();
    heap::peak();
    let trace = opened("a.prv", &big.prv, &big.pcf);
    let (held, peak) = (heap::held() - before, heap::peak() - before);
    let moments = trace.threads.iter().map(|thread| thread.len()).sum::<usize>();
    let events = trace.threads.iter().flat_map(|thread| thread.moments()).flat_map(|m| m.events());
    let counts = events.filter(|event| trace.kind(event.event_type) == Kind::Counter).count();
    heap::peak();
    let foldings = pipeline::run_each(&trace, &Settings::default(), &[]).expect("a folding");
    let folded = heap::peak() - before;
    let mut put = |_: &str, part: Vec<u8>| drop(part);
    export_in_parts(&trace, &foldings, None, Format::Csv, &Figure::default(), &mut put)
        .expect("tables");
    let written = heap::peak() - before;
    let each = held as f64 / moments as f64;
    let limit = 24.0 + 8.0 * counts as f64 / moments as f64;
    let _ = writeln!(
        report,
        "\n## Memory\n\n\
         | of the generated {BIG_MB} MB | |\n| --- | ---: |\n\
         | moments kept | {moments} |\n| counter values | {counts} |\n\
         | held by the trace | {:.1} MB |\n| held while it is read, at most | {:.1} MB |\n\
         | held while it is folded | {:.1} MB |\n\
         | held while its tables are written | {:.1} MB |\n\
         | bytes per moment, all in all | {each:.1} |\n\n\
         Goal: 24 bytes and 8 per counter value, here {limit:.1}.",
        held as f64 / 1e6,
        peak as f64 / 1e6,
        folded as f64 / 1e6,
        written as f64 / 1e6,
    );
}
