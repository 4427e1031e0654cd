//! What crosses the border for a run. Each at a place of its own, so that it is loaded with what paints
//! runs.

use tsify::Ts;

use super::encode::{Failure, from_js, list, to_js};
use crate::glance::{Glance, Rates};
use crate::paint::{KeyMark, RunView};
use crate::report::{Brushed, RunSummary};

#[inline(never)]
pub fn view(value: Ts<RunView>) -> Result<RunView, Failure> {
    from_js(value.js_value())
}

#[inline(never)]
pub fn glance(value: Ts<Glance>) -> Result<Glance, Failure> {
    from_js(value.js_value())
}

#[inline(never)]
pub fn rates(value: Ts<Rates>) -> Result<Rates, Failure> {
    from_js(value.js_value())
}

#[inline(never)]
pub fn summary(value: &RunSummary) -> Result<Ts<RunSummary>, Failure> {
    to_js(value)
}

#[inline(never)]
pub fn brushed(value: &Brushed) -> Result<Ts<Brushed>, Failure> {
    to_js(value)
}

#[inline(never)]
pub fn key(value: &[KeyMark]) -> Result<Vec<Ts<KeyMark>>, Failure> {
    list(value)
}
