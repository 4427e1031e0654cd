//! Paths of this computer to named files, for the command line and for Python: the edge at which files
//! are opened, natively alone.

mod file;

use std::fmt;
use std::io::Error;
use std::path::{Path, PathBuf};

pub use file::{open, open_all};

use crate::input::NamedFile;

/// A file that cannot be opened, and why.
#[derive(Debug)]
pub struct CannotOpen {
    pub path: PathBuf,
    pub error: Error,
}

impl fmt::Display for CannotOpen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for CannotOpen {}

/// The files of one trace, or of several: a folder stands for the files in it, and a single trace brings
/// the labels that lie beside it.
///
/// # Errors
///
/// If one cannot be opened.
pub fn files(paths: &[PathBuf]) -> Result<Vec<NamedFile<'static>>, CannotOpen> {
    named(&with_neighbours(paths))
}

/// The same of ranks of one run. They bring their labels each, and are told apart by their paths: every
/// rank may have its folder, and one name.
///
/// # Errors
///
/// If one cannot be opened.
pub fn files_of_ranks(ranks: &[PathBuf]) -> Result<Vec<NamedFile<'static>>, CannotOpen> {
    let mut paths = vec![];
    for path in ranks.iter().flat_map(|path| with_neighbours(std::slice::from_ref(path))) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let mut files = vec![];
    for path in &paths {
        let own = named(std::slice::from_ref(path))?;
        let is_one = own.len() == 1;
        files.extend(own.into_iter().map(|file| match is_one {
            true => NamedFile { name: path.to_string_lossy().into_owned(), ..file },
            false => file,
        }));
    }
    Ok(files)
}

/// The files of these paths, and of the folders among them.
///
/// # Errors
///
/// If one cannot be opened.
pub fn named(paths: &[PathBuf]) -> Result<Vec<NamedFile<'static>>, CannotOpen> {
    let mut files = vec![];
    for path in paths {
        let cannot = |error| CannotOpen { path: path.clone(), error };
        files.extend(open_all(path).map_err(cannot)?);
    }
    Ok(files)
}

/// The files but those that belong to another one of them: what is read of each anyway.
pub fn each_apart(files: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    let beside = |file: &PathBuf, other: &PathBuf| {
        other != file && with_neighbours(std::slice::from_ref(other)).contains(file)
    };
    files.iter().filter(move |file| !files.iter().any(|other| beside(file, other)))
}

/// The files named; a single trace brings the labels that lie beside it, timelines saved as text
/// beside it or not; what TAU sampled of threads their names of timers and maps.
fn with_neighbours(files: &[PathBuf]) -> Vec<PathBuf> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let of_samples = |path: &PathBuf| {
        let suffix = name(path)?.strip_prefix("ebstrace.raw.")?.to_owned();
        let beside =
            ["def", "map"].map(|kind| path.with_file_name(format!("ebstrace.{kind}.{suffix}")));
        Some(beside.into_iter().filter(|path| path.is_file() && !files.contains(path)))
    };
    let mut beside = files.iter().filter_map(of_samples).flatten().peekable();
    if beside.peek().is_some() {
        return files.iter().cloned().chain(beside).collect();
    }
    let has = |path: &Path, endings: &[&str]| {
        endings.iter().any(|ending| path.extension().is_some_and(|found| found == *ending))
    };
    let bare = |path: &Path| {
        if has(path, &["gz", "bz2"]) { path.with_extension("") } else { path.to_owned() }
    };
    let mut paths = files.to_vec();
    let mut others = files.iter().map(|path| bare(path)).filter(|path| !has(path, &["csv", "txt"]));
    if let (Some(only), None) = (others.next(), others.next())
        && has(&only, &["prv", "extract"])
    {
        let beside = ["pcf", "row", "pcf.gz", "row.gz", "pcf.bz2", "row.bz2"]
            .map(|ending| only.with_extension(ending));
        paths.extend(beside.into_iter().filter(|path| path.is_file()));
    }
    paths
}
