//! `sets`: three counter sets of which one is read at a time.
//!
//! Most changes happen where an instance begins or ends, some inside one; two counters are in every
//! set. A change reads the old set, names the new one and writes a zero for each counter it adds.

use serde_json::json;

use crate::codes::*;
use crate::labels::Labels;
use crate::phases::{Phase, names, rates, timer, vary};
use crate::random::Random;
use crate::trace::{Moment, Thread, Trace};
use crate::truth::{self, Instance};
use crate::{Generated, Options};

const COUNTERS: [Counter; 6] = [TOT_INS, TOT_CYC, L1_DCM, L2_DCM, L3_TCM, BR_INS];
const SETS: [&[usize]; 3] = [&[0, 1, 2], &[0, 1, 3, 5], &[0, 1, 4]];
const INSTANCES: usize = 120;
const CLOCK: f64 = 2400.0;
const PERIOD_NS: f64 = 6e6;
const STEP: u64 = 3;
const REGION: &str = "User function:step";

/// Where the set changes.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    None,
    Begin,
    Inside,
    End,
}

/// Every fifth instance changes the set: in turn at its end, inside it, at its begin.
fn change(instance: usize) -> Change {
    match instance % 15 {
        4 => Change::End,
        9 => Change::Inside,
        14 => Change::Begin,
        _ => Change::None,
    }
}

pub fn generate(seed: u64, options: &Options) -> Generated {
    let random = &mut Random::new(seed);
    let phase =
        |name, ms, mips, misses: [f64; 4]| Phase { name, ms, rates: rates(mips, CLOCK, &misses) };
    let phases = [
        phase("gather", 9.0, 1400.0, [48.0, 31.0, 12.0, 90.0]),
        phase("compute", 16.0, 4100.0, [6.0, 2.5, 0.4, 60.0]),
        phase("scatter", 7.0, 1900.0, [39.0, 27.0, 9.0, 140.0]),
    ];
    let idle: Vec<f64> = phases[0].rates.iter().map(|rate| rate * 5e-4).collect();
    let jitter = options.jitter.unwrap_or_default();
    let mut thread = Thread::new(1, 1, 0, COUNTERS.len());
    thread.moments.push(Moment { next_set: Some(0), ..Moment::reading(0, vec![(APPLICATION, 1)]) });
    let mut set = 0;
    let (mut instances, mut carried) = (Vec::new(), Vec::new());
    let mut stretches = Vec::new();
    for number in 0..options.instances.unwrap_or(INSTANCES) {
        thread.path.walk(50_000 + random.below(6_000_000), &idle);
        let change = change(number);
        let before = set;
        if change != Change::None {
            set = (set + 1) % SETS.len();
        }
        let next_set = |here| (change == here).then_some(set);
        let start_ns = thread.path.now();
        let begin = Moment::reading(start_ns, vec![(FUNCTION, STEP)]);
        thread.moments.push(Moment { next_set: next_set(Change::Begin), ..begin });
        let mut borders = Vec::new();
        for (place, piece) in vary(&phases, jitter, random).into_iter().enumerate() {
            thread.path.walk(piece.ns, &piece.rates);
            borders.push(thread.path.now());
            if place == 0 && change == Change::Inside {
                let inside = Moment::reading(thread.path.now(), vec![]);
                thread.moments.push(Moment { next_set: Some(set), ..inside });
            }
        }
        let end_ns = thread.path.now();
        let end = Moment::reading(end_ns, vec![(FUNCTION, 0)]);
        thread.moments.push(Moment { next_set: next_set(Change::End), ..end });
        // What is read from the begin to the end.
        let throughout: Vec<usize> = match change {
            Change::None | Change::Begin => SETS[set].to_vec(),
            Change::End => SETS[before].to_vec(),
            Change::Inside => {
                SETS[before].iter().filter(|one| SETS[set].contains(one)).copied().collect()
            }
        };
        carried.push(throughout);
        stretches.push((start_ns, end_ns));
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
    thread.path.walk(500_000, &idle);
    let end = thread.path.now();
    thread.moments.push(Moment::reading(end, vec![(APPLICATION, 0)]));
    thread.states.push((0, end, RUNNING));
    for time in timer(0, end, PERIOD_NS, random) {
        let next = stretches.partition_point(|stretch| stretch.1 <= time);
        let inside = stretches.get(next).is_some_and(|stretch| stretch.0 < time);
        if inside && !thread.moments.iter().any(|moment| moment.time == time) {
            thread.moments.push(Moment::reading(time, vec![(SAMPLED, STEP)]));
        }
    }
    let mut labels = Labels::default();
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    let functions = [(FUNCTION, "User function"), (SAMPLED, "Sampled functions")];
    labels.add(functions, [(0, "End"), (1, "Unresolved"), (2, "_NOT_Found"), (STEP, "step")]);
    let sets: Vec<Vec<usize>> = SETS.iter().map(|set| set.to_vec()).collect();
    let threads = vec![thread];
    let mut trace =
        Trace { name: "sets", seed, threads, counters: &COUNTERS, sets, split: false, labels };
    let (prv, pcf, row) = trace.write();
    let mut truth = truth::whole(&trace, &instances);
    truth.insert("folded".into(), truth::folded(&trace, &instances, REGION, &phases));
    let all = names(&COUNTERS);
    let named = |set: &[usize]| json!(set.iter().map(|&counter| all[counter]).collect::<Vec<_>>());
    truth.insert("sets".into(), SETS.iter().map(|set| named(set)).collect());
    // For each instance in order, the counters that are read from its begin to its end.
    truth.insert("carried".into(), carried.iter().map(|set| named(set)).collect());
    Generated { prv: prv.into(), pcf: pcf.into(), row: row.into(), truth: truth::text(&truth) }
}
