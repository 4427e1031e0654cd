//! Runs as a whole beside one another: what their time is made of, and clusters of their bursts.

use std::path::Path;

use tracefold::compare::{
    ClusterRow, Clustered, Comparison, Part, Spent, Wanted, clusters as compared_clusters, parts,
};
use tracefold::run::{Cluster, EPS, Efficiency, NoEfficiency, bursts, clusters, efficiency};
use tracefold::trace::Trace;

use crate::compare::printable;
use crate::failure::Failure;

/// What is known of a run as a whole.
pub struct OfRun {
    spent: Result<Spent, NoEfficiency>,
    clusters: Vec<Clustered>,
}

/// What the time of a run went into, and the clusters of its bursts.
pub fn of_run(trace: &Trace) -> OfRun {
    let spent = efficiency(trace).map(|of| spent(&of));
    let threads = spent.as_ref().map_or(1.0, |of| of.threads);
    let clusters = clusters(trace, &bursts(trace), EPS).clusters;
    let work = |of: &Cluster| of.instructions.map(|each| each * of.bursts as f64);
    let all = clusters.iter().filter_map(work).sum::<f64>();
    let clustered = clusters.iter().map(|of| Clustered {
        number: of.number,
        name: of.name.clone(),
        call: of.call.clone(),
        ms: of.time_ns as f64 / threads / 1e6,
        share: of.share_of_threads,
        work: work(of).map(|work| work / all),
        ipc: of.ipc.zip(of.ipc_error).map(|(ipc, error)| [libm::log(ipc), error * error]),
    });
    OfRun { clusters: clustered.collect(), spent }
}

fn spent(of: &Efficiency) -> Spent {
    Spent {
        runtime_ns: of.runtime_ns as f64,
        useful_ns: of.useful_ns as f64,
        longest_ns: of.longest_ns as f64,
        threads: f64::from(of.threads),
        counted: of
            .instructions()
            .zip(of.cycles())
            .map(|(instructions, cycles)| [instructions as f64, cycles as f64]),
    }
}

/// Puts what changed of the runs as a whole into a comparison; clusters are those of the first of each side.
/// An error if a run is a folding, which holds neither, or its use of time is not known.
pub fn compare_runs(
    comparison: &mut Comparison,
    sides: [Vec<(&Path, Option<&OfRun>)>; 2],
    wanted: &Wanted,
) -> Result<(), Failure> {
    let mut all = [vec![], vec![]];
    for (side, runs) in sides.iter().zip(&mut all) {
        for (path, of) in side {
            let wrong = |why: &str| Failure::Nothing(format!("{}: {why}", path.display()));
            let of = of.ok_or_else(|| wrong("--run needs the trace, found a folding"))?;
            let spent = of.spent.as_ref().map_err(|none| wrong(none.sentence()))?;
            runs.push((*spent, &of.clusters));
        }
    }
    let spent = all.each_ref().map(|runs| runs.iter().map(|(spent, _)| *spent).collect::<Vec<_>>());
    comparison.parts = parts([&spent[0], &spent[1]], wanted);
    if let [Some((_, a)), Some((_, b))] = all.each_ref().map(|runs| runs.first()) {
        comparison.clusters = compared_clusters(a, b, wanted);
    }
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
    text
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
