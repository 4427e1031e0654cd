//! Numbers as people read them.

/// Narrow no-break space: between groups of three digits and before a unit.
pub const THIN: char = '\u{202f}';

/// What stands where there is no number.
pub const NONE: &str = "–";

/// Largest size of a number that is drawn or printed.
const HUGE: f64 = 1e300;

/// A number that neither is nor makes an infinity on an axis; what is none becomes 0.
pub fn tame(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-HUGE, HUGE) }
}

/// `1234567.891` with two decimals becomes `1 234 567.89`, in thin spaces and with a true minus.
/// What would be longer than 15 digits, or shorter than its decimals tell, becomes `1.2×10²⁰`.
pub fn number(value: f64, decimals: usize) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let size = value.abs();
    if size >= 1e15 || (size > 0.0 && decimals >= 6 && size < 1e-4) {
        return scientific(value);
    }
    let digits = format!("{size:.decimals$}");
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut text = String::new();
    if value < 0.0 && digits.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        text.push('\u{2212}');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(THIN);
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.1e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let raise = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => {
            char::from_u32('⁰' as u32 + (digit as u32).saturating_sub('0' as u32)).unwrap_or('⁰')
        }
    };
    let mantissa = mantissa.trim_end_matches(".0").replace('-', "\u{2212}");
    format!("{mantissa}×10{}", exponent.chars().map(raise).collect::<String>())
}

/// The largest power of a thousand that `value` reaches, and its letter: 10⁹ and `G`.
pub fn thousands(value: f64) -> (f64, &'static str) {
    let letters = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    letters.into_iter().find(|(size, _)| value.abs() >= *size).unwrap_or((1.0, ""))
}

/// A count in four significant figures with the letter of its thousands: `60.09 G`.
pub fn count(value: f64) -> String {
    let value = tame(value);
    let (size, letter) = thousands(value);
    let scaled = value / size;
    let decimals = match scaled.abs() {
        v if v >= 1000.0 || (size == 1.0 && v == libm::round(v)) => 0,
        v if v >= 100.0 => 1,
        v if v >= 10.0 => 2,
        _ => 3,
    };
    let space = if letter.is_empty() { String::new() } else { THIN.to_string() };
    format!("{}{space}{letter}", number(scaled, decimals))
}

/// A change in per cent, with its sign, of a share: whole from 10 % on, with one digit below.
pub fn change(share: f64) -> String {
    let percent = 100.0 * tame(share);
    signed(percent, usize::from(percent.abs() < 9.95))
}

/// As [`number`], with a plus where it is more than nothing as it is written.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = number(value, decimals);
    let is_more = value > 0.0 && text.contains(|digit: char| ('1'..='9').contains(&digit));
    format!("{}{text}", if is_more { "+" } else { "" })
}

/// So many significant figures, never fewer than the whole digits; trailing zeros are kept.
pub fn significant(value: f64, figures: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let whole = libm::floor(libm::log10(tame(value).abs())) as i32 + 1;
    number(value, figures.saturating_sub(whole).clamp(0, 12) as usize)
}

/// A share of a whole, with so many decimals of a per cent.
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{}{THIN}%", number(100.0 * share, decimals))
}

/// A time by itself: microseconds below a millisecond, seconds above 100 of them; in three or four
/// figures, but never fewer than the whole digits.
pub fn duration(ns: f64) -> String {
    let ms = tame(ns) / 1e6;
    if ms > 0.0 && ms < 1.0 {
        return format!("{}{THIN}µs", significant(ms * 1e3, 3));
    }
    if ms > 100_000.0 {
        return format!("{}{THIN}s", number(ms / 1e3, if ms < 1e6 { 1 } else { 0 }));
    }
    let decimals = match ms {
        v if v >= 1000.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{}{THIN}ms", number(ms, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_carry_a_true_minus() {
        assert_eq!(number(14647.684, 1), "14\u{202f}647.7");
        assert_eq!(number(-0.5, 1), "\u{2212}0.5");
        assert_eq!(number(-0.001, 1), "0.0");
        assert_eq!(number(999.0, 0), "999");
        assert_eq!(number(1e6, 0), "1\u{202f}000\u{202f}000");
        assert_eq!(number(f64::NAN, 0), "0");
        assert_eq!(number(-2.5e-9, 9), "\u{2212}2.5×10⁻⁹");
    }

    #[test]
    fn counts_have_four_figures() {
        assert_eq!(count(60_090_870_000.0), "60.09\u{202f}G");
        assert_eq!(count(241_300_000.0), "241.3\u{202f}M");
        assert_eq!(count(38.0), "38");
    }

    #[test]
    fn significant_figures_are_kept_and_whole_digits_are_not_lost() {
        for (value, figures, expected) in [
            (0.0, 3, "0"),
            (1234.5, 3, "1 234"),
            (12.345, 3, "12.3"),
            (0.0012345, 3, "0.00123"),
            (9.996, 3, "10.00"),
            (-0.5, 2, "\u{2212}0.50"),
            (100.0, 3, "100"),
        ] {
            assert_eq!(significant(value, figures).replace(THIN, " "), expected, "{value}");
        }
    }

    #[test]
    fn a_time_has_the_unit_of_its_size() {
        for (ns, expected) in [
            (0.0, "0.00 ms"),
            (250.0, "0.250 µs"),
            (999_000.0, "999 µs"),
            (1.5e6, "1.50 ms"),
            (14_647_683_000.0, "14 648 ms"),
            (999_940_000.0, "999.9 ms"),
            (100_000_000_001.0, "100.0 s"),
            (1_234_567_000_000.0, "1 235 s"),
        ] {
            assert_eq!(duration(ns).replace(THIN, " "), expected);
        }
        assert_eq!(percent(0.12345, 1).replace(THIN, " "), "12.3 %");
    }
}
