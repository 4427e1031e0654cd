//! A file in blocks of whole lines, which can be read in any order and by several threads.

use std::io::Result;

use crate::input::Source;
use crate::text::MAX_LINE_BYTES;

/// A block is read at once. Where blocks begin depends on the file alone, never on who reads them.
pub const BLOCK_BYTES: u64 = 4 << 20;

/// How much is read at a time in search of a line's end.
const STEP_BYTES: usize = 64 << 10;

/// How many blocks a file of this size has.
pub fn count(size_bytes: u64) -> u64 {
    size_bytes.div_ceil(BLOCK_BYTES)
}

/// The lines that begin in a block; only the last of the file may lack its `\n`.
#[derive(Default)]
pub struct Lines {
    bytes: Vec<u8>,
    /// Where the first line begins.
    first: usize,
    /// Whether a line follows that is too long to be one.
    pub too_long: bool,
}

impl Lines {
    /// The memory, for the next block.
    pub fn into_buffer(self) -> Vec<u8> {
        self.bytes
    }

    pub fn text(&self) -> &[u8] {
        self.bytes.get(self.first..).unwrap_or_default()
    }
}

/// The lines that begin in the block with this index.
///
/// An error if the file cannot be read.
///
/// `buffer`: memory that is used again, whatever is in it.
pub fn lines_of(source: &dyn Source, index: u64, mut buffer: Vec<u8>) -> Result<Lines> {
    let (from, to) = (index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES);
    // One byte more in front: a line begins here if it is the end of another.
    let before = u64::from(index > 0);
    buffer.resize((BLOCK_BYTES + before) as usize, 0);
    let mut text = buffer;
    let count = source.read_at(from - before, &mut text)?;
    text.truncate(count);
    let begin = match before {
        0 => 0,
        // All of the block may lie inside of one line.
        _ => match memchr::memchr(b'\n', &text) {
            Some(end) => end + 1,
            None => return Ok(Lines::default()),
        },
    };
    if begin == text.len() {
        return Ok(Lines::default());
    }
    let mut at = to;
    let last = memchr::memrchr(b'\n', &text).map_or(begin, |end| end + 1);
    // A line that ends the block is whole; any other is the one that goes on.
    let is_too_long = |text: &[u8]| text.len() - last.min(text.len()) > MAX_LINE_BYTES;
    while text.last() != Some(&b'\n') {
        let length = text.len();
        text.resize(length + STEP_BYTES, 0);
        let count = source.read_at(at, text.get_mut(length..).unwrap_or_default())?;
        let end = memchr::memchr(b'\n', text.get(length..length + count).unwrap_or_default());
        text.truncate(length + end.map_or(count, |end| end + 1));
        at += count as u64;
        if count == 0 {
            break;
        }
        if is_too_long(&text) {
            text.truncate(last);
            return Ok(Lines { bytes: text, first: begin, too_long: true });
        }
    }
    Ok(Lines { bytes: text, first: begin, too_long: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &[u8]) -> Vec<u8> {
        let of_block = |index| lines_of(&text, index, vec![]).unwrap().text().to_vec();
        (0..count(text.len() as u64)).flat_map(of_block).collect()
    }

    #[test]
    fn blocks_of_whole_lines_make_the_file_again() {
        let line = |n: usize| format!("{}\n", "x".repeat(n % 301));
        let mut text = (0..70_000).map(line).collect::<String>().into_bytes();
        assert_eq!(count(text.len() as u64), 3);
        for index in 0..3 {
            let block = lines_of(&text, index, vec![]).unwrap();
            let block = block.text();
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
        assert!(joined(b"").is_empty());
    }

    #[test]
    fn a_line_longer_than_a_block_belongs_to_the_block_in_which_it_begins() {
        let text = [b"1\n".as_slice(), &vec![b'x'; 9 << 20], b"\n2\n"].concat();
        assert!(joined(&text) == text);
        assert_eq!(lines_of(&text, 1, vec![]).unwrap().text(), b"");
        let endless = [b"1\n".as_slice(), &vec![b'x'; 30 << 20]].concat();
        let lines = lines_of(&endless, 0, vec![]).unwrap();
        assert_eq!((lines.text(), lines.too_long), (b"1\n".as_slice(), true));
    }
}
