//! When threads compute.

/// Stretches of a thread's time in which it computes, as state records tell: pieces that touch or
/// overlap are one. 16 bytes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Running {
    /// Begin and end, in nanoseconds since the start of the trace.
    stretches: Vec<[u64; 2]>,
    /// Whether a piece began before the last stretch did: they are put in order when all are there.
    is_mixed: bool,
}

impl Running {
    /// Adds a piece; one of no length is none.
    #[inline]
    pub fn add(&mut self, begin_ns: u64, end_ns: u64) {
        if end_ns <= begin_ns {
            return;
        }
        match self.stretches.last_mut() {
            Some([begin, end]) if *begin <= begin_ns && begin_ns <= *end => *end = end_ns.max(*end),
            last => {
                self.is_mixed |= last.is_some_and(|[begin, _]| begin_ns < *begin);
                self.stretches.push([begin_ns, end_ns]);
            }
        }
    }

    /// Adds those of a later part.
    pub fn append(&mut self, later: &Self) {
        self.is_mixed |= later.is_mixed;
        later.stretches.iter().for_each(|[begin, end]| self.add(*begin, *end));
    }

    /// Rising, none touching another. O(stretches), more where they came mixed.
    pub fn in_order(&self) -> Vec<[u64; 2]> {
        if !self.is_mixed {
            return self.stretches.clone();
        }
        let mut ordered = Self::default();
        for index in crate::order::indices(self.stretches.iter().map(|[begin, _]| *begin)) {
            let [begin, end] = self.stretches[index as usize];
            ordered.add(begin, end);
        }
        ordered.stretches
    }

    pub fn as_they_came(&self) -> &[[u64; 2]] {
        &self.stretches
    }

    pub fn held_bytes(&self) -> u64 {
        size_of_val(self.stretches.as_slice()) as u64
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    fn of(pieces: &[[u64; 2]]) -> Running {
        let mut running = Running::default();
        pieces.iter().for_each(|[begin, end]| running.add(*begin, *end));
        running
    }

    #[test]
    fn pieces_that_touch_or_overlap_are_one() {
        for (pieces, stretches) in [
            (vec![], vec![]),
            (vec![[3, 3], [5, 4]], vec![]),
            (vec![[0, 2], [2, 5], [6, 7]], vec![[0, 5], [6, 7]]),
            (vec![[0, 9], [2, 5], [8, 12]], vec![[0, 12]]),
            (vec![[6, 7], [0, 2], [2, 6]], vec![[0, 7]]),
            (vec![[4, 5], [0, 1], [2, 3]], vec![[0, 1], [2, 3], [4, 5]]),
        ] {
            assert_eq!(of(&pieces).in_order(), stretches, "{pieces:?}");
        }
    }

    #[test]
    fn parts_in_any_order_cover_what_their_pieces_cover() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let pieces = (0..random.below(12)).map(|_| {
                let begin = random.below(40);
                [begin, begin + random.below(6)]
            });
            let pieces = pieces.collect::<Vec<_>>();
            let (first, later) = pieces.split_at(pieces.len() / 2);
            let mut joined = of(first);
            joined.append(&of(later));
            let covered = |at: u64| pieces.iter().any(|[begin, end]| *begin <= at && at < *end);
            let stretches = joined.in_order();
            for at in 0..50 {
                let found = stretches.iter().any(|[begin, end]| *begin <= at && at < *end);
                assert_eq!(found, covered(at), "{pieces:?} at {at}");
            }
            assert!(stretches.windows(2).all(|pair| pair[0][1] < pair[1][0]), "{pieces:?}");
        }
    }
}
