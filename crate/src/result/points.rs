/// The sample clouds of one region: per group and counter, where the samples lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Version of this encoding; see [`Points::VERSION`].
    pub version: u32,
    pub clouds: Vec<Cloud>,
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
        Self { version: Self::VERSION, clouds: vec![] }
    }
}

impl Points {
    /// Version that this code writes. It reads every version up to it.
    pub const VERSION: u32 = 1;

    /// The cloud of `counter` in group `group`.
    pub fn cloud(&self, group: u32, counter: &str) -> Option<&Cloud> {
        self.clouds.iter().find(|cloud| cloud.group == group && cloud.counter == counter)
    }
}
