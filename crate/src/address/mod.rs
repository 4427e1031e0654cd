//! Folded references to data objects, and how these are walked through.
//!
//! [`fold_references`] says in which object an address lies. Address 0 lies in none. An allocation
//! over a live block ends that one (a notice); a free without allocation is nothing. A block is
//! named by the nearest caller line that is known, and stays what it is when it is grown. Variables
//! of one name and size, and blocks of one call site, are one object in all tasks, and references
//! lie in it by offset. A level or TLB that missed did not serve.
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
