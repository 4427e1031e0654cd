/// The sample clouds of one region: per group and counter, where the samples lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Version of this encoding; see [`Points::VERSION`].
    pub version: u32,
    pub clouds: Vec<Cloud>,
    /// What was sampled of the memory of each group that references any.
    pub references: Vec<References>,
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

impl Default for Points {
    fn default() -> Self {
        Self { version: Self::VERSION, clouds: vec![], references: vec![] }
    }
}

impl Points {
    /// Version that this code writes. It reads every version up to it.
    pub const VERSION: u32 = 2;

    /// What was sampled of the memory of a group; `None` if nothing was.
    pub fn references(&self, group: u32) -> Option<&References> {
        self.references.iter().find(|references| references.group == group)
    }

    /// The cloud of `counter` in group `group`.
    pub fn cloud(&self, group: u32, counter: &str) -> Option<&Cloud> {
        self.clouds.iter().find(|cloud| cloud.group == group && cloud.counter == counter)
    }
}
