//! Routines and loops of a file as a nested list, whatever finds them.

use crate::order;

/// A routine or a loop: some lines of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Of a routine, or of a loop that has one (Fortran); else empty.
    pub name: String,
    /// First and last line, from 1.
    pub first: u32,
    pub last: u32,
    /// Blocks round it.
    pub depth: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    Routine,
    Loop,
}

impl BlockKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Routine => "routine",
            Self::Loop => "loop",
        }
    }
}

impl Block {
    /// A block whose depth is not known yet.
    pub(super) fn new(kind: BlockKind, name: &str, first: u32, last: u32) -> Self {
        Self { kind, name: name.to_owned(), first, last, depth: 0 }
    }

    pub fn contains(&self, line: u32) -> bool {
        (self.first..=self.last).contains(&line)
    }
}

/// The blocks of a file: each before those inside it, in the order of their first lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    blocks: Vec<Block>,
}

impl Outline {
    /// Puts blocks into the smallest block round each. Of two with the same lines the first is round
    /// the second; one that overlaps another without lying in it is beside it; one that ends before it
    /// begins is none. O(n log n).
    pub(super) fn new(mut blocks: Vec<Block>) -> Self {
        blocks.retain(|block| block.first <= block.last);
        order::by_number(&mut blocks, |block| {
            u64::from(block.first) << 32 | u64::from(!block.last)
        });
        let mut ends: Vec<u32> = vec![];
        for block in &mut blocks {
            while ends.pop_if(|end| *end < block.last).is_some() {}
            block.depth = ends.len() as u32;
            ends.push(block.last);
        }
        Self { blocks }
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// From the outside inwards the first block of each depth that `holds` is true of, as indices:
    /// the last one is the innermost. O(blocks).
    pub fn path(&self, holds: impl Fn(&Block) -> bool) -> Vec<usize> {
        let mut path = vec![];
        for (index, block) in self.blocks.iter().enumerate() {
            let depth = block.depth as usize;
            if depth < path.len() {
                break;
            }
            if depth == path.len() && holds(block) {
                path.push(index);
            }
        }
        path
    }

    /// The innermost routine that a block lies in, which may be the block itself.
    pub fn routine_of(&self, block: usize) -> Option<&Block> {
        let mut depth = u32::MAX;
        let round = self.blocks.get(..=block)?.iter().rev().filter(move |outer| {
            let is_round = outer.depth < depth;
            depth = depth.min(outer.depth);
            is_round
        });
        round.into_iter().find(|block| block.kind == BlockKind::Routine)
    }

    /// A block in words: `Scale 219–231`, `loop 223–229`, `loop outer 223–229`.
    pub fn words(&self, block: usize) -> String {
        let Some(Block { kind, name, first, last, .. }) = self.blocks.get(block) else {
            return String::new();
        };
        let of_kind = if *kind == BlockKind::Loop { "loop " } else { "" };
        let blank = if name.is_empty() { "" } else { " " };
        let lines = if first == last { first.to_string() } else { format!("{first}–{last}") };
        format!("{of_kind}{name}{blank}{lines}")
    }

    /// The same with the routine that a loop is in: `loop 223–229 in Scale`.
    pub fn words_with_routine(&self, block: usize) -> String {
        let words = self.words(block);
        let is_loop = self.blocks.get(block).is_some_and(|block| block.kind == BlockKind::Loop);
        match self.routine_of(block).filter(|_| is_loop) {
            Some(routine) => format!("{words} in {}", routine.name),
            None => words,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BlockKind::{Loop, Routine};
    use super::*;

    fn outline(blocks: &[(BlockKind, &str, u32, u32)]) -> Outline {
        let block = |&(kind, name, first, last): &_| Block::new(kind, name, first, last);
        Outline::new(blocks.iter().map(block).collect())
    }

    #[test]
    fn blocks_lie_in_the_smallest_block_round_them() {
        let outline = outline(&[
            (Loop, "", 3, 5),
            (Routine, "f", 1, 9),
            (Loop, "overlapping", 8, 12),
            (Loop, "first", 20, 22),
            (Loop, "second", 20, 22),
            (Loop, "backwards", 31, 30),
        ]);
        let depths: Vec<_> =
            outline.blocks().iter().map(|block| (block.name.as_str(), block.depth)).collect();
        assert_eq!(depths, [("f", 0), ("", 1), ("overlapping", 0), ("first", 0), ("second", 1)]);
    }

    #[test]
    fn the_path_to_a_line_goes_inwards() {
        let outline = outline(&[
            (Routine, "f", 1, 9),
            (Loop, "", 3, 5),
            (Loop, "", 3, 3),
            (Loop, "", 7, 8),
            (Routine, "g", 11, 12),
        ]);
        let path = |line| outline.path(|block| block.contains(line));
        assert_eq!(path(3), [0, 1, 2]);
        assert_eq!(path(8), [0, 3]);
        assert_eq!(path(12), [4]);
        assert_eq!(path(10), [0; 0]);
    }

    #[test]
    fn a_block_in_words_says_which_routine_it_is_in() {
        let outline = outline(&[
            (Routine, "f", 1, 9),
            (Loop, "", 2, 4),
            (Loop, "outer", 5, 8),
            (Loop, "", 6, 6),
            (Loop, "", 11, 12),
            (Routine, "g", 13, 13),
        ]);
        let words: Vec<_> = (0..7).map(|block| outline.words_with_routine(block)).collect();
        assert_eq!(
            words,
            [
                "f 1–9",
                "loop 2–4 in f",
                "loop outer 5–8 in f",
                "loop 6 in f",
                "loop 11–12",
                "g 13",
                ""
            ]
        );
        assert_eq!(outline.words(2), "loop outer 5–8");
    }
}
