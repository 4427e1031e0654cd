//! One thread that runs one loop: instances separated by exponential gaps, so that samples fall
//! anywhere.
//!
//! Source: spec/algorithms.md §5.2.

use serde_json::{Map, Value, json};

use crate::codes::*;
use crate::labels::Labels;
use crate::path::Register;
use crate::phases::{Jitter, Phase, Piece, Timer, names, vary};
use crate::random::Random;
use crate::trace::{Moment, Thread, Trace};
use crate::truth::{self, Instance};
use crate::{Generated, Options};

const INSTANCES: usize = 100;
/// A little more than an instance, as in the figures of the specification.
const PERIOD: f64 = 1.05;
/// Of the gaps, as a share of an instance.
const GAP: f64 = 0.3;
const LOOP: u64 = 3;
const REGION: &str = "User function:loop";

/// Where the samples of a phase fall.
pub struct Code {
    pub routine: &'static str,
    pub file: &'static str,
    /// With weights.
    pub lines: &'static [(u64, f64)],
}

/// What is repeated, and how it is measured.
pub struct Repeated {
    pub name: &'static str,
    pub counters: &'static [Counter],
    pub phases: Vec<Phase>,
    /// Of each phase; empty where all samples are of the loop itself.
    pub code: &'static [Code],
    /// Whether the phases are what a person would call so, or pieces of a curve.
    pub named: bool,
    /// For each counter, events per microsecond between instances.
    pub idle: Vec<f64>,
    pub register: Option<Register>,
    /// One instance of the phases.
    pub vary: fn(&[Phase], Jitter, &mut Random) -> Vec<Piece>,
    /// What `Options` say nothing about.
    pub instances: usize,
    pub period: f64,
}

impl Repeated {
    pub fn new(name: &'static str, counters: &'static [Counter], phases: Vec<Phase>) -> Repeated {
        let idle = phases[0].rates.iter().map(|rate| rate / 2.0).collect();
        let (instances, period) = (INSTANCES, PERIOD);
        Repeated {
            name,
            counters,
            phases,
            code: &[],
            named: true,
            idle,
            register: None,
            vary,
            instances,
            period,
        }
    }

    pub fn generate(mut self, seed: u64, options: &Options) -> Generated {
        if let Some((phase, factor)) = options.slower
            && let Some(phase) = self.phases.get_mut(phase)
        {
            phase.ms *= factor;
            phase.rates.iter_mut().for_each(|rate| *rate /= factor);
        }
        let random = &mut Random::new(seed);
        let sets = self.sets(options);
        let (thread, instances) = self.run(sets.len(), options, random);
        let (threads, labels) = (vec![thread], labels(self.code));
        let Repeated { name, counters, .. } = self;
        let mut trace = Trace { name, seed, threads, counters, sets, split: false, labels };
        let (prv, pcf, row) = trace.write();
        let mut truth = truth::whole(&trace, &instances);
        let named = if self.named { &self.phases[..] } else { &[] };
        truth.insert("folded".into(), truth::folded(&trace, &instances, REGION, named));
        truth.insert("planned".into(), truth::planned(counters, &self.phases));
        self.measuring(&trace.sets, instances.len(), &mut truth);
        Generated { prv: prv.into(), pcf: pcf.into(), row: row.into(), truth: truth::text(&truth) }
    }

    /// As many counter sets as wanted, each with every so-manieth counter.
    fn sets(&self, options: &Options) -> Vec<Vec<usize>> {
        let sets = options.sets.unwrap_or(1).clamp(1, self.counters.len());
        (0..sets).map(|set| (set..self.counters.len()).step_by(sets).collect()).collect()
    }

    /// The thread with its samples, and its instances; the counter sets take turns.
    fn run(&self, sets: usize, options: &Options, random: &mut Random) -> (Thread, Vec<Instance>) {
        let jitter = options.jitter.unwrap_or_default();
        let idle: Vec<f64> = self.idle.iter().map(|rate| rate * 1e-3).collect();
        let mean_ns = self.phases.iter().map(|phase| phase.ms).sum::<f64>() * 1e6;
        let mut timer = Timer::new(0, options.period.unwrap_or(self.period) * mean_ns, random);
        let mut thread = Thread::new(1, 1, 0, self.counters.len());
        if let Some(register) = self.register {
            thread.path.refresh(register);
        }
        let begin = Moment::reading(0, vec![(APPLICATION, 1)]);
        thread.moments.push(Moment { next_set: Some(0), ..begin });
        let (mut instances, mut samples) = (Vec::new(), 0);
        let enough = |instances: usize, samples: usize| match options.samples {
            Some(wanted) => samples >= wanted,
            None => instances >= options.instances.unwrap_or(self.instances),
        };
        while !enough(instances.len(), samples) {
            thread.path.walk(1000 + random.exponential(GAP * mean_ns) as u64, &idle);
            let start_ns = thread.path.now();
            let mut borders = Vec::new();
            for piece in (self.vary)(&self.phases, jitter, random) {
                thread.path.walk(piece.ns, &piece.rates);
                borders.push(thread.path.now());
            }
            let end_ns = thread.path.now();
            let border = |time, value| match options.unread_borders {
                true => Moment::silent(time, vec![(FUNCTION, value)]),
                false => Moment::reading(time, vec![(FUNCTION, value)]),
            };
            let next_set = (sets > 1).then_some(instances.len() % sets);
            thread.moments.push(Moment { next_set, ..border(start_ns, LOOP) });
            for time in timer.until(end_ns, random) {
                let wanted = options.samples.is_none_or(|wanted| samples < wanted);
                if time > start_ns && wanted {
                    let phase = borders.iter().filter(|border| **border <= time).count();
                    let sampled = sampled(self.code, phase, random);
                    thread.moments.push(Moment::reading(time, sampled));
                    samples += 1;
                }
            }
            thread.moments.push(border(end_ns, 0));
            let region = REGION.into();
            let phases = borders;
            instances.push(Instance { region, thread: 0, start_ns, end_ns, phases, outlier: None });
        }
        thread.path.walk(1000, &idle);
        let end = thread.path.now();
        thread.moments.push(Moment::reading(end, vec![(APPLICATION, 0)]));
        thread.states.push((0, end, RUNNING));
        (thread, instances)
    }

    /// Adds to the truth which counters were read when, and how.
    fn measuring(&self, sets: &[Vec<usize>], instances: usize, truth: &mut Map<String, Value>) {
        let names = names(self.counters);
        if sets.len() > 1 {
            let named = |set: &Vec<usize>| {
                json!(set.iter().map(|&counter| names[counter]).collect::<Vec<_>>())
            };
            truth.insert("sets".into(), sets.iter().map(named).collect());
            // For each instance in order, the counters that are read from its begin to its end.
            let carried = sets.iter().cycle().take(instances);
            truth.insert("carried".into(), carried.map(named).collect());
        }
        if let Some(Register { counter, refresh_ns, quantum }) = self.register {
            let register = json!({"counter": names[counter], "refresh_ns": refresh_ns,
                                  "quantum": quantum, "idle_rate": self.idle[counter]});
            truth.insert("register".into(), register);
        }
    }
}

/// What a sample says that falls into a phase.
fn sampled(code: &[Code], phase: usize, random: &mut Random) -> Vec<(u32, u64)> {
    let Some(Code { routine, file, lines }) = code.get(phase) else {
        return vec![(SAMPLED, LOOP)];
    };
    let line = (random.pick(lines), *file);
    let value = |place: Option<usize>| place.map_or(0, |place| LOOP + 1 + place as u64);
    vec![
        (SAMPLED, value(routines(code).iter().position(|known| known == routine))),
        (SAMPLED_LINE, value(lines_of(code).iter().position(|known| *known == line))),
    ]
}

/// Each once, in the order of the phases.
fn routines(code: &[Code]) -> Vec<&'static str> {
    once(code.iter().map(|of| of.routine))
}

fn lines_of(code: &[Code]) -> Vec<(u64, &'static str)> {
    once(code.iter().flat_map(|of| of.lines.iter().map(|(line, _)| (*line, of.file))))
}

fn once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut known, one| {
        if !known.contains(&one) {
            known.push(one);
        }
        known
    })
}

fn labels(code: &[Code]) -> Labels {
    let mut labels = Labels::default();
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    let functions = [(FUNCTION, "User function"), (SAMPLED, "Sampled functions")];
    let known = [(0, "End"), (1, "Unresolved"), (2, "_NOT_Found"), (LOOP, "loop")];
    labels.add(functions, known.into_iter().chain((LOOP + 1..).zip(routines(code))));
    if !code.is_empty() {
        let lines = lines_of(code).into_iter().map(|(line, file)| format!("{line} ({file})"));
        let lines: Vec<_> = lines.collect();
        let lines = (LOOP + 1..).zip(lines.iter().map(String::as_str));
        labels.add([(SAMPLED_LINE, "Sampled line functions")], lines);
    }
    labels
}
