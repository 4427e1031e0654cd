use super::line_buffer::{LineTooLong, MAX_LINE_BYTES};

/// Turns chunks of any size into runs of whole lines, carrying the unfinished end of a chunk over.
///
/// Where [`super::LineBuffer`] hands on line after line, this hands on as many as there are: for
/// readers that find the ends of lines themselves.
#[derive(Default)]
pub struct WholeLines {
    carried: Vec<u8>,
}

impl WholeLines {
    /// Hands whole lines, each with its `\n`, to `take`: at most twice, first the one that began
    /// in an earlier chunk.
    ///
    /// Stops at the first error of `take`, or when a line is too long; the line number is 0 then,
    /// for lines are not counted here.
    pub fn push<E: From<LineTooLong>>(
        &mut self,
        chunk: &[u8],
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = chunk;
        if !self.carried.is_empty()
            && let Some(end) = memchr::memchr(b'\n', rest)
        {
            let (line, after) = rest.split_at(end + 1);
            self.carry(line)?;
            take(&self.carried)?;
            self.carried.clear();
            rest = after;
        }
        if let Some(end) = memchr::memrchr(b'\n', rest) {
            let (whole, after) = rest.split_at(end + 1);
            take(whole)?;
            rest = after;
        }
        Ok(self.carry(rest)?)
    }

    /// Whether a line has begun that has not ended.
    pub fn is_open(&self) -> bool {
        !self.carried.is_empty()
    }

    /// The last line, if it has no line break.
    pub fn finish(&mut self) -> Option<Vec<u8>> {
        Some(std::mem::take(&mut self.carried)).filter(|line| !line.is_empty())
    }

    fn carry(&mut self, bytes: &[u8]) -> Result<(), LineTooLong> {
        if self.carried.len() + bytes.len() > MAX_LINE_BYTES {
            return Err(LineTooLong(0));
        }
        self.carried.extend_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_chunking_gives_the_same_text_in_whole_lines() {
        let text = b"one\r\n\ntwo\nthe last has no end";
        for size in 1..=text.len() {
            let mut lines = WholeLines::default();
            let mut whole = Vec::new();
            for chunk in text.chunks(size) {
                let take = |run: &[u8]| {
                    assert_eq!(run.last(), Some(&b'\n'));
                    whole.extend_from_slice(run);
                    Ok::<(), LineTooLong>(())
                };
                lines.push(chunk, take).unwrap();
            }
            assert_eq!(whole, b"one\r\n\ntwo\n", "chunks of {size}");
            assert_eq!(lines.finish().as_deref(), Some(&b"the last has no end"[..]));
            assert_eq!(lines.finish(), None);
        }
    }

    #[test]
    fn a_line_without_end_is_refused_before_it_fills_the_memory() {
        let mut lines = WholeLines::default();
        let megabyte = vec![b'x'; 1 << 20];
        let ignore = |_: &[u8]| Ok::<(), LineTooLong>(());
        let refused = (0..100).find_map(|_| lines.push(&megabyte, ignore).err());
        assert_eq!(refused, Some(LineTooLong(0)));
    }
}
