//! The records of a `.prv`.

use super::Header;
use super::record::{Pair, Record};
use crate::text::{ParseError, ShortLine, numbers};
use crate::trace::{Boundaries, Builder, Place};

/// Records at the head of a file among which none may be unreadable.
pub const SOUND_RECORDS: u64 = 100;
/// Beyond the first records, one in so many may be unreadable.
const BAD_ONE_IN: u64 = 100;
/// A trace that ends before one in so many parts of its header's duration is whole: clocks are not
/// equal everywhere, and some writers round. All those known to be whole end within a millionth.
const ENDS_WITHIN_ONE_IN: u64 = 100;
/// Begin and end of a program.
const APPLICATION: u32 = 40_000_001;
/// Processor, object, begin, end and state, after the kind of the record.
const STATE_FIELDS: usize = 8;
/// The state of a thread that computes.
const RUNNING: u64 = 1;
const SATURATED: &str = "A number beyond 64 bits; the largest one was taken.";

/// Reads a `.prv` line by line.
#[derive(Clone, Debug, Default)]
pub struct PrvReader {
    pub(super) file: String,
    pub(super) header: Option<Header>,
    /// The line that it was read from.
    pub(super) header_line: Vec<u8>,
    /// Lines read so far.
    pub(super) lines: u64,
    pub(super) records: u64,
    pub(super) bad: u64,
    /// The first record that could not be read, and its number.
    pub(super) first_bad: Option<(u64, ParseError)>,
    /// Whether records come before the first line.
    pub(super) is_later_part: bool,
    /// Whether its last line is not closed, and could be read all the same.
    pub(super) has_open_end: bool,
    /// Whether it is what a folded trace is written as.
    pub(super) is_folded: bool,
    /// Of the line at hand, in [`PrvReader::plain`].
    pub(super) numbers: Vec<u64>,
}

impl PrvReader {
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// A reader of a file whose header this is, and none of whose lines are read.
    pub fn with_header(file: &str, line: &[u8], trace: &mut Builder) -> Result<Self, ParseError> {
        let mut reader = Self::new(file);
        reader.read_header(1, line, trace)?;
        Ok(reader)
    }

    /// The line of the header; empty before it was read.
    pub fn header(&self) -> &[u8] {
        &self.header_line
    }

    /// Reads whole lines, each with its `\n`, into `trace`.
    ///
    /// An error if the header cannot be read, or a record's fixed fields among the first hundred.
    pub fn lines(&mut self, mut text: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        while !text.is_empty() {
            let length = match self.plain(text, trace) {
                Some(length) => length,
                None => {
                    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
                    self.line(text.get(..end).unwrap_or_default(), trace)?;
                    end + 1
                }
            };
            text = text.get(length..).unwrap_or_default();
        }
        Ok(())
    }

    /// Reads the record that `text` begins with, if it is as plain as nearly all of them are, in a
    /// third of the time that [`PrvReader::line`] takes, and with the same result. Returns its
    /// length.
    #[inline]
    fn plain(&mut self, text: &[u8], trace: &mut Builder) -> Option<usize> {
        let header = self.header.as_ref()?;
        let length = match text.first()? {
            b'3' => memchr::memchr(b'\n', text)? + 1,
            b'1' => {
                let line = ShortLine::<STATE_FIELDS>::find(text)?;
                let number = |index| line.number(text, index);
                let (begin, end) = (number(5)?, number(6)?);
                if text.get(1) != Some(&b':') || begin > end {
                    return None;
                }
                let [begin_ns, end_ns] =
                    [begin, end].map(|time| time.saturating_mul(header.unit_ns));
                trace.duration_ns = trace.duration_ns.max(end_ns);
                if number(7)? == RUNNING {
                    let object = header.object(number(2)?, number(3)?, number(4)?)?;
                    trace.computes(object, begin_ns, end_ns);
                }
                line.length()
            }
            b'2' => {
                let length = numbers(text, &mut self.numbers)?;
                let [2, _, application, task, thread, time, pairs @ ..] = self.numbers.as_slice()
                else {
                    return None;
                };
                let (pairs, half) = pairs.as_chunks();
                let too_large = |[code, _]: &[u64; 2]| *code > u64::from(u32::MAX);
                if pairs.is_empty() || !half.is_empty() || pairs.iter().any(too_large) {
                    return None;
                }
                let object = header.object(*application, *task, *thread)?;
                trace.moment(object, time.saturating_mul(header.unit_ns), pairs);
                length
            }
            _ => return None,
        };
        self.lines += 1;
        self.records += 1;
        Some(length)
    }

    /// Reads one line, without its `\n`, into `trace`.
    fn line(&mut self, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        self.lines += 1;
        let at = self.lines;
        let line = line.trim_ascii();
        if self.header.is_none() {
            return self.read_header(at, line, trace);
        }
        let read = match line.first() {
            Some(b'1') => self.state(at, line, trace),
            Some(b'2') => self.event(at, line, trace),
            Some(b'3') => return self.counted(),
            Some(b'#') => {
                self.is_folded |=
                    line.starts_with(b"#Folded by") || line.starts_with(b"#Found by Tracefold");
                comment(line, trace);
                return Ok(());
            }
            None | Some(b'c' | b'C' | b'i' | b'I') => return Ok(()),
            // Read apart from those before them, the first lines come after a header that is known.
            Some(b'n') if line == b"new format" => return Ok(()),
            Some(_) => {
                let text = "A record of a kind that is not known; it was left out.";
                trace.notices.add(text, || self.place(at));
                return self.counted();
            }
        };
        self.records += 1;
        read.or_else(|error| self.unreadable(error, trace))
    }

    /// Lines read so far.
    pub fn lines_read(&self) -> u64 {
        self.lines
    }

    /// Reads a last line that the file ends without closing: if it is broken, it was cut.
    pub fn cut_line(&mut self, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let line = line.trim_ascii();
        let at = self.lines + 1;
        let read = match line.first() {
            // Six fields and then pairs: an odd number of fields is half a pair.
            Some(b'2') if line.split(|byte| *byte == b':').count() % 2 == 1 => None,
            Some(b'2') if self.header.is_some() => self.event(at, line, trace).ok(),
            Some(b'1') if self.header.is_some() => self.state(at, line, trace).ok(),
            _ => return self.line(line, trace),
        };
        self.lines += 1;
        match read {
            Some(()) => (self.records, self.has_open_end) = (self.records + 1, true),
            None => {
                trace.notices.damage("The last line is cut; it was left out.", || self.place(at))
            }
        }
        Ok(())
    }

    /// Ends the file, and says so if it ends too soon: an error if it had no header, or if more than
    /// 1 % of it was unreadable.
    pub fn finish(self, trace: &mut Builder) -> Result<(), ParseError> {
        let Some(header) = &self.header else {
            let expected = "a header that begins with \u{201c}#Paraver\u{201d}";
            return Err(ParseError::of_file(&self.file, "an empty file", expected));
        };
        let place = || self.place(1);
        let (end_ns, promised_ns) = (trace.duration_ns, header.duration_ns);
        trace.duration_ns = end_ns.max(promised_ns);
        if end_ns > promised_ns {
            trace.notices.add("The trace goes on after the duration of its header.", place);
        }
        self.note_end(trace, end_ns, promised_ns);
        let silent = header.threads().saturating_sub(trace.threads() as u64);
        if silent > 0 {
            let text = "A thread of the header has no events.";
            trace.notices.add_many(text, silent, place);
        }
        match self.first_bad {
            Some((_, error)) if self.bad.saturating_mul(BAD_ONE_IN) > self.records => Err(error),
            _ => Ok(()),
        }
    }

    /// Says so if records end at `end_ns`, long before what the header promises.
    ///
    /// A state that stands early in the file may last until its end. So where the begin of programs
    /// is recorded, which is to say by Extrae, the last event counts: their end is recorded, too.
    /// Not said of a folded trace, which tells of a few instances, nor where reading stopped.
    fn note_end(&self, trace: &mut Builder, end_ns: u64, promised_ns: u64) {
        let end_ns = match trace.has_code(APPLICATION) {
            true => trace.last_event_ns(),
            false => end_ns,
        };
        let missing_ns = promised_ns.saturating_sub(end_ns);
        let is_whole = missing_ns <= promised_ns / ENDS_WITHIN_ONE_IN;
        if is_whole || self.is_folded || trace.has_stopped() {
            return;
        }
        let [end, promised] = [end_ns, promised_ns].map(|ns| ns as f64 / 1e9);
        let inside = if self.has_open_end { " inside a line" } else { "" };
        let text = format!(
            "The trace ends at {end} s{inside}, and its header promises {promised} s: what came \
             after is missing."
        );
        trace.notices.damage(&text, || self.place(self.lines));
    }

    fn read_header(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        // Some old files begin with these words, and Paraver skips them.
        if line.is_empty() || line == b"new format" {
            return Ok(());
        }
        let header = Header::parse(&self.file, at, line)?;
        trace.provenance.clock = header.clock().to_owned();
        trace.provenance.boundaries = Boundaries::Exact;
        trace.nodes.clone_from(&header.nodes);
        self.header = Some(header);
        self.header_line = line.to_vec();
        Ok(())
    }

    /// Example: `1:1:1:1:1:829855:556919750717:1`, cpu, object, begin, end, state.
    fn state(&self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let mut fields = Record::new(&self.file, at, line);
        fields.number("a processor")?;
        let application = fields.number("an application")?;
        let task = fields.number("a task")?;
        let thread = fields.number("a thread")?;
        let begin = fields.number("a begin time")?;
        let end = fields.signed("an end time")?;
        let state = fields.number("a state")?;
        if end < 0 {
            return Ok(()); // Not ended.
        }
        let end = end as u64;
        if end < begin {
            trace.notices.add("A state that ends before it begins.", || self.place(at));
            return Ok(());
        }
        let [begin_ns, end_ns] = [begin, end].map(|time| self.nanoseconds(time));
        trace.duration_ns = trace.duration_ns.max(end_ns);
        let known = self.header.as_ref().and_then(|h| h.object(application, task, thread));
        if let Some(object) = known.filter(|_| state == RUNNING) {
            trace.computes(object, begin_ns, end_ns);
        }
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
            trace.notices.damage(SATURATED, || self.place(at));
        }
        let known = self.header.as_ref().and_then(|h| h.object(application, task, thread));
        let Some(object) = known else {
            let text = "A record of a thread that the header does not have; it was left out.";
            trace.notices.damage(text, || self.place(at));
            trace.provenance.objects_dropped += 1;
            return Ok(());
        };
        trace.thread(object);
        let mut events = vec![];
        let odd = loop {
            match fields.pair() {
                Pair::Event { code, value, saturated } => {
                    if saturated {
                        trace.notices.damage(SATURATED, || self.place(at));
                    }
                    events.push([u64::from(code), value]);
                }
                Pair::End if events.is_empty() => break Some("An event record without events."),
                Pair::End => break None,
                Pair::Half => {
                    break Some("An event type without a value; the pairs before it were kept.");
                }
                Pair::Unreadable => {
                    break Some(
                        "An event that is not a pair of numbers; the pairs before it were kept.",
                    );
                }
            }
        };
        if let Some(text) = odd {
            trace.notices.add(text, || self.place(at));
        }
        if !events.is_empty() {
            trace.moment(object, time, &events);
        }
        Ok(())
    }

    fn unreadable(&mut self, error: ParseError, trace: &mut Builder) -> Result<(), ParseError> {
        // A later part learns only when it is joined how many records came before.
        if self.records <= SOUND_RECORDS && !self.is_later_part {
            return Err(error);
        }
        self.bad += 1;
        trace.notices.damage("A record that cannot be read; it was left out.", || Place {
            of: error.file.clone(),
            line: error.line,
        });
        self.first_bad.get_or_insert((self.records, error));
        Ok(())
    }

    fn counted(&mut self) -> Result<(), ParseError> {
        self.records += 1;
        Ok(())
    }

    fn nanoseconds(&self, time: u64) -> u64 {
        time.saturating_mul(self.header.as_ref().map_or(1, |header| header.unit_ns))
    }

    fn place(&self, line: u64) -> Place {
        Place { of: self.file.clone(), line }
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
