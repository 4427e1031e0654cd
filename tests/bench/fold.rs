//! Opening and folding a real trace.

use std::fmt::Write;

use tracefold::pipeline::{self, Kept};
use tracefold::settings::Settings;

use crate::clock::best;
use crate::trace::{namd, opened};

pub fn fold(report: &mut String) {
    let Some(text) = namd() else {
        report.push_str("\n## Fold of 444.namd\n\nNot measured: the trace is not here.\n");
        return;
    };
    let open = || opened("n.prv", &text.prv, &text.pcf);
    let trace = open();
    let opening = best(5, open) * 1e3;
    let folding = |choices: &[(&str, &str)]| {
        let mut settings = Settings::default();
        for (key, value) in choices {
            settings.set(key, value).expect("a setting");
        }
        best(5, || pipeline::run(&trace, &settings)) * 1e3
    };
    let mut kept = Kept::default();
    let mut refolding = |key: &str, values: [&str; 2]| {
        let [mut first, mut then] = [Settings::default(), Settings::default()];
        first.set(key, values[0]).expect("a setting");
        then.set(key, values[1]).expect("a setting");
        let mut turn = true;
        let mut again = || {
            turn = !turn;
            kept.fold(&trace, if turn { &first } else { &then }, &[])
        };
        again().expect("a folding");
        best(10, again) * 1e3
    };
    let routines = refolding("routines", ["percent:1", "percent:5"]);
    let resolution = refolding("resolution", ["0.01", "0.02"]);
    let exact = [("fit", "kriging"), ("nugget", "0.0001"), ("monotone", "no")];
    let (exact, splines) = (folding(&exact), folding(&[("fit", "kriging")]));
    let decided = folding(&[]);
    let megabytes = text.prv.len() as f64 / 1e6;
    let _ = writeln!(
        report,
        "\n## Fold of 444.namd, all 11 counters, all samples, native\n\n\
         | step | time |\n| --- | ---: |\n\
         | open {megabytes:.1} MB of text | {opening:.0} ms ({:.0} MB/s) |\n\
         | fold with `fit=kriging nugget=0.0001 monotone=no`: exact splines | {exact:.0} ms |\n\
         | fold with `fit=kriging`: smoothing found, monotone, bands, a summary of phases | \
         {splines:.0} ms |\n\
         | fold with `fit=auto`: joint segments and the decision as well | {decided:.0} ms |\n\
         | fold again with other `routines` | {routines:.0} ms |\n\
         | fold again with another `resolution` | {resolution:.0} ms |\n\n\
         Goals: splines, monotone and bands in 150 ms; the decision in 1 s; with other `routines` in \
         a quarter of a whole fold. The reference takes \
         20 s of processor time for 6 counters and 1,500 samples each.",
        megabytes / (opening / 1e3)
    );
}
