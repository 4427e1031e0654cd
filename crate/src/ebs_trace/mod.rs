//! The traces of TAU's event-based sampling, `ebstrace.raw.PID.NODE.CONTEXT.THREAD`, read to
//! [`crate::trace::Builder`]: the samples of each thread, and the timers in which there was one.
//!
//! ```text
//! # Format version: 0.2
//! # Metrics: TIME PAPI_TOT_INS
//! $ | 1353609137123456 | 1353609137120000 | 0 | 1353609137123456 98000 | 7 3 | 0x4005d0 0x400a10
//! % | 1353609137120000 90000 | 1353609137130000 130000 | 7 3
//! ```
//!
//! A `$` is a sample: when, since when its timer runs, all metrics as they are by then, the timers that are open,
//! innermost first, and where the program is, its callers behind it. A `%` is a timer that ends and had a
//! sample: all metrics when it began, and when it ended. So a timer in which nothing was sampled is in no file.
//! The first metric is time, in microseconds. Names of timers stand in `ebstrace.def.*`, where modules lie in
//! `ebstrace.map.*`.
//!
//! Source: `TauSampling.cpp` of TAU 2.

mod modules;
mod reader;
mod record;

pub use reader::{EbsReader, Thread};

use crate::trace::{Kind, Labels, Meaning, Nesting, Origin};

// Codes of our own for what the files name in words, beyond all that tracers use.
const TIMER: u32 = 4_000_000_000;
const FIRST_COUNTER: u32 = 4_100_000_000;
/// The code that Extrae has for call-stacks.
const ROUTINE: u32 = 30_000_000;
/// Frames that a stack has at most.
const DEEPEST: usize = 100;

/// What the events of a trace made here mean.
pub fn meaning(code: u32, labels: &Labels) -> Meaning {
    let kind = match code {
        FIRST_COUNTER.. => Kind::Counter,
        TIMER => Kind::Region(Nesting::Stack, Origin::Code),
        ROUTINE..=30_000_099 => Kind::Routine((code - ROUTINE) as u8),
        _ => Kind::Other,
    };
    let name = labels.of_type(code).unwrap_or_default().to_owned();
    Meaning { kind, name, description: String::new() }
}
