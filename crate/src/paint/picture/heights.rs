//! Heights of the lanes of a figure: those of the page where it is as high as most screens, but that the
//! performance lane grows with its strips.

use super::figure::{Figure, FigureLane};
use crate::folding::Group;
use crate::paint::activity::has_activity;
use crate::paint::gauge::has_gauge;
use crate::paint::memory::has_address;

/// Heights in px. Beside one counter alone the source lane keeps its names only.
const ACTIVITY: f64 = 110.0;
const SOURCE: f64 = 132.0;
const ADDRESS: f64 = 210.0;
const GAUGE: f64 = 84.0;
const SOURCE_ALONE: f64 = 34.0;
const SAMPLES: f64 = 350.0;

/// Heights of the lanes in px; 0 of one that is not drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Heights {
    pub activity: f64,
    pub source: f64,
    pub address: f64,
    pub performance: f64,
    pub gauge: f64,
    pub samples: f64,
}

impl Heights {
    /// With one counter alone activity, addresses and gauges leave, and its samples are there. `performance`
    /// is what that lane needs.
    pub fn of(figure: &Figure, group: Option<&Group>, is_alone: bool, performance: f64) -> Heights {
        let high = |lane: FigureLane, is_there: bool, height: f64| {
            if is_there && figure.has(lane) { height } else { 0.0 }
        };
        let has = |of: fn(&Group) -> bool| !is_alone && group.is_some_and(of);
        let has_source = group.is_none_or(Group::has_source);
        let source = if is_alone { SOURCE_ALONE } else { SOURCE };
        Heights {
            activity: high(FigureLane::Activity, has(has_activity), ACTIVITY),
            source: high(FigureLane::Source, has_source, source),
            address: high(FigureLane::Address, has(has_address), ADDRESS),
            performance: high(FigureLane::Performance, true, performance),
            gauge: high(FigureLane::Gauge, has(has_gauge), GAUGE),
            samples: high(FigureLane::Samples, is_alone, SAMPLES),
        }
    }
}
