//! What a trace says, as columns per thread: moments with their events, and what the events mean.
//!
//! A [`Builder`] takes events in any order from any reader and freezes into an immutable
//! [`Trace`]. This module knows no file format and no region.
//!
//! A moment takes ten bytes, and four for each value below 2³²: its time since the begin of its
//! chunk, the number of its *shape* (the types of its events), its values. Events that mean nothing
//! to folding ([`Kind::Other`]) leave no more than the time of their thread's end. Parts that were
//! read apart are joined in the order of the file, so that any number of readers gives the same
//! trace. Where reading stopped early, what there is is a trace that says so ([`Partial`]).
//!
//! What reads levels for a task or a node and is no thread of the program is a *reader* ([`Beside`]): it
//! counts as no thread, computes nothing and has no regions.
//!
//! Beside its moments a thread has the stretches in which it computes, as states tell. Callers
//! are kept of calls and of what allocates, others are not.
//!
//! Threads, counters and a window of time can be chosen before a trace is read ([`Only`]); the rest
//! costs no memory. A thread's end is that of the whole trace, so that zeros at the border of a
//! window are ends and those of a cutter are none. How sure the numbers of a trace are every reader
//! says in its [`Provenance`].

mod join;
mod kind;
mod labels;
mod weaving;
mod merge;
mod ranks;
mod notice;
mod objects;
mod only;
mod partial;
mod reduced;
mod provenance;
mod portable;
mod packed;
mod builder;
mod chunk;
mod columns;
mod growing;
mod running;
mod shape;
mod variable;

pub use builder::{Builder, Meanings, ThreadIndex};
pub use columns::{Beside, Event, EventType, Moment, Object, Thread, Trace};
pub use kind::{
    AllocationPart, Kind, Meaning, Nesting, Origin, Paradigm, Reads, ReferencePart, TracingPart,
};
pub use labels::Labels;
pub use merge::{Home, Merged};
pub use notice::{Notice, Notices, Place};
pub use objects::{ChoiceError, Objects};
pub use only::{Only, Share};
pub use partial::{Partial, Stopped};
pub use provenance::{Boundaries, Provenance};
pub use reduced::{Innermost, Kept, Known, Reduced, Summed};
pub use variable::Variable;
