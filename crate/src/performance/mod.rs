//! Folded counters to curves, rates and phases.
//!
//! Sources: Servat 2015, §4.3; the kernels in [`crate::fit`].

mod choice;
mod by_hand;
mod grid;
mod samples;
mod spline;
mod phases;
mod group;
mod sampling;
mod displacement;
mod in_time;
mod prefilter;
mod energy;
mod energy_counters;

pub use by_hand::{Borders, PhaseNames};
pub use choice::{Ends, Fit, Nugget, PhasesOf, resolution};
pub use displacement::{displacement, is_sharper_over_instructions};
pub use energy::{Footprint, footprint, instructions_per_joule};
pub use energy_counters::{Energy, EnergyCounters};
pub use grid::grid;
pub use group::{Fitted, How, fit_group};
pub use in_time::{Along, Clock, in_time};
pub use prefilter::prefilter;
pub use samples::Measured;
pub use sampling::{DENSITY_CELLS, density, locked, sparse};
