//! What a thread or a reader reads of a level, and when each reading holds.

use std::collections::BTreeMap;

use crate::instance::{ABSURD, Holds, closing_cut};
use crate::trace::{Kind, Reads, Thread, Trace};

/// What came is told by the second.
const NS_PER_S: f64 = 1e9;

/// From when to when, in nanoseconds, and the level.
pub(super) type Held = Vec<(u64, u64, f64)>;

/// What the readings of a level say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// How much there is.
    Level(Holds),
    /// How much there has been since a start: what comes is the difference of two readings.
    Sum,
    /// How much came since the reading before.
    Increment,
}

impl Says {
    /// By the kind of a type; `holds` where that does not say of what time. `None` if it is no level.
    pub(super) fn of(kind: Kind, holds: Holds) -> Option<Self> {
        match kind {
            Kind::Region(..) | Kind::Level(Reads::Now) => Some(Self::Level(holds)),
            Kind::Level(Reads::SincePrevious) => Some(Self::Level(Holds::Previous)),
            Kind::Level(Reads::UntilNext) => Some(Self::Level(Holds::Next)),
            Kind::Level(Reads::Sum) => Some(Self::Sum),
            Kind::Level(Reads::Increment) => Some(Self::Increment),
            _ => None,
        }
    }

    /// Whether values are what came over time.
    pub(super) fn is_rate(self) -> bool {
        !matches!(self, Self::Level(_))
    }

    /// When the readings hold, of a thread that ends then.
    pub(super) fn held(self, readings: &[(u64, f64)], end_ns: u64) -> Held {
        let over = |amount: f64, from: u64, to: u64| amount * NS_PER_S / (to - from) as f64;
        let between = |of: &[(u64, f64)]| {
            let [(from, first), (to, second)] = [of[0], of[1]];
            let level = match self {
                Self::Level(Holds::Next) => first,
                Self::Level(Holds::Previous) => second,
                Self::Level(Holds::Mean) => (first + second) / 2.0,
                Self::Sum => over(second - first, from, to),
                Self::Increment => over(second, from, to),
            };
            (from, to, level)
        };
        let goes_on = self == Self::Level(Holds::Next);
        let last = readings.last().filter(|(at, _)| goes_on && *at < end_ns);
        let last = last.map(|(at, level)| (*at, end_ns, *level));
        readings.windows(2).map(between).chain(last).collect()
    }
}

/// What a thread reads of a level: when, rising, and its value; of several in one moment the last.
pub(super) fn readings(trace: &Trace, thread: &Thread, event_type: u32) -> Vec<(u64, f64)> {
    let shapes = trace.shapes_with(|of_event, _| of_event == event_type);
    let is_float = matches!(trace.kind(event_type), Kind::Level(_));
    let closing_cut = closing_cut(trace, thread);
    let mut readings: Vec<(u64, f64)> = vec![];
    for (at, moment) in thread.moments_of(&shapes) {
        let last = moment.events().filter(|event| event.event_type == event_type).last();
        let Some(bits) = last.map(|event| event.value).filter(|_| Some(at) != closing_cut) else {
            continue;
        };
        // A negative whole number is written in two's complement.
        let whole = bits as i64;
        let value = match is_float {
            true => Some(f64::from_bits(bits)).filter(|value| value.is_finite()),
            false => (whole.unsigned_abs() < ABSURD).then_some(whole as f64),
        };
        let Some(value) = value else { continue };
        match readings.last_mut() {
            Some(last) if last.0 == moment.time => last.1 = value,
            _ => readings.push((moment.time, value)),
        }
    }
    readings
}

/// The types whose readings are said to be sums and are none: they fall, or one of their family does, whose
/// name has other digits; or they stand still throughout. O(readings of sums).
///
/// Source: an archive of Score-P 9 of MI300 accelerators, where power, frequency and load are said to be
/// accumulated; they fall in 0.6 to 40 % of their readings, and what stands still never does.
pub(super) fn false_sums(trace: &Trace) -> Vec<bool> {
    let is_sum = |of: &(usize, Kind)| of.1 == Kind::Level(Reads::Sum);
    let kinds = trace.types.iter().map(|of| of.kind).enumerate();
    let sums = kinds.filter(is_sum).map(|(at, _)| at).collect::<Vec<_>>();
    let family = |at: usize| {
        trace.types[at].name.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>()
    };
    // By family, whether any falls; by type, whether it rises.
    let mut falls: BTreeMap<String, bool> = BTreeMap::new();
    let mut rises = vec![false; trace.types.len()];
    for &at in &sums {
        let of_family = falls.entry(family(at)).or_default();
        for thread in trace.threads.iter().chain(&trace.readers) {
            for of in readings(trace, thread, at as u32).windows(2) {
                *of_family |= of[1].1 < of[0].1;
                rises[at] |= of[1].1 > of[0].1;
            }
        }
    }
    let mut are_false = vec![false; trace.types.len()];
    for at in sums {
        are_false[at] = !rises[at] || falls.get(&family(at)) == Some(&true);
    }
    are_false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Beside, Builder, Meaning, Object};

    /// Of one reader, what it reads of types with these names.
    fn trace(names: &[&str], readings: &[(u64, u32, f64)]) -> Trace {
        let mut builder = Builder::new("made up", |code, labels| Meaning {
            kind: Kind::Level(Reads::Sum),
            name: labels.of_type(code).unwrap_or_default().to_owned(),
            description: String::new(),
        });
        let labels = (0u32..).zip(names).map(|(code, name)| (code, (*name).to_owned()));
        builder.labels.add_types(&labels.collect::<Vec<_>>(), vec![]);
        let reader = Object::reader(Beside::Node(1), 1);
        for (time_ns, code, value) in readings {
            builder.moment(reader, *time_ns, &[[u64::from(*code), value.to_bits()]]);
        }
        builder.finish()
    }

    #[test]
    fn what_falls_in_any_of_its_family_or_never_rises_is_no_sum() {
        const NAMES: [&str; 4] = ["energy0 (J)", "power0 (W)", "power1 (W)", "clock (Hz)"];
        let readings = [
            (0, 0, 5.0),
            (0, 1, 100.0),
            (0, 2, 90.0),
            (0, 3, 2.0),
            (9, 0, 6.0),
            (9, 1, 110.0),
            (9, 2, 80.0),
            (9, 3, 2.0),
        ];
        let trace = trace(&NAMES, &readings);
        let are_false = false_sums(&trace);
        let named = |name: &str| {
            let at = trace.types.iter().position(|of| of.name == name).unwrap();
            are_false[at]
        };
        assert_eq!(NAMES.map(named), [false, true, true, true]);
    }

    #[test]
    fn a_sum_is_told_by_its_differences_and_an_increment_since_the_reading_before() {
        let readings = [(0, 7.0), (500_000_000, 9.0), (1_500_000_000, 9.0)];
        let second = 1_000_000_000;
        let of_sum = [(0, second / 2, 4.0), (second / 2, second * 3 / 2, 0.0)];
        assert_eq!(Says::Sum.held(&readings, u64::MAX), of_sum);
        let of_increments = [(0, second / 2, 18.0), (second / 2, second * 3 / 2, 9.0)];
        assert_eq!(Says::Increment.held(&readings, u64::MAX), of_increments);
    }
}
