use std::fmt;

use super::words::{Words, WordsRead};

/// A place in a text that cannot be read: what was found there and what was expected.
///
/// `{}` is one line, `file:line:column: found …, expected …`; `{:#}` adds the line with a caret.
/// Control characters of the text are shown escaped, so a hostile file cannot write to a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub file: String,
    /// From 1; 0 if the file as a whole is meant.
    pub line: u64,
    /// In bytes, from 1; 0 if the line as a whole is meant.
    pub column: usize,
    pub found: String,
    pub expected: String,
    /// The line, cut round the column to [`ParseError::EXCERPT_BYTES`].
    excerpt: String,
    /// Where in `excerpt` the caret stands, in characters.
    caret: usize,
}

impl ParseError {
    /// How much of a line is kept for the long form.
    pub const EXCERPT_BYTES: usize = 80;

    /// An error at `column` of the line `text`.
    pub fn at(file: &str, line: u64, column: usize, text: &[u8], expected: &str) -> Self {
        let after = text.get(column.saturating_sub(1)..).unwrap_or_default();
        let field = after.split(|&byte| matches!(byte, b':' | b' ' | b'\t')).next();
        let found = match field {
            Some(field) if !field.is_empty() => quoted(field.get(..40).unwrap_or(field)),
            _ if after.is_empty() => "the end of the line".to_owned(),
            _ => "an empty field".to_owned(),
        };
        let first = column.saturating_sub(1 + Self::EXCERPT_BYTES / 2).min(text.len());
        let last = (first + Self::EXCERPT_BYTES).min(text.len());
        let caret_at = column.saturating_sub(1).clamp(first, last);
        let before = escaped(text.get(first..caret_at).unwrap_or_default());
        let rest = escaped(text.get(caret_at..last).unwrap_or_default());
        let caret = before.chars().count();
        let excerpt = before + &rest;
        let file = printable(file);
        Self { file, line, column, found, expected: expected.to_owned(), excerpt, caret }
    }

    /// An error that concerns the file as a whole.
    pub fn of_file(file: &str, found: &str, expected: &str) -> Self {
        Self {
            file: printable(file),
            line: 0,
            column: 0,
            found: found.to_owned(),
            expected: expected.to_owned(),
            excerpt: String::new(),
            caret: 0,
        }
    }
}

impl ParseError {
    pub fn write(&self, words: &mut Words) {
        for text in [&self.file, &self.found, &self.expected, &self.excerpt] {
            words.text(text);
        }
        for number in [self.line, self.column as u64, self.caret as u64] {
            words.number(number);
        }
    }

    /// `None` if that is not what was written.
    pub fn read(words: &mut WordsRead<'_>) -> Option<Self> {
        let [file, found, expected] = [words.text()?, words.text()?, words.text()?];
        let excerpt = words.text()?;
        let line = words.number()?;
        let [column, caret] = [words.number()? as usize, words.number()? as usize];
        Some(Self { file, line, column, found, expected, excerpt, caret })
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.file)?;
        if self.line > 0 {
            write!(out, ":{}", self.line)?;
        }
        if self.column > 0 {
            write!(out, ":{}", self.column)?;
        }
        write!(out, ": found {}, expected {}", self.found, self.expected)?;
        if out.alternate() && self.column > 0 {
            write!(out, "\n  {}\n  {:>width$}", self.excerpt, "^", width = self.caret + 1)?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseError {}

fn quoted(bytes: &[u8]) -> String {
    format!("\u{201c}{}\u{201d}", escaped(bytes))
}

/// Text with everything that could steer a terminal shown as an escape.
fn escaped(bytes: &[u8]) -> String {
    printable(&String::from_utf8_lossy(bytes))
}

/// `text` with control characters as escapes.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_form_points_at_the_column() {
        let error = ParseError::at("a.prv", 17, 5, b"2:1:x1:1", "a number");
        assert_eq!(error.to_string(), "a.prv:17:5: found \u{201c}x1\u{201d}, expected a number");
        let long = "a.prv:17:5: found \u{201c}x1\u{201d}, expected a number\n  2:1:x1:1\n      ^";
        assert_eq!(format!("{error:#}"), long);
    }

    #[test]
    fn control_characters_are_shown_not_obeyed() {
        let error = ParseError::at("\u{1b}[2J.prv", 1, 1, b"\x1b[31mred", "a number");
        assert!(!format!("{error:#}").contains('\u{1b}'));
    }

    #[test]
    fn a_long_line_is_cut_round_the_column() {
        let line = [b'1'; 100_000];
        let error = format!("{:#}", ParseError::at("a.prv", 1, 50_000, &line, "a number"));
        assert!(error.len() < 400, "{error}");
    }
}
