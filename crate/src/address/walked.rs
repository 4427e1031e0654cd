//! How objects are used and walked through.

use super::FoldedReferences;
use crate::fit;
use crate::folding::{Direction, Stream, Touch, Usage};
use crate::order;

/// How addresses go on with time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walk {
    pub direction: Direction,
    /// Bytes per unit of `x` within a sweep; 0 without a direction.
    pub slope: f64,
    /// Bytes of which every step is a multiple; 0 where too few were seen.
    pub step_bytes: u64,
}

const LINE_BYTES: u64 = 64;
/// With fewer references chance looks like a direction.
const FEWEST: usize = 16;
/// With fewer they do not even stand still.
const FEWEST_STILL: usize = 4;
/// So many references tell a direction as well as more.
const MOST: usize = 2048;
/// And so many tell sweeps, which take a thousand times longer.
const MOST_FOR_SWEEPS: usize = 256;
/// A line that leaves more than this share of the spread is none.
const SCATTERED: f64 = 0.5;
/// By how many standard deviations more pairs rise than fall, or the other way, on a line.
const BEYOND_CHANCE: f64 = 2.5;
/// Points are in sweeps if they are so concentrated, and more than those that lie anywhere.
const CONCENTRATED: f64 = 0.5;
/// Of points anywhere, n × concentration² exceeds this once in 10⁵ times, with as many sweeps as are
/// tried.
const BY_CHANCE: f64 = 20.0;

impl FoldedReferences {
    /// How objects are walked through in parts of the folded instance, by object and part.
    ///
    /// `part_of` tells the part of a reference by its index; `named` says in a stream which part it
    /// is of; `per_us`: regions in a microsecond, 0 where the axis counts events. O(n log n).
    pub fn streams(
        &self,
        part_of: impl Fn(usize) -> Option<u32>,
        named: impl Fn(u32) -> Stream,
        per_us: f64,
    ) -> Vec<Stream> {
        let key =
            |index: usize| Some(u64::from(self.object[index]) << 32 | u64::from(part_of(index)?));
        let stream = |indices: Vec<u32>| {
            let first = *indices.first()? as usize;
            let x = indices.iter().map(|index| self.references[*index as usize].x);
            let offsets = indices.iter().map(|index| self.offset[*index as usize]);
            let Usage { loads, stores, mean_cost, high_cost, .. } = self.usage(&indices);
            let Walk { direction, slope, step_bytes } =
                walk(&x.collect::<Vec<_>>(), &offsets.collect::<Vec<_>>());
            Some(Stream {
                object: self.object[first],
                loads,
                stores,
                direction,
                bytes_per_us: slope * per_us,
                step_bytes,
                mean_cost,
                high_cost,
                ..named(part_of(first)?)
            })
        };
        self.by(key).into_iter().filter_map(stream).collect()
    }

    /// Indices of references by a key, by `x` where it is the same; those without one are left out.
    fn by<K: Into<u64>>(&self, key: impl Fn(usize) -> Option<K>) -> Vec<Vec<u32>> {
        let mut keyed = (0..self.references.len() as u32)
            .filter_map(|index| Some((key(index as usize)?.into(), index)))
            .collect::<Vec<_>>();
        order::by_number(&mut keyed, |(key, _)| *key);
        let alike = keyed.chunk_by(|(a, _), (b, _)| a == b);
        alike.map(|chunk| chunk.iter().map(|(_, index)| *index).collect()).collect()
    }

    fn usage(&self, indices: &[u32]) -> Usage {
        let touch = |index: &u32| {
            let reference = &self.references[*index as usize];
            Touch {
                offset: self.offset[*index as usize],
                is_store: reference.is_store,
                level: reference.level,
                cost: reference.cost,
            }
        };
        Usage::of(&indices.iter().map(touch).collect::<Vec<_>>())
    }
}

/// How `offsets` go along `x`, which does not fall. O(n log n).
///
/// Up or down if Theil's line leaves less than half of the spread and more pairs agree than chance
/// allows; else if they are concentrated on sweeps one after another or lines abreast
/// ([`fit::sweeps`]); else they are random. Fewer than 16 tell nothing, but that they stand still:
/// the middle 90 % of at least four within a cache line.
pub fn walk(x: &[f64], offsets: &[u64]) -> Walk {
    let mut sorted = offsets.to_vec();
    order::by_number(&mut sorted, |offset| *offset);
    let quantile = |share: usize| sorted.get((sorted.len() * share / 100).min(sorted.len() - 1));
    let spread = match offsets.len() {
        0 => return Walk::default(),
        _ => quantile(95).unwrap_or(&0) - quantile(5).unwrap_or(&0),
    };
    if spread < LINE_BYTES && offsets.len() >= FEWEST_STILL {
        return Walk { direction: Direction::Still, ..Walk::default() };
    }
    if offsets.len() < FEWEST {
        return Walk::default();
    }
    let lowest = sorted.first().copied().unwrap_or(0);
    let (x, offsets) = (evenly(x, MOST), evenly(offsets, MOST));
    let y = offsets.iter().map(|offset| (offset - lowest) as f64).collect::<Vec<_>>();
    let step_bytes = fit::common_step(&offsets);
    let towards = |slope: f64| {
        let direction = if slope > 0.0 { Direction::Ascending } else { Direction::Descending };
        Walk { direction, slope, step_bytes }
    };
    let is_line = |line: &fit::Line| {
        line.scatter < SCATTERED && line.rises * line.slope.signum() >= BEYOND_CHANCE
    };
    if let Some(line) = fit::line(&x, &y).filter(is_line) {
        return towards(line.slope);
    }
    let (x, y) = (evenly(&x, MOST_FOR_SWEEPS), evenly(&y, MOST_FOR_SWEEPS));
    let needed = (BY_CHANCE / x.len() as f64).sqrt().max(CONCENTRATED);
    match fit::sweeps(&x, &y).filter(|sweeps| sweeps.concentration >= needed) {
        Some(sweeps) => towards(sweeps.slope),
        None => Walk { direction: Direction::Random, slope: 0.0, step_bytes },
    }
}

/// Every so-manieth of `values`, so that there are no more than `most`.
fn evenly<T: Copy>(values: &[T], most: usize) -> Vec<T> {
    values.iter().copied().step_by(values.len().div_ceil(most).max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many references whose offset is `at(x)`.
    fn walked(n: u32, at: impl Fn(f64) -> f64) -> (Direction, f64, u64) {
        let x = (0..n).map(|i| 0.25 + f64::from(i) / f64::from(2 * n)).collect::<Vec<_>>();
        let offsets = x.iter().map(|x| at(2.0 * x - 0.5) as u64 / 8 * 8).collect::<Vec<_>>();
        let Walk { direction, slope, step_bytes } = walk(&x, &offsets);
        (direction, slope, step_bytes)
    }

    /// Between 0 and 1, without an order.
    fn anywhere(x: f64) -> f64 {
        tracefold_generate::Random::new(x.to_bits()).uniform()
    }

    #[test]
    fn directions_and_speeds_are_those_of_the_walk() {
        use Direction::*;
        let bytes = 8e6;
        type Case = (Direction, f64, fn(f64) -> f64);
        let walks: [Case; 7] = [
            (Ascending, 1.0, |x| x),
            (Descending, -1.0, |x| 1.0 - x),
            (Descending, -3.0, |x| 1.0 - (3.0 * x) % 1.0),
            (Ascending, 0.25, |x| x / 4.0 + (anywhere(x) * 4.0).floor() / 4.0),
            (Ascending, 0.5, |x| if anywhere(x) < 0.2 { anywhere(7.0 * x) } else { 0.5 * x }),
            (Random, 0.0, anywhere),
            (Random, 0.0, |x| if anywhere(x) < 0.6 { anywhere(7.0 * x) } else { 3.0 * x % 1.0 }),
        ];
        for (direction, share, at) in walks {
            for n in [60, 400, 5000] {
                let (found, slope, step) = walked(n, |x| bytes * at(x));
                assert_eq!((found, step), (direction, 8), "{n} {direction:?} {share}");
                let expected = 2.0 * bytes * share;
                assert!((slope - expected).abs() <= 0.1 * expected.abs(), "{n} {slope} {expected}");
            }
        }
    }

    #[test]
    fn few_references_tell_nothing_and_those_of_one_line_stand_still() {
        assert_eq!(walked(15, |x| 8e6 * x).0, Direction::Unknown);
        assert_eq!(walked(16, |x| 8e6 * x).0, Direction::Ascending);
        assert_eq!(walked(0, |x| x).0, Direction::Unknown);
        assert_eq!(walked(3, |_| 8.0).0, Direction::Unknown);
        assert_eq!(walked(4, |_| 8.0), (Direction::Still, 0.0, 0));
        assert_eq!(walked(99, |x| 1e6 + 60.0 * anywhere(x)), (Direction::Still, 0.0, 0));
        // Few points anywhere lie near some sweep by chance.
        for n in 16..40 {
            assert_eq!(walked(n, |x| 8e6 * anywhere(x)).0, Direction::Random, "{n}");
        }
        // Of eight pairs one falls: chance does so once in a dozen times.
        let but_one = |x: f64| if x > 0.9 { 0.0 } else { 8e6 * x };
        assert_eq!(walked(16, but_one).0, Direction::Random);
        let end = |x: f64| if x > 0.97 { 1e9 } else { 0.0 };
        assert_eq!(walked(99, end).0, Direction::Still);
    }
}
