use serde::{Deserialize, Serialize};

use super::{Columns, Profile, ThreadProfile};

/// Bytes of a number that says how many follow.
const COUNT: usize = 8;

impl Profile {
    /// The same as bytes, for another module of the page: what is not a column in the format of `postcard`,
    /// then the columns of each thread.
    ///
    /// As JSON the module that reads them would be 50 kB larger.
    pub fn to_bytes(&self) -> Vec<u8> {
        let named = |of: &ThreadProfile| ThreadProfile {
            thread: of.thread.clone(),
            node_context_thread: of.node_context_thread,
            columns: Columns::default(),
            user_events: of.user_events.clone(),
        };
        let head = Self {
            version: self.version,
            name: self.name.clone(),
            metrics: self.metrics.clone(),
            nodes: self.nodes.clone(),
            threads: self.threads.iter().map(named).collect(),
            user_events: self.user_events.clone(),
            metadata: self.metadata.clone(),
            quality: self.quality.clone(),
            intervals: self.intervals.clone(),
        };
        let mut bytes = Written::default();
        bytes.value(&head);
        for ThreadProfile { columns, .. } in &self.threads {
            bytes.count(columns.len());
            bytes.0.extend(columns.nodes.iter().flat_map(|node| node.to_le_bytes()));
            bytes.numbers(&columns.counts);
            bytes.numbers(&columns.subcalls);
            let of_metrics = columns.exclusive.iter().chain(&columns.inclusive);
            of_metrics.for_each(|column| bytes.numbers(column));
        }
        bytes.0
    }

    /// What [`Self::to_bytes`] made; `None` of other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::take(&mut Taken(bytes))
    }

    pub(super) fn take(bytes: &mut Taken<'_>) -> Option<Self> {
        let mut profile: Self = bytes.value()?;
        let metrics = profile.metrics.len();
        for thread in &mut profile.threads {
            let count = bytes.count()?;
            let (nodes, _) = bytes.take(count.checked_mul(4)?)?.as_chunks();
            let nodes = nodes.iter().map(|node| u32::from_le_bytes(*node)).collect::<Vec<_>>();
            let (counts, subcalls) = (bytes.numbers(count)?, bytes.numbers(count)?);
            let mut columns = || (0..metrics).map(|_| bytes.numbers(count)).collect::<Option<_>>();
            let (exclusive, inclusive) = (columns()?, columns()?);
            thread.columns = Columns { nodes, counts, subcalls, exclusive, inclusive };
        }
        Some(profile)
    }
}

#[derive(Default)]
pub(super) struct Written(pub Vec<u8>);

impl Written {
    pub fn count(&mut self, count: usize) {
        self.0.extend((count as u64).to_le_bytes());
    }

    pub fn value(&mut self, value: &impl Serialize) {
        let value = postcard::to_allocvec(value).unwrap_or_default();
        self.count(value.len());
        self.0.extend(value);
    }

    pub fn numbers(&mut self, numbers: &[f64]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
}

/// What is not read yet.
pub(super) struct Taken<'a>(pub &'a [u8]);

impl<'a> Taken<'a> {
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn count(&mut self) -> Option<usize> {
        let (count, _) = self.take(COUNT)?.split_first_chunk()?;
        usize::try_from(u64::from_le_bytes(*count)).ok()
    }

    pub fn value<T: Deserialize<'a>>(&mut self) -> Option<T> {
        let count = self.count()?;
        postcard::from_bytes(self.take(count)?).ok()
    }

    pub fn numbers(&mut self, count: usize) -> Option<Vec<f64>> {
        let (numbers, _) = self.take(count.checked_mul(8)?)?.as_chunks();
        Some(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
    }
}
