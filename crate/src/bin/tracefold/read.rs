//! From the files named to the trace that is meant.

use std::path::Path;

use tracefold::disk::{self, CannotOpen};
use tracefold::input::NamedFile;
use tracefold::open::{Candidates, Watch};
use tracefold::profile::Profile;
use tracefold::settings::{nearest, only};
use tracefold::text::ParseError;
use tracefold::trace::{Builder, Notice, Notices, Only, Trace};

use crate::arguments::{Reading, Several};
use crate::failure::Failure;
use crate::progress::Bar;

/// Reads the trace and says on stderr what was odd about it.
pub fn read(asked: &Reading) -> Result<Trace, Failure> {
    let bar = Bar::of_bytes();
    trace(asked, all(asked, &bar)?, &bar)
}

/// The same of a trace whose run is looked at.
pub fn read_run(asked: &Reading) -> Result<Trace, Failure> {
    let trace = read(asked)?;
    is_run(&trace).map(|()| trace)
}

/// Refuses what tells of no run.
pub fn is_run(trace: &Trace) -> Result<(), Failure> {
    match trace.reduced {
        None => Ok(()),
        Some(_) => Err(Failure::Input(format!(
            "{}: a part of a fold, which has the samples of one region alone; `tracefold fold` shows it",
            trace.name
        ))),
    }
}

/// The traces among the files, of which one must be meant.
pub fn candidates(asked: &Reading, bar: &Bar) -> Result<Candidates<'static>, Failure> {
    let candidates = all(asked, bar)?;
    check_choice(&candidates, asked.trace.as_deref())?;
    Ok(candidates)
}

fn all(asked: &Reading, bar: &Bar) -> Result<Candidates<'static>, Failure> {
    let files = files(asked)?;
    let candidates = tracefold::open::candidates(files, &mut |progress| bar.show(&progress));
    candidates.map_err(wrong)
}

/// What files hold.
pub enum Read {
    Trace(Box<Trace>),
    Profile(Box<Profile>),
}

/// Reads the trace or the profile, and says on stderr what was odd about it. A folder stands for the files
/// in it.
pub fn read_either(asked: &Reading) -> Result<Read, Failure> {
    let bar = Bar::of_bytes();
    let files = files(asked)?;
    let contents = tracefold::open::contents(files, &mut |progress| bar.show(&progress));
    let contents = contents.map_err(wrong)?;
    let trials = contents.trials();
    let trial = match (asked.trace.as_deref(), contents.traces.is_empty()) {
        (Some(name), _) => trials.iter().find(|trial| trial.name == name),
        (None, true) if trials.len() == 1 => trials.first(),
        (None, _) => None,
    };
    if let Some(trial) = trial {
        let read = contents.profile(trial, &mut |progress| bar.show(&progress));
        let (profile, notices) = read.map_err(wrong)?;
        drop(bar);
        say(&notices, "");
        return Ok(Read::Profile(Box::new(profile)));
    }
    if !trials.is_empty() {
        let traces = contents.traces.iter().map(|trace| trace.name.as_str());
        let names =
            traces.chain(trials.iter().map(|trial| trial.name.as_str())).collect::<Vec<_>>();
        if let Some(name) = asked.trace.as_deref().filter(|name| !names.contains(name)) {
            let nearest = nearest(name, names.into_iter()).join(", ");
            let message =
                format!("--trace: unknown trace or profile {name:?}; the nearest are {nearest}");
            return Err(Failure::Usage(message));
        }
        if asked.trace.is_none() {
            let listed = names.iter().map(|name| format!("\n  {name}")).collect::<String>();
            let count = names.len();
            let message = format!(
                "there are {count} traces and profiles; name one with --trace NAME:{listed}"
            );
            return Err(Failure::Usage(message));
        }
    }
    let trace = trace(asked, contents, &bar)?;
    is_run(&trace).map(|()| Read::Trace(Box::new(trace)))
}

/// The files that are asked for.
fn files(asked: &Reading) -> Result<Vec<NamedFile<'static>>, Failure> {
    let cannot = |error: CannotOpen| Failure::Input(error.to_string());
    if asked.several_are.is_some() {
        return disk::files_of_ranks(&asked.files).map_err(cannot);
    }
    let mut files = disk::files(&asked.files).map_err(cannot)?;
    files.extend(disk::named(&asked.merge).map_err(cannot)?);
    Ok(files)
}

/// The trace of candidates that is asked for.
fn trace(asked: &Reading, mut candidates: Candidates<'_>, bar: &Bar) -> Result<Trace, Failure> {
    let pairs = asked.only.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let only = only(pairs).map_err(|error| Failure::Usage(format!("--only: {error}")))?;
    for path in &asked.merge {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        if !candidates.merge(&name) {
            let message = format!("--merge: {} is no text of perf script", path.display());
            return Err(Failure::Input(message));
        }
    }
    let name = asked.trace.as_deref();
    let most_bytes = asked.memory.map_or(u64::MAX, |mb| mb * 1_000_000);
    let trace = if asked.several_are == Some(Several::Ranks) {
        watched(asked.threads, most_bytes, bar, |watch| candidates.ranks(&only, watch))?
    } else {
        check_choice(&candidates, name)?;
        whole(&candidates, name, only, asked.threads, most_bytes, bar)?
    };
    bar.clear();
    say_notices(&trace, "");
    Ok(trace)
}

/// What `of` makes of each trace of a file; an archive may hold several. Says on stderr what was odd
/// about each.
pub fn read_each<T>(
    file: &Path,
    threads: Option<u64>,
    mut of: impl FnMut(&Trace) -> T,
) -> Result<Vec<T>, Failure> {
    let bar = Bar::of_bytes();
    let files =
        disk::files(&[file.to_owned()]).map_err(|error| Failure::Input(error.to_string()))?;
    let candidates = tracefold::open::candidates(files, &mut |progress| bar.show(&progress));
    let candidates = candidates.map_err(wrong)?;
    let names = candidates.traces.iter().map(|trace| trace.name.as_str());
    let each = names.map(|name| {
        let trace = whole(&candidates, Some(name), Only::default(), threads, u64::MAX, &bar)?;
        say_notices(&trace, &format!("{name}: "));
        Ok(of(&trace))
    });
    each.collect()
}

/// Reads the trace that `name` names, or the only one.
fn whole(
    candidates: &Candidates<'_>,
    name: Option<&str>,
    only: Only,
    threads: Option<u64>,
    most_bytes: u64,
    bar: &Bar,
) -> Result<Trace, Failure> {
    watched(threads, most_bytes, bar, |watch| {
        candidates.opening(name, watch.report)?.only(only).whole(watch)
    })
}

/// Reads with so many threads, within so much memory, while the bar shows how far.
fn watched(
    threads: Option<u64>,
    most_bytes: u64,
    bar: &Bar,
    read: impl FnOnce(&mut Watch<'_>) -> Result<Trace, ParseError>,
) -> Result<Trace, Failure> {
    let report = &mut |progress| bar.show(&progress);
    let early = &mut |_, _: &Builder| {};
    let mut watch = Watch::new(report, early).within(most_bytes);
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
    watch.threads = threads.map_or(processors, |count| count as usize);
    // What comes after reading keeps to as many; set but once, so that there is nothing to fail.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(watch.threads).build_global();
    read(&mut watch).map_err(wrong)
}

fn wrong(error: ParseError) -> Failure {
    Failure::Input(format!("{error:#}"))
}

/// `of`: which trace, where there may be several.
pub fn say_notices(trace: &Trace, of: &str) {
    if let Some(partial) = &trace.partial {
        eprintln!("tracefold: notice: {of}{}", partial.sentence());
    }
    if let Some(missing) = trace.reduced.as_ref().and_then(|of| of.missing.as_ref()) {
        eprintln!("tracefold: notice: {of}{missing}");
    }
    say(&trace.notices, of);
}

fn say(notices: &Notices, of: &str) {
    for Notice { text, count, first, .. } in notices.iter() {
        let first =
            if first.of.is_empty() { String::new() } else { format!(" (first at {first})") };
        eprintln!("tracefold: notice: {of}{text} ×{count}{first}");
    }
}

/// Refuses a choice that names no trace, and no choice where there are several.
pub fn check_choice(candidates: &Candidates<'_>, name: Option<&str>) -> Result<(), Failure> {
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
