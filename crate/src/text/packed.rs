/// Numbers and texts as bytes, for a file that this version of the program alone reads: small numbers
/// take one byte.
#[derive(Debug, Default)]
pub struct Packed(pub Vec<u8>);

impl Packed {
    /// In groups of seven bits, the lowest first (LEB128): 1 to 10 bytes.
    pub fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub fn flag(&mut self, flag: bool) {
        self.0.push(u8::from(flag));
    }

    /// In four bytes. What is made of such a number in memory is larger than what it takes here; a
    /// file must not say much of that in few bytes.
    pub fn wide(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    pub fn text(&mut self, text: &str) {
        self.wide(text.len() as u32);
        self.0.extend(text.as_bytes());
    }
}

/// Reads what [`Packed`] wrote. Every method gives `None` where there is something else.
pub struct PackedRead<'bytes>(pub &'bytes [u8]);

impl PackedRead<'_> {
    #[inline]
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit.
            if shift == 63 && bits > 1 {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number of things that are still to come, each of a byte at least.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    pub fn flag(&mut self) -> Option<bool> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        (byte <= 1).then_some(byte == 1)
    }

    pub fn wide(&mut self) -> Option<u32> {
        let (&bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(bytes))
    }

    pub fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.wide()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_reads_back_and_what_is_cut_does_not() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), 1 << 63, u64::MAX];
        let mut packed = Packed::default();
        numbers.iter().for_each(|number| packed.number(*number));
        packed.flag(true);
        packed.wide(u32::MAX - 1);
        packed.text("grün");
        let read = |bytes: &[u8]| {
            let mut read = PackedRead(bytes);
            let numbers = (0..8).map(|_| read.number()).collect::<Option<Vec<_>>>()?;
            Some((numbers, read.flag()?, read.wide()?, read.text()?, read.0.len()))
        };
        let whole = (numbers.to_vec(), true, u32::MAX - 1, "grün".to_owned(), 0);
        assert_eq!(read(&packed.0), Some(whole));
        for length in 0..packed.0.len() {
            assert_eq!(read(&packed.0[..length]), None, "{length} bytes");
        }
    }

    #[test]
    fn what_nobody_packs_is_none() {
        assert_eq!(PackedRead(&[0xff; 10]).number(), None, "of more than 64 bits");
        assert_eq!(PackedRead(&[0x80; 11]).number(), None, "without an end");
        assert_eq!(PackedRead(&[2]).flag(), None);
        assert_eq!(PackedRead(&[5, 0, 0]).count(), None);
        assert_eq!(PackedRead(&[1, 0, 0, 0, 0xff]).text(), None);
        assert_eq!(PackedRead(&[0xff, 0xff, 0xff, 0xff, b'a']).text(), None);
    }
}
