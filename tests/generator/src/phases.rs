//! Phases of known length and rates, and how they vary from instance to instance.

use crate::codes::Counter;
use crate::random::Random;

pub struct Phase {
    pub name: &'static str,
    pub ms: f64,
    /// For each counter, events per microsecond.
    pub rates: Vec<f64>,
}

/// Deviations of the logarithms of what varies.
#[derive(Clone, Copy)]
pub struct Jitter {
    /// Of an instance's duration.
    pub instance: f64,
    /// Of each phase's duration.
    pub phase: f64,
    /// Of each rate in each phase.
    pub rate: f64,
}

impl Default for Jitter {
    fn default() -> Jitter {
        Jitter::all(0.005)
    }
}

impl Jitter {
    pub fn all(deviation: f64) -> Jitter {
        Jitter { instance: deviation, phase: deviation, rate: deviation }
    }
}

/// A stretch of evenly growing counts.
#[derive(Clone)]
pub struct Piece {
    pub ns: u64,
    /// For each counter, events per nanosecond.
    pub rates: Vec<f64>,
}

impl Piece {
    /// The same counts in a time longer by `factor`.
    pub fn stretch(&mut self, factor: f64) {
        let ns = (self.ns as f64 * factor) as u64;
        self.rates.iter_mut().for_each(|rate| *rate *= self.ns as f64 / ns as f64);
        self.ns = ns;
    }
}

/// One instance of `phases`.
pub fn vary(phases: &[Phase], jitter: Jitter, random: &mut Random) -> Vec<Piece> {
    let scale = random.lognormal(jitter.instance) * 1e6;
    let mut one = |phase: &Phase| Piece {
        ns: (phase.ms * scale * random.lognormal(jitter.phase)) as u64,
        rates: phase.rates.iter().map(|rate| rate * 1e-3 * random.lognormal(jitter.rate)).collect(),
    };
    phases.iter().map(&mut one).collect()
}

/// A sampling timer: its period varies evenly by a fifth either way.
pub struct Timer {
    next: f64,
    period_ns: f64,
}

impl Timer {
    /// Fires for the first time within a period after `begin`.
    pub fn new(begin: u64, period_ns: f64, random: &mut Random) -> Timer {
        Timer { next: begin as f64 + random.uniform() * period_ns, period_ns }
    }

    /// When it fires from the time asked for last until before `end`.
    pub fn until(&mut self, end: u64, random: &mut Random) -> Vec<u64> {
        let mut times = Vec::new();
        while self.next < end as f64 {
            times.push(self.next as u64);
            self.next += self.period_ns * random.between(0.8, 1.2);
        }
        times
    }
}

/// When a timer fires between two times.
pub fn timer(begin: u64, end: u64, period_ns: f64, random: &mut Random) -> Vec<u64> {
    Timer::new(begin, period_ns, random).until(end, random)
}

/// Rates per microsecond from instructions per microsecond and events per 1000 instructions.
///
/// `clock` is cycles per microsecond; the counters are instructions, cycles, then the others.
pub fn rates(mips: f64, clock: f64, per_thousand: &[f64]) -> Vec<f64> {
    let others = per_thousand.iter().map(|ratio| mips * ratio / 1000.0);
    [mips, clock].into_iter().chain(others).collect()
}

/// Where each phase begins and ends, as shares of the whole.
pub fn shares(phases: &[Phase]) -> Vec<(f64, f64)> {
    let whole: f64 = phases.iter().map(|phase| phase.ms).sum();
    let mut begin = 0.0;
    let mut share = |phase: &Phase| {
        let low = begin;
        begin += phase.ms;
        (low / whole, begin / whole)
    };
    phases.iter().map(&mut share).collect()
}

pub fn names(counters: &[Counter]) -> Vec<&'static str> {
    counters.iter().map(|counter| counter.name).collect()
}
