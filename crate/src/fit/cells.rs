use std::ops::Range;
use std::sync::Arc;

use super::banded::add_block;
use super::mesh::{EVEN, Mesh};
use super::penalised::PenalisedSpline;
use super::statistics::Statistics;

/// Sums over the samples of one cell, where `B` are the four splines that are not 0 there, `z` is
/// `y − x` and `w` the weight of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    /// Σ w B B′, the upper triangle.
    products: [[f64; 4]; 4],
    /// Σ w B z.
    right: [f64; 4],
    level: Level,
}

/// Of the same samples what a curve meets that is as much higher everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Level {
    /// Σ w B.
    splines: [f64; 4],
    /// Σ w z.
    z: f64,
    /// Σ w.
    weight: f64,
}

impl Cell {
    fn add(&mut self, splines: [f64; 4], z: f64, weight: f64) {
        for (i, spline) in splines.into_iter().enumerate() {
            let weighted = weight * spline;
            self.right[i] += weighted * z;
            self.level.splines[i] += weighted;
            let row = self.products[i][i..].iter_mut().zip(&splines[i..]);
            row.for_each(|(sum, other)| *sum += weighted * other);
        }
        self.level.z += weight * z;
        self.level.weight += weight;
    }
}

/// The samples of a counter, each with its weight, ready for splines on any mesh of so many cells as [`EVEN`] has.
///
/// The sums of cells that no break is near to are made once, and added up once; so a mesh with other
/// breaks costs what lies beside them, and not all samples.
#[derive(Clone, Debug)]
pub struct Weighed<'a> {
    x: &'a [f64],
    y: &'a [f64],
    weights: Arc<Vec<f64>>,
    even: Vec<Cell>,
    /// All of `even` added up.
    of_even: Statistics,
}

impl<'a> Weighed<'a> {
    /// `x` rises within `[0, 1]`; all slices are of one length. O(samples).
    pub fn new(x: &'a [f64], y: &'a [f64], weights: Arc<Vec<f64>>) -> Self {
        let mesh = &*EVEN;
        let mut even = vec![Cell::default(); mesh.cells()];
        let mut of_even = Statistics::new(mesh);
        // Samples that follow one another often weigh alike.
        let (mut last, mut log) = (1.0, 0.0);
        for ((&x, &y), &weight) in x.iter().zip(y).zip(&*weights) {
            let z = y - x;
            let (cell, splines) = mesh.weights(x);
            even[cell].add(splines, z, weight);
            of_even.squares += weight * z * z;
            if weight != last {
                (last, log) = (weight, libm::log(weight));
            }
            of_even.log_weights += log;
        }
        of_even.count = x.len() as f64;
        for (first, cell) in even.iter().enumerate() {
            add_block(&mut of_even.normal.0, first, &cell.products);
            add_to(&mut of_even.right, first, cell.right);
        }
        of_even.levels = even.iter().map(|cell| cell.level).collect();
        Self { x, y, weights, even, of_even }
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    pub fn weights(&self) -> &Arc<Vec<f64>> {
        &self.weights
    }

    /// O(cells + samples beside breaks).
    pub fn on(&self, mesh: &Arc<Mesh>) -> Statistics {
        let even = &self.of_even;
        if !mesh.is_of_even() {
            return even.clone();
        }
        let mut sums = Statistics {
            squares: even.squares,
            count: even.count,
            log_weights: even.log_weights,
            levels: vec![Level::default(); mesh.cells()],
            ..Statistics::new(mesh)
        };
        for (at, equal) in mesh.beside_breaks() {
            let own;
            let cell = match equal {
                Some(number) => &self.even[number],
                None => {
                    own = self.sum(mesh, at);
                    &own
                }
            };
            let first = mesh.first_of(at);
            add_block(&mut sums.normal.0, first, &cell.products);
            add_to(&mut sums.right, first, cell.right);
            sums.levels[at] = cell.level;
        }
        mesh.copy_rows(&even.normal.0, &mut sums.normal.0);
        mesh.copy_rows(&even.right, &mut sums.right);
        mesh.copy_cells(&even.levels, &mut sums.levels);
        sums
    }

    fn sum(&self, mesh: &Mesh, cell: usize) -> Cell {
        let Range { start, end } = mesh.extent(cell);
        let first = self.x.partition_point(|x| *x < start);
        let last = if end < 1.0 { self.x.partition_point(|x| *x < end) } else { self.x.len() };
        let mut sum = Cell::default();
        for at in first..last {
            let x = self.x[at];
            sum.add(mesh.weights_in(cell, x), self.y[at] - x, self.weights[at]);
        }
        sum
    }
}

fn add_to(rows: &mut [f64], at: usize, four: [f64; 4]) {
    rows[at..].iter_mut().zip(four).for_each(|(sum, own)| *sum += own);
}

/// Sums over all that comes after a break, which is what a break that moves takes its jump off: the
/// samples, and the end as one of them, since a curve that is held to it answers that too.
pub(super) struct After {
    /// Σ w B of every spline.
    pub splines: Vec<f64>,
    /// Number of the first spline that is not 0.
    pub first: usize,
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
        let levels = &self.total.levels;
        let of_cells = |cells: Range<usize>| {
            let mut splines = vec![0.0; mesh.order()];
            add_to(&mut splines, last, at_end.map(|own| self.end_weight * own));
            for cell in cells {
                add_to(&mut splines, mesh.first_of(cell), levels[cell].splines);
            }
            splines
        };
        let all = of_cells(0..levels.len());
        let of_break = |at: &f64| {
            let cell = mesh.cell(*at);
            let mut after = After {
                splines: of_cells(cell..(cell + 3).min(levels.len())),
                first: mesh.first_of(cell),
                z: 0.0,
                weight: self.end_weight,
            };
            // What four cells reach after the break, they reach without it.
            let reached = after.first + 3;
            after.splines[reached..].copy_from_slice(&all[reached..]);
            for level in &levels[cell..] {
                after.z += level.z;
                after.weight += level.weight;
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
    use crate::fit::CELLS;

    #[test]
    fn sums_of_cells_are_the_sums_over_all_samples() {
        let mut random = Random::new(11);
        let mut x = (0..3000).map(|_| random.uniform()).collect::<Vec<_>>();
        x.extend([0.0, 0.25, 0.25, 1.0]);
        x.sort_by(f64::total_cmp);
        let y = x.iter().map(|x| x * x).collect::<Vec<_>>();
        let weights = x.iter().map(|_| random.between(0.1, 3.0)).collect::<Vec<_>>();
        let weighed = Weighed::new(&x, &y, Arc::new(weights.clone()));
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
