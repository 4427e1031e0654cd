//! Timelines saved as text that lie beside a trace.

use super::lines::{self, Stop};
use super::watch::Watch;
use crate::input::{Member, Progress};
use crate::semantic::{self, SemanticReader, Timeline};
use crate::text::{LineBuffer, ParseError};
use crate::trace::Trace;

/// Adds the rows of timelines to a trace as regions, one text after the other. Where one cannot be
/// read a notice says so.
#[inline(never)]
pub(super) fn add_all(
    trace: &mut Trace,
    timelines: &[(String, Member<'_>)],
    watch: &mut Watch<'_>,
) {
    for (name, file) in timelines {
        match read(name, file, semantic::words_for_nothing(trace), watch) {
            Ok(timeline) => semantic::add_regions(trace, timeline),
            Err(error) => {
                let text =
                    format!("A text of regions that cannot be read; it was left out: {error}.");
                trace.notices.damage(&text, || name.clone());
            }
        }
    }
}

fn read(
    name: &str,
    file: &Member<'_>,
    nothing: Vec<String>,
    watch: &mut Watch<'_>,
) -> Result<Timeline, ParseError> {
    file.refused(name)?;
    let mut reader = SemanticReader::new(name, nothing);
    let mut lines = LineBuffer::default();
    let mut wrong = None;
    let read = lines::inflated(file, &mut |(slice, done, total)| {
        (watch.report)(Progress { file: name.to_owned(), done, total });
        let taken = lines.push(slice, |at, line| reader.line(at, line).map_err(Stop::Unreadable));
        wrong = taken.err();
        wrong.is_none()
    });
    if let Some(stop) = wrong {
        return Err(stop.in_file(name, 0));
    }
    read.map_err(|error| ParseError::of_file(name, &error.to_string(), "a file that can be read"))?;
    lines.finish(|at, line| reader.line(at, line))?;
    reader.finish()
}
