//! How well runs use their threads, beside a reference, to files.

use super::files::Exported;
use super::table::{field, or_empty};
use crate::glance::{
    FACTORS, NamedFactor, RunUse, ScalingAsked, columns, core_parts, of_iterations,
};
use crate::paint::{Theme, scaling_svg};
use crate::report;
use crate::text::shortest;

/// `efficiency.csv` and `core_time.csv`, of runs in this order.
pub fn efficiency_tables(runs: &[RunUse], asked: &ScalingAsked) -> Vec<Exported> {
    [("efficiency.csv", efficiency(runs, asked)), ("core_time.csv", core_time(runs, asked))]
        .map(|(name, text)| Exported { name: name.to_owned(), bytes: text.into_bytes() })
        .into()
}

/// Where the time of all threads of each run, or of the passes of its loop, goes: `trace,ranks,threads,part,ns,share`,
/// lines of a run add up to all of it.
fn core_time(runs: &[RunUse], asked: &ScalingAsked) -> String {
    let mut text = "trace,ranks,threads,part,ns,share\n".to_owned();
    let Some(reference) = asked.reference_of(runs) else { return text };
    for run in runs {
        let Some(own) = asked.looked_at(run) else { continue };
        for (part, ns) in core_parts(own, reference, asked.scales) {
            let (ns, share) = (shortest(ns), shortest(ns / own.all_ns()));
            let numbers = format!("{},{}", own.tasks, own.threads);
            text += &format!("{},{numbers},{},{ns},{share}\n", field(&run.name), part.key());
        }
    }
    text
}

/// What is told of runs beside one another, as `csv` or as `svg`; nothing in another format.
#[inline(never)]
pub fn scaling_files(
    runs: &[RunUse],
    asked: &ScalingAsked,
    theme: Theme,
    format: &str,
) -> Vec<Exported> {
    match format {
        "csv" => efficiency_tables(runs, asked),
        "svg" => {
            let summary = report::scaling(runs, asked);
            let facts = summary.facts.iter().map(|(value, of)| format!("{value} {of}"));
            let (bold, rest) = summary.sentence;
            let words = [facts.collect::<Vec<_>>().join(" \u{b7} "), format!("{bold} {rest}")];
            let bytes = scaling_svg(runs, asked, theme, &words).into_bytes();
            vec![Exported { name: "efficiency.svg".to_owned(), bytes }]
        }
        _ => vec![],
    }
}

/// `trace,ranks,threads,` then every [factor](FACTORS) by its key: a line for each run, by the name of its trace, with
/// its efficiency and what it is beside the reference; then `iteration_` and the key of each that passes of its loop
/// [have](of_iterations). Empty where a run lacks it. Times end in `_ns`, frequencies in `_ghz`; all else is of 1 or a
/// count.
fn efficiency(runs: &[RunUse], asked: &ScalingAsked) -> String {
    let keys = FACTORS.iter().map(|factor| factor.key.to_owned());
    let keys = keys.chain(of_iterations().map(|factor| format!("iteration_{}", factor.key)));
    let mut text = format!("trace,ranks,threads,{}\n", keys.collect::<Vec<_>>().join(","));
    let columns = columns(runs, &ScalingAsked { of_loop: false, ..*asked });
    for (run, column) in runs.iter().zip(&columns) {
        let own = run.of_run.as_ref();
        let mut fields = vec![
            field(&run.name),
            or_empty(own.map(|own| own.tasks)),
            or_empty(own.map(|own| own.threads)),
        ];
        let beside = column.as_ref().map(|(_, beside)| beside);
        let value = |factor: &NamedFactor| factor.value(own?, beside);
        fields.extend(FACTORS.iter().map(|factor| or_empty(value(factor).map(shortest))));
        let value = |factor: &NamedFactor| factor.value(run.of_loop.as_ref()?, None);
        fields.extend(of_iterations().map(|factor| or_empty(value(factor).map(shortest))));
        text += &fields.join(",");
        text.push('\n');
    }
    text
}
