//! The bytes of a source file as lines, or why they are none.

use std::borrow::Cow;
use std::fmt;

/// A source file of more is made by a program, for a program.
const LARGEST_BYTES: u64 = 8_000_000;

/// So much of a file shows whether it is text.
const LOOKED_AT: usize = 64 << 10;

/// What Windows-1252 has in place of the control characters from 0x80 on; those that it leaves free
/// stay what they are.
const WESTERN: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Why bytes are no source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoText {
    Empty,
    TooLarge { bytes: u64 },
    Binary,
}

impl fmt::Display for NoText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |bytes: u64| format!("{:.1}\u{202f}MB", bytes as f64 / 1e6);
        match self {
            Self::Empty => write!(out, "It is empty."),
            Self::TooLarge { bytes } => write!(
                out,
                "It has {}; source of at most {} is shown.",
                megabytes(*bytes),
                megabytes(LARGEST_BYTES)
            ),
            Self::Binary => write!(out, "It is not text: it holds bytes that no source has."),
        }
    }
}

impl std::error::Error for NoText {}

/// Whether a file of so many bytes is looked at, before it is read.
pub fn check_size(bytes: u64) -> Result<(), NoText> {
    if bytes > LARGEST_BYTES { Err(NoText::TooLarge { bytes }) } else { Ok(()) }
}

/// The lines of a file without their ends, which may be those of any system. UTF-16 is told by its
/// mark; all else is UTF-8, or the bytes of Western Europe, which are never wrong.
pub fn lines_of(bytes: &[u8]) -> Result<Vec<String>, NoText> {
    check_size(bytes.len() as u64)?;
    if bytes.is_empty() {
        return Err(NoText::Empty);
    }
    let text = decoded(bytes).ok_or(NoText::Binary)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut lines: Vec<String> = text
        .split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
        .map(str::to_owned)
        .collect();
    // The end of the last line begins no other.
    lines.pop_if(|line| line.is_empty());
    Ok(lines)
}

fn decoded(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let wide = |from: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| from([pair[0], pair[1]]));
        let text =
            char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        Some(Cow::Owned(text.collect()))
    };
    match bytes {
        [0xff, 0xfe, ..] => return wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return wide(u16::from_be_bytes),
        _ => {}
    }
    if bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0) {
        return None;
    }
    let western = |byte: &u8| match byte {
        0x80..0xa0 => WESTERN[usize::from(*byte - 0x80)],
        _ => char::from(*byte),
    };
    let utf8 = std::str::from_utf8(bytes).ok().map(Cow::Borrowed);
    Some(utf8.unwrap_or_else(|| bytes.iter().map(western).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_lines() {
        let cases: [(&[u8], &[&str]); 9] = [
            (b"a\r\nb\rc\n\n", &["a", "b", "c", ""]),
            (b"one line", &["one line"]),
            (b"\n", &[""]),
            (b"a\r", &["a"]),
            (b"a\n\r\n", &["a", ""]),
            (b"f\xfcr \x80", &["für €"]),
            (b"\xef\xbb\xbfmark\nafter", &["mark", "after"]),
            (b"\xff\xfea\0\n\0b\0", &["a", "b"]),
            (b"\xfe\xff\0a\0\n\0b", &["a", "b"]),
        ];
        for (bytes, expected) in cases {
            assert_eq!(lines_of(bytes).unwrap(), expected, "{bytes:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_in_words() {
        let words = |bytes: &[u8]| lines_of(bytes).unwrap_err().to_string();
        assert_eq!(words(b""), "It is empty.");
        assert_eq!(words(b"\x7fELF\0\0"), "It is not text: it holds bytes that no source has.");
        let large = vec![b'x'; LARGEST_BYTES as usize + 1];
        assert_eq!(
            words(&large),
            "It has 8.0\u{202f}MB; source of at most 8.0\u{202f}MB is shown."
        );
    }
}
