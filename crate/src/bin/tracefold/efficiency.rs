use tracefold::disk;
use tracefold::export;
use tracefold::glance::{
    FACTORS, Measure, NamedFactor, Of, RunUse, Scales, Scaling, ScalingAsked, ThreadUse,
    of_iterations,
};
use tracefold::paint::Theme;
use tracefold::run::run_use;
use tracefold::trace::Trace;

use crate::arguments::{Efficiency as Asked, EfficiencyFormat};
use crate::failure::Failure;
use crate::read::{is_run, read_each};
use crate::tables;

struct Run {
    /// That of its trace, or the path of its file.
    name: String,
    used: RunUse,
    /// Beside the reference.
    beside: Option<Scaling>,
}

/// `tracefold efficiency`: how well runs use their threads, for people or as JSON.
pub fn efficiencies(asked: &Asked) -> Result<String, Failure> {
    let runs = runs(asked)?;
    // To a script values that are not there are null; only a person is told that none is.
    if !asked.json
        && runs.iter().all(|run| run.own().is_none())
        && let Some(why) = runs.first().and_then(|run| run.used.remarks.first())
    {
        return Err(Failure::Nothing(why.clone()));
    }
    for run in &runs {
        run.used.remarks.iter().for_each(|why| eprintln!("tracefold: {}: {why}", run.name));
    }
    if let Some(folder) = &asked.out {
        let used = runs.iter().map(|run| RunUse { name: run.name.clone(), ..run.used.clone() });
        let (used, how) = (used.collect::<Vec<_>>(), how(asked, runs.len()));
        let files = asked.format.iter().flat_map(|format| {
            let name = match format {
                EfficiencyFormat::Csv => "csv",
                EfficiencyFormat::Svg => "svg",
            };
            export::scaling_files(&used, &how, Theme::Light, name)
        });
        tables::write_files(folder, &files.collect::<Vec<_>>())?;
        return Ok(String::new());
    }
    Ok(if asked.json { as_json(&runs) } else { as_table(&runs) })
}

/// All traces of all files, in their order. Those that have one name go by the paths of their files.
fn runs(asked: &Asked) -> Result<Vec<Run>, Failure> {
    let mut runs: Vec<Run> = Vec::new();
    let mut paths = Vec::new();
    for file in disk::each_apart(&asked.files) {
        let of = |trace: &Trace| is_run(trace).map(|()| run_use(trace));
        for used in read_each(file, asked.threads, of)? {
            let used = used?;
            runs.push(Run { name: used.name.clone(), used, beside: None });
            paths.push(file.display().to_string());
        }
    }
    let names = runs.iter().map(|run| run.name.clone()).collect::<Vec<_>>();
    let reference = reference(asked, &runs)?;
    let scales = how(asked, runs.len()).scales;
    for (run, path) in runs.iter_mut().zip(paths) {
        let is_shared = names.iter().filter(|name| **name == run.name).count() > 1;
        let name = if is_shared { &path } else { &run.name };
        run.name = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        let both = run.own().zip(reference.as_ref());
        run.beside = both.map(|(own, reference)| own.scaling(reference, scales));
    }
    Ok(runs)
}

/// How runs are laid beside one another; the last one is told.
fn how(asked: &Asked, runs: usize) -> ScalingAsked {
    let place = |number: u64| u32::try_from(number.saturating_sub(1)).unwrap_or(u32::MAX);
    ScalingAsked {
        reference: place(asked.reference.unwrap_or(1)),
        picked: place(runs as u64),
        scales: if asked.weak { Scales::Weak } else { Scales::Strong },
        of_loop: false,
    }
}

/// What the others are laid beside: the first run, or that of the number that was asked.
fn reference(asked: &Asked, runs: &[Run]) -> Result<Option<ThreadUse>, Failure> {
    let number = asked.reference.unwrap_or(1);
    let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    match at.and_then(|at| runs.get(at)) {
        Some(run) => Ok(run.own().cloned()),
        None => {
            let all = runs.len();
            Err(Failure::Usage(format!("--reference {number}: there are {all} runs")))
        }
    }
}

impl Run {
    fn own(&self) -> Option<&ThreadUse> {
        self.used.of_run.as_ref()
    }

    fn value(&self, factor: &NamedFactor) -> Option<f64> {
        factor.value(self.own()?, self.beside.as_ref())
    }
}

fn as_table(runs: &[Run]) -> String {
    // Alone, a run would be compared to itself.
    let is_shown = |factor: &&NamedFactor| {
        let compares = matches!(factor.of, Of::Beside(_));
        !(compares && runs.len() == 1) && runs.iter().any(|run| run.value(factor).is_some())
    };
    let is_of_ranks = runs.iter().any(|run| run.own().is_some_and(|own| own.tasks > 1));
    let width = |run: &Run| run.own().map_or_else(|| "–".to_owned(), |own| own.width(is_of_ranks));
    let mut rows = vec![];
    rows.push(("Efficiencies".to_owned(), runs.iter().map(|run| run.name.clone()).collect()));
    rows.push((String::new(), runs.iter().map(width).collect::<Vec<_>>()));
    // Of one run there is room for its iterations.
    let iterations = match runs {
        [run] => run.used.of_loop.as_ref(),
        _ => None,
    };
    if iterations.is_some() {
        rows[0].1.push("iterations".to_owned());
        rows[1].1.push("alone".to_owned());
    }
    for factor in FACTORS.iter().filter(is_shown) {
        let unit = match factor.measure {
            Measure::Share => ", %",
            Measure::Time => ", ms",
            Measure::Frequency => ", GHz",
            Measure::Ratio | Measure::Count => "",
        };
        let name = format!("{:width$}{}{unit}", "", factor.name, width = 2 * factor.depth);
        let values = runs.iter().map(|run| run.value(factor));
        let values = values.chain(iterations.map(|of| factor.value(of, None)));
        let values = values.map(|value| match value {
            Some(value) => printed(value, factor.measure),
            None => "–".to_owned(),
        });
        rows.push((name, values.collect()));
    }
    lined_up(&rows)
}

fn printed(value: f64, measure: Measure) -> String {
    match measure {
        Measure::Share => format!("{:.1}", 100.0 * value),
        Measure::Ratio | Measure::Frequency => format!("{value:.2}"),
        Measure::Count => format!("{value:.0}"),
        Measure::Time => format!("{:.3}", value / 1e6),
    }
}

/// Names at the left, columns at the right.
fn lined_up(rows: &[(String, Vec<String>)]) -> String {
    let length = |text: &String| text.chars().count();
    let names = rows.iter().map(|(name, _)| length(name)).max().unwrap_or(0);
    let columns = rows.first().map_or(0, |(_, row)| row.len());
    let width = |at: usize| rows.iter().filter_map(|(_, row)| row.get(at)).map(length).max();
    let widths = (0..columns).map(|at| width(at).unwrap_or(0)).collect::<Vec<_>>();
    let line = |(name, row): &(String, Vec<String>)| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("  {cell:>width$}"));
        format!("{name:names$}{}\n", cells.collect::<String>())
    };
    rows.iter().map(line).collect()
}

fn as_json(runs: &[Run]) -> String {
    let number = |value: f64, measure: Measure| match measure {
        // Whole, as long as a double holds it so.
        Measure::Count | Measure::Time if value.fract() == 0.0 => serde_json::json!(value as u64),
        _ => serde_json::json!(value),
    };
    let row = |run: &Run| {
        let own = run.own();
        let mut row = serde_json::json!({
            "trace": run.name, "ranks": own.map(|run| run.tasks),
            "threads": own.map(|run| run.threads),
        });
        for factor in FACTORS {
            let value = run.value(factor).map(|value| number(value, factor.measure));
            row[factor.key] = value.unwrap_or_default();
        }
        for factor in of_iterations() {
            let value = run.used.of_loop.as_ref().and_then(|of| factor.value(of, None));
            let value = value.map(|value| number(value, factor.measure));
            row[format!("iteration_{}", factor.key)] = value.unwrap_or_default();
        }
        row
    };
    let rows = runs.iter().map(row).collect::<Vec<_>>();
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}
