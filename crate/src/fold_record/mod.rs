//! What a runtime that folds while the program runs would write: instances of a region and their samples, with
//! times since the begin of the instance and no others, read to [`crate::trace::Builder`].
//!
//! ```text
//! # Times: ns
//! # Counters: PAPI_TOT_INS PAPI_TOT_CYC
//! I 0 solve 1500000 1200000 980000
//! S 0 solve 310500 240000 201000 main;solve;kernel (solve.c:88)
//! ```
//!
//! An `I` is an instance: its thread, its region, how long it lasts, and what each counter counts in it. An `S`
//! is a sample of an instance of the same thread and region: when, since its begin, what each counter counted by
//! then, and its call-stack, outermost frame first. Samples stand behind their instance or before it, in all of
//! a file alike. As nothing says when instances begin, those of a thread are laid one after the other.
//!
//! The older spelling has shares: `T REGION MICROSECONDS`, then `S METRIC X Y` and `S LINE X LINE`, X and Y from
//! 0 to 1. It does not tell instances apart: every sample is an instance of its own, with its Y.
//!
//! Sources: Malony and Huck 2014, conclusion; `tausamp_extract4folding.py` of TAU for the older spelling.

mod laid;
mod line;
mod reader;

pub use reader::RecordReader;

use crate::trace::{Kind, Labels, Meaning, Nesting, Origin};

// Codes of our own for what records name in words, beyond all that tracers use.
const REGION: u32 = 4_000_000_000;
const FIRST_COUNTER: u32 = 4_100_000_000;
// Codes that Extrae has for call-stacks.
const ROUTINE: u32 = 30_000_000;
const CODE_LINE: u32 = 30_000_100;
/// Frames that a stack has at most.
const DEEPEST: usize = 100;

/// What the events of a trace made here mean.
pub fn meaning(code: u32, labels: &Labels) -> Meaning {
    let kind = match code {
        FIRST_COUNTER.. => Kind::Counter,
        REGION => Kind::Region(Nesting::Flat, Origin::Code),
        CODE_LINE..=30_000_199 => Kind::CodeLine((code - CODE_LINE) as u8),
        ROUTINE..=30_000_099 => Kind::Routine((code - ROUTINE) as u8),
        _ => Kind::Other,
    };
    let name = labels.of_type(code).unwrap_or_default().to_owned();
    Meaning { kind, name, description: String::new() }
}
