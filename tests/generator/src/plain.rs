//! `stream4 contrast5 short7 smooth mixed fig418 joint4 rapl`: loops whose rates are known exactly.
//!
//! Source: spec/algorithms.md §2.5 and §5.3, spec/algorithms-real-traces.md §2.4 and §5.

use std::f64::consts::PI;

use crate::codes::*;
use crate::path::Register;
use crate::phases::{Jitter, Phase, Piece, rates};
use crate::random::Random;
use crate::repeat::Repeated;
use crate::{Generated, Options};

const CLOCK: f64 = 2400.0;
/// Pieces that stand for a rate which changes all the time.
const PIECES: u32 = 120;

pub fn stream4(seed: u64, options: &Options) -> Generated {
    let phases = [(14.0, 3600.0), (13.0, 4250.0), (18.0, 3300.0), (19.0, 3800.0)];
    instructions("stream4", &phases).generate(seed, options)
}

pub fn contrast5(seed: u64, options: &Options) -> Generated {
    let phases = [(20.0, 1500.0), (15.0, 300.0), (35.0, 800.0), (10.0, 3000.0), (20.0, 1200.0)];
    instructions("contrast5", &phases).generate(seed, options)
}

pub fn short7(seed: u64, options: &Options) -> Generated {
    let phases = [
        (30.0, 1000.0),
        (3.0, 4000.0),
        (17.0, 600.0),
        (5.0, 2500.0),
        (25.0, 1200.0),
        (4.0, 200.0),
        (16.0, 1500.0),
    ];
    instructions("short7", &phases).generate(seed, options)
}

/// The rate is `2000 (1 + sin(3πx)/2)` MIPS at the share x of 60 ms.
pub fn smooth(seed: u64, options: &Options) -> Generated {
    curve("smooth", |x| 1.0 + 0.5 * libm::sin(3.0 * PI * x)).generate(seed, options)
}

/// Two jumps in the first half, none in the second.
pub fn mixed(seed: u64, options: &Options) -> Generated {
    let rate = |x: f64| match x {
        ..0.25 => 1.5,
        0.25..0.5 => 0.5,
        _ => 1.0 + 0.5 * libm::sin(6.0 * PI * x),
    };
    curve("mixed", rate).generate(seed, options)
}

/// Stream with its two inner loops cut to a sixteenth, sampled at 100 Hz over 200 iterations.
///
/// Source: Servat 2015, Fig. 4.18 and Table 4.5.
pub fn fig418(seed: u64, options: &Options) -> Generated {
    let phases = [(13.91, 3600.0), (1.2, 4250.0), (1.5, 3300.0), (18.5, 3800.0)];
    let period = 10.0 / phases.iter().map(|phase| phase.0).sum::<f64>();
    let repeated = instructions("fig418", &phases);
    Repeated { instances: 200, period, ..repeated }.generate(seed, options)
}

/// Four counters that change at four places, not all at each; with `sets` they take turns.
pub fn joint4(seed: u64, options: &Options) -> Generated {
    const COUNTERS: [Counter; 4] = [TOT_INS, L1_DCM, L2_DCM, BR_INS];
    let phase = |ms, [instructions, l1, l2, branches]: [f64; 4]| Phase {
        name: "step",
        ms,
        rates: vec![2000.0 * instructions, 60.0 * l1, 20.0 * l2, 200.0 * branches],
    };
    let phases = vec![
        phase(20.0, [1.5, 1.0, 0.4, 1.0]),
        phase(15.0, [0.5, 1.0, 0.4, 1.3]),
        phase(30.0, [0.8, 2.0, 0.4, 1.3]),
        phase(10.0, [1.6, 2.0, 3.0, 0.7]),
        phase(25.0, [1.0, 0.6, 0.4, 0.7]),
    ];
    Repeated::new("joint4", &COUNTERS, phases).generate(seed, options)
}

/// An energy register of 15.2 µJ, refreshed each millisecond: two phases of 30 W and 55 W, 12 W
/// between instances of 20 ms.
pub fn rapl(seed: u64, options: &Options) -> Generated {
    const COUNTERS: [Counter; 3] = [TOT_INS, TOT_CYC, ENERGY];
    let ms = options.ms.unwrap_or(20.0);
    // A watt is a thousand nanojoules per microsecond.
    let phase =
        |name, ms, mips, watts: f64| Phase { name, ms, rates: vec![mips, CLOCK, watts * 1e3] };
    let phases =
        vec![phase("load", 0.4 * ms, 1200.0, 30.0), phase("compute", 0.6 * ms, 4000.0, 55.0)];
    let register = Register { counter: 2, refresh_ns: 1_000_000, quantum: 15_200 };
    let repeated = Repeated::new("rapl", &COUNTERS, phases);
    Repeated {
        idle: vec![600.0, CLOCK, 12e3],
        register: Some(register),
        vary: move_the_border,
        instances: 150,
        period: 0.205,
        ..repeated
    }
    .generate(seed, options)
}

/// One instance of two phases whose rates are steady: its length and the border between them vary.
fn move_the_border(phases: &[Phase], jitter: Jitter, random: &mut Random) -> Vec<Piece> {
    let whole: f64 = phases.iter().map(|phase| phase.ms).sum();
    let length = random.lognormal(jitter.instance) * whole;
    let border = (phases[0].ms / whole * random.lognormal(jitter.phase)).min(1.0);
    let piece = |(phase, share): (&Phase, f64)| Piece {
        ns: (length * share * 1e6) as u64,
        rates: phase.rates.iter().map(|rate| rate * 1e-3).collect(),
    };
    phases.iter().zip([border, 1.0 - border]).map(piece).collect()
}

/// Phases of so many milliseconds at so many MIPS, with instructions and cycles counted.
fn instructions(name: &'static str, steps: &[(f64, f64)]) -> Repeated {
    const COUNTERS: [Counter; 2] = [TOT_INS, TOT_CYC];
    let phase =
        |&(ms, mips): &(f64, f64)| Phase { name: "step", ms, rates: rates(mips, CLOCK, &[]) };
    let idle = rates(1000.0, CLOCK, &[]);
    let repeated = Repeated::new(name, &COUNTERS, steps.iter().map(phase).collect());
    Repeated { idle, ..repeated }
}

/// A rate of 2000 MIPS times `rate` of the share of 60 ms; phases and rates vary by piece.
fn curve(name: &'static str, rate: impl Fn(f64) -> f64) -> Repeated {
    let middle = |piece: u32| (f64::from(piece) + 0.5) / f64::from(PIECES);
    let steps: Vec<(f64, f64)> =
        (0..PIECES).map(|piece| (0.5, 2000.0 * rate(middle(piece)))).collect();
    Repeated { named: false, ..instructions(name, &steps) }
}
