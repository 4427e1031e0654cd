//! `big`: as many megabytes as wanted, written as they are made up.

use std::io::{self, Write};

use serde_json::json;

use crate::codes::*;
use crate::labels::{self, Labels};
use crate::random::Random;
use crate::{Generated, Options, trace};

const THREADS: u32 = 16;
const COUNTERS: [Counter; 4] = [TOT_INS, TOT_CYC, L1_DCM, L2_DCM];
const SIZE_MB: u64 = 100;
/// Routines: the region, and what samples find inside it.
const REGION: u64 = 3;
const KERNELS: [(u64, &str); 3] = [(4, "gather"), (5, "stencil"), (6, "scatter")];
/// Line of `step` from which each of them is called.
const CALLS: [u64; 3] = [7, 8, 9];
/// Sizes and partners of messages, which folding skips.
const SEND_SIZE: u32 = 50_100_001;
const COMMUNICATOR: u32 = 50_100_004;
/// Nanoseconds from one moment to the next.
const STEP_NS: u64 = 1_000_000;
/// Moments of an iteration: the region begins, eleven samples, it ends; a collective call.
const REGION_ENDS: u64 = 12;
const CALL_BEGINS: u64 = 13;
const CALL_ENDS: u64 = 14;
const MOMENTS: u64 = 15;
const ITERATION_NS: u64 = (MOMENTS + 2) * STEP_NS;
/// An iteration of one thread takes more, for a header that is written before the length is known.
const ITERATION_BYTES: u64 = 2_700;

/// Counts what passes.
struct Counting<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Bytes and records that folding does not need.
#[derive(Default)]
struct Skipped {
    bytes: u64,
    records: u64,
}

/// Writes the `.prv` to `out`, iteration by iteration until it is long enough; `prv` of the result is
/// empty. 60 % of its records are states, messages and events that folding does not need.
pub fn generate<W: Write>(seed: u64, options: &Options, out: W) -> io::Result<(Generated, W)> {
    let random = &mut Random::new(seed);
    let limit = options.size_mb.unwrap_or(SIZE_MB) * 1_000_000;
    let threads = options.threads.unwrap_or(THREADS).max(1);
    let tasks = vec![1; threads as usize];
    let note = trace::note("big", seed);
    let mut out = Counting { out, bytes: 0 };
    let mut totals = [0; COUNTERS.len()];
    let mut skipped = Skipped::default();
    let duration = (limit / (ITERATION_BYTES * u64::from(threads)) + 2) * ITERATION_NS;
    out.write_all(trace::header(duration, &tasks, &note).as_bytes())?;
    for thread in 1..=threads {
        let zeros: String = COUNTERS.iter().map(|counter| format!(":{}:0", counter.code)).collect();
        writeln!(out, "2:{thread}:1:{thread}:1:0:{APPLICATION}:1:{COUNTER_SET}:1{zeros}")?;
    }
    let mut iterations = 0;
    while out.bytes < limit {
        for moment in 0..MOMENTS {
            let time = iterations * ITERATION_NS + (moment + 1) * STEP_NS;
            for thread in 1..=threads {
                let before = out.bytes;
                skipped.records += beside(moment, time, thread, threads, random, &mut out)?;
                skipped.bytes += out.bytes - before;
                write!(out, "2:{thread}:1:{thread}:1:{time}")?;
                events(moment, random, &mut totals, &mut out)?;
            }
        }
        iterations += 1;
    }
    // The header had to promise a duration before it was known; the program ends then.
    let end = duration.max(iterations * ITERATION_NS);
    for thread in 1..=threads {
        writeln!(out, "2:{thread}:1:{thread}:1:{end}:{APPLICATION}:0")?;
    }
    out.flush()?;
    let instances = iterations * u64::from(threads);
    let counters = COUNTERS.iter().zip(totals).map(
        |(counter, total)| json!({"type": counter.code, "name": counter.name, "total": total}),
    );
    let truth = json!({
        "shape": "big", "seed": seed, "threads": threads, "bytes": out.bytes,
        "records": 2 * u64::from(threads) + skipped.records + instances * MOMENTS,
        "skipped_bytes": skipped.bytes, "skipped_records": skipped.records,
        "counters": counters.collect::<Vec<_>>(),
        "regions": [
            {"region": "User function:step", "instances": instances,
             "samples": instances * (REGION_ENDS - 1), "instance_ns": REGION_ENDS * STEP_NS},
            {"region": "MPI Collective Comm:MPI_Allreduce", "instances": instances,
             "samples": 0, "instance_ns": (CALL_ENDS - CALL_BEGINS) * STEP_NS},
        ],
    });
    let pcf = labels().pcf(&note, &COUNTERS).into();
    let row = labels::row(&note, &tasks).into();
    Ok((Generated { prv: vec![], pcf, row, truth: format!("{truth:#}\n") }, out.out))
}

/// The same with the `.prv` in the result; ten megabytes unless told otherwise.
pub fn in_memory(seed: u64, options: &Options) -> Generated {
    let options = Options { size_mb: options.size_mb.or(Some(10)), ..options.clone() };
    let (generated, prv) = generate(seed, &options, Vec::new()).expect("memory takes every byte");
    Generated { prv, ..generated }
}

/// What a tracer writes beside a moment and folding does not need: a state, and at every second
/// moment a message or what is known of one. Returns how many records that is.
fn beside<W: Write>(
    moment: u64,
    time: u64,
    thread: u32,
    threads: u32,
    random: &mut Random,
    out: &mut Counting<W>,
) -> io::Result<u64> {
    let state = if moment == CALL_ENDS { GROUP_COMMUNICATION } else { RUNNING };
    writeln!(out, "1:{thread}:1:{thread}:1:{}:{time}:{state}", time - STEP_NS)?;
    let (sent, size) = (time - 400_000 + u64::from(thread), random.below(1 << 20));
    // Iterations have an odd number of moments: over two of them it is every second one.
    match time / STEP_NS % 4 {
        0 => {
            let partner = random.below(u64::from(threads)) + 1;
            let (arrival, tag) = (sent + 1_000 + random.below(90_000), random.below(1000));
            let (logical, physical) = (sent, sent + 200);
            write!(out, "3:{thread}:1:{thread}:1:{logical}:{physical}:")?;
            writeln!(out, "{partner}:1:{partner}:1:{arrival}:{arrival}:{size}:{tag}")?;
        }
        2 => {
            writeln!(out, "2:{thread}:1:{thread}:1:{sent}:{SEND_SIZE}:{size}:{COMMUNICATOR}:1")?;
        }
        _ => return Ok(1),
    }
    Ok(2)
}

/// The events of a moment with a reading of every counter, to the end of the line.
fn events<W: Write>(
    moment: u64,
    random: &mut Random,
    totals: &mut [u64; COUNTERS.len()],
    out: &mut Counting<W>,
) -> io::Result<()> {
    match moment {
        0 => write!(out, ":{FUNCTION}:{REGION}")?,
        REGION_ENDS => write!(out, ":{FUNCTION}:0")?,
        CALL_BEGINS => write!(out, ":{MPI_COLLECTIVE}:{MPI_ALLREDUCE}")?,
        CALL_ENDS => write!(out, ":{MPI_COLLECTIVE}:0")?,
        _ => {
            let phase = (moment / 4) as usize;
            let ((kernel, _), call) = (KERNELS[phase], CALLS[phase]);
            write!(out, ":{SAMPLED}:{kernel}:{SAMPLED_LINE}:{}", 3 + phase)?;
            write!(out, ":{}:{REGION}:{}:{call}", SAMPLED + 1, SAMPLED_LINE + 1)?;
        }
    }
    let phase = (moment / 4).min(2);
    let rates = [2_000 + 500 * phase, 2_400, 20 + 15 * phase, 4 + phase];
    for ((counter, rate), total) in COUNTERS.iter().zip(rates).zip(totals) {
        let count = rate * 1_000 + random.below(rate * 20);
        write!(out, ":{}:{count}", counter.code)?;
        *total += count;
    }
    writeln!(out)
}

fn labels() -> Labels {
    let mut labels = Labels::default();
    let routines = [(0, "End"), (REGION, "step")].into_iter().chain(KERNELS);
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    labels.add([(FUNCTION, "User function")], [(0, "End"), (REGION, "step")]);
    let depths = [(SAMPLED, "Sampled functions"), (SAMPLED + 1, "Sampled functions (depth 1)")];
    labels.add(depths, routines);
    let lines = [
        (3, "40 (kernels.c, big)"),
        (4, "52 (kernels.c, big)"),
        (5, "61 (kernels.c, big)"),
        (CALLS[0], "12 (step.c, big)"),
        (CALLS[1], "13 (step.c, big)"),
        (CALLS[2], "14 (step.c, big)"),
    ];
    labels.add(
        [(SAMPLED_LINE, "Sampled lines"), (SAMPLED_LINE + 1, "Sampled lines (depth 1)")],
        [(0, "End")].into_iter().chain(lines),
    );
    labels.add(
        [(MPI_COLLECTIVE, "MPI Collective Comm")],
        [(0, "End"), (MPI_ALLREDUCE, "MPI_Allreduce")],
    );
    labels.add([(SEND_SIZE, "MPI send size")], []);
    labels.add([(COMMUNICATOR, "MPI communicator")], []);
    labels
}
