use std::io::{BufRead, Result};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::damage::{DamageKind, Packing};
use super::layer::read_up_to;

/// One gzip member, one bzip2 stream or one packed file of a zip, to the bytes it was made of.
///
/// The decoders of the libraries drop what they inflated in the call that finds damage, so how much
/// is read would depend on the sizes of buffers. This one gives every byte before the damage.
pub struct Decoder {
    packing: Packing,
    method: Method,
    sum: Crc,
    at: At,
}

enum Method {
    Deflate(Box<Decompress>),
    Bzip2(Box<bzip2::Decompress>),
}

// Flags of a gzip header.
const CHECKSUM: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

/// What is read next.
#[derive(Clone, Copy, PartialEq)]
enum At {
    GzipHeader,
    Body,
    GzipTrailer,
    Damage,
    End,
}

impl Decoder {
    pub fn gzip() -> Self {
        Self { at: At::GzipHeader, ..Self::deflate(Packing::Gzip) }
    }

    /// Without header and trailer.
    pub fn deflate(packing: Packing) -> Self {
        Self::new(packing, Method::Deflate(Box::new(Decompress::new(false))))
    }

    pub fn bzip2(packing: Packing) -> Self {
        Self::new(packing, Method::Bzip2(Box::new(bzip2::Decompress::new(false))))
    }

    fn new(packing: Packing, method: Method) -> Self {
        Self { packing, method, sum: Crc::new(), at: At::Body }
    }

    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Some more of what was packed, 0 at its end; nothing of `bytes` is taken that lies behind.
    /// `buffer` is not empty.
    pub fn read(&mut self, bytes: &mut impl BufRead, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.at {
                At::GzipHeader => {
                    self.pass_header(bytes)?;
                    self.at = At::Body;
                }
                At::Body => {
                    let input = bytes.fill_buf()?;
                    let is_over = input.is_empty();
                    let (taken, given) = self.step(input, buffer);
                    bytes.consume(taken);
                    if given > 0 {
                        return Ok(given);
                    }
                    if self.at == At::Body && taken == 0 {
                        let kind = if is_over { DamageKind::CutShort } else { DamageKind::Broken };
                        return Err(self.packing.damage(kind));
                    }
                }
                At::GzipTrailer => {
                    let mut declared = [0; 8];
                    bytes.read_exact(&mut declared)?;
                    let [sum, size] = [self.sum.sum(), self.sum.amount()].map(u32::to_le_bytes);
                    let is_whole = declared.iter().eq(sum.iter().chain(&size));
                    self.at = if is_whole { At::End } else { At::Damage };
                }
                At::Damage => return Err(self.packing.damage(DamageKind::Broken)),
                At::End => return Ok(0),
            }
        }
    }

    /// How many bytes of `input` were taken and how many of `buffer` filled.
    fn step(&mut self, input: &[u8], buffer: &mut [u8]) -> (usize, usize) {
        let (before, (is_fine, is_end), after) = match &mut self.method {
            Method::Deflate(inflate) => {
                let before = [inflate.total_in(), inflate.total_out()];
                let status = inflate.decompress(input, buffer, FlushDecompress::None);
                let done = (status.is_ok(), matches!(status, Ok(Status::StreamEnd)));
                (before, done, [inflate.total_in(), inflate.total_out()])
            }
            Method::Bzip2(inflate) => {
                let before = [inflate.total_in(), inflate.total_out()];
                let status = inflate.decompress(input, buffer);
                let done = (status.is_ok(), matches!(status, Ok(bzip2::Status::StreamEnd)));
                (before, done, [inflate.total_in(), inflate.total_out()])
            }
        };
        let [taken, given] = [0, 1].map(|i: usize| (after[i] - before[i]) as usize);
        if self.packing == Packing::Gzip {
            self.sum.update(buffer.get(..given).unwrap_or_default());
        }
        self.at = match (is_fine, is_end, self.packing) {
            (false, ..) => At::Damage,
            (_, false, _) => At::Body,
            (_, _, Packing::Gzip) => At::GzipTrailer,
            _ => At::End,
        };
        (taken, given)
    }

    /// Source: RFC 1952, 2.3. The header's own checksum, which is hardly ever there, is not looked
    /// at: of what it guards nothing is used.
    fn pass_header(&self, bytes: &mut impl BufRead) -> Result<()> {
        let mut fixed = [0; 10];
        bytes.read_exact(&mut fixed)?;
        let [0x1f, 0x8b, 8, flags, ..] = fixed else {
            return Err(self.packing.damage(DamageKind::Broken));
        };
        if flags & RESERVED != 0 {
            return Err(self.packing.damage(DamageKind::Broken));
        }
        let mut two = [0; 2];
        if flags & EXTRA != 0 {
            bytes.read_exact(&mut two)?;
            let length = u64::from(u16::from_le_bytes(two));
            read_up_to(length, bytes)?;
        }
        for text in [NAME, COMMENT] {
            if flags & text != 0 {
                bytes.skip_until(0)?;
            }
        }
        if flags & CHECKSUM != 0 {
            bytes.read_exact(&mut two)?;
        }
        Ok(())
    }
}
