//! Which instances of a region are taken, before they are grouped.

use std::fmt;
use std::str::FromStr;

use super::{ChoiceError, Instance, Objects};
use crate::order;
use crate::trace::Object;

/// Conditions that an instance meets all of; the default takes every one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    pub objects: Objects,
    /// Nanoseconds; on its start.
    pub from_ns: Option<u64>,
    pub to_ns: Option<u64>,
    pub durations: DurationRange,
    pub numbers: InstanceNumbers,
}

impl Wanted {
    pub fn has(&self, instance: &Instance, object: Object) -> bool {
        let (from, to) = (self.from_ns.unwrap_or(0), self.to_ns.unwrap_or(u64::MAX));
        (from..=to).contains(&instance.start_ns)
            && self.objects.has(object)
            && self.durations.has(instance.duration_ns)
            && self.numbers.has(instance.number)
    }
}

/// How long instances last that are taken: nanoseconds, both ends included, either open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DurationRange {
    pub shortest_ns: Option<u64>,
    pub longest_ns: Option<u64>,
}

impl DurationRange {
    pub fn has(&self, duration_ns: u64) -> bool {
        let (shortest, longest) = (self.shortest_ns, self.longest_ns);
        shortest.is_none_or(|shortest| duration_ns >= shortest)
            && longest.is_none_or(|longest| duration_ns <= longest)
    }
}

impl FromStr for DurationRange {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "LO..HI in nanoseconds such as 1000000..2500000, either left out";
        let end = |text: &str| match text {
            "" => Some(None),
            number => number.parse().ok().map(Some),
        };
        let durations = || {
            let (shortest, longest) = text.split_once("..")?;
            Some(Self { shortest_ns: end(shortest)?, longest_ns: end(longest)? })
        };
        let rises = |found: &Self| match (found.shortest_ns, found.longest_ns) {
            (Some(shortest), Some(longest)) => shortest <= longest,
            _ => true,
        };
        match text {
            "" => Ok(Self::default()),
            _ => durations().filter(rises).ok_or(ChoiceError(EXPECTED)),
        }
    }
}

impl fmt::Display for DurationRange {
    /// Nothing if every duration is taken.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: Option<u64>| end.map_or_else(String::new, |ns| ns.to_string());
        match *self {
            Self { shortest_ns: None, longest_ns: None } => Ok(()),
            Self { shortest_ns, longest_ns } => {
                write!(out, "{}..{}", end(shortest_ns), end(longest_ns))
            }
        }
    }
}

/// Numbers of the instances that are taken; the default takes every one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceNumbers {
    /// First and last of each run, rising, with gaps between them; none for all.
    runs: Vec<(u32, u32)>,
}

impl InstanceNumbers {
    pub fn has(&self, number: u32) -> bool {
        let after = self.runs.partition_point(|(first, _)| *first <= number);
        let before = after.checked_sub(1).and_then(|before| self.runs.get(before));
        self.runs.is_empty() || before.is_some_and(|(_, last)| number <= *last)
    }
}

impl FromStr for InstanceNumbers {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "numbers of instances from 1 such as 1-50,60";
        let number = |text: &str| text.trim().parse().ok().filter(|&number: &u32| number > 0);
        let run = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            Some((number(first)?, number(last)?)).filter(|(first, last)| first <= last)
        };
        if text.is_empty() {
            return Ok(Self::default());
        }
        let runs = text.split(',').map(run).collect::<Option<Vec<_>>>();
        let mut runs = runs.ok_or(ChoiceError(EXPECTED))?;
        order::by_number(&mut runs, |(first, _)| u64::from(*first));
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for (first, last) in runs {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last)
                }
                _ => joined.push((first, last)),
            }
        }
        Ok(Self { runs: joined })
    }
}

impl fmt::Display for InstanceNumbers {
    /// Nothing if every instance is taken.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (first, last)) in self.runs.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            match last - first {
                0 => write!(out, "{comma}{first}")?,
                _ => write!(out, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_what_they_write_and_nothing_else() {
        for (text, has) in [
            ("", [true, true, true, true]),
            ("5..", [false, true, true, true]),
            ("..6", [true, true, true, false]),
            ("5..6", [false, true, true, false]),
            ("6..6", [false, false, true, false]),
        ] {
            let durations = text.parse::<DurationRange>().unwrap();
            assert_eq!(durations.to_string(), text);
            assert_eq!([4, 5, 6, 7].map(|ns| durations.has(ns)), has, "{text}");
        }
        assert_eq!("..".parse(), Ok(DurationRange::default()));
        for text in ["5", "6..5", "a..b", "-1..5", "1...5", "1..2..3", "1.5..2"] {
            assert!(text.parse::<DurationRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_of_instances_are_kept_as_runs() {
        for (text, written) in [
            ("", ""),
            ("7", "7"),
            ("1-50,60", "1-50,60"),
            ("60, 1-50", "1-50,60"),
            ("3-5,4-9,10,2", "2-10"),
            ("1-9,2-3", "1-9"),
            ("4294967295,1-4294967295", "1-4294967295"),
        ] {
            let numbers = text.parse::<InstanceNumbers>().unwrap();
            assert_eq!(numbers.to_string(), written);
            assert_eq!(written.parse(), Ok(numbers));
        }
        let numbers = "2-3,6".parse::<InstanceNumbers>().unwrap();
        let has = (1..8).filter(|number| numbers.has(*number)).collect::<Vec<_>>();
        assert_eq!(has, [2, 3, 6]);
        for text in ["0", "5-4", "1-", "-5", "1,,2", "x", "1-2-3", "4294967296"] {
            assert!(text.parse::<InstanceNumbers>().is_err(), "{text}");
        }
    }
}
