//! How near the curves are to the truth, beside the reference's; prints the section of
//! `BENCHMARKS.md`, as `main.rs` does those of speed. What the tests assert of it stands in
//! `tests/quality/`.
// Of these modules the tests use the rest.
#![allow(dead_code, unused_imports)]

#[path = "../stacks/contexts.rs"]
mod contexts;
#[path = "../quality/mod.rs"]
mod quality;

use std::fmt::Write;

use rayon::prelude::*;

use quality::bands::Coverage;
use quality::cell::{Cell, Samples};
use quality::drift::Score;
use quality::means::{Means, ours};
use quality::truth::{MIDDLES, middles};
use quality::{bands, drift, generator, goals, means, product, reference, rule};
use tracefold::performance::Fit;
use tracefold_generate::drift::{Run, SHAPES, SMOOTH, Shape, Truth};

fn main() {
    // `cargo test --benches` runs this too, and has nothing to measure.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut report = String::from(
        "\n## Quality of curves\n\n\
         On generated traces whose rates are known, seeds 0 to 29: E_C is the mean distance of the \
         curve, in percent of the total, E_R that of the rate, in percent of its mean. The reference \
         tool is emulated (kriging with nugget 1e-4, strucchange as it wraps it).\n",
    );
    let tables: [fn(&mut String); 6] = [
        |out| against_the_reference("stream4", out),
        |out| against_the_reference("contrast5", out),
        |out| against_the_reference("short7", out),
        other_goals,
        against_the_rule,
        of_bands,
    ];
    let written = |table: fn(&mut String)| {
        let mut text = String::new();
        table(&mut text);
        text
    };
    std::thread::scope(|scope| {
        let running = tables.map(|table| scope.spawn(move || written(table)));
        for table in running {
            report.push_str(&table.join().expect("every goal of the splines is reached"));
        }
    });
    of_drift(&mut report);
    of_stacks(&mut report);
    print!("{report}");
}

fn pair(means: Means) -> String {
    format!("{:.3} / {:.2}", means.curve, means.rate)
}

/// Every cell of a scenario with at least 50 samples, less than one of an instance.
fn against_the_reference(scenario: &str, report: &mut String) {
    if scenario == "stream4" {
        report.push_str(
            "\nE_C / E_R; goals 1 to 4: the spline's E_C is never above that of kriging, and no rate \
             is negative.\n\n\
             | scenario, jitter, samples | reference kriging | strucchange | spline | segments | \
             `fit=auto` (share of segments) |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
        );
    }
    for jitter in [0.005, 0.02] {
        for samples in [50, 100, 200, 500, 1000, 3000] {
            let cell = Cell::new(scenario, jitter, samples);
            let kriging = means::reference(&cell, reference::kriging);
            let spline = ours(&cell, &[("fit", "kriging")]);
            assert!(spline.curve <= kriging.curve && spline.negative == 0.0, "{spline:?}");
            let percent = 100.0 * jitter;
            let _ = write!(report, "| {scenario} {percent} %, {samples} | {} ", pair(kriging));
            if samples > 1000 {
                let _ = writeln!(report, "| – | {} | – | – |", pair(spline));
                continue;
            }
            let shortest = generator::shortest(samples);
            let lines = |samples: &_| reference::segments(samples, shortest).fitted();
            let strucchange = means::reference(&cell, lines);
            let (segments, auto) = (ours(&cell, &[("fit", "segments")]), ours(&cell, &[]));
            let _ = writeln!(
                report,
                "| {} | {} | {} | {} ({:.2}) |",
                pair(strucchange),
                pair(spline),
                pair(segments),
                pair(auto),
                auto.segments
            );
        }
    }
}

fn other_goals(report: &mut String) {
    let (recall, spurious) = goals::joint_breaks();
    let [few, many] = goals::energy();
    let _ = writeln!(
        report,
        "\n| goal | wanted | reached |\n| --- | ---: | ---: |\n\
         | 5: Servat 2015, Fig. 4.18, N/16 at 100 Hz, .5 % jitter: all three breaks within .5 ms | \
         ≥ .70 | {:.2} |\n\
         | 6: four counters together, 60 samples: recall of the breaks (spurious) | ≥ .95 | \
         {recall:.3} ({spurious:.2}) |\n\
         | 7: energy register refreshed each ms, region of 20 ms: E_R with less than one sample of \
         an instance, with five | ≤ 6 | {:.2}, {:.2} |",
        goals::short_phases_found(),
        few.rate,
        many.rate
    );
}

fn against_the_rule(report: &mut String) {
    report.push_str(
        "\n`fit=auto` beside the rule of the study it comes from (E_C / E_R, share of segments; half \
         of the traces with five samples of an instance). Goal: within 15 %. The study's figures are \
         means over 24 traces; where its own method was run again, on 60 others, that stands \
         beside.\n\n\
         | scenario, jitter, samples | study | study again | `fit=auto` | goal |\n\
         | --- | ---: | ---: | ---: | --- |\n",
    );
    let oracle = generator::oracle();
    let rows = |table: &str| oracle[table].as_array().unwrap().clone();
    for row in rows("rule") {
        let same = |other: &&serde_json::Value| {
            ["scenario", "jitter", "samples"].iter().all(|key| other[*key] == row[*key])
        };
        let of = |row: &serde_json::Value| {
            format!("{} / {} ({})", row["rule"][0], row["rule"][1], row["share"])
        };
        let again = rows("rule_again").iter().find(same).map_or("–".to_owned(), &of);
        let (scenario, jitter) =
            (row["scenario"].as_str().unwrap(), row["jitter"].as_f64().unwrap());
        let samples = row["samples"].as_u64().unwrap() as usize;
        let found = rule::auto(scenario, jitter, samples);
        let goal = if rule::is_reached(&row, found) { "reached" } else { "**not reached**" };
        let _ = writeln!(
            report,
            "| {scenario} {} %, {samples} | {} | {again} | {} ({:.2}) | {goal} |",
            100.0 * jitter,
            of(&row),
            pair(found),
            found.segments
        );
    }
}

fn of_bands(report: &mut String) {
    let cells = bands::cells();
    let found: Vec<Coverage> = cells.iter().map(|(_, cell)| bands::coverage(cell)).collect();
    let sum = found.iter().fold(Coverage::default(), |sum, one| sum.plus(*one));
    let mean = sum.over(cells.len() as f64);
    let least = |of: fn(&Coverage) -> f64| found.iter().map(of).fold(f64::INFINITY, f64::min);
    let _ = writeln!(
        report,
        "\nBands of splines, nominal 95 %, over {} cells (stream4, contrast5, smooth; .5 and 2 %; less \
         than one and five samples of an instance; 100 and 1000 samples). Goal: curve ≥ .93, rate \
         ≥ .90, half width of the rate ≤ 8.9 %.\n\n\
         | | coverage (worst cell) | half width |\n| --- | ---: | ---: |\n\
         | curve | {:.3} ({:.2}) | {:.2} % |\n| rate | {:.3} ({:.2}) | {:.1} % |",
        cells.len(),
        mean.curve,
        least(|one| one.curve),
        mean.curve_half_width,
        mean.rate,
        least(|one| one.rate),
        mean.rate_half_width
    );
}

/// The mean error of the rate that the reference draws of a shape, in percent.
fn reference_under_drift(shape: &Shape, run: Run, seeds: std::ops::Range<u64>) -> f64 {
    let truth = Truth::of(shape);
    let count = (seeds.end - seeds.start) as f64;
    let errors = seeds.map(|seed| {
        let samples = run.samples(std::slice::from_ref(&truth), seed);
        let (x, y) = samples.iter().map(|sample| (sample.x, sample.y[0])).unzip();
        let rates = reference::kriging(&Samples { x, y }).rate;
        let apart = middles().zip(rates).map(|(x, rate)| (rate - truth.rate(x)).abs());
        100.0 * apart.sum::<f64>() / f64::from(MIDDLES)
    });
    errors.sum::<f64>() / count
}

fn of_drift(report: &mut String) {
    report.push_str(
        "\n### Drift\n\n\
         Instances that are late by a little in some places and early in others (σ of the warp, in \
         percent of the region), seeds 0 to 9: E_R of a shape, of the reference's kriging and of ours; \
         over seeds 0 to 39, as a curve of two numbers is covered as a whole or not at all, the share \
         of the curve and of its rate that the bands of `fit=auto` cover. Beside each shape lies a smooth counter, which `fit=auto` must not break; its worst ratio stands at the end. \
         Goal: `fit=auto` at most 1.1 of the better of spline and segments, .6 for saw4, steps_ramp \
         and jumpsine; never larger with more instances by over a tenth; coverage of the curve ≥ .90, \
         of the rate ≥ .85. What misses one of these is bold; errors up to .01 % are none.\n\n\
         | shape | warp | instances | reference | spline | segments | `fit=auto` | curve | rate |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut cells = Vec::new();
    for shape in &SHAPES {
        for warp in [0.0, 0.0005, 0.001, 0.002] {
            for (instances, period) in [(200, 0.4), (600, 0.2), (2000, 0.2)] {
                cells.push((shape, Run { instances, period, warp }));
            }
        }
    }
    let rows = cells.par_iter().map(|(shape, run)| {
        let of = |fit| drift::means(shape, *run, 0..10, fit);
        let mut ours = [Fit::Kriging, Fit::Segments, Fit::Auto].map(of);
        let [covers, _] = drift::means(shape, *run, 0..40, Fit::Auto);
        ours[2][0] = Score { error: ours[2][0].error, ..covers };
        (reference_under_drift(shape, *run, 0..10), ours)
    });
    let rows = rows.collect::<Vec<_>>();
    let (mut missed, mut worst_of_smooth) = (0, 0.0_f64);
    for (at, ((shape, run), (reference, [spline, segments, auto]))) in
        cells.iter().zip(&rows).enumerate()
    {
        let better = |of: usize| spline[of].error.min(segments[of].error);
        let at_most = if shape.is_mixed { 0.6 } else { 1.1 } * better(0);
        let is_more = at % 3 > 0;
        let fewer = if is_more { rows[at - 1].1[2][0].error } else { f64::INFINITY };
        let is_near =
            auto[0].error <= 0.01 || auto[0].error <= at_most && auto[0].error <= 1.1 * fewer;
        let marked = |text: String, is_reached: bool| {
            if is_reached { text } else { format!("**{text}**") }
        };
        let covers = [auto[0].curve >= 0.9, auto[0].rate >= 0.85];
        missed += u32::from(!(is_near && covers[0] && covers[1]));
        worst_of_smooth = worst_of_smooth.max(auto[1].error / better(1));
        let _ = writeln!(
            report,
            "| {} | {:.2} | {} | {reference:.2} | {:.3} | {:.3} | {} | {} | {} |",
            shape.name,
            100.0 * run.warp,
            run.instances,
            spline[0].error,
            segments[0].error,
            marked(format!("{:.3}", auto[0].error), is_near),
            marked(format!("{:.2}", auto[0].curve), covers[0]),
            marked(format!("{:.2}", auto[0].rate), covers[1]),
        );
    }
    let _ = writeln!(
        report,
        "\n{missed} of {} cells miss a goal. The {} counter beside them: at most {worst_of_smooth:.2} \
         of the better kind.",
        cells.len(),
        SMOOTH.name
    );
}

fn of_stacks(report: &mut String) {
    report.push_str(
        "\n## Quality of calling contexts\n\n\
         On generated programs whose calls are known, seeds 0 to 29, with the innermost frames \
         captured: share of the samples that are aligned, and of those whose stack is a true part of \
         the real one; error of inclusive times; share of the time in which the innermost routine of \
         at least 2.5 % is another one. In `deep` two frames never show who calls `conv`, but in one \
         place that is not meant: chains are then wrong like pivots, if less often, and a notice says \
         so. Missing ancestors are missing inclusive time, those that a pivot invents are too much of \
         it.\n\n\
         | program, frames, samples | | aligned | correct | inclusive | active |\n\
         | --- | --- | ---: | ---: | ---: | ---: |\n",
    );
    for cell in contexts::cells() {
        let means = cell.means();
        let name = format!("{:?} {}+1, {}", cell.shape, cell.depth - 1, cell.samples);
        let rows = [("complete", means.full), ("chain", means.chain), ("pivot", means.pivot)];
        for (method, found) in rows {
            let contexts::Figures { coverage, correct, inclusive, wrong_active } = found;
            let _ = writeln!(
                report,
                "| {} | {method} | {coverage:.3} | {correct:.3} | {inclusive:.3} | {wrong_active:.3} |",
                name.to_lowercase()
            );
        }
    }
    report.push_str(
        "\nGoals: `chain` no worse than `pivot` in correct and active in any cell; correct ≥ .99 where \
         that of `pivot` is below .5 (not with two frames); active within .005 of complete stacks with \
         2+1 frames and 200 samples.\n",
    );
}
