//! Folded counters to curves and rates.
//!
//! Sources: Servat 2015, §4.3.1; the smoothing spline in [`crate::fit`].

mod choice;
mod by_hand;
mod curve;

pub use by_hand::{Borders, PhaseNames};
pub use choice::{Ends, Fit, Nugget, PhasesOf, resolution};
pub use curve::{CounterCurve, curve, grid};
