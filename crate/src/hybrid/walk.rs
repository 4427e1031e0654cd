use super::stack::{Ended, EventStack};
use super::tree::Tree;
use super::{Choices, Unwind};
use crate::instance::{closing_cut, is_absurd};
use crate::profile::{Columns, MAX_DEPTH, NodeKind, Quality, Weights, Words};
use crate::source::{Frame, FrameReader};
use crate::trace::{Event, Kind, Moment, Nesting, Origin, Thread, Trace};

/// One thread after the other, moment by moment.
pub struct Walk<'a, 'trace> {
    trace: &'trace Trace,
    /// By type of event, what it delimits.
    probes: &'a [Option<Nesting>],
    metric_of: &'a [Option<usize>],
    choices: Choices,
    tree: &'a mut Tree<'trace>,
    quality: &'a mut Quality,
    reader: FrameReader,
    /// By node: the thread that met it last, and where it is in `columns`.
    places: Vec<(u32, u32)>,
    /// How many threads were walked before.
    threads: u32,
    stack: EventStack,
    columns: Columns,
    /// By metric, what was counted since the sample before, and since that and the last change of the
    /// stack.
    since_sample: Vec<f64>,
    since_change: Vec<f64>,
    /// By metric, when it was read last.
    read_ns: Vec<u64>,
    /// Of a moment: its begins and ends, and its frames, innermost first.
    regions: Vec<Event>,
    frames: Vec<Option<Words>>,
    /// From where what begins in it is called.
    site: Option<Words>,
    /// Of parts that are open.
    parts: Vec<(u32, bool)>,
}

/// Of which context a sample is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Before,
    After,
}

impl<'a, 'trace> Walk<'a, 'trace> {
    pub fn new(
        trace: &'trace Trace,
        probes: &'a [Option<Nesting>],
        metric_of: &'a [Option<usize>],
        choices: Choices,
        tree: &'a mut Tree<'trace>,
        quality: &'a mut Quality,
    ) -> Self {
        Self {
            trace,
            probes,
            metric_of,
            choices,
            tree,
            quality,
            reader: FrameReader::default(),
            places: vec![],
            threads: 0,
            stack: EventStack::default(),
            columns: Columns::default(),
            since_sample: vec![],
            since_change: vec![],
            read_ns: vec![],
            regions: vec![],
            frames: vec![],
            site: None,
            parts: vec![],
        }
    }

    /// What a thread did, of the nodes that it met, rising; inclusive values are not made.
    pub fn thread(&mut self, thread: &Thread, metrics: usize) -> Columns {
        self.threads += 1;
        self.stack = EventStack::default();
        self.columns = Columns::of(metrics);
        self.since_sample = vec![0.0; metrics];
        self.since_change = vec![0.0; metrics];
        let (begin_ns, end_ns) = thread.lifetime_ns();
        self.read_ns = vec![begin_ns; metrics];
        let root = self.place(self.tree.root());
        self.columns.counts[root] = 1.0;
        let mut last_ns = begin_ns;
        // What a cutter closed there is open until its thread ends.
        let closing_cut = closing_cut(self.trace, thread);
        for (at, moment) in (0..).zip(thread.moments()) {
            self.count(0, moment.time.saturating_sub(last_ns));
            last_ns = moment.time;
            self.moment(&moment, Some(at) == closing_cut);
        }
        self.count(0, end_ns.saturating_sub(last_ns));
        self.quality.begins_without_end += self.stack.len() as u64;
        std::mem::take(&mut self.columns).rising()
    }

    fn moment(&mut self, moment: &Moment<'_>, is_closing_cut: bool) {
        self.regions.clear();
        let (mut is_sample, mut is_reference) = (false, false);
        for event in moment.events() {
            match self.trace.kind(event.event_type) {
                Kind::Counter => {
                    if let Some(metric) = self.metric_of[event.event_type as usize] {
                        self.read(metric, event.value, moment.time);
                    }
                }
                Kind::Routine(_) => is_sample |= event.value != 0,
                Kind::Reference(_) => is_reference = true,
                _ if is_closing_cut => {}
                _ if self.probes[event.event_type as usize].is_some() => self.regions.push(event),
                _ => {}
            }
        }
        let begins = self.regions.iter().any(|event| event.value != 0);
        self.site = (self.choices.call_sites && begins).then(|| self.caller(moment)).flatten();
        let at = match (is_sample, is_reference) {
            (true, true) => {
                self.quality.references += 1;
                None
            }
            (true, false) => Some(self.read_frames(moment)),
            _ => None,
        };
        if at == Some(At::Before) {
            self.sample();
        }
        self.change();
        if at == Some(At::After) {
            self.sample();
        }
    }

    /// Adds what a counter counted since it was read before, unless that is no count.
    fn read(&mut self, metric: usize, events: u64, time_ns: u64) {
        let last_ns = std::mem::replace(&mut self.read_ns[metric], time_ns);
        if is_absurd(events, time_ns.saturating_sub(last_ns)) {
            self.quality.readings_left_out += 1;
        } else {
            self.count(metric, events);
        }
    }

    /// Adds to a metric of the innermost region.
    fn count(&mut self, metric: usize, count: u64) {
        let innermost = self.stack.innermost().unwrap_or(self.tree.root());
        let place = self.place(innermost);
        let count = count as f64;
        self.columns.exclusive[metric][place] += count;
        self.since_sample[metric] += count;
        self.since_change[metric] += count;
        if self.choices.call_sites {
            self.count_of_parts(metric, count);
        }
    }

    /// Adds the same to the parts of the regions that are open: what lies inside of the calls of a part is no
    /// node below it.
    fn count_of_parts(&mut self, metric: usize, count: f64) {
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        parts.extend(self.stack.parts());
        for (part, is_innermost) in &parts {
            let place = self.place(*part);
            let columns = match is_innermost {
                true => &mut self.columns.exclusive,
                false => &mut self.columns.inclusive,
            };
            columns[metric][place] += count;
        }
        self.parts = parts;
    }

    /// Who makes the call that begins in a moment: the innermost caller that is known.
    fn caller(&mut self, moment: &Moment<'_>) -> Option<Words> {
        let mut callers = self.reader.callers(self.trace, moment);
        callers.find_map(|frame| self.tree.frame(frame))
    }

    /// Ends and begins the regions of a moment: the ends first, as far as something is open; what is left
    /// of them waits for the begins.
    fn change(&mut self) {
        let regions = std::mem::take(&mut self.regions);
        let mut surplus = Vec::new();
        for (at, event) in regions.iter().enumerate().filter(|(_, event)| event.value == 0) {
            if !self.end(event.event_type) {
                surplus.push(at);
            }
        }
        for event in regions.iter().filter(|event| event.value != 0) {
            if self.probes[event.event_type as usize] == Some(Nesting::Flat) {
                self.end(event.event_type);
            }
            self.begin(*event);
        }
        for at in surplus {
            let is_of =
                |event: &Event| event.event_type == regions[at].event_type && event.value != 0;
            let is_begun = regions[..at].iter().any(is_of);
            if !is_begun || !self.end(regions[at].event_type) {
                self.quality.ends_without_begin += 1;
            }
        }
        if !regions.is_empty() {
            self.since_change.fill(0.0);
        }
        self.regions = regions;
    }

    fn begin(&mut self, event: Event) {
        let parent = self.stack.innermost().unwrap_or(self.tree.root());
        if self.stack.len() >= MAX_DEPTH {
            self.quality.too_deep += 1;
            let words = self.tree.region(event);
            self.stack.begin(event.event_type, parent, self.tree.nodes.name(words), None);
            return;
        }
        let (node, name) = self.tree.probe(parent, event);
        let above = self.place(parent);
        self.columns.subcalls[above] += 1.0;
        let place = self.place(node);
        self.columns.counts[place] += 1.0;
        let part = self.site.map(|site| self.tree.call_site(node, site));
        if let Some(part) = part {
            let place = self.place(part);
            self.columns.counts[place] += 1.0;
        }
        self.stack.begin(event.event_type, node, name, part);
    }

    /// Ends the innermost region of a type; whether there was one.
    fn end(&mut self, event_type: u32) -> bool {
        match self.stack.end(event_type) {
            Ended::With(inside) => {
                self.quality.ended_from_outside += inside;
                true
            }
            Ended::NoneOpen => false,
        }
    }

    /// Reads the frames of a sample, and says of which context it is: that which begins now if the
    /// call-stack shows its routine, else that before.
    fn read_frames(&mut self, moment: &Moment<'_>) -> At {
        self.frames.clear();
        let frames = self.reader.frames(self.trace, moment).filter(|frame| !frame.is_end());
        let tree = &mut *self.tree;
        self.frames.extend(frames.map(|frame: Frame| tree.frame(frame)));
        let is_shown = |event: &Event| {
            let is_routine = matches!(
                self.trace.kind(event.event_type),
                Kind::Region(_, Origin::Code | Origin::Outlined)
            );
            let name = (is_routine && event.value != 0).then(|| {
                let words = tree.region(*event);
                tree.nodes.name(words)
            });
            name.is_some_and(|name| {
                self.frames.iter().flatten().any(|of| tree.nodes.name(*of) == name)
            })
        };
        if self.regions.iter().any(is_shown) { At::After } else { At::Before }
    }

    /// Files the sample that was read last under the context that is open.
    fn sample(&mut self) {
        let probe = self.stack.innermost().unwrap_or(self.tree.root());
        let context = self.tree.nodes.context(probe);
        let mut path = vec![context];
        for words in self.unwound() {
            let parent = path.last().copied();
            path.push(self.tree.nodes.child(parent, NodeKind::Unwind, words));
        }
        let leaf = self.frames.first().copied().flatten();
        let kind = if leaf.is_some() { NodeKind::Sample } else { NodeKind::Unresolved };
        let words = leaf.unwrap_or_else(|| self.tree.unresolved());
        let node = self.tree.nodes.child(path.last().copied(), kind, words);
        self.quality.samples += 1;
        self.quality.unresolved += u64::from(leaf.is_none());
        for above in path {
            let place = self.place(above);
            self.columns.counts[place] += 1.0;
        }
        let place = self.place(node);
        self.columns.counts[place] += 1.0;
        let weights = match self.choices.weights {
            Weights::Clipped => &mut self.since_change,
            Weights::Whole => &mut self.since_sample,
        };
        for (column, weight) in self.columns.exclusive.iter_mut().zip(weights.iter()) {
            column[place] += weight;
        }
        self.since_change.fill(0.0);
        self.since_sample.fill(0.0);
    }

    /// The calls between the context and the innermost frame, outermost first.
    fn unwound(&mut self) -> Vec<Words> {
        let Choices { unwind, depth, trimmed, .. } = self.choices;
        let mut calls = self.frames.iter().skip(1).flatten().copied().collect::<Vec<_>>();
        if trimmed {
            let is_open = |words: &Words| self.stack.has(self.tree.nodes.name(*words));
            calls.truncate(calls.iter().position(is_open).unwrap_or(calls.len()));
        }
        calls.truncate(depth.map_or(usize::MAX, |depth| depth as usize));
        match unwind {
            Unwind::Sites => {}
            Unwind::Routines => {
                calls.iter_mut().for_each(|of| *of = self.tree.nodes.without_line(*of))
            }
            Unwind::Flat => calls.clear(),
        }
        calls.reverse();
        calls
    }

    /// Where a node is in the columns of this thread; it is added if it is new.
    fn place(&mut self, node: u32) -> usize {
        let at = node as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, (0, 0));
        }
        if self.places[at].0 != self.threads {
            self.places[at] = (self.threads, self.columns.push(node) as u32);
        }
        self.places[at].1 as usize
    }
}
