//! `big`: as many megabytes as wanted, written as they are made up.

use std::io::{self, Write};

use serde_json::json;

use crate::codes::*;
use crate::labels::{self, Labels};
use crate::random::Random;
use crate::{Generated, Options, trace};

const THREADS: usize = 16;
const COUNTERS: [Counter; 3] = [TOT_INS, TOT_CYC, L1_DCM];
const SIZE_MB: u64 = 100;
const REGION: u64 = 3;
/// Sizes and partners of messages, which folding skips.
const SEND_SIZE: u32 = 50_100_001;
const COMMUNICATOR: u32 = 50_100_004;
const POINT_TO_POINT: u32 = 50_000_001;
/// Nanoseconds from one sample to the next, and samples in an instance.
const STEP_NS: u64 = 1_000_000;
const SAMPLES: u64 = 12;
/// Longest iteration, for a header that is written before the length is known.
const ITERATION_NS: u64 = (SAMPLES + 4) * STEP_NS;

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

/// Writes the `.prv` to `out`, iteration by iteration until it is long enough; `prv` of the result is
/// empty. About 60 % of its bytes are states, messages and events that folding does not need.
pub fn generate<W: Write>(seed: u64, options: &Options, out: W) -> io::Result<(Generated, W)> {
    let random = &mut Random::new(seed);
    let limit = options.size_mb.unwrap_or(SIZE_MB) * 1_000_000;
    let note = trace::note("big", seed);
    let mut out = Counting { out, bytes: 0 };
    let mut totals = [0; COUNTERS.len()];
    let (mut iterations, mut skipped) = (0, 0);
    // An iteration of all threads takes more than 45 kB.
    let duration = (limit / 45_000 + 2) * ITERATION_NS;
    out.write_all(trace::header(duration, &[1; THREADS], &note).as_bytes())?;
    for thread in 1..=THREADS {
        let zeros: String = COUNTERS.iter().map(|counter| format!(":{}:0", counter.code)).collect();
        writeln!(out, "2:{thread}:1:{thread}:1:0:{APPLICATION}:1:{COUNTER_SET}:1{zeros}")?;
    }
    while out.bytes < limit {
        skipped += iteration(iterations, random, &mut totals, &mut out)?;
        iterations += 1;
    }
    out.flush()?;
    let counters: Vec<_> = COUNTERS.iter().zip(totals).collect();
    let counters: Vec<_> = counters
        .into_iter()
        .map(|(counter, total)| json!({"type": counter.code, "name": counter.name, "total": total}))
        .collect();
    let instances = iterations * THREADS as u64;
    let truth = json!({
        "shape": "big", "seed": seed, "threads": THREADS, "bytes": out.bytes, "skipped_bytes": skipped,
        "counters": counters,
        "regions": [{"region": "User function:step", "instances": instances,
                     "samples": instances * (SAMPLES - 1), "instance_ns": SAMPLES * STEP_NS}],
    });
    let pcf = labels().pcf(&note, &COUNTERS).into();
    let row = labels::row(&note, &[1; THREADS]).into();
    Ok((Generated { prv: vec![], pcf, row, truth: format!("{truth:#}\n") }, out.out))
}

/// The same with the `.prv` in the result; ten megabytes unless told otherwise.
pub fn in_memory(seed: u64, options: &Options) -> Generated {
    let options = Options { size_mb: options.size_mb.or(Some(10)), ..options.clone() };
    let (generated, prv) = generate(seed, &options, Vec::new()).expect("memory takes every byte");
    Generated { prv, ..generated }
}

/// One instance on every thread, then messages; returns the bytes of what folding skips.
fn iteration<W: Write>(
    number: u64,
    random: &mut Random,
    totals: &mut [u64; COUNTERS.len()],
    out: &mut Counting<W>,
) -> io::Result<u64> {
    let begin = number * ITERATION_NS + STEP_NS;
    let mut skipped = 0;
    for step in 0..=SAMPLES {
        let time = begin + step * STEP_NS;
        for thread in 1..=THREADS as u64 {
            // Folding needs neither the states nor the messages of this step.
            let before = out.bytes;
            let partner = random.below(THREADS as u64) + 1;
            let (sent, size) = (time - 400_000 + thread, random.below(1 << 20));
            writeln!(out, "1:{thread}:1:{thread}:1:{}:{time}:{RUNNING}", time - STEP_NS / 2)?;
            writeln!(out, "2:{thread}:1:{thread}:1:{sent}:{SEND_SIZE}:{size}:{COMMUNICATOR}:1")?;
            let (arrival, tag) = (sent + 1_000 + random.below(90_000), random.below(1000));
            writeln!(
                out,
                "3:{thread}:1:{thread}:1:{sent}:{}:{partner}:1:{partner}:1:{arrival}:{arrival}:{size}:{tag}",
                sent + 200
            )?;
            skipped += out.bytes - before;
            let rates = [2_000 + 500 * (step / 4), 2_400, 20 + 15 * (step / 4)];
            write!(out, "2:{thread}:1:{thread}:1:{time}")?;
            match step {
                0 => write!(out, ":{FUNCTION}:{REGION}")?,
                SAMPLES => write!(out, ":{FUNCTION}:0")?,
                _ => {
                    let code_line = 3 + step / 4;
                    write!(out, ":{SAMPLED}:{REGION}:{SAMPLED_LINE}:{code_line}")?;
                }
            }
            for ((counter, rate), total) in COUNTERS.iter().zip(rates).zip(totals.iter_mut()) {
                let count = rate * 1_000 + random.below(rate * 20);
                write!(out, ":{}:{count}", counter.code)?;
                *total += count;
            }
            writeln!(out)?;
        }
    }
    Ok(skipped)
}

fn labels() -> Labels {
    let mut labels = Labels::default();
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    labels.add([(FUNCTION, "User function")], [(0, "End"), (REGION, "step")]);
    labels.add([(SAMPLED, "Sampled functions")], [(0, "End"), (REGION, "step")]);
    let lines = ["40 (step.c, big)", "52 (step.c, big)", "61 (step.c, big)"];
    labels.add(
        [(SAMPLED_LINE, "Sampled line functions")],
        [(0, "End")].into_iter().chain((3..).zip(lines)),
    );
    labels.add([(POINT_TO_POINT, "MPI Point-to-point")], [(0, "End"), (1, "MPI_Send")]);
    labels.add([(SEND_SIZE, "MPI send size")], []);
    labels.add([(COMMUNICATOR, "MPI communicator")], []);
    labels
}
