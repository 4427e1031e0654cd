//! Folded call-stacks to calling contexts, and these to the stretches of time that routines have.
//!
//! Tracers capture the innermost frames of a call-stack, a fixed number of them. What lies further
//! out is found in the other samples: by *evidence chaining* ([`Align::Chain`]), frame by frame
//! from the sample nearest in folded time, or by the published alignment on a *pivot*
//! ([`Align::Pivot`]). Stacks that all reach the same root are complete and used as they are.
//!
//! Frames that the tracer could not resolve, and depths that are missing, are left out, at the ends
//! and inside: those on either side count as caller and callee. Trees that nothing joins stay
//! apart, and their share is told.
//!
//! A stretch of a routine is a run of samples in one calling context inside the stretch of its
//! caller. But for the pivot, single foreign samples are passed over, at most one in ten, and two
//! long runs that mix for less than the shortest stretch meet where fewest samples lie on the wrong
//! side. Where only innermost frames were captured, a stretch belongs to the routine that has most
//! of the samples of each half per cent.
//!
//! Sources: Servat 2015, §4.5.2; Servat et al. 2016, *Bio-inspired call-stack reconstruction for
//! performance analysis*.

mod numbered;
mod code_line;
mod dispersion;
mod frames;
mod stacks;
mod tree;
mod align;
mod chain;
mod pivot;
mod shortest;
mod runs;
mod prevailing;
mod stretch;
mod callers;
mod colours;

pub use align::{Align, Aligned, align};
pub use callers::callers;
pub use code_line::CodeLine;
pub use colours::{Colours, Innermost};
pub(crate) use frames::{Frame, FrameReader, whole_name};
pub use shortest::Shortest;
pub use stacks::{Stacks, fold_stacks};
pub use stretch::stretches;
