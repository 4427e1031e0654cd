//! Which traces lie among files, and which labels belong to which.

use super::{archive_files, ebs};
use crate::input::{FileKind, Member, NamedFile, Progress, Unwrapped, unwrap};
use crate::text::ParseError;

/// The kinds that are a trace, each with the endings of the files that should lie beside it.
const TRACES: &[(FileKind, &[&str])] = &[
    (FileKind::Prv, &[".pcf", ".row"]),
    (FileKind::Extract, &[".pcf"]),
    (FileKind::FoldRecord, &[]),
    (FileKind::EbsTrace, &[]),
    (FileKind::PerfScript, &[]),
    (FileKind::Otf2, &[]),
    (FileKind::Part, &[]),
];

/// The traces among files, in the order in which they came.
pub struct Candidates<'read> {
    pub traces: Vec<Candidate>,
    /// Recordings of memory samples, which are merged with the trace that is chosen.
    pub recordings: Vec<Candidate>,
    /// Timelines saved as text, whose rows are regions of the trace that is chosen: places among the
    /// members of `files`.
    pub(super) timelines: Vec<usize>,
    pub(super) files: Unwrapped<'read>,
}

/// A trace among files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Of the main file: without folders, unless another has the same name.
    pub name: String,
    /// Of the main file, in bytes, as it lies on disk or would without its archive.
    pub size: u64,
    /// Endings of the files that should lie beside it and do not.
    pub missing: Vec<&'static str>,
    /// Places among the members of `files`.
    pub(super) main: usize,
    pub(super) labels: Option<usize>,
    pub(super) rows: Option<usize>,
    /// Of an archive of OTF2 all its other files, rising.
    pub(super) others: Vec<usize>,
}

/// Finds the traces among files, as [`contents`] does.
///
/// An error if there is none, or if a file or an archive cannot be read.
pub fn candidates<'read>(
    files: Vec<NamedFile<'read>>,
    report: &mut dyn FnMut(Progress),
) -> Result<Candidates<'read>, ParseError> {
    let given = files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    let found = contents(files, report)?;
    match found.traces.is_empty() {
        true => Err(no_trace(&given, &found.files)),
        false => Ok(found),
    }
}

/// Finds traces and profiles among files, inside of archives too; which of several is meant is asked next.
///
/// A text of perf script that holds memory samples is no trace to choose but a recording to be
/// merged, if there is a trace that is none.
///
/// An error if there is neither, or if a file or an archive cannot be read.
pub fn contents<'read>(
    files: Vec<NamedFile<'read>>,
    report: &mut dyn FnMut(Progress),
) -> Result<Candidates<'read>, ParseError> {
    let given = files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    let files = unwrap(files, report)?;
    let beside = |kind| TRACES.iter().find(|(trace, _)| *trace == kind).map(|(_, beside)| *beside);
    let paths = |is: &dyn Fn(FileKind) -> bool| {
        let members = files.members.iter().enumerate().filter(|(_, file)| is(file.kind));
        members.map(|(at, file)| (at, file.path.as_str())).collect::<Vec<_>>()
    };
    let mains = paths(&|kind| beside(kind).is_some());
    if mains.is_empty() && !files.members.iter().any(|file| file.kind.is_profile()) {
        return Err(no_trace(&given, &files));
    }
    let labels = matched(&mains, &paths(&|kind| kind == FileKind::Pcf));
    let rows = matched(&mains, &paths(&|kind| kind == FileKind::Row));
    let mut traces = Vec::new();
    for (((main, path), labels), rows) in mains.iter().copied().zip(labels).zip(rows) {
        let Some(file) = files.members.get(main) else { continue };
        let alone = mains.iter().filter(|(_, other)| name(other) == name(path)).count() == 1;
        let has = |ending| if ending == ".pcf" { labels.is_some() } else { rows.is_some() };
        let expected = beside(file.kind).unwrap_or_default().iter().copied();
        let mut shown = if alone { name(path) } else { path }.to_owned();
        // The same path twice: a tar that was appended to, files of two drops.
        let before = mains.iter().take_while(|(at, _)| *at != main);
        match before.filter(|(_, other)| *other == path).count() {
            0 => {}
            earlier => shown += &format!(" ({})", earlier + 1),
        }
        traces.push(Candidate {
            name: shown,
            size: file.size,
            missing: expected.filter(|ending| !has(*ending)).collect(),
            main,
            labels,
            rows,
            others: vec![],
        });
    }
    // On the page what knows of archives is loaded with the first of them.
    if mains.iter().any(|(at, _)| files.members.get(*at).is_some_and(is_anchor)) {
        archive_files::add_files(&mut traces, &files);
    }
    if traces.iter().any(|trace| files.members.get(trace.main).is_some_and(is_ebs)) {
        ebs::one_of_each_folder(&mut traces, &files);
    }
    let timelines = paths(&|kind| kind == FileKind::Semantic);
    let timelines = timelines.into_iter().map(|(at, _)| at).collect();
    let mut found = Candidates { traces, recordings: vec![], timelines, files };
    found.set_recordings_aside();
    Ok(found)
}

impl Candidates<'_> {
    /// The trace that `which` names, with or without its folders; without `which`, the only one.
    ///
    /// An error, which lists the names, if there are several and none is named.
    pub fn find(&self, which: Option<&str>) -> Result<&Candidate, ParseError> {
        let path = |trace: &Candidate| self.files.members.get(trace.main).map(|file| &file.path);
        let is = |trace: &&Candidate, which: &str| {
            trace.name == which || path(trace).is_some_and(|path| path == which)
        };
        let found = match (which, self.traces.as_slice()) {
            (None, [only]) => Some(only),
            (None, _) => None,
            // A recording alone, too, if it is asked for.
            (Some(which), traces) => {
                traces.iter().chain(&self.recordings).find(|trace| is(trace, which))
            }
        };
        let names = || self.traces.iter().map(|trace| trace.name.as_str()).collect::<Vec<_>>();
        found.ok_or_else(|| {
            let found = match self.traces.len() {
                1 => format!("one trace ({})", names().join(", ")),
                several => format!("{several} traces ({})", names().join(", ")),
            };
            let expected = match which {
                None => "a choice: name the one to open".to_owned(),
                Some(which) => format!("one with the name {which:?}"),
            };
            ParseError::of_file("these files", &found, &expected)
        })
    }

    /// The recordings that are merged with `chosen`: all, unless it is one itself.
    pub(super) fn recordings_of(&self, chosen: &Candidate) -> impl Iterator<Item = &Candidate> {
        let is_one = self.recordings.iter().any(|recording| recording.main == chosen.main);
        self.recordings.iter().filter(move |_| !is_one)
    }

    /// Whether a file is one of those of `chosen`.
    pub(super) fn belongs(&self, chosen: &Candidate, at: usize) -> bool {
        let beside = self.recordings_of(chosen).any(|recording| recording.main == at);
        let named = [chosen.labels, chosen.rows].contains(&Some(at));
        let is_part = chosen.others.binary_search(&at).is_ok();
        chosen.main == at || named || is_part || beside || self.timelines.contains(&at)
    }
}

/// For each main file the place of the one that belongs to it: of the same stem in the same
/// folder, or of the same stem, or the only one if it belongs to no other trace.
fn matched(mains: &[(usize, &str)], others: &[(usize, &str)]) -> Vec<Option<usize>> {
    let same = |main: &str, other: &str| stem(name(main)) == stem(name(other));
    let closest = |main: &str| {
        let beside = others.iter().find(|(_, other)| stem(main) == stem(other));
        beside.or_else(|| others.iter().find(|(_, other)| same(main, other))).map(|(at, _)| *at)
    };
    let only = match others {
        [(at, other)] if !mains.iter().any(|(_, main)| same(main, other)) => Some(*at),
        _ => None,
    };
    mains.iter().map(|(_, main)| closest(main).or(only)).collect()
}

fn is_anchor(file: &Member<'_>) -> bool {
    file.kind == FileKind::Otf2
}

fn is_ebs(file: &Member<'_>) -> bool {
    file.kind == FileKind::EbsTrace
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Without its last ending and that of its packing.
fn stem(path: &str) -> &str {
    let path = [".gz", ".bz2"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path);
    match path.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') => stem,
        _ => path,
    }
}

fn no_trace(given: &[String], files: &Unwrapped<'_>) -> ParseError {
    if let Some(recorded) = files.members.iter().find(|file| file.kind == FileKind::PerfData) {
        let expected = "its text: perf script --ns -F +period > trace.txt";
        return ParseError::of_file(
            &recorded.path,
            "a recording that only perf can read",
            expected,
        );
    }
    if let Some(profile) = files.members.iter().find(|file| file.kind.is_profile()) {
        let expected = "a trace; `tracefold profile` shows what profiles say";
        return ParseError::of_file(&profile.path, "a profile of TAU", expected);
    }
    if let Some(part) = files.members.iter().find(|file| file.kind == FileKind::Otf2Part) {
        let expected = "its anchor too: the folder that holds NAME.otf2, NAME.def and NAME/";
        return ParseError::of_file(&part.path, "a part of an OTF2 archive", expected);
    }
    if let Some(part) = files.members.iter().find(|file| file.kind == FileKind::EbsPart) {
        let expected = "ebstrace.raw.* too: what is processed has no counts any more";
        return ParseError::of_file(&part.path, "a file beside a trace of TAU's samples", expected);
    }
    let expected = "a trace: a .prv (with its .pcf and .row), an .extract, the text of perf script, an OTF2 \
                    archive or a fold record, bare, gzipped or in a .zip or .tar";
    let whole = match given {
        [only] => only.as_str(),
        _ => "these files",
    };
    let bare = given.len() == 1 && files.remarks.is_empty();
    let found = match (files.members.as_slice(), files.others) {
        ([], 0) if given.is_empty() => "no file".to_owned(),
        ([], 0) => match files.remarks.first() {
            Some((text, path)) => format!("no file that can be read in it ({path}: {text})"),
            None => "no file that can be read in it".to_owned(),
        },
        ([only], 0) if bare && only.path == whole => match only.kind {
            FileKind::Pcf => "only the labels of a trace".to_owned(),
            FileKind::Semantic => "only a timeline of a trace, saved as text".to_owned(),
            _ => "only the names of the objects of a trace".to_owned(),
        },
        ([], 1) if files.first_other == whole => "a file of another kind".to_owned(),
        (known, others) => {
            let count = known.len() as u64 + others;
            let files = if count == 1 { "file" } else { "files" };
            format!("{count} {files} and no trace among them")
        }
    };
    ParseError::of_file(whole, &found, expected)
}
