//! A part of a trace that is read for its fold alone, and such a part that is opened.

use std::ops::Range;

use super::blocks::BLOCK_BYTES;
use super::lines::Lines;
use super::opening::Opening;
use super::watch::Watch;
use crate::input::{FileKind, Member, Progress};
use crate::paraver::PrvReader;
use crate::partial::{Format, Partial};
use crate::text::ParseError;
use crate::trace::{Builder, Only};

/// What was read of a part.
pub struct ReadPart {
    pub format: Format,
    /// The first line of a `.prv`.
    pub header: Vec<u8>,
    /// What all parts have in common; see [`crate::partial::Partial::common`].
    pub common: Builder,
    /// Of the lines of a `.prv`.
    pub reader: Option<PrvReader>,
    pub trace: Builder,
}

impl Opening<'_> {
    /// The bytes of the file, if its lines can be read from any of them on.
    pub fn bytes(&self) -> Option<u64> {
        let source = self.source.as_ref().filter(|_| self.main.kind == FileKind::Prv);
        source.map(|source| source.size())
    }

    /// Reads the moments of a `.prv` that begin in these bytes. `shrink` may make what is held smaller, now
    /// and then, and is told how many of the bytes are read; its error ends the reading.
    ///
    /// # Errors
    ///
    /// If they cannot be read; what of that only the whole file tells, whoever has all parts says.
    pub fn read_bytes<E: From<ParseError>>(
        mut self,
        range: Range<u64>,
        watch: &mut Watch<'_>,
        shrink: &mut dyn FnMut(&mut Builder, u64) -> Result<(), E>,
    ) -> Result<ReadPart, E> {
        let format = self.to_be_accumulated()?;
        let common = self.common();
        self.read_header()?;
        let no_header = || ParseError::of_file(&self.name, "no header", "one in its first lines");
        let mut reader = self.reader.part().ok_or_else(no_header)?;
        let mut trace = common.part();
        let mut slice = vec![];
        let mut at = range.start;
        let mut begin = self.begin_of_moment(at)?;
        while at < range.end {
            let next = (at + BLOCK_BYTES).min(range.end);
            let end = self.begin_of_moment(next)?;
            let (lines, block, too_long) = self.prv_part(begin..end, &mut slice)?;
            begin = end;
            reader.join(lines, &mut trace, block)?;
            self.refuse(too_long)?;
            at = next;
            let (done, total) = (at - range.start, range.end - range.start);
            (watch.report)(Progress { file: self.name.clone(), done, total });
            shrink(&mut trace, done)?;
        }
        let header = self.reader.header().to_vec();
        Ok(ReadPart { format, header, common, reader: Some(reader), trace })
    }

    /// Reads some tasks of the trace: those that the share of [`Only`] has. The rest of what it says holds
    /// for all parts.
    pub fn read_tasks(mut self, only: Only, watch: &mut Watch<'_>) -> Result<ReadPart, ParseError> {
        let format = self.to_be_accumulated()?;
        let common = self.common();
        self.trace.keep_only(only.clone());
        self.read(watch)?;
        let header = self.reader.header().to_vec();
        let is_prv = format == Format::Prv;
        let Self { name, reader, perf, archive, mut trace, .. } = self;
        if is_prv && reader.header().is_empty() {
            return Err(ParseError::of_file(&name, "no header", "one in its first lines"));
        }
        if trace.has_stopped() {
            let expected = "more parts, each of fewer tasks";
            return Err(ParseError::of_file(&name, "more of it than may be held", expected));
        }
        if let Some(perf) = perf {
            perf.finish(&mut trace)?;
        }
        if let Some(archive) = archive {
            archive.finish(&mut trace);
        }
        // Names may stand among the records.
        let mut whole = trace.common();
        whole.notices = common.notices;
        whole.keep_only(Only { share: None, ..only });
        Ok(ReadPart { format, header, common: whole, reader: is_prv.then_some(reader), trace })
    }

    /// What is known before anything is read. What was odd by then is no more the reading's.
    pub(super) fn common(&mut self) -> Builder {
        let notices = std::mem::take(&mut self.trace.notices);
        let mut common = self.trace.common();
        common.notices = notices;
        common
    }

    /// What of it can be accumulated; an error in words for what adds up only as a whole.
    pub(super) fn to_be_accumulated(&self) -> Result<Format, ParseError> {
        let beside = self.recordings.iter().chain(&self.timelines).next();
        if let Some((beside, _)) = beside {
            let found = format!("{beside} beside it, which is merged with a whole trace");
            return Err(ParseError::of_file(&self.name, &found, "a trace alone; or fold it whole"));
        }
        match self.main.kind {
            FileKind::Extract => Ok(Format::Extract),
            FileKind::FoldRecord => Ok(Format::FoldRecord),
            FileKind::PerfScript => Ok(Format::PerfScript),
            FileKind::EbsTrace => Ok(Format::EbsTrace),
            FileKind::Otf2 => Ok(Format::Otf2),
            FileKind::Part => {
                let expected = "a trace; `tracefold merge` puts parts together";
                Err(ParseError::of_file(&self.name, "a part of a fold", expected))
            }
            _ => Ok(Format::Prv),
        }
    }
}

/// What is written in a part of a fold.
// On the page it is loaded for parts alone.
#[inline(never)]
pub(super) fn part_of_a_fold(
    name: &str,
    file: &Member<'_>,
    trace: &mut Builder,
) -> Result<Box<Partial>, ParseError> {
    let mut bytes = vec![];
    Lines { file, name }.slices(trace, |(slice, ..), _| {
        bytes.extend_from_slice(slice);
        Ok(true)
    })?;
    let read = Partial::read(&bytes).map_err(|wrong| {
        let (found, expected) = wrong.words();
        ParseError::of_file(name, &found, &expected)
    })?;
    Ok(Box::new(read))
}
