//! Ranges of addresses of which nothing is known.

use crate::order;

/// Addresses that are no nearer than this may be of one range all the same: 1 MiB.
const NEAR_BYTES: u64 = 1 << 20;
/// So many times the middle distance between neighbours makes a gap: where references are few, they
/// lie far apart in one array.
const GAP: u64 = 64;
/// No more ranges than this, which are still told apart by the eye.
const MOST_RANGES: usize = 16;

/// Where Linux puts the stack of a program: no more than 16 GiB below the end of a user's addresses
/// on x86-64, 1 GiB on AArch64; what is mapped lies below.
const STACKS: [(u64, u64); 2] =
    [(0x7ffc_0000_0000, 0x7fff_ffff_ffff), (0xffff_c000_0000, 0xffff_ffff_ffff)];

/// Whether the stack of a process lies there.
pub fn is_stack(address: u64) -> bool {
    STACKS.iter().any(|(first, last)| (*first..=*last).contains(&address))
}

/// The first address of each range of `addresses`, rising: a range goes on until a gap of more than
/// a megabyte that is wide for these addresses; only the widest 15 gaps count. O(n log n).
pub fn ranges(addresses: impl Iterator<Item = u64>) -> Vec<u64> {
    let known = order::distinct(addresses);
    let mut gaps = known.windows(2).map(|pair| (pair[1] - pair[0], pair[1])).collect::<Vec<_>>();
    order::by_number(&mut gaps, |(gap, _)| *gap);
    let middle = gaps.get(gaps.len() / 2).map_or(0, |(gap, _)| *gap);
    let wide = |gap: u64| gap > NEAR_BYTES && (known.len() < 8 || gap > middle.saturating_mul(GAP));
    let behind = gaps.iter().rev().take(MOST_RANGES - 1).filter(|(gap, _)| wide(*gap));
    order::distinct(known.first().copied().into_iter().chain(behind.map(|(_, address)| *address)))
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    #[test]
    fn ranges_part_at_wide_gaps_only() {
        let near = [0x40_0000u64, 0x40_0008, 0x4f_0000];
        let far = near.map(|address| address + (1 << 40));
        let kernel = [0xffff_8800_0000_0000];
        let all = || near.into_iter().chain(far).chain(kernel);
        assert_eq!(ranges(all()), [near[0], far[0], kernel[0]]);
        assert_eq!(ranges([u64::MAX, 1].into_iter()), [1, u64::MAX]);
        assert_eq!(ranges(std::iter::empty()), [0; 0]);
    }

    #[test]
    fn few_references_to_a_large_array_are_one_range() {
        let mut random = Random::new(9);
        let sparse = (0..300).map(|_| 0x7f00_0000_0000 + random.below(1 << 30)).collect::<Vec<_>>();
        assert_eq!(ranges(sparse.iter().copied()).len(), 1);
        let far = sparse.iter().copied().chain([0x60_0000, 0x60_0010]);
        assert_eq!(ranges(far), [0x60_0000, *sparse.iter().min().unwrap()]);
    }

    #[test]
    fn there_are_never_more_ranges_than_can_be_told_apart() {
        let apart = (0..1000u64).map(|n| (n * n) << 30);
        assert!(ranges(apart).len() <= MOST_RANGES);
        assert_eq!(ranges((1..5u64).map(|n| n << 40)).len(), 4);
    }

    #[test]
    fn stacks_lie_at_the_end_of_what_users_have() {
        let stack = [0x7ffd_1234_5678, 0x7fff_0000_0000, 0xffff_ffff_e000];
        let none = [0x7f6c_0000_0010, 0x60_6680, 0xffff_8800_0000_0000, 0x8000_0000_0000];
        assert_eq!(stack.map(is_stack), [true; 3]);
        assert_eq!(none.map(is_stack), [false; 4]);
    }
}
