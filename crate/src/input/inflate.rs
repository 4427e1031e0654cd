use std::io::{BufRead, ErrorKind, Read, Result};

use flate2::bufread::GzDecoder;

/// How a gzip stream ended that did not end well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The file stops in the middle of a member.
    CutShort,
    /// What is there is not what was packed.
    Broken,
    /// Something that is no gzip follows the last member.
    Trailing,
}

/// Bytes as they were before gzip, or as they are if they never went through it.
///
/// Members follow one another (`cat`, pigz, bgzip), with zeros after them (tapes, block devices).
/// Damage ends the stream early and is kept in [`Inflate::damage`]: what came before it is good.
pub struct Inflate<R> {
    state: State<R>,
    damage: Option<Damage>,
}

enum State<R> {
    Plain(R),
    Member(Box<GzDecoder<R>>),
    Ended,
}

const MAGIC: [u8; 2] = [0x1f, 0x8b];

impl<R: BufRead> Inflate<R> {
    /// Looks at the first bytes of `bytes`: a name may lie.
    pub fn new(mut bytes: R) -> Result<Self> {
        let packed = bytes.fill_buf()?.starts_with(&MAGIC);
        let state = match packed {
            true => State::Member(Box::new(GzDecoder::new(bytes))),
            false => State::Plain(bytes),
        };
        Ok(Self { state, damage: None })
    }

    /// What is wrong with the file, once the stream has ended.
    pub fn damage(&self) -> Option<Damage> {
        self.damage
    }

    /// The next member, if another follows; zeros between members are skipped.
    fn next_member(&mut self, mut rest: R) -> Result<()> {
        loop {
            let head = rest.fill_buf()?;
            if head.is_empty() {
                return Ok(());
            }
            let zeros = head.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                if head.first() == MAGIC.first() {
                    self.state = State::Member(Box::new(GzDecoder::new(rest)));
                } else {
                    self.damage = Some(Damage::Trailing);
                }
                return Ok(());
            }
            rest.consume(zeros);
        }
    }
}

impl<R: BufRead> Read for Inflate<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            let read = match &mut self.state {
                State::Plain(bytes) => return bytes.read(buffer),
                State::Ended => return Ok(0),
                State::Member(member) => member.read(buffer),
            };
            match read {
                Ok(0) if !buffer.is_empty() => {
                    if let State::Member(member) = std::mem::replace(&mut self.state, State::Ended)
                    {
                        self.next_member(member.into_inner())?;
                    }
                }
                Ok(count) => return Ok(count),
                Err(error) => {
                    self.damage = Some(match error.kind() {
                        ErrorKind::UnexpectedEof => Damage::CutShort,
                        ErrorKind::InvalidInput | ErrorKind::InvalidData => Damage::Broken,
                        _ => return Err(error),
                    });
                    self.state = State::Ended;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> (Vec<u8>, Option<Damage>) {
        let mut inflate = Inflate::new(bytes).unwrap();
        let mut text = Vec::new();
        inflate.read_to_end(&mut text).unwrap();
        (text, inflate.damage())
    }

    #[test]
    fn members_and_zeros_follow_one_another() {
        let packed = [gzip(b"one "), vec![0; 1000], gzip(b"two"), vec![0; 3]].concat();
        assert_eq!(read(&packed), (b"one two".to_vec(), None));
        assert_eq!(read(b"never packed"), (b"never packed".to_vec(), None));
        assert_eq!(read(b""), (vec![], None));
    }

    #[test]
    fn damage_keeps_what_came_before_it() {
        let text = (0..50_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes());
        let text = text.collect::<Vec<_>>();
        let packed = gzip(&text);
        let (half, damage) = read(&packed[..packed.len() / 2]);
        assert!(half.len() > text.len() / 3 && text.starts_with(&half));
        assert_eq!(damage, Some(Damage::CutShort));
        let (all, damage) = read(&[packed, b"junk".to_vec()].concat());
        assert_eq!((all.len(), damage), (text.len(), Some(Damage::Trailing)));
    }
}
