use std::ops::Range;
use std::sync::Arc;

use super::mesh::{CELLS, Mesh};
use super::penalised::PenalisedSpline;
use super::statistics::Statistics;

/// Sums over the samples of one cell, where `B` are the four splines that are not 0 there, `z` is
/// `y − x` and `w` the weight of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cell {
    /// Σ w B B′, the upper triangle.
    pub products: [[f64; 4]; 4],
    /// Σ w B z.
    pub right: [f64; 4],
    /// Σ w B.
    pub splines: [f64; 4],
    /// Σ w z.
    pub z: f64,
    /// Σ w.
    pub weight: f64,
}

impl Cell {
    fn add(&mut self, splines: [f64; 4], z: f64, weight: f64) {
        for (i, spline) in splines.into_iter().enumerate() {
            let weighted = weight * spline;
            self.right[i] += weighted * z;
            self.splines[i] += weighted;
            let row = self.products[i][i..].iter_mut().zip(&splines[i..]);
            row.for_each(|(sum, other)| *sum += weighted * other);
        }
        self.z += weight * z;
        self.weight += weight;
    }
}

/// The samples of a counter, each with its weight, ready for splines on any mesh of [`CELLS`].
///
/// The sums of cells that no break is near to are made once; so a mesh with other breaks costs what
/// lies beside them, and not all samples.
#[derive(Clone, Debug)]
pub struct Weighed<'a> {
    x: &'a [f64],
    y: &'a [f64],
    weights: Vec<f64>,
    even: Vec<Cell>,
    squares: f64,
    log_weights: f64,
}

impl<'a> Weighed<'a> {
    /// `x` rises within `[0, 1]`; all slices are of one length. O(samples).
    pub fn new(x: &'a [f64], y: &'a [f64], weights: Vec<f64>) -> Self {
        let mesh = Mesh::even(CELLS);
        let mut even = vec![Cell::default(); mesh.cells()];
        let (mut squares, mut log_weights) = (0.0, 0.0);
        for ((&x, &y), &weight) in x.iter().zip(y).zip(&weights) {
            let z = y - x;
            let (cell, splines) = mesh.weights(x);
            even[cell].add(splines, z, weight);
            squares += weight * z * z;
            log_weights += libm::log(weight);
        }
        Self { x, y, weights, even, squares, log_weights }
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// O(cells + samples beside breaks).
    pub fn on(&self, mesh: &Arc<Mesh>) -> Statistics {
        let cells = (0..mesh.cells()).map(|cell| match mesh.even_cell(cell) {
            Some(number) => self.even[number],
            None => self.sum(mesh, cell),
        });
        let count = self.x.len() as f64;
        Statistics::of_cells(mesh, cells.collect(), self.squares, count, self.log_weights)
    }

    fn sum(&self, mesh: &Mesh, cell: usize) -> Cell {
        let Range { start, end } = mesh.extent(cell);
        let first = self.x.partition_point(|x| *x < start);
        let last = if end < 1.0 { self.x.partition_point(|x| *x < end) } else { self.x.len() };
        let mut sum = Cell::default();
        for at in first..last {
            let x = self.x[at];
            sum.add(mesh.weights(x).1, self.y[at] - x, self.weights[at]);
        }
        sum
    }
}

/// Sums over all that comes after a break, which is what a break that moves takes its jump off: the
/// samples, and the end as one of them, since a curve that is held to it answers that too.
pub(super) struct After {
    /// Σ w B of every spline.
    pub splines: Vec<f64>,
    /// Σ w z.
    pub z: f64,
    /// Σ w.
    pub weight: f64,
}

impl PenalisedSpline {
    /// For each break, of a spline whose sums were made of cells. O(breaks × cells).
    pub(super) fn after_breaks(&self) -> Vec<After> {
        let mesh = self.mesh();
        let (last, at_end) = mesh.weights(1.0);
        let of_break = |at: &f64| {
            let mut after =
                After { splines: vec![0.0; mesh.order()], z: 0.0, weight: self.end_weight };
            let ends = after.splines[last..].iter_mut().zip(at_end);
            ends.for_each(|(sum, own)| *sum += self.end_weight * own);
            for (number, cell) in self.total.cells.iter().enumerate().skip(mesh.cell(*at)) {
                let splines = after.splines[mesh.first_of(number)..].iter_mut();
                splines.zip(cell.splines).for_each(|(sum, own)| *sum += own);
                after.z += cell.z;
                after.weight += cell.weight;
            }
            after
        };
        mesh.breaks().iter().map(of_break).collect()
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    #[test]
    fn sums_of_cells_are_the_sums_over_all_samples() {
        let mut random = Random::new(11);
        let mut x = (0..3000).map(|_| random.uniform()).collect::<Vec<_>>();
        x.extend([0.0, 0.25, 0.25, 1.0]);
        x.sort_by(f64::total_cmp);
        let y = x.iter().map(|x| x * x).collect::<Vec<_>>();
        let weights = x.iter().map(|_| random.between(0.1, 3.0)).collect::<Vec<_>>();
        let weighed = Weighed::new(&x, &y, weights.clone());
        for breaks in [&[][..], &[0.25], &[0.001, 0.2503, 0.2531, 0.7, 0.9995]] {
            let mesh = Arc::new(Mesh::with_breaks(CELLS, breaks));
            let mut expected = Statistics::new(&mesh);
            for ((x, y), weight) in x.iter().zip(&y).zip(&weights) {
                expected.add_weighted(*x, *y, *weight);
            }
            let sums = weighed.on(&mesh);
            let numbers = |of: &Statistics| {
                let normal = of.normal.0.iter().flatten();
                normal.chain(&of.right).copied().chain([of.squares, of.count()]).collect::<Vec<_>>()
            };
            let (sums, expected) = (numbers(&sums), numbers(&expected));
            let apart = sums.iter().zip(&expected).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f64::max) < 1e-9, "{breaks:?}");
        }
    }
}
