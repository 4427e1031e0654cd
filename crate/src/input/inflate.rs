use std::io::{BufRead, Chain, Cursor, Read, Result};

use bzip2::bufread::BzDecoder;
use flate2::bufread::{DeflateDecoder, GzDecoder};

use super::damage::{DamageKind, Packing};
use super::layer::read_up_to;

/// Bytes as they were before gzip or bzip2, or as they are if they never went through it.
///
/// Members follow one another (`cat`, pigz, bgzip, pbzip2), with zeros after them (tapes, block
/// devices). Damage is an error after all that is good (a [`super::Damage`]); then the stream ends.
pub struct Inflate<R> {
    state: State<Joined<R>>,
}

/// How a zip packs a file.
#[derive(Clone, Copy)]
pub enum ZipMethod {
    Deflate,
    Bzip2,
}

enum State<R> {
    Plain(R),
    Gzip(Box<GzDecoder<R>>),
    Bzip2(Box<BzDecoder<R>>),
    Deflate(Box<DeflateDecoder<R>>),
    Ended,
}

/// The bytes that were looked at, and the rest.
type Joined<R> = Chain<Cursor<Vec<u8>>, R>;

const GZIP: &[u8] = &[0x1f, 0x8b];
const BZIP2: &[u8] = b"BZh";
/// After the level, a bzip2 begins its first block, or ends without one.
const BZIP2_BLOCKS: [&[u8]; 2] =
    [&[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90]];

/// What the first bytes of a file say that it went through; a name may lie.
fn packing(head: &[u8]) -> Option<Packing> {
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
        let packing = packing(&head);
        let bytes = Cursor::new(head).chain(bytes);
        Ok(Self { state: State::new(packing, bytes) })
    }

    /// Of bytes that a zip packed; they are one member, and have no magic.
    pub fn zipped(method: ZipMethod, bytes: R) -> Self {
        let bytes = Cursor::new(Vec::new()).chain(bytes);
        let state = match method {
            ZipMethod::Deflate => State::Deflate(Box::new(DeflateDecoder::new(bytes))),
            ZipMethod::Bzip2 => State::Bzip2(Box::new(BzDecoder::new(bytes))),
        };
        Self { state }
    }

    /// What the bytes went through.
    pub fn packing(&self) -> Option<Packing> {
        match self.state {
            State::Gzip(_) => Some(Packing::Gzip),
            State::Bzip2(_) => Some(Packing::Bzip2),
            State::Deflate(_) => Some(Packing::Zip),
            State::Plain(_) | State::Ended => None,
        }
    }

    /// The next member, if another follows; zeros between members are skipped.
    fn next_member(&mut self, packing: Packing, mut rest: Joined<R>) -> Result<()> {
        loop {
            let head = rest.fill_buf()?;
            if head.is_empty() {
                return Ok(());
            }
            let zeros = head.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                let magic = if packing == Packing::Gzip { GZIP } else { BZIP2 };
                if head.first() != magic.first() {
                    return Err(packing.damage(DamageKind::Trailing));
                }
                self.state = State::new(Some(packing), rest);
                return Ok(());
            }
            rest.consume(zeros);
        }
    }
}

impl<R: BufRead> State<R> {
    fn new(packing: Option<Packing>, bytes: R) -> Self {
        match packing {
            Some(Packing::Gzip) => State::Gzip(Box::new(GzDecoder::new(bytes))),
            Some(Packing::Bzip2) => State::Bzip2(Box::new(BzDecoder::new(bytes))),
            _ => State::Plain(bytes),
        }
    }
}

impl<R: BufRead> Read for Inflate<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            let (packing, read) = match &mut self.state {
                State::Plain(bytes) => return bytes.read(buffer),
                State::Ended => return Ok(0),
                State::Gzip(member) => (Packing::Gzip, member.read(buffer)),
                State::Bzip2(member) => (Packing::Bzip2, member.read(buffer)),
                State::Deflate(bytes) => (Packing::Zip, bytes.read(buffer)),
            };
            match read {
                Ok(0) if !buffer.is_empty() => {
                    let rest = match std::mem::replace(&mut self.state, State::Ended) {
                        State::Gzip(member) => member.into_inner(),
                        State::Bzip2(member) => member.into_inner(),
                        State::Plain(_) | State::Deflate(_) | State::Ended => return Ok(0),
                    };
                    self.next_member(packing, rest)?;
                }
                Ok(count) => return Ok(count),
                Err(error) => {
                    self.state = State::Ended;
                    return Err(packing.blamed(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bzip2::write::BzEncoder;
    use flate2::{Compression, write::GzEncoder};

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

    fn read(bytes: &[u8]) -> (Vec<u8>, Option<DamageKind>) {
        let mut inflate = Inflate::new(bytes).unwrap();
        let mut text = Vec::new();
        let damage = inflate.read_to_end(&mut text).err();
        (text, damage.map(|error| Damage::in_error(&error).unwrap().kind))
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
        let text = (0..100_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes());
        let text = text.collect::<Vec<_>>();
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
}
