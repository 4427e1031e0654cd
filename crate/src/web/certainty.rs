//! What crosses the border when somebody asks how sure a curve is, at a place of its own: so it is loaded
//! when somebody does.

use tsify::Ts;

use super::encode::{Failure, to_js};
use crate::folding::{Folding, Group};
use crate::report::{self, Certainty};

#[inline(never)]
pub fn certainty(
    folding: &Folding,
    group: &Group,
    counter: &str,
) -> Result<Option<Ts<Certainty>>, Failure> {
    report::certainty(folding, group, counter).map(|told| to_js(&told)).transpose()
}
