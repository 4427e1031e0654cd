//! DBSCAN in the plane.

use crate::order;

/// What DBSCAN finds in points.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// Cluster of each point, from 1 in the order of their first core points, or 0 for noise.
    pub clusters: Vec<u32>,
    /// Whether each point is core.
    pub core: Vec<bool>,
}

/// Clusters of `points` by their density.
///
/// A point is core if at least `min_points` points, itself counted, lie within `eps` of it; core
/// points within `eps` of one another share a cluster; another point joins the nearest core point
/// within `eps`, the first of two alike. Points less than 1e-15 of their extent apart count as one
/// place, so that an `eps` of 0 clusters equal points. Points are finite.
///
/// O(n log n) unless many cells of nearly `min_points` points stand together, then up to
/// O(n × `min_points`).
///
/// Source: Ester et al. 1996; by cells as in Gunawan 2013.
pub fn dbscan_plane(points: &[[f64; 2]], min_points: usize, eps: f64) -> Dense {
    let cells = Cells::of(points, eps);
    let core = cells.core(min_points);
    let cores = (0..cells.cells.len())
        .map(|cell| cells.members(cell).iter().copied().filter(|&m| core[m as usize]).collect())
        .collect::<Vec<Vec<u32>>>();
    let joined = cells.joined(&cores);
    let cell_of = cells.cell_of();

    let mut numbers = vec![0; cores.len()];
    let mut count = 0;
    let mut clusters = vec![0; points.len()];
    for index in (0..points.len()).filter(|index| core[*index]) {
        let number = &mut numbers[joined[cell_of[index] as usize] as usize];
        if *number == 0 {
            count += 1;
            *number = count;
        }
        clusters[index] = *number;
    }
    for index in (0..points.len() as u32).filter(|index| !core[*index as usize]) {
        let around = cells.around(cell_of[index as usize] as usize);
        let reached = around.flat_map(|cell| &cores[cell]).map(|&at| (cells.apart(index, at), at));
        let reached = reached.filter(|(apart, _)| *apart <= cells.within);
        let nearest = reached.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if let Some((_, at)) = nearest {
            clusters[index as usize] = clusters[at as usize];
        }
    }
    Dense { clusters, core }
}

/// Points in square cells so small that all points of one are within `eps` of one another.
struct Cells<'a> {
    points: &'a [[f64; 2]],
    /// The square of `eps`.
    within: f64,
    /// Indices of points by cell, then index.
    order: Vec<u32>,
    /// By place.
    cells: Vec<Cell>,
}

struct Cell {
    /// Column and row.
    place: [u64; 2],
    /// Its points in `order`.
    members: std::ops::Range<usize>,
}

impl<'a> Cells<'a> {
    fn of(points: &'a [[f64; 2]], eps: f64) -> Self {
        let least = |axis: usize| points.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
        let most = |axis: usize| points.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
        let start = [least(0), least(1)];
        let extent = (most(0) - start[0]).max(most(1) - start[1]).max(f64::MIN_POSITIVE);
        // A little less than the square whose diagonal is eps, so that rounding cannot exceed it.
        let side = (eps / 2f64.sqrt() * (1.0 - 1e-12)).max(extent * 1e-15);
        let place = |axis: usize, index: u32| {
            ((points[index as usize][axis] - start[axis]) / side).floor() as u64
        };
        let mut order = (0..points.len() as u32).collect::<Vec<_>>();
        order::by_number(&mut order, |index| place(1, *index));
        order::by_number(&mut order, |index| place(0, *index));
        let mut cells: Vec<Cell> = Vec::new();
        for (at, index) in order.iter().enumerate() {
            let place = [place(0, *index), place(1, *index)];
            match cells.last_mut() {
                Some(cell) if cell.place == place => cell.members.end = at + 1,
                _ => cells.push(Cell { place, members: at..at + 1 }),
            }
        }
        Self { points, within: eps * eps, order, cells }
    }

    fn members(&self, cell: usize) -> &[u32] {
        &self.order[self.cells[cell].members.clone()]
    }

    fn cell_of(&self) -> Vec<u32> {
        let mut of_point = vec![0; self.points.len()];
        for (number, cell) in (0u32..).zip(&self.cells) {
            for &member in &self.order[cell.members.clone()] {
                of_point[member as usize] = number;
            }
        }
        of_point
    }

    /// Cells that may hold points within `eps` of points of `cell`, itself among them.
    fn around(&self, cell: usize) -> impl Iterator<Item = usize> {
        let [column, row] = self.cells[cell].place;
        (column.saturating_sub(2)..=column.saturating_add(2)).flat_map(move |near| {
            // Of the 5 by 5 the corners are too far.
            let reach = if near.abs_diff(column) == 2 { 1 } else { 2 };
            let (from, to) = (row.saturating_sub(reach), row.saturating_add(reach));
            let first = self.cells.partition_point(|cell| cell.place < [near, from]);
            let end = self.cells.partition_point(|cell| cell.place <= [near, to]);
            first..end
        })
    }

    /// Square of the distance of two points.
    fn apart(&self, a: u32, b: u32) -> f64 {
        let ([x, y], [u, v]) = (self.points[a as usize], self.points[b as usize]);
        (x - u) * (x - u) + (y - v) * (y - v)
    }

    fn core(&self, min_points: usize) -> Vec<bool> {
        let mut core = vec![false; self.points.len()];
        for cell in 0..self.cells.len() {
            let members = self.members(cell);
            let dense = members.len() >= min_points;
            for &member in members {
                let others = self.around(cell).filter(|other| *other != cell);
                let others = others.flat_map(|other| self.members(other));
                let near = others.filter(|other| self.apart(member, **other) <= self.within);
                let wanted = min_points.saturating_sub(members.len());
                core[member as usize] = dense || near.take(wanted).count() == wanted;
            }
        }
        core
    }

    /// For each cell with core points one cell of its cluster, the same for all.
    fn joined(&self, cores: &[Vec<u32>]) -> Vec<u32> {
        let mut ways = (0..cores.len() as u32).collect::<Vec<_>>();
        for cell in 0..cores.len() {
            for other in self.around(cell).filter(|other| *other > cell) {
                let (a, b) = (follow(&mut ways, cell as u32), follow(&mut ways, other as u32));
                let touch = |one: &u32| {
                    cores[other].iter().any(|two| self.apart(*one, *two) <= self.within)
                };
                if a != b && cores[cell].iter().any(touch) {
                    ways[a.max(b) as usize] = a.min(b);
                }
            }
        }
        (0..cores.len() as u32).map(|cell| follow(&mut ways, cell)).collect()
    }
}

/// Follows the way to its end, and shortens it for the next one.
fn follow(ways: &mut [u32], mut at: u32) -> u32 {
    while ways[at as usize] != at {
        ways[at as usize] = ways[ways[at as usize] as usize];
        at = ways[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// Every point looks at every other.
    fn by_definition(points: &[[f64; 2]], min_points: usize, eps: f64) -> Dense {
        let apart = |a: usize, b: usize| {
            let ([x, y], [u, v]) = (points[a], points[b]);
            (x - u) * (x - u) + (y - v) * (y - v)
        };
        let all = 0..points.len();
        let near = |a: usize| all.clone().filter(move |&b| apart(a, b) <= eps * eps);
        let core = all.clone().map(|a| near(a).count() >= min_points).collect::<Vec<_>>();
        let mut clusters = vec![0; points.len()];
        let mut count = 0;
        for first in all.clone().filter(|a| core[*a]) {
            let mut waiting = if clusters[first] == 0 { vec![first] } else { vec![] };
            count += u32::from(!waiting.is_empty());
            while let Some(at) = waiting.pop() {
                if clusters[at] == 0 {
                    clusters[at] = count;
                    waiting.extend(near(at).filter(|b| core[*b]));
                }
            }
        }
        for border in all.clone().filter(|a| !core[*a]) {
            let cores = near(border).filter(|b| core[*b]);
            let nearest = cores.min_by(|a, b| apart(border, *a).total_cmp(&apart(border, *b)));
            clusters[border] = nearest.map_or(0, |b| clusters[b]);
        }
        Dense { clusters, core }
    }

    #[test]
    fn equals_its_definition_on_clumps_ties_and_noise() {
        let mut random = Random::new(11);
        for steps in [8.0, 40.0, 1e7] {
            let points = (0..300).map(|index| {
                let clump = f64::from(index % 3) / 4.0;
                let spread = if index % 10 == 0 { 1.0 } else { 0.1 };
                [0, 1].map(|_| ((clump + spread * random.uniform()) * steps).floor() / steps)
            });
            let points = points.collect::<Vec<_>>();
            for min_points in [1, 2, 5, 20, 301] {
                for eps in [0.0, 1e-9, 0.02, 0.05, 0.125, 0.3, 5.0] {
                    let found = dbscan_plane(&points, min_points, eps);
                    let expected = by_definition(&points, min_points, eps);
                    assert_eq!(found, expected, "{steps} {min_points} {eps}");
                }
            }
        }
    }

    #[test]
    fn few_points_and_places_far_from_zero_are_no_matter() {
        assert_eq!(dbscan_plane(&[], 3, 0.1).clusters, [0u32; 0]);
        assert_eq!(dbscan_plane(&[[7.0, 7.0]], 1, 0.0).clusters, [1]);
        let far = [[1e300, -1e300], [1e300, -1e300], [-1e300, 1e300]];
        assert_eq!(dbscan_plane(&far, 2, 0.5).clusters, [1, 1, 0]);
    }
}
