use std::collections::BTreeMap;

use super::assembled::{NS_PER_US, is_time};
use super::metadata;
use super::name::{self, CALLS, Element};
use super::tree::WHOLE;
use crate::profile::{NodeKind, Profile, ThreadProfile};

/// A node on its way to lines of text.
struct Written {
    /// As an element of a path.
    element: String,
    /// The whole path.
    path: String,
    /// How many elements the path has; 0 of what is no line.
    length: usize,
    /// Whether the same timer is on the way to it.
    is_inside_itself: bool,
    /// Whether it is a timer that is told once more, where paths begin.
    is_again: bool,
}

/// A profile as TAU's text: the name of each file with its folder, and what is in it. One for each thread
/// and metric.
///
/// Summaries are no lines: readers make them. An arrow inside a name is written `->`, as nothing escapes
/// it. Times are in microseconds, with fractions where there are some; but those of the first line are
/// whole, as some readers take no other.
pub fn written(profile: &Profile) -> Vec<(String, String)> {
    let nodes = lines(profile);
    let mut files = Vec::with_capacity(profile.threads.len() * profile.metrics.len());
    for (metric, of) in profile.metrics.iter().enumerate() {
        let folder = match profile.metrics.len() {
            1 => String::new(),
            _ => format!("MULTI__{}/", of.name.replace(['/', '\\'], "_")),
        };
        for thread in &profile.threads {
            let [node, context, number] = thread.node_context_thread;
            let file = format!("{folder}profile.{node}.{context}.{number}");
            files.push((file, text(profile, &nodes, thread, metric)));
        }
    }
    files
}

/// What each node is called.
fn lines(profile: &Profile) -> Vec<Written> {
    let mut lines = Vec::<Written>::with_capacity(profile.nodes.len());
    let plain = |text: &str| text.replace("=>", "->").replace(['\n', '\r'], " ");
    let mut callees = vec![String::new(); profile.nodes.len()];
    for node in profile.nodes.iter().rev() {
        if let Some(parent) = node.parent.filter(|_| node.kind.is_sampled()) {
            let callee = match (node.file.rsplit('/').next(), node.line) {
                (Some(file), line) if line > 0 && !file.is_empty() => format!("{file}.{line}"),
                _ => node.name.replace(' ', "_"),
            };
            callees[parent as usize] = plain(&callee);
        }
    }
    for (node, callee) in profile.nodes.iter().zip(&callees) {
        let parent = node.parent.map(|parent| &lines[parent as usize]);
        let (above, length) =
            parent.map_or(("", 0), |parent| (parent.path.as_str(), parent.length));
        let is_line = node.kind != NodeKind::Summary && !(parent.is_none() && node.name == WHOLE);
        let element = match is_line {
            true => {
                name::written(node.kind, &plain(&node.name), &plain(&node.file), node.line, callee)
            }
            false => String::new(),
        };
        // Paths that begin inside of others begin with a timer that is told once more.
        let is_again =
            node.kind == NodeKind::Part && Element::read(&element).kind == NodeKind::Probe;
        let (above, length) = if is_again { ("", 0) } else { (above, length) };
        let path = match (is_line, above) {
            (false, above) => above.to_owned(),
            (true, "") => element.clone(),
            (true, above) => format!("{above}{CALLS}{element}"),
        };
        let up = |at: &u32| profile.nodes[*at as usize].parent;
        let mut above = std::iter::successors(node.parent, up);
        let is_inside_itself =
            node.kind == NodeKind::Probe && above.any(|at| lines[at as usize].element == element);
        let length = length + usize::from(is_line);
        lines.push(Written { element, path, length, is_inside_itself, is_again });
    }
    lines
}

fn text(profile: &Profile, nodes: &[Written], thread: &ThreadProfile, metric: usize) -> String {
    let columns = &thread.columns;
    let of = &profile.metrics[metric];
    let unit = if is_time(&of.name) { NS_PER_US } else { 1.0 };
    let (mut flat, mut paths) = (vec![], vec![]);
    let mut places = BTreeMap::new();
    // The root first; then timers that are told once more, whose groups are those of the timer.
    let again = |at: &usize| nodes[columns.nodes[*at] as usize].is_again;
    let firsts = (0..columns.len().min(1)).chain((1..columns.len()).filter(again));
    for at in firsts.chain((1..columns.len()).filter(|at| !again(at))) {
        let number = columns.nodes[at] as usize;
        let (node, line) = (&profile.nodes[number], &nodes[number]);
        // A node that only leads to others has no line.
        let is_met = columns.counts[at] > 0.0;
        if line.element.is_empty() || !is_met {
            continue;
        }
        let values = [columns.exclusive[metric][at] / unit, columns.inclusive[metric][at] / unit];
        let row = match line.is_again {
            true => Row::default(),
            false => Row { counts: [columns.counts[at], columns.subcalls[at]], values },
        };
        let groups = |is_path: bool| groups(node.kind, &node.group, &line.path, is_path);
        if line.length > 1 {
            paths.push((line.path.as_str(), row, groups(true)));
        }
        let place = *places.entry(line.element.as_str()).or_insert(flat.len());
        if place == flat.len() {
            flat.push((line.element.as_str(), Row::default(), groups(false)));
        }
        flat[place].1.add(row, line.is_inside_itself);
    }
    let lines = flat.into_iter().chain(paths).collect::<Vec<_>>();
    let mut pairs = vec![("Metric Name", of.name.as_str())];
    pairs.extend(profile.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    let mut text = format!(
        "{} templated_functions_MULTI_{}\n# Name Calls Subrs Excl Incl ProfileCalls # {}\n",
        lines.len(),
        of.name,
        metadata::written(&pairs)
    );
    for (at, (name, row, groups)) in lines.iter().enumerate() {
        let [calls, subcalls] = row.counts;
        let whole = |value: f64| if at == 0 { libm::round(value) } else { value };
        let [exclusive, inclusive] = row.values.map(whole);
        text += &format!(
            "\"{name}\" {calls} {subcalls} {exclusive} {inclusive} 0 GROUP=\"{groups}\"\n"
        );
    }
    text += "0 aggregates\n";
    text + &user_events(profile, thread)
}

/// The numbers of a line.
#[derive(Clone, Copy, Default)]
struct Row {
    counts: [f64; 2],
    /// Exclusive, inclusive.
    values: [f64; 2],
}

impl Row {
    /// Adds another call path to the same; what is inside of itself is in the inclusive value already.
    fn add(&mut self, other: Self, is_inside_itself: bool) {
        for (sum, of) in self.counts.iter_mut().zip(other.counts) {
            *sum += of;
        }
        self.values[0] += other.values[0];
        self.values[1] += if is_inside_itself { 0.0 } else { other.values[1] };
    }
}

fn groups(kind: NodeKind, own: &str, path: &str, is_path: bool) -> String {
    let group = match kind {
        NodeKind::Probe | NodeKind::Part if own.is_empty() => "TAU_DEFAULT",
        NodeKind::Probe | NodeKind::Part => own,
        NodeKind::Context => "TAU_SAMPLE_CONTEXT",
        NodeKind::Unwind if is_path => "TAU_UNWIND|TAU_SAMPLE",
        NodeKind::Unwind => "TAU_UNWIND",
        NodeKind::Sample | NodeKind::Unresolved | NodeKind::Summary => "TAU_SAMPLE",
    };
    let is_unwound = kind.is_leaf() && is_path && path.contains("[UNWIND]");
    let unwound = if is_unwound { "|TAU_UNWIND" } else { "" };
    let called = if is_path { "|TAU_CALLPATH" } else { "" };
    format!("{group}{unwound}{called}")
}

fn user_events(profile: &Profile, thread: &ThreadProfile) -> String {
    let of = &thread.user_events;
    if of.events.is_empty() {
        return String::new();
    }
    let head = "# eventname numevents max min mean sumsqr";
    let mut text = format!("{} userevents\n{head}\n", of.events.len());
    for (at, event) in of.events.iter().enumerate() {
        let name = &profile.user_events[*event as usize];
        let [count, max, min] = [of.counts[at], of.max[at], of.min[at]];
        let [mean, squares] = [of.mean[at], of.sum_of_squares[at]];
        text += &format!("\"{name}\" {count} {max} {min} {mean} {squares}\n");
    }
    text
}
