//! A trace while it is being made up, and its `.prv` text.

use std::fmt::Write;

use crate::codes::{COUNTER_SET, Counter};
use crate::labels::{self, Labels};
use crate::path::Path;

/// What is read on one thread at one time.
pub struct Moment {
    pub time: u64,
    pub events: Vec<(u32, u64)>,
    /// Whether the counters of the active set are read too.
    pub reads: bool,
    /// The counter set that becomes active after the reading.
    pub next_set: Option<usize>,
}

impl Moment {
    pub fn reading(time: u64, events: Vec<(u32, u64)>) -> Moment {
        Moment { time, events, reads: true, next_set: None }
    }

    pub fn silent(time: u64, events: Vec<(u32, u64)>) -> Moment {
        Moment { time, events, reads: false, next_set: None }
    }
}

pub struct Thread {
    pub task: u32,
    pub thread: u32,
    pub path: Path,
    /// In any order; no two at one time.
    pub moments: Vec<Moment>,
    /// Begin, end, state.
    pub states: Vec<(u64, u64, u32)>,
}

impl Thread {
    pub fn new(task: u32, thread: u32, start_ns: u64, counters: usize) -> Thread {
        Thread {
            task,
            thread,
            path: Path::new(start_ns, counters),
            moments: vec![],
            states: vec![],
        }
    }
}

pub struct Trace {
    pub name: &'static str,
    pub seed: u64,
    pub threads: Vec<Thread>,
    pub counters: &'static [Counter],
    /// Each set lists places in `counters`; the first is active at the start.
    pub sets: Vec<Vec<usize>>,
    /// Whether events and counters of one moment stand on two lines.
    pub split: bool,
    pub labels: Labels,
}

impl Trace {
    /// The `.prv`, `.pcf` and `.row` texts.
    pub fn write(&mut self) -> (String, String, String) {
        let note = note(self.name, self.seed);
        let mut tasks: Vec<u32> = Vec::new();
        for thread in &self.threads {
            tasks.resize(thread.task as usize, 0);
            tasks[thread.task as usize - 1] += 1;
        }
        let mut records = Vec::new();
        for (cpu, thread) in (1..).zip(&mut self.threads) {
            thread.moments.sort_by_key(|moment| moment.time);
            let object = format!("{cpu}:1:{}:{}", thread.task, thread.thread);
            for (begin, end, state) in &thread.states {
                records.push((*begin, 0, format!("1:{object}:{begin}:{end}:{state}\n")));
            }
            let pairs = pairs(thread, self.counters, &self.sets);
            for (moment, (events, counters)) in thread.moments.iter().zip(pairs) {
                let line = |pairs: &str| format!("2:{object}:{}{pairs}\n", moment.time);
                if self.split && !events.is_empty() && !counters.is_empty() {
                    records.push((moment.time, 1, line(&events)));
                    records.push((moment.time, 2, line(&counters)));
                } else {
                    records.push((moment.time, 1, line(&(events + &counters))));
                }
            }
        }
        // States come before events of the same time, events before the counters of the same moment.
        records.sort_by_key(|record| (record.0, record.1));
        let duration = self.threads.iter().map(|thread| thread.path.now()).max().unwrap_or(0);
        let mut prv = header(duration, &tasks, &note);
        prv.extend(records.into_iter().map(|record| record.2));
        (prv, self.labels.pcf(&note, self.counters), labels::row(&note, &tasks))
    }
}

/// The line by which readers know that a trace is made up.
pub fn note(name: &str, seed: u64) -> String {
    format!("#Tracefold generated {name}, seed {seed}")
}

/// Everything before the first record: one node, and one communicator of all tasks.
pub fn header(duration_ns: u64, tasks: &[u32], note: &str) -> String {
    let cpus: u32 = tasks.iter().sum();
    let list: Vec<String> = tasks.iter().map(|threads| format!("{threads}:1")).collect();
    let members: String = (1..=tasks.len()).map(|task| format!(":{task}")).collect();
    let (tasks, list) = (tasks.len(), list.join(","));
    format!(
        "#Paraver (01/01/2025 at 00:00):{duration_ns}_ns:1({cpus}):1:{tasks}({list}),1\n\
         c:1:1:{tasks}{members}\n{note}\n"
    )
}

/// Event pairs and counter pairs of every moment of a thread, as text.
///
/// At a change of sets come the old set's deltas, the set's number from 1, and a zero for every
/// counter that the new set adds.
fn pairs(thread: &Thread, counters: &[Counter], sets: &[Vec<usize>]) -> Vec<(String, String)> {
    let mut read = vec![0; counters.len()];
    let mut active: &[usize] = &[];
    let mut write_moment = |moment: &Moment| {
        let (mut events, mut readings) = (String::new(), String::new());
        let pair = |text: &mut String, code: u32, value: u64| {
            write!(text, ":{code}:{value}").expect("a String takes every pair");
        };
        for &(code, value) in &moment.events {
            pair(&mut events, code, value);
        }
        if moment.reads {
            let counts = thread.path.readings(moment.time);
            for &counter in active {
                pair(&mut readings, counters[counter].code, counts[counter] - read[counter]);
                read[counter] = counts[counter];
            }
            if let Some(set) = moment.next_set {
                pair(&mut readings, COUNTER_SET, set as u64 + 1);
                for &counter in sets[set].iter().filter(|counter| !active.contains(counter)) {
                    pair(&mut readings, counters[counter].code, 0);
                    read[counter] = counts[counter];
                }
                active = &sets[set];
            }
        }
        (events, readings)
    };
    thread.moments.iter().map(&mut write_moment).collect()
}
