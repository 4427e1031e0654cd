use std::sync::Arc;

/// Moments in a chunk: few enough that a thread with few events takes little memory, so many that
/// what a chunk itself takes does not count.
pub const CHUNK_MOMENTS: usize = 4096;

/// Up to [`CHUNK_MOMENTS`] moments of one thread, by increasing time, as columns.
///
/// ```text
/// times   0          760921     16312975     one per moment: nanoseconds since `start_ns`
/// shapes  0          0          1            one per moment: the types of its events
/// first   0          4          8            one per moment: where its values begin
/// words   2 0 0 0    …                       the values, in one word or two
/// ```
///
/// Ten bytes a moment and four for each value below 2³², eight for larger ones. A chunk that is full is not changed
/// any more and may be shared.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    pub start_ns: u64,
    pub times: Vec<u32>,
    pub shapes: Vec<u32>,
    pub first: Vec<u16>,
    pub words: Vec<u32>,
}

impl Chunk {
    /// Whether a moment at `time_ns`, not before the last one, can still be added.
    pub fn has_room(&self, time_ns: u64) -> bool {
        self.times.is_empty()
            || (self.times.len() < CHUNK_MOMENTS
                && self.words.len() <= usize::from(u16::MAX)
                && time_ns - self.start_ns <= u64::from(u32::MAX))
    }

    /// Adds a moment whose values are the words from `first` on. There must be room.
    pub fn push(&mut self, time_ns: u64, shape: u32, first: usize) {
        if self.times.is_empty() {
            self.start_ns = time_ns;
        }
        self.times.push((time_ns - self.start_ns) as u32);
        self.shapes.push(shape);
        self.first.push(first as u16);
    }

    pub fn time_ns(&self, at: usize) -> u64 {
        self.start_ns + u64::from(self.times.get(at).copied().unwrap_or(0))
    }

    /// How many moments are not after a time that is not before the chunk.
    pub fn moments_up_to(&self, time_ns: u64) -> u32 {
        let since_ns = time_ns.saturating_sub(self.start_ns);
        self.times.partition_point(|time_ns| u64::from(*time_ns) <= since_ns) as u32
    }

    /// The words of a moment's values.
    pub fn words_of(&self, at: usize) -> &[u32] {
        let from = self.first.get(at).map_or(self.words.len(), |&first| first as usize);
        let to = self.first.get(at + 1).map_or(self.words.len(), |&first| first as usize);
        self.words.get(from..to).unwrap_or_default()
    }

    /// Takes all moments out, as a chunk that is no larger than what it holds.
    pub fn take(&mut self) -> Arc<Self> {
        let full = Self {
            start_ns: self.start_ns,
            times: self.times.as_slice().into(),
            shapes: self.shapes.as_slice().into(),
            first: self.first.as_slice().into(),
            words: self.words.as_slice().into(),
        };
        for column in [&mut self.times, &mut self.shapes, &mut self.words] {
            column.clear();
        }
        self.first.clear();
        Arc::new(full)
    }

    /// Bytes that its columns take.
    pub fn held_bytes(&self) -> u64 {
        let columns = [&self.times, &self.shapes, &self.words];
        let words = columns.iter().map(|column| column.capacity() as u64).sum::<u64>();
        4 * words + 2 * self.first.capacity() as u64 + size_of::<Self>() as u64
    }
}
