/// A division of points into segments, each with a line of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Division {
    /// Number of points before each break, rising.
    pub breaks: Vec<usize>,
    /// Residual sum of squares of all segments.
    pub residual_squares: f64,
}

/// From this number of points on breaks are searched for coarsely first.
const MANY_POINTS: usize = 5000;

/// Borders among which breaks are searched for coarsely.
const COARSE_BORDERS: usize = 500;

/// Discontinuous segmented regression: for 0, 1, 2 … `most_breaks` breaks the division of the
/// points into segments of at least `smallest_segment` points, at least 2, whose least squares
/// lines leave the least residual sum of squares. Fewer divisions where there is no room for more;
/// none without points. `x` rises; no break is between points of one place.
///
/// Up to 5000 points that is the exact optimum, by dynamic programming: O(n² × breaks) time and
/// O(n × breaks) memory. Of more points it is the optimum among 500 borders, each break then moved
/// within a few hundredths of the points as long as any move gains, in O(n × breaks).
///
/// Of points without ties the divisions are those of `strucchange::breakpoints(y ~ x)` in R.
///
/// Sources: Bai and Perron 2003, *Computation and analysis of multiple structural change models*,
/// Journal of Applied Econometrics 18; Zeileis, Leisch, Hornik and Kleiber 2002, *strucchange: An R
/// package for testing for structural change in linear regression models*, Journal of Statistical
/// Software 7; Servat 2015, §4.3.2.
pub fn breakpoints(
    x: &[f64],
    y: &[f64],
    smallest_segment: usize,
    most_breaks: usize,
) -> Vec<Division> {
    let lines = Lines::new(x, y);
    let count = lines.len();
    if count == 0 {
        return Vec::new();
    }
    let smallest = smallest_segment.max(2);
    let most_breaks = most_breaks.min((count / smallest).saturating_sub(1));
    let borders = lines.borders();
    if count <= MANY_POINTS {
        return optimal(&lines, &borders, smallest, most_breaks);
    }
    let mut coarse = vec![0];
    for k in 1..=COARSE_BORDERS {
        let points = k * count / COARSE_BORDERS;
        coarse.extend(borders.get(borders.partition_point(|&border| border < points)));
    }
    coarse.dedup();
    let reach = (4 * count / COARSE_BORDERS + 1).max(count / 50);
    let divisions = optimal(&lines, &coarse, smallest, most_breaks);
    let moved = divisions
        .into_iter()
        .map(|division| nudged(&lines, &borders, smallest, reach, division.breaks));
    moved.collect()
}

/// Index of the division with the least `n ln RSS + 3 (breaks + 1) ln n`, the first of several: the
/// rule of strucchange, which counts two coefficients and one break per segment. `None` for no
/// divisions.
pub fn by_bic(divisions: &[Division], points: usize) -> Option<usize> {
    let n = points as f64;
    let mut best = None::<(usize, f64)>;
    for (breaks, division) in divisions.iter().enumerate() {
        // An exact fit is as good as one of that little, and not better.
        let squares = division.residual_squares.max(1e-30 * n);
        let bic = n * libm::log(squares) + 3.0 * (breaks + 1) as f64 * libm::log(n);
        if best.is_none_or(|(_, least)| bic < least) {
            best = Some((breaks, bic));
        }
    }
    best.map(|(breaks, _)| breaks)
}

/// The best division by borders of `borders` for every number of breaks.
///
/// The residual sum of squares of a segment is computed once, for all numbers of breaks.
fn optimal(lines: &Lines, borders: &[usize], smallest: usize, most_breaks: usize) -> Vec<Division> {
    let rows = most_breaks + 1;
    // At border × rows + breaks: the least sum up to the border, and the border before it.
    let mut least = vec![f64::INFINITY; borders.len() * rows];
    let mut from = vec![0u32; borders.len() * rows];
    for (here, &end) in borders.iter().enumerate() {
        if end >= smallest {
            least[here * rows] = lines.residual_squares(0, end);
        }
        let (before, this) = least.split_at_mut(here * rows);
        let this = &mut this[1..rows];
        let origins = &mut from[here * rows + 1..(here + 1) * rows];
        for (earlier, &start) in borders[..here].iter().enumerate().skip(1) {
            if end - start < smallest {
                break;
            }
            let squares = lines.residual_squares(start, end);
            let sums = &before[earlier * rows..(earlier + 1) * rows];
            for ((best, origin), sum) in this.iter_mut().zip(origins.iter_mut()).zip(sums) {
                if sum + squares < *best {
                    *best = sum + squares;
                    *origin = earlier as u32;
                }
            }
        }
    }
    let last = borders.len() - 1;
    let divisions = (0..rows).map(|count| {
        let mut breaks = Vec::with_capacity(count);
        let mut at = last;
        for left in (1..=count).rev() {
            at = from[at * rows + left] as usize;
            breaks.push(borders[at]);
        }
        breaks.reverse();
        Division { breaks, residual_squares: least[last * rows + count] }
    });
    divisions.take_while(|division| division.residual_squares.is_finite()).collect()
}

/// Moves each break to the best border within `reach` points, until none moves.
fn nudged(
    lines: &Lines,
    borders: &[usize],
    smallest: usize,
    reach: usize,
    mut breaks: Vec<usize>,
) -> Division {
    for _ in 0..20 {
        let mut moved = false;
        for at in 0..breaks.len() {
            let start = if at == 0 { 0 } else { breaks[at - 1] };
            let end = breaks.get(at + 1).copied().unwrap_or(lines.len());
            let here = breaks[at];
            let nearest = (start + smallest).max(here.saturating_sub(reach));
            let furthest = (end - smallest).min(here + reach);
            let squares = |border: usize| {
                lines.residual_squares(start, border) + lines.residual_squares(border, end)
            };
            let mut least = squares(here);
            let first = borders.partition_point(|&border| border < nearest);
            for &border in borders[first..].iter().take_while(|&&border| border <= furthest) {
                let squares = squares(border);
                if squares < least {
                    least = squares;
                    breaks[at] = border;
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
    }
    let ends = breaks.iter().copied().chain([lines.len()]);
    let starts = [0].into_iter().chain(breaks.iter().copied());
    let squares = starts.zip(ends).map(|(start, end)| lines.residual_squares(start, end)).sum();
    Division { breaks, residual_squares: squares }
}

/// Lines through any run of points.
struct Lines<'a> {
    x: &'a [f64],
    /// Σx, Σy, Σx², Σxy, Σy² over the first `i` points, `x` from its mean and `y` from the line
    /// through all points: what residuals do not depend on would cost them their digits.
    upto: Vec<[f64; 5]>,
}

impl<'a> Lines<'a> {
    fn new(x: &'a [f64], y: &[f64]) -> Lines<'a> {
        let count = x.len().min(y.len());
        let n = count.max(1) as f64;
        let x = &x[..count];
        let mean_x = x.iter().sum::<f64>() / n;
        let mean_y = y[..count].iter().sum::<f64>() / n;
        let (mut xx, mut xy) = (0.0, 0.0);
        for (x, y) in x.iter().zip(y) {
            xx += (x - mean_x) * (x - mean_x);
            xy += (x - mean_x) * (y - mean_y);
        }
        let slope = if xx > 0.0 { xy / xx } else { 0.0 };
        let mut sums = [0.0; 5];
        let mut upto = Vec::with_capacity(count + 1);
        upto.push(sums);
        for (x, y) in x.iter().zip(y) {
            let (x, y) = (x - mean_x, y - mean_y - slope * (x - mean_x));
            let terms = [x, y, x * x, x * y, y * y];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
            upto.push(sums);
        }
        Lines { x, upto }
    }

    fn len(&self) -> usize {
        self.x.len()
    }

    /// Numbers of points before which, and after which, all `x` differ; 0 and all included.
    fn borders(&self) -> Vec<usize> {
        let inner = self.x.windows(2).enumerate().filter(|(_, pair)| pair[0] < pair[1]);
        let inner = inner.map(|(at, _)| at + 1);
        [0].into_iter().chain(inner).chain([self.len()]).collect()
    }

    /// Residual sum of squares of the line through points `start..end`.
    fn residual_squares(&self, start: usize, end: usize) -> f64 {
        if end <= start + 1 {
            return 0.0;
        }
        let (before, after) = (&self.upto[start], &self.upto[end]);
        let [x, y, xx, xy, yy]: [f64; 5] = std::array::from_fn(|i| after[i] - before[i]);
        let share = 1.0 / (end - start) as f64;
        let (vxx, vxy, vyy) = (xx - x * x * share, xy - x * y * share, yy - y * y * share);
        // Points of one place have no slope.
        let explained = if vxx > 1e-14 * xx.abs() { vxy * vxy / vxx } else { 0.0 };
        (vyy - explained).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noisy_steps(count: usize, places: f64) -> (Vec<f64>, Vec<f64>) {
        let mut seed = 3u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut x = (0..count).map(|_| random()).collect::<Vec<_>>();
        x.iter_mut().for_each(|x| *x = (*x * places).floor() / places);
        x.sort_by(f64::total_cmp);
        let rate = |x: f64| f64::min(2.0 * x, 0.6) + f64::max(0.0, 1.5 * (x - 0.7));
        let y = x.iter().map(|&x| rate(x) + 0.02 * (random() - 0.5)).collect();
        (x, y)
    }

    /// The sum over segments of squared distances from the least squares line, by definition.
    fn squares(x: &[f64], y: &[f64], breaks: &[usize]) -> f64 {
        let ends = breaks.iter().copied().chain([x.len()]);
        let starts = [0].into_iter().chain(breaks.iter().copied());
        let of_segment = |(start, end): (usize, usize)| {
            let n = (end - start) as f64;
            let (x, y) = (&x[start..end], &y[start..end]);
            let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
            let xx = x.iter().map(|x| (x - mx) * (x - mx)).sum::<f64>();
            let xy = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>();
            let slope = if xx > 0.0 { xy / xx } else { 0.0 };
            let residual = |(x, y): (&f64, &f64)| y - my - slope * (x - mx);
            x.iter().zip(y).map(residual).map(|e| e * e).sum::<f64>()
        };
        starts.zip(ends).map(of_segment).sum()
    }

    #[test]
    fn no_division_that_is_tried_by_hand_is_better() {
        for places in [1e9, 12.0] {
            let (x, y) = noisy_steps(40, places);
            let divisions = breakpoints(&x, &y, 4, 2);
            assert_eq!(divisions.len(), 3);
            let allowed = |at: &usize| x[at - 1] < x[*at];
            let mut best = f64::INFINITY;
            for first in (4..=32).filter(allowed) {
                for second in (first + 4..=36).filter(allowed) {
                    best = best.min(squares(&x, &y, &[first, second]));
                }
            }
            let found = squares(&x, &y, &divisions[2].breaks);
            assert!((found / best - 1.0).abs() < 1e-10, "{found} {best}");
            assert!((divisions[2].residual_squares / best - 1.0).abs() < 1e-10);
        }
    }

    #[test]
    fn of_many_points_the_optimum_is_found_by_way_of_coarse_borders() {
        for places in [1e9, 3000.0] {
            let (x, y) = noisy_steps(MANY_POINTS + 1000, places);
            let lines = Lines::new(&x, &y);
            let exact = optimal(&lines, &lines.borders(), 200, 3);
            let found = breakpoints(&x, &y, 200, 3);
            let breaks =
                |all: &[Division]| all.iter().map(|d| d.breaks.clone()).collect::<Vec<_>>();
            assert_eq!(breaks(&found), breaks(&exact));
        }
    }

    #[test]
    fn where_there_is_no_room_there_are_fewer_breaks() {
        assert_eq!(breakpoints(&[], &[], 2, 3), []);
        assert_eq!(by_bic(&[], 0), None);
        assert_eq!(breakpoints(&[0.5], &[1.0], 2, 3).len(), 0);
        assert_eq!(
            breakpoints(&[0.1, 0.2, 0.3, 0.4, 0.5], &[0.0, 1.0, 0.0, 1.0, 0.0], 2, 9).len(),
            2
        );
        // All points at one place: no break, and the scatter around their mean.
        let found = breakpoints(&[0.5; 8], &[0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0], 2, 3);
        assert_eq!(found, [Division { breaks: Vec::new(), residual_squares: 8.0 }]);
    }
}
