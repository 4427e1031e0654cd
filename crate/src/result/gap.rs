//! Where a value is not told: it would have no meaning, or say what cannot be.

use super::Uncertain;

/// Shares may exceed their whole by so much: counters that were read in other instances, or by other
/// events than they are named after, are off by some per cent without being of another kind.
const SLACK: f64 = 0.05;

/// Why a value is not told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gap {
    /// Too few instructions, nothing to divide by, or no curve.
    Absent,
    /// What it is divided by lies within its band of 0.
    NearZero,
    /// It is so many times the whole that it is a share of, beyond its band.
    BeyondWhole(f64),
}

impl Gap {
    /// As files have it; empty where nothing is wrong.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absent => "",
            Self::NearZero => "near zero",
            Self::BeyondWhole(_) => "beyond whole",
        }
    }
}

/// `share`, unless it exceeds `whole` by more than its band and some per cent.
pub(super) fn within(share: Uncertain, whole: f64) -> Result<f64, Gap> {
    match share.value - share.half_width > whole * (1.0 + SLACK) {
        true => Err(Gap::BeyondWhole(share.value / whole)),
        false => Ok(share.value),
    }
}
