//! A run that was looked at, for the page; all of it is in the part of the engine that is loaded when
//! somebody looks.

use js_sys::Uint8Array;
use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::encode::{Failure, from_js, to_js};
use crate::glance::{Colour, Glance, Raster, Rates, Window};
use crate::instance::{CatalogueRow, Repeating};
use crate::run::{self, Seen, Timeline};
use crate::settings::Settings;
use crate::trace::{EventType, Trace};

/// What is kept of a run that was looked at.
pub struct Looked {
    timeline: Timeline,
    /// By what threads do, once somebody has asked for it.
    by_activity: Option<Timeline>,
    by: Repeating,
}

/// What is found in a run as `by` says.
#[inline(never)]
pub fn seen(trace: &Trace, by: &Repeating) -> Seen {
    Seen::of(trace, by)
}

impl Looked {
    /// Looks at a run in which `seen` was found as `by` says, and of which `rows` can be folded.
    #[inline(never)]
    pub fn at(
        trace: &Trace,
        seen: &Seen,
        by: Repeating,
        rows: &[CatalogueRow],
    ) -> Result<(Self, Ts<Glance>), Failure> {
        let glance = to_js(&run::glance(trace, seen, rows))?;
        Ok((Self { timeline: Timeline::of(trace, seen), by_activity: None, by }, glance))
    }

    /// The time line, as [`Raster::to_bytes`](crate::glance::Raster::to_bytes) gives it.
    #[inline(never)]
    pub fn raster(&mut self, trace: &Trace, window: Ts<Window>) -> Result<Uint8Array, JsValue> {
        let window: Window = from_js(window.js_value())?;
        let raster = match window.by {
            Colour::Activity => {
                let of_activity =
                    || Timeline::of_activity(trace, &seen(trace, &self.by), self.by.bursts);
                let shown = self.by_activity.get_or_insert_with(of_activity).raster(&window);
                // There waiting is something that is done.
                Raster { waiting: self.timeline.raster_again(&window).waiting, ..shown }
            }
            _ => self.timeline.raster(&window),
        };
        Ok(Uint8Array::from(raster.to_bytes().as_slice()))
    }

    /// What a counter counts between its readings; `None` if none has that name.
    #[inline(never)]
    pub fn rates(
        &self,
        trace: &Trace,
        settings: &Settings,
        counter: &str,
        window: Ts<Window>,
    ) -> Result<Option<Ts<Rates>>, JsValue> {
        let window = from_js(window.js_value())?;
        let joules = |of: &EventType| settings.energy.of(&of.name, &of.description)?.joules;
        let rates = Rates::of(trace, &self.timeline, counter, &window, joules);
        Ok(rates.map(|rates| to_js(&rates)).transpose()?)
    }
}
