use std::io::Result;
use std::sync::Arc;

use rawzip::{CompressionMethod, ErrorKind, ReaderAt, ZipArchive, ZipFileHeaderRecord, ZipLocator};

use super::inflate::ZipMethod;
use super::member::{Member, Way};
use super::sniff::is_otf2_part;
use super::source::{NamedFile, Part, Source, shared};
use super::unwrapped::{Unwrapped, path_inside};
use crate::text::ParseError;

/// Of a file in an archive, of an empty archive, of an archive in several pieces.
const MAGIC: [&[u8]; 3] = [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"];

pub fn is_zip(head: &[u8]) -> bool {
    MAGIC.iter().any(|magic| head.starts_with(magic))
}

/// Finds the files in a zip by the list at its end; memory does not depend on their number.
///
/// An error if there is no such list, or it is damaged before the first file.
#[inline(never)]
pub fn list<'read>(
    file: &NamedFile<'read>,
    found: &mut Unwrapped<'read>,
) -> std::result::Result<(), ParseError> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let size = file.source.size();
    let source = At(Arc::clone(&file.source));
    let located = ZipLocator::new().locate_in_reader(source, &mut buffer, size);
    let archive = located.map_err(|(_, error)| unreadable(&file.name, &error))?;
    // A record of the list is never longer.
    let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let mut entries = archive.entries(&mut buffer);
    let mut first = true;
    loop {
        let entry = match entries.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(()),
            Err(error) if first => return Err(unreadable(&file.name, &error)),
            Err(_) => {
                let text =
                    "The list of files in the zip archive is damaged; it was read up to there.";
                found.remark(text, &file.name);
                return Ok(());
            }
        };
        first = false;
        if entry.is_dir() {
            continue;
        }
        if !found.has_room(&file.name) {
            return Ok(());
        }
        let member = member(file, &archive, &entry);
        let head = if is_otf2_part(member.name()) { vec![] } else { member.look() };
        found.add(member, &head);
    }
}

fn member<'read>(
    file: &NamedFile<'read>,
    archive: &ZipArchive<At<'read>>,
    entry: &ZipFileHeaderRecord<'_>,
) -> Member<'read> {
    let path = path_inside(&file.name, entry.file_path().as_bytes());
    let closed = |found: &str, expected| {
        let way = Way::Closed(found.to_owned(), expected);
        Member::new(path.clone(), 0, shared(Vec::new()), way)
    };
    if entry.flags().is_encrypted() {
        let expected = "a zip archive without a password; unpack it first";
        return closed("a file that is encrypted with a password", expected);
    }
    let checksum = entry.crc32();
    let (way, size) = match entry.compression_method() {
        CompressionMethod::STORE => (Way::Bare, entry.compressed_size_hint()),
        CompressionMethod::DEFLATE => {
            let way = Way::Zip { method: ZipMethod::Deflate, checksum };
            (way, entry.uncompressed_size_hint())
        }
        CompressionMethod::BZIP2 => {
            let way = Way::Zip { method: ZipMethod::Bzip2, checksum };
            (way, entry.uncompressed_size_hint())
        }
        other => {
            let found = format!("a file that is packed with method {other}");
            let expected = "a zip archive of the usual kind (deflate); unpack it first";
            return closed(&found, expected);
        }
    };
    match archive.get_entry(entry.wayfinder()) {
        Ok(place) => {
            let (from, to) = place.compressed_data_range();
            let part = Part::new(Arc::clone(&file.source), from, to.saturating_sub(from));
            Member::new(path, size, shared(part), way)
        }
        Err(_) => {
            let found = "a file that is not where the list of the zip archive says";
            closed(found, "a whole zip archive; copy or download it again")
        }
    }
}

fn unreadable(name: &str, error: &rawzip::Error) -> ParseError {
    let found = match error.kind() {
        ErrorKind::IO(error) => return super::unwrapped::cannot_read(name, error),
        ErrorKind::MissingEndOfCentralDirectory => {
            "a zip archive that is cut short: the list of its files, at its end, is missing"
        }
        _ => "a zip archive whose list of files is damaged",
    };
    ParseError::of_file(name, found, "a whole zip archive; copy or download it again")
}

/// A source as the zip reader asks for it.
struct At<'read>(Arc<dyn Source + 'read>);

impl ReaderAt for At<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        self.0.read_at(offset, buffer)
    }
}
