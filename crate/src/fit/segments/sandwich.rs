//! How slopes and breaks respond, to first order, to the residuals of each instance.

use super::Samples;
use super::intervals::Breaks;
use super::refine::{Derivatives, of_places};
use super::solution::{Solution, Values};
use super::sums::Sums;
use super::tridiagonal::Tridiagonal;

/// More instances than this are dealt to so many clusters: the cost is bounded, and clusters are
/// as independent as instances are.
const MOST_CLUSTERS: usize = 512;

/// Share of its diagonal added to the normal matrix of the places: where no counter bends at a
/// break, its place is unknown, but stays a number.
const RIDGE: f64 = 1e-9;

/// Standard deviations: of each counter the slope of each segment, and of each break its place.
pub struct Deviations {
    pub slopes: Vec<Vec<f64>>,
    pub breaks: Vec<f64>,
    /// Degrees of freedom of the above.
    pub degrees: f64,
}

/// The deviations; `None` where they cannot be told: of fewer than two clusters, or no more
/// samples than parameters. O(n + clusters × (breaks² + counters × breaks)).
pub fn sandwich(
    samples: &[Samples],
    sums: &[Sums],
    full: &Solution,
    breaks: Breaks,
) -> Option<Deviations> {
    let counters = samples.iter().zip(sums).zip(&full.counters);
    let counters = counters.map(|((samples, sums), values)| {
        Response::of(samples, sums.precision, values, &full.knots)
    });
    let counters = counters.collect::<Vec<_>>();
    let is_used = |cluster: &usize| counters.iter().any(|counter| counter.used[*cluster]);
    let clusters = (0..MOST_CLUSTERS).filter(is_used).collect::<Vec<_>>();
    let count = sums.iter().map(Sums::len).sum::<usize>() as f64;
    let parameters = ((sums.len() + 1) * full.breaks()) as f64;
    if clusters.len() < 2 || count <= parameters {
        return None;
    }
    let normal = of_places(sums, full).0.with_ridge(RIDGE).cholesky()?;
    let mut slopes = vec![vec![0.0; full.breaks() + 1]; sums.len()];
    let mut places = vec![0.0; full.breaks()];
    for &cluster in &clusters {
        let mut moved = vec![0.0; full.breaks()];
        if breaks == Breaks::Fitted {
            counters.iter().for_each(|counter| counter.push_places(cluster, &mut moved));
            normal.solve(&mut moved);
        }
        add_squares(&mut places, &moved);
        for (slopes, counter) in slopes.iter_mut().zip(&counters) {
            add_squares(slopes, &counter.slopes(cluster, &moved, &full.knots));
        }
    }
    let degrees = (clusters.len() - 1) as f64;
    // What few clusters and many parameters make the residuals too small by.
    let scale = (degrees + 1.0) / degrees * (count - 1.0) / (count - parameters);
    for square in slopes.iter_mut().flatten().chain(&mut places) {
        *square = (*square * scale).sqrt();
    }
    Some(Deviations { slopes, breaks: places, degrees })
}

fn add_squares(sums: &mut [f64], numbers: &[f64]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number * number);
}

/// What one counter's residuals do.
struct Response<'a> {
    precision: f64,
    values: &'a Values,
    /// Of `z`, by segment.
    slopes: Vec<f64>,
    mixed: Tridiagonal,
    /// By cluster, then segment: Σ of residuals times `u`, and times `t`.
    residuals: Vec<[f64; 2]>,
    used: Vec<bool>,
}

impl<'a> Response<'a> {
    fn of(samples: &Samples, precision: f64, values: &'a Values, knots: &[f64]) -> Response<'a> {
        let segments = knots.len() - 1;
        let mut residuals = vec![[0.0; 2]; MOST_CLUSTERS * segments];
        let mut used = vec![false; MOST_CLUSTERS];
        let mut at = 0;
        for sample in samples.iter() {
            while at + 1 < segments && knots[at + 1] <= sample.x {
                at += 1;
            }
            let t = (sample.x - knots[at]) / (knots[at + 1] - knots[at]);
            let fitted = (1.0 - t) * values.z[at] + t * values.z[at + 1];
            let residual = sample.y - sample.x - fitted;
            let cluster = sample.instance as usize % MOST_CLUSTERS;
            used[cluster] = true;
            let [toward_left, toward_right] = &mut residuals[cluster * segments + at];
            *toward_left += (1.0 - t) * residual;
            *toward_right += t * residual;
        }
        let (slopes, mixed) = (values.slopes(knots), Derivatives::of(values, knots).mixed);
        Response { precision, values, slopes, mixed, residuals, used }
    }

    /// Residuals of a cluster, as the values at the inner knots answer to them.
    fn on_values(&self, cluster: usize) -> Vec<f64> {
        let sides = self.of_cluster(cluster).windows(2);
        sides.map(|sides| sides[0][1] + sides[1][0]).collect()
    }

    fn of_cluster(&self, cluster: usize) -> &[[f64; 2]] {
        let segments = self.slopes.len();
        &self.residuals[cluster * segments..(cluster + 1) * segments]
    }

    /// Adds what pushes the places: `(J − C V⁻¹ H)ᵀ e / s²`.
    fn push_places(&self, cluster: usize, push: &mut [f64]) {
        let mut answer = self.on_values(cluster);
        self.values.factored.solve(&mut answer);
        let by_values = self.mixed.times(&answer);
        let sides = self.of_cluster(cluster).windows(2).zip(self.slopes.windows(2));
        for ((push, by_values), (sides, slopes)) in push.iter_mut().zip(by_values).zip(sides) {
            let direct = -slopes[0] * sides[0][1] - slopes[1] * sides[1][0];
            *push += self.precision * (direct - by_values);
        }
    }

    /// How much each segment's slope changes when the places have moved.
    fn slopes(&self, cluster: usize, moved: &[f64], knots: &[f64]) -> Vec<f64> {
        let mut values = self.on_values(cluster);
        let by_places = self.mixed.times(moved);
        values.iter_mut().zip(by_places).for_each(|(value, by_places)| *value -= by_places);
        self.values.factored.solve(&mut values);
        let with_ends = |inner: &[f64]| [&[0.0], inner, &[0.0]].concat();
        let (values, moved) = (with_ends(&values), with_ends(moved));
        let ends = knots.windows(2).zip(values.windows(2).zip(moved.windows(2)));
        let changes = ends.zip(&self.slopes).map(|((knots, (values, moved)), slope)| {
            (values[1] - values[0] - slope * (moved[1] - moved[0])) / (knots[1] - knots[0])
        });
        changes.collect()
    }
}
