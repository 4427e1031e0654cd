use std::collections::BTreeMap;

use super::{Columns, Node, NodeKind, Profile, ThreadProfile};

impl Profile {
    /// The same with a `summary` of each routine of which several lines were sampled below one parent.
    ///
    /// A summary is a level of grouping: the lines become its children and keep their numbers, it has
    /// nothing exclusively. So nothing is counted twice, as it is where both keep them.
    ///
    /// Source: Malony, Huck 2014, §III.C.
    pub fn summarised(self) -> Self {
        let routine = |node: &Node| (node.parent, node.name.clone());
        let is_line = |node: &&Node| node.kind == NodeKind::Sample;
        // Of each routine how many lines, and their file if they have the same.
        let mut lines = BTreeMap::<_, (u32, String)>::new();
        for node in self.nodes.iter().filter(is_line) {
            let (count, file) = lines.entry(routine(node)).or_insert((0, node.file.clone()));
            *count += 1;
            if *file != node.file {
                file.clear();
            }
        }
        lines.retain(|_, (count, _)| *count > 1);
        let mut nodes = Vec::with_capacity(self.nodes.len() + lines.len());
        let mut summaries = BTreeMap::new();
        // By number before: the number now, and that of the summary above.
        let mut now = Vec::<(u32, Option<u32>)>::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let mut parent = node.parent.and_then(|parent| now.get(parent as usize)).map(|of| of.0);
            let key = routine(node);
            let file = lines.get(&key).filter(|_| is_line(&node)).map(|(_, file)| file);
            let summary = file.map(|file| {
                *summaries.entry(key).or_insert_with(|| {
                    let (kind, file, line) = (NodeKind::Summary, file.clone(), 0);
                    let (name, group) = (node.name.clone(), String::new());
                    nodes.push(Node { parent, kind, name, file, line, group });
                    nodes.len() as u32 - 1
                })
            });
            parent = summary.or(parent);
            now.push((nodes.len() as u32, summary));
            nodes.push(Node { parent, ..node.clone() });
        }
        let threads = self.threads.into_iter().map(|thread| {
            let columns = regrouped(&thread.columns, &now).rising();
            ThreadProfile { columns, ..thread }
        });
        let threads = threads.collect();
        Self { nodes, threads, ..self }
    }
}

/// The same numbers under the numbers of now, with an entry for each summary above, which has the
/// samples of its lines.
fn regrouped(columns: &Columns, now: &[(u32, Option<u32>)]) -> Columns {
    let mut regrouped = Columns::of(columns.exclusive.len());
    let mut places = BTreeMap::new();
    for (at, node) in columns.nodes.iter().enumerate() {
        let (node, summary) = now[*node as usize];
        let place = regrouped.push(node);
        regrouped.counts[place] = columns.counts[at];
        regrouped.subcalls[place] = columns.subcalls[at];
        for (into, of) in regrouped.exclusive.iter_mut().zip(&columns.exclusive) {
            into[place] = of[at];
        }
        for (into, of) in regrouped.inclusive.iter_mut().zip(&columns.inclusive) {
            into[place] = of[at];
        }
        if let Some(summary) = summary {
            let place = *places.entry(summary).or_insert_with(|| regrouped.push(summary));
            regrouped.counts[place] += columns.counts[at];
            for (into, of) in regrouped.inclusive.iter_mut().zip(&columns.inclusive) {
                into[place] += of[at];
            }
        }
    }
    regrouped
}
