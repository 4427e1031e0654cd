use serde_json::{Value, json};
use tracefold::export;
use tracefold::run::{self, Axes, Burst, Bursts, Cluster, Clusters, OneCall, bursts_from};
use tracefold::trace::Trace;

use crate::arguments;
use crate::failure::Failure;
use crate::picture;
use crate::read::read_run;
use crate::settings;
use crate::tables;

/// `tracefold clusters`: what the computation of a run is made of, for people or as JSON.
pub fn clusters(asked: &arguments::Clusters) -> Result<String, Failure> {
    let settings = settings::asked_for(&asked.changed, &[("eps", &asked.eps)])?;
    let trace = read_run(&asked.reading)?;
    if tables::write_picture(&asked.files, || picture::of_run(&trace, &settings))? {
        return Ok(String::new());
    }
    let all = bursts_from(&trace, settings.bursts);
    let Bursts { bursts, flushed } = &all;
    let found = run::clusters(&trace, bursts, settings.eps);
    if asked.json {
        let listed = if asked.bursts { bursts.as_slice() } else { &[] };
        return Ok(as_json(&trace, &found, bursts, *flushed, listed));
    }
    let left_out = all.sentence().map(|sentence| sentence + "\n").unwrap_or_default();
    match found.why_none() {
        Some(sentence) => Err(Failure::Nothing(sentence + "\n" + &left_out)),
        None if let Some(folder) = &asked.files.out => {
            let tables = || {
                let bursts = export::bursts(&trace, &found, bursts);
                vec![("clusters.csv", export::clusters(&found)), ("bursts.csv", bursts)]
            };
            let over_time = |format| export::clusters_over_time(&trace, &found, bursts, format);
            tables::write_found(folder, &asked.files.formats, tables, over_time)
                .map(|()| String::new())
        }
        None => Ok(as_table(&found) + &left_out),
    }
}

fn as_table(found: &Clusters) -> String {
    let mut table = format!(
        "{:>7} {:>7} {:>10} {:>10} {:>20} {:>12} {:>5}  cluster\n",
        "share %", "bursts", "per thread", "median ms", "range ms", "instructions", "IPC"
    );
    for cluster in &found.clusters {
        let per_thread = match cluster.per_thread {
            (fewest, most) if fewest == most => most.to_string(),
            (fewest, most) => format!("{fewest}–{most}"),
        };
        let [shortest, median, longest] =
            [cluster.range_ns.0, cluster.median_ns, cluster.range_ns.1].map(|ns| ns as f64 / 1e6);
        table += &format!(
            "{:>7.2} {:>7} {per_thread:>10} {median:>10.3} {:>20} {:>12} {:>5}  {}\n",
            100.0 * cluster.share_of_threads,
            cluster.bursts,
            format!("{shortest:.3}–{longest:.3}"),
            cluster.instructions.map_or("–".to_owned(), |count| format!("{count:.2e}")),
            cluster.ipc.map_or("–".to_owned(), |ipc| format!("{ipc:.2}")),
            printable(&cluster.name),
        );
    }
    for call in &found.calls {
        let (share, name) = (100.0 * call.share_of_threads, printable(&call.name));
        table += &format!("{share:>7.2} {:>7} {:>69}  in no cluster: {name}\n", call.bursts, "");
    }
    table + "\n" + &found.sentence() + "\n"
}

fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn as_json(
    trace: &Trace,
    found: &Clusters,
    bursts: &[Burst],
    flushed: usize,
    listed: &[Burst],
) -> String {
    let object = |thread: u32| trace.threads[thread as usize].object.to_string();
    let cluster = |cluster: &Cluster| {
        json!({
            "number": cluster.number, "name": cluster.name,
            "region": format!("Cluster:{}", cluster.number), "instances": cluster.bursts,
            "share": cluster.share_of_threads, "share_of_bursts": cluster.share_of_bursts,
            "total_ms": cluster.time_ns as f64 / 1e6, "mean_ms": cluster.mean_ns / 1e6,
            "median_ms": cluster.median_ns as f64 / 1e6,
            "shortest_ms": cluster.range_ns.0 as f64 / 1e6,
            "longest_ms": cluster.range_ns.1 as f64 / 1e6,
            "instructions": cluster.instructions, "ipc": cluster.ipc,
            "threads": cluster.threads,
            "per_thread_min_max": [cluster.per_thread.0, cluster.per_thread.1],
        })
    };
    let call = |call: &OneCall| {
        json!({
            "name": call.name, "instances": call.bursts, "share": call.share_of_threads,
            "total_ms": call.time_ns as f64 / 1e6,
        })
    };
    let sequences = found.sequences(bursts).into_iter();
    let sequences = sequences.map(|(thread, numbers)| (object(thread), json!(numbers)));
    let burst = |(at, burst): (u32, &Burst)| {
        json!({
            "thread": object(burst.thread), "begin_ns": burst.begin_ns, "end_ns": burst.end_ns,
            "cluster": found.of(at),
        })
    };
    let mut answer = json!({
        "eps": found.eps, "min_points": found.min_points, "bursts_used": found.used,
        "bursts_left_out": flushed,
        "by": match found.axes { Axes::Work => "instructions, ipc", Axes::Duration => "duration" },
        "clusters": found.clusters.iter().map(cluster).collect::<Vec<_>>(),
        "in_no_cluster": found.calls.iter().map(call).collect::<Vec<_>>(),
        "sequences": sequences.collect::<serde_json::Map<_, _>>(),
    });
    if !listed.is_empty() {
        answer["bursts"] = (0..).zip(listed).map(burst).collect::<Vec<Value>>().into();
    }
    serde_json::to_string_pretty(&answer).unwrap_or_default() + "\n"
}
