/// The grid `x_j = j/(points − 1)`; `points` is at least 2.
pub fn grid(points: u32) -> Vec<f64> {
    (0..points).map(|j| f64::from(j) / f64::from(points - 1)).collect()
}
