//! Means over seeds, and how far apart two of them may be by chance.

/// Mean and standard deviation (n − 1).
pub fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (n - 1.0)).sqrt())
}

/// How many standard errors the mean of `values` is from one over `runs` runs that spread alike.
pub fn standard_errors(values: &[f64], other: f64, runs: f64) -> f64 {
    let (mean, deviation) = mean_and_deviation(values);
    (mean - other).abs() / (deviation * (1.0 / values.len() as f64 + 1.0 / runs).sqrt())
}
