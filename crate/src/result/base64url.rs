//! Base64 in the letters that an address may hold, without padding (RFC 4648, §5).
//!
//! The crate for it would add 2.5 kB (gzipped) to what the page loads.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Why a text cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A letter that never occurs.
    Letter,
    /// It stops in the middle of a byte.
    Cut,
}

/// Four letters for three bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for index in 0..=chunk.len() {
            let letter = bits >> (18 - 6 * index) & 63;
            text.push(char::from(LETTERS[letter as usize]));
        }
    }
    text
}

/// The bytes of a text; padding at its end is passed over.
pub fn decode(text: &str) -> Result<Vec<u8>, Unreadable> {
    let letters = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 2);
    for chunk in letters.chunks(4) {
        let mut bits = 0u32;
        for letter in chunk {
            let value = LETTERS.iter().position(|known| known == letter);
            bits = bits << 6 | value.ok_or(Unreadable::Letter)? as u32;
        }
        let missing = 4 - chunk.len() as u32;
        bits <<= 6 * missing;
        // What is left of the last letter's bits is zero in a whole text.
        let spare = 8 * missing;
        if missing == 3 || bits & ((1 << spare) - 1) != 0 {
            return Err(Unreadable::Cut);
        }
        bytes.extend(bits.to_be_bytes().into_iter().skip(1).take(3 - missing as usize));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_standard_are_written_and_read() {
        // RFC 4648, §10, without padding.
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text), Ok(bytes.as_bytes().to_vec()));
        }
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
        let all = (0..=255).collect::<Vec<u8>>();
        assert_eq!(decode(&encode(&all)), Ok(all));
    }

    #[test]
    fn what_is_cut_or_foreign_is_refused() {
        assert_eq!(decode("Z"), Err(Unreadable::Cut));
        assert_eq!(decode("Zm9"), Err(Unreadable::Cut));
        assert_eq!(decode("Zm9v+"), Err(Unreadable::Letter));
        assert_eq!(decode("<script>"), Err(Unreadable::Letter));
    }
}
