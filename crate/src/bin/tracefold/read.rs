//! From the files named to the trace that is meant.

use std::path::{Path, PathBuf};

use tracefold::open::{Candidates, Watch};
use tracefold::settings::{nearest, only};
use tracefold::text::ParseError;
use tracefold::trace::{Builder, Notice, Trace};

use crate::arguments::Reading;
use crate::failure::Failure;
use crate::file;
use crate::progress::Bar;

/// Reads the trace and says on stderr what was odd about it.
pub fn read(asked: &Reading) -> Result<Trace, Failure> {
    let pairs = asked.only.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let only = only(pairs).map_err(|error| Failure::Usage(format!("--only: {error}")))?;
    let wrong = |error: ParseError| Failure::Input(format!("{error:#}"));
    let bar = Bar::of_bytes();
    let report = &mut |progress| bar.show(&progress);

    let paths = with_neighbours(&asked.files);
    let files = paths.iter().chain(&asked.merge).map(|path| {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        file::open(path).map_err(failed)
    });
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let mut candidates = tracefold::open::candidates(files, report).map_err(wrong)?;
    for path in &asked.merge {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        if !candidates.merge(&name) {
            let message = format!("--merge: {} is no text of perf script", path.display());
            return Err(Failure::Input(message));
        }
    }
    let name = asked.trace.as_deref();
    check_choice(&candidates, name)?;

    let early = &mut |_, _: &Builder| {};
    let mut watch = Watch::new(report, early);
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
    watch.threads = asked.threads.map_or(processors, |count| count as usize);
    // What comes after reading keeps to as many; set but once, so that there is nothing to fail.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(watch.threads).build_global();
    watch.most_bytes = asked.memory.map_or(u64::MAX, |mb| mb * 1_000_000);
    let opening = candidates.opening(name, watch.report).map_err(wrong)?;
    let trace = opening.only(only).whole(&mut watch).map_err(wrong)?;
    drop(bar);
    say_notices(&trace);
    Ok(trace)
}

fn say_notices(trace: &Trace) {
    if let Some(partial) = &trace.partial {
        eprintln!("tracefold: notice: {}", partial.sentence());
    }
    for Notice { text, count, first, .. } in trace.notices.iter() {
        let first =
            if first.of.is_empty() { String::new() } else { format!(" (first at {first})") };
        eprintln!("tracefold: notice: {text} ×{count}{first}");
    }
}

/// Refuses a choice that names no trace, and no choice where there are several.
fn check_choice(candidates: &Candidates<'_>, name: Option<&str>) -> Result<(), Failure> {
    let names = || candidates.traces.iter().map(|trace| trace.name.as_str());
    match name {
        Some(name) if candidates.find(Some(name)).is_err() => {
            let nearest = nearest(name, names()).join(", ");
            Err(Failure::Usage(format!(
                "--trace: unknown trace {name:?}; the nearest are {nearest}"
            )))
        }
        None if candidates.traces.len() > 1 => {
            let names = names().map(|name| format!("\n  {name}")).collect::<String>();
            let count = candidates.traces.len();
            let message = format!("there are {count} traces; name one with --trace NAME:{names}");
            Err(Failure::Usage(message))
        }
        _ => Ok(()),
    }
}

/// The files named; a single trace brings the labels that lie beside it.
fn with_neighbours(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut paths = files.to_vec();
    if let [only] = files {
        let has = |path: &Path, endings: &[&str]| {
            endings.iter().any(|ending| path.extension().is_some_and(|found| found == *ending))
        };
        let bare = if has(only, &["gz", "bz2"]) { only.with_extension("") } else { only.clone() };
        if has(&bare, &["prv", "extract"]) {
            let beside = ["pcf", "row", "pcf.gz", "row.gz", "pcf.bz2", "row.bz2"]
                .map(|ending| bare.with_extension(ending));
            paths.extend(beside.into_iter().filter(|path| path.is_file()));
        }
    }
    paths
}
