//! What a counter of energy tells, as the page is told it.

use crate::performance::{footprint, instructions_per_joule};
use crate::result::{Group, Writer};

/// The energy of a mean instance, and how much of its time lies above a limit of power.
///
/// `None` if the group has no such counter, or it does not count energy.
pub fn energy(group: &Group, counter: &str, limit_watts: f64) -> Option<Writer> {
    let curve = group.curves.iter().find(|curve| curve.counter == counter)?;
    let joules = curve.joules?;
    let power: Option<Vec<f64>> = curve.rate.iter().map(|rate| curve.watts(*rate)).collect();
    let footprint = footprint(&power?, limit_watts);
    let work = group.instructions().and_then(|instructions| {
        instructions_per_joule(instructions.mean_rate, curve.mean_rate, joules)
    });
    let mut json = Writer::default();
    json.open("", '{');
    json.number("shareAbove", footprint.share);
    json.number("longestMs", footprint.longest * group.mean_duration_ns / 1e6);
    json.known_number("meanWatts", curve.watts(curve.mean_rate));
    json.number("joules", curve.mean_count * joules);
    json.known_number("instructionsPerJoule", work);
    json.close('}');
    Some(json)
}
