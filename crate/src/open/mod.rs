//! Files to one [`Trace`]: which file is what, which reader it goes to, and what is missing.
//!
//! The command line and the page both open traces through [`open`].

mod blocks;

use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;

use crate::extract_file::{self, ExtractReader};
use crate::input::{Damage, FileKind, Inflate, NamedFile, Reading, Source, sniff};
use crate::order;
use crate::paraver::{self, PcfReader, PrvReader, RowReader};
use crate::perf_script::{self, PerfReader};
use crate::text::{LineBuffer, LineTooLong, MAX_LINE_BYTES, ParseError, WholeLines};
use crate::trace::{Builder, Trace};

/// How much is read at a time, between two reports of progress.
const SLICE_BYTES: usize = 1 << 20;

/// How much of a file is looked at to tell what it is.
const HEAD_BYTES: u64 = 64;

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

    let main_kind = known.iter().find(|file| file.name == main).map(|file| file.kind);
    let meaning = match main_kind {
        Some(FileKind::Extract) => extract_file::meaning,
        Some(FileKind::PerfScript) => perf_script::meaning,
        _ => paraver::meaning,
    };
    let mut trace = Builder::new(&main, meaning);
    for file in known {
        let wanted = [Some(&main), labels.as_ref(), rows.as_ref()].contains(&Some(&file.name));
        if !wanted {
            let text = "A file that does not belong to the trace; it was left out.";
            trace.notices.add(text, || file.name.clone());
            continue;
        }
        match file.kind {
            FileKind::Prv | FileKind::Extract | FileKind::PerfScript => {
                file.main(&mut trace, report)?;
            }
            FileKind::Pcf => file.pcf(&mut trace, report)?,
            FileKind::Row => file.row(&mut trace, report)?,
            FileKind::Unknown | FileKind::PerfData => {}
        }
    }
    if labels.is_none() && main_kind != Some(FileKind::PerfScript) {
        let text = "No .pcf among the files: types and values without a name are shown by number.";
        trace.notices.add(text, String::new);
    }
    Ok(trace.finish())
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
    let expected = "a trace: a .prv (with its .pcf and .row), an .extract or the text of \
        perf script, each may be gzipped";
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
    source: Arc<dyn Source + 'read>,
    kind: FileKind,
}

impl<'read> Recognised<'read> {
    fn new(file: NamedFile<'read>) -> Result<Self, ParseError> {
        let NamedFile { name, source } = file;
        let kind = match first_bytes(&source) {
            Ok(head) => sniff(&name, &head),
            Err(error) => return Err(cannot_read(&name, &error)),
        };
        Ok(Self { name, source, kind })
    }

    /// The main file to its reader.
    fn main(self, trace: &mut Builder, report: &mut dyn FnMut(Progress)) -> Result<(), ParseError> {
        trace.size_bytes = self.source.size();
        match self.kind {
            FileKind::Extract => self.extract(trace, report),
            FileKind::PerfScript => self.perf_script(trace, report),
            _ => self.prv(trace, report),
        }
    }

    fn prv(self, trace: &mut Builder, report: &mut dyn FnMut(Progress)) -> Result<(), ParseError> {
        let mut reader = PrvReader::new(&self.name);
        let name = self.name.clone();
        let mut lines = WholeLines::default();
        let end = self.each_slice(report, |slice| {
            let read =
                lines.push(slice, |text| reader.lines(text, trace).map_err(Stop::Unreadable));
            read.map_err(|stop| stop.in_file(&name, reader.lines_read()))
        })?;
        let last_is_whole = end.judge(&name, trace)?;
        if let Some(last) = lines.finish().filter(|_| last_is_whole) {
            reader.cut_line(&last, trace)?;
        }
        reader.finish(trace)
    }

    fn extract(
        self,
        trace: &mut Builder,
        report: &mut dyn FnMut(Progress),
    ) -> Result<(), ParseError> {
        let mut reader = ExtractReader::new(&self.name);
        self.each_line(trace, report, |at, line, _, trace| reader.line(at, line, trace))?;
        reader.finish(trace)
    }

    fn perf_script(
        self,
        trace: &mut Builder,
        report: &mut dyn FnMut(Progress),
    ) -> Result<(), ParseError> {
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
        self,
        trace: &mut Builder,
        report: &mut dyn FnMut(Progress),
        mut take: impl FnMut(u64, &[u8], bool, &mut Builder) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        let name = self.name.clone();
        let mut lines = LineBuffer::default();
        let end = self.each_slice(report, |slice| {
            let read = lines
                .push(slice, |at, line| take(at, line, false, trace).map_err(Stop::Unreadable));
            read.map_err(|stop| stop.in_file(&name, 0))
        })?;
        if end.judge(&name, trace)? {
            lines.finish(|at, line| take(at, line, true, trace))?;
        }
        Ok(())
    }

    /// Hands the inflated bytes to `take`, slice by slice.
    fn each_slice(
        self,
        report: &mut dyn FnMut(Progress),
        mut take: impl FnMut(&[u8]) -> Result<(), ParseError>,
    ) -> Result<End, ParseError> {
        let (total, read) = (self.source.size(), Cell::new(0));
        let reading = BufReader::with_capacity(SLICE_BYTES, Reading::new(self.source));
        let counted = Counted { bytes: reading, read: &read };
        let failed = |error| cannot_read(&self.name, &error);
        let mut bytes = Inflate::new(counted).map_err(failed)?;
        let mut slice = vec![0; SLICE_BYTES];
        loop {
            let count = bytes.read(&mut slice).map_err(failed)?;
            let Some(chunk) = slice.get(..count).filter(|chunk| !chunk.is_empty()) else { break };
            take(chunk)?;
            let done = read.get().min(total);
            report(Progress { file: self.name.clone(), done, total });
        }
        Ok(End(bytes.damage()))
    }
}

/// How the bytes of a file ended.
struct End(Option<Damage>);

impl End {
    /// Whether the last line is as it was written. Damage is noticed; an error if nothing came
    /// before it.
    fn judge(self, name: &str, trace: &mut Builder) -> Result<bool, ParseError> {
        let Some(damage) = self.0 else { return Ok(true) };
        let (found, notice) = in_words(damage);
        if trace.moments() == 0 && trace.labels.is_empty() {
            return Err(ParseError::of_file(name, found, "a whole gzip file"));
        }
        trace.notices.add(notice, || name.to_owned());
        Ok(damage == Damage::Trailing)
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
    /// `before`: lines before the part in which lines were counted.
    fn in_file(self, name: &str, before: u64) -> ParseError {
        match self {
            Self::Unreadable(error) => error,
            Self::TooLong(LineTooLong(line)) => {
                let line = if line == 0 { before + 1 } else { line };
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

/// What a file begins with, inflated.
fn first_bytes<'read>(source: &Arc<dyn Source + 'read>) -> std::io::Result<Vec<u8>> {
    let mut packed = vec![0; 1 << 12];
    let count = source.read_at(0, &mut packed)?;
    packed.truncate(count);
    let mut head = Vec::new();
    Inflate::new(packed.as_slice())?.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head)
}

/// Counts the bytes taken from a file, for the report of progress.
struct Counted<'count, R> {
    bytes: R,
    read: &'count Cell<u64>,
}

impl<R: BufRead> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<'_, R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.read.set(self.read.get() + count as u64);
        self.bytes.consume(count);
    }
}
