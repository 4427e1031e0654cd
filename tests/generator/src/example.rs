//! `example` and `references`: the modified Stream benchmark on four ranks.
//!
//! Source: Servat 2015, §4.6, Listing 4.2 and Figs. 4.5 and 4.26.

use serde_json::json;

use crate::codes::*;
use crate::phases::{Jitter, Phase, Piece, rates, timer, vary};
use crate::program::{self, Place, line, routine};
use crate::random::Random;
use crate::trace::{Moment, Thread, Trace};
use crate::truth::{self, Instance};
use crate::{Generated, Options};

const COUNTERS: [Counter; 6] = [TOT_INS, TOT_CYC, L1_DCM, L2_DCM, L3_TCM, BR_INS];
/// Cycles per microsecond.
const CLOCK: f64 = 2400.0;
const RANKS: usize = 4;
const PERIOD_NS: f64 = 8e6;

/// What differs between the two shapes.
struct Plan {
    name: &'static str,
    iterations: usize,
    reference_period_ns: f64,
    /// Whether the tracer tells of the memory level and the TLB if they had what was asked for.
    hits: bool,
}

/// As many iterations as the size of the bundled example allows.
const EXAMPLE: Plan =
    Plan { name: "example", iterations: 108, reference_period_ns: 9.5e6, hits: false };
/// Fewer of them, with more references.
const REFERENCES: Plan =
    Plan { name: "references", iterations: 30, reference_period_ns: 4e6, hits: true };
/// The clock of the machine drifts slowly by this share, up and down.
const DRIFT: f64 = 0.012;
const DRIFT_ITERATIONS: f64 = 36.0;
const REGION: &str = "User function:main loop";

fn phases() -> Vec<Phase> {
    let phase =
        |name, ms, mips, misses: [f64; 4]| Phase { name, ms, rates: rates(mips, CLOCK, &misses) };
    vec![
        phase("copy", 14.0, 3600.0, [19.6, 11.8, 8.9, 42.0]),
        phase("scale", 13.0, 4250.0, [53.1, 46.6, 40.2, 131.0]),
        phase("add", 18.0, 3300.0, [30.1, 17.0, 12.4, 118.0]),
        phase("triad", 19.0, 3800.0, [28.7, 15.8, 11.3, 105.0]),
    ]
}

/// Rates per nanosecond where nothing is folded.
fn pace(mips: f64) -> Vec<f64> {
    rates(mips, CLOCK, &[2.0, 0.8, 0.1, 200.0]).iter().map(|rate| rate * 1e-3).collect()
}

/// A time that a rank spends at one place.
#[derive(Clone, Copy)]
struct Stretch {
    begin: u64,
    end: u64,
    place: Place,
    /// Share of the place's work that is done at the begin and at the end.
    done: (f64, f64),
}

/// A rank while it runs.
struct Rank {
    thread: Thread,
    stretches: Vec<Stretch>,
    state_since: u64,
}

impl Rank {
    fn new(task: u32, start_ns: u64) -> Rank {
        let thread = Thread::new(task, 1, start_ns, COUNTERS.len());
        Rank { thread, stretches: vec![], state_since: start_ns }
    }

    fn now(&self) -> u64 {
        self.thread.path.now()
    }

    fn walk(&mut self, ns: u64, rates: &[f64], place: Place) {
        self.walk_part(ns, rates, place, (0.0, 1.0));
    }

    fn walk_part(&mut self, ns: u64, rates: &[f64], place: Place, done: (f64, f64)) {
        let begin = self.now();
        self.thread.path.walk(ns, rates);
        self.stretches.push(Stretch { begin, end: self.now(), place, done });
    }

    fn mark(&mut self, events: &[(u32, u64)]) {
        let moment = Moment::reading(self.now(), events.to_vec());
        self.thread.moments.push(moment);
    }

    /// Ends the state that lasted until now.
    fn was(&mut self, state: u32) {
        self.thread.states.push((self.state_since, self.now(), state));
        self.state_since = self.now();
    }

    /// What ran from `start_ns` until now.
    fn instance(&self, region: &str, start_ns: u64) -> Instance {
        let thread = self.thread.task as usize - 1;
        Instance {
            region: region.into(),
            thread,
            start_ns,
            end_ns: self.now(),
            phases: vec![],
            outlier: None,
        }
    }

    fn flush(&mut self, ns: u64) {
        self.was(RUNNING);
        self.mark(&[(FLUSH, 1)]);
        self.walk(ns, &pace(600.0), Place::Nowhere);
        self.mark(&[(FLUSH, 0)]);
        self.was(IN_OUT);
    }

    /// From the start of the application to the first iteration; returns where c lies.
    fn start(&mut self, random: &mut Random) -> u64 {
        self.mark(&[(APPLICATION, 1)]);
        self.thread.moments[0].next_set = Some(0);
        self.walk(350_000, &pace(1100.0), Place::Nowhere);
        self.mark(&[(FUNCTION, routine("main")), (FUNCTION_LINE, line(172, "stream.c"))]);
        self.walk(60_000, &pace(1500.0), Place::Nowhere);
        let caller = [(CALLER, routine("main")), (CALLER_LINE, line(181, "stream.c"))];
        let call = [(MEMORY_CALL, 1), (MEMORY_SIZE, program::ARRAY_BYTES)];
        self.mark(&[call, caller].concat());
        self.walk(7_400, &pace(900.0), Place::Nowhere);
        // Behind the header of a block of its own pages.
        let pointer = 0x7f6c_0000_0010 + random.below(0x8_0000) * 4096;
        self.mark(&[(MEMORY_CALL, 0), (MEMORY_OUT, pointer)]);
        self.walk(90_000_000, &pace(1900.0), Place::Start);
        pointer
    }

    /// One iteration; returns its instance.
    fn iterate(&mut self, pieces: &[Piece], flush: Option<(usize, u64)>) -> Instance {
        self.mark(&[(FUNCTION, routine("main loop")), (FUNCTION_LINE, line(202, "stream.c"))]);
        let start_ns = self.now();
        let mut borders = Vec::new();
        for (place, piece) in pieces.iter().enumerate() {
            let here = Place::Phase(place);
            match flush {
                Some((at, flush_ns)) if at == place => {
                    let first = piece.ns / 3;
                    let done = first as f64 / piece.ns as f64;
                    self.walk_part(first, &piece.rates, here, (0.0, done));
                    self.flush(flush_ns);
                    self.walk_part(piece.ns - first, &piece.rates, here, (done, 1.0));
                }
                _ => self.walk(piece.ns, &piece.rates, here),
            }
            borders.push(self.now());
        }
        self.mark(&[(FUNCTION, 0), (FUNCTION_LINE, 0)]);
        Instance {
            phases: borders,
            outlier: flush.map(|_| "flush"),
            ..self.instance(REGION, start_ns)
        }
    }

    /// Samples and references at the times of two timers, wherever something can be sampled.
    fn sample(&mut self, c: u64, plan: &Plan, random: &mut Random) {
        let (begin, end) = (self.thread.states[0].0, self.now());
        let find = |stretches: &[Stretch], time: u64| {
            let stretch = stretches[stretches.partition_point(|stretch| stretch.end <= time)];
            (stretch.begin < time).then_some(stretch)
        };
        let times = timer(begin, end, PERIOD_NS, random);
        for &time in &times {
            let place = find(&self.stretches, time).map(|stretch| stretch.place);
            if let Some(events) = place.and_then(|place| program::callstack(place, random)) {
                self.thread.moments.push(Moment::reading(time, events));
            }
        }
        for time in timer(begin, end, plan.reference_period_ns, random) {
            let Some(Stretch { begin, end, place: Place::Phase(phase), done }) =
                find(&self.stretches, time)
            else {
                continue;
            };
            if times.binary_search(&time).is_err() {
                let done =
                    done.0 + (done.1 - done.0) * (time - begin) as f64 / (end - begin) as f64;
                let mut events = program::reference(phase, done, c, random);
                if plan.hits {
                    events = program::with_hits(events);
                }
                self.thread.moments.push(Moment::silent(time, events));
            }
        }
    }
}

pub fn generate(seed: u64, options: &Options) -> Generated {
    run(&EXAMPLE, seed, options)
}

pub fn references(seed: u64, options: &Options) -> Generated {
    run(&REFERENCES, seed, options)
}

fn run(plan: &Plan, seed: u64, options: &Options) -> Generated {
    let random = &mut Random::new(seed);
    let iterations = options.instances.unwrap_or(plan.iterations);
    let jitter = options.jitter.unwrap_or(Jitter { instance: 0.001, phase: 0.003, rate: 0.004 });
    let phases = phases();
    let mut ranks: Vec<Rank> =
        (1..=RANKS as u32).map(|task| Rank::new(task, random.below(40_000))).collect();
    ranks[0] = Rank::new(1, 0);
    let arrays: Vec<u64> = ranks.iter_mut().map(|rank| rank.start(random)).collect();
    let mut instances = Vec::new();
    for iteration in 0..iterations {
        let turn = std::f64::consts::TAU * iteration as f64 / DRIFT_ITERATIONS;
        for (rank, start_turn) in ranks.iter_mut().zip([0.0, 1.0, 2.0, 3.0]) {
            rank.walk(5_000 + random.below(20_000), &pace(1200.0), Place::Nowhere);
            let drift = 1.0 + DRIFT * libm::sin(turn + start_turn);
            let mut pieces = vary(&phases, jitter, random);
            pieces.iter_mut().for_each(|piece| piece.stretch(drift));
            // One instance in some 40 is spoilt: by a flush, or by another program.
            let spoilt = random.below(phases.len() as u64) as usize;
            let (mut flush, mut outlier) = (None, None);
            match random.below(120) {
                0 => flush = Some((spoilt, 12_000_000 + random.below(25_000_000))),
                1 | 2 => {
                    pieces[spoilt].stretch(random.between(1.5, 2.4));
                    outlier = Some("interference");
                }
                _ => {}
            }
            let instance = rank.iterate(&pieces, flush);
            instances.push(Instance { outlier: outlier.or(instance.outlier), ..instance });
            rank.walk(4_000 + random.below(9_000), &pace(1200.0), Place::Nowhere);
            rank.mark(&[(MPI_COLLECTIVE, MPI_BARRIER)]);
            rank.was(RUNNING);
        }
        let all_there = ranks.iter().map(Rank::now).max().unwrap_or(0);
        for rank in &mut ranks {
            let leave = all_there + 15_000 + random.below(9_000);
            let arrival = rank.now();
            rank.walk(leave - arrival, &pace(2100.0), Place::Barrier);
            rank.mark(&[(MPI_COLLECTIVE, 0)]);
            instances.push(rank.instance("MPI Collective Comm:MPI_Barrier", arrival));
            rank.was(GROUP_COMMUNICATION);
        }
    }
    for (rank, c) in ranks.iter_mut().zip(arrays) {
        rank.walk(200_000, &pace(1300.0), Place::Nowhere);
        rank.mark(&[(FUNCTION, 0), (FUNCTION_LINE, 0)]);
        instances.push(rank.instance("User function:main", rank.thread.moments[1].time));
        rank.walk(80_000, &pace(1000.0), Place::Nowhere);
        rank.mark(&[(APPLICATION, 0)]);
        rank.was(RUNNING);
        rank.sample(c, plan, random);
    }
    let threads = ranks.into_iter().map(|rank| rank.thread).collect();
    let sets = vec![(0..COUNTERS.len()).collect()];
    let labels = program::labels(plan.hits);
    let name = plan.name;
    let mut trace = Trace { name, seed, threads, counters: &COUNTERS, sets, split: false, labels };
    let (prv, pcf, row) = trace.write();
    let mut truth = truth::whole(&trace, &instances);
    truth.insert("folded".into(), truth::folded(&trace, &instances, REGION, &phases));
    let routines = |(phase, code): (&Phase, program::Code)| {
        let lines: Vec<u64> = code.lines.iter().map(|line| line.0).collect();
        json!({"phase": phase.name, "callstack": code.callstack, "file": code.file, "lines": lines})
    };
    if plan.hits {
        truth.insert("objects".into(), program::objects());
        truth.insert("streams".into(), program::streams());
    }
    truth.insert("routines".into(), phases.iter().zip(program::PHASES).map(routines).collect());
    Generated { prv: prv.into(), pcf: pcf.into(), row: row.into(), truth: truth::text(&truth) }
}
