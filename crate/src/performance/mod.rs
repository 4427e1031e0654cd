//! Folded counters to curves and rates.
//!
//! Sources: Servat 2015, §4.3.1; the smoothing spline in [`crate::fit`].

mod choice;
mod curve;

pub use choice::{Ends, Nugget};
pub use curve::{CounterCurve, curve, grid};
