/// The regions that are open on a thread, whatever type of event told them: one stack.
#[derive(Default)]
pub struct EventStack {
    /// Type of event and node, the innermost last.
    open: Vec<(u32, u32)>,
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
    pub fn begin(&mut self, event_type: u32, node: u32) {
        self.open.push((event_type, node));
    }

    /// Ends the innermost region of a type. O(regions open).
    pub fn end(&mut self, event_type: u32) -> Ended {
        let Some(at) = self.open.iter().rposition(|(open, _)| *open == event_type) else {
            return Ended::NoneOpen;
        };
        let inside = self.open.len() - at - 1;
        self.open.truncate(at);
        Ended::With(inside as u64)
    }

    /// Node of the innermost region.
    pub fn innermost(&self) -> Option<u32> {
        self.open.last().map(|(_, node)| *node)
    }

    /// Nodes of all open regions, the innermost first.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.open.iter().rev().map(|(_, node)| *node)
    }

    pub fn len(&self) -> usize {
        self.open.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_closes_the_innermost_of_its_type_and_what_is_inside() {
        let mut stack = EventStack::default();
        for (event_type, node) in [(19, 1), (7, 2), (19, 3), (50, 4)] {
            stack.begin(event_type, node);
        }
        assert_eq!(stack.end(60), Ended::NoneOpen);
        assert_eq!((stack.end(50), stack.innermost()), (Ended::With(0), Some(3)));
        assert_eq!((stack.end(7), stack.innermost()), (Ended::With(1), Some(1)));
        assert_eq!((stack.end(19), stack.end(19), stack.len()), (Ended::With(0), Ended::NoneOpen, 0));
    }
}
