use super::Observation;
use super::filter::Filter;

/// λ is looked for between these powers of ten: from interpolation to a straight line.
const SEARCHED: (f64, f64) = (-11.0, 1.0);
/// Steps of the coarse search, so that a poor local optimum is not taken: half a decade each.
const COARSE_STEPS: u32 = 24;
/// Steps of the golden section search between the neighbours of the best: 0.62^15 of a decade.
const FINE_STEPS: u32 = 15;
/// More points than this are merged into as many cells before λ is looked for.
///
/// A cell hides how the curve rises within it, `slope²/(12 CELLS²)` of variance: 3e-10, far below
/// the noise of any sample. So λ stays, and the search does not grow with the points.
const CELLS: usize = 16_384;

/// The λ of the smoothing spline that restricted maximum likelihood finds.
///
/// GCV was weighed and under-smooths at random. `None` with fewer than three
/// points, or if the points have no noise at all. O(points) plus about 40 passes over
/// at most 16,384 merged points.
///
/// Source: Wahba 1985, A comparison of GCV and GML; Speed 1991 (REML).
pub fn lambda_by_reml(points: &[Observation]) -> Option<f64> {
    let merged = Merged::new(points);
    let cost = |exponent: f64| merged.minus_two_reml(libm::pow(10.0, exponent));
    let coarse = (SEARCHED.1 - SEARCHED.0) / f64::from(COARSE_STEPS);
    let mut best: Option<(f64, f64)> = None;
    for step in 0..=COARSE_STEPS {
        let exponent = SEARCHED.0 + coarse * f64::from(step);
        if let Some(found) = cost(exponent)
            && best.is_none_or(|(_, least)| found < least)
        {
            best = Some((exponent, found));
        }
    }
    let (middle, _) = best?;
    let (low, high) = (middle - coarse, middle + coarse);
    Some(libm::pow(
        10.0,
        golden_section(low, high, FINE_STEPS, |x| cost(x).unwrap_or(f64::INFINITY)),
    ))
}

/// Where `cost` is least between `low` and `high`, if it has one valley there.
pub(super) fn golden_section(
    mut low: f64,
    mut high: f64,
    steps: u32,
    cost: impl Fn(f64) -> f64,
) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_894_8;
    let (mut left, mut right) = (high - RATIO * (high - low), low + RATIO * (high - low));
    let (mut at_left, mut at_right) = (cost(left), cost(right));
    for _ in 0..steps {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - RATIO * (high - low);
            at_left = cost(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + RATIO * (high - low);
            at_right = cost(right);
        }
    }
    (low + high) / 2.0
}

/// Points of one cell as one point: their mean, the sum of their weights. What the cell hides is
/// the squares within it.
struct Merged {
    points: Vec<Observation>,
    count: f64,
    squares_within: f64,
}

impl Merged {
    fn new(points: &[Observation]) -> Self {
        let count = points.len() as f64;
        if points.len() <= CELLS {
            return Self { points: points.to_vec(), count, squares_within: 0.0 };
        }
        let mut merged: Vec<Observation> = Vec::with_capacity(CELLS + 2);
        let mut squares_within = 0.0;
        let mut cell = f64::NAN;
        for point in points {
            let its_cell = (point.x * CELLS as f64).floor();
            match merged.last_mut() {
                // The anchors at the ends are no samples: their weight must not drown a cell.
                Some(last) if its_cell == cell && alike(last.weight, point.weight) => {
                    let weight = last.weight + point.weight;
                    let share = point.weight / weight;
                    let apart = point.y - last.y;
                    squares_within += last.weight * share * apart * apart;
                    last.y += share * apart;
                    last.x += share * (point.x - last.x);
                    last.weight = weight;
                }
                _ => merged.push(*point),
            }
            cell = its_cell;
        }
        Self { points: merged, count, squares_within }
    }

    /// −2 log of the restricted likelihood of λ, the noise variance profiled out, up to a constant.
    ///
    /// `None` with fewer than three points, or where the curve leaves no residual to judge by.
    fn minus_two_reml(&self, lambda: f64) -> Option<f64> {
        let mut filter = Filter::new(lambda);
        let mut last = self.points.first()?.x;
        for point in &self.points {
            filter.predict(point.x - last);
            last = point.x;
            filter.update(point);
        }
        let (squares, log_determinant) = filter.likelihood()?;
        let freedom = self.count - 2.0;
        let variance = (squares + self.squares_within) / freedom;
        let usable = freedom >= 1.0 && variance > 0.0 && log_determinant.is_finite();
        usable.then(|| freedom * libm::log(variance) + log_determinant)
    }
}

fn alike(a: f64, b: f64) -> bool {
    b * 1e6 > a && a * 1e6 > b
}

/// The same of every point, none merged: what the search stands for.
#[cfg(test)]
pub(super) fn minus_two_reml(points: &[Observation], lambda: f64) -> Option<f64> {
    let points = points.to_vec();
    let count = points.len() as f64;
    Merged { points, count, squares_within: 0.0 }.minus_two_reml(lambda)
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// `tests/oracles/kriging.py`: dense linear algebra by numpy and scipy.
    #[test]
    fn likelihoods_of_two_nuggets_differ_as_by_dense_algebra() {
        let cases = include_str!("../../../tests/oracles/kriging.json");
        let cases: Vec<serde_json::Value> = serde_json::from_str(cases).unwrap();
        for case in cases {
            let numbers = |name: &str| {
                let values = case[name].as_array().unwrap().iter();
                values.map(|value| value.as_f64().unwrap()).collect::<Vec<_>>()
            };
            let points = numbers("x").into_iter().zip(numbers("y"));
            let points = points.map(|(x, y)| Observation { x, y, weight: 1.0 }).collect::<Vec<_>>();
            let of_fit = |fit: &serde_json::Value| {
                let ours = minus_two_reml(&points, fit["lam"].as_f64().unwrap()).unwrap();
                ours - fit["neg2reml_concentrated"].as_f64().unwrap()
            };
            // Both leave out a constant, each its own.
            let fits = case["fits"].as_array().unwrap();
            for fit in &fits[1..] {
                let apart = of_fit(fit) - of_fit(&fits[0]);
                assert!(apart.abs() < 1e-4, "{} {apart:e}", case["name"]);
            }
        }
    }

    fn waves(n: usize, noise: f64) -> Vec<Observation> {
        let mut random = Random::new(3);
        let mut xs = (0..n).map(|_| random.uniform()).collect::<Vec<_>>();
        xs.sort_by(f64::total_cmp);
        let y = |x: f64| x + 0.05 * libm::sin(12.0 * x);
        xs.into_iter()
            .map(|x| Observation { x, y: y(x) + noise * (random.uniform() - 0.5), weight: 1.0 })
            .collect()
    }

    #[test]
    fn merging_cells_does_not_move_lambda() {
        let points = waves(60_000, 0.02);
        let merged = lambda_by_reml(&points).unwrap();
        let exact = |exponent: f64| minus_two_reml(&points, libm::pow(10.0, exponent)).unwrap();
        let middle = libm::log10(merged);
        let found = golden_section(middle - 0.5, middle + 0.5, FINE_STEPS, exact);
        assert!((found - middle).abs() < 0.02, "{found} {middle}");
    }

    #[test]
    fn points_without_noise_or_in_too_small_number_have_no_lambda() {
        let line = |x: f64| Observation { x, y: 2.0 * x, weight: 1.0 };
        assert_eq!(lambda_by_reml(&[line(0.1), line(0.9)]), None);
        assert_eq!(lambda_by_reml(&[]), None);
        let zero = |x: f64| Observation { x, y: 0.0, weight: 1.0 };
        assert_eq!(lambda_by_reml(&[zero(0.1), zero(0.5), zero(0.9)]), None);
    }
}
