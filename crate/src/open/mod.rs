//! Files to one [`Trace`]: which file is what, which reader it goes to, and what is missing.
//!
//! The command line and the page both open traces through [`candidates`] and then
//! [`Candidates::open`], or step by step with an [`Opening`]; [`open`] is all of it, where there is
//! one trace.
//!
//! *Which files.* Labels belong to a trace if they have its stem and its folder, or its stem, or
//! are the only ones and no other trace's. A recording of memory samples beside another trace is no
//! trace to choose: it is read whole and merged. Nor is a timeline that was saved as text: its rows
//! become regions of the trace.
//!
//! *Profiles.* Files of TAU are no trace but trials, each a profile: [`contents`] has both.
//!
//! *Parts of folds* ([`crate::partial`]) open as the traces that they are of, as far as they have them.
//!
//! *What stops.* An error: a file that cannot be opened or recognised, a trace without header,
//! fixed fields that are no numbers among the first 100 records or in more than 1 % of all, packing
//! that is damaged before any record, a line over 16 MiB. Everything else is a notice.
//!
//! *Archives of OTF2* are a file for each location: some locations are what a block is of other
//! traces.
//!
//! *Large files.* An uncompressed `.prv` or text of perf script is read in blocks of 4 MiB that begin
//! where the file says, not where a reader chooses: a `.prv` with a new moment. Every block is read
//! apart, and they are joined in the order of the file: any number of threads or workers gives the
//! same bytes. A packed file is inflated by a thread beside the one that reads; in the page one worker
//! does both. Reading stops when more is kept than was allowed. At a few shares of a large file what
//! was read so far is a trace to look at: it shares the columns and leaves nothing behind.

mod candidates;
mod archive;
mod archive_files;
mod ebs;
mod labels;
mod lines;
#[cfg(not(target_arch = "wasm32"))]
mod ahead;
mod blocks;
mod moments;
mod by_line;
mod watch;
mod opening;
mod part;
mod accumulating;
#[cfg(not(target_arch = "wasm32"))]
mod following;
mod recording;
mod timeline;
mod profiles;
mod ranks;

pub use crate::input::Progress;
pub use accumulating::ReadPart;
pub use candidates::{Candidate, Candidates, candidates, contents};
#[cfg(not(target_arch = "wasm32"))]
pub use following::Following;
pub use opening::Opening;
pub use part::Part;
pub use profiles::TrialFiles;
pub use watch::Watch;

use crate::input::NamedFile;
use crate::text::ParseError;
use crate::trace::{Builder, Trace};

/// Reads the files of one trace, in any order, and reports progress about once a megabyte.
///
/// An error if there is no trace among them or more than one, or if it cannot be read.
pub fn open(
    files: Vec<NamedFile<'_>>,
    report: &mut dyn FnMut(Progress),
) -> Result<Trace, ParseError> {
    let found = candidates(files, report)?;
    found.open(None, &mut Watch::new(report, &mut |_, _| {}))
}

impl Candidates<'_> {
    /// Reads the trace that `which` names; without `which`, the only one.
    ///
    /// An error if there is no such trace, or several and none is named, or if it cannot be read.
    pub fn open(&self, which: Option<&str>, watch: &mut Watch<'_>) -> Result<Trace, ParseError> {
        self.opening(which, watch.report)?.whole(watch)
    }

    /// Of all files but those of the traces that are `read`; nothing if that is none.
    fn note_what_is_left_out(&self, read: &[&Candidate], trace: &mut Builder) {
        if read.is_empty() {
            return;
        }
        for (text, path) in &self.files.remarks {
            trace.notices.add(text, || path.clone());
        }
        let known = self.files.members.iter().enumerate();
        let known = known.filter(|(at, _)| !read.iter().any(|of| self.belongs(of, *at)));
        let known = known.map(|(_, file)| (1, &file.path));
        for (count, path) in known.chain([(self.files.others, &self.files.first_other)]) {
            if count > 0 {
                let text = "A file that does not belong to the trace; it was left out.";
                trace.notices.add_many(text, count, || path.clone());
            }
        }
    }
}
