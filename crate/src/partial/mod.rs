//! A part of a fold: what the fold of one region looks at of a part of a trace, as a value that adds up.
//!
//! *Whole numbers, no sums.* A part holds events as they were read: curves, phases and lines are made once
//! all parts are there, in one order, by the code that folds a whole trace. So parts that are put together
//! in any order fold to the same bytes. What is left out are samples outside of the region
//! ([`crate::instance::looked_at`]); all regions, calls and states stay.
//!
//! *Which part.* Of a `.prv` the lines that begin in some bytes of it, or, of any trace, one of several equal
//! shares of its tasks. Parts of bytes that lie side by side become one, in which what lay across their
//! border is looked through again; parts of tasks lie side by side for ever. Equal sets of parts are equal
//! bytes.
//!
//! *Bytes.* A part is a thing of hours, not an archive: it is read by the version that wrote it, and all
//! others refuse it in words.

mod bytes;
mod whole;

use std::fmt;
use std::ops::Range;

use crate::paraver::{self, PrvReader};
use crate::trace::{Builder, Meanings};
use crate::{ebs_trace, extract_file, fold_record, otf2, perf_script};

pub use bytes::NotAPart;

/// A part of a fold.
#[derive(Debug)]
pub struct Partial {
    /// The region's name.
    pub region: String,
    /// The code of its type, and its value; `None` for any.
    pub region_code: (u32, Option<u64>),
    pub split: Split,
    pub end: End,
    pub format: Format,
    /// The first line of a `.prv`; of others none.
    pub header: Vec<u8>,
    /// What all parts of the trace have in common: its name and size, labels, what was to be read, and
    /// what was odd before reading began.
    pub common: Builder,
    /// By range, apart; those of bytes do not touch.
    pub pieces: Vec<Piece>,
}

/// What was read of a range of the trace.
#[derive(Debug)]
pub struct Piece {
    pub range: Range<u64>,
    /// How many lines were read, and which was wrong, where lines were.
    pub reader: Option<PrvReader>,
    pub trace: Builder,
}

/// What a trace is split by, and how many there are of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Bytes of its file.
    Bytes(u64),
    /// Shares of its tasks.
    Tasks(u64),
}

/// How far a part of a trace goes that was read as it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// To the end of the trace, as all other parts say where they end by their ranges.
    Reached,
    /// More of the trace was to come.
    Growing,
    /// More of it came, but so many bytes were held of it, and no more were to be.
    Full(u64),
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Prv,
    Extract,
    FoldRecord,
    EbsTrace,
    PerfScript,
    Otf2,
}

impl Format {
    pub fn meaning(self) -> Meanings {
        match self {
            Self::Prv => paraver::meaning,
            Self::Extract => extract_file::meaning,
            Self::FoldRecord => fold_record::meaning,
            Self::EbsTrace => ebs_trace::meaning,
            Self::PerfScript => perf_script::meaning,
            Self::Otf2 => otf2::meaning,
        }
    }
}

impl Split {
    /// All of it.
    pub fn whole(self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Tasks(shares) => shares,
        }
    }

    /// In words: `bytes 0 to 4194304 of 9000000`, `share 2 of 4 of the tasks`.
    pub fn words(self, range: &Range<u64>) -> String {
        let Range { start, end } = range;
        match self {
            Self::Bytes(whole) => format!("bytes {start} to {end} of {whole}"),
            Self::Tasks(whole) if end - start == 1 => {
                format!("share {end} of {whole} of the tasks")
            }
            Self::Tasks(whole) => format!("shares {} to {end} of {whole} of the tasks", start + 1),
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(whole) => write!(out, "by bytes, of which there are {whole}"),
            Self::Tasks(whole) => write!(out, "by tasks, in {whole} shares"),
        }
    }
}

impl Partial {
    /// The ranges that are not there, rising.
    pub fn missing(&self) -> Vec<Range<u64>> {
        let mut missing = vec![];
        let mut at = 0;
        for Piece { range, .. } in &self.pieces {
            if at < range.start {
                missing.push(at..range.start);
            }
            at = at.max(range.end);
        }
        if at < self.split.whole() {
            missing.push(at..self.split.whole());
        }
        missing
    }

    /// What is missing, in words; `None` if nothing is.
    pub fn missing_words(&self) -> Option<String> {
        let missing = self.missing();
        let words = missing.iter().map(|range| self.split.words(range)).collect::<Vec<_>>();
        let missing = (!words.is_empty())
            .then(|| format!("Parts of the trace are missing: {}.", words.join(", ")));
        let words = missing.into_iter().chain(self.end_words()).collect::<Vec<_>>().join(" ");
        (!words.is_empty()).then_some(words)
    }

    /// How far it goes of a trace that goes on, in words.
    fn end_words(&self) -> Option<String> {
        let ends_ns = self.pieces.iter().map(|piece| piece.trace.duration_ns);
        let seconds = ends_ns.max().unwrap_or(0) as f64 / 1e9;
        let size_bytes = self.common.size_bytes;
        let here = format!("its first {} are here, up to {seconds:.3} s", size(size_bytes));
        match self.end {
            End::Reached => None,
            End::Growing => Some(format!("The trace was still being written: {here}.")),
            End::Full(bytes) => Some(format!(
                "The trace went on: {here}, of which {} were kept, and no more might be. Allow more \
                 (--memory), or read less of it (--only).",
                size(bytes)
            )),
        }
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        ..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
