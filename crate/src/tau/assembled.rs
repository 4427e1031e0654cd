use std::collections::BTreeSet;

use super::tree::{Assembly, Event, THROTTLED};
use super::trial::{State, Thread, Trial};
use crate::profile::{
    Columns, Interval, Metric, NodeKind, Nodes, Profile, Quality, TIME, ThreadProfile, VERSION,
    Weights,
};
use crate::trace::Notices;

/// TAU has times in microseconds.
pub const NS_PER_US: f64 = 1000.0;

impl Trial {
    /// The profile of all that was read, and what was odd. O(rows · log nodes).
    pub fn assembled(mut self) -> (Profile, Notices) {
        let mut assembly = Assembly::of(&mut self);
        let order = metric_order(&self.metrics.texts);
        assembly.find_root(&self);
        let metadata = self.common_metadata();
        let has_time = order.first().is_some_and(|first| is_time(&self.metrics.texts[*first]));
        let mut quality = Quality { weights: Weights::Whole, ..Quality::default() };
        self.state(&mut quality);
        let mut threads = vec![];
        let mut intervals = Vec::<Interval>::new();
        let mut missing = 0;
        let read = std::mem::take(&mut self.threads).into_iter();
        let in_ns = |columns: &mut Columns, names: &[String]| {
            for metric in (0..order.len()).filter(|at| is_time(&names[order[*at]])) {
                let times =
                    columns.exclusive[metric].iter_mut().chain(&mut columns.inclusive[metric]);
                times.for_each(|time| *time = nanoseconds(*time));
            }
        };
        for (id, mut thread) in read.filter(|(_, thread)| !thread.has.is_empty()) {
            missing += u64::from(thread.has.len() < order.len());
            let mut columns = assembly.columns(&self, &thread, &order);
            in_ns(&mut columns, &self.metrics.texts);
            if has_time {
                quality.measure(&assembly.nodes.nodes, &columns);
            }
            count_samples(&mut quality, &assembly.nodes, &columns);
            // A thread that tells of the end alone says nothing of what came when.
            if !thread.before.is_empty() {
                let states = std::mem::take(&mut thread.before).into_iter();
                let states = states.map(|State { name, rows }| {
                    let state = Thread { rows, ..Thread::default() };
                    let mut columns = assembly.columns(&self, &state, &order);
                    in_ns(&mut columns, &self.metrics.texts);
                    (name, columns)
                });
                let last = (std::mem::take(&mut thread.state), columns.clone());
                add_states(&mut intervals, states.chain([last]), order.len());
            }
            let name = id.map(|number| number.to_string()).join(".");
            let user_events = thread.user_events;
            threads.push(ThreadProfile {
                thread: name,
                node_context_thread: id,
                columns,
                user_events,
            });
        }
        let text = "A thread without a file of each metric; what is missing counts nothing.";
        if missing > 0 {
            self.notices.damage_many(text, missing, String::new);
        }
        let leads_on = |event: &Event| event.is_path() && event.leaf().0 == NodeKind::Probe;
        if assembly.root.is_none() && !assembly.events.iter().any(leads_on) {
            let text = "No call paths were recorded: timers lie side by side, and what each has \
                        inclusively overlaps.";
            self.notices.add(text, String::new);
        }
        let nodes = assembly.nodes.nodes;
        let throttled = nodes.iter().filter(|node| node.group.contains(THROTTLED));
        quality.throttled = throttled.count() as u64;
        let metrics = order.iter().map(|metric| {
            let name = self.metrics.texts[*metric].clone();
            let unit = if is_time(&name) { TIME.1 } else { "" }.to_owned();
            Metric { name, unit }
        });
        let profile = Profile {
            version: VERSION,
            name: self.name,
            metrics: metrics.collect(),
            nodes,
            threads,
            user_events: self.user_events.texts,
            metadata,
            quality,
            intervals,
        };
        (profile, self.notices)
    }
}

/// Adds what a thread spent from each of its states to the next.
fn add_states(
    intervals: &mut Vec<Interval>,
    states: impl Iterator<Item = (String, Columns)>,
    metrics: usize,
) {
    let mut before = Columns::of(metrics);
    for (at, (name, now)) in states.enumerate() {
        if at == intervals.len() {
            intervals.push(Interval { columns: Columns::of(metrics), ..Interval::default() });
        }
        let interval = &mut intervals[at];
        if interval.until.is_empty() {
            interval.until = name;
        }
        interval.threads += 1;
        interval.columns.add(&now.since(&before));
        before = now;
    }
}

impl Trial {
    /// What all threads that say anything of themselves say alike, by key.
    fn common_metadata(&self) -> Vec<(String, String)> {
        let of_threads = self.threads.values().map(|thread| &thread.metadata);
        let mut of_threads = of_threads.filter(|pairs| !pairs.is_empty());
        let mut common = of_threads.next().cloned().unwrap_or_default();
        for pairs in of_threads {
            let pairs = pairs.iter().collect::<BTreeSet<_>>();
            common.retain(|pair| pairs.contains(pair));
        }
        common.extend(&self.metadata);
        let text = |number: u32| self.texts.texts[number as usize].clone();
        let mut pairs = common.iter().map(|(key, value)| (text(*key), text(*value)));
        let pairs = pairs.by_ref().collect::<BTreeSet<_>>();
        pairs.into_iter().collect()
    }

    /// What the measurement says of its samples: each thread of its own, in its metadata or in that of the
    /// trial.
    fn state(&self, quality: &mut Quality) {
        let find = |pairs: &[(u32, u32)], key: Option<u32>| {
            let pair = pairs.iter().find(|(of, _)| Some(*of) == key);
            pair.map(|(_, value)| self.texts.texts[*value as usize].as_str())
        };
        for (id, thread) in &self.threads {
            let count = |what: &str| {
                let key = self.texts.get(&format!("TAU_EBS_SAMPLES_{what}_{}", id[2]));
                let value = find(&thread.metadata, key).or_else(|| find(&self.metadata, key));
                value.and_then(|value| value.parse::<u64>().ok())
            };
            let Some(taken) = count("TAKEN") else { continue };
            quality.stating += 1;
            quality.taken = quality.taken.saturating_add(taken);
            for dropped in [count("DROPPED_TAU"), count("DROPPED_SUSPENDED")] {
                quality.dropped = quality.dropped.saturating_add(dropped.unwrap_or(0));
            }
        }
        let of_threads = self.threads.values().map(|thread| thread.metadata.as_slice());
        let anywhere = |key: &str| {
            let key = self.texts.get(key);
            let mut all = std::iter::once(self.metadata.as_slice()).chain(of_threads.clone());
            all.find_map(|pairs| find(pairs, key)).unwrap_or_default().to_owned()
        };
        quality.source = anywhere("TAU_EBS_SOURCE");
        quality.period = anywhere("TAU_EBS_PERIOD");
    }
}

/// The numbers of metrics with time first: that which is called so, else the first that is a time.
fn metric_order(names: &[String]) -> Vec<usize> {
    let time = names.iter().position(|name| name == TIME.0);
    let time = time.or_else(|| names.iter().position(|name| is_time(name)));
    time.into_iter().chain((0..names.len()).filter(|at| Some(*at) != time)).collect()
}

/// Whether a metric is a time, in microseconds: `TIME`, `GET_TIME_OF_DAY`, `P_WALL_CLOCK_TIME`.
pub fn is_time(metric: &str) -> bool {
    let metric = metric.to_ascii_uppercase();
    !metric.starts_with("PAPI_") && (metric.contains("TIME") || metric.contains("WALL_CLOCK"))
}

/// Adds the samples of a thread.
fn count_samples(quality: &mut Quality, nodes: &Nodes, columns: &Columns) {
    for (node, count) in columns.nodes.iter().zip(&columns.counts) {
        let kind = nodes.nodes[*node as usize].kind;
        let count = *count as u64;
        quality.samples += if kind.is_leaf() { count } else { 0 };
        quality.unresolved += if kind == NodeKind::Unresolved { count } else { 0 };
    }
}

/// Whole where it is so but for what decimals leave: files have fractions of a microsecond.
fn nanoseconds(time_us: f64) -> f64 {
    let time_ns = time_us * NS_PER_US;
    let whole_ns = libm::round(time_ns);
    if (time_ns - whole_ns).abs() <= 4.0 * f64::EPSILON * time_ns { whole_ns } else { time_ns }
}
