use std::sync::{Arc, LazyLock, OnceLock};

use super::banded::{Banded, add_block};
use super::mesh::{Bend, EVEN, Mesh};

/// What a spline is held to where samples do not tell: little bend between its breaks, and jumps of
/// the slope at them that are of the order of the slope itself.
///
/// `λ ∫ s f″² + weight × Σ jump²`, the stiffness `s` being 1 unless a curve bends more in some
/// windows than in others.
///
/// Sources: O'Sullivan 1986 (exact penalty); Wahba 1990, Spline models for observational data, ch. 9
/// (partial splines).
#[derive(Clone, Debug)]
pub(super) struct Prior {
    pub mesh: Arc<Mesh>,
    /// `∫ s f″²`.
    pub penalty: Banded,
    /// Relative λ of each cell; empty where all are alike.
    stiffness: Vec<f64>,
    /// Rows of the squares of all jumps, by their numbers; all others are 0.
    jumps: Arc<[(usize, [f64; 4])]>,
    jump_weight: f64,
    /// Logarithm of the determinant, the ends held, where λ and the weight are 1.
    log_volume: OnceLock<f64>,
}

impl Prior {
    /// `stiffness`: of each cell, or empty.
    pub fn new(mesh: &Arc<Mesh>, stiffness: Vec<f64>, jump_weight: f64) -> Self {
        let jumps = squares_of_jumps(mesh);
        Self::of_jumps(mesh, stiffness, jumps, jump_weight)
    }

    fn of_jumps(
        mesh: &Arc<Mesh>,
        stiffness: Vec<f64>,
        jumps: Arc<[(usize, [f64; 4])]>,
        jump_weight: f64,
    ) -> Self {
        let penalty = penalty(mesh, &stiffness);
        let log_volume = OnceLock::new();
        Self { mesh: Arc::clone(mesh), penalty, stiffness, jumps, jump_weight, log_volume }
    }

    fn log_volume(&self) -> f64 {
        *self.log_volume.get_or_init(|| {
            let mut ends = Banded::zero(self.mesh.order());
            for x in [0.0, 1.0] {
                let (first, splines) = self.mesh.weights(x);
                ends.add_square(first, splines, 1.0);
            }
            let mut matrix = ends.plus(1.0, &self.penalty);
            self.add_jumps(1.0, &mut matrix);
            matrix.factor().log_determinant()
        })
    }

    pub fn stiffened(&self, stiffness: &[f64]) -> Self {
        let jumps = Arc::clone(&self.jumps);
        Self::of_jumps(&self.mesh, stiffness.to_vec(), jumps, self.jump_weight)
    }

    /// `normal` and the prior.
    pub fn added_to(&self, normal: &Banded, lambda: f64) -> Banded {
        let mut system = normal.plus(lambda, &self.penalty);
        self.add_jumps(self.jump_weight, &mut system);
        system
    }

    fn add_jumps(&self, weight: f64, system: &mut Banded) {
        for (number, row) in &*self.jumps {
            let entries = system.0[*number].iter_mut().zip(row);
            entries.for_each(|(entry, own)| *entry += weight * own);
        }
    }

    /// Logarithm of its determinant, the two ends held: what it takes up of the space of all curves.
    ///
    /// Bends and jumps are as many numbers as a curve with fixed ends has, so that the determinant
    /// is a product.
    pub fn log_determinant(&self, lambda: f64) -> f64 {
        let jumps = self.mesh.breaks().len();
        let bends = (self.mesh.order() - 2 - jumps) as f64;
        let of_jumps = if jumps == 0 { 0.0 } else { libm::log(self.jump_weight) * jumps as f64 };
        bends * libm::log(lambda) + of_jumps + self.log_volume()
    }

    /// What the prior costs a curve; term by term, as the difference of large products would drown
    /// what samples leave.
    pub fn cost(&self, lambda: f64, of_splines: &[f64]) -> f64 {
        let bends = bends(&self.mesh, of_splines).enumerate();
        let bends = bends.map(|(cell, bend)| self.stiffness.get(cell).unwrap_or(&1.0) * bend);
        let jumps = jumps(&self.mesh, of_splines);
        let jumps = jumps.map(|jump| jump * jump).sum::<f64>();
        lambda * bends.sum::<f64>() + self.jump_weight * jumps
    }
}

/// `∫ f″²` of a spline over each cell.
pub(super) fn bends<'a>(mesh: &'a Mesh, of_splines: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    mesh.bends().iter().map(move |bend| {
        let [begin, end] = bend.ends.map(|weights| weighed(&of_splines[bend.first..], &weights));
        bend.width / 3.0 * (begin * begin + begin * end + end * end)
    })
}

/// The jumps of the slope at the breaks.
pub(super) fn jumps<'a>(mesh: &'a Mesh, of_splines: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    mesh.jumps().iter().map(move |(first, weights)| weighed(&of_splines[*first..], weights))
}

fn weighed(of_splines: &[f64], weights: &[f64]) -> f64 {
    of_splines.iter().zip(weights).map(|(coefficient, weight)| coefficient * weight).sum()
}

/// `∫ f″²` over one cell, as a quadratic form of its four coefficients.
pub(super) fn of_cell(bend: &Bend) -> [[f64; 4]; 4] {
    let [begin, end] = &bend.ends;
    // Linear in between: the integral of a product is that of its ends.
    let product = |i: usize, j: usize| {
        let across = begin[i] * end[j] + end[i] * begin[j];
        bend.width / 3.0 * (begin[i] * begin[j] + end[i] * end[j] + across / 2.0)
    };
    std::array::from_fn(|i| std::array::from_fn(|j| product(i, j)))
}

/// The squares of all jumps as a quadratic form of the coefficients: its rows that are not 0.
fn squares_of_jumps(mesh: &Mesh) -> Arc<[(usize, [f64; 4])]> {
    let mut rows: Vec<(usize, [f64; 4])> = Vec::with_capacity(3 * mesh.breaks().len());
    for &(first, [a, b, c]) in mesh.jumps() {
        for (number, row) in
            (first..).zip([[a * a, a * b, a * c], [b * b, b * c, 0.0], [c * c, 0.0, 0.0]])
        {
            // Those of the break before may reach this far.
            let at = rows.iter().rposition(|(other, _)| *other <= number);
            let at = match at {
                Some(at) if rows[at].0 == number => at,
                before => {
                    let at = before.map_or(0, |at| at + 1);
                    rows.insert(at, (number, [0.0; 4]));
                    at
                }
            };
            rows[at].1.iter_mut().zip(row).for_each(|(sum, own)| *sum += own);
        }
    }
    rows.into()
}

/// The penalty of the even mesh.
static EVEN_PENALTY: LazyLock<Banded> = LazyLock::new(|| {
    let mut sum = Banded::zero(EVEN.order());
    EVEN.bends().iter().for_each(|bend| add_block(&mut sum.0, bend.first, &of_cell(bend)));
    sum
});

/// `∫ s f″²` of a spline as a quadratic form of its coefficients, exactly; `s` is 1 where it is not
/// given. What bends at a break is not counted.
pub(super) fn penalty(mesh: &Mesh, stiffness: &[f64]) -> Banded {
    let bends = mesh.bends();
    if stiffness.is_empty() && mesh.is_of_even() {
        let mut sum = Banded::zero(mesh.order());
        for (cell, _) in mesh.beside_breaks() {
            add_block(&mut sum.0, bends[cell].first, &of_cell(&bends[cell]));
        }
        mesh.copy_rows(&EVEN_PENALTY.0, &mut sum.0);
        return sum;
    }
    let mut sum = Banded::zero(mesh.order());
    for (cell, bend) in bends.iter().enumerate() {
        let stiffness = stiffness.get(cell).unwrap_or(&1.0);
        let width = stiffness * bend.width;
        add_block(&mut sum.0, bend.first, &of_cell(&Bend { width, ..*bend }));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::Coefficients;
    use crate::fit::statistics::Statistics;

    #[test]
    fn the_penalty_is_the_integral_of_the_squared_second_derivative() {
        for breaks in [&[][..], &[0.4], &[0.21, 0.8]] {
            let mesh = Arc::new(Mesh::with_breaks(6, breaks));
            let of_splines = (0..mesh.order()).map(|i| libm::sin((i * i) as f64));
            let of_splines = of_splines.collect::<Vec<_>>();
            let spline = Coefficients { mesh: Arc::clone(&mesh), of_splines };
            let product = penalty(&mesh, &[]).times(&spline.of_splines);
            let form = product.iter().zip(&spline.of_splines).map(|(a, b)| a * b).sum::<f64>();
            let by_cell = bends(&mesh, &spline.of_splines).sum::<f64>();
            assert!((form / by_cell - 1.0).abs() < 1e-9);
            // Linear in each cell, so Simpson's rule is exact for its square.
            let second = |x: f64, h: f64| (spline.slope(x + h) - spline.slope(x)) / h;
            let cell = |cell: usize| {
                let extent = mesh.extent(cell);
                let (from, width) = (extent.start, extent.end - extent.start);
                let (h, middle) = (1e-6, from + width / 2.0);
                let ends = [second(from, h), second(middle, h), second(from + width - 2.0 * h, h)];
                width / 6.0 * (ends[0] * ends[0] + 4.0 * ends[1] * ends[1] + ends[2] * ends[2])
            };
            let integral = (0..mesh.cells()).map(cell).sum::<f64>();
            assert!((form / integral - 1.0).abs() < 1e-3, "{breaks:?}: {form} {integral}");
        }
    }

    #[test]
    fn its_determinant_is_that_of_its_matrix_with_the_ends_held() {
        let mesh = Arc::new(Mesh::with_breaks(40, &[0.2, 0.55, 0.61]));
        let mut ends = Statistics::new(&mesh);
        [0.0, 1.0].into_iter().for_each(|x| ends.weigh(x, 0.0, 1.0));
        for (lambda, weight) in [(1.0, 1.0), (1e-3, 1.0), (1e-2, 1e-4), (5.0, 1e-6)] {
            let prior = Prior::new(&mesh, Vec::new(), weight);
            let expected = prior.added_to(&ends.normal, lambda).factor().log_determinant();
            assert!((prior.log_determinant(lambda) - expected).abs() < 1e-3, "{lambda} {weight}");
        }
    }
}
