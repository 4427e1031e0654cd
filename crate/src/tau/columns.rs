use super::tree::{Assembly, met};
use super::trial::{Thread, Trial};
use crate::profile::{Columns, NodeKind};

impl Assembly {
    /// The columns of a thread, by the nodes of the tree; metrics in the order asked for.
    pub fn columns(&mut self, trial: &Trial, thread: &Thread, order: &[usize]) -> Columns {
        let rows = &thread.rows;
        let outermost = self.outermost(rows);
        // All paths first: they say which timers are told once more.
        for (number, _) in met(rows) {
            if self.events[number as usize].is_path() {
                self.node(number, 0);
            }
        }
        let mut filing = Filing { columns: Columns::of(order.len()), order };
        filing.columns.reserve(self.filed);
        let has_paths = met(rows).any(|(event, _)| {
            let event = &self.events[event as usize];
            event.leaf().0.is_sampled() && event.is_path()
        });
        let root = self.place(&mut filing, 0);
        for (at, words) in outermost.nodes.iter().enumerate() {
            let node = self.top(*words);
            self.file(&mut filing, node, &outermost, at);
        }
        for (number, row) in met(rows) {
            let event = &self.events[number as usize];
            let (kind, words) = event.leaf();
            let node = match (event.elements.is_empty(), event.is_flat(), kind) {
                (true, ..) => continue,
                (_, false, _) => self.node(number, 0),
                (_, true, NodeKind::Probe) if outermost.place(words).is_some() => {
                    let top = self.top(words);
                    self.set_group(trial, top, number);
                    continue;
                }
                (_, true, NodeKind::Probe) => {
                    match self.nodes.get(Some(0), NodeKind::Part, words) {
                        Some(part) => part,
                        None => continue,
                    }
                }
                (_, true, NodeKind::Part) if self.parts.contains(&words) => continue,
                (_, true, NodeKind::Part) => {
                    let routine = event.routine.filter(|of| outermost.place(*of).is_some());
                    let parent = routine.map_or(0, |routine| self.top(routine));
                    self.nodes.child(Some(parent), kind, words)
                }
                // Where nothing tells in which context samples were.
                (_, true, kind) if kind.is_leaf() && !has_paths => {
                    let context = self.nodes.context(0);
                    self.nodes.child(Some(context), kind, words)
                }
                _ => continue,
            };
            self.set_group(trial, node, number);
            self.file(&mut filing, node, rows, row);
        }
        if self.root.is_none() {
            self.told[0] = self.threads;
            filing.columns.counts[root] = 1.0;
            for (to, from) in order.iter().enumerate() {
                // Not of a metric that this thread was not measured in.
                let Some(exclusive) = rows.exclusive.get(*from) else { continue };
                // Each timer's own once, whatever leads to it.
                let own = met(rows).filter(|(event, _)| {
                    let event = &self.events[*event as usize];
                    event.is_flat() && event.leaf().0 == NodeKind::Probe
                });
                filing.columns.inclusive[to][root] = own.map(|(_, row)| exclusive[row]).sum();
            }
        }
        let mut columns = filing.columns.rising();
        columns.shrink();
        self.filed = columns.len();
        self.sum_up(&mut columns);
        columns
    }

    /// What a probe belongs to, as the event says that is met first.
    fn set_group(&mut self, trial: &Trial, node: u32, event: u32) {
        let of = &mut self.nodes.nodes[node as usize];
        if of.group.is_empty() && !of.kind.is_sampled() {
            of.group.clone_from(&trial.groups[event as usize]);
        }
    }

    /// Adds a row to what a thread has of a node.
    fn file(&mut self, filing: &mut Filing<'_>, node: u32, rows: &Columns, row: usize) {
        let place = self.place(filing, node);
        self.told[node as usize] = self.threads;
        let columns = &mut filing.columns;
        columns.counts[place] += rows.counts[row];
        columns.subcalls[place] += rows.subcalls[row];
        for (to, from) in filing.order.iter().enumerate() {
            let of = |columns: &[Vec<f64>]| columns.get(*from).map_or(0.0, |column| column[row]);
            columns.exclusive[to][place] += of(&rows.exclusive);
            columns.inclusive[to][place] += of(&rows.inclusive);
        }
    }

    /// Where a node is in the columns of a thread; it and those above are added if they are new.
    fn place(&mut self, filing: &mut Filing<'_>, node: u32) -> usize {
        if self.places.len() < self.nodes.nodes.len() {
            self.places.resize(self.nodes.nodes.len(), (0, 0));
            self.told.resize(self.nodes.nodes.len(), 0);
        }
        let mut above = Some(node);
        while let Some(at) = above.filter(|at| self.places[*at as usize].0 != self.threads) {
            self.places[at as usize] = (self.threads, filing.columns.push(at) as u32);
            above = self.nodes.nodes[at as usize].parent;
        }
        self.places[node as usize].1 as usize
    }

    /// Gives those that no row tells of, on the way to others, what is below them.
    fn sum_up(&self, columns: &mut Columns) {
        let is_told = |node: u32| self.told[node as usize] == self.threads;
        for at in (0..columns.len()).rev() {
            let node = &self.nodes.nodes[columns.nodes[at] as usize];
            let parent = node.parent.filter(|parent| !is_told(*parent));
            let Some(to) = parent.and_then(|parent| columns.place(parent)) else { continue };
            let parent = self.nodes.nodes[columns.nodes[to] as usize].kind;
            if parent.is_sampled() {
                columns.counts[to] += columns.counts[at];
            }
            if !node.kind.tells_again() {
                for column in &mut columns.inclusive {
                    column[to] += column[at];
                }
            }
        }
    }
}

/// The columns of a thread while they are made, with the metrics in another order.
struct Filing<'order> {
    columns: Columns,
    order: &'order [usize],
}
