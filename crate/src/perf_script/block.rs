//! What stands in some lines, taken apart without what stands before them: the part of the work that
//! any thread can do. Who joins blocks in the order of the file gives names their numbers.

use super::data_source::Operation;
use super::frame::Frame;
use super::reference::Reference;
use crate::text::{Words, WordsRead};

/// Texts by their numbers in a block.
pub(super) type Texts = Vec<Box<[u8]>>;

/// Lines taken apart, in their order. Numbers of threads, events and names are those of the block.
#[derive(Debug, Default, PartialEq)]
pub struct Block {
    /// How many lines there are, blank ones too.
    pub(super) lines: u64,
    pub(super) steps: Vec<Step>,
    /// Frames of all records, one call-stack behind the other.
    pub(super) frames: Vec<Frame>,
    pub(super) events: Texts,
    pub(super) threads: Vec<Task>,
    pub(super) routines: Texts,
    pub(super) code_lines: Texts,
    /// Frames of the deepest call-stack.
    pub(super) depth: usize,
}

/// A line, or a record with the lines of its call-stack; `line` counts from 1 in the block.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Record(Scanned),
    /// A header, a line that cannot be read, or one that goes on what stands before the block.
    Line {
        line: u64,
        text: Box<[u8]>,
    },
    /// The last line of the file, cut within.
    Cut {
        line: u64,
        text: Box<[u8]>,
    },
}

/// A record as it stands in its lines.
#[derive(Debug, PartialEq)]
pub(super) struct Scanned {
    pub line: u64,
    pub thread: usize,
    pub event: usize,
    pub time_ns: u64,
    pub period: Option<u64>,
    pub reference: Option<Reference>,
    /// Of its call-stack.
    pub frames: usize,
}

/// A thread, with the command that it ran when it was met first.
#[derive(Debug, PartialEq)]
pub(super) struct Task {
    pub process: Option<u32>,
    pub thread: u32,
    pub command: Box<[u8]>,
}

impl Block {
    /// As words, for another worker.
    #[inline(never)]
    pub fn write(&self, words: &mut Words) {
        words.number(self.lines);
        words.number(self.depth as u64);
        let numbers = |of: fn(&Frame) -> u64| {
            self.frames.iter().map(|frame| of(frame) as u32).collect::<Vec<_>>()
        };
        words.column(&numbers(|frame| frame.routine));
        words.column(&numbers(|frame| frame.code_line));
        for texts in [&self.events, &self.routines, &self.code_lines] {
            words.number(texts.len() as u64);
            texts.iter().for_each(|text| write_bytes(text, words));
        }
        words.number(self.threads.len() as u64);
        for Task { process, thread, command } in &self.threads {
            write_option(process.map(u64::from), words);
            words.number(u64::from(*thread));
            write_bytes(command, words);
        }
        words.number(self.steps.len() as u64);
        self.steps.iter().for_each(|step| step.write(words));
    }

    /// `None` if that is not what was written.
    #[inline(never)]
    pub fn read(words: &mut WordsRead<'_>) -> Option<Self> {
        let (lines, depth) = (words.number()?, words.number()? as usize);
        let (routines, code_lines) = (words.column()?, words.column()?);
        let pairs = routines.into_iter().zip(code_lines);
        let frame =
            |(routine, line)| Frame { routine: u64::from(routine), code_line: u64::from(line) };
        let frames = pairs.map(frame).collect();
        let [events, routines, code_lines] =
            [read_texts(words)?, read_texts(words)?, read_texts(words)?];
        let threads = (0..words.count()?).map(|_| {
            let process = read_option(words)?.map(u32::try_from).transpose().ok()?;
            let thread = u32::try_from(words.number()?).ok()?;
            Some(Task { process, thread, command: read_bytes(words)? })
        });
        let threads = threads.collect::<Option<_>>()?;
        let steps = (0..words.count()?).map(|_| Step::read(words)).collect::<Option<_>>()?;
        Some(Self { lines, steps, frames, events, threads, routines, code_lines, depth })
    }
}

impl Step {
    fn write(&self, words: &mut Words) {
        match self {
            Self::Record(record) => {
                words.number(0);
                record.write(words);
            }
            Self::Line { line, text } | Self::Cut { line, text } => {
                words.number(if matches!(self, Self::Line { .. }) { 1 } else { 2 });
                words.number(*line);
                write_bytes(text, words);
            }
        }
    }

    fn read(words: &mut WordsRead<'_>) -> Option<Self> {
        match words.number()? {
            0 => Some(Self::Record(Scanned::read(words)?)),
            1 => Some(Self::Line { line: words.number()?, text: read_bytes(words)? }),
            2 => Some(Self::Cut { line: words.number()?, text: read_bytes(words)? }),
            _ => None,
        }
    }
}

impl Scanned {
    fn write(&self, words: &mut Words) {
        let [thread, event, frames] = [self.thread, self.event, self.frames].map(|n| n as u64);
        for number in [self.line, thread, event, self.time_ns, frames] {
            words.number(number);
        }
        write_option(self.period, words);
        words.number(u64::from(self.reference.is_some()));
        if let Some(Reference { address, operation, level, tlb, cost }) = self.reference {
            words.number(address);
            words.number(u64::from(operation == Operation::Store));
            for part in [level, tlb, cost] {
                write_option(part, words);
            }
        }
    }

    fn read(words: &mut WordsRead<'_>) -> Option<Self> {
        let (line, thread) = (words.number()?, words.number()? as usize);
        let (event, time_ns) = (words.number()? as usize, words.number()?);
        let frames = words.number()? as usize;
        let period = read_option(words)?;
        let reference = match words.number()? {
            0 => None,
            _ => {
                let (address, stores) = (words.number()?, words.number()? > 0);
                let operation = if stores { Operation::Store } else { Operation::Load };
                let [level, tlb, cost] =
                    [read_option(words)?, read_option(words)?, read_option(words)?];
                Some(Reference { address, operation, level, tlb, cost })
            }
        };
        Some(Self { line, thread, event, time_ns, period, reference, frames })
    }
}

fn write_option(number: Option<u64>, words: &mut Words) {
    words.number(u64::from(number.is_some()));
    words.number(number.unwrap_or(0));
}

fn read_option(words: &mut WordsRead<'_>) -> Option<Option<u64>> {
    let (is_some, number) = (words.number()? > 0, words.number()?);
    Some(is_some.then_some(number))
}

fn write_bytes(bytes: &[u8], words: &mut Words) {
    words.column(&bytes.iter().map(|byte| u32::from(*byte)).collect::<Vec<_>>());
}

fn read_bytes(words: &mut WordsRead<'_>) -> Option<Box<[u8]>> {
    words.column()?.into_iter().map(|byte| u8::try_from(byte).ok()).collect()
}

fn read_texts(words: &mut WordsRead<'_>) -> Option<Texts> {
    (0..words.count()?).map(|_| read_bytes(words)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::scan::Scan;
    use super::*;

    #[test]
    fn a_block_is_written_and_read_back_and_no_part_of_it_is_one() {
        let mut scan = Scan::default();
        scan.lines(b"\t40 f+0x1 (/a)\n# a header\na 7 [0] 1.5: 3 cycles:\n\t40 f+0x1 (/a)\n\t41 [unknown] (//anon)\n");
        scan.lines(b"b 7/8 1.6: p:f: (40)\nb 7/8 1.7: 9 cpu/mem-stores/P: 7f80 5080144 |OP STORE|LVL L1 hit|SNP N/A|TLB N/A|LCK N/A 0 40 f+0x0 (/a)\n\nno record\n");
        scan.cut_line(b"b 7/8 1.9: ");
        let block = scan.finish();
        assert_eq!((block.steps.len(), block.frames.len(), block.threads.len()), (7, 3, 2));
        let mut words = Words::default();
        block.write(&mut words);
        let words = words.0;
        assert_eq!(Block::read(&mut WordsRead(&words)), Some(block));
        for length in 0..words.len() {
            assert_eq!(Block::read(&mut WordsRead(&words[..length])), None, "{length} words");
        }
    }
}
