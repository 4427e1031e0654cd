//! What stands for values: curves on the grid of folded time, and their names.

mod sampled;
mod label;

pub use label::{Label, Track, on_break, place, place_inside};
pub use sampled::{Point, Sampled};
