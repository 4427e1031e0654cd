//! `bt` and `deep`: one loop whose calls are known at every moment, sampled with the innermost
//! frames of the call-stack only.
//!
//! Source: spec/algorithms.md §3.4; `bt` has the calls of the benchmark in Servat 2015, Fig. 4.23,
//! `deep` a routine with several callers at several depths.

use serde_json::json;

use crate::codes::*;
use crate::labels::Labels;
use crate::random::Random;
use crate::trace::{Moment, Thread, Trace};
use crate::truth::{self, Instance};
use crate::{Generated, Options};

const COUNTERS: [Counter; 2] = [TOT_INS, TOT_CYC];
const INSTANCES: usize = 100;
const SAMPLES: usize = 1000;
/// Frames that are captured: the innermost and two callers.
const DEPTH: usize = 3;
const MEAN_NS: f64 = 1e8;
const FIRST: u64 = 3;
const REGION: &str = "User function:main loop";

/// Routines from the outermost on, and how long it runs.
type Call = (Vec<&'static str>, f64);

pub fn bt(seed: u64, options: &Options) -> Generated {
    let program = |random: &mut Random| {
        let outer = ["main", "mpi_wrap", "bt_loop", "adi"];
        let mut calls = vec![call(&outer, &["copy_faces", "compute_rhs"], 12.0)];
        for [solve, cell, back] in [
            ["x_solve", "x_solve_cell", "x_backsubstitute"],
            ["y_solve", "y_solve_cell", "y_backsubstitute"],
            ["z_solve", "z_solve_cell", "z_backsubstitute"],
        ] {
            for _ in 0..40 {
                let kernel = one_of(["binvcrhs", "matvec_sub", "matmul_sub"], random);
                calls.push(call(&outer, &[solve, cell, kernel], 0.45 * random.between(0.5, 1.5)));
                calls.push(call(&outer, &[solve, cell], 0.15));
            }
            calls.push(call(&outer, &[solve, back], 3.0));
        }
        calls.push(call(&outer, &["add"], 4.0));
        calls
    };
    generate("bt", program, seed, options)
}

pub fn deep(seed: u64, options: &Options) -> Generated {
    const CONVOLUTIONS: [&str; 3] = ["conv_k_x", "conv_k_y", "conv_k_z"];
    let program = |random: &mut Random| {
        let outer = ["main", "app", "cluster", "geopt", "scf", "hpsitopsi"];
        let mut calls = Vec::new();
        for _ in 0..15 {
            let inner = ["local_ham", "wfn_to_psir", "conv", one_of(CONVOLUTIONS, random)];
            calls.push(call(&outer, &inner, 0.8 * random.between(0.5, 1.5)));
        }
        for _ in 0..10 {
            let inner = ["nonlocal", "apply_psp", "proj", one_of(["dgemm", "conv"], random)];
            calls.push(call(&outer, &inner, 1.1 * random.between(0.5, 1.5)));
        }
        for _ in 0..12 {
            let kernel = one_of(CONVOLUTIONS, random);
            let inner = ["precond", "cg", "cg_step", "prec_it", "conv", kernel];
            calls.push(call(&outer, &inner, random.between(0.5, 1.5)));
        }
        for _ in 0..6 {
            calls.push(call(&outer[..5], &["diis", "dgemm"], 0.9));
            calls.push(call(&outer[..5], &["diis"], 0.2));
        }
        let forces = ["forces", "local_forces", "conv", "conv_k_x"];
        calls.push(call(&outer[..4], &forces, 6.0));
        calls
    };
    generate("deep", program, seed, options)
}

fn call(outer: &[&'static str], inner: &[&'static str], length: f64) -> Call {
    ([outer, inner].concat(), length)
}

fn one_of<const N: usize>(names: [&'static str; N], random: &mut Random) -> &'static str {
    names[random.below(N as u64) as usize]
}

/// Every instance makes the same calls at the same shares of its time, so that what runs when is
/// known of the folded one. How many frames are captured changes nothing else.
fn generate(
    name: &'static str,
    program: fn(&mut Random) -> Vec<Call>,
    seed: u64,
    options: &Options,
) -> Generated {
    let random = &mut Random::new(seed);
    let calls = program(random);
    let whole: f64 = calls.iter().map(|call| call.1).sum();
    let mut ends = Vec::new();
    for (_, length) in &calls {
        ends.push(ends.last().copied().unwrap_or(0.0) + length / whole);
    }
    // Against what is lost by adding up.
    *ends.last_mut().expect("a program calls something") = 1.0;
    let mut names: Vec<&str> = calls.iter().flat_map(|call| call.0.iter().copied()).collect();
    names.sort_unstable();
    names.dedup();

    let depth = options.depth.unwrap_or(DEPTH);
    let samples = options.samples.unwrap_or(SAMPLES);
    let count = options.instances.unwrap_or(INSTANCES);
    let rates = [2.0, 2.4];
    let mut thread = Thread::new(1, 1, 0, COUNTERS.len());
    let begin = Moment::reading(0, vec![(APPLICATION, 1)]);
    thread.moments.push(Moment { next_set: Some(0), ..begin });
    let mut instances = Vec::new();
    for instance in 0..count {
        thread.path.walk(1000 + random.below(1_000_000), &rates);
        let start_ns = thread.path.now();
        let duration = (MEAN_NS * random.lognormal(0.005)) as u64;
        thread.path.walk(duration, &rates);
        let end_ns = thread.path.now();
        let region = FIRST + names.len() as u64;
        thread.moments.push(Moment::reading(start_ns, vec![(FUNCTION, region)]));
        let wanted = (instance..samples).step_by(count).count();
        let mut times: Vec<u64> = Vec::new();
        while times.len() < wanted {
            let time = 1 + random.below(duration - 1);
            if !times.contains(&time) {
                times.push(time);
            }
        }
        for time in times {
            let share = time as f64 / duration as f64;
            let (path, _) = &calls[ends.partition_point(|end| *end <= share)];
            let line = random.below(4);
            let events = captured(path, line, depth, &names);
            thread.moments.push(Moment::reading(start_ns + time, events));
        }
        thread.moments.push(Moment::reading(end_ns, vec![(FUNCTION, 0)]));
        let (region, phases) = (REGION.into(), vec![]);
        instances.push(Instance { region, thread: 0, start_ns, end_ns, phases, outlier: None });
    }
    thread.path.walk(1000, &rates);
    let end = thread.path.now();
    thread.moments.push(Moment::reading(end, vec![(APPLICATION, 0)]));
    thread.states.push((0, end, RUNNING));

    let (threads, labels) = (vec![thread], labels(&names, depth));
    let sets = vec![(0..COUNTERS.len()).collect()];
    let mut trace = Trace { name, seed, threads, counters: &COUNTERS, sets, split: false, labels };
    let (prv, pcf, row) = trace.write();
    let mut truth = truth::whole(&trace, &instances);
    let starts = std::iter::once(&0.0).chain(&ends);
    let timeline = starts.zip(&ends).zip(&calls);
    let timeline = timeline.map(|((start, end), (path, _))| json!([start, end, path]));
    truth.insert("depth".into(), json!(depth));
    truth.insert("timeline".into(), timeline.collect());
    Generated { prv: prv.into(), pcf: pcf.into(), row: row.into(), truth: truth::text(&truth) }
}

/// Lines of a routine, by its place among the names: where it begins, and where it calls from.
const LINES_OF_ROUTINE: u64 = 10;

/// The innermost `depth` frames: at one of four lines, and of the callers at the line of the call.
fn captured(path: &[&str], line: u64, depth: usize, names: &[&str]) -> Vec<(u32, u64)> {
    let place = |name: &str| names.iter().position(|known| *known == name).unwrap_or(0) as u64;
    let mut events = Vec::new();
    let mut called = None;
    for (depth, name) in (0u32..).zip(path.iter().rev().take(depth)) {
        let place = place(name);
        let at = called.map_or(line, |called: u64| 4 + called % 6);
        events.push((SAMPLED + depth, FIRST + place));
        events.push((SAMPLED_LINE + depth, FIRST + place * LINES_OF_ROUTINE + at));
        called = Some(place);
    }
    events
}

fn labels(names: &[&str], depth: usize) -> Labels {
    let mut labels = Labels::default();
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    let known = [(0, "End"), (1, "Unresolved"), (2, "_NOT_Found")];
    let all = names.iter().copied().chain(["main loop"]);
    let values: Vec<_> = known.into_iter().chain((FIRST..).zip(all)).collect();
    labels.add([(FUNCTION, "User function")], values.clone());
    let depths: Vec<u32> = (0..depth.min(100) as u32).collect();
    let typed = |what: &str| -> Vec<String> {
        depths.iter().map(|depth| format!("{what} (depth {depth})")).collect()
    };
    let routines = typed("Sampled functions");
    labels.add((SAMPLED..).zip(routines.iter().map(String::as_str)), values);
    let text = |place: u64| {
        let (routine, line) = (place / LINES_OF_ROUTINE, place % LINES_OF_ROUTINE);
        format!("{} ({}.f90)", 100 * (routine + 1) + 7 * line, names[routine as usize])
    };
    let lines: Vec<String> = (0..names.len() as u64 * LINES_OF_ROUTINE).map(text).collect();
    let sampled = typed("Sampled lines");
    let types = (SAMPLED_LINE..).zip(sampled.iter().map(String::as_str));
    labels.add(types, (FIRST..).zip(lines.iter().map(String::as_str)));
    labels
}
