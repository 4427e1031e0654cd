//! What a counter of energy tells, as the page is told it.

use serde::Serialize;

use crate::performance::{footprint, instructions_per_joule};
use crate::result::Group;

/// The energy of a mean instance, and how much of its time lies above a limit of power.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnergyRow {
    /// Share of the time above the limit.
    share_above: f64,
    /// The longest stretch above it.
    longest_ms: f64,
    mean_watts: f64,
    joules: f64,
    /// None if instructions are not counted, or no power is drawn.
    instructions_per_joule: Option<f64>,
}

impl EnergyRow {
    /// `None` if the group has no such counter, or it does not count energy.
    pub fn of(group: &Group, counter: &str, limit_watts: f64) -> Option<Self> {
        let curve = group.curves.iter().find(|curve| curve.counter == counter)?;
        let joules = curve.joules?;
        let power: Option<Vec<f64>> = curve.rate.iter().map(|rate| curve.watts(*rate)).collect();
        let footprint = footprint(&power?, limit_watts);
        let work = group.instructions().and_then(|instructions| {
            instructions_per_joule(instructions.mean_rate, curve.mean_rate, joules)
        });
        Some(Self {
            share_above: footprint.share,
            longest_ms: footprint.longest * group.mean_duration_ns / 1e6,
            mean_watts: curve.watts(curve.mean_rate)?,
            joules: curve.mean_count * joules,
            instructions_per_joule: work,
        })
    }
}
