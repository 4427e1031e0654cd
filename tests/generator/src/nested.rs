//! `nested`: functions inside functions and inside themselves, on two threads of one task.
//!
//! Events and counters of a moment stand on two lines, and some functions end in the moment in
//! which the next begins.

use crate::codes::*;
use crate::labels::Labels;
use crate::phases::{rates, timer};
use crate::random::Random;
use crate::trace::{Moment, Thread, Trace};
use crate::truth::{self, Instance};
use crate::{Generated, Options};

const COUNTERS: [Counter; 2] = [TOT_INS, TOT_CYC];
const CALLS: usize = 40;
const PERIOD_NS: f64 = 2e6;
const NAMES: [&str; 4] = ["solve", "smooth", "tree", "leaf"];
const SOLVE: u64 = 3;
const SMOOTH: u64 = 4;
const TREE: u64 = 5;
const LEAF: u64 = 6;
const FIRST: u64 = 3;

/// A thread that enters and leaves functions.
struct Calls {
    thread: Thread,
    place: usize,
    /// Function, when it was entered, and whether it is already running further out.
    open: Vec<(u64, u64, bool)>,
    instances: Vec<Instance>,
    /// Begin, end and callers, innermost first, of what can be sampled.
    stretches: Vec<(u64, u64, Vec<u64>)>,
}

impl Calls {
    fn event(&mut self, value: u64) {
        let now = self.thread.path.now();
        let pair = (FUNCTION, value);
        match self.thread.moments.last_mut() {
            Some(last) if last.time == now => last.events.push(pair),
            _ => self.thread.moments.push(Moment::reading(now, vec![pair])),
        }
    }

    fn enter(&mut self, function: u64) {
        self.event(function);
        let inside_itself = self.open.iter().any(|open| open.0 == function);
        self.open.push((function, self.thread.path.now(), inside_itself));
    }

    fn leave(&mut self) {
        self.event(0);
        let (function, start_ns, inside_itself) =
            self.open.pop().expect("only what was entered is left");
        if !inside_itself {
            let region = format!("User function:{}", NAMES[(function - FIRST) as usize]);
            let (thread, end_ns) = (self.place, self.thread.path.now());
            self.instances.push(Instance {
                region,
                thread,
                start_ns,
                end_ns,
                phases: vec![],
                outlier: None,
            });
        }
    }

    fn run(&mut self, ns: u64, mips: f64) {
        let begin = self.thread.path.now();
        let rates: Vec<f64> = rates(mips, 2400.0, &[]).iter().map(|rate| rate * 1e-3).collect();
        self.thread.path.walk(ns, &rates);
        let stack = self.open.iter().rev().map(|open| open.0).collect();
        self.stretches.push((begin, self.thread.path.now(), stack));
    }

    /// A tree whose branches are trees, `depth` more times, and then two leaves.
    fn tree(&mut self, depth: u32, random: &mut Random) {
        self.enter(TREE);
        self.run(200_000 + random.below(4_000), 1500.0);
        if depth == 0 {
            for _ in 0..2 {
                self.enter(LEAF);
                self.run(600_000 + random.below(9_000), 2800.0);
                self.leave();
            }
        } else {
            self.tree(depth - 1, random);
        }
        self.run(150_000 + random.below(4_000), 900.0);
        self.leave();
    }

    fn sample(&mut self, random: &mut Random) {
        for time in timer(0, self.thread.path.now(), PERIOD_NS, random) {
            let (begin, _, stack) =
                &self.stretches[self.stretches.partition_point(|one| one.1 <= time)];
            if *begin < time && !stack.is_empty() {
                let events = (SAMPLED..).zip(stack.iter().copied().take(3)).collect();
                self.thread.moments.push(Moment::reading(time, events));
            }
        }
    }
}

pub fn generate(seed: u64, options: &Options) -> Generated {
    let random = &mut Random::new(seed);
    let (mut threads, mut instances) = (Vec::new(), Vec::new());
    for place in 0..2 {
        let thread = Thread::new(1, place as u32 + 1, 0, COUNTERS.len());
        let mut calls = Calls { thread, place, open: vec![], instances: vec![], stretches: vec![] };
        let begin = Moment { next_set: Some(0), ..Moment::reading(0, vec![(APPLICATION, 1)]) };
        calls.thread.moments.push(begin);
        calls.run(300_000, 1000.0);
        for call in 0..options.instances.unwrap_or(CALLS) {
            calls.enter(SOLVE);
            calls.run(1_000_000 + random.below(20_000), 2000.0);
            calls.enter(SMOOTH);
            calls.run(3_000_000 + random.below(50_000), 3200.0);
            calls.leave();
            // The tree begins in the moment in which the smoothing ends.
            calls.tree(2, random);
            calls.run(500_000 + random.below(9_000), 1200.0);
            calls.leave();
            // Every fourth call begins in the moment in which the one before ends.
            if call % 4 != 3 {
                calls.run(100_000 + random.below(700_000), 1000.0);
            }
        }
        calls.run(100_000, 1000.0);
        let end = calls.thread.path.now();
        calls.sample(random);
        calls.thread.moments.push(Moment::reading(end, vec![(APPLICATION, 0)]));
        calls.thread.states.push((0, end, RUNNING));
        instances.append(&mut calls.instances);
        threads.push(calls.thread);
    }
    let mut labels = Labels::default();
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    let known = [(0, "End"), (1, "Unresolved"), (2, "_NOT_Found")];
    let values: Vec<_> = known.into_iter().chain((FIRST..).zip(NAMES)).collect();
    labels.add([(FUNCTION, "User function")], values.clone());
    let depths =
        ["Sampled functions", "Sampled functions (depth 1)", "Sampled functions (depth 2)"];
    labels.add((SAMPLED..).zip(depths), values);
    let sets = vec![(0..COUNTERS.len()).collect()];
    let mut trace =
        Trace { name: "nested", seed, threads, counters: &COUNTERS, sets, split: true, labels };
    let (prv, pcf, row) = trace.write();
    let truth = truth::text(&truth::whole(&trace, &instances));
    Generated { prv: prv.into(), pcf: pcf.into(), row: row.into(), truth }
}
