//! What was picked, and what of a group belongs to it.

mod pick;
mod matched;
mod matches;

pub use matched::Matched;
pub use matches::{FAINT, Matches, opacity};
pub use pick::Picked;
