//! One line of a trace of a thread.

use super::modules::address;
use crate::text::{fixed, number};

/// What a line says. Times are in nanoseconds.
#[derive(Debug, PartialEq)]
pub enum Record<'line> {
    Nothing,
    /// `# Metrics:`
    Metrics(Vec<&'line str>),
    /// `# node:`, `# thread:`, as they stand at the end.
    Node(u32),
    Thread(u32),
    Sample {
        time_ns: u64,
        /// By metric, but for time.
        counts: Vec<u64>,
        /// Innermost first.
        stack: Vec<u64>,
    },
    Timer {
        begin: (u64, Vec<u64>),
        end: (u64, Vec<u64>),
        /// The innermost timer's number.
        timer: u64,
    },
}

/// The column of what cannot be read, and what was expected there.
pub type Wrong = (usize, &'static str);

/// Reads a line of a trace of so many metrics.
pub fn record(line: &str, metrics: usize) -> Result<Record<'_>, Wrong> {
    let line = line.trim_end();
    match line.as_bytes().first() {
        None => Ok(Record::Nothing),
        Some(b'#') => Ok(header(line)),
        Some(b'$') => sample(&mut Columns(line, 1), metrics),
        Some(b'%') => timer(&mut Columns(line, 1), metrics),
        Some(_) => Err((1, "a sample (\u{201c}$\u{201d}) or a timer (\u{201c}%\u{201d})")),
    }
}

fn header(line: &str) -> Record<'_> {
    let Some((name, rest)) = line.trim_start_matches('#').split_once(':') else {
        return Record::Nothing;
    };
    let number = || {
        number(rest.trim().as_bytes()).map(|(number, _)| number.min(u64::from(u32::MAX) - 1) as u32)
    };
    match name.trim() {
        "Metrics" => Record::Metrics(rest.split_whitespace().collect()),
        "node" => number().map_or(Record::Nothing, Record::Node),
        "thread" => number().map_or(Record::Nothing, Record::Thread),
        _ => Record::Nothing,
    }
}

fn sample<'line>(columns: &mut Columns<'line>, metrics: usize) -> Result<Record<'line>, Wrong> {
    columns.next("")?;
    let (at, time) = columns.next("a time in microseconds")?;
    let time_ns = fixed(time, 3).ok_or((at, "a time in microseconds"))?;
    columns.next("since when the timer runs")?;
    columns.next("0")?;
    let (_, counts) = values(columns.next("all metrics")?, metrics)?;
    columns.next("numbers of timers")?;
    let stack = columns.next("an address").unwrap_or((0, "")).1;
    let stack = stack.split_whitespace().filter_map(address).collect();
    Ok(Record::Sample { time_ns, counts, stack })
}

fn timer<'line>(columns: &mut Columns<'line>, metrics: usize) -> Result<Record<'line>, Wrong> {
    columns.next("")?;
    let begin = values(columns.next("all metrics at the begin")?, metrics)?;
    let end = values(columns.next("all metrics at the end")?, metrics)?;
    let (at, timers) = columns.next("numbers of timers")?;
    let innermost = timers.split_whitespace().next().and_then(|word| number(word.as_bytes()));
    let (timer, _) = innermost.ok_or((at, "numbers of timers"))?;
    Ok(Record::Timer { begin, end, timer })
}

/// The first value in nanoseconds, and the others as they are.
fn values((column, text): (usize, &str), metrics: usize) -> Result<(u64, Vec<u64>), Wrong> {
    let wrong = (column, "a number for each metric of the header, the first a time");
    let mut words = text.split_whitespace();
    let time_ns = words.next().and_then(|word| fixed(word, 3)).ok_or(wrong)?;
    let counts = words.map(|word| fixed(word, 0)).collect::<Option<Vec<_>>>().ok_or(wrong)?;
    if counts.len() + 1 == metrics { Ok((time_ns, counts)) } else { Err(wrong) }
}

/// What stands between bars, with the column where it begins.
struct Columns<'line>(&'line str, usize);

impl<'line> Columns<'line> {
    fn next(&mut self, expected: &'static str) -> Result<(usize, &'line str), Wrong> {
        let column = self.1;
        if self.0.is_empty() {
            // Behind the line, and not behind a bar that is not there.
            return Err((column - 1, expected));
        }
        let (cell, rest) = self.0.split_once('|').unwrap_or((self.0, ""));
        self.1 += cell.len() + 1;
        self.0 = rest;
        let blanks = cell.len() - cell.trim_start().len();
        Ok((column + blanks, cell.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let line = "$ | 1353609137123456 | 1353609137120000 | 0 | 1353609137123456 98000 | 7 3 | 0x4005d0 400a10";
        let (time_ns, stack) = (1_353_609_137_123_456_000, vec![0x40_05d0, 0x40_0a10]);
        assert_eq!(record(line, 2), Ok(Record::Sample { time_ns, counts: vec![98_000], stack }));
        let line = "% | 1.5 90 | 3E1 130.9 | 7 3 ";
        let (begin, end) = ((1500, vec![90]), (30_000, vec![130]));
        assert_eq!(record(line, 2), Ok(Record::Timer { begin, end, timer: 7 }));
        assert_eq!(record("# Metrics: TIME A", 0), Ok(Record::Metrics(vec!["TIME", "A"])));
        assert_eq!(record("# node: 3", 0), Ok(Record::Node(3)));
        assert_eq!(record("# $ | <timestamp> | x", 0), Ok(Record::Nothing));
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_column() {
        for (line, column, expected) in [
            ("x", 1, "a sample"),
            ("$", 2, "a time in microseconds"),
            ("$ | x | 1", 5, "a time in microseconds"),
            ("$ | 1 | 1 | 0 | 1 | 1 | 1", 17, "a number for each metric"),
            ("% | 1 2 | 1 2", 14, "numbers of timers"),
            ("% | 1 2 | 1 2 | a", 17, "numbers of timers"),
            ("% | 1 -2 | 1 2 | 1", 5, "a number for each metric"),
        ] {
            let (at, words) = record(line, 2).unwrap_err();
            assert!(at == column && words.starts_with(expected), "{line}: {at} {words}");
        }
    }
}
