//! What the open trace is as a whole, for a comparison: loaded with what makes profiles.

use super::encode::Failure;
use crate::compare::WholeRun;
use crate::pipeline::{regions_spent, whole_run};
use crate::trace::Trace;

/// A [`WholeRun`] as JSON; an error if a part of a trace was read, that no run is whole of.
#[inline(never)]
pub fn told(trace: &Trace) -> Result<Vec<u8>, Failure> {
    if trace.reduced.is_some() {
        let message = "a part of a fold has the samples of one region alone: open the trace";
        return Err(Failure::new("nothing", &message));
    }
    let run = WholeRun { regions: regions_spent(trace), ..whole_run(trace) };
    serde_json::to_vec(&run).map_err(Failure::bug)
}
