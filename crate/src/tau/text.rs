//! One text profile, `profile.NODE.CONTEXT.THREAD`: a metric of a thread.
//!
//! ```text
//! 2 templated_functions_MULTI_TIME
//! # Name Calls Subrs Excl Incl ProfileCalls # <metadata>…</metadata>
//! ".TAU application" 1 1 20 100 0 GROUP="TAU_DEFAULT"
//! "MPI_Init()  " 1 0 80 80 0 GROUP="MPI"
//! 0 aggregates
//! 1 userevents
//! # eventname numevents max min mean sumsqr
//! "Message size" 4 16 2 8 400
//! ```
//!
//! Source: TAU 2, `Profiler.cpp`.

use super::metadata;
use super::trial::Trial;
use crate::text::{ParseError, decimal};
use crate::trace::Place;

/// Begins the name of the metric in the first line.
const MULTI: &str = "_MULTI_";
/// The metric, where nothing names it.
const UNNAMED: &str = "TIME";

/// Reads a file line by line.
pub struct TextReader<'trial> {
    trial: &'trial mut Trial,
    file: String,
    thread: [u32; 3],
    metric: String,
    /// Lines of events, and of user events, that are still to come.
    events: u64,
    user_events: u64,
    expects: Line,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Count,
    Head,
    Event,
    Aggregates,
    UserEvents,
    UserHead,
    UserEvent,
    End,
}

/// Node, context and thread of `profile.0.0.3`, and what stands before.
pub fn thread_of(name: &str) -> Option<(&str, [u32; 3])> {
    let mut parts = name.rsplitn(4, '.');
    let mut next = || parts.next()?.parse().ok();
    let (thread, context, node) = (next()?, next()?, next()?);
    Some((parts.next()?, [node, context, thread]))
}

impl<'trial> TextReader<'trial> {
    /// An error if the name does not tell of which thread the file is.
    pub fn new(trial: &'trial mut Trial, file: &str, name: &str) -> Result<Self, ParseError> {
        let name = [".gz", ".bz2"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let Some((_, thread)) = thread_of(name) else {
            let expected = "NAME.NODE.CONTEXT.THREAD, such as profile.0.0.0";
            return Err(ParseError::of_file(file, "a profile of TAU of another name", expected));
        };
        let (metric, expects) = (String::new(), Line::Count);
        let file = file.to_owned();
        Ok(Self { trial, file, thread, metric, events: 0, user_events: 0, expects })
    }

    /// Reads a line. What cannot be read is left out, and a notice says so.
    ///
    /// An error if the first one is not that of a profile.
    pub fn line(&mut self, number: u64, line: &[u8]) -> Result<(), ParseError> {
        let text = String::from_utf8_lossy(line);
        let place = Place { of: self.file.clone(), line: number };
        match self.expects {
            Line::Count => {
                let expected = "a number of events, such as 17 templated_functions_MULTI_TIME";
                let wrong = || ParseError::at(&self.file, number, 1, line, expected);
                let (count, words) = text.split_once(' ').ok_or_else(wrong)?;
                self.events = count.parse().map_err(|_| wrong())?;
                let metric = words.split_once(MULTI).map(|(_, metric)| metric.trim());
                metric.unwrap_or_default().clone_into(&mut self.metric);
                self.expects = Line::Head;
            }
            Line::Head => {
                self.head(&text, &place)?;
                self.expects = if self.events > 0 { Line::Event } else { Line::Aggregates };
            }
            Line::Event => {
                self.event(&text, &place);
                self.events -= 1;
                if self.events == 0 {
                    self.expects = Line::Aggregates;
                }
            }
            // How many there are was always 0.
            Line::Aggregates => self.expects = Line::UserEvents,
            Line::UserEvents => {
                let count = text.split(' ').next().and_then(|count| count.parse().ok());
                self.user_events = count.unwrap_or(0);
                self.expects = if self.user_events > 0 { Line::UserHead } else { Line::End };
            }
            Line::UserHead => self.expects = Line::UserEvent,
            Line::UserEvent => {
                self.user_event(&text, &place);
                self.user_events -= 1;
                if self.user_events == 0 {
                    self.expects = Line::End;
                }
            }
            Line::End => {}
        }
        Ok(())
    }

    /// Notes where the file ends too early.
    pub fn finish(self) -> Result<(), ParseError> {
        if self.expects == Line::Count {
            return Err(ParseError::of_file(&self.file, "no line", "a profile of TAU"));
        }
        if self.events + self.user_events > 0 {
            let text = "A profile with fewer lines than it says; what is missing counts nothing.";
            self.trial.notices.damage(text, || self.file.clone());
        }
        Ok(())
    }

    fn head(&mut self, text: &str, place: &Place) -> Result<(), ParseError> {
        let from = text.find("<metadata>");
        let (pairs, is_whole) = metadata::read(from.map_or("", |from| &text[from..]));
        if !is_whole {
            let text = "Metadata that cannot be read to its end; the rest was left out.";
            self.trial.notices.add(text, || place.clone());
        }
        let named = pairs.iter().find(|(key, _)| key == "Metric Name");
        let named = named.map(|(_, name)| name.clone()).filter(|name| !name.is_empty());
        let multi = Some(self.metric.clone()).filter(|name| !name.is_empty());
        let metric = named.or(multi).unwrap_or_else(|| UNNAMED.to_owned());
        let metric = self.trial.metric(&self.file, &metric)?;
        // The same in every metric of a thread, but for its name.
        let pairs = pairs.iter().filter(|(key, _)| key != "Metric Name");
        let pairs = pairs.map(|(key, value)| self.trial.pair(key, value)).collect::<Vec<_>>();
        let thread = self.trial.begin(self.thread, &[metric]);
        let wrong = |found: String| ParseError::of_file(&self.file, &found, "fewer");
        let thread = thread.map_err(wrong)?;
        if thread.metadata.is_empty() {
            thread.metadata = pairs;
        }
        if thread.has.first() == Some(&metric) {
            thread.user_events = Default::default();
        }
        Ok(())
    }

    /// `"NAME" calls subrs excl incl profcalls GROUP="G1|G2"`.
    fn event(&mut self, text: &str, place: &Place) {
        const GROUP: &str = " GROUP=\"";
        let (numbers, groups) = match text.rfind(GROUP) {
            Some(at) => (&text[..at], text[at + GROUP.len()..].trim_end().trim_end_matches('"')),
            None => (text, ""),
        };
        let read = quoted(numbers).and_then(|(name, numbers)| Some((name, values::<4>(numbers)?)));
        match read {
            Some((name, [calls, subcalls, exclusive, inclusive])) => {
                let event = self.trial.event(name, groups);
                self.trial.add(event, [calls, subcalls], &[[exclusive, inclusive]], place);
            }
            None => self.skip(place),
        }
    }

    /// `"NAME" numevents max min mean sumsqr`.
    fn user_event(&mut self, text: &str, place: &Place) {
        let read = quoted(text).and_then(|(name, numbers)| Some((name, values::<5>(numbers)?)));
        match read {
            Some((name, [count, max, min, mean, squares])) => {
                self.trial.add_user_event(name, [count, min, max, mean, squares]);
            }
            None => self.skip(place),
        }
    }

    fn skip(&mut self, place: &Place) {
        let text = "A line of a profile that cannot be read; it was left out.";
        self.trial.notices.damage(text, || place.clone());
    }
}

/// A name in quotes, which may have more of them, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.rsplit_once('"')
}

/// The first numbers of a line, in which even more may follow.
fn values<const COUNT: usize>(text: &str) -> Option<[f64; COUNT]> {
    let mut values = Vec::with_capacity(COUNT + 1);
    numbers(text, &mut values);
    values.first_chunk().copied()
}

/// Digits that fit a `u64` whatever they are.
const MOST_DIGITS: usize = 19;

/// The numbers of a line up to its end, or to what is none, in place of those in `into`: whole ones the
/// short way.
pub fn numbers(line: &str, into: &mut Vec<f64>) {
    into.clear();
    let mut rest = line.trim_ascii();
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_whole = matches!(rest.as_bytes().get(digits), None | Some(b' '));
        if is_whole && (1..MOST_DIGITS).contains(&digits) {
            let digit = |value: u64, byte: u8| 10 * value + u64::from(byte - b'0');
            into.push(rest[..digits].bytes().fold(0, digit) as f64);
            rest = rest[digits..].trim_ascii_start();
        } else {
            let (word, after) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
            let Some(value) = decimal(word) else { return };
            into.push(value);
            rest = after.trim_ascii_start();
        }
    }
}
