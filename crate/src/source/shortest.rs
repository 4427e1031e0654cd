use std::fmt;
use std::str::FromStr;

use crate::trace::ChoiceError;

/// The shortest stretch of a routine that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shortest {
    /// Percent of the region.
    Percent(f64),
    /// Nanoseconds of a mean instance.
    Ns(u64),
    /// Samples of the routine and what it calls.
    Samples(u32),
}

impl Default for Shortest {
    /// As in the reference.
    fn default() -> Self {
        Self::Percent(2.5)
    }
}

impl FromStr for Shortest {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let parsed = || {
            let (unit, value) = text.split_once(':')?;
            match unit {
                "percent" => {
                    let percent = crate::instance::float(value)?;
                    (0.0..=100.0).contains(&percent).then_some(Self::Percent(percent))
                }
                "ns" => value.parse().ok().filter(|ns| *ns > 0).map(Self::Ns),
                "samples" => value.parse().ok().filter(|samples| *samples > 0).map(Self::Samples),
                _ => None,
            }
        };
        parsed().ok_or(ChoiceError("percent:P, ns:D or samples:N such as percent:2.5"))
    }
}

impl fmt::Display for Shortest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(percent) => write!(out, "percent:{percent}"),
            Self::Ns(ns) => write!(out, "ns:{ns}"),
            Self::Samples(samples) => write!(out, "samples:{samples}"),
        }
    }
}

impl Shortest {
    /// Least width, as a share of a region of `duration_ns`, and least samples of a stretch.
    pub fn limits(self, duration_ns: f64) -> (f64, u32) {
        match self {
            Self::Percent(percent) => (percent / 100.0, LEAST_SAMPLES),
            Self::Ns(ns) => (ns as f64 / duration_ns.max(1.0), LEAST_SAMPLES),
            Self::Samples(samples) => (0.0, samples),
        }
    }
}

/// One sample says that a routine ran, and not for how long.
const LEAST_SAMPLES: u32 = 2;
