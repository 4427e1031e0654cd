//! Modes of positive numbers that stand apart, in one dimension.

use std::ops::Range;

use crate::order;

/// More parts are not tried: who reads a picture of each of a dozen modes?
const MOST_PARTS: usize = 12;
/// Parts end at the widest of so many gaps, or at the widest gap inside each of so many runs of
/// values: as many as tell modes of a fiftieth apart in a million values that overlap.
const CELLS: usize = 300;
/// The two halves of a uniform stretch are 3.46 of their deviations apart, those of a normal one
/// 2.65 and those of an exponential one 3.37, wherever they are cut best; all are one mode.
const LEAST_APART: f64 = 4.0;
/// Where values are few their best partition is better by chance, so that they must be further
/// apart by so much over the root of their number.
const FURTHER_IF_FEW: f64 = 6.0;
/// Values that differ by more than so much of themselves differ by more than a clock's tick.
const COARSEST: f64 = 0.5;
/// Where two modes meet values lie at most half as densely as inside either; where a mode's tail was
/// cut off they do not.
const THINNER: u64 = 2;
/// Fewer values are no mode.
const LEAST_VALUES: usize = 5;
/// Nor are less than a fiftieth of them.
const LEAST_SHARE: f64 = 0.02;

/// Mode of each of the increasing `values`, from 1, or 0 for values apart from every mode.
///
/// Natural breaks of logarithms: of the partitions into so many parts the one with the least sum of
/// squares, with as many parts as all stand apart from their neighbours. Two parts do if their means
/// are (4 + 6/√n) standard deviations apart, where n is how many values both have, and the deviation
/// the pooled one of both and of rounding to the smallest step between different values; and if
/// from the quartile of either that is nearer to the other it is twice as far to the other as to
/// the median. A part is a mode if it has 5 values and 2 % of them. Where no part is one, all values
/// are one mode; zeros are a part of their own. O(n).
///
/// Source: Fisher 1958.
pub fn modes(values: &[u64]) -> Vec<u32> {
    let zeros = values.partition_point(|value| *value == 0);
    let least = ((LEAST_SHARE * values.len() as f64).ceil() as usize).max(LEAST_VALUES);
    let mut parts = parts(&values[zeros..], least);
    for part in &mut parts {
        *part = part.start + zeros..part.end + zeros;
    }
    parts.insert(0, 0..zeros);
    let mut modes = vec![0; values.len()];
    let mut mode = 0;
    for part in parts.into_iter().filter(|part| part.len() >= least) {
        mode += 1;
        modes[part].fill(mode);
    }
    if mode == 0 { vec![1; values.len()] } else { modes }
}

/// The parts of increasing `values` above 0, at least one of which has `least` of them, if all have.
fn parts(values: &[u64], least: usize) -> Vec<Range<usize>> {
    let cells = Cells::of(values);
    let steps = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0);
    // Of equal values there is one part, and no step is asked for.
    let step = steps.min().unwrap_or(1);
    let mut parts = vec![Part { cells: 0..cells.count(), ..Part::default() }];
    let mut partitions = Partitions::of(&cells);
    for _ in 1..MOST_PARTS.min(cells.count()) {
        let finer = partitions.finer().into_iter().map(|part| cells.part(part)).collect::<Vec<_>>();
        let apart = finer.windows(2).all(|pair| are_apart(&pair[0], &pair[1], step as f64));
        if apart && finer.iter().any(|part| part.values >= least as f64) {
            parts = finer;
        }
    }
    let mut joined: Vec<Range<usize>> = vec![];
    for part in parts.into_iter().map(|part| cells.range(&part)) {
        match joined.last_mut() {
            Some(last) if !are_thin_between(&values[last.clone()], &values[part.clone()]) => {
                last.end = part.end;
            }
            _ => joined.push(part),
        }
    }
    joined
}

/// Whether the second of two parts stands apart from the first; see [`modes`].
fn are_apart(first: &Part, second: &Part, step: f64) -> bool {
    let values = first.values + second.values;
    let scatter = (first.squares + second.squares) / (values - 2.0).max(1.0);
    // Of logarithms: the step is the larger of the shorter values.
    let rounding = (step / libm::exp(first.mean)).min(COARSEST);
    let deviation = (scatter + rounding * rounding / 12.0).sqrt();
    second.mean - first.mean >= (LEAST_APART + FURTHER_IF_FEW / values.sqrt()) * deviation
}

/// Whether values lie thinner between two neighbouring parts than inside either; see [`modes`].
fn are_thin_between(below: &[u64], above: &[u64]) -> bool {
    let [quarter, half] = [4, 2].map(|part| move |values: &[u64]| (values.len() - 1) / part);
    let [last, first] = [below[below.len() - 1], above[0]];
    let upper = below[below.len() - 1 - quarter(below)];
    let lower = above[quarter(above)];
    let inside = [upper - below[below.len() - 1 - half(below)], above[half(above)] - lower];
    let [low, high] = inside.map(|wide| wide.saturating_mul(THINNER));
    first - upper >= low && lower - last >= high
}

/// A part of a partition.
#[derive(Default)]
struct Part {
    cells: Range<usize>,
    /// How many.
    values: f64,
    /// Of their logarithms.
    mean: f64,
    /// Of the logarithms' distances to their mean.
    squares: f64,
}

/// Runs of values between which parts may end, with sums that tell of any run of them.
struct Cells {
    /// Indices into the values, from 0 to their number.
    ends: Vec<usize>,
    /// By end: the sum of the logarithms before it, less their mean each, and of the squares.
    sums: Vec<[f64; 2]>,
    mean: f64,
}

impl Cells {
    fn of(values: &[u64]) -> Self {
        let logs = values.iter().map(|value| libm::log(*value as f64)).collect::<Vec<_>>();
        let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
        let ends = ends(&logs);
        let mut sums = vec![];
        let mut sum = [0.0; 2];
        for pair in ends.windows(2) {
            sums.push(sum);
            for log in &logs[pair[0]..pair[1]] {
                let x = log - mean;
                sum = [sum[0] + x, sum[1] + x * x];
            }
        }
        sums.push(sum);
        Self { ends, sums, mean }
    }

    fn count(&self) -> usize {
        self.ends.len() - 1
    }

    /// Indices of the values of `part`.
    fn range(&self, part: &Part) -> Range<usize> {
        self.ends[part.cells.start]..self.ends[part.cells.end]
    }

    fn part(&self, cells: Range<usize>) -> Part {
        let values = (self.ends[cells.end] - self.ends[cells.start]) as f64;
        let [sum, squares] =
            [0, 1].map(|power| self.sums[cells.end][power] - self.sums[cells.start][power]);
        let squares = (squares - sum * sum / values).max(0.0);
        Part { cells, values, mean: self.mean + sum / values, squares }
    }
}

/// Where parts of `logs` may end, with 0 and their number.
fn ends(logs: &[f64]) -> Vec<usize> {
    let gaps = logs.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    let wide = wide(&gaps);
    let mut ends = vec![0];
    for (run, of_run) in (0..).zip(gaps.chunks(gaps.len().div_ceil(CELLS).max(1))) {
        let first = 1 + run * gaps.len().div_ceil(CELLS);
        let widest = of_run.iter().copied().fold(0.0, f64::max);
        let is_end = |gap: f64| gap > 0.0 && (gap > wide || gap == widest);
        ends.extend((first..).zip(of_run).filter(|(_, gap)| is_end(**gap)).map(|(end, _)| end));
    }
    ends.push(logs.len());
    ends
}

/// What gaps must exceed to be among the [`CELLS`] widest.
fn wide(gaps: &[f64]) -> f64 {
    let mut widest: Vec<f64> = vec![];
    let mut wide = 0.0;
    for run in gaps.chunks(CELLS) {
        widest.extend(run.iter().filter(|gap| **gap > wide));
        if widest.len() > CELLS {
            order::floats(&mut widest);
            widest.drain(..widest.len() - CELLS);
            wide = widest[0];
        }
    }
    wide
}

/// The best partitions of cells into one part more at each step.
struct Partitions<'a> {
    cells: &'a Cells,
    /// By end: the least sum of squares of the cells before it.
    least: Vec<f64>,
    /// By step, then by end: where the last part begins.
    begins: Vec<Vec<usize>>,
}

impl<'a> Partitions<'a> {
    /// Into one part.
    fn of(cells: &'a Cells) -> Self {
        let one = |end: usize| if end == 0 { f64::INFINITY } else { cells.part(0..end).squares };
        Self { cells, least: (0..=cells.count()).map(one).collect(), begins: vec![] }
    }

    /// The parts of the best partition into one more. O(cells log cells).
    fn finer(&mut self) -> Vec<Range<usize>> {
        let ends = self.cells.count();
        let mut finer =
            Finer { of: self, least: vec![f64::INFINITY; ends + 1], begins: vec![0; ends + 1] };
        finer.fill(1..ends + 1, 1..ends);
        let Finer { least, begins, .. } = finer;
        self.least = least;
        self.begins.push(begins);
        let mut parts = vec![];
        let mut end = ends;
        for begins in self.begins.iter().rev() {
            parts.push(begins[end]..end);
            end = begins[end];
        }
        parts.push(0..end);
        parts.reverse();
        parts
    }
}

/// The best partitions into one part more, as they are found.
struct Finer<'a, 'b> {
    of: &'a Partitions<'b>,
    least: Vec<f64>,
    begins: Vec<usize>,
}

impl Finer<'_, '_> {
    /// For each of `ends` the best begin of the last part, which lies in `begins`: the further the
    /// end, the further it is.
    fn fill(&mut self, ends: Range<usize>, begins: Range<usize>) {
        if ends.is_empty() {
            return;
        }
        let end = ends.start + ends.len() / 2;
        let mut best = (f64::INFINITY, begins.start);
        for begin in begins.start..begins.end.min(end) {
            let squares = self.of.least[begin] + self.of.cells.part(begin..end).squares;
            if squares < best.0 {
                best = (squares, begin);
            }
        }
        (self.least[end], self.begins[end]) = best;
        self.fill(ends.start..end, begins.start..best.1 + 1);
        self.fill(end + 1..ends.end, best.1..begins.end);
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// Normal with mean 0 and deviation 1, tails and all (Box and Muller 1958).
    fn normal(random: &mut Random) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - random.uniform())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * random.uniform())
    }

    /// In milliseconds, to the nanosecond.
    fn sorted(milliseconds: impl IntoIterator<Item = f64>) -> Vec<u64> {
        let ns = milliseconds.into_iter().map(|ms| (1e6 * ms).max(1.0) as u64);
        let mut ns = ns.collect::<Vec<_>>();
        ns.sort_unstable();
        ns
    }

    /// How many values each mode has, and before them how many are apart from all.
    fn sizes(modes: &[u32]) -> Vec<usize> {
        let most = modes.iter().copied().max().unwrap_or(0);
        (0..=most).map(|mode| modes.iter().filter(|of| **of == mode).count()).collect()
    }

    fn count(values: &[u64]) -> usize {
        sizes(&modes(values)).len() - 1
    }

    #[test]
    fn normal_durations_are_one_mode_in_300_of_300() {
        let sizes = [10, 20, 40, 100, 400, 3000];
        let deviations = [0.005, 0.01, 0.02, 0.03, 0.05];
        for seed in 0..300 {
            let mut random = Random::new(1100 + seed);
            let size = sizes[seed as usize % sizes.len()];
            let deviation = deviations[seed as usize / sizes.len() % deviations.len()];
            let values = sorted((0..size).map(|_| 1.0 + deviation * normal(&mut random)));
            assert_eq!(count(&values), 1, "{size} with {deviation}: seed {seed}");
        }
    }

    /// So many normal modes with that deviation, of a twentieth of `size` at least and of 6, whose
    /// means are 6 to 12 deviations apart.
    fn apart(size: usize, count: usize, deviation: f64, random: &mut Random) -> Vec<u64> {
        let shares = (0..count).map(|_| random.between(0.5, 1.5)).collect::<Vec<_>>();
        let all = shares.iter().sum::<f64>();
        let mut mean = 1.0;
        let mut values = vec![];
        for share in shares {
            mean += deviation * random.between(6.0, 12.0);
            let of_mode = ((share / all * size as f64) as usize).max(6);
            values.extend((0..of_mode).map(|_| mean + deviation * normal(random)));
        }
        sorted(values)
    }

    #[test]
    fn two_to_five_modes_six_deviations_apart_are_found_in_95_of_100() {
        let sizes = [20, 40, 100, 400, 3000];
        let right = |seed: u64| {
            let mut random = Random::new(2200 + seed);
            let size = sizes[seed as usize % sizes.len()];
            // Ten values are few enough for a mode.
            let made = 2 + random.below(4).min(size as u64 / 10 - 1) as usize;
            let deviation = random.pick(&[(0.002, 1.0), (0.005, 1.0), (0.01, 1.0), (0.02, 1.0)]);
            count(&apart(size, made, deviation, &mut random)) == made
        };
        let found = (0..200).filter(|seed| right(*seed)).count();
        assert!(found >= 190, "{found} of 200");
    }

    #[test]
    fn what_has_no_valley_is_one_mode_however_it_is_spread() {
        type Shape = (&'static str, fn(&mut Random, f64) -> f64);
        let shapes: [Shape; 9] = [
            ("uniform", |random, _| random.between(0.8, 1.2)),
            ("lognormal", |random, _| libm::exp(0.3 * normal(random))),
            ("an exponential tail", |random, _| 1.0 + random.exponential(0.1)),
            ("a long exponential tail", |random, _| 1.0 + random.exponential(1.0)),
            ("six decades", |random, _| libm::pow(10.0, random.between(-3.0, 3.0))),
            ("a drift", |random, place| 1.0 + 0.3 * place + 0.01 * normal(random)),
            ("some in a tail", |random, _| {
                let tail = if random.uniform() < 0.1 { random.exponential(0.3) } else { 0.0 };
                1.0 + 0.01 * normal(random) + tail
            }),
            ("half in a tail", |random, _| {
                let tail = if random.uniform() < 0.5 { random.exponential(0.1) } else { 0.0 };
                1.0 + 0.01 * normal(random) + tail
            }),
            ("some wider", |random, _| {
                1.0 + if random.uniform() < 0.2 { 0.1 } else { 0.01 } * normal(random)
            }),
        ];
        for (name, shape) in shapes {
            for seed in 0..8 {
                let mut random = Random::new(3300 + seed);
                let size = 3000;
                let places = (0..size).map(|place| f64::from(place) / f64::from(size));
                let values = sorted(places.map(|place| shape(&mut random, place)));
                assert_eq!(count(&values), 1, "{name}, seed {seed}");
            }
        }
    }

    #[test]
    fn four_ranks_four_percent_apart_are_four_modes() {
        let mut random = Random::new(44);
        let rank = |place: usize| libm::pow(1.04, (place % 4) as f64);
        let values =
            sorted((0..400).map(|place| rank(place) * (1.0 + 0.003 * normal(&mut random))));
        assert_eq!(sizes(&modes(&values)), [0, 100, 100, 100, 100]);
    }

    #[test]
    fn a_few_values_apart_are_no_mode_and_hide_none() {
        let mut random = Random::new(55);
        let mut around = |mean: f64, count: usize| {
            (0..count).map(|_| mean * (1.0 + 0.01 * normal(&mut random))).collect::<Vec<_>>()
        };
        let (all, few, enough) = (around(1.0, 2000), around(3.0, 40), around(3.0, 41));
        let with = |more: &[f64]| sizes(&modes(&sorted(all.iter().chain(more).copied())));
        assert_eq!(with(&[2.0]), [1, 2000], "one of twice the length");
        assert_eq!(with(&[0.5, 2.0, 4.0, 40.0, 41.0]), [5, 2000]);
        assert_eq!(with(&few), [40, 2000], "40 of 2040 are less than 2 %");
        assert_eq!(with(&enough).len(), 3, "41 of 2041 are more");
        assert_eq!(sizes(&modes(&[10, 10, 11, 11, 50, 50, 50, 51])), [0, 8], "none has five");
        assert_eq!(sizes(&modes(&[10, 10, 10, 11, 11, 50, 50, 51])), [3, 5]);
        let finer_has_none =
            [100_000, 100_001, 100_002, 110_000, 110_001, 900_000, 900_001, 900_002];
        assert_eq!(sizes(&modes(&finer_has_none)), [3, 5]);
    }

    #[test]
    fn equal_values_and_few_are_one_mode() {
        assert_eq!(modes(&[]), [0u32; 0]);
        assert_eq!(modes(&[7]), [1]);
        assert_eq!(modes(&[7, 700, 70_000]), [1; 3]);
        assert_eq!(modes(&[7; 40]), [1; 40]);
        assert_eq!(modes(&[u64::MAX; 6]), [1; 6]);
        assert_eq!(modes(&[1, 1, 1, 1, 1, u64::MAX, u64::MAX, u64::MAX])[4..6], [1, 0]);
        assert_eq!(modes(&[1, 1, 1, 1, 1, 2, u64::MAX / 2, u64::MAX, u64::MAX])[0], 1);
    }

    #[test]
    fn ticks_of_a_coarse_clock_are_no_modes() {
        let ticks = |counts: &[(u64, usize)], tick: u64| {
            let ticks = counts.iter().flat_map(|&(at, count)| vec![at * tick; count]);
            sizes(&modes(&ticks.collect::<Vec<_>>()))
        };
        assert_eq!(ticks(&[(100, 500), (101, 500)], 1000), [0, 1000]);
        assert_eq!(ticks(&[(2, 900), (3, 100)], 1_000_000), [0, 1000]);
        assert_eq!(ticks(&[(1, 300), (2, 400), (3, 300)], 10), [0, 1000]);
        assert_eq!(ticks(&[(2, 9), (3, 40), (4, 99), (5, 99), (6, 70), (7, 30)], 41), [0, 347]);
        assert_eq!(ticks(&[(1, 500), (2, 500)], 1000), [0, 500, 500], "twice is no tick");
        assert_eq!(ticks(&[(9, 250), (10, 250), (19, 250), (20, 250)], 10), [0, 500, 500]);
        assert_eq!(ticks(&[(1, 500), (1_000_000, 500)], 1), [0, 500, 500]);
    }

    #[test]
    fn zeros_are_a_mode_of_their_own_if_they_are_many() {
        assert_eq!(modes(&[0; 6]), [1; 6]);
        assert_eq!(modes(&[0, 0, 0, 0, 0, 9, 9, 9, 10, 10]), [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
        assert_eq!(modes(&[0, 9, 9, 9, 10, 10]), [0, 1, 1, 1, 1, 1]);
    }

    /// The least sum of squares of a partition into so many parts, each tried.
    fn least_squares(values: &[f64], parts: usize) -> f64 {
        let squares = |of: &[f64]| {
            let mean = of.iter().sum::<f64>() / of.len() as f64;
            of.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()
        };
        match parts {
            1 => squares(values),
            _ => (parts - 1..values.len())
                .map(|end| least_squares(&values[..end], parts - 1) + squares(&values[end..]))
                .fold(f64::INFINITY, f64::min),
        }
    }

    #[test]
    fn partitions_have_the_least_sum_of_squares_of_all() {
        let mut random = Random::new(66);
        for size in [2, 3, 7, 14] {
            let values = sorted((0..size).map(|_| libm::exp(normal(&mut random))));
            let logs = values.iter().map(|value| libm::log(*value as f64)).collect::<Vec<_>>();
            let cells = Cells::of(&values);
            let mut partitions = Partitions::of(&cells);
            for parts in 2..=size.min(5) {
                let found = partitions.finer().into_iter().map(|part| cells.part(part));
                let squares = found.map(|part| part.squares).sum::<f64>();
                let expected = least_squares(&logs, parts);
                assert!((squares - expected).abs() < 1e-9, "{parts} of {size}: {squares}");
            }
        }
    }

    #[test]
    fn two_modes_of_many_values_that_nearly_touch_are_found_beside_a_thin_tail() {
        let mut random = Random::new(77);
        let values = (0..200_000).map(|at| 1.0 + 0.062 * f64::from(at % 2));
        let values = values.map(|mean| mean + 0.01 * normal(&mut random)).collect::<Vec<_>>();
        // Every gap of it is wider than those between the modes.
        let tail = (0..400).map(|at| 1.097 + 0.045 * f64::from(at) / 400.0);
        let sizes = sizes(&modes(&sorted(values.into_iter().chain(tail))));
        // Beyond 3.1 deviations lies one in a thousand.
        assert!(sizes.len() == 3 && sizes[1].abs_diff(100_000) < 500, "{sizes:?}");
    }
}
