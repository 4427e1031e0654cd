//! Speed and size of the native code, each figure beside its baseline from the same run; prints
//! sections of `BENCHMARKS.md`, which `tests/bench/run.sh` puts there.

mod archives;
mod clock;
mod code;
mod decision;
mod fit;
mod fold;
mod heap;
mod profiles;
mod read;
mod stacks;
mod references;
mod run;
mod tokenizer;
mod trace;
// Of these the tests of quality use the rest.
#[allow(dead_code, unused_imports)]
#[path = "../stacks/contexts.rs"]
mod contexts;
#[allow(dead_code, unused_imports)]
#[path = "../quality/mod.rs"]
mod quality;

use std::path::{Path, PathBuf};

#[global_allocator]
static HEAP: heap::Counted = heap::Counted;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Writes a section of the report.
type Section = fn(&mut String);

const SECTIONS: [(&str, Section); 10] = [
    ("fit", fit::fit),
    ("fold", fold::fold),
    ("decision", decision::decision),
    ("code", code::code),
    ("references", references::references),
    ("profiles", profiles::profiles),
    ("archives", archives::archives),
    ("read", read::read),
    ("stacks", stacks::stacks_joined),
    ("run", run::at_a_glance),
];

/// All sections, or those that are named.
fn main() {
    let (options, named) =
        std::env::args().skip(1).partition::<Vec<_>, _>(|argument| argument.starts_with("--"));
    // `cargo test --benches` runs this too, and has nothing to measure.
    if !options.iter().any(|option| option == "--bench") {
        return;
    }
    let mut report = String::new();
    for (name, section) in SECTIONS {
        if named.is_empty() || named.iter().any(|other| other == name) {
            section(&mut report);
        }
    }
    print!("{report}");
}
