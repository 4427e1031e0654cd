//! One trace being read.

use std::sync::Arc;

use super::accumulating;
use super::archive::ArchiveReading;
use super::blocks::{self, BLOCK_BYTES};
use super::ebs::ThreadsFiles;
use super::lines::{Lines, Stop};
use super::part::{self, Part};
use super::watch::Watch;
use super::{Candidate, Candidates, recording, timeline};
use crate::ebs_trace;
use crate::extract_file;
use crate::fold_record;
use crate::input::{FileKind, Member, Progress, Source};
use crate::otf2;
use crate::paraver::{self, PrvReader};
use crate::partial::Partial;
use crate::perf_script::{self, PerfReader};
use crate::text::{LineTooLong, ParseError, WholeLines};
use crate::trace::{Builder, Meanings, Only, Trace};

/// A trace whose labels are read, and whose main file is being read.
pub struct Opening<'read> {
    pub(super) name: String,
    pub(super) main: Member<'read>,
    /// The main file at any place, if it lies there bare and is one that is read in blocks.
    pub(super) source: Option<Arc<dyn Source + 'read>>,
    /// Reads the main file if it is a `.prv`.
    pub(super) reader: PrvReader,
    /// Reads the main file if it is a text of perf script.
    pub(super) perf: Option<PerfReader>,
    /// Reads the main file, an anchor, and those of its archive.
    pub(super) archive: Option<Box<ArchiveReading<'read>>>,
    /// The main file and those beside it, if it is what TAU samples of a thread.
    pub(super) threads: Option<ThreadsFiles<'read>>,
    /// The main file, if it is a part of a fold.
    partial: Option<Box<Partial>>,
    pub(super) trace: Builder,
    /// Memory to read into.
    slice: Vec<u8>,
    /// Recordings of memory samples that are merged with the trace, with their names.
    pub(super) recordings: Vec<(String, Member<'read>)>,
    /// Timelines saved as text, whose rows are regions of the trace, with their names.
    pub(super) timelines: Vec<(String, Member<'read>)>,
}

impl<'read> Candidates<'read> {
    /// Reads the labels of the trace that `which` names; without `which`, of the only one.
    ///
    /// An error if there is no such trace, or several and none is named, or if the labels cannot
    /// be read.
    pub fn opening(
        &self,
        which: Option<&str>,
        report: &mut dyn FnMut(Progress),
    ) -> Result<Opening<'read>, ParseError> {
        let chosen = self.find(which)?;
        self.opening_of(chosen, &[chosen], report)
    }

    /// The same of one of them. A notice says which files are of none of those that are `read`.
    pub(super) fn opening_of(
        &self,
        chosen: &Candidate,
        read: &[&Candidate],
        report: &mut dyn FnMut(Progress),
    ) -> Result<Opening<'read>, ParseError> {
        let name = &chosen.name;
        let member = |at: usize| self.files.members.get(at);
        let main = member(chosen.main).ok_or_else(|| {
            ParseError::of_file(name, "a file that is no longer there", "a trace")
        })?;
        let meaning: Meanings = match main.kind {
            FileKind::Extract => extract_file::meaning,
            FileKind::FoldRecord => fold_record::meaning,
            FileKind::EbsTrace => ebs_trace::meaning,
            FileKind::PerfScript => perf_script::meaning,
            FileKind::Otf2 => otf2::meaning,
            _ => paraver::meaning,
        };
        let mut trace = Builder::new(name, meaning);
        trace.size_bytes = main.size;
        self.note_what_is_left_out(read, &mut trace);
        self.read_labels(chosen, &mut trace, report)?;
        let in_blocks = matches!(main.kind, FileKind::Prv | FileKind::PerfScript);
        let bare = main.at_any_place().filter(|_| in_blocks);
        let source = bare.filter(|source| source.size() > 0);
        let recordings = self
            .recordings_of(chosen)
            .filter_map(|of| Some((of.name.clone(), member(of.main)?.clone())))
            .collect();
        let timelines = self.timelines.iter().filter_map(|at| member(*at));
        let timelines = timelines.map(|file| (file.name().to_owned(), file.clone())).collect();
        let main = main.clone();
        let archive = match main.kind {
            FileKind::Otf2 => Some(self.archive(chosen, &main, &mut trace)?),
            _ => None,
        };
        let threads = (main.kind == FileKind::EbsTrace).then(|| self.threads_of(chosen));
        let partial = match main.kind {
            FileKind::Part => Some(accumulating::part_of_a_fold(name, &main, &mut trace)?),
            _ => None,
        };
        Ok(Opening {
            archive,
            threads,
            partial,
            source,
            recordings,
            timelines,
            ..Opening::of(name, main, trace)
        })
    }
}

impl<'read> Opening<'read> {
    fn of(name: &str, main: Member<'read>, trace: Builder) -> Self {
        Self {
            name: name.to_owned(),
            source: None,
            reader: PrvReader::new(name),
            // On the page it is loaded for such a text alone.
            perf: (main.kind == FileKind::PerfScript).then(|| PerfReader::new(name)),
            archive: None,
            threads: None,
            partial: None,
            main,
            trace,
            slice: vec![],
            recordings: vec![],
            timelines: vec![],
        }
    }

    /// Of a text of perf script that is merged with another trace.
    pub(super) fn beside(name: &str, main: &Member<'read>) -> Self {
        let trace = Builder::new(name, perf_script::meaning);
        Self { perf: Some(PerfReader::beside(name)), ..Self::of(name, main.clone(), trace) }
    }
}

impl Opening<'_> {
    /// Keeps no more than `only` of what is read. Before anything is, and the same in every worker
    /// that reads parts of it.
    pub fn only(mut self, only: Only) -> Self {
        self.trace.keep_only(only);
        self
    }

    /// Reads the main file from its begin to its end, and ends the reading.
    pub fn whole(mut self, watch: &mut Watch<'_>) -> Result<Trace, ParseError> {
        self.read(watch)?;
        self.finish(watch)
    }

    /// Reads the main file whole.
    pub fn read(&mut self, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        match (self.main.kind, self.blocks()) {
            (FileKind::Part, _) => Ok(()),
            (FileKind::Extract, _) => self.read_extract(watch),
            (FileKind::FoldRecord, _) => self.read_fold_record(watch),
            (FileKind::EbsTrace, _) => self.read_ebs_trace(watch),
            (FileKind::PerfScript, 0) => self.read_perf_script(watch),
            (FileKind::Otf2, 0) => self.read_tape(watch),
            (_, 0) => self.read_stream(watch),
            (_, blocks) => self.read_blocks(blocks, watch),
        }
    }

    /// In how many blocks the main file can be read; 0 if only from its begin to its end.
    pub fn blocks(&self) -> u64 {
        if let Some(archive) = &self.archive {
            return archive.blocks();
        }
        self.source.as_ref().map_or(0, |source| blocks::count(source.size()))
    }

    /// Reads the first block, with the header, as all other blocks must follow.
    pub fn read_first(&mut self) -> Result<(), ParseError> {
        self.read_block(0)
    }

    /// Reads what a reader of other blocks must know of the first.
    pub fn read_header(&mut self) -> Result<(), ParseError> {
        if self.knows_header() { Ok(()) } else { self.read_first() }
    }

    /// Reads the next block. Returns whether to go on.
    ///
    /// As a part, as other threads would, so that the trace holds as much whoever reads it.
    pub fn read_next(&mut self, index: u64, watch: &mut Watch<'_>) -> Result<bool, ParseError> {
        if !self.knows_header() {
            self.read_block(index)?;
            return Ok(self.went_on(index, watch));
        }
        let part = self.part_in_slice(index)?;
        self.join(index, part, watch)
    }

    /// Adds the next block. Returns whether to go on.
    pub fn join(
        &mut self,
        index: u64,
        part: Part,
        watch: &mut Watch<'_>,
    ) -> Result<bool, ParseError> {
        self.add(part)?;
        Ok(self.went_on(index, watch))
    }

    fn part_in_slice(&mut self, index: u64) -> Result<Part, ParseError> {
        let mut slice = std::mem::take(&mut self.slice);
        let part = self.part_in(index, &mut slice)?;
        self.slice = slice;
        Ok(part)
    }

    /// Whether blocks can be read apart: those of a `.prv` follow its header.
    fn knows_header(&self) -> bool {
        self.perf.is_some() || self.archive.is_some() || self.reader.has_header()
    }

    /// The first block was read; whether to go on.
    pub fn began(&mut self, watch: &mut Watch<'_>) -> bool {
        self.went_on(0, watch)
    }

    /// Ends the reading, and merges the recordings of memory samples and the timelines that lie beside
    /// the trace.
    ///
    /// An error if what was read is no trace.
    pub fn finish(mut self, watch: &mut Watch<'_>) -> Result<Trace, ParseError> {
        if let Some(partial) = self.partial {
            let mut trace = partial.trace()?;
            trace.notices.append(self.trace.notices, 0);
            return Ok(trace);
        }
        match (self.main.kind, self.perf) {
            (FileKind::Prv, _) => self.reader.finish(&mut self.trace)?,
            (_, Some(perf)) => perf.finish(&mut self.trace)?,
            _ => {}
        }
        if let Some(archive) = self.archive {
            archive.finish(&mut self.trace);
        }
        let mut trace = self.trace.finish();
        // On the page what reads either is loaded for them alone.
        if !self.recordings.is_empty() {
            recording::merge_all(&mut trace, &self.recordings, watch);
        }
        if !self.timelines.is_empty() {
            timeline::add_all(&mut trace, &self.timelines, watch);
        }
        Ok(trace)
    }

    fn read_blocks(&mut self, count: u64, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        self.read_first()?;
        if !self.began(watch) {
            return Ok(());
        }
        #[cfg(not(target_arch = "wasm32"))]
        if watch.threads > 1 && self.knows_header() {
            return self.read_by_threads(count, watch);
        }
        for index in 1..count {
            if !self.read_next(index, watch)? {
                break;
            }
        }
        Ok(())
    }

    /// Every thread reads some blocks, then all of them are joined in order.
    #[cfg(not(target_arch = "wasm32"))]
    fn read_by_threads(&mut self, count: u64, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        use rayon::prelude::*;
        let cannot = |error: rayon::ThreadPoolBuildError| {
            ParseError::of_file(&self.name, &error.to_string(), "threads to read with")
        };
        let count_of_threads = watch.threads.min(count as usize);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(count_of_threads);
        let threads = threads.build().map_err(cannot)?;
        let indices = (1..count).collect::<Vec<_>>();
        // A slice for each thread, not for each block: new memory is asked of the system page by page.
        let slices = std::sync::Mutex::new(vec![]);
        for indices in indices.chunks(4 * count_of_threads) {
            let this = &*self;
            let read = |&index: &u64| {
                let free = slices.lock().map_or(None, |mut slices| slices.pop());
                let mut slice = free.unwrap_or_default();
                let part = this.part_in(index, &mut slice);
                slices.lock().map(|mut slices| slices.push(slice)).unwrap_or_default();
                part
            };
            let parts = threads.install(|| indices.par_iter().map(read).collect::<Vec<_>>());
            for (index, part) in indices.iter().zip(parts) {
                if !self.join(*index, part?, watch)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn read_stream(&mut self, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        let Self { name, main, reader, trace, .. } = self;
        let mut lines = WholeLines::default();
        let mut goes_on = true;
        let whole = Lines { file: main, name }.slices(trace, |(slice, done, total), trace| {
            let take = |text: &[u8]| reader.lines(text, trace).map_err(Stop::Unreadable);
            lines.push(slice, take).map_err(|stop| stop.in_file(name, reader.lines_read()))?;
            goes_on = watch.went_on(name, done, total, trace);
            Ok(goes_on)
        })?;
        match lines.finish().filter(|_| whole && goes_on) {
            Some(last) => reader.cut_line(&last, trace),
            None => Ok(()),
        }
    }

    #[inline(never)]
    fn read_perf_script(&mut self, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        let Self { name, main, perf, trace, .. } = self;
        let Some(perf) = perf else { return Ok(()) };
        let mut lines = WholeLines::default();
        let mut goes_on = true;
        let whole = Lines { file: main, name }.slices(trace, |(slice, done, total), trace| {
            let take = |text: &[u8]| perf.lines(text, trace).map_err(Stop::Unreadable);
            lines.push(slice, take).map_err(|stop| stop.in_file(name, perf.lines_read()))?;
            if watch.is_early(done, total, trace) {
                perf.label(trace);
            }
            goes_on = watch.went_on(name, done, total, trace);
            Ok(goes_on)
        })?;
        match lines.finish().filter(|_| whole && goes_on) {
            Some(last) => perf.cut_line(&last, trace),
            None => Ok(()),
        }
    }

    #[inline(never)]
    fn read_tape(&mut self, watch: &mut Watch<'_>) -> Result<(), ParseError> {
        if let Some(archive) = &mut self.archive {
            archive.on_tape(&self.name, &mut self.trace, watch);
        }
        Ok(())
    }

    fn read_block(&mut self, index: u64) -> Result<(), ParseError> {
        if self.perf.is_some() || self.archive.is_some() {
            let part = self.part_in_slice(index)?;
            return self.add(part);
        }
        let range = self.moments_of_block(index)?;
        let Self { name, main, source, reader, trace, slice, .. } = self;
        let file = Lines { file: main, name };
        let mut take = |text: &[u8]| part::read_lines(reader, text, trace);
        let too_long = part::each_run(source.as_deref(), file, range, slice, &mut take)?;
        self.refuse(too_long)
    }

    pub(super) fn refuse(&self, too_long: bool) -> Result<(), ParseError> {
        let of_perf = self.perf.as_ref().map(PerfReader::lines_read);
        let before = of_perf.unwrap_or_else(|| self.reader.lines_read());
        let stop = Stop::TooLong(LineTooLong(0));
        if too_long { Err(stop.in_file(&self.name, before)) } else { Ok(()) }
    }

    fn went_on(&mut self, index: u64, watch: &mut Watch<'_>) -> bool {
        let total = self.trace.size_bytes;
        let done = match &self.archive {
            Some(archive) => archive.done(index),
            None => ((index + 1) * BLOCK_BYTES).min(total),
        };
        if let Some(perf) = &self.perf
            && watch.is_early(done, total, &self.trace)
        {
            perf.label(&mut self.trace);
        }
        watch.went_on(&self.name, done, total, &mut self.trace)
    }
}
