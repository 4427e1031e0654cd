//! Folded references to data objects, and how these are walked through.
//!
//! Sources: Servat 2015, §4.6; Extrae's events of sampled references and of memory calls.

mod allocations;
mod call_site;
mod variables;
mod ranges;
mod sampled;
mod objects;
mod folded;
mod walked;
mod referenced;

pub use allocations::{Allocations, Block};
pub use call_site::CallSites;
pub use folded::{FoldedReferences, fold_references};
pub use referenced::referenced;
pub use sampled::{Reference, has_references};
pub use walked::{Walk, walk};
