//! How near the curves are to the truth, on generated traces.

pub mod bands;
pub mod breaks;
pub mod cell;
pub mod drift;
pub mod generator;
pub mod goals;
pub mod means;
pub mod product;
pub mod ranges;
pub mod reference;
pub mod rule;
pub mod spread;
pub mod truth;
