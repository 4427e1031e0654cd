use serde::{Deserialize, Serialize};

use super::{Node, NodeKind};
use crate::order;

/// The numbers of some nodes: one entry of every column for each.
///
/// Times and counts are whole numbers as they were read; as floats they stay exact up to 2⁵³, which
/// is 104 days in nanoseconds. Files of other tools have fractions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Columns {
    /// Indices of nodes, rising.
    pub nodes: Vec<u32>,
    /// Of probes how often they began; of what is sampled, how many samples.
    pub counts: Vec<f64>,
    /// How often a probe began directly inside it.
    pub subcalls: Vec<f64>,
    /// By metric.
    pub exclusive: Vec<Vec<f64>>,
    /// By metric: of probes with what the probes inside have, of what is sampled with all below.
    pub inclusive: Vec<Vec<f64>>,
}

impl Columns {
    /// Room for so many metrics.
    pub fn of(metrics: usize) -> Self {
        let none = vec![vec![]; metrics];
        Self { exclusive: none.clone(), inclusive: none, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Makes room for so many nodes more.
    pub fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve(nodes);
        self.numbers().for_each(|column| column.reserve(nodes));
    }

    /// Gives back room that is not used, if it is most of it.
    pub fn shrink(&mut self) {
        if self.nodes.capacity() > 2 * self.nodes.len() {
            self.nodes.shrink_to_fit();
            self.numbers().for_each(Vec::shrink_to_fit);
        }
    }

    fn numbers(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let of_metrics = self.exclusive.iter_mut().chain(&mut self.inclusive);
        [&mut self.counts, &mut self.subcalls].into_iter().chain(of_metrics)
    }

    /// Adds a node without numbers at the end, and says where.
    pub fn push(&mut self, node: u32) -> usize {
        self.nodes.push(node);
        self.numbers().for_each(|column| column.push(0.0));
        self.nodes.len() - 1
    }

    /// Where the numbers of a node are. O(log nodes).
    pub fn place(&self, node: u32) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }

    /// The same in the order of the nodes.
    pub fn rising(mut self) -> Self {
        if self.nodes.is_sorted() {
            return self;
        }
        let by_node = order::indices(self.nodes.iter().map(|node| u64::from(*node)));
        let put = |column: &mut Vec<f64>| {
            *column = by_node.iter().map(|at| column[*at as usize]).collect();
        };
        self.nodes = by_node.iter().map(|at| self.nodes[*at as usize]).collect();
        put(&mut self.counts);
        put(&mut self.subcalls);
        self.exclusive.iter_mut().chain(&mut self.inclusive).for_each(put);
        self
    }

    /// Makes the inclusive values anew: the exclusive ones, and those of the nodes below that have the
    /// same kind of evidence. Of parts, below which nothing lies, what they have inclusively already is what lies
    /// inside of their calls. The nodes must be rising, with each its parent.
    pub fn include(&mut self, nodes: &[Node]) {
        let inside = std::mem::replace(&mut self.inclusive, self.exclusive.clone());
        let parts =
            (0..self.len()).filter(|at| nodes[self.nodes[*at] as usize].kind == NodeKind::Part);
        for at in parts {
            for (column, inside) in self.inclusive.iter_mut().zip(&inside) {
                column[at] += inside[at];
            }
        }
        // What lies below comes later, so it is complete when it is handed on.
        for at in (0..self.len()).rev() {
            let node = &nodes[self.nodes[at] as usize];
            let parent = node.parent.and_then(|parent| self.place(parent));
            let Some(parent) = parent.filter(|_| !node.kind.tells_again()) else { continue };
            for column in &mut self.inclusive {
                column[parent] += column[at];
            }
        }
    }

    /// The sum of several, of all of `nodes` nodes.
    pub fn sum<'a>(nodes: usize, metrics: usize, all: impl Iterator<Item = &'a Self>) -> Self {
        let mut sum = Self::of(metrics);
        (0..nodes as u32).for_each(|node| _ = sum.push(node));
        for one in all {
            let add = |into: &mut Vec<f64>, column: &Vec<f64>| {
                for (node, value) in one.nodes.iter().zip(column) {
                    into[*node as usize] += value;
                }
            };
            add(&mut sum.counts, &one.counts);
            add(&mut sum.subcalls, &one.subcalls);
            sum.exclusive.iter_mut().zip(&one.exclusive).for_each(|(into, of)| add(into, of));
            sum.inclusive.iter_mut().zip(&one.inclusive).for_each(|(into, of)| add(into, of));
        }
        sum
    }
}
