//! How near the curves are to the truth, on generated traces.

mod bands;
mod breaks;
mod cell;
mod generator;
mod goals;
mod means;
mod product;
mod reference;
mod rule;
mod spread;
mod truth;
