/// Longest line that is read, in bytes: a file without line breaks must not fill the memory.
pub const MAX_LINE_BYTES: usize = 16 << 20;

/// A line grew beyond [`MAX_LINE_BYTES`]; holds its number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineTooLong(pub u64);

/// Turns chunks of any size into whole lines, carrying the unfinished end of a chunk over.
///
/// Lines come without their `\n` or `\r\n`, numbered from 1. Whole lines inside a chunk are
/// handed on without being copied.
#[derive(Default)]
pub struct LineBuffer {
    carried: Vec<u8>,
    lines: u64,
}

impl LineBuffer {
    /// Hands every line that ends in `chunk` to `take(number, line)`.
    ///
    /// Stops at the first error of `take`, or when a line is too long.
    pub fn push<E: From<LineTooLong>>(
        &mut self,
        chunk: &[u8],
        mut take: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            self.lines += 1;
            if self.carried.len() + line.len() > MAX_LINE_BYTES {
                return Err(LineTooLong(self.lines).into());
            }
            if self.carried.is_empty() {
                take(self.lines, trim_return(line))?;
            } else {
                self.carried.extend_from_slice(line);
                take(self.lines, trim_return(&self.carried))?;
                self.carried.clear();
            }
        }
        if self.carried.len() + rest.len() > MAX_LINE_BYTES {
            return Err(LineTooLong(self.lines + 1).into());
        }
        self.carried.extend_from_slice(rest);
        Ok(())
    }

    /// Hands on a last line that has no line break. Returns whether there was one.
    pub fn finish<E>(&mut self, take: impl FnOnce(u64, &[u8]) -> Result<(), E>) -> Result<bool, E> {
        if self.carried.is_empty() {
            return Ok(false);
        }
        self.lines += 1;
        let line = std::mem::take(&mut self.carried);
        take(self.lines, trim_return(&line))?;
        Ok(true)
    }
}

fn trim_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], chunk: usize) -> Vec<(u64, Vec<u8>)> {
        let mut buffer = LineBuffer::default();
        let mut found = Vec::new();
        let mut take = |number, line: &[u8]| {
            found.push((number, line.to_vec()));
            Ok::<(), LineTooLong>(())
        };
        for part in text.chunks(chunk) {
            buffer.push(part, &mut take).unwrap();
        }
        buffer.finish(&mut take).unwrap();
        found
    }

    #[test]
    fn any_chunking_gives_the_same_lines() {
        let text = b"one\r\n\ntwo\nthe last has no end";
        let whole = lines(text, text.len());
        let words = whole.iter().map(|(_, line)| line.as_slice()).collect::<Vec<_>>();
        assert_eq!(words, [b"one".as_slice(), b"", b"two", b"the last has no end"]);
        for chunk in 1..text.len() {
            assert_eq!(lines(text, chunk), whole, "chunks of {chunk}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused_before_it_fills_the_memory() {
        let mut buffer = LineBuffer::default();
        let megabyte = vec![b'x'; 1 << 20];
        let ignore = |_: u64, _: &[u8]| Ok::<(), LineTooLong>(());
        buffer.push(b"short\n", ignore).unwrap();
        let refused = (0..100).find_map(|_| buffer.push(&megabyte, ignore).err());
        assert_eq!(refused, Some(LineTooLong(2)));
    }
}
