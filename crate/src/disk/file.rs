//! A file of this computer as bytes that can be read at any place.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};

use crate::input::{NamedFile, Source, Window};
use crate::tau::thread_of;
use memmap2::MmapOptions;

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

/// Opens a file, or all that lie in a folder and those in it. They have the names that tell folders apart;
/// profiles, of which a folder may have thousands, are opened when they are read.
///
/// An error if one cannot be opened.
pub fn open_all(path: &Path) -> Result<Vec<NamedFile<'static>>> {
    let about = std::fs::metadata(path)?;
    if path.extension().is_some_and(|ending| ending == "otf2") && about.is_file() {
        return archive(path);
    }
    if !about.is_dir() {
        let mut file = open(path)?;
        if thread_of(&file.name).is_some() {
            file = NamedFile::new(
                path.to_string_lossy(),
                Later { path: path.to_owned(), size: about.len() },
            );
        }
        return Ok(vec![file]);
    }
    let whole = path.canonicalize()?;
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = vec![];
    in_folder(path, &name, MOST_FOLDERS, &mut files)?;
    Ok(files)
}

/// The anchor of an archive of OTF2 and what lies beside it: `NAME.def`, and the files in `NAME`.
fn archive(anchor: &Path) -> Result<Vec<NamedFile<'static>>> {
    let whole = anchor.canonicalize()?;
    let folder = whole.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let mut files = vec![];
    for path in [whole.clone(), whole.with_extension("def")] {
        if let Ok(about) = std::fs::metadata(&path) {
            let name =
                format!("{folder}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            files.push(NamedFile::new(name, Later { path, size: about.len() }));
        }
    }
    let stem = whole.with_extension("");
    if stem.is_dir() {
        let name = format!("{folder}/{}", stem.file_name().unwrap_or_default().to_string_lossy());
        in_folder(&stem, &name, 1, &mut files)?;
    }
    Ok(files)
}

/// Folders inside of one another: that of a trial, those of its metrics, and one more.
const MOST_FOLDERS: u32 = 3;

fn in_folder(
    folder: &Path,
    name: &str,
    folders: u32,
    files: &mut Vec<NamedFile<'static>>,
) -> Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        // A link that leads nowhere is no file.
        let Ok(about) = std::fs::metadata(&path) else { continue };
        if about.is_dir() && folders > 1 {
            in_folder(&path, &name, folders - 1, files)?;
        } else if about.is_file() {
            files.push(NamedFile::new(name, Later { path, size: about.len() }));
        }
    }
    Ok(())
}

/// A file that is opened whenever it is read: more may lie in a folder than can be open at a time.
struct Later {
    path: PathBuf,
    size: u64,
}

impl Source for Later {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        OnDisk { file: File::open(&self.path)?, size: self.size }.read_at(offset, buffer)
    }
}

/// A file that is not packed is mapped, block after block, as to copy it takes a tenth of the time of
/// a list of regions; all else is read.
///
/// What is mapped may not go away: a program that cuts the file short, or a disk that fails, while a
/// block is looked at (some milliseconds) ends this process with a bus error. Nothing is half written
/// then, as results are written once all is read. A file that is shorter already is not mapped, and
/// ends where it ends; one that grows is as it was when it was opened.
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

    fn window(&self, offset: u64, length: usize) -> Option<Window<'_>> {
        let length = self.size.saturating_sub(offset).min(length as u64) as usize;
        let is_whole = self.file.metadata().is_ok_and(|about| about.len() >= self.size);
        if length == 0 || !is_whole {
            return None;
        }
        let mut options = MmapOptions::new();
        options.offset(offset).len(length);
        // SAFETY: nothing that is told of these bytes is relied on when they are looked at again, so
        // that another program may write them meanwhile; see above for one that cuts them off.
        let window = unsafe { options.map(&self.file) };
        Some(Box::new(window.ok()?))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mapped_is_what_is_read_and_a_file_that_was_cut_short_is_not_mapped() {
        let path = std::env::temp_dir().join(format!("tracefold-{}.prv", std::process::id()));
        let bytes = (0..20_000u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>();
        std::fs::write(&path, &bytes).unwrap();
        let source = open(&path).unwrap().source;
        let window = |offset, length| {
            source.window(offset, length).map(|window| (*window).as_ref().to_vec())
        };
        // At no border of a page, and up to the end.
        for (offset, length) in [(0, 10), (5001, 9000), (79_990, 100)] {
            let mut read = vec![0; length];
            let count = source.read_at(offset, &mut read).unwrap();
            assert_eq!(window(offset, length).as_deref(), read.get(..count), "{offset}");
        }
        assert_eq!((window(80_000, 9), window(u64::MAX, 9)), (None, None));
        File::options().write(true).open(&path).unwrap().set_len(6000).unwrap();
        assert_eq!(window(0, 10), None);
        assert_eq!(source.read_at(5990, &mut [0; 100]).unwrap(), 10);
        std::fs::remove_file(&path).unwrap();
    }
}
