/// The decimal number that `text` begins with, such as `-2.5e-3`, and its length in bytes.
///
/// `None` if it begins with none, or with one that is too large. Numbers of up to 19 digits, all
/// that are printed among them, are the nearest there is; of longer ones the last bit may differ.
/// The standard library's reader would add 14 kB (gzipped) to what the page loads, most of it
/// tables.
pub fn decimal(text: &[u8]) -> Option<(f64, usize)> {
    let at = |index: usize| text.get(index).copied().unwrap_or(0);
    let negative = at(0) == b'-';
    let start = usize::from(negative);
    let (mut digits, mut power, mut end, mut point) = (0u64, 0i32, start, None);
    loop {
        match at(end) {
            byte @ b'0'..=b'9' if digits < u64::MAX / 10 - 1 => {
                digits = digits * 10 + u64::from(byte - b'0');
                power -= i32::from(point.is_some());
            }
            // More digits than a number can tell apart.
            b'0'..=b'9' => power += i32::from(point.is_none()),
            b'.' if point.is_none() && end > start && at(end + 1).is_ascii_digit() => {
                point = Some(end);
            }
            _ => break,
        }
        end += 1;
    }
    if end == start {
        return None;
    }
    if let Some((exponent, length)) = exponent(text.get(end..).unwrap_or_default()) {
        power = power.saturating_add(exponent);
        end += length;
    }
    let size = nearest(digits, power);
    size.is_finite().then_some((if negative { -size } else { size }, end))
}

/// `e-3` and its length, if there are digits.
fn exponent(text: &[u8]) -> Option<(i32, usize)> {
    let mut rest = text.strip_prefix(b"e").or(text.strip_prefix(b"E"))?;
    let falls = rest.first() == Some(&b'-');
    if let Some(b'-' | b'+') = rest.first() {
        rest = rest.get(1..)?;
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let size = rest.iter().take(digits).fold(0i32, |size, byte| {
        size.saturating_mul(10).saturating_add(i32::from(byte - b'0')).min(10_000)
    });
    let length = text.len() - rest.len() + digits;
    (digits > 0).then_some((if falls { -size } else { size }, length))
}

/// The number nearest to `digits × 10^power`, of two as near the even one; infinite if too large.
fn nearest(digits: u64, power: i32) -> f64 {
    if digits == 0 || power < -400 {
        return 0.0;
    }
    let ten_to = |power: u32| (0..power).fold(1.0, |ten, _| ten * 10.0);
    match power {
        // Both are exact, so that there is one rounding.
        0..=22 if digits < 1 << 53 => digits as f64 * ten_to(power.unsigned_abs()),
        -22..0 if digits < 1 << 53 => digits as f64 / ten_to(power.unsigned_abs()),
        400.. => f64::INFINITY,
        _ => by_long_arithmetic(digits, power),
    }
}

/// The same in words of 32 bits, the lowest first. So many of them lie below the point that division
/// leaves three.
fn by_long_arithmetic(digits: u64, power: i32) -> f64 {
    let below = if power < 0 { 4 + power.unsigned_abs() as usize / 9 } else { 0 };
    let mut words = vec![0u32; below];
    words.extend([digits as u32, (digits >> 32) as u32]);
    let (mut left, mut inexact) = (power.unsigned_abs(), false);
    while left > 0 {
        let step = left.min(9);
        let factor = 10u64.pow(step);
        if power < 0 {
            let rest = words.iter_mut().rev().fold(0, |rest, word| {
                let number = rest << 32 | u64::from(*word);
                *word = (number / factor) as u32;
                number % factor
            });
            inexact |= rest != 0;
        } else {
            let carry = words.iter_mut().fold(0, |carry, word| {
                let number = u64::from(*word) * factor + carry;
                *word = number as u32;
                number >> 32
            });
            words.push(carry as u32);
        }
        left -= step;
    }
    while words.last() == Some(&0) {
        words.pop();
    }
    let top = words.iter().rev().chain([&0, &0, &0]).take(3);
    let top = top.fold(0, |top, word| top << 32 | u128::from(*word));
    let rest = words.len().saturating_sub(3);
    inexact |= words.iter().take(rest).any(|word| *word != 0);
    rounded(top, 32 * (words.len() as i32 - 3 - below as i32), inexact)
}

/// The number nearest to `top × 2^exponent`, or to a bit more than that if it is `inexact`.
fn rounded(top: u128, exponent: i32, inexact: bool) -> f64 {
    // A number has 53 bits, the lowest of which is worth at least 2^-1074.
    let bits = 128 - top.leading_zeros() as i32;
    let dropped = (bits - 53).max(-1074 - exponent);
    let Ok(dropped @ 1..128) = u32::try_from(dropped) else { return 0.0 };
    let (kept, rest) = (top >> dropped, top & ((1 << dropped) - 1));
    let half = 1 << (dropped - 1);
    let up = rest > half || (rest == half && (inexact || kept % 2 == 1));
    let power = (exponent + dropped as i32 + 1074) as u64;
    // What is rounded up to the next power of two carries into the exponent, as it should.
    let bits = (power << 52) + kept as u64 + u64::from(up);
    f64::from_bits(bits.min(f64::INFINITY.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_as_the_same_number() {
        let edges = [0.0, 0.1, 1e-4, 5e-12, -7.0, 1e22, 1e23, 9007199254740993.0, 0.3 - 0.1];
        let limits = [f64::MAX, f64::MIN_POSITIVE, 5e-324, 2.225073858507201e-308];
        let any = (1..20_000u64).map(|n| f64::from_bits(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        for number in edges.into_iter().chain(limits).chain(any.filter(|n| n.is_finite())) {
            for text in [format!("{number}"), format!("{number:e}")] {
                let (found, length) = decimal(text.as_bytes()).unwrap();
                assert_eq!((found.to_bits(), length), (number.to_bits(), text.len()), "{text}");
            }
        }
    }

    #[test]
    fn a_number_of_many_digits_is_the_nearest() {
        for n in 1..50_000u64 {
            let digits = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (n % 61);
            let text = format!("{}e{}", digits / 10, (n % 700) as i32 - 380);
            let nearest = text.parse::<f64>().unwrap();
            let found = decimal(text.as_bytes()).map(|(found, _)| found);
            assert_eq!(found, Some(nearest).filter(|nearest| nearest.is_finite()), "{text}");
        }
        // Half way between two numbers, and a bit to either side.
        for (text, nearest) in [
            ("9007199254740993", 9007199254740992.0),
            ("9007199254740993000000000e-9", 9007199254740992.0),
            ("9007199254740995", 9007199254740996.0),
            ("9007199254740993.001", 9007199254740994.0),
            ("2.4703282292062328e-324", 5e-324),
            ("2.4703282292062327e-324", 0.0),
        ] {
            assert_eq!(decimal(text.as_bytes()), Some((nearest, text.len())), "{text}");
        }
    }

    #[test]
    fn only_the_number_is_taken_and_what_is_none_is_refused() {
        for (text, number, length) in [
            ("1,2", 1.0, 1),
            ("2.x", 2.0, 1),
            ("3e", 3.0, 1),
            ("-4e+1]", -40.0, 5),
            ("1.2.3", 1.2, 3),
        ] {
            assert_eq!(decimal(text.as_bytes()), Some((number, length)), "{text}");
        }
        for text in ["", "-", ".5", "e1", "x", "+1", "1e999", "NaN", "inf"] {
            assert_eq!(decimal(text.as_bytes()), None, "{text}");
        }
    }
}
