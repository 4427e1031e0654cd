//! A file in blocks of whole lines, which can be read in any order and by several threads.

use std::io::Error;
use std::ops::Range;

use super::lines::Stop;
use crate::input::Source;
use crate::text::{ParseError, WholeLines};

/// What one thread reads before another may go on. Where blocks begin depends on the file alone,
/// never on who reads them.
pub const BLOCK_BYTES: u64 = 4 << 20;

/// How much is read at a time: little enough to be in a near cache still when its lines are read. To
/// ask a browser for a slice costs more than that gains, so there it is the block.
const SLICE_BYTES: u64 = if cfg!(target_arch = "wasm32") { BLOCK_BYTES } else { 256 << 10 };

/// How much is read at a time in search of a line's end.
const STEP_BYTES: u64 = 64 << 10;

/// How many blocks a file of this size has.
pub fn count(size_bytes: u64) -> u64 {
    size_bytes.div_ceil(BLOCK_BYTES)
}

/// The bytes in which the lines of a block begin.
pub fn range(index: u64) -> Range<u64> {
    index * BLOCK_BYTES..(index + 1) * BLOCK_BYTES
}

/// Hands the lines that begin in these bytes to `take`, some at a time; only the last of the file may
/// lack its `\n`.
///
/// Stops at the first error of `source`, which `wrong` puts in words, or of `take`, and at a line that
/// is too long, once `take` has those before it.
///
/// `slice`: memory that is used again, whatever is in it.
pub fn each_run(
    range: Range<u64>,
    source: &dyn Source,
    slice: &mut Vec<u8>,
    wrong: &dyn Fn(&Error) -> ParseError,
    take: &mut dyn FnMut(&[u8]) -> Result<(), ParseError>,
) -> Result<(), Stop> {
    let mut take = |text: &[u8]| take(text).map_err(Stop::Unreadable);
    let end = range.end;
    // One byte more in front: a line begins here if it is the end of another.
    let begin = range.start.saturating_sub(1);
    let window = source.window(begin, (end - begin) as usize);
    let window = window.as_deref().map(|window| window.as_ref());
    let mut at = begin;
    let mut has_begun = range.start == 0;
    let mut lines = WholeLines::default();
    while at < end || lines.is_open() {
        let is_inside = at < end;
        let most = if is_inside { SLICE_BYTES.min(end - at) } else { STEP_BYTES };
        let mut text = match window.filter(|_| is_inside) {
            Some(window) => {
                let rest = window.get((at - begin) as usize..).unwrap_or_default();
                rest.get(..most as usize).unwrap_or(rest)
            }
            None => {
                slice.resize(slice.len().max(most as usize), 0);
                let free = slice.get_mut(..most as usize).unwrap_or_default();
                let read = source.read_at(at, free);
                let count = read.map_err(|error| Stop::Unreadable(wrong(&error)))?;
                slice.get(..count).unwrap_or_default()
            }
        };
        if text.is_empty() {
            break;
        }
        at += text.len() as u64;
        if !has_begun {
            let Some(end) = memchr::memchr(b'\n', text) else { continue };
            text = text.get(end + 1..).unwrap_or_default();
            has_begun = true;
        }
        if !is_inside {
            // No more than the end of the line that the block ends in.
            let end = memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1);
            text = text.get(..end).unwrap_or_default();
        }
        lines.push(text, &mut take)?;
    }
    lines.finish().map_or(Ok(()), |last| take(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are read, not looked at where they lie.
    struct Read<'a>(&'a [u8]);

    impl Source for Read<'_> {
        fn size(&self) -> u64 {
            self.0.size()
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0.read_at(offset, buffer)
        }
    }

    /// The lines that begin in a block, and whether one follows that is too long: the same of bytes
    /// where they lie.
    fn lines_of(text: &[u8], index: u64) -> (Vec<u8>, bool) {
        let lines = lines_in(&Read(text), index);
        assert!(lines_in(&text, index) == lines, "block {index}");
        lines
    }

    fn lines_in(source: &dyn Source, index: u64) -> (Vec<u8>, bool) {
        let mut lines = vec![];
        let mut take = |run: &[u8]| {
            lines.extend_from_slice(run);
            Ok(())
        };
        let mut slice = vec![b'?'; 5];
        let wrong = |error: &Error| ParseError::of_file("", &error.to_string(), "");
        let too_long = match each_run(range(index), source, &mut slice, &wrong, &mut take) {
            Ok(()) => false,
            Err(stop) => matches!(stop, Stop::TooLong(_)),
        };
        (lines, too_long)
    }

    fn joined(text: &[u8]) -> Vec<u8> {
        (0..count(text.len() as u64)).flat_map(|index| lines_of(text, index).0).collect()
    }

    #[test]
    fn blocks_of_whole_lines_make_the_file_again() {
        let line = |n: usize| format!("{}\n", "x".repeat(n % 301));
        let mut text = (0..70_000).map(line).collect::<String>().into_bytes();
        assert_eq!(count(text.len() as u64), 3);
        for index in 0..3 {
            let (block, _) = lines_of(&text, index);
            assert_eq!(block.last(), Some(&b'\n'), "block {index}");
            assert!(block.len().abs_diff(BLOCK_BYTES as usize) < 301 || index == 2);
        }
        assert!(joined(&text) == text);
        text.extend_from_slice(b"an end without a break");
        assert!(joined(&text) == text);
        // A line break just before, at and just after the border of two blocks.
        for shift in 0..3 {
            let mut text = vec![b'x'; BLOCK_BYTES as usize + 10];
            text[BLOCK_BYTES as usize - 2 + shift] = b'\n';
            assert!(joined(&text) == text, "shift {shift}");
        }
        // And of two slices.
        for shift in 0..3 {
            let mut text = vec![b'x'; 3 * SLICE_BYTES as usize];
            text[SLICE_BYTES as usize - 2 + shift] = b'\n';
            assert!(joined(&text) == text, "shift {shift}");
        }
        assert!(joined(b"").is_empty());
    }

    #[test]
    fn a_line_longer_than_a_block_belongs_to_the_block_in_which_it_begins() {
        let text = [b"1\n".as_slice(), &vec![b'x'; 9 << 20], b"\n2\n"].concat();
        assert!(joined(&text) == text);
        assert_eq!(lines_of(&text, 1), (vec![], false));
        let endless = [b"1\n".as_slice(), &vec![b'x'; 30 << 20]].concat();
        assert_eq!(lines_of(&endless, 0), (b"1\n".to_vec(), true));
    }
}
