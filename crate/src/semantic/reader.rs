//! The rows of a text.

use std::collections::BTreeMap;

use super::row::{Owner, Row, Written};
use crate::text::ParseError;
use crate::trace::{Notices, Place};

/// With so many rows that cannot be read before the first that can, a text is of another kind.
const MOST_WRONG: u64 = 10;

/// What a text says, before it meets a trace.
#[derive(Debug, Default)]
pub struct Timeline {
    pub(super) file: String,
    pub(super) rows: Vec<Held>,
    /// The values in the order in which they first came, each once.
    pub(super) values: Vec<String>,
    pub(super) notices: Notices,
}

/// A row with a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub owner: Owner,
    pub begin: Written,
    pub duration: Written,
    /// Index into the values.
    pub value: u32,
    pub line: u64,
}

/// Reads a timeline saved as text, line by line.
pub struct SemanticReader {
    timeline: Timeline,
    /// Values that say that there is nothing, beside `End` and 0.
    nothing: Vec<String>,
    numbers: BTreeMap<String, u32>,
    read: u64,
    wrong: u64,
    first_wrong: Option<ParseError>,
}

impl SemanticReader {
    /// `nothing`: values that say that there is nothing, beside `End` and 0; see
    /// [`super::words_for_nothing`].
    pub fn new(file: &str, nothing: Vec<String>) -> Self {
        Self {
            timeline: Timeline { file: file.to_owned(), ..Timeline::default() },
            nothing,
            numbers: BTreeMap::new(),
            read: 0,
            wrong: 0,
            first_wrong: None,
        }
    }

    /// Reads one line; empty ones and those that begin with `#` say nothing.
    ///
    /// An error, of the first line that is no row, after ten of them without a row before.
    pub fn line(&mut self, at: u64, line: &[u8]) -> Result<(), ParseError> {
        if line.trim_ascii().is_empty() || line.starts_with(b"#") {
            return Ok(());
        }
        match Row::read(line) {
            Ok(row) => self.row(at, &row),
            Err((column, expected)) => {
                self.wrong += 1;
                let file = &self.timeline.file;
                let error = || ParseError::at(file, at, column, line, expected);
                let first = self.first_wrong.get_or_insert_with(error);
                if self.read == 0 && self.wrong >= MOST_WRONG {
                    return Err(first.clone());
                }
            }
        }
        Ok(())
    }

    /// All rows. An error if there is none, of the first line that is none.
    pub fn finish(mut self) -> Result<Timeline, ParseError> {
        const EXPECTED: &str = "rows of thread, begin, duration and value, as Paraver saves a \
                                timeline as text";
        match self.first_wrong {
            Some(error) if self.read == 0 => return Err(error),
            None if self.read == 0 => {
                return Err(ParseError::of_file(&self.timeline.file, "no row", EXPECTED));
            }
            Some(ParseError { line, column, found, expected, file, .. }) => {
                let text = format!(
                    "Rows of a text of regions that cannot be read; they were left out: found \
                     {found} in column {column}, expected {expected}."
                );
                let place = || Place { of: file.clone(), line };
                self.timeline.notices.damage_many(&text, self.wrong, place);
            }
            None => {}
        }
        Ok(self.timeline)
    }

    fn row(&mut self, line: u64, row: &Row<'_>) {
        self.read += 1;
        let name = match Written::read(row.value) {
            Some(number) => match number.whole() {
                Some(0) => return,
                // 3.00 is 3, with whatever digits it was saved.
                Some(whole) => whole.to_string(),
                None => String::from_utf8_lossy(row.value).into_owned(),
            },
            None => String::from_utf8_lossy(row.value).into_owned(),
        };
        let is_nothing = name.is_empty() || name == "End" || self.nothing.contains(&name);
        if is_nothing || row.duration.digits == 0 {
            return;
        }
        let next = self.numbers.len() as u32;
        let value = *self.numbers.entry(name.clone()).or_insert(next);
        if value == next {
            self.timeline.values.push(name);
        }
        let Row { owner, begin, duration, .. } = *row;
        self.timeline.rows.push(Held { owner, begin, duration, value, line });
    }
}
