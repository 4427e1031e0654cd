//! Fitting a curve, beside the dense system that it stands for.

use std::fmt::Write;

use nalgebra::{DMatrix, DVector};
use tracefold::fit::{
    Ends, GroupedStatistics, Observation, PenalisedSpline, lambda_by_reml, smooth,
};
use tracefold_generate::Random;

use crate::clock::best;

fn points(n: usize) -> Vec<Observation> {
    let mut random = Random::new(1);
    let mut xs = (0..n).map(|_| random.uniform()).collect::<Vec<_>>();
    xs.sort_by(f64::total_cmp);
    let y = |x: f64| x + 0.05 * libm::sin(12.0 * x);
    xs.into_iter()
        .map(|x| Observation { x, y: y(x) + 0.01 * (random.uniform() - 0.5), weight: 1.0 })
        .collect()
}

/// What the reference solves: a dense system of all points, and one more for each output point; of
/// these only one is solved here, for all right-hand sides would take a thousand times as long.
fn dense(points: &[Observation], nugget: f64) -> f64 {
    let n = points.len();
    let system = DMatrix::from_fn(n + 2, n + 2, |i, j| match (points.get(i), points.get(j)) {
        (Some(p), Some(q)) => {
            let h = (p.x - q.x).abs();
            h * h * h + if i == j { nugget } else { 0.0 }
        }
        (Some(p), None) | (None, Some(p)) => [1.0, p.x][i.max(j) - n],
        (None, None) => 0.0,
    });
    let right = DVector::from_fn(n + 2, |i, _| points.get(i).map_or(0.0, |p| p.y));
    system.lu().solve(&right).map_or(0.0, |solved| solved[0])
}

/// The spline on a fixed grid: sums, smoothing, a monotone curve and its band, in milliseconds.
fn on_a_grid(points: &[Observation], grid: &[f64]) -> f64 {
    let fit = || {
        let mut sums = GroupedStatistics::new(GroupedStatistics::ENOUGH);
        for (number, point) in points.iter().enumerate() {
            sums.add(number / 3, point.x, point.y);
        }
        let spline = PenalisedSpline::new(sums, Ends::Exact);
        let lambda = spline.smoother(spline.lambda_by_reml());
        (spline.monotone(lambda).curve(grid), spline.replicates(lambda).band(grid))
    };
    best(3, fit) * 1e3
}

pub fn fit(report: &mut String) {
    let grid = (0..1000).map(|j| f64::from(j) / 999.0).collect::<Vec<_>>();
    let lambda = 1e-4 / 12.0;
    let _ = writeln!(
        report,
        "\n## Fit of one counter\n\n\
         | points | on a grid: sums, λ, monotone, band | exact spline | its λ by REML | dense system |\n\
         | ---: | ---: | ---: | ---: | ---: |"
    );
    for n in [1000, 10_000, 100_000, 1_000_000] {
        let points = points(n);
        let runs = if n > 100_000 { 5 } else { 20 };
        let fast = on_a_grid(&points, &grid);
        let spline = best(runs, || smooth(&points, lambda, &grid)) * 1e3;
        let reml = best(3, || lambda_by_reml(&points)) * 1e3;
        let dense = if n <= 1000 {
            format!("{:.1} ms", best(3, || dense(&points, 1e-4)) * 1e3)
        } else {
            "–".to_owned()
        };
        let _ =
            writeln!(report, "| {n} | {fast:.1} ms | {spline:.2} ms | {reml:.1} ms | {dense} |");
    }
    report.push_str("\nGoal: 10⁶ points in 500 ms.\n");
}
