//! Folded call-stacks to routines and code lines.
//!
//! Sources: Servat 2015, §4.5; the innermost known frame of each sample is used, call-stacks are
//! not aligned.

mod code_line;
mod frames;
mod stretch;

pub use code_line::CodeLine;
pub use frames::{FoldedFrames, fold_frames};
pub use stretch::{Stretch, stretches};
