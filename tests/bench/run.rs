//! A run at a glance at the size of the largest machines: made-up threads that compute, wait and call.

use std::fmt::Write;

use tracefold::glance::{Colour, Window};
use tracefold::instance::Repeating;
use tracefold::run::{self, Seen, Timeline};
use tracefold::trace::{Builder, Kind, Labels, Meaning, Nesting, Object, Origin, Paradigm, Trace};
use tracefold_generate::Random;

use crate::clock::took;
use crate::heap::held;

/// Threads, and bursts of each.
const SIZES: [(u32, u64); 2] = [(10_000, 1_000), (8, 1_250_000)];

/// What is clustered, and called.
const CLUSTERED: (u32, u64) = (8, 125_000);
const CALLS: (u32, u64) = (8, 1_250_000);

/// A time line of a screen, in pixels.
const COLUMNS: u32 = 1_920;
const ROWS: u32 = 450;

/// A step of the wheel, and the narrowest window: of a few bursts.
const ZOOM: f64 = 1.25;
const FEW: f64 = 4.0;

const INSTRUCTIONS: u32 = 42_000_050;
const CYCLES: u32 = 42_000_059;
const MPI: u32 = 50_000_002;

pub fn at_a_glance(report: &mut String) {
    report.push_str(
        "\n## Run at a glance, native\n\n\
         Made-up bursts of five kinds, an eighth of the time between them. A zoom step paints another \
         window of the time line, from the whole run to four bursts of a thread, at four places.\n\n\
         | threads × bursts | colour | p50 | p95 | painted first | kept for the page |\n\
         | --- | --- | ---: | ---: | ---: | ---: |\n",
    );
    for size in SIZES {
        steps(size, report);
    }
    let trace = computing(CLUSTERED);
    let bursts = run::bursts(&trace);
    let clustering = took(|| run::clusters(&trace, &bursts, run::EPS)).wall;
    let finding = took(|| Seen::of(&trace, &Repeating::default())).wall;
    drop(trace);
    let trace = calling(CALLS);
    let iterations = took(|| run::repeats(&trace)).wall;
    let (bursts, calls) = (CLUSTERED.0 as u64 * CLUSTERED.1, CALLS.0 as u64 * CALLS.1);
    let _ = writeln!(
        report,
        "\n| step | time |\n| --- | ---: |\n\
         | {bursts} bursts clustered | {clustering:.2} s |\n\
         | the same found, counted and clustered | {finding:.2} s |\n\
         | iterations of {calls} calls on {} ranks | {iterations:.2} s |\n\
         \n\
         Goals: a zoom step in 16 ms at p95, 40 bytes a burst; 10⁶ bursts clustered in 1 s; iterations \
         of 10⁷ calls in 2 s.",
        CALLS.0
    );
}

fn steps(size: (u32, u64), report: &mut String) {
    let trace = computing(size);
    let before = held();
    let seen = Seen::of(&trace, &Repeating::default());
    let bursts = seen.bursts.len();
    assert_eq!(bursts as u64, u64::from(size.0) * size.1);
    let mut timeline = Timeline::of(&trace, &seen);
    drop(seen);
    for by in [Colour::Cluster, Colour::Duration, Colour::Ipc] {
        let window = |from, to| Window { from, to, columns: COLUMNS, rows: ROWS, by, brush: None };
        let first = took(|| timeline.raster(&window(0.0, 1.0))).wall;
        let mut steps = Vec::new();
        for place in [0.0, 0.31, 0.62, 1.0] {
            let mut width = 1.0;
            while width * size.1 as f64 > FEW {
                width /= ZOOM;
                let from = place * (1.0 - width);
                steps.push(took(|| timeline.raster(&window(from, from + width))).wall);
            }
        }
        steps.sort_by(f64::total_cmp);
        let at = |share: f64| steps[(share * (steps.len() - 1) as f64) as usize] * 1e3;
        let bytes = (held() - before) as f64 / bursts as f64;
        let _ = writeln!(
            report,
            "| {} × {} | {by:?} | {:.1} ms | {:.1} ms | {first:.2} s | {bytes:.1} B a burst |",
            size.0,
            size.1,
            at(0.5),
            at(0.95)
        );
    }
}

/// Threads that compute, one rank each.
fn computing((threads, bursts): (u32, u64)) -> Trace {
    let mut builder = Builder::new("made up", meaning);
    let mut random = Random::new(1);
    for task in 1..=threads {
        let object = Object { application: 1, task, thread: 1 };
        let mut now = random.below(10_000);
        for burst in 0..bursts {
            let (instructions, ipc) = KINDS[(burst % 5) as usize];
            let varied = 1.0 + 0.04 * (random.uniform() - 0.5);
            let cycles = instructions * varied / ipc;
            let end = now + (cycles / 2.0) as u64;
            builder.computes(object, now, end);
            let counts = [instructions * varied, cycles].map(|count| count as u64);
            let types = [INSTRUCTIONS, CYCLES].map(u64::from);
            builder.moment(object, end, &[[types[0], counts[0]], [types[1], counts[1]]]);
            now = end + (end - now) / 8 + random.below(100);
        }
    }
    builder.finish()
}

/// Instructions, and instructions per cycle, of each kind of burst.
const KINDS: [(f64, f64); 5] = [(1e5, 2.0), (1e5, 1.4), (3e4, 2.0), (1e4, 0.5), (2e4, 1.0)];

/// Ranks that call, ten different calls in each pass of a loop.
fn calling((ranks, calls): (u32, u64)) -> Trace {
    let mut builder = Builder::new("made up", meaning);
    for task in 1..=ranks {
        let object = Object { application: 1, task, thread: 1 };
        for call in 0..calls {
            let begin = 1_000 * call + u64::from(task);
            builder.moment(object, begin, &[[u64::from(MPI), 1 + call % 10]]);
            builder.moment(object, begin + 100, &[[u64::from(MPI), 0]]);
        }
    }
    builder.finish()
}

fn meaning(code: u32, _: &Labels) -> Meaning {
    let (kind, name) = match code {
        INSTRUCTIONS => (Kind::Counter, "PAPI_TOT_INS"),
        CYCLES => (Kind::Counter, "PAPI_TOT_CYC"),
        _ => (Kind::Region(Nesting::Flat, Origin::Runtime(Paradigm::Mpi)), "call"),
    };
    Meaning { kind, name: name.to_owned(), description: String::new() }
}
