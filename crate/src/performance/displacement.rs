use crate::fit;

/// Where the rate is under this share of its mean, a difference in events says nothing of time.
const SLOWEST: f64 = 0.1;

/// By how much the samples (`x`, `y`) of a counter lie beside its curve in time, as a share of the
/// region (root mean square): `(y − f(x)) / f′(x)`.
///
/// `fitted` is the curve on an even grid over 0 to 1. What remains after normalising by duration:
/// phases that are longer in one instance than in another. `None` without samples at which the
/// counter counts.
pub fn displacement(x: &[f64], y: &[f64], fitted: &[f64]) -> Option<f64> {
    let cells = fitted.len().checked_sub(1).filter(|cells| *cells > 0)?;
    let (mut squares, mut count) = (0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let at = x * cells as f64;
        let cell = (at as usize).min(cells - 1);
        let (before, after) = (fitted[cell], fitted[cell + 1]);
        let slope = (after - before) * cells as f64;
        if slope >= SLOWEST {
            let beside = (y - before - (after - before) * (at - cell as f64)) / slope;
            squares += beside * beside;
            count += 1.0;
        }
    }
    (count > 0.0).then(|| (squares / count).sqrt())
}

/// Phases that move by more than this share of the region from instance to instance are blurred.
const BLURRED: f64 = 0.003;

/// Whether phases are found sharper over instructions than over time: they move in time, and
/// instances differ far less in how many instructions they take.
///
/// `totals`: the instructions of each instance; what scatters is their median absolute deviation
/// over their median.
pub fn is_sharper_over_instructions(displacement: f64, totals: &[f64]) -> bool {
    let scatter = fit::median_and_mad(totals).map(|(median, mad)| mad / median);
    displacement > BLURRED && scatter.is_some_and(|scatter| scatter < displacement / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_that_is_late_by_a_hundredth_lies_a_hundredth_beside() {
        let fitted = (0..=100).map(|j| f64::from(j) / 100.0).collect::<Vec<_>>();
        let x = [0.2, 0.5, 0.9];
        let late = x.map(|x| x - 0.01);
        assert!((displacement(&x, &late, &fitted).unwrap() - 0.01).abs() < 1e-12);
        assert_eq!(displacement(&x, &x, &[0.5, 0.5]), None, "it never counts");
        assert_eq!(displacement(&[], &[], &fitted), None);
    }

    #[test]
    fn instructions_help_where_time_moves_and_counts_do_not() {
        let scattered = |by: f64| [1e6 * (1.0 - by), 1e6, 1e6 * (1.0 + by)];
        assert!(is_sharper_over_instructions(0.01, &scattered(0.001)));
        assert!(!is_sharper_over_instructions(0.01, &scattered(0.005)));
        assert!(!is_sharper_over_instructions(0.001, &scattered(0.0001)));
        assert!(!is_sharper_over_instructions(0.01, &[]));
    }
}
