//! Which files are an archive of OTF2.

use super::archive::ArchiveReading;
use super::candidates::{Candidate, Candidates};
use crate::input::{FileKind, Member, Unwrapped};
use crate::order;
use crate::text::ParseError;
use crate::trace::Builder;

/// The files of an archive.
#[derive(Clone, Default)]
pub struct ArchiveFiles<'read> {
    pub name: String,
    pub definitions: Option<Member<'read>>,
    /// Those of its locations, with the numbers that their names say.
    pub locals: Vec<(u64, Member<'read>)>,
    pub events: Vec<(u64, Member<'read>)>,
}

/// Gives each archive among `traces` its files, and the name of its folder: Score-P calls every one
/// `traces`. O(files log files).
#[inline(never)]
pub(super) fn add_files(traces: &mut [Candidate], files: &Unwrapped<'_>) {
    let members = files.members.iter().enumerate();
    let mut parts = members
        .filter(|(_, file)| file.kind == FileKind::Otf2Part)
        .map(|(at, file)| (at, file.path.as_str()))
        .collect::<Vec<_>>();
    // Those of a folder stand together.
    order::by(&mut parts, |(_, a), (_, b)| a.cmp(b));
    for trace in traces {
        let Some(anchor) = files.members.get(trace.main) else { continue };
        if anchor.kind != FileKind::Otf2 {
            continue;
        }
        trace.others = beside_anchor(&anchor.path, &parts);
        let others = trace.others.iter().filter_map(|at| files.members.get(*at));
        trace.size = others.fold(0u64, |sum, file| sum.saturating_add(file.size));
        // Of several of one name it is the whole path already.
        if !trace.name.contains('/') {
            trace.name = with_folder(&anchor.path).to_owned();
        }
    }
}

/// The files of the archive that has this anchor, of those by path: its definitions, and all that lie
/// in the folder of its locations. Their places, rising.
fn beside_anchor(anchor: &str, parts: &[(usize, &str)]) -> Vec<usize> {
    let stem = anchor.strip_suffix(".otf2").unwrap_or(anchor);
    let begins = |begin: &str| {
        let first = parts.partition_point(|(_, path)| *path < begin);
        let rest = parts.get(first..).unwrap_or_default();
        rest.iter().take_while(|(_, path)| path.starts_with(begin)).collect::<Vec<_>>()
    };
    let definitions = format!("{stem}.def");
    let mut all = begins(&definitions);
    all.retain(|(_, path)| *path == definitions);
    all.extend(begins(&format!("{stem}/")));
    let all = all.into_iter().map(|(at, _)| *at as u64);
    order::distinct(all).into_iter().map(|at| at as usize).collect()
}

/// The name of a file with that of its folder, if it lies in one.
fn with_folder(path: &str) -> &str {
    let Some((folder, _)) = path.rsplit_once('/') else { return path };
    let begin = folder.rfind('/').map_or(0, |slash| slash + 1);
    path.get(begin..).unwrap_or(path)
}

impl<'read> Candidates<'read> {
    /// Begins to read the archive of which `anchor` is that of `chosen`.
    #[inline(never)]
    pub(super) fn archive(
        &self,
        chosen: &Candidate,
        anchor: &Member<'read>,
        trace: &mut Builder,
    ) -> std::result::Result<Box<ArchiveReading<'read>>, ParseError> {
        let mut files = ArchiveFiles { name: chosen.name.clone(), ..ArchiveFiles::default() };
        let mut other = 0;
        let stem = anchor.path.strip_suffix(".otf2").unwrap_or(&anchor.path);
        let definitions = format!("{stem}.def");
        for file in chosen.others.iter().filter_map(|at| self.files.members.get(*at)) {
            let of = |ending: &str| file.name().strip_suffix(ending)?.parse::<u64>().ok();
            match (of(".def"), of(".evt")) {
                _ if file.path == definitions => files.definitions = Some(file.clone()),
                (Some(location), _) => files.locals.push((location, file.clone())),
                (_, Some(location)) => files.events.push((location, file.clone())),
                _ => other += 1,
            }
        }
        if other > 0 {
            let text = "A file in the archive that is of no location; it was left out.";
            trace.notices.add_many(text, other, || chosen.name.clone());
        }
        order::by_number(&mut files.locals, |(location, _)| *location);
        order::by_number(&mut files.events, |(location, _)| *location);
        ArchiveReading::begin(anchor, &files, trace).map(Box::new)
    }
}
