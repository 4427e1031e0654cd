/// The numbers of the line that `text` begins with, if it is nothing but numbers between colons.
///
/// They are written into `into`, in place of what was there. Returns the length of the line with
/// its `\n`. `None` says that the line must be looked at more closely, not that it is wrong: it
/// has a sign, a number of more than 16 digits, a `\r`, an empty field, or its end is not here.
///
/// Eight bytes are taken at a time; digit by digit, half as much is read in a second.
#[inline]
pub fn colon_numbers(text: &[u8], into: &mut Vec<u64>) -> Option<usize> {
    into.clear();
    let mut at = 0;
    loop {
        let (count, mut value) = leading_digits(text, at)?;
        at += count;
        if count == 8 {
            let (more, low) = leading_digits(text, at)?;
            at += more;
            value = value * *POWERS.get(more)? + low;
        } else if count == 0 {
            return None;
        }
        into.push(value);
        match text.get(at)? {
            b':' => at += 1,
            b'\n' => return Some(at + 1),
            _ => return None,
        }
    }
}

const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// How many of the eight bytes at `at` are digits before the first that is none, and their value.
/// `None` if there are not eight bytes.
#[inline]
fn leading_digits(text: &[u8], at: usize) -> Option<(usize, u64)> {
    let bytes: [u8; 8] = text.get(at..at + 8)?.try_into().ok()?;
    let bytes = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
    // A digit is below ten now: six more reaches no second half-byte. A carry only goes up, past
    // the first byte that is no digit.
    let others = (bytes | bytes.wrapping_add(0x0606_0606_0606_0606)) & 0xf0f0_f0f0_f0f0_f0f0;
    let count = others.trailing_zeros() / 8;
    if count == 0 {
        return Some((0, 0));
    }
    // Zeros in front, then tens with ones, hundreds with those, and the two halves.
    let digits = bytes << (64 - 8 * count);
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let eight = (fours * 10_000 + (fours >> 32)) & 0xffff_ffff;
    Some((count as usize, eight))
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

    #[test]
    fn what_is_read_is_what_the_definition_reads() {
        let mut into = vec![99];
        for line in [
            "2:1:1:1:1:16856899:30000000:2:42001008:491531372\n1:1:1:1",
            "0:00:007:12345678:123456789:1234567890123456:9999999999999999\n--------",
            "1\n12345678",
            "12345678\n23456789",
        ] {
            let read = colon_numbers(line.as_bytes(), &mut into);
            assert_eq!(read.map(|length| (length, into.clone())), by_definition(line), "{line}");
            assert!(read.is_some(), "{line}");
        }
    }

    #[test]
    fn what_is_no_plain_line_of_numbers_is_left_to_others() {
        let mut into = vec![];
        for line in
            ["", "\n", "1:\n", ":1\n", "1::2\n", "1:-2\n", "1:2\r\n", "1 2\n", "a\n", "1/2\n"]
        {
            let text = format!("{line}3:4:5:6:7:8:9");
            assert_eq!(colon_numbers(text.as_bytes(), &mut into), None, "{line:?}");
        }
        assert_eq!(colon_numbers(b"12345678901234567\n9999999999", &mut into), None);
        assert_eq!(colon_numbers(b"1:2:3", &mut into), None);
    }

    #[test]
    fn any_line_is_read_as_defined_or_not_at_all() {
        let mut random = Random::new(3);
        let mut into = vec![];
        let mut read = 0;
        for _ in 0..20_000 {
            let length = 1 + random.below(60) as usize;
            let letters = b"0123456789012345678901234567890123456789:::\n- /;\xff\0";
            let line = (0..length).map(|_| letters[random.below(letters.len() as u64) as usize]);
            let line = line.collect::<Vec<_>>();
            if let Some(length) = colon_numbers(&line, &mut into) {
                let text = String::from_utf8_lossy(&line);
                assert_eq!(Some((length, into.clone())), by_definition(&text), "{text:?}");
                read += 1;
            }
        }
        assert!(read > 1000, "{read} of the lines were read");
    }
}
