//! The source lane: which routine ran when, and which of its lines.

mod lane;
mod bands;
mod callers;
mod icicle;
mod rows;
mod turns;

pub use bands::{SHORTEST, bands, caps, tints};
pub use lane::source;
