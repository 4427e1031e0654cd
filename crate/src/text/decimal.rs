/// The finite number that the whole of `text` is, such as `-2.5e-3`; `None` if it is none, or one
/// that is too large.
pub fn decimal(text: &str) -> Option<f64> {
    leading_decimal(text).filter(|(_, length)| *length == text.len()).map(|(number, _)| number)
}

/// The number that `text` begins with, and its length in bytes; `None` if it begins with none, or
/// with one that is too large.
///
/// As a person or a file writes numbers: `inf`, `nan`, `+1`, `.5` and `1.`, which the standard
/// library reads too, are none.
pub fn leading_decimal(text: &str) -> Option<(f64, usize)> {
    let digits = |from: usize| {
        let rest = text.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let at = |index: usize| text.as_bytes().get(index).copied();
    let start = usize::from(at(0) == Some(b'-'));
    let mut end = digits(start);
    if end == start {
        return None;
    }
    if at(end) == Some(b'.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if let Some(b'e' | b'E') = at(end) {
        let sign = usize::from(matches!(at(end + 1), Some(b'-' | b'+')));
        let power = end + 1 + sign;
        end = if digits(power) > power { digits(power) } else { end };
    }
    let number = text.get(..end)?.parse().ok()?;
    f64::is_finite(number).then_some((number, end))
}

/// The shortest decimal that reads back as the same number, without a needless `.0`.
pub fn shortest(value: f64) -> String {
    let mut text = format!("{value:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, expected) in [
            ("0", Some(0.0)),
            ("-0", Some(-0.0)),
            ("007", Some(7.0)),
            ("-2.5e-3", Some(-0.0025)),
            ("1E3", Some(1000.0)),
            ("1e+3", Some(1000.0)),
            ("0.1", Some(0.1)),
            ("123456789012345678901234567890", Some(1.234_567_890_123_456_8e29)),
            ("1e-400", Some(0.0)),
            ("1e999", None),
            ("inf", None),
            ("-inf", None),
            ("nan", None),
            ("+1", None),
            (".5", None),
            ("1.", None),
            ("1.e5", None),
            ("1e", None),
            ("e5", None),
            ("-", None),
            ("", None),
            (" 1", None),
            ("1 ", None),
            ("1_0", None),
            ("0x10", None),
            ("١", None),
        ] {
            assert_eq!(decimal(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_number_ends_where_no_number_goes_on() {
        for (text, expected) in [
            ("1.5e3x", Some((1500.0, 5))),
            ("2..3", Some((2.0, 1))),
            ("3e+", Some((3.0, 1))),
            ("4.e", Some((4.0, 1))),
            ("-5-6", Some((-5.0, 2))),
            ("1e999 2", None),
            ("é", None),
        ] {
            assert_eq!(leading_decimal(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_printed_is_read_as_the_same_number() {
        for value in
            [0.1, 1.0 / 3.0, 5e-324, f64::MAX, -1e21, 123_456_789.125, 9_007_199_254_740_992.0]
        {
            assert_eq!(decimal(&shortest(value)), Some(value));
        }
        assert_eq!([3.0, -7.0, 0.5, 1e300].map(shortest), ["3", "-7", "0.5", "1e300"]);
    }
}
