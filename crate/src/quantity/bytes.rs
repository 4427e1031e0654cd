//! Amounts of memory as people read them: `76.3 MiB`.

use super::{THIN, number};

const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// In the largest unit that leaves at least one, in three figures.
pub fn bytes(amount: u64) -> String {
    let mut size = amount as f64;
    let mut unit = UNITS[0];
    for next in &UNITS[1..] {
        // What would be shown as 1024.
        if size < 1023.5 {
            break;
        }
        (size, unit) = (size / 1024.0, next);
    }
    let decimals = match size {
        _ if unit == UNITS[0] => 0,
        _ if size < 9.995 => 2,
        _ if size < 99.95 => 1,
        _ => 0,
    };
    format!("{}{THIN}{unit}", number(size, decimals))
}

/// An offset that is a multiple of `step`, without digits that say nothing.
pub fn offset(amount: u64, step: u64) -> String {
    let unit = |amount: u64| amount.max(1).trailing_zeros().min(step.max(1).trailing_zeros()) / 10;
    let power = unit(amount | step).min(UNITS.len() as u32 - 1);
    let name = UNITS.get(power as usize).copied().unwrap_or_default();
    format!("{}{THIN}{name}", number((amount >> (10 * power)) as f64, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_figures_in_a_unit_of_memory() {
        for (amount, expected) in [
            (0, "0 B"),
            (1, "1 B"),
            (1023, "1 023 B"),
            (1024, "1.00 KiB"),
            (80_000_000, "76.3 MiB"),
            (1_048_575, "1.00 MiB"),
            (104_857_600, "100 MiB"),
            (51_787_000_000_000, "47.1 TiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(bytes(amount).replace('\u{202f}', " "), expected);
        }
    }

    #[test]
    fn an_offset_keeps_the_unit_of_its_step() {
        for (amount, step, expected) in [
            (0, 1 << 24, "0 MiB"),
            (1 << 24, 1 << 24, "16 MiB"),
            (3 << 19, 1 << 19, "1 536 KiB"),
            (48, 16, "48 B"),
        ] {
            assert_eq!(offset(amount, step).replace('\u{202f}', " "), expected);
        }
    }
}
