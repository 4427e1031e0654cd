//! What a thread's counters show at every moment, in whole numbers.

/// Piece-wise linear counts of a thread since its start.
///
/// Counts are integers at the borders of the pieces and rounded down between them, so the
/// differences of readings sum up exactly.
pub struct Path {
    times: Vec<u64>,
    counts: Vec<Vec<u64>>,
    register: Option<Register>,
}

/// A counter that is brought up to date from time to time, in whole quanta.
#[derive(Clone, Copy)]
pub struct Register {
    /// Place of the counter.
    pub counter: usize,
    pub refresh_ns: u64,
    pub quantum: u64,
}

impl Path {
    pub fn new(start_ns: u64, counters: usize) -> Path {
        Path { times: vec![start_ns], counts: vec![vec![0; counters]], register: None }
    }

    /// From now on one counter is read from `register`.
    pub fn refresh(&mut self, register: Register) {
        self.register = Some(register);
    }

    pub fn now(&self) -> u64 {
        self.times[self.times.len() - 1]
    }

    /// Goes on for `ns` nanoseconds in which each counter grows by `rates` (events per ns) evenly.
    pub fn walk(&mut self, ns: u64, rates: &[f64]) {
        let last = &self.counts[self.counts.len() - 1];
        let next =
            last.iter().zip(rates).map(|(count, rate)| count + (rate * ns as f64 + 0.5) as u64);
        let next = next.collect();
        self.times.push(self.now() + ns);
        self.counts.push(next);
    }

    /// What a reader sees of every counter at `time`, which lies on the path.
    pub fn readings(&self, time: u64) -> Vec<u64> {
        let mut counts = self.counts(time);
        if let Some(Register { counter, refresh_ns, quantum }) = self.register {
            let refreshed = (time - time % refresh_ns).max(self.times[0]);
            counts[counter] = self.counts(refreshed)[counter] / quantum * quantum;
        }
        counts
    }

    /// The count of every counter at `time`, which lies on the path.
    pub fn counts(&self, time: u64) -> Vec<u64> {
        let piece =
            self.times.partition_point(|&begin| begin <= time).clamp(1, self.times.len()) - 1;
        if piece + 1 == self.times.len() {
            return self.counts[piece].clone();
        }
        let (begin, end) = (self.times[piece], self.times[piece + 1]);
        let (part, whole) = (u128::from(time - begin), u128::from(end - begin));
        let grown =
            |(&low, &high): (&u64, &u64)| low + (u128::from(high - low) * part / whole) as u64;
        self.counts[piece].iter().zip(&self.counts[piece + 1]).map(grown).collect()
    }
}
