//! Which samples of a counter its curve is fitted to.

use super::Select;
use crate::order;

/// For each sample, given by its folded time in the order of the trace, whether it is selected.
///
/// O(n log n).
///
/// Source: Folding 1.4.2, `-max-samples` and `-max-samples-distance`.
pub fn select(x: &[f64], choice: Select) -> Vec<bool> {
    match choice {
        Select::Distance(n) if (n as usize) < x.len() => nearest_to_even_places(x, n as usize),
        Select::First(n) => (0..x.len()).map(|index| index < n as usize).collect(),
        Select::All | Select::Distance(_) => vec![true; x.len()],
    }
}

/// Each of `n` places `(k + 1/2)/n`, in order, takes the nearest sample that is left; of two alike
/// the one that comes first in the trace.
fn nearest_to_even_places(x: &[f64], n: usize) -> Vec<bool> {
    let order = order::indices(x.iter().map(|&x| order::of_float(x)));
    let sorted = order.iter().map(|&index| x[index as usize]).collect::<Vec<_>>();
    let mut left = Left::all(x.len());
    let mut selected = vec![false; x.len()];
    for k in 0..n {
        // Written as the reference does, so that rounding decides alike.
        let place = k as f64 / n as f64 + 1.0 / (2.0 * n as f64);
        let split = sorted.partition_point(|&x| x < place);
        let above = left.at_or_after(split);
        // Of equal samples below, the first in the trace is the first of their run.
        let below = left.before(split).and_then(|last| {
            let run = sorted.partition_point(|&x| x < sorted[last]);
            left.at_or_after(run)
        });
        let distance = |at: usize| (sorted[at] - place).abs();
        let taken = match (below, above) {
            (Some(b), Some(a)) => {
                let first = distance(b) == distance(a) && order[b] < order[a];
                if distance(b) < distance(a) || first { b } else { a }
            }
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => break,
        };
        left.remove(taken);
        selected[order[taken] as usize] = true;
    }
    selected
}

/// Which places of a row are left, with the way to the nearest in either direction.
struct Left {
    /// For each place, itself if it is left, or one further on in the right direction.
    right: Vec<usize>,
    /// The same to the left, shifted by one: 0 means that none is left there.
    left: Vec<usize>,
}

impl Left {
    fn all(n: usize) -> Self {
        Self { right: (0..=n).collect(), left: (0..=n).collect() }
    }

    fn at_or_after(&mut self, place: usize) -> Option<usize> {
        let found = follow(&mut self.right, place);
        (found + 1 < self.right.len()).then_some(found)
    }

    fn before(&mut self, place: usize) -> Option<usize> {
        follow(&mut self.left, place).checked_sub(1)
    }

    fn remove(&mut self, place: usize) {
        self.right[place] = place + 1;
        self.left[place + 1] = place;
    }
}

/// Follows the way to its end, and shortens it for the next one.
fn follow(ways: &mut [usize], mut place: usize) -> usize {
    while ways[place] != place {
        ways[place] = ways[ways[place]];
        place = ways[place];
    }
    place
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// The definition: every place looks at every sample that is left.
    fn by_definition(x: &[f64], n: usize) -> Vec<bool> {
        let mut selected = vec![false; x.len()];
        for k in 0..n.min(x.len()) {
            let place = k as f64 / n as f64 + 1.0 / (2.0 * n as f64);
            let free = (0..x.len()).filter(|&index| !selected[index]);
            let nearest =
                free.min_by(|&a, &b| (x[a] - place).abs().total_cmp(&(x[b] - place).abs()));
            selected[nearest.unwrap()] = true;
        }
        selected
    }

    #[test]
    fn equals_its_definition_with_ties_and_clumps() {
        let mut random = Random::new(5);
        for (count, steps) in [(10, 4.0), (40, 16.0), (200, 1e6), (97, 8.0)] {
            let x =
                (0..count).map(|_| (random.uniform() * steps).floor() / steps).collect::<Vec<_>>();
            for n in [1, 3, 7, count / 2, count - 1] {
                let fast = select(&x, Select::Distance(n as u32));
                assert_eq!(fast, by_definition(&x, n), "{count} {n}");
                assert_eq!(fast.iter().filter(|taken| **taken).count(), n);
            }
        }
    }

    #[test]
    fn few_samples_are_all_taken() {
        assert_eq!(select(&[0.1, 0.2], Select::Distance(5)), [true, true]);
        assert_eq!(select(&[0.1, 0.2, 0.3], Select::First(2)), [true, true, false]);
    }
}
