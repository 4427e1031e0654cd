use super::{Observation, lambda_by_reml, smooth};
use crate::order;

/// Fewer levels than this do not tell where they begin and end.
const FEWEST: usize = 10;

/// What a counter that rises through an instance reads at its begin (0) and its end (1), judged by
/// `levels`, pairs of a place in 0..=1 and what was read there, of many instances and in any order:
/// the ends of a smooth curve that nothing holds there.
///
/// A register that is refreshed now and then reads late everywhere; so its reading at a border says
/// less of the border than all readings together. `None` of fewer than 10 levels. O(n log n).
pub fn ends_of_levels(levels: &[(f64, f64)]) -> Option<[f64; 2]> {
    let largest = levels.iter().map(|(_, level)| level.abs()).fold(0.0, f64::max);
    if levels.len() < FEWEST || largest == 0.0 {
        return None;
    }
    // Shares, as the search for λ expects them.
    let point = |&(x, level): &(f64, f64)| Observation { x, y: level / largest, weight: 1.0 };
    let mut points = levels.iter().map(point).collect::<Vec<_>>();
    order::by_number(&mut points, |point| order::of_float(point.x));
    // Without any noise the curve through the points is as good as any.
    let lambda = lambda_by_reml(&points).unwrap_or(f64::EPSILON);
    let curve = smooth(&points, lambda, &[0.0, 1.0])?;
    let ends = [curve.values.first()? * largest, curve.values.last()? * largest];
    ends.iter().all(|end| end.is_finite()).then_some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_where_the_levels_lead_to() {
        let even = |count: i32| (0..count).map(move |j| (f64::from(j) + 0.5) / f64::from(count));
        let line = even(40).map(|x| (x, 3e9 + 5e9 * x)).collect::<Vec<_>>();
        let [begin, end] = ends_of_levels(&line).unwrap();
        assert!((begin - 3e9).abs() < 1e3 && (end - 8e9).abs() < 1e3, "{begin} {end}");
        // Two rates, and a noise of a hundredth that is not one-sided.
        let noisy = even(400).enumerate().map(|(number, x)| {
            let noise = if number % 2 == 0 { 0.01 } else { -0.01 };
            (x, -0.2 + if x < 0.4 { x } else { 2.0 * x - 0.4 } + noise)
        });
        let [begin, end] = ends_of_levels(&noisy.collect::<Vec<_>>()).unwrap();
        assert!((begin + 0.2).abs() < 0.01 && (end - 1.4).abs() < 0.01, "{begin} {end}");
    }

    #[test]
    fn few_levels_or_none_above_zero_tell_nothing() {
        assert_eq!(ends_of_levels(&[(0.5, 1.0); 9]), None);
        assert_eq!(ends_of_levels(&[(0.5, 0.0); 50]), None);
        // All at one place: whatever comes out is finite, or nothing.
        let ends = ends_of_levels(&[(0.5, 1.0); 50]);
        assert!(ends.is_none_or(|ends| ends.iter().all(|end| end.is_finite())));
    }
}
