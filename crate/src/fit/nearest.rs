//! The nearest of many points of the plane.

use std::ops::Range;

use crate::order;

/// Points of the plane, halved again and again along the longer side of what they cover.
///
/// Source: Friedman, Bentley and Finkel 1977, An algorithm for finding best matches in logarithmic
/// expected time.
#[derive(Clone, Debug)]
pub struct Nearest<'a> {
    points: &'a [[f64; 2]],
    /// Indices of points. In the middle of each part that is halved stands the point that halves it.
    order: Vec<u32>,
    /// Of each place in `order` the axis along which its part is halved there.
    axes: Vec<u8>,
    /// Along each axis the least and the most of all points.
    extent: [[f64; 2]; 2],
}

/// So few points are looked at one after the other.
const FEW: usize = 8;

impl<'a> Nearest<'a> {
    /// The squares of all distances are finite. O(n log² n).
    pub fn of(points: &'a [[f64; 2]]) -> Self {
        let order = (0..points.len() as u32).collect();
        let extent = [0, 1].map(|axis| {
            let along = points.iter().map(|point| point[axis]);
            let least = along.clone().fold(f64::INFINITY, f64::min);
            [least, along.fold(f64::NEG_INFINITY, f64::max)]
        });
        let mut halved = Self { points, order, axes: vec![0; points.len()], extent };
        let all = 0..points.len();
        let mut parts = vec![all];
        while let Some(part) = parts.pop() {
            if part.len() > FEW {
                let axis = halved.longer_side(&halved.order[part.clone()]);
                let along = |index: &u32| order::of_float(points[*index as usize][axis]);
                order::by_number(&mut halved.order[part.clone()], along);
                let middle = part.start + part.len() / 2;
                halved.axes[middle] = axis as u8;
                parts.extend([part.start..middle, middle + 1..part.end]);
            }
        }
        halved
    }

    fn longer_side(&self, indices: &[u32]) -> usize {
        let side = |axis: usize| {
            let along = || indices.iter().map(|index| self.points[*index as usize][axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        usize::from(side(1) > side(0))
    }

    /// The index of a point nearest to `place`, if one lies within `eps`; of several alike always the
    /// same one. O(log n) expected.
    pub fn within(&self, place: [f64; 2], eps: f64) -> Option<u32> {
        // What lies at eps itself is within.
        let mut nearest = ((eps * eps).next_up(), None);
        self.look(place, nearest.0, &mut |apart, index| {
            if apart < nearest.0 {
                nearest = (apart, Some(index));
            }
            nearest.0
        });
        nearest.1
    }

    /// Of each point the distance within which `k` points lie, itself counted; of fewer points than
    /// `k`, all of them. O(n k log n) expected.
    pub fn distances(&self, k: usize) -> Vec<f64> {
        let k = k.clamp(1, self.points.len().max(1));
        let mut squares = Vec::with_capacity(k + 1);
        let of_point = |place: &[f64; 2]| {
            squares.clear();
            self.look(*place, f64::INFINITY, &mut |apart, _| {
                let at = squares.partition_point(|known| *known <= apart);
                squares.insert(at, apart);
                squares.truncate(k);
                if squares.len() < k { f64::INFINITY } else { squares[k - 1] }
            });
            squares.last().map_or(0.0, |square| square.sqrt())
        };
        self.points.iter().map(of_point).collect()
    }

    /// Shows `visit` points, near ones first: the square of their distance from `place`, and their
    /// index. It answers with the square of the distance from which on no point matters to it, at
    /// first `reach`.
    fn look(&self, place: [f64; 2], reach: f64, visit: &mut impl FnMut(f64, u32) -> f64) {
        let outside = [0, 1].map(|axis| {
            let [least, most] = self.extent[axis];
            (least - place[axis]).max(place[axis] - most).max(0.0)
        });
        self.look_in(0..self.order.len(), place, outside, reach, visit);
    }

    /// The same of a part of `order`, whose points lie no nearer along each axis than `outside`.
    fn look_in(
        &self,
        part: Range<usize>,
        place: [f64; 2],
        outside: [f64; 2],
        mut reach: f64,
        visit: &mut impl FnMut(f64, u32) -> f64,
    ) -> f64 {
        let [dx, dy] = outside;
        if dx * dx + dy * dy >= reach {
            return reach;
        }
        let mut show = |at: usize| {
            let index = self.order[at];
            let [x, y] = self.points[index as usize];
            let (dx, dy) = (x - place[0], y - place[1]);
            visit(dx * dx + dy * dy, index)
        };
        if part.len() <= FEW {
            part.for_each(|at| reach = show(at));
            return reach;
        }
        let middle = part.start + part.len() / 2;
        reach = show(middle);
        let axis = usize::from(self.axes[middle]);
        let beyond = place[axis] - self.points[self.order[middle] as usize][axis];
        let (lower, upper) = (part.start..middle, middle + 1..part.end);
        let (here, there) = if beyond < 0.0 { (lower, upper) } else { (upper, lower) };
        let mut across = outside;
        across[axis] = beyond.abs();
        reach = self.look_in(here, place, outside, reach, visit);
        self.look_in(there, place, across, reach, visit)
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// Points on a lattice of so many steps, so that some are alike and some equally far.
    fn points(count: usize, steps: f64, random: &mut Random) -> Vec<[f64; 2]> {
        let mut place = || (random.uniform() * steps).floor() / steps;
        (0..count).map(|_| [place(), place() / 3.0]).collect()
    }

    fn square(a: [f64; 2], b: [f64; 2]) -> f64 {
        (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
    }

    #[test]
    fn no_point_is_nearer_than_the_nearest_and_none_within_eps_is_missed() {
        let mut random = Random::new(17);
        for (count, steps) in [(0, 4.0), (1, 4.0), (9, 4.0), (300, 4.0), (300, 64.0), (300, 1e9)] {
            let points = points(count, steps, &mut random);
            let nearest = Nearest::of(&points);
            for place in self::points(200, steps, &mut random) {
                for eps in [0.0, 1e-9, 0.015625, 0.25, 2.0] {
                    let apart = points.iter().map(|point| square(*point, place));
                    let least = apart.reduce(f64::min).filter(|apart| *apart <= eps * eps);
                    let found = nearest.within(place, eps);
                    let found = found.map(|index| square(points[index as usize], place));
                    assert_eq!(found, least, "{count} {steps} {place:?} {eps}");
                }
            }
        }
    }

    #[test]
    fn distances_reach_as_many_points_as_asked() {
        let mut random = Random::new(18);
        for (count, steps) in [(0, 4.0), (1, 4.0), (100, 4.0), (100, 64.0), (100, 1e9)] {
            let points = points(count, steps, &mut random);
            for k in [0, 1, 2, 10, 100, 500] {
                let by_definition = points.iter().map(|place| {
                    let mut all = points.iter().map(|p| square(*p, *place)).collect::<Vec<_>>();
                    order::floats(&mut all);
                    all[k.clamp(1, count) - 1].sqrt()
                });
                let by_definition = by_definition.collect::<Vec<_>>();
                assert_eq!(Nearest::of(&points).distances(k), by_definition, "{count} {steps} {k}");
            }
        }
    }
}
