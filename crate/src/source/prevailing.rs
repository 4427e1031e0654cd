use super::runs::{Run, runs};
use crate::order;

/// Folded time is looked at in so many cells: half a per cent each.
const CELLS: f64 = 200.0;

/// Runs of the routine that most of the samples are in, cell by cell; in order and apart.
///
/// For samples of which only the innermost frame is known: routines that take turns have no caller
/// that could stand for them, and none of them a run of its own. `borders` lie round the samples,
/// `least` is the width of the shortest run. Two runs of one routine that are nearer than that to
/// each other are one. O(samples log samples).
pub fn prevailing(routines: &[u32], borders: &[f64], least: f64) -> Vec<Run> {
    let cell = |at: usize| ((borders[at] + borders[at + 1]) / 2.0 * CELLS) as usize;
    let samples = (0..routines.len()).collect::<Vec<_>>();
    let cells = samples.chunk_by(|a, b| cell(*a) == cell(*b));
    let winners = cells.flat_map(|cell| {
        let of_cell = cell.iter().map(|&at| routines[at]).collect::<Vec<_>>();
        vec![most(of_cell); cell.len()]
    });
    let winners = winners.collect::<Vec<_>>();
    let mut long = runs(&winners);
    long.retain(|run| borders[run.end] - borders[run.start] >= least);
    let mut found: Vec<Run> = vec![];
    for run in long {
        match found.last_mut() {
            Some(last)
                if last.context == run.context
                    && borders[run.start] - borders[last.end] < least =>
            {
                last.end = run.end;
            }
            _ => found.push(run),
        }
    }
    for run in &mut found {
        let inside = &routines[run.start..run.end];
        run.samples = inside.iter().filter(|routine| **routine == run.context).count() as u32;
    }
    found
}

/// The most frequent of them, the smallest of those alike.
fn most(mut routines: Vec<u32>) -> Option<u32> {
    order::by_number(&mut routines, |routine| u64::from(*routine));
    let frequent = routines.chunk_by(|a, b| a == b).rev().max_by_key(|alike| alike.len())?;
    frequent.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples at even distances, each a digit: runs as (first, last, routine, samples of it).
    fn found(digits: &str, least: f64) -> Vec<(usize, usize, u32, u32)> {
        let routines = digits.chars().map(|c| c.to_digit(10).unwrap()).collect::<Vec<_>>();
        let count = routines.len();
        let borders = (0..=count).map(|at| at as f64 / count as f64).collect::<Vec<_>>();
        let runs = prevailing(&routines, &borders, least);
        runs.iter().map(|run| (run.start, run.end - 1, run.context, run.samples)).collect()
    }

    #[test]
    fn of_routines_that_take_turns_the_most_sampled_one_prevails() {
        // Eight samples to a cell: 3 of 5 are routine 1 in the first half, 2 in the second.
        let digits = "11212112".repeat(100) + &"22122123".repeat(100);
        assert_eq!(found(&digits, 0.025), [(0, 799, 1, 500), (800, 1599, 2, 500)]);
    }

    #[test]
    fn what_is_brief_does_not_cut_a_run_and_has_none_of_its_own() {
        let digits = "1".repeat(800) + &"2".repeat(16) + &"1".repeat(784);
        assert_eq!(found(&digits, 0.025), [(0, 1599, 1, 1584)]);
        let between = "1".repeat(800) + &"2".repeat(16) + &"3".repeat(784);
        assert_eq!(found(&between, 0.025), [(0, 799, 1, 800), (816, 1599, 3, 784)]);
        // Of two as frequent the one of the smaller number.
        assert_eq!(found(&"21".repeat(800), 0.025), [(0, 1599, 1, 800)]);
        assert_eq!(found("", 0.025), []);
    }
}
