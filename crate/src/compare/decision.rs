//! Which of many changes are both significant and relevant.

use crate::fit;
use crate::order;

/// A change of one quantity from side A to side B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// ln(B/A).
    pub log: f64,
    /// Of `log`; above 0.
    pub variance: f64,
    /// Degrees of freedom of `variance`, fractions included; infinity if it is known.
    pub degrees: f64,
}

impl Change {
    /// The p value of "the true change is at most `least` (a logarithm, not negative) either way":
    /// one test for significant and relevant, 1 where the change itself is not beyond `least`.
    ///
    /// Source: Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority,
    /// on relevant differences.
    pub fn p_beyond(&self, least: f64) -> f64 {
        let (size, deviation) = (self.log.abs(), self.variance.sqrt());
        if size <= least {
            return 1.0;
        }
        let tail = |distance: f64| fit::student_tail(distance / deviation, self.degrees);
        (tail(size - least) + tail(size + least)).min(1.0)
    }

    /// The 95 % interval of `log`.
    pub fn interval(&self) -> [f64; 2] {
        let half_width = fit::student_exceeded(0.025, self.degrees) * self.variance.sqrt();
        [self.log - half_width, self.log + half_width]
    }
}

/// Which hypotheses fall if not even one may fall wrongly, but with probability `level`. In the
/// order of `p`, which holds no NaN.
///
/// Source: Holm 1979, A simple sequentially rejective multiple test procedure.
pub fn holm(p: &[f64], level: f64) -> Vec<bool> {
    let order = ascending(p);
    let falls = |(rank, at): &(usize, &usize)| p[**at] <= level / (p.len() - rank) as f64;
    let falling = order.iter().enumerate().take_while(falls).count();
    first(&order, falling)
}

/// Which hypotheses fall if a share of `level` of those that fall may do so wrongly. In the order
/// of `p`, which holds no NaN.
///
/// Source: Benjamini and Hochberg 1995, Controlling the false discovery rate.
pub fn benjamini_hochberg(p: &[f64], level: f64) -> Vec<bool> {
    let order = ascending(p);
    let falls = |rank: &usize| p[order[*rank]] <= level * (rank + 1) as f64 / p.len() as f64;
    let falling = (0..p.len()).rev().find(falls).map_or(0, |last| last + 1);
    first(&order, falling)
}

/// Places by ascending `p`; equal ones as they stand.
fn ascending(p: &[f64]) -> Vec<usize> {
    order::indices(p.iter().copied().map(order::of_float))
        .into_iter()
        .map(|at| at as usize)
        .collect()
}

fn first(order: &[usize], count: usize) -> Vec<bool> {
    let mut chosen = vec![false; order.len()];
    order[..count].iter().for_each(|at| chosen[*at] = true);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: f64 = f64::INFINITY;

    #[test]
    fn holm_goes_on_until_the_first_that_stands() {
        // Levels in turn: 0.05/4, 0.05/3, 0.05/2, 0.05.
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
        assert_eq!(holm(&[0.013, 0.001, 0.02, 0.03], 0.05), [true; 4]);
        assert_eq!(holm(&[0.02, 0.02, 0.02], 0.05), [false; 3]);
        assert!(holm(&[], 0.05).is_empty());
    }

    #[test]
    fn benjamini_and_hochberg_go_back_from_the_last_that_falls() {
        assert_eq!(benjamini_hochberg(&[0.04, 0.045, 0.05], 0.05), [true; 3]);
        let mixed = [0.2, 0.01, 0.02, 0.9, 0.04];
        assert_eq!(benjamini_hochberg(&mixed, 0.05), [false, true, true, false, false]);
        assert!(benjamini_hochberg(&[], 0.05).is_empty());
    }

    #[test]
    fn without_a_least_change_the_test_is_the_usual_one_of_two_sides() {
        let change = Change { log: 1.959_963_984_540_054, variance: 1.0, degrees: KNOWN };
        assert!((change.p_beyond(0.0) - 0.05).abs() < 1e-12);
        assert!(change.interval()[0].abs() < 1e-9);
    }

    #[test]
    fn a_change_that_is_not_relevant_is_never_significant() {
        let sure = Change { log: 0.009, variance: 1e-12, degrees: 30.0 };
        assert_eq!(sure.p_beyond(0.01), 1.0);
        assert!(sure.p_beyond(0.005) < 1e-6);
    }

    #[test]
    fn the_other_way_round_is_the_mirror() {
        let there = Change { log: 0.07, variance: 0.0004, degrees: 5.5 };
        let back = Change { log: -0.07, ..there };
        assert_eq!(there.p_beyond(0.01), back.p_beyond(0.01));
        let [low, high] = back.interval();
        assert_eq!(there.interval(), [-high, -low]);
    }
}
