use std::sync::Arc;

use super::Curve;
use super::mesh::Mesh;

/// A cubic spline on a mesh, by its B-spline coefficients.
///
/// Rises where no coefficient is below the one before.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficients {
    pub(super) mesh: Arc<Mesh>,
    pub(super) of_splines: Vec<f64>,
}

impl Coefficients {
    pub fn value(&self, x: f64) -> f64 {
        self.weighed(self.mesh.weights(x))
    }

    /// The derivative at `x`; at a break that to the right of it.
    pub fn slope(&self, x: f64) -> f64 {
        self.weighed_rises(self.mesh.slopes(x))
    }

    /// Both at an `x` within `[0, 1]`.
    pub(super) fn value_and_slope(&self, x: f64) -> [f64; 2] {
        let cell = self.mesh.cell(x);
        let first = self.mesh.first_of(cell);
        let value = self.weighed((first, self.mesh.weights_in(cell, x)));
        [value, self.weighed_rises((first, self.mesh.slopes_in(cell, x)))]
    }

    /// By what splines weigh at a place, from the first of them on.
    pub(super) fn weighed(&self, (first, weights): (usize, [f64; 4])) -> f64 {
        let [a, b, c, d] = self.four(first);
        let [of_a, of_b, of_c, of_d] = weights;
        a * of_a + b * of_b + c * of_c + d * of_d
    }

    /// The same of what rises from one to the next weigh.
    pub(super) fn weighed_rises(&self, (first, weights): (usize, [f64; 3])) -> f64 {
        let [a, b, c, d] = self.four(first);
        let [of_ab, of_bc, of_cd] = weights;
        (b - a) * of_ab + (c - b) * of_bc + (d - c) * of_cd
    }

    fn four(&self, first: usize) -> [f64; 4] {
        let four = &self.of_splines[first..first + 4];
        std::array::from_fn(|at| four[at])
    }

    /// Values and slopes at the points of `grid`. O(grid).
    pub fn curve(&self, grid: &[f64]) -> Curve {
        Curve {
            values: grid.iter().map(|&x| self.value(x)).collect(),
            slopes: grid.iter().map(|&x| self.slope(x)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spline(mesh: Mesh, of_spline: impl Fn(usize) -> f64) -> Coefficients {
        let of_splines = (0..mesh.order()).map(of_spline).collect();
        Coefficients { mesh: Arc::new(mesh), of_splines }
    }

    fn meshes() -> [Mesh; 3] {
        [Mesh::even(7), Mesh::with_breaks(7, &[0.3]), Mesh::with_breaks(7, &[0.02, 0.5, 0.55])]
    }

    #[test]
    fn the_diagonal_is_its_own_spline() {
        for mesh in meshes() {
            let diagonal = mesh.diagonal().collect::<Vec<_>>();
            let line = spline(mesh, |i| diagonal[i]);
            for j in 0..=50 {
                let x = f64::from(j) / 50.0;
                assert!((line.value(x) - x).abs() < 1e-15 && (line.slope(x) - 1.0).abs() < 1e-13);
            }
            assert_eq!((line.value(-3.0), line.value(9.0)), (line.value(0.0), line.value(1.0)));
        }
    }

    #[test]
    fn slopes_are_those_of_the_values_and_jump_at_breaks_alone() {
        for mesh in meshes() {
            let jumps = mesh.jumps().to_vec();
            let spline = spline(mesh, |i| libm::sin((i * i) as f64));
            let breaks = spline.mesh.breaks();
            for j in 1..1000 {
                let (x, h) = (f64::from(j) / 1000.0, 1e-6);
                if breaks.iter().any(|at| (at - x).abs() < 2.0 * h) {
                    continue;
                }
                let difference = (spline.value(x + h) - spline.value(x - h)) / (2.0 * h);
                assert!((spline.slope(x) - difference).abs() < 1e-4, "{x}");
            }
            for (at, (first, weights)) in breaks.iter().zip(jumps) {
                let (before, after) = (spline.slope(at - 1e-9), spline.slope(*at));
                let jump = spline.of_splines[first..].iter().zip(weights);
                let jump = jump.map(|(coefficient, weight)| coefficient * weight).sum::<f64>();
                assert!((after - before - jump).abs() < 1e-3 && jump.abs() > 0.1, "{at}");
                assert!((spline.value(*at) - spline.value(at - 1e-9)).abs() < 1e-6);
            }
            assert_eq!(spline.mesh.breaks().len(), breaks.len());
        }
    }
}
