//! A run that was looked at, for the page; all of it is in the part of the engine that is loaded when
//! somebody looks.

use js_sys::Uint8Array;
use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::encode::{Failure, from_js, to_js};
use crate::glance::{Glance, Window};
use crate::instance::{CatalogueRow, Repeating};
use crate::run::{self, Seen, Timeline};
use crate::trace::Trace;

/// What is kept of a run that was looked at.
pub struct Looked(Timeline);

/// What is found in a run as `by` says.
#[inline(never)]
pub fn seen(trace: &Trace, by: &Repeating) -> Seen {
    Seen::of(trace, by)
}

impl Looked {
    /// Looks at a run in which `seen` was found, and of which `rows` can be folded.
    #[inline(never)]
    pub fn at(
        trace: &Trace,
        seen: &Seen,
        rows: &[CatalogueRow],
    ) -> Result<(Self, Ts<Glance>), Failure> {
        let glance = to_js(&run::glance(trace, seen, rows))?;
        Ok((Self(Timeline::of(trace, seen)), glance))
    }

    /// The time line, as [`Raster::to_bytes`](crate::glance::Raster::to_bytes) gives it.
    #[inline(never)]
    pub fn raster(&mut self, window: Ts<Window>) -> Result<Uint8Array, JsValue> {
        let raster = self.0.raster(&from_js(window.js_value())?);
        Ok(Uint8Array::from(raster.to_bytes().as_slice()))
    }
}
