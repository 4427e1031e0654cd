//! Numerical kernels: slices in, values out. Knows no type of ours.
//!
//! What cannot be computed is `None` or empty, and the doc says when.

mod spline;
mod smoothing;
mod robust;
mod cluster;
mod breakpoints;
pub mod segments;

pub use breakpoints::{Division, breakpoints, by_bic};
pub use cluster::{dbscan, gaps};
pub use robust::{mean_and_deviation, median_and_mad};
pub use smoothing::{lambda_by_reml, minus_two_reml};
pub use spline::{Curve, Observation, smooth};
