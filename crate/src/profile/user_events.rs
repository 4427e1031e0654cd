use serde::{Deserialize, Serialize};

use super::Profile;
use crate::order;

/// What the program told of some values of its own, on one thread: one entry of every column for each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserEvents {
    /// By number in [`Profile::user_events`](super::Profile::user_events).
    pub events: Vec<u32>,
    /// How often a value was told.
    pub counts: Vec<f64>,
    pub min: Vec<f64>,
    pub max: Vec<f64>,
    pub mean: Vec<f64>,
    pub sum_of_squares: Vec<f64>,
}

impl UserEvents {
    /// `values`: how many, least, most, mean, sum of squares.
    pub fn push(&mut self, event: u32, values: [f64; 5]) {
        let [count, min, max, mean, squares] = values;
        self.events.push(event);
        self.counts.push(count);
        self.min.push(min);
        self.max.push(max);
        self.mean.push(mean);
        self.sum_of_squares.push(squares);
    }

    /// √ of the mean squared distance of all values to their mean; `None` where none was told.
    pub fn deviation(&self, at: usize) -> Option<f64> {
        let (count, mean) = (self.counts[at], self.mean[at]);
        let square = self.sum_of_squares[at] / count - mean * mean;
        (count > 0.0).then(|| libm::sqrt(square.max(0.0)))
    }
}

impl Profile {
    /// What all threads told together, or one, in the order of names, and of each how many threads told it; all for a thread that there is not.
    /// A thread that told nothing of a value has neither a least nor a largest one. O(threads × events).
    pub fn user_events_of(&self, thread: Option<u32>) -> (UserEvents, Vec<u32>) {
        let mut by_name = (0..self.user_events.len() as u32).collect::<Vec<_>>();
        let name = |event: &u32| &self.user_events[*event as usize];
        order::by(&mut by_name, |a, b| name(a).cmp(name(b)));
        let mut sums =
            vec![(0u32, [0.0, f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0]); self.user_events.len()];
        let thread = thread.filter(|thread| (*thread as usize) < self.threads.len());
        let meant = |at: &u32| thread.is_none_or(|thread| thread == *at);
        let threads = (0u32..).zip(&self.threads).filter(|(at, _)| meant(at));
        for of in threads.map(|(_, of)| &of.user_events) {
            for (at, event) in of.events.iter().enumerate().filter(|(at, _)| of.counts[*at] > 0.0) {
                let (threads, [count, min, max, sum, squares]) = &mut sums[*event as usize];
                *threads += 1;
                *count += of.counts[at];
                *min = min.min(of.min[at]);
                *max = max.max(of.max[at]);
                *sum += of.counts[at] * of.mean[at];
                *squares += of.sum_of_squares[at];
            }
        }
        let (mut all, mut threads) = (UserEvents::default(), vec![]);
        for event in by_name {
            let (count_of_threads, [count, min, max, sum, squares]) = sums[event as usize];
            if count_of_threads > 0 {
                all.push(event, [count, min, max, sum / count, squares]);
                threads.push(count_of_threads);
            }
        }
        (all, threads)
    }
}
