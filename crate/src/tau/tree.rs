//! The events of a trial as one tree of nodes.
//!
//! TAU writes an event twice: as a timer of its own (*flat*), and once for each call path that leads to
//! it. The two never add up. Of a thread, the tree has its paths, and of the flat timers those that no
//! path leads to: they are outermost. Where call paths were not recorded all timers are, and inclusive
//! times overlap.

use std::collections::{BTreeMap, BTreeSet};

use super::name::{Element, collapsed, path, routine_of_part};
use super::trial::Trial;
use crate::profile::{Columns, MAX_DEPTH, NodeKind, Nodes, Words};

/// The root where a trial has several timers that nothing is outside of.
pub const WHOLE: &str = "(whole)";
/// The group of a timer that was stopped because it was called too often.
pub const THROTTLED: &str = "TAU_DISABLE";
/// Groups that say what a line is and not what it belongs to.
const OF_LINES: [&str; 5] =
    ["TAU_CALLPATH", "TAU_SAMPLE", "TAU_SAMPLE_CONTEXT", "TAU_UNWIND", "TAU_DEFAULT"];

/// What an event is in the tree.
pub struct Event {
    /// Empty of what is left out.
    pub elements: Vec<(NodeKind, Words)>,
    /// Of a flat part, the routine that it is a part of.
    pub routine: Option<Words>,
    /// Known once it was asked for.
    node: Option<u32>,
    /// While it is looked for.
    is_sought: bool,
}

impl Event {
    pub fn leaf(&self) -> (NodeKind, Words) {
        self.elements.last().copied().unwrap_or((NodeKind::Summary, 0))
    }

    pub fn is_flat(&self) -> bool {
        self.elements.len() == 1
    }

    pub fn is_path(&self) -> bool {
        self.elements.len() > 1
    }
}

/// Where paths that begin with a timer are.
#[derive(Clone, Copy)]
pub enum Timer {
    /// Nothing is outside of it, in some thread.
    Outermost,
    /// This path alone leads to it.
    After(u32),
    /// Several paths do.
    Anywhere,
}

/// The tree while it is made, and what is known of events and timers.
pub struct Assembly {
    pub nodes: Nodes,
    pub events: Vec<Event>,
    /// The timer that is outside of all others, if there is one.
    pub root: Option<Words>,
    /// Parts that paths lead to.
    pub parts: BTreeSet<Words>,
    /// By words: what is known of that timer.
    timers: BTreeMap<Words, Timer>,
    /// By words: the thread that met that timer last, and where its sum is.
    led_to: Vec<(u32, u32)>,
    /// By node: the thread that met it last, and where it is in its columns; and that which has a row of
    /// it.
    pub places: Vec<(u32, u32)>,
    pub told: Vec<u32>,
    /// How often the rows of a thread were gone through.
    pub threads: u32,
    /// How many nodes the thread before has numbers of.
    pub filed: usize,
}

impl Assembly {
    /// All events of a trial, by what their names say.
    pub fn of(trial: &mut Trial) -> Self {
        let mut nodes = Nodes::default();
        let mut events = Vec::with_capacity(trial.events.texts.len());
        for (name, groups) in trial.events.texts.iter().zip(&mut trial.groups) {
            let texts = path(name, groups);
            let (mut elements, mut is_throttled) = (Vec::with_capacity(texts.len()), false);
            for (at, text) in (1..).zip(&texts) {
                let text = collapsed(text);
                let element = Element::read(&text);
                is_throttled |= element.is_throttled && at == texts.len();
                let words = nodes.words(&element.name, element.file, element.line);
                elements.push((element.kind, words));
            }
            if elements.len() > MAX_DEPTH {
                let text = "A call path of more than 1000 calls; it was left out.";
                trial.notices.damage(text, || name.chars().take(80).collect::<String>());
                elements.clear();
            }
            // Summaries are made anew: in files both they and what they sum up count.
            if elements.last().is_some_and(|(kind, _)| *kind == NodeKind::Summary) {
                elements.clear();
            }
            elements.retain(|(kind, _)| *kind != NodeKind::Summary);
            let is_part = matches!(elements.as_slice(), [(NodeKind::Part, _)]);
            let routine = is_part.then(|| {
                let text = collapsed(routine_of_part(name)).into_owned();
                let routine = Element::read(&text);
                nodes.words(&routine.name, routine.file, routine.line)
            });
            *groups = kept_groups(groups, is_throttled);
            events.push(Event { elements, routine, node: None, is_sought: false });
        }
        Self {
            nodes,
            events,
            root: None,
            parts: BTreeSet::new(),
            timers: BTreeMap::new(),
            led_to: vec![],
            places: vec![],
            told: vec![],
            threads: 0,
            filed: 0,
        }
    }

    /// Of a thread, what the timers have that no path leads to: those are outermost. By timer, rising.
    ///
    /// The flat timer has all calls and the paths all but the outermost. Of timers that call themselves
    /// the inclusive value is that of the calls that are not inside of one of their own.
    pub fn outermost(&mut self, rows: &Columns) -> Columns {
        self.threads += 1;
        let metrics = rows.exclusive.len();
        let mut sums = Columns::of(metrics);
        sums.reserve(rows.len());
        let mut has_path = vec![];
        for (event, row) in met(rows) {
            let event = &self.events[event as usize];
            let (NodeKind::Probe, words) = event.leaf() else { continue };
            let at = words as usize;
            if at >= self.led_to.len() {
                self.led_to.resize(at + 1, (0, 0));
            }
            let place = &mut self.led_to[at];
            if place.0 != self.threads {
                *place = (self.threads, sums.push(words) as u32);
                has_path.push(false);
            }
            let place = place.1 as usize;
            has_path[place] |= event.is_path();
            let inside =
                event.elements.iter().filter(|element| **element == event.leaf()).count() > 1;
            let sign = if event.is_flat() { 1.0 } else { -1.0 };
            sums.counts[place] += sign * rows.counts[row];
            sums.subcalls[place] += sign * rows.subcalls[row];
            for metric in 0..metrics {
                sums.exclusive[metric][place] += sign * rows.exclusive[metric][row];
                if !inside {
                    sums.inclusive[metric][place] += sign * rows.inclusive[metric][row];
                }
            }
        }
        let mut outermost = Columns::of(metrics);
        // Calls of derived profiles have fractions; one that still runs may have none.
        let is_outermost = |place: &usize| sums.counts[*place] > 1e-6 || !has_path[*place];
        for from in (0..sums.len()).filter(is_outermost) {
            let to = outermost.push(sums.nodes[from]);
            outermost.counts[to] = sums.counts[from];
            outermost.subcalls[to] = sums.subcalls[from].max(0.0);
            for metric in 0..metrics {
                outermost.exclusive[metric][to] = sums.exclusive[metric][from].max(0.0);
                outermost.inclusive[metric][to] = sums.inclusive[metric][from].max(0.0);
            }
        }
        outermost.rising()
    }

    /// The root of the tree: the timer that alone is outermost in all threads, or a node for all of them.
    pub fn find_root(&mut self, trial: &Trial) {
        let mut outermost = BTreeSet::new();
        for thread in trial.threads.values() {
            outermost.extend(self.outermost(&thread.rows).nodes);
        }
        for (number, event) in (0..).zip(&self.events) {
            if let (NodeKind::Probe, words) = event.leaf()
                && event.is_path()
            {
                let timer = self.timers.entry(words);
                timer.and_modify(|of| *of = Timer::Anywhere).or_insert(Timer::After(number));
            }
        }
        let parts = self.events.iter().filter(|event| event.is_path()).map(Event::leaf);
        self.parts = parts.filter(|leaf| leaf.0 == NodeKind::Part).map(|leaf| leaf.1).collect();
        self.timers.extend(outermost.iter().map(|words| (*words, Timer::Outermost)));
        self.root = outermost.first().copied().filter(|_| outermost.len() == 1);
        let words = self.root.unwrap_or_else(|| self.nodes.words(WHOLE, "", 0));
        self.nodes.child(None, NodeKind::Probe, words);
    }

    /// The node of a timer that is outermost.
    pub fn top(&mut self, words: Words) -> u32 {
        match self.root {
            Some(root) if root == words => 0,
            _ => self.nodes.child(Some(0), NodeKind::Probe, words),
        }
    }

    /// The node where paths that begin with a timer are. Paths of phases, and those that were cut at a
    /// depth, begin inside of others: where one path alone leads there it is that, else they are told
    /// beside the others, once more.
    ///
    /// `inside`: how many calls are inside of it.
    fn begin(&mut self, words: Words, inside: usize) -> u32 {
        let after = match self.timers.get(&words) {
            Some(Timer::Outermost) | None => return self.top(words),
            Some(Timer::After(event)) => Some(*event),
            Some(Timer::Anywhere) => None,
        };
        let part = |nodes: &mut Nodes| nodes.child(Some(0), NodeKind::Part, words);
        let Some(event) = after else { return part(&mut self.nodes) };
        let of_event = &mut self.events[event as usize];
        // A path that leads to itself, or many that make one without end.
        if of_event.is_sought || inside + of_event.elements.len() > MAX_DEPTH {
            return part(&mut self.nodes);
        }
        of_event.is_sought = true;
        let node = self.node(event, inside);
        self.events[event as usize].is_sought = false;
        let up = |at: &u32| self.nodes.nodes[*at as usize].parent;
        let depth = std::iter::successors(Some(node), up).count();
        if depth + inside > MAX_DEPTH { part(&mut self.nodes) } else { node }
    }

    /// The node of a path, with so many calls inside of it.
    pub fn node(&mut self, event: u32, inside: usize) -> u32 {
        let at = event as usize;
        if let Some(node) = self.events[at].node {
            return node;
        }
        let elements = self.events[at].elements.clone();
        let mut node = 0;
        for (place, (kind, words)) in elements.iter().enumerate() {
            let is_last = place + 1 == elements.len();
            let parent = self.nodes.nodes[node as usize].kind;
            if place == 0 && *kind == NodeKind::Probe {
                node = self.begin(*words, inside + elements.len());
                continue;
            }
            if kind.is_sampled() && !parent.is_sampled() && *kind != NodeKind::Context {
                node = self.nodes.context(node);
            }
            let kind = match kind {
                // Below samples there are calls, and samples at their end.
                _ if parent.is_sampled() && !(is_last && kind.is_leaf()) => NodeKind::Unwind,
                _ if kind.is_leaf() && !is_last => NodeKind::Unwind,
                kind => *kind,
            };
            node = self.nodes.child(Some(node), kind, *words);
        }
        self.events[at].node = Some(node);
        node
    }
}

/// The events that a thread met, and where they are in its rows.
pub fn met(rows: &Columns) -> impl Iterator<Item = (u32, usize)> {
    let is_met = |at: &usize| {
        let values = rows.exclusive.iter().chain(&rows.inclusive).chain([&rows.counts]);
        values.into_iter().any(|column| column[*at] != 0.0)
    };
    (0..rows.len()).filter(is_met).map(|at| (rows.nodes[at], at))
}

/// What an event belongs to, without what says what kind of line it is.
fn kept_groups(groups: &str, is_throttled: bool) -> String {
    let mut kept = groups.split('|').map(str::trim).collect::<Vec<_>>();
    kept.retain(|group| !group.is_empty() && !OF_LINES.contains(group));
    if is_throttled && !kept.contains(&THROTTLED) {
        kept.push(THROTTLED);
    }
    kept.join("|")
}
