//! A series of runs: each as a row on one axis of time, and their phases over the value.

mod plot;
mod row;

pub use plot::{SeriesPlot, plot};
pub use row::{SeriesLook, axis, row};
