//! How fast a trace is read, beside the bare tokenizer and `gunzip`, and what it holds then.

use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

use tracefold::trace::Kind;

use crate::clock::{Took, median, took};
use crate::heap;
use crate::tokenizer::Tokenizer;
use crate::trace::{BIG_MB, Text, big, big_file, namd, opened, opened_by};

const RUNS: usize = 5;

pub fn read(report: &mut String) {
    let big = big();
    plain(report, &big);
    packed(report, &big);
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

fn packed(report: &mut String, big: &Text) {
    let path = big_file("prv.gz");
    let read = || {
        took(|| {
            let packed = fs::read(&path).expect("it was written");
            opened("a.prv.gz", &packed, &big.pcf)
        })
    };
    let gunzip = || {
        took(|| {
            let run = Command::new("gunzip").arg("-c").arg(&path).stdout(Stdio::null()).status();
            assert!(run.is_ok_and(|status| status.success()), "gunzip is not here");
        })
    };
    let [read, gunzip] = in_turn(read, gunzip).map(|took| took.wall);
    let _ = writeln!(
        report,
        "\n## Gzipped .prv, native\n\n\
         | {BIG_MB} MB inflated | wall time |\n| --- | ---: |\n\
         | read | {:.0} ms |\n| `gunzip -c FILE >/dev/null` | {:.0} ms |\n| ratio | {:.2} |\n\n\
         Goal: 0.7.",
        read * 1e3,
        gunzip * 1e3,
        read / gunzip
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
    let each = held as f64 / moments as f64;
    let limit = 24.0 + 8.0 * counts as f64 / moments as f64;
    let _ = writeln!(
        report,
        "\n## Memory\n\n\
         | of the generated {BIG_MB} MB | |\n| --- | ---: |\n\
         | moments kept | {moments} |\n| counter values | {counts} |\n\
         | held by the trace | {:.1} MB |\n| held while it is read, at most | {:.1} MB |\n\
         | bytes per moment, all in all | {each:.1} |\n\n\
         Goal: 24 bytes and 8 per counter value, here {limit:.1}.",
        held as f64 / 1e6,
        peak as f64 / 1e6,
    );
}
