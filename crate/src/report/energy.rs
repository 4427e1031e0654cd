//! How much of a region's time lies above a limit of power.

use serde::Serialize;

use crate::folding::{Axis, Group};
use crate::performance::footprint;
use crate::quantity::{duration, number, percent, short};

/// What a counter of energy says of a limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Above {
    pub counter: String,
    /// Share of the time, and its longest stretch in milliseconds: to compare by.
    pub share: f64,
    pub longest_ms: f64,
    pub words: String,
}

/// For each counter of energy how long its power lies above so many watts; none where the axis
/// counts events, whose rates are not of time.
pub fn above_limit(group: &Group, limit_watts: f64) -> Vec<Above> {
    if group.axis != Axis::Time {
        return vec![];
    }
    let above = group.curves.iter().filter_map(|curve| {
        let power = curve.rate.iter().map(|rate| curve.watts(*rate)).collect::<Option<Vec<_>>>()?;
        let footprint = footprint(&power, limit_watts);
        let longest_ns = footprint.longest * group.mean_duration_ns;
        let digits = usize::from(limit_watts != libm::floor(limit_watts));
        let words = format!(
            "{}: above {}\u{202f}W for {} of the time, {} at a stretch",
            short(&curve.counter),
            number(limit_watts, digits),
            percent(footprint.share, 1),
            duration(longest_ns)
        );
        let (counter, share) = (curve.counter.clone(), footprint.share);
        Some(Above { counter, share, longest_ms: longest_ns / 1e6, words })
    });
    above.collect()
}
