//! The records of a `.prv`.

use super::Header;
use crate::text::{Fields, ParseError, number};
use crate::trace::{Boundaries, Builder, Object};

/// Records at the head of a file among which none may be unreadable.
const SOUND_RECORDS: u64 = 100;
/// Beyond the first records, one in so many may be unreadable.
const BAD_ONE_IN: u64 = 100;
const SATURATED: &str = "A number beyond 64 bits; the largest one was taken.";

/// Reads a `.prv` line by line.
pub struct PrvReader {
    file: String,
    header: Option<Header>,
    records: u64,
    bad: u64,
    first_bad: Option<ParseError>,
}

impl PrvReader {
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), header: None, records: 0, bad: 0, first_bad: None }
    }

    /// Reads one line into `trace`.
    ///
    /// An error if the header cannot be read, or a record's fixed fields among the first hundred.
    pub fn line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let line = line.trim_ascii();
        if self.header.is_none() {
            return self.header_line(at, line, trace);
        }
        let read = match line.first() {
            Some(b'1') => self.state(at, line, trace),
            Some(b'2') => self.event(at, line, trace),
            Some(b'3') => return self.counted(),
            Some(b'#') => {
                comment(line, trace);
                return Ok(());
            }
            None | Some(b'c' | b'C' | b'i' | b'I') => return Ok(()),
            Some(_) => {
                let text = "A record of a kind that is not known; it was left out.";
                trace.notices.add(text, || self.place(at));
                return self.counted();
            }
        };
        self.records += 1;
        read.or_else(|error| self.unreadable(error, trace))
    }

    /// Reads a last line that the file ends without closing: if it is broken, it was cut.
    pub fn cut_line(
        &mut self,
        at: u64,
        line: &[u8],
        trace: &mut Builder,
    ) -> Result<(), ParseError> {
        let (records, bad) = (self.records, self.bad);
        let had_header = self.header.is_some();
        // An event record has six fields and then pairs: an odd number of fields is half a pair.
        let half = line.starts_with(b"2") && line.split(|byte| *byte == b':').count() % 2 == 1;
        let read = if half { Ok(()) } else { self.line(at, line, trace) };
        if had_header && (half || read.is_err() || self.bad > bad) {
            (self.records, self.bad) = (records, bad);
            trace.notices.add("The last line is cut; it was left out.", || self.place(at));
            return Ok(());
        }
        read
    }

    /// Ends the file: an error if it had no header, or if more than 1 % of it was unreadable.
    pub fn finish(self, trace: &mut Builder) -> Result<(), ParseError> {
        let Some(header) = &self.header else {
            let expected = "a header that begins with \u{201c}#Paraver\u{201d}";
            return Err(ParseError::of_file(&self.file, "an empty file", expected));
        };
        let place = || format!("{}:1", self.file);
        if trace.duration_ns > header.duration_ns {
            trace.notices.add("The trace goes on after the duration of its header.", place);
        }
        let silent = header.threads().saturating_sub(trace.threads() as u64);
        if silent > 0 {
            let text = "A thread of the header has no events.";
            trace.notices.add_many(text, silent, place);
        }
        match self.first_bad {
            Some(error) if self.bad.saturating_mul(BAD_ONE_IN) > self.records => Err(error),
            _ => Ok(()),
        }
    }

    fn header_line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        // Some old files begin with these words, and Paraver skips them.
        if line.is_empty() || line == b"new format" {
            return Ok(());
        }
        let header = Header::parse(&self.file, at, line)?;
        trace.duration_ns = trace.duration_ns.max(header.duration_ns);
        trace.provenance.clock = header.clock().to_owned();
        trace.provenance.boundaries = Boundaries::Exact;
        self.header = Some(header);
        Ok(())
    }

    /// Example: `1:1:1:1:1:829855:556919750717:1`, cpu, object, begin, end, state.
    fn state(&self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let mut fields = Record::new(&self.file, at, line);
        fields.number("a processor")?;
        for what in ["an application", "a task", "a thread"] {
            fields.number(what)?;
        }
        let begin = fields.number("a begin time")?;
        let end = fields.signed("an end time")?;
        fields.number("a state")?;
        if end < 0 {
            return Ok(()); // Not ended.
        }
        let end = end as u64;
        if end < begin {
            trace.notices.add("A state that ends before it begins.", || self.place(at));
            return Ok(());
        }
        trace.duration_ns = trace.duration_ns.max(self.nanoseconds(end));
        Ok(())
    }

    /// Example: `2:1:1:1:1:16856899:30000000:2:42001008:491531372`, cpu, object, time, pairs of
    /// type and value.
    fn event(&self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let mut fields = Record::new(&self.file, at, line);
        fields.number("a processor")?;
        let application = fields.number("an application")?;
        let task = fields.number("a task")?;
        let thread = fields.number("a thread")?;
        let time = self.nanoseconds(fields.number("a time")?);
        if fields.saturated {
            trace.notices.add(SATURATED, || self.place(at));
        }
        if !self.header.as_ref().is_some_and(|header| header.has(application, task, thread)) {
            let text = "A record of a thread that the header does not have; it was left out.";
            trace.notices.add(text, || self.place(at));
            trace.provenance.objects_dropped += 1;
            return Ok(());
        }
        let object =
            Object { application: application as u32, task: task as u32, thread: thread as u32 };
        let thread = trace.thread(object);
        let mut pairs = 0;
        loop {
            match fields.pair() {
                Pair::Event { code, value, saturated } => {
                    if saturated {
                        trace.notices.add(SATURATED, || self.place(at));
                    }
                    trace.event(thread, time, code, value);
                    pairs += 1;
                }
                Pair::End if pairs == 0 => {
                    trace.notices.add("An event record without events.", || self.place(at));
                    return Ok(());
                }
                Pair::End => return Ok(()),
                Pair::Half => {
                    let text = "An event type without a value; the pairs before it were kept.";
                    trace.notices.add(text, || self.place(at));
                    return Ok(());
                }
                Pair::Unreadable => {
                    let text =
                        "An event that is not a pair of numbers; the pairs before it were kept.";
                    trace.notices.add(text, || self.place(at));
                    return Ok(());
                }
            }
        }
    }

    fn unreadable(&mut self, error: ParseError, trace: &mut Builder) -> Result<(), ParseError> {
        if self.records <= SOUND_RECORDS {
            return Err(error);
        }
        self.bad += 1;
        trace.notices.add("A record that cannot be read; it was left out.", || {
            format!("{}:{}", error.file, error.line)
        });
        self.first_bad.get_or_insert(error);
        Ok(())
    }

    fn counted(&mut self) -> Result<(), ParseError> {
        self.records += 1;
        Ok(())
    }

    fn nanoseconds(&self, time: u64) -> u64 {
        time.saturating_mul(self.header.as_ref().map_or(1, |header| header.unit_ns))
    }

    fn place(&self, line: u64) -> String {
        format!("{}:{line}", self.file)
    }
}

/// Lines that Paraver's tools leave behind, and the one that our generator writes.
///
/// Example: `#20120101120000:CUTTER:RUNAPP:"/a/b.prv":0:1000:2000`
fn comment(line: &[u8], trace: &mut Builder) {
    let has = |word: &[u8]| line.windows(word.len()).any(|found| found == word);
    trace.cut |= has(b":CUTTER:") || has(b"Cut time range");
    trace.generated |= line.starts_with(b"#Tracefold generated");
}

/// The fields of one record after its kind.
struct Record<'line> {
    file: &'line str,
    at: u64,
    line: &'line [u8],
    fields: Fields<'line>,
    /// Whether a number did not fit.
    saturated: bool,
}

enum Pair {
    Event { code: u32, value: u64, saturated: bool },
    Half,
    Unreadable,
    End,
}

impl<'line> Record<'line> {
    fn new(file: &'line str, at: u64, line: &'line [u8]) -> Self {
        let mut fields = Fields::colons(line);
        fields.next_field();
        Self { file, at, line, fields, saturated: false }
    }

    #[inline]
    fn number(&mut self, expected: &str) -> Result<u64, ParseError> {
        let column = self.fields.column();
        let read = self.fields.next_field().and_then(|(_, field)| number(field));
        let (value, saturated) = read.ok_or_else(|| self.wrong(column, expected))?;
        self.saturated |= saturated;
        Ok(value)
    }

    fn signed(&mut self, expected: &str) -> Result<i64, ParseError> {
        let column = self.fields.column();
        let read = self.fields.next_field().and_then(|(_, field)| bits(field));
        read.map(|(value, _)| value as i64).ok_or_else(|| self.wrong(column, expected))
    }

    #[inline]
    fn pair(&mut self) -> Pair {
        let Some((_, code)) = self.fields.next_field() else { return Pair::End };
        let Some((_, value)) = self.fields.next_field() else {
            // A colon at the end of the line leaves an empty field, and nothing is missing.
            return if code.is_empty() { Pair::End } else { Pair::Half };
        };
        let code = number(code).and_then(|(code, _)| u32::try_from(code).ok());
        match (code, bits(value)) {
            (Some(code), Some((value, saturated))) => Pair::Event { code, value, saturated },
            _ => Pair::Unreadable,
        }
    }

    fn wrong(&self, column: usize, expected: &str) -> ParseError {
        ParseError::at(self.file, self.at, column, self.line, expected)
    }
}

/// A number of up to 64 bits; one with a sign in two's complement.
#[inline]
fn bits(field: &[u8]) -> Option<(u64, bool)> {
    match field.strip_prefix(b"-") {
        None => number(field),
        Some(digits) => {
            let (size, saturated) = number(digits)?;
            Some((size.wrapping_neg(), saturated))
        }
    }
}
