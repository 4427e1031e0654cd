//! Profiles of TAU among files: which files are one trial, and the profile that they make.

use std::collections::BTreeMap;
use std::io::Read;

use super::candidates::Candidates;
use super::lines::{self, Stop};
use crate::input::{FileKind, Member, Progress, Stream};
use crate::profile::Profile;
use crate::tau::{self, TextReader, thread_of};
use crate::text::{LineBuffer, ParseError};
use crate::trace::Notices;

/// Begins the folder of the files of one metric.
const OF_METRIC: &str = "MULTI__";

/// A profile among files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialFiles {
    /// Of its folder or its file.
    pub name: String,
    /// Of all its files, in bytes, as they lie on disk or would without their archive.
    pub size: u64,
    /// Places among the members of the files.
    members: Vec<usize>,
}

fn unpacked(name: &str) -> &str {
    [".gz", ".bz2"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

impl Candidates<'_> {
    /// The profiles among files, in the order in which they came. The files of a trial lie in one folder, or
    /// in one for each metric.
    pub fn trials(&self) -> Vec<TrialFiles> {
        let mut trials = Vec::<(String, TrialFiles)>::new();
        let (mut known, mut named) = (BTreeMap::new(), BTreeMap::<String, u32>::new());
        let profiles =
            self.files.members.iter().enumerate().filter(|(_, file)| file.kind.is_profile());
        for (at, file) in profiles {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let prefix = thread_of(unpacked(name)).map(|(prefix, _)| prefix);
            let (key, shown) = match prefix.filter(|_| file.kind != FileKind::TauPacked) {
                None => (file.path.clone(), name),
                Some(prefix) => {
                    let last = folder.rsplit('/').next().unwrap_or_default();
                    let outer = folder.strip_suffix(last).unwrap_or_default().trim_end_matches('/');
                    let folder = if last.starts_with(OF_METRIC) { outer } else { folder };
                    let shown = match folder.rsplit('/').next() {
                        Some(shown) if !shown.is_empty() && prefix == "profile" => shown,
                        _ => prefix,
                    };
                    (format!("{folder}/{prefix}"), shown)
                }
            };
            let place = *known.entry(key.clone()).or_insert(trials.len());
            if place == trials.len() {
                *named.entry(shown.to_owned()).or_default() += 1;
                trials.push((key, TrialFiles { name: shown.to_owned(), size: 0, members: vec![] }));
            }
            trials[place].1.size += file.size;
            trials[place].1.members.push(at);
        }
        let told = trials.into_iter().map(|(key, trial)| match named.get(&trial.name) {
            Some(1) => trial,
            _ => TrialFiles { name: key.trim_start_matches('/').to_owned(), ..trial },
        });
        told.collect()
    }

    /// Reads a profile, and what is odd about it.
    ///
    /// A file that cannot be read is left out, and a notice says so. An error if that is so of all.
    pub fn profile(
        &self,
        trial: &TrialFiles,
        report: &mut dyn FnMut(Progress),
    ) -> Result<(Profile, Notices), ParseError> {
        let mut read = tau::Trial::new(&trial.name);
        let mut wrong = None;
        for file in trial.members.iter().filter_map(|at| self.files.members.get(*at)) {
            let result = file.refused(&file.path).and_then(|()| match file.kind {
                FileKind::TauText => text(&mut read, file, report),
                FileKind::TauPacked => {
                    tau::read_packed(&mut read, &file.path, watched(file, report)?)
                }
                _ => tau::read_xml(&mut read, &file.path, watched(file, report)?),
            });
            if let Err(error) = result {
                // Of a file of all threads those before have come.
                let text = format!("A file that cannot be read to its end: {error}.");
                read.notices.damage(&text, || file.path.clone());
                wrong.get_or_insert(error);
            }
        }
        match wrong {
            Some(error) if read.threads.is_empty() => Err(error),
            _ => Ok(read.of_threads(&trial.name)?.assembled()),
        }
    }
}

fn text(
    trial: &mut tau::Trial,
    file: &Member<'_>,
    report: &mut dyn FnMut(Progress),
) -> Result<(), ParseError> {
    let mut reader = TextReader::new(trial, &file.path, file.name())?;
    let mut lines = LineBuffer::default();
    let mut wrong = None;
    let read = lines::inflated(file, &mut |(slice, done, total)| {
        report(Progress { file: file.path.clone(), done, total });
        let taken = lines.push(slice, |at, line| reader.line(at, line).map_err(Stop::Unreadable));
        wrong = taken.err();
        wrong.is_none()
    });
    if let Some(stop) = wrong {
        return Err(stop.in_file(&file.path, 0));
    }
    lines.finish(|at, line| reader.line(at, line))?;
    reader.finish()?;
    read.map_err(|error| cannot_read(file, &error))
}

fn cannot_read(file: &Member<'_>, error: &std::io::Error) -> ParseError {
    ParseError::of_file(&file.path, &error.to_string(), "a file that can be read")
}

/// The inflated bytes of a file, of which is told how far they are read.
fn watched<'a>(
    file: &'a Member<'_>,
    report: &'a mut dyn FnMut(Progress),
) -> Result<impl Read + 'a, ParseError> {
    let stream = file.read(&mut |_, _| {}).map_err(|error| cannot_read(file, &error))?;
    let stream = Watched { file: &file.path, stream, report };
    Ok(std::io::BufReader::with_capacity(crate::input::SLICE_BYTES, stream))
}

struct Watched<'a> {
    file: &'a str,
    stream: Stream<'a>,
    report: &'a mut dyn FnMut(Progress),
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (done, total) = self.stream.progress();
        (self.report)(Progress { file: self.file.to_owned(), done, total });
        self.stream.read(buffer)
    }
}
