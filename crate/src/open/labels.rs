//! The labels that lie beside a trace.

use super::lines::Lines;
use super::{Candidate, Candidates};
use crate::input::Progress;
use crate::paraver::{PcfReader, RowReader};
use crate::text::ParseError;
use crate::trace::Builder;

impl Candidates<'_> {
    /// Reads those of `chosen`. An error if they cannot be read.
    pub(super) fn read_labels(
        &self,
        chosen: &Candidate,
        trace: &mut Builder,
        report: &mut dyn FnMut(Progress),
    ) -> Result<(), ParseError> {
        let member = |at: usize| self.files.members.get(at);
        // Labels first: they are short, they decide what is kept, and a trace that cannot be read
        // says so no later.
        if let Some(file) = chosen.labels.and_then(member) {
            report(Progress { file: file.name().to_owned(), done: 0, total: file.size });
            let mut reader = PcfReader::default();
            let lines = Lines { file, name: file.name() };
            lines.each_label(trace, |line, trace| reader.line(line, trace))?;
            reader.finish(trace);
        }
        if let Some(file) = chosen.rows.and_then(member) {
            let lines = Lines { file, name: file.name() };
            lines.each_label(trace, |line, trace| RowReader.line(line, trace))?;
        }
        if chosen.missing.contains(&".pcf") {
            let text =
                "No .pcf among the files: types and values without a name are shown by number.";
            trace.notices.add(text, String::new);
        }
        Ok(())
    }
}
