//! What happens to a thread within one nanosecond.

use super::regions::Known;
use crate::trace::Object;

/// The net effect of what is entered and left in one moment.
///
/// A moment has no order, and what ends in it is taken before what begins. So what is entered and
/// left again is not handed on, and of the rest what is left comes first: it was all entered before.
#[derive(Debug, Default)]
pub struct Moment {
    /// Codes and values: zeros, then values that stay.
    pub changes: Vec<[u64; 2]>,
    /// What the tracing says of itself.
    pub tracing: Vec<[u64; 2]>,
    /// The call-stack of a sample.
    pub frames: Vec<[u64; 2]>,
    /// Codes and bits of levels that the thread reads itself.
    pub levels: Vec<[u64; 2]>,
    /// And of those that are read beside it.
    pub beside: Vec<(Object, [u64; 2])>,
    /// Regions entered or left.
    pub borders: u64,
    /// Regions entered and left.
    pub cancelled: u64,
}

impl Moment {
    #[inline]
    pub fn enter(&mut self, region: Known) {
        self.borders += 1;
        self.changes.push([u64::from(region.code), region.value]);
    }

    /// Of the region that was entered last of those that are open.
    #[inline]
    pub fn leave(&mut self, region: Known) {
        self.borders += 1;
        match self.changes.pop_if(|[_, value]| *value != 0) {
            Some(_) => self.cancelled += 1,
            None => self.changes.push([u64::from(region.code), 0]),
        }
    }

    pub fn clear(&mut self) {
        self.changes.clear();
        self.tracing.clear();
        self.frames.clear();
        self.levels.clear();
        self.beside.clear();
        self.borders = 0;
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    const TYPES: u64 = 3;

    /// The definition: of each type as many zeros as regions closed that were open before, then the
    /// values that are open and were not.
    fn net(before: &[[u64; 2]], after: &[[u64; 2]]) -> Vec<(u64, usize, Vec<u64>)> {
        let shared = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let of_type = |code: u64, all: &[[u64; 2]]| {
            let own = all[shared..].iter().filter(|[known, _]| *known == code);
            own.map(|[_, value]| *value).collect::<Vec<_>>()
        };
        (1..=TYPES).map(|code| (code, of_type(code, before).len(), of_type(code, after))).collect()
    }

    #[test]
    fn within_a_moment_zeros_come_first_and_what_has_no_duration_is_not_there() {
        let mut random = Random::new(5);
        for _ in 0..2000 {
            // Values are never used again, so that equal ones are the same region.
            let mut next = 1;
            let mut open = Vec::new();
            for _ in 0..random.below(5) {
                open.push([1 + random.below(TYPES), next]);
                next += 1;
            }
            let before = open.clone();
            let mut moment = Moment::default();
            for _ in 0..random.below(9) {
                let known =
                    |[code, value]: [u64; 2]| Known { code: code as u32, value, is_useful: true };
                if random.below(2) == 0 {
                    open.push([1 + random.below(TYPES), next]);
                    next += 1;
                    moment.enter(known(open[open.len() - 1]));
                } else if let Some(last) = open.pop() {
                    moment.leave(known(last));
                }
            }
            let zeros = moment.changes.iter().take_while(|[_, value]| *value == 0).count();
            assert!(moment.changes[zeros..].iter().all(|[_, value]| *value != 0));
            let of_type = |code: u64| {
                let own = moment.changes.iter().filter(|[known, _]| *known == code);
                let values = own.clone().map(|[_, value]| *value).filter(|value| *value != 0);
                (code, own.filter(|[_, value]| *value == 0).count(), values.collect())
            };
            assert_eq!((1..=TYPES).map(of_type).collect::<Vec<_>>(), net(&before, &open));
        }
    }
}
