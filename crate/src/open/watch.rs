//! How a reading is watched, and when it stops early.

use crate::input::Progress;
use crate::trace::Builder;

/// Shares of a file after which a first picture of it, and better ones, can be shown. Folding what
/// is there takes as long as there is much of it: so few, each of several times as much
/// as the one before.
const EARLY: [f64; 3] = [0.01, 0.05, 0.2];

/// Who watches a reading, and what bounds it.
pub struct Watch<'a> {
    /// Called about once a megabyte.
    pub report: &'a mut dyn FnMut(Progress),
    /// Called a few times in the course of a file: what is read is a trace, as far as it goes.
    pub early: &'a mut dyn FnMut(f64, &Builder),
    /// Threads that read, from 1; the trace does not depend on it.
    pub threads: usize,
    /// Reading stops when the trace holds more.
    pub most_bytes: u64,
    /// The share of the file of which the last early picture was.
    pub shown: f64,
}

impl<'a> Watch<'a> {
    /// Reads with one thread and without bound.
    pub fn new(
        report: &'a mut dyn FnMut(Progress),
        early: &'a mut dyn FnMut(f64, &Builder),
    ) -> Self {
        Self { report, early, threads: 1, most_bytes: u64::MAX, shown: 0.0 }
    }

    /// Stops when the trace holds more than so many bytes.
    pub fn within(mut self, most_bytes: u64) -> Self {
        self.most_bytes = most_bytes;
        self
    }

    /// `done` of the `total` bytes of the trace are read. Returns whether to go on; if not, the
    /// trace says that it is a part.
    pub fn went_on(&mut self, file: &str, done: u64, total: u64, trace: &mut Builder) -> bool {
        (self.report)(Progress { file: file.to_owned(), done, total });
        let share = share_of(done, total);
        if self.is_early(done, total, trace) {
            self.shown = share;
            (self.early)(share, trace);
        }
        let goes_on = trace.held_bytes() <= self.most_bytes;
        if !goes_on {
            trace.stop_at(share);
        }
        goes_on
    }

    /// Whether an early picture is due, and there is anything to be seen on it.
    pub(super) fn is_early(&self, done: u64, total: u64, trace: &Builder) -> bool {
        let share = share_of(done, total);
        done < total
            && trace.moments() > 0
            && EARLY.iter().any(|&early| self.shown < early && early <= share)
    }
}

fn share_of(done: u64, total: u64) -> f64 {
    if total > 0 { done as f64 / total as f64 } else { 1.0 }
}
