//! Opening and folding a real trace.

use std::fmt::Write;

use tracefold::pipeline;
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
    let auto = best(5, || pipeline::run(&trace, &Settings::default())) * 1e3;
    let mut fixed = Settings::default();
    fixed.set("nugget", "0.0001").expect("a nugget");
    let given = best(5, || pipeline::run(&trace, &fixed)) * 1e3;
    let megabytes = text.prv.len() as f64 / 1e6;
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
