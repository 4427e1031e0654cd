use serde::{Deserialize, Serialize};

use super::{Columns, Profile};

/// What all threads spent together from one moment to the next, where the measurement tells that: each
/// began when the one before ended, the first with the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// What the program called the moment at which it ended; empty if it did not.
    pub until: String,
    /// How many threads told of that moment.
    pub threads: u32,
    /// Of nodes that have something of it.
    pub columns: Columns,
}

impl Profile {
    /// Ends of the intervals, in nanoseconds since the begin of the run, on average over the threads that tell
    /// of any; `None` where no time was measured.
    pub fn ends_ns(&self) -> Option<Vec<f64>> {
        let time = self.time()?;
        let threads = f64::from(self.intervals.iter().map(|of| of.threads).max()?.max(1));
        let mut end = 0.0;
        let ends = self.intervals.iter().map(|of| {
            let roots = of.columns.nodes.iter().zip(&of.columns.inclusive[time]);
            let roots = roots.filter(|(node, _)| self.nodes[**node as usize].parent.is_none());
            end += roots.map(|(_, spent)| spent.max(0.0)).sum::<f64>() / threads;
            end
        });
        let ends = ends.collect();
        (end > 0.0).then_some(ends)
    }
}

impl Columns {
    /// What these have beyond `before`; nodes without anything are left out. Both rise.
    pub fn since(&self, before: &Self) -> Self {
        let mut since = Self::of(self.exclusive.len());
        for (at, node) in self.nodes.iter().enumerate() {
            let was = before.place(*node);
            let of = |now: &[f64], then: &[f64]| now[at] - was.map_or(0.0, |was| then[was]);
            let counts = [of(&self.counts, &before.counts), of(&self.subcalls, &before.subcalls)];
            let values = |now: &[Vec<f64>], then: &[Vec<f64>]| {
                now.iter().zip(then).map(|(now, then)| of(now, then)).collect::<Vec<_>>()
            };
            let exclusive = values(&self.exclusive, &before.exclusive);
            let inclusive = values(&self.inclusive, &before.inclusive);
            let all = counts.iter().chain(&exclusive).chain(&inclusive);
            if all.into_iter().all(|value| *value == 0.0) {
                continue;
            }
            let place = since.push(*node);
            [since.counts[place], since.subcalls[place]] = counts;
            let put = |into: &mut Vec<Vec<f64>>, of: Vec<f64>| {
                into.iter_mut().zip(of).for_each(|(into, of)| into[place] = of);
            };
            put(&mut since.exclusive, exclusive);
            put(&mut since.inclusive, inclusive);
        }
        since
    }

    /// Adds what others have; nodes that are new come in their place. Both rise.
    pub fn add(&mut self, other: &Self) {
        let mut sum = Self::of(self.exclusive.len());
        let (mut a, mut b) = (0, 0);
        let next = |of: &Self, at: usize| of.nodes.get(at).copied().unwrap_or(u32::MAX);
        while a < self.len() || b < other.len() {
            let node = next(self, a).min(next(other, b));
            let place = sum.push(node);
            for (of, at) in [(&*self, &mut a), (other, &mut b)] {
                if next(of, *at) != node || *at >= of.len() {
                    continue;
                }
                sum.counts[place] += of.counts[*at];
                sum.subcalls[place] += of.subcalls[*at];
                let put = |into: &mut [Vec<f64>], of: &[Vec<f64>]| {
                    into.iter_mut().zip(of).for_each(|(into, of)| into[place] += of[*at]);
                };
                put(&mut sum.exclusive, &of.exclusive);
                put(&mut sum.inclusive, &of.inclusive);
                *at += 1;
            }
        }
        *self = sum;
    }
}
