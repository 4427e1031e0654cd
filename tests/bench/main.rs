//! Speed, each figure beside its baseline from the same run; writes `BENCHMARKS.md`.
//!
//! `make bench` measures the page first (`tests/bench/page.mjs`) and hands its figures over in
//! `target/bench-page.json`.

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nalgebra::{DMatrix, DVector};
use tracefold::fit::{Observation, lambda_by_reml, smooth};
use tracefold::input::NamedFile;
use tracefold::settings::Settings;
use tracefold::{open, pipeline};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn main() {
    // `cargo test --benches` runs this too, and has nothing to measure.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut report = "# Benchmarks\n\nWritten by `make bench`; times are the best of several runs on one thread.\n".to_owned();
    fit(&mut report);
    fold(&mut report);
    page(&mut report);
    print!("{report}");
    fs::write(root().join("BENCHMARKS.md"), report).expect("BENCHMARKS.md can be written");
}

/// Seconds of the fastest of `runs` calls.
fn best<T>(runs: usize, mut call: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(call());
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

fn points(n: usize) -> Vec<Observation> {
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut xs = (0..n).map(|_| random()).collect::<Vec<_>>();
    xs.sort_by(f64::total_cmp);
    let y = |x: f64| x + 0.05 * libm::sin(12.0 * x);
    xs.into_iter()
        .map(|x| Observation { x, y: y(x) + 0.01 * (random() - 0.5), weight: 1.0 })
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

fn fit(report: &mut String) {
    let grid = (0..1000).map(|j| f64::from(j) / 999.0).collect::<Vec<_>>();
    let lambda = 1e-4 / 12.0;
    let _ = writeln!(
        report,
        "\n## Fit\n\n| points | spline, O(n) | λ by REML | dense system |\n| ---: | ---: | ---: | ---: |"
    );
    for n in [1000, 10_000, 100_000, 1_000_000] {
        let points = points(n);
        let runs = if n > 100_000 { 5 } else { 20 };
        let spline = best(runs, || smooth(&points, lambda, &grid)) * 1e3;
        let reml = best(3, || lambda_by_reml(&points)) * 1e3;
        let dense = if n <= 1000 {
            format!("{:.1} ms", best(3, || dense(&points, 1e-4)) * 1e3)
        } else {
            "–".to_owned()
        };
        let _ = writeln!(report, "| {n} | {spline:.2} ms | {reml:.1} ms | {dense} |");
    }
    report.push_str("\nGoal: 10⁶ points in 300 ms.\n");
}

fn fold(report: &mut String) {
    let shared = std::env::var("TRACEFOLD_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    let folder = root().join(shared).join("corpus/paraver/namd");
    let read = |extension: &str| fs::read(folder.join(format!("444.namd.{extension}"))).ok();
    let (Some(prv), Some(pcf)) = (read("prv"), read("pcf")) else {
        report.push_str("\n## Fold of 444.namd\n\nNot measured: the trace is not here.\n");
        return;
    };
    let open = || {
        let files = vec![NamedFile::new("n.prv", &*prv), NamedFile::new("n.pcf", &*pcf)];
        open::open(files, &mut |_| {}).expect("namd opens")
    };
    let trace = open();
    let opening = best(5, open) * 1e3;
    let auto = best(5, || pipeline::run(&trace, &Settings::default())) * 1e3;
    let mut fixed = Settings::default();
    fixed.set("nugget", "0.0001").expect("a nugget");
    let given = best(5, || pipeline::run(&trace, &fixed)) * 1e3;
    let megabytes = prv.len() as f64 / 1e6;
    let _ = writeln!(
        report,
        "\n## Fold of 444.namd, all 11 counters, all samples, native\n\n\
         | step | time |\n| --- | ---: |\n\
         | open {megabytes:.1} MB of text | {opening:.0} ms ({:.0} MB/s) |\n\
         | fold, nugget given | {given:.0} ms |\n| fold, nugget by REML | {auto:.0} ms |\n\n\
         Goal: 300 ms. The reference takes 20 s of processor time for 6 counters and 1,500 samples each.",
        megabytes / (opening / 1e3)
    );
}

fn page(report: &mut String) {
    report.push_str("\n## Fold of 444.namd in Chromium\n\n");
    match fs::read_to_string(root().join("target/bench-page.md")) {
        Ok(table) => report.push_str(&table),
        Err(_) => report.push_str("Not measured: run `make bench`.\n"),
    }
}
