//! The `.extract` file between the stages of BSC Folding, instances with their samples: read to
//! [`crate::trace::Builder`], written by [`Writer`].
//!
//! An `I` opens and closes a region, an `S` is a moment. Counts are cumulative in the file and
//! deltas in a trace. Callers and lines are numbers that a `.pcf` names.
//!
//! Source: Folding user guide, listings 3.1 and 4.1.

mod reader;
mod writer;

pub use reader::{ExtractReader, meaning};
pub use writer::{FrameRecord, InstanceRecord, ReferenceRecord, SampleRecord, Writer};
