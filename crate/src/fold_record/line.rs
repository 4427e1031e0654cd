//! One line of records.

use crate::text::{fixed, number};
use crate::trace::Object;

/// What a line says.
#[derive(Debug, PartialEq)]
pub enum Line<'line> {
    /// Blank, or a comment.
    Nothing,
    /// `# Counters:`, names by which counters are called from here on.
    Counters(Vec<&'line str>),
    /// `# Times:`, the unit of times from here on: how many decimals lie above a nanosecond.
    Times(i32),
    Instance(Instance<'line>),
    Sample(Sample<'line>),
    /// `T`: a region and what its instances last, in nanoseconds.
    Shares(&'line str, u64),
    /// `S` behind a `T`: of what, where in the instance and how much of it by then, in billionths; or the text of
    /// a line of code.
    Share(&'line str, u64, Of<'line>),
}

#[derive(Debug, PartialEq)]
pub enum Of<'line> {
    Count(u64),
    CodeLine(&'line str),
}

#[derive(Debug, PartialEq)]
pub struct Instance<'line> {
    pub object: Object,
    pub region: &'line str,
    pub duration_ns: u64,
    /// By counter; `None` of one that was not read (`-`).
    pub totals: Vec<Option<u64>>,
}

#[derive(Debug, PartialEq)]
pub struct Sample<'line> {
    pub object: Object,
    pub region: &'line str,
    pub since_ns: u64,
    pub counts: Vec<Option<u64>>,
    /// As it is written; empty if there is none.
    pub stack: &'line str,
}

/// How lines are to be read.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// Decimals of a time that are above a nanosecond.
    pub decimals: i32,
    /// How many counters have names; `None` if none was named.
    pub counters: Option<usize>,
    /// Whether a `T` came before.
    pub has_shares: bool,
}

/// A share of an instance is told in billionths.
pub const WHOLE: u64 = 1_000_000_000;

/// The column of what cannot be read, and what was expected there.
pub type Wrong = (usize, &'static str);

/// Reads a line; `text` has no line break.
pub fn line(text: &str, spelling: Spelling) -> Result<Line<'_>, Wrong> {
    let mut words = Words::of(text);
    match words.next() {
        None => Ok(Line::Nothing),
        Some(word) if word.starts_with('#') => Ok(header(text)),
        Some("I") => instance(&mut words, spelling),
        Some("T") => {
            let region = words.expect("the name of a region")?;
            // Of a unit of its own.
            let duration_ns = words.fixed(3, "a duration in microseconds")?;
            Ok(Line::Shares(region, duration_ns))
        }
        Some("S") if spelling.has_shares => share(&mut words),
        Some("S") => sample(&mut words, spelling),
        Some(_) => Err((
            1,
            "a record, a line that begins with \u{201c}I\u{201d}, \u{201c}S\u{201d} or \u{201c}T\u{201d}",
        )),
    }
}

fn header(text: &str) -> Line<'_> {
    let Some((name, rest)) = text.trim_start_matches('#').split_once(':') else {
        return Line::Nothing;
    };
    match (name.trim(), rest.trim()) {
        ("Counters", names) => Line::Counters(names.split_whitespace().collect()),
        ("Times", "ns") => Line::Times(0),
        ("Times", "us" | "µs") => Line::Times(3),
        ("Times", "ms") => Line::Times(6),
        ("Times", "s") => Line::Times(9),
        _ => Line::Nothing,
    }
}

fn instance<'line>(words: &mut Words<'line>, spelling: Spelling) -> Result<Line<'line>, Wrong> {
    let object = words.object()?;
    let region = words.expect("the name of a region")?;
    let duration_ns = words.fixed(spelling.decimals, "a duration")?;
    let mut totals = vec![];
    while !words.is_at_end() {
        totals.push(words.count("a total")?);
    }
    Ok(Line::Instance(Instance { object, region, duration_ns, totals }))
}

fn sample<'line>(words: &mut Words<'line>, spelling: Spelling) -> Result<Line<'line>, Wrong> {
    let object = words.object()?;
    let region = words.expect("the name of a region")?;
    let since_ns = words.fixed(spelling.decimals, "a time since the begin of the instance")?;
    let mut counts = vec![];
    // Without names of counters the first word that is no number begins the stack.
    while spelling.counters.is_none_or(|counters| counts.len() < counters) && !words.is_at_end() {
        let before = words.rest;
        match (words.count("a count"), spelling.counters) {
            (Ok(None), None) | (Err(_), None) => {
                words.rest = before;
                break;
            }
            (count, _) => counts.push(count?),
        }
    }
    let stack = words.rest.trim();
    let stack = if stack == "-" { "" } else { stack };
    Ok(Line::Sample(Sample { object, region, since_ns, counts, stack }))
}

fn share<'line>(words: &mut Words<'line>) -> Result<Line<'line>, Wrong> {
    let of = words.expect("the name of a counter, or LINE")?;
    let at = words.share("where in the instance, from 0 to 1")?;
    let value = match of {
        "LINE" => Of::CodeLine(words.rest.trim()),
        _ => Of::Count(words.share("how much of the total, from 0 to 1")?),
    };
    Ok(Line::Share(of, at, value))
}

/// The words of a line: between tabs if there is one, so that names may have blanks; else between blanks.
struct Words<'line> {
    whole: &'line str,
    rest: &'line str,
    has_tabs: bool,
}

impl<'line> Words<'line> {
    fn of(text: &'line str) -> Self {
        let text = text.trim_end_matches(['\r', ' ']);
        Self { whole: text, rest: text, has_tabs: text.contains('\t') }
    }

    fn is_at_end(&self) -> bool {
        self.rest.trim_start().is_empty()
    }

    fn column(&self) -> usize {
        1 + self.whole.len() - self.rest.trim_start().len()
    }

    fn next(&mut self) -> Option<&'line str> {
        let rest = self.rest.trim_start();
        let end = match self.has_tabs {
            true => rest.find('\t'),
            false => rest.find(' '),
        };
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        Some(word.trim_end()).filter(|word| !word.is_empty())
    }

    fn expect(&mut self, expected: &'static str) -> Result<&'line str, Wrong> {
        let column = self.column();
        self.next().ok_or((column, expected))
    }

    /// `THREAD`, `PROCESS.THREAD` or `NODE.CONTEXT.THREAD`, all from 0.
    fn object(&mut self) -> Result<Object, Wrong> {
        let wrong = (self.column(), "a thread: N, PROCESS.N or NODE.CONTEXT.N");
        let word = self.expect(wrong.1)?;
        let one_more = |part: &str| u32::try_from(number(part.as_bytes())?.0).ok()?.checked_add(1);
        let numbers = word.split('.').map(one_more);
        match numbers.collect::<Option<Vec<_>>>().as_deref() {
            Some([thread]) => Ok(Object { application: 1, task: 1, thread: *thread }),
            Some([task, thread] | [task, 1, thread]) => {
                Ok(Object { application: 1, task: *task, thread: *thread })
            }
            _ => Err(wrong),
        }
    }

    fn share(&mut self, expected: &'static str) -> Result<u64, Wrong> {
        let column = self.column();
        self.fixed(9, expected).ok().filter(|share| *share <= WHOLE).ok_or((column, expected))
    }

    /// A count; `None` if there is none: `-`.
    fn count(&mut self, expected: &'static str) -> Result<Option<u64>, Wrong> {
        let before = self.rest;
        if self.next() == Some("-") {
            return Ok(None);
        }
        self.rest = before;
        self.fixed(0, expected).map(Some)
    }

    /// A number that is not negative, in so many decimals.
    fn fixed(&mut self, decimals: i32, expected: &'static str) -> Result<u64, Wrong> {
        let column = self.column();
        let word = self.expect(expected)?;
        fixed(word, decimals).ok_or((column, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Spelling = Spelling { decimals: 3, counters: None, has_shares: false };

    #[test]
    fn a_stack_begins_where_the_counts_end() {
        let read = |text, counters| match line(text, Spelling { counters, ..PLAIN }) {
            Ok(Line::Sample(Sample { counts, stack, .. })) => (
                counts
                    .into_iter()
                    .map(|count| count.map_or(-1, |count| count as i64))
                    .collect::<Vec<_>>(),
                stack,
            ),
            other => panic!("{other:?}"),
        };
        assert_eq!(read("S 0 a 1 2 3 f;g (a b.c:4)", None), (vec![2, 3], "f;g (a b.c:4)"));
        assert_eq!(read("S 0 a 1 2 3 4", Some(2)), (vec![2, 3], "4"));
        assert_eq!(read("S 0 a 1 2 3 -", None), (vec![2, 3], ""));
        assert_eq!(read("S 0 a 1 - 3 -", Some(2)), (vec![-1, 3], ""));
        assert_eq!(read("S\t0\ta b\t1\tmain;f g", None), (vec![], "main;f g"));
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_column() {
        for (text, column, expected) in [
            ("X 0", 1, "a record"),
            ("I", 2, "a thread"),
            ("I a solve 1", 3, "a thread"),
            ("I 0.1.2.3 solve 1", 3, "a thread"),
            ("I 4294967295 solve 1", 3, "a thread"),
            ("I 0", 4, "the name of a region"),
            ("I 0 solve", 10, "a duration"),
            ("I 0 solve -3", 11, "a duration"),
            ("I 0 solve 3 four", 13, "a total"),
            ("S 0 solve x", 11, "a time since"),
            ("T a:b", 6, "a duration in microseconds"),
        ] {
            let (at, words) = line(text, PLAIN).unwrap_err();
            assert!(at == column && words.starts_with(expected), "{text}: {at} {words}");
        }
        let shares = Spelling { has_shares: true, ..PLAIN };
        let (at, words) = line("S PAPI_TOT_INS 0.5 1.5", shares).unwrap_err();
        assert_eq!((at, words), (20, "how much of the total, from 0 to 1"));
        let few = Spelling { counters: Some(2), ..PLAIN };
        assert_eq!(line("S 0 a 1 2 f;g", few).unwrap_err(), (11, "a count"));
    }
}
