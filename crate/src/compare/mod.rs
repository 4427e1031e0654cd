//! Before and after: which changes between two sides of runs are beyond doubt.
//!
//! A change is `ln(B/A)`: A with B mirrors B with A. What is compared of a run is a [`Run`], its phases are
//! put together by [`canonical`], laid beside those of another by [`matched`], and what became of them is
//! told by [`structure`]. How much runs of one program differ is [`effects`], and what is told [`holm`] and
//! [`benjamini_hochberg`] decide; [`compare`] does all of it.

mod canonical;
mod comparison;
mod decision;
mod duration;
mod effects;
mod lines;
mod matching;
mod run;
mod similarity;
mod stretch;
mod structure;
mod words;

pub use canonical::canonical;
pub use comparison::{Comparison, PhaseRow, RatioRow, Row, StructureRow, Verdict, Wanted, compare};
pub use decision::{Change, benjamini_hochberg, holm};
pub use duration::duration_error_ns;
pub use effects::{Between, Effects, Sides, change_of, effects, within_of};
pub use lines::{Moved, moved};
pub use matching::{Pair, matched};
pub use run::{Counter, GROUPS, Place, Run};
pub use similarity::similarity;
pub use stretch::Stretch;
pub use structure::{Kind, Note, structure};
pub use words::sentences;
