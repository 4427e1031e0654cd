//! What changed of runs as a whole to files: what their time is made of, regions, clusters.

use serde_json::{Value, json};

use super::files::Exported;
use super::table::{field, or_empty};
use crate::compare::{ClusterRow, Clustered, Comparison, Part, Parts, RegionRow, Waterfall};
use crate::text::shortest;

/// Entries of the JSON of a comparison; none where runs were not compared as a whole.
pub fn whole_runs(comparison: &Comparison) -> Vec<(&'static str, Value)> {
    let mut entries = vec![];
    if let Some(of) = &comparison.parts {
        let part = |part: &Part| {
            json!({
                "name": part.name, "a": part.a, "b": part.b, "change": part.change, "interval": part.interval,
                "ms": part.ms, "verdict": <&str>::from(part.verdict),
            })
        };
        let parts = of.parts.iter().map(part).collect::<Vec<_>>();
        entries.push(("run", json!({ "time": part(&of.time), "parts": parts })));
    }
    let is_unknown = comparison.not_spent.iter().any(Option::is_some);
    if is_unknown {
        entries.push(("not_spent", json!(comparison.not_spent)));
    }
    if is_unknown || comparison.parts.is_some() {
        let clusters = comparison.clusters.iter().map(of_cluster).collect::<Vec<_>>();
        entries.push(("clusters", clusters.into()));
    }
    entries.extend(comparison.regions.as_ref().map(|of| ("regions", of_regions(of))));
    entries
}

/// Every region; those worth to be told come first.
fn of_regions(of: &Waterfall) -> Value {
    let row = |row: &RegionRow| {
        let [a, b] = row.ms;
        json!({
            "name": row.name, "a_ms": a, "b_ms": b, "a_instances": row.instances[0],
            "b_instances": row.instances[1], "ms": row.change_ms(), "by_duration_ms": row.by_duration_ms,
            "by_number_ms": row.by_number_ms, "change": row.change.map(|[change, ..]| change),
            "interval": row.change.map(|[_, low, high]| [low, high]), "perhaps": row.perhaps,
            "verdict": row.verdict.map(<&str>::from),
        })
    };
    let rows = of.rows.iter().map(row).collect::<Vec<_>>();
    json!({ "a_ms": of.ms[0], "b_ms": of.ms[1], "told": of.told, "rest_ms": of.rest_ms(), "rows": rows })
}

/// A cluster of both, or of one, which the other is null of.
fn of_cluster(row: &ClusterRow) -> Value {
    let of = |cluster: &Option<Clustered>| {
        let ipc = |of: &Clustered| of.ipc.map(|[log, _]| libm::exp(log));
        cluster.as_ref().map(|of| {
            json!({ "number": of.number, "name": of.name, "ms_per_thread": of.ms, "ipc": ipc(of) })
        })
    };
    let ipc =
        row.ipc.map(|[change, low, high]| json!({ "change": change, "interval": [low, high] }));
    json!({ "a": of(&row.a), "b": of(&row.b), "ipc": ipc, "sure": row.is_sure })
}

/// `comparison_run.csv` and `comparison_clusters.csv`, of runs that are compared as a whole, and
/// `comparison_regions.csv`; of no region.
pub fn comparison_run_tables(comparison: &Comparison) -> Vec<Exported> {
    let mut files = vec![];
    if let Some(of) = &comparison.parts {
        files.push(("comparison_run.csv", parts_table(of)));
        files.push(("comparison_clusters.csv", clusters_table(&comparison.clusters)));
    }
    files.extend(
        comparison.regions.as_ref().map(|of| ("comparison_regions.csv", regions_table(of))),
    );
    let file =
        |(name, text): (&str, String)| Exported { name: name.to_owned(), bytes: text.into_bytes() };
    files.into_iter().map(file).collect()
}

fn regions_table(of: &Waterfall) -> String {
    let mut table =
        "region,instances_a,instances_b,ms_a,ms_b,ms,by_duration_ms,by_number_ms,change,low,high,\
                     verdict,perhaps,told\n"
            .to_owned();
    for (at, row) in of.rows.iter().enumerate() {
        let ([instances_a, instances_b], [ms_a, ms_b]) = (row.instances, row.ms);
        let numbers = [
            instances_a,
            instances_b,
            ms_a,
            ms_b,
            row.change_ms(),
            row.by_duration_ms,
            row.by_number_ms,
        ];
        let change = [0, 1, 2].map(|at| or_empty(row.change.map(|of| shortest(of[at]))));
        let verdict = row.verdict.map_or("", <&str>::from).to_owned();
        let perhaps = or_empty(row.perhaps.as_deref().map(field));
        let told = u32::from(at < of.told).to_string();
        let all =
            [&[field(&row.name)][..], &numbers.map(shortest), &change, &[verdict, perhaps, told]]
                .concat();
        table += &format!("{}\n", all.join(","));
    }
    table
}

fn parts_table(of: &Parts) -> String {
    let mut parts = "part,a,b,change,low,high,ms,verdict\n".to_owned();
    for part in of.parts.iter().chain([&of.time]) {
        let [low, high] = part.interval;
        let numbers = [part.a, part.b, part.change, low, high, part.ms].map(shortest).join(",");
        let verdict: &str = part.verdict.into();
        parts += &format!("{},{numbers},{verdict}\n", field(part.name));
    }
    parts
}

fn clusters_table(rows: &[ClusterRow]) -> String {
    let mut clusters =
        "number_a,name_a,number_b,name_b,ms_per_thread_a,ms_per_thread_b,ipc_a,ipc_b,ipc_change,\
         low,high,sure\n"
            .to_owned();
    for row in rows {
        let sides = [&row.a, &row.b];
        let tell = |tell: &dyn Fn(&Clustered) -> Option<String>| {
            sides.map(|of| or_empty(of.as_ref().and_then(tell)))
        };
        let numbers = tell(&|of| Some(of.number.to_string()));
        let names = tell(&|of| Some(field(&of.name)));
        let ms = tell(&|of| Some(shortest(of.ms)));
        let ipc = tell(&|of| of.ipc.map(|[log, _]| shortest(libm::exp(log))));
        let change = [0, 1, 2].map(|at| or_empty(row.ipc.map(|of| shortest(of[at]))));
        let [first, second] = [0, 1].map(|side| [numbers[side].as_str(), &names[side]].join(","));
        let sure = u32::from(row.is_sure).to_string();
        let all = [&[first, second], &ms[..], &ipc, &change, &[sure]].concat();
        clusters += &format!("{}\n", all.join(","));
    }
    clusters
}
