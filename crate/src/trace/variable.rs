/// A variable of the program that lies at one place as long as the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Of the task whose program it is of, each from 1.
    pub application: u32,
    pub task: u32,
    pub name: String,
    /// Address of its first byte.
    pub start: u64,
    /// Above 0.
    pub bytes: u64,
}

impl Variable {
    /// Task, then address; of two at one address the shorter, then by name.
    pub(super) fn place(&self) -> (u32, u32, u64, u64, &str) {
        (self.application, self.task, self.start, self.bytes, &self.name)
    }
}
