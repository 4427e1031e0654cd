use super::{Columns, Interval, Node, NodeKind, Profile, ThreadProfile};
use crate::order::{Numbers, Texts};

impl Profile {
    /// The same with a `summary` of each routine of which several lines were sampled below one parent.
    ///
    /// A summary is a level of grouping: the lines become its children and keep their numbers, it has
    /// nothing exclusively. So nothing is counted twice, as it is where both keep them.
    ///
    /// Source: Malony, Huck 2014, §III.C.
    pub fn summarised(self) -> Self {
        // Sampled routines by parent and name.
        let (mut names, mut routines) = (Texts::default(), Numbers::default());
        let mut routine_of = |node: &Node| {
            let parent = node.parent.map_or(0, |parent| u64::from(parent) + 1);
            let is_line = node.kind == NodeKind::Sample;
            is_line.then(|| routines.of([parent, names.of(&node.name).into(), 0]))
        };
        let of_line = self.nodes.iter().map(&mut routine_of).collect::<Vec<_>>();
        // Of each how many lines, and their file if they have the same.
        let mut lines = vec![(0, String::new()); routines.len()];
        for (node, routine) in self.nodes.iter().zip(&of_line) {
            let Some(routine) = routine else { continue };
            let (count, file) = &mut lines[*routine];
            *count += 1;
            if *count == 1 {
                file.clone_from(&node.file);
            } else if *file != node.file {
                file.clear();
            }
        }
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut summaries = vec![None; lines.len()];
        // By number before: the number now, and that of the summary above.
        let mut now = Vec::<(u32, Option<u32>)>::with_capacity(self.nodes.len());
        for (node, routine) in self.nodes.iter().zip(of_line) {
            let mut parent = node.parent.and_then(|parent| now.get(parent as usize)).map(|of| of.0);
            let summary = routine.filter(|routine| lines[*routine].0 > 1).map(|routine| {
                *summaries[routine].get_or_insert_with(|| {
                    let (kind, file, line) = (NodeKind::Summary, lines[routine].1.clone(), 0);
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
        let intervals = self.intervals.into_iter().map(|of| {
            let columns = regrouped(&of.columns, &now).rising();
            Interval { columns, ..of }
        });
        let intervals = intervals.collect();
        Self { nodes, threads, intervals, ..self }
    }
}

/// The same numbers under the numbers of now, with an entry for each summary above, which has the
/// samples of its lines.
fn regrouped(columns: &Columns, now: &[(u32, Option<u32>)]) -> Columns {
    let mut regrouped = Columns::of(columns.exclusive.len());
    // By summary, where it is.
    let mut places = Numbers::default();
    let mut place_of = vec![];
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
            let number = places.of([summary.into(), 0, 0]);
            if number == place_of.len() {
                place_of.push(regrouped.push(summary));
            }
            let place = place_of[number];
            regrouped.counts[place] += columns.counts[at];
            for (into, of) in regrouped.inclusive.iter_mut().zip(&columns.inclusive) {
                into[place] += of[at];
            }
        }
    }
    regrouped
}
