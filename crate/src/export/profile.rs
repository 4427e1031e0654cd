//! A profile as files: tables, JSON, and the stacks that flame graphs are drawn of.

use std::collections::BTreeMap;

use serde_json::json;

use super::Exported;
use super::label::one_line;
use super::table::{field, or_empty};
use crate::order;
use crate::profile::{Columns, Costly, Measure, NodeKind, Profile, Share};
use crate::tau;
use crate::text::shortest;

/// How a profile is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProfileFormat {
    /// `profile.csv`, `profile_total.csv`; `user_events.csv` and `profile_intervals.csv` where there are some.
    Csv,
    /// `profile.json`.
    Json,
    /// `profile.speedscope.json`: one profile a thread.
    Speedscope,
    /// `profile.folded`: stacks of all threads together, each on a line.
    Folded,
    /// Text as TAU has it, `profile.NODE.CONTEXT.THREAD`: of several metrics each in a folder.
    Tau,
    /// `select.tau`: what TAU is to leave out when it instruments the program again, where one call of a
    /// probe costs so much, see [`Profile::costly`].
    Select { cost_ns: Option<f64> },
}

/// Begins every file of speedscope, by which it knows them.
const SPEEDSCOPE: &str = "https://www.speedscope.app/file-format-schema.json";

/// A profile in a format. Tables have the columns of `measures`; stacks tell the first of them, which
/// must be a metric, as what formulas say does not add up.
pub fn profile(profile: &Profile, measures: &[Measure], format: ProfileFormat) -> Vec<Exported> {
    let metric = match measures.first() {
        Some(Measure::Metric(metric)) => *metric,
        _ => 0,
    };
    let file = |name: &str, text: String| Exported { name: name.to_owned(), bytes: text.into() };
    match format {
        ProfileFormat::Csv => {
            let mut files = vec![
                file("profile.csv", profile_table(profile, measures)),
                file("profile_total.csv", profile_total_table(profile, measures)),
            ];
            if !profile.user_events.is_empty() {
                files.push(file("user_events.csv", user_events_table(profile)));
            }
            if !profile.intervals.is_empty() {
                files.push(file("profile_intervals.csv", intervals_table(profile, measures)));
            }
            files
        }
        ProfileFormat::Json => vec![file("profile.json", profile_json(profile))],
        ProfileFormat::Speedscope => {
            vec![file("profile.speedscope.json", speedscope(profile, metric))]
        }
        ProfileFormat::Folded => vec![file("profile.folded", folded(profile, metric))],
        ProfileFormat::Tau => {
            tau::written(profile).into_iter().map(|(name, text)| file(&name, text)).collect()
        }
        ProfileFormat::Select { cost_ns } => {
            vec![file("select.tau", selection(&profile.name, &profile.costly(cost_ns), cost_ns))]
        }
    }
}

/// `thread,node,parent,depth,kind,name,file,line,group,calls,samples,subcalls,` then of each measure
/// `NAME exclusive` and `NAME inclusive`, with its unit; a line for each node that a thread met.
///
/// Nodes are numbered as in the JSON. `calls` and `subcalls` are empty where samples and not probes
/// say what a line tells, `samples` where probes do.
pub fn profile_table(profile: &Profile, measures: &[Measure]) -> String {
    let mut text = head(profile, "thread", measures);
    let (depths, order) = (profile.depths(), tree_order(profile));
    for thread in &profile.threads {
        let columns = &thread.columns;
        for node in &order {
            if let Some(place) = columns.place(*node) {
                text += &line(profile, &thread.thread, *node, &depths, columns, place, measures);
            }
        }
    }
    text
}

/// The same of all threads together, a line for each node; the first column says how many threads met
/// it.
pub fn profile_total_table(profile: &Profile, measures: &[Measure]) -> String {
    let mut text = head(profile, "threads", measures);
    let (depths, total) = (profile.depths(), profile.total());
    let mut threads = vec![0u32; profile.nodes.len()];
    for node in profile.threads.iter().flat_map(|thread| &thread.columns.nodes) {
        threads[*node as usize] += 1;
    }
    for node in tree_order(profile) {
        let threads = threads[node as usize].to_string();
        text += &line(profile, &threads, node, &depths, &total, node as usize, measures);
    }
    text
}

/// The nodes as the tree is read, those with most time first.
fn tree_order(profile: &Profile) -> Vec<u32> {
    let total = profile.total();
    let times = total.inclusive.first();
    profile.in_order(|node| times.and_then(|times| times.get(node)).copied().unwrap_or(0.0))
}

fn head(profile: &Profile, first: &str, measures: &[Measure]) -> String {
    let mut head =
        format!("{first},node,parent,depth,kind,name,file,line,group,calls,samples,subcalls");
    for measure in measures {
        for (_, share) in Share::BOTH {
            let name = format!("{} {share} {}", profile.name_of(measure), profile.unit_of(measure));
            head += &format!(",{}", field(name.trim_end()));
        }
    }
    head + "\n"
}

fn line(
    profile: &Profile,
    first: &str,
    node: u32,
    depths: &[u32],
    columns: &Columns,
    place: usize,
    measures: &[Measure],
) -> String {
    let of = &profile.nodes[node as usize];
    let is_sampled = of.kind.is_sampled();
    let number = |value: &f64, shown: bool| or_empty(shown.then(|| shortest(*value)));
    let mut line = format!(
        "{first},{node},{},{},{},{},{},{},{},{},{},{}",
        or_empty(of.parent),
        depths[node as usize],
        of.kind.name(),
        field(&of.name),
        field(&of.file),
        or_empty((of.line > 0).then_some(of.line)),
        field(&of.group),
        number(&columns.counts[place], !is_sampled),
        number(&columns.counts[place], is_sampled),
        number(&columns.subcalls[place], !is_sampled),
    );
    for measure in measures {
        for (share, _) in Share::BOTH {
            let value = columns.value(measure, share, place);
            line += &format!(",{}", or_empty(value.map(shortest)));
        }
    }
    line + "\n"
}

/// `interval,until,end ns` before the columns of [`profile_table`], but for `thread`: what all threads spent
/// together since the interval before, a line for each node that has some; the end is since the begin of the
/// run, empty where no time was measured.
fn intervals_table(profile: &Profile, measures: &[Measure]) -> String {
    let mut text = head(profile, "interval,until,end ns,threads", measures);
    let (depths, order, ends) = (profile.depths(), tree_order(profile), profile.ends_ns());
    for (at, interval) in profile.intervals.iter().enumerate() {
        let end = ends.as_ref().map(|ends| shortest(ends[at]));
        let until = field(&interval.until);
        let first = format!("{},{until},{},{}", at + 1, or_empty(end), interval.threads);
        for node in &order {
            if let Some(place) = interval.columns.place(*node) {
                text += &line(profile, &first, *node, &depths, &interval.columns, place, measures);
            }
        }
    }
    text
}

/// `thread,name,count,min,max,mean,deviation`: what the program told of values of its own. The deviation
/// is that of all that were told.
fn user_events_table(profile: &Profile) -> String {
    let mut text = "thread,name,count,min,max,mean,deviation\n".to_owned();
    for thread in &profile.threads {
        let of = &thread.user_events;
        for (at, event) in of.events.iter().enumerate() {
            text += &format!(
                "{},{},{},{},{},{},{}\n",
                thread.thread,
                field(&profile.user_events[*event as usize]),
                shortest(of.counts[at]),
                shortest(of.min[at]),
                shortest(of.max[at]),
                shortest(of.mean[at]),
                or_empty(of.deviation(at).map(shortest)),
            );
        }
    }
    text
}

/// A list of routines for TAU's `-optTauSelectFile`, with what speaks against each as a comment. TAU User
/// Guide, *Selective Instrumentation File Specification*.
fn selection(name: &str, costly: &[Costly], cost_ns: Option<f64>) -> String {
    let rule = match cost_ns {
        None => "called more than 100000 times on a thread, in less than 10 us each".to_owned(),
        Some(cost_ns) => format!(
            "a call costs {} ns: more than a tenth of what it measures, and a thousandth of a thread's time",
            shortest(cost_ns)
        ),
    };
    let mut text = format!(
        "# Probes of {} that cost more than they tell: {rule}; or throttled.\n",
        one_line(name)
    );
    for of in costly {
        let throttled = if of.throttled { ", throttled" } else { "" };
        text += &format!(
            "# {} calls, {} us each{throttled}: {}\n",
            shortest(of.calls),
            shortest(libm::round(of.per_call_ns) / 1e3),
            one_line(&of.name)
        );
    }
    text += "BEGIN_EXCLUDE_LIST\n";
    costly.iter().for_each(|of| text += &(one_line(&of.name) + "\n"));
    text + "END_EXCLUDE_LIST\n"
}

/// The whole value: metrics, nodes, and the columns of every thread.
pub fn profile_json(profile: &Profile) -> String {
    serde_json::to_string(profile).unwrap_or_default() + "\n"
}

/// A file for speedscope: a profile for each thread, whose weights are what was spent in each stack.
fn speedscope(profile: &Profile, metric: usize) -> String {
    let unit = profile.metrics.get(metric).map_or("", |metric| metric.unit.as_str());
    let frame = |at: &u32| {
        let node = &profile.nodes[*at as usize];
        let mut frame = json!({ "name": node.name });
        if !node.file.is_empty() {
            frame["file"] = json!(node.file);
        }
        if node.line > 0 {
            frame["line"] = json!(node.line);
        }
        frame
    };
    let is_frame = |at: &u32| {
        !matches!(profile.nodes[*at as usize].kind, NodeKind::Context | NodeKind::Summary)
    };
    let nodes = (0..profile.nodes.len() as u32).filter(is_frame).collect::<Vec<_>>();
    let threads = profile.threads.iter().map(|thread| {
        let stacks = profile.stacks(&thread.columns, metric);
        let end = stacks.iter().map(|(_, spent)| spent).sum::<f64>();
        let numbers = |stack: &[u32]| {
            stack.iter().filter_map(|node| nodes.binary_search(node).ok()).collect::<Vec<_>>()
        };
        json!({
            "type": "sampled", "name": thread.thread,
            "unit": if unit == "ns" { "nanoseconds" } else { "none" },
            "startValue": 0, "endValue": end,
            "samples": stacks.iter().map(|(stack, _)| numbers(stack)).collect::<Vec<_>>(),
            "weights": stacks.iter().map(|(_, spent)| spent).collect::<Vec<_>>(),
        })
    });
    let whole = json!({
        "$schema": SPEEDSCOPE, "name": profile.name, "exporter": "tracefold",
        "shared": { "frames": nodes.iter().map(frame).collect::<Vec<_>>() },
        "profiles": threads.collect::<Vec<_>>(),
    });
    whole.to_string() + "\n"
}

/// `outermost;…;innermost WEIGHT`, a line for each stack of names, those with most first.
fn folded(profile: &Profile, metric: usize) -> String {
    let mut spent_in = BTreeMap::<String, f64>::new();
    // What parts frames and ends lines cannot be part of a name.
    let name = |at: &u32| one_line(&profile.nodes[*at as usize].name).replace(';', ":");
    for (stack, spent) in profile.stacks(&profile.total(), metric) {
        let names = stack.iter().map(name).collect::<Vec<_>>();
        *spent_in.entry(names.join(";")).or_default() += spent;
    }
    let mut stacks = spent_in.into_iter().collect::<Vec<_>>();
    order::by_number(&mut stacks, |(_, spent)| order::of_float(-spent));
    stacks.iter().map(|(stack, spent)| format!("{stack} {}\n", shortest(*spent))).collect()
}
