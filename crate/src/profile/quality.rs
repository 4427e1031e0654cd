use serde::{Deserialize, Serialize};

use super::{Columns, MAX_DEPTH, Node};

/// How much of a profile samples say, and what was odd about its probes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    pub weights: Weights,
    pub samples: u64,
    /// Samples of which the innermost routine is not known.
    pub unresolved: u64,
    /// Samples of memory references, which stand for no time and are left out.
    pub references: u64,
    /// Readings of counters that are no counts: below zero, or more than can be.
    pub readings_left_out: u64,
    /// Time in which samples say what ran, of that in which probes say so: ns.
    pub sampled_ns: f64,
    pub probed_ns: f64,
    /// Regions inside more than [`MAX_DEPTH`](super::MAX_DEPTH) others, told as part of those.
    pub too_deep: u64,
    /// Ends of a region that was not open.
    pub ends_without_begin: u64,
    /// Regions that a region outside of them ended with itself.
    pub ended_from_outside: u64,
    /// Regions that were open where their thread ended.
    pub begins_without_end: u64,
    /// As the measurement states it of so many threads (`stating`): samples that were taken, and of these
    /// dropped.
    pub stating: u64,
    pub taken: u64,
    pub dropped: u64,
    /// Of what samples were taken each so many (`period`): empty if nothing tells, `itimer` of time, else a
    /// counter.
    pub source: String,
    pub period: String,
    /// Probes that the measurement stopped as they were called too often.
    pub throttled: u64,
}

/// Sources of samples that are time: TAU 2, `TauSampling.cpp`.
const TIMERS: [&str; 2] = ["itimer", "TIME"];

/// What a sample stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// What was counted since the sample before, as far as it was in the same context.
    #[default]
    Clipped,
    /// What was counted since the sample before, wherever that was: as TAU has it.
    Whole,
}

impl Quality {
    /// Adds how much of a thread probes tell, and how much of it samples: of its first metric.
    pub fn measure(&mut self, nodes: &[Node], columns: &Columns) {
        let Some(times) = columns.exclusive.first() else { return };
        for (node, time) in columns.nodes.iter().zip(times) {
            let kind = nodes[*node as usize].kind;
            match kind.is_sampled() {
                true => self.sampled_ns += time,
                false if kind.tells_again() => {}
                false => self.probed_ns += time,
            }
        }
    }

    /// Whether samples were taken each so many events of a counter: then they stand for events.
    pub fn samples_events(&self) -> bool {
        !self.source.is_empty() && !TIMERS.contains(&self.source.as_str())
    }

    /// One sentence for each fact, for people.
    pub fn sentences(&self) -> Vec<String> {
        let Self { samples, unresolved, references, .. } = *self;
        let mut sentences = Vec::new();
        if samples == 0 {
            sentences.push("No sample of time: a profile of probes alone.".to_owned());
        } else {
            let share = 100.0 * self.sampled_ns / self.probed_ns.max(1.0);
            let weights = match self.weights {
                Weights::Clipped => "each since the one before, within its context",
                Weights::Whole => "each since the one before, wherever that was",
            };
            let of_time = match self.probed_ns > 0.0 {
                true => format!(", for {share:.1} % of the time"),
                false => String::new(),
            };
            sentences.push(format!("Samples: {samples}{of_time}; {weights}."));
        }
        if self.samples_events() {
            let Self { source, period, .. } = self;
            sentences.push(format!(
                "Samples were taken each {period} of {source}: they stand for events, not for time."
            ));
        } else if !self.period.is_empty() && samples > 0 {
            sentences.push(format!("Samples were taken each {} µs.", self.period));
        }
        if self.taken > 0 {
            let Self { stating, taken, dropped, .. } = self;
            let threads = if *stating == 1 { "thread" } else { "threads" };
            sentences.push(format!(
                "As the measurement states of {stating} {threads}: {taken} samples, {dropped} dropped."
            ));
        }
        if unresolved > 0 {
            let share = 100.0 * unresolved as f64 / samples.max(1) as f64;
            sentences
                .push(format!("Samples whose routine is not known: {unresolved} ({share:.1} %)."));
        }
        let mut tell = |count: u64, what: &str| {
            if count > 0 {
                sentences.push(format!("{what}: {count}."));
            }
        };
        tell(references, "Samples of memory references, left out as they stand for no time");
        tell(self.readings_left_out, "Readings of counters that cannot be counts, left out");
        let too_deep = format!("Regions inside {MAX_DEPTH} others, told as part of those");
        tell(self.too_deep, &too_deep);
        tell(self.ends_without_begin, "Ends of regions that were not open, passed over");
        tell(self.ended_from_outside, "Regions that ended with one outside of them");
        tell(self.begins_without_end, "Regions that were open where their thread ended");
        let stopped = "Probes that were called too often, so that the measurement stopped them";
        tell(self.throttled, stopped);
        sentences
    }
}
