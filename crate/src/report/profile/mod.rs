//! A profile, in words and printed numbers.

mod rows;
mod picked;
mod advice;
mod beside;
mod beside_pair;
mod user_events;
mod quality;
mod over_time;

pub use advice::{CostlyLine, costly, room_to_fold};
pub use beside::{BesideAsked, BesideBy, BesideRow, BesideTable, Over, beside};
pub use beside_pair::BesidePair;
pub use over_time::{OverTimeTable, interval, over_time};
pub use picked::{PickedLine, PickedNode, picked};
pub use quality::QualityCell;
pub use rows::{By, ProfileRow, Rows, RowsAsked, rows};
pub use user_events::{UserEventLine, user_events};

use serde::Serialize;

use crate::instance::is_instructions;
use crate::order::Texts;
use crate::paint::Pictured;
use crate::profile::{Measure, Node, NodeKind, Share, TIME, share_between};
use crate::quantity::{THIN, count, number, percent, printable, short};

/// What stands round the pictures of a profile.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ProfileSummary {
    pub name: String,
    /// Each a value and what it is of.
    pub facts: Vec<(String, String)>,
    /// Where most of it goes: words before, the name, words after; and the node that it names.
    pub sentence: (String, String, String),
    pub named: Option<u32>,
    pub quality: Vec<QualityCell>,
    /// What the measurement says of itself, a sentence each.
    pub notices: Vec<String>,
    /// Names of metrics, each with the short one.
    pub metrics: Vec<(String, String)>,
    /// What rows can be of alone, each with its words: evidence, then groups.
    pub kinds: Vec<(String, String)>,
    /// Names of the threads, and what they are called together.
    pub threads: Vec<String>,
    pub threads_words: String,
    /// What is looked at: its name, and its unit; empty without one.
    pub measure: String,
    pub unit: String,
    pub has_samples: bool,
    pub has_user_events: bool,
    /// How many moments the measurement tells of; 0: of the end alone.
    pub intervals: u32,
    /// Over the figures of each row: what rows are put in order by there, and words.
    pub heads: Vec<(String, String)>,
    /// Regions that can be folded: each its node, and a sentence.
    pub room: Vec<(u32, String)>,
    /// What the measurement says of its machine: key, value.
    pub metadata: Vec<(String, String)>,
}

/// All of it.
#[inline(never)]
pub fn profile(pictured: &Pictured) -> ProfileSummary {
    let whole = &pictured.overview.whole;
    let (sentence, named) = sentence(pictured);
    ProfileSummary {
        name: whole.name.clone(),
        facts: facts(pictured),
        sentence,
        named,
        quality: quality::quality(pictured),
        notices: whole.quality.sentences(),
        metrics: whole
            .metrics
            .iter()
            .map(|metric| (metric.name.clone(), short(&metric.name).to_owned()))
            .collect(),
        kinds: kinds(&whole.nodes),
        threads: pictured.overview.threads.clone(),
        threads_words: threads_words(pictured),
        measure: measure_name(pictured),
        unit: pictured.written().unit.to_owned(),
        has_samples: whole.quality.samples > 0,
        has_user_events: pictured.overview.user_events > 0,
        intervals: whole.intervals.len() as u32,
        heads: rows::heads(pictured)
            .into_iter()
            .map(|(key, words)| (key.to_owned(), words))
            .collect(),
        room: room_to_fold(pictured),
        metadata: whole.metadata.clone(),
    }
}

/// `Time`, `L2 misses`, or the formula.
fn measure_name(pictured: &Pictured) -> String {
    let whole = &pictured.overview.whole;
    match &pictured.measure {
        Measure::Metric(metric) if whole.time() == Some(*metric) => "Time".to_owned(),
        Measure::Metric(metric) => printable(short(&whole.metrics[*metric].name)),
        Measure::Formula { name, .. } => printable(name),
    }
}

/// `64 threads`, or the name of the one.
fn threads_words(pictured: &Pictured) -> String {
    let overview = &pictured.overview;
    match overview.only.and_then(|only| overview.threads.get(only as usize)) {
        Some(name) => format!("thread {name}"),
        None => counted(overview.threads.len() as f64, "thread", "threads"),
    }
}

fn counted(count: f64, one: &str, many: &str) -> String {
    format!("{}{THIN}{}", number(count, 0), if count == 1.0 { one } else { many })
}

fn facts(pictured: &Pictured) -> Vec<(String, String)> {
    let overview = &pictured.overview;
    let whole = &overview.whole;
    let of = |count: usize, one: &str, many: &str| {
        (number(count as f64, 0), if count == 1 { one } else { many }.to_owned())
    };
    let mut facts =
        vec![match overview.only.and_then(|only| overview.threads.get(only as usize)) {
            Some(name) => {
                (name.clone(), format!("of {} threads", number(overview.threads.len() as f64, 0)))
            }
            None => of(overview.threads.len(), "thread", "threads"),
        }];
    if let Some(time) = whole.time() {
        let column = overview.total().inclusive.get(time);
        let roots = pictured.shown.roots.iter().filter_map(|root| column?.get(*root as usize));
        let mean = roots.sum::<f64>() / overview.threads_meant().max(1) as f64;
        let words = if overview.threads_meant() > 1 { "on average" } else { "" };
        facts.push((crate::quantity::OfMetric::of(TIME.1, mean).text(mean), words.to_owned()));
    }
    facts.push(of(whole.metrics.len(), "metric", "metrics"));
    let names = |is: &dyn Fn(&&Node) -> bool| {
        let mut names = Texts::default();
        whole.nodes.iter().filter(is).for_each(|node| _ = names.of(&node.name));
        names.texts.len()
    };
    facts.push(of(names(&|node| node.kind == NodeKind::Probe), "probe", "probes"));
    facts.push(of(
        names(&|node| node.kind == NodeKind::Sample),
        "sampled routine",
        "sampled routines",
    ));
    let deepest = pictured.shown.depths.iter().max().map_or(0, |depth| depth + 1);
    facts.push((number(f64::from(deepest), 0), "levels".to_owned()));
    facts
}

/// What samples or, without them, probes say of where most goes.
fn sentence(pictured: &Pictured) -> ((String, String, String), Option<u32>) {
    let whole = &pictured.overview.whole;
    let all = pictured.whole();
    let is_routine = |at: &u32| {
        let node = &whole.nodes[*at as usize];
        let above = node.parent.map(|parent| whole.nodes[parent as usize].kind);
        node.kind == NodeKind::Summary
            || (node.kind == NodeKind::Sample && above != Some(NodeKind::Summary))
    };
    let largest = |is: &dyn Fn(&u32) -> bool, value: &dyn Fn(u32) -> f64| {
        let nodes = (0..whole.nodes.len() as u32).filter(is);
        nodes
            .map(|at| (at, value(at)))
            .filter(|(_, value)| *value > 0.0)
            .reduce(|a, b| if b.1 > a.1 { b } else { a })
    };
    let what = match (&pictured.measure, whole.time()) {
        (Measure::Metric(metric), time) if time == Some(*metric) => "the time".to_owned(),
        (Measure::Formula { .. }, Some(_)) => "the time".to_owned(),
        _ => printable(short(&whole.metrics[pictured.metric].name)),
    };
    let share = |value: f64| percent(value / all.max(f64::MIN_POSITIVE), 1);
    if let Some((at, value)) = largest(&is_routine, &|at| pictured.inclusive(at)) {
        let node = &whole.nodes[at as usize];
        let probe =
            pictured.shown.upwards(at).find(|at| !whole.nodes[*at as usize].kind.is_sampled());
        let before = probe.map_or_else(String::new, |probe| {
            format!(
                "Probes end at {}; samples go on:",
                printable(&whole.nodes[probe as usize].name)
            )
        });
        let place = place_of(pictured, at)
            .map(|place| format!(", most of it at {place}"))
            .unwrap_or_default();
        let between = between(pictured, at).map(|[low, high]| {
            let [low, high] =
                [low, high].map(|value| number(100.0 * value / all.max(f64::MIN_POSITIVE), 1));
            format!(" [{low}, {high}]")
        });
        let after =
            format!("holds {}{} of {what}{place}.", share(value), between.unwrap_or_default());
        return ((before, printable(&node.name), after), Some(at));
    }
    let is_probe = |at: &u32| whole.nodes[*at as usize].kind == NodeKind::Probe;
    match largest(&is_probe, &|at| pictured.exclusive(at)) {
        Some((at, value)) => {
            let after = format!("holds {} of {what} by itself.", share(value));
            let before = "Probes alone, no samples:".to_owned();
            ((before, printable(&whole.nodes[at as usize].name), after), Some(at))
        }
        None => {
            (("Nothing was measured of any region.".to_owned(), String::new(), String::new()), None)
        }
    }
}

/// `lulesh.cc:812`, where a sampled routine spends more than half of what it has.
fn place_of(pictured: &Pictured, at: u32) -> Option<String> {
    let whole = &pictured.overview.whole;
    let lines = &pictured.shown.children[at as usize];
    let line = match whole.nodes[at as usize].kind {
        NodeKind::Sample => at,
        _ => lines
            .iter()
            .copied()
            .find(|line| pictured.inclusive(*line) > 0.5 * pictured.inclusive(at))?,
    };
    let node = &whole.nodes[line as usize];
    let file = node.file.rsplit('/').next().unwrap_or_default();
    (node.line > 0 && !file.is_empty()).then(|| format!("{}:{}", printable(file), node.line))
}

/// Between what values what samples say of a node truly lies, in 19 of 20 cases; `None` of what probes
/// measured.
fn between(pictured: &Pictured, at: u32) -> Option<[f64; 2]> {
    let overview = &pictured.overview;
    overview.whole.nodes[at as usize].kind.is_sampled().then_some(())?;
    let samples = overview.total().counts.get(at as usize)?;
    let all = pictured.samples;
    let share = samples / all;
    let value = pictured.inclusive(at);
    Some(share_between(*samples, all)?.map(|edge| value * edge / share))
}

/// What rows can be of alone.
fn kinds(nodes: &[Node]) -> Vec<(String, String)> {
    let mut kinds = Vec::new();
    let mut offer = |key: &str, words: &str, is: &dyn Fn(&Node) -> bool| {
        if nodes.iter().any(is) {
            kinds.push((key.to_owned(), words.to_owned()));
        }
    };
    offer("probe", "probes", &|node| node.kind == NodeKind::Probe);
    offer("sample", "samples", &|node| node.kind.is_leaf());
    offer("part", "parameters and call sites", &|node| node.kind == NodeKind::Part);
    offer("unresolved", "unresolved samples", &|node| node.kind == NodeKind::Unresolved);
    let mut groups = Texts::default();
    let all = nodes.iter().flat_map(|node| node.group.split('|'));
    all.filter(|group| !group.is_empty()).for_each(|group| _ = groups.of(group));
    kinds.extend(
        groups
            .texts
            .into_iter()
            .map(|group| (format!("group:{group}"), format!("group {}", printable(&group)))),
    );
    kinds
}

/// The counter of completed instructions, and the ratio of another one to it that is told: misses of the
/// outermost cache that is counted.
fn ratio_metrics(pictured: &Pictured) -> (Option<usize>, Option<usize>) {
    let metrics = &pictured.overview.whole.metrics;
    let instructions = metrics.iter().position(|metric| is_instructions(&metric.name));
    let misses = ["L3", "LLC", "L2", "L1"].iter().find_map(|level| {
        metrics.iter().position(|metric| {
            let name = short(&metric.name);
            name.starts_with(level) && name.contains("misses")
        })
    });
    (instructions, misses)
}

/// Instructions per microsecond, and events per 1000 instructions, of a node.
fn ratios(pictured: &Pictured, at: u32, share: Share) -> [Option<f64>; 2] {
    let total = pictured.overview.total();
    let columns = if share == Share::Exclusive { &total.exclusive } else { &total.inclusive };
    let value = |metric: Option<usize>| columns.get(metric?)?.get(at as usize).copied();
    let (instructions, misses) = ratio_metrics(pictured);
    let over =
        |a: Option<f64>, b: Option<f64>| a.zip(b).filter(|(_, b)| *b > 0.0).map(|(a, b)| a / b);
    let time_us = value(pictured.overview.whole.time()).map(|ns| ns / 1e3);
    let done = value(instructions).filter(|done| *done > 0.0);
    [over(done, time_us), over(value(misses).map(|misses| 1e3 * misses), done)]
}

/// Calls of probes; samples of what was sampled.
fn count_text(value: f64) -> String {
    if value == libm::round(value) && value.abs() < 1e9 { number(value, 0) } else { count(value) }
}
