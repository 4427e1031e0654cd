use std::io::{Error, Read, Result, Seek, SeekFrom};
use std::sync::Arc;

/// What several threads may share; where there are no threads (wasm32), anything.
#[cfg(not(target_arch = "wasm32"))]
pub trait Shared: Send + Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send + Sync + ?Sized> Shared for T {}

/// What several threads may share; where there are no threads (wasm32), anything.
#[cfg(target_arch = "wasm32")]
pub trait Shared {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> Shared for T {}

/// Bytes that can be read at any place, any number of times.
pub trait Source: Shared {
    /// In bytes, as it lies on disk.
    fn size(&self) -> u64;

    /// Fills `buffer` from `offset`; fewer bytes only at the end of the file, 0 beyond it.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize>;

    /// At most `length` bytes from `offset` where they lie, so that nothing is copied to be read;
    /// fewer only at the end of the file. `None` if they have to be [read](Source::read_at).
    fn window(&self, _offset: u64, _length: usize) -> Option<Window<'_>> {
        None
    }
}

/// Bytes of a source where they lie.
pub type Window<'source> = Box<dyn AsRef<[u8]> + 'source>;

impl<T: AsRef<[u8]> + Shared> Source for T {
    fn size(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.as_ref().get(from..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }

    fn window(&self, offset: u64, length: usize) -> Option<Window<'_>> {
        let rest = self.as_ref().get(usize::try_from(offset).ok()?..)?;
        Some(Box::new(rest.get(..length).unwrap_or(rest)))
    }
}

/// A file as it was given: a name, and bytes that can be read at any place.
#[derive(Clone)]
pub struct NamedFile<'read> {
    pub name: String,
    pub source: Arc<dyn Source + 'read>,
}

impl<'read> NamedFile<'read> {
    pub fn new(name: impl Into<String>, source: impl Source + 'read) -> Self {
        Self { name: name.into(), source: shared(source) }
    }
}

/// A source with several owners.
pub fn shared<'read>(source: impl Source + 'read) -> Arc<dyn Source + 'read> {
    Arc::new(source)
}

/// Reads a source from its begin to its end. Every read asks the source: buffer it.
#[derive(Clone)]
pub struct Reading<'read> {
    source: Arc<dyn Source + 'read>,
    at: u64,
}

impl<'read> Reading<'read> {
    pub fn new(source: Arc<dyn Source + 'read>) -> Self {
        Self { source, at: 0 }
    }
}

impl Read for Reading<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.source.read_at(self.at, buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Skips without reading.
impl Seek for Reading<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let to = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.source.size().checked_add_signed(by),
        };
        self.at = to.ok_or_else(|| Error::other("a place before the begin of the file"))?;
        Ok(self.at)
    }
}

/// A range of a source: a file inside of an archive that does not pack it.
pub struct Part<'read> {
    source: Arc<dyn Source + 'read>,
    from: u64,
    size: u64,
}

impl<'read> Part<'read> {
    /// At most `size` bytes from `from`; fewer where the source ends.
    pub fn new(source: Arc<dyn Source + 'read>, from: u64, size: u64) -> Self {
        let size = size.min(source.size().saturating_sub(from));
        Self { source, from, size }
    }
}

impl Source for Part<'_> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let left = self.size.saturating_sub(offset);
        let count = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        match buffer.get_mut(..count) {
            Some(buffer) if count > 0 => self.source.read_at(self.from + offset, buffer),
            _ => Ok(0),
        }
    }

    fn window(&self, offset: u64, length: usize) -> Option<Window<'_>> {
        let left = self.size.saturating_sub(offset);
        let length = length.min(usize::try_from(left).unwrap_or(usize::MAX));
        self.source.window(self.from.checked_add(offset)?, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_at_any_place_and_from_begin_to_end() {
        let file = NamedFile::new("a", "0123456789");
        let at = |offset| {
            let mut buffer = [b'.'; 4];
            let count = file.source.read_at(offset, &mut buffer).unwrap();
            String::from_utf8_lossy(&buffer[..count]).into_owned()
        };
        assert_eq!((file.source.size(), at(0).as_str(), at(8).as_str()), (10, "0123", "89"));
        assert_eq!((at(10).as_str(), at(u64::MAX).as_str()), ("", ""));
        let window = |offset, length| {
            let window = file.source.window(offset, length)?;
            Some(String::from_utf8_lossy((*window).as_ref()).into_owned())
        };
        let windows = [window(0, 4), window(8, 4), window(10, 4), window(11, 4)];
        assert_eq!(
            windows.each_ref().map(Option::as_deref),
            [Some("0123"), Some("89"), Some(""), None]
        );
        let mut text = String::new();
        Reading::new(file.source).read_to_string(&mut text).unwrap();
        assert_eq!(text, "0123456789");
    }

    #[test]
    fn a_part_ends_where_it_should_and_where_its_source_does() {
        let whole = NamedFile::new("a", "0123456789").source;
        for (from, size, expected) in [(2, 3, "234"), (8, 9, "89"), (4, 0, ""), (u64::MAX, 5, "")] {
            let part = Arc::new(Part::new(Arc::clone(&whole), from, size));
            assert_eq!(part.size(), expected.len() as u64);
            // Of the empty parts one begins beyond the end of its source.
            let window = part.window(0, 9).map(|window| (*window).as_ref().to_vec());
            assert_eq!(window.unwrap_or_default(), expected.as_bytes());
            let rest = part.window(1, 9).map(|window| (*window).as_ref().to_vec());
            assert_eq!(rest.unwrap_or_default(), expected.as_bytes().get(1..).unwrap_or_default());
            let mut text = String::new();
            Reading::new(part).read_to_string(&mut text).unwrap();
            assert_eq!(text, expected);
        }
    }

    /// A trace may be read by several threads: this compiles or it does not.
    #[test]
    fn a_source_is_shared_between_threads() {
        let source = NamedFile::new("a", vec![7; 3]).source;
        let sizes = std::thread::scope(|scope| {
            let ask = || scope.spawn(|| source.size());
            [ask(), ask()].map(|thread| thread.join().unwrap())
        });
        assert_eq!(sizes, [3, 3]);
    }
}
