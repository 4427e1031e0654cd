//! The text that `perf script` prints, to [`crate::trace::Builder`].
//!
//! Uprobes, tracepoints and markers of a program begin and end regions, told apart by their
//! names; every other event is a sample, with its call-stack. Counters come from the periods of
//! samples; those of a group of events are read at markers too, which makes them exact there.
//!
//! Sources: man pages of perf-record, perf-script and perf-probe, Linux 6.1; recordings made with
//! it.

mod event;
mod frame;
mod names;
mod reader;
mod record;
mod remedy;
mod thread;

pub use reader::PerfReader;

use crate::trace::{Kind, Labels, Meaning, Nesting};

// Codes of our own for what perf names in words, beyond all that tracers use.
const FIRST_REGION: u32 = 4_000_000_000;
const FIRST_COUNTER: u32 = 4_100_000_000;
// Codes that Extrae has for call-stacks.
const ROUTINE: u32 = 30_000_000;
const CODE_LINE: u32 = 30_000_100;

/// What the events of a trace made here mean.
pub fn meaning(code: u32, labels: &Labels) -> Meaning {
    let kind = match code {
        FIRST_COUNTER.. => Kind::Counter,
        FIRST_REGION.. => Kind::Region(Nesting::Stack),
        CODE_LINE..=30_000_199 => Kind::CodeLine((code - CODE_LINE) as u8),
        ROUTINE..=30_000_099 => Kind::Routine((code - ROUTINE) as u8),
        _ => Kind::Other,
    };
    let name = labels.of_type(code).unwrap_or_default().to_owned();
    Meaning { kind, name, description: String::new() }
}
