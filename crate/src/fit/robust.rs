use crate::order;

/// Upper median of `values`, and the upper median of the distances from it (not scaled).
///
/// `None` for no values. O(n log n).
///
/// Source: Folding 1.4.2, which takes the upper of two middle values.
pub fn median_and_mad(values: &[f64]) -> Option<(f64, f64)> {
    let median = upper_median(values.to_vec())?;
    let distances = values.iter().map(|value| (value - median).abs()).collect();
    Some((median, upper_median(distances)?))
}

fn upper_median(mut values: Vec<f64>) -> Option<f64> {
    order::floats(&mut values);
    values.get(values.len() / 2).copied()
}

/// Mean of `values` and their standard deviation over n − 1; 0 for a single value.
///
/// `None` for no values.
pub fn mean_and_deviation(values: &[f64]) -> Option<(f64, f64)> {
    if values.is_empty() {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    Some((mean, (squares / (n - 1.0).max(1.0)).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_of_two_middle_values_is_taken() {
        assert_eq!(median_and_mad(&[4.0, 1.0, 3.0, 10.0]), Some((4.0, 3.0)));
        assert_eq!(median_and_mad(&[7.0]), Some((7.0, 0.0)));
        assert_eq!(median_and_mad(&[]), None);
    }

    #[test]
    fn deviation_divides_by_one_less() {
        assert_eq!(mean_and_deviation(&[1.0, 3.0]), Some((2.0, 2f64.sqrt())));
        assert_eq!(mean_and_deviation(&[5.0]), Some((5.0, 0.0)));
        assert_eq!(mean_and_deviation(&[]), None);
    }
}
