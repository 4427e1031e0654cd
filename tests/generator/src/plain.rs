//! `stream4 contrast5 short7 smooth`: one thread, one loop, rates known exactly.
//!
//! Instances are separated by exponential gaps, so that samples fall anywhere.
//! Source: spec/algorithms.md §5.2, with its scenarios of §5.3.

use crate::codes::*;
use crate::labels::Labels;
use crate::phases::{Phase, rates, timer, vary};
use crate::random::Random;
use crate::trace::{Moment, Thread, Trace};
use crate::truth::{self, Instance};
use crate::{Generated, Options};

const COUNTERS: [Counter; 2] = [TOT_INS, TOT_CYC];
const CLOCK: f64 = 2400.0;
const INSTANCES: usize = 100;
/// A little more than an instance, as in the figures of the specification.
const PERIOD: f64 = 1.05;
const LOOP: u64 = 3;
const REGION: &str = "User function:loop";
/// Pieces that stand for a smooth rate: the cumulative curve is right to 2e-6.
const SMOOTH_PIECES: u32 = 512;

pub fn stream4(seed: u64, options: &Options) -> Generated {
    steps(
        "stream4",
        seed,
        options,
        &[(14.0, 3600.0), (13.0, 4250.0), (18.0, 3300.0), (19.0, 3800.0)],
    )
}

pub fn contrast5(seed: u64, options: &Options) -> Generated {
    let phases = [(20.0, 1500.0), (15.0, 300.0), (35.0, 800.0), (10.0, 3000.0), (20.0, 1200.0)];
    steps("contrast5", seed, options, &phases)
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
    steps("short7", seed, options, &phases)
}

/// The rate is `2000 (1 + sin(3 pi x) / 2)` MIPS at the share x of 64 ms.
///
/// Phases and rates vary by piece, so that almost only the instances differ.
pub fn smooth(seed: u64, options: &Options) -> Generated {
    let cumulative = |x: f64| {
        let turn = 3.0 * std::f64::consts::PI;
        2000.0 * (x + (1.0 - libm::cos(turn * x)) / (2.0 * turn))
    };
    let pieces = f64::from(SMOOTH_PIECES);
    let piece = |place: u32| {
        let (low, high) = (f64::from(place) / pieces, f64::from(place + 1) / pieces);
        (64.0 / pieces, (cumulative(high) - cumulative(low)) * pieces)
    };
    let pieces: Vec<(f64, f64)> = (0..SMOOTH_PIECES).map(piece).collect();
    steps("smooth", seed, options, &pieces)
}

/// A loop of phases, each of so many milliseconds at so many MIPS.
fn steps(name: &'static str, seed: u64, options: &Options, steps: &[(f64, f64)]) -> Generated {
    let random = &mut Random::new(seed);
    let phases: Vec<Phase> = steps
        .iter()
        .map(|&(ms, mips)| Phase { name: "step", ms, rates: rates(mips, CLOCK, &[]) })
        .collect();
    let mean_ns = steps.iter().map(|step| step.0).sum::<f64>() * 1e6;
    let jitter = options.jitter.unwrap_or_default();
    let idle: Vec<f64> = rates(1000.0, CLOCK, &[]).iter().map(|rate| rate * 1e-3).collect();
    let mut thread = Thread::new(1, 1, 0, COUNTERS.len());
    let mut instances: Vec<Instance> = Vec::new();
    thread.moments.push(Moment { next_set: Some(0), ..Moment::reading(0, vec![(APPLICATION, 1)]) });
    for _ in 0..options.instances.unwrap_or(INSTANCES) {
        thread.path.walk(1000 + random.exponential(0.3 * mean_ns) as u64, &idle);
        let start_ns = thread.path.now();
        let mut borders = Vec::new();
        for piece in vary(&phases, jitter, random) {
            thread.path.walk(piece.ns, &piece.rates);
            borders.push(thread.path.now());
        }
        let end_ns = thread.path.now();
        thread.moments.push(Moment::reading(start_ns, vec![(FUNCTION, LOOP)]));
        thread.moments.push(Moment::reading(end_ns, vec![(FUNCTION, 0)]));
        let region = REGION.into();
        instances.push(Instance {
            region,
            thread: 0,
            start_ns,
            end_ns,
            phases: borders,
            outlier: None,
        });
    }
    thread.path.walk(1000, &idle);
    let end = thread.path.now();
    thread.moments.push(Moment::reading(end, vec![(APPLICATION, 0)]));
    thread.states.push((0, end, RUNNING));
    for time in timer(0, end, options.period.unwrap_or(PERIOD) * mean_ns, random) {
        let next = instances.partition_point(|instance| instance.end_ns <= time);
        if instances.get(next).is_some_and(|instance| instance.start_ns < time) {
            thread.moments.push(Moment::reading(time, vec![(SAMPLED, LOOP)]));
        }
    }
    let sets = vec![(0..COUNTERS.len()).collect()];
    let (threads, labels) = (vec![thread], labels());
    let mut trace = Trace { name, seed, threads, counters: &COUNTERS, sets, split: false, labels };
    let (prv, pcf, row) = trace.write();
    let mut truth = truth::whole(&trace, &instances);
    let smooth = phases.len() == SMOOTH_PIECES as usize;
    let named = if smooth { &[] } else { &phases[..] };
    truth.insert("folded".into(), truth::folded(&trace, &instances, REGION, named));
    if smooth {
        // MIPS of equally long pieces.
        truth.insert("rates".into(), steps.iter().map(|step| step.1).collect());
    }
    Generated { prv: prv.into(), pcf: pcf.into(), row: row.into(), truth: truth::text(&truth) }
}

fn labels() -> Labels {
    let mut labels = Labels::default();
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    let functions = [(FUNCTION, "User function"), (SAMPLED, "Sampled functions")];
    labels.add(functions, [(0, "End"), (1, "Unresolved"), (2, "_NOT_Found"), (LOOP, "loop")]);
    labels
}
