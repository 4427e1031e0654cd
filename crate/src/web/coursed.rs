//! Instances over the run, for the page; all of it is in the part of the engine that is loaded when
//! somebody looks at them.

use tsify::Ts;

use super::encode::{Failure, to_js};
use crate::folding::{Asked, Course};
use crate::pipeline::{self, Kept};
use crate::settings::Settings;
use crate::trace::Trace;

#[inline(never)]
pub fn course(
    kept: &mut Kept,
    trace: &Trace,
    settings: &Settings,
    group: u32,
    asked: &str,
) -> Result<Option<Ts<Course>>, Failure> {
    let Ok(asked) = asked.parse::<Asked>() else { return Ok(None) };
    let course = pipeline::course(kept, trace, settings, group, &asked);
    course.map(|course| to_js(&course)).transpose()
}
