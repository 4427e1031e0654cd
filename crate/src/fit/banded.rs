/// Entries further than this from the diagonal are 0.
const HALF_BANDWIDTH: usize = 3;
/// A pivot below this share of the largest entry has lost all its digits.
const LOST: f64 = 1e-14;

/// So many vectors are solved for at a time: a row of one waits for the row before it.
const ABREAST: usize = 4;

/// A symmetric matrix with half-bandwidth 3: row `i` holds the entries `(i, i)` to `(i, i + 3)`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Banded(pub(super) Vec<[f64; HALF_BANDWIDTH + 1]>);

/// Adds a dense symmetric block with its corner at `(at, at)` to the rows of a [`Banded`].
pub(super) fn add_block(rows: &mut [[f64; HALF_BANDWIDTH + 1]], at: usize, block: &[[f64; 4]; 4]) {
    for (i, (row, block)) in rows[at..].iter_mut().zip(block).enumerate() {
        row.iter_mut().zip(&block[i..]).for_each(|(sum, entry)| *sum += entry);
    }
}

impl Banded {
    pub(super) fn zero(order: usize) -> Self {
        Self(vec![[0.0; HALF_BANDWIDTH + 1]; order])
    }

    /// `self + scale · other`, both of one order.
    pub(super) fn plus(&self, scale: f64, other: &Self) -> Self {
        let rows = self.0.iter().zip(&other.0);
        Self(rows.map(|(own, other)| std::array::from_fn(|i| own[i] + scale * other[i])).collect())
    }

    /// The product with a vector. O(order).
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.products(vector).collect()
    }

    /// Its entries, one after the other.
    pub(super) fn products(&self, vector: &[f64]) -> impl Iterator<Item = f64> {
        // Of the three rows above, what they couple with this one.
        let mut above = [0.0; HALF_BANDWIDTH];
        let beside = move |i: usize| vector.get(i).copied().unwrap_or(0.0);
        self.0.iter().zip(vector).enumerate().map(move |(i, ([own, a, b, c], x))| {
            let [first, second, third] = above;
            let after = first + own * x + a * beside(i + 1) + b * beside(i + 2);
            above = [second + a * x, third + b * x, c * x];
            after + c * beside(i + 3)
        })
    }

    /// Adds `weight` times the square of a sum of four coefficients, the first being number `at`.
    pub(super) fn add_square(&mut self, at: usize, sum: [f64; 4], weight: f64) {
        for (i, (row, own)) in self.0[at..].iter_mut().zip(sum).enumerate() {
            let weighted = weight * own;
            row.iter_mut().zip(&sum[i..]).for_each(|(entry, other)| *entry += weighted * other);
        }
    }

    /// The factors L D L′ of a positive definite matrix, in its place. O(order).
    pub(super) fn factor(mut self) -> Factor {
        let [is_lost] = eliminate(one_abreast(&mut self.0));
        Factor(self.0, is_lost)
    }
}

/// For each of some matrices the vector whose product with it is its own vector; in a fraction of the
/// time that one after the other takes.
pub(super) fn solve_each(systems: &[(Banded, Vec<f64>)]) -> Vec<Vec<f64>> {
    let solved = systems.chunks(ABREAST).flat_map(|of| {
        let order = of[0].1.len();
        let row = |i: usize| {
            let entry = |at: usize| lanes(of, |(matrix, _)| matrix.0[i][at]);
            std::array::from_fn(entry)
        };
        let mut matrix = (0..order).map(row).collect::<Vec<[[f64; ABREAST]; 4]>>();
        let mut rows = (0..order).map(|i| lanes(of, |(_, right)| right[i])).collect::<Vec<_>>();
        eliminate(&mut matrix);
        substitute(&matrix, &mut rows);
        (0..of.len()).map(move |lane| rows.iter().map(|row| row[lane]).collect())
    });
    solved.collect()
}

/// A number of each of at most so many; 0 beyond the last.
fn lanes<T>(of: &[T], number: impl Fn(&T) -> f64) -> [f64; ABREAST] {
    std::array::from_fn(|lane| of.get(lane).map_or(0.0, &number))
}

/// Rows of one matrix as those of several.
fn one_abreast(rows: &mut [[f64; 4]]) -> &mut [[[f64; 1]; 4]] {
    rows.as_flattened_mut().as_chunks_mut().0.as_chunks_mut().0
}

/// `from − times × of`, each for itself.
fn less<const N: usize>(from: [f64; N], times: [f64; N], of: [f64; N]) -> [f64; N] {
    std::array::from_fn(|lane| from[lane] - times[lane] * of[lane])
}

/// The factors L D L′ of some matrices, in their place; and of which a pivot was lost.
fn eliminate<const N: usize>(rows: &mut [[[f64; N]; 4]]) -> [bool; N] {
    let mut least = [0.0; N];
    for [own, ..] in rows.iter() {
        least = std::array::from_fn(|lane| f64::max(least[lane], own[lane]));
    }
    least = least.map(|most| LOST * most);
    let mut is_lost = [false; N];
    // A row and the three below it, those beyond the last being 0, are worked on in registers.
    let at = |rows: &[[[f64; N]; 4]], i: usize| rows.get(i).copied().unwrap_or([[0.0; N]; 4]);
    let mut next: [_; 3] = std::array::from_fn(|i| at(rows, i));
    for i in 0..rows.len() {
        let [[pivot, a, b, c], mut first, mut second] = next;
        let mut third = at(rows, i + 3);
        is_lost = std::array::from_fn(|lane| is_lost[lane] | (pivot[lane] < least[lane]));
        // Rounding can leave a pivot that is not above 0 where the matrix is all but singular.
        let pivot = pivot.map(|pivot| pivot.max(f64::MIN_POSITIVE));
        let over = |of: [f64; N]| std::array::from_fn(|lane| of[lane] / pivot[lane]);
        let [la, lb, lc] = [over(a), over(b), over(c)];
        rows[i] = [pivot, la, lb, lc];
        first[0] = less(first[0], la, a);
        first[1] = less(first[1], la, b);
        first[2] = less(first[2], la, c);
        second[0] = less(second[0], lb, b);
        second[1] = less(second[1], lb, c);
        third[0] = less(third[0], lc, c);
        next = [first, second, third];
    }
    is_lost
}

/// Solves some systems by factors that are `F` abreast: one for all, or one for each.
fn substitute<const F: usize, const N: usize>(factors: &[[[f64; F]; 4]], rows: &mut [[f64; N]]) {
    let each = |of: [f64; F]| -> [f64; N] { std::array::from_fn(|lane| of[lane % F]) };
    let at = |rows: &[[f64; N]], i: usize| rows.get(i).copied().unwrap_or([0.0; N]);
    let mut next: [[f64; N]; 3] = std::array::from_fn(|i| at(rows, i));
    for (i, [_, a, b, c]) in factors.iter().enumerate() {
        let [value, first, second] = next;
        rows[i] = value;
        let third = at(rows, i + 3);
        next = [
            less(first, each(*a), value),
            less(second, each(*b), value),
            less(third, each(*c), value),
        ];
    }
    let [mut first, mut second, mut third] = [[0.0; N]; 3];
    for (row, [pivot, a, b, c]) in rows.iter_mut().zip(factors).rev() {
        let pivot = each(*pivot);
        let own = less(std::array::from_fn(|lane| row[lane] / pivot[lane]), each(*a), first);
        *row = less(less(own, each(*b), second), each(*c), third);
        [first, second, third] = [*row, first, second];
    }
}

/// L D L′ of a banded matrix: the pivot of each row and the multipliers of the three rows below it;
/// and whether a pivot was lost.
pub(super) struct Factor(Vec<[f64; HALF_BANDWIDTH + 1]>, bool);

impl Factor {
    /// The vector whose product with the matrix is `vector`. O(order).
    pub(super) fn solve(&self, mut vector: Vec<f64>) -> Vec<f64> {
        substitute(self.rows(), vector.as_chunks_mut::<1>().0);
        vector
    }

    /// The same of each of some vectors, in a fraction of the time.
    pub(super) fn solve_all(&self, vectors: &[&[f64]]) -> Solutions {
        let solved = vectors.chunks(ABREAST).map(|of| {
            let row = |i: usize| lanes(of, |vector| vector[i]);
            let mut rows = (0..self.0.len()).map(row).collect::<Vec<_>>();
            substitute(self.rows(), &mut rows);
            rows
        });
        Solutions(solved.collect())
    }

    fn rows(&self) -> &[[[f64; 1]; 4]] {
        self.0.as_flattened().as_chunks().0.as_chunks().0
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

/// Solutions of one system: four of them row by row, the next four, …; those beyond the last are 0.
pub(super) struct Solutions(Vec<Vec<[f64; ABREAST]>>);

impl Solutions {
    /// A row of one of them.
    pub(super) fn at(&self, number: usize, row: usize) -> f64 {
        self.0[number / ABREAST][row][number % ABREAST]
    }

    /// Its rows.
    pub(super) fn rows(&self, number: usize) -> impl Iterator<Item = f64> {
        self.0[number / ABREAST].iter().map(move |row| row[number % ABREAST])
    }

    /// The products of those from `number` on with a vector that is 0 before row `first`.
    pub(super) fn products(
        &self,
        number: usize,
        vector: &[f64],
        first: usize,
    ) -> impl Iterator<Item = f64> {
        let skipped = number / ABREAST;
        let products = self.0[skipped..].iter().flat_map(move |rows| {
            let mut sums = [0.0; ABREAST];
            for (own, row) in vector[first..].iter().zip(&rows[first..]) {
                sums.iter_mut().zip(row).for_each(|(sum, other)| *sum += own * other);
            }
            sums
        });
        products.skip(number % ABREAST)
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
            let others = (0..6).map(|k| vector.iter().map(|x| x + f64::from(k)).collect());
            let others = others.collect::<Vec<Vec<_>>>();
            let all = factor.solve_all(&others.iter().map(Vec::as_slice).collect::<Vec<_>>());
            for (number, other) in others.into_iter().enumerate() {
                let alone = factor.solve(other);
                assert_eq!(all.rows(number).collect::<Vec<_>>(), alone);
                assert_eq!(all.at(number, order - 1), alone[order - 1]);
                let from = order / 2;
                let mut weights = vector.clone();
                weights[..from].fill(0.0);
                let expected = weights.iter().zip(alone).map(|(a, b)| a * b).sum::<f64>();
                let found = all.products(number, &weights, from).next().unwrap();
                assert!((found - expected).abs() < 1e-12, "{order} {number}");
            }
            let systems = (0..6).map(|k| {
                let mut banded = made_up(order);
                banded.0.iter_mut().for_each(|row| row[0] += f64::from(k));
                (banded, vector.clone())
            });
            let systems = systems.collect::<Vec<_>>();
            let each = solve_each(&systems).into_iter().zip(systems);
            assert!(
                each.fold(0, |count, (found, (banded, right))| {
                    assert_eq!(found, banded.factor().solve(right), "{order}");
                    count + 1
                }) == 6
            );
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
        add_block(&mut banded.0, 1, &block);
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
