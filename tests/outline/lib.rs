//! for x in y {
pub(crate) fn total(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for value in values {
        sum += value;
    }
    'outer: loop {
        while sum > 1.0 {
            sum /= 2.0;
        }
        break 'outer;
    }
    sum
}
