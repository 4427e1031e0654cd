//! The call-stack under a record, innermost frame first.

use super::block::{Block, Texts};
use super::names::Names;

/// Deeper frames are left out: event types for call-stacks end there.
const FRAMES: usize = 100;

/// A routine and a code line, by their numbers; 0 is one that perf does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame {
    pub routine: u64,
    pub code_line: u64,
}

/// Routines and code lines met, by number.
#[derive(Clone, Default)]
pub(super) struct Code {
    pub routines: Names,
    pub code_lines: Names,
    /// Frames of the deepest call-stack.
    pub depth: usize,
    recent: Recent,
}

impl Code {
    /// Adds the frame of `line` to `stack`; whether it is one.
    ///
    /// Examples: `13ef iteration+0x1f (/home/user/app/phases)`, `2f3c dot (inlined)`,
    /// `ffffffff82 do_idle+0x7 ([kernel.kallsyms])`, `d [unknown] ([uprobes])`
    pub fn frame(&mut self, line: &[u8], stack: &mut Vec<Frame>) -> bool {
        let line = line.trim_ascii();
        let known = self.recent.frame(line);
        let Some(frame) = known.or_else(|| self.named(line, stack.len() < FRAMES)) else {
            return false;
        };
        if stack.len() < FRAMES {
            stack.push(frame);
            self.depth = self.depth.max(stack.len());
        }
        true
    }

    /// The frame of a line that was not met of late; without names where it is left out.
    fn named(&mut self, line: &[u8], is_kept: bool) -> Option<Frame> {
        let (symbol, object) = parts(line)?;
        let mut frame = Frame::default();
        if !is_kept {
            return Some(frame);
        }
        let object = if object == b"[kernel.kallsyms]" { b"[kernel]" } else { object };
        let file = object.rsplit(|&byte| byte == b'/').next().unwrap_or(object);
        let is_file = object.starts_with(b"/") && !object.starts_with(b"//");
        if symbol != b"[unknown]" && !symbol.is_empty() {
            frame.routine = self.routines.of(symbol);
        } else if is_file {
            // A library without symbols: its name says more than nothing.
            frame.routine = self.routines.of(&[b"[", file, b"]"].concat());
        }
        if frame.routine > 0 && object != b"inlined" {
            frame.code_line = self.code_lines.of(file);
        }
        self.recent.remember(line, frame);
        Some(frame)
    }

    /// Takes `line` for the code line of the last frame, if it is one: `phases.c:12`, below the
    /// frame with `-F +srcline`.
    pub fn code_line(&mut self, line: &[u8], stack: &mut [Frame]) {
        let line = line.trim_ascii();
        let line = line.split(|&byte| byte == b' ').next().unwrap_or(line);
        let Some(colon) = line.iter().rposition(|&byte| byte == b':') else { return };
        let (path, digits) = (line.get(..colon), line.get(colon + 1..));
        let (Some(path), Some(digits)) = (path, digits) else { return };
        let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let is_number = (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
        if let (Some(frame), true) = (stack.last_mut(), is_number && !matches!(file, b"" | b"??")) {
            // As the labels of Extrae have it.
            frame.code_line = self.code_lines.of(&[digits, b" (", file, b")"].concat());
        }
    }
}

impl Code {
    /// The frames of a block by numbers of here.
    pub fn named_of(&mut self, block: &Block) -> Vec<Frame> {
        let number = |names: &mut Names, texts: &Texts| {
            texts.iter().map(|text| names.of(text)).collect::<Vec<_>>()
        };
        let routines = number(&mut self.routines, &block.routines);
        let code_lines = number(&mut self.code_lines, &block.code_lines);
        self.depth = self.depth.max(block.depth);
        // 0 stays what perf does not know.
        let of = |numbers: &[u64], in_block: u64| {
            let at = in_block.checked_sub(1).and_then(|at| numbers.get(at as usize));
            at.copied().unwrap_or(0)
        };
        let named = |frame: &Frame| Frame {
            routine: of(&routines, frame.routine),
            code_line: of(&code_lines, frame.code_line),
        };
        block.frames.iter().map(named).collect()
    }
}

/// Lines met of late with their frames: the outer ones of a call-stack are the same again and again.
#[derive(Clone, Default)]
struct Recent {
    /// In each slot the last line of its kind that was met.
    slots: Vec<(Vec<u8>, Frame)>,
}

/// Slots, a power of two.
const SLOTS: usize = 1 << 12;
/// Longer lines are not remembered.
const LONGEST: usize = 512;

impl Recent {
    fn frame(&self, line: &[u8]) -> Option<Frame> {
        let (known, frame) = self.slots.get(slot(line))?;
        (known == line && !line.is_empty()).then_some(*frame)
    }

    fn remember(&mut self, line: &[u8], frame: Frame) {
        if line.len() > LONGEST {
            return;
        }
        self.slots.resize_with(SLOTS, Default::default);
        if let Some((known, of)) = self.slots.get_mut(slot(line)) {
            known.clear();
            known.extend_from_slice(line);
            *of = frame;
        }
    }
}

/// Which slot a line has: a hash of eight bytes at a time.
fn slot(line: &[u8]) -> usize {
    // 2⁶⁴ over the golden ratio, as Knuth has it (TAOCP 3, §6.4).
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let add = |hash: u64, bytes: &[u8; 8]| {
        (hash.rotate_left(23) ^ u64::from_le_bytes(*bytes)).wrapping_mul(FACTOR)
    };
    let (words, rest) = line.as_chunks();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let hash = words.iter().chain([&last]).fold(0, add);
    (hash >> (u64::BITS - SLOTS.trailing_zeros())) as usize
}

/// Whether the routine that a marker is in is open further out too; `None` without a call-stack.
pub(super) fn is_nested(stack: &[Frame]) -> Option<bool> {
    let (innermost, outer) = stack.split_first()?;
    let known = innermost.routine > 0 && !outer.is_empty();
    known.then(|| outer.iter().any(|frame| frame.routine == innermost.routine))
}

/// Whether `line` is a frame, whatever it is called.
pub(super) fn is_frame(line: &[u8]) -> bool {
    parts(line.trim_ascii()).is_some()
}

/// Symbol and object of a frame, if the line is one.
fn parts(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (address, rest) = line.split_at(line.iter().position(|&byte| byte == b' ')?);
    let is_address = address.iter().all(u8::is_ascii_hexdigit);
    is_address.then(|| symbol_and_object(rest.trim_ascii())).flatten()
}

/// `iteration+0x1f (/home/user/app/phases)` to `iteration` and what stands in the last brackets.
fn symbol_and_object(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = text.strip_suffix(b")")?;
    let inside = inside.strip_suffix(b" (deleted)").unwrap_or(inside);
    // Symbols and paths may have brackets of their own.
    let opens = |found: &[u8]| matches!(found, b" (/" | b" ([" | b" (i");
    let open = inside.windows(3).rposition(opens);
    let open = open.or_else(|| inside.windows(2).rposition(|found| found == b" ("))?;
    let (symbol, object) = inside.split_at(open);
    let object = object.trim_ascii_start().get(1..)?;
    Some((without_offset(symbol.trim_ascii()), object))
}

/// `iteration+0x1f` to `iteration`.
fn without_offset(symbol: &[u8]) -> &[u8] {
    let Some(plus) = symbol.windows(3).rposition(|found| found == b"+0x") else { return symbol };
    let offset = symbol.get(plus + 3..).unwrap_or_default();
    let hexadecimal = !offset.is_empty() && offset.iter().all(u8::is_ascii_hexdigit);
    symbol.get(..plus).filter(|_| hexadecimal).unwrap_or(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Routine and code line of each frame.
    fn read(lines: &[&str]) -> Vec<(String, String)> {
        let (mut code, mut stack) = (Code::default(), vec![]);
        for line in lines {
            if !code.frame(line.as_bytes(), &mut stack) {
                code.code_line(line.as_bytes(), &mut stack);
            }
        }
        let (routines, lines) = (code.routines.values(), code.code_lines.values());
        let name = |values: &[(u64, String)], number: u64| {
            number.checked_sub(1).map_or(String::new(), |at| values[at as usize].1.clone())
        };
        let words = |frame: &Frame| (name(&routines, frame.routine), name(&lines, frame.code_line));
        stack.iter().map(words).collect()
    }

    #[test]
    fn frames_of_every_kind_are_read() {
        for (line, routine, code_line) in [
            ("\t   13ef iteration+0x1f (/home/user/app/phases)", "iteration", "phases"),
            ("ffffffff8 do_idle+0x7 ([kernel.kallsyms])", "do_idle", "[kernel]"),
            ("2f3c dot (inlined)", "dot", ""),
            ("2f3c f(int, g (*)(h))+0x2a (/a/b c (1).so)", "f(int, g (*)(h))", "b c (1).so"),
            ("2f3c operator+(A, B)+0x0 (/a/lib.so (deleted))", "operator+(A, B)", "lib.so"),
            ("d [unknown] ([uprobes])", "", ""),
            ("7f12 [unknown] (/opt/libblas.so.3)", "[libblas.so.3]", "libblas.so.3"),
            ("7f12 [unknown] (//anon)", "", ""),
            ("7f12 a+0xzz (/x)", "a+0xzz", "x"),
        ] {
            let expected = [(routine.to_owned(), code_line.to_owned())];
            assert_eq!(read(&[line]), expected, "{line}");
        }
        for line in ["", "main", "zz main (/a)", "13ef iteration+0x1f (/home", "13ef"] {
            assert_eq!(read(&[line]), [], "{line}");
        }
    }

    #[test]
    fn a_source_line_below_a_frame_is_its_code_line() {
        let lines = ["13ef it+0x1f (/a/phases)", "  /src/phases.c:12", "1112 main+0x2 (/a/phases)"];
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(read(&lines), [pair("it", "12 (phases.c)"), pair("main", "phases")]);
        let unknown = ["13ef it+0x1f (/a/phases)", "  phases[13ef]", "  ??:0 (discriminator 2)"];
        assert_eq!(read(&unknown), [pair("it", "phases")]);
    }

    #[test]
    fn a_line_met_again_is_the_frame_that_it_was_whatever_came_between() {
        let line = |k: usize| format!("{k:x} f{}+0x1 (/a/b{})", k % 300, k % 7);
        let (mut code, mut forgetful) = (Code::default(), Code::default());
        // More lines than there are slots, in an order that comes back to each.
        for line in (0..4 * SLOTS).map(|k| line(k * 7919 % (2 * SLOTS))) {
            let (mut stack, mut expected) = (vec![], vec![]);
            forgetful.recent = Recent::default();
            assert!(code.frame(line.as_bytes(), &mut stack));
            assert!(forgetful.frame(line.as_bytes(), &mut expected));
            assert_eq!(stack, expected, "{line}");
        }
        assert!(code.recent.slots.iter().filter(|(line, _)| !line.is_empty()).count() > SLOTS / 2);
    }

    #[test]
    fn a_stack_has_an_end() {
        let line = "13ef it+0x1f (/a/phases)";
        assert_eq!(read(&[line; 300]).len(), FRAMES);
    }
}
