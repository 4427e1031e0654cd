//! The profile of the open trace, for the module that shows profiles; all of it is in the part of the
//! engine that is loaded when somebody looks.

use js_sys::Uint8Array;
use serde::Deserialize;
use tsify::{Ts, Tsify};

use super::encode::{Failure, from_js};
use crate::hybrid::{self, Choices, Unwind};
use crate::profile::Weights;
use crate::trace::Trace;

/// How a profile is made of a trace.
#[derive(Default, Deserialize, Tsify)]
#[serde(default, rename_all = "camelCase")]
pub struct HowProfiled {
    /// Samples stand for the time since the one before, wherever that was: as TAU has it.
    whole_weights: bool,
    /// What is told of calls between a context and a sample.
    unwind: UnwindAs,
    /// Whether calls are told by the place they come from, too.
    call_sites: bool,
}

#[derive(Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum UnwindAs {
    #[default]
    Sites,
    Routines,
    None,
}

/// The profile as bytes, see [`crate::profile::Profile::to_bytes`].
#[inline(never)]
pub fn profile(trace: &Trace, how: Ts<HowProfiled>) -> Result<Uint8Array, Failure> {
    let how: HowProfiled = from_js(how.js_value())?;
    let unwind = match how.unwind {
        UnwindAs::Sites => Unwind::Sites,
        UnwindAs::Routines => Unwind::Routines,
        UnwindAs::None => Unwind::Flat,
    };
    let weights = if how.whole_weights { Weights::Whole } else { Weights::Clipped };
    let choices = Choices { weights, unwind, call_sites: how.call_sites, ..Choices::default() };
    let profile = hybrid::profile(trace, choices);
    Ok(Uint8Array::from(profile.to_bytes().as_slice()))
}
