//! One block of a trace, read apart from those before it.

use std::ops::Range;

use super::blocks;
use super::lines::{Lines, Stop};
use super::opening::Opening;
use crate::input::{FileKind, Source};
use crate::otf2::Tally;
use crate::paraver::PrvReader;
use crate::perf_script::{self, Scan};
use crate::text::{ParseError, Words, WordsRead};
use crate::trace::Builder;

/// What was read of one block.
pub struct Part {
    lines: PartLines,
    /// Whether a line follows that is too long to be one.
    too_long: bool,
}

/// What stood in the lines of a block.
#[allow(clippy::large_enum_variant, reason = "there is one for a block of megabytes")]
enum PartLines {
    Prv {
        reader: PrvReader,
        trace: Builder,
    },
    Perf(perf_script::Block),
    /// Of an archive: what is no line either.
    Locations {
        tally: Tally,
        trace: Builder,
    },
}

impl Opening<'_> {
    /// Reads a block after the first, in any order.
    pub fn read_part(&self, index: u64) -> Result<Part, ParseError> {
        self.part_in(index, &mut vec![])
    }

    /// The same in memory that can be used again.
    pub(super) fn part_in(&self, index: u64, slice: &mut Vec<u8>) -> Result<Part, ParseError> {
        match self.main.kind {
            FileKind::PerfScript => self.perf_part(index, slice),
            FileKind::Otf2 => Ok(self.archive_part(index)),
            _ => {
                let (reader, trace, too_long) =
                    self.prv_part(self.moments_of_block(index)?, slice)?;
                Ok(Part { lines: PartLines::Prv { reader, trace }, too_long })
            }
        }
    }

    /// The lines of a `.prv` that begin in these bytes, and whether one follows that is too long.
    pub(super) fn prv_part(
        &self,
        range: Range<u64>,
        slice: &mut Vec<u8>,
    ) -> Result<(PrvReader, Builder, bool), ParseError> {
        let file = Lines { file: &self.main, name: &self.name };
        let no_header = || ParseError::of_file(&self.name, "no header", "one in its first lines");
        let mut reader = self.reader.part().ok_or_else(no_header)?;
        let mut trace = self.trace.part();
        let mut take = |text: &[u8]| read_lines(&mut reader, text, &mut trace);
        let too_long = each_run(self.source.as_deref(), file, range, slice, &mut take)?;
        Ok((reader, trace, too_long))
    }

    // With all that only texts of perf script need, it is loaded for them alone.
    #[inline(never)]
    fn perf_part(&self, index: u64, slice: &mut Vec<u8>) -> Result<Part, ParseError> {
        let file = Lines { file: &self.main, name: &self.name };
        let mut scan = Scan::default();
        let mut take = |text: &[u8]| {
            let (whole, last) = with_last(text);
            scan.lines(whole);
            last.into_iter().for_each(|last| scan.cut_line(last));
            Ok(())
        };
        let range = blocks::range(index);
        let too_long = each_run(self.source.as_deref(), file, range, slice, &mut take)?;
        Ok(Part { lines: PartLines::Perf(scan.finish()), too_long })
    }

    #[inline(never)]
    fn archive_part(&self, index: u64) -> Part {
        let mut trace = self.trace.part();
        let archive = self.archive.as_ref();
        let tally = archive.map(|archive| archive.part(index, &mut trace)).unwrap_or_default();
        Part { lines: PartLines::Locations { tally, trace }, too_long: false }
    }

    /// Adds the next block to the trace.
    pub(super) fn add(&mut self, part: Part) -> Result<(), ParseError> {
        match part.lines {
            PartLines::Prv { reader, trace } => self.reader.join(reader, &mut self.trace, trace)?,
            PartLines::Perf(block) => {
                let perf = self.perf.as_mut();
                perf.map_or(Ok(()), |perf| perf.join(&block, &mut self.trace))?;
            }
            PartLines::Locations { tally, trace } => {
                if let Some(archive) = &mut self.archive {
                    archive.join(tally, &mut self.trace, trace);
                }
            }
        }
        self.refuse(part.too_long)
    }

    /// A part that another worker has read; `None` if these words are none.
    pub fn read_words(&self, words: &[u32]) -> Option<Part> {
        let mut words = WordsRead(words);
        let too_long = words.number()? != 0;
        let lines = match self.main.kind {
            FileKind::PerfScript => PartLines::Perf(perf_script::Block::read(&mut words)?),
            FileKind::Otf2 => {
                let tally = Tally::read(&mut words)?;
                PartLines::Locations { tally, trace: self.trace.read_part(&mut words)? }
            }
            _ => {
                let reader = self.reader.read_part(&mut words)?;
                PartLines::Prv { reader, trace: self.trace.read_part(&mut words)? }
            }
        };
        Some(Part { lines, too_long })
    }
}

impl Part {
    /// As words, for another worker.
    pub fn write(self) -> Vec<u32> {
        let mut words = Words::default();
        words.number(u64::from(self.too_long));
        match self.lines {
            PartLines::Prv { reader, trace } => {
                reader.write(&mut words);
                trace.write(&mut words);
            }
            PartLines::Perf(block) => block.write(&mut words),
            PartLines::Locations { tally, trace } => {
                tally.write(&mut words);
                trace.write(&mut words);
            }
        }
        words.0
    }
}

/// Hands the lines that begin in these bytes to `take`. Returns whether a line follows that is too long to be one.
pub(super) fn each_run(
    source: Option<&dyn Source>,
    file: Lines<'_>,
    range: Range<u64>,
    slice: &mut Vec<u8>,
    take: &mut dyn FnMut(&[u8]) -> Result<(), ParseError>,
) -> Result<bool, ParseError> {
    let Some(source) = source else { return Ok(false) };
    let wrong = |error: &std::io::Error| file.cannot_read(error);
    match blocks::each_run(range, source, slice, &wrong, take) {
        Ok(()) => Ok(false),
        Err(Stop::TooLong(_)) => Ok(true),
        Err(Stop::Unreadable(error)) => Err(error),
    }
}

/// Whole lines to their reader; the last of the file may be cut.
pub(super) fn read_lines(
    reader: &mut PrvReader,
    text: &[u8],
    trace: &mut Builder,
) -> Result<(), ParseError> {
    let (whole, last) = with_last(text);
    reader.lines(whole, trace)?;
    last.map_or(Ok(()), |last| reader.cut_line(last, trace))
}

/// Whole lines, and the last of the file if it has no end.
fn with_last(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let end = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
    let (whole, last) = text.split_at(end);
    (whole, Some(last).filter(|last| !last.is_empty()))
}
