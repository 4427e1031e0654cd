//! A sampled load or store: what stands between the event and the innermost frame.

use super::data_source::{DataSource, Operation};
use crate::text::number;

/// A load or store of a known address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub address: u64,
    pub operation: Operation,
    pub level: Option<u64>,
    pub tlb: Option<u64>,
    /// Its weight: cycles from issue to completion, on most processors.
    pub cost: Option<u64>,
}

/// What follows the event of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sampled<'line> {
    pub reference: Option<Reference>,
    /// The innermost frame, if it stands here and not below.
    pub frame: &'line [u8],
}

impl<'line> Sampled<'line> {
    /// Reads what follows an event. `of_memory`: what the event samples, if it is loads or stores.
    ///
    /// ```text
    ///     7f5a09c0  10668100842 |OP LOAD|LVL L3 or L3 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A   57  401136 dot+0x1c (/a/app)
    ///     7f5a09c0     68100142 L1 hit|SNP None|TLB L1 or L2 hit|LCK No   8  401136 dot+0x1c (/a/app)    10a2b3c0
    ///     7f5a09c0     57  401136 dot+0x1c (/a/app)
    /// ```
    pub fn parse(rest: &'line [u8], of_memory: Option<Operation>) -> Self {
        let whole = Self { reference: None, frame: rest };
        let Some((before, after)) = around_decoded(rest) else {
            return of_memory.and_then(|operation| undescribed(rest, operation)).unwrap_or(whole);
        };
        let mut numbers = words(before);
        // The address may have its symbol behind it; what the bits are decoded from comes last.
        let (Some(first), Some(bits)) = (numbers.next(), words(before).filter_map(hex).last())
        else {
            return whole;
        };
        let address = hex(first).filter(|_| numbers.next().is_some()).unwrap_or(0);
        let source = DataSource(bits);
        let (cost, frame) = cost_and_frame(after);
        let described = |operation| Reference {
            address,
            operation,
            level: source.level(),
            tlb: source.tlb(),
            cost: cost.filter(|&cost| cost > 0),
        };
        let operation = source.operation().filter(|_| address > 0);
        Self { reference: operation.map(described), frame }
    }
}

/// What stands before and after the words into which perf decodes a data source.
fn around_decoded(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let first = memchr::memchr(b'|', rest)?;
    let is_there = |word: &[u8]| rest.windows(word.len()).any(|found| found == word);
    // Symbols have bars too. The words are cut after 99 bytes, but not before this one.
    if !is_there(b"|SNP ") {
        return None;
    }
    let last = memchr::memrchr(b'|', rest)?;
    let after = rest.get(last..)?;
    // The last of them are no numbers: `|LCK No`, `|BLK  Data Addr`.
    let end = word_starts(after).skip(1).find(|&at| hex(word_at(after, at)).is_some());
    let after = end.and_then(|end| after.get(end..)).unwrap_or_default();
    let before = rest.get(..first)?;
    // Older versions have no `|OP LOAD|LVL` before the level.
    let is_old = !rest.get(first..)?.starts_with(b"|OP ");
    let level = word_starts(before).find(|&at| hex(word_at(before, at)).is_none());
    let before = match level.filter(|_| is_old) {
        Some(level) => before.get(..level)?,
        None => before,
    };
    Some((before, after))
}

/// A load or store of which only the address, and perhaps a weight, is printed.
fn undescribed(rest: &[u8], operation: Operation) -> Option<Sampled<'_>> {
    let first = word_starts(rest).next()?;
    let word = word_at(rest, first);
    let address = hex(word).filter(|&address| address > 0)?;
    let after = rest.get(first + word.len()..)?;
    let (cost, frame) = cost_and_frame(after);
    // Without an address of data, the number is the frame's.
    if words(frame).next().is_some_and(|word| hex(word).is_none()) {
        return None;
    }
    let cost = cost.filter(|&cost| cost > 0);
    let reference = Reference { address, operation, level: None, tlb: None, cost };
    Some(Sampled { reference: Some(reference), frame })
}

/// The weight and the innermost frame in `57   0  401136 dot+0x1c (/a/app)`: other weights, of the
/// instruction and its retirement, may follow the first.
fn cost_and_frame(text: &[u8]) -> (Option<u64>, &[u8]) {
    let starts = || word_starts(text);
    let numbers = starts().take_while(|&at| hex(word_at(text, at)).is_some()).count();
    let symbol = starts().nth(numbers).map(|at| word_at(text, at));
    let weights = match symbol {
        None => numbers,
        // Before a symbol stands its address; one such as `add` looks like a number.
        Some(word) if word.starts_with(b"(") => numbers.saturating_sub(2),
        Some(_) => numbers.saturating_sub(1),
    };
    let cost = starts().next().filter(|_| weights > 0);
    let cost = cost.and_then(|at| Some(number(word_at(text, at))?.0));
    let frame = starts().nth(weights).and_then(|at| text.get(at..)).unwrap_or_default();
    // What is printed behind the frame, physical addresses and sizes of pages, is of no use.
    let end = memchr::memrchr(b')', frame).map_or(frame.len(), |end| end + 1);
    (cost, frame.get(..end).unwrap_or_default())
}

fn word_starts(text: &[u8]) -> impl Iterator<Item = usize> {
    let blank = |at: usize| text.get(at).is_none_or(u8::is_ascii_whitespace);
    (0..text.len()).filter(move |&at| !blank(at) && (at == 0 || blank(at - 1)))
}

fn word_at(text: &[u8], at: usize) -> &[u8] {
    let word = text.get(at..).unwrap_or_default();
    let end = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
    word.get(..end).unwrap_or_default()
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    word_starts(text).map(|at| word_at(text, at))
}

/// A word of up to 16 hexadecimal digits, as perf prints them: in lower case.
fn hex(word: &[u8]) -> Option<u64> {
    if word.is_empty() || word.len() > 16 {
        return None;
    }
    let digit = |value: u64, byte: &u8| {
        let digit = char::from(*byte).to_digit(16).filter(|_| !byte.is_ascii_uppercase())?;
        Some(value << 4 | u64::from(digit))
    };
    word.iter().try_fold(0, digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOAD: Option<Operation> = Some(Operation::Load);
    const STORE: Option<Operation> = Some(Operation::Store);

    /// Address, operation, level, TLB, cost.
    type Parts = (u64, Operation, Option<u64>, Option<u64>, Option<u64>);

    fn read(rest: &str, of_memory: Option<Operation>) -> (Option<Parts>, &str) {
        let Sampled { reference, frame } = Sampled::parse(rest.as_bytes(), of_memory);
        let parts = |r: Reference| (r.address, r.operation, r.level, r.tlb, r.cost);
        (reference.map(parts), std::str::from_utf8(frame).unwrap())
    }

    #[test]
    fn the_layouts_of_every_version_are_read() {
        const FRAME: &str = "401136 dot+0x1c (/a/app)";
        use Operation::{Load, Store};
        for (rest, reference, frame) in [
            // 6.1 and later, with and without weights of the instruction.
            (
                "7f5a09c0  10668100842 |OP LOAD|LVL L3 or L3 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A               57     401136 dot+0x1c (/a/app)",
                Some((0x7f5a_09c0, Load, Some(4), Some(1), Some(57))),
                FRAME,
            ),
            (
                "7f5a09c0 10268100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK    N/A    5   7    0   401136 dot+0x1c (/a/app)",
                Some((0x7f5a_09c0, Load, Some(1), Some(1), Some(5))),
                FRAME,
            ),
            // 4.6 to 5.13.
            (
                "ffff8880 68100142 L1 hit|SNP None|TLB L1 or L2 hit|LCK No         8 401136 dot+0x1c (/a/app)",
                Some((0xffff_8880, Load, Some(1), Some(1), Some(8))),
                FRAME,
            ),
            (
                "ffff8880 68808042 Remote Cache (1 hop) hit|SNP HitM|TLB L1 or L2 hit|LCK Yes  408",
                Some((0xffff_8880, Load, Some(5), Some(1), Some(408))),
                "",
            ),
            // 6.16 and later; a store has no cost; the call-stack follows below.
            (
                "7ffe0010 288100144 |OP STORE|LVL L1 hit|SNP None|TLB Walker hit|LCK No|BLK  N/A|AFF N/A   0",
                Some((0x7ffe_0010, Store, Some(1), Some(0), None)),
                "",
            ),
            // Without weight; a physical address and a size of pages behind the frame.
            (
                "7ffe0010 5080144 |OP STORE|LVL L1 hit|SNP N/A|TLB N/A|LCK N/A|BLK  N/A 401136 dot+0x1c (/a/app)    10a2b3c0 4K",
                Some((0x7ffe_0010, Store, Some(1), None, None)),
                FRAME,
            ),
            // The words are cut.
            (
                "7ffe0010 11a68401042 |OP LOAD|LVL Local RAM or RAM hit|SNP Hit or Fwd|TLB L1 or L2 mi    301 401136 dot+0x1c (/a/app)",
                Some((0x7ffe_0010, Load, Some(7), Some(1), Some(301))),
                FRAME,
            ),
            // A frame without offset that looks like a number.
            (
                "7ffe0010 68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No 8 401136 add (/a/app)",
                Some((0x7ffe_0010, Load, Some(1), Some(1), Some(8))),
                "401136 add (/a/app)",
            ),
            // Neither load nor store, no address, only the bits.
            (
                "0 1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A   0 401136 dot+0x1c (/a/app)      0",
                None,
                FRAME,
            ),
            (
                "0 68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No 8 401136 dot+0x1c (/a/app)",
                None,
                FRAME,
            ),
            (
                "68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No 8 401136 dot+0x1c (/a/app)",
                None,
                FRAME,
            ),
            // A page fault: its address has a symbol.
            (
                "5654cf29b010 __TMC_END__+0x0 (/a/app) 1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A 0 401136 dot+0x1c (/a/app)",
                None,
                FRAME,
            ),
            // No memory sample at all.
            (FRAME, None, FRAME),
            ("401136 operator|(A, B)+0x4 (/a)", None, "401136 operator|(A, B)+0x4 (/a)"),
            ("", None, ""),
            ("|SNP ", None, "|SNP "),
            ("||SNP |", None, "||SNP |"),
        ] {
            assert_eq!(read(rest, None), (reference, frame), "{rest}");
        }
    }

    #[test]
    fn an_event_of_memory_says_the_operation_where_its_data_source_is_not_printed() {
        const FRAME: &str = "401136 dot+0x1c (/a/app)";
        for (rest, address, cost, frame) in [
            ("7ffe0010   57 401136 dot+0x1c (/a/app)", Some(0x7ffe_0010), Some(57), FRAME),
            ("7ffe0010 401136 dot+0x1c (/a/app)  10a2b3c0", Some(0x7ffe_0010), None, FRAME),
            ("7ffe0010", Some(0x7ffe_0010), None, ""),
            ("7ffe0010    57", Some(0x7ffe_0010), Some(57), ""),
            (FRAME, None, None, FRAME),
            ("0   57 401136 dot+0x1c (/a/app)", None, None, "0   57 401136 dot+0x1c (/a/app)"),
            ("", None, None, ""),
        ] {
            for of_memory in [LOAD, STORE] {
                let expected = address.map(|a| (a, of_memory.unwrap(), None, None, cost));
                assert_eq!(read(rest, of_memory), (expected, frame), "{rest}");
            }
            assert_eq!(read(rest, None), (None, rest), "{rest}");
        }
    }
}
