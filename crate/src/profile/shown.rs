use super::{NodeKind, Profile};

/// The tree as people read it: what was sampled inside a region stands beside the probes that began
/// inside it. So contexts, which say again what their region has, are no level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// By node; none of the roots.
    pub parents: Vec<Option<u32>>,
    /// By node, in the order in which they were met. Empty of contexts.
    pub children: Vec<Vec<u32>>,
    pub roots: Vec<u32>,
    pub depths: Vec<u32>,
}

impl Shown {
    pub fn of(profile: &Profile) -> Self {
        let nodes = &profile.nodes;
        let mut shown = Self { children: vec![vec![]; nodes.len()], ..Self::default() };
        for (at, node) in (0u32..).zip(nodes) {
            let above = node.parent.filter(|parent| *parent < at);
            let parent = match above.map(|parent| (parent, nodes[parent as usize].kind)) {
                Some((context, NodeKind::Context)) => shown.parents[context as usize],
                _ => above,
            };
            let depth = parent.map_or(0, |parent| shown.depths[parent as usize] + 1);
            shown.parents.push(parent);
            shown.depths.push(depth);
            match parent {
                _ if node.kind == NodeKind::Context => {}
                Some(parent) => shown.children[parent as usize].push(at),
                None => shown.roots.push(at),
            }
        }
        shown
    }

    /// The node and those above it, the nearest first.
    pub fn upwards(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(node), |at| self.parents.get(*at as usize).copied().flatten())
    }
}
