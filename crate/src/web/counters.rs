//! What crosses the border when counters are chosen, at a place of its own: so it is loaded when
//! somebody does.

use tsify::Ts;

use super::encode::{Failure, to_js};
use crate::folding::Group;
use crate::report::{self, CounterChoices};

#[inline(never)]
pub fn choices(group: &Group) -> Result<Ts<CounterChoices>, Failure> {
    to_js(&report::counter_choices(group))
}
