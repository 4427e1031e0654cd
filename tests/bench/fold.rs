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
    let mut shortest = (1..).map(|percent| format!("percent:{percent}"));
    let mut with_other_routines = || {
        let mut settings = Settings::default();
        let other = shortest.next().unwrap_or_default();
        settings.set("routines", &other).expect("a setting");
        kept.fold(&trace, &settings, &[])
    };
    with_other_routines().expect("a folding");
    let routines = best(5, with_other_routines) * 1e3;
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
         \n\
         Goals: splines, monotone and bands in 150 ms; the decision in 1 s; with other `routines` in \
         a quarter of a whole fold. The reference takes \
         20 s of processor time for 6 counters and 1,500 samples each.",
        megabytes / (opening / 1e3)
    );
}
