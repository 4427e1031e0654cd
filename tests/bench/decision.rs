//! Deciding where counters break, beside drawing them smooth.

use std::fmt::Write;

use tracefold::performance::Fit;
use tracefold_generate::drift::{Run, SHAPES, Truth};

use crate::clock::{Took, took};
use crate::quality::drift::{counters, fitted};

/// Instances, counters, and how often each is timed.
const SIZES: [(u32, usize, usize); 3] = [(100, 28, 5), (2_500, 4, 3), (50_000, 4, 1)];
/// Samples of an instance.
const SAMPLES: u32 = 20;

pub fn decision(report: &mut String) {
    report.push_str(
        "\n## The decision\n\n\
         Counters of ten shapes that break, that bend and that do both, of instances that differ by \
         .05 % of the region; folded already.\n\n\
         | counters | samples of each | `fit=kriging` | `fit=auto` | processor time of it |\n\
         | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (instances, count, times) in SIZES {
        let run = Run { instances, period: 1.0 / f64::from(SAMPLES), warp: 5e-4 };
        let truths = SHAPES.iter().cycle().take(count).map(Truth::of).collect::<Vec<_>>();
        let folded = counters(&run.samples(&truths, 1), run, count);
        let fastest = |fit| {
            let runs = (0..times).map(|_| took(|| fitted(&folded, fit)));
            let least = |a: Took, b: Took| if a.wall < b.wall { a } else { b };
            runs.reduce(least).expect("it is timed")
        };
        let (smooth, decided) = (fastest(Fit::Kriging), fastest(Fit::Auto));
        let _ = writeln!(
            report,
            "| {count} | {} | {:.0} ms | {:.0} ms | {:.0} ms |",
            instances * SAMPLES,
            smooth.wall * 1e3,
            decided.wall * 1e3,
            decided.processor * 1e3,
        );
    }
    report.push_str("\nGoals: 28 counters in 150 ms; a million samples in 1.0 s.\n");
}
