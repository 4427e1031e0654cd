//! Files to one [`Trace`]: which file is what, which reader it goes to, and what is missing.
//!
//! The command line and the page both open traces through [`candidates`] and [`Candidates::open`];
//! [`open`] is both, where there is one trace.

mod candidates;
mod lines;

pub use crate::input::Progress;
pub use candidates::{Candidate, Candidates, candidates};

use crate::extract_file::{self, ExtractReader};
use crate::input::{FileKind, Member, NamedFile};
use crate::paraver::{self, PcfReader, PrvReader, RowReader};
use crate::text::ParseError;
use crate::trace::{Builder, Labels, Meaning, Trace};
use lines::Lines;

/// Reads the files of one trace, in any order, and reports progress about once a megabyte.
///
/// An error if there is no trace among them or more than one, or if it cannot be read.
pub fn open(
    files: Vec<NamedFile<'_>>,
    report: &mut dyn FnMut(Progress),
) -> Result<Trace, ParseError> {
    candidates(files, report)?.open(None, report)
}

impl Candidates<'_> {
    /// Reads the trace that `which` names; without `which`, the only one.
    ///
    /// An error if there is no such trace, or several and none is named, or if it cannot be read.
    pub fn open(
        &self,
        which: Option<&str>,
        report: &mut dyn FnMut(Progress),
    ) -> Result<Trace, ParseError> {
        let chosen = self.find(which)?;
        let mut trace = Builder::new(&chosen.name);
        self.note_what_is_left_out(chosen, &mut trace);
        // Labels first: they are short, and a trace that cannot be read says so no later.
        let member = |at: usize| self.files.members.get(at);
        if let Some(file) = chosen.labels.and_then(member) {
            let mut reader = PcfReader::default();
            let mut lines = Lines { file, name: file.name(), report };
            lines.each_label(&mut trace, |line, trace| reader.line(line, trace))?;
            reader.finish(&mut trace);
        }
        if let Some(file) = chosen.rows.and_then(member) {
            let mut lines = Lines { file, name: file.name(), report };
            lines.each_label(&mut trace, |line, trace| RowReader.line(line, trace))?;
        }
        let meaning = match member(chosen.main) {
            Some(main) => read_main(main, &chosen.name, &mut trace, report)?,
            None => paraver::meaning,
        };
        if chosen.missing.contains(&".pcf") {
            let text =
                "No .pcf among the files: types and values without a name are shown by number.";
            trace.notices.add(text, String::new);
        }
        Ok(trace.finish(meaning))
    }

    fn note_what_is_left_out(&self, chosen: &Candidate, trace: &mut Builder) {
        for (text, path) in &self.files.remarks {
            trace.notices.add(text, || path.clone());
        }
        let known = self.files.members.iter().enumerate();
        let known = known.filter(|(at, _)| !candidates::belongs(chosen, *at));
        let known = known.map(|(_, file)| (1, &file.path));
        for (count, path) in known.chain([(self.files.others, &self.files.first_other)]) {
            if count > 0 {
                let text = "A file that does not belong to the trace; it was left out.";
                trace.notices.add_many(text, count, || path.clone());
            }
        }
    }
}

/// The main file goes to its reader. Returns what its events mean.
fn read_main(
    file: &Member<'_>,
    name: &str,
    trace: &mut Builder,
    report: &mut dyn FnMut(Progress),
) -> Result<fn(u32, &Labels) -> Meaning, ParseError> {
    trace.size_bytes = file.size;
    let mut lines = Lines { file, name, report };
    match file.kind {
        FileKind::Extract => {
            let mut reader = ExtractReader::new(name);
            lines.each(trace, |at, line, _, trace| reader.line(at, line, trace))?;
            reader.finish(trace)?;
            Ok(extract_file::meaning)
        }
        // Where `file.at_any_place()` is something, blocks of a .prv can be read side by side.
        _ => {
            let mut reader = PrvReader::new(name);
            lines.each(trace, |at, line, last, trace| match last {
                false => reader.line(at, line, trace),
                true => reader.cut_line(at, line, trace),
            })?;
            reader.finish(trace)?;
            Ok(paraver::meaning)
        }
    }
}
