//! Symmetric positive definite tridiagonal systems, and what the joint fit asks of their inverse
//! without ever forming it: O(size), where nalgebra has dense factors alone.

/// A symmetric matrix with one diagonal on either side of the main one.
#[derive(Clone, Debug, Default)]
pub struct Tridiagonal {
    pub diagonal: Vec<f64>,
    /// Entry `i` couples rows `i` and `i + 1`; as long as the diagonal, the last is 0.
    pub off: Vec<f64>,
}

/// A positive definite [`Tridiagonal`] as `L D Lᵀ`, `L` with ones on its diagonal.
#[derive(Clone, Debug, Default)]
pub struct Factored {
    /// `D`.
    pivots: Vec<f64>,
    /// Entry `i` of `L` below its diagonal, in column `i`; the last is 0.
    below: Vec<f64>,
}

impl Tridiagonal {
    pub fn with_capacity(size: usize) -> Tridiagonal {
        Tridiagonal { diagonal: Vec::with_capacity(size), off: Vec::with_capacity(size) }
    }

    pub fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// Its product with a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut product = self.diagonal.iter().zip(vector).map(|(d, x)| d * x).collect::<Vec<_>>();
        for i in 1..product.len() {
            product[i - 1] += self.off[i - 1] * vector[i];
            product[i] += self.off[i - 1] * vector[i - 1];
        }
        product
    }

    pub fn factored(&self) -> Factored {
        let mut pivots = self.diagonal.clone();
        let mut below = vec![0.0; pivots.len()];
        for i in 0..pivots.len().saturating_sub(1) {
            below[i] = self.off[i] / pivots[i];
            pivots[i + 1] -= below[i] * self.off[i];
        }
        Factored { pivots, below }
    }

    /// The pivots when rows are eliminated from the last to the first.
    pub fn pivots_from_below(&self) -> Vec<f64> {
        let mut pivots = self.diagonal.clone();
        for i in (1..pivots.len()).rev() {
            pivots[i - 1] -= self.off[i - 1] * self.off[i - 1] / pivots[i];
        }
        pivots
    }
}

impl Factored {
    /// The pivots when rows are eliminated from the first to the last.
    pub fn pivots(&self) -> &[f64] {
        &self.pivots
    }

    /// Solves the system for one right-hand side, in its place.
    pub fn solve(&self, right: &mut [f64]) {
        for i in 1..right.len() {
            right[i] -= self.below[i - 1] * right[i - 1];
        }
        for i in (0..right.len()).rev() {
            let after = right.get(i + 1).copied().unwrap_or(0.0);
            right[i] = right[i] / self.pivots[i] - self.below[i] * after;
        }
    }

    /// Subtracts `weight × C V⁻¹ C` from the upper triangle of `into`, where `V` is this matrix and
    /// `C` is of its size. O(size²) with two products for each entry.
    ///
    /// With `Y = L⁻¹ C` the product is `Yᵀ D⁻¹ Y`. Below the diagonals of `C` each row of `Y` is a
    /// multiple of the row before, so all rows below one are summed up once (`tail`), and an entry
    /// far from the diagonal is an entry of `Y` times a number of its column.
    pub fn subtract_sandwiched(&self, c: &Tridiagonal, weight: f64, into: &mut Upper) {
        let size = c.len();
        let (below, pivots) = (&self.below, &self.pivots);
        // tail[i]: Σ over rows from i on of (multiple of row i)² / D.
        let mut tail = vec![0.0; size + 1];
        for i in (0..size).rev() {
            tail[i] = 1.0 / pivots[i] + below[i] * below[i] * tail[i + 1];
        }
        // Rows j−1, j and j+1 of column j of Y, each times what rows of other columns meet there.
        let columns = (0..size).map(|j| {
            let above = if j > 0 { c.off[j - 1] } else { 0.0 };
            let middle = c.diagonal[j] - if j > 0 { below[j - 1] * above } else { 0.0 };
            let under = c.off[j] - below[j] * middle;
            let scaled_above = if j > 0 { above / pivots[j - 1] } else { 0.0 };
            ([above, middle, under], [scaled_above, middle / pivots[j], under * tail[j + 1]])
        });
        let columns = columns.collect::<Vec<_>>();
        // What an entry of Y in row j−1 of a column far to the left contributes to column j.
        let far = columns.iter().enumerate().map(|(j, (_, [above, middle, under]))| {
            if j == 0 { 0.0 } else { above - below[j - 1] * (middle - below[j] * under) }
        });
        let far = far.collect::<Vec<_>>();
        for (i, ([above, middle, under], scaled)) in columns.iter().enumerate() {
            let row = into.row(i);
            row[0] -= weight * (above * scaled[0] + middle * scaled[1] + under * scaled[2]);
            let Some((_, next)) = columns.get(i + 1) else { continue };
            let following = -below[i + 1] * under;
            row[1] -= weight * (middle * next[0] + under * next[1] + following * next[2]);
            // y: row j−1 of column i of Y.
            let mut y = weight * under;
            for ((entry, far), below) in row[2..].iter_mut().zip(&far[i + 2..]).zip(&below[i + 1..])
            {
                *entry -= y * far;
                y *= -below;
            }
        }
    }
}

/// The upper triangle of a symmetric matrix, row by row.
#[derive(Clone, Debug)]
pub struct Upper {
    size: usize,
    entries: Vec<f64>,
}

impl Upper {
    pub fn zero(size: usize) -> Upper {
        Upper { size, entries: vec![0.0; size * size] }
    }

    /// Row `i` from its diagonal on.
    pub fn row(&mut self, i: usize) -> &mut [f64] {
        &mut self.entries[i * self.size + i..(i + 1) * self.size]
    }

    /// Adds `weight × matrix`.
    pub fn add(&mut self, matrix: &Tridiagonal, weight: f64) {
        for i in 0..self.size {
            let row = self.row(i);
            row[0] += weight * matrix.diagonal[i];
            if let Some(next) = row.get_mut(1) {
                *next += weight * matrix.off[i];
            }
        }
    }

    /// Adds to each entry of the diagonal a share of itself, and a little.
    pub fn with_ridge(&self, share: f64) -> Upper {
        let mut ridged = self.clone();
        for i in 0..self.size {
            let diagonal = &mut ridged.row(i)[0];
            *diagonal += share * diagonal.abs() + 1e-12;
        }
        ridged
    }

    /// Its Cholesky factor `U`, `UᵀU` being the matrix; `None` if it is not positive definite.
    /// O(size³/6).
    ///
    /// nalgebra's took as long on 444.namd, but rounds otherwise, and which side of a sample a break
    /// comes to lie on hangs on that: of 138 foldings 31 had other digits, and one, the example in
    /// segments, rates that differed by up to 0.12 %.
    pub fn cholesky(mut self) -> Option<Upper> {
        let size = self.size;
        for k in 0..size {
            let pivot = self.row(k)[0];
            if !(pivot > 0.0 && pivot.is_finite()) {
                return None;
            }
            let scale = 1.0 / pivot.sqrt();
            self.row(k).iter_mut().for_each(|entry| *entry *= scale);
            let (done, rest) = self.entries.split_at_mut((k + 1) * size);
            let factor = &done[k * size + k + 1..];
            for (i, &f) in factor.iter().enumerate() {
                let row = &mut rest[i * size + k + 1 + i..(i + 1) * size];
                row.iter_mut().zip(&factor[i..]).for_each(|(entry, other)| *entry -= f * other);
            }
        }
        Some(self)
    }

    /// Solves the system that this is the Cholesky factor of, in place of the right-hand side.
    pub fn solve(&self, right: &mut [f64]) {
        let row = |i: usize| &self.entries[i * self.size + i..(i + 1) * self.size];
        for i in 0..self.size {
            let (head, tail) = right.split_at_mut(i + 1);
            head[i] /= row(i)[0];
            tail.iter_mut().zip(&row(i)[1..]).for_each(|(entry, u)| *entry -= u * head[i]);
        }
        for i in (0..self.size).rev() {
            let after = right[i + 1..].iter().zip(&row(i)[1..]).map(|(x, u)| x * u).sum::<f64>();
            right[i] = (right[i] - after) / row(i)[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use tracefold_generate::Random;

    fn dense(matrix: &Tridiagonal) -> DMatrix<f64> {
        DMatrix::from_fn(matrix.len(), matrix.len(), |i, j| match i.abs_diff(j) {
            0 => matrix.diagonal[i],
            1 => matrix.off[i.min(j)],
            _ => 0.0,
        })
    }

    fn random(random: &mut Random, size: usize, dominance: f64) -> Tridiagonal {
        let mut matrix = Tridiagonal::default();
        for i in 0..size {
            matrix.diagonal.push(dominance + random.uniform());
            matrix.off.push(if i + 1 < size { random.uniform() - 0.2 } else { 0.0 });
        }
        matrix
    }

    #[test]
    fn solutions_and_products_with_the_inverse_are_those_of_dense_algebra() {
        let mut seed = Random::new(5);
        for size in [1, 2, 3, 4, 9, 40] {
            let (v, c) = (random(&mut seed, size, 1.6), random(&mut seed, size, 0.0));
            let inverse = dense(&v).try_inverse().unwrap();
            let factored = v.factored();
            let vector = (0..size).map(|_| seed.normal()).collect::<Vec<_>>();
            let expected = dense(&v) * DVector::from_vec(vector.clone());
            assert!((DVector::from_vec(v.times(&vector)) - expected).amax() < 1e-12);
            let mut found = (0..size).map(|_| seed.normal()).collect::<Vec<_>>();
            let expected = &inverse * DVector::from_vec(found.clone());
            factored.solve(&mut found);
            assert!((DVector::from_vec(found) - expected).amax() < 1e-12, "{size}");

            let mut product = Upper::zero(size);
            factored.subtract_sandwiched(&c, -2.0, &mut product);
            let expected = dense(&c) * &inverse * dense(&c) * 2.0;
            for i in 0..size {
                for (entry, j) in product.row(i).iter().zip(i..) {
                    assert!((entry - expected[(i, j)]).abs() < 1e-12, "{size}: {i}, {j}");
                }
            }
            let (down, up) = (factored.pivots(), v.pivots_from_below());
            for i in 0..size {
                let both = 1.0 / (down[i] + up[i] - v.diagonal[i]);
                assert!((both - inverse[(i, i)]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn cholesky_solves_what_dense_algebra_solves_and_refuses_the_rest() {
        let mut seed = Random::new(6);
        let size = 7;
        let root = DMatrix::from_fn(size, size, |_, _| seed.normal());
        let full = root.transpose() * &root;
        let mut upper = Upper::zero(size);
        for i in 0..size {
            upper.row(i).iter_mut().zip(i..).for_each(|(entry, j)| *entry = full[(i, j)]);
        }
        let mut found = (0..size).map(|_| seed.normal()).collect::<Vec<_>>();
        let expected = full.try_inverse().unwrap() * DVector::from_vec(found.clone());
        upper.cholesky().unwrap().solve(&mut found);
        assert!((DVector::from_vec(found) - &expected).amax() < 1e-9 * expected.amax());
        assert!(Upper::zero(2).cholesky().is_none());
        assert!(Upper::zero(0).cholesky().is_some());
    }
}
