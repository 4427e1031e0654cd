//! The best values at given knots, for all counters.

use super::sums::{Segment, Sums};
use super::tridiagonal::{Factored, Tridiagonal};

/// Stiffness of a curve, per sample of its counter: enough to make a stretch in which the counter
/// has no samples a straight line, too little to be seen anywhere else.
const STIFFNESS: f64 = 1e-9;

/// Keeps a counter without any samples solvable: its values are then 0.
const RIDGE: f64 = 1e-14;

/// All counters of a region at common knots.
#[derive(Clone, Debug)]
pub struct Solution {
    /// From 0 to 1, both included.
    pub knots: Vec<f64>,
    pub counters: Vec<Values>,
    /// Σ of the residual sums of squares over the variances: what all fits minimise.
    pub objective: f64,
}

/// One counter at the knots of a [`Solution`].
#[derive(Clone, Debug)]
pub struct Values {
    pub segments: Vec<Segment>,
    /// Normal matrix of the values at the inner knots.
    pub matrix: Tridiagonal,
    pub factored: Factored,
    /// `z = y − x` at all knots; 0 at both ends.
    pub z: Vec<f64>,
    pub residual_squares: f64,
}

impl Solution {
    /// O(knots log n) per counter.
    pub fn at(counters: &[Sums], knots: Vec<f64>) -> Solution {
        let values = counters.iter().map(|sums| Values::at(sums, &knots)).collect::<Vec<_>>();
        let pairs = counters.iter().zip(&values);
        let objective = pairs.map(|(sums, values)| values.residual_squares * sums.precision).sum();
        Solution { knots, counters: values, objective }
    }

    /// Number of inner knots.
    pub fn breaks(&self) -> usize {
        self.knots.len().saturating_sub(2)
    }

    /// What each inner knot's removal would add to the objective, the other knots staying.
    ///
    /// Without a knot, its value is the one on the straight line between its neighbours; of the
    /// stiffness too that is all that changes. So the removal is one linear constraint `aᵀv = 0`
    /// on the values, which adds `(aᵀv)² / (aᵀ V⁻¹ a)`. All rows but the three that `a` touches
    /// are eliminated from both ends. O(knots) per counter for all removals together.
    pub fn removal_costs(&self, counters: &[Sums]) -> Vec<f64> {
        let mut costs = vec![0.0; self.breaks()];
        for (sums, values) in counters.iter().zip(&self.counters) {
            let (down, up) = (values.factored.pivots(), values.matrix.pivots_from_below());
            for (j, cost) in costs.iter_mut().enumerate() {
                let toward_right =
                    (self.knots[j + 1] - self.knots[j]) / (self.knots[j + 2] - self.knots[j]);
                let on_line = values.z[j] + toward_right * (values.z[j + 2] - values.z[j]);
                let gap = values.z[j + 1] - on_line;
                let mut spread = 0.0;
                let (mut middle, mut pivot) = (1.0, values.matrix.diagonal[j]);
                let mut neighbour = |share: f64, coupling: f64, of_neighbour: f64| {
                    spread += share * share / of_neighbour;
                    middle += share * coupling / of_neighbour;
                    pivot -= coupling * coupling / of_neighbour;
                };
                if j > 0 {
                    neighbour(1.0 - toward_right, values.matrix.off[j - 1], down[j - 1]);
                }
                if let Some(&of_right) = up.get(j + 1) {
                    neighbour(toward_right, values.matrix.off[j], of_right);
                }
                *cost += sums.precision * gap * gap / (spread + middle * middle / pivot);
            }
        }
        costs
    }
}

impl Values {
    fn at(sums: &Sums, knots: &[f64]) -> Values {
        let segments = sums.segments(knots);
        let stiffness = STIFFNESS * sums.len() as f64;
        let inner = knots.len().saturating_sub(2);
        let mut matrix = Tridiagonal::with_capacity(inner);
        let mut right = Vec::with_capacity(inner);
        for (sides, places) in segments.windows(2).zip(knots.windows(3)) {
            let (left_stiffness, right_stiffness) =
                (stiffness / (places[1] - places[0]), stiffness / (places[2] - places[1]));
            matrix
                .diagonal
                .push(sides[0].tt + sides[1].uu + left_stiffness + right_stiffness + RIDGE);
            let is_last = matrix.len() == inner;
            matrix.off.push(if is_last { 0.0 } else { sides[1].tu - right_stiffness });
            right.push(sides[0].tz + sides[1].uz);
        }
        let factored = matrix.factored();
        let mut solved = right.clone();
        factored.solve(&mut solved);
        let explained = right.iter().zip(&solved).map(|(r, v)| r * v).sum::<f64>();
        let mut z = Vec::with_capacity(knots.len());
        z.push(0.0);
        z.append(&mut solved);
        z.push(0.0);
        let residual_squares = (sums.squares - explained).max(sums.exact());
        Values { segments, matrix, factored, z, residual_squares }
    }

    /// Slope of `z` in each segment.
    pub fn slopes(&self, knots: &[f64]) -> Vec<f64> {
        let ends = knots.windows(2).zip(self.z.windows(2));
        ends.map(|(x, z)| (z[1] - z[0]) / (x[1] - x[0])).collect()
    }
}
