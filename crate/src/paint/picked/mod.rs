//! What was picked, and what of a group belongs to it.

mod picked;
mod matched;
mod matches;

pub use matched::Matched;
pub use matches::{FAINT, Matches, opacity};
pub use picked::{Picked, of_text};
