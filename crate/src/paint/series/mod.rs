//! A series of runs: each as a row on one axis of time, and their phases over the value.

mod lines;
mod plot;
mod row;

pub use lines::{SeriesLine, lines, measures_of, painted_plot, plot_of};
pub use plot::plot;
pub use row::{SeriesLook, axis, row};
