//! The text that `perf script` prints, to [`crate::trace::Builder`].
//!
//! Uprobes, tracepoints and markers of a program begin and end regions, told apart by their
//! names; every other event is a sample, with its call-stack. Counters come from the periods of
//! samples; those of a group of events are read at markers too, which makes them exact there. A
//! sample with an address and a data source is a load or store.
//!
//! *Markers.* Begin and end are paired per thread by name: `step` and `step__return`, `sys_enter_x`
//! and `sys_exit_x`, `x_begin` and `x_end` …. A marker without a second half ends where the next
//! one begins. A begin inside its own region is recursion if the routine is further out in the
//! call-stack, or, without call-stacks, unless markers are known to be missing; otherwise the begin
//! before it lost its end and is left out.
//!
//! *Counters.* Readings accumulate per group of events. A boundary that its group does not read is
//! interpolated between readings at most a quarter of the instance apart, or has no counter.
//!
//! *Memory samples* are events by name (`mem-loads`, `mem-stores`, `ibs_op`, those of SPE) and are
//! no counters. Levels and TLBs are numbered as Extrae does; a level that was only missed is none.
//!
//! *Threads.* A [`Scan`] takes lines apart without those before them, for any thread can do that; the
//! reader joins these [`Block`]s in the order of the file.
//!
//! Sources: man pages of perf-record, perf-script, perf-probe and perf-mem, Linux 6.1; recordings
//! made with it; the order of fields of versions 4.6 to 6.16.

mod block;
mod data_source;
mod event;
mod frame;
mod moment;
mod names;
mod reader;
mod record;
mod reference;
mod remedy;
mod scan;
mod thread;

pub use block::Block;
pub use reader::PerfReader;
pub use scan::Scan;

use crate::trace::{Kind, Labels, Meaning, Nesting, Origin, ReferencePart};

// Codes of our own for what perf names in words, beyond all that tracers use.
const FIRST_REGION: u32 = 4_000_000_000;
const FIRST_COUNTER: u32 = 4_100_000_000;
// Codes that Extrae has for call-stacks.
const ROUTINE: u32 = 30_000_000;
const CODE_LINE: u32 = 30_000_100;
// And for sampled loads and stores, each with its name.
const REFERENCES: [(u32, ReferencePart, &str); 5] = [
    (LOAD_ADDRESS, ReferencePart::LoadAddress, "Load address"),
    (STORE_ADDRESS, ReferencePart::StoreAddress, "Store address"),
    (LEVEL, ReferencePart::Level, "Memory level"),
    (TLB_LEVEL, ReferencePart::TlbLevel, "TLB level"),
    (COST, ReferencePart::Cost, "Reference cost"),
];
const LOAD_ADDRESS: u32 = 32_000_000;
const STORE_ADDRESS: u32 = 32_000_001;
const LEVEL: u32 = 32_000_002;
const TLB_LEVEL: u32 = 32_000_004;
const COST: u32 = 32_000_006;

/// What the events of a trace made here mean.
pub fn meaning(code: u32, labels: &Labels) -> Meaning {
    let of_reference = REFERENCES.iter().find(|(known, ..)| *known == code);
    if let Some((_, part, name)) = of_reference {
        let name = (*name).to_owned();
        return Meaning { kind: Kind::Reference(*part), name, description: String::new() };
    }
    let kind = match code {
        FIRST_COUNTER.. => Kind::Counter,
        FIRST_REGION.. => Kind::Region(Nesting::Stack, Origin::Code),
        CODE_LINE..=30_000_199 => Kind::CodeLine((code - CODE_LINE) as u8),
        ROUTINE..=30_000_099 => Kind::Routine((code - ROUTINE) as u8),
        _ => Kind::Other,
    };
    let name = labels.of_type(code).unwrap_or_default().to_owned();
    Meaning { kind, name, description: String::new() }
}
