//! Before and after: which changes between two sides of runs are beyond doubt.
//!
//! A change is `ln(B/A)`: A with B mirrors B with A.

mod decision;

pub use decision::{Change, benjamini_hochberg, holm};
