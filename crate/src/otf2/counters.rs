//! Which metrics are counters, and how what is read of them becomes what came since.

use super::Damage;
use super::bytes::Bytes;
use super::definitions::{Definitions, FLOATS, Member};
use super::levels::{Levels, SINCE_START, reads};
use super::table::Table;
use super::{FIRST_OTHER_COUNTER, LAST_COUNTER};
use crate::order;
use crate::paraver;
use crate::trace::{Labels, Reads};

/// What the metrics of an archive are.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// By name: code, and `NAME [description]`.
    labels: Vec<(u32, String)>,
    /// By class or instance: what each member is.
    classes: Table<Box<[Part]>>,
    levels: Levels,
}

/// What a member of a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A counter, whose value counts from the start of the measurement, and the member of the class.
    SinceStart(u32, u32),
    /// One whose value is what came since the last one.
    SinceLast(u32, u32),
    /// How much there is, not how much came; the member of the class.
    Level(u32),
}

/// Floats are kept in millionths, as whole numbers: for energies in joules that is fine enough.
const OF_FLOATS: f64 = 1e6;
/// Beyond this whole numbers of a float have gaps.
const EXACT: f64 = (1u64 << 53) as f64;

impl Counters {
    /// O(n log n).
    pub fn of(definitions: &Definitions) -> Self {
        let text = |number| definitions.strings.get(number).unwrap_or_default();
        let name = |member: &Member| text(member.name) + &factor(member, &text(member.unit));
        // One name is one counter, in whichever class it is read.
        let mut named = Vec::new();
        for (_, class) in definitions.classes.iter().filter(|(_, class)| class.is_synchronous) {
            let of_class = class.members.iter();
            let known = of_class.filter_map(|id| definitions.members.get(u64::from(*id)));
            let counters = known.filter(|member| !is_level(member.mode));
            named.extend(counters.map(|member| (name(member), text(member.description))));
        }
        order::by(&mut named, Ord::cmp);
        named.dedup_by(|(a, _), (b, _)| a == b);
        named.truncate((LAST_COUNTER - FIRST_OTHER_COUNTER) as usize);
        let part = |is_synchronous: bool, id: &u32| {
            let member = definitions.members.get(u64::from(*id));
            let Some(member) = member.filter(|of| is_synchronous && !is_level(of.mode)) else {
                return Part::Level(*id);
            };
            let name = name(member);
            let at = named.partition_point(|(known, _)| *known < name) as u32;
            match member.mode {
                SINCE_START => Part::SinceStart(at, *id),
                _ => Part::SinceLast(at, *id),
            }
        };
        let mut classes = Table::default();
        for (id, class) in definitions.classes.iter() {
            let parts = class.members.iter().map(|id| part(class.is_synchronous, id));
            classes.add(id, parts.collect::<Box<[Part]>>());
        }
        classes.finish();
        let of_instances = definitions.instances.iter().filter_map(|(id, instance)| {
            classes.get(u64::from(instance.class)).map(|parts: &Box<_>| (id, parts.clone()))
        });
        for (id, parts) in of_instances.collect::<Vec<_>>() {
            classes.add(id, parts);
        }
        classes.finish();
        // The codes of Extrae where it has one, so that traces of both have their counters in one order.
        let label = |(other, (name, description)): (u32, &(String, String))| {
            // What is in brackets holds none.
            let inside = description.replace('[', "(").replace(']', ")");
            (paraver::counter_code(name).unwrap_or(other), format!("{name} [{inside}]"))
        };
        let labels = (FIRST_OTHER_COUNTER..).zip(&named).map(label).collect();
        Self { labels, classes, levels: Levels::of(definitions) }
    }

    pub fn label(&self, labels: &mut Labels) {
        for of_counter in &self.labels {
            labels.add_types(std::slice::from_ref(of_counter), vec![]);
        }
        self.levels.label(labels);
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }
}

/// Whether a metric of this mode says how much there is, and not how much came.
fn is_level(mode: u8) -> bool {
    !matches!(reads(mode), Reads::Sum | Reads::Increment)
}

/// What one is, where that is no 1: ` (10^-9 J)`.
fn factor(member: &Member, unit: &str) -> String {
    let ten = if member.is_float { -6 } else { 0 };
    let (two, ten) = match (member.is_decimal, member.exponent) {
        (true, exponent) => (0, exponent.saturating_add(ten)),
        (false, exponent) => (exponent, ten),
    };
    let power = |base: u32, exponent: i64| (exponent != 0).then(|| format!("{base}^{exponent}"));
    let powers = [power(2, two), power(10, ten)].into_iter().flatten().collect::<Vec<_>>();
    let unit = if unit == "#" { "" } else { unit };
    match (powers.is_empty(), unit) {
        (true, _) => String::new(),
        (false, "") => format!(" ({})", powers.join(" · ")),
        (false, unit) => format!(" ({} {unit})", powers.join(" · ")),
    }
}

/// What a location has counted, and what is odd about it.
#[derive(Clone, Debug)]
pub struct Counted {
    /// By counter: its code, and its last value since the start.
    last: Vec<(u32, Option<u64>)>,
    /// Events since the last moment, by code, in the order read.
    pub since: Vec<[u64; 2]>,
    /// Readings of levels since they were taken, codes and bits, in the order read.
    pub levels: Vec<[u64; 2]>,
    /// Readings below the one before.
    pub fell: u64,
    /// Floats that are too large to be kept as whole numbers.
    pub too_large: u64,
    /// Readings of metrics that are not defined.
    pub undefined: u64,
}

impl Counted {
    pub fn new(counters: &Counters) -> Self {
        let last = counters.labels.iter().map(|(code, _)| (*code, None)).collect();
        Self { last, since: vec![], levels: vec![], fell: 0, too_large: 0, undefined: 0 }
    }

    /// Takes the values of a record, `metric` of the archive; `counts`: whether any of them can be of
    /// counters, which only threads of processors have.
    #[inline]
    pub fn read(
        &mut self,
        counters: &Counters,
        metric: u64,
        counts: bool,
        values: &mut Bytes<'_>,
    ) -> Result<(), Damage> {
        let count = values.byte()?;
        let Some(parts) = counters.classes.get(metric) else {
            self.undefined += 1;
            return Ok(());
        };
        for part in parts.iter().take(usize::from(count)) {
            let (of_type, bits) = (values.byte()?, values.number_64()?);
            match *part {
                Part::SinceStart(counter, _) if counts => {
                    if let Some(value) = self.whole(of_type, bits) {
                        self.since_start(counter, value);
                    }
                }
                Part::SinceLast(counter, _) if counts => {
                    if let Some(value) = self.whole(of_type, bits) {
                        let rises = value as i64 >= 0;
                        self.fell += u64::from(!rises);
                        self.add(counter, if rises { value } else { 0 });
                    }
                }
                Part::SinceStart(_, member) | Part::SinceLast(_, member) | Part::Level(member) => {
                    self.level(counters, member, of_type, bits);
                }
            }
        }
        Ok(())
    }

    // Few readings are of levels.
    #[inline(never)]
    fn level(&mut self, counters: &Counters, member: u32, of_type: u8, bits: u64) {
        match counters.levels.get(member) {
            Some(level) => {
                let value = level.value(of_type, bits);
                self.levels.push([u64::from(level.code), value.to_bits()]);
            }
            None => self.undefined += 1,
        }
    }

    /// The first value counts from the start of the measurement: nothing of it is of what comes.
    #[inline]
    fn since_start(&mut self, counter: u32, value: u64) {
        let Some((_, last)) = self.last.get_mut(counter as usize) else { return };
        let since = value.wrapping_sub(last.unwrap_or(value));
        *last = Some(value);
        let rises = since as i64 >= 0;
        self.fell += u64::from(!rises);
        self.add(counter, if rises { since } else { 0 });
    }

    /// Read twice in one moment is read once.
    #[inline]
    fn add(&mut self, counter: u32, value: u64) {
        let Some(&(code, _)) = self.last.get(counter as usize) else { return };
        let code = u64::from(code);
        match self.since.iter_mut().find(|[known, _]| *known == code) {
            Some([_, sum]) => *sum = sum.saturating_add(value),
            None => self.since.push([code, value]),
        }
    }

    /// A value as it is kept; `None` if it cannot be.
    #[inline]
    fn whole(&mut self, of_type: u8, bits: u64) -> Option<u64> {
        if !FLOATS.contains(&of_type) {
            return Some(bits);
        }
        const SINGLE: u8 = FLOATS[0];
        let value = match of_type {
            SINGLE => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        };
        let scaled = libm::rint(value * OF_FLOATS);
        let fits = scaled.abs() <= EXACT;
        self.too_large += u64::from(!fits);
        fits.then_some(scaled as i64 as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(is_float: bool, is_decimal: bool, exponent: i64) -> Member {
        Member { is_float, is_decimal, exponent, ..Member::default() }
    }

    #[test]
    fn a_name_says_what_one_is_unless_it_is_one() {
        for (of, unit, expected) in [
            (member(false, true, 0), "#", ""),
            (member(false, true, 0), "J", ""),
            (member(false, true, -9), "J", " (10^-9 J)"),
            (member(true, true, 0), "J", " (10^-6 J)"),
            (member(false, false, 10), "B", " (2^10 B)"),
            (member(true, false, -3), "", " (2^-3 · 10^-6)"),
        ] {
            assert_eq!(factor(&of, unit), expected);
        }
    }

    #[test]
    fn what_is_accumulated_or_relative_counts_and_what_is_absolute_does_not() {
        let counts = [0x00, 0x20, 0x02, 0x22];
        let levels = [0x01, 0x11, 0x21, 0x10, 0x30, 0x31];
        assert!(counts.iter().all(|mode| !is_level(*mode)));
        assert!(levels.iter().all(|mode| is_level(*mode)));
    }

    fn counted(values: &[u64]) -> (Vec<u64>, u64) {
        let labels = vec![(FIRST_OTHER_COUNTER, "A []".to_owned())];
        let mut counted = Counted::new(&Counters { labels, ..Counters::default() });
        let since = values.iter().map(|value| {
            counted.since_start(0, *value);
            std::mem::take(&mut counted.since)[0][1]
        });
        (since.collect(), counted.fell)
    }

    #[test]
    fn the_first_reading_is_none_of_what_comes_and_one_that_falls_begins_anew() {
        assert_eq!(counted(&[500, 520, 520, 530]), (vec![0, 20, 0, 10], 0));
        assert_eq!(counted(&[500, 520, 7, 10]), (vec![0, 20, 0, 3], 1));
    }
}
