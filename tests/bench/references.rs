//! Telling a million references to objects, and how these are walked through.

use std::fmt::Write;

use tracefold::address::{Allocations, fold_references};
use tracefold::folding::Stream;
use tracefold::instance::{self, Giving, Grouping, Outliers, Rulers, Wanted};
use tracefold::trace::Trace;
use tracefold_generate::{Options, Random, Shape, generate_with};

use crate::clock::best;
use crate::trace::opened;

/// References of each of so many instances.
const INSTANCES: u64 = 500;
const EACH: u64 = 2000;
/// Blocks that are allocated and freed meanwhile.
const BLOCKS: u64 = 200_000;

pub fn references(report: &mut String) {
    let prv = written();
    let trace = opened("r.prv", prv.as_bytes(), PCF.as_bytes());
    let group = group(&trace);
    let allocations = Allocations::of(&trace);
    let allocating = best(3, || Allocations::of(&trace)) * 1e3;
    let rulers = Rulers::default();
    let fold = || fold_references(&trace, &allocations, &group, &rulers, &Giving::default());
    let folded = fold();
    assert_eq!(folded.references.len() as u64, INSTANCES * EACH);
    let telling = best(3, fold) * 1e3;
    let phase = |index: usize| Some((folded.references[index].x * 4.0) as u32);
    let streams = || folded.streams(phase, |_| Stream::default(), 1.0);
    let walking = best(3, streams) * 1e3;
    let streams = streams().len();
    let made = generate_with(Shape::References, 1, &Options::default());
    let small = opened("s.prv", &made.prv, &made.pcf);
    let whole = |trace: &Trace| best(3, || tracefold::pipeline::run(trace, &Default::default()));
    let of_small = whole(&small) * 1e3;
    let _ = writeln!(
        report,
        "\n## A million references, native\n\n\
         | step | time |\n| --- | ---: |\n\
         | lives of {BLOCKS} allocated blocks | {allocating:.0} ms |\n\
         | placed and told to {} objects | {telling:.0} ms |\n\
         | {streams} streams by object and phase | {walking:.0} ms |\n\
         | for comparison: the whole fold of the shape `references`, with its 6 counters | \
         {of_small:.0} ms |",
        folded.objects.len()
    );
}

const PCF: &str = "EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n3 kernel\n\n\
    EVENT_TYPE\n0 80000001 Caller line\nVALUES\n5 7 (list.c, list)\n\n\
    EVENT_TYPE\n0 41000000 Object addresses for task 1.1\nVALUES\n\
    1 a [0x10000000-0x1fffffff]\n2 b [0x20000000-0x2fffffff]\n";

/// One thread: instances of 1 ms with loads in two arrays, in what was allocated last and in the
/// stack.
fn written() -> String {
    let mut text = "#Paraver (01/01/2025 at 00:00):1000000000_ns:1(1):1:1(1:1)\n".to_owned();
    let mut line = |time: u64, events: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "2:1:1:1:1:{time}:{events}");
    };
    let (mut block, mut numbers) = (0u64, Random::new(1));
    for instance in 0..INSTANCES {
        let begin = 1_000_000 * instance;
        for _ in 0..BLOCKS / INSTANCES {
            let start = 0x3000_0000 + 4096 * (block % 1024);
            let time = begin + block % (BLOCKS / INSTANCES) * 4;
            if block >= 1024 {
                line(time, format_args!("40000040:2:40000042:{start}"));
            }
            line(time + 1, format_args!("40000040:1:40000041:2048:80000001:5"));
            line(time + 2, format_args!("40000040:0:40000043:{start}"));
            block += 1;
        }
        line(begin + 10_000, format_args!("60000019:3"));
        for reference in 1..=EACH {
            let random = numbers.bits();
            let time = begin + 10_000 + 400 * reference;
            let address = match reference % 4 {
                0 => 0x1000_0000 + (reference << 28) / EACH / 64 * 64,
                1 => 0x2000_0000 + (random >> 36) / 8 * 8,
                2 => 0x3000_0000 + 4096 * (random >> 54) + (random >> 20) % 2048 / 8 * 8,
                _ => 0x7ffd_0000_0000 + (random >> 60) * 8,
            };
            let (level, cost) = (1 + (random >> 40) % 4, (random >> 30) % 300);
            let events = format_args!("32000000:{address}:32000002:{level}:32000006:{cost}");
            line(time, events);
        }
        line(begin + 900_000, format_args!("60000019:0"));
    }
    text
}

/// All instances of the only region.
fn group(trace: &Trace) -> instance::Group {
    let executions = instance::executions(trace, |_| true);
    let names = instance::RegionNames::new(trace, &executions, &[]);
    let region = instance::resolve(&names, "User function:kernel")[0];
    let instances = instance::instances(trace, &executions, &[], region, &Wanted::default());
    let groups = instance::group(&instances, &Grouping::None, &[], Outliers::None).groups;
    groups.into_iter().next().expect("there is one")
}
