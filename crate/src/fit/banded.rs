/// Entries further than this from the diagonal are 0.
const HALF_BANDWIDTH: usize = 3;
/// A pivot below this share of the largest entry has lost all its digits.
const LOST: f64 = 1e-14;

/// A symmetric matrix with half-bandwidth 3: row `i` holds the entries `(i, i)` to `(i, i + 3)`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Banded(pub(super) Vec<[f64; HALF_BANDWIDTH + 1]>);

impl Banded {
    pub(super) fn zero(order: usize) -> Self {
        Self(vec![[0.0; HALF_BANDWIDTH + 1]; order])
    }

    /// Adds a dense symmetric block with its corner at `(at, at)`.
    pub(super) fn add_block(&mut self, at: usize, block: &[[f64; 4]; 4]) {
        for (i, row) in block.iter().enumerate() {
            for (sum, entry) in self.0[at + i].iter_mut().zip(&row[i..]) {
                *sum += entry;
            }
        }
    }

    /// `self + scale · other`, both of one order.
    pub(super) fn plus(&self, scale: f64, other: &Self) -> Self {
        let mut sum = self.clone();
        for (row, other) in sum.0.iter_mut().zip(&other.0) {
            row.iter_mut().zip(other).for_each(|(entry, other)| *entry += scale * other);
        }
        sum
    }

    /// The product with a vector. O(order).
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; vector.len()];
        for (i, row) in self.0.iter().enumerate() {
            product[i] += row[0] * vector[i];
            let beside = vector.len().min(i + HALF_BANDWIDTH + 1);
            for (j, entry) in (i + 1..beside).zip(&row[1..]) {
                product[i] += entry * vector[j];
                product[j] += entry * vector[i];
            }
        }
        product
    }

    /// The factors L D L′ of a positive definite matrix, in its place. O(order).
    pub(super) fn factor(mut self) -> Factor {
        let order = self.0.len();
        let most = self.0.iter().fold(0.0, |most: f64, row| most.max(row[0]));
        let mut is_lost = false;
        // A row and the three below it, those beyond the last being 0, are worked on in registers.
        let at = |rows: &[[f64; 4]], i: usize| rows.get(i).copied().unwrap_or_default();
        let mut next: [[f64; 4]; 3] = std::array::from_fn(|i| at(&self.0, i));
        for i in 0..order {
            let [[pivot, a, b, c], mut first, mut second] = next;
            let mut third = at(&self.0, i + 3);
            is_lost |= pivot < LOST * most;
            // Rounding can leave a pivot that is not above 0 where the matrix is all but singular.
            let pivot = pivot.max(f64::MIN_POSITIVE);
            let [la, lb, lc] = [a / pivot, b / pivot, c / pivot];
            self.0[i] = [pivot, la, lb, lc];
            first[0] -= la * a;
            first[1] -= la * b;
            first[2] -= la * c;
            second[0] -= lb * b;
            second[1] -= lb * c;
            third[0] -= lc * c;
            next = [first, second, third];
        }
        Factor(self.0, is_lost)
    }
}

/// L D L′ of a banded matrix: the pivot of each row and the multipliers of the three rows below it;
/// and whether a pivot was lost.
pub(super) struct Factor(Vec<[f64; HALF_BANDWIDTH + 1]>, bool);

impl Factor {
    /// The vector whose product with the matrix is `vector`. O(order).
    pub(super) fn solve(&self, mut vector: Vec<f64>) -> Vec<f64> {
        let at = |vector: &[f64], i: usize| vector.get(i).copied().unwrap_or_default();
        let mut next: [f64; 3] = std::array::from_fn(|i| at(&vector, i));
        for (i, [_, a, b, c]) in self.0.iter().enumerate() {
            let [value, first, second] = next;
            vector[i] = value;
            next = [first - a * value, second - b * value, at(&vector, i + 3) - c * value];
        }
        let [mut first, mut second, mut third] = [0.0; 3];
        for (value, [pivot, a, b, c]) in vector.iter_mut().zip(&self.0).rev() {
            *value = *value / pivot - a * first - b * second - c * third;
            [first, second, third] = [*value, first, second];
        }
        vector
    }

    /// Whether rounding left a pivot that says nothing: the matrix is all but singular.
    pub(super) fn is_lost(&self) -> bool {
        self.1
    }

    /// The entries of the inverse within the band. O(order).
    ///
    /// Source: Takahashi, Fagan and Chen 1973 (sparse inverse).
    pub(super) fn inverse(&self) -> Banded {
        let order = self.0.len();
        let mut inverse = Banded::zero(order);
        for (i, [pivot, below @ ..]) in self.0.iter().enumerate().rev() {
            for j in (i..order.min(i + HALF_BANDWIDTH + 1)).rev() {
                let of_below = (i + 1..order)
                    .zip(below)
                    .map(|(k, multiplier)| multiplier * inverse.0[k.min(j)][k.abs_diff(j)]);
                let sum = of_below.sum::<f64>();
                inverse.0[i][j - i] = if i == j { 1.0 / pivot - sum } else { -sum };
            }
        }
        inverse
    }

    pub(super) fn log_determinant(&self) -> f64 {
        // Four pivots at a time are far from overflow, and few logarithms are taken.
        let logs = self.0.chunks(4).map(|rows| rows.iter().map(|row| row[0]).product());
        logs.map(|product: f64| libm::log(product)).sum()
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Diagonally dominant, so positive definite.
    fn made_up(order: usize) -> Banded {
        let entry = |i: usize, d: usize| libm::sin((7 * i + 3 * d) as f64);
        let row = |i| [8.0 + entry(i, 0), entry(i, 1), entry(i, 2), entry(i, 3)];
        Banded((0..order).map(row).collect())
    }

    fn dense(banded: &Banded) -> DMatrix<f64> {
        let order = banded.0.len();
        DMatrix::from_fn(order, order, |i, j| {
            banded.0[i.min(j)].get(i.abs_diff(j)).copied().unwrap_or(0.0)
        })
    }

    #[test]
    fn products_solutions_and_determinants_are_those_of_the_dense_matrix() {
        for order in [1, 2, 3, 4, 5, 40] {
            let banded = made_up(order);
            let vector = (0..order).map(|i| libm::cos(i as f64)).collect::<Vec<_>>();
            let (matrix, right) = (dense(&banded), DVector::from_vec(vector.clone()));
            let product = DVector::from_vec(banded.times(&vector));
            assert!((product - &matrix * &right).amax() < 1e-12, "{order}");
            let factor = banded.factor();
            let (inverse, of_dense) = (factor.inverse(), matrix.clone().try_inverse().unwrap());
            let apart = (0..order).flat_map(|i| (i..order.min(i + 4)).map(move |j| (i, j)));
            for (i, j) in apart {
                assert!((inverse.0[i][j - i] - of_dense[(i, j)]).abs() < 1e-13, "{order} {i} {j}");
            }
            let expected = libm::log(matrix.determinant());
            assert!((factor.log_determinant() - expected).abs() < 1e-10, "{order}");
            let solved = DVector::from_vec(factor.solve(vector));
            assert!((solved - matrix.lu().solve(&right).unwrap()).amax() < 1e-13, "{order}");
        }
    }

    #[test]
    fn a_block_is_added_once_to_each_pair() {
        let mut banded = Banded::zero(6);
        let block = [
            [1.0, 2.0, 3.0, 4.0],
            [2.0, 5.0, 6.0, 7.0],
            [3.0, 6.0, 8.0, 9.0],
            [4.0, 7.0, 9.0, 10.0],
        ];
        banded.add_block(1, &block);
        let dense = dense(&banded.plus(1.0, &banded));
        for i in 0..6 {
            for j in 0..6 {
                let inside = (1..5).contains(&i) && (1..5).contains(&j);
                let expected = if inside { 2.0 * block[i - 1][j - 1] } else { 0.0 };
                assert_eq!(dense[(i, j)], expected, "{i} {j}");
            }
        }
    }
}
