//! Where the moments of a `.prv` begin: lines of one time. What they say of a thread belongs together,
//! such as a call and its callers, which some tracers write in two lines.

use std::io;
use std::ops::Range;

use super::blocks;
use super::lines::Lines;
use super::opening::Opening;
use crate::input::Source;
use crate::text::{MAX_LINE_BYTES, ParseError};

/// More than a line of a trace has, most often.
const LOOK_BACK_BYTES: u64 = 16 << 10;

impl Opening<'_> {
    /// The bytes of a `.prv` with the moments that begin in a block.
    pub(super) fn moments_of_block(&self, index: u64) -> Result<Range<u64>, ParseError> {
        let block = blocks::range(index);
        Ok(self.begin_of_moment(block.start)?..self.begin_of_moment(block.end)?)
    }

    /// Where the first moment from a byte of the file on begins.
    pub(super) fn begin_of_moment(&self, at: u64) -> Result<u64, ParseError> {
        let file = Lines { file: &self.main, name: &self.name };
        let begin = self.source.as_deref().map_or(Ok(at), |source| begin_of_moment(source, at));
        begin.map_err(|error| file.cannot_read(&error))
    }
}

/// Where the first line from a byte on begins that is of another time than the line before; the end of the
/// source if none does.
fn begin_of_moment(source: &dyn Source, at: u64) -> io::Result<u64> {
    if at == 0 || at >= source.size() {
        return Ok(at.min(source.size()));
    }
    let from = at.saturating_sub(LOOK_BACK_BYTES);
    let mut bytes = vec![];
    loop {
        // Twice as far each time.
        let done = bytes.len();
        bytes.resize((2 * done).max(2 * LOOK_BACK_BYTES as usize), 0);
        let free = bytes.get_mut(done..).unwrap_or_default();
        let count = source.read_at(from + done as u64, free)?;
        bytes.truncate(done + count);
        if let Some(begin) = begin_within(&bytes, (at - from) as usize) {
            return Ok(from + begin as u64);
        }
        if count == 0 {
            return Ok(source.size());
        }
        // No line is as long; who reads it says so.
        if bytes.len() > 2 * MAX_LINE_BYTES {
            return Ok(at);
        }
    }
}

/// The same in these bytes, which begin before `at`; `None` if it lies behind them.
fn begin_within(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes.get(..at.checked_sub(1)?)?;
    let begin_before = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let line_end = |from: usize| Some(from + memchr::memchr(b'\n', bytes.get(from..)?)? + 1);
    let mut begin = line_end(before.len())?;
    let time = time_of(bytes.get(begin_before..begin)?);
    loop {
        let end = line_end(begin)?;
        if time.is_none() || time_of(bytes.get(begin..end)?) != time {
            return Some(begin);
        }
        begin = end;
    }
}

/// The time, as it is written, of a state, an event or a message; `None` of other lines.
fn time_of(line: &[u8]) -> Option<&[u8]> {
    let is_record = matches!(line, [b'1'..=b'3', b':', ..]);
    is_record.then(|| line.split(|byte| *byte == b':').nth(5)).flatten()
}
