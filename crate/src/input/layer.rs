use std::io::{Read, Result};

/// Bytes on their way through any number of layers.
///
/// One type for all of them and one method behind the pointer: what reads from a layer is compiled
/// once, which keeps the page small.
pub struct Layer<'a>(Box<dyn Bytes + 'a>);

/// What of [`Read`] a layer needs.
trait Bytes {
    fn some(&mut self, buffer: &mut [u8]) -> Result<usize>;
}

impl<R: Read> Bytes for R {
    fn some(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.read(buffer)
    }
}

impl<'a> Layer<'a> {
    pub fn new(bytes: impl Read + 'a) -> Self {
        Self(Box::new(bytes))
    }
}

impl Read for Layer<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.some(buffer)
    }
}

/// At most `most` bytes; fewer only at the end. The memory grows with what is there.
pub fn read_up_to(most: u64, bytes: &mut impl Read) -> Result<Vec<u8>> {
    let mut read = Vec::new();
    fill(&mut read, most, bytes)?;
    Ok(read)
}

/// Appends at most `most` bytes; what came before an error is there.
pub fn fill(read: &mut Vec<u8>, most: u64, bytes: &mut impl Read) -> Result<()> {
    let bytes: &mut dyn Bytes = bytes;
    let mut left = most;
    while left > 0 {
        let from = read.len();
        let slice = left.min(1 << 16) as usize;
        read.resize(from + slice, 0);
        let count = bytes.some(read.get_mut(from..).unwrap_or_default());
        read.truncate(from + *count.as_ref().unwrap_or(&0));
        match count? {
            0 => break,
            count => left -= count as u64,
        }
    }
    Ok(())
}
