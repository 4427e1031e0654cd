//! What crosses the border for a comparison. Each at a place of its own, so that it is loaded with what
//! compares.

use serde::Deserialize;
use tsify::{Ts, Tsify};

use super::encode::{Failure, from_js, to_js};
use crate::compare::{Along, Between, Wanted};
use crate::paint::ComparedView;
use crate::report::ComparedSummary;

/// What is asked of a comparison.
#[derive(Clone, Debug, Default, Deserialize, Tsify)]
#[serde(default, rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct ComparedAsked {
    /// `phase`, `share` or `time`; what else it is, as suits the two.
    along: String,
    /// The least change of a time that matters, as a share.
    least: f64,
    /// By how much runs of one program differ, as a share; 0: these runs alone.
    between: f64,
    equal_clock: bool,
    /// Phases that are the same, between commas: `2-2.3`; of the first run of each side.
    pub(super) pairs: String,
}

impl ComparedAsked {
    #[inline(never)]
    pub fn along(&self) -> Option<Along> {
        self.along.parse().ok()
    }

    /// Ratios of counters differ by twice as much as times.
    #[inline(never)]
    pub fn wanted(&self) -> Wanted {
        let sound = |share: f64| if (0.0..1.0).contains(&share) { share } else { 0.01 };
        let between = match sound(self.between) {
            0.0 => Between::NONE,
            share => Between { clock: share, phase: share, ratio: 2.0 * share },
        };
        let (least, equal_clock) = (sound(self.least), self.equal_clock);
        Wanted { least, between, equal_clock, ..Wanted::default() }
    }
}

#[inline(never)]
pub fn asked(value: Ts<ComparedAsked>) -> Result<ComparedAsked, Failure> {
    from_js(value.js_value())
}

#[inline(never)]
pub fn view(value: Ts<ComparedView>) -> Result<ComparedView, Failure> {
    from_js(value.js_value())
}

#[inline(never)]
pub fn summary(value: &ComparedSummary) -> Result<Ts<ComparedSummary>, Failure> {
    to_js(value)
}
