use std::io::{BufRead, Chain, Cursor, Read, Result};

use super::damage::{DamageKind, Packing};
use super::decoder::Decoder;
use super::layer::read_up_to;

/// Bytes as they were before gzip or bzip2, or as they are if they never went through it.
///
/// Members follow one another (`cat`, pigz, bgzip, pbzip2), with zeros after them (tapes, block
/// devices). Damage is an error after all that is good (a [`super::Damage`]); then the stream ends.
pub struct Inflate<R> {
    /// The bytes that were looked at, and the rest.
    bytes: Chain<Cursor<Vec<u8>>, R>,
    state: State,
}

/// How a zip packs a file.
#[derive(Clone, Copy)]
pub enum ZipMethod {
    Deflate,
    Bzip2,
}

enum State {
    Plain,
    Packed(Decoder),
    Ended,
}

const GZIP: &[u8] = &[0x1f, 0x8b];
const BZIP2: &[u8] = b"BZh";
/// After the level, a bzip2 begins its first block, or ends without one.
const BZIP2_BLOCKS: [&[u8]; 2] =
    [&[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90]];

/// What the first bytes of a file say that it went through; a name may lie.
pub(super) fn packing(head: &[u8]) -> Option<Packing> {
    let block = head.get(BZIP2.len() + 1..).unwrap_or_default();
    if head.starts_with(GZIP) {
        Some(Packing::Gzip)
    } else if head.starts_with(BZIP2) && BZIP2_BLOCKS.iter().any(|b| block.starts_with(b)) {
        Some(Packing::Bzip2)
    } else {
        None
    }
}

impl<R: BufRead> Inflate<R> {
    /// Looks at the first bytes of `bytes`.
    pub fn new(mut bytes: R) -> Result<Self> {
        let head = read_up_to(10, &mut bytes)?;
        let state = match packing(&head) {
            Some(Packing::Gzip) => State::Packed(Decoder::gzip()),
            Some(packing) => State::Packed(Decoder::bzip2(packing)),
            None => State::Plain,
        };
        Ok(Self { bytes: Cursor::new(head).chain(bytes), state })
    }

    /// Of bytes that a zip packed; they are one member, and have no magic.
    pub fn zipped(method: ZipMethod, bytes: R) -> Self {
        let member = match method {
            ZipMethod::Deflate => Decoder::deflate(Packing::Zip),
            ZipMethod::Bzip2 => Decoder::bzip2(Packing::Zip),
        };
        Self { bytes: Cursor::new(Vec::new()).chain(bytes), state: State::Packed(member) }
    }

    /// What the bytes went through.
    pub fn packing(&self) -> Option<Packing> {
        if let State::Packed(member) = &self.state { Some(member.packing()) } else { None }
    }

    fn some(&mut self, buffer: &mut [u8]) -> Result<usize> {
        while let State::Packed(member) = &mut self.state {
            let count = member.read(&mut self.bytes, buffer)?;
            if count > 0 {
                return Ok(count);
            }
            let packing = member.packing();
            let next = if packing == Packing::Zip { None } else { self.first_after_zeros()? };
            self.state = match (packing, next) {
                (_, None) => State::Ended,
                (Packing::Gzip, Some(0x1f)) => State::Packed(Decoder::gzip()),
                (Packing::Bzip2, Some(b'B')) => State::Packed(Decoder::bzip2(packing)),
                (_, Some(_)) => return Err(packing.damage(DamageKind::Trailing)),
            };
        }
        if let State::Plain = self.state { self.bytes.read(buffer) } else { Ok(0) }
    }

    /// The byte that follows; zeros between members are skipped.
    fn first_after_zeros(&mut self) -> Result<Option<u8>> {
        loop {
            let head = self.bytes.fill_buf()?;
            let zeros = head.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                return Ok(head.first().copied());
            }
            self.bytes.consume(zeros);
        }
    }
}

impl<R: BufRead> Read for Inflate<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let packing = self.packing();
        self.some(buffer).map_err(|error| {
            let Some(packing) = packing else { return error };
            self.state = State::Ended;
            packing.blamed(error)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};

    use bzip2::write::BzEncoder;
    use flate2::{Compression, write::GzEncoder};
    use tracefold_generate::Random;

    use super::super::damage::Damage;
    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// The text and the damage, which are the same for buffers of any size.
    fn read(bytes: &[u8]) -> (Vec<u8>, Option<DamageKind>) {
        let in_pieces = |taken, given| {
            let mut inflate = Inflate::new(BufReader::with_capacity(taken, bytes)).unwrap();
            let (mut text, mut buffer) = (Vec::new(), vec![0; given]);
            loop {
                match inflate.read(&mut buffer) {
                    Ok(0) => return (text, None),
                    Ok(count) => text.extend(&buffer[..count]),
                    Err(error) => return (text, Some(Damage::in_error(&error).unwrap().kind)),
                }
            }
        };
        let whole = in_pieces(1 << 20, 1 << 20);
        for (taken, given) in [(1, 1 << 20), (1 << 20, 1), (7, 13)] {
            assert!(in_pieces(taken, given) == whole, "{taken} {given} {:?}", whole.1);
        }
        whole
    }

    #[test]
    fn members_and_zeros_follow_one_another() {
        for pack in [gzip, bzip2] {
            let packed = [pack(b"one "), vec![0; 1000], pack(b"two"), vec![0; 3]].concat();
            assert_eq!(read(&packed), (b"one two".to_vec(), None));
            assert_eq!(read(&pack(b"")), (vec![], None));
        }
        for plain in ["never packed", "", "BZh9 begins a text", "\u{1f}"] {
            assert_eq!(read(plain.as_bytes()), (plain.as_bytes().to_vec(), None));
        }
    }

    #[test]
    fn damage_keeps_what_came_before_it() {
        let mut random = Random::new(1);
        let text = (0..400_000).map(|_| random.below(256) as u8).collect::<Vec<_>>();
        for pack in [gzip, bzip2] {
            let packed = pack(&text);
            let (half, damage) = read(&packed[..packed.len() / 2]);
            assert!(half.len() > text.len() / 4 && text.starts_with(&half));
            assert_eq!(damage, Some(DamageKind::CutShort));
            let mut broken = packed.clone();
            let last = broken.len() - 6;
            broken[last] ^= 0xff;
            assert_eq!(read(&broken).1, Some(DamageKind::Broken));
            let (all, damage) = read(&[packed, b"junk".to_vec()].concat());
            assert_eq!((all.len(), damage), (text.len(), Some(DamageKind::Trailing)));
        }
    }

    #[test]
    fn every_byte_before_damage_comes_out() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(b"all of this").unwrap();
        encoder.flush().unwrap();
        // No block begins with these bits.
        let broken = [encoder.get_ref().as_slice(), &[7]].concat();
        assert_eq!(read(&broken), (b"all of this".to_vec(), Some(DamageKind::Broken)));
        for (pack, from_end) in [(gzip as fn(&[u8]) -> Vec<u8>, 8), (gzip, 4), (bzip2, 2)] {
            let mut broken = pack(b"all of this");
            let place = broken.len() - from_end;
            // A checksum or a size.
            broken[place] ^= 0x10;
            assert_eq!(read(&broken), (b"all of this".to_vec(), Some(DamageKind::Broken)));
        }
    }

    #[test]
    fn a_header_may_say_more_than_is_needed() {
        let plain = gzip(b"text");
        let mut head = plain[..10].to_vec();
        // Its own checksum, an extra field, a name and a comment.
        head[3] = 2 + 4 + 8 + 16;
        head.extend(b"\x03\0extname\0comment\0\x12\x34");
        let said = [head.as_slice(), &plain[10..]].concat();
        assert_eq!(read(&said), (b"text".to_vec(), None));
        for end in 10..head.len() {
            assert_eq!(read(&said[..end]), (vec![], Some(DamageKind::CutShort)), "{end}");
        }
        for (at, byte) in [(2, 7), (3, 0x20)] {
            let mut unknown = plain.clone();
            unknown[at] = byte;
            assert_eq!(read(&unknown), (vec![], Some(DamageKind::Broken)), "{at}");
        }
    }
}
