//! How much a fit changes when a group of instances is left out.

use super::intervals::Intervals;
use super::solution::Solution;
use super::values::{on_line, rising};

/// Sums over replicates, each without one group, of how far they are from the full fit: slopes of
/// every counter, breaks, curves of every counter.
pub struct Jackknife<'a> {
    full: &'a Solution,
    grid: &'a [f64],
    of_full: Vec<f64>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    count: usize,
}

impl<'a> Jackknife<'a> {
    pub fn new(full: &'a Solution, grid: &'a [f64]) -> Jackknife<'a> {
        let of_full = numbers(full, grid);
        let (sums, squares) = (vec![0.0; of_full.len()], vec![0.0; of_full.len()]);
        Jackknife { full, grid, of_full, sums, squares, count: 0 }
    }

    /// Number of replicates.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn add(&mut self, replicate: Solution) {
        let numbers = numbers(&replicate, self.grid);
        let sums = self.sums.iter_mut().zip(&mut self.squares);
        for ((sum, square), (number, full)) in sums.zip(numbers.iter().zip(&self.of_full)) {
            let change = number - full;
            *sum += change;
            *square += change * change;
        }
        self.count += 1;
    }

    /// Deviations `√((K − 1)/K Σ (f − mean)²)` over the K replicates, times `quantile`.
    pub fn half_widths(&self, quantile: f64) -> Intervals {
        let count = self.count as f64;
        let widths = self.sums.iter().zip(&self.squares).map(|(sum, square)| {
            let squares_around_mean = (square - sum * sum / count).max(0.0);
            quantile * ((count - 1.0) / count * squares_around_mean).sqrt()
        });
        let widths = widths.collect::<Vec<_>>();
        let (segments, counters) = (self.full.breaks() + 1, self.full.counters.len());
        let (slopes, rest) = widths.split_at(segments * counters);
        let (breaks, curves) = rest.split_at(segments - 1);
        let by_counter = |numbers: &[f64], each: usize| {
            (0..counters).map(|at| numbers[at * each..(at + 1) * each].to_vec()).collect()
        };
        Intervals {
            slopes: by_counter(slopes, segments),
            breaks: breaks.to_vec(),
            curves: by_counter(curves, self.grid.len()),
        }
    }
}

fn numbers(solution: &Solution, grid: &[f64]) -> Vec<f64> {
    let knots = &solution.knots;
    let slopes = solution.counters.iter().flat_map(|of| of.slopes(knots));
    let mut numbers = slopes.collect::<Vec<_>>();
    numbers.extend_from_slice(&knots[1..knots.len() - 1]);
    for of in &solution.counters {
        numbers.extend(on_line(knots, &rising(knots, &of.z), grid));
    }
    numbers
}
