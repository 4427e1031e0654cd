//! The runs of both sides, folded alike.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tracefold::compare::{
    Run, RunObject, WholeRun, are_grouped_unlike, is_cut, is_smooth, largest,
};
use tracefold::disk;
use tracefold::folding::{Folding, Group};
use tracefold::instance::Grouping;
use tracefold::performance::Fit;
use tracefold::pipeline::{self, FoldError};
use tracefold::result::Link;
use tracefold::settings::{SettingError, Settings};
use tracefold::trace::Trace;

use crate::compare_arguments::Compare;
use crate::compare_runs::of_run;
use crate::failure::Failure;
use crate::read::read_each;
use crate::settings;

/// A run with the file that it is of, and with what it was folded, where that is known.
pub struct Folded {
    pub path: PathBuf,
    pub folding: Folding,
    pub settings: Option<Settings>,
    /// The same with smooth curves, where it was folded again with segments for the comparison.
    smooth: Option<(Folding, Settings)>,
    /// Of a trace, where it is asked for.
    pub run: Option<WholeRun>,
    /// Number of the group that is compared; `None`: the one of most instances.
    group: Option<u32>,
}

pub type Sides = [Vec<Folded>; 2];

impl Folded {
    /// The group that is compared.
    pub fn group(&self) -> Result<&Group, Failure> {
        let nothing = |words: &str| Failure::Nothing(format!("{}: {words}", self.path.display()));
        match self.group {
            None => largest(&self.folding).ok_or_else(|| nothing("nothing is folded")),
            Some(number) => {
                let groups = self.folding.groups.iter();
                groups.clone().find(|group| group.number == number).ok_or_else(|| {
                    let there = groups.map(|group| group.number.to_string()).collect::<Vec<_>>();
                    let there = there.join(", ");
                    nothing(&format!("found no group {number}, expected one of {there}"))
                })
            }
        }
    }

    /// What is compared of it; an error says why it cannot be.
    pub fn compared(&self) -> Result<Run, Failure> {
        let group = self.group()?;
        let run = Run::of(group)
            .map_err(|unfit| Failure::Nothing(format!("{}: {unfit}", self.path.display())))?;
        let run = Run { objects: RunObject::of_group(group), ..run };
        Ok(if self.folding.quantised { Run { instances: 0, ..run } } else { run })
    }
}

/// Both sides folded alike, and what had to be done for it.
pub fn sides(asked: &Compare) -> Result<(Sides, Vec<String>), Failure> {
    alike(files(asked)?, asked)
}

fn files(asked: &Compare) -> Result<[Vec<PathBuf>; 2], Failure> {
    let named = disk::each_apart(&asked.files).cloned().collect::<Vec<_>>();
    Ok(match (&named[..], &asked.with[..]) {
        ([before, after], []) => [vec![before.clone()], vec![after.clone()]],
        (_, []) => {
            let count = named.len();
            let message =
                format!("found {count} runs, expected two; runs after stand behind --with");
            return Err(Failure::Usage(message));
        }
        _ => [named, disk::each_apart(&asked.with).cloned().collect()],
    })
}

/// Whether both sides are parts of one run, so that nothing is said of other runs: one file, of which B has other
/// settings or another group.
pub fn are_of_one_run(asked: &Compare) -> bool {
    let is_other = !asked.settings_with.is_empty()
        || asked.group_with.is_some_and(|number| Some(number) != asked.group);
    let [a, b] = match (&asked.files[..], &asked.with[..]) {
        ([a, b], []) | ([a], [b]) => [a, b].map(|path| path.canonicalize()),
        _ => return false,
    };
    is_other && matches!((a, b), (Ok(a), Ok(b)) if a == b)
}

/// All runs folded alike, over one region, and what had to be done for it.
pub fn alike(files: [Vec<PathBuf>; 2], asked: &Compare) -> Result<(Sides, Vec<String>), Failure> {
    let of_a = settings::asked_for(&asked.changed, &[("region", &asked.region)])?;
    let mut of_b = of_a.clone();
    for (key, value) in &asked.settings_with {
        let wrong = |error: SettingError| Failure::Usage(format!("--set-with: {error}"));
        of_b.set(key, value).map_err(wrong)?;
    }
    let mut settings = [of_a, of_b];
    let mut sides = folded(&files, &settings, asked)?;
    let mut notices = Vec::new();
    let are_unlike = are_grouped_unlike(sides.iter().flatten().map(|of| &of.folding));
    let is_asked = asked.group.is_some();
    if are_unlike && !is_asked && settings.iter().all(|of| of.group == Settings::default().group) {
        settings = settings.map(|of| Settings { group: Grouping::None, ..of });
        sides = folded(&files, &settings, asked)?;
        notices.push(
            "Groups of instances are unlike: all are folded together (group=none).".to_owned(),
        );
    }
    let is_cut = |of: &Folded| of.smooth.is_some() && is_cut(&of.folding);
    if sides.iter().flatten().any(is_cut) {
        for run in sides.iter_mut().flatten() {
            let smooth = run.smooth.take().into_iter();
            smooth.for_each(|(folding, settings)| {
                (run.folding, run.settings) = (folding, Some(settings));
            });
        }
    }
    let mut all = sides.iter().flatten();
    let Some(first) = all.next() else { return Ok((sides, notices)) };
    for other in all {
        if other.folding.region != first.folding.region {
            let message = format!(
                "{} is folded over {}, {} over {}: name a region that all have with --region",
                first.path.display(),
                first.folding.region,
                other.path.display(),
                other.folding.region
            );
            return Err(Failure::Nothing(message));
        }
    }
    notices.extend(unlike_settings(&sides));
    Ok((sides, notices))
}

/// With what the first run of each side was folded, where that is not the same; not which part of a run it is.
fn unlike_settings([a, b]: &Sides) -> Option<String> {
    let of = |side: &[Folded]| Some(side.first()?.settings.as_ref()?.texts());
    let texts = of(a)?.into_iter().zip(of(b)?);
    let unlike = texts.filter(|((key, of_a), (_, of_b))| of_a != of_b && !PARTS.contains(key));
    let named = unlike.map(|((key, of_a), (_, of_b))| format!("{key} {of_a:?} and {of_b:?}"));
    let named = named.collect::<Vec<_>>();
    (!named.is_empty()).then(|| format!("Folded with unlike settings: {}.", named.join(", ")))
}

/// Settings by which a side is another part of a run.
const PARTS: [&str; 5] = ["region", "objects", "from", "to", "instances"];

fn folded(
    files: &[Vec<PathBuf>; 2],
    settings: &[Settings; 2],
    asked: &Compare,
) -> Result<Sides, Failure> {
    let mut sides = [vec![], vec![]];
    let groups = [asked.group, asked.group_with.or(asked.group)];
    for (side, all) in sides.iter_mut().enumerate() {
        for path in &files[side] {
            let folded = folding(path, &settings[side], asked)?;
            all.push(Folded { group: groups[side], ..folded });
        }
    }
    Ok(sides)
}

/// The folding of a file: one that was written, or that of its trace.
fn folding(path: &Path, settings: &Settings, asked: &Compare) -> Result<Folded, Failure> {
    let is = |wanted: &str| path.extension().is_some_and(|ending| ending == wanted);
    let path_of = path.to_owned();
    if is("json") {
        return Ok(Folded {
            path: path_of,
            folding: written(path)?,
            settings: None,
            smooth: None,
            run: None,
            group: None,
        });
    }
    if is("txt") || is("url") {
        let Link { folding, settings, .. } = linked(path)?;
        return Ok(Folded {
            path: path_of,
            folding,
            settings: Some(settings),
            smooth: None,
            run: None,
            group: None,
        });
    }
    let of = |trace: &Trace| {
        let run = of_run(trace, asked)?;
        Ok(folded_in_phases(trace, settings).map(|folded| (folded, run)))
    };
    let foldings = read_each(path, asked.threads, of)?.into_iter();
    let mut foldings = foldings.collect::<Result<Vec<_>, Failure>>()?;
    let count = foldings.len();
    let (Some(of_trace), true) = (foldings.pop(), count == 1) else {
        let message = format!("{}: found {count} traces, expected one", path.display());
        return Err(Failure::Input(message));
    };
    let foldings = of_trace.map_err(|error| {
        let of_kind = if error.is_usage() { Failure::Usage } else { Failure::Nothing };
        of_kind(format!("{}: {error}", path.display()))
    })?;
    let none = || Failure::Nothing(format!("{}: nothing to fold", path.display()));
    let (of_trace, run) = foldings;
    let mut of_trace = of_trace.into_iter();
    let (folding, settings) = of_trace.next().ok_or_else(none)?;
    let smooth = of_trace.next();
    Ok(Folded { path: path_of, folding, settings: Some(settings), smooth, run, group: None })
}

/// The link that a file holds.
fn linked(path: &Path) -> Result<Link, Failure> {
    let wrong =
        |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let inside = text.split(['#', '&', '?', '\n']).find_map(|part| part.trim().strip_prefix("s="));
    let inside = inside.ok_or_else(|| wrong(&"found no s= of a link of Tracefold"))?;
    Link::decode(inside).map_err(|error| wrong(&error))
}

/// Folded so that phases lie between breaks, with what settings, and then, where that was done for the comparison
/// alone, as it is folded otherwise.
fn folded_in_phases(
    trace: &Trace,
    settings: &Settings,
) -> Result<Vec<(Folding, Settings)>, FoldError> {
    let folded = |settings: Settings| -> Result<_, FoldError> {
        let foldings = pipeline::run_each(trace, &settings, &[])?;
        Ok(foldings.into_iter().next().map(|(folding, _)| (folding, settings)))
    };
    let own = folded(settings.clone())?;
    let is_decided = settings.fit != Settings::default().fit;
    let is_smooth = own.as_ref().is_some_and(|(folding, _)| is_smooth(folding));
    let cut = match is_smooth && !is_decided {
        true => folded(Settings { fit: Fit::Segments, ..settings.clone() })?,
        false => None,
    };
    Ok(cut.into_iter().chain(own).collect())
}

fn written(path: &Path) -> Result<Folding, Failure> {
    let wrong =
        |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", path.display()));
    let bytes = fs::read(path).map_err(|error| wrong(&error))?;
    let value = serde_json::from_slice(&bytes).map_err(|error| wrong(&error))?;
    let one = match value {
        Value::Array(mut all) if all.len() == 1 => all.remove(0),
        Value::Array(all) => {
            return Err(wrong(&format!("found {} foldings, expected one", all.len())));
        }
        one => one,
    };
    Folding::from_json(one.to_string().as_bytes()).map_err(|error| wrong(&error))
}
