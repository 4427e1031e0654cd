/// A number that is not negative, times ten to the power of `decimals`, without what is smaller than 1 then:
/// digit by digit, as a binary fraction would be off by one.
///
/// Beyond `u64` it saturates. `None` if the whole of `text` is no number such as `12`, `1.25` or `3E-2`.
pub fn fixed(text: &str, decimals: i32) -> Option<u64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        // Zeros beyond what any number has are as good as any.
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?.clamp(-999, 999)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_fraction = mantissa.len() > whole.len();
    if whole.is_empty()
        || !are_digits(whole)
        || !are_digits(fraction)
        || (has_fraction && fraction.is_empty())
    {
        return None;
    }
    let count = whole.len() as i64 + i64::from(exponent) + i64::from(decimals);
    let digits = whole.bytes().chain(fraction.bytes()).map(|byte| u64::from(byte - b'0'));
    let digits = digits.chain(std::iter::repeat(0)).take(usize::try_from(count).unwrap_or(0));
    Some(digits.fold(0u64, |value, digit| value.saturating_mul(10).saturating_add(digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_told_exactly() {
        for (text, decimals, expected) in [
            ("0", 3, Some(0)),
            ("1", 3, Some(1000)),
            ("0.001", 3, Some(1)),
            ("4.035", 3, Some(4035)),
            ("0.0019", 3, Some(1)),
            ("1234567.891", 3, Some(1_234_567_891)),
            ("1353609137123456", 3, Some(1_353_609_137_123_456_000)),
            ("1.353609137123456E+15", 3, Some(1_353_609_137_123_456_000)),
            ("1e3", 0, Some(1000)),
            ("1.5E-3", 3, Some(1)),
            ("12e-2", 0, Some(0)),
            ("12e-9999999999", 0, None),
            ("7e-2000", 3, Some(0)),
            ("99999999999999999999", 0, Some(u64::MAX)),
            ("1e400", 0, Some(u64::MAX)),
            ("0e400", 0, Some(0)),
            ("-1", 3, None),
            (".5", 3, None),
            ("1.", 3, None),
            ("+1", 3, None),
            ("1e", 3, None),
            ("x", 3, None),
            ("", 3, None),
        ] {
            assert_eq!(fixed(text, decimals), expected, "{text}");
        }
    }
}
