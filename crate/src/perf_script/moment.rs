use super::frame::Frame;
use super::reference::Reference;

/// Records of one thread at one time: those of a group of events follow its leader.
#[derive(Clone)]
pub(super) struct Moment {
    pub thread: usize,
    pub time_ns: u64,
    pub records: Vec<Part>,
}

#[derive(Clone)]
pub(super) struct Part {
    pub event: usize,
    pub period: Option<u64>,
    pub reference: Option<Reference>,
    pub stack: Vec<Frame>,
}
