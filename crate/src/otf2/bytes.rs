use super::Damage;

/// All bits of a number of this many bytes: what is not defined.
pub const UNDEFINED: u64 = u32::MAX as u64;

/// Bytes that are read from their begin to their end, in the byte order of their chunk.
///
/// What reads a number is always inlined: WebAssembly hands a result back through memory, and Chromium
/// reads an eighth faster without.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    rest: &'a [u8],
    is_big_endian: bool,
}

impl<'a> Bytes<'a> {
    pub fn new(rest: &'a [u8]) -> Self {
        Self { rest, is_big_endian: false }
    }

    /// Bytes that are still to come.
    #[inline]
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The two bytes that every chunk, and the anchor, begin with: from here on the byte order holds.
    pub fn begin(&mut self) -> Result<(), Damage> {
        const FIRST: u8 = 3;
        if self.byte()? != FIRST {
            return Err(Damage::NoHeader);
        }
        self.is_big_endian = match self.byte()? {
            0x42 => false,
            0x23 => true,
            _ => return Err(Damage::ByteOrder),
        };
        Ok(())
    }

    #[inline(always)]
    pub fn byte(&mut self) -> Result<u8, Damage> {
        let (&byte, rest) = self.rest.split_first().ok_or(Damage::Cut)?;
        self.rest = rest;
        Ok(byte)
    }

    /// So many bytes, as bytes of their own.
    #[inline(always)]
    pub fn take(&mut self, count: usize) -> Result<Self, Damage> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Damage::Cut)?;
        self.rest = rest;
        Ok(Self { rest: taken, ..*self })
    }

    pub fn skip(&mut self, count: usize) -> Result<(), Damage> {
        self.take(count).map(|_| ())
    }

    /// A number of 32 bits that takes 4 bytes.
    pub fn whole_32(&mut self) -> Result<u32, Damage> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Damage::Cut)?;
        self.rest = rest;
        let of = if self.is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
        Ok(of(*bytes))
    }

    /// A number of 64 bits that takes 8 bytes.
    #[inline]
    pub fn whole_64(&mut self) -> Result<u64, Damage> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Damage::Cut)?;
        self.rest = rest;
        Ok(if self.is_big_endian { u64::from_be_bytes(*bytes) } else { u64::from_le_bytes(*bytes) })
    }

    /// A number of 32 bits that takes as many bytes as it must: mostly a reference to a definition.
    #[inline(always)]
    pub fn number_32(&mut self) -> Result<u64, Damage> {
        self.number::<4>()
    }

    /// The same of 64 bits; the bits of a signed or floating value, too.
    #[inline(always)]
    pub fn number_64(&mut self) -> Result<u64, Damage> {
        self.number::<8>()
    }

    #[inline(always)]
    fn number<const MOST_BYTES: usize>(&mut self) -> Result<u64, Damage> {
        const NOT_DEFINED: usize = 255;
        let (&count, rest) = self.rest.split_first().ok_or(Damage::Cut)?;
        let count = usize::from(count);
        if count > MOST_BYTES {
            self.rest = rest;
            return match count {
                NOT_DEFINED => Ok(u64::MAX >> (64 - 8 * MOST_BYTES)),
                _ => Err(Damage::LongNumber),
            };
        }
        let unused_bits = 64 - 8 * count as u32;
        // Eight bytes at once where there are so many, of which the number is some.
        let number = match rest.first_chunk::<8>() {
            Some(bytes) if self.is_big_endian => {
                u64::from_be_bytes(*bytes).checked_shr(unused_bits).unwrap_or(0)
            }
            Some(bytes) => {
                let above = u64::from_le_bytes(*bytes).checked_shl(unused_bits).unwrap_or(0);
                above.checked_shr(unused_bits).unwrap_or(0)
            }
            None => {
                let bytes = rest.get(..count).ok_or(Damage::Cut)?.iter();
                let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
                if self.is_big_endian { bytes.fold(0, add) } else { bytes.rev().fold(0, add) }
            }
        };
        self.rest = rest.get(count..).ok_or(Damage::Cut)?;
        Ok(number)
    }

    /// Text up to a byte 0, which is read over.
    pub fn text(&mut self) -> Result<&'a [u8], Damage> {
        let end = memchr::memchr(0, self.rest).ok_or(Damage::Cut)?;
        let (text, rest) = self.rest.split_at_checked(end).ok_or(Damage::Cut)?;
        self.rest = rest.get(1..).unwrap_or_default();
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: `count` bytes in the byte order, none for 0, all ones for 255.
    fn number(bytes: &[u8], is_big_endian: bool, most: usize) -> Option<u64> {
        let count = usize::from(*bytes.first()?);
        if count == 255 {
            return Some(if most == 4 { u64::from(u32::MAX) } else { u64::MAX });
        }
        let mut taken = bytes.get(1..1 + count).filter(|_| count <= most)?.to_vec();
        if !is_big_endian {
            taken.reverse();
        }
        Some(taken.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    #[test]
    fn numbers_of_every_length_are_read_in_both_orders_with_and_without_bytes_behind_them() {
        for (order, is_big_endian) in [(0x42, false), (0x23, true)] {
            for count in (0..=9).chain([255]) {
                for behind in [0, 1, 20] {
                    let mut stored = vec![3, order, count];
                    let long = if count == 255 { 0 } else { count };
                    stored.extend((0..long + behind).map(|at| 13u8.wrapping_mul(at) | 0x81));
                    for most in [4, 8] {
                        let mut bytes = Bytes::new(&stored);
                        bytes.begin().unwrap();
                        let read = if most == 4 { bytes.number_32() } else { bytes.number_64() };
                        let expected = number(&stored[2..], is_big_endian, most);
                        assert_eq!(read.ok(), expected, "{count} of {most} in {order:x}");
                        if read.is_ok() {
                            assert_eq!(bytes.left(), usize::from(behind));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_cut_is_damage_and_a_text_ends_at_its_zero() {
        let mut bytes = Bytes::new(b"\x03\x42ab\0c");
        bytes.begin().unwrap();
        assert_eq!(bytes.text(), Ok(b"ab".as_slice()));
        assert_eq!(bytes.text(), Err(Damage::Cut));
        assert_eq!(Bytes::new(&[4]).number_32(), Err(Damage::Cut));
        assert_eq!(Bytes::new(&[4, 0x42]).begin(), Err(Damage::NoHeader));
        assert_eq!(Bytes::new(&[3, 0x43]).begin(), Err(Damage::ByteOrder));
        assert_eq!(Bytes::new(&[0; 7]).whole_64(), Err(Damage::Cut));
    }
}
