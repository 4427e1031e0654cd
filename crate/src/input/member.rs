use std::cell::Cell;
use std::io::{BufReader, Read, Result};
use std::rc::Rc;
use std::sync::Arc;

use super::damage::{DamageKind, Packing};
use super::inflate::{Inflate, ZipMethod};
use super::layer::{Layer, fill};
use super::sniff::{FileKind, sniff};
use super::source::{Reading, Source};
use super::unwrapped::printable;
use crate::text::ParseError;

/// How much is read at a time, between two reports of progress.
pub const SLICE_BYTES: usize = 1 << 20;

/// How much of a file is looked at to tell what it is.
pub const HEAD_BYTES: u64 = 4 << 10;

/// A file that lies bare or inside of an archive; it can be read any number of times.
#[derive(Clone)]
pub struct Member<'read> {
    /// With the folders and the archive that it lies in.
    pub path: String,
    pub kind: FileKind,
    /// In bytes, as it lies on disk, or would if its archive were unpacked.
    pub size: u64,
    source: Arc<dyn Source + 'read>,
    way: Way,
}

/// From the source to the file as it was put into its archive.
#[derive(Clone)]
pub enum Way {
    /// The source is the file.
    Bare,
    /// The file is a range of what the source inflates to: a tar that is packed as a whole.
    Tar { from: u64 },
    /// The source is packed for a zip.
    Zip { method: ZipMethod, checksum: u32 },
    /// It cannot be read: what was found, and what was expected.
    Closed(String, &'static str),
}

impl<'read> Member<'read> {
    /// Of unknown kind: see [`Member::look`].
    pub fn new(path: String, size: u64, source: Arc<dyn Source + 'read>, way: Way) -> Self {
        let path = printable(&path);
        Self { path, kind: FileKind::Unknown, size, source, way }
    }

    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Tells the kind from the first (inflated) bytes.
    pub fn recognised(mut self, head: &[u8]) -> Self {
        self.kind = sniff(self.name(), head);
        self
    }

    /// The first bytes, inflated, as far as they can be read.
    pub fn look(&self) -> Vec<u8> {
        let mut head = Vec::new();
        if let Ok(mut stream) = self.stream(HEAD_BYTES as usize, &mut |_, _| {}) {
            // What is wrong is said when the file is read.
            let _ = fill(&mut head, HEAD_BYTES, &mut stream);
        }
        head
    }

    /// Whether the bytes must be inflated, or lie in something that must be.
    pub fn is_packed(&self) -> bool {
        self.at_any_place().is_none()
    }

    /// Whether it lies in a tar that is packed as a whole, so that all before it is inflated first.
    pub fn is_on_tape(&self) -> bool {
        matches!(self.way, Way::Tar { .. })
    }

    /// The bytes at any place, for several threads; `None` if they are packed or out of reach.
    pub fn at_any_place(&self) -> Option<Arc<dyn Source + 'read>> {
        if !matches!(self.way, Way::Bare) {
            return None;
        }
        let stream = self.stream(HEAD_BYTES as usize, &mut |_, _| {}).ok()?;
        stream.bytes.packing().is_none().then(|| Arc::clone(&self.source))
    }

    /// The bytes from begin to end, inflated.
    ///
    /// Before a file in a packed tar comes all that lies before it: `report(done, total)` is called
    /// for every slice of that.
    pub fn read<'a>(&'a self, report: &mut dyn FnMut(u64, u64)) -> Result<Stream<'a>> {
        self.stream(SLICE_BYTES, report)
    }

    /// `slice_bytes`: asked of the source at a time.
    fn stream<'a>(
        &'a self,
        slice_bytes: usize,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<Stream<'a>> {
        let done = Rc::new(Cell::new(0));
        let reading = Reading::new(Arc::clone(&self.source) as Arc<dyn Source + 'a>);
        let counted = Layer::new(Counted { bytes: reading, done: Rc::clone(&done) });
        let bytes = BufReader::with_capacity(slice_bytes, counted);
        let total = self.source.size();
        let inside = match &self.way {
            Way::Bare | Way::Closed(..) => bytes,
            Way::Tar { from } => {
                let mut outer = Inflate::new(bytes)?;
                pass(&mut outer, *from, &mut |_| report(done.get(), total))?;
                let exact = Exactly { bytes: outer, left: self.size, packing: Packing::Tar };
                BufReader::new(Layer::new(exact))
            }
            Way::Zip { method, checksum } => {
                let unpacked = Inflate::zipped(*method, bytes);
                BufReader::new(Layer::new(Checked::new(unpacked, self.size, *checksum)))
            }
        };
        Ok(Stream { bytes: Inflate::new(inside)?, done, total })
    }

    /// An error if the file cannot be read for what it is; `name` stands in the message.
    pub fn refused(&self, name: &str) -> std::result::Result<(), ParseError> {
        match &self.way {
            Way::Closed(found, expected) => Err(ParseError::of_file(name, found, expected)),
            _ => Ok(()),
        }
    }
}

/// Hands the bytes of each member to `take`, with its place among them, until `take` has enough. Those
/// in one packed tar come in its order, so that it is inflated once.
pub fn read_each(
    members: &[&Member<'_>],
    take: &mut dyn FnMut(usize, &mut dyn Read) -> Result<bool>,
) -> Result<()> {
    let on_tape = |member: &Member<'_>| match member.way {
        Way::Tar { from } => Some(from),
        _ => None,
    };
    let mut in_order = Vec::new();
    for (at, member) in members.iter().enumerate() {
        match on_tape(member) {
            Some(from) => in_order.push((from, at)),
            None if !take(at, &mut member.read(&mut |_, _| {})?)? => return Ok(()),
            None => {}
        }
    }
    crate::order::by_number(&mut in_order, |(from, _)| *from);
    let first = in_order.first().and_then(|(_, at)| members.get(*at));
    let Some(tape) = first.map(|member| Arc::clone(&member.source)) else { return Ok(()) };
    let mut tape =
        Inflate::new(BufReader::with_capacity(SLICE_BYTES, Layer::new(Reading::new(tape))))?;
    let mut is_at = 0;
    for (from, at) in in_order {
        let Some(member) = members.get(at) else { continue };
        pass(&mut tape, from.saturating_sub(is_at), &mut |_| {})?;
        let mut own = Exactly { bytes: &mut tape, left: member.size, packing: Packing::Tar };
        let goes_on = take(at, &mut own)?;
        is_at = from.saturating_add(member.size - own.left);
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// Reads over `count` bytes; `report` is called for every slice.
pub fn pass<R: Read>(bytes: &mut R, count: u64, report: &mut dyn FnMut(&R)) -> Result<()> {
    let mut left = count;
    let mut slice = vec![0; SLICE_BYTES.min(usize::try_from(count).unwrap_or(SLICE_BYTES))];
    while left > 0 {
        let most = slice.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        match bytes.read(slice.get_mut(..most).unwrap_or_default())? {
            0 => return Err(Packing::Tar.damage(DamageKind::CutShort)),
            read => left -= read as u64,
        }
        report(bytes);
    }
    Ok(())
}

/// The bytes of a [`Member`].
pub struct Stream<'a> {
    bytes: Inflate<BufReader<Layer<'a>>>,
    done: Rc<Cell<u64>>,
    total: u64,
}

impl Stream<'_> {
    /// Bytes taken of the file on disk, and its size.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.get(), self.total)
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.bytes.read(buffer)
    }
}

/// Counts the bytes taken from a file, for the report of progress.
struct Counted<R> {
    bytes: R,
    done: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.done.set(self.done.get() + count as u64);
        Ok(count)
    }
}

/// So many bytes; fewer are an error at the end.
struct Exactly<R> {
    bytes: R,
    left: u64,
    packing: Packing,
}

impl<R: Read> Read for Exactly<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let Some(buffer) = buffer.get_mut(..most).filter(|buffer| !buffer.is_empty()) else {
            return Ok(0);
        };
        match self.bytes.read(buffer)? {
            0 => Err(self.packing.damage(DamageKind::CutShort)),
            count => {
                self.left -= count as u64;
                Ok(count)
            }
        }
    }
}

/// Inflated bytes that must have the size and the checksum that their zip declares.
struct Checked<R> {
    bytes: Exactly<R>,
    sum: flate2::Crc,
    expected: u32,
}

impl<R: Read> Checked<R> {
    fn new(bytes: R, size: u64, expected: u32) -> Self {
        let bytes = Exactly { bytes, left: size, packing: Packing::Zip };
        Self { bytes, sum: flate2::Crc::new(), expected }
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.bytes.read(buffer).map_err(|error| Packing::Zip.blamed(error))?;
        self.sum.update(buffer.get(..count).unwrap_or_default());
        if count == 0 && !buffer.is_empty() {
            let more = self.bytes.bytes.read(&mut [0]).map_err(|e| Packing::Zip.blamed(e))?;
            if more > 0 || self.sum.sum() != self.expected {
                return Err(Packing::Zip.damage(DamageKind::Broken));
            }
        }
        Ok(count)
    }
}
