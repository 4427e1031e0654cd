//! Recordings of memory samples that lie beside a trace.

use std::io::Result;

use super::Candidates;
use super::candidates::Candidate;
use super::lines;
use super::opening::Opening;
use super::watch::Watch;
use crate::input::{FileKind, Member, SLICE_BYTES};
use crate::merge;
use crate::text::ParseError;
use crate::trace::{Builder, Trace};

/// Words of the events of `perf mem`, and of what perf decodes of their data.
const OF_MEMORY: [&[u8]; 6] =
    [b"mem-loads", b"mem-stores", b"ldlat-", b"ibs_op/", b"arm_spe", b"|SNP "];

/// Whether `file`, one of perf script, says in its first megabyte that it holds memory samples.
fn holds_memory(file: &Member<'_>) -> Result<bool> {
    let mut head = Vec::new();
    lines::inflated(file, &mut |(slice, ..)| {
        head.extend_from_slice(slice);
        head.len() < SLICE_BYTES
    })?;
    let is_there = |word: &&[u8]| {
        let mut starts = memchr::memchr_iter(word[0], &head);
        starts.any(|at| head.get(at..at + word.len()) == Some(*word))
    };
    Ok(OF_MEMORY.iter().any(is_there))
}

impl Candidates<'_> {
    /// Takes recordings of memory samples out of the traces, if there is another trace: they are
    /// merged with that.
    pub(super) fn set_recordings_aside(&mut self) {
        if self.traces.len() < 2 {
            return;
        }
        let is_recording = |trace: &Candidate| {
            let file = self.files.members.get(trace.main);
            let file = file.filter(|file| file.kind == FileKind::PerfScript);
            // What cannot be read says so where it is read.
            file.is_some_and(|file| holds_memory(file).unwrap_or(false))
        };
        let (recordings, traces): (Vec<_>, Vec<_>) =
            self.traces.iter().cloned().partition(is_recording);
        if !traces.is_empty() {
            (self.traces, self.recordings) = (traces, recordings);
        }
    }

    /// Takes the trace of this name, a text of perf script, for a recording that is merged with
    /// another one; whether there is such a text.
    pub fn merge(&mut self, name: &str) -> bool {
        let of_perf = |trace: &Candidate| {
            let file = self.files.members.get(trace.main);
            trace.name == name && file.is_some_and(|file| file.kind == FileKind::PerfScript)
        };
        if let Some(at) = self.traces.iter().position(of_perf) {
            let recording = self.traces.remove(at);
            self.recordings.push(recording);
        }
        self.recordings.iter().any(of_perf)
    }
}

/// Merges recordings with a trace, one after the other. Where one cannot be read a notice says so.
#[inline(never)]
pub(super) fn merge_all(
    trace: &mut Trace,
    recordings: &[(String, Member<'_>)],
    watch: &mut Watch<'_>,
) {
    for (name, file) in recordings {
        match read(name, file, watch) {
            Ok(recording) => {
                if let Some(part) = &recording.partial {
                    trace.notices.damage(&part.sentence(), || name.clone());
                }
                merge::merge(trace, &recording);
            }
            Err(error) => {
                let text = format!(
                    "A recording of memory samples that cannot be read; it was left out: {error}."
                );
                trace.notices.damage(&text, || name.clone());
            }
        }
    }
}

/// Reads a recording whole, into as much memory as a trace may take.
fn read(
    name: &str,
    file: &Member<'_>,
    watch: &mut Watch<'_>,
) -> std::result::Result<Trace, ParseError> {
    let mut no_picture = |_: f64, _: &Builder| {};
    let mut watch = Watch::new(watch.report, &mut no_picture).within(watch.most_bytes);
    let mut opening = Opening::beside(name, file);
    opening.read(&mut watch)?;
    let recording = opening.finish(&mut watch)?;
    Ok(recording)
}
