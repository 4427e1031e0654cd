//! Runs as a whole beside one another: what their time is made of, regions, clusters of bursts.

use tracefold::compare::{
    ClusterRow, Clustered, Comparison, Part, RegionRow, Wanted, Waterfall, WholeRun,
};
use tracefold::pipeline::{regions_spent, whole_run};
use tracefold::trace::Trace;

use crate::compare::printable;
use crate::compare_arguments::Compare;
use crate::compare_sides::Sides;
use crate::failure::Failure;
use crate::read::is_run;

/// What of a run as a whole is asked; `None` if nothing is.
pub fn of_run(trace: &Trace, asked: &Compare) -> Result<Option<WholeRun>, Failure> {
    if !asked.run && !asked.regions {
        return Ok(None);
    }
    is_run(trace)?;
    let run = if asked.run { whole_run(trace) } else { WholeRun::default() };
    let regions = if asked.regions { regions_spent(trace) } else { vec![] };
    Ok(Some(WholeRun { regions, ..run }))
}

/// Puts what changed of the runs as a whole into a comparison. An error if a run is a folding, which holds no run, or
/// its use of time is asked and not known.
pub fn compare_runs(
    comparison: &mut Comparison,
    sides: &Sides,
    asked: &Compare,
    wanted: &Wanted,
) -> Result<(), Failure> {
    let mut all = [vec![], vec![]];
    for (side, runs) in sides.iter().zip(&mut all) {
        for of in side {
            let wrong = |why: &str| Failure::Nothing(format!("{}: {why}", of.path.display()));
            let option = if asked.run { "--run" } else { "--regions" };
            let none = || wrong(&format!("{option} needs the trace, found a folding"));
            let run = of.run.clone().ok_or_else(none)?;
            if asked.run && run.spent.is_none() {
                return Err(wrong(&run.not_spent));
            }
            runs.push(run);
        }
    }
    comparison.add_whole_runs([&all[0], &all[1]], wanted);
    Ok(())
}

/// What changed of the runs as a whole, as tables; empty where that was not asked.
pub fn runs_as_text(comparison: &Comparison) -> String {
    let mut text = String::new();
    if let Some(of) = &comparison.parts {
        text += &format!(
            "\n{:<25} {:>12} {:>12} {:>10} {:>8} {:>17}  verdict\n",
            "the run", "A", "B", "B - A, ms", "%", "95 % of program"
        );
        of.parts.iter().chain([&of.time]).for_each(|part| text += &of_part(part));
    }
    if !comparison.clusters.is_empty() {
        text += &format!(
            "\n{:>3} {:>3} {:>12} {:>12} {:>7} {:>7} {:>8} {:>17}  cluster\n",
            "A", "B", "A, ms/thread", "B, ms/thread", "IPC A", "IPC B", "%", "95 % of program"
        );
        comparison.clusters.iter().for_each(|row| text += &of_cluster(row));
    }
    text += &comparison.regions.as_ref().map_or(String::new(), of_regions);
    text
}

/// Regions worth to be told, the rest, and all of them.
fn of_regions(of: &Waterfall) -> String {
    let mut text = format!(
        "\n{:>12} {:>12} {:>10} {:>11} {:>10} {:>17}  {:<14} region\n",
        "A, ms/thread",
        "B, ms/thread",
        "B - A, ms",
        "by duration",
        "by number",
        "95 % of program",
        "verdict"
    );
    let line = |[a, b]: [f64; 2],
                ms: f64,
                parts: [String; 2],
                [interval, verdict, name]: [&str; 3]| {
        let [duration, number] = parts;
        format!(
            "{a:>12.3} {b:>12.3} {ms:>+10.3} {duration:>11} {number:>10} {interval:>17}  {verdict:<14} {name}\n"
        )
    };
    for row in of.rows.iter().take(of.told) {
        let RegionRow { ms, by_duration_ms, by_number_ms, change, verdict, .. } = row;
        let parts = [*by_duration_ms, *by_number_ms].map(|ms| format!("{ms:+.3}"));
        let interval = change.map_or("-".to_owned(), |[_, low, high]| span([low, high]));
        let perhaps =
            row.perhaps.as_ref().map_or(String::new(), |name| format!(" (perhaps {name})"));
        let name = printable(&format!("{}{perhaps}", row.name));
        text += &line(
            *ms,
            row.change_ms(),
            parts,
            [&interval, verdict.map_or("-", <&str>::from), &name],
        );
    }
    let rest = of.rows.get(of.told..).unwrap_or_default();
    let none = || [const { String::new() }; 2];
    if !rest.is_empty() {
        let ms = [0, 1].map(|side| rest.iter().map(|row| row.ms[side]).sum());
        text += &line(ms, of.rest_ms(), none(), ["", "", &format!("{} more", rest.len())]);
    }
    text + &line(of.ms, of.ms[1] - of.ms[0], none(), ["", "", "all, mean of threads"])
}

fn of_part(part: &Part) -> String {
    let value = |value: f64| match value {
        count if count >= 1e6 => format!("{count:.4e}"),
        ms if ms >= 1000.0 => format!("{ms:.1}"),
        other => format!("{other:.4}"),
    };
    let verdict: &str = part.verdict.into();
    format!(
        "{:<25} {:>12} {:>12} {:>+10.1} {:>+8.1} {:>17}  {verdict}\n",
        part.name,
        value(part.a),
        value(part.b),
        part.ms,
        100.0 * part.change,
        span(part.interval),
    )
}

fn of_cluster(row: &ClusterRow) -> String {
    let dash = || "-".to_owned();
    let of = |cluster: &Option<Clustered>, tell: &dyn Fn(&Clustered) -> Option<String>| {
        cluster.as_ref().and_then(tell).unwrap_or_else(dash)
    };
    let number = |cluster: &Clustered| Some(cluster.number.to_string());
    let ms = |cluster: &Clustered| Some(format!("{:.3}", cluster.ms));
    let ipc = |cluster: &Clustered| cluster.ipc.map(|[log, _]| format!("{:.2}", libm::exp(log)));
    let change = row.ipc.map(|[change, ..]| format!("{:+.1}", 100.0 * change));
    let interval = row.ipc.map(|[_, low, high]| span([low, high]));
    let name = row.a.as_ref().or(row.b.as_ref()).map_or("", |of| of.name.as_str());
    let name = name.split_once(": ").map_or(name, |(_, what)| what);
    format!(
        "{:>3} {:>3} {:>12} {:>12} {:>7} {:>7} {:>8} {:>17}  {}\n",
        of(&row.a, &number),
        of(&row.b, &number),
        of(&row.a, &ms),
        of(&row.b, &ms),
        of(&row.a, &ipc),
        of(&row.b, &ipc),
        change.unwrap_or_else(dash),
        interval.unwrap_or_else(dash),
        printable(name),
    )
}

fn span([low, high]: [f64; 2]) -> String {
    format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high)
}
