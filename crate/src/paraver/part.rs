//! A `.prv` in parts, each read apart and joined in the order of the file.

use super::prv::{PrvReader, SOUND_RECORDS};
use crate::text::{ParseError, Words, WordsRead};
use crate::trace::Builder;

impl PrvReader {
    /// Whether the header was read, so that parts can be.
    pub fn has_header(&self) -> bool {
        self.header.is_some()
    }

    /// A reader for a later part of the file; `None` before the header was read.
    pub fn part(&self) -> Option<Self> {
        let header = Some(self.header.clone()?);
        Some(Self { header, is_later_part: true, ..Self::new(&self.file) })
    }

    /// Writes what is known of a part, for [`PrvReader::read_part`] of its file's reader.
    pub fn write(&self, words: &mut Words) {
        for number in [self.lines, self.records, self.bad] {
            words.number(number);
        }
        words.number(u64::from(self.has_open_end));
        words.number(u64::from(self.is_folded));
        words.number(u64::from(self.first_bad.is_some()));
        if let Some((record, error)) = &self.first_bad {
            words.number(*record);
            error.write(words);
        }
    }

    /// `None` if that is not what was written.
    pub fn read_part(&self, words: &mut WordsRead<'_>) -> Option<Self> {
        let mut part = self.part()?;
        part.lines = words.number()?;
        part.records = words.number()?;
        part.bad = words.number()?;
        part.has_open_end = words.number()? != 0;
        part.is_folded = words.number()? != 0;
        if words.number()? != 0 {
            part.first_bad = Some((words.number()?, ParseError::read(words)?));
        }
        Some(part)
    }

    /// Adds the next part, and what was read of it.
    ///
    /// An error if a record could not be read that turns out to be among the first hundred.
    pub fn join(
        &mut self,
        part: Self,
        trace: &mut Builder,
        of_part: Builder,
    ) -> Result<(), ParseError> {
        trace.append(of_part, self.lines);
        if let Some((record, mut error)) = part.first_bad {
            error.line = error.line.saturating_add(self.lines);
            let record = self.records.saturating_add(record);
            if record <= SOUND_RECORDS && !self.is_later_part {
                return Err(error);
            }
            self.first_bad.get_or_insert((record, error));
        }
        // What a file of a part says may be anything.
        self.lines = self.lines.saturating_add(part.lines);
        self.records = self.records.saturating_add(part.records);
        self.bad = self.bad.saturating_add(part.bad);
        self.has_open_end |= part.has_open_end;
        self.is_folded |= part.is_folded;
        Ok(())
    }
}
