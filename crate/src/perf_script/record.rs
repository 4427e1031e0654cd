//! The first line of a record.

use std::ops::Range;

use crate::text::number;

/// Who did what when.
///
/// Example: `phases  4615 [000]  2144.807830162:    1  probe_phases:iteration: (556c70ba13d0)`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'line> {
    /// The command; may have blanks and digits in it.
    pub command: &'line [u8],
    pub process: Option<u32>,
    pub thread: u32,
    pub time_ns: u64,
    /// Events since the previous reading, where it is printed.
    pub period: Option<u64>,
    pub event: &'line [u8],
    /// What follows the event: the arguments of a marker, or the innermost frame of a sample.
    pub rest: &'line [u8],
}

/// The column of what cannot be read, and what was expected there.
pub(super) type Wrong = (usize, &'static str);

impl<'line> Record<'line> {
    /// Reads a record's first line, or says which part of it is wrong.
    pub fn parse(line: &'line [u8]) -> Result<Self, Wrong> {
        // A command may hold anything: what follows it is found by its time.
        let mut words = [0..0, 0..0, 0..0];
        let mut at = 0;
        while let Some(word) = next_word(line, at) {
            at = word.end;
            words = {
                let [_, second, third] = words;
                [second, third, word]
            };
            let [before, thread_or_cpu, time] = words.each_ref().map(|word| &line[word.clone()]);
            let Some(time_ns) = seconds(time) else { continue };
            let with_cpu = is_cpu(thread_or_cpu);
            let ids = if with_cpu { before } else { thread_or_cpu };
            let Some((process, thread)) = process_and_thread(ids) else { continue };
            let start = if with_cpu { words[0].start } else { words[1].start };
            let command = line.get(..start).unwrap_or_default().trim_ascii();
            if command.is_empty() {
                continue;
            }
            let (period, name) = event(line, at)?;
            let rest = line.get(name.end..).unwrap_or_default().trim_ascii();
            let event = line.get(name.start..name.end - 1).unwrap_or_default().trim_ascii_end();
            return Ok(Self { command, process, thread, time_ns, period, event, rest });
        }
        Err((1, "a command, a thread and a time such as \u{201c}app 4615 2144.807830162:\u{201d}"))
    }
}

/// Where the next word at or after `at` lies.
fn next_word(line: &[u8], at: usize) -> Option<Range<usize>> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = at + line.get(at..)?.iter().position(|byte| !blank(byte))?;
    let length = line.get(start..)?.iter().position(blank);
    Some(start..length.map_or(line.len(), |length| start + length))
}

/// `2144.807830162:` to nanoseconds.
fn seconds(word: &[u8]) -> Option<u64> {
    let word = word.strip_suffix(b":")?;
    let point = word.iter().position(|&byte| byte == b'.')?;
    let (whole, _) = number(word.get(..point)?)?;
    let digits = word.get(point + 1..).filter(|digits| (1..=9).contains(&digits.len()))?;
    let (fraction, _) = number(digits)?;
    let scale = 10u64.pow(9 - digits.len() as u32);
    Some(whole.saturating_mul(1_000_000_000).saturating_add(fraction * scale))
}

/// `[003]`, or `[-01]` where perf does not know.
fn is_cpu(word: &[u8]) -> bool {
    let inside = word.strip_prefix(b"[").and_then(|word| word.strip_suffix(b"]"));
    let digits = inside.map(|inside| inside.strip_prefix(b"-").unwrap_or(inside));
    digits.is_some_and(|digits| number(digits).is_some())
}

/// `4615`, or `4670/4672`; a process that perf does not know is `-1`.
fn process_and_thread(word: &[u8]) -> Option<(Option<u32>, u32)> {
    let whole = |word: &[u8]| u32::try_from(number(word)?.0).ok();
    match word.iter().position(|&byte| byte == b'/') {
        None => Some((None, whole(word)?)),
        Some(at) => {
            let process = word.get(..at)?;
            let process = if process == b"-1" { 0 } else { whole(process)? };
            Some((Some(process), whole(word.get(at + 1..)?)?))
        }
    }
}

/// The number in `1021283  cpu-clock:  rest`, if there is one, and where the name with its colon
/// lies. Names of raw events have blanks.
fn event(line: &[u8], at: usize) -> Result<(Option<u64>, Range<usize>), Wrong> {
    const EXPECTED: &str = "an event such as \u{201c}cycles:\u{201d}";
    let first = next_word(line, at).ok_or((line.len() + 1, EXPECTED))?;
    let period = number(line.get(first.clone()).unwrap_or_default()).map(|(period, _)| period);
    let after_period = if period.is_some() { first.end } else { first.start };
    let name = next_word(line, after_period).ok_or((line.len() + 1, EXPECTED))?;
    let mut end = name.end;
    for _ in 0..3 {
        let text = line.get(name.start..end).unwrap_or_default();
        if text.len() > 1 && text.ends_with(b":") {
            return Ok((period, name.start..end));
        }
        let Some(more) = next_word(line, end) else { break };
        end = more.end;
    }
    Err((name.start + 1, EXPECTED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_every_shape_are_read() {
        for (line, command, ids, time_ns, period, event, rest) in [
            (
                "phases  4615 [000]  2144.807830162:   probe_p:it: (556c <- 556d) a=3",
                "phases",
                (None, 4615),
                2_144_807_830_162,
                None,
                "probe_p:it",
                "(556c <- 556d) a=3",
            ),
            (
                "threads  4670/4672   2153.8693:  2004008    cpu-clock/freq=499/: ",
                "threads",
                (Some(4670), 4672),
                2_153_869_300_000,
                Some(2_004_008),
                "cpu-clock/freq=499/",
                "",
            ),
            (
                "   Web Content 3 12 [-01] 7.000001: cycles:uhH:  55 main+0x1 (/a)",
                "Web Content 3",
                (None, 12),
                7_000_001_000,
                None,
                "cycles:uhH",
                "55 main+0x1 (/a)",
            ),
            (":7 -1/7 0.5: 1 raw 0x3c:", ":7", (Some(0), 7), 500_000_000, Some(1), "raw 0x3c", ""),
            ("12 [3] 8 [1] 1.5: x:", "12 [3]", (None, 8), 1_500_000_000, None, "x", ""),
        ] {
            let found = Record::parse(line.as_bytes()).unwrap();
            let expected = Record {
                command: command.as_bytes(),
                process: ids.0,
                thread: ids.1,
                time_ns,
                period,
                event: event.as_bytes(),
                rest: rest.as_bytes(),
            };
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn what_only_looks_like_a_record_is_none() {
        for (line, column) in [
            ("", 1),
            ("bash-1234 [001] 1498.672300: sched_switch: a", 1),
            ("[ 12.345678] usb 1-1: new device", 1),
            ("4615 2144.807830162: cycles:", 1),
            ("app 4615 2144.8078301621: cycles:", 1),
            ("app 99999999999 2144.8: cycles:", 1),
            ("app 4615 2144.8:", 17),
            ("app 4615 2144.8: 12", 20),
            ("app 4615 2144.8: cycles", 18),
            ("app 4615 2144.8: :", 18),
        ] {
            let found = Record::parse(line.as_bytes()).map_err(|(column, _)| column);
            assert_eq!(found, Err(column), "{line}");
        }
    }
}
