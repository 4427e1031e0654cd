//! How the run that is open uses its threads, for a table of several: loaded with what looks at runs.

use crate::run::run_use;
use crate::trace::Trace;

/// A [`RunUse`](crate::glance::RunUse) in bytes.
#[inline(never)]
pub fn told(trace: &Trace) -> Vec<u8> {
    run_use(trace).to_bytes()
}
