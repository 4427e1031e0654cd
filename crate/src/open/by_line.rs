//! What is read line by line, from its begin to its end: an extract, a fold record, or what TAU samples.

use super::lines::{Lines, Stop};
use super::opening::Opening;
use super::watch::Watch;
use crate::extract_file::ExtractReader;
use crate::fold_record::RecordReader;
use crate::text::{LineBuffer, ParseError};
use crate::trace::Builder;

impl Opening<'_> {
    #[inline(never)]
    pub(super) fn read_extract(&mut self, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        let mut reader = ExtractReader::new(&self.name);
        each_line(
            Lines { file: &self.main, name: &self.name },
            &mut reader,
            &mut self.trace,
            watch,
        )?;
        reader.finish(&mut self.trace)
    }

    #[inline(never)]
    pub(super) fn read_fold_record(&mut self, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        let mut reader = RecordReader::new(&self.name);
        let file = Lines { file: &self.main, name: &self.name };
        each_line(file, &mut reader, &mut self.trace, watch)?;
        reader.finish(&mut self.trace)
    }

    #[inline(never)]
    pub(super) fn read_ebs_trace(&mut self, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        let threads = self.threads.as_ref();
        threads.map_or(Ok(()), |threads| threads.read(&self.name, &mut self.trace, watch))
    }
}

/// A reader of lines.
pub trait LineReader {
    /// Reads the line with this number.
    fn line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError>;

    /// Names what was met so far.
    fn label(&self, trace: &mut Builder);
}

impl LineReader for ExtractReader {
    fn line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        self.line(at, line, trace)
    }

    fn label(&self, trace: &mut Builder) {
        self.label(trace);
    }
}

impl LineReader for RecordReader {
    fn line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        self.line(at, line, trace)
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
        lines.finish(|at, line| reader.line(at, line, trace))?;
    }
    Ok(())
}
