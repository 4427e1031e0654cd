/// The fields of a line and the column at which each begins.
///
/// Columns count bytes from 1. A field may be empty.
pub struct Fields<'line> {
    line: &'line [u8],
    separator: u8,
    next: usize,
}

impl<'line> Fields<'line> {
    /// Fields between `:`, as in `.prv` records.
    pub fn colons(line: &'line [u8]) -> Self {
        Self { line, separator: b':', next: 0 }
    }

    /// Fields between runs of blanks, as in `.extract` files.
    pub fn blanks(line: &'line [u8]) -> Self {
        let mut fields = Self { line, separator: b' ', next: 0 };
        fields.skip_blanks();
        fields
    }

    /// The next field with its column, or `None` at the end of the line.
    #[inline]
    pub fn next_field(&mut self) -> Option<(usize, &'line [u8])> {
        let rest = self.line.get(self.next..).filter(|_| self.next <= self.line.len())?;
        let column = self.next + 1;
        let end = rest.iter().position(|&byte| self.ends_field(byte)).unwrap_or(rest.len());
        // One past the end marks that the line is used up, so that `a:` has an empty last field.
        self.next += end + 1;
        if self.separator == b' ' {
            self.skip_blanks();
        }
        rest.get(..end).map(|field| (column, field))
    }

    /// The column of the next field; one past the line at its end.
    pub fn column(&self) -> usize {
        self.next.min(self.line.len()) + 1
    }

    fn ends_field(&self, byte: u8) -> bool {
        byte == self.separator || (self.separator == b' ' && byte == b'\t')
    }

    fn skip_blanks(&mut self) {
        let blank = |byte: &&u8| **byte == b' ' || **byte == b'\t';
        let rest = self.line.get(self.next..).unwrap_or_default();
        self.next += rest.iter().take_while(blank).count();
        if self.next >= self.line.len() {
            self.next = self.line.len() + 1;
        }
    }
}

/// Reads an unsigned decimal number of any length; beyond `u64` it saturates and says so.
///
/// `None` if `field` is empty or has anything but digits.
#[inline]
pub fn number(field: &[u8]) -> Option<(u64, bool)> {
    if field.is_empty() {
        return None;
    }
    let mut value = 0u64;
    let mut saturated = false;
    for &byte in field {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        let grown = value.checked_mul(10).and_then(|ten| ten.checked_add(u64::from(digit)));
        saturated |= grown.is_none();
        value = grown.unwrap_or(u64::MAX);
    }
    Some((if saturated { u64::MAX } else { value }, saturated))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mut fields: Fields<'_>, expected: &[(usize, &str)]) {
        let mut found = Vec::new();
        while let Some((column, field)) = fields.next_field() {
            found.push((column, std::str::from_utf8(field).unwrap()));
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn colons_separate_and_may_stand_side_by_side() {
        check(Fields::colons(b"2:1::77"), &[(1, "2"), (3, "1"), (5, ""), (6, "77")]);
        check(Fields::colons(b"2:"), &[(1, "2"), (3, "")]);
        check(Fields::colons(b""), &[(1, "")]);
    }

    #[test]
    fn runs_of_blanks_separate_once() {
        check(Fields::blanks(b"  I 1\t 22  "), &[(3, "I"), (5, "1"), (8, "22")]);
        check(Fields::blanks(b"   "), &[]);
    }

    #[test]
    fn numbers_saturate_instead_of_wrapping() {
        assert_eq!(number(b"18446744073709551615"), Some((u64::MAX, false)));
        assert_eq!(number(b"18446744073709551616"), Some((u64::MAX, true)));
        assert_eq!(number(b"99999999999999999999999"), Some((u64::MAX, true)));
        assert_eq!(number(b"007"), Some((7, false)));
        for bad in ["", "-1", "+1", "1.0", " 1", "x"] {
            assert_eq!(number(bad.as_bytes()), None, "{bad}");
        }
    }
}
