use std::io::Read;

/// Bytes of a character at most.
const LONGEST: usize = 4;

/// Bytes as UTF-8, in which what is none is replaced as `String::from_utf8_lossy` does: XML has names as the
/// compiler gave them, in any encoding. What is UTF-8 already is copied nowhere.
pub struct Readable<R> {
    bytes: R,
    /// The begin of a character whose end is to come.
    begun: Vec<u8>,
    /// What was replaced and waits to be given, and how far it was.
    replaced: Vec<u8>,
    given: usize,
}

impl<R> Readable<R> {
    pub fn new(bytes: R) -> Self {
        Self { bytes, begun: vec![], replaced: vec![], given: 0 }
    }
}

impl<R: Read> Read for Readable<R> {
    /// `buffer` has room for a character at least.
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            if self.given < self.replaced.len() {
                let count = buffer.len().min(self.replaced.len() - self.given);
                buffer[..count].copy_from_slice(&self.replaced[self.given..self.given + count]);
                self.given += count;
                return Ok(count);
            }
            let begun = self.begun.len();
            buffer[..begun].copy_from_slice(&self.begun);
            let count = self.bytes.read(&mut buffer[begun..])?;
            self.begun.clear();
            let all = &buffer[..begun + count];
            let whole = match std::str::from_utf8(all) {
                Ok(_) => return Ok(all.len()),
                // A character may go on in what comes; at the end nothing does.
                Err(error) if error.error_len().is_none() && count > 0 => error.valid_up_to(),
                Err(_) => all.len() - if count > 0 { unfinished(all) } else { 0 },
            };
            self.begun.extend(&all[whole..]);
            if std::str::from_utf8(&all[..whole]).is_ok() {
                if whole > 0 {
                    return Ok(whole);
                }
                continue;
            }
            self.replaced = String::from_utf8_lossy(&all[..whole]).into_owned().into_bytes();
            self.given = 0;
        }
    }
}

/// How many bytes at the end begin a character that they do not end.
fn unfinished(bytes: &[u8]) -> usize {
    let longest = bytes.len().min(LONGEST - 1);
    let begins = |count: &usize| {
        let end = std::str::from_utf8(&bytes[bytes.len() - count..]);
        end.is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    };
    (1..=longest).rev().find(begins).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes at a time.
    struct Slices<'a>(&'a [u8], usize);

    impl Read for Slices<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn bytes_are_what_replacing_makes_of_all_of_them_however_they_come() {
        for bytes in [
            &b"plain"[..],
            "grün → 🦀 und".as_bytes(),
            b"gr\xfcn",
            b"\xff\xfe<\x00",
            b"cut \xf0\x9f",
            b"\xe2\x82",
            b"\xe2\x28\xa1\xe2\x82\xac\xc3",
            b"",
        ] {
            for slice in 1..8 {
                for room in [4, 5, 64] {
                    let mut readable = Readable::new(Slices(bytes, slice));
                    let (mut all, mut buffer) = (Vec::<u8>::new(), vec![0; room]);
                    loop {
                        let count = readable.read(&mut buffer).unwrap();
                        if count == 0 {
                            break;
                        }
                        all.extend(&buffer[..count]);
                    }
                    assert_eq!(
                        all,
                        String::from_utf8_lossy(bytes).as_bytes(),
                        "{bytes:?} by {slice}"
                    );
                }
            }
        }
    }
}
