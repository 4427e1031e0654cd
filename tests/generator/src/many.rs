//! `many`: a solver of ten phases on which 28 counters are read.
//!
//! How far each counter moves with cycles per instruction is planned: its events per instruction are
//! a mixture of these and of a pattern of its own, that both are known phase by phase.

use crate::codes::*;
use crate::phases::{Phase, rates};
use crate::repeat::Repeated;
use crate::{Generated, Options};

const CLOCK: f64 = 2400.0;

/// Name, milliseconds, and millions of instructions per second of each phase.
const PHASES: [(&str, f64, f64); 10] = [
    ("rhs", 9.0, 1400.0),
    ("norms", 6.0, 900.0),
    ("x faces", 14.0, 3900.0),
    ("gather", 7.0, 1500.0),
    ("x solve", 46.0, 4300.0),
    ("halo", 6.0, 1100.0),
    ("y solve", 40.0, 3800.0),
    ("z solve", 38.0, 3300.0),
    ("scatter", 8.0, 1900.0),
    ("add", 26.0, 2700.0),
];

/// Name, description, events per 1000 instructions, and how much of them is by cycles per instruction.
type Planned = (&'static str, &'static str, f64, f64);

#[rustfmt::skip]
const PLANNED: [Planned; 26] = [
    ("PAPI_RES_STL", "Cycles stalled on any resource", 342.0, 0.99),
    ("PAPI_L1_DCM", "L1D cache misses", 32.8, 0.86),
    ("PAPI_L2_DCM", "L2D cache misses", 4.63, 0.8),
    ("PAPI_L3_TCM", "L3 cache misses", 1.69, 0.75),
    ("RESOURCE_STALLS:SB", "Cycles without room for a store", 133.0, 0.45),
    ("RESOURCE_STALLS:RS", "Cycles without room for a reservation", 152.0, 0.3),
    ("RESOURCE_STALLS:ROB", "Cycles without room to reorder", 4.3, 0.5),
    ("RESOURCE_STALLS:LB", "Cycles without room for a load", 2.37, 0.4),
    ("RESOURCE_STALLS:OOO_RSRC", "Cycles without a resource out of order", 58.7, 0.4),
    ("RESOURCE_STALLS:BOB_FULL", "Cycles without room for a branch", 0.0009, 0.2),
    ("RESOURCE_STALLS:FCSW", "Cycles waiting for the control word", 0.0, 0.0),
    ("RESOURCE_STALLS:MXCSR", "Cycles waiting for the status word", 0.0, 0.0),
    ("ARITH:CYCLES_DIV_BUSY", "Cycles of the divider", 50.9, 0.2),
    ("PAPI_LD_INS", "Loads", 347.0, 0.1),
    ("PAPI_SR_INS", "Stores", 212.0, 0.0),
    ("PAPI_FP_INS", "Floating point instructions", 290.0, 0.05),
    ("PAPI_FP_OPS", "Floating point operations", 288.0, 0.0),
    ("PAPI_VEC_DP", "Double vector instructions", 408.0, 0.0),
    ("PAPI_VEC_SP", "Single vector instructions", 0.0007, 0.2),
    ("ARITH:NUM_DIV", "Divisions", 3.44, 0.3),
    ("PAPI_BR_INS", "Branches", 12.5, 0.3),
    ("PAPI_BR_CN", "Conditional branches", 8.88, 0.3),
    ("PAPI_BR_UCN", "Jumps", 3.57, 0.3),
    ("PAPI_BR_MSP", "Mispredictions", 0.036, 0.45),
    ("BACLEARS:ANY", "Branches found late", 0.003, 0.3),
    ("PAPI_L2_DCH", "L2D hits", 28.1, 0.2),
];

const COUNTERS: [Counter; 28] = counters();

const fn counters() -> [Counter; 28] {
    let mut all = [TOT_INS; 28];
    all[1] = TOT_CYC;
    let mut at = 0;
    while at < PLANNED.len() {
        let (name, description, ..) = PLANNED[at];
        all[at + 2] = Counter { code: 42_001_100 + at as u32, name, description };
        at += 1;
    }
    all
}

pub fn generate(seed: u64, options: &Options) -> Generated {
    let whole: f64 = PHASES.iter().map(|(_, ms, mips)| ms * mips).sum();
    let mean_cycles = CLOCK * PHASES.iter().map(|(_, ms, _)| ms).sum::<f64>() / whole;
    let phase = |(at, &(name, ms, mips)): (usize, &(&'static str, f64, f64))| {
        let slow = CLOCK / mips / mean_cycles;
        let of = |(counter, &(.., mean, by_cycles)): (usize, &Planned)| {
            mean * (by_cycles * slow + (1.0 - by_cycles) * own(counter, at))
        };
        let others: Vec<f64> = PLANNED.iter().enumerate().map(of).collect();
        Phase { name, ms, rates: rates(mips, CLOCK, &others) }
    };
    let phases = PHASES.iter().enumerate().map(phase).collect();
    // Three samples an instance: curves of ten phases need many.
    let repeated = Repeated::new("many", &COUNTERS, phases);
    Repeated { instances: 300, period: 0.31, ..repeated }.generate(seed, options)
}

/// The pattern of a counter: between ½ and 1½, spread evenly by the golden ratio.
fn own(counter: usize, phase: usize) -> f64 {
    let turn = 0.618_033_988_749_895 * ((counter + 1) * (7 * phase + 3)) as f64;
    0.5 + turn - libm::floor(turn)
}
