use tracefold::compare::{
    Between, Comparison, Row, Run, Verdict, Wanted, check_by_hand, compare_by_hand, sentences,
};
use tracefold::disk;
use tracefold::export::{
    About, ComparedInput, Exported, comparison_json, comparison_run_tables, comparison_svg,
    comparison_tables,
};
use tracefold::folding::Group;
use tracefold::input::sha256;
use tracefold::paint::{Compared, ComparedView};

use crate::compare_arguments::{Compare, ComparedFormat, Condition};
use crate::compare_code::{code_as_text, maps_of, sources_of};
use crate::compare_objects::objects_as_text;
use crate::compare_runs::{compare_runs, runs_as_text};
use crate::compare_series::compare_series;
use crate::compare_sides::{Folded, Sides, are_of_one_run, sides};
use crate::failure::Failure;
use crate::tables;

/// `tracefold compare`: what is printed, and what of it the caller asked to fail on.
pub fn compare(asked: &Compare) -> Result<(String, Option<String>), Failure> {
    if let Some(named) = &asked.series {
        return Ok((compare_series(asked, named)?, None));
    }
    let (sides, mut notices) = sides(asked)?;
    let compared = |side: &Vec<Folded>| side.iter().map(Folded::compared).collect();
    let [a, b]: [Result<Vec<Run>, _>; 2] = sides.each_ref().map(compared);
    let runs = [a?, b?];
    let mut wanted = wanted(asked);
    if are_of_one_run(asked) {
        wanted.between = Between::NONE;
        notices.push("Parts of one run: they differ by what the run itself tells.".to_owned());
    }
    for (side, run) in
        runs.iter().enumerate().filter_map(|(side, runs)| Some((side, runs.first()?)))
    {
        check_by_hand(&asked.pairs, run, side)
            .map_err(|wrong| Failure::Usage(format!("--pairs: {wrong}")))?;
    }
    let whole = |wanted: &Wanted| {
        let none = || Failure::Nothing("a side has no run".to_owned());
        compare_by_hand([&runs[0], &runs[1]], wanted, &asked.pairs).ok_or_else(none)
    };
    let mut comparison = whole(&wanted)?;
    if asked.run || asked.regions {
        compare_runs(&mut comparison, &sides, asked, &wanted)?;
    }
    let sources = sources_of(asked, &sides)?;
    let (maps, of_sources) = maps_of(asked, &comparison, &sources);
    notices.extend(of_sources);
    if !maps.is_empty() {
        comparison.add_sources([&runs[0], &runs[1]], &maps, wanted.least);
    }
    comparison.add_objects([&runs[0], &runs[1]], &maps, &wanted);
    let mut held = Vec::new();
    for condition in &asked.fail_on {
        if holds(condition, &wanted, &whole)? {
            held.push(format!("--fail-on {} holds", spelled(condition)));
        }
    }
    // Files are read once more for their sums.
    let tells_inputs = asked.json || asked.formats.contains(&ComparedFormat::Json);
    let inputs = sides.each_ref().map(|side| {
        let told = side.iter().filter(|_| tells_inputs);
        told.map(input).collect::<Result<Vec<_>, _>>()
    });
    let [a, b] = inputs;
    let about = About { inputs: [a?, b?], wanted, notices };
    if let Some(folder) = &asked.out {
        tables::write_files(folder, &files(&comparison, &about, &sides, asked)?)?;
    }
    let text = match (asked.json, &asked.out) {
        (true, _) => comparison_json(&comparison, &about),
        (_, Some(_)) => String::new(),
        _ => {
            let code = code_as_text(&comparison, &sources);
            as_text(&comparison, &wanted, &about.notices)
                + &code
                + &objects_as_text(&comparison)
                + &runs_as_text(&comparison)
        }
    };
    Ok((text, (!held.is_empty()).then(|| held.join("; "))))
}

/// What is asked of a comparison.
pub fn wanted(asked: &Compare) -> Wanted {
    Wanted {
        least: asked.least,
        least_ratio: asked.least_ratio,
        between: between(asked.between),
        equal_clock: asked.equal_clock,
    }
}

/// What is written into a folder.
fn files(
    comparison: &Comparison,
    about: &About,
    sides: &Sides,
    asked: &Compare,
) -> Result<Vec<Exported>, Failure> {
    let none = || Failure::Nothing("a side has no run".to_owned());
    let [a, b] = sides.each_ref().map(|side| side.first().ok_or_else(none));
    let (a, b) = (a?, b?);
    let groups = [a.group()?, b.group()?];
    let (a, b) = (&a.folding, &b.folding);
    let mut files = Vec::new();
    for format in &asked.formats {
        match format {
            ComparedFormat::Csv => {
                files.extend(comparison_tables(comparison, a, groups[0].number));
                files.extend(comparison_run_tables(comparison));
            }
            ComparedFormat::Json => files.push(Exported {
                name: "comparison.json".to_owned(),
                bytes: comparison_json(comparison, about).into_bytes(),
            }),
            ComparedFormat::Svg => {
                let along = asked.axis.map(Into::into);
                let groups = groups.map(Group::clone);
                let compared = Compared::new(comparison.clone(), groups, along, asked.least);
                let words = sentences(comparison, about.wanted.between);
                let names = [a, b].map(|folding| folding.trace.name.as_str());
                let title = format!("{} with {} \u{b7} {}", names[0], names[1], a.region);
                let words = [title].into_iter().chain(words).collect::<Vec<_>>();
                files.push(comparison_svg(&compared, &ComparedView::default(), &words));
            }
        }
    }
    Ok(files)
}

/// A run as it is told of: with its SHA-256, for which its file is read once more.
pub fn input(of: &Folded) -> Result<ComparedInput, Failure> {
    let failed = |error| Failure::Input(format!("{}: {error}", of.path.display()));
    let source = disk::open(&of.path).map_err(failed)?.source;
    Ok(ComparedInput {
        file: of.path.display().to_string(),
        sha256: Some(sha256(&*source, &mut |_| {}).map_err(failed)?),
        settings: of.settings.clone().map(Into::into),
    })
}

/// Nothing is assumed of other runs where that is asked.
fn between([clock, phase]: [f64; 2]) -> Between {
    let usual = Between::default();
    let ratio = if clock + phase > 0.0 { usual.ratio } else { 0.0 };
    Between { clock, phase, ratio }
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
            let comparison = whole(&Wanted { least_ratio, ..*wanted })?;
            let mut ratios = comparison.sure_ratios();
            ratios.any(|(_, ratio)| ratio.counter == *counter && ratio.change > 0.0)
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
        text += &line(&(at + 1).to_string(), phase.a_ms, phase.b_ms, &phase.row, &phase.routines());
    }
    text
}

/// Without what would move the cursor.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
