//! A distance for DBSCAN where none is given.

use crate::order;

/// Below this share of their range, durations are alike whatever their density says.
const LEAST_EPS: f64 = 0.005;

/// So many times the usual distance to the k-th neighbour is still dense.
const TIMES_MEDIAN: f64 = 3.0;

/// Below this, distances are as good as none; their logarithms need an end.
const NO_DISTANCE: f64 = 1e-12;

/// Eps for [`super::dbscan`] on the increasing `values`, scaled to 0..1: the largest of the
/// [`knee`] of the distances to the `min_points`-th value, three times their median, and 0.005.
///
/// In one dimension the knee alone splits the tails off. O(n log n).
pub fn automatic_eps(values: &[f64], min_points: usize) -> f64 {
    let mut distances = distances(values, min_points);
    order::floats(&mut distances);
    let median = distances.get(distances.len() / 2).copied().unwrap_or(0.0);
    let knee = knee(&distances).unwrap_or(0.0);
    knee.max(TIMES_MEDIAN * median).max(LEAST_EPS)
}

/// For each of the increasing `values` the distance within which `k` of them lie, itself counted;
/// of fewer values than `k`, all of them. O(n).
pub fn distances(values: &[f64], k: usize) -> Vec<f64> {
    let k = k.clamp(1, values.len().max(1));
    let mut first = 0;
    let of_value = |&value: &f64| {
        // The nearest k are neighbours in order, and move on with the value.
        while first + k < values.len() && values[first + k] - value < value - values[first] {
            first += 1;
        }
        (value - values[first]).max(values[first + k - 1] - value)
    };
    values.iter().map(of_value).collect()
}

/// Where the increasing `distances` bend: the one whose logarithm lies furthest from the chord of
/// them all, on the side of the small ones.
///
/// The distance to the k-th neighbour is small inside clusters and large among noise; drawn from
/// the largest down, it drops steeply and then runs flat. `None` of fewer than two. O(n).
///
/// Source: Ester et al. 1996, §4.2, where it is read by eye.
pub fn knee(distances: &[f64]) -> Option<f64> {
    let height = |distance: &f64| libm::log(distance.max(NO_DISTANCE));
    let (low, high) = (height(distances.first()?), height(distances.last()?));
    let last = (distances.len() - 1) as f64;
    if last == 0.0 {
        return None;
    }
    let mut best = (f64::NEG_INFINITY, None);
    // From the largest down: of two alike the larger is the knee.
    for (index, distance) in distances.iter().enumerate().rev() {
        let share = if high > low { (height(distance) - low) / (high - low) } else { 0.0 };
        let below_chord = index as f64 / last - share;
        if below_chord > best.0 {
            best = (below_chord, Some(*distance));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    #[test]
    fn the_distance_reaches_as_many_values_as_asked() {
        let values = [0.0, 1.0, 1.5, 4.0, 4.0, 9.0];
        assert_eq!(distances(&values, 1), [0.0; 6]);
        assert_eq!(distances(&values, 2), [1.0, 0.5, 0.5, 0.0, 0.0, 5.0]);
        assert_eq!(distances(&values, 3), [1.5, 1.0, 1.5, 2.5, 2.5, 5.0]);
        assert_eq!(distances(&values, 60), [9.0, 8.0, 7.5, 5.0, 5.0, 9.0]);
        assert_eq!(distances(&[], 3), [0.0; 0]);
    }

    #[test]
    fn the_distances_are_those_of_their_definition() {
        let mut random = Random::new(3);
        for steps in [5.0, 50.0, 1e6] {
            let mut values =
                (0..60).map(|_| (random.uniform() * steps).floor()).collect::<Vec<_>>();
            order::floats(&mut values);
            for k in [1, 2, 7, 60] {
                let by_definition = values.iter().map(|value| {
                    let mut all = values.iter().map(|v| (v - value).abs()).collect::<Vec<_>>();
                    order::floats(&mut all);
                    all[k - 1]
                });
                assert_eq!(distances(&values, k), by_definition.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_knee_is_where_the_curve_bends() {
        assert_eq!(knee(&[0.01, 0.011, 0.012, 0.013, 0.9, 1.0]), Some(0.013));
        assert_eq!(knee(&[0.3; 4]), Some(0.3));
        assert_eq!(knee(&[0.3]), None);
        assert_eq!(knee(&[]), None);
    }

    #[test]
    fn eps_is_never_so_small_that_like_durations_fall_apart() {
        assert_eq!(automatic_eps(&[0.0, 1e-6, 2e-6, 3e-6, 1.0], 3), LEAST_EPS);
        assert_eq!(automatic_eps(&[], 3), LEAST_EPS);
        let even = (0..11).map(|tenth| f64::from(tenth) / 10.0).collect::<Vec<_>>();
        assert!((automatic_eps(&even, 3) - 0.3).abs() < 1e-12);
    }
}
