//! Breaks that were found, beside those that are there.

/// The share of the true breaks that were found within a distance, and how many more were found.
/// Each found break stands for one true break at most.
pub fn recall(found: &[f64], truth: &[f64], within: f64) -> (f64, f64) {
    let mut left = found.to_vec();
    for place in truth {
        let near = (0..left.len()).filter(|&k| (left[k] - place).abs() < within);
        let distance = |k: usize| (left[k] - place).abs();
        if let Some(nearest) = near.min_by(|&a, &b| distance(a).total_cmp(&distance(b))) {
            left.remove(nearest);
        }
    }
    let hits = found.len() - left.len();
    (hits as f64 / truth.len() as f64, left.len() as f64)
}

/// Whether there are as many as there should be, each within a distance of its own.
pub fn found_within(found: &[f64], truth: &[f64], within: f64) -> bool {
    let near = |(found, place): (&f64, &f64)| (found - place).abs() < within;
    found.len() == truth.len() && found.iter().zip(truth).all(near)
}
