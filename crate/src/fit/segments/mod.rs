//! Joint segments: straight pieces with common breaks through the counters of one region.
//!
//! The cumulative curve of a counter whose rate jumps between phases is a broken line from (0, 0)
//! to (1, 1). All counters of a region break at the same places, its phases, so the breaks are
//! fitted to all of them at once, each counter weighted by its own noise; counters may have
//! samples at different places, as multiplexed ones have. The curves are continuous and pass
//! through both ends, and the breaks lie anywhere, not only at samples.
//!
//! 1. [`noise_variance`] tells how far samples scatter without knowing the curve.
//! 2. `path`: from many knots, the one that costs least is removed until none is left; few enough,
//!    all are moved to better places after each removal. That gives the knots for every number of
//!    breaks.
//! 3. [`choose`] decides on the number: as few as the likelihood or the held-out error wants.
//! 4. [`Knots::values`] are a counter's values at the knots, which only rise; so also at knots that
//!    a person has moved.
//! 5. [`intervals`] says how sure slopes, breaks and curves are.
//!
//! Inside, `z = y − x` stands for the counter: it is 0 at both ends, and what a straight line has
//! already explained does not cost digits. Whatever the search asks of the samples it asks of sums
//! over the first `i` of them, and of tridiagonal systems: a fit costs O(breaks log n).
//! `definition` is the same sample by sample, and the test of it.
//!
//! Sources: Servat 2015, §4.3.2 (segments of one counter); Muggeo 2003, *Estimating regression
//! models with unknown break-points*, Statistics in Medicine 22 (breaks as parameters of a
//! continuous fit); Bai and Perron 2003, *Computation and analysis of multiple structural change
//! models*, Journal of Applied Econometrics 18 (number of breaks by a criterion).

mod noise;
mod sums;
mod tridiagonal;
mod solution;
mod refine;
mod path;
mod choice;
mod values;
mod jackknife;
mod sandwich;
mod intervals;
#[cfg(test)]
mod definition;

pub use choice::{Choice, Fit, MOST_FOLDS, choose};
pub use intervals::{Breaks, Intervals, intervals};
pub use noise::noise_variance;
pub(super) use tridiagonal::Upper;
pub use values::Knots;

/// The folded samples of one counter, by rising `x`; ties are allowed. All slices are of one
/// length; what lies beyond the shortest is not looked at, nor are samples that are not finite or
/// lie outside of 0..=1.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// Place in the instance, from 0 to 1.
    pub x: &'a [f64],
    /// Share of the counter's total at that place.
    pub y: &'a [f64],
    /// The group of instances that the sample is held out with, from 0: instances are dealt to at
    /// most 20 groups in turn, so that samples of one instance stay together.
    pub group: &'a [u32],
    /// The instance of the sample; any numbers.
    pub instance: &'a [u32],
}

/// One sample of [`Samples`].
#[derive(Clone, Copy, Debug)]
struct Sample {
    x: f64,
    y: f64,
    group: u32,
    instance: u32,
}

impl<'a> Samples<'a> {
    fn iter(&self) -> impl Iterator<Item = Sample> + use<'a> {
        let places = self.x.iter().zip(self.y);
        let owners = self.group.iter().zip(self.instance);
        let samples = places.zip(owners).map(|((&x, &y), (&group, &instance))| Sample {
            x,
            y,
            group,
            instance,
        });
        samples.filter(|sample| (0.0..=1.0).contains(&sample.x) && sample.y.is_finite())
    }
}

/// Mean squared deviation, in shares of a counter's total, below which a fit counts as exact: what
/// is left there is rounding.
const EXACT: f64 = 1e-16;
