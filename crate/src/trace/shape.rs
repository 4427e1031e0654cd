use std::collections::HashMap;
use std::fmt;

/// The types of a moment's events in the order written, and which of the values need two words.
///
/// A trace has few shapes: every sample with the same counters and callers is of one.
#[derive(Clone, Default)]
pub struct Shapes {
    /// Types of all shapes, one shape after the other.
    types: Vec<Wide>,
    /// Where each shape begins in `types`; one more at the end.
    first: Vec<u32>,
    /// Never iterated: its order is no order.
    numbers: HashMap<Box<[Wide]>, u32>,
    /// Shapes met last, by a rough sum of their types: most moments are of these.
    recent: Vec<u32>,
    /// The one met last of all: samples follow samples.
    last: u32,
}

/// An index of a type, doubled; odd if the value needs two words.
pub type Wide = u32;

const RECENT: usize = 64;

/// The type of an event, marked if `value` needs two words.
pub fn wide(event_type: u32, value: u64) -> Wide {
    event_type << 1 | u32::from(value > u64::from(u32::MAX))
}

/// The type, and in how many words its value lies.
pub fn narrow(wide: Wide) -> (u32, usize) {
    (wide >> 1, 1 + (wide & 1) as usize)
}

impl fmt::Debug for Shapes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is there to find them has no order to show.
        let Self { types, first, .. } = self;
        out.debug_struct("Shapes").field("types", types).field("first", first).finish()
    }
}

impl Shapes {
    /// The types of a shape; none if there is no such shape.
    pub fn types(&self, shape: u32) -> &[Wide] {
        let at = |shape: usize| self.first.get(shape).map(|&first| first as usize);
        let shape = shape as usize;
        let range = at(shape).zip(at(shape + 1)).map(|(from, to)| from..to);
        range.and_then(|range| self.types.get(range)).unwrap_or_default()
    }

    /// The number of the shape of these types, a new one if it is new.
    pub fn of(&mut self, types: &[Wide]) -> u32 {
        if self.types(self.last) == types && !types.is_empty() {
            return self.last;
        }
        self.last = self.looked_up(types);
        self.last
    }

    fn looked_up(&mut self, types: &[Wide]) -> u32 {
        self.recent.resize(RECENT, u32::MAX);
        let sum = types.iter().fold(types.len() as u32, |sum, t| sum.wrapping_mul(31) ^ t);
        let slot = (sum ^ sum >> 8) as usize % RECENT;
        if let Some(&shape) = self.recent.get(slot)
            && self.types(shape) == types
        {
            return shape;
        }
        let next = self.first.len().saturating_sub(1) as u32;
        let shape = match self.numbers.get(types) {
            Some(&known) => known,
            None => {
                self.first.resize(self.first.len().max(1), 0);
                self.types.extend_from_slice(types);
                self.first.push(self.types.len() as u32);
                self.numbers.insert(types.into(), next);
                next
            }
        };
        if let Some(slot) = self.recent.get_mut(slot) {
            *slot = shape;
        }
        shape
    }

    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Bytes that the shapes take, about: each one's types are in the table to find them by too.
    pub fn held_bytes(&self) -> u64 {
        8 * self.types.len() as u64 + 52 * self.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shapes_have_one_number_whatever_came_between() {
        let mut shapes = Shapes::default();
        let lists: Vec<Vec<u32>> = (0..500u32).map(|n| vec![n, n / 7, 2 * n]).collect();
        let first = lists.iter().map(|list| shapes.of(list)).collect::<Vec<_>>();
        assert_eq!(first, (0..500).collect::<Vec<_>>());
        for (list, number) in lists.iter().zip(first).rev() {
            assert_eq!(shapes.of(list), number);
            assert_eq!(shapes.types(number), list);
        }
        assert_eq!(shapes.of(&[]), 500);
        assert_eq!((shapes.of(&[]), shapes.len()), (500, 501));
        assert_eq!(shapes.types(501), [0u32; 0]);
    }
}
