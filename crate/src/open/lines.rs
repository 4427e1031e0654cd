//! The lines of a file, and what is wrong with the file as a whole.

use std::io::Read;

use crate::input::{Damage, DamageKind, Member, Progress, SLICE_BYTES};
use crate::text::{LineBuffer, LineTooLong, MAX_LINE_BYTES, ParseError};
use crate::trace::Builder;

/// Labels that inflate to more than this are none.
const MAX_LABEL_BYTES: u64 = 64 << 20;

/// A file on its way to its reader; `name`: how messages call it.
pub struct Lines<'a> {
    pub file: &'a Member<'a>,
    pub name: &'a str,
    pub report: &'a mut dyn FnMut(Progress),
}

impl Lines<'_> {
    /// Hands every line to `take(number, line, is the unclosed last one, trace)`.
    pub fn each(
        &mut self,
        trace: &mut Builder,
        take: impl FnMut(u64, &[u8], bool, &mut Builder) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        self.up_to(u64::MAX, trace, take)
    }

    /// Hands every line of a file of labels to `take(line, trace)`.
    ///
    /// An error if they are far more than any trace has: they would fill the memory.
    pub fn each_label(
        &mut self,
        trace: &mut Builder,
        mut take: impl FnMut(&[u8], &mut Builder),
    ) -> Result<(), ParseError> {
        self.up_to(MAX_LABEL_BYTES, trace, |_, line, _, trace| {
            take(line, trace);
            Ok(())
        })
    }

    fn up_to(
        &mut self,
        most: u64,
        trace: &mut Builder,
        mut take: impl FnMut(u64, &[u8], bool, &mut Builder) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        let Self { file, name, report } = self;
        file.refused(name)?;
        let mut report = |done, total| report(Progress { file: (*name).to_owned(), done, total });
        let mut bytes = match file.read(&mut report) {
            Ok(bytes) => bytes,
            Err(error) => return ended(error, file, name, trace).map(|_| ()),
        };
        let mut lines = LineBuffer::default();
        let mut slice = vec![0; SLICE_BYTES];
        let mut read = 0;
        let whole = loop {
            let count = match bytes.read(&mut slice) {
                Ok(count) => count,
                Err(error) => break ended(error, file, name, trace)?,
            };
            let Some(chunk) = slice.get(..count).filter(|chunk| !chunk.is_empty()) else {
                break true;
            };
            read += count as u64;
            if read > most {
                let found = format!("more than {} MiB of labels", most >> 20);
                return Err(ParseError::of_file(name, &found, "the labels of one trace"));
            }
            let taken = lines
                .push(chunk, |at, line| take(at, line, false, trace).map_err(Stop::Unreadable));
            taken.map_err(|stop| stop.in_file(name))?;
            let (done, total) = bytes.progress();
            report(done, total);
        };
        if whole {
            lines.finish(|at, line| take(at, line, true, trace))?;
        }
        Ok(())
    }
}

/// Why the lines of a file are not read to their end.
enum Stop {
    Unreadable(ParseError),
    TooLong(LineTooLong),
}

impl From<LineTooLong> for Stop {
    fn from(long: LineTooLong) -> Self {
        Self::TooLong(long)
    }
}

impl Stop {
    fn in_file(self, name: &str) -> ParseError {
        match self {
            Self::Unreadable(error) => error,
            Self::TooLong(LineTooLong(line)) => {
                let found =
                    format!("a line of more than {} MiB (line {line})", MAX_LINE_BYTES >> 20);
                ParseError::of_file(name, &found, "lines of text, as tracers write them")
            }
        }
    }
}

/// What the end of damaged bytes means: whether their last line is whole.
///
/// An error if nothing of use came before the damage, or if it is none.
fn ended(
    error: std::io::Error,
    file: &Member<'_>,
    name: &str,
    trace: &mut Builder,
) -> Result<bool, ParseError> {
    let Some(damage) = Damage::in_error(&error) else { return Err(cannot_read(name, &error)) };
    let packing = damage.packing;
    if trace.moments() == 0 && trace.labels.is_empty() {
        let found = match damage.kind {
            DamageKind::CutShort => format!("a {packing} that stops before its first record"),
            DamageKind::Broken => format!("a {packing} that is damaged before its first record"),
            DamageKind::Trailing => damage.to_string(),
        };
        return Err(ParseError::of_file(name, &found, &format!("a whole {packing}")));
    }
    trace.notices.add(&damage.notice(), || file.path.clone());
    Ok(damage.kind == DamageKind::Trailing)
}

fn cannot_read(name: &str, error: &std::io::Error) -> ParseError {
    ParseError::of_file(name, &error.to_string(), "a file that can be read")
}
