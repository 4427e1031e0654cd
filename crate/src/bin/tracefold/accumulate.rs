use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use tracefold::accumulate::{
    AccumulateError, By, Keep, NoPlan, Plan, Wanted, accumulate as accumulated, merge as merged,
    thin,
};
use tracefold::open::Watch;
use tracefold::partial::Partial;
use tracefold::settings::only;
use tracefold::trace::Builder;

use crate::arguments::Reading;
use crate::failure::Failure;
use crate::fold::Asked;
use crate::part_arguments::{Accumulate, Merge, SplitBy};
use crate::progress::Bar;
use crate::read::{candidates, say_notices};

/// `tracefold accumulate`: writes a part of a trace for the fold of one region.
pub fn accumulate(asked: &Accumulate) -> Result<(), Failure> {
    let reading = &asked.reading;
    refuse_what_is_for_whole_traces(reading)?;
    for (is_there, option) in [
        (
            reading.memory.is_some(),
            "--memory: a part that is too large says so, and of how many to make",
        ),
        (asked.every.is_some(), "--every is for a trace that comes: with --follow, or of -"),
        (asked.name.is_some(), "--name is for what a pipe brings: -"),
    ] {
        if is_there {
            return Err(Failure::Usage(format!("{option}; leave it out")));
        }
    }
    let pairs = reading.only.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let only = only(pairs).map_err(|error| Failure::Usage(format!("--only: {error}")))?;
    let bar = Bar::of_bytes();
    let candidates = candidates(reading, &bar)?;
    let (report, early) = (&mut |progress| bar.show(&progress), &mut |_, _: &Builder| {});
    let mut watch = Watch::new(report, early);
    watch.threads = reading.threads.map_or(1, |threads| threads as usize);
    let opening = candidates.opening(reading.trace.as_deref(), watch.report);
    let opening = opening.map_err(|error| Failure::Input(format!("{error:#}")))?;
    let by = match asked.by {
        Some(SplitBy::Bytes) => By::Bytes,
        Some(SplitBy::Objects) => By::Tasks,
        None if opening.bytes().is_some() => By::Bytes,
        None => By::Tasks,
    };
    let keep = keep(asked)?;
    let (region, share) = (asked.region.as_str(), asked.part);
    let wanted = Wanted { region, by, share, only: &only, keep: &keep };
    let part = accumulated(opening, &wanted, &mut watch).map_err(refused)?;
    bar.clear();
    put(&asked.out, &part.write())
}

/// Which samples are kept.
fn keep(asked: &Accumulate) -> Result<Keep, Failure> {
    match &asked.plan {
        None if asked.durations => Ok(Keep::None),
        None => Ok(Keep::All),
        Some(path) => {
            let wrong =
                |error: &dyn Display| Failure::Input(format!("{}: {error}", path.display()));
            let text = fs::read(path).map_err(|error| wrong(&error))?;
            Plan::read(&text).map(Keep::Planned).map_err(|error| wrong(&error))
        }
    }
}

/// What holds for every part.
pub fn refuse_what_is_for_whole_traces(reading: &Reading) -> Result<(), Failure> {
    for (is_there, option) in [
        (!reading.merge.is_empty(), "--merge: a recording is merged with a whole trace"),
        (reading.several_are.is_some(), "--as: ranks are numbered once all traces are read"),
    ] {
        if is_there {
            return Err(Failure::Usage(format!("{option}; leave it out")));
        }
    }
    Ok(())
}

/// Why there is no part, by whose fault that is.
pub fn refused(error: AccumulateError) -> Failure {
    match &error {
        AccumulateError::Region(_) | AccumulateError::TooLarge { .. } => {
            Failure::Usage(error.to_string())
        }
        _ => Failure::Input(error.to_string()),
    }
}

/// `tracefold merge`: puts parts together, and folds them.
pub fn merge(asked: &Merge) -> Result<(), Failure> {
    let folded = Asked::of(&asked.folded, &None)?;
    let bar = Bar::of_work("merging");
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        let wrong = |error: &dyn Display| Failure::Input(format!("{name}: {error}"));
        let bytes = fs::read(path).map_err(|error| wrong(&error))?;
        let part = Partial::read(&bytes).map_err(|error| wrong(&error))?;
        Ok((name, part))
    };
    let parts = asked.parts.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let mut whole = merged(parts).map_err(|refusal| Failure::Input(refusal.to_string()))?;
    drop(bar);
    if let Some(path) = &asked.plan {
        let plan = Plan::of(whole, folded.settings()).map_err(|none| match none {
            NoPlan::Missing(_) => Failure::Nothing(none.to_string()),
            NoPlan::Fold(ref error) if error.is_usage() => Failure::Usage(none.to_string()),
            _ => Failure::Input(none.to_string()),
        })?;
        return put(path, plan.write().as_bytes());
    }
    let missing = whole.missing_words();
    if let Some(path) = &asked.partial {
        // As many samples as the fold shows: the part is as small as it can be.
        whole = thin(whole, folded.settings())
            .map_err(|refusal| Failure::Input(refusal.to_string()))?;
        let bytes = whole.write();
        put(path, &bytes)?;
        whole = Partial::read(&bytes).map_err(|error| Failure::Output(error.to_string()))?;
    }
    let Some(out) = &asked.out else { return Ok(()) };
    if let Some(missing) = missing.filter(|_| !asked.incomplete) {
        let words = format!("{missing} Give them, too, or fold what is there with --incomplete");
        return Err(Failure::Nothing(words));
    }
    let trace = whole.trace().map_err(|error| Failure::Input(format!("{error:#}")))?;
    say_notices(&trace, "");
    folded.write(&trace, out)
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error| Failure::Output(format!("{}: {error}", path.display()));
    fs::write(path, bytes).map_err(failed)
}
