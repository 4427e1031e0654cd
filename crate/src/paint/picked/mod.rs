//! What was picked, and what of a group belongs to it.
//!
//! What was picked is a text of the view; [`Matched`] turns it into the samples, references and
//! moments that stay full, and every lane asks that.

mod pick;
mod matched;
mod matches;

pub use matched::Matched;
pub use matches::{FAINT, Matches, opacity};
pub use pick::{Picked, of_text};
