//! A file of this computer as bytes that can be read at any place.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use tracefold::input::{NamedFile, Source};

/// Opens a file; what cannot be read at any place (a pipe, `/dev/stdin`) is read whole.
///
/// An error if it cannot be opened, or is a folder.
pub fn open(path: &Path) -> Result<NamedFile<'static>> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(Error::other("found a folder, expected a file"));
    }
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    if about.is_file() {
        return Ok(NamedFile::new(name, OnDisk { file, size: about.len() }));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(NamedFile::new(name, bytes))
}

/// Read, not mapped: a file that another program cuts short while it is mapped ends the process, and
/// one that is read ends where it ends. To copy what is read is 7 % of the time
/// of a list of regions.
struct OnDisk {
    file: File,
    size: u64,
}

impl Source for OnDisk {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match read_some(&self.file, rest, offset.saturating_add(filled as u64)) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

#[cfg(unix)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
