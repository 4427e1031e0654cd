//! Metrics that say how much there is of something, or how much came beside the program: power, a
//! frequency, memory in use, the energy of a computer.

use super::definitions::{Definitions, FLOATS, Member};
use super::table::Table;
use crate::order;
use crate::trace::{Labels, Reads};

/// Codes of levels: by what a reading says, and in each of these by place. Extrae has none here.
pub const FIRST_LEVEL: u32 = 43_000_000;
const OF_READS: u32 = 100_000;
const READS: [Reads; 5] =
    [Reads::Now, Reads::SincePrevious, Reads::UntilNext, Reads::Sum, Reads::Increment];
pub const LAST_LEVEL: u32 = FIRST_LEVEL + READS.len() as u32 * OF_READS - 1;

/// What the metrics of an archive are as levels.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// By name: code, and `NAME (unit) [description]`.
    labels: Vec<(u32, String)>,
    /// By number of a member.
    members: Table<Level>,
}

/// A metric as a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    pub code: u32,
    scale: Scale,
}

/// What a value is multiplied by, or divided.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    Times(f64),
    Over(f64),
}

/// Beyond this a power is no number any more.
const MOST_EXPONENT: i64 = 1 << 10;

// Modes: in the lower half what a value is, in the upper one of which time.
const IS: u8 = 0x0f;
const OF_TIME: u8 = 0xf0;
const ACCUMULATED: u8 = 0;
const RELATIVE: u8 = 2;
pub const SINCE_START: u8 = 0x00;
pub const SINCE_LAST: u8 = 0x20;
const UNTIL_NEXT: u8 = 0x30;

/// What a reading of a metric of this mode says.
pub fn reads(mode: u8) -> Reads {
    match (mode & IS, mode & OF_TIME) {
        (RELATIVE, _) | (ACCUMULATED, SINCE_LAST) => Reads::Increment,
        (ACCUMULATED, SINCE_START) => Reads::Sum,
        (_, SINCE_LAST) => Reads::SincePrevious,
        (_, UNTIL_NEXT) => Reads::UntilNext,
        _ => Reads::Now,
    }
}

impl Levels {
    /// O(n log n).
    pub fn of(definitions: &Definitions) -> Self {
        let text = |number| definitions.strings.get(number).unwrap_or_default();
        let key = |member: &Member| {
            let reads = reads(member.mode);
            let place = READS.iter().position(|of| *of == reads).unwrap_or(0) as u32;
            let unit = match text(member.unit).as_str() {
                "" | "#" => String::new(),
                unit => format!(" ({unit})"),
            };
            (place, text(member.name) + &unit)
        };
        let members = || definitions.members.iter();
        let mut named = Vec::new();
        for (_, member) in members() {
            named.push((key(member), text(member.description)));
        }
        order::by(&mut named, Ord::cmp);
        named.dedup_by(|(a, _), (b, _)| a == b);
        let code = |(reads, _): &(u32, String), place: usize| {
            let place = u32::try_from(place).unwrap_or(u32::MAX).min(OF_READS - 1);
            FIRST_LEVEL + reads * OF_READS + place
        };
        let mut of_members = Table::default();
        for (id, member) in members() {
            let key = key(member);
            let place = named.partition_point(|(known, _)| *known < key);
            of_members.add(id, Level { code: code(&key, place), scale: scale(member) });
        }
        of_members.finish();
        let label = |(place, (key, description)): (usize, &((u32, String), String))| {
            // What is in brackets holds none.
            let inside = description.replace('[', "(").replace(']', ")");
            (code(key, place), format!("{} [{inside}]", key.1))
        };
        Self { labels: named.iter().enumerate().map(label).collect(), members: of_members }
    }

    pub fn label(&self, labels: &mut Labels) {
        for of_level in &self.labels {
            labels.add_types(std::slice::from_ref(of_level), vec![]);
        }
    }

    /// `None` of a member that is not defined.
    pub fn get(&self, member: u32) -> Option<Level> {
        self.members.get(u64::from(member)).copied()
    }
}

impl Level {
    /// What a reading says: of this type, and its bits.
    pub fn value(self, of_type: u8, bits: u64) -> f64 {
        const SINGLE: u8 = FLOATS[0];
        const DOUBLE: u8 = FLOATS[1];
        // Of whole numbers those with a sign are behind those without.
        let value = match of_type {
            5 => f64::from(bits as i8),
            6 => f64::from(bits as i16),
            7 => f64::from(bits as i32),
            8 => bits as i64 as f64,
            SINGLE => f64::from(f32::from_bits(bits as u32)),
            DOUBLE => f64::from_bits(bits),
            _ => bits as f64,
        };
        match self.scale {
            Scale::Times(factor) => value * factor,
            Scale::Over(divisor) => value / divisor,
        }
    }
}

/// What a reading says, of a level with this code.
pub fn read_by(code: u32) -> Reads {
    let place = code.saturating_sub(FIRST_LEVEL) / OF_READS;
    READS.get(place as usize).copied().unwrap_or(Reads::Now)
}

/// Tenths are no floats: a thousandth is one over a thousand.
fn scale(member: &Member) -> Scale {
    let base = if member.is_decimal { 10.0 } else { 2.0 };
    let exponent = member.exponent.clamp(-MOST_EXPONENT, MOST_EXPONENT);
    let power = libm::pow(base, exponent.unsigned_abs() as f64);
    if exponent < 0 { Scale::Over(power) } else { Scale::Times(power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(is_decimal: bool, exponent: i64) -> Level {
        let member = Member { is_decimal, exponent, ..Member::default() };
        Level { code: FIRST_LEVEL, scale: scale(&member) }
    }

    #[test]
    fn a_value_has_its_sign_its_type_and_its_power() {
        for (of, of_type, bits, expected) in [
            (level(true, 0), 4, 7, 7.0),
            (level(true, -3), 4, 1234, 1.234),
            (level(true, 3), 8, -5_i64 as u64, -5000.0),
            (level(false, 10), 7, -1_i32 as u32 as u64, -1024.0),
            (level(true, 0), 5, 0xff, -1.0),
            (level(true, 0), 6, 0xfffe, -2.0),
            (level(false, -1), 10, 2.5_f64.to_bits(), 1.25),
            (level(true, 0), 9, u64::from(0.5_f32.to_bits()), 0.5),
        ] {
            assert_eq!(of.value(of_type, bits), expected);
        }
        assert!(!level(true, i64::MAX).value(4, 1).is_finite());
        assert_eq!(level(true, i64::MIN).value(4, 1), 0.0);
    }

    #[test]
    fn a_mode_says_what_a_reading_is() {
        for (mode, expected) in [
            (0x00, Reads::Sum),
            (0x20, Reads::Increment),
            (0x02, Reads::Increment),
            (0x12, Reads::Increment),
            (0x01, Reads::Now),
            (0x11, Reads::Now),
            (0x10, Reads::Now),
            (0x21, Reads::SincePrevious),
            (0x30, Reads::UntilNext),
            (0x31, Reads::UntilNext),
        ] {
            assert_eq!(reads(mode), expected, "{mode:#x}");
        }
    }

    #[test]
    fn a_code_says_what_a_reading_is_and_is_of_no_other_type() {
        for (at, of) in (0..).zip(READS) {
            assert_eq!(read_by(FIRST_LEVEL + at * OF_READS), of);
            assert_eq!(read_by(FIRST_LEVEL + at * OF_READS + OF_READS - 1), of);
        }
        assert_eq!(read_by(LAST_LEVEL), Reads::Increment);
    }
}
