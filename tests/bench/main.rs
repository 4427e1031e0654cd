//! Speed and size of the native code, each figure beside its baseline from the same run; prints
//! sections of `BENCHMARKS.md`, which `tests/bench/run.sh` puts there.

mod clock;
mod code;
mod fit;
mod fold;
mod heap;
mod read;
mod stacks;
mod references;
mod tokenizer;
mod trace;

use std::path::{Path, PathBuf};

#[global_allocator]
static HEAP: heap::Counted = heap::Counted;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn main() {
    // `cargo test --benches` runs this too, and has nothing to measure.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut report = String::new();
    fit::fit(&mut report);
    fold::fold(&mut report);
    code::code(&mut report);
    references::references(&mut report);
    read::read(&mut report);
    stacks::stacks_joined(&mut report);
    print!("{report}");
}
