use super::solution::Solution;
use super::sums::Sums;
use super::{Sample, Samples};

/// Shortest segment that a person can make, as a share of the instance.
const SHORTEST: f64 = 1e-4;

/// Where the segments of a region begin and end: 0, the breaks, 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Knots(Vec<f64>);

impl Knots {
    /// Knots at breaks that someone has chosen; they rise, and no two of them, nor one and an end,
    /// are closer than a ten-thousandth of the instance, or it is `None`. No breaks are one
    /// segment.
    pub fn new(breaks: &[f64]) -> Option<Knots> {
        let mut knots = Vec::with_capacity(breaks.len() + 2);
        knots.push(0.0);
        knots.extend_from_slice(breaks);
        knots.push(1.0);
        let apart = |pair: &[f64]| pair[1] - pair[0] >= SHORTEST;
        knots.windows(2).all(apart).then_some(Knots(knots))
    }

    /// One segment.
    pub fn none() -> Knots {
        Knots(vec![0.0, 1.0])
    }

    pub(super) fn found(knots: Vec<f64>) -> Knots {
        Knots(knots)
    }

    /// From 0 to 1, both included.
    pub fn places(&self) -> &[f64] {
        &self.0
    }

    /// The inner knots.
    pub fn breaks(&self) -> &[f64] {
        self.0.get(1..self.0.len().saturating_sub(1)).unwrap_or_default()
    }

    /// A counter's values at these knots, from 0 to 1 and never falling: the least squares fit,
    /// clipped to 0..=1, and where it falls the largest value so far.
    ///
    /// A stretch without samples of this counter is a straight line; a counter without samples is
    /// one all over. O(n + knots log n).
    pub fn values(&self, samples: &Samples) -> Vec<f64> {
        let solution = Solution::at(&[Sums::new(samples.iter())], self.0.clone());
        solution.counters.first().map(|of| rising(&self.0, &of.z)).unwrap_or_default()
    }

    /// The straight lines between `values` at these knots, at each of `places`.
    pub fn line(&self, values: &[f64], places: &[f64]) -> Vec<f64> {
        on_line(&self.0, values, places)
    }
}

/// Values in 0..=1 that never fall, from `z = y − x` at the knots.
pub fn rising(knots: &[f64], z: &[f64]) -> Vec<f64> {
    let mut largest = 0.0;
    let values = knots.iter().zip(z).map(|(x, z)| {
        largest = f64::max(largest, (x + z).clamp(0.0, 1.0));
        largest
    });
    values.collect()
}

/// Σ of squared distances of samples by rising `x` from the broken line through `knots` and
/// `values`. O(n + knots).
pub fn squared_distance(samples: &[Sample], knots: &[f64], values: &[f64]) -> f64 {
    let mut pieces = knots.windows(2).zip(values.windows(2)).peekable();
    let mut sum = 0.0;
    for &Sample { x, y, .. } in samples {
        while pieces.peek().is_some_and(|(knots, _)| knots[1] < x) {
            pieces.next();
        }
        let Some((knots, values)) = pieces.peek() else { break };
        let slope = (values[1] - values[0]) / (knots[1] - knots[0]);
        let distance = y - (values[0] + slope * (x - knots[0]));
        sum += distance * distance;
    }
    sum
}

/// The broken line through `knots` and `values` at rising places in 0..=1.
pub fn on_line(knots: &[f64], values: &[f64], places: &[f64]) -> Vec<f64> {
    let mut pieces = knots.windows(2).zip(values.windows(2)).peekable();
    let of_place = |&place: &f64| {
        while pieces.peek().is_some_and(|(knots, _)| knots[1] < place && knots[1] < 1.0) {
            pieces.next();
        }
        pieces.peek().map_or(0.0, |(knots, values)| {
            let slope = (values[1] - values[0]) / (knots[1] - knots[0]);
            values[0] + slope * (place - knots[0])
        })
    };
    places.iter().map(of_place).collect()
}
