use super::{Columns, NodeKind, Profile};

impl Profile {
    /// What a thread spent in each stack of regions and routines, outermost first, each time once:
    /// where samples tell what ran in a context, what they do not tell is left to its region. Contexts
    /// and summaries are no frames. Stacks that nothing was spent in are left out.
    pub fn stacks(&self, columns: &Columns, metric: usize) -> Vec<(Vec<u32>, f64)> {
        let (Some(own), Some(below)) =
            (columns.exclusive.get(metric), columns.inclusive.get(metric))
        else {
            return vec![];
        };
        // By place, what samples say of a region.
        let mut sampled = vec![0.0; columns.len()];
        for (at, node) in columns.nodes.iter().enumerate() {
            let node = &self.nodes[*node as usize];
            let region = node.parent.and_then(|parent| columns.place(parent));
            if let Some(region) = region.filter(|_| node.kind == NodeKind::Context) {
                sampled[region] += below[at];
            }
        }
        // What tells again is in its parent.
        let is_part = |node: u32| self.nodes[node as usize].kind == NodeKind::Part;
        let spent = columns.nodes.iter().zip(own.iter().zip(sampled));
        let spent = spent.filter(|(node, _)| !is_part(**node));
        let spent = spent.map(|(node, (own, sampled))| (*node, own - sampled));
        spent
            .filter(|(_, spent)| *spent > 0.0)
            .map(|(node, spent)| (self.frames(node), spent))
            .collect()
    }

    /// The regions and routines on the way to a node, outermost first, and itself.
    fn frames(&self, node: u32) -> Vec<u32> {
        let up = |at: &u32| self.nodes[*at as usize].parent;
        let is_frame = |at: &u32| {
            !matches!(self.nodes[*at as usize].kind, NodeKind::Context | NodeKind::Summary)
        };
        let mut frames = std::iter::successors(Some(node), up).filter(is_frame).collect::<Vec<_>>();
        frames.reverse();
        frames
    }
}
