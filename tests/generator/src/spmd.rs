//! `spmd`: a program of MPI that nobody prepared for folding. Ranks pass a loop of five calls, each
//! from a line of its own and followed by a burst of a kind of its own.
//!
//! The last rank is slower than the others, and all of them become slower during the run, at the same
//! number of instructions. Counters are read where calls begin and end; inside bursts there are
//! samples if a period is asked for. Lines have other numbers on each rank and the same names.

use serde_json::{Map, Value, json};

use crate::codes::*;
use crate::labels::Labels;
use crate::phases::{Phase, Timer, rates, shares, vary};
use crate::random::Random;
use crate::trace::{Moment, Thread, Trace};
use crate::truth::{self, Instance};
use crate::{Generated, Options};

const COUNTERS: [Counter; 3] = [TOT_INS, TOT_CYC, L2_DCM];
const RANKS: u32 = 8;
const ITERATIONS: usize = 40;
/// Cycles per microsecond.
const CLOCK: f64 = 2000.0;
/// Events per nanosecond of a rank that waits for a message: it spins.
const WAITING: [f64; 3] = [5.6, 2.0, 0.0001];
/// Before the loop, while arrays are filled.
const FILLING: [f64; 3] = [1.1, 2.0, 0.02];
/// By how much the last iteration, and the last rank, are slower.
const DRIFT: f64 = 0.12;
const SLOWER: f64 = 0.06;
/// A call takes so long once all who take part have begun it.
const LATENCY_NS: u64 = 5_000;
/// What belongs to no cluster: it runs once.
const ALONE: &str = "no cluster";
/// Numbers below mean the end, or what is not known.
const FIRST: u64 = 3;
/// Lines of a kernel in which it is sampled.
const LINES: usize = 3;

/// A call of the loop, and the burst behind it.
struct Step {
    call: (u32, u64),
    /// From where it is called.
    routine: &'static str,
    line: (u32, &'static str),
    kernel: &'static str,
    /// Number of the kernel by the time that it takes.
    cluster: usize,
    phases: Vec<Phase>,
}

/// Lengths in milliseconds, MIPS, and misses per 1000 instructions.
fn phases(name: &'static str, parts: &[(f64, f64, f64)]) -> Vec<Phase> {
    let phase = |&(ms, mips, misses)| Phase { name, ms, rates: rates(mips, CLOCK, &[misses]) };
    parts.iter().map(phase).collect()
}

fn steps() -> [Step; 5] {
    const EXCHANGE: (u32, u64) = (MPI_POINT_TO_POINT, MPI_SENDRECV);
    const REDUCE: (u32, u64) = (MPI_COLLECTIVE, MPI_ALLREDUCE);
    let step = |call, routine, line, kernel, cluster, parts: &[(f64, f64, f64)]| Step {
        call,
        routine,
        line,
        kernel,
        cluster,
        phases: phases(kernel, parts),
    };
    // Gathers from ever nearer elements: a rate that rises and never jumps far.
    let ramp = (0..16).map(|part| f64::from(part) + 0.5);
    let ramp = ramp.map(|part| (7.5 / 16.0, 400.0 + 50.0 * part, 60.0 - 2.5 * part));
    let ramp = ramp.collect::<Vec<_>>();
    let sweep = [(8.0, 3600.0, 3.0), (7.0, 2000.0, 12.0), (5.0, 3200.0, 5.0)];
    [
        step(EXCHANGE, "halo", (41, "halo.c"), "sweep", 1, &sweep),
        step(EXCHANGE, "halo", (57, "halo.c"), "gather", 2, &ramp),
        step(
            REDUCE,
            "norm",
            (23, "norm.c"),
            "forces",
            3,
            &[(4.0, 5200.0, 1.0), (2.25, 4000.0, 4.0)],
        ),
        step(
            EXCHANGE,
            "border",
            (88, "border.c"),
            "update",
            4,
            &[(3.0, 2400.0, 8.0), (2.0, 1800.0, 15.0)],
        ),
        step(REDUCE, "advance", (112, "advance.c"), "reduce", 5, &[(1.5, 2000.0, 1.0)]),
    ]
}

struct Rank {
    thread: Thread,
    timer: Option<Timer>,
    /// When the passes of the loop begin; at the end also when the last one ends.
    passes: Vec<u64>,
    bursts: Vec<Instance>,
}

impl Rank {
    fn new(place: u32, period_ns: Option<f64>, random: &mut Random) -> Rank {
        let mut thread = Thread::new(place + 1, 1, 0, COUNTERS.len());
        let begin = Moment::reading(0, vec![(APPLICATION, 1), (MPI_OTHER, MPI_INIT)]);
        thread.moments.push(Moment { next_set: Some(0), ..begin });
        let timer = period_ns.map(|period_ns| Timer::new(0, period_ns, random));
        Rank { thread, timer, passes: vec![], bursts: vec![] }
    }

    fn place(&self) -> usize {
        self.thread.task as usize - 1
    }

    /// Waits in a call until `end_ns`.
    fn wait(&mut self, end_ns: u64, state: u32) {
        let begin_ns = self.thread.path.now();
        self.thread.path.walk(end_ns - begin_ns, &WAITING);
        self.thread.states.push((begin_ns, end_ns, state));
    }

    fn mark(&mut self, events: Vec<(u32, u64)>) {
        self.thread.moments.push(Moment::reading(self.thread.path.now(), events));
    }

    /// What ran since `start_ns` was a burst.
    fn burst(&mut self, region: String, start_ns: u64) {
        let end_ns = self.thread.path.now();
        self.thread.states.push((start_ns, end_ns, RUNNING));
        let (thread, phases) = (self.place(), vec![]);
        self.bursts.push(Instance { region, thread, start_ns, end_ns, phases, outlier: None });
    }

    /// One burst, longer by `factor` than planned; `number` is that of its step.
    fn compute(
        &mut self,
        step: &Step,
        number: usize,
        factor: f64,
        options: &Options,
        random: &mut Random,
    ) {
        let start_ns = self.thread.path.now();
        let mut ends = Vec::new();
        for mut piece in vary(&step.phases, options.jitter.unwrap_or_default(), random) {
            piece.stretch(factor);
            // The clock ticks on: cycles are lost.
            piece.rates[1] *= factor;

            self.thread.path.walk(piece.ns, &piece.rates);
            ends.push(self.thread.path.now());
        }
        self.burst(format!("Cluster {}", step.cluster), start_ns);
        let times = self.timer.as_mut().map(|timer| timer.until(self.thread.path.now(), random));
        for time in times.into_iter().flatten().filter(|time| *time > start_ns) {
            let phase = ends.partition_point(|end| *end <= time);
            let line = number * LINES + phase * LINES / ends.len();
            let events = vec![
                (SAMPLED, kernel_id(number)),
                (SAMPLED + 1, MAIN),
                (SAMPLED_LINE, FIRST + line as u64),
            ];
            self.thread.moments.push(Moment::reading(time, events));
        }
    }
}

/// `main`, then the kernels, then the routines that call.
const MAIN: u64 = FIRST;

fn kernel_id(number: usize) -> u64 {
    MAIN + 1 + number as u64
}

fn routine_id(number: usize) -> u64 {
    kernel_id(5 + number)
}

/// Of a call of a rank, the nearest line or the one of its caller.
fn line_id(rank: usize, number: usize, level: usize) -> u64 {
    FIRST + ((rank * 5 + number) * 2 + level) as u64
}

pub fn generate(seed: u64, options: &Options) -> Generated {
    let random = &mut Random::new(seed);
    let steps = steps();
    let count = options.threads.unwrap_or(RANKS).max(1);
    let iterations = options.instances.unwrap_or(ITERATIONS);
    let mean_ns =
        steps.iter().flat_map(|step| &step.phases).map(|phase| phase.ms).sum::<f64>() * 1e6;
    let period_ns = options.period.map(|period| period * mean_ns);
    let mut ranks: Vec<Rank> =
        (0..count).map(|place| Rank::new(place, period_ns, random)).collect();
    for rank in &mut ranks {
        rank.wait(200_000 + random.below(100_000), GROUP_COMMUNICATION);
        rank.mark(vec![(MPI_OTHER, 0)]);
        let start_ns = rank.thread.path.now();
        rank.thread.path.walk(300_000 + random.below(200_000), &FILLING);
        rank.burst(ALONE.into(), start_ns);
    }
    for iteration in 0..iterations {
        let drift = 1.0 + DRIFT * iteration as f64 / iterations as f64;
        for (number, step) in steps.iter().enumerate() {
            call(&mut ranks, step, number, random);
            for rank in &mut ranks {
                let is_last = rank.place() + 1 == count as usize;
                let factor = if is_last { drift * (1.0 + SLOWER) } else { drift };
                rank.compute(step, number, factor, options, random);
            }
        }
    }
    let latest = ranks.iter().map(|rank| rank.thread.path.now()).max().unwrap_or(0);
    for rank in &mut ranks {
        rank.passes.push(rank.thread.path.now());
        rank.mark(vec![(MPI_OTHER, MPI_FINALIZE)]);
        rank.wait(latest + LATENCY_NS, GROUP_COMMUNICATION);
        rank.mark(vec![(MPI_OTHER, 0), (APPLICATION, 0)]);
    }
    written(seed, &steps, ranks)
}

/// All ranks make the call: it lasts until those that take part have begun it, which are all, or a
/// rank and its neighbours.
fn call(ranks: &mut [Rank], step: &Step, number: usize, random: &mut Random) {
    let begun: Vec<u64> = ranks.iter().map(|rank| rank.thread.path.now()).collect();
    let latest = begun.iter().copied().max().unwrap_or(0);
    let (code, value) = step.call;
    let is_collective = code == MPI_COLLECTIVE;
    for rank in ranks {
        let place = rank.place();
        if number == 0 {
            rank.passes.push(begun[place]);
        }
        rank.mark(vec![
            (code, value),
            (CALLER, routine_id(number)),
            (CALLER + 1, MAIN),
            (CALLER_LINE, line_id(place, number, 0)),
            (CALLER_LINE + 1, line_id(place, number, 1)),
        ]);
        let beside = [place, (place + 1) % begun.len(), (place + begun.len() - 1) % begun.len()];
        let neighbours = beside.map(|place| begun[place]).into_iter().max().unwrap_or(0);
        let last = if is_collective { latest } else { neighbours };
        let state = if is_collective { GROUP_COMMUNICATION } else { BLOCKED };
        rank.wait(last + LATENCY_NS + random.below(LATENCY_NS), state);
        rank.mark(vec![(code, 0)]);
    }
}

fn written(seed: u64, steps: &[Step], ranks: Vec<Rank>) -> Generated {
    let labels = labels(steps, ranks.len());
    let passes = ranks.iter().map(|rank| {
        let pairs: Vec<Value> = rank.passes.windows(2).map(|pass| json!(pass)).collect();
        (format!("1.{}.1", rank.thread.task), json!(pairs))
    });
    let passes: Map<String, Value> = passes.collect();
    let (mut threads, mut bursts) = (vec![], vec![]);
    for rank in ranks {
        threads.push(rank.thread);
        bursts.extend(rank.bursts);
    }
    let sets = vec![(0..COUNTERS.len()).collect()];
    let mut trace =
        Trace { name: "spmd", seed, threads, counters: &COUNTERS, sets, split: false, labels };
    let (prv, pcf, row) = trace.write();
    // The instances are the bursts, and their regions the clusters.
    let mut truth = truth::whole(&trace, &bursts);
    truth.insert("passes".into(), Value::Object(passes));
    let mut by_cluster: Vec<&Step> = steps.iter().collect();
    by_cluster.sort_by_key(|step| step.cluster);
    truth.insert("clusters".into(), by_cluster.into_iter().map(cluster).collect());
    Generated { prv: prv.into(), pcf: pcf.into(), row: row.into(), truth: truth::text(&truth) }
}

/// The curve of a cluster: shares of its time at which rates change, and of each counter the rate
/// between them over its mean, which neither drift nor slower ranks change.
fn cluster(step: &Step) -> Value {
    let shares = shares(&step.phases);
    let curve = |(place, counter): (usize, &Counter)| {
        let rates = || step.phases.iter().map(|phase| phase.rates[place]);
        let mean: f64 =
            shares.iter().zip(rates()).map(|(share, rate)| (share.1 - share.0) * rate).sum();
        (counter.name.into(), rates().map(|rate| json!(rate / mean)).collect())
    };
    let curves: Map<String, Value> = COUNTERS.iter().enumerate().map(curve).collect();
    let borders = std::iter::once(0.0).chain(shares.iter().map(|share| share.1));
    json!({"cluster": step.cluster, "kernel": step.kernel, "line": step.line.0, "file": step.line.1,
           "borders": borders.collect::<Vec<f64>>(), "rates_over_mean": curves})
}

fn labels(steps: &[Step], ranks: usize) -> Labels {
    let mut labels = Labels::default();
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    let point = [(0, "Outside MPI"), (MPI_SENDRECV, "MPI_Sendrecv")];
    labels.add([(MPI_POINT_TO_POINT, "MPI Point-to-point")], point);
    let collective = [(0, "Outside MPI"), (MPI_ALLREDUCE, "MPI_Allreduce")];
    labels.add([(MPI_COLLECTIVE, "MPI Collective Comm")], collective);
    let other = [(0, "Outside MPI"), (MPI_INIT, "MPI_Init"), (MPI_FINALIZE, "MPI_Finalize")];
    labels.add([(MPI_OTHER, "MPI Other")], other);

    let unknown = [(0, "End"), (1, "Unresolved"), (2, "_NOT_Found")];
    let names = ["main"].into_iter().chain(steps.iter().map(|step| step.kernel));
    let names = names.chain(steps.iter().map(|step| step.routine));
    let routines: Vec<(u64, &str)> = unknown.into_iter().chain((FIRST..).zip(names)).collect();
    let callers = [(CALLER, "Caller at level 1"), (CALLER + 1, "Caller at level 2")];
    labels.add(callers, routines.clone());
    let sampled = [(SAMPLED, "Sampled functions"), (SAMPLED + 1, "Sampled functions (depth 1)")];
    labels.add(sampled, routines);

    let calls = (0..ranks).flat_map(|_| steps.iter().enumerate());
    let lines: Vec<String> = calls
        .flat_map(|(number, step)| {
            [format!("{} ({})", step.line.0, step.line.1), format!("{} (main.c)", 70 + number)]
        })
        .collect();
    let lines = (FIRST..).zip(lines.iter().map(String::as_str));
    let types =
        [(CALLER_LINE, "Caller line at level 1"), (CALLER_LINE + 1, "Caller line at level 2")];
    labels.add(types, unknown.into_iter().chain(lines));
    let inside = |at: usize| format!("{} (kernels.c)", 100 * (1 + at / LINES) + 7 * (at % LINES));
    let lines: Vec<String> = (0..steps.len() * LINES).map(inside).collect();
    let lines = (FIRST..).zip(lines.iter().map(String::as_str));
    labels.add([(SAMPLED_LINE, "Sampled lines")], unknown.into_iter().chain(lines));
    labels
}
