/// The decimal number that `text` begins with, such as `-2.5e-3`, and its length in bytes.
///
/// `None` if it begins with none, or with one that is too large. Numbers of up to 15 digits and
/// powers up to 22 are exact, others within the last bits. The standard library's reader would add
/// 14 kB (gzipped) to what the page loads, most of it tables.
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
    let size = scaled(digits as f64, power);
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

/// `size × 10^power`, in steps that are exact.
fn scaled(mut size: f64, power: i32) -> f64 {
    let mut left = power.unsigned_abs();
    while left > 0 && size != 0.0 && size.is_finite() {
        let step = left.min(22);
        let factor = (0..step).fold(1.0, |factor, _| factor * 10.0);
        size = if power < 0 { size / factor } else { size * factor };
        left -= step;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modest_numbers_are_exact_and_others_close() {
        for number in [0.0, 0.1, 1e-4, 0.0001, 1.5, 2.25e-10, 123456.789, 1e22, 5e-12, -7.0] {
            let text = format!("{number:?}");
            assert_eq!(decimal(text.as_bytes()), Some((number, text.len())), "{text}");
        }
        for number in [1e300, 1.7976931348623157e308, 4e-310, 0.0011811787438864678] {
            let (found, _) = decimal(format!("{number:e}").as_bytes()).unwrap();
            assert!((found - number).abs() <= 4.0 * f64::EPSILON * number, "{found} {number}");
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
