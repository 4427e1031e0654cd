use super::numbered::Numbered;
use crate::folding::Context;

/// Calling contexts as they grow.
#[derive(Default)]
pub struct Growing {
    contexts: Vec<Context>,
    numbers: Numbered,
}

impl Growing {
    /// The context of `routine` called in `parent`, made when first met.
    #[inline]
    pub fn child(&mut self, parent: Option<u32>, routine: u32) -> u32 {
        let caller = parent.map_or(0, |parent| u64::from(parent) + 1);
        let number = self.numbers.of([caller, u64::from(routine), 0]);
        if number as usize == self.contexts.len() {
            self.contexts.push(Context { parent, routine, samples: 0 });
        }
        number
    }

    pub fn finish(self) -> Vec<Context> {
        self.contexts
    }
}

/// Calling contexts in an order in which what lies below a context lies side by side.
pub struct Tree {
    /// For each context how many are above it.
    pub level: Vec<u32>,
    /// For each context its root.
    pub root: Vec<u32>,
    /// Place of each context in that order, and the end of what lies below it.
    place: Vec<u32>,
    end: Vec<u32>,
    /// Children by parent, those of one in that order.
    children: Vec<u32>,
    first_child: Vec<u32>,
}

impl Tree {
    /// O(contexts). Parents must come before their children.
    pub fn new(contexts: &[Context]) -> Self {
        let count = contexts.len();
        let (mut level, mut root) = (vec![0; count], vec![0; count]);
        let (mut size, mut first_child) = (vec![1u32; count], vec![0u32; count + 1]);
        for (at, context) in contexts.iter().enumerate() {
            root[at] = at as u32;
            if let Some(parent) = context.parent {
                let parent = parent as usize;
                level[at] = level[parent] + 1;
                root[at] = root[parent];
                first_child[parent + 1] += 1;
            }
        }
        for (at, context) in contexts.iter().enumerate().rev() {
            if let Some(parent) = context.parent {
                size[parent as usize] += size[at];
            }
        }
        for at in 0..count {
            first_child[at + 1] += first_child[at];
        }
        // Where the next child of each goes, among the children and in the order.
        let mut next_child = first_child.clone();
        let mut next_place = vec![0; count];
        let mut next_root = 0;
        let (mut place, mut end) = (vec![0; count], vec![0; count]);
        let mut children = vec![0; first_child[count] as usize];
        for (at, context) in contexts.iter().enumerate() {
            let next = match context.parent {
                Some(parent) => {
                    let slot = &mut next_child[parent as usize];
                    children[*slot as usize] = at as u32;
                    *slot += 1;
                    &mut next_place[parent as usize]
                }
                None => &mut next_root,
            };
            place[at] = *next;
            end[at] = *next + size[at];
            *next += size[at];
            next_place[at] = place[at] + 1;
        }
        Self { level, root, place, end, children, first_child }
    }

    /// Whether `inner` is `outer` or lies below it.
    #[inline]
    pub fn is_within(&self, inner: u32, outer: u32) -> bool {
        let place = self.place[inner as usize];
        (self.place[outer as usize]..self.end[outer as usize]).contains(&place)
    }

    /// The child of `outer` that `inner` is or lies below; `None` if it is `outer` itself or lies
    /// elsewhere. O(log children).
    #[inline]
    pub fn child_towards(&self, outer: u32, inner: u32) -> Option<u32> {
        if inner == outer || !self.is_within(inner, outer) {
            return None;
        }
        let outer = outer as usize;
        let range = self.first_child[outer] as usize..self.first_child[outer + 1] as usize;
        let children = &self.children[range];
        let place = self.place[inner as usize];
        let after = children.partition_point(|&child| self.place[child as usize] <= place);
        children.get(after.wrapping_sub(1)).copied()
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    #[test]
    fn the_way_down_is_found_as_the_way_up_says() {
        let mut growing = Growing::default();
        let mut random = Random::new(5);
        for _ in 0..300 {
            let known = growing.contexts.len() as u32;
            let parent =
                (known > 3 && random.below(7) > 0).then(|| random.below(known.into()) as u32);
            growing.child(parent, random.below(16) as u32);
        }
        let contexts = growing.finish();
        let tree = Tree::new(&contexts);
        let up = |at: u32| {
            let mut way = vec![at];
            while let Some(parent) = contexts[way[way.len() - 1] as usize].parent {
                way.push(parent);
            }
            way
        };
        for inner in 0..contexts.len() as u32 {
            let way = up(inner);
            assert_eq!(tree.level[inner as usize] as usize, way.len() - 1);
            assert_eq!(Some(&tree.root[inner as usize]), way.last());
            for outer in 0..contexts.len() as u32 {
                let at = way.iter().position(|&known| known == outer);
                assert_eq!(tree.is_within(inner, outer), at.is_some());
                let child = at.filter(|&at| at > 0).map(|at| way[at - 1]);
                assert_eq!(tree.child_towards(outer, inner), child);
            }
        }
    }
}
