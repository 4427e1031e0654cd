//! A trace that is read as it comes, whose end nobody knows: what a pipe brings, or a file that grows.

use super::accumulating::ReadPart;
use super::lines::Stop;
use super::opening::Opening;
use crate::paraver::PrvReader;
use crate::partial::Format;
use crate::perf_script::PerfReader;
use crate::text::{ParseError, WholeLines};
use crate::trace::{Builder, Only};

/// A trace of which bytes come one after the other, from its first on.
pub struct Following {
    name: String,
    lines: WholeLines,
    reader: Reader,
    /// See [`ReadPart::common`].
    common: Builder,
    /// What is kept of what came.
    trace: Builder,
    /// Bytes of whole lines, and of the last one once it ended.
    bytes: u64,
}

#[derive(Clone)]
enum Reader {
    /// Lines before the header has come.
    Head(Vec<u8>),
    Prv {
        header: Vec<u8>,
        reader: Box<PrvReader>,
    },
    Perf(Box<PerfReader>),
}

impl Opening<'_> {
    /// The same trace from its first byte on, as it comes, of which no more than `only` is kept.
    ///
    /// # Errors
    ///
    /// If it is of a kind that is not read from its begin to its end, or is packed.
    pub fn following(mut self, only: Only) -> Result<Following, ParseError> {
        let format = self.to_be_accumulated()?;
        let expected = "a .prv or the text of perf script, not packed: they are read as they come";
        let not = |what: &str| Err(ParseError::of_file(&self.name, what, expected));
        if self.main.is_packed() {
            return not("a packed file");
        }
        if !matches!(format, Format::Prv | Format::PerfScript) {
            return not("a trace that is read once all of it is there");
        }
        self.trace.keep_only(only);
        let common = self.common();
        let Self { name, perf, trace, .. } = self;
        let reader = match perf {
            Some(perf) => Reader::Perf(Box::new(perf)),
            None => Reader::Head(vec![]),
        };
        let trace = if matches!(reader, Reader::Perf(_)) { trace } else { common.part() };
        Ok(Following { name, lines: WholeLines::default(), reader, common, trace, bytes: 0 })
    }
}

impl Following {
    /// Reads the next bytes.
    ///
    /// # Errors
    ///
    /// As of a whole trace.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ParseError> {
        let Self { name, lines, reader, trace, bytes: read, .. } = self;
        let before = reader.lines_read();
        let pushed = lines.push(bytes, |text| {
            *read += text.len() as u64;
            reader.lines(name, text, trace).map_err(Stop::Unreadable)
        });
        pushed.map_err(|stop| stop.in_file(name, before))
    }

    /// What is kept of what came.
    pub fn trace(&mut self) -> &mut Builder {
        &mut self.trace
    }

    /// What `look` sees in it, with all names that are known so far. O(names).
    pub fn named<T>(&mut self, look: impl FnOnce(&Builder) -> T) -> T {
        let labels = self.trace.labels.clone();
        if let Reader::Perf(perf) = &self.reader {
            perf.label(&mut self.trace);
        }
        let seen = look(&self.trace);
        // All names are given at the end, and once.
        self.trace.labels = labels;
        seen
    }

    /// Bytes that it takes. O(chunks).
    pub fn held_bytes(&self) -> u64 {
        self.trace.held_bytes()
    }

    /// Bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What came so far, as if it ended here, but for a line that has not ended. O(threads).
    ///
    /// # Errors
    ///
    /// As of a whole trace.
    pub fn so_far(&self) -> Result<ReadPart, ParseError> {
        ended(&self.name, self.reader.clone(), self.common.clone(), self.trace.clone(), self.bytes)
    }

    /// All that came; a last line may be cut.
    ///
    /// # Errors
    ///
    /// As of a whole trace.
    pub fn end(mut self) -> Result<ReadPart, ParseError> {
        if let Some(last) = self.lines.finish() {
            self.bytes += last.len() as u64;
            self.reader.cut_line(&self.name, &last, &mut self.trace)?;
        }
        ended(&self.name, self.reader, self.common, self.trace, self.bytes)
    }
}

fn ended(
    name: &str,
    reader: Reader,
    mut common: Builder,
    mut trace: Builder,
    bytes: u64,
) -> Result<ReadPart, ParseError> {
    common.size_bytes = bytes;
    match reader {
        Reader::Head(_) => Err(ParseError::of_file(name, "no header", "one in its first lines")),
        Reader::Prv { header, reader } => {
            Ok(ReadPart { format: Format::Prv, header, common, reader: Some(*reader), trace })
        }
        Reader::Perf(perf) => {
            perf.finish(&mut trace)?;
            // Names stand among the records.
            trace.size_bytes = bytes;
            let mut named = trace.common();
            named.keep_only(common.only().clone());
            named.notices = common.notices;
            let (format, header) = (Format::PerfScript, vec![]);
            Ok(ReadPart { format, header, common: named, reader: None, trace })
        }
    }
}

impl Reader {
    fn lines(&mut self, name: &str, text: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        match self {
            Self::Perf(perf) => perf.lines(text, trace),
            Self::Prv { reader, .. } => reader.lines(text, trace),
            Self::Head(head) => {
                head.extend_from_slice(text);
                let mut first = PrvReader::new(name);
                // What a header says of the trace is said again by whoever puts parts together.
                first.lines(head, &mut trace.part())?;
                let Some(mut reader) = first.part() else { return Ok(()) };
                let head = std::mem::take(head);
                reader.lines(&head, trace)?;
                *self = Self::Prv { header: first.header().to_vec(), reader: Box::new(reader) };
                Ok(())
            }
        }
    }

    fn cut_line(&mut self, name: &str, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        match self {
            Self::Perf(perf) => perf.cut_line(line, trace),
            Self::Prv { reader, .. } => reader.cut_line(line, trace),
            Self::Head(_) => self.lines(name, line, trace),
        }
    }

    fn lines_read(&self) -> u64 {
        match self {
            Self::Perf(perf) => perf.lines_read(),
            Self::Prv { reader, .. } => reader.lines_read(),
            Self::Head(_) => 0,
        }
    }
}
