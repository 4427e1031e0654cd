//! Folded counters to curves, rates and phases.
//!
//! Curves stand on the grid `j/(points − 1)`. By default each counter has a smooth curve that breaks
//! where its rate likelier jumps than not ([`crate::fit::breaks`]); smoothing splines alone, each with
//! its own λ, and straight segments between breaks that all share can be asked for.
//!
//! *Splines.* λ is the smoother of what REML and cross-validation ask for, but leaves at least what
//! whole counts hide (a counter of ten events has no finer shape), and the curve never falls.
//! *Segments.* The number of breaks is the smaller of what the likelihood and cross-validation ask
//! for. *Of few samples*, under 100 per counter, it is one of these two: segments, unless splines
//! predict held-out instances better by more than 5 % in squares (mean logarithm over all samples;
//! ten folds, each compared for itself). Instances, not samples, are dealt to the groups that are
//! held out, because the samples of one instance err together.
//!
//! *How sure* a curve is, is found by leaving each of at most 20 groups of instances out (the
//! jackknife). A spline's band is that of the smoothing that likelihood asks for, widened by what a
//! curve twice as smooth differs, because no smooth rate covers a jump; breaks move with the group that
//! is left out. Rates and breaks of segments have the larger of the jackknife and a sandwich clustered
//! by instance. With fewer than four instances there are no bands, and no phases but those asked for.
//!
//! *Phases* lie between breaks: those of the curves, else of as few joint segments as leave a tenth of
//! what constant rates miss, or where a person puts them. A counter changes at a break of its curve,
//! or if its rates on either side differ by more than both intervals allow.
//!
//! Sources: Servat 2015, §4.3; the kernels in [`crate::fit`]; the decision and the bands are ours,
//! with formulas in `static/guide/methods.html`.

mod choice;
mod by_hand;
mod grid;
mod samples;
mod spline;
mod steps;
mod phases;
mod group;
mod sampling;
mod displacement;
mod in_time;
mod while_computing;
mod prefilter;
mod energy;
mod energy_counters;

pub use by_hand::{Borders, PhaseNames};
pub use choice::{Ends, Fit, Nugget, PhasesOf};
pub use displacement::{displacement, is_sharper_over_instructions};
pub use energy::{Footprint, footprint};
pub use energy_counters::{Energy, EnergyCounters};
pub use grid::grid;
pub use group::{Fitted, How, fit_group};
pub use in_time::{Along, Clock, in_time};
pub use prefilter::prefilter;
pub use samples::Measured;
pub use sampling::{DENSITY_CELLS, density, locked, sparse};
pub use steps::{Anchors, Lengths, are_at_few_places, steps};
pub use while_computing::Shown;
