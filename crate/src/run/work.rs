use super::Burst;
use super::bursts::first_reading;
use crate::folding::is_cycles;
use crate::instance::is_instructions;
use crate::trace::{Kind, Trace};

/// What a burst completed, and in how many cycles; neither is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    pub instructions: u64,
    pub cycles: u64,
}

impl Work {
    /// Instructions per cycle.
    pub fn ipc(self) -> f64 {
        self.instructions as f64 / self.cycles as f64
    }
}

/// The work of each burst; `None` where instructions or cycles were not read in it, or are 0, which
/// only a counter that stood still counts of a burst. O(readings in bursts).
pub fn work(trace: &Trace, bursts: &[Burst]) -> Vec<Option<Work>> {
    let counter = |is_it: fn(&str) -> bool| {
        let is_it =
            |known: &crate::trace::EventType| known.kind == Kind::Counter && is_it(&known.name);
        trace.types.iter().position(is_it).map(|at| at as u32)
    };
    let both = counter(is_instructions).zip(counter(is_cycles));
    let Some((instructions, cycles)) = both else { return vec![None; bursts.len()] };
    let shapes = trace.shapes_with(|counter, _| counter == instructions || counter == cycles);
    let of_burst = |burst: &Burst| {
        let mut work = Work { instructions: 0, cycles: 0 };
        for moment in burst.moments(trace).filter(|moment| moment.is_of(&shapes)) {
            let counted = |counter| first_reading(&moment, counter).unwrap_or(0);
            work.instructions = work.instructions.saturating_add(counted(instructions));
            work.cycles = work.cycles.saturating_add(counted(cycles));
        }
        (work.instructions > 0 && work.cycles > 0).then_some(work)
    };
    bursts.iter().map(of_burst).collect()
}
