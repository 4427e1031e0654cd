//! The tables of routines, lines and calls.

use std::fmt::Write;

use tracefold::folding::{Context, Curve, Group, Lines, Place};

use crate::clock::best;

const CURVES: usize = 8;
const ROUTINES: u32 = 200;
const CONTEXTS: u32 = 4000;

pub fn code(report: &mut String) {
    let _ = writeln!(
        report,
        "\n## Tables of code, {CURVES} counters, {ROUTINES} routines, {CONTEXTS} contexts, native\n\n\
         | samples | time |\n| ---: | ---: |"
    );
    for samples in [10_000, 100_000, 1_000_000] {
        let group = group(samples);
        let milliseconds = best(5, || group.code()) * 1e3;
        let _ = writeln!(report, "| {samples} | {milliseconds:.1} ms |");
    }
}

/// Samples in order of time, each anywhere in a tree of calls.
fn group(samples: u32) -> Group {
    let any = |seed: u32, below: u32| (seed.wrapping_mul(2_654_435_761) >> 8) % below;
    let context = |index: u32| Context {
        parent: index.checked_sub(1).map(|before| any(index, before + 1)),
        routine: any(index + 7, ROUTINES),
        samples: 0,
    };
    let contexts: Vec<Context> = (0..CONTEXTS).map(context).collect();
    let curve = |index: usize| Curve {
        counter: format!("C{index}"),
        instructions: index == 0,
        mean_rate: 1000.0,
        rate: (0..1000).map(|j| 500.0 + f64::from(j) + index as f64).collect(),
        ..Curve::default()
    };
    let of: Vec<u32> = (0..samples).map(|sample| any(sample, CONTEXTS)).collect();
    let place = |routine| Place { routine, line: 7, file: "a.c".to_owned(), samples: 1 };
    Group {
        mean_duration_ns: 1e9,
        curves: (0..CURVES).map(curve).collect(),
        routines: (0..ROUTINES).map(|routine| format!("routine {routine}")).collect(),
        places: (0..ROUTINES).map(place).collect(),
        lines: Lines {
            x: (0..samples).map(|sample| f64::from(sample) / f64::from(samples)).collect(),
            place: of.iter().map(|context| contexts[*context as usize].routine).collect(),
            context: of,
        },
        contexts,
        ..Group::default()
    }
}
