//! How near the curves are to the truth, on generated traces: `issue 4`, "Figures to reach".

mod breaks;
mod cell;
mod generator;
mod reference;
mod spread;
mod truth;
