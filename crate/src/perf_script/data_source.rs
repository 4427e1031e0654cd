//! What a processor says of a sampled load or store: `data_src` of perf, 64 bits.
//!
//! Source: `linux/perf_event.h`, `union perf_mem_data_src`.

/// A field of the bits: its first bit and how many there are.
type Field = (u32, u32);

const OPERATION: Field = (0, 5);
const LEVELS: Field = (5, 14);
const TLB: Field = (26, 7);
const LEVEL_NUMBER: Field = (33, 4);
const REMOTE: Field = (37, 1);
const HOPS: Field = (43, 3);

// Bits of `OPERATION`.
const LOAD: u64 = 0x02;
const STORE: u64 = 0x04;
// Bits of `LEVELS` and of `TLB`.
const HIT: u64 = 0x02;
const MISS: u64 = 0x04;
// Bits of `TLB`.
const TLB_L1: u64 = 0x08;
const TLB_L2: u64 = 0x10;

/// Bits of `LEVELS`, each with the number that Extrae has for the level; the farthest first, as it
/// is what served where several are set.
const SERVED: [(u64, u64); 11] = [
    (0x2000, OTHER),
    (0x1000, OTHER),
    (0x0800, 6),
    (0x0400, 5),
    (0x0200, 9),
    (0x0100, 8),
    (0x0080, 7),
    (0x0040, 4),
    (0x0020, 3),
    (0x0010, 2),
    (0x0008, 1),
];

/// Uncached, or of a device.
const OTHER: u64 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataSource(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Load,
    Store,
}

impl DataSource {
    fn field(self, (first, bits): Field) -> u64 {
        self.0 >> first & ((1 << bits) - 1)
    }

    /// `None` for prefetches, code, and what is neither load nor store. What is both is a load: it
    /// waited for the data.
    pub fn operation(self) -> Option<Operation> {
        match self.field(OPERATION) {
            bits if bits & LOAD > 0 => Some(Operation::Load),
            bits if bits & STORE > 0 => Some(Operation::Store),
            _ => None,
        }
    }

    /// Where it was served, as Extrae numbers levels (event type 32000002); `None` where only a
    /// level is known that it missed.
    ///
    /// Processors with newer names for levels say the same in the older bits where those suffice.
    pub fn level(self) -> Option<u64> {
        let levels = self.field(LEVELS);
        if levels & MISS > 0 && levels & HIT == 0 {
            return None;
        }
        let served = SERVED.iter().find(|(bit, _)| levels & bit > 0 && levels & HIT > 0);
        served.map(|(_, level)| *level).or_else(|| self.numbered_level())
    }

    fn numbered_level(self) -> Option<u64> {
        let (remote, hops) = (self.field(REMOTE) > 0, self.field(HOPS));
        let level = match self.field(LEVEL_NUMBER) {
            // Caches of another core or socket: hops count from 1 for another core of this node.
            1..=4 | 0x5..=0x7 | 0xb | 0xc if remote => 5 + u64::from(hops > 1),
            // L1, and what Intel has before it.
            1 | 7 => 1,
            2 => 3,
            // Extrae has no number beyond the third: a fourth and that of the memory are such too.
            3 | 4 | 6 => 4,
            // Buffers of misses on their way.
            5 | 0xc => 2,
            // CXL, DRAM, persistent memory.
            9 | 0xd | 0xe if remote => 8 + u64::from(hops > 2),
            9 | 0xd | 0xe => 7,
            8 | 0xa => OTHER,
            _ => return None,
        };
        Some(level)
    }

    /// Which TLB knew the page, as Extrae has it (event type 32000004): 1, 2, or 0 if it was looked
    /// up; `None` if that is not said. Where it is said to be one of both, it is the first.
    pub fn tlb(self) -> Option<u64> {
        match self.field(TLB) {
            0 | 1 => None,
            bits if bits & MISS > 0 && bits & HIT == 0 => Some(0),
            bits if bits & TLB_L1 > 0 => Some(1),
            bits if bits & TLB_L2 > 0 => Some(2),
            _ => Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each word with what perf prints for it in the comment.
    #[test]
    fn words_of_processors_become_numbers_of_extrae() {
        use Operation::{Load, Store};
        for (word, operation, level, tlb) in [
            // |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No (Intel, old and new)
            (0x6810_0142, Some(Load), Some(1), Some(1)),
            (0x2_6810_0142, Some(Load), Some(1), Some(1)),
            // |OP LOAD|LVL LFB or LFB hit|SNP None|TLB L1 or L2 hit|LCK No|BLK N/A
            (0x118_6810_0242, Some(Load), Some(2), Some(1)),
            // |OP LOAD|LVL L2 or L2 hit|SNP None|TLB L1 or L2 hit
            (0x104_6810_0442, Some(Load), Some(3), Some(1)),
            // |OP LOAD|LVL L3 or L3 hit|SNP None|TLB L2 miss
            (0x106_5010_0842, Some(Load), Some(4), Some(0)),
            // |OP LOAD|LVL Local RAM or RAM hit|SNP Miss|TLB L1 or L2 hit
            (0x11a_6840_1042, Some(Load), Some(7), Some(1)),
            // |OP LOAD|LVL Remote RAM (1 hop) hit, and of 2 hops
            (0x6800_2042, Some(Load), Some(8), Some(1)),
            (0x6800_4042, Some(Load), Some(9), Some(1)),
            // |OP LOAD|LVL Remote Cache (1 hop) hit|SNP HitM, and of 2 hops
            (0x6880_8042, Some(Load), Some(5), Some(1)),
            (0x6881_0042, Some(Load), Some(6), Some(1)),
            // |OP LOAD|LVL I/O hit and |LVL Uncached hit
            (0x6802_0042, Some(Load), Some(0), Some(1)),
            (0x6804_0042, Some(Load), Some(0), Some(1)),
            // |OP STORE|LVL L1 hit|SNP N/A|TLB N/A|LCK N/A
            (0x0508_0144, Some(Store), Some(1), None),
            // |OP STORE|LVL L1 miss|SNP N/A|TLB N/A: served somewhere
            (0x0508_0184, Some(Store), None, None),
            // |OP LOAD|LVL L1 miss|SNP N/A|TLB Walker hit|LCK No (Arm SPE)
            (0x8800_0182, Some(Load), None, Some(0)),
            // |OP LOAD|LVL L3 or L3 hit|TLB L2 hit
            (0x106_4810_0842, Some(Load), Some(4), Some(2)),
            // |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK N/A
            (0x1e_0508_0021, None, None, None),
            // |OP PFETCH|LVL L2 hit
            (0x448, None, Some(3), None),
        ] {
            let source = DataSource(word);
            let found = (source.operation(), source.level(), source.tlb());
            assert_eq!(found, (operation, level, tlb), "{word:#x}");
        }
    }

    #[test]
    fn levels_that_only_newer_kernels_name_are_known_too() {
        let number = |level: u64, remote: u64, hops: u64| {
            DataSource(LOAD | level << LEVEL_NUMBER.0 | remote << REMOTE.0 | hops << HOPS.0).level()
        };
        for (level, expected) in [
            (0, None),
            (1, Some(1)),
            (2, Some(3)),
            (3, Some(4)),
            (4, Some(4)),
            (5, Some(2)),
            (6, Some(4)),
            (7, Some(1)),
            (8, Some(0)),
            (9, Some(7)),
            (0xa, Some(0)),
            (0xb, None),
            (0xc, Some(2)),
            (0xd, Some(7)),
            (0xe, Some(7)),
            (0xf, None),
        ] {
            assert_eq!(number(level, 0, 0), expected, "{level}");
        }
        // Any cache of another core, node, socket; memory of another node and board.
        assert_eq!([1, 2, 3].map(|hops| number(0xb, 1, hops)), [Some(5), Some(6), Some(6)]);
        assert_eq!([0, 2, 3, 4].map(|hops| number(0xd, 1, hops)), [8, 8, 9, 9].map(Some));
    }
}
