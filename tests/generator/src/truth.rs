//! What is known of a made-up trace, as JSON.

use serde_json::{Map, Value, json};

use crate::codes::{Counter, LOAD, SAMPLED, STORE};
use crate::phases::{Phase, names, shares};
use crate::trace::{Thread, Trace};

/// One execution of a region.
pub struct Instance {
    /// `type label:value label`.
    pub region: String,
    /// Place of the thread in the trace.
    pub thread: usize,
    pub start_ns: u64,
    pub end_ns: u64,
    /// When each phase ended; empty where there are no phases.
    pub phases: Vec<u64>,
    /// Why it was made unlike the others.
    pub outlier: Option<&'static str>,
}

impl Instance {
    pub fn duration(&self) -> u64 {
        self.end_ns - self.start_ns
    }

    /// What is read at its end, less what is read at its begin.
    fn totals(&self, trace: &Trace) -> Vec<u64> {
        let path = &trace.threads[self.thread].path;
        difference(path.readings(self.end_ns), path.readings(self.start_ns))
    }
}

/// What was counted between two times.
fn between(thread: &Thread, begin: u64, end: u64) -> Vec<u64> {
    difference(thread.path.counts(end), thread.path.counts(begin))
}

fn difference(high: Vec<u64>, low: Vec<u64>) -> Vec<u64> {
    high.into_iter().zip(low).map(|(high, low)| high - low).collect()
}

/// Moments strictly inside an instance: all that carry a counter, a caller or a reference; those with
/// a sampled call-stack and counters; those with a reference.
fn samples(trace: &Trace, instance: &Instance) -> [usize; 3] {
    // Sorted since they were written.
    let moments = &trace.threads[instance.thread].moments;
    let first = moments.partition_point(|moment| moment.time <= instance.start_ns);
    let mut counts = [0; 3];
    for moment in moments[first..].iter().take_while(|moment| moment.time < instance.end_ns) {
        let has = |codes: &[u32]| moment.events.iter().any(|event| codes.contains(&event.0));
        counts[0] += usize::from(moment.reads || has(&[SAMPLED, LOAD, STORE]));
        counts[1] += usize::from(moment.reads && has(&[SAMPLED]));
        counts[2] += usize::from(has(&[LOAD, STORE]));
    }
    counts
}

/// Shape, size, counters with their totals, regions and all instances.
pub fn whole(trace: &Trace, instances: &[Instance]) -> Map<String, Value> {
    let mut totals = vec![0; trace.counters.len()];
    for thread in &trace.threads {
        let counts = thread.path.readings(thread.path.now());
        totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    let mut labels: Vec<&str> = instances.iter().map(|instance| instance.region.as_str()).collect();
    labels.sort_unstable();
    labels.dedup();
    let region = |label: &str| {
        let own = instances.iter().filter(|instance| instance.region == label);
        let mut sum = [0; 3];
        let (mut count, mut duration) = (0, 0);
        for instance in own {
            samples(trace, instance).iter().zip(&mut sum).for_each(|(part, sum)| *sum += part);
            duration += instance.duration();
            count += 1;
        }
        json!({"region": label, "instances": count, "total_ns": duration, "samples": sum[0],
               "sampled_callstacks": sum[1], "references": sum[2]})
    };
    let row = |instance: &Instance| {
        let thread = &trace.threads[instance.thread];
        let mut row = vec![json!(instance.region), json!(thread.task), json!(thread.thread)];
        row.extend([json!(instance.start_ns), json!(instance.duration()), json!(instance.outlier)]);
        row.extend(instance.totals(trace).into_iter().map(Value::from));
        Value::from(row)
    };
    let mut columns = vec!["region", "task", "thread", "start_ns", "duration_ns", "outlier"];
    columns.extend(names(trace.counters));
    let mut truth = Map::new();
    truth.insert("shape".into(), json!(trace.name));
    truth.insert("seed".into(), json!(trace.seed));
    truth.insert("threads".into(), json!(trace.threads.len()));
    let duration = trace.threads.iter().map(|thread| thread.path.now()).max();
    truth.insert("duration_ns".into(), json!(duration));
    let counter = |(counter, total): (&Counter, u64)| json!({"type": counter.code, "name": counter.name, "total": total});
    truth.insert("counters".into(), trace.counters.iter().zip(totals).map(counter).collect());
    truth.insert("regions".into(), labels.into_iter().map(region).collect());
    truth.insert("instance_columns".into(), json!(columns));
    truth.insert("instances".into(), instances.iter().map(row).collect());
    truth
}

/// Which durations lie within `k` median absolute deviations of the median (upper medians).
pub fn within(durations: &[u64], k: f64) -> Vec<bool> {
    let middle = |mut values: Vec<u64>| {
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or(0)
    };
    let median = middle(durations.to_vec());
    let deviation = middle(durations.iter().map(|duration| duration.abs_diff(median)).collect());
    durations
        .iter()
        .map(|duration| duration.abs_diff(median) as f64 <= k * deviation as f64)
        .collect()
}

/// The phases as planned (`start`, `end`, `rates`) and as they came out in the instances that
/// `median:1.5` keeps of all (`mean_start`, `mean_end`, `mean_rates`, events per microsecond).
pub fn folded(trace: &Trace, instances: &[Instance], region: &str, phases: &[Phase]) -> Value {
    let own: Vec<&Instance> =
        instances.iter().filter(|instance| instance.region == region).collect();
    let durations: Vec<u64> = own.iter().map(|instance| instance.duration()).collect();
    let kept = within(&durations, 1.5);
    let kept: Vec<&Instance> =
        own.iter().zip(kept).filter_map(|(instance, kept)| kept.then_some(*instance)).collect();
    let count = kept.len() as f64;
    let mean_ns = kept.iter().map(|instance| instance.duration()).sum::<u64>() as f64 / count;
    let names = names(trace.counters);
    let border = |place: usize| {
        let share = |instance: &&Instance| {
            let at = if place == 0 { instance.start_ns } else { instance.phases[place - 1] };
            (at - instance.start_ns) as f64 / instance.duration() as f64
        };
        kept.iter().map(share).sum::<f64>() / count
    };
    let phase = |(place, (phase, share)): (usize, (&Phase, (f64, f64)))| {
        let mut counts = vec![0; names.len()];
        let mut ns = 0;
        for instance in &kept {
            let begin = if place == 0 { instance.start_ns } else { instance.phases[place - 1] };
            let grown = between(&trace.threads[instance.thread], begin, instance.phases[place]);
            counts.iter_mut().zip(grown).for_each(|(count, grown)| *count += grown);
            ns += instance.phases[place] - begin;
        }
        let planned: Map<String, Value> = names
            .iter()
            .zip(&phase.rates)
            .map(|(name, rate)| ((*name).into(), json!(rate)))
            .collect();
        let rate =
            |(name, count): (&&str, &u64)| ((*name).into(), json!(*count as f64 * 1e3 / ns as f64));
        let found: Map<String, Value> = names.iter().zip(&counts).map(rate).collect();
        json!({"name": phase.name, "ms": phase.ms, "start": share.0, "end": share.1, "rates": planned,
               "mean_start": border(place), "mean_end": border(place + 1), "mean_rates": found})
    };
    let mut totals = vec![0; names.len()];
    for instance in &kept {
        totals.iter_mut().zip(instance.totals(trace)).for_each(|(sum, total)| *sum += total);
    }
    let mean = |(name, total): (&&str, &u64)| ((*name).into(), json!(*total as f64 / count));
    let totals: Map<String, Value> = names.iter().zip(&totals).map(mean).collect();
    let samples: usize = kept.iter().map(|instance| samples(trace, instance)[0]).sum();
    json!({
        "region": region,
        "instances": own.len(),
        "outliers": own.iter().filter(|instance| instance.outlier.is_some()).count(),
        "kept_of_all_by_median_1.5": kept.len(),
        "kept_outliers": kept.iter().filter(|instance| instance.outlier.is_some()).count(),
        "kept_samples": samples,
        "kept_mean_ns": mean_ns,
        "kept_mean_counts": totals,
        "phases": phases.iter().zip(shares(phases)).enumerate().map(phase).collect::<Vec<_>>(),
    })
}

/// The rates as planned, whatever the instances made of them: the shares of the time at which they
/// change, and between these each counter's events per microsecond.
pub fn planned(counters: &[Counter], phases: &[Phase]) -> Value {
    let rates = |place: usize| phases.iter().map(|phase| phase.rates[place]).collect::<Vec<_>>();
    let rates: Map<String, Value> = (0..)
        .zip(counters)
        .map(|(place, counter)| (counter.name.into(), json!(rates(place))))
        .collect();
    let mut borders = vec![0.0];
    borders.extend(shares(phases).into_iter().map(|(_, end)| end));
    json!({"borders": borders, "rates": rates})
}

/// JSON with one line for each entry of the top-level lists.
pub fn text(truth: &Map<String, Value>) -> String {
    let entry = |(key, value): (&String, &Value)| match value {
        Value::Array(rows) if rows.iter().any(|row| row.is_array() || row.is_object()) => {
            let rows: Vec<String> = rows.iter().map(|row| format!("  {row}")).collect();
            format!("\"{key}\": [\n{}\n]", rows.join(",\n"))
        }
        Value::Object(_) => format!("\"{key}\": {value:#}"),
        _ => format!("\"{key}\": {value}"),
    };
    let entries: Vec<String> = truth.iter().map(entry).collect();
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}
