//! What crosses the border when a range is dragged, at a place of its own: so it is loaded when one is.

use tsify::Ts;

use super::encode::{Failure, to_js};
use crate::folding::{Group, References};
use crate::report::{self, RangeSummary};

#[inline(never)]
pub fn between(
    group: &Group,
    references: Option<&References>,
    ends: [f64; 2],
) -> Result<Ts<RangeSummary>, Failure> {
    to_js(&report::range(group, references, ends))
}
