//! How long a call takes: on the wall's clock and of the processor.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

/// Seconds of one call.
#[derive(Clone, Copy)]
pub struct Took {
    pub wall: f64,
    /// Processor time of all threads and of commands that were run, in steps of 10 ms; that of the
    /// wall where the system does not tell.
    pub processor: f64,
}

pub fn took<T>(call: impl FnOnce() -> T) -> Took {
    let (processor, start) = (processor_seconds(), Instant::now());
    black_box(call());
    let wall = start.elapsed().as_secs_f64();
    let processor = processor.zip(processor_seconds()).map_or(wall, |(from, to)| to - from);
    Took { wall, processor }
}

/// Seconds of the fastest of `runs` calls.
pub fn best<T>(runs: usize, mut call: impl FnMut() -> T) -> f64 {
    (0..runs).map(|_| took(&mut call).wall).fold(f64::INFINITY, f64::min)
}

/// The median on either clock of several calls.
pub fn median(mut all: Vec<Took>) -> Took {
    let mut middle = |of: fn(&Took) -> f64| {
        all.sort_by(|a, b| of(a).total_cmp(&of(b)));
        of(&all[all.len() / 2])
    };
    Took { wall: middle(|took| took.wall), processor: middle(|took| took.processor) }
}

/// User and system time of this process and of those it waited for, in ticks of 1/100 s.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may have blanks: state is field 3, the times are 14 to 17.
    let fields = text.rsplit_once(") ")?.1.split(' ').collect::<Vec<_>>();
    let ticks = fields.get(14 - 3..=17 - 3)?.iter().map(|ticks| ticks.parse::<f64>());
    Some(ticks.sum::<Result<f64, _>>().ok()? / 100.0)
}
