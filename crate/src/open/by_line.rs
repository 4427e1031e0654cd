//! An extract, which is read line by line, from its begin to its end.

use super::lines::{Lines, Stop};
use super::watch::Watch;
use crate::extract_file::ExtractReader;
use crate::text::{LineBuffer, ParseError};
use crate::trace::Builder;

/// Hands every line of a file to `reader`, as long as `watch` goes on.
pub fn each_line(
    file: Lines<'_>,
    reader: &mut ExtractReader,
    trace: &mut Builder,
    watch: &mut Watch<'_>,
) -> Result<(), ParseError> {
    let mut lines = LineBuffer::default();
    let mut goes_on = true;
    let whole = file.slices(trace, |(slice, done, total), trace| {
        let take = |at, line: &[u8]| reader.line(at, line, trace).map_err(Stop::Unreadable);
        lines.push(slice, take).map_err(|stop| stop.in_file(file.name, 0))?;
        if watch.is_early(done, total, trace) {
            reader.label(trace);
        }
        goes_on = watch.went_on(file.name, done, total, trace);
        Ok(goes_on)
    })?;
    if whole && goes_on {
        lines.finish(|at, line| reader.line(at, line, trace))?;
    }
    Ok(())
}
