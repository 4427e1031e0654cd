//! How near the curves are to the truth, on generated traces.

mod breaks;
mod cell;
mod generator;
mod reference;
mod spread;
mod truth;
