/// The regions that are open on a thread, whatever type of event told them: one stack.
#[derive(Default)]
pub struct EventStack {
    /// The innermost last.
    open: Vec<Open>,
    /// How many are open, by type of event and by name.
    of_type: Vec<u32>,
    of_name: Vec<u32>,
}

struct Open {
    event_type: u32,
    node: u32,
    name: u32,
    /// The part of the node that the call is of.
    part: Option<u32>,
}

/// What became of a region that should end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It ended, and with it so many regions that were open inside it.
    With(u64),
    /// None of its type was open.
    NoneOpen,
}

impl EventStack {
    /// Begins a region inside the innermost.
    pub fn begin(&mut self, event_type: u32, node: u32, name: u32, part: Option<u32>) {
        self.open.push(Open { event_type, node, name, part });
        for (counts, of) in [(&mut self.of_type, event_type), (&mut self.of_name, name)] {
            let of = of as usize;
            if counts.len() <= of {
                counts.resize(of + 1, 0);
            }
            counts[of] += 1;
        }
    }

    /// Ends the innermost region of a type, and what is open inside it. O(regions that end).
    pub fn end(&mut self, event_type: u32) -> Ended {
        if count(&self.of_type, event_type) == 0 {
            return Ended::NoneOpen;
        }
        let mut ended = 0;
        while let Some(open) = self.open.pop() {
            self.of_type[open.event_type as usize] -= 1;
            self.of_name[open.name as usize] -= 1;
            if open.event_type == event_type {
                break;
            }
            ended += 1;
        }
        Ended::With(ended)
    }

    /// Node of the innermost region.
    pub fn innermost(&self) -> Option<u32> {
        self.open.last().map(|open| open.node)
    }

    /// Parts that are open, the innermost region's last, each with whether it is that.
    pub fn parts(&self) -> impl Iterator<Item = (u32, bool)> {
        let innermost = self.open.len().saturating_sub(1);
        let open = self.open.iter().enumerate();
        open.filter_map(move |(at, open)| Some((open.part?, at == innermost)))
    }

    /// Whether a region of this name is open.
    pub fn has(&self, name: u32) -> bool {
        count(&self.of_name, name) > 0
    }

    pub fn len(&self) -> usize {
        self.open.len()
    }
}

fn count(counts: &[u32], of: u32) -> u32 {
    counts.get(of as usize).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_closes_the_innermost_of_its_type_and_what_is_inside() {
        let mut stack = EventStack::default();
        for (event_type, node) in [(19, 1), (7, 2), (19, 3), (50, 4)] {
            stack.begin(event_type, node, 10 * node, (node > 2).then_some(100 + node));
        }
        assert_eq!(stack.end(60), Ended::NoneOpen);
        assert_eq!((stack.end(50), stack.innermost()), (Ended::With(0), Some(3)));
        assert!(stack.has(30) && !stack.has(40));
        assert_eq!(stack.parts().collect::<Vec<_>>(), [(103, true)]);
        assert_eq!((stack.end(7), stack.innermost()), (Ended::With(1), Some(1)));
        assert!(stack.has(10) && !stack.has(30));
        assert_eq!(
            (stack.end(19), stack.end(19), stack.len()),
            (Ended::With(0), Ended::NoneOpen, 0)
        );
    }
}
