//! Files to one [`Trace`]: which file is what, which reader it goes to, and what is missing.
//!
//! The command line and the page both open traces through [`open`].

use std::io::{BufRead, BufReader, Read};

use crate::extract_file::{self, ExtractReader};
use crate::input::{Damage, FileKind, Inflate, NamedFile, sniff};
use crate::order;
use crate::paraver::{self, PcfReader, PrvReader, RowReader};
use crate::perf_script::{self, PerfReader};
use crate::text::{LineBuffer, LineTooLong, MAX_LINE_BYTES, ParseError};
use crate::trace::{Builder, Trace};

/// How much is read at a time, between two reports of progress.
const SLICE_BYTES: usize = 1 << 20;

/// How far reading has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The file being read.
    pub file: String,
    /// Bytes read of it, as it lies on disk.
    pub done: u64,
    /// Its size in bytes.
    pub total: u64,
}

/// Reads the files of one trace, in any order, and reports progress about once a megabyte.
///
/// An error if there is no trace among them or more than one, or if it cannot be read.
pub fn open(
    files: Vec<NamedFile<'_>>,
    report: &mut dyn FnMut(Progress),
) -> Result<Trace, ParseError> {
    let mut known = files.into_iter().map(Recognised::new).collect::<Result<Vec<_>, _>>()?;
    let names = |kinds: &[FileKind]| {
        let named = known.iter().filter(|file| kinds.contains(&file.kind));
        named.map(|file| file.name.clone()).collect::<Vec<_>>()
    };
    let main = match names(&[FileKind::Prv, FileKind::Extract, FileKind::PerfScript]).as_slice() {
        [main] => main.clone(),
        [] => return Err(no_trace(&known)),
        several => {
            let expected = "one; open them one after the other";
            let found = format!("{} traces ({})", several.len(), several.join(", "));
            return Err(ParseError::of_file("these files", &found, expected));
        }
    };
    // Labels first: they are short, and a trace that cannot be read says so no later.
    order::by_number(&mut known, |file| match file.kind {
        FileKind::Prv | FileKind::Extract | FileKind::PerfScript => 1,
        _ => 0,
    });
    let labels = best_match(&main, &names_of(&known, FileKind::Pcf));
    let rows = best_match(&main, &names_of(&known, FileKind::Row));

    let mut trace = Builder::new(&main);
    let mut meaning: fn(u32, &crate::trace::Labels) -> crate::trace::Meaning = paraver::meaning;
    let mut named_by_itself = false;
    for file in known {
        let wanted = [Some(&main), labels.as_ref(), rows.as_ref()].contains(&Some(&file.name));
        if !wanted {
            let text = "A file that does not belong to the trace; it was left out.";
            trace.notices.add(text, || file.name.clone());
            continue;
        }
        match file.kind {
            FileKind::Prv => file.prv(&mut trace, report)?,
            FileKind::Extract => {
                meaning = extract_file::meaning;
                file.extract(&mut trace, report)?;
            }
            FileKind::Pcf => file.pcf(&mut trace, report)?,
            FileKind::Row => file.row(&mut trace, report)?,
            FileKind::PerfScript => {
                meaning = perf_script::meaning;
                named_by_itself = true;
                file.perf_script(&mut trace, report)?;
            }
            FileKind::Unknown | FileKind::PerfData => {}
        }
    }
    if labels.is_none() && !named_by_itself {
        let text = "No .pcf among the files: types and values without a name are shown by number.";
        trace.notices.add(text, String::new);
    }
    Ok(trace.finish(meaning))
}

fn names_of(known: &[Recognised<'_>], kind: FileKind) -> Vec<String> {
    known.iter().filter(|file| file.kind == kind).map(|file| file.name.clone()).collect()
}

/// The file whose name begins as the trace's does, or the only one.
fn best_match(main: &str, candidates: &[String]) -> Option<String> {
    let stem = |name: &str| {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
    };
    let same = candidates.iter().find(|name| stem(name) == stem(main));
    same.or_else(|| candidates.first()).cloned()
}

fn no_trace(known: &[Recognised<'_>]) -> ParseError {
    let expected = "a trace: a .prv (with its .pcf and .row), an .extract or the text of perf script, each may be gzipped";
    if let Some(recorded) = known.iter().find(|file| file.kind == FileKind::PerfData) {
        let expected = "its text: perf script --ns -F +period > trace.txt";
        let found = "a recording that only perf can read";
        return ParseError::of_file(&recorded.name, found, expected);
    }
    match known {
        [] => ParseError::of_file("these files", "no file", expected),
        [only] => {
            let found = match only.kind {
                FileKind::Pcf => "only the labels of a trace",
                FileKind::Row => "only the names of the objects of a trace",
                _ => "a file of another kind",
            };
            ParseError::of_file(&only.name, found, expected)
        }
        several => {
            let found = format!("{} files and no trace among them", several.len());
            ParseError::of_file("these files", &found, expected)
        }
    }
}

/// A file whose kind is known, about to be read.
struct Recognised<'read> {
    name: String,
    size: u64,
    kind: FileKind,
    /// Inflated bytes that were looked at already.
    head: Vec<u8>,
    bytes: Inflate<Counted<BufReader<Box<dyn Read + 'read>>>>,
    read: std::rc::Rc<std::cell::Cell<u64>>,
}

impl<'read> Recognised<'read> {
    fn new(file: NamedFile<'read>) -> Result<Self, ParseError> {
        let NamedFile { name, size, bytes } = file;
        let failed = |error: std::io::Error| cannot_read(&name, &error);
        let read = std::rc::Rc::new(std::cell::Cell::new(0));
        let counted = Counted {
            bytes: BufReader::with_capacity(SLICE_BYTES, bytes),
            read: std::rc::Rc::clone(&read),
        };
        let mut bytes = Inflate::new(counted).map_err(failed)?;
        let mut head = vec![0; 64];
        let mut filled = 0;
        while let Some(rest) = head.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match bytes.read(rest).map_err(failed)? {
                0 => break,
                count => filled += count,
            }
        }
        head.truncate(filled);
        Ok(Self { kind: sniff(&name, &head), name, size, head, bytes, read })
    }

    fn prv(self, trace: &mut Builder, report: &mut dyn FnMut(Progress)) -> Result<(), ParseError> {
        trace.size_bytes = self.size;
        let mut reader = PrvReader::new(&self.name);
        let take = |at, line: &[u8], last: bool, trace: &mut Builder| match last {
            false => reader.line(at, line, trace),
            true => reader.cut_line(at, line, trace),
        };
        self.each_line(trace, report, take)?;
        reader.finish(trace)
    }

    fn extract(
        self,
        trace: &mut Builder,
        report: &mut dyn FnMut(Progress),
    ) -> Result<(), ParseError> {
        trace.size_bytes = self.size;
        let mut reader = ExtractReader::new(&self.name);
        self.each_line(trace, report, |at, line, _, trace| reader.line(at, line, trace))?;
        reader.finish(trace)
    }

    fn perf_script(
        self,
        trace: &mut Builder,
        report: &mut dyn FnMut(Progress),
    ) -> Result<(), ParseError> {
        trace.size_bytes = self.size;
        let mut reader = PerfReader::new(&self.name);
        let take = |at, line: &[u8], last: bool, trace: &mut Builder| match last {
            false => reader.line(at, line, trace),
            true => reader.cut_line(at, line, trace),
        };
        self.each_line(trace, report, take)?;
        reader.finish(trace)
    }

    fn pcf(self, trace: &mut Builder, report: &mut dyn FnMut(Progress)) -> Result<(), ParseError> {
        let mut reader = PcfReader::default();
        self.each_line(trace, report, |_, line, _, trace| {
            reader.line(line, trace);
            Ok(())
        })?;
        reader.finish(trace);
        Ok(())
    }

    fn row(self, trace: &mut Builder, report: &mut dyn FnMut(Progress)) -> Result<(), ParseError> {
        let mut reader = RowReader;
        self.each_line(trace, report, |_, line, _, trace| {
            reader.line(line, trace);
            Ok(())
        })
    }

    /// Hands every line to `take(number, line, is the unclosed last one, trace)`.
    fn each_line(
        mut self,
        trace: &mut Builder,
        report: &mut dyn FnMut(Progress),
        mut take: impl FnMut(u64, &[u8], bool, &mut Builder) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        let mut lines = LineBuffer::default();
        let mut feed = |lines: &mut LineBuffer, bytes: &[u8], trace: &mut Builder| {
            let taken = lines
                .push(bytes, |at, line| take(at, line, false, trace).map_err(Stop::Unreadable));
            taken.map_err(|stop| stop.in_file(&self.name))
        };
        feed(&mut lines, &std::mem::take(&mut self.head), trace)?;
        let mut slice = vec![0; SLICE_BYTES];
        loop {
            let count = self.bytes.read(&mut slice).map_err(|e| cannot_read(&self.name, &e))?;
            let Some(bytes) = slice.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
            feed(&mut lines, bytes, trace)?;
            let done = self.read.get().min(self.size);
            report(Progress { file: self.name.clone(), done, total: self.size });
        }
        match self.bytes.damage() {
            None => {
                lines.finish(|at, line| take(at, line, true, trace))?;
            }
            Some(damage) => {
                let (found, notice) = in_words(damage);
                if trace.moments() == 0 && trace.labels.is_empty() {
                    return Err(ParseError::of_file(&self.name, found, "a whole gzip file"));
                }
                if damage == Damage::Trailing {
                    lines.finish(|at, line| take(at, line, true, trace))?;
                }
                trace.notices.add(notice, || self.name.clone());
            }
        }
        Ok(())
    }
}

/// Why the lines of a file are not read to their end.
enum Stop {
    Unreadable(ParseError),
    TooLong(LineTooLong),
}

impl From<LineTooLong> for Stop {
    fn from(long: LineTooLong) -> Self {
        Self::TooLong(long)
    }
}

impl Stop {
    fn in_file(self, name: &str) -> ParseError {
        match self {
            Self::Unreadable(error) => error,
            Self::TooLong(LineTooLong(line)) => {
                let found =
                    format!("a line of more than {} MiB (line {line})", MAX_LINE_BYTES >> 20);
                ParseError::of_file(name, &found, "lines of text, as tracers write them")
            }
        }
    }
}

fn in_words(damage: Damage) -> (&'static str, &'static str) {
    match damage {
        Damage::CutShort => (
            "a gzip file that stops before its first record",
            "The gzip file is cut short; it was read up to there.",
        ),
        Damage::Broken => (
            "a gzip file that is damaged before its first record",
            "The gzip file is damaged; it was read up to there.",
        ),
        Damage::Trailing => (
            "a gzip file with something else after it",
            "Something that is no gzip follows the gzip file; it was left out.",
        ),
    }
}

fn cannot_read(name: &str, error: &std::io::Error) -> ParseError {
    ParseError::of_file(name, &error.to_string(), "a file that can be read")
}

/// Counts the bytes taken from a file, for the report of progress.
struct Counted<R> {
    bytes: R,
    read: std::rc::Rc<std::cell::Cell<u64>>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.read.set(self.read.get() + count as u64);
        self.bytes.consume(count);
    }
}
