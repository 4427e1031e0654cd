use std::sync::Arc;

/// The samples of one region: per group and counter, where they lie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    pub counters: Vec<Sampled>,
    /// What was sampled of the memory of each group that references any.
    pub references: Vec<References>,
}

/// The samples of one counter in one group, with what became of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Number of the group.
    pub group: u32,
    pub counter: String,
    pub folded: Arc<FoldedCounter>,
    /// As many as `folded` has samples.
    pub uses: Arc<[Use]>,
}

/// The samples of one counter in all instances of a group, placed in one synthetic instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldedCounter {
    /// By instance in the order of the trace, then time.
    pub samples: Vec<FoldedSample>,
    /// Kept instances that carry the counter throughout.
    pub instances: u32,
    /// Events in them.
    pub total: f64,
    /// How long they are together: in microseconds, or in events of the counter of the axis.
    pub length: f64,
    /// Events in each of those that give samples.
    pub totals: Vec<f64>,
    /// Events in each kept instance that carries the counter throughout: index into the instances
    /// of the group, rising.
    pub carried: Vec<(u32, u64)>,
    /// Events in each instance that carries the counter throughout, left out or not.
    pub counted: Vec<u64>,
    /// Instances refused because a reading in them is no count.
    pub absurd: u32,
}

impl FoldedCounter {
    /// Events per microsecond, or per event of the counter of the axis.
    pub fn mean_rate(&self) -> f64 {
        self.total / self.length
    }
}

/// One sample: the share of the instance's time and of its events that had passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldedSample {
    /// Index into the instances of the group.
    pub instance: u32,
    /// Folded time, 0 to 1.
    pub x: f64,
    /// Share of the instance's events, 0 to 1.
    pub y: f64,
    /// Whether the instance is kept, not left out as an outlier.
    pub kept: bool,
}

/// The samples of one counter in one group, as columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    /// Number of the group.
    pub group: u32,
    pub counter: String,
    /// Folded time, 0 to 1.
    pub x: Vec<f64>,
    /// Share of the instance's events counted by then, 0 to 1.
    pub y: Vec<f64>,
    pub used: Vec<Use>,
}

/// The sampled references of the kept instances of one group, by increasing `x`, as columns of
/// equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct References {
    /// Number of the group.
    pub group: u32,
    /// Folded time, 0 to 1.
    pub x: Vec<f64>,
    pub address: Vec<u64>,
    /// Index into [`Group::objects`](super::Group::objects).
    pub object: Vec<u32>,
    /// Bytes from the begin of the object.
    pub offset: Vec<u64>,
    /// 1 for a store, 0 for a load.
    pub store: Vec<u8>,
    /// Where it was served: a [`MemoryLevel`](super::MemoryLevel) as a number.
    pub level: Vec<u8>,
    /// 0 unknown, 1 and 2 the levels of the TLB, 3 a walk.
    pub tlb: Vec<u8>,
    /// Cycles; 0 where no cost was sampled.
    pub cost: Vec<u32>,
    /// The same moment in [`Group::lines`](super::Group::lines); `u32::MAX` if it has no call-stack.
    pub line: Vec<u32>,
}

/// What became of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Use {
    /// The curve was fitted to it.
    Used = 0,
    /// `select` passed over it.
    Unused = 1,
    /// Its instance was left out by `outliers`.
    Excluded = 2,
}

impl Points {
    /// What was sampled of the memory of a group; `None` if nothing was.
    pub fn references(&self, group: u32) -> Option<&References> {
        self.references.iter().find(|references| references.group == group)
    }

    /// The cloud of `counter` in group `group`. O(its samples), which are copied.
    pub fn cloud(&self, group: u32, counter: &str) -> Option<Cloud> {
        let is_meant = |of: &&Sampled| of.group == group && of.counter == counter;
        self.counters.iter().find(is_meant).map(Sampled::cloud)
    }

    /// All clouds, by group and then counter.
    pub fn clouds(&self) -> impl Iterator<Item = Cloud> {
        self.counters.iter().map(Sampled::cloud)
    }
}

impl Sampled {
    fn cloud(&self) -> Cloud {
        let samples = &self.folded.samples;
        Cloud {
            group: self.group,
            counter: self.counter.clone(),
            x: samples.iter().map(|sample| sample.x).collect(),
            y: samples.iter().map(|sample| sample.y).collect(),
            used: self.uses.to_vec(),
        }
    }
}
