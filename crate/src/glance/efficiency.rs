use serde::{Deserialize, Serialize};

/// How well the run uses its threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Efficiency {
    /// In the order of tables; empty where neither the run nor its loop has any.
    pub factors: Vec<Factor>,
    /// Of the run, and of the passes of the loop.
    pub of_run: Option<CoreTime>,
    pub of_loop: Option<CoreTime>,
    /// What is missing, and why: sentences.
    pub remarks: Vec<String>,
}

/// A number that says how well threads are used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Factor {
    /// As scripts and links know it, with its unit.
    pub key: String,
    /// As people know it, without its unit.
    pub name: String,
    /// How deep it stands: those below one that multiply to it are one deeper.
    pub depth: u32,
    pub measure: Measure,
    /// Of the run, and of the passes of the loop; `None` where that is not known, or wants a reference.
    pub of_run: Option<f64>,
    pub of_loop: Option<f64>,
}

/// What a factor measures, and so how it is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub enum Measure {
    /// A share of the ideal, which is 1.
    #[default]
    Share,
    /// Of two numbers.
    Ratio,
    /// How many there are.
    Count,
    /// In nanoseconds.
    Time,
    /// In cycles per nanosecond, which is GHz.
    Frequency,
}

/// The time of all threads that compute, and what of it is useful.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CoreTime {
    /// How long each of them is looked at, on average.
    pub elapsed_ns: f64,
    /// Of each the time in bursts.
    pub useful_ns: Vec<f64>,
    /// Of each its index into [`Glance::lifelines`](super::Glance::lifelines).
    pub lifelines: Vec<u32>,
}

impl CoreTime {
    /// How many threads there are.
    pub fn threads(&self) -> f64 {
        self.useful_ns.len() as f64
    }

    /// Of all threads.
    pub fn all_ns(&self) -> f64 {
        self.threads() * self.elapsed_ns
    }

    /// Useful time of a thread: the mean of all.
    pub fn mean_useful_ns(&self) -> f64 {
        self.useful_ns.iter().sum::<f64>() / self.threads().max(1.0)
    }

    /// The thread that has most, the first of those that have as much: its place, and its useful time.
    pub fn longest(&self) -> Option<(usize, f64)> {
        let all = self.useful_ns.iter().copied().enumerate();
        all.reduce(|most, one| if one.1 > most.1 { one } else { most })
    }

    /// What all threads compute, what they lack to the one that computes most, and what that one lacks
    /// to all the time: they add up to [`CoreTime::all_ns`]. The last is negative where the threads do
    /// not live equally long and one computes longer than they live on average.
    pub fn parts_ns(&self) -> [f64; 3] {
        let longest = self.longest().map_or(0.0, |(_, ns)| ns);
        let (mean, threads) = (self.mean_useful_ns(), self.threads());
        [threads * mean, threads * (longest - mean), threads * (self.elapsed_ns - longest)]
    }
}
