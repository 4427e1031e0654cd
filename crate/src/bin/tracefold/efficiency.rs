use tracefold::disk;
use tracefold::export;
use tracefold::glance::Measure;
use tracefold::run::{
    Efficiency, FACTORS, Factor, NoEfficiency, Of, Scaling, bursts, efficiency,
    efficiency_of_iterations, of_iterations, repeats,
};
use tracefold::trace::Trace;

use crate::arguments::Efficiency as Asked;
use crate::failure::Failure;
use crate::read::{is_run, read_each};
use crate::tables;

/// A run, by the name of its trace, or the path of its file.
struct Run {
    name: String,
    efficiency: Result<Efficiency, NoEfficiency>,
    /// Beside the first run.
    beside: Option<Scaling>,
    /// Of the passes of its loop alone.
    iterations: Option<Efficiency>,
}

/// `tracefold efficiency`: how well runs use their threads, for people or as JSON.
pub fn efficiencies(asked: &Asked) -> Result<String, Failure> {
    let runs = runs(asked)?;
    // To a script values that are not there are null; only a person is told that none is.
    if !asked.json
        && runs.iter().all(|run| run.efficiency.is_err())
        && let Some(Run { efficiency: Err(none), .. }) = runs.first()
    {
        return Err(Failure::Nothing(none.sentence().to_owned()));
    }
    for run in &runs {
        let lacks = match &run.efficiency {
            Ok(efficiency) => efficiency.sentences(),
            Err(none) => vec![none.sentence().to_owned()],
        };
        lacks.iter().for_each(|sentence| eprintln!("tracefold: {}: {sentence}", run.name));
    }
    if let Some(folder) = &asked.tables.out {
        let mut rows = Vec::with_capacity(runs.len());
        for Run { name, efficiency, beside, iterations } in &runs {
            rows.push(export::EfficiencyRow {
                name,
                own: efficiency.as_ref().ok(),
                beside: beside.as_ref(),
                iterations: iterations.as_ref(),
            });
        }
        let text = export::efficiency(&rows);
        tables::write(folder, &[("efficiency.csv", text)])?;
        return Ok(String::new());
    }
    Ok(if asked.json { as_json(&runs) } else { as_table(&runs) })
}

/// All traces of all files, in their order. Those that have one name go by the paths of their files.
fn runs(asked: &Asked) -> Result<Vec<Run>, Failure> {
    let mut runs: Vec<Run> = Vec::new();
    let mut paths = Vec::new();
    for file in disk::each_apart(&asked.files) {
        let of = |trace: &Trace| {
            let repeats = repeats(trace).ok();
            let passes =
                repeats.and_then(|of| efficiency_of_iterations(trace, &of, &bursts(trace)));
            is_run(trace).map(|()| (trace.name.clone(), efficiency(trace), passes))
        };
        for run in read_each(file, asked.threads, of)? {
            let (name, efficiency, iterations) = run?;
            runs.push(Run { name, efficiency, beside: None, iterations });
            paths.push(file.display().to_string());
        }
    }
    let names = runs.iter().map(|run| run.name.clone()).collect::<Vec<_>>();
    let reference = runs.first().and_then(|run| run.efficiency.clone().ok());
    for (run, path) in runs.iter_mut().zip(paths) {
        let is_shared = names.iter().filter(|name| **name == run.name).count() > 1;
        let name = if is_shared { &path } else { &run.name };
        run.name = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        let own = run.efficiency.as_ref().ok();
        run.beside = own.zip(reference.as_ref()).map(|(own, reference)| own.scaling(reference));
    }
    Ok(runs)
}

impl Run {
    fn value(&self, factor: &Factor) -> Option<f64> {
        factor.value(self.efficiency.as_ref().ok()?, self.beside.as_ref())
    }

    /// `4 ranks`, `8 threads`, `4 ranks × 8 threads`.
    fn width(&self) -> String {
        let Ok(Efficiency { tasks, threads, .. }) = self.efficiency else {
            return "–".to_owned();
        };
        let count = |number: u32, one: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {one}s"),
        };
        match (tasks, threads) {
            (1, _) => count(threads, "thread"),
            (_, _) if tasks == threads => count(tasks, "rank"),
            (_, _) if threads % tasks == 0 => {
                format!("{tasks} ranks × {} threads", threads / tasks)
            }
            (_, _) => format!("{tasks} ranks, {threads} threads"),
        }
    }
}

fn as_table(runs: &[Run]) -> String {
    // Alone, a run would be compared to itself.
    let is_shown = |factor: &&Factor| {
        let compares = matches!(factor.of, Of::Beside(_));
        !(compares && runs.len() == 1) && runs.iter().any(|run| run.value(factor).is_some())
    };
    let mut rows = vec![];
    rows.push(("Efficiencies".to_owned(), runs.iter().map(|run| run.name.clone()).collect()));
    rows.push((String::new(), runs.iter().map(Run::width).collect::<Vec<_>>()));
    // Of one run there is room for its iterations.
    let iterations = match runs {
        [run] => run.iterations.as_ref(),
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
        let own = run.efficiency.as_ref().ok();
        let mut row = serde_json::json!({
            "trace": run.name, "ranks": own.map(|run| run.tasks),
            "threads": own.map(|run| run.threads),
        });
        for factor in FACTORS {
            let value = run.value(factor).map(|value| number(value, factor.measure));
            row[factor.key] = value.unwrap_or_default();
        }
        for factor in of_iterations() {
            let value = run.iterations.as_ref().and_then(|of| factor.value(of, None));
            let value = value.map(|value| number(value, factor.measure));
            row[format!("iteration_{}", factor.key)] = value.unwrap_or_default();
        }
        row
    };
    let rows = runs.iter().map(row).collect::<Vec<_>>();
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}
