//! How far the samples of a region can be trusted to tell of all of it.

use crate::fit;

/// Cells of the strip that shows where samples are.
pub const DENSITY_CELLS: usize = 200;

/// How many of the folded times `x` (within 0 to 1) lie in each of `cells` equal cells.
pub fn density(x: &[f64], cells: usize) -> Vec<u32> {
    let mut counts = vec![0; cells];
    for x in x {
        counts[((x * cells as f64) as usize).min(cells - 1)] += 1;
    }
    counts
}

/// A curve needs so many samples wherever it shows a detail.
const NEEDED: usize = 3;

/// A jump of the rate is drawn over so many times the resolution of a spline (10 to 90 %).
const WIDTH_OF_A_JUMP: f64 = 2.83;

/// Stretches of folded time in which the samples at `x` (increasing) are too few for the detail
/// that a curve of this `resolution` shows: fewer than three within the width of a jump.
///
/// `[start, end]`, disjoint, in order. Local, because samples may come from the overflow of a
/// counter and be dense where it counts much. O(samples).
///
/// Source: the width of a smoothed step in terms of the bandwidth (equivalent kernel of a cubic
/// smoothing spline, Silverman 1984).
pub fn sparse(x: &[f64], resolution: f64) -> Vec<[f64; 2]> {
    let width = (WIDTH_OF_A_JUMP * resolution).min(1.0);
    if x.len() < NEEDED {
        return vec![[0.0, 1.0]];
    }
    // At the ends, where curves are fixed, the corner stands for samples.
    let ends = [[0.0; NEEDED - 1], [1.0; NEEDED - 1]];
    let x = [&ends[0][..], x, &ends[1][..]].concat();
    let mut found: Vec<[f64; 2]> = Vec::new();
    for window in x.windows(NEEDED) {
        let [start, .., end] = *window else { continue };
        if end - start <= width {
            continue;
        }
        match found.last_mut() {
            Some(last) if start <= last[1] => last[1] = end,
            _ => found.push([start, end]),
        }
    }
    found
}

/// Samples to a cell, on average, when it is judged how evenly they lie.
const PER_CELL: usize = 10;
const CELLS: std::ops::RangeInclusive<usize> = 10..=100;

/// Whether a sampler that fires by time fired always at the same few places of the region, so that
/// folding cannot fill in what lies between.
///
/// `x`: the folded times; `gaps_ns`: times from each sample to the next. By time: the gaps scatter
/// by less than a quarter of their median. At the same places: of 10 to 100 cells a quarter hold
/// less than a quarter of their share, and the counts scatter five times as much as chance does
/// (variance over mean; under chance 1, with several samples an instance less).
pub fn locked(x: &[f64], gaps_ns: &[f64]) -> bool {
    let by_time = fit::median_and_mad(gaps_ns).is_some_and(|(median, mad)| mad < 0.25 * median);
    if !by_time || x.len() < PER_CELL * CELLS.start() {
        return false;
    }
    let counts = density(x, (x.len() / PER_CELL).clamp(*CELLS.start(), *CELLS.end()));
    let mean = x.len() as f64 / counts.len() as f64;
    let scatter = counts.iter().map(|&count| (f64::from(count) - mean) * (f64::from(count) - mean));
    let dispersion = scatter.sum::<f64>() / mean / (counts.len() - 1) as f64;
    let nearly_empty = counts.iter().filter(|count| f64::from(**count) < 0.25 * mean).count();
    dispersion > 5.0 && 4 * nearly_empty >= counts.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evenly(n: usize) -> Vec<f64> {
        (0..n).map(|k| (k as f64 + 0.5) / n as f64).collect()
    }

    #[test]
    fn each_sample_is_counted_in_its_cell() {
        assert_eq!(density(&[0.0, 0.1, 0.5, 0.999, 1.0], 4), [2, 0, 1, 2]);
    }

    #[test]
    fn a_stretch_without_samples_is_too_sparse_for_a_fine_curve_and_not_for_a_coarse_one() {
        let mut x = evenly(1000);
        assert_eq!(sparse(&x, 0.01), [[0.0; 2]; 0]);
        x.retain(|x| !(0.4..0.5).contains(x));
        let [[start, end]] = sparse(&x, 0.01)[..] else { panic!() };
        assert!((start - 0.4).abs() < 0.005 && (end - 0.5).abs() < 0.005, "{start} {end}");
        assert_eq!(sparse(&x, 0.05), [[0.0; 2]; 0]);
        assert_eq!(sparse(&[0.5], 0.3), [[0.0, 1.0]]);
        let late = sparse(&x[500..], 0.01);
        assert_eq!(late[0][0], 0.0, "no sample in the first half: {late:?}");
    }

    #[test]
    fn samples_at_always_the_same_places_are_locked() {
        let places = |k: usize| 0.05 + 0.1 * (k % 10) as f64;
        let x = (0..1000).map(places).collect::<Vec<_>>();
        let regular = vec![1000.0; 999];
        assert!(locked(&x, &regular));
        assert!(!locked(&evenly(1000), &regular), "evenly spread");
        let by_events = (0..999).map(|k| f64::from(1 + k % 10)).collect::<Vec<_>>();
        assert!(!locked(&x, &by_events), "not by time");
        assert!(!locked(&x[..50], &regular), "too few to tell");
    }
}
