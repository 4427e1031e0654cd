//! A file that is read line by line, from its begin to its end.

use super::lines::{Lines, Stop};
use super::watch::Watch;
use crate::extract_file::ExtractReader;
use crate::perf_script::PerfReader;
use crate::text::{LineBuffer, ParseError};
use crate::trace::Builder;

/// Reads such a file into a trace.
pub trait LineReader {
    fn line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError>;
    /// The last line, which nothing closes.
    fn cut_line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError>;
    /// Labels what was met so far, for an early picture.
    fn label(&self, trace: &mut Builder);
}

impl LineReader for ExtractReader {
    fn line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        self.line(at, line, trace)
    }

    fn cut_line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        self.line(at, line, trace)
    }

    fn label(&self, trace: &mut Builder) {
        self.label(trace);
    }
}

impl LineReader for PerfReader {
    fn line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        self.line(at, line, trace)
    }

    fn cut_line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        self.cut_line(at, line, trace)
    }

    fn label(&self, trace: &mut Builder) {
        self.label(trace);
    }
}

/// Hands every line of a file to `reader`, as long as `watch` goes on.
pub fn each_line(
    file: Lines<'_>,
    reader: &mut dyn LineReader,
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
        lines.finish(|at, line| reader.cut_line(at, line, trace))?;
    }
    Ok(())
}
