use std::io::{Read, Result};
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
}

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
}

/// A file as it was given: a name, and bytes that can be read at any place.
#[derive(Clone)]
pub struct NamedFile<'read> {
    pub name: String,
    pub source: Arc<dyn Source + 'read>,
}

impl<'read> NamedFile<'read> {
    pub fn new(name: impl Into<String>, source: impl Source + 'read) -> Self {
        Self { name: name.into(), source: Arc::new(source) }
    }
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
        let mut text = String::new();
        Reading::new(file.source).read_to_string(&mut text).unwrap();
        assert_eq!(text, "0123456789");
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
