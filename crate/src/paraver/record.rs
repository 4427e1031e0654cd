//! The fields of one record, whatever they hold.

use crate::text::{Fields, ParseError, number};

/// The fields of one record after its kind.
pub struct Record<'line> {
    file: &'line str,
    at: u64,
    line: &'line [u8],
    fields: Fields<'line>,
    /// Whether a number did not fit.
    pub saturated: bool,
}

pub enum Pair {
    Event { code: u32, value: u64, saturated: bool },
    Half,
    Unreadable,
    End,
}

impl<'line> Record<'line> {
    pub fn new(file: &'line str, at: u64, line: &'line [u8]) -> Self {
        let mut fields = Fields::colons(line);
        fields.next_field();
        Self { file, at, line, fields, saturated: false }
    }

    #[inline]
    pub fn number(&mut self, expected: &str) -> Result<u64, ParseError> {
        let column = self.fields.column();
        let read = self.fields.next_field().and_then(|(_, field)| number(field));
        let (value, saturated) = read.ok_or_else(|| self.wrong(column, expected))?;
        self.saturated |= saturated;
        Ok(value)
    }

    pub fn signed(&mut self, expected: &str) -> Result<i64, ParseError> {
        let column = self.fields.column();
        let read = self.fields.next_field().and_then(|(_, field)| bits(field));
        read.map(|(value, _)| value as i64).ok_or_else(|| self.wrong(column, expected))
    }

    #[inline]
    pub fn pair(&mut self) -> Pair {
        let Some((_, code)) = self.fields.next_field() else { return Pair::End };
        let Some((_, value)) = self.fields.next_field() else {
            // A colon at the end of the line leaves an empty field, and nothing is missing.
            return if code.is_empty() { Pair::End } else { Pair::Half };
        };
        let code = number(code).and_then(|(code, _)| u32::try_from(code).ok());
        match (code, bits(value)) {
            (Some(code), Some((value, saturated))) => Pair::Event { code, value, saturated },
            _ => Pair::Unreadable,
        }
    }

    fn wrong(&self, column: usize, expected: &str) -> ParseError {
        ParseError::at(self.file, self.at, column, self.line, expected)
    }
}

/// A number of up to 64 bits; one with a sign in two's complement.
#[inline]
fn bits(field: &[u8]) -> Option<(u64, bool)> {
    match field.strip_prefix(b"-") {
        None => number(field),
        Some(digits) => {
            let (size, saturated) = number(digits)?;
            Some((size.wrapping_neg(), saturated))
        }
    }
}
