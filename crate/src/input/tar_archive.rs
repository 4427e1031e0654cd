use std::cell::Cell;
use std::io::{Error, Read, Result, Seek, SeekFrom};
use std::sync::Arc;

use tar::{Archive, Entry, EntryType};

use super::Progress;
use super::damage::{Damage, DamageKind, Packing};
use super::layer::{fill, read_up_to};
use super::member::{HEAD_BYTES, Member, Stream, Way, pass};
use super::sniff::{FileKind, is_otf2_part};
use super::source::{NamedFile, Part, Reading, shared};
use super::unwrapped::{Unwrapped, cannot_read, path_inside};
use crate::text::ParseError;

/// A header with its long name and its attributes is never longer.
const MAX_HEADER_BYTES: u64 = 1 << 18;
/// Labels in packed archives are kept up to here in sum, so that they are not inflated again.
const MAX_KEPT_BYTES: u64 = 64 << 20;

/// Whether a tar begins so: any tar, by the checksum of its first header.
pub fn is_tar(head: &[u8]) -> bool {
    let Some(block) = head.first_chunk::<512>() else { return false };
    let sum_as_written = 148..156;
    let sum = block.iter().enumerate().map(|(at, &byte)| {
        if sum_as_written.contains(&at) { u32::from(b' ') } else { u32::from(byte) }
    });
    let written = tar::Header::from_byte_slice(block).cksum();
    block[0] != 0 && written.is_ok_and(|written| written == sum.sum::<u32>())
}

/// Finds the files in a tar; `outer` is the archive itself. One that is not packed is skipped
/// through, one that is (`.tar.gz`) is inflated to its end.
///
/// An error if there is no whole header of a file in it.
#[inline(never)]
pub fn list<'read>(
    file: &NamedFile<'read>,
    outer: &Member<'read>,
    found: &mut Unwrapped<'read>,
    report: &mut dyn FnMut(Progress),
) -> std::result::Result<(), ParseError> {
    let failed = |error: Error| cannot_read(&file.name, &error);
    let mut report = |(done, total)| report(Progress { file: file.name.clone(), done, total });
    let packed = outer.at_any_place().is_none();
    let tape = match packed {
        false => Tape::Plain(Reading::new(Arc::clone(&file.source))),
        true => {
            let bytes = outer.read(&mut |_, _| {}).map_err(failed)?;
            Tape::Packed { bytes, at: 0, report: &mut report }
        }
    };
    let (left, at_end) = (Cell::new(0), Cell::new(false));
    let mut archive = Archive::new(Headers { tape, left: &left, at_end: &at_end });
    let mut lister = Lister { file, packed, left: &left, kept: 0, found };
    let mut entries = archive.entries_with_seek().map_err(failed)?;
    let mut first = true;
    loop {
        left.set(MAX_HEADER_BYTES);
        let taken = match entries.next() {
            None => return Ok(()),
            Some(Ok(_)) if !lister.found.has_room(&file.name) => return Ok(()),
            Some(Ok(entry)) => lister.take(entry),
            Some(Err(error)) => Err(error),
        };
        match taken {
            Ok(()) => first = false,
            Err(error) => {
                let damage = blamed(&error, at_end.get()).ok_or_else(|| failed(error))?;
                let packing = damage.packing;
                if first {
                    let found = format!("{damage} before its first file");
                    let expected = format!("a whole {packing}; copy or download it again");
                    return Err(ParseError::of_file(&file.name, &found, &expected));
                }
                lister.remark_damage(damage);
                return Ok(());
            }
        }
    }
}

/// What the tar reader finds wrong is damage; what the system says is not.
fn blamed(error: &Error, at_end: bool) -> Option<Damage> {
    let kind = if at_end { DamageKind::CutShort } else { DamageKind::Broken };
    let found_by_reader = error.raw_os_error().is_none();
    let of_tar = found_by_reader.then_some(Damage { packing: Packing::Tar, kind });
    Damage::in_error(error).or(of_tar)
}

struct Lister<'list, 'read> {
    file: &'list NamedFile<'read>,
    packed: bool,
    left: &'list Cell<u64>,
    kept: u64,
    found: &'list mut Unwrapped<'read>,
}

impl Lister<'_, '_> {
    fn take(&mut self, mut entry: Entry<'_, impl Read>) -> Result<()> {
        let path = path_inside(&self.file.name, &entry.path_bytes());
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {}
            EntryType::GNUSparse => {
                let text =
                    "A sparse file in a tar archive; it was left out. Unpack the archive first.";
                self.found.remark(text, &path);
                return Ok(());
            }
            _ => return Ok(()),
        }
        let (from, size) = (entry.raw_file_position(), entry.size());
        let source = Arc::clone(&self.file.source);
        if !self.packed {
            if from.saturating_add(size) > source.size() {
                self.remark_damage(Damage { packing: Packing::Tar, kind: DamageKind::CutShort });
            }
            let part = Part::new(source, from, size);
            let member = Member::new(path, size, shared(part), Way::Bare);
            let head = if is_otf2_part(member.name()) { vec![] } else { member.look() };
            self.found.add(member, &head);
            return Ok(());
        }
        self.left.set(HEAD_BYTES);
        let mut bytes = read_up_to(HEAD_BYTES, &mut entry)?;
        let begin = Member::new(path.clone(), size, shared(bytes.clone()), Way::Bare);
        let head = begin.look();
        let is_definition = begin.name().ends_with(".def");
        let kind = begin.recognised(&head).kind;
        let label = is_definition
            || matches!(kind, FileKind::Pcf | FileKind::Row | FileKind::TauText | FileKind::Otf2);
        let member = if label && self.kept.saturating_add(size) <= MAX_KEPT_BYTES {
            self.kept += size;
            self.left.set(size);
            fill(&mut bytes, size, &mut entry)?;
            Member::new(path, size, shared(bytes), Way::Bare)
        } else {
            Member::new(path, size, source, Way::Tar { from })
        };
        self.found.add(member, &head);
        Ok(())
    }

    fn remark_damage(&mut self, damage: Damage) {
        self.found.remark(&damage.notice(), &self.file.name);
    }
}

/// The bytes of a tar, from its begin to its end.
enum Tape<'a> {
    Plain(Reading<'a>),
    Packed { bytes: Stream<'a>, at: u64, report: &'a mut dyn FnMut((u64, u64)) },
}

/// A tape of which no more than `left` bytes are read; skipping is free.
struct Headers<'a> {
    tape: Tape<'a>,
    left: &'a Cell<u64>,
    at_end: &'a Cell<bool>,
}

impl Read for Headers<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let most = buffer.len().min(usize::try_from(self.left.get()).unwrap_or(usize::MAX));
        if most == 0 && !buffer.is_empty() {
            return Err(Packing::Tar.damage(DamageKind::Broken));
        }
        let buffer = buffer.get_mut(..most).unwrap_or_default();
        let count = match &mut self.tape {
            Tape::Plain(reading) => reading.read(buffer)?,
            Tape::Packed { bytes, at, .. } => {
                let count = bytes.read(buffer)?;
                *at += count as u64;
                count
            }
        };
        self.left.set(self.left.get() - count as u64);
        self.at_end.set(count == 0 && most > 0);
        Ok(count)
    }
}

/// The tar reader seeks forward only.
impl Seek for Headers<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        match (&mut self.tape, to) {
            (Tape::Plain(reading), _) => reading.seek(to),
            (Tape::Packed { bytes, at, report }, SeekFrom::Current(by)) => {
                let by = u64::try_from(by).map_err(Error::other)?;
                pass(bytes, by, &mut |bytes| report(bytes.progress()))?;
                *at += by;
                Ok(*at)
            }
            _ => Err(Error::other("a packed archive is read forward only")),
        }
    }
}
