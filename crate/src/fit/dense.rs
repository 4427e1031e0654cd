//! Dense positive definite equations, by loops that give the same bytes on every machine.

/// The factor L of a symmetric matrix L L′, given and returned by rows; `None` if the matrix is not
/// positive definite. O(n³/3).
pub(super) fn factor(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    for row in 0..matrix.len() {
        let (above, below) = matrix.split_at_mut(row);
        let own = &mut below[0];
        for (column, other) in above.iter().enumerate() {
            let known = product(&own[..column], other);
            own[column] = (own[column] - known) / other[column];
        }
        let pivot = own[row] - product(&own[..row], &own[..row]);
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        own[row] = pivot.sqrt();
        own[row + 1..].fill(0.0);
    }
    Some(matrix)
}

/// The solution of `L L′ x = right`. O(n²).
pub(super) fn solve(factor: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut solution = right.to_vec();
    for (at, row) in factor.iter().enumerate() {
        solution[at] = (solution[at] - product(&solution[..at], row)) / row[at];
    }
    for (at, row) in factor.iter().enumerate().rev() {
        solution[at] /= row[at];
        let found = solution[at];
        solution[..at].iter_mut().zip(row).for_each(|(left, entry)| *left -= found * entry);
    }
    solution
}

pub(super) fn log_determinant(factor: &[Vec<f64>]) -> f64 {
    factor.iter().enumerate().map(|(at, row)| 2.0 * libm::log(row[at])).sum()
}

/// Over the shorter of the two.
fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_equations_are_solved_as_by_hand() {
        let matrix = vec![vec![4.0, 2.0], vec![2.0, 5.0]];
        let factor = factor(matrix).unwrap();
        assert_eq!(factor, [[2.0, 0.0], [1.0, 2.0]]);
        assert_eq!(solve(&factor, &[8.0, 12.0]), [1.0, 2.0]);
        assert!((log_determinant(&factor) - libm::log(16.0)).abs() < 1e-15);
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert_eq!(factor(vec![vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(factor(vec![vec![f64::NAN]]), None);
        assert_eq!(factor(vec![]), Some(vec![]));
    }
}
