//! What a trace says, as columns per thread: moments with their events, and what the events mean.
//!
//! A [`Builder`] takes events in any order from any reader and freezes into an immutable
//! [`Trace`]. This module knows no file format and no region.

mod join;
mod kind;
mod labels;
mod merge;
mod notice;
mod objects;
mod only;
mod partial;
mod provenance;
mod portable;
mod builder;
mod chunk;
mod columns;
mod growing;
mod shape;
mod variable;

pub use builder::{Builder, Meanings, ThreadIndex};
pub use columns::{Event, EventType, Moment, Object, Thread, Trace};
pub use kind::{AllocationPart, Kind, Meaning, Nesting, ReferencePart};
pub use labels::Labels;
pub use merge::{Home, Merged};
pub use notice::{Notice, Notices, Place};
pub use objects::{ChoiceError, Objects};
pub use only::Only;
pub use partial::{Partial, Stopped};
pub use provenance::{Boundaries, Provenance};
pub use variable::Variable;
