//! A chunk, record by record.

use super::Damage;
use super::bytes::Bytes;

/// What a chunk is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkOf {
    Events,
    Definitions,
}

/// One record, whatever it holds.
#[derive(Clone, Copy, Debug)]
pub struct Record<'chunk> {
    pub id: u8,
    /// When it was written, on the clock of its location: of events alone.
    pub ticks: u64,
    /// Whether attributes were written with it.
    pub has_attributes: bool,
    pub body: Bytes<'chunk>,
}

/// How a chunk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Another one may follow.
    OfChunk,
    OfFile,
}

/// The records of a chunk.
pub struct Records<'chunk> {
    bytes: Bytes<'chunk>,
    of: ChunkOf,
    length: usize,
    /// What the archive says that a chunk has; the last of a file may have fewer.
    chunk_bytes: usize,
    ticks: u64,
    at: usize,
}

// Ids that mean something to every reader.
const END_OF_CHUNK: u8 = 0;
const END_OF_FILE: u8 = 2;
const TIMESTAMP: u8 = 5;
const ATTRIBUTES: u8 = 6;
/// Events that are nothing but one number, whose length stands where that of a record would.
const SINGLETONS: u32 = singletons(&[12, 13, 16, 17, 20, 21, 24, 28, 29, 30]);

const fn singletons(ids: &[u8]) -> u32 {
    let (mut set, mut at) = (0, 0);
    while at < ids.len() {
        set |= 1 << ids[at];
        at += 1;
    }
    set
}

impl<'chunk> Records<'chunk> {
    /// An error if the chunk begins with no header.
    pub fn new(chunk: &'chunk [u8], chunk_bytes: usize, of: ChunkOf) -> Result<Self, Damage> {
        let mut bytes = Bytes::new(chunk);
        bytes.begin()?;
        // The numbers of its first record and of its last.
        bytes.skip(16)?;
        Ok(Self { bytes, of, length: chunk.len(), chunk_bytes, ticks: 0, at: 0 })
    }

    /// Where the last record begins, or what should be one: bytes from the begin of the chunk.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next record, or how the chunk ends.
    ///
    /// An error if what comes is none: nothing behind it can be read.
    #[inline]
    pub fn next_record(&mut self) -> Result<Result<Record<'chunk>, End>, Damage> {
        let mut has_attributes = false;
        loop {
            self.at = self.length - self.bytes.left();
            // A file that was cut between two records: the caller misses its end.
            let Ok(id) = self.bytes.byte() else { return Ok(Err(End::OfChunk)) };
            let is_event = self.of == ChunkOf::Events;
            let body = match id {
                END_OF_CHUNK => return Ok(Err(End::OfChunk)),
                END_OF_FILE => return Ok(Err(End::OfFile)),
                TIMESTAMP if is_event => {
                    self.ticks = self.bytes.whole_64()?;
                    continue;
                }
                12..32 if is_event && SINGLETONS >> id & 1 == 1 => self.singleton()?,
                _ => self.body()?,
            };
            if id == ATTRIBUTES && is_event {
                has_attributes = true;
                continue;
            }
            return Ok(Ok(Record { id, ticks: self.ticks, has_attributes, body }));
        }
    }

    fn body(&mut self) -> Result<Bytes<'chunk>, Damage> {
        const LONG: u8 = 255;
        let length = match self.bytes.byte()? {
            LONG => self.bytes.whole_64()?,
            short => u64::from(short),
        };
        let read = self.length - self.bytes.left();
        let room = self.chunk_bytes.saturating_sub(read);
        match usize::try_from(length) {
            Ok(length) if length <= room => self.bytes.take(length),
            _ => Err(Damage::BeyondChunk),
        }
    }

    #[inline]
    fn singleton(&mut self) -> Result<Bytes<'chunk>, Damage> {
        let mut behind = self.bytes;
        behind.number_64()?;
        self.bytes.take(self.bytes.left() - behind.left())
    }
}
