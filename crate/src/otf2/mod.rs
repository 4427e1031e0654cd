//! Archives of OTF2, which Score-P, EZTrace and others write, to [`crate::trace::Builder`].
//!
//! An archive is an anchor (`NAME.otf2`), the definitions of all (`NAME.def`), and for each *location*
//! (a thread, a stream of an accelerator, a set of metrics) a file of events and one of the numbers
//! and the clock of its own (`NAME/LOC.evt`, `NAME/LOC.def`).
//!
//! *Files* are rows of chunks of one size, each with its byte order; no record crosses a chunk, so
//! that one is enough to read. *Locations* are read apart, in any order: what they make is joined in
//! the order of their objects.
//!
//! *Regions.* One type of event for each paradigm, whose values are names: two regions of one name
//! are one. What opens and closes within one nanosecond has no duration: it is left out and counted,
//! as otherwise a moment, which has no order, would close the region around it.
//!
//! *Counters* are sums since the start of the measurement: what is kept is what came since the
//! thread's reading before. Only those that threads of processors read at their own events are counters.
//!
//! *Levels* (power, frequency, memory in use), and whatever else is read beside the program, are
//! readings of a thread, a process or a node, as their metric says.
//!
//! *Computing* is a thread of a processor in a region that is no call of a runtime: no communication,
//! synchronisation, input and output or offloading, and not the tracing itself.
//!
//! *What is wrong* in the file of a location is a notice with the byte at which it is; what came
//! before stays.
//!
//! Sources: the source of the reference library, version 3.2; archives of Score-P 7.1 and 9.0 and
//! of EZTrace 2.

mod anchor;
mod archive;
mod bytes;
mod clock;
mod counters;
mod definitions;
mod levels;
mod local;
mod location;
mod moment;
mod objects;
mod record;
mod regions;
mod table;

pub use anchor::Anchor;
pub use archive::{Archive, Tally};
pub use bytes::Bytes;
pub use clock::Clock;
pub use definitions::{Definitions, LocationKind};
pub use local::Local;
pub use location::LocationReader;
pub use record::{ChunkOf, End, Record, Records};
pub use table::Table;

use std::fmt;

use crate::trace::{Kind, Labels, Meaning, Nesting, TracingPart};

// Codes that Extrae has for the same.
const FLUSH: u32 = 40_000_003;
const ENABLED: u32 = 40_000_012;
const ROUTINE: u32 = 30_000_000;
const CODE_LINE: u32 = 30_000_100;
const FIRST_COUNTER: u32 = 42_000_000;
/// A counter that Extrae has no code for has this and its place among all.
const FIRST_OTHER_COUNTER: u32 = 42_100_000;
const LAST_COUNTER: u32 = 42_999_999;

/// What a type of event means, and what people call it: the label of a counter is its name and, in
/// brackets, its description, as in a `.pcf`.
pub fn meaning(code: u32, labels: &Labels) -> Meaning {
    meant(code, labels)
}

// Apart from what is known by its address, so that the page loads it for archives alone.
#[inline(never)]
fn meant(code: u32, labels: &Labels) -> Meaning {
    let label = labels.of_type(code).unwrap_or_default();
    let of = |kind, name: &str| Meaning { kind, name: name.to_owned(), description: String::new() };
    if let Some((_, name, origin)) = regions::TYPES.iter().find(|(known, ..)| *known == code) {
        return of(Kind::Region(Nesting::Stack, *origin), name);
    }
    match code {
        FLUSH => of(Kind::Tracing(TracingPart::Flush), "Tracing"),
        ENABLED => of(Kind::Tracing(TracingPart::Enabled), "Tracing enabled"),
        ROUTINE..=30_000_099 => of(Kind::Routine((code - ROUTINE) as u8), label),
        CODE_LINE..=30_000_199 => of(Kind::CodeLine((code - CODE_LINE) as u8), label),
        FIRST_COUNTER..=LAST_COUNTER => named(Kind::Counter, label),
        levels::FIRST_LEVEL..=levels::LAST_LEVEL => {
            named(Kind::Level(levels::read_by(code)), label)
        }
        _ => of(Kind::Other, label),
    }
}

/// A label is `NAME [description]`.
fn named(kind: Kind, label: &str) -> Meaning {
    let whole = label.strip_suffix(']').and_then(|label| label.rsplit_once(" ["));
    let (name, description) = whole.unwrap_or((label, ""));
    Meaning { kind, name: name.to_owned(), description: description.to_owned() }
}

/// What ends the reading of a file before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    Cut,
    BeyondChunk,
    LongNumber,
    NoHeader,
    ByteOrder,
}

impl fmt::Display for Damage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Cut => "it ends inside a record",
            Self::BeyondChunk => "a record goes beyond its chunk",
            Self::LongNumber => "a number has more bytes than it can have",
            Self::NoHeader => "a chunk begins with no header",
            Self::ByteOrder => "a chunk says neither 0x23 nor 0x42 of its byte order",
        })
    }
}
