//! The error of any statistic of a list, by leaving out one group of its values after the other.

/// The standard error of `statistic` of `values`, which are in the order of time: of the
/// delete-group jackknife, the larger one of groups dealt in turn (noise) and of contiguous ones
/// (drift). `statistic` is computed anew without each group, so that what it chooses (limits of
/// outliers) is chosen anew: choosing is a part of the error. `None` for fewer than two values or
/// groups. Costs twice as many statistics as groups.
///
/// Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 11.
pub fn standard_error(
    values: &[f64],
    groups: usize,
    statistic: impl Fn(&[f64]) -> f64,
) -> Option<f64> {
    let groups = groups.min(values.len());
    if groups < 2 {
        return None;
    }
    let in_turn = spread(values, groups, |at| at % groups, &statistic);
    let contiguous = spread(values, groups, |at| at * groups / values.len(), &statistic);
    Some(f64::max(in_turn, contiguous))
}

fn spread(
    values: &[f64],
    groups: usize,
    group_of: impl Fn(usize) -> usize,
    statistic: impl Fn(&[f64]) -> f64,
) -> f64 {
    let without = |group| {
        let rest = values.iter().enumerate().filter(|(at, _)| group_of(*at) != group);
        statistic(&rest.map(|(_, value)| *value).collect::<Vec<_>>())
    };
    let replicates = (0..groups).map(without).collect::<Vec<_>>();
    let count = groups as f64;
    let mean = replicates.iter().sum::<f64>() / count;
    let squares = replicates.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    ((count - 1.0) / count * squares).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn of_a_mean_with_single_values_it_is_the_textbook_error() {
        let values = [3.0, 5.0, 4.0, 9.0, 1.0, 2.0];
        let squares = values.iter().map(|value| (value - 4.0) * (value - 4.0)).sum::<f64>();
        let expected = (squares / 5.0 / 6.0).sqrt();
        let error = standard_error(&values, 20, mean).unwrap();
        assert!((error - expected).abs() < 1e-12, "{error} for {expected}");
    }

    #[test]
    fn drift_counts_though_groups_dealt_in_turn_do_not_see_it() {
        let values = (0..100).map(f64::from).collect::<Vec<_>>();
        let dealt = spread(&values, 10, |at| at % 10, mean);
        assert!(standard_error(&values, 10, mean).unwrap() > 5.0 * dealt);
    }

    #[test]
    fn one_value_has_no_error() {
        assert_eq!(standard_error(&[1.0], 20, mean), None);
        assert_eq!(standard_error(&[1.0, 2.0], 1, mean), None);
    }
}
