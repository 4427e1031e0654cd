use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tracefold::compare::{
    Between, Comparison, Row, Run, Verdict, Wanted, compare as compared, duration_error_ns,
    sentences,
};
use tracefold::folding::{CurveKind, Folding, Group, Points};
use tracefold::performance::Fit;
use tracefold::pipeline::{self, FoldError};
use tracefold::settings::Settings;
use tracefold::trace::Trace;

use crate::arguments::{Compare, Condition};
use crate::failure::Failure;
use crate::read::{each_apart, read_each};
use crate::settings;

/// A group holds at least this share of the instances, or all of them are folded together: groups that single
/// runs make of noise are a change of nothing (comparison of foldings, §2).
const MOST_OF_ALL: f64 = 0.8;

/// `tracefold compare`: what is printed, and what of it the caller asked to fail on.
pub fn compare(asked: &Compare) -> Result<(String, Option<String>), Failure> {
    let settings = settings::asked_for(&asked.changed, &[("region", &asked.region)])?;
    let named = each_apart(&asked.files).cloned().collect::<Vec<_>>();
    let (before, after) = match (&named[..], &asked.with[..]) {
        ([before, after], []) => (vec![before.clone()], vec![after.clone()]),
        (_, []) => {
            let count = named.len();
            let message =
                format!("found {count} runs, expected two; runs after stand behind --with");
            return Err(Failure::Usage(message));
        }
        _ => (named, each_apart(&asked.with).cloned().collect()),
    };
    let files = [before, after];
    let mut sides = folded(&files, &settings, asked.threads)?;
    let mut notices = Vec::new();
    if is_grouped_unlike(&sides) && settings.group == Settings::default().group {
        let mut settings = settings.clone();
        settings.set("group", "none").map_err(|error| Failure::Usage(error.to_string()))?;
        sides = folded(&files, &settings, asked.threads)?;
        notices.push(
            "Groups of instances are unlike: all are folded together (group=none).".to_owned(),
        );
    }
    let [first, second] =
        [0, 1].map(|side: usize| sides[side].first().map(|(_, folding)| folding.region.as_str()));
    if let (Some(a), Some(b)) = (first, second)
        && a != b
    {
        let message =
            format!("A is folded over {a}, B over {b}: name one that both have with --region");
        return Err(Failure::Nothing(message));
    }
    let runs = [0, 1].map(|side: usize| {
        sides[side].iter().map(|(path, of)| run(path, of)).collect::<Result<Vec<_>, _>>()
    });
    let [a, b] = runs;
    let runs = [a?, b?];
    let wanted = Wanted {
        least: asked.least,
        least_ratio: asked.least_ratio,
        between: between(asked.between),
    };
    let whole = |wanted: &Wanted| {
        let none = || Failure::Nothing("a side has no run".to_owned());
        compared([&runs[0], &runs[1]], wanted).ok_or_else(none)
    };
    let comparison = whole(&wanted)?;
    let mut held = Vec::new();
    for condition in &asked.fail_on {
        if holds(condition, &wanted, &whole)? {
            held.push(format!("--fail-on {} holds", spelled(condition)));
        }
    }
    let text = match asked.json {
        true => as_json(&comparison, &wanted, &files, &notices),
        false => as_text(&comparison, &wanted, &notices),
    };
    Ok((text, (!held.is_empty()).then(|| held.join("; "))))
}

/// Nothing is assumed of other runs where that is asked.
fn between([clock, phase]: [f64; 2]) -> Between {
    let usual = Between::default();
    let ratio = if clock + phase > 0.0 { usual.ratio } else { 0.0 };
    Between { clock, phase, ratio }
}

type Sides = [Vec<(PathBuf, Folding)>; 2];

fn folded(
    files: &[Vec<PathBuf>; 2],
    settings: &Settings,
    threads: Option<u64>,
) -> Result<Sides, Failure> {
    let mut sides = [vec![], vec![]];
    for (files, side) in files.iter().zip(&mut sides) {
        for path in files {
            side.push((path.clone(), folding(path, settings, threads)?));
        }
    }
    Ok(sides)
}

/// The folding of a file: one that was written, or that of its trace.
fn folding(path: &Path, settings: &Settings, threads: Option<u64>) -> Result<Folding, Failure> {
    if path.extension().is_some_and(|ending| ending == "json") {
        return written(path);
    }
    let mut foldings = read_each(path, threads, |trace| folded_in_phases(trace, settings))?;
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
    foldings.into_iter().next().map(|(folding, _)| folding).ok_or_else(none)
}

/// Folded so that phases lie between breaks: where curves are smooth between them, as those of instances whose
/// borders move are, a step may be a slope, and no phase.
fn folded_in_phases(
    trace: &Trace,
    settings: &Settings,
) -> Result<Vec<(Folding, Points)>, FoldError> {
    let foldings = pipeline::run_each(trace, settings, &[])?;
    let is_smooth = |(folding, _): &(Folding, Points)| {
        folding
            .groups
            .iter()
            .any(|group| matches!(group.fit.kind, CurveKind::Pieces | CurveKind::Spline))
    };
    if settings.fit != Settings::default().fit || !foldings.iter().any(is_smooth) {
        return Ok(foldings);
    }
    pipeline::run_each(trace, &Settings { fit: Fit::Segments, ..settings.clone() }, &[])
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

/// The group of most instances.
fn largest(folding: &Folding) -> Option<&Group> {
    folding
        .groups
        .iter()
        .max_by(|a, b| a.kept.cmp(&b.kept).then(a.mean_duration_ns.total_cmp(&b.mean_duration_ns)))
}

/// Whether sides have other numbers of groups, or the largest one of a run holds too little of it.
fn is_grouped_unlike(sides: &Sides) -> bool {
    let mut counts = sides.iter().flatten().map(|(_, folding)| folding.groups.len());
    let first = counts.next();
    let are_unlike = counts.any(|count| Some(count) != first);
    let is_part = |(_, folding): &(PathBuf, Folding)| {
        let all = folding.groups.iter().map(|group| group.instances).sum::<u32>();
        let of_largest = largest(folding).map_or(0, |group| group.instances);
        f64::from(of_largest) < MOST_OF_ALL * f64::from(all)
    };
    are_unlike || sides.iter().flatten().any(is_part)
}

fn run(path: &Path, folding: &Folding) -> Result<Run, Failure> {
    let nothing = |words: &str| Failure::Nothing(format!("{}: {words}", path.display()));
    let group = largest(folding).ok_or_else(|| nothing("nothing is folded"))?;
    if !group.axis.is_time() {
        return Err(nothing(
            "is folded along a counter; fold it along time (--set x=time) to compare",
        ));
    }
    let none = || {
        let count = group.instances;
        nothing(&format!(
            "found {count} instances with their durations, expected at least 4: there is no interval"
        ))
    };
    let error_ns = duration_error_ns(group).ok_or_else(none)?;
    Ok(Run::of(group, error_ns))
}

/// Whether it holds, its own least change in place of that of all.
fn holds(
    condition: &Condition,
    wanted: &Wanted,
    whole: &dyn Fn(&Wanted) -> Result<Comparison, Failure>,
) -> Result<bool, Failure> {
    let beyond =
        |least: &Option<f64>| whole(&Wanted { least: least.unwrap_or(wanted.least), ..*wanted });
    let is_slower = |row: &Row| row.verdict == Verdict::Slower;
    Ok(match condition {
        Condition::Slower(least) => beyond(least)?.phases.iter().any(|phase| is_slower(&phase.row)),
        Condition::Total(least) => is_slower(&beyond(least)?.total),
        Condition::Ratio(counter, least) => {
            let least_ratio = least.unwrap_or(wanted.least_ratio);
            let ratios = whole(&Wanted { least_ratio, ..*wanted })?.ratios;
            ratios.iter().any(|ratio| ratio.counter == *counter && ratio.change > 0.0)
        }
        Condition::Structure => !whole(wanted)?.structure.is_empty(),
        Condition::Lines => !whole(wanted)?.lines.is_empty(),
        Condition::Undecided(least) => {
            let least = least.unwrap_or(wanted.least);
            whole(wanted)?.phases.iter().any(|phase| phase.row.visible > least)
        }
    })
}

/// As it is given to `--fail-on`.
fn spelled(condition: &Condition) -> String {
    let with = |name: &str, least: &Option<f64>| match least {
        Some(least) => format!("{name}:{}%", 100.0 * least),
        None => name.to_owned(),
    };
    match condition {
        Condition::Slower(least) => with("slower", least),
        Condition::Total(least) => with("total", least),
        Condition::Ratio(counter, least) => with(&format!("ratio:{counter}"), least),
        Condition::Structure => "structure".to_owned(),
        Condition::Lines => "lines".to_owned(),
        Condition::Undecided(least) => with("undecided", least),
    }
}

fn as_text(comparison: &Comparison, wanted: &Wanted, notices: &[String]) -> String {
    let mut text = String::new();
    for sentence in sentences(comparison, wanted.between).iter().chain(notices) {
        text += &printable(sentence);
        text.push('\n');
    }
    text += &format!(
        "\n{:>5} {:>10} {:>10} {:>8} {:>17} {:>17}  {:<14} {:>9}  routine\n",
        "phase", "A, ms", "B, ms", "%", "95 % of program", "of these runs", "verdict", "visible %"
    );
    let line = |name: &str, a_ms: f64, b_ms: f64, row: &Row, routine: &str| {
        let span = |[low, high]: [f64; 2]| format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high);
        let verdict: &str = row.verdict.into();
        format!(
            "{name:>5} {a_ms:>10.3} {b_ms:>10.3} {:>+8.1} {:>17} {:>17}  {verdict:<14} {:>9.1}  {}\n",
            100.0 * row.change,
            span(row.interval),
            span(row.within),
            100.0 * row.visible,
            printable(routine),
        )
    };
    text += &line("all", comparison.a_ms, comparison.b_ms, &comparison.total, "");
    for (at, phase) in comparison.phases.iter().enumerate() {
        let routine = match (&phase.routine, &phase.routine_b) {
            (Some(a), Some(b)) if a != b => format!("{a} \u{2192} {b}"),
            (a, b) => a.clone().or_else(|| b.clone()).unwrap_or_default(),
        };
        text += &line(&(at + 1).to_string(), phase.a_ms, phase.b_ms, &phase.row, &routine);
    }
    text
}

fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn as_json(
    comparison: &Comparison,
    wanted: &Wanted,
    files: &[Vec<PathBuf>; 2],
    notices: &[String],
) -> String {
    let of_row = |row: &Row| {
        json!({
            "change": row.change, "interval": row.interval, "within": row.within, "p": row.p,
            "verdict": <&str>::from(row.verdict), "visible": row.visible,
        })
    };
    let with = |mut value: Value, more: Value| {
        if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
            value.extend(more);
        }
        value
    };
    let phases = comparison.phases.iter().map(|phase| {
        let place = json!({
            "a": phase.a, "b": phase.b, "routine": phase.routine, "routine_b": phase.routine_b,
            "a_ms": phase.a_ms, "b_ms": phase.b_ms,
        });
        with(place, of_row(&phase.row))
    });
    let structure = comparison.structure.iter().map(|row| {
        json!({ "kind": <&str>::from(row.kind), "routine": row.routine, "a": row.a, "b": row.b })
    });
    let lines = comparison
        .lines
        .iter()
        .map(|moved| json!({ "routine": moved.routine, "file": moved.file, "by": moved.by }));
    let ratios = comparison.ratios.iter().map(|ratio| {
        let routine = comparison.phases.get(ratio.phase).and_then(|phase| phase.routine.as_ref());
        json!({
            "phase": ratio.phase + 1, "routine": routine, "counter": ratio.counter,
            "change": ratio.change, "interval": ratio.interval,
        })
    });
    let names =
        |files: &[PathBuf]| files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
    let total = with(
        json!({ "a_ms": comparison.a_ms, "b_ms": comparison.b_ms }),
        of_row(&comparison.total),
    );
    let all = json!({
        "a": names(&files[0]), "b": names(&files[1]), "runs": comparison.runs,
        "assumed": { "clock": wanted.between.clock, "phase": wanted.between.phase, "ratio": wanted.between.ratio,
            "measured": comparison.runs != [1, 1] },
        "least": wanted.least, "least_ratio": wanted.least_ratio,
        "sentences": sentences(comparison, wanted.between), "notices": notices,
        "total": total, "phases": phases.collect::<Vec<_>>(), "ratios": ratios.collect::<Vec<_>>(),
        "structure": structure.collect::<Vec<_>>(), "lines": lines.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
