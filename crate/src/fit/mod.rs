//! Numerical kernels: slices in, values out. Knows no type of ours.
//!
//! What cannot be computed is `None` or empty, and the doc says when. Each kernel has its
//! definition in one line, or well-kept software, as the oracle of its test.
//!
//! Two kinds of curves: smoothing splines, each counter for itself, made of sums that add up
//! ([`PenalisedSpline`]), and straight segments between breaks that all counters share
//! ([`segments`]); and the family that they are the limits of ([`breaks`]). Kriging with covariance
//! |h|³ and linear drift is the smoothing spline with λ = nugget/12; [`smooth`] computes it exactly,
//! in O(n).

mod abreast;
mod filter;
mod spline;
mod smoothing;
mod banded;
mod mesh;
mod coefficients;
mod statistics;
mod grouped;
mod cells;
mod prior;
mod penalised;
mod evidence;
pub mod breaks;
mod monotone;
mod student;
mod student_tail;
mod left_out;
mod band;
#[cfg(test)]
mod made_up;
mod robust;
mod cluster;
mod modes;
pub mod segments;
mod density;
mod knee;
mod nearest;
mod levels;
mod rises;
mod walk;
mod trend;

pub use abreast::{abreast, both};
pub use band::{Replicate, Replicates};
pub use cluster::{dbscan, gaps};
pub use coefficients::Coefficients;
pub use density::{Dense, dbscan_plane};
pub use grouped::GroupedStatistics;
pub use knee::{automatic_eps, knee};
pub use left_out::standard_error;
pub use levels::ends_of_levels;
pub use mesh::{CELLS, Mesh};
pub use modes::modes;
pub use nearest::Nearest;
pub use penalised::{Ends, PenalisedSpline};
pub use rises::{Levels, Rise, Stretch, levels_of_rises};
pub use robust::{mean_and_deviation, median_and_mad};
pub use smoothing::lambda_by_reml;
pub use spline::{Curve, Observation, smooth};
pub use statistics::Statistics;
pub use student::quantile as student_quantile;
pub use student_tail::{exceeded as student_exceeded, tail as student_tail};
pub use trend::{Estimate, joined, median, shift, slope};
pub use walk::{Line, Sweeps, common_step, line, sweeps};
