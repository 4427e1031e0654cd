use wide::u8x16;

use super::MAX_LINE_BYTES;

/// Most digits of a number that is read the fast way: twice the eight that are taken at a time.
const MOST_DIGITS: usize = 16;
/// Bytes that are looked at together: a bit of a word for each.
const STEP: usize = u64::BITS as usize;

/// Reads the numbers of the line that `text` begins with, if it is nothing but numbers between
/// colons, in place of those in `into`. Returns the length of the line with its `\n`.
///
/// `None` says that the line must be looked at more closely, not that it is wrong: it has a sign, a
/// number of more than 16 digits, a `\r`, an empty field, or is among the last bytes of `text`.
///
/// Separators are found before any number is read, so that the place of a number waits for no
/// number before it: in two thirds of the time that it takes to go from number to number.
#[inline]
pub fn numbers(text: &[u8], into: &mut Vec<u64>) -> Option<usize> {
    into.clear();
    let mut from = 0;
    for at in (0..MAX_LINE_BYTES).step_by(STEP) {
        let (colons, others) = separators(text.get(at..at + STEP)?)?;
        let mut ends = ends(colons, others);
        while ends != 0 {
            let end = at + ends.trailing_zeros() as usize;
            into.push(number(text, from, end)?);
            from = end + 1;
            ends &= ends - 1;
        }
        if others != 0 {
            return (text.get(from - 1) == Some(&b'\n')).then_some(from);
        }
    }
    None
}

/// Where the fields of a short line end that is nothing but so many numbers between colons: what
/// nobody asks for is not read.
pub struct ShortLine<const FIELDS: usize>([u32; FIELDS]);

impl<const FIELDS: usize> ShortLine<FIELDS> {
    /// The line that `text` begins with; `None`, as [`numbers`] says it, too of one of other fields or
    /// of more than 63 bytes.
    #[inline]
    pub fn find(text: &[u8]) -> Option<Self> {
        let (colons, others) = separators(text.get(..STEP)?)?;
        let mut left = if others != 0 { ends(colons, others) } else { 0 };
        let (mut fields, mut from, mut has_odd) = ([0; FIELDS], 0, false);
        for end in &mut fields {
            *end = left.trailing_zeros();
            has_odd |= end.wrapping_sub(from).wrapping_sub(1) >= MOST_DIGITS as u32;
            from = *end + 1;
            left &= left.wrapping_sub(1);
        }
        let is_plain = text.get(from as usize - 1) == Some(&b'\n');
        (is_plain && left == 0 && !has_odd).then_some(Self(fields))
    }

    /// With its `\n`.
    pub fn length(&self) -> usize {
        self.0.last().map_or(0, |end| *end as usize + 1)
    }

    /// The number in the field with this index of the `text` that the line was found in.
    #[inline(always)]
    pub fn number(&self, text: &[u8], index: usize) -> Option<u64> {
        let from = if index == 0 { 0 } else { *self.0.get(index - 1)? as usize + 1 };
        number(text, from, *self.0.get(index)? as usize)
    }
}

/// The colons up to the first byte that is neither colon nor digit, and that byte, which ends the
/// last field.
#[inline]
fn ends(colons: u64, others: u64) -> u64 {
    match others {
        0 => colons,
        _ => colons & !(u64::MAX << others.trailing_zeros()) | others & others.wrapping_neg(),
    }
}

/// Which of the bytes are colons, and which are neither colons nor digits; `None` unless there are
/// [`STEP`].
#[inline]
fn separators(bytes: &[u8]) -> Option<(u64, u64)> {
    let bytes: &[u8; STEP] = bytes.try_into().ok()?;
    let (sixteens, _) = bytes.as_chunks();
    let (mut colons, mut others) = (0, 0);
    for (place, sixteen) in sixteens.iter().enumerate() {
        let bytes = u8x16::new(*sixteen) - u8x16::splat(b'0');
        // A colon is one above the nine. What is above ten as a byte without sign has its highest bit
        // set, which is what a mask is made of, once ten is moved to 127.
        let colon = bytes.simd_eq(u8x16::splat(10)).to_bitmask();
        let other = bytes.saturating_add(u8x16::splat(117)).to_bitmask();
        colons |= u64::from(colon) << (16 * place);
        others |= u64::from(other) << (16 * place);
    }
    Some((colons, others))
}

/// The number whose digits, 1 to 16 of them, are the bytes of `text` in this range; `None` if `text`
/// ends too soon after them.
#[inline(always)]
fn number(text: &[u8], from: usize, to: usize) -> Option<u64> {
    // Bits that eight digits have too many.
    let beyond = |digits: usize| 64 - 8 * digits as u32;
    let first = eight_bytes(text, from)?;
    match to - from {
        count @ 1..=8 => Some(of_digits(first << beyond(count))),
        count @ 9..=MOST_DIGITS => {
            let low = of_digits(eight_bytes(text, to - 8)?);
            Some(of_digits(first << beyond(count - 8)) * 100_000_000 + low)
        }
        _ => None,
    }
}

#[inline]
fn eight_bytes(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(text.get(at..at + 8)?.try_into().ok()?))
}

/// The value of eight digits, the first in the lowest byte; bytes of 0 count as the digit 0.
#[inline]
fn of_digits(digits: u64) -> u64 {
    // Tens with ones, hundreds with those, and the two halves.
    let digits = digits & 0x0f0f_0f0f_0f0f_0f0f;
    // Nothing wraps: it is said so that nothing is checked.
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// The definition: what the fast way may say of a line.
    fn by_definition(text: &str) -> Option<(usize, Vec<u64>)> {
        let (line, _) = text.split_once('\n')?;
        let field = |field: &str| {
            let digits = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
            field.parse().ok().filter(|_| digits)
        };
        let numbers = line.split(':').map(field).collect::<Option<Vec<u64>>>()?;
        Some((line.len() + 1, numbers))
    }

    /// Length and numbers of the line that `text` begins with, if it is read.
    fn read(text: &[u8]) -> Option<(usize, Vec<u64>)> {
        let mut into = vec![99];
        let length = numbers(text, &mut into)?;
        Some((length, into))
    }

    /// The same of a line of three fields.
    fn read_short(text: &[u8]) -> Option<(usize, Vec<u64>)> {
        let line = ShortLine::<3>::find(text)?;
        assert_eq!(line.number(text, 3), None);
        let numbers = (0..3).map(|index| line.number(text, index));
        Some((line.length(), numbers.collect::<Option<Vec<_>>>()?))
    }

    /// The same with as many bytes behind the line as are looked at together.
    fn read_in_text(line: &[u8], behind: u8) -> Option<(usize, Vec<u64>)> {
        let text = [line, &[behind; STEP]].concat();
        let read = read(&text);
        let is_short = |read: &(usize, Vec<u64>)| read.0 <= STEP && read.1.len() == 3;
        assert_eq!(read_short(&text), read.clone().filter(is_short), "{line:?}");
        read
    }

    #[test]
    fn what_is_read_is_what_the_definition_reads() {
        let long = "12345:678:".repeat(40) + "9\n";
        for line in [
            "2:1:1:1:1:16856899:30000000:2:42001008:491531372\n",
            "0:00:007:12345678:123456789:1234567890123456:9999999999999999\n",
            "1\n",
            "12345678\n",
            "12345678:1:1234567890123456\n",
            "1:2:3:4\n",
            "1:2\n",
            &long,
        ] {
            for behind in *b"\0\n09:-\xff" {
                let read = read_in_text(line.as_bytes(), behind);
                assert_eq!(read, by_definition(line), "{line} {behind}");
                assert!(read.is_some(), "{line}");
            }
        }
    }

    #[test]
    fn lines_of_any_length_are_read_wherever_their_separators_fall() {
        for length in 1..300 {
            for step in 1..=17 {
                let byte = |at| if at % (step + 1) == step { b':' } else { b'0' + (at % 10) as u8 };
                let line = (0..length).map(byte).chain(*b"\n").collect::<Vec<_>>();
                let text = String::from_utf8_lossy(&line);
                let expected = by_definition(&text).filter(|_| step <= MOST_DIGITS || length < 17);
                assert_eq!(read_in_text(&line, b'5'), expected, "{text:?}");
            }
        }
    }

    #[test]
    fn what_is_no_plain_line_of_numbers_is_left_to_others() {
        let lines = [
            "",
            "\n",
            "1:\n",
            ":1\n",
            "1::2\n",
            "1:-2\n",
            "1:2\r\n",
            "1 2\n",
            "a\n",
            "1/2\n",
            "1:2:3:\n",
            "1::2:3\n",
            ":1:2:3\n",
            "1:2:3 \n",
            "1:2:12345678901234567\n",
        ];
        for line in lines {
            assert_eq!(read_in_text(line.as_bytes(), b'3'), None, "{line:?}");
        }
        assert_eq!(read_in_text(b"12345678901234567\n", b'9'), None);
        assert_eq!(read(b"1:2:3"), None);
        assert_eq!(read(b"1:2:3\n4:5"), None, "too near to the end");
        let endless = vec![b'1'; MAX_LINE_BYTES + 2 * STEP];
        assert_eq!(read(&endless), None);
    }

    #[test]
    fn any_line_is_read_as_defined_or_not_at_all() {
        let mut random = Random::new(3);
        let mut count = 0;
        for _ in 0..20_000 {
            let length = 1 + random.below(60) as usize;
            let letters = b"0123456789012345678901234567890123456789:::\n- /;\xff\0";
            let line = (0..length).map(|_| letters[random.below(letters.len() as u64) as usize]);
            let line = line.collect::<Vec<_>>();
            if let Some(read) = read_in_text(&line, b'\n') {
                let text = String::from_utf8_lossy(&line) + "\n";
                assert_eq!(Some(read), by_definition(&text), "{text:?}");
                count += 1;
            }
        }
        assert!(count > 1000, "{count} of the lines were read");
    }
}
