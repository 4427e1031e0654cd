//! Which line of a file of A is which of B.

use strum::IntoStaticStr;

/// What a line is to the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Kin {
    /// It says the same there, between the same lines.
    Same,
    /// What lies between lines that are the same, beside what lies there in B; alone where that has no more lines.
    Changed,
    /// It says the same in a block that lies elsewhere.
    Moved,
}

/// A line as it stands beside the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappedLine {
    /// Its number on each side, from 1.
    pub numbers: [Option<u32>; 2],
    pub kin: Kin,
    /// Where it lies on the other side, if it moved.
    pub elsewhere: Option<u32>,
}

/// The lines of a file of both sides, in the order in which they stand beside one another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineMap {
    pub lines: Vec<MappedLine>,
    /// By number, from 1: of each line of A that of B, and of each of B that of A.
    pub(super) others: [Vec<Option<u32>>; 2],
}

impl LineMap {
    /// The line of the other side that a line of `side`, 0 or 1, is; `None` where it has none there.
    pub fn other(&self, side: usize, number: u32) -> Option<u32> {
        let at = (number as usize).checked_sub(1)?;
        self.others.get(side)?.get(at).copied()?
    }

    /// Whether the text of a side has a line of this number.
    pub fn has(&self, side: usize, number: u32) -> bool {
        number > 0 && self.others.get(side).is_some_and(|lines| number as usize <= lines.len())
    }
}
