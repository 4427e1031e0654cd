use crate::order;

/// From a time to a later one, in nanoseconds.
pub(super) type Stretch = (u64, u64);

/// Durations that differ by no more than this factor are those of one kind of pass.
const LIKE: u64 = 2;

pub(super) fn duration_ns((begin, end): Stretch) -> u64 {
    end.saturating_sub(begin)
}

/// The median, between the middle two of an even number; `None` of none.
pub(super) fn median(mut values: Vec<u64>) -> Option<u64> {
    order::by_number(&mut values, |value| *value);
    let upper = *values.get(values.len() / 2)?;
    let lower = *values.get((values.len() - 1) / 2)?;
    Some(u64::midpoint(lower, upper))
}

/// Time of the stretches within a factor 2 of their median, and of all.
pub(super) fn regular_ns(stretches: &[Stretch]) -> (u64, u64) {
    let durations = stretches.iter().copied().map(duration_ns).collect::<Vec<_>>();
    let all = durations.iter().fold(0u64, |sum, one| sum.saturating_add(*one));
    let Some(median) = median(durations.clone()) else { return (0, 0) };
    let regular = durations.into_iter().filter(|duration| are_like(*duration, median));
    (regular.fold(0, u64::saturating_add), all)
}

pub(super) fn are_like(a: u64, b: u64) -> bool {
    a <= b.saturating_mul(LIKE) && b <= a.saturating_mul(LIKE)
}

/// Between neighbouring times; of two that are equal there is nothing between.
pub(super) fn between(times_ns: &[u64]) -> Vec<Stretch> {
    let pairs = times_ns.iter().zip(times_ns.iter().skip(1));
    pairs.map(|(&begin, &end)| (begin, end)).filter(|(begin, end)| begin < end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_between_the_middle_two() {
        let cases = [(vec![], None), (vec![7], Some(7)), (vec![9, 1], Some(5))];
        for (values, expected) in cases {
            assert_eq!(median(values), expected);
        }
        assert_eq!(median(vec![u64::MAX, 0, u64::MAX, u64::MAX]), Some(u64::MAX));
        assert_eq!(median(vec![4, 100, 2, 1]), Some(3));
    }

    #[test]
    fn what_lasts_half_to_twice_the_median_is_regular() {
        let stretches = [(0, 10), (10, 15), (20, 24), (30, 50), (50, 71), (80, 90), (90, 100)];
        assert_eq!(regular_ns(&stretches), (55, 80));
        assert_eq!(regular_ns(&[]), (0, 0));
    }
}
